#!/usr/bin/env python3
"""Runs `make demo` and `make test` in every situation in which they work, and prints a table: where
the course is cloned, by which user, and what the machine lacks.

usage: situations.py [--tree FOLDER] [--only WORDS] [--list]

FOLDER is an unpacked system, such as debootstrap makes, that lacks what the course needs; each
situation gets a fresh layer above it. Without it the situations are built on this machine, whose
packages stay as they are. Needs root and the right to mount. A situation takes minutes.
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
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[3]
LOGS = ROOT / "build/situations"
COMMANDS = ("make demo", "make test")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# The capabilities left in a container without rights.
NO_RIGHTS = ("-all", "+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+sys_chroot")


@dataclass(frozen=True)
class Situation:
    """One row of the table. Paths are inside the tree."""

    name: str
    folder: str = "/root/course"
    user: str = "root"
    before: tuple[str, ...] = ()  # shell commands of root, after the course is copied
    environment: dict[str, str] = field(default_factory=dict)
    umask: str = "022"
    terminals: bool = True  # /dev/pts is mounted
    rights: tuple[str, ...] = ()  # the rights that root keeps; empty: all
    first: tuple[str, ...] = ()  # in a tree, these end with status 2 and print the line to run


OF_STUDENT = "/home/student/course", "student"
BLANKS = "/srv/My Course é"
READ_ONLY_HOME = "mkdir -p /srv/home && mount -t tmpfs -o ro tmpfs /srv/home"
SMALL_TMP = "mkdir -p /srv/tmp && mount -t tmpfs -o size=8m tmpfs /srv/tmp && chmod 1777 /srv/tmp"
AHEAD = "find {} -type f -exec touch -d '+2 days' {{}} +"
SUDO = (
    "apt-get install -qq -y --no-install-recommends sudo >/dev/null 2>&1 || true",
    "mkdir -p /etc/sudoers.d",
    "echo 'student ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/student",
)
NO_SUDO = ("rm -f /etc/sudoers.d/student",)
OF_HOME, OF_TMP = {"HOME": "/srv/home"}, {"TMPDIR": "/srv/tmp"}
ALL = (
    Situation("root in a bare container's /root, no /dev/pts", terminals=False),
    Situation(
        "root without the right to make namespaces, as in Docker; umask 077",
        umask="077",
        rights=NO_RIGHTS,
    ),
    Situation("a user with sudo", *OF_STUDENT, before=SUDO),
    Situation("a user without sudo", *OF_STUDENT, before=NO_SUDO, first=("make test",)),
    Situation(
        "a path with blanks and letters beyond ASCII, a read-only home",
        BLANKS,
        before=(READ_ONLY_HOME,),
        environment=OF_HOME,
    ),
    Situation("files dated two days ahead", "/srv/ahead", before=(AHEAD.format("/srv/ahead"),)),
    Situation(
        "TMPDIR elsewhere, and of 8 MB", "/srv/small", before=(SMALL_TMP,), environment=OF_TMP
    ),
    Situation(
        "the last three at once",
        BLANKS,
        before=(READ_ONLY_HOME, AHEAD.format(f"'{BLANKS}'"), SMALL_TMP),
        environment=OF_HOME | OF_TMP,
    ),
)


def as_user(situation: Situation, command: str, path: str) -> str:
    """Returns the shell line that runs a command as the situation's user, in its folder."""
    home = "/root" if situation.user == "root" else f"/home/{situation.user}"
    given = {"HOME": home, "USER": situation.user, "PATH": path, **situation.environment}
    words = ["env", "-i", *(f"{name}={value}" for name, value in given.items()), "setpriv"]
    if situation.user != "root":
        words += [f"--reuid={situation.user}", f"--regid={situation.user}", "--init-groups"]
        words += ["--inh-caps=-all"]
    elif situation.rights:
        words += [f"--{kind}={','.join(situation.rights)}" for kind in ("bounding-set", "inh-caps")]
    line = f"umask {situation.umask}; cd {shlex.quote(situation.folder)} && {command}"
    return shlex.join([*words, "bash", "-c", line])


def mounts(tree: str, terminals: bool = True) -> list[str]:
    """Returns the shell lines that mount the kernel's file systems in a tree."""
    lines = ["set -e", "mount --make-rprivate /"]
    if tree != "/":
        lines += [f"mount -t proc proc {tree}/proc"]
        if terminals:
            lines += [
                f"mkdir -p {tree}/dev/pts",
                f"mount -t devpts -o ptmxmode=666 devpts {tree}/dev/pts",
            ]
            lines += [f"ln -sf pts/ptmx {tree}/dev/ptmx"]
    elif not terminals:
        lines += ["umount -l /dev/pts"]
    return lines


