"""Checks the runner of these checks on files of made-up ones: what it prints, that nothing is lost,
and that it ends."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest
from calls import call, ended
from run_report import ROOT
from test_counting import counts, elsewhere, on_terminal, screen

pytestmark = pytest.mark.seconds(30)

FACTS = """
import pytest
SPREAD = True
@pytest.mark.parametrize("n", range(38))
def test_fact(n): pass
def test_something(): pytest.fail("it is wrong", pytrace=False)
def test_a_thing(): pytest.skip("no card")
"""
CRASH = """
import os
def test_before(): pass
def test_crash(): os._exit(0)
def test_after(): pass
"""
SLEEP = """
import subprocess
def test_quick(): pass
def test_long(): subprocess.run(["sleep", "SECONDS"])
"""


@pytest.fixture(name="run")
def command_for_made_up_checks(tmp_path: pathlib.Path):
    """Returns the command that runs a file of checks with this text."""

    def command(text: str, *options: str) -> list[str]:
        (tmp_path / "conftest.py").write_bytes((ROOT / "common/checks/conftest.py").read_bytes())
        (tmp_path / "test_made_up.py").write_text(text, encoding="utf-8")
        runner = [sys.executable, "-B", str(ROOT / "common/checks/run.py"), "--log", str(tmp_path)]
        return [*runner, *options, "--quiet", str(tmp_path / "test_made_up.py")]

    return command


def test_make_test_counts_its_checks_on_one_line_of_a_terminal(run) -> None:
    status, said = on_terminal(run(FACTS))
    assert status == 1 and counts(said) == [f"{n}/40" for n in range(1, 41)], said
    wanted = ["       it is wrong", "FAIL  something", "left out: a thing (no card)"]
    assert sorted(screen(said)[1:-8]) == wanted, said
    assert screen(said)[-2:] == ["", "38 passed, 1 failed"], said


def test_elsewhere_make_test_prints_few_lines_and_keeps_the_names_of_what_passed(
    run, tmp_path: pathlib.Path
) -> None:
    status, said = elsewhere(run(FACTS))
    assert status == 1 and len(counts(said)) == 20 and "ok  " not in said, said
    assert said.endswith("\nFAIL  something\n       it is wrong\n\n38 passed, 1 failed\n"), said
    names = tmp_path / "passed.txt"
    assert re.search(f"What passed is listed in .*{names.parent.name}/passed.txt\n", said), said
    wanted = sorted(f"  ok  fact: {n}" for n in range(38))
    assert sorted(names.read_text(encoding="utf-8").splitlines()) == wanted
    seconds = (tmp_path / "seconds.txt").read_text(encoding="utf-8").splitlines()
    assert len(seconds) == 40 and re.fullmatch(r"(\d+\.\d\d ){3}fact: \d+", seconds[0])


def test_a_check_that_ends_without_a_verdict_has_failed_and_the_others_are_made(run) -> None:
    status, said = elsewhere(run(CRASH))
    assert status == 1 and said.count("FAIL  crash\n") == 2, said
    assert said.endswith("\n2 passed, 1 failed\n"), said


def test_a_file_of_checks_that_is_not_there_is_wrong_usage(tmp_path: pathlib.Path) -> None:
    runner = ROOT / "common/checks/run.py"
    runs = call(sys.executable, "-B", runner, "--log", tmp_path, "test_no_such.py")
    ended(runs, 2, "test_no_such.py: there is no such file in ")


def test_no_plugin_of_pytest_that_happens_to_be_installed_has_a_say(
    run, tmp_path: pathlib.Path
) -> None:
    installed = tmp_path / "loud-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Name: loud\nVersion: 1\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text("[pytest11]\nloud = loud\n", encoding="utf-8")
    (tmp_path / "loud.py").write_text("raise SystemExit('a word')\n", encoding="utf-8")
    status, said = elsewhere(run(FACTS), PYTHONPATH=str(tmp_path))
    assert status == 1 and said.endswith("\n38 passed, 1 failed\n"), said


def test_a_file_that_cannot_be_read_has_failed(run) -> None:
    said = ended(elsewhere(run("import nonsense\n")), 1, "No module named 'nonsense'")
    assert said.endswith("\n0 passed, 1 failed\n"), said


LINES = """
import pytest
@pytest.mark.parametrize("lines", [["ok a", "ok b"], ["FAIL c"], ["left out: d", "ok e", "FAIL f"]])
def test_lines(lines, record_property):
    for line in lines:
        record_property("said", line)
