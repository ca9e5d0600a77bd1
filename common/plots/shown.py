"""The figures that README.md and common/COMMANDS.md show, in common/plots/shown.

usage: shown.py [--check]

Without --check, draws them again. With it, draws nothing (and needs no matplotlib), and
prints which of them are stale, by the checksum of the data in each file.
"""

import re
import subprocess
import sys

import draw
import figures
import runs
from matrices import checksum

FOLDER = runs.ROOT / "common/plots/shown"
SHOWN = [("lab2_tiled", "phases_first_barrier_missing"), ("lab2_tiled", "traffic")]
COLOURS = 64  # a quarter of the bytes, with no visible difference


def stale(path, data):
    kept = path.exists() and re.search(rb"data sha256:(\w+)", path.read_bytes())
    return not kept or kept[1].decode() != checksum(data)


def draw_small(figure, data, png):
    """Draws the figure as a PNG of few colours, on white, for dark pages too."""
    from PIL import Image, PngImagePlugin

    figure.draw(data, png.with_suffix(""))
    png.with_suffix(".svg").unlink()
    with Image.open(png) as drawn:
        kept = PngImagePlugin.PngInfo()
        kept.add_text("Description", drawn.text["Description"])
        small = drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(png, optimize=True, pnginfo=kept)


def main():
    check, status = "--check" in sys.argv, 0
    if not check:
        draw.choose_interpreter("shown.py")
        subprocess.run(["make", "-s", "libraries"], cwd=runs.ROOT, check=True)
    for lab, name in SHOWN:
        figure = figures.find(lab, name)
        data = figure.collect(figure.kernel(lab, solution=True))
        png = FOLDER / f"{name}.png"
        short = png.relative_to(runs.ROOT)
        if not check:
            draw_small(figure, data, png)
            print(short)
        elif stale(png, data):
            print(f"FAIL {short} is stale; common/plots/shown.py draws it anew")
            status = 1
        else:
            print(f"ok {short} shows what a run of today gives")
    return status


if __name__ == "__main__":
    sys.exit(main())
