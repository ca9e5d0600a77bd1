"""Checks that a verdict by record and replay is the one that `make test` gives, and that attacks gain
nothing."""

import functools
import pathlib
import re
import secrets
import shutil

import chosen
import mistakes
import points
import pytest
import scoring
from calls import ROOT, call, ended, make, rules

pytestmark = pytest.mark.seconds(90)
LOGS = pathlib.Path("build/check/record")  # from the root: OUT= takes no blank
RIGHT = sorted(
    (path.parent.name, path.stem, f"solutions/{path.parent.name}/{path.name}")
    for path in ROOT.glob("lab*_*/*.cu")
)
# Besides the kernel much of the C++ library; in it calls by pointers, and results by pointers.
RIGHT.append(("lab1_naive", "kernel", "solutions/styles/lab1_naive/host_library.cu"))
# An array that is declared outside of the kernel.
OUTSIDE_OF_IT = "solutions/styles/lab2_tiled/kernel/dynamic_shared_array.patch"
RIGHT.append(("lab2_tiled", "kernel", OUTSIDE_OF_IT))
ATTACKS = sorted(path.name for path in (ROOT / "common/verdict/attacks").glob("*.cu"))


@functools.lru_cache(maxsize=None)
def replay_of(lab: str, part: str) -> pathlib.Path:
    """Returns the program that replays records of a part."""
    said = ended(rules(lab, f"PART={part}", "replay"), 0)
    return ROOT / said.splitlines()[-1]


class Judged:
    """A file's verdict by record and replay. `status` is 3 if the file is refused."""

    def __init__(self, lab: str, part: str, file: str, name: str, **variables: str) -> None:
        self.folder = LOGS / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        replay = replay_of(lab, part)
        words = [f"PART={part}", f"KERNEL={file}", f"OUT={self.folder}", "record"]
        self.status = 3
        if self._keep("build", rules(lab, *words, **variables)) == 0:
            # The status of the program that records means nothing.
            record = [f"{self.folder}/record", f"{self.folder}/bin"]
            line = 'LAB_RECORD_FD=3 timeout 120 "$0" 3>"$1"'
            self._keep("output", call("bash", "-c", line, *record, **variables))
            kept = {"LAB_RECORD": f"{self.folder}/bin", "LAB_REMARKS": f"{self.folder}/remarks"}
            kept["LAB_RESULTS"] = f"{self.folder}/results"
            self.status = self._keep("report", call(replay, **variables, **kept))

    def _keep(self, log: str, ended: tuple[int, str]) -> int:
        (self.folder / log).write_text(ended[1], encoding="utf-8")
        return ended[0]

    def said(self, log: str) -> str:
        path = self.folder / log
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @property
    def told(self) -> str:
        ends = "".join(self.said(log)[-2000:] for log in ("build", "report", "remarks"))
        return f"status {self.status} ({self.folder})\n{ends}"


@pytest.mark.parametrize("kilobytes", [10**6, 23 * 10**5])
def test_a_program_without_memory_ends_as_one_that_the_machine_has_failed(kilobytes: int) -> None:
    file, out = "solutions/lab1_naive/kernel.cu", LOGS / "without_memory"
    ended(rules("lab1_naive", f"KERNEL={file}", f"OUT={out}", "record"), 0)
    limited = f'ulimit -v {kilobytes}; LAB_RECORD_FD=3 timeout 60 "$0" 3>/dev/null'
    status, said = call("bash", "-c", limited, f"{out}/record")
    assert (status, "simulated device: no " in said) == (75, True), said


