"""Checks that the status of a lab's test comes from a complete set of results, on both devices.

A solved kernel.cu gets tricks, and an environment variable chooses one. Each trick ends the program
too early, or claims that it finished. A fake program replaces the test program on a card.
"""

import json
import pathlib
import re
import sys

import pytest
from calls import ROOT, call, ended, make, rules
from course import facts

pytestmark = pytest.mark.full

LAB = "lab1_naive"
RUNNER = ROOT / "common/testing/run_tests.py"
END = "FAIL  the tests did not finish"
BEFORE, IN_TEST = "before its first test", "in the test 'TODO("

TRICKS = r"""
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>
namespace tricks {
bool chosen(const char* name) { const char* t = getenv("TRICK"); return t && !strcmp(t, name); }
bool unsolved() { return getenv("UNSOLVED"); }
void report() { puts("All tests passed\n\n99 passed, 0 failed"); fflush(stdout); }
void end(const char* when) {
    const std::string start = std::string(when) + " ";
    auto is = [&](const char* how) { return chosen((start + how).c_str()); };
    if (is("_Exit(0)")) { report(); _Exit(0); }
    if (is("_Exit(2)")) _Exit(2);
    if (is("_Exit(3)")) _Exit(3);
    if (is("exit(0)")) exit(0);
    if (is("quick_exit")) quick_exit(0);
    if (is("exit_group")) syscall(SYS_exit_group, 0);
    if (is("SIGKILL")) raise(SIGKILL);
    if (is("exec")) execl("/bin/true", "true", nullptr);
    if (is("exception")) throw std::runtime_error("no constructor should throw");
    if (is("thread")) std::thread([] { syscall(SYS_exit_group, 0); }).join();
    if (is("report")) report();
}
struct Global {
    Global() { atexit([] { end("atexit:"); }); end("constructor:"); }
    ~Global() noexcept(false) { end("destructor:"); }
} global;
}  // namespace tricks
"""


@pytest.fixture(scope="module", name="kernel")
def kernel_with_tricks() -> pathlib.Path:
    """Returns the solution with all tricks; with UNSOLVED in the environment it computes
    nothing."""
    # The same path in all runs, because each path has its own build folder.
    folder = ROOT / "build/check/tricks"
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "solutions" / LAB / "kernel.cu").read_text(encoding="utf-8")
    head, name, rest = text.partition("__global__ void")
    body = "int Width) {\n    size_t bytes"
    assert body in rest, "the solution of lab 1 has changed; insert the tricks elsewhere"
    call = '    if (tricks::unsolved()) return;\n    tricks::end("test:");\n'
    rest = rest.replace(body, body.replace("    size_t", call + "    size_t"))
    file = folder / "kernel.cu"
    file.write_text(head + TRICKS + name + rest, encoding="utf-8")
    return file


@pytest.fixture(name="judged")
def judge_the_kernel(kernel: pathlib.Path):
    """Returns a function that returns the exit status and the report of `make test` in lab 1."""

    def judged(**variables: str) -> tuple[int, str]:
        status, said = make("-C", LAB, "test", "PART=kernel", f"KERNEL={kernel}", **variables)
        return status, re.sub("(?m)^make.*\n", "", said)

    return judged


EARLY_ENDS = {
    "constructor: _Exit(0)": f"ended with status 0 {BEFORE}",
    "constructor: quick_exit": f"ended with status 0 {BEFORE}",
    "constructor: exec": f"ended with status 0 {BEFORE}",
    "constructor: thread": f"ended with status 0 {BEFORE}",
    "constructor: SIGKILL": f"ended by SIGKILL (Killed) {BEFORE}",
    "constructor: exception": f"ended by SIGABRT (Aborted) {BEFORE}",
    "test: exit_group": f"ended with status 0 {IN_TEST}",
    "test: exec": f"ended with status 0 {IN_TEST}",
    "test: SIGKILL": f"ended by SIGKILL (Killed) {IN_TEST}",
    "destructor: _Exit(3)": "All tests had ended when the program ended with status 3",
}


