"""Checks that the tests of several parts run side by side and are reported one after the other."""

import json
import sys

import pytest
from calls import call
from test_counting import on_terminal

pytestmark = pytest.mark.seconds(3)

RUN = "import json, sys; sys.path[0] = 'common'; from course import in_turn; sys.exit(in_turn.main("
# The first waits for a file that the second makes after all its output.
FIRST = "while [ ! -e {0}/made ]; do sleep 0.01; done; echo one; echo two >&2; echo three"
SECOND = "echo four; touch {0}/made"
OF_MAKE = "make[1]: *** [common/lab_rules.mk:30: test-kernel] Error 1"


def commands(*lines: str, many: int = 2) -> list[str]:
    words = [["sh", "-c", line] for line in lines]
    return [sys.executable, "-c", f"{RUN}json.loads(sys.argv[1]), {many}))", json.dumps(words)]


def test_commands_run_side_by_side_and_are_shown_in_turn(tmp_path) -> None:
    said = call(*commands(FIRST.format(tmp_path), SECOND.format(tmp_path)))
    assert said == (0, "one\ntwo\nthree\n\nfour\n")


def test_one_at_a_time_begins_when_the_one_before_has_ended(tmp_path) -> None:
    late = f"[ -e {tmp_path}/made ] && echo two"
    assert call(*commands(f"touch {tmp_path}/made", late, many=1)) == (0, "\ntwo\n")


def test_each_command_has_a_terminal_if_there_is_one() -> None:
    line = "test -t 1 && test -t 2 && echo yes"
    assert on_terminal(commands(line, line)) == (0, "yes\r\n\r\nyes\r\n")


def test_what_goes_to_other_places_stays_apart(tmp_path) -> None:
    words = commands("echo one; echo two >&2", "echo three >&2")
    said = call("bash", "-c", '"$@" 2>"$0"', f"{tmp_path}/errors", *words)
    assert said == (0, "one\n\n")
    assert (tmp_path / "errors").read_text() == "two\nthree\n"


def test_make_says_nothing_about_its_recipes_and_if_one_fails_the_others_run() -> None:
    failing = f"printf 'a\\n{OF_MAKE}\\nb'; exit 1"
    assert call(*commands(failing, "echo c")) == (2, "a\nb\nc\n")


def test_one_that_a_signal_ends_is_the_last() -> None:
    assert call(*commands("kill -TERM $$", "echo one", many=1)) == (256 - 15, "")
