"""One run of the grader: its needs, the students, the class's files, the last lines shown."""

import collections
import contextlib
import os
import sys
import time

import disk
import history
import model
import points
from forms import wording
from release.contents import Refused
from speed.contest import Contest, Unmeasured

from . import class_files, engine, given, only, places, roster, sandbox, students
from . import options as asked
from .course import Course
from .judge import Judge
from .submission import Grader, hand_in

INSTALL = "install it\nwith: sudo apt-get install bubblewrap"
NOT_ISOLATED = {
    "auto": "Submissions could read your files and each other's here: bubblewrap does not work,\n"
    f"and this kernel has no Landlock. For bubblewrap, {INSTALL}\n"
    "SANDBOX=limits grades all the same, with the kernel's limits alone.",
    "required": f"SANDBOX=required: bubblewrap (bwrap) is not installed, or may not work here; {INSTALL}",
    "landlock": f"SANDBOX=landlock: this kernel has no Landlock. For bubblewrap, {INSTALL}",
}


def say(*lines):
    print(*lines, sep="\n", flush=True)


@contextlib.contextmanager
def working(options):
    """Yields the course, the sandbox and the workers' folders, which it removes in the end."""
    course = Course(options.labs, options.on_card, options.compile_only)
    folder = places.for_workers(course.cache, options.jobs)
    with contextlib.closing(engine.Workplace(folder)) as workplace:
        box = sandbox.choose(options.limits, options.sandbox, workplace.top)
        if box is None:
            raise Refused(NOT_ISOLATED[options.sandbox])
        yield course, box, workplace


def self_check(course, box, workplace):
    """Judges the course's own file first, so that a broken course is not blamed on students."""
    lab, (part, *_) = next(iter(course.parts.items()))
    judge = Judge(course, box, 1, 0, workplace.of(0))
    verdict = judge.judge(lab, part, course.skeleton(lab, part))
    if verdict.state != "graded" or not verdict.verdicts:
        disk.need_room(judge.folder)
        said = f"cannot be judged, so no submission could be: {verdict.state}.\n{verdict.reason}"
        raise Refused(f"The course's own {lab}/{part} {said}")


def contest_of(course, box, workplace):
    """Times the first reference against itself; returns None if no points are for speed."""
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
            one = hand_in(student, course)[0].chosen.get((lab, part))
            if one and one.data and not one.unchanged:
                _, cause = contest.build(lab, part, "own", one.data)
                say(f"{student.name}: {lab}/{part}: {wording.clean(cause) or 'compiled'}")
    what = "" if course.references else "no points for speed, nothing to compile; "
    say(f"make grade: {what}compiled, not run (COMPILE_ONLY=1); no student is graded")


def summary(options, course, box, results, seconds, joined):
    of_roster = {"roster": joined.summary()} if joined else {}
    return of_roster | {
        "labs": course.labs,
        "course": points.version.of(str(points.ROOT)),
        "course_digest": course.digest,
        "isolation": box.kind,
        "submissions": len(results),
        "states": collections.Counter(result["status"] for result in results),
        "mean": round(sum(result["score"] for result in results) / len(results), 2),
        "max_score": max(result["max_score"] for result in results),
        "with_remarks": sum(bool(result["remarks"]) for result in results),
        "seconds": round(seconds, 1),
        "limits": vars(options.limits),
        "jobs": options.jobs,
    }


def last_screen(options, report, each, files):
    states, seconds = report["states"], report["seconds"]
    say(
        f"{report['submissions']} submissions, {states['graded']} graded, in {seconds:.0f} s.",
        *(f"  {states[state]}: {state}" for state in sorted(states) if state != "graded"),
        *([f"{each:.1f} s per submission, {options.jobs} at a time."] if each else []),
        f"Mean {report['mean']:g} of {report['max_score']:g}; {report['with_remarks']} with remarks"
        " for you.",
        f"In {options.out}:",
        *files,
    )


