"""Turns one submission into its result.json: the chosen files, each part's verdict, the points."""

import contextlib
import dataclasses
import hashlib
import hmac
import json
import os
import threading
import time

import disk
import history
import model
import scoring
from forms import feedback, wording
from points import file_of
from reader import slips
from speed import marks
from speed.contest import Measured, Unmeasured

from . import given
from . import options as asked
from .judge import NO_MARK_LOST, Verdict
from .reading import HandedIn


class Again(Exception):
    """Other work on this machine may have cost marks, or the submission sleeps: the student is graded
    once more, alone."""


NOTHING = "nothing handed in"


def of_the_machine(part, verdict):
    """Returns what becomes of a verdict that the machine may have caused, also the second time."""
    if verdict.state == "not graded":
        return dataclasses.replace(verdict, again=False)
    why = f"{part}: not graded: the machine was too busy, or its memory ran out."
    remarks = [*verdict.remarks, why]
    return Verdict("not graded", NO_MARK_LOST, remarks=remarks, log=verdict.log)


def hand_in(student, course):
    """Returns what a student has handed in, and its status, "graded" or why nothing is judged."""
    if student.problem:
        advice = slips.not_a_submission(os.path.basename(student.path), student.problem)
        return HandedIn({}, [f"The submission {student.problem}."], advice), "cannot be read"
    found = course.reader.read(student.path, student.files)
    found.remarks += ["Canvas marks it as late."] if student.late else []
    if found.problem:
        said = f"The submission: {found.problem}."
        return HandedIn({}, [said], [said, slips.PACK_AGAIN]), "cannot be read"
    return found, "graded" if found.chosen else NOTHING


# What a student reads about answers that were not measured on their own kernel.
MEASURED = {
    True: "The questions were measured on the course's kernel: no kernel.cu of yours passes its tests.",
    False: "The questions are measured on kernel.cu: finish that first.",
}


def serves(verdict):
    """Returns whether questions can be measured on a kernel: it passes all its tests."""
    tests = verdict.verdicts.values()
    return verdict.state == "graded" and all(
        one["status"] in ("passed", "left out") and scoring.HANDED_OVER not in one["findings"]
        for one in tests
    )


def code(data):
    """Returns a short hash."""
    return hashlib.sha256(data).hexdigest()[:16]


