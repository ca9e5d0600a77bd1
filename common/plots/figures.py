"""Lists the figures of each lab: name, part, data, and the module that draws them."""

import dataclasses
import importlib
import json
import os
import subprocess
import typing

import access_order
import bench_results
import memory_maps
import occupancy
import runs
import tiles
import timeline
import traffic
import units
from matrices import NothingToDraw


@dataclasses.dataclass
class Figure:
    name: str
    part: str  # the part whose file it shows; empty if it shows none
    drawn_by: str  # function of a module, which alone needs matplotlib
    collect: typing.Callable  # returns the data of a Kernel

    def kernel(self, lab, solution, file=""):
        """Returns the kernel to show: `file` if given, else the solution's or the lab's."""
        part, folder = self.part or "kernel", f"solutions/{lab}" if solution else lab
        return runs.Kernel(lab, file or f"{folder}/{part}.cu", part)

    def draw(self, data, path):
        """Writes files whose paths begin with this one; returns their paths."""
        module, function = self.drawn_by.split(".")
        return getattr(importlib.import_module(module), function)(data, path)


def mistake(lab, name, part="kernel"):
    """Returns a known mistake; None in a copy of the course without solutions."""
    there = (runs.ROOT / f"solutions/mistakes/{lab}/{part}/{name}.patch").exists()
    return runs.Kernel(lab, f"build/mistakes/{lab}/{part}/{name}.cu", part) if there else None


def access(name, shape, tile_width, blocks, threads=None):
    def collect(kernel):
        return access_order.collect(kernel.trace(shape, tile_width), blocks, threads)

    return Figure(name, "kernel", "draw_access_order.draw", collect)


def on_matrices(name, shape, block, thread):
    def collect(kernel):
        return tiles.collect(kernel.trace(shape, 2), block, thread)

    return Figure(name, "kernel", "draw_tiles.draw", collect)


def phases(name, file=None, shape=(4, 4, 4), block=(0, 0)):
    def collect(kernel):
        shown = mistake("lab2_tiled", file) if file else kernel
        if not shown:
            raise NothingToDraw  # no message: a copy without solutions has no known mistakes
        called = {"mistake": file.capitalize().replace("_", " ")} if file else {}
        return timeline.collect(shown.trace(shape, 2), block) | called

    return Figure(name, "" if file else "kernel", "draw_timeline.draw", collect)


def sectors(kernel):
    beside = mistake("lab1_naive", "row_from_x")
    shape = (32, 32, 32)
    return memory_maps.collect_sectors(kernel.trace(shape), beside and beside.trace(shape))


def bank_map(kernel):
    what = "transpose of 32 x 32"
    return memory_maps.collect_banks(kernel.trace_of_part(what))


def device_limits(profile):
    return json.loads(subprocess.check_output(["build/device_limits", profile], cwd=runs.ROOT))


def blocks_that_fit(_):
    limits = device_limits(os.environ.get("CUSIM_PROFILE", "default"))
    del limits["fits"]
    return occupancy.collect(limits)


FOUR = [(0, 0), (1, 0), (0, 1), (1, 1)]
LABS = {
    "lab1_naive": [
        access("access_order", (4, 4, 4), None, [(0, 0)], threads=(2, 2)),
        Figure("sectors", "kernel", "draw_requests.sectors", sectors),
    ],
    "lab2_tiled": [
        access("access_order", (4, 4, 4), 2, FOUR),
        access("access_order_8x8_tiles_2x2", (8, 8, 8), 2, FOUR),
        access("access_order_8x8_tiles_4x4", (8, 8, 8), 4, FOUR[:2]),
        phases("phases"),
        phases("phases_first_barrier_missing", "first_barrier_missing"),
        phases("phases_second_barrier_missing", "second_barrier_missing"),
        on_matrices("tiles", (4, 4, 4), (0, 0), (1, 0)),
        Figure("traffic", "kernel", "draw_traffic.draw", traffic.collect),
        Figure("units", "kernel", "draw_units.draw", units.collect),
        Figure("banks", "banks", "draw_requests.banks", bank_map),
    ],
    "lab3_boundary": [
        access("access_order", (3, 3, 3), 2, FOUR),
        phases("phases", shape=(3, 3, 3), block=(1, 1)),
        on_matrices("tiles", (3, 3, 3), (1, 1), (0, 0)),
        on_matrices("tiles_rectangular", (3, 5, 4), (1, 0), (1, 1)),
    ],
    "lab4_memtypes": [
        Figure("occupancy", "", "draw_occupancy.draw", blocks_that_fit),
        Figure("roofline", "", "draw_bench.roofline", bench_results.roofline),
        Figure("ladder", "", "draw_bench.ladder", bench_results.ladder),
    ],
}


def find(lab, name):
    return next(figure for figure in LABS[lab] if figure.name == name)