@pytest.mark.parametrize("trick", EARLY_ENDS)
def test_a_program_that_ends_early_has_failed(judged, trick: str) -> None:
    status, report = judged(TRICK=trick)
    lines = report.splitlines()
    passed = sum(line.startswith("  ok  ") for line in lines)
    assert status == 2, report
    assert END in lines, report
    assert EARLY_ENDS[trick] in " ".join(report.split()), report
    assert lines[-4:] == ["", "Findings: early-end", "", f"{passed} passed, 1 failed"], report
    assert max(map(len, lines[lines.index(END) :])) <= 80, report


@pytest.mark.parametrize(
    "trick", ["destructor: _Exit(0)", "atexit: _Exit(0)", "atexit: exit(0)", "atexit: report"]
)
def test_no_end_of_a_program_hides_that_its_tests_have_failed(judged, trick: str) -> None:
    status, report = judged(TRICK=trick, UNSOLVED="1")
    lines = report.splitlines()
    passed, failed = (sum(line.startswith(word) for line in lines) for word in ("  ok  ", "FAIL  "))
    assert (status, lines[-1]) == (2, f"{passed} passed, {failed} failed"), report
    assert failed > 0 and END not in report, report


def test_a_right_kernel_passes_and_what_it_prints_at_its_end_changes_nothing(judged) -> None:
    status, report = judged(TRICK="atexit: report")
    passed = sum(line.startswith("  ok  ") for line in report.splitlines())
    assert (status, report.splitlines()[-1]) == (0, f"{passed} passed, 0 failed"), report


def test_code_that_ends_the_program_in_a_test_is_reported_by_the_test(judged) -> None:
    status, report = judged(TRICK="test: _Exit(0)")
    assert status == 2 and END not in report, report
    assert "the code under test ended the program with exit(0)" in report, report


def test_a_program_that_calls_its_end_wrong_usage_has_not_passed(judged) -> None:
    report = ended(judged(TRICK="constructor: _Exit(2)"), 2)
    assert "Nothing was judged: " in report.splitlines()[-1], report


def test_a_report_whose_end_is_not_read_breaks_off_without_an_error(
    tmp_path: pathlib.Path,
) -> None:
    line = f"make -C {LAB} test PART=kernel SOLUTION=1 2>'{tmp_path}/stderr' | head -n 3"
    assert call("bash", "-c", line)[1].count("\n") == 3
    stderr = (tmp_path / "stderr").read_text(encoding="utf-8")
    assert "Traceback" not in stderr, stderr


def test_results_of_an_earlier_run_do_not_count(judged, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "results"
    assert judged(LAB_RESULTS=str(file))[0] == 0
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[-1])["end"]
    status, report = judged(LAB_RESULTS=str(file), TRICK="constructor: _Exit(0)")
    assert status == 2 and END in report and not file.exists(), report


