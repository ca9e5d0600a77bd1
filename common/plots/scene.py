"""Draws M to the left of P and N above it, in one coordinate system, for figure 3."""

import math

from matplotlib.patches import Patch, Rectangle

import style

ZERO = "////"
GAP = 1.5  # cells between the matrices, for names and row numbers


class Scene:
    def __init__(self, axes, data):
        self.axes, self.data = axes, data
        tile = data["tile_width"]
        # The size with the tiles that reach over the edge.
        high, deep, wide = (math.ceil(n / tile) * tile for n in data["shape"])
        j, k, l = data["shape"]
        self.corner = {"M": (deep + GAP, 0), "N": (0, deep + GAP), "P": (deep + GAP, deep + GAP)}
        self.size = {"M": (j, k), "N": (k, l), "P": (j, l)}
        self.width, self.height = deep + GAP + wide, deep + GAP + high
        axes.set_xlim(-0.9, self.width + 0.1)
        axes.set_ylim(self.height + 0.1, -1.0)
        axes.set_aspect("equal")
        axes.axis("off")
        for role in "MNP":
            self.matrix(role)

    def cell(self, role, place, inset=0.0, **look):
        top, left = self.corner[role]
        self.axes.add_patch(
            Rectangle(
                (left + place[1] + inset, top + place[0] + inset),
                1 - 2 * inset,
                1 - 2 * inset,
                **look,
            )
        )

    def text(self, role, row, column, text, **look):
        top, left = self.corner[role]
        self.axes.text(left + column, top + row, text, ha="center", va="center", **look)

    def matrix(self, role):
        rows, columns = self.size[role]
        top, left = self.corner[role]
        for row in range(rows):
            for column in range(columns):
                grid = dict(facecolor="white", edgecolor=style.GREY, linewidth=0.5)
                self.cell(role, (row, column), **grid)
            self.text(role, row + 0.5, -0.3, row, size=7, color="#444")
        for column in range(columns):
            self.text(role, -0.3, column + 0.5, column, size=7, color="#444")
        border = dict(facecolor="none", edgecolor="black", linewidth=1.5, zorder=2)
        self.axes.add_patch(Rectangle((left, top), columns, rows, **border))
        self.text(role, -0.35, -0.4, role, size=10, weight="bold")

    def tile(self, role, places):
        for row, column, zero in places:
            look = dict(edgecolor=style.EDGE[role], linewidth=1.0)
            look["facecolor"] = "white" if zero else style.FILL[role]
            self.cell(role, (row, column), hatch=ZERO if zero else None, **look)
            if zero:
                box = dict(facecolor="white", edgecolor="none", pad=0.8)
                self.text(role, row + 0.5, column + 0.5, "0", size=8, bbox=box)

    def block_of_p(self):
        (bx, by), width = self.data["block"], self.data["tile_width"]
        rows, columns = self.size["P"]
        for row in range(by * width, min((by + 1) * width, rows)):
            for column in range(bx * width, min((bx + 1) * width, columns)):
                look = dict(facecolor=style.FILL["P"], edgecolor=style.GREEN)
                self.cell("P", (row, column), **look)

    def mark(self, role, place, text="", colour="black"):
        look = dict(facecolor="none", edgecolor=colour, linewidth=2.4, zorder=3)
        self.cell(role, place, 0.09, **look)
        if text:
            self.text(role, place[0] + 0.5, place[1] + 0.5, text, size=9, zorder=4)

    def loading(self, phase):
        now = self.data["phases"][phase]
        for role in "MN":
            self.tile(role, now["tiles"][role])
        self.block_of_p()
        for role in "MN":
            self.mark(role, now["own"][role])
        if self.data["stored"]:
            self.mark("P", self.data["stored"])

    def multiplying(self, phase, product):
        now = self.data["phases"][phase]
        for role in "MN":
            self.tile(role, now["tiles"][role])
        self.block_of_p()
        for role, place in zip("MN", now["products"][product]):
            if place:
                self.mark(role, place, "×", style.VERMILION)
        if self.data["stored"]:
            self.mark("P", self.data["stored"], "+", style.VERMILION)

    def storing(self):
        self.block_of_p()
        if self.data["stored"]:
            self.mark("P", self.data["stored"], "=")


def legend(data):
    """Returns the legend's handles for what a scene shows."""
    phases = data["phases"]
    zeros = any(place[2] for p in phases for role in "MN" for place in p["tiles"][role])
    handles = [
        Patch(facecolor=style.FILL["M"], edgecolor=style.BLUE, label="tile of M"),
        Patch(facecolor=style.FILL["N"], edgecolor=style.ORANGE, label="tile of N"),
        Patch(facecolor=style.FILL["P"], edgecolor=style.GREEN, label="block's part of P"),
        Patch(facecolor="white", edgecolor="black", linewidth=2.4, label="thread's own"),
    ]
    if zeros:
        look = dict(facecolor="white", edgecolor=style.GREY, hatch=ZERO)
        handles.append(Patch(label="filled with zero", **look))
    return handles


def title(data):
    return "Tiles of block ({},{}), and elements of its thread ({},{})".format(
        *data["block"], *data["thread"]
    )
