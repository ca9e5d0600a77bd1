"""Checks each part of each lab: its solution passes, its untouched skeleton fails, right kernels in
other styles pass, and known mistakes get exactly their findings. Checks the units of common/.

A few styles and mistakes of each part are drawn, others with each commit; STYLES=all judges all,
STYLES=1 one, and so does MISTAKES. Styles of kernel.cu are in solutions/styles/LAB, or as patches
in a folder kernel, those of another part in a folder of its name. For a lab's questions see
test_answers.py."""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import warnings
from collections.abc import Callable

import chosen
import editor_tasks
import judging
import mistakes
import pytest
from course import facts, state
from judging import earns_nothing, scores
from release import contents
from run_report import LOGS, ROOT

SPREAD = True  # no test depends on another one of this file
# For each part: in the quick ring, and in both.
DRAWN = {"STYLES": (1, 2), "MISTAKES": (2, 8)}

PARTS = [(lab, part) for lab in judging.labs() for part in judging.parts(lab)]
each_part = pytest.mark.parametrize("lab, part", PARTS)


def orders_and_widths() -> list[tuple[str, str, str]]:
    """Returns the variables with which a part's solution must also pass."""
    found = []
    for lab, part in PARTS:
        variables = ["SCHEDULE=reverse", "SCHEDULE=random:1", *judging.tile_widths(lab, part)]
        found += [(lab, part, variable) for variable in variables]
    return found


def drawn(kind: str, of_part: Callable[[str, str], list[str]]) -> list[object]:
    """Returns the drawn files of `kind` for each part, with lab and part; their number is the value
    of the environment variable of this name, or all."""
    asked = os.environ.get(kind, "")
    in_quick, in_both = DRAWN[kind]
    number = None if asked == "all" else int(asked or in_both)
    found: list[object] = []
    for lab, part in PARTS:
        there = of_part(lab, part)
        names = random.Random(f"{lab}/{part}{chosen.seed()}").sample(there, len(there))[:number]
        few = [(lab, part, one) for one in names]
        found += [chosen.parameters(one, at >= in_quick) for at, one in enumerate(few)]
    return found


def styles() -> list[object]:
    return drawn("STYLES", lambda *part: [str(style) for style in mistakes.styles(*part)])


def known_mistakes() -> list[object]:
    return drawn("MISTAKES", lambda *part: [one.name for one in mistakes.found(*part)])


def is_marked(run: judging.Run, file: pathlib.Path) -> bool:
    """Tells whether an editor marks this file, and all lines of the failed tests' findings."""
    marks = editor_tasks.marks("test", run.said)
    tests = map(json.loads, run.log.with_suffix(".results").read_text("utf-8").splitlines())
    lines = {test["line"] for test in tests if "line" in test}
    errors = {mark.line for mark in marks if mark.severity == "error"}
    return errors > set() and errors >= lines and all(mark.lies_in(file) for mark in marks)


def check(run: judging.Run, right: object, sentence: str) -> None:
    """Fails with a run's report unless it is right."""
    if not right:
        pytest.fail(f"{sentence} ({run.log.relative_to(ROOT)})\n{run.report}", pytrace=False)


def earns_everything(run: judging.Run, lab: str, part: str) -> bool:
    """Tells whether a run has all points of the tests that students have."""
    return all(test["score"] == test["points"] for test in scores(run.log, lab, part))


def other_todos(run: judging.Run, lab: str, part: str) -> set[str]:
    """Returns the TODOs that the first explanation of a report says to begin with or to read about,
    other than the one of "Next:" and make hint; that one if the explanation does not name it."""
    results = state.results_in(run.log.with_suffix(".results").read_text("utf-8"))
    todo, said = results.begins_with, " ".join(results.first["explanation"].split())
    told = set(re.findall(r"(?:where: \S+, at |belongs to |waits for )(TODO\(\d+\))", said))
    read, facts_of_lab = said.rpartition("read: ")[2], facts.load(lab, str(ROOT))
    keys = filter(re.compile(r"TODO\(").match, facts_of_lab.part(part).read)
    steps = {key for key in keys if facts_of_lab.section(part, key) == read}
    told |= set() if todo in steps else steps
    return told ^ {todo} if todo not in results.first["test"] + said else told - {todo}


@pytest.mark.seconds(10)
@each_part
def test_the_solution_passes(lab: str, part: str) -> None:
    run = judging.Run(lab, part, "solution", "SOLUTION=1")
    check(run, run.passed, "the solution fails")
    check(run, earns_everything(run, lab, part), "the solution does not earn all points")
    # A test that needs something that this machine lacks, such as a GPU.
    for left in re.findall(r"^  --  left out: (.*)", run.report, re.MULTILINE):
        warnings.warn(f"left out: {lab}, {part}: {left}", stacklevel=1)
    check(run, not run.wide(), f"the report is wider than a terminal: {run.wide()}")