def test_the_tests_that_must_end_are_those_that_a_program_runs_in_their_order(
    judged, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "results"
    judged(LAB_RESULTS=str(file))
    results = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    wanted = facts.load(LAB).part("kernel").names(card=False)
    assert wanted == [result["test"] for result in results[:-1]]


LISTED = ["a comma, in a name", "a kernel fails", "a host side crashes", '[brackets] and "quotes"']
# Replaces a test program on a card: the second test leaves the card unusable, the third crashes.
STAND_IN = r"""#!/usr/bin/env python3
import json, os, re, sys
if os.environ.get("TRICK") == "constructor":
    print("All tests passed\n\n99 passed, 0 failed")
    sys.exit(0)
tests = [name.replace("\\", "") for name in re.findall(r"((?:[^,\\]|\\.)+)", sys.argv[1])]
results = open(os.environ["LAB_RESULTS"] + ".new", "w")
def ended(test, status, line):
    print(f"{line}  {test}", flush=True)
    results.write(json.dumps({"test": test, "status": status}) + "\n")
    results.flush()
if os.environ.get("TRICK") == "no card":
    print("the card cannot be used", file=sys.stderr)
    sys.exit(2)
failed = 0
for test in tests:
    if test.endswith("fails"):
        ended(test, "failed", "FAIL")
        print("       why", flush=True)
        open(os.environ["LAB_FINDINGS"], "a").write("cudaErrorIllegalAddress\n")
        os._exit(3)
    elif test.endswith("crashes"):
        print("its last words", file=sys.stderr, flush=True)
        os._exit(0 if os.environ.get("TRICK") == "test" else 4)
    ended(test, "passed", "  ok")
results.write(json.dumps({"end": True, "passed": len(tests), "failed": 0, "left_out": 0}) + "\n")
results.close()
os.rename(os.environ["LAB_RESULTS"] + ".new", os.environ["LAB_RESULTS"])
if os.environ.get("TRICK") == "atexit":
    sys.exit(5)
"""
REPORT = """\
  ok  a comma, in a name
FAIL  a kernel fails
       why
FAIL  a host side crashes
       The code under test ended the program in this test.
       its last words
  ok  [brackets] and "quotes"

Findings: cudaErrorIllegalAddress, early-end

2 passed, 2 failed
"""


@pytest.fixture(name="on_card")
def run_the_stand_in(tmp_path: pathlib.Path):
    """Returns a function that runs the fake program like the tests on a card."""
    program, listed = tmp_path / "program", tmp_path / "facts.json"
    program.write_text(STAND_IN, encoding="utf-8")
    program.chmod(0o755)
    part = {"file": "lab9/lab.toml", "gpu": LISTED, "sections": ""}
    listed.write_text(json.dumps({"kernel": part}), encoding="utf-8")
    command = (sys.executable, "-I", "-S", RUNNER, "gpu", listed, "kernel", program)
    return lambda trick: call(*command, TRICK=trick)


@pytest.mark.parametrize("trick", ["none", "test"])
def test_on_a_card_the_tests_continue_after_a_failed_kernel(
    on_card, tmp_path: pathlib.Path, trick: str
) -> None:
    assert on_card(trick) == (1, REPORT)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["facts.json", "program"]


def test_on_a_card_a_program_that_ends_before_its_first_test_has_failed(on_card) -> None:
    report = ended(on_card("constructor"), 1, END, BEFORE)
    assert report.endswith("\n\nFindings: early-end\n\n0 passed, 1 failed\n"), report


def test_on_a_card_a_program_that_fails_after_its_last_test_has_failed(on_card) -> None:
    report = ended(on_card("atexit"), 1, "ended with status 5")
    assert report.endswith("\n\n2 passed, 3 failed\n"), report


def test_without_a_card_nothing_is_judged(on_card) -> None:
    assert on_card("no card") == (2, "the card cannot be used\n")


def test_a_test_that_lab_toml_does_not_list_fails_with_the_place_where_it_belongs(
    kernel: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    def judged_with(listed: str) -> tuple[int, str]:
        (tmp_path / "facts.json").write_text(listed, encoding="utf-8")
        words = (RUNNER, "sim", tmp_path / "facts.json", "kernel", program)
        status, said = call(sys.executable, "-I", "-S", *words)
        return status, " ".join(said.split())

    program = rules(LAB, "PART=kernel", f"KERNEL={kernel}", "tests_program")[1].split()[-1]
    told = call(sys.executable, "common/course/facts.py", LAB)[1]
    assert judged_with(told)[0] == 0
    name = "M and N are not changed"
    status, report = judged_with(told.replace(f', "{name}"', ""))
    assert status == 1 and END.split("  ")[1] in report, report
    place = "after 'the product is right on every square data set'."
    assert f"{LAB}/lab.toml does not list the test '{name}': put it there, {place}" in report
    status, report = judged_with(told.replace(f'"{name}"', '"M and N do not change"'))
    assert "or replace 'M and N do not change' by this name" in report, report
