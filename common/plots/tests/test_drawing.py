import os
import tempfile

import bench_example
import bench_results
import figures
import occupancy
import style
from matplotlib.text import Text
from matrices import NothingToDraw

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


def text_problems(figure):
    """Returns which text of a figure is clipped or overlaps other text."""
    figure.draw_without_rendering()
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


def drawn(figure, data):
    """Draws a figure, and checks its texts before each file is written."""
    plain = style.arrange

    def checked(made):
        plain(made)
        found = text_problems(made)
        assert not found, f"{figure.name}: {'; '.join(found[:3])}"

    style.arrange = checked
    try:
        with tempfile.TemporaryDirectory() as folder:
            files = figure.draw(data, os.path.join(folder, figure.name))
            assert all(os.path.getsize(file) > 1000 for file in files), files
    finally:
        style.arrange = plain


def drawn_if_any(figure, kernel):
    """Draws what a figure shows of a kernel; returns the reason where that is nothing."""
    try:
        data = figure.collect(kernel)
    except NothingToDraw as reason:
        return str(reason)
    return drawn(figure, data)


def test_labs():
    """every lab's figures are drawn, and no text is clipped or overlaps"""
    for lab, of_lab in figures.LABS.items():
        for figure in of_lab:
            reason = drawn_if_any(figure, figure.kernel(lab, solution=True))
            assert reason is None or bench_results.FOLDER in reason, (figure.name, reason)


def test_wrong_kernels():
    """a kernel that does only half of its work is drawn, or left out with a reason"""
    wrong = [("lab2_tiled", "return_before_barrier"), ("lab2_tiled", "shared_array_too_small")]
    wrong.append(("lab3_boundary", "row_of_m_unguarded"))
    for lab, name in wrong:
        for figure in figures.LABS[lab]:
            if figure.name in ("access_order", "phases", "tiles"):
                assert drawn_if_any(figure, figures.mistake(lab, name)) != ""


def test_card():
    """there is room for a ladder of ten kernels and cuBLAS"""
    for name in ("roofline", "ladder"):
        figure = figures.find("lab4_memtypes", name)
        drawn(figure, bench_example.collected(figure.collect))


def test_profiles():
    """occupancy is drawn for old devices too"""
    for profile in ("8800gtx", "h200"):
        data = occupancy.collect(figures.device_limits(profile))
        drawn(figures.find("lab4_memtypes", "occupancy"), data)