def script(situation: Situation, tree: str) -> str:
    """Returns the shell lines that root runs in a mount namespace, outside of the tree."""
    inside = ["set -e", "umask 022"]
    path = os.environ["PATH"] if tree == "/" else SYSTEM_PATH
    if situation.user != "root":
        inside += [f"id {situation.user} >/dev/null 2>&1 || useradd -m {situation.user}"]
    folder = shlex.quote(situation.folder)
    inside += [f"mkdir -p $(dirname {folder})"] if " " not in situation.folder else []
    inside += [
        f"rm -rf {folder}; mkdir -p {folder}; umask {situation.umask}",
        f"tar xf /course.tar -C {folder}",
        f"chown -R {situation.user} {folder}",
        "umask 022",
        *situation.before,
    ]
    for command in situation.first if tree != "/" else ():
        wanted = (
            f"status=0; {as_user(situation, command, path)} >/said 2>&1 || status=$?; cat /said"
        )
        inside += [wanted, "[ $status = 2 ]", "line=$(sed -n 's/.*Please run:  sudo //p' /said)"]
        inside += ['[ -n "$line" ]', "apt-get update -qq", 'sh -c "$line" >/dev/null 2>&1']
    inside += ["set +e"]
    for command in COMMANDS:
        inside += [
            f"echo '--- {command}'",
            as_user(situation, command, path),
            'echo "--- status $?"',
        ]
    (pathlib.Path(tree) / "course.sh").write_text("\n".join(inside) + "\n", encoding="utf-8")
    outside = mounts(tree, situation.terminals)
    return "\n".join([*outside, f"exec chroot {tree} bash /course.sh"])


def run(situation: Situation, tree: str) -> dict[str, str]:
    """Builds a situation, runs the commands, and returns a row of the table."""
    began = time.monotonic()
    log = LOGS / (re.sub(r"[^a-z0-9]+", "-", situation.name.lower()) + ".log")
    command = ["unshare", "--mount", "bash", "-c", script(situation, tree)]
    with open(log, "wb") as out:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    text = log.read_text(encoding="utf-8", errors="replace")
    statuses = re.findall(r"^--- status (\d+)$", text, re.MULTILINE)
    counts = re.findall(r"^(\d+) passed, (\d+) failed$", text, re.MULTILINE)
    last = counts[-1] if counts else ("0", "none")
    good = ended.returncode == 0 and statuses == ["0"] * len(COMMANDS) and last[1] == "0"
    return {
        "situation": situation.name,
        "verdict": "ok" if good else "FAIL",
        "passed": last[0],
        "failed": last[1],
        "left out": "; ".join(re.findall(r"^left out: (.*)$", text, re.MULTILINE)) or "none",
        "seconds": f"{time.monotonic() - began:.0f}",
        "log": str(log.relative_to(ROOT)),
    }


def fresh(tree: pathlib.Path, above: pathlib.Path) -> str:
    """Mounts a layer above the tree that takes all writes, and returns its path."""
    for name in ("upper", "work", "root"):
        (above / name).mkdir()
    options = f"lowerdir={tree},upperdir={above}/upper,workdir={above}/work"
    merged = str(above / "root")
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, merged], check=True)
    return merged


def committed(above: pathlib.Path) -> pathlib.Path:
    """Clones the committed course with its history, from no path of this machine."""
    bare, course = above / "course.git", above / "course"
    subprocess.run(["git", "clone", "-q", "--bare", str(ROOT), str(bare)], check=True)
    subprocess.run(["git", "clone", "-q", str(bare), str(course)], check=True)
    return course


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    chosen = [one for one in ALL if asked.only in one.name]
    if asked.list or not chosen:
        print(*(one.name for one in ALL), sep="\n")
        return 0 if asked.list else 2
    if os.geteuid() != 0:
        print("situations.py: only root may build them.", file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    rows = []
    for situation in chosen:
        above = pathlib.Path(tempfile.mkdtemp(prefix="situation-", dir=LOGS))
        tree = fresh(asked.tree.resolve(), above) if asked.tree else "/"
        try:
            course = committed(above)
            subprocess.run(["tar", "cf", f"{tree}/course.tar", "-C", course, "."], check=True)
            rows.append(run(situation, tree))
        finally:
            if asked.tree:
                subprocess.run(["umount", "-l", tree], check=False)
            shutil.rmtree(above, ignore_errors=True)
        row = rows[-1]
        print("| " + " | ".join(row[name] for name in row if name != "log") + " |", flush=True)
    failed = sum(row["verdict"] != "ok" for row in rows)
    print(f"\n{len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
