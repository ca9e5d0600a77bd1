"""Lists the situations in which `make demo` and `make test` work: where the course is cloned, by
whom, and what the machine lacks. situations.py builds them."""

from dataclasses import dataclass, field

# The capabilities left in a container without rights.
NO_RIGHTS = ("-all", "+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+sys_chroot")


@dataclass(frozen=True)
class Situation:
    """One row of the table. Paths are inside the tree."""

    name: str
    folder: str = "/root/course"
    user: str = "root"
    before: tuple[str, ...] = ()  # shell commands of root's, after the course is copied
    environment: dict[str, str] = field(default_factory=dict)
    umask: str = "022"
    terminals: bool = True  # /dev/pts is mounted
    rights: tuple[str, ...] = ()  # those that root keeps; empty: all
    first: tuple[str, ...] = ()  # in a tree, these end with status 2 and say the line to run


ALL = (
    Situation("root in a bare container's /root, no /dev/pts", terminals=False),
    Situation(
        "root without the right to make namespaces, as in Docker; umask 077",
        umask="077",
        rights=NO_RIGHTS,
    ),
    Situation(
        "a user with sudo",
        folder="/home/student/course",
        user="student",
        before=(
            "apt-get install -qq -y --no-install-recommends sudo >/dev/null 2>&1 || true",
            "mkdir -p /etc/sudoers.d",
            "echo 'student ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/student",
        ),
    ),
    Situation(
        "a user without sudo",
        folder="/home/student/course",
        user="student",
        before=("rm -f /etc/sudoers.d/student",),
        first=("make test",),
    ),
    Situation(
        "a path with blanks and letters beyond ASCII, a read-only home",
        folder="/srv/My Course é",
        before=("mkdir -p /srv/home && mount -t tmpfs -o ro tmpfs /srv/home",),
        environment={"HOME": "/srv/home"},
    ),
    Situation(
        "files dated two days ahead",
        folder="/srv/ahead",
        before=("find /srv/ahead -type f -exec touch -d '+2 days' {} +",),
    ),
    Situation(
        "TMPDIR elsewhere, and of 8 MB",
        folder="/srv/small",
        before=(
            "mkdir -p /srv/tmp && mount -t tmpfs -o size=8m tmpfs /srv/tmp && chmod 1777 /srv/tmp",
        ),
        environment={"TMPDIR": "/srv/tmp"},
    ),
    Situation(
        "the last three at once",
        folder="/srv/My Course é",
        before=(
            "mkdir -p /srv/home && mount -t tmpfs -o ro tmpfs /srv/home",
            "find '/srv/My Course é' -type f -exec touch -d '+2 days' {} +",
            "mkdir -p /srv/tmp && mount -t tmpfs -o size=8m tmpfs /srv/tmp && chmod 1777 /srv/tmp",
        ),
        environment={"HOME": "/srv/home", "TMPDIR": "/srv/tmp"},
    ),
)
