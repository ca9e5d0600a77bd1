"""Draws figure 2: a row a thread, its loads, barriers and products along its time."""

from matplotlib.patches import Patch

import style
import timeline

MEANING = {"M": "load from M", "N": "load from N", "P": "store to P"}


def draw_segment(axes, row, segment):
    kind, at, racing = segment["kind"], segment["at"], segment["races"]
    length = timeline.LENGTHS[kind]
    look = (style.VERMILION, 2.2) if racing else (style.GREY, 0.6)
    hatch = "////" if segment["label"] == "0" else None
    box = (at + 0.04, row - 0.42, length - 0.08, 0.84)
    style.box(axes, *box, style.FILL[kind], *look, hatch=hatch)
    text = segment["label"] + ("\nraces" if racing else "")
    look = dict(ha="center", va="center", size=7.5, linespacing=1.15)
    axes.text(at + length / 2, row, text, **look)


def handles(data):
    kinds = {s["kind"] for row in data["rows"] for s in row["segments"]}
    colours = {text: style.FILL[kind] for kind, text in MEANING.items() if kind in kinds}
    colours["product of two elements"] = "white"
    made = [Patch(facecolor=it, edgecolor=style.GREY, label=text) for text, it in colours.items()]
    made.append(Patch(facecolor=style.BLACK, label="barrier"))
    if data["races"]:
        racing = dict(facecolor="white", edgecolor=style.VERMILION, linewidth=2.2)
        made.append(Patch(label="races", **racing))
    return made


def races_in_words(data):
    if not data["races"]:
        return "No races in any block."
    places = ", ".join(f"{array} at {count} places" for array, count in data["races"])
    return (
        f"Races in all blocks: {places}, each counted once between two barriers; two "
        "threads use one place, one of them stores, and no barrier lies between."
    )


def draw(data, path):
    rows = data["rows"]
    ends = [s["at"] + timeline.LENGTHS[s["kind"]] for row in rows for s in row["segments"]]
    end = max(ends + data["barriers"]) + 0.3
    size = max(6.5, min(11, end * 0.46)), len(rows) * 0.52 + 0.85
    title = "Phases of block ({},{})".format(*data["block"])
    figure = style.figure(*size, title, f"{races_in_words(data)} {data['caption']}")
    axes = figure.subplots()
    for number, row in enumerate(rows):
        for segment in row["segments"]:
            draw_segment(axes, number, segment)
    for at in data["barriers"]:
        bar = (at + 0.2, -0.5, timeline.BARRIER - 0.4, len(rows))
        style.box(axes, *bar, style.BLACK, None, None)
    axes.set_xlim(0, end)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), ["({},{})".format(*row["thread"]) for row in rows])
    axes.set_ylabel("thread (tx,ty)")
    axes.set_xticks([])
    axes.set_xlabel("time of each thread: order, not duration →")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    style.legend(axes, handles(data), "lower left", (0, 1.0), 1.2)
    return style.save(figure, path, data)
