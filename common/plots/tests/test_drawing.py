import json
import os
import pathlib
import re
import tempfile

import bench_example
import bench_results
import draw_access_order
import draw_bench
import draw_tiles
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
    """Draws what a figure shows of a kernel; returns the reason if that is nothing."""
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


def test_what_is_left_out():
    """a title says how many of the blocks, or of a block's threads, are drawn"""
    for lab, name, drawn in (
        ("lab1_naive", "access_order", "block (0,0), 4 of 256 threads"),
        ("lab2_tiled", "access_order", "4 of 4 blocks"),
        ("lab2_tiled", "access_order_8x8_tiles_2x2", "4 of 16 blocks"),
        ("lab2_tiled", "access_order_8x8_tiles_4x4", "2 of 4 blocks"),
    ):
        figure = figures.find(lab, name)
        data = figure.collect(figure.kernel(lab, solution=True))
        assert draw_access_order.title(data).endswith(f": {drawn}")


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


def test_page():
    """the page of tiles shows the values and their sum, can be paused, and needs nothing else"""
    figure = figures.find("lab3_boundary", "tiles_rectangular")
    data = figure.collect(figure.kernel("lab3_boundary", solution=True))
    (m, n), (row, column) = data["values"].values(), data["stored"]
    stored = sum(m[row][k] * n[k][column] for k in range(5))
    texts = [text for text, *_ in draw_tiles.steps(data)]
    assert texts[0] == "phase 0: M[1][1] = 0 and N[1][3] = 8 into the tiles; barrier"
    assert texts[1] == "phase 0: Pvalue = 0 + 7 × 7 = 49"
    assert texts[-1] == f"after the phases: store Pvalue = {stored}" and len(texts) == 10
    with tempfile.TemporaryDirectory() as folder:
        (path,) = draw_tiles.page(data, os.path.join(folder, "page"))
        written = pathlib.Path(path).read_text(encoding="utf-8")
    frames = json.loads(re.search("const frames = (.*);", written)[1])
    assert [text for text, _ in frames] == texts and all(image for _, image in frames)
    assert '"Pause"' in written and not re.search("https?:|@[A-Z]+@|src=|<link", written)


def test_labels_of_the_roofline():
    """a kernel above the roof of memory says why; labels of near points lie apart"""
    label = draw_bench.text_of_label("02_naive", 5000.0, 1200.0)
    assert re.sub(r"\s+", " ", label) == "02_naive, above the roof: caches serve over 76 %"
    assert draw_bench.text_of_label("03_tiled", 1200.0, 1200.0) == "03_tiled"
    near = [("a", 30.0, 1000.0), ("b", 31.0, 1001.0), ("c", 40.0, 1002.0), ("d", 1.0, 1000.0)]
    places = draw_bench.places_of_labels(near)
    assert {places[name][0] for name in "abc"} == {40.0} and places["d"] == (1.0, 1000.0)
    heights = [places[name][1] for name in "cba"]
    assert all(one >= 1.15 * other for one, other in zip(heights, heights[1:]))


def test_profiles():
    """occupancy is drawn for old devices too"""
    for profile in ("8800gtx", "h200"):
        data = occupancy.collect(figures.device_limits(profile))
        drawn(figures.find("lab4_memtypes", "occupancy"), data)
