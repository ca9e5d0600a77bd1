"""Checks commands of a student and of a teacher on unusual machines and in unusual folders.

Runs a few commands in each situation of situations.py, several at a time. situations.py itself runs
`make demo` and `make test` in each, which takes hours.
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

import course_copy
import pytest
from calls import SHARE_BUILD

pytestmark = [pytest.mark.seconds(50), pytest.mark.full]
CHECKS = course_copy.ROOT / "build/check"
OTHER_USER = "64300:64300"
AS_OTHER = ["setpriv", "--reuid=64300", "--regid=64300", "--clear-groups"]


class Course:
    """A copy of the course in a situation."""

    def __init__(
        self, folder: pathlib.Path, before: list[str], environment: dict[str, str]
    ) -> None:
        self.folder, self.before = folder, before
        kept = {
            name: os.environ[name] for name in ("PATH", "HOME", "CUDA_HOME") if name in os.environ
        }
        self.environment = {**kept, "PYTHONDONTWRITEBYTECODE": "1", **environment}

    def run(self, line: str) -> tuple[int, str]:
        """Runs a line of shell in the course's folder; returns its status and its output."""
        command = [*self.before, "bash", "-c", line]
        options = {"cwd": self.folder, "env": self.environment, "stdin": subprocess.DEVNULL}
        done = subprocess.run(command, capture_output=True, text=True, **options)
        return done.returncode, done.stdout + done.stderr

    def says(self, line: str, status: int, words: str) -> None:
        """Fails unless the line ends with this status and its output holds these words."""
        got, said = self.run(line)
        assert (got, words in said) == (status, True), f"{line}\nstatus {got}\n{said[-2000:]}"

    def student_works(self) -> None:
        """Tests a solution, a skeleton, and asks what is next."""
        self.says("make -C lab1_naive test SOLUTION=1 PART=matrix_add", 0, " passed, 0 failed")
        self.says("make -C lab1_naive test PART=matrix_add", 2, "TODO(1): ")
        self.says("make progress", 0, "Next: TODO(1) in lab1_naive/matrix_add.cu")
        # A file from elsewhere, in a folder with a blank in its name.
        self.says("mkdir -p 'my class' && cp solutions/lab1_naive/matrix_add.cu 'my class/'", 0, "")
        given = "PART=matrix_add KERNEL='my class/matrix_add.cu'"
        self.says(f"make -C lab1_naive test {given}", 0, " passed, 0 failed")

    def teacher_grades(self, isolation: str) -> None:
        """Grades one student, whose file is the solution; the course is built already."""
        self.says(SHARE_BUILD, 0, "")
        self.says("mkdir -p class/ada && cp solutions/lab1_naive/matrix_add.cu class/ada", 0, "")
        line = "make grade SUBMISSIONS=class OUT='the marks' LABS=lab1 SEED=a"
        self.says(line, 0, isolation)
        self.says("cat 'the marks/grades.csv'", 0, "ada,")
        self.says("cat 'the marks/students/ada/result.json'", 0, '"state": "graded"')


def second_compiler(folder: pathlib.Path) -> str:
    """Makes a g++ whose headers are in a separate folder; returns the compiler's folder."""
    compiler = pathlib.Path(shutil.which("g++") or "g++").resolve()
    (folder / "bin").mkdir(parents=True)
    shutil.copy(compiler, folder / "bin/g++")
    (folder / "include").symlink_to("/usr/include")
    for name in ("lib", "libexec"):
        (folder / name).mkdir()
        if pathlib.Path(f"/usr/{name}/gcc").exists():
            # Its own folders, with links to the files.
            subprocess.run(["cp", "-as", f"/usr/{name}/gcc", f"{folder}/{name}"], check=True)
    return str(folder / "bin")


