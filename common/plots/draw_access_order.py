"""Draws figure 1: a row per thread, a column per time; loads of one element are joined."""

import style

CELL = 1.0  # width of a cell, in the figure's units
LANE = 0.11  # between two joining lines, in the same units


def lanes(spans):
    """Returns for each (top, bottom) the lane of its line, such that no lines overlap."""
    ends, result = [], []
    for top, bottom in spans:
        lane = next((n for n, end in enumerate(ends) if end < top), len(ends))
        ends[lane : lane + 1] = [bottom]
        result.append(lane)
    return result


def name_blocks(axes, heights, rows):
    """Writes the name of each block to the right of its rows."""
    for block in dict.fromkeys(tuple(row["block"]) for row in rows):
        here = [y for y, row in zip(heights, rows) if tuple(row["block"]) == block]
        place = dict(xycoords=("axes fraction", "data"), ha="left", va="center")
        place["rotation"] = 90 if len(here) > 3 else 0
        middle = (here[0] + here[-1]) / 2
        axes.annotate("block ({},{})".format(*block), (1.0, middle), size=8, **place)


def title(data):
    """Returns a title that says how many blocks are drawn, or threads of a single block."""
    blocks = {tuple(row["block"]) for row in data["rows"]}
    counts = [f"{len(blocks)} of {data['blocks']} blocks"]
    if len(blocks) == 1:
        threads = f"{len(data['rows'])} of {data['threads']} threads"
        counts = ["block ({},{})".format(*min(blocks)), threads]
    return f"The elements that each thread loads: {', '.join(counts)}"


def draw(data, path):
    rows, shared = data["rows"], data["shared"]
    order = list(dict.fromkeys(tuple(row["block"]) for row in rows))
    several = len(order) > 1
    joins = [sorted(users) for users in shared]
    in_lanes = [lanes([(u[0], u[-1]) for u in users]) for users in joins]
    gutters = [LANE * (max(used, default=-1) + 2) for used in in_lanes]
    left = [sum(gutters[:n]) + n * CELL for n in range(len(joins))]
    width = left[-1] + CELL + gutters[-1]
    scale = min(0.62, 8.6 / width)
    caption = "A line joins threads of a block that load the same element at the same time. One of "
    caption += "these loads is enough if the block shares the element."
    if not any(joins):
        caption = "No two threads of a block load the same element at the same time."
    caption += f" {data['caption']}"
    size = max(5.2, width * scale + 1.5), len(rows) * 0.24 + 0.75
    figure = style.figure(*size, title(data), caption)
    axes = figure.subplots()
    heights = [n + 0.5 * order.index(tuple(row["block"])) for n, row in enumerate(rows)]
    zeros = any("0" in row["loads"] for row in rows)
    for time, x in enumerate(left):
        for y, row in zip(heights, rows):
            if time >= len(row["loads"]):
                continue
            label = row["loads"][time]
            look = ("white", style.GREY) if label == "0" else style.of_role(label[0])
            style.box(axes, x, y - 0.45, CELL, 0.9, *look, 0.8)
            axes.text(x + CELL / 2, y, label, ha="center", va="center", size=min(8, 13 * scale))
        for users, lane in zip(joins[time], in_lanes[time]):
            at = x + CELL + LANE * (lane + 0.7)
            ys = [heights[user] for user in users]
            colour = style.EDGE[rows[users[0]]["loads"][time][0]]
            axes.plot([at] * len(ys), ys, "-", color=colour, linewidth=1)
            axes.plot([at] * len(ys), ys, "o", color=colour, markersize=2.6)
    axes.set_xlim(-0.1, width)
    axes.set_ylim(heights[-1] + 0.6, -0.6)
    axes.set_xticks([x + CELL / 2 for x in left], range(1, len(left) + 1))
    zero = "; 0: it stores a zero instead" if zeros else ""
    axes.set_xlabel(f"the thread's n-th load from global memory{zero}")
    axes.set_yticks(heights, ["({},{})".format(*row["thread"]) for row in rows])
    axes.set_ylabel("thread (tx,ty)" + (" of each block (bx,by)" if several else ""))
    if several:
        name_blocks(axes, heights, rows)
    style.bare(axes)
    return style.save(figure, path, data)
