"""Tests that a failure of the sandbox, the machine or the grader is no verdict: it is tried again, told
to the teacher, and kept nowhere."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from grade import course, sandbox
from grade.engine import Engine, Workplace
from grade.judge import Judge, Judging, MachineFailed, Verdict
from grade.options import Options
from grade.sandbox import Job, Limits, Outcome, SandboxFailed
from grade.students import Student
from grade.submission import Grader, of_the_machine
from release.contents import Refused


class NotStarted(unittest.TestCase):
    def box(self, wish):
        top = self.enterContext(tempfile.TemporaryDirectory())
        os.chmod(top, 0o755)
        found = sandbox.choose(Limits(), wish, top)
        if found is None:
            self.skipTest(f"there is no {wish} here")
        return found, os.path.join(top, "log")

    def test_a_sandbox_that_cannot_be_set_up_has_run_nothing(self):
        for wish in ("required", "landlock", "limits"):
            with self.subTest(wish):
                box, log = self.box(wish)
                job = Job(["true"], 10, readable=["/nowhere"], cwd="/nowhere")
                with self.assertRaisesRegex(SandboxFailed, "nowhere"):
                    box.run(job, 0, log)
                self.assertTrue(box.run(Job(["true"], 10), 0, log).began)

    def test_what_a_command_prints_and_how_it_ends_does_not_say_that_it_never_began(self):
        box, log = self.box("limits")
        outcome = box.run(Job(["/bin/sh", "-c", "echo bwrap: failed; exit 1"], 10), 0, log)
        self.assertEqual((outcome.began, outcome.status), (True, 1))

    def test_a_command_gets_no_descriptor_of_the_graders(self):
        box, log = self.box("limits")
        outcome = box.run(Job(["/bin/sh", "-c", "ls /proc/self/fd; env"], 10), 0, log)
        self.assertNotIn("BEGUN", outcome.output)
        self.assertEqual(outcome.output.split()[:4], ["0", "1", "2", "3"])  # 3: the folder


class Compiled(unittest.TestCase):
    def verdict(self, text, ended=""):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        owner = SimpleNamespace(
            path="/course", hidden={}, own_files=lambda _: {}, tests_hidden=lambda *_: False
        )
        owner.hidden_sources = owner.built_hidden = lambda: []
        judge = Judge(owner, SimpleNamespace(limits=Limits()), 1, 0, folder)
        judging = Judging(judge, "lab", "kernel", {"kernel.cu": b"int x = y;"})
        judging.not_compiled(text, ended)
        return judging.verdict

    def test_an_error_in_the_file_is_the_files(self):
        verdict = self.verdict("lab/kernel.cu:1:9: error: 'y' was not declared\n")
        self.assertEqual((verdict.state, verdict.again), ("does not compile", False))

    def test_a_limit_that_the_file_exceeds_is_the_files(self):
        for text, ended in (("cc1plus: out of memory allocating 9 bytes", ""), ("", "stopped")):
            verdict = self.verdict(text, ended)
            self.assertEqual((verdict.state, verdict.again), ("does not compile", False))
            self.assertEqual(len(verdict.remarks), 1)

    def test_what_no_file_can_cause_is_the_machines(self):
        for text in (
            "",
            "make: *** [x] Error 2",
            "gate: nm lists no __tsan_init in kernel.o; is binutils installed? (make doctor)",
            "lab/kernel.cu:9:9: fatal error: error writing to /tmp/x.s: No space left on device",
            "g++: fatal error: cannot execute 'as': vfork: Resource temporarily unavailable",
            "g++: fatal error: Killed signal terminated program cc1plus",
        ):
            verdict = self.verdict(text)
            self.assertEqual((verdict.state, verdict.again), ("not graded", True), text)
            said = [line for line in text.splitlines() if not line.startswith("make")]
            self.assertIn(said[-1] if said else "gave no reason", verdict.remarks[0])

    def test_a_program_without_a_process_of_its_own_is_not_judged(self):
        judging = SimpleNamespace(
            out=tempfile.gettempdir(), kept=str, covered=[], limits=Limits(), remark=None
        )
        judging.run = lambda *_, **__: (Outcome(status=75), "", "")
        with mock.patch("os.rename"), self.assertRaises(MachineFailed):
            Judging.recorded(judging, "", {}, 0)


class Graded(unittest.TestCase):
    """A grader whose one student has one file, which the machine fails to judge so many times."""

    def grade(self, verdicts):
        out = self.enterContext(tempfile.TemporaryDirectory())
        found = SimpleNamespace(
            chosen={("lab1_naive", "kernel"): SimpleNamespace(
                data=b"", refused="", unchanged=False, told=[])},
            remarks=[], advice=[], problem="",
        )  # fmt: skip
        of_lab = course.points.load("lab1_naive")
        owner = SimpleNamespace(
            digest="", labs=["lab1_naive"], parts={"lab1_naive": ["kernel"]}, has_hidden=False,
            points={"lab1_naive": of_lab}, performance=lambda *_: None,
            reader=SimpleNamespace(read=lambda *_: found),
        )  # fmt: skip
        grader = Grader(Options("", out, [], 1, "", Limits()), owner, "seed")
        place = SimpleNamespace(of=lambda _: out)
        student, results = Student("ada", "ada", ""), []

        def judged(*_):
            self.assertTrue(verdicts)
            verdict = verdicts.pop(0)
            if isinstance(verdict, Exception):
                raise verdict
            return verdict

        with mock.patch.object(Judge, "judge", judged), mock.patch("sys.stdout"):
            while verdicts:
                running = Engine(grader, SimpleNamespace(limits=Limits()), place)
                running.run([student], SimpleNamespace(engine="", jobs=1))
                results.append(running.results[student])
        kept = os.listdir(os.path.join(out, "verdicts"))
        return results, kept

    @staticmethod
    def failing():
        return Verdict("not graded", "reason", remarks=["kernel: not graded: full"], again=True)

    def test_a_failure_of_the_machine_is_tried_again_and_leaves_no_trace(self):
        results, kept = self.grade([self.failing(), Verdict("stopped", "by itself")])
        self.assertEqual([one["status"] for one in results], ["graded"])
        self.assertEqual((results[0]["remarks"], len(kept)), ([], 1))

    def test_a_failure_that_stays_is_told_and_the_next_run_tries_again(self):
        results, kept = self.grade([self.failing(), self.failing(), Verdict("refused", "x")])
        self.assertEqual([one["status"] for one in results], ["not graded", "graded"])
        self.assertEqual(results[0]["remarks"], ["lab1_naive/kernel: not graded: full"])
        self.assertEqual(results[0]["labs"][0]["parts"][0]["state"], "not graded")
        self.assertEqual(len(kept), 1)

    def test_a_stop_that_others_may_have_caused_is_no_verdict_the_second_time_either(self):
        busy = Verdict("stopped", "after 60 seconds", again=True)
        results, kept = self.grade([busy, busy])
        self.assertEqual(results[0]["status"], "not graded")
        self.assertEqual((len(results[0]["remarks"]), kept), (1, []))

    def test_an_error_of_the_graders_is_tried_again(self):
        results, _ = self.grade([ValueError("x"), Verdict("refused", "x")])
        self.assertEqual(results[0]["status"], "graded")
        results, kept = self.grade([ValueError("x"), ValueError("x")])
        self.assertEqual((results[0]["status"], kept), ("not graded", []))

    def test_a_verdict_of_the_machine_says_so_in_the_teachers_words(self):
        said = of_the_machine("kernel", Verdict("stopped", again=True)).remarks
        self.assertRegex(said[0], "^kernel: not graded: ")


class Lists(unittest.TestCase):
    """What the grader finds by trying must not be taken for empty where the try fails."""

    def test_a_folder_that_cannot_be_read_is_not_an_empty_one(self):
        self.assertEqual(list(course.listed(course.ROOT, "nowhere")), [])
        with mock.patch("os.scandir", side_effect=PermissionError(13, "no permission")):
            with self.assertRaises(PermissionError):
                list(course.listed(course.ROOT, "solutions/hidden"))

    def test_a_compiler_that_does_not_tell_its_version_is_refused(self):
        for compiler in ("false", "/nowhere/g++"):
            with mock.patch.dict(os.environ, CXX=compiler), self.assertRaises(Refused):
                course.steps.compiler()

    def test_what_is_built_of_hidden_tests_is_covered_before_it_is_built(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        there = SimpleNamespace(path=os.path.join(folder, "course"), files={}, hidden={}, solved={})
        there.cache = folder
        course.Course.copied(there)
        for path in course.Course.built_hidden(there):
            self.assertTrue(os.path.isdir(path), path)

    def test_a_sandbox_that_fails_once_is_tried_again(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        tries = [SandboxFailed("busy"), Outcome(status=0)]
        with mock.patch.object(sandbox.Sandbox, "run", side_effect=tries):
            self.assertTrue(sandbox.bubblewrap_works(Limits(), folder))
        with mock.patch.object(sandbox.Sandbox, "run", side_effect=[Outcome(status=1)] * 2):
            self.assertFalse(sandbox.bubblewrap_works(Limits(), folder))


class Graders(unittest.TestCase):
    """Two graders at once on one machine."""

    def test_each_worker_of_each_grader_is_a_user_of_its_own(self):
        code = "import sys; sys.path.insert(0, 'common/grading'); from grade import users;"
        code += "print([users.of(n) for n in (0, 1, 0)], flush=True); input()"
        command = [sys.executable, "-c", code]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command, **pipes) as two:
            told = [json_list(process.stdout.readline()) for process in (one, two)]
            for process in (one, two):
                process.communicate("\n")
        self.assertEqual([told[0][0], told[1][0]], [told[0][2], told[1][2]])
        self.assertEqual(len({*told[0], *told[1]}), 4)

    def test_a_grader_removes_what_a_killed_one_has_left_and_nothing_of_a_living_one(self):
        top = self.enterContext(tempfile.TemporaryDirectory())
        living, killed = Workplace(top), Workplace(top)
        killed.lock.close()
        starting = os.path.join(top, "new-grade-x")  # of one that has not locked it yet
        os.mkdir(starting)
        Path(starting, "lock").touch()
        with mock.patch("tempfile.mkdtemp", return_value=os.path.join(top, "new-grade-y")):
            os.mkdir(os.path.join(top, "new-grade-y"))
            third = Workplace(top)
        there = {one: os.path.isdir(one) for one in (living.top, killed.top, third.top, starting)}
        self.assertEqual(list(there.values()), [True, False, True, True])

    def test_a_course_that_another_grader_copies_is_not_removed(self):
        cache = self.enterContext(tempfile.TemporaryDirectory())
        for name in ("course-a.new", "course-b"):
            os.mkdir(os.path.join(cache, name))
        with open(os.path.join(cache, "course-a.lock"), "w", encoding="ascii") as lock:
            self.assertTrue(course.places.locked(lock))
            course.remove_older(cache)
        self.assertTrue(os.path.isdir(os.path.join(cache, "course-a.new")))
        self.assertFalse(os.path.isdir(os.path.join(cache, "course-b")))

    def test_what_a_killed_build_has_written_is_built_again(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, time in (("before.o", 10), ("half.o", 20), ("deep/half.d", 30)):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).touch()
            os.utime(folder / name, (time, time))
        course.remove_since(folder, 20 * 10**9)
        self.assertEqual([one.name for one in folder.rglob("*") if one.is_file()], ["before.o"])


def json_list(text):
    return [int(one) for one in text.strip("[]\n").split(",")]
