"""Holds a graded class against what was expected of it.

What a file must earn is found without the grader: the ordinary test program, in which the file's
code runs along with the tests, is built and run with the same seed and hidden tests.
"""

import contextlib
import json
import os
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

import points
import scoring
from grade import options, steps, students


def direct(lab, part, file, seed, work):
    """Returns the points that the ordinary test program gives."""
    # make takes no OUT with a blank, which the course's path may hold.
    out = os.path.relpath(os.path.join(work, f"{lab}-{part}-{file.replace('/', '-')}"))
    results = out + ".results"
    make = steps.rules(lab, part, True) + [f"KERNEL={os.path.abspath(file)}", f"OUT={out}"]
    env = {**os.environ, **steps.environment(lab, part, file, seed), "LAB_RESULTS": results}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    verdicts = {}
    if subprocess.call([*make, "tests_program"], **quiet) == 0:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.call([os.path.join(out, "tests")], env=env, **quiet, timeout=300)
            with open(results, encoding="utf-8") as file:
                verdicts = scoring.verdicts_of(file)
    allotted = points.load(lab).parts[part]
    tests = scoring.score_tests(allotted, verdicts)
    most = points.total(test["points"] for test in tests)
    return points.total(test["score"] for test in tests), most


def wrong_with(result, expected, measured):
    """Returns a sentence; empty where the result is as expected."""
    files = [tuple(file) for file in expected["files"]]
    score = points.total(measured[file][0] for file in files)
    if expected["rule"] == "none":
        reasons = [part["reason"] for lab in result["labs"] for part in lab["parts"]]
        told = result["remarks"] or result["status"] != "graded" or any(reasons)
        return "" if result["score"] == 0 and told else f"{result['score']} points, or no reason"
    if expected["rule"] == "most":
        most = max(score, expected["most"])
        return "" if result["score"] <= most else f"{result['score']} points instead of {most}"
    if result["score"] != score:
        return f"{result['score']} points; a direct run of the tests gives {score}"
    full = score == points.total(measured[file][1] for file in files)
    if full != expected["full"]:
        return f"{score} points are " + ("all, for a mistake" if full else "not all")
    return ""


def measure(files, seed, work):
    """Returns {file: (score, most)}; builds in a folder."""
    os.makedirs(work, exist_ok=True)
    # One make at a time builds what the builds below share.
    for lab, part in sorted({file[:2] for file in files}):
        subprocess.call([*steps.rules(lab, part, True), "replay"], stdout=subprocess.DEVNULL)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(files, pool.map(lambda file: direct(*file, seed, work), files)))


def wrong(submissions, expected, out, work):
    """Returns a sentence for each submission that is lost or has another mark than expected."""
    seed = options.number_of(pathlib.Path(out, "seed").read_text(encoding="utf-8").strip())
    files = sorted({tuple(file) for one in expected.values() for file in one["files"]})
    measured = measure(files, seed, work)
    found = {os.path.basename(one.path): one for one in students.find(submissions)}
    told = []
    for name, one in expected.items():
        shown = students.printable(name)
        path = pathlib.Path(out, "students", found[name].folder, "result.json")
        try:
            why = wrong_with(json.loads(path.read_bytes()), one, measured)
        except (OSError, ValueError) as error:
            told.append(f"the submission {shown} is lost: {error}")
            continue
        shown = f"{shown} ({one['rule']} {' '.join(file[2] for file in one['files'])})"
        told += [f"the submission {shown}: {why} ({path})"] if why else []
    return told
