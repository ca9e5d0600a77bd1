"""Follows the local variables of each thread from step to step."""

import dataclasses

from debug_info import SAVED, DebugInfo, Function, Variable
from recording_file import FRAMES, RETURNED, Frames, Step
from values import Type, Value, shown

MOST_FRAMES = 64  # functions that call one another


@dataclasses.dataclass
class Thread:
    frames: Frames = dataclasses.field(default_factory=Frames)
    bytes: dict[int, bytearray] = dataclasses.field(default_factory=dict)  # by variable
    values: dict[int, Value] = dataclasses.field(default_factory=dict)


class Locals:
    """The variables of one block's threads; `point` tells what a pointer leads to."""

    def __init__(self, debug: DebugInfo, point) -> None:
        self.debug, self.point = debug, point
        self.threads: dict[int, Thread] = {}
        self.variables: list[Variable] = []
        self.known: dict[Variable, int] = {}

    def number(self, variable: Variable) -> int:
        if variable not in self.known:
            self.known[variable] = len(self.variables)
            self.variables.append(variable)
        return self.known[variable]

    def walk(self, step: Step, frames: Frames) -> list[tuple[int, Function, int, list[Variable]]]:
        """Returns the source's functions that the thread is in, innermost first: the frame, the
        function, its line, and its variables that have a value."""
        found = []
        place, frame = step.place, step.frame
        for _ in range(MOST_FRAMES):
            function, line, variables = self.debug.at(place - 1)
            if function is None or function.name == "callBelow":
                break
            if function.file == self.debug.source:
                found.append((frame, function, line, variables))
            if not frame or frames.read(frame, SAVED) is None:
                break
            place, frame = self.debug.relative(frames.word(frame + 8)), frames.word(frame)
        return found

    def base(self, frame: int, function: Function, frames: Frames) -> int:
        """Returns the address that a function's variables are counted from."""
        if function.by_register:
            return frame
        return frame + (self.debug.saved_below(function) if self.debug.arm else SAVED)

    def at(self, step: Step) -> tuple[Function | None, int, list[int | Value]]:
        """Returns the function of the source that a step is in, its line, and the variables that
        have changed since the thread's last step, each with its value."""
        thread = self.threads.setdefault(step.thread, Thread())
        frames = thread.frames
        frames.change(step)
        if step.what == RETURNED:
            return None, 0, self.changes(thread, {})
        stack = self.walk(step, frames)
        if not stack:
            return None, 0, []
        if not step.frame:
            return stack[0][1], stack[0][2], []
        now: dict[int, tuple[bytearray, Type]] = {}
        for frame, function, _, variables in reversed(stack):
            base = frames.index(self.base(frame, function, frames))
            for variable in variables:
                at, size = base + variable.offset, variable.type.size
                if 0 <= at <= FRAMES - size:
                    now[self.number(variable)] = frames.bytes[at : at + size], variable.type
        return stack[0][1], stack[0][2], self.changes(thread, now)

    def changes(self, thread: Thread, now: dict[int, tuple[bytearray, Type]]) -> list[int | Value]:
        changed: list[int | Value] = []
        for number in thread.bytes.keys() - now.keys():
            del thread.bytes[number]
            if thread.values.pop(number, None) is not None:
                changed += [number, None]
        for number, (data, kind) in now.items():
            if thread.bytes.get(number) == data and kind.kind != "reference":
                continue
            thread.bytes[number] = data
            value = shown(bytes(data), kind, self.point, thread.frames.read)
            if value != thread.values.get(number):
                thread.values[number] = value
                changed += [number, value]
        return changed
