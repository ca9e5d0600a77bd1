"""Runs make and counts the steps of a long build: [ 37/131] compile common/matrix/compare.cpp

usage: counting.py [--log FILE] MAKE ARGUMENTS... [-- MAKE ARGUMENTS...]...

On a terminal that is one line, overwritten by the next step and removed at the end. Elsewhere it is
a line for the first and the last step, and one every few seconds between them. All other output of
make and the compilers is shown unchanged, on lines of its own, or goes to the log. make -n counts
the steps first. A build of a few files looks as it does without this program. Exit status: that of
the first make that fails."""

import itertools
import os
import re
import selectors
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from text import uncaught  # noqa: E402, F401

FEW = 9
STILL = 3  # a step's seconds are shown after so many without a new step
APART = 5  # seconds between two lines if there is no terminal
COLUMNS = 80
# As `step` of build.mk prints it.
STEP = re.compile(rb"^  ([a-z]+ +[^\n]+)")


class Line:
    def __init__(self, steps: int) -> None:
        self.steps, self.seen, self.text, self.shown = steps, set(), "", ""
        self.began = time.monotonic()  # of the last step
        self.printed = -float(APART)  # time of the last line, if there is no terminal
        self.terminal = sys.stdout.isatty()
        size = os.get_terminal_size().columns if self.terminal else 0
        self.columns = min(size or COLUMNS, COLUMNS) - 1

    def write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def step(self, what: str) -> None:
        if what in self.seen:
            return
        self.seen.add(what)
        now, steps = len(self.seen), max(self.steps, len(self.seen))
        self.text = f"[{now:{len(str(steps))}}/{steps}] {' '.join(what.split())}"
        self.began = time.monotonic()
        if self.terminal:
            self.show("")
        elif now in (1, steps) or self.began - self.printed >= APART:
            self.print("")

    def show(self, seconds: str) -> None:
        self.clear()
        self.shown = self.text[: self.columns - len(seconds)] + seconds
        self.write(self.shown)

    def print(self, seconds: str) -> None:
        self.printed = time.monotonic()
        self.write(f"{self.text}{seconds}\n")

    def still(self) -> None:
        """Shows how long the current step has been running."""
        now = time.monotonic()
        seconds = f", {now - self.began:.0f} s"
        if self.shown:
            self.show(seconds)
        elif self.text and not self.terminal and now - self.printed >= APART:
            self.print(seconds)

    def clear(self) -> None:
        """Clears the line for other text."""
        if self.shown:
            self.write("\r" + " " * len(self.shown) + "\r")

    def again(self) -> None:
        self.write(self.shown)


class Output:
    """The output of make: steps are counted, all other lines are passed on unchanged."""

    def __init__(self, line: Line, log: str) -> None:
        self.line = line
        self.log = open(log, "ab") if log else None
        self.rest = {1: b"", 2: b""}

    def received(self, stream: int, data: bytes) -> None:
        """Processes a piece of stdout or stderr. It may end inside a line; the last piece is
        empty."""
        if self.log:
            self.log.write(data)
        lines = (self.rest[stream] + data).splitlines(keepends=True)
        whole = not data or data.endswith(b"\n")
        self.rest[stream] = b"" if whole else lines.pop()
        for line in lines:
            found = STEP.match(line)
            if found:
                self.line.step(found[1].decode(errors="replace"))
            elif not self.log:
                self.line.clear()
                os.write(stream, line)
                self.line.again()


def run(command: list[str], output: Output) -> int:
    # The pipes of make's -j must stay open.
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False
        ) as process,
        selectors.DefaultSelector() as selector,
    ):
        for number, pipe in enumerate((process.stdout, process.stderr), 1):
            if pipe:
                selector.register(pipe, selectors.EVENT_READ, number)
        while selector.get_map():
            ready = selector.select(STILL)
            if not ready:
                output.line.still()
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                output.received(key.data, data)
                if not data:
                    selector.unregister(key.fileobj)
    return process.returncode


def steps_of(commands: list[list[str]]) -> int:
    """Returns how many steps these builds take, each counted once."""
    found = set()
    for command in commands:
        shown = subprocess.run([*command, "-n"], capture_output=True, close_fds=False)
        found |= {match[1] for match in map(STEP.match, shown.stdout.splitlines()) if match}
    return len(found)


def main(words: list[str]) -> int:
    log = words[1] if words[0] == "--log" else ""
    pieces = itertools.groupby(words[2 if log else 0 :], lambda word: word == "--")
    commands = [list(command) for between, command in pieces if not between]
    steps = steps_of(commands)
    if steps <= FEW and not log and len(commands) == 1:
        os.execvp(commands[0][0], commands[0])
    line = Line(steps)
    try:
        output = Output(line, log)
        for command in commands:
            status = run(command, output)
            if status != 0:
                return status
        return 0
    except KeyboardInterrupt:
        return 130
    finally:
        line.clear()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
