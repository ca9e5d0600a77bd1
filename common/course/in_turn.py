"""Runs commands side by side, one per core, and shows their output in order: the first one's as it
comes, each other's after those before it have ended. On a terminal each gets a terminal of its own,
because what a program prints may depend on that."""

import os
import select
import signal
import termios

from course.without_make import OF_RECIPE

STREAMS = (1, 2)
OF_MAKE = b"make["  # the beginning of each line of OF_RECIPE


def opened(stream: int) -> tuple[int, int]:
    """Returns our end and a command's: of a terminal if the stream is one, else of a pipe."""
    if os.isatty(stream):
        try:
            ours, theirs = os.openpty()
        except OSError:  # there are no more of them
            return os.pipe()
        attributes = termios.tcgetattr(theirs)
        attributes[1] &= ~termios.OPOST  # our own terminal turns \n into \r\n
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        return ours, theirs
    return os.pipe()


class Running:
    """A command, and its output that is not shown yet."""

    def __init__(self, command: list[str]) -> None:
        self.status: int | None = None
        self.shown = False  # whether its text is shown as it comes
        self.rest = {stream: b"" for stream in STREAMS}
        self._held: list[tuple[int, bytes]] = []
        ends = {1: opened(1)}
        # In one stream the text of both stays in its order.
        ends[2] = ends[1] if os.path.sameopenfile(1, 2) else opened(2)
        self.ours = {ends[stream][0]: stream for stream in reversed(STREAMS)}
        self.process = os.posix_spawnp(
            command[0],
            command,
            {"LAB_STDERR": "2", **os.environ},
            file_actions=[(os.POSIX_SPAWN_DUP2, ends[stream][1], stream) for stream in STREAMS],
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # which Python ignores
        )
        self.ended = os.pidfd_open(self.process)
        for theirs in {end[1] for end in ends.values()}:
            os.close(theirs)
        for ours in self.ours:
            os.set_blocking(ours, False)

    def show(self) -> None:
        """Shows the output so far, and from now on all output as it comes."""
        self.shown = True
        for stream, text in self._held:
            os.write(stream, text)
        self._held.clear()

    def _say(self, stream: int, text: bytes) -> None:
        if text and self.shown:
            os.write(stream, text)
        elif text:
            self._held.append((stream, text))

    def read(self, ours: int) -> bool:
        """Reads what has come from one of its ends; returns False if nothing has."""
        try:
            data = os.read(ours, 65536)
        except BlockingIOError:
            return False
        except OSError:  # no process has the terminal open any longer
            data = b""
        stream = self.ours[ours]
        *lines, rest = (self.rest[stream] + data).split(b"\n")
        self._say(stream, b"".join(line + b"\n" for line in lines if not OF_RECIPE.match(line)))
        if not data or not OF_MAKE.startswith(rest[: len(OF_MAKE)]):
            self._say(stream, rest)
            rest = b""
        self.rest[stream] = rest
        if not data:
            self.ours.pop(ours)
            os.close(ours)
        return bool(data)

    def end(self) -> None:
        """Reads what the ended command has left in its ends."""
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.ended)
        for ours in list(self.ours):
            while self.read(ours):
                pass
        while self.ours:  # a process that it left running has it open
            ours, stream = self.ours.popitem()
            self._say(stream, self.rest[stream])
            os.close(ours)


def wait(running: list[Running]) -> None:
    """Waits until one of the commands says something or ends."""
    ends = {end: one for one in running for end in (*one.ours, one.ended)}
    for end in select.select(list(ends), [], [])[0]:
        one = ends[end]
        if end == one.ended:
            one.end()
        else:
            one.read(end)


def main(commands: list[list[str]], many: int) -> int:
    """Runs the commands, `many` at a time, with an empty line between their outputs. Returns 0 if
    each returns 0, minus a signal if it ended one, else 2."""
    waiting, begun, statuses = commands[::-1], [], []
    while waiting or begun:
        if any(one.status is not None and one.status < 0 for one in begun):  # as by Ctrl-C
            waiting.clear()
        while waiting and sum(one.status is None for one in begun) < many:
            begun.append(Running(waiting.pop()))
        first = begun[0]
        if not first.shown:
            os.write(1, b"\n" * bool(statuses))
            first.show()
        if first.status is None:
            wait([one for one in begun if one.status is None])
            continue
        statuses.append(first.status)
        del begun[0]
    return min(statuses) if min(statuses) < 0 else 2 * any(statuses)
