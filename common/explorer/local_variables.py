"""Follows the local variables of each thread from step to step."""

import dataclasses

from debug_info import SAVED, DebugInfo, Function, Variable
from recording_file import FRAMES, RETURNED, Frames, Step
from values import Point, Type, Value, shown

MOST_FRAMES = 64  # functions that call one another


@dataclasses.dataclass(eq=False)
class Layout:
    """The places of the variables of all functions that a thread is in, at one instruction."""

    function: Function | None = None
    line: int = 0
    slots: dict[int, tuple[int, Type]] = dataclasses.field(default_factory=dict)  # by variable
    in_word: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    references: list[int] = dataclasses.field(default_factory=list)
    known: dict[tuple, tuple[list[int], list[int]]] = dataclasses.field(default_factory=dict)

    def add(self, number: int, at: int, kind: Type) -> None:
        self.slots[number] = at, kind
        for word in range((FRAMES - at - kind.size) // 4, (FRAMES - at - 1) // 4 + 1):
            self.in_word.setdefault(word, []).append(number)
        if kind.kind == "reference":
            self.references.append(number)

    def touched(self, last: "Layout", written: list[int]) -> tuple[list[int], list[int]]:
        """Returns the variables of another layout that are gone, and those that may have another
        value if these words were written since then."""
        key = last, *written
        if key not in self.known:
            found = {number for word in written for number in self.in_word.get(word, ())}
            found.update(self.references)
            found.update(n for n, slot in self.slots.items() if last.slots.get(n) != slot)
            gone = list(last.slots.keys() - self.slots.keys())
            self.known[key] = gone, [number for number in self.slots if number in found]
        return self.known[key]


NOWHERE = Layout()
Calls = tuple[tuple[int, int], ...]


@dataclasses.dataclass
class Thread:
    frames: Frames = dataclasses.field(default_factory=Frames)
    values: dict[int, Value] = dataclasses.field(default_factory=dict)  # by variable
    layout: Layout = NOWHERE
    written: list[int] = dataclasses.field(default_factory=list)  # words, since the last values
    # The callers of the function of the last frame, and the words that contain them.
    frame: int = 0
    calls: Calls = ()
    links: frozenset[int] = frozenset()


class Locals:
    """The variables of one block's threads; `point` names a pointer's target."""

    def __init__(self, debug: DebugInfo, point: Point) -> None:
        self.debug, self.point = debug, point
        self.threads: dict[int, Thread] = {}
        self.variables: list[Variable] = []
        self.known: dict[Variable, int] = {}
        self.layouts: dict[tuple[int, int, Calls], Layout] = {}

    def number(self, variable: Variable) -> int:
        if variable not in self.known:
            self.known[variable] = len(self.variables)
            self.variables.append(variable)
        return self.known[variable]

    def is_left(self, place: int) -> bool:
        """Tells whether a place is outside of the kernel's file."""
        function = self.debug.at(place - 1)[0]
        return function is None or function.name == "callBelow"

    def calls(self, frame: int, frames: Frames) -> Calls:
        """Returns the callers of a frame's function, innermost first: return addresses, and frames
        counted from the end."""
        found: list[tuple[int, int]] = []
        while len(found) < MOST_FRAMES and frames.read(frame, SAVED) is not None:
            place, frame = self.debug.relative(frames.word(frame + 8)), frames.word(frame)
            if self.is_left(place):
                break
            found.append((place, frame - frames.end))
        return tuple(found)

    def layout(self, step: Step, thread: Thread) -> Layout:
        """Returns the layout of the variables, NOWHERE outside of the kernel's file."""
        end = thread.frames.end
        if step.frame != thread.frame or not thread.links.isdisjoint(thread.written):
            thread.frame, thread.calls = step.frame, self.calls(step.frame, thread.frames)
            frames = step.frame - end, *(frame for _, frame in thread.calls)
            thread.links = frozenset(-at // 4 - 1 - i for at in frames for i in range(SAVED // 4))
        key = step.place, step.frame and step.frame - end, thread.calls
        if key not in self.layouts:
            self.layouts[key] = self.made(*key)
        return self.layouts[key]

    def made(self, place: int, frame: int, calls: Calls) -> Layout:
        if self.is_left(place):
            return NOWHERE
        layout = Layout()
        for at, below in reversed(((place, frame), *calls)):
            function, line, variables = self.debug.at(at - 1)
            if not function or function.file != self.debug.source:
                continue
            layout.function, layout.line = function, line
            for variable in variables if frame else ():
                start = FRAMES + self.base(below, function) + variable.offset
                if 0 <= start <= FRAMES - variable.type.size:
                    layout.add(self.number(variable), start, variable.type)
        return layout if layout.function else NOWHERE

    def base(self, frame: int, function: Function) -> int:
        """Returns the address to which a function's variables are relative."""
        if function.by_register:
            return frame
        return frame + (self.debug.saved_below(function) if self.debug.arm else SAVED)

    def at(self, step: Step) -> tuple[Function | None, int, list[int | Value]]:
        """Returns the function of the source that a step is in, its line, and the variables that
        have changed since the thread's last step, each with its value."""
        thread = self.threads.get(step.thread) or self.threads.setdefault(step.thread, Thread())
        thread.written += thread.frames.change(step)
        if step.what == RETURNED:
            return None, 0, self.changes(thread, NOWHERE)
        layout = self.layout(step, thread)
        told = self.changes(thread, layout) if step.frame and layout.function else []
        return layout.function, layout.line, told

    def changes(self, thread: Thread, now: Layout) -> list[int | Value]:
        gone, touched = now.touched(thread.layout, thread.written)
        thread.layout, thread.written = now, []
        values, frames = thread.values, thread.frames
        changed: list[int | Value] = []
        for number in gone:
            if values.pop(number, None) is not None:
                changed += [number, None]
        for number in touched:
            at, kind = now.slots[number]
            value = shown(bytes(frames.bytes[at : at + kind.size]), kind, self.point, frames.read)
            if value != values.get(number):
                values[number] = value
                changed += [number, value]
        return changed