"""


def test_each_verdict_that_a_check_tells_counts(run) -> None:
    said = ended(elsewhere(run(LINES)), 1, "FAIL  c\n", "left out: d\n")
    assert said.endswith("\n3 passed, 2 failed\n"), said


def is_running(seconds: str, wanted: bool) -> bool:
    """Returns whether the check that never ends runs, once that is as wanted, or after a minute."""
    began = time.monotonic()
    while sleeping(seconds) != wanted and time.monotonic() - began < 60:
        time.sleep(0.1)
    return sleeping(seconds)


def sleeping(seconds: str) -> bool:
    """Returns whether the check that never ends has begun and still runs."""
    for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if f"sleep\0{seconds}\0".encode() in command.read_bytes():
                return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_run_that_is_ended_by_a_signal_says_so_and_leaves_nothing_running(run, number) -> None:
    options = {"text": True, "cwd": ROOT, "start_new_session": True}
    seconds = f"7654.{os.getpid()}{int(number)}"  # no other check's, which may run beside this one
    command = run(SLEEP.replace("SECONDS", seconds))
    with subprocess.Popen(command, stdout=subprocess.PIPE, **options) as process:
        assert is_running(seconds, True)
        # A terminal sends Ctrl-C to all that runs there.
        (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        said = process.communicate(timeout=60)[0]
    assert process.returncode == 1 and re.search(r"FAIL  stopped by a signal after \d+ sec", said)
    assert said.endswith("\n1 passed, 1 failed\n") and not is_running(seconds, False), said


def test_a_reader_that_goes_away_ends_a_run_without_a_word_of_pythons(run) -> None:
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -n 1', "_", *run(FACTS)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


ORDER = """
import pytest
SPREAD = True
def test_light(): pass
@pytest.mark.seconds(5)
def test_heavy(): pass
@pytest.mark.seconds(90)
def test_heaviest(): pass
"""


def test_the_longest_checks_come_first(run, tmp_path: pathlib.Path) -> None:
    elsewhere(run(ORDER, "--jobs", "1"))
    names = (tmp_path / "passed.txt").read_text(encoding="utf-8").split()
    assert [name for name in names if name != "ok"] == ["heaviest", "heavy", "light"]


ABOUT = """
import pytest
@pytest.mark.parametrize("lab, part", [("lab1_naive", "kernel"), ("lab2_tiled", "kernel")])
def test_part(lab, part): pass
@pytest.mark.parametrize("lab", ["lab2_tiled", "lab3_boundary"])
def test_lab(lab): pass
def test_course(): pass
"""


def test_labs_and_a_part_narrow_the_checks_to_those_about_them(run, tmp_path: pathlib.Path) -> None:
    for labs, part, wanted in (
        ("lab2", "", ["lab: lab2_tiled", "part: lab2_tiled-kernel"]),
        ("lab1_naive lab3", "", ["lab: lab3_boundary", "part: lab1_naive-kernel"]),
        ("lab2", "kernel", ["part: lab2_tiled-kernel"]),
        ("", "banks", []),
    ):
        status, said = elsewhere(run(ABOUT, "--narrowed", labs, part))
        lines = (tmp_path / "passed.txt").read_text(encoding="utf-8").splitlines()
        assert (status, sorted(lines)) == (0, [f"  ok  {name}" for name in wanted]), said


WORDS = {
    "LABS=lab9": "LABS=lab9: there is no such lab; there are lab1_naive, lab2_tiled",
    "LABS=lab1 PART=banks": "PART=banks: there is no such part here; there are answers, kernel,",
    "LAB=lab2": "LAB: did you mean LABS?",
}


@pytest.mark.parametrize("words", WORDS)
def test_make_test_refuses_a_lab_or_a_part_that_there_is_not(words: str) -> None:
    status, said = elsewhere(["make", "test", *words.split()])
    # Above it make may tell of a package that it could not install.
    assert status == 2 and f"\n{WORDS[words]}" in f"\n{said}", said
