"""Tests the limits on commands, with bubblewrap if it works, and without."""

import contextlib
import io
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from grade import landlock, sandbox
from grade.engine import Engine
from grade.judge import Judge, Judging, may_be_of_others
from grade.sandbox import Job, Limits, Outcome
from grade.students import Student
from grade.submission import Again

LIMITS = Limits(memory=300 << 20, processes=40, file_bytes=4 << 20, folder_bytes=8 << 20)
# Bounded, so that they end by themselves where a limit is missing.
MANY_PROCESSES = """
import os, time
started = 0
for number in range(150):
    try:
        if os.fork() == 0: time.sleep(2); os._exit(0)
        started += 1
    except OSError: pass
time.sleep(1)
print(started)
"""
TELLS_ITS_TIME = """
import time
told = -1
while True:
    if time.process_time() > told + 0.01:
        told = time.process_time()
        print(told, flush=True)
"""
MUCH_MEMORY = "import time; x = bytearray(700 << 20); time.sleep(1); print('all there')"


def python(code):
    return ["/usr/bin/python3", "-S", "-c", code]


class Limited:
    """The tests; the classes below choose the isolation."""

    wish = ""

    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(os.umask, os.umask(0o022))  # as the grader does
        cls.top = cls.enterClassContext(tempfile.TemporaryDirectory())
        os.chmod(cls.top, 0o755)
        cls.box = sandbox.choose(LIMITS, cls.wish, cls.top)
        if cls.box is None:
            if cls.wish == "landlock":
                raise unittest.SkipTest("this kernel has no Landlock")
            if os.system("bwrap --unshare-pid --unshare-net --ro-bind / / --proc /proc true") == 0:
                raise AssertionError("bubblewrap works here, and not as the grader calls it")
            raise unittest.SkipTest("bubblewrap is not installed, or may not work here")
        cls.log = os.path.join(cls.top, "log")

    def run_job(self, command, seconds=10, **rest):
        return self.box.run(Job(command, seconds, **rest), 3, self.log)

    def shell(self, line, seconds=10, **rest):
        return self.run_job(["/bin/sh", "-c", line], seconds, **rest)

    def test_status_and_output_are_told(self):
        outcome = self.shell("echo said; echo wrong >&2; exit 3")
        self.assertEqual((outcome.status, outcome.stopped), (3, ""))
        self.assertEqual(outcome.output, "said\nwrong\n")

    def test_time_is_limited(self):
        outcome = self.shell("sleep 300; echo woken", 0.5)
        self.assertEqual((outcome.stopped, outcome.output), ("time", ""))

    def test_what_sleeps_for_all_of_its_time_has_itself_to_blame(self):
        outcome = self.shell("sleep 300", 3)
        self.assertFalse(may_be_of_others(outcome, 3), outcome)

    def test_what_only_sleeps_is_ended_soon_however_often_it_wakes(self):
        line = "import time\nwhile True: time.sleep(0.002)"
        outcome = self.run_job(python(line), 60, sleep_seconds=1)
        self.assertEqual(outcome.stopped, "sleep")
        self.assertLess(outcome.seconds, 20)

    def test_what_computes_for_most_of_its_time_has_itself_to_blame(self):
        outcome = self.run_job(python(TELLS_ITS_TIME), 1)
        self.assertGreater(outcome.own_seconds, float(outcome.output.split()[-1]) - 0.1)
        for own, of_others in ((0.9, True), (1.1, False)):
            outcome.own_seconds = own
            self.assertEqual(may_be_of_others(outcome, 1), of_others)

    def test_what_others_keep_from_a_processor_may_have_them_to_blame(self):
        on_one_core = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
        endless = [*on_one_core, *python("while True: pass")]
        with contextlib.ExitStack() as others:
            for _ in range(8):  # each gets as much as the job, which may wait four times as long
                other = others.enter_context(subprocess.Popen(endless, start_new_session=True))
                others.callback(other.kill)
            outcome = self.run_job([*on_one_core, "/bin/sh", "-c", "while :; do :; done"], 0.5)
        self.assertGreater(outcome.seconds, 1)
        self.assertTrue(may_be_of_others(outcome, 0.5), outcome)

    def test_memory_is_limited(self):
        outcome = self.run_job(python(MUCH_MEMORY))
        self.assertEqual((outcome.stopped, outcome.output), ("memory", ""))

    def test_address_space_is_limited(self):
        outcome = self.run_job(python("x = bytearray(200 << 20)"), address_space=150 << 20)
        self.assertIn("MemoryError", outcome.output)

    def test_processes_are_limited(self):
        outcome = self.run_job(python(MANY_PROCESSES))
        # Either the kernel stops further processes, or the grader counts them.
        if outcome.stopped != "processes":
            self.assertLess(int(outcome.output), LIMITS.processes)

    def alive(self, word):
        """Counts the processes with this word that the test has started."""
        count = 0
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
                count += word.encode() in file.read()
        return count

    def test_what_is_left_behind_ends_too(self):
        self.shell("(sleep 300.125 &) ; setsid sleep 300.125 & echo gone")
        self.assertEqual(self.alive("300.125"), 0)

    def test_much_output_is_kept_in_part(self):
        outcome = self.shell("head -c 1000000 /dev/zero | tr '\\0' x; echo end")
        self.assertTrue(outcome.output_cut)
        self.assertEqual((outcome.status, len(outcome.output)), (0, LIMITS.output_bytes))

    def test_a_flood_of_output_is_stopped(self):
        outcome = self.shell("exec yes", 20)
        self.assertEqual(outcome.stopped, "output")
        self.assertEqual(os.path.getsize(self.log), LIMITS.output_bytes)

    def test_files_are_limited_in_size(self):
        folder = tempfile.mkdtemp(dir=self.top)
        self.shell(f"head -c 9000000 /dev/zero > '{folder}/big'", writable=[folder])
        self.assertEqual(os.path.getsize(f"{folder}/big"), LIMITS.file_bytes)

    def test_the_record_goes_over_a_pipe(self):
        record = Path(self.top, "record")
        code = "import os; os.write(int(os.environ['LAB_RECORD_FD']), b'said')"
        self.run_job(python(code), record=str(record))
        self.assertEqual(record.read_bytes(), b"said")

    def test_nothing_of_the_graders_environment_is_seen(self):
        os.environ["SEED"] = "hush"
        self.addCleanup(os.environ.pop, "SEED")
        self.assertNotIn("hush", self.shell("env; cat /proc/self/environ").output)

    def test_the_command_ends_with_a_grader_that_is_killed(self):
        code = (
            "import sys; sys.path.insert(0, 'common/grading'); from grade import sandbox as s;"
            f"b = s.choose(s.Limits(), {self.wish!r}, {self.top!r});"
            "b.run(s.Job(['sleep', '300.25'], 60), 4, '/dev/null')"
        )
        process = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ)
        until = time.monotonic() + 50  # less than the 60 after which the command ends by itself

        def wait_until(running):
            while (self.alive("sleep\x00300.25") > 0) != running and time.monotonic() < until:
                time.sleep(0.05)
            self.assertEqual(self.alive("sleep\x00300.25") > 0, running)

        wait_until(True)
        os.kill(process, 9)
        os.waitpid(process, 0)
        wait_until(False)


