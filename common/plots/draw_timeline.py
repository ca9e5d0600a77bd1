"""Draws figure 2: a row a thread, its loads, barriers and products along its time."""

from matplotlib.patches import Patch, Rectangle

import style
import timeline

MEANING = {"M": "load from M", "N": "load from N", "P": "store to P"}


def box(axes, row, segment):
    kind = segment["kind"]
    axes.add_patch(
        Rectangle(
            (segment["at"] + 0.04, row - 0.42),
            timeline.LENGTHS[kind] - 0.08,
            0.84,
            facecolor=style.FILL[kind],
            edgecolor=style.VERMILION if segment["races"] else style.GREY,
            linewidth=2.2 if segment["races"] else 0.6,
            hatch="////" if segment["label"] == "0" else None,
        )
    )
    axes.text(
        segment["at"] + timeline.LENGTHS[kind] / 2,
        row,
        segment["label"] + ("\nraces" if segment["races"] else ""),
        ha="center",
        va="center",
        size=7.5,
        linespacing=1.15,
    )


def legend(axes, data):
    kinds = {s["kind"] for row in data["rows"] for s in row["segments"]}
    handles = [
        Patch(facecolor=style.FILL[kind], edgecolor=style.GREY, label=text)
        for kind, text in MEANING.items()
        if kind in kinds
    ]
    handles.append(Patch(facecolor="white", edgecolor=style.GREY, label="product of two elements"))
    handles.append(Patch(facecolor=style.BLACK, label="barrier"))
    if data["races"]:
        racing = dict(facecolor="white", edgecolor=style.VERMILION, linewidth=2.2)
        handles.append(Patch(label="races", **racing))
    axes.legend(
        handles=handles,
        ncol=len(handles),
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        frameon=False,
        fontsize=8,
        handlelength=1.2,
        columnspacing=1.2,
    )


def races_in_words(data):
    if not data["races"]:
        return "No races in any block. "
    places = ", ".join(f"{array} at {count} places" for array, count in data["races"])
    return (
        f"Races in all blocks: {places}, each counted once between two barriers; two "
        "threads use one place, one of them stores, and no barrier lies between. "
    )


def draw(data, path):
    rows = data["rows"]
    ends = [s["at"] + timeline.LENGTHS[s["kind"]] for row in rows for s in row["segments"]]
    end = max(ends + data["barriers"]) + 0.3
    figure = style.figure(
        max(6.5, min(11, end * 0.46)),
        len(rows) * 0.52 + 0.85,
        "Phases of block ({},{})".format(*data["block"]),
        races_in_words(data) + data["caption"],
    )
    axes = figure.subplots()
    for number, row in enumerate(rows):
        for segment in row["segments"]:
            box(axes, number, segment)
    for at in data["barriers"]:
        axes.add_patch(
            Rectangle((at + 0.2, -0.5), timeline.BARRIER - 0.4, len(rows), facecolor=style.BLACK)
        )
    axes.set_xlim(0, end)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), ["({},{})".format(*row["thread"]) for row in rows])
    axes.set_ylabel("thread (tx,ty)")
    axes.set_xticks([])
    axes.set_xlabel("time of each thread: order, not duration →")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    legend(axes, data)
    style.arrange(figure)
    return style.save(figure, path, data)