@pytest.mark.parametrize("lab, part, file", chosen.quick(2, RIGHT))
def test_a_right_file_passes_on_fresh_data_by_record_and_replay(
    lab: str, part: str, file: str
) -> None:
    style = pathlib.Path(file)
    name, path = f"{lab}-{part}-right-{style.stem}", str(mistakes.file_of(style))
    judged = Judged(lab, part, path, name, LAB_SEED=f"fresh-{secrets.randbelow(32768)}")
    assert judged.status == 0 and judged.said("remarks") == "", judged.told
    # The maximum is the same if nothing is submitted, so tests that are left out count nothing.
    verdicts = scoring.verdicts_of(judged.said("results").splitlines())
    left_out = {name for name, one in verdicts.items() if one["status"] == "left out"}
    tests = points.load(lab, ROOT).parts[part].tests
    assert verdicts and not [one.name for one in tests if one.points and one.name in left_out]


ORDERED = """
#include <cstdlib>
static int made = 0;
struct Made {
    explicit Made(int before) {
        if (made++ != before) std::abort();
    }
};
static Made third(2);
__attribute__((init_priority(202))) static Made second(1);
__attribute__((init_priority(101))) static Made first(0);
"""


def test_constructors_run_in_the_order_of_their_priorities() -> None:
    file = ROOT / LOGS / "ordered.cu"
    file.parent.mkdir(parents=True, exist_ok=True)
    right = (ROOT / "solutions/lab1_naive/kernel.cu").read_text(encoding="utf-8")
    file.write_text(right + ORDERED, encoding="utf-8")
    judged = Judged("lab1_naive", "kernel", str(file), "lab1_naive-ordered")
    assert judged.status == 0 and judged.said("remarks") == "", judged.told


# Reads outside of its arrays, which some tests forgive: there it must find memory to read.
OUTSIDE = "grid_of_width_blocks"


@pytest.mark.full
@pytest.mark.parametrize("lab", sorted({lab for lab, _, _ in RIGHT}))
def test_a_known_mistake_gets_its_findings_by_record_and_replay(lab: str) -> None:
    found = mistakes.found(lab, "kernel")
    one = next((mistake for mistake in found if mistake.name == OUTSIDE), found[0])
    judged = Judged(lab, "kernel", str(mistakes.make(one)), f"{lab}-kernel-{one.name}")
    wanted = one.lines[0].removeprefix("Finding: ")
    assert f"\nFindings: {wanted}\n" in judged.said("report"), judged.told


@pytest.mark.full
@pytest.mark.parametrize("wrong, steps", [("in the loop", [1, 2, 4]), ("everywhere", [])])
def test_a_grader_judges_the_steps_of_the_host_by_themselves(wrong: str, steps: list[int]) -> None:
    right = (ROOT / "solutions/lab1_naive/kernel.cu").read_text(encoding="utf-8")
    pattern, new = {
        "in the loop": ("k < Width", "k <= Width"),
        "everywhere": (r"(?s)(void matrixMulKernel\([^{]*\{).*?\n\}", r"\1\n}"),
    }[wrong]
    file = ROOT / LOGS / f"wrong_{len(steps)}.cu"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(re.sub(pattern, new, right, count=1), encoding="utf-8")
    judged = Judged("lab1_naive", "kernel", str(file), f"lab1_naive-{file.stem}")
    report = "\n" + judged.said("report")
    passed = [number for number in range(1, 11) if f"\n  ok  TODO({number}):" in report]
    assert passed == [*steps, *range(5, 11)] and judged.said("remarks") == "", judged.told


@pytest.mark.parametrize("attack", chosen.quick(6, ATTACKS))
def test_an_attack_gains_nothing_and_gets_what_its_comment_says(attack: str) -> None:
    file = f"common/verdict/attacks/{attack}"
    comment = (ROOT / file).read_text(encoding="utf-8").splitlines()[1]
    what, _, says = comment.removeprefix("// Gets: ").partition(": ")
    judged = Judged("lab1_naive", "kernel", file, f"attack-{pathlib.Path(file).stem}")
    log, line, status = {
        "refused": ("build", f"(?m)^refused: .*{says}", 3),
        "failed": ("report", says, 1),
        "uncompiled": ("build", f"error: .*{says}|undefined reference.*{says}", 3),
        "remark": ("remarks", says, 1),
    }[what]
    # A dot and a star mean the same to grep; parentheses do not.
    line = re.sub(r"([()])", r"\\\1", line.removeprefix("(?m)"))
    assert re.search(line, judged.said(log), re.MULTILINE), judged.told
    assert judged.status == status and "\n  ok  " not in f"\n{judged.said('report')}", judged.told


