"""Draws figure 4: which sectors of 32 bytes, and which banks, the lanes of a warp access."""

import style
from memory_maps import BANKS, SECTOR, WARP

WORDS = SECTOR // 4


def counted(number, what, many):
    return f"{number} {what if number == 1 else many}"


def sector_panel(axes, data):
    lanes = data["lanes"]
    used = sorted({word for word in lanes if word is not None})
    sectors = sorted({word // WORDS for word in used})
    step = WARP / len(sectors)
    wide = min(step * 0.84, 7)
    left = {s: (n + 0.5) * step - wide / 2 for n, s in enumerate(sectors)}
    for lane, word in enumerate(lanes):
        style.box(axes, lane, 3, 1, 0.5)
        if word is not None:
            to = left[word // WORDS] + (word % WORDS + 0.5) * wide / WORDS
            axes.plot([lane + 0.5, to], [3, 1], "-", color=style.BLUE, linewidth=0.6)
    for sector, x in left.items():
        for word in range(WORDS):
            colour = style.ORANGE if sector * WORDS + word in used else "white"
            style.box(axes, x + word * wide / WORDS, 0.5, wide / WORDS, 0.5, colour, "none")
        style.box(axes, x, 0.5, wide, 0.5, "none", "black", 0.8)
        size = 8 if len(sectors) <= 8 else 6.5
        axes.text(x + wide / 2, 0.3, sector, ha="center", va="top", size=size)
    count = counted(data["sectors"], "sector", "sectors")
    elements = counted(data["words"], "element", "elements")
    rows = counted(data["rows"], "row", "rows")
    axes.set_title(f"{data['what']}: {count} for {elements} in {rows}", loc="left")
    axes.set_xlim(-0.3, WARP + 0.3)
    axes.set_ylim(-0.35, 3.6)
    axes.set_yticks([0.75, 3.25], ["sector", "lane"])
    axes.set_xticks([n + 0.5 for n in range(0, WARP, 4)], range(0, WARP, 4))
    axes.xaxis.tick_top()
    style.bare(axes)
    axes.tick_params(pad=1)


def sectors(data, path):
    columns = data["columns"]
    rows = counted(data["rows"], "row", "rows")
    caption = (
        "Orange: the elements that the warp needs. The rest of a sector is moved for nothing. "
    )
    caption += "In a {} x {} block, a warp covers ".format(*data["block"]) + f"{rows}. If Row "
    caption += f"comes from y, it loads from {rows} of M, one sector each, and stores to {rows} of "
    caption += "P. Lanes are the 32 threads of a warp. Sectors are numbered from the beginning of "
    caption += f"the array; only accessed ones are shown. {data['caption']}"
    figure = style.figure(9.2, 5.2, "One request of a warp, in sectors of 32 bytes", caption)
    grid = figure.subplots(3, len(columns), squeeze=False)
    for number, column in enumerate(columns):
        for row, one in enumerate(column["panels"]):
            sector_panel(grid[row][number], one)
        look = dict(xycoords="axes fraction", size=8, family="monospace")
        grid[0][number].annotate(column["title"], (0, 1.42), **look)
    return style.save(figure, path, data)


def bank_panel(axes, data):
    stacks = {}
    for lane, word in enumerate(data["lanes"]):
        style.box(axes, lane, 50, 1, 4)
        if word is not None:
            bank = word % BANKS
            stacks.setdefault(bank, set()).add(word)
            axes.plot([lane + 0.5, bank + 0.5], [50, 36], "-", color=style.BLUE, linewidth=0.7)
    for bank in range(BANKS):
        style.box(axes, bank, 32, 1, 4, style.PALE)
        for number in range(len(stacks.get(bank, ()))):
            style.box(axes, bank + 0.1, 31 - number, 0.8, -1, style.ORANGE, "black", 0.5)
    passes = counted(data["passes"], "pass", "passes")
    axes.set_title(f"{data['title']}\n{passes} over the banks", loc="left", size=8)
    axes.set_xlim(-0.2, BANKS + 0.2)
    axes.set_ylim(-2, 55)
    axes.set_xticks([n + 0.5 for n in range(0, WARP, 4)], range(0, WARP, 4))
    axes.set_xlabel("number of the lane, of the bank")
    ticks = {52: "lanes", 34: "banks"} | {31.5 - n: str(n) for n in (1, 8, 16, 24, 32)}
    axes.set_yticks(list(ticks), list(ticks.values()))
    axes.set_ylabel("passes: words of a bank         ", size=8)
    style.bare(axes)


def banks(data, path):
    title = "A warp reads a column of a tile: the banks of its words"
    caption = f"A bank delivers one word per pass: its words need one pass each. {data['caption']}"
    figure = style.figure(5.6, 3.9, title, caption)
    bank_panel(figure.subplots(), data)
    return style.save(figure, path, data)
