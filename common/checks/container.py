#!/usr/bin/env python3
"""Builds the course's container without Docker, and runs a student's commands in it as its user.

usage: container.py [--all] [--minutes N] TREE

TREE is an unpacked system, such as debootstrap makes, like the one that .devcontainer/Dockerfile
begins with, for this processor or for one that the kernel hands to qemu (there sudo fails where
binfmt_misc keeps no credentials). A layer above it takes what
the Dockerfile's steps write, with the rights of a container. --all also runs the whole `make test`;
a command may take 30 minutes, or N. Needs root and the right to mount. Exit status 1: a command
ended otherwise than it should.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import dockerfile
import situations
from situations import LOGS, NO_RIGHTS, ROOT, SYSTEM_PATH, Situation

WATCH = """
make -C lab1_naive watch >/tmp/watch 2>&1 </dev/null &
says() { for _ in $(seq 900); do ! grep -q "$1" /tmp/watch || return 0; sleep 1; done; return 1; }
says 'FAIL  TODO(1)' && cp solutions/lab1_naive/matrix_add.cu lab1_naive && says 'all tests pass'
status=$?
kill $!; wait; cat /tmp/watch; git checkout -q lab1_naive
exit $status
"""
# The exit status and the words of each. None has to install anything.
COMMANDS = {
    "sudo -n true && ! touch /etc/passwd": (0, ""),
    "make doctor": (0, r"container.*All labs can be done here"),
    "make demo": (0, r"lab4_memtypes"),
    "make -C lab1_naive test PART=matrix_add": (2, r"FAIL  TODO\(1\)"),
    "make -C lab1_naive test PART=matrix_add SOLUTION=1": (0, "passed, 0 failed"),
    "make hint": (0, r"TODO\(1\)"),
    f": make watch{WATCH}": (0, r"matrix_add.cu: all tests pass"),
}
WHOLE = {"make test": (0, r"\n\d+ passed, 0 failed\n")}


def step_lines(commands: dict[str, tuple[int, str]], seconds: int) -> list[str]:
    """Returns the lines of shell that run the Dockerfile's steps, and then the commands."""
    lines = ["set -e", "umask 022"]
    now = Situation("root", folder="/")
    for step in dockerfile.course_steps():
        place = shlex.quote(step.words[-1])
        if step.kind == "FROM":
            name = step.text.removesuffix("-slim")
            lines += [f'. /etc/os-release; [ "$ID:$VERSION_ID" = {name} ]']
        elif step.kind == "COPY":
            source = shlex.quote(f"/context/{step.words[0]}")
            lines += [f"mkdir -p {place}; cp -R {source}/. {place}"]
        elif step.kind == "RUN":
            lines += [situations.as_user(now, shlex.join(["sh", "-c", step.text]), SYSTEM_PATH)]
        elif step.kind == "ENV":
            new = dict(word.split("=", 1) for word in step.words)
            now = Situation("root", now.folder, now.user, environment=now.environment | new)
        elif step.kind == "USER":
            now = Situation("user", now.folder, step.text, environment=now.environment)
        elif step.kind == "WORKDIR":
            lines += [f"mkdir -p {place}"]
            now = Situation("user", step.text, now.user, environment=now.environment)
    # As a folder that is mounted there.
    lines += [f"tar xf /course.tar -C {now.folder}; chown -R {now.user} {now.folder}", "set +e"]
    for number, command in enumerate(commands):
        limited = shlex.join(["timeout", str(seconds), "bash", "-c", command])
        lines += [f"echo '--- command {number}'; SECONDS=0"]
        lines += [situations.as_user(now, limited, SYSTEM_PATH)]
        lines += ['echo "--- status $? after $SECONDS s"']
    return lines


def prepare(tree: str, course: pathlib.Path, lines: list[str]) -> None:
    """Puts into the tree what a builder sees of the course, the course, and the lines."""
    listed = subprocess.run(["git", "ls-files"], cwd=course, capture_output=True, text=True)
    for name in dockerfile.sent(listed.stdout.splitlines()):
        to = pathlib.Path(tree, "context", name)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(course / name, to)
    subprocess.run(["tar", "cf", f"{tree}/course.tar", "-C", course, "."], check=True)
    pathlib.Path(tree, "course.sh").write_text("\n".join(lines) + "\n", encoding="utf-8")


def verdicts(text: str, commands: dict[str, tuple[int, str]]) -> int:
    """Prints a line a command, and returns how many went wrong."""
    ran = re.split(r"(?m)^--- command \d+\n", text)
    print("ok    the steps of .devcontainer/Dockerfile" if ran[1:] else f"FAIL  {text[-2000:]}")
    wrong = 0 if ran[1:] else 1
    for said, (command, (wanted, words)) in zip(ran[1:], commands.items()):
        ended = re.search(r"--- status (\d+) after (\d+) s\n$", said)
        status, seconds = ended.groups() if ended else ("none", "?")
        good = status == str(wanted) and re.search(f"(?s){words}", said)
        good = good and "Installing " not in said
        shown = re.sub(r"^: |\n.*", "", command, flags=re.DOTALL)
        print(f"{'ok' if good else 'FAIL':4}  {seconds:>5} s  {shown}")
        wrong += not good
    return wrong + max(0, len(commands) + 1 - len(ran))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--minutes", type=int, default=30)
    asked = parser.parse_args()
    if os.geteuid() != 0:
        print("container.py: only root may build a container.", file=sys.stderr)
        return 2
    commands = COMMANDS | (WHOLE if asked.all else {})
    LOGS.mkdir(parents=True, exist_ok=True)
    above = pathlib.Path(tempfile.mkdtemp(prefix="container-", dir=LOGS))
    tree = situations.fresh(asked.tree.resolve(), above)
    log = LOGS / f"container-{asked.tree.name}.log"
    try:
        course = situations.committed(above)
        prepare(tree, course, step_lines(commands, 60 * asked.minutes))
        rights = [f"--{kind}={','.join(NO_RIGHTS)}" for kind in ("bounding-set", "inh-caps")]
        within = shlex.join(["setpriv", *rights, "chroot", tree, "bash", "/course.sh"])
        outside = "\n".join([*situations.mounts(tree), f"exec {within}"])
        with open(log, "wb") as out:
            command = ["unshare", "--mount", "bash", "-c", outside]
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False)
    finally:
        subprocess.run(["umount", "-l", tree], check=False)
        shutil.rmtree(above, ignore_errors=True)
    wrong = verdicts(log.read_text(encoding="utf-8", errors="replace"), commands)
    print(f"\n{len(commands) + 1 - wrong} passed, {wrong} failed ({log.relative_to(ROOT)})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
