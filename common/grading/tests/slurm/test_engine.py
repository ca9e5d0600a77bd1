"""Tests the Slurm engine on a real cluster of one node (one_node.sh). A task stands in for the
grader's: it writes its student's name and the name's length. Prints 'ok ...' or 'FAIL ...' for each
fact, for test_scripts.py."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import engine_slurm  # noqa: E402

# No network file system here.
engine_slurm.SETTLING_SECONDS = 0.5
engine_slurm.ANSWER_SECONDS = 5

STAND_IN = """
import json, os, sys, time
name, result, mishap = sys.argv[1:]
if mishap == "slow":
    time.sleep(60)
if mishap == "dies":
    print("cannot go on")
    sys.exit(3)
os.makedirs(os.path.dirname(result), exist_ok=True)
with open(result + ".new", "w") as file:
    json.dump({"student": name, "score": len(name)}, file)
os.replace(result + ".new", result)
"""
CLASS = ["anna", "bert ' $HOME quote", "chloe", "dmitri \u00e4"]


class Class:
    """A class in a folder, with mishaps for some students."""

    def __init__(self, folder, **mishaps):
        self.folder = pathlib.Path(folder)
        self.mishaps = mishaps

    def result_of(self, name):
        return self.folder / "students" / name / "result.json"

    def todo(self):
        return {
            name: [sys.executable, "-c", STAND_IN, name, str(self.result_of(name)),
                   self.mishaps.get(name, "")]
            for name in CLASS if not self.result_of(name).exists()
        }  # fmt: skip

    def grade(self, **more):
        self.told = []
        arguments = {"jobs": 2, "seconds": 30, "tell": lambda *said: self.told.append(said)} | more
        return engine_slurm.grade(self.todo(), self.folder, self.is_done, **arguments)

    def is_done(self, name):
        return self.result_of(name).exists()

    def table(self):
        paths = sorted(self.folder.glob("students/*/result.json"))
        return [json.loads(path.read_text()) for path in paths]


def a_class_of_four(folder):
    """a class is graded in arrays of at most three, whatever the students' names"""
    group = Class(folder)
    assert group.grade(memory_mib=50) == {}
    assert any(done for done, _ in group.told), group.told
    here = Class(folder + "/here")
    for command in here.todo().values():
        subprocess.run(command, check=True)
    assert group.table() == here.table() and len(group.table()) == len(CLASS)
    assert len(list(group.folder.glob("slurm/students-*.json"))) == 2, "arrays"


def one_dies(folder):
    """a task that dies costs its student's result alone, is named with its last words, and resumes"""
    group = Class(folder, chloe="dies")
    missing = group.grade()
    assert list(missing) == ["chloe"] and missing["chloe"].startswith("cannot go on"), missing
    assert len(group.table()) == 3
    group.mishaps = {}
    assert list(group.todo()) == ["chloe"] and group.grade() == {}
    assert len(group.table()) == 4


def interrupted(folder):
    """Ctrl-C cancels the array, and keeps the results that are there"""
    group = Class(folder, chloe="slow")

    def press():
        end = time.monotonic() + 20
        while time.monotonic() < end and not group.result_of(CLASS[1]).exists():
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    # A shell starts background programs with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=press).start()
    try:
        group.grade()
        raise AssertionError("it went on")
    except KeyboardInterrupt:
        pass
    end = time.monotonic() + 10
    while queue() and time.monotonic() < end:
        time.sleep(0.2)
    assert queue() == "", queue()
    assert group.result_of("anna").exists() and not group.result_of("chloe").exists()


def queue():
    shown = ["squeue", "--noheader", "--states=PENDING,RUNNING"]
    return subprocess.run(shown, capture_output=True, text=True).stdout


def refused(folder):
    """what the queue refuses is said in a sentence, with sbatch's reason"""
    try:
        Class(folder).grade(memory_mib=10**9)
        raise AssertionError("it was taken")
    except engine_slurm.SlurmError as error:
        said = str(error).replace("\n", " ")
        assert "sbatch refuses the job: " in said and "a smaller MEMORY_GB" in said, error


def no_such_partition(folder):
    """a partition that there is not is named in the teacher's words"""
    try:
        os.environ["SBATCH_PARTITION"] = "nosuch"
        says(folder, "there is no such partition")
    finally:
        del os.environ["SBATCH_PARTITION"]


def nothing_there(folder):
    """without sbatch, a slurm.conf or a controller that answers, a sentence says so"""
    path, conf = os.environ["PATH"], os.environ["SLURM_CONF"]
    text = pathlib.Path(conf).read_text()
    pathlib.Path(folder, "slurm.conf").write_text(text.replace("SlurmctldPort=", "SlurmctldPort=1"))
    try:
        os.environ["PATH"] = folder
        says(folder, "there is no sbatch here")
        os.environ["PATH"], os.environ["SLURM_CONF"] = path, f"{folder}/slurm.conf"
        says(folder, "controller does not answer")
        os.environ["SLURM_CONF"] = f"{folder}/none.conf"
        says(folder, "none.conf: there is no such file")
    finally:
        os.environ["PATH"], os.environ["SLURM_CONF"] = path, conf


def says(folder, wanted):
    try:
        Class(folder).grade()
        raise AssertionError("it was taken")
    except engine_slurm.SlurmError as error:
        assert wanted in str(error).replace("\n", " "), error
        assert max(map(len, str(error).splitlines())) < 80, error


def main():
    failed = False
    for test in (a_class_of_four, one_dies, interrupted, refused, no_such_partition,
                 nothing_there):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(folder)
                print(f"ok Slurm: {test.__doc__}", flush=True)
            except (AssertionError, engine_slurm.SlurmError) as error:
                failed = True
                print(f"FAIL Slurm: {test.__doc__}: {error!r}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
