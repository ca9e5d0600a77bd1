"""Draws the pictures of the handouts from runs of the solutions. They are written by
common/checks/tools/update_pages.py."""

import functools
from collections.abc import Callable

import matrices
import runs
import tiles
import trace
from svg import Picture

GAP = 44  # between the matrices, for names and numbers
BLOCKS = [(0, 0), (1, 0), (0, 1), (1, 1)]


def pair(numbers) -> str:
    return "({},{})".format(*numbers)


class Scene:
    """Square matrices: M to the left of P and N above it, so that a row of M and a column of N meet
    at an element of P."""

    def __init__(self, picture: Picture, left: float, top: float, cell: float, width: int) -> None:
        self.picture, self.cell, self.width = picture, cell, width
        far = (width + width % 2) * cell + GAP  # tiles of 2 x 2 can reach over the edge
        self.corner = {"M": (left, top + far), "N": (left + far, top), "P": (left + far, top + far)}
        for role, (x, y) in self.corner.items():
            picture.grid(x, y, cell, width)
            picture.text(x - 10, y - 6, role, "head")
            for n in range(width):
                picture.text(x + (n + 0.5) * cell, y - 5, str(n), "index")
                picture.text(x - 9, y + (n + 0.5) * cell + 4, str(n), "index")

    def place(self, role: str, row: float, column: float) -> tuple[float, float]:
        """Returns x and y of an element's upper left corner."""
        x, y = self.corner[role]
        return x + column * self.cell, y + row * self.cell

    def mark(self, kind: str, role: str, row: int, column: int, rows: int = 1, columns: int = 1):
        """Draws a box around elements; the first one has this row and column."""
        place = self.place(role, row, column)
        self.picture.box(kind, *place, columns * self.cell, rows * self.cell)

    def text(self, role: str, row: float, column: float, words: str) -> None:
        x, y = self.place(role, row + 0.5, column + 0.5)
        self.picture.text(x, y + 4, words, "small")

    def element(self, role: str, row: int, column: int, words: str) -> None:
        """Fills an element, or draws a dashed box if there is none."""
        outside = max(row, column) >= self.width
        self.mark(f"{role} out" if outside else role, role, row, column)
        self.text(role, row, column, words)

    def frames(self, roles: str) -> None:
        for role in roles:
            self.mark("frame", role, 0, 0, self.width, self.width)


def run_of_lab1() -> runs.Run:
    """Runs the solution on 4 x 4 matrices with blocks of 2 x 2 threads."""
    solution = (runs.ROOT / "solutions/lab1_naive/kernel.cu").read_text(encoding="utf-8")
    file = runs.OUT / "lab1_naive/blocks_of_4.cu"
    (runs.ROOT / file).parent.mkdir(parents=True, exist_ok=True)
    narrow = solution.replace("#define BLOCK_WIDTH 16\n", "#define BLOCK_WIDTH 2\n")
    (runs.ROOT / file).write_text(narrow, encoding="utf-8")
    return runs.Kernel("lab1_naive", str(file)).trace((4, 4, 4))


LEGEND_OF_LAB1 = [
    ("M", "row 0 of M and"),
    ("N", "column 0 of N, loaded by"),
    ("", "thread (0,0) of block (0,0)"),
    ("P", "computed by this thread"),
    ("", ""),
    ("frame", "a block of 2 x 2 threads"),
    ("", "block (1,0):"),
    ("", "blockIdx.x = 1, blockIdx.y = 0"),
    ("", "(1,0) in a block:"),
    ("", "threadIdx.x = 1, threadIdx.y = 0"),
]


def threads() -> str:
    """Returns the picture of lab 1: the grid on P, and what one thread loads."""
    run, picture = run_of_lab1(), Picture(700, 436)
    product, scene = matrices.Product(run.events, run.shape), Scene(picture, 32, 26, 42, 4)
    for event in run.events:
        role, row, column = product.of_event(event)
        if event["thread"][:2] == event["block"][:2] == (0, 0):
            scene.mark(role, role, row, column)
        if role == "P":
            scene.text("P", row + (0.24 if row % 2 else -0.24), column, pair(event["thread"]))
    for role, index in ((role, index) for role in "MN" for index in range(16)):
        scene.text(role, *divmod(index, 4), f"{role}[{index}]")
    for column, row in BLOCKS:
        x, y = scene.place("P", 2 * row + 1, 2 * column + 1)
        picture.box("paper", x - 34, y - 9, 68, 18)
        picture.text(x, y + 4, f"block {pair((column, row))}")
        scene.mark("frame", "P", 2 * row, 2 * column, 2, 2)
    scene.frames("MN")
    x, y = scene.corner["P"]
    picture.arrow("arrow", x, y + 180, 60, 0)
    picture.text(x + 68, y + 184, "x counts columns", "left")
    picture.arrow("arrow", x + 180, y, 0, 60)
    picture.text(x + 188, y + 46, "y counts rows", "left")
    picture.notes(458, 36, LEGEND_OF_LAB1)
    return picture.svg()


def walk(scene: Scene, before: dict) -> None:
    """Shows where the tiles of the previous phase were."""
    side = scene.cell
    for role, across, down in (("M", side - 6, 0), ("N", 0, side - 6)):
        row, column, _ = min(before[role])
        x, y = scene.place(role, row + 1, column + 1)
        scene.picture.box("block", x - side + 3, y - side + 3, 2 * side - 6, 2 * side - 6)
        scene.picture.arrow("arrow", x, y, across, down)


