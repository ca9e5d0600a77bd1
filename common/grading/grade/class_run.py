"""One run of the grader: its needs, the students, the class's files, the last lines shown."""

import fcntl
import os
import time

import model
from forms import table
from speed.contest import Contest, Unmeasured

from . import choosing, engine, places, sandbox, students
from . import options as asked
from .course import Course
from .errors import Refused
from .judge import Judge
from .submission import Grader, hand_in


def say(*lines):
    print(*lines, sep="\n", flush=True)


def chosen_box(options, workplace):
    box = sandbox.choose(options.limits, options.sandbox, workplace.top)
    if box is None:
        raise Refused(
            "SANDBOX=required: bubblewrap (bwrap) is not installed, or may not work here; install\n"
            "it with: sudo apt-get install bubblewrap"
        )
    return box


def self_check(course, box, workplace):
    """Judges the course's own file first, so that a broken course is not blamed on students."""
    lab = course.labs[0]
    part = course.parts[lab][0]
    judge = Judge(course, box, 1, 0, workplace.of(0))
    verdict = judge.judge(lab, part, course.skeleton(lab, part))
    if verdict.state == "graded" and verdict.verdicts:
        return
    raise Refused(
        f"The course's own {lab}/{part} cannot be judged, so nobody's would be: {verdict.state}.\n"
        f"{verdict.reason}"
    )


def contest_of(course, box, workplace):
    """Returns the contest where there are points for speed, after timing the first reference
    against itself; else None."""
    if not course.references:
        return None
    contest = Contest(course.path, box, workplace.of("card"), course.card)
    (lab, part), data = next(iter(course.references.items()))
    try:
        contest.measure(lab, part, data, data, course.performance(lab, part))
    except Unmeasured as reason:
        where = f"DEVICE=gpu: speed cannot be measured on {course.card.name}"
        raise Refused(f"{where}:\n{reason}.") from None
    return contest


def compile_all(course, box, workplace, everybody):
    """Builds for the card, without running, each file that would be timed: COMPILE_ONLY=1."""
    course.prepare(say)
    contest = Contest(course.path, box, workplace.of("card"), course.card)
    for (lab, part), data in course.references.items():
        try:
            contest.reference(lab, part, data)
        except Unmeasured as reason:
            raise Refused(f"DEVICE=gpu: {lab}/{part}: {reason}.") from None
        for student in everybody:
            one = hand_in(student, course)[0].get((lab, part))
            if one and one.data and choosing.unlike(one.data, course.skeleton(lab, part)):
                _, cause = contest.build(lab, part, "own", one.data)
                say(f"{student.name}: {lab}/{part}: {cause or 'compiled'}")
    what = "" if course.references else "no points for speed, nothing to compile; "
    say(f"make grade: {what}compiled, not run (COMPILE_ONLY=1); nobody is graded")


def hold(out):
    """Locks OUT for this grader until the returned file is closed; raises Refused where it is
    taken."""
    lock = open(os.path.join(out, ".lock"), "a", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Refused(f"OUT={out}: another grader is at work there.") from None
    return lock


def head(options, course, box, word):
    parts = sum(len(names) for names in course.parts.values())
    say(
        f"Labs: {', '.join(course.labs)}; {parts} files each.",
        f"Isolation: {box.describe()}.",
        f"Seed: {word}; kept in {os.path.join(options.out, 'seed')}.",
        *([f"Speed: on {course.card.name.split(',')[0]}, one at a time."] if course.card else []),
        *(f"Not graded: {part} is not in its lab.toml." for part in course.without_points),
    )


def summary(options, course, box, results, seconds):
    scores = [result["score"] for result in results]
    states = {}
    for result in results:
        states[result["status"]] = states.get(result["status"], 0) + 1
    return {
        "labs": course.labs,
        "course": course.digest,
        "isolation": box.kind,
        "submissions": len(results),
        "states": states,
        "mean": round(sum(scores) / len(scores), 2),
        "max_score": max(result["max_score"] for result in results),
        "with_remarks": sum(bool(result["remarks"]) for result in results),
        "seconds": round(seconds, 1),
        "limits": vars(options.limits),
        "jobs": options.jobs,
    }


def last_screen(options, report, each):
    graded, seconds = report["states"].get("graded", 0), report["seconds"]
    lines = [f"{report['submissions']} submissions, {graded} graded, in {seconds:.0f} s."]
    others = sorted(state for state in report["states"] if state != "graded")
    lines += [f"  {report['states'][state]}: {state}" for state in others]
    if each:
        lines.append(f"{each:.1f} s a submission, {options.jobs} at a time.")
    say(
        *lines,
        f"Mean {report['mean']:g} of {report['max_score']:g}; {report['with_remarks']} with remarks"
        " for you.",
        f"In {options.out}:",
        "  grades.csv      a line a student, with the remarks",
        "  summary.json    the class in numbers",
        "  students/NAME/  result.json, feedback.md, log.txt",
    )


def grade_class(options):
    began = time.monotonic()
    lock = hold(options.out)
    everybody = students.find(options.submissions)
    course = Course(options.labs, options.on_card, options.compile_only)
    workplace = engine.Workplace(places.for_workers(course.cache, options.jobs))
    try:
        box = chosen_box(options, workplace)
        if options.compile_only:
            compile_all(course, box, workplace, everybody)
            return
        seed, word = asked.seed_of(options.out)
        head(options, course, box, word)
        course.prepare(say)
        self_check(course, box, workplace)
        contest = contest_of(course, box, workplace)
        grader = Grader(options, course, seed, asked.number_of(seed), contest)
        running = engine.Engine(grader, box, workplace)
        ready = time.monotonic()
        new = running.run(everybody, options)
        each = (time.monotonic() - ready) / max(1, new)
    finally:
        workplace.remove()
    results = [running.results[student] for student in everybody]
    report = summary(options, course, box, results, time.monotonic() - began)
    table.write(os.path.join(options.out, "grades.csv"), results)
    model.write_json(os.path.join(options.out, "summary.json"), report)
    last_screen(options, report, each if new else 0)
    lock.close()


def grade_one(options, folder):
    """Grades one student for an engine, which holds OUT and has built the course."""
    found = [one for one in students.find(options.submissions) if one.folder == folder]
    if not found:
        raise Refused(f"{folder}: there is no such student in {options.submissions}.")
    course = Course(options.labs, options.on_card, options.compile_only)
    workplace = engine.Workplace(places.for_workers(course.cache, options.jobs))
    try:
        box = chosen_box(options, workplace)
        course.prepare(say)
        seed, _ = asked.seed_of(options.out)
        contest = contest_of(course, box, workplace)
        grader = Grader(options, course, seed, asked.number_of(seed), contest)
        running = engine.Engine(grader, box, workplace)
        running.one(found[0], running.judge(0), False)
        if not running.results:  # Again was raised: judge once more
            running.one(found[0], running.judge(0), True)
    finally:
        workplace.remove()
    say(f"{folder}: {running.results[found[0]]['status']}")
