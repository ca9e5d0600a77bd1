"""Finds text of a figure that is clipped or overlaps other text."""

from matplotlib.text import Text

SLACK = 1.0  # pixels that two boxes may share


def ticks(axes):
    shown = []
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if low <= tick.get_loc() <= high:
                shown += [tick.label1, tick.label2]
    return shown


def all_text(figure):
    found = list(figure.texts)
    for legend in figure.legends + [axes.get_legend() for axes in figure.axes]:
        found += legend.get_texts() if legend else []
    for axes in figure.axes:
        if axes.axison:
            found += ticks(axes) + [axes.xaxis.label, axes.yaxis.label]
        found += axes.texts + [axes.title, axes._left_title, axes._right_title]
    return [t for t in found if isinstance(t, Text) and t.get_visible() and t.get_text()]


def problems(figure):
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    width, height = figure.bbox.width, figure.bbox.height
    boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in all_text(figure)]
    result = []
    for number, (text, box) in enumerate(boxes):
        if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height:
            result.append(f"'{text}' is clipped")
        for other, its in boxes[:number]:
            across = min(box.x1, its.x1) - max(box.x0, its.x0)
            down = min(box.y1, its.y1) - max(box.y0, its.y0)
            if across > SLACK and down > SLACK:
                result.append(f"'{text}' overlaps '{other}'")
    return result