def own_products(scene: Scene, thread, stored, products: list[dict]) -> str:
    """Frames what a thread multiplies and its element of P; returns a line about it."""
    scene.mark("used", "P", *stored)
    m, n = products[0]["M"], products[0]["N"]
    scene.mark("used", "M", m[0], m[1], 1, 2)
    scene.mark("used", "N", n[0], n[1], 2, 1)
    terms = [" ".join(matrices.name((r, *p[r])) for r in "MN") for p in products]
    return f"thread {pair(thread)} adds {' + '.join(terms)}"


def phases(lab: str, width: int, block, thread, legend: list[tuple[str, str]]) -> str:
    """Returns a picture of a block's tiles with the thread that loads each element, one phase
    beside the other; with the products of a thread if no tile reaches over the edge."""
    run = runs.Kernel(lab, f"solutions/{lab}/kernel.cu").trace((width, width, width), 2)
    data, names = tiles.collect(run, block, thread), list(trace.of_block(run.events, block))
    picture, over, before = Picture(700, 426), width % 2, None
    for number, phase in enumerate(data["phases"]):
        left = 32 + 344 * number
        scene = Scene(picture, left, 26, 32, width)
        picture.text(left, 44, f"phase {number}", "head left")
        picture.text(left, 64, f"block {pair(block)}", "left")
        for column, row in BLOCKS if over else ():
            scene.mark("block", "P", 2 * row, 2 * column, 2, 2)
        for role, places in phase["tiles"].items():
            for name, (row, column, zero) in zip(names, places):
                scene.element(role, row, column, "0" if zero else pair(name))
        for x, y, _ in names:
            scene.element("P", 2 * block[1] + y, 2 * block[0] + x, pair((x, y)))
        scene.frames("MNP")
        if before:
            walk(scene, before)
        if over:
            zeros = [zero for places in phase["tiles"].values() for *_, zero in places]
            below = f"{sum(zeros)} of the {len(zeros)} elements in the tiles are zeros"
        else:
            below = own_products(scene, thread, data["stored"], phase["products"])
            before = phase["tiles"]
        picture.text(left, 350, below, "left small")
        picture.notes(left, 376, legend[3 * number : 3 * number + 3])
    return picture.svg()


def memories() -> str:
    """Returns the picture of lab 4: which threads share a memory, in a grid of 2 blocks."""
    picture = Picture(700, 364)
    picture.box("room", 10, 10, 490, 286)
    picture.text(24, 32, "device", "head left")
    picture.box("plain", 22, 44, 466, 162)
    picture.text(32, 64, "grid", "left")
    for block, x in enumerate((72, 279)):
        picture.box("room", x, 52, 200, 146)
        picture.text(x + 100, 68, f"block ({block},0)")
        for thread, left in enumerate((x + 10, x + 104)):
            picture.box("plain", left, 76, 86, 64)
            picture.text(left + 43, 92, f"thread ({thread},0)", "small")
            picture.named("P", left + 8, 102, 70, 30, "registers", "small")
            picture.arrow("both", left + 43, 140, 0, 20)
        picture.named("M", x + 10, 160, 180, 30, "shared memory")
    picture.named("plain", 22, 322, 466, 32, "host", "head")
    for x, kind, words, arrow, access in (
        (22, "N", "global memory", "both", "reads and writes"),
        (262, "plain", "constant memory", "arrow", "only reads"),
    ):
        picture.named(kind, x, 240, 226, 38, words)
        picture.arrow(arrow, x + 60, 240, 0, -34)
        picture.text(x + 70, 227, access, "left small")
        picture.arrow("both", x + 60, 278, 0, 44)
        picture.text(x + 70, 313, "reads and writes", "left small")
    picture.text(514, 121, "each thread has its own", "left")
    picture.text(514, 179, "each block has its own", "left")
    picture.text(514, 263, "one for all threads", "left")
    return picture.svg()


BOTH = [("M", "tile of M"), ("N", "tile of N")]
NAMES = ("", "(1,0) is the thread of this element")
LEGEND_OF_LAB2 = [*BOTH, NAMES, ("P", "the block's elements of P")]
LEGEND_OF_LAB2 += [("used", "elements that thread (1,0) uses")]
LEGEND_OF_LAB2 += [("block", "the tile of the phase before")]
LEGEND_OF_LAB3 = [*BOTH, ("plain out", "outside: the thread stores 0 in the tile")]
LEGEND_OF_LAB3 += [("P", "element of P; dashed: thread without one")]
LEGEND_OF_LAB3 += [("block", "the other blocks of the grid"), NAMES]

lab2 = functools.partial(phases, "lab2_tiled", 4, (0, 0), (1, 0), LEGEND_OF_LAB2)
lab3 = functools.partial(phases, "lab3_boundary", 3, (1, 1), (0, 0), LEGEND_OF_LAB3)
# What draws each file; the empty name means the whole file.
PICTURES: dict[tuple[str, str], Callable[[], str]] = {
    ("lab1_naive/threads.svg", ""): threads,
    ("lab2_tiled/phases.svg", ""): lab2,
    ("lab3_boundary/overhang.svg", ""): lab3,
    ("lab4_memtypes/memories.svg", ""): memories,
}
