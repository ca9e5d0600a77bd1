"""Checks the questions of the labs: the solution's answers pass, none passes while all are open,
right answers wait for a right kernel, for each known mistake exactly the questions fail that it
answers differently, answers may not contain code, and no test contains an answer."""

import os
import pathlib
import re

import chosen
import editor_tasks
import judging
import mistakes
import pytest
from calls import ROOT, call, value_of
from judging import earns_nothing
from run_report import LOGS
from test_record import Judged

SPREAD = True
PART = "answers"

LABS = [lab for lab in judging.labs() if (ROOT / lab / "answers.h").exists()]
MISTAKES = [(one.lab, one.name) for lab in LABS for one in mistakes.found(lab, "answers")]
ATTACKS = ROOT / "common/verdict/attacks/answers"
REFUSED = r"^refused: .* (holds more than answers: |#include names a file)"
each_lab = pytest.mark.parametrize("lab", LABS)


def files(folder: pathlib.Path) -> list[tuple[str, str]]:
    """Returns the answers in the labs' folders below this one, each with its lab."""
    found = [(lab, path) for lab in LABS for path in sorted((folder / lab).rglob("answers/*.h"))]
    found += [(lab, path) for lab in LABS for path in sorted((folder / lab).glob("*.h"))]
    return [(lab, str(path.relative_to(ROOT))) for lab, path in found]


def questions(file: pathlib.Path) -> list[str]:
    """Returns the questions' names in the order of a file; Q1_loads asks Q1."""
    text = file.read_text(encoding="utf-8")
    return re.findall(r"^constexpr Answer (\w*) = ", text, re.MULTILINE)


def numbers(names: list[str]) -> set[str]:
    return {name.partition("_")[0] for name in names}


def wrong_in(lab: str, name: str) -> set[str]:
    """Returns the questions that a known mistake answers differently; an answer that only spells
    out another one is right."""
    (known,) = mistakes.found(lab, "answers", name)
    added = [line for line in known.lines if not line.endswith("is as before")]
    return set(re.findall(r"^\+constexpr Answer (Q\d*)_", "\n".join(added), re.MULTILINE))


def failed(report: str) -> set[str]:
    return set(re.findall(r"^FAIL  (Q\d*): ", report, re.MULTILINE))


def judge(lab: str, what: str, *variables: str) -> judging.Run:
    """Judges answers; their report must fit a terminal."""
    run = judging.Run(lab, "answers", what, *variables)
    lines = run.report.splitlines()
    # The path of the judged file depends on the machine.
    wide = [line for line in lines if len(line) > 80 and " on the simulated device" not in line]
    assert not wide, f"wider than 80 columns: {wide[0]}"
    return run


@each_lab
@pytest.mark.parametrize(
    "variable",
    ["", *chosen.quick(0, ["SCHEDULE=reverse", "TILE_WIDTH=4", "PROFILE=8800gtx"])],
)
def test_the_answers_of_the_solution_pass(lab: str, variable: str) -> None:
    what = f"solution-{variable}" if variable else "solution"
    run = judge(lab, what, "SOLUTION=1", *filter(None, [variable]))
    assert run.passed, run.report


@pytest.mark.parametrize("lab, style", chosen.quick(1, files(ROOT / "solutions/styles")))
def test_answers_in_a_style_of_their_own_pass(lab: str, style: str) -> None:
    run = judge(lab, f"style-{pathlib.Path(style).stem}", "SOLUTION=1", f"KERNEL={style}")
    assert run.passed, run.report


@each_lab
def test_each_question_of_the_skeleton_is_open_with_a_sentence(lab: str) -> None:
    source = f"{lab}/answers.h"
    if judging.edited(source):
        assert not os.environ.get("CI"), f"{source} {judging.COMMITTED_ALONE}"
        pytest.skip(f"{source} has been edited")
    run = judge(lab, "skeleton", "LAB_EDITOR=1")
    assert questions(ROOT / source) == questions(ROOT / "solutions" / source)
    assert failed(run.report) == numbers(questions(ROOT / source)), run.report
    assert re.search("^0 passed, ", run.report, re.MULTILINE), run.report
    assert run.findings == "unanswered", run.report
    lines = (ROOT / source).read_text(encoding="utf-8").splitlines()
    found = ((re.match(r"constexpr Answer (Q\d+)_", line), n) for n, line in enumerate(lines, 1))
    first = {answer[1]: n for answer, n in reversed([*found]) if answer}
    marked = {mark.line for mark in editor_tasks.marks("test", run.said)}
    assert marked == set(first.values()), run.said
    earns_nothing(run.log, lab, "answers")


@each_lab
def test_right_answers_wait_for_a_right_kernel(lab: str) -> None:
    for source in (f"{lab}/answers.h", f"{lab}/kernel.cu"):
        if judging.edited(source):
            pytest.skip(f"{source} has been edited")
    run = judge(lab, "no-kernel", f"KERNEL=solutions/{lab}/answers.h")
    assert run.findings == "kernel-first", run.report