class KernelLimits(Limited, unittest.TestCase):
    wish = "limits"


class Closed:
    """The tests of what keeps files closed to a command."""

    def secret(self):
        secret = Path(self.top, "secret")
        secret.write_text("hush", encoding="ascii")
        secret.chmod(0o644)
        return secret

    def test_it_reads_no_other_folder(self):
        line = f"cat '{self.secret()}'; ls '{self.top}' /home /root; cat /etc/passwd"
        outcome = self.shell(line)
        for word in ("hush", "root:", "\nsecret"):
            self.assertNotIn(word, outcome.output)

    def test_it_reads_no_other_folder_by_a_link_of_its_own(self):
        folder = tempfile.mkdtemp(dir=self.top)
        os.chmod(folder, 0o777)
        line = f"ln -s '{self.secret()}' '{folder}/x'; cat '{folder}/x'; echo end"
        outcome = self.shell(line, writable=[folder])
        self.assertNotIn("hush", outcome.output)
        self.assertIn("end", outcome.output)

    def test_a_covered_file_cannot_be_read_and_its_neighbours_can(self):
        folder = tempfile.mkdtemp(dir=self.top)
        os.chmod(folder, 0o755)
        hidden, beside = Path(folder, "hidden"), Path(folder, "beside")
        hidden.write_text("hush", encoding="ascii")
        beside.write_text("open\n", encoding="ascii")
        line = f"cat '{hidden}' 2>/dev/null; cat '{beside}'; echo end"
        outcome = self.shell(line, readable=[folder], covered=[str(hidden)])
        self.assertEqual(outcome.output, "open\nend\n")

    def test_it_connects_to_nobody(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)"
            self.assertNotEqual(self.run_job(python(code)).status, 0)

    def test_it_writes_to_its_own_folder_alone(self):
        own, other = (tempfile.mkdtemp(dir=self.top) for _ in range(2))
        for folder in (own, other):
            os.chmod(folder, 0o777)
        folders = f"/ /dev /dev/shm /usr /proc /etc /var/tmp '{other}'"
        line = f"for d in {folders}; do echo x > $d/grade_test && echo wrote; done; ls '{other}'"
        outcome = self.shell(line, readable=[other], writable=[own])
        self.assertNotIn("wrote", outcome.output)
        self.shell(f"mkdir '{own}/a' && echo x > '{own}/a/b'", writable=[own])
        self.assertEqual(Path(own, "a/b").read_text(encoding="ascii"), "x\n")


