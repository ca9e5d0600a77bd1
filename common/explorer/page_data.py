"""Makes the page's data from a recording."""

import collections
import itertools
import math

from debug_info import DebugInfo, Function
from local_variables import Locals, Thread
from recording_file import ATOMIC, BARRIER, FAILED, LOAD, RETURNED, STORE, Array, Recording, Step
from values import NUMBER, Type, Value, in_braces, shown

WARP, SECTOR, BANKS, WORD = 32, 32, 32, 4
STOPPING = "barrier-divergence", "endless-kernel"  # kinds that may name no thread
DEEDS = {LOAD: "loads", STORE: "stores", ATOMIC: "leaves"}
COLUMNS = "thread what line array index value epoch request function changes".split()


def linear(at: list[int], extent: list[int]) -> int:
    return at[0] + extent[0] * (at[1] + extent[1] * at[2])


def triple(number: int, extent: list[int]) -> list[int]:
    x, y = extent[0], extent[1]
    return [number % x, number // x % y, number // (x * y)]


class Nothing(Exception):
    """The reason why there is nothing to show."""


class Shown:
    """One array as the page shows it."""

    def __init__(self, array: Array, name: str, kind: Type | None, first: int) -> None:
        while kind and kind.kind == "array" and kind.inner:
            kind = kind.inner
        fits = kind and kind.size > 0 and kind.kind in ("number", "enum", "struct", "pointer")
        size = array.element_bytes or 4
        other = NUMBER if size == 4 else Type("bytes", size, "other")
        self.kind: Type = kind if kind and fits else other
        self.array, self.name, self.size = array, name, self.kind.size
        self.extents = array.extents or [1]
        if math.prod(self.extents) * self.size != array.bytes:
            self.extents = [array.bytes // self.size]
        self.start = array.start - (first if array.space == "shared" else 0)

    def value(self, data: bytes) -> Value:
        """Returns the value that an access has loaded or stored."""
        whole = len(data) // self.size
        if whole <= 1:
            return self.one(data)
        return in_braces([self.one(data[i * self.size :][: self.size]) for i in range(whole)])

    def one(self, data: bytes) -> Value:
        if len(data) != self.size:
            return int.from_bytes(data, "little")
        return shown(data, self.kind, lambda address, _: hex(address), lambda *_: None)

    def pointer(self, away: int, size: int) -> str:
        """Returns a pointer to an element of this size, `away` bytes after the start."""
        indices, rest, step = "", away, self.array.bytes
        for extent in self.extents:
            step //= extent
            index, rest = divmod(rest, step)
            indices += f"[{index}]"
            if step == size and not rest:
                return f"&{self.name}{indices}"
        return f"{self.name} + {away / size:g}" if away else self.name

    def before(self) -> list[Value]:
        array = self.array
        found: list[Value] = [None] * math.prod(self.extents)
        if array.before is None:
            return found
        for i in range(len(found)):
            at = i * self.size
            if array.marks is None or all(array.marks[at : at + self.size]):
                found[i] = self.one(array.before[at : at + self.size])
        return found

    def entry(self) -> dict:
        told = {"name": self.name, "space": self.array.space, "type": self.kind.name}
        sizes = {"bytes": self.size, "extents": self.extents, "start": self.start}
        return told | sizes | {"before": self.before()}


class Requests:
    """Numbers the requests of warps: the n-th access of each lane at one instruction."""

    def __init__(self) -> None:
        self.numbers: dict[tuple, int] = {}
        self.times: collections.Counter = collections.Counter()

    def of(self, step: Step) -> int:
        if step.what not in (LOAD, STORE, ATOMIC):
            return -1
        key = step.thread, step.epoch, step.place
        self.times[key] += 1
        request = (step.thread // WARP, step.epoch, step.place, self.times[key])
        return self.numbers.setdefault(request, len(self.numbers))


class RunData:
    """The data of one run, with cached look-ups."""

    def __init__(
        self, recording: Recording, program: str, source: str, block: int | None = None
    ) -> None:
        self.recording, self.header = recording, recording.header
        self.block = self.chosen() if block is None else block
        self.steps = recording.steps(self.block)
        if block is None and not self.steps:  # the finding's block is not recorded
            self.block = next(iter(recording.counts), 0)
            self.steps = recording.steps(self.block)
        placed = next((step for step in self.steps if step.place), None)
        if not placed:
            raise Nothing("the kernel neither loads nor stores")
        self.debug = DebugInfo(program, self.header["base"], placed.place - 1, source)
        self.locals = Locals(self.debug, self.point)
        self.keys = list(recording.arrays)
        self.functions: list[Function] = []
        self.shown = self.name_arrays()
        self.columns = self.follow()

    def chosen(self) -> int:
        """Returns the block of the first finding; the last block that ran if the finding stops all
        threads; the first block if there is no finding."""
        for finding, access in self.recording.findings:
            if access:
                return access["block"]
            if "block" in finding:
                return linear(finding["block"], self.header["grid"])
            if finding["kind"] in STOPPING:
                self.recording.steps(0)
                return list(self.recording.counts or [0])[-1]
        return 0

    # Arrays

    def name_arrays(self) -> list[Shown]:
        """Names the arrays by the kernel's parameters."""
        named: dict[tuple[bool, int], tuple[str, Type | None]] = {}
        for name, address, kind in self.parameters():
            for key, array in self.recording.arrays.items():
                if not key[0] and array.start == address:
                    named.setdefault(key, (name, kind))
        arrays = self.recording.arrays.values()
        first = min((array.start for array in arrays if array.space == "shared"), default=0)
        found = []
        for key, array in self.recording.arrays.items():
            name, kind = named.get(key, (array.name, self.debug.arrays.get(array.name)))
            found.append(Shown(array, name, kind, first))
        return found

    def parameters(self) -> list[tuple[str, int, Type | None]]:
        """Returns the kernel's parameters that are pointers: name, address, what they point to."""
        threads: dict[int, Thread] = collections.defaultdict(Thread)
        for step in self.steps:
            thread = threads[step.thread]
            thread.written += thread.frames.change(step)
            slots = self.locals.layout(step, thread).slots if step.frame else {}
            found = [(self.locals.variables[n], at) for n, (at, _) in slots.items()]
            if found:
                return [
                    (v.name, int.from_bytes(thread.frames.bytes[at : at + 8], "little"), v.type.inner)
                    for v, at in found
                    if v.type.kind == "pointer" and v.ready == (0, 0)
                    and v.function is found[0][0].function
                ]  # fmt: skip
        return []

    def point(self, address: int, kind: Type) -> str:
        """Returns a pointer's target, such as "&M[1][2]"."""
        if address == 0:
            return "nullptr"
        for one in self.shown:
            start = one.array.start + (self.header["shared"] if one.array.space == "shared" else 0)
            if start <= address < start + one.array.bytes:
                return one.pointer(address - start, kind.size or one.size)
        return hex(address)

    # Steps

    def function_number(self, function: Function | None) -> int:
        if function is None:
            return 0
        if function not in self.functions:
            self.functions.append(function)
        return self.functions.index(function)

    def follow(self) -> dict[str, list]:
        """Returns the columns of the steps."""
        requests, numbers = Requests(), {key: n for n, key in enumerate(self.keys)}
        rows = []
        for step in self.steps:
            function, line, changes = self.locals.at(step)
            array, index, value = numbers.get(step.array or (False, -1), -1), -1, None
            if array >= 0:
                one = self.shown[array]
                index = step.offset // one.size
                value = one.value(step.value) if step.value else None
            at = step.epoch, requests.of(step), self.function_number(function)
            rows.append((step.thread, step.what, line, array, index, value, *at, changes or 0))
        return dict(zip(COLUMNS, map(list, zip(*rows))))

    def lines(self) -> dict[str, dict[str, int]]:
        """Returns the cost of each line: see the contract."""
        found: dict[int, collections.Counter] = collections.defaultdict(collections.Counter)
        ran: collections.Counter = collections.Counter()
        units: dict[tuple[int, int], set] = collections.defaultdict(set)
        for step, line, request in zip(self.steps, self.columns["line"], self.columns["request"]):
            if not line:
                continue
            ran[line, step.place] += 1
            found[line]["runs"] = max(found[line]["runs"], ran[line, step.place])
            if step.what not in (LOAD, STORE, ATOMIC):
                continue
            found[line]["loads"] += step.what != STORE
            found[line]["stores"] += step.what != LOAD
            if step.array in self.recording.arrays:
                start = self.recording.arrays[step.array].start + step.offset
                unit = WORD if step.array[0] else SECTOR
                touched = range(start // unit, (start + step.bytes - 1) // unit + 1)
                units[line, request].update((step.array[0], at) for at in touched)
        for (line, _), of_request in units.items():
            banks = collections.Counter(at % BANKS for shared, at in of_request if shared)
            found[line]["requests"] += 1
            found[line]["sectors"] += sum(not shared for shared, _ in of_request)
            found[line]["passes"] += max(banks.values(), default=0)
        names = "runs", "loads", "stores", "requests", "sectors", "passes"
        return {str(line): {name: of[name] for name in names} for line, of in sorted(found.items())}

    def blocks(self) -> list[dict]:
        return [
            {
                "block": triple(block, self.header["grid"]),
                "steps": sum(of),
                "loads": of[LOAD] + of[ATOMIC],
                "stores": of[STORE] + of[ATOMIC],
            }
            for block, of in sorted(self.recording.counts.items())
        ]

    # Findings

    def touching(self, access: dict, block: int, thread: int, line: int) -> list[int]:
        """Returns a thread's steps at the element of a finding, first those of this line. For a
        race between blocks, returns any thread's."""
        key, blocks = (access["shared"], access["array"]), access["block"] != access["otherBlock"]
        found = [
            n
            for n, step in enumerate(self.steps)
            if block == self.block
            and step.array == key
            and (blocks or step.thread == thread)
            and step.what in (LOAD, STORE, ATOMIC)
            and step.offset <= access["offset"] < step.offset + step.bytes
        ]
        return sorted(found, key=lambda n: self.columns["line"][n] != line)

    def sides(self, finding: dict, access: dict) -> tuple[int, int]:
        """Returns the step of a finding about an element; both steps of a race."""
        first = self.touching(access, access["block"], access["thread"], finding["line"])
        one = first[0] if first else -1
        if finding["kind"] != "race":
            return one, -1
        other = access["otherBlock"], access["otherThread"], access["otherLine"]
        second = self.touching(access, *other)
        if access["block"] != access["otherBlock"]:
            return (first or second or [-1])[0], -1
        line = self.columns["line"]
        own = [n for n in first if line[n] == finding["line"]]
        others = [n for n in second if line[n] == access["otherLine"]]
        pairs = itertools.product(own, others), itertools.product(first, second)
        for a, b in itertools.chain(*pairs):
            ordered = self.steps[a].epoch != self.steps[b].epoch
            if not ordered and (self.steps[a].what != LOAD or self.steps[b].what != LOAD):
                return a, b
        return one, second[0] if second else -1

    def stopped(self, line: int) -> int:
        """Returns the last step of a block that did not finish, else the last one before a barrier
        in this line at which only some threads wait, else -1."""
        threads = math.prod(self.header["block"])
        epochs = [-1]
        if sum(step.what == RETURNED for step in self.steps) < threads:
            epochs = [self.steps[-1].epoch]
        else:
            here = zip(self.steps, self.columns["line"])
            came = collections.Counter(
                step.epoch for step, at in here if step.what == BARRIER and at == line
            )
            epochs += [epoch for epoch, number in came.items() if number < threads]
        own = (n for n, step in enumerate(self.steps) if step.epoch == epochs[-1])
        return max(own, default=-1)

    def elsewhere(self, finding: dict, access: dict, mine: int) -> str:
        """Returns a sentence about the side of a race that is not in the shown block."""
        block, line = access["otherBlock"], access["otherLine"]
        if block == self.block:
            block, line = access["block"], finding["line"]
        key, offset = (access["shared"], access["array"]), access["offset"]
        loads = mine >= 0 and self.steps[mine].what == LOAD
        for step in self.recording.steps(block):
            if step.array != key or step.what not in DEEDS or (loads and step.what == LOAD):
                continue
            here = step.offset <= offset < step.offset + step.bytes
            if here and self.debug.at(step.place - 1)[1] == line:
                array = self.shown[self.keys.index(key)]
                value = array.value(step.value) if step.value else "a value"
                x, y, _ = triple(step.thread, self.header["block"])
                at = ",".join(map(str, triple(block, self.header["grid"])[:2]))
                deed = f"thread ({x},{y}) of block ({at}) {DEEDS[step.what]} {value} there"
                return f"The other side: {deed}, line {line}. BLOCK={at} shows that block."
        return ""

    def findings(self) -> list[dict]:
        return [self.finding(*pair) for pair in self.recording.findings]

    def finding(self, finding: dict, access: dict) -> dict:
        told = {k: finding[k] for k in ("kind", "title", "file", "line", "details", "remedy")}
        thread = linear(finding["thread"], self.header["block"]) if "thread" in finding else None
        step, other, array, index, elsewhere = -1, -1, -1, None, ""
        if access:
            step, other = self.sides(finding, access)
            if finding["kind"] == "race" and access["block"] != access["otherBlock"]:
                elsewhere = self.elsewhere(finding, access, step)
            thread = self.steps[step].thread if step >= 0 else access["thread"]
            array = self.keys.index((access["shared"], access["array"]))
            index = access["offset"] // self.shown[array].size
        elif "block" in finding and linear(finding["block"], self.header["grid"]) == self.block:
            own = [n for n, one in enumerate(self.steps) if one.thread == thread]
            failed = [n for n in own if self.steps[n].what == FAILED]
            step = (failed or own or [-1])[-1]
            if failed and self.columns["array"][step] >= 0:
                array, index = self.columns["array"][step], self.columns["index"][step]
        elif "block" not in finding and finding["kind"] in STOPPING:
            step = self.stopped(finding["line"])
        told |= {"thread": thread, "step": step, "other": other, "elsewhere": elsewhere}
        return told | {"array": array, "index": index}

    def run(self, caption: str, test: str) -> dict:
        header = self.header
        cut = "Some blocks made more steps than are recorded: they are cut off or not shown."
        variables = [
            {"name": v.name, "type": v.type.name, "function": self.function_number(v.function),
             "line": v.line}
            for v in self.locals.variables
        ]  # fmt: skip
        return {
            "file": self.debug.source,
            "code": self.debug.code,
            "kernel": header["kernel"],
            "caption": caption,
            "test": test,
            "grid": header["grid"],
            "blockSize": header["block"],
            "block": triple(self.block, header["grid"]),
            "left": cut if header["cut"] else "",
            "modelled": header.get("modelled"),
            "blocks": self.blocks(),
            "arrays": [array.entry() for array in self.shown],
            "functions": [function.name for function in self.functions],
            "variables": variables,
            "steps": self.columns,
            "findings": self.findings(),
            "lines": self.lines(),
        }
