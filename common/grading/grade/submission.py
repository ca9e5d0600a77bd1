"""Turns one submission into its result.json: the chosen files, each part's verdict, the points."""

import dataclasses
import hashlib
import hmac
import json
import os
import threading
import time

import model
import reports
import scoring
from speed import marks
from speed.contest import Measured, Unmeasured

from . import choosing, telling_code, trees
from .choosing import file_of
from .judge import Verdict

NOTHING = "nothing handed in"
UNREADABLE = "cannot be read"


class Again(Exception):
    """Other work on this machine may have cost marks: the student is graded once more, alone."""


def hand_in(student, course):
    """Returns the chosen files, the remarks, and a status that says where there is nothing to
    judge."""
    if student.problem:
        return {}, [f"The submission {student.problem}."], UNREADABLE
    try:
        chosen, remarks = choosing.choose(trees.read(student.path), course)
    except trees.Unreadable as reason:
        return {}, [f"The submission: {reason}."], UNREADABLE
    except OSError as error:
        return {}, [f"The submission cannot be read: {error.strerror}."], UNREADABLE
    return chosen, remarks, "graded" if chosen else NOTHING


class Grader:
    """What all workers share."""

    def __init__(self, options, course, seed, lab_seed, contest=None):
        """Takes the contest where there are points for speed."""
        self.options, self.course, self.contest = options, course, contest
        self.key = hashlib.sha256(f"{course.digest}\0{seed}".encode()).digest()
        self.lab_seed = lab_seed
        self.limits = json.dumps(dataclasses.asdict(options.limits), sort_keys=True)
        if contest:
            self.limits += f" on {course.card.name}"
        self.cache = os.path.join(options.out, "verdicts")
        os.makedirs(self.cache, exist_ok=True)
        self.busy, self.guard = {}, threading.Lock()

    def digest(self, *pieces):
        """Returns a hash of all that a result depends on; without the secret it cannot be
        computed."""
        text = json.dumps([self.limits, *pieces])
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    def result_path(self, student):
        return os.path.join(self.options.students, student.folder, "result.json")

    # --- a submission ---

    def identity(self, student, chosen, remarks, status):
        files = [
            [lab, part, hashlib.sha256(one.data or b"").hexdigest(), one.refused]
            for (lab, part), one in sorted(chosen.items())
        ]
        return self.digest("submission", student.name, self.course.labs, files, remarks, status)

    def earlier(self, student, digest):
        """Returns the result of an earlier run where nothing has changed since, else None."""
        try:
            result = model.read(self.result_path(student))
        except model.ModelError:
            return None
        return result if result.get("digest") == digest else None

    def grade(self, student, judge, last):
        """Writes and returns the student's result. Raises Again, unless `last`, where it should be
        repeated with nothing else running."""
        began = time.monotonic()
        chosen, remarks, status = hand_in(student, self.course)
        digest = self.identity(student, chosen, remarks, status)
        logs, labs, again, unmeasured = [], [], False, False
        for lab, parts in self.course.parts.items():
            results = []
            for part in parts:
                one = chosen.get((lab, part))
                beside = chosen.get((lab, "kernel")) if part == "answers" else None
                kernel = beside.data or b"" if beside else b""
                verdict = self.verdict(lab, part, one, kernel, judge, last)
                again = again or (verdict.again and not last)
                remarks += [f"{lab}/{said}" for said in verdict.remarks]
                remarks += self.telling(lab, part, one, verdict)
                logs.append(verdict.log)
                allotted = self.course.points[lab].parts[part]
                timed = self.timed(lab, part, one, verdict, remarks)
                unmeasured = unmeasured or (timed and timed["status"] == "left out")
                results.append(
                    model.part_result(
                        allotted,
                        file_of(part),
                        verdict.state,
                        verdict.reason,
                        verdict.verdicts,
                        self.course.has_hidden,
                        timed,
                    )
                )
            labs.append(model.lab_result(lab, results))
        if again:
            raise Again
        seconds = round(time.monotonic() - began, 1)
        result = model.student_result(student.name, labs, seconds, remarks, status)
        result["digest"] = "" if unmeasured else digest  # empty: the next run tries again
        self.write(student, result, "".join(logs))
        return result

    def telling(self, lab, part, one, verdict):
        if one is None or one.data is None or verdict.state == "unchanged":
            return []
        name = f"{lab}/{file_of(part)}"
        return telling_code.look(name, one.data, self.course.skeleton(lab, part))

    def write(self, student, result, log):
        folder = os.path.dirname(self.result_path(student))
        model.write_text(os.path.join(folder, "log.txt"), log)
        reports.FORMS["feedback"][0](os.path.join(folder, "feedback.md"), result)
        model.write(self.result_path(student), result)  # last: it marks the student as done

    def failed(self, student, error):
        """Writes and returns a row that says that the grader failed; the next run tries again."""
        labs = []
        for lab, parts in self.course.parts.items():
            allotted = self.course.points[lab].parts
            labs.append(
                model.lab_result(
                    lab,
                    [
                        model.part_result(
                            allotted[part],
                            file_of(part),
                            "refused",
                            "The grader failed; the next run tries again.",
                            performance=self.no_speed(lab, part),
                        )
                        for part in parts
                    ],
                )
            )
        remark = f"The grader failed, and the next run tries again: {error}"
        return model.student_result(student.name, labs, 0, [remark], "grader failed")

    # --- a part ---

    def verdict(self, lab, part, one, kernel, judge, last):
        if one is None:
            return Verdict("missing")
        if one.refused:
            return Verdict("refused", one.refused)
        if not choosing.unlike(one.data, self.course.skeleton(lab, part)):
            return Verdict("unchanged")
        files = [hashlib.sha256(data).hexdigest() for data in (one.data, kernel)]
        key = self.digest("verdict", lab, part, files)
        # One worker judges the same bytes, once.
        with self.guard:
            lock = self.busy.setdefault(key, threading.Lock())
        with lock:
            path = os.path.join(self.cache, f"{key}.json")
            try:
                with open(path, encoding="utf-8") as file:
                    return Verdict(**json.load(file))
            except (OSError, ValueError, TypeError):
                pass
            verdict = judge.judge(lab, part, one.data, kernel)
            if not verdict.again:
                model.write_json(path, dataclasses.asdict(verdict))
        return verdict

    # --- its speed ---

    def no_speed(self, lab, part):
        wanted = self.course.performance(lab, part)
        return marks.waiting(wanted, None) if wanted else None

    def timed(self, lab, part, one, verdict, remarks):
        """Returns the model's test of a part's speed; None where there are no points for it."""
        wanted = self.course.performance(lab, part)
        if wanted is None:
            return None
        allotted = self.course.points[lab].parts[part]
        tests = scoring.score_tests(allotted, verdict.verdicts, self.course.has_hidden)
        lacking = marks.lacking(wanted, tests)
        if verdict.state != "graded" or not verdict.verdicts or lacking:
            return marks.waiting(wanted, lacking)
        try:
            measured = self.measured(lab, part, one.data, wanted)
        except Unmeasured as reason:
            remarks.append(f"{lab}/{part}: its speed was not measured: {reason}.")
            return marks.left_out(wanted)
        if measured.problem:
            remarks.append(f"{lab}/{part}: on the card: {measured.problem}.")
            return marks.failed(wanted, measured.problem)
        if measured.noisy:
            remarks.append(
                f"{lab}/{part}: its speed was measured in {measured.rounds} rounds, which lie"
                f" {100 * measured.spread:.0f} % apart; the best of them counts."
            )
        return marks.measured(
            wanted, measured.relative, measured.seconds, measured.reference_seconds
        )

    def measured(self, lab, part, data, wanted):
        """Measures the same bytes once, because another measurement would give other marks."""
        reference = self.course.references[lab, part]
        pieces = [hashlib.sha256(one).hexdigest() for one in (data, reference)]
        key = self.digest("speed", lab, part, pieces, dataclasses.astuple(wanted))
        path = os.path.join(self.cache, f"{key}.json")
        with self.guard:
            lock = self.busy.setdefault(key, threading.Lock())
        with lock:
            try:
                with open(path, encoding="utf-8") as file:
                    return Measured(**json.load(file))
            except (OSError, ValueError, TypeError):
                pass
            measured = self.contest.measure(lab, part, data, reference, wanted)
            model.write_json(path, dataclasses.asdict(measured))
        return measured