def tell_setting(options, course, box, word):
    parts = sum(map(len, course.parts.values()))
    say(f"Labs: {', '.join(course.labs)}; {parts} files each.")
    say(f"Isolation: {box.describe()}.")
    say(f"Seed: {word}; kept in {os.path.join(options.out, 'seed')}.")
    if asked.seed_is_shown():
        say(asked.SEED_SHOWN)
    if options.hidden_from:
        since = "explained since" if options.explains_hidden else "not explained before"
        say(f"Hidden tests: {since} {options.hidden_from}, in feedback.md.")
    if course.card:
        say(f"Speed: on {course.card.name.split(',')[0]}, one at a time.")
    for part in course.without_points:
        say(f"Not graded: {part} is not in its lab.toml.")


def grade_class(options):
    began = time.monotonic()
    with open(os.path.join(options.out, ".lock"), "a", encoding="ascii") as lock:
        if not places.locked(lock):
            raise Refused(f"OUT={options.out}: another grader is at work there.")
        everybody = students.find(options.submissions)
        chosen = only.chosen(options.only, everybody)
        joined = roster.join(options.roster, everybody) if options.roster else None
        with working(options) as (course, box, workplace):
            if options.compile_only:
                compile_all(course, box, workplace, chosen)
                return
            if asked.seed_is_shown() and box.kind == "users":
                raise Refused(f"{asked.SEED_SHOWN}\nSubmissions would read it here, too.")
            seed, word = asked.seed_of(options.out)
            tell_setting(options, course, box, word)
            names = [student.name for student in everybody]
            names += only.rows_of(options.out) if options.only else []
            gifts, unknown = given.read(options.out, names)
            course.prepare(say)
            self_check(course, box, workplace)
            contest, again = contest_of(course, box, workplace), chosen if options.only else ()
            grader = Grader(options, course, seed, contest, gifts, again)
            rest, said = only.others(grader, everybody, again) if again else ({}, [])
            if joined and rest:
                joined = roster.join(options.roster, [*chosen, *rest])
            for line in joined.lines() if joined else []:
                print(line, file=sys.stderr, flush=True)
            for line in unknown + said:
                say(line)
            # A run that was killed may have left marks that are not in the history.
            history.note(options.out, filter(None, map(grader.kept_result, everybody)))
            running = engine.Engine(grader, box, workplace)
            ready = time.monotonic()
            new = running.run(chosen, options)
            each = (time.monotonic() - ready) / new if new else 0
        if options.hidden_from and grader.edited:
            edited = ", ".join(sorted(grader.edited))
            say(f"These feedback.md stay, as somebody has changed them: {edited}.")
        results = {student: running.results[student] for student in chosen} | rest
        history.note(options.out, results.values())
        seconds = time.monotonic() - began
        report = summary(options, course, box, results.values(), seconds, joined)
        files = class_files.write(options.out, seed, results, joined, grader)
        model.save(os.path.join(options.out, "summary.json"), report)
        last_screen(options, report, each, files)


def grade_one(options, folder):
    """Grades one student for an engine, which holds OUT and has built the course."""
    everybody = students.find(options.submissions)
    found = [one for one in everybody if one.folder == folder]
    if not found:
        raise Refused(f"{folder}: there is no such student in {options.submissions}.")
    with working(options) as (course, box, workplace):
        course.prepare(say)
        seed, _ = asked.seed_of(options.out)
        gifts, _ = given.read(options.out, [student.name for student in everybody])
        contest, again = contest_of(course, box, workplace), found if options.only else ()
        grader = Grader(options, course, seed, contest, gifts, again)
        running = engine.Engine(grader, box, workplace)
        running.one(found[0], running.judge(0), False)
        if not running.results:  # Again was raised: judge once more
            running.one(found[0], running.judge(0), True)
        running.go_on()
    say(f"{folder}: {running.results[found[0]]['status']}")