class Landlock(Closed, Limited, unittest.TestCase):
    wish = "landlock"

    def test_it_cannot_signal_the_grader(self):
        if landlock.version() < 6:
            self.skipTest("this kernel's Landlock does not keep from signals")
        self.assertIn("not permitted", self.shell(f"kill -0 {os.getpid()}").output)


class Bubblewrap(Closed, Limited, unittest.TestCase):
    wish = "required"

    def test_it_reads_what_is_given_and_cannot_write_there(self):
        folder = tempfile.mkdtemp(dir=self.top)
        os.chmod(folder, 0o777)
        outcome = self.shell(f"ls '{folder}' && touch '{folder}/x'", readable=[folder])
        self.assertIn("Read-only", outcome.output)
        self.assertEqual(os.listdir(folder), [])

    def test_it_writes_nowhere_but_into_a_small_folder(self):
        folders = "/ /dev /dev/shm /usr /proc /etc"
        line = f"for d in {folders}; do echo x > $d/grade_test && echo wrote; done"
        self.assertNotIn("wrote", self.shell(line).output)
        outcome = self.shell("for n in 1 2 3 4; do head -c 4000000 /dev/zero > /tmp/$n; done")
        self.assertIn("No space left", outcome.output)

    def test_it_sees_no_process_of_others(self):
        outcome = self.shell("ls /proc | grep -c '^[0-9]'; kill -9 -1; kill -9 1; echo alive")
        self.assertLess(int(outcome.output.split()[0]), 12)


