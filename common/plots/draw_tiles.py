"""Draws figure 3: the tiles of each phase side by side, and step by step on a page that can be
paused; M to the left of P and N above it, in one coordinate system."""

import base64
import html
import io
import json
import pathlib

from matplotlib.patches import Patch

import style
import tiles

CELL = 0.34  # inches
ZERO = "////"
GAP = 1.5  # cells between the matrices, for names and row numbers


def whole_tiles(data):
    """Returns the shape j, k, l, rounded up to whole tiles."""
    tile = data["tile_width"]
    return [-(-length // tile) * tile for length in data["shape"]]


class Scene:
    def __init__(self, axes, data):
        self.axes, self.data = axes, data
        high, deep, wide = whole_tiles(data)
        j, k, l = data["shape"]
        self.corner = {"M": (deep + GAP, 0), "N": (0, deep + GAP), "P": (deep + GAP, deep + GAP)}
        self.size = {"M": (j, k), "N": (k, l), "P": (j, l)}
        axes.set_xlim(-0.9, deep + GAP + wide + 0.1)
        axes.set_ylim(deep + GAP + high + 0.1, -1.0)
        axes.set_aspect("equal")
        axes.axis("off")
        for role in "MNP":
            self.matrix(role)

    def cell(self, role, place, *look, inset=0.0, **more):
        top, left = self.corner[role]
        side = 1 - 2 * inset
        x, y = left + place[1] + inset, top + place[0] + inset
        style.box(self.axes, x, y, side, side, *look, **more)

    def text(self, role, row, column, text, **look):
        top, left = self.corner[role]
        self.axes.text(left + column, top + row, text, ha="center", va="center", **look)

    def matrix(self, role):
        rows, columns = self.size[role]
        top, left = self.corner[role]
        for row in range(rows):
            for column in range(columns):
                self.cell(role, (row, column), "white", style.GREY, 0.5)
                if role != "P":
                    text = tiles.value(self.data["values"], role, (row, column))
                    self.text(role, row + 0.5, column + 0.5, text, size=8, zorder=4)
            self.text(role, row + 0.5, -0.3, row, size=7, color="#444")
        for column in range(columns):
            self.text(role, -0.3, column + 0.5, column, size=7, color="#444")
        style.box(self.axes, left, top, columns, rows, "none", "black", 1.5, zorder=2)
        self.text(role, -0.35, -0.4, role, size=10, weight="bold")

    def tile(self, role, places):
        for row, column, zero in places:
            face, edge = style.of_role(role)
            if zero:
                self.cell(role, (row, column), "white", edge, 1.0, hatch=ZERO)
                box = dict(facecolor="white", edgecolor="none", pad=0.8)
                self.text(role, row + 0.5, column + 0.5, "0", size=8, bbox=box)
            else:
                self.cell(role, (row, column), face, edge, 1.0)

    def block_of_p(self):
        (bx, by), width = self.data["block"], self.data["tile_width"]
        rows, columns = self.size["P"]
        for row in range(by * width, min((by + 1) * width, rows)):
            for column in range(bx * width, min((bx + 1) * width, columns)):
                self.cell("P", (row, column), *style.of_role("P"), None)

    def mark(self, role, place, colour="black"):
        self.cell(role, place, "none", colour, 2.4, inset=0.09, zorder=3)

    def tiles(self, phase):
        for role in "MN":
            self.tile(role, phase["tiles"][role])
        self.block_of_p()

    def mark_stored(self, colour="black", total=""):
        if self.data["stored"]:
            row, column = self.data["stored"]
            self.mark("P", (row, column), colour)
            self.text("P", row + 0.5, column + 0.5, total, size=8, zorder=4)

    def loading(self, phase, total=""):
        now = self.data["phases"][phase]
        self.tiles(now)
        for role in "MN":
            self.mark(role, now["own"][role])
        self.mark_stored(total=total)

    def multiplying(self, phase, product, total):
        now = self.data["phases"][phase]
        self.tiles(now)
        for role, place in now["products"][product].items():
            self.mark(role, place, style.VERMILION)
        self.mark_stored(style.VERMILION, total)

    def storing(self, total):
        self.block_of_p()
        self.mark_stored(total=total)


def handles(data, multiplies):
    """Returns the legend's handles for what scenes show."""
    names = {"M": "tile of M", "N": "tile of N", "P": "block's part of P"}
    looks = [(*style.of_role(role), label, {}) for role, label in names.items()]
    looks.append(("white", "black", "thread's own", {"linewidth": 2.4}))
    if multiplies:
        looks.append(("white", style.VERMILION, "multiplied now", {"linewidth": 2.4}))
    if any(place[2] for p in data["phases"] for role in "MN" for place in p["tiles"][role]):
        looks.append(("white", style.GREY, "filled with zero", {"hatch": ZERO}))
    return [Patch(facecolor=f, edgecolor=e, label=text, **more) for f, e, text, more in looks]


def title(data):
    return "Tiles of block ({},{}), and elements of its thread ({},{})".format(
        *data["block"], *data["thread"]
    )


def framed(data, count, caption, multiplies=False):
    """Returns a figure with room for `count` scenes side by side."""
    high, deep, wide = whole_tiles(data)
    width = (deep + wide + GAP + 1) * CELL + 0.25
    height = (deep + high + GAP + 1.2) * CELL + 0.75
    figure = style.figure(max(6.6, count * width), height, title(data), caption)
    left, below, right, above = figure.inside
    style.legend(figure, handles(data, multiplies), "lower center", (0.5, below), 1.0)
    figure.inside = (left, below + 0.28 / figure.get_figheight(), right, above)
    return figure


def still(data, path):
    count = len(data["phases"])
    figure = framed(data, count, data["caption"])
    for number, axes in enumerate(figure.subplots(1, count, squeeze=False)[0]):
        Scene(axes, data).loading(number)
        axes.set_title(f"phase {number}: load")
    return style.save(figure, path, data)


def loaded(data, role, place):
    row, column, zero = place
    element = tiles.value(data["values"], role, place)
    return "0" if zero else f"{role}[{row}][{column}] = {element}"


def signed(number):
    return f"({number})" if number < 0 else number


def steps(data):
    """Yields (title, method of Scene, its arguments) of each step, in the kernel's order."""
    total = 0
    for number, phase in enumerate(data["phases"]):
        own = " and ".join(loaded(data, role, phase["own"][role]) for role in "MN")
        yield f"phase {number}: {own} into the tiles; barrier", Scene.loading, (number, total)
        last = len(phase["products"]) - 1
        for product, places in enumerate(phase["products"]):
            m, n = tiles.factors(data["values"], places)
            text = f"phase {number}: Pvalue = {total} + {signed(m)} × {signed(n)} = {total + m * n}"
            total += m * n
            text += "; barrier" * (product == last)
            yield text, Scene.multiplying, (number, product, total)
    yield f"after the phases: store Pvalue = {total}", Scene.storing, (total,)


def page(data, path):
    """Writes a page that needs nothing else: a picture per step, and buttons."""
    caption = "Values are those of M and N; Pvalue is computed from them, not read from the kernel."
    figure = framed(data, 1, f"{caption} {data['caption']}", multiplies=True)
    axes, frames = figure.subplots(), []
    for text, method, arguments in steps(data):
        axes.clear()
        method(Scene(axes, data), *arguments)
        axes.set_title(text)
        style.arrange(figure)
        image = io.BytesIO()
        figure.savefig(image, format="png", dpi=150)
        frames.append((text, base64.b64encode(image.getvalue()).decode()))
    style.close(figure)
    empty = pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    filled = empty.replace("@TITLE@", html.escape(title(data)))
    filled = filled.replace("@FRAMES@", json.dumps(frames))
    pathlib.Path(f"{path}.html").write_text(filled, encoding="utf-8")
    return [f"{path}.html"]


def draw(data, path):
    return still(data, path) + page(data, path)
