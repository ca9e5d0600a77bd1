"""Draws figure 1: a row a thread, a column a time; loads of one element are joined."""

from matplotlib.patches import Rectangle

import style

CELL = 1.0  # width of a cell, in the figure's units
LANE = 0.11  # between two joining lines, in the same units


def lanes(spans):
    """Returns for each (top, bottom) the lane in which its line runs, so that none overlap."""
    ends, result = [], []
    for top, bottom in spans:
        free = [n for n, end in enumerate(ends) if end < top]
        lane = free[0] if free else len(ends)
        ends[lane : lane + 1] = [bottom]
        result.append(lane)
    return result


def thread_name(row):
    return "({},{})".format(*row["thread"])


def draw(data, path):
    rows, shared = data["rows"], data["shared"]
    order = list(dict.fromkeys(tuple(row["block"]) for row in rows))
    blocks = len(order)
    joins = [sorted(users.values()) for users in shared]
    in_lanes = [lanes([(u[0], u[-1]) for u in users]) for users in joins]
    gutters = [LANE * (max(used, default=-1) + 2) for used in in_lanes]
    left = [sum(gutters[:n]) + n * CELL for n in range(len(joins))]
    width = left[-1] + CELL + gutters[-1]
    scale = min(0.62, 8.6 / width)
    figure = style.figure(
        max(5.2, width * scale + 1.5),
        len(rows) * 0.24 + 0.75,
        "Who loads which element when"
        + ("" if blocks > 1 else ": block ({},{})".format(*rows[0]["block"])),
        "Lines join loads of one element at one time: only one of them is needed "
        "if the threads shared it. " + data["caption"],
    )
    axes = figure.subplots()
    height = [n + 0.5 * order.index(tuple(row["block"])) for n, row in enumerate(rows)]
    zeros = any("0" in row["loads"] for row in rows)
    zeros = "; 0: a zero instead" if zeros else ""
    for time, x in enumerate(left):
        for number, row in enumerate(rows):
            if time >= len(row["loads"]):
                continue
            label = row["loads"][time]
            zero = label == "0"
            role = label[0]
            axes.add_patch(
                Rectangle(
                    (x, height[number] - 0.45),
                    CELL,
                    0.9,
                    facecolor="white" if zero else style.FILL[role],
                    edgecolor=style.GREY if zero else style.EDGE[role],
                    linewidth=0.8,
                )
            )
            size = min(8, 13 * scale)
            y = height[number]
            axes.text(x + CELL / 2, y, label, ha="center", va="center", size=size)
        for users, lane in zip(joins[time], in_lanes[time]):
            at = x + CELL + LANE * (lane + 0.7)
            ys = [height[user] for user in users]
            role = rows[users[0]]["loads"][time][0]
            axes.plot([at] * len(ys), ys, "-", color=style.EDGE[role], linewidth=1)
            axes.plot([at] * len(ys), ys, "o", color=style.EDGE[role], markersize=2.6)
    axes.set_xlim(-0.1, width)
    axes.set_ylim(height[-1] + 0.6, -0.6)
    axes.set_xticks([x + CELL / 2 for x in left], range(1, len(left) + 1))
    axes.set_xlabel("time: the thread's n-th load from global memory" + zeros)
    axes.set_yticks(height, [thread_name(row) for row in rows])
    axes.set_ylabel("thread (tx,ty)" + (" of each block (bx,by)" if blocks > 1 else ""))
    if blocks > 1:
        for block in order:
            here = [y for y, row in zip(height, rows) if tuple(row["block"]) == block]
            axes.annotate(
                "block ({},{})".format(*block),
                (1.0, (here[0] + here[-1]) / 2),
                xycoords=("axes fraction", "data"),
                rotation=90 if len(here) > 3 else 0,
                ha="left",
                va="center",
                size=8,
            )
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=8)
    style.arrange(figure)
    return style.save(figure, path, data)
