import importlib
import os
import pathlib
import tempfile

import bench_example
import bench_results
import draw
import figures
import runs
import style
import text_on
from matrices import NothingToDraw


def check_texts(figure, path):
    found = text_on.problems(figure)
    assert not found, f"{path}: {'; '.join(found[:3])}"


def drawn(module, data, path):
    """Draws a figure, and checks its texts before each file is written."""
    plain = style.save

    def checked(figure, path, data):
        check_texts(figure, path)
        return plain(figure, path, data)

    style.save = checked
    try:
        files = importlib.import_module(module).draw(data, path)
    finally:
        style.save = plain
    assert all(os.path.getsize(file) > 1000 for file in files), files


def check_lab(lab):
    with tempfile.TemporaryDirectory() as folder:
        for figure in figures.LABS[lab]:
            part = figure.part or "kernel"
            source = draw.source(lab, part, "", True)
            try:
                data = figure.collect(runs.Kernel(lab, source, part))
            except NothingToDraw as reason:
                assert str(bench_results.FOLDER) in str(reason), (figure.name, reason)
                continue
            drawn(figure.draw, data, os.path.join(folder, figure.name))


def test_labs():
    """every lab's figures are drawn, and no text is clipped or overlaps"""
    for lab in figures.LABS:
        check_lab(lab)


def test_wrong_kernels():
    """a kernel that does only half of its work is drawn, or left out with a reason"""
    wrong = [("lab2_tiled", "return_before_barrier"), ("lab2_tiled", "shared_array_too_small")]
    wrong.append(("lab3_boundary", "row_of_m_unguarded"))
    with tempfile.TemporaryDirectory() as folder:
        for lab, name in wrong:
            for figure in figures.LABS[lab]:
                if figure.name not in ("access_order", "phases", "tiles"):
                    continue
                try:
                    data = figure.collect(figures.mistake(lab, name))
                except NothingToDraw as reason:
                    assert str(reason)
                    continue
                drawn(figure.draw, data, os.path.join(folder, figure.name))


def test_card():
    """there is room for a ladder of ten kernels and cuBLAS"""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        bench_example.write(root / bench_results.FOLDER)
        for name in ("roofline", "ladder"):
            data = getattr(bench_results, f"collect_{name}")(root)
            drawn(f"draw_{name}", data, os.path.join(folder, name))


def test_profiles():
    """occupancy is drawn for old devices too"""
    with tempfile.TemporaryDirectory() as folder:
        for profile in ("8800gtx", "h200"):
            limits = figures.device_limits(profile)
            data = figures.occupancy.collect(limits)
            drawn("draw_occupancy", data, os.path.join(folder, profile))