def test_the_same_answers_have_a_program_for_each_kernel_that_measures_them() -> None:
    answers = "KERNEL=solutions/lab1_naive/answers.h"
    asked = ["$(OUT)", "lab1_naive", "PART=answers", answers]
    folders = {value_of(*asked, *more) for more in ((), ("SOLUTION=1",))}
    assert len(folders) == 2, folders


@pytest.mark.parametrize("lab, mistake", chosen.quick(4, MISTAKES))
def test_just_the_wrong_answers_fail(lab: str, mistake: str) -> None:
    (known,) = mistakes.found(lab, "answers", mistake)
    made = mistakes.make(known)
    run = judge(lab, f"mistake-{mistake}", "SOLUTION=1", f"KERNEL={made}", "LAB_EDITOR=1")
    assert f"Finding: {run.findings}" == known.head[0], run.report
    assert failed(run.report) == wrong_in(lab, mistake), run.report
    marks = editor_tasks.marks("test", run.said)
    assert marks and all(mark.lies_in(made) for mark in marks), run.said


@each_lab
def test_a_record_of_wrong_answers_is_judged_as_they_are(lab: str) -> None:
    """The answers and the kernel of another student, recorded in one program, judged by another."""
    (known,) = mistakes.found(lab, "answers", "second_thoughts")
    measured = f"solutions/{lab}/kernel.cu"
    made = str(mistakes.make(known))
    judged = Judged(lab, "answers", made, f"{lab}-answers", MEASURED=measured)
    verdict = judged.status, failed(judged.said("report"))
    assert verdict == (1, wrong_in(lab, "second_thoughts")), judged.told


@pytest.mark.parametrize("lab, attack", chosen.quick(2, files(ATTACKS)))
def test_answers_that_bring_code_along_are_refused_before_it_runs(lab: str, attack: str) -> None:
    out = LOGS / f"{lab}-answers-attack-{pathlib.Path(attack).stem}"
    log = out.with_suffix(".log")
    (out / "record").unlink(missing_ok=True)
    measured = f"MEASURED=solutions/{lab}/kernel.cu"
    words = [f"KERNEL={attack}", measured, f"OUT={out.relative_to(ROOT)}", "record"]
    judging.make(lab, "answers", *words, log=log)
    text = (ROOT / attack).read_text(encoding="utf-8")
    does_not_compile = "\n// It does not compile.\n" in f"\n{text}"
    why = r"^[^ ]*: error: " if does_not_compile else REFUSED
    said = log.read_text(encoding="utf-8", errors="replace")
    assert not (out / "record").exists() and re.search(why, said, re.MULTILINE), said


def answers_of(lab: str, folder: pathlib.Path) -> dict[str, float]:
    """Returns the numbers in the solution's answers, from the compiler. The folder is for the
    program that prints them."""
    header = f"solutions/{lab}/answers.h"
    names = questions(ROOT / header)
    prints = "".join(f'std::printf("%.17g {name}\\n", double({name}));' for name in names)
    text = f'#include <cstdio>\n#include "{header}"\nint main() {{{prints}}}\n'
    (folder / "keys.cpp").write_text(text)
    compiler = [os.environ.get("CXX", "g++"), "-std=c++17", "-Icommon", "-I."]
    assert call(*compiler, folder / "keys.cpp", "-o", folder / "keys") == (0, "")
    lines = call(folder / "keys")[1].splitlines()
    return {name: float(number) for number, name in map(str.split, lines)}


@each_lab
def test_no_answer_of_three_digits_stands_in_a_test(lab: str, tmp_path: pathlib.Path) -> None:
    answers, told = answers_of(lab, tmp_path).items(), []
    # Small whole numbers are everywhere.
    keys = {f"{one:.6g}": name for name, one in answers if one >= 100 or one != int(one)}
    for path in sorted((ROOT / lab / "answers").iterdir()):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for word in re.findall(r"\d[\d,']*(?:\.\d+)?", line):
                key = f"{float(word.replace(',', '').replace(chr(39), '')):.6g}"
                if key in keys:
                    told.append(f"{lab}/answers/{path.name}:{number} holds {word}: {keys[key]}")
    assert told == []


@each_lab
def test_the_sections_that_tests_point_to_are_there(lab: str) -> None:
    handout = (ROOT / lab / "README.md").read_text(encoding="utf-8")
    for path in (ROOT / lab / "answers").glob("test_*.cpp"):
        for section in re.findall(r'See \\"([^\\]*)', path.read_text(encoding="utf-8")):
            there = re.search(f"^#+ {re.escape(section)}", handout, re.MULTILINE)
            assert there, f"{path}: {section}"
