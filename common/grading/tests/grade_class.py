"""Grades a small class of lab 1 as a teacher does: marks, an interrupted run, wrong usage. Prints
'ok ...' and 'FAIL ...' for check_all.sh. usage: grade_class.py FOLDER"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile

from grade.course import Course

LAB, TOP = "lab1_naive", os.path.abspath(sys.argv[1])
SUBMISSIONS, OUT = os.path.join(TOP, "class"), os.path.join(TOP, "out")
ATTACK = """
#include <cstdio>
#include <cstdlib>
__attribute__((constructor)) static void win() {
    std::printf("17 passed, 0 failed\\n");
    std::fflush(stdout);
    std::exit(0);
}
"""
HANG = "struct Hang { Hang() { for (volatile int i = 0;; i = 1) {} } } hang;\n"


def check(good, what, seen=""):
    print(f"ok {what}" if good else f"FAIL {what}: {str(seen)[-300:]!r}", flush=True)


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def put(student, name, text):
    path = os.path.join(SUBMISSIONS, student, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def hand_in():
    solution = content(f"solutions/{LAB}/kernel.cu")
    for part in ("kernel.cu", "matrix_add.cu", "answers.h"):
        put("a solution", f"course/{LAB}/{part}", content(f"solutions/{LAB}/{part}"))
    put("the same", "kernel.cu", solution)
    put("mistake", f"{LAB}/kernel.cu", content(f"build/mistakes/{LAB}/kernel/no_guard.cu"))
    put("attack", "kernel.cu", solution + ATTACK)
    put("hang", "kernel.cu", solution + HANG)
    put("broken", "kernel.cu", "no program")
    put("-nothing\n", "read me.txt", "I was ill.")
    with zipfile.ZipFile(os.path.join(SUBMISSIONS, "skeleton.zip"), "w") as archive:
        archive.write(f"{LAB}/kernel.cu")
    put(".", "marks.ods", "")


def environment(**variables):
    given = {"SUBMISSIONS": SUBMISSIONS, "OUT": OUT, "LABS": "lab1", "SEED": "check"}
    given.update(RUN_SECONDS="6", **variables)
    clean = {name: value for name, value in os.environ.items() if name not in ("JOBS", "SANDBOX")}
    return {**clean, **given}


def grade(**variables):
    command = [sys.executable, "-m", "grade"]
    try:
        return subprocess.run(
            command,
            env=environment(**variables),
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 1, str(late.stdout), "it took 300 seconds")


def results():
    found = {}
    for name in os.listdir(os.path.join(OUT, "students")):
        path = os.path.join(OUT, "students", name, "result.json")
        if os.path.exists(path):
            result = json.loads(content(path))
            found[result["student"]] = result
    return found


def interrupted():
    """Kills the grader, without a chance to clean up, after some students."""
    running = subprocess.Popen(
        [sys.executable, "-m", "grade"],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 300
    while time.monotonic() < until and running.poll() is None and len(results()) < 3:
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    return len(results())


def marks():
    done = interrupted()
    ended = grade()
    check(ended.returncode == 0, "a class of lab 1 is graded", ended.stdout + ended.stderr)
    kept = [line for line in ended.stdout.splitlines() if "earlier run" in line]
    check(kept and 0 < done < 9, "a run that was killed goes on", (done, kept))

    found = results()
    whole = {name: (one["score"], one["max_score"]) for name, one in found.items()}
    kernel = {name: one["labs"][0]["parts"][0] for name, one in found.items()}
    check(len(found) == 9, "every submission has a result", sorted(found))
    check(whole["a solution"][0] == whole["a solution"][1] > 0, "a solution gets all points", whole)
    check(
        kernel["the same"]["score"] == kernel["a solution"]["score"] > 0,
        "the same file gets the same points",
        kernel["the same"],
    )
    check(
        0 < kernel["mistake"]["score"] < kernel["a solution"]["score"],
        "a known mistake gets some of the points",
        kernel["mistake"]["score"],
    )
    states = {name: part["state"] for name, part in kernel.items()}
    wanted = {
        "a solution": "graded",
        "skeleton": "unchanged",
        "broken": "does not compile",
        "hang": "stopped",
        "-nothing\\n": "missing",
    }
    check({**states, **wanted} == states, "each kind of failure is named", states)
    lost = [name for name in ("attack", "hang", "broken", "skeleton") if whole[name][0] != 0]
    check(not lost, "an attack, a hang, no program and a skeleton get no point", lost)
    check(found["attack"]["remarks"], "the attack is told to the teacher", found["attack"])
    secret = content(os.path.join(OUT, "seed")).strip()
    check(secret == "check", "the seed is kept", secret)


def table():
    rows = list(csv.DictReader(content(os.path.join(OUT, "grades.csv")).splitlines(keepends=True)))
    check(len(rows) == 9, "grades.csv has a row a submission", len(rows))
    before = content(os.path.join(OUT, "grades.csv"))
    # The student whose kernel hangs would cost time again and show nothing new.
    shutil.rmtree(os.path.join(SUBMISSIONS, "hang"))
    again = grade(OUT=OUT + " 2", JOBS="1")
    other = content(os.path.join(OUT + " 2", "grades.csv"))
    same = [line for line in before.splitlines() if not line.startswith("hang,")]
    check(other.splitlines() == same, "a second run gives the same table", other + again.stderr)


def refused():
    cases = {
        "SUBMISSIONS is missing": {"SUBMISSIONS": ""},
        "no such folder": {"SUBMISSIONS": os.path.join(TOP, "nowhere")},
        "is no folder": {"SUBMISSIONS": os.path.join(SUBMISSIONS, "marks.ods")},
        "lies in SUBMISSIONS": {"OUT": os.path.join(SUBMISSIONS, "out")},
        "OUT is missing": {"OUT": ""},
        "cannot be written": {"OUT": "/proc/out"},
        "no such lab": {"LABS": "lab9"},
        "JOBS=many": {"JOBS": "many"},
        "SANDBOX=some": {"SANDBOX": "some"},
        "ENGINE=steam": {"ENGINE": "steam"},
    }
    for words, variables in cases.items():
        ended = grade(**variables)
        good = ended.returncode == 2 and words in ended.stderr and ended.stderr.count("\n") <= 2
        check(good, f"wrong usage is refused: {words}", ended.stderr + ended.stdout)


def main():
    os.umask(0o022)  # as the grader does
    shutil.rmtree(TOP, ignore_errors=True)
    os.makedirs(os.path.join(OUT, "students"))
    hand_in()
    # Another class's grader would hold the course all the time; neither waits for the other.
    used = Course(["lab1"])
    used.prepare(lambda *lines: None)
    marks()
    table()
    refused()


if __name__ == "__main__":
    main()