def works(*command: str) -> bool:
    """Tells whether this machine can run the command."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def place() -> Iterator[pathlib.Path]:
    """Returns a folder that only its owner may enter, like /root."""
    folder = CHECKS / "situations"
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    yield folder
    for link in filter(pathlib.Path.is_symlink, folder.glob("*/build/grading")):
        shutil.rmtree(link.resolve(), ignore_errors=True)  # the grader has put it outside
    shutil.rmtree(folder, ignore_errors=True)


def test_a_container_of_roots_with_umask_077_and_no_namespaces_will_do(place: pathlib.Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root has a folder that the users of submissions may not enter")
    course = course_copy.make(place / "course")
    without = ["setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin"]
    if not works(*without, "true"):  # these rights, and the right to drop them, are gone already
        without = []
    here = Course(course, without, {})
    here.folder.chmod(0o700)
    for line in ("chmod -R go= common lab* solutions Makefile", "umask 077; mkdir -p build"):
        here.says(line, 0, "")
    here.before = [*without, "bash", "-c", 'umask 077; exec "$@"', "_"]
    here.student_works()
    here.teacher_grades("Install bubblewrap for more")
    here.says("stat -c %a 'the marks'", 0, "700")


def test_a_path_with_blanks_dates_ahead_no_home_and_a_small_tmpdir_will_do(
    place: pathlib.Path,
) -> None:
    course = course_copy.make(place / "My Course é")
    small = place / "small"
    small.mkdir()
    here = Course(course, [], {"HOME": "/nonexistent", "TMPDIR": str(small)})
    if os.geteuid() == 0 and works("unshare", "--mount", "true"):
        mount = f"mount -t tmpfs -o size=8m,mode=1777 tmpfs {shlex.quote(str(small))}"
        here.before = ["unshare", "--mount", "bash", "-c", f'{mount}; exec "$@"', "_"]
    for name in ("lab1_naive/matrix_add.cu", "lab1_naive/matrix_add/README.md", "Makefile"):
        os.utime(course / name, (2**31 + 10**8,) * 2)
    here.student_works()
    status, said = here.run("make -C lab1_naive test PART=matrix_add")
    assert status == 2 and "  compile " not in said  # future dates build once
    here.teacher_grades("Isolation:")


def test_a_user_without_rights_and_a_second_compiler_will_do(
    request: pytest.FixtureRequest,
) -> None:
    if os.geteuid() != 0:
        pytest.skip("this user is one")
    if not works(*AS_OTHER, "true"):
        pytest.skip("root may not become another user here")
    # Outside of the course, which may be in a folder that only root may enter.
    home = pathlib.Path(tempfile.mkdtemp(prefix="home-", dir="/var/tmp"))
    home.chmod(0o755)
    request.addfinalizer(lambda: shutil.rmtree(home))
    course = course_copy.make(home / "course")
    second = second_compiler(home / "gcc")
    subprocess.run(["chown", "-hR", OTHER_USER, str(home)], check=True)
    here = Course(course, AS_OTHER, {"HOME": str(home), "PATH": f"{second}:{os.environ['PATH']}"})
    here.says("g++ -x c++ -E -v /dev/null", 0, str(home / "gcc"))
    here.student_works()
    here.says("rm build/gate_symbols && make build/gate_symbols", 0, "")
    here.teacher_grades("Isolation:")


def test_without_terminals_and_compiled_headers_the_reports_are_the_same(
    place: pathlib.Path,
) -> None:
    if os.geteuid() != 0 or not works("unshare", "--mount", "true"):
        pytest.skip("only root can take /dev/pts away, and may not do so everywhere")
    course = course_copy.make(place / "course")
    hide = "mount -t tmpfs tmpfs /dev/pts"
    here = Course(course, ["unshare", "--mount", "bash", "-c", f'{hide}; exec "$@"', "_"], {})
    here.says("! script -qec true /dev/null", 0, "")
    # g++ ignores what it cannot load, as in some containers, and reads the headers themselves.
    # The libraries, which have one of their own, are built already.
    headers = "find build/prelude -name '*.gch' ! -path '*/text/*'"
    here.says(f"for file in $({headers}); do echo no >$file; done", 0, "")
    here.student_works()


def test_a_report_is_the_same_if_the_program_contains_the_library_of_the_compiler(
    place: pathlib.Path,
) -> None:
    here = Course(course_copy.make(place / "course"), [], {})
    # Catch2 forgets a message of a data set that is right only while it knows of no exception.
    line = "make -C lab1_naive test PART=matrix_add MISTAKE=grid_one_block_too_many"
    last = "and every block is needed\n       rows x cols = 4 x 16\n"
    here.says(f"{line} CXX='g++ -static-libstdc++'", 2, last)
