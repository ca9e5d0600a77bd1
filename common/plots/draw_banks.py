"""Draws figure 4b: the lanes of a warp onto the 32 banks of shared memory."""

from matplotlib.patches import Rectangle

import style
from warp_requests import BANKS, WARP


def panel(axes, data):
    stacks = {}
    for lane, word in enumerate(data["lanes"]):
        axes.add_patch(Rectangle((lane, 50), 1, 4, facecolor="white", edgecolor=style.GREY, lw=0.6))
        if word is None:
            continue
        stacks.setdefault(word % BANKS, set()).add(word)
        to = word % BANKS + 0.5
        axes.plot([lane + 0.5, to], [50, 36], "-", color=style.BLUE, linewidth=0.7)
    for bank in range(BANKS):
        axes.add_patch(
            Rectangle((bank, 32), 1, 4, facecolor=style.PALE, edgecolor=style.GREY, lw=0.6)
        )
        for number in range(len(stacks.get(bank, ()))):
            axes.add_patch(
                Rectangle(
                    (bank + 0.1, 31 - number),
                    0.8,
                    -1,
                    facecolor=style.ORANGE,
                    edgecolor="black",
                    linewidth=0.5,
                )
            )
    passes = "1 pass" if data["passes"] == 1 else f"{data['passes']} passes"
    axes.set_title(f"{data['title']}\n{passes} over the banks", loc="left", size=8)
    axes.set_xlim(-0.2, BANKS + 0.2)
    axes.set_ylim(-2, 55)
    axes.set_xticks([n + 0.5 for n in range(0, WARP, 4)], range(0, WARP, 4))
    axes.set_xlabel("number of the lane, of the bank")
    ticks = (1, 8, 16, 24, 32)
    axes.set_yticks(
        [52, 34] + [31.5 - n for n in ticks], ["lanes", "banks"] + [str(n) for n in ticks]
    )
    axes.set_ylabel("passes: words of a bank         ", size=8)
    axes.tick_params(length=0, labelsize=8)
    axes.spines[:].set_visible(False)


def draw(data, path):
    figure = style.figure(
        9.2,
        3.9,
        "A warp reads a column of a tile, before and after padding",
        "Words of one bank come one after the other: a pass each. " + data["caption"],
    )
    grid = figure.subplots(1, len(data["panels"]), squeeze=False)
    for axes, one in zip(grid[0], data["panels"]):
        panel(axes, one)
    style.arrange(figure)
    return style.save(figure, path, data)
