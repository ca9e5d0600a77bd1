"""Made-up runs for the explorer's page: a small simulated tiled product, right or without a
barrier, in the form that the page reads."""

import dataclasses
from collections.abc import Iterator
from typing import Any

LOAD, STORE, ATOMIC, BARRIER, RETURNED, FAILED = range(6)
CODE = """\
#define TILE_WIDTH 2
__global__ void tiledKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;
    float Pvalue = 0.0f;  // a < b && "</script>"
    for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * TILE_WIDTH + tx];
        Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}"""
COLUMNS = "thread what line array index value epoch request function changes".split()
VARIABLES = "tx ty Row Col Pvalue ph k".split()


@dataclasses.dataclass
class Made:
    """An unfinished run: the current memory, and the columns of the steps."""

    width: int
    tile: int
    barriers: tuple[bool, bool] = (True, True)
    arrays: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    memory: list[dict[int, Any]] = dataclasses.field(default_factory=list)
    steps: dict[str, list] = dataclasses.field(default_factory=lambda: {c: [] for c in COLUMNS})
    requests: dict[tuple, int] = dataclasses.field(default_factory=dict)
    times: dict[tuple, int] = dataclasses.field(default_factory=dict)
    pending: dict[int, list] = dataclasses.field(default_factory=dict)
    epoch: int = 0

    def array(self, name: str, space: str, extents: list[int], before: list, start: int) -> None:
        told = {"name": name, "space": space, "type": "float", "bytes": 4}
        self.arrays.append(told | {"extents": extents, "start": start, "before": before})
        self.memory.append(dict(enumerate(before)))

    def note(self, thread: int, what: int, line: int, array: int, index: int, value: Any) -> None:
        """Adds a step."""
        request = -1
        if what <= ATOMIC:
            instruction = (thread // 32, self.epoch, line, array, what)
            time = self.times[thread, *instruction] = self.times.get((thread, *instruction), 0) + 1
            request = self.requests.setdefault((*instruction, time), len(self.requests))
        changes = self.pending.pop(thread, []) or 0
        row = (thread, what, line, array, index, value, self.epoch, request, 0)
        for name, one in zip(COLUMNS, (*row, changes)):
            self.steps[name].append(one)

    def load(self, thread: int, line: int, array: int, index: int) -> Any:
        value = self.memory[array].get(index)
        self.note(thread, LOAD, line, array, index, value)
        return value

    def store(self, thread: int, line: int, array: int, index: int, value: Any) -> None:
        self.memory[array][index] = value
        self.note(thread, STORE, line, array, index, value)

    def sets(self, thread: int, **values: Any) -> None:
        """Records that a thread's variables have changed; None: out of scope."""
        for name, value in values.items():
            self.pending.setdefault(thread, []).extend((VARIABLES.index(name), value))

    def kernel(self, thread: int) -> Iterator[int]:
        """Runs a thread of the tiled kernel; yields the line of each barrier."""
        tile, width = self.tile, self.width
        ty, tx = divmod(thread, tile)
        total = 0
        self.sets(thread, tx=tx, ty=ty, Row=ty, Col=tx, Pvalue=0)
        for ph in range(width // tile):
            self.sets(thread, ph=ph)
            self.store(thread, 10, 3, thread, self.load(thread, 10, 0, ty * width + ph * tile + tx))
            index = (ph * tile + ty) * width + tx
            self.store(thread, 11, 4, thread, self.load(thread, 11, 1, index))
            if self.barriers[0]:
                yield 12
            for k in range(tile):
                self.sets(thread, k=k)
                m = self.load(thread, 14, 3, ty * tile + k)
                total += (m or 0) * (self.load(thread, 14, 4, k * tile + tx) or 0)
                self.sets(thread, Pvalue=total)
            self.sets(thread, k=None)
            if self.barriers[1]:
                yield 15
        self.sets(thread, ph=None)
        self.store(thread, 17, 2, ty * width + tx, total)

    def run(self) -> None:
        """Runs the threads in turn, each up to its next barrier."""
        left = {thread: self.kernel(thread) for thread in range(self.tile * self.tile)}
        while left:
            for thread, rest in list(left.items()):
                line = next(rest, None)
                if line is None:
                    self.note(thread, RETURNED, 0, -1, 0, None)
                    del left[thread]
                else:
                    self.note(thread, BARRIER, line, -1, 0, None)
            self.epoch += 1


def costs(made: Made) -> dict[str, dict[str, int]]:
    """Counts the costs of the lines; here each request has one sector or pass."""
    lines: dict[str, dict[str, int]] = {}
    for line, what, array in zip(*(made.steps[name] for name in ("line", "what", "array"))):
        cost = lines.setdefault(
            str(line), dict.fromkeys("runs loads stores requests sectors passes".split(), 0)
        )
        cost["runs"] += 1
        cost["loads"] += what == LOAD
        cost["stores"] += what == STORE
    for _, _, line, array, _, _ in made.requests:
        lines[str(line)]["requests"] += 1
        lines[str(line)]["sectors" if array < 3 else "passes"] += 1
    return lines


def run(width: int = 4, tile: int = 2, barriers: tuple[bool, bool] = (True, True)) -> dict:
    """Returns the run of block (0,0) of a tiled product."""
    made = Made(width, tile, barriers)
    elements = width * width
    floats = [i + 0.5 for i in range(elements)]
    made.array("M", "global", [width, width], floats, 1024)
    made.array("N", "global", [width, width], floats[::-1], 1 << 20)
    made.array("P", "global", [width, width], [None] * elements, 2 << 20)
    made.array("Mds", "shared", [tile, tile], [None] * (tile * tile), 0)
    made.array("Nds", "shared", [tile, tile], [None] * (tile * tile), 4 * tile * tile)
    made.run()
    blocks = [
        {"block": [x, y, 0], "steps": len(made.steps["line"]), "loads": 1000 + x, "stores": y}
        for y in range(width // tile)
        for x in range(width // tile)
    ]
    return {
        "file": "lab2_tiled/kernel.cu",
        "code": CODE.splitlines(),
        "kernel": "tiledKernel",
        "caption": f"{width} x {width} times {width} x {width}, TILE_WIDTH {tile}; made up",
        "test": "",
        "grid": [width // tile, width // tile, 1],
        "blockSize": [tile, tile, 1],
        "block": [0, 0, 0],
        "left": "",
        "modelled": {"card": "an H200", "nanoseconds": 4130, "limitedBy": "latency"},
        "blocks": blocks,
        "arrays": made.arrays,
        "functions": ["tiledKernel"],
        "variables": [
            {"name": name, "type": "int", "function": 0, "line": 5 + i}
            for i, name in enumerate(VARIABLES)
        ],
        "steps": made.steps,
        "findings": [],
        "lines": costs(made),
    }


def racy() -> dict:
    """Returns a run without its first barrier, with the race on Mds[0][1] as a finding."""
    made = run(barriers=(False, True))
    steps = made["steps"]
    at = [i for i, (a, e) in enumerate(zip(steps["array"], steps["index"])) if (a, e) == (3, 1)]
    load = next(i for i in at if steps["what"][i] == LOAD)
    store = next(i for i in at if steps["what"][i] == STORE and i > load)
    made["findings"] = [
        {
            "kind": "race",
            "title": "two threads access Mds[0][1] with no barrier between, and one of them stores",
            "file": made["file"],
            "line": 14,
            "details": ["thread (0,0,0) loads it here", "thread (1,0,0) stores it in line 10"],
            "remedy": "Put a __syncthreads() between the two.",
            "thread": 0,
            "step": load,
            "other": store,
            "array": 3,
            "index": 1,
        },
        finding("unset-read", "reads Mds[0][1], which is uninitialized", 14, load),
    ]
    return made


def finding(kind: str, title: str, line: int, step: int) -> dict:
    """Returns a finding with one step."""
    return {
        "kind": kind,
        "title": title,
        "file": "lab2_tiled/kernel.cu",
        "line": line,
        "details": [],
        "remedy": "",
        "thread": None,
        "step": step,
        "other": -1,
        "array": -1,
        "index": None,
    }


def page(*runs: dict, begin: int = 0, tour: list[dict] | None = None) -> dict:
    """Returns the data of a page that shows these runs."""
    return {"runs": list(runs), "tour": tour or [], "begin": begin}