class Sleepers(unittest.TestCase):
    def test_a_file_may_sleep_for_what_its_submission_has_left_or_a_moment(self):
        judge = Judge(None, SimpleNamespace(limits=Limits(sleep_seconds=7)), 1, 0, "")
        for slept, left in ((0, 7), (5, 2), (30, 0.1)):
            judge.slept = slept
            self.assertEqual(judge.may_sleep, left)

    def test_eighteen_submissions_that_sleep_delay_others_on_two_cores_by_less_than_ten_seconds(
        self,
    ):
        judge = Judge(None, SimpleNamespace(limits=Limits()), 1, 0, "")
        judge.last = False
        self.assertLess(18 * judge.may_sleep / 2, 10)

    def test_all_files_of_a_course_may_sleep_for_less_than_ten_seconds(self):
        judge = Judge(None, SimpleNamespace(limits=Limits()), 1, 0, "")
        for _ in range(18):
            judge.slept += judge.may_sleep
        self.assertLess(judge.slept, 10)

    def test_who_sleeps_is_graded_behind_all_others_and_sleeps_no_more(self):
        began = []

        def grade(student, judge, last):
            began.append((student.name, last, judge.slept))
            if student.name != "awake" and not last:
                judge.slept += 8 if student.name == "asleep" else 0
                raise Again

        grader = SimpleNamespace(grade=grade, earlier=lambda _: None, course=None, lab_seed=1)
        workplace = SimpleNamespace(of=lambda _: "")
        everybody = [Student(name, name, name) for name in ("asleep", "starved", "awake")]
        with contextlib.redirect_stdout(io.StringIO()):
            Engine(grader, None, workplace).run(everybody, SimpleNamespace(engine="", jobs=1))
        self.assertEqual(
            began[2:], [("awake", False, 0), ("starved", True, 0), ("asleep", True, 8)]
        )


class Decoys(unittest.TestCase):
    def suspected(self, **with_decoys):
        """Returns which of two suspected tests stay so, where they end like this with decoys."""
        found = {name: {"test": name, "findings": ["handed-over"]} for name in ("loads", "product")}
        ended = {name: {"status": how, "findings": []} for name, how in with_decoys.items()}
        judging = SimpleNamespace(recorded=lambda *_: (None, ""), replayed=lambda *_: ended)
        Judging.look_at_handed_over(judging, "", {}, found)
        return [name for name, test in found.items() if test["findings"]]

    def test_a_file_that_passes_with_decoys_is_suspected_no_more(self):
        self.assertEqual(self.suspected(loads="passed", product="passed"), [])

    def test_where_one_test_fails_with_decoys_no_other_is_believed(self):
        self.assertEqual(self.suspected(loads="passed", product="failed"), ["loads", "product"])
        self.assertEqual(self.suspected(product="passed"), ["loads", "product"])


class Cluster(unittest.TestCase):
    def test_a_task_asks_for_as_long_as_commands_may_take_on_a_busy_machine(self):
        """Each of two files is built, run and judged, twice."""
        limits, asked, walls = Limits(build_seconds=10, run_seconds=20), [], []
        box = sandbox.Sandbox(limits, "limits", self.enterContext(tempfile.TemporaryDirectory()))
        specs = mock.patch("grade.sandbox.confine", lambda spec, _: walls.append(spec) or Outcome())
        with specs, mock.patch("slurm.job_array.grade", lambda *told: asked.append(told[4]) or {}):
            for seconds in 4 * [limits.build_seconds, limits.run_seconds, limits.run_seconds]:
                box.run(Job(["true"], seconds, cwd="/"), 0, "")
            grader = SimpleNamespace(course=SimpleNamespace(parts={"lab1": ["kernel", "answers"]}))
            engine = SimpleNamespace(grader=grader, results={}, keep=lambda _: None)
            options = SimpleNamespace(limits=limits, jobs=1, out="")
            Engine._on_slurm(engine, [], options, None)
        self.assertEqual(asked, [sum(spec["wall_seconds"] for spec in walls)])


class Choice(unittest.TestCase):
    def kinds(self, root, **works):
        there = {name for name, it in works.items() if it}
        wishes = ("auto", "required", "landlock", "limits")
        return [sandbox.kind_for(wish, there, root) for wish in wishes]

    def test_the_best_that_works_is_chosen(self):
        both = self.kinds(False, bubblewrap=True, landlock=True)
        self.assertEqual(both, ["bubblewrap", "bubblewrap", "landlock", "limits"])
        self.assertEqual(self.kinds(False, landlock=True), ["landlock", "", "landlock", "limits"])

    def test_nobody_is_graded_with_less_unless_the_teacher_says_so(self):
        self.assertEqual(self.kinds(False), ["", "", "", "limits"])
        self.assertEqual(self.kinds(True), ["users", "", "", "limits"])