class Grader:
    """What all workers share."""

    def __init__(self, options, course, seed, contest=None, gifts=None, again=()):
        """Takes the contest if there are points for speed; gifts: as given.read() returns them;
        again: the students of ONLY=, for whom no earlier result or verdict counts."""
        self.options, self.course, self.contest = options, course, contest
        self.key = hashlib.sha256(f"{course.digest}\0{seed}".encode()).digest()
        self.lab_seed = asked.number_of(seed)
        self.limits = json.dumps(dataclasses.asdict(options.limits), sort_keys=True)
        if contest:
            self.limits += f" on {course.card.name}"
        self.gifts = gifts or {}
        self.cache = os.path.join(options.out, "verdicts")
        os.makedirs(self.cache, exist_ok=True)
        self.busy, self.guard = {}, threading.Lock()
        self.edited = set()  # students whose feedback.md was changed by hand
        self.again = {student.folder: self.written_at(student) for student in again}

    def digest(self, *pieces):
        """Returns a hash of all that a result depends on, which cannot be computed without the secret."""
        text = json.dumps([self.limits, *pieces])
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    def result_path(self, student):
        return os.path.join(self.options.out, "students", student.folder, "result.json")

    def kept(self, kind, key, make, folder):
        """Returns the Verdict or Measured of this key, which make() returns but once, if there is
        room in the folder where it works."""
        path = os.path.join(self.cache, f"{key}.json")
        with self.guard:
            lock = self.busy.setdefault(key, threading.Lock())
        with lock:
            with contextlib.suppress(OSError, ValueError, TypeError):
                if self.again:
                    raise ValueError(key)  # no earlier one counts
                with open(path, encoding="utf-8") as file:
                    return kind(**json.load(file))
            disk.need_room(folder)
            made = make()
            disk.need_room(folder)
            if not (kind is Verdict and (made.again or made.hurried)):
                model.save(path, dataclasses.asdict(made))
        return made

    def inputs(self, found=None):
        """Returns what a result depends on: the files, and what all results of a run have in common,
        the seed and the limits as hashes."""
        files = {
            f"{lab}/{file_of(part)}": code(one.data or one.refused.encode())
            for (lab, part), one in sorted(found.chosen.items() if found else ())
        }
        common = {"labs": self.course.labs, "course": self.course.digest[:16]}
        common |= {"seed": code(b"%d" % self.lab_seed), "limits": code(self.limits.encode())}
        return {"files": files, **common}

    def identity(self, student, found, status):
        files = [[one.refused, one.told] for _, one in sorted(found.chosen.items())]
        said = [found.remarks, found.advice, status, self.gifts.get(student.name)]
        return self.digest("submission", student.name, self.inputs(found), files, *said)

    def written_at(self, student):
        """Returns when a student's result was written; None if there is none."""
        with contextlib.suppress(OSError):
            return os.stat(self.result_path(student)).st_mtime_ns
        return None

    def kept_result(self, student):
        """Returns the result that an earlier run has left; None if there is none."""
        with contextlib.suppress(model.ModelError):
            return model.read(self.result_path(student))
        return None

    def earlier(self, student):
        """Returns the result of an earlier run if nothing has changed since, else None."""
        result = self.kept_result(student)
        if result is None or self.again.get(student.folder) == self.written_at(student):
            return None  # the submission is not even read
        digest = self.identity(student, *hand_in(student, self.course))
        if result.get("digest") != digest:
            return None
        self.renew_feedback(student, result)
        return result

    def renew_feedback(self, student, result):
        """Writes the feedback of a result that stays, if hidden tests are now to be explained, or no
        longer; not if it was changed by hand."""
        path = os.path.join(os.path.dirname(self.result_path(student)), "feedback.md")
        explains, there = self.options.explains_hidden, None
        now, other = (feedback.text(result, which) for which in (explains, not explains))
        with contextlib.suppress(FileNotFoundError):
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                there = file.read()
        if there in (None, other) and there != now:
            model.save(path, now)
        elif there != now:
            self.edited.add(student.name)

    def grade(self, student, judge, last):
        """Writes and returns the result. Raises Again, unless `last`, to be repeated alone: as soon
        as the submission has slept for a second, so that no other submission waits longer."""
        began = time.monotonic()
        found, status = hand_in(student, self.course)
        chosen, remarks = found.chosen, found.remarks[:]
        reason = self.gifts.get(student.name)
        digest = self.identity(student, found, status)
        logs, labs, again, unmeasured = [], [], False, False
        for lab, parts in self.course.parts.items():
            results, served = [], b""
            for part in parts:
                one = chosen.get((lab, part))
                verdict = self.verdict(lab, part, one, served if part == "answers" else b"", judge)
                if part == "kernel":
                    served = one.data if one and serves(verdict) else b""
                if part == "answers" and verdict.state == "graded" and not served:
                    verdict.reason = MEASURED[bool(self.course.solved_kernel(lab))]
                if verdict.again and last:
                    verdict = of_the_machine(part, verdict)
                again = again or verdict.again
                if judge.slept > judge.most_sleep and not last:
                    raise Again
                remarks += [f"{lab}/{said}" for said in verdict.remarks]
                remarks += one.told if one else []
                logs.append(verdict.log)
                allotted = self.course.points[lab].parts[part]
                timed = self.timed(student, lab, part, one, verdict, remarks)
                unmeasured = unmeasured or (timed and timed["status"] == "left out")
                told = (verdict.state, verdict.reason, verdict.verdicts, self.course.has_hidden)
                results.append(
                    model.part_result(allotted, file_of(part), *told, timed, reason is not None)
                )
            labs.append(model.lab_result(lab, results))
        if again:
            raise Again
        seconds = round(time.monotonic() - began, 1)
        lacks = any(part["state"] == "not graded" for lab in labs for part in lab["parts"])
        status = model.NOT_GRADED if lacks else status
        result = model.student_result(student.name, labs, seconds, remarks, status)
        result |= {"advice": found.advice, "time": history.now(), "inputs": self.inputs(found)}
        if any(scoring.is_held_back(test) for _, _, test in model.tests_of(result)):
            self.tell_given(student, result, reason)
        result["digest"] = "" if unmeasured or lacks else digest  # empty: the next run tries again
        path = self.result_path(student)
        folder = os.path.dirname(path)
        model.save(os.path.join(folder, "log.txt"), wording.clean("".join(logs)))
        read = feedback.text(result, self.options.explains_hidden)
        model.save(os.path.join(folder, "feedback.md"), read)
        model.write(path, result)  # last: it marks the student as done
        return result

    def tell_given(self, student, result, reason):
        """Adds who has given points back, and why: the user of the run that first did so."""
        before = (self.kept_result(student) or {}).get("given", {})
        by = before["by"] if before.get("reason") == reason else given.login()
        result["given"] = {"reason": reason, "by": by}
        result["remarks"].insert(0, given.remark(result["given"]))

    def failed(self, student, remark):
        """Returns a row with a remark on why there is no result; the next run tries again."""
        told = model.NOT_GRADED, remark, "not graded", NO_MARK_LOST
        return self.without_verdict(student.name, *told)

    def nothing(self, name):
        """Returns the row of a person of the roster without a submission."""
        return self.without_verdict(name, NOTHING, f"{NOTHING.capitalize()}.", "missing")

    def without_verdict(self, name, status, remark, *state):
        """Returns a result without points; `state` is that of each file, and the reason."""

        def unjudged(lab, part):
            wanted = self.course.performance(lab, part)
            speed = marks.waiting(wanted, None) if wanted else None
            allotted = self.course.points[lab].parts[part]
            return model.part_result(allotted, file_of(part), *state, performance=speed)

        labs = [
            model.lab_result(lab, [unjudged(lab, part) for part in parts])
            for lab, parts in self.course.parts.items()
        ]
        return model.student_result(name, labs, 0, [remark], status)

    def verdict(self, lab, part, one, kernel, judge):
        if one is None:
            return Verdict("missing")
        if one.refused:
            return Verdict("refused", one.refused)
        if one.unchanged:
            return Verdict("unchanged")
        files = [hashlib.sha256(data).hexdigest() for data in (one.data, kernel)]
        key = self.digest("verdict", lab, part, files)
        return self.kept(
            Verdict, key, lambda: judge.judge(lab, part, one.data, kernel), judge.folder
        )

    def timed(self, student, lab, part, one, verdict, remarks):
        """Returns the model's test of a part's speed; None if there are no points for it."""
        wanted = self.course.performance(lab, part)
        if wanted is None:
            return None
        allotted = self.course.points[lab].parts[part]
        given_back = student.name in self.gifts
        tests = scoring.score_tests(allotted, verdict.verdicts, self.course.has_hidden, given_back)
        lacking = marks.lacking(wanted, tests)
        if verdict.state != "graded" or not verdict.verdicts or lacking:
            return marks.waiting(wanted, lacking)
        try:
            measured = self.measured(lab, part, one.data, wanted)
        except Unmeasured as reason:
            remarks.append(f"{lab}/{part}: its speed was not measured: {reason}.")
            return marks.entry(wanted.points, "left out", "the card could not be used.")
        if measured.problem:
            remarks.append(f"{lab}/{part}: on the card: {measured.problem}.")
        elif measured.noisy:
            remarks.append(
                f"{lab}/{part}: its speed was measured in {measured.rounds} rounds, which lie"
                f" {100 * measured.spread:.0f} % apart; the best of them counts."
            )
        return marks.of_measured(wanted, measured)

    def measured(self, lab, part, data, wanted):
        """Measures the same bytes once, because another measurement would give other marks."""
        files = data, self.course.references[lab, part]
        pieces = [hashlib.sha256(one).hexdigest() for one in files]
        key = self.digest("speed", lab, part, pieces, dataclasses.astuple(wanted))
        return self.kept(
            Measured, key, lambda: self.contest.measure(lab, part, *files, wanted), self.cache
        )