@pytest.mark.seconds(8)
@pytest.mark.full
@pytest.mark.parametrize("lab, part, variable", orders_and_widths())
def test_the_solution_passes_with(lab: str, part: str, variable: str) -> None:
    run = judging.Run(lab, part, f"solution-{variable}", "SOLUTION=1", variable)
    check(run, run.passed, f"the solution fails with {variable}")


@pytest.mark.seconds(8)
@each_part
def test_the_skeleton_fails_with_a_sentence_for_every_todo(lab: str, part: str) -> None:
    verdict, _, said = judging.skeleton(lab, part).partition(" ")
    if verdict == "left":
        pytest.skip(said.removeprefix("out: "))
    assert verdict == "ok", said
    earns_nothing(LOGS / f"{lab}-{part}-skeleton.log", lab, part)


@pytest.mark.parametrize("lab, part, style", styles())
def test_a_right_kernel_in_a_style_of_its_own_passes(lab: str, part: str, style: str) -> None:
    file = mistakes.file_of(pathlib.Path(style))
    first = file.read_text(encoding="utf-8").partition("\n")[0]
    assert re.match("// .", first), "its first line must be a comment that says what is different"
    run = judging.Run(lab, part, f"style-{file.stem}", f"KERNEL={file}")
    check(run, run.passed, f"{style} is right and does not pass")


@pytest.mark.parametrize("lab, part, mistake", known_mistakes())
def test_a_known_mistake_gets_its_findings(lab: str, part: str, mistake: str) -> None:
    (known,) = mistakes.found(lab, part, mistake)
    made = mistakes.make(known)
    run = judging.Run(lab, part, f"mistake-{mistake}", f"KERNEL={made}", "LAB_EDITOR=1")
    wanted = known.head[0].removeprefix("Finding: ")
    check(run, not run.passed, f"{known.path} passes, and should not")
    found = f"{known.path}: wanted '{wanted}', found '{run.findings}'"
    check(run, run.findings == wanted, found)
    check(run, not earns_everything(run, lab, part), f"{known.path} earns all points")
    costs = [float(cost) for cost in known.texts_of("Costs")]
    lost = sum(test["points"] - test["score"] for test in scores(run.log, lab, part))
    check(run, costs in ([], [lost]), f"{known.path}: it costs {lost:g} points")
    for sentence in known.texts_of("Says"):
        check(run, run.says(sentence), f"{known.path}: the report does not say '{sentence}'")
    unread = f"{known.path}: the report names no section to read; see {lab}/lab.toml"
    check(run, re.search("^       read: ", run.report, re.MULTILINE), unread)
    others = other_todos(run, lab, part)
    check(run, not others, f"{known.path}: Next: and the explanation of the FAIL differ: {others}")
    check(run, is_marked(run, made), f"{known.path}: an editor marks another line, or none")


@pytest.mark.parametrize("lab", judging.labs())
def test_mistakes_and_styles_lie_in_folders_that_are_named_after_parts(lab: str) -> None:
    kinds = [ROOT / "solutions" / kind / lab for kind in ("mistakes", "styles")]
    folders = [path for kind in kinds for path in kind.glob("*/")]
    named = [path for path in folders if path.is_dir()]
    here = ROOT / lab
    assert [
        str(path.relative_to(ROOT))
        for path in named
        if not (here / f"{path.name}.cu").exists() and not (here / f"{path.name}.h").exists()
    ] == []


UNITS = sorted({path.parents[1].name for path in (ROOT / "common").glob("*/tests/test_*.cpp")})


@pytest.mark.seconds(20)
@pytest.mark.parametrize("unit", UNITS)
def test_the_units_of_common_pass(unit: str) -> None:
    """Runs them without labs and solutions, because no unit needs these."""
    log, folder = LOGS / f"unit-{unit}.log", LOGS / f"unit-{unit}"
    shutil.rmtree(folder, ignore_errors=True)
    tests = (ROOT / f"common/{unit}/tests").iterdir()
    own = [path.relative_to(ROOT) for path in tests if path.is_file()]
    for name in (*contents.released([]), *own):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "build").mkdir()
    with open(log, "wb") as file:
        command = [ROOT / f"build/test_{unit}"]
        status = subprocess.run(command, cwd=folder, stdout=file, stderr=file).returncode
    if status != 0:
        pytest.fail(log.read_text(encoding="utf-8", errors="replace"), pytrace=False)
    shutil.rmtree(folder)
