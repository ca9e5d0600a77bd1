"""Draws figure 2: a row per thread, its loads, barriers and products along its time."""

from matplotlib.patches import Patch

import style
import timeline

MEANING = {"M": "load from M", "N": "load from N", "P": "store to P"}


HAZARDS = {
    "read": "{} may be read before {} stored",
    "overwritten": "{} may be overwritten before {} read",
    "stored": "two threads store to the same element of {}",
}


def part_box(data, row, number, part):
    """Returns x, y, width and height of a part of a segment; each is a line of it."""
    segment = data["rows"][row]["segments"][number]
    height = 0.84 / len(segment["parts"])
    length = timeline.LENGTHS[segment["kind"]]
    return segment["at"] + 0.04, row - 0.42 + part * height, length - 0.08, height


def draw_segment(axes, data, row, number):
    segment = data["rows"][row]["segments"][number]
    parts = segment["parts"]
    x, top, width, height = part_box(data, row, number, 0)
    look = style.FILL[segment["kind"]], style.GREY, 0.6
    style.box(axes, x, top, width, len(parts) * height, *look)
    if parts[0][0] == "0":
        style.box(axes, x, top, width, height, *look, hatch="////")
    for part, (text, races) in enumerate(parts):
        y = top + part * height
        if races:
            look = ("none", style.VERMILION, 1.8)
            style.box(axes, x + 0.06, y + 0.03, width - 0.12, height - 0.06, *look)
        weight = "bold" if races else "normal"
        at = x + width / 2, y + height / 2
        axes.text(*at, text, ha="center", va="center_baseline", size=7.5, weight=weight)


def draw_arrow(axes, data, ends):
    """Draws it from corner to corner: there it hides least."""
    (x, y, width, height), (to_x, to_y, to_width, to_height) = [part_box(data, *e) for e in ends]
    here, there = (x, to_x + to_width) if x > to_x else (x + width, to_x)
    if x == to_x:
        here = there = x + width / 2
    down = to_y > y
    begin, end = (here, y + height * down), (there, to_y + to_height * (not down))
    look = dict(arrowstyle="-|>", color="black", linewidth=1.5, mutation_scale=11)
    axes.annotate("", end, begin, arrowprops=look | dict(shrinkA=0, shrinkB=0), zorder=5)


def handles(data):
    kinds = {s["kind"] for row in data["rows"] for s in row["segments"]}
    colours = {text: style.FILL[kind] for kind, text in MEANING.items() if kind in kinds}
    colours["product of two elements"] = "white"
    made = [Patch(facecolor=it, edgecolor=style.GREY, label=text) for text, it in colours.items()]
    made.append(Patch(facecolor=style.BLACK, label="barrier"))
    if data["hazards"]:
        racing = dict(facecolor="white", edgecolor=style.VERMILION, linewidth=1.8)
        made.append(Patch(label="races", **racing))
    return made


def listed(names):
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def title(data):
    """Returns a title that says what a race does."""
    block = "block ({},{})".format(*data["block"])
    if not data["hazards"]:
        return f"Phases of {block}"
    are = {what: "they are" if arrays[1:] else "it is" for what, arrays in data["hazards"].items()}
    said = [HAZARDS[what].format(listed(data["hazards"][what]), are[what]) for what in are]
    return f"{data.get('mistake', f'Race in {block}')}: {'; '.join(said)}"


def races_in_words(data):
    if not data["races"]:
        return "No races in any block."
    counts = ", ".join(f"{count} on {array}" for array, count in data["races"])
    return (
        "An arrow leads from a store to another thread's access to the same element, with no barrier "
        "between the two. One arrow of each kind is drawn. Races in all blocks: "
        f"{counts}. Each element counts once between two barriers."
    )


def draw(data, path):
    rows = data["rows"]
    ends = [s["at"] + timeline.LENGTHS[s["kind"]] for row in rows for s in row["segments"]]
    end = max(ends + data["barriers"]) + 0.3
    size = max(6.5, min(11, end * 0.4)), len(rows) * 0.52 + 0.85
    figure = style.figure(*size, title(data), f"{races_in_words(data)} {data['caption']}")
    axes = figure.subplots()
    for row, own in enumerate(rows):
        for number in range(len(own["segments"])):
            draw_segment(axes, data, row, number)
    for ends in data["arrows"]:
        draw_arrow(axes, data, ends)
    for at in data["barriers"]:
        bar = (at + 0.2, -0.5, timeline.BARRIER - 0.4, len(rows))
        style.box(axes, *bar, style.BLACK, None, None)
    axes.set_xlim(0, end)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_yticks(range(len(rows)), ["({},{})".format(*row["thread"]) for row in rows])
    axes.set_ylabel("thread (tx,ty)")
    axes.set_xticks([])
    axes.set_xlabel("steps of each thread, in order; their width is not a time →")
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    style.legend(axes, handles(data), "lower left", (0, 1.0), 1.2)
    return style.save(figure, path, data)