FREED_TWICE = """
#include <cuda_runtime.h>
#include <cstdlib>
__global__ void matrixMulKernel(const float*, const float*, float*, int) {}
void matrixMul(const float*, const float*, float*, int) {
    void* volatile memory = std::malloc(100);
    std::free(memory);
    std::free(memory);
}
"""


def test_a_mistake_that_the_c_library_ends_is_no_accusation() -> None:
    file = ROOT / LOGS / "freed_twice.cu"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(FREED_TWICE, encoding="utf-8")
    judged = Judged("lab1_naive", "kernel", str(file), "lab1_naive-freed-twice")
    assert judged.status == 1 and judged.said("remarks") == "", judged.told


def test_a_destructor_of_the_file_runs_in_no_process() -> None:
    file = "common/verdict/attacks/runs_behind_the_tests.cu"
    judged = Judged("lab1_naive", "kernel", file, "behind-the-tests")
    assert judged.status == 1 and "runs behind the tests" not in judged.said("output"), judged.told


@pytest.fixture(scope="module", name="without_checks")
def judged_without_checks() -> Judged:
    """Returns the verdict after a change of the options in memory; the environment makes the
    change."""
    file = "solutions/lab1_naive/kernel.cu"
    return Judged("lab1_naive", "kernel", file, "checks-off", CUSIM_CHECKS="counters")


def test_nothing_passes_and_a_remark_is_made_if_checks_of_the_device_are_off(
    without_checks: Judged,
) -> None:
    assert without_checks.status == 1, without_checks.told
    assert "are switched off" in without_checks.said("remarks"), without_checks.told
    assert "\n  ok  " not in f"\n{without_checks.said('report')}", without_checks.told


def test_the_program_that_records_names_no_function_of_its_own(without_checks: Judged) -> None:
    symbols = call("nm", "-C", without_checks.folder / "record")[1]
    assert re.findall("cusim::options|testing::writeToChannel|guardChannelCall", symbols) == []


# --- the guard, tested by a program that the gate would refuse ---

REFUSED = "process program parent file record copy replace close reopen memory code sockets network"


@pytest.fixture(name="tried")
def program_that_tries(tmp_path: pathlib.Path):
    """Returns a function that returns the exit status and the output about each attempt, after the
    name of the process."""
    ended(make("build/guard_tries"), 0)
    command = ("bash", "-c", '"$@" 3>"$0"', tmp_path / "bin", ROOT / "build/guard_tries")
    return lambda *attempts, **given: call(*command, *attempts, **{"LAB_RECORD_FD": "3", **given})


@pytest.mark.parametrize("process, more", [("host", "rights fork local"), ("device", "")])
def test_the_guard_refuses_what_no_lab_needs(tried, process: str, more: str) -> None:
    attempts = [*REFUSED.split(), *more.split(), "delete", "seed"]
    status, said = tried(process, *attempts, LAB_SEED="secret")
    refused = [line for line in said.splitlines() if line.endswith(" refused")]
    assert status == 0 and len(refused) == len(attempts), said


def test_the_guard_lets_host_threads_and_reading_pass_which_the_simulated_device_needs(
    tried,
) -> None:
    assert tried("host", "thread", "read")[1] == "thread done\nread done\n"


def test_the_guard_lets_the_process_of_the_device_start_the_hosts(tried) -> None:
    assert tried("device", "fork", "local", "thread")[1] == "fork done\nlocal done\nthread done\n"


@pytest.mark.parametrize("descriptor", ["", "0", "x", "99"])
def test_a_program_that_records_refuses_a_wrong_descriptor(tried, descriptor: str) -> None:
    ended(tried(LAB_RECORD_FD=descriptor), 2, "LAB_RECORD_FD")
