"""Draws figure 4a: the lanes of a warp onto sectors of 32 bytes."""

from matplotlib.patches import Rectangle

import style
from warp_requests import SECTOR, WARP

WORDS = SECTOR // 4


def panel(axes, data):
    lanes = data["lanes"]
    used = sorted({word for word in lanes if word is not None})
    sectors = sorted({word // WORDS for word in used})
    step = WARP / len(sectors)
    wide = min(step * 0.84, 7)
    left = {s: (n + 0.5) * step - wide / 2 for n, s in enumerate(sectors)}
    for lane, word in enumerate(lanes):
        axes.add_patch(
            Rectangle((lane, 3), 1, 0.5, facecolor="white", edgecolor=style.GREY, lw=0.6)
        )
        if word is None:
            continue
        to = left[word // WORDS] + (word % WORDS + 0.5) * wide / WORDS
        axes.plot([lane + 0.5, to], [3, 1], "-", color=style.BLUE, linewidth=0.6)
    for sector, x in left.items():
        for word in range(WORDS):
            taken = sector * WORDS + word in used
            axes.add_patch(
                Rectangle(
                    (x + word * wide / WORDS, 0.5),
                    wide / WORDS,
                    0.5,
                    facecolor=style.ORANGE if taken else "white",
                    edgecolor="none",
                )
            )
        axes.add_patch(Rectangle((x, 0.5), wide, 0.5, facecolor="none", edgecolor="black", lw=0.8))
        size = 8 if len(sectors) <= 8 else 6.5
        axes.text(x + wide / 2, 0.3, sector, ha="center", va="top", size=size)
    count = "1 sector" if data["sectors"] == 1 else f"{data['sectors']} sectors"
    axes.set_title(f"{data['what']}: {count}; {data['fewest']} would do", loc="left")
    axes.set_xlim(-0.3, WARP + 0.3)
    axes.set_ylim(-0.35, 3.6)
    axes.set_yticks([0.75, 3.25], ["sector", "lane"])
    axes.set_xticks([n + 0.5 for n in range(0, WARP, 4)], range(0, WARP, 4))
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=8, pad=1)
    axes.spines[:].set_visible(False)


def draw(data, path):
    columns = data["columns"]
    figure = style.figure(
        9.2,
        5.2,
        "One request of a warp, in sectors of 32 bytes",
        "Orange: the words that are asked for; the rest of a sector moves for nothing. "
        "Lanes are the 32 threads of the warp, sectors are numbered from the beginning "
        "of the array; only those touched are shown. " + data["caption"],
    )
    grid = figure.subplots(3, len(columns), squeeze=False)
    for number, column in enumerate(columns):
        for row, one in enumerate(column["panels"]):
            panel(grid[row][number], one)
        grid[0][number].annotate(
            column["title"], (0, 1.42), xycoords="axes fraction", size=8, family="monospace"
        )
    style.arrange(figure)
    return style.save(figure, path, data)
