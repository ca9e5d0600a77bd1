#!/usr/bin/env python3
"""Checks the points of labs against runs: check_points.py LOGS LAB...

LOGS holds a results file of each run that common/testing/check_all.sh has made:
LAB-PART-solution.results, LAB-PART-skeleton.results, LAB-PART-mistake-NAME.results. The tests of
the points file are those of the solution's run; the solution earns everything, the skeleton
nothing, a known mistake less than everything; every TODO has points. One line a part: 'ok ...' or
'FAIL ...'. The hidden tests, which these runs do not have, are those of test_hidden.py.
"""

import re
import sys
from pathlib import Path

import points
import scoring

ROOT = Path(__file__).resolve().parents[2]


def read(path: Path) -> dict:
    with open(path, encoding="utf-8") as file:
        return scoring.verdicts_of(file)


def score(part: points.Part, verdicts: dict) -> float:
    return points.total(test["score"] for test in scoring.score_tests(part, verdicts, False))


def check_mistakes(lab: str, part: points.Part, best: float, logs: Path):
    folder = ROOT / "solutions" / "mistakes" / lab
    suffix = "h" if part.name == "answers" else "cu"
    folder = folder if part.name == "kernel" else folder / part.name
    for mistake in sorted(folder.glob(f"*.{suffix}")):
        run = logs / f"{lab}-{part.name}-mistake-{mistake.stem}.results"
        if not run.exists():
            yield f"no results of the known mistake {mistake.stem}: {run}"
        elif score(part, read(run)) >= best:
            yield f"the known mistake {mistake.stem} earns all {best} points"


def check_todos(lab: str, part: points.Part):
    skeleton = ROOT / lab / f"{part.name}.cu"
    # The questions of answers.h are no TODOs.
    text = skeleton.read_text(encoding="utf-8") if skeleton.exists() else ""
    for todo in sorted({int(n) for n in re.findall(r"TODO\((\d+)\)", text)}):
        tests = [test for test in part.tests if todo in points.todos_of(test.name)]
        if not any(test.points > 0 and not test.hidden for test in tests):
            yield f"no point for TODO({todo}) of {lab}/{part.name}.cu"


def check_skeleton(lab: str, part: points.Part, logs: Path):
    run = logs / f"{lab}-{part.name}-skeleton.results"
    if not run.exists():
        return
    for test in scoring.score_tests(part, read(run), hidden=False):
        if test["score"] > 0:
            yield (
                f"the untouched skeleton earns {test['score']} for '{test['test']}': "
                'give the test "needs", a test that the skeleton fails'
            )


def check_part(lab: points.Lab, name: str, logs: Path):
    run = logs / f"{lab.name}-{name}-solution.results"
    if not run.exists():
        yield f"no results of the solution: {run}"
        return
    verdicts = read(run)
    problems = points.compare_names(lab, name, list(verdicts), hidden=False)
    if name not in lab.parts or problems:
        yield from problems
        return
    part = lab.parts[name]
    tests = scoring.score_tests(part, verdicts, hidden=False)
    best = points.total(test["points"] for test in tests)
    lost = [test["test"] for test in tests if test["score"] < test["points"]]
    if lost:
        yield f"the solution loses the points of '{lost[0]}'"
    yield from check_skeleton(lab.name, part, logs)
    yield from check_todos(lab.name, part)
    yield from check_mistakes(lab.name, part, best, logs)


def check_lab(name: str, logs: Path):
    lab = points.load(name)
    exercises = sorted((ROOT / name).glob("*.cu")) + sorted((ROOT / name).glob("answers.h"))
    for file in exercises:
        if file.stem not in lab.parts:
            yield f"FAIL common/grading/points/{name}.json has no part {file.stem}"
    for part in lab.parts:
        problems = list(check_part(lab, part, logs))
        for problem in problems:
            yield f"FAIL points: {name}, {part}: {problem}"
        if not problems:
            best = points.total(test.points for test in lab.parts[part].tests if not test.hidden)
            left = "" if (logs / f"{name}-{part}-skeleton.results").exists() else " (not run)"
            yield f"ok points: {name}, {part}: solution {best}, skeleton 0{left}, mistakes less"


def check_names(lab: str, part: str, run: str) -> int:
    """The names alone, of a run with the hidden tests."""
    try:
        problems = points.compare_names(points.load(lab), part, list(read(Path(run))))
    except (points.PointsError, ValueError, OSError) as error:
        problems = [str(error)]
    print("\n".join(problems))
    return 1 if problems else 0


def main() -> int:
    if len(sys.argv) == 5 and sys.argv[1] == "--names":
        return check_names(*sys.argv[2:])
    if len(sys.argv) < 3:
        print("usage: check_points.py LOGS LAB... | --names LAB PART RESULTS", file=sys.stderr)
        return 2
    failed = False
    for name in sys.argv[2:]:
        try:
            for line in check_lab(name, Path(sys.argv[1])):
                failed = failed or line.startswith("FAIL")
                print(line)
        except (points.PointsError, ValueError, OSError) as error:
            failed = True
            print(f"FAIL points: {name}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
