"""Checks `make doctor` on machines that lack something: fake programs come first on the PATH.
Checks that a machine's limits are no verdict on a kernel: lab 1's solution on a system that starts
no further thread, or has no address space left."""

import os
import pathlib
import re
import shutil
import sys
import tempfile
from typing import Iterator

import pytest
from calls import ROOT, call, ended, make, rules

FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin")


def doctor(wanted: int, words: str, **variables: str) -> None:
    """Fails unless doctor ends with this status and prints these words, within 80 columns."""
    # The machines determine themselves which compiler they have.
    program = (sys.executable, "-I", "-S", "common/course/doctor.py")
    status, said = call(*program, CXX="", **variables)
    wide = [line for line in said.splitlines() if len(line) > 80]
    assert not wide, f"over 80 columns: {wide}"
    assert status == wanted and re.search(words, " ".join(said.splitlines())), said


@pytest.fixture(name="folder")
def folder_of_a_short_name() -> Iterator[pathlib.Path]:
    """Returns a folder whose programs doctor can name within 80 columns."""
    with tempfile.TemporaryDirectory() as name:
        yield pathlib.Path(name)


def without(folder: pathlib.Path, *programs: str) -> str:
    """Returns a PATH with all programs of this machine except some."""
    for place in map(pathlib.Path, FOLDERS):
        for file in place.iterdir():
            if file.name not in programs and not os.path.lexists(folder / file.name):
                (folder / file.name).symlink_to(file)
    return str(folder)


def playing(folder: pathlib.Path, program: str, script: str) -> str:
    """Returns a PATH on which a script replaces a program."""
    (folder / program).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / program).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_here_all_labs_can_be_done() -> None:
    doctor(0, r"ok +g\+\+ 1[0-9.]+ .*(?:ok|not here) +Thrust .*All labs can be done here")


LACKING = {
    "no compiler": ("g++ g++-11 g++-12 g++-13", 2, r"MISSING +g\+\+ .*apt-get install g\+\+ "),
    "no binutils": ("objcopy", 2, "MISSING +objcopy .*cannot be built yet.*install binutils"),
    "nothing optional": (
        "clang++ clang-format bwrap sbatch nvcc",
        0,
        r"not here clang\+\+ .*without it: .*not here bubblewrap",
    ),
}


@pytest.mark.parametrize("machine", LACKING)
def test_what_is_missing_is_named(folder: pathlib.Path, machine: str) -> None:
    programs, wanted, words = LACKING[machine]
    doctor(wanted, words, PATH=without(folder, *programs.split()), CUDA_HOME="/nowhere")


def test_a_first_build_without_a_compiler_leads_to_doctor(
    folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    path = without(folder, "g++")
    _, said = make("-C", "lab1_naive", "test", "CXX=g++", f"BUILD={tmp_path}", PATH=path)
    assert "make doctor, in the course's folder, says\nwhat is missing." in said, said


PLAYED = {
    "an old compiler": (
        "g++",
        'case "$*" in *version*) echo 9.4.0 ;; *) exec /usr/bin/g++ "$@" ;; esac',
        2,
        r"TOO OLD +g\+\+ 9\.4\.0 .*11 or newer .*get it: ",
    ),
    "an old toolkit": (
        "nvcc",
        'echo "Cuda compilation tools, release 11.8, V11.8.89"',
        0,
        r"TOO OLD +CUDA toolkit 11\.8 .*All labs can be done",
    ),
    "a card": (
        "nvidia-smi",
        'echo "NVIDIA RTX 6000 Ada Generation Laptop GPU, 8.9, 550.54.14"',
        0,
        r"NVIDIA RTX 6000 Ada .*compute capability 8\.9, driver 550",
    ),
    "WSL2": (
        "uname",
        'case $1 in -r) echo 5.15.90.1-microsoft-standard-WSL2 ;; *) exec /bin/uname "$@" ;; esac',
        0,
        "WSL: the card uses the driver of Windows",
    ),
    "arm64": (
        "uname",
        'case $1 in -m) echo aarch64 ;; *) exec /bin/uname "$@" ;; esac',
        0,
        "arm64: the labs report the same as on x86-64",
    ),
}


WSL2 = PLAYED["WSL2"][1]
# Programs that play a part each, variables, the status, and what is said.
PLACES: dict[str, tuple[dict, dict, int, str]] = {
    "a Mac": (
        {"uname": "case $1 in -m) echo arm64 ;; *) echo Darwin ;; esac", "nproc": "exit 1"},
        {},
        2,
        "This machine: .*, arm64, .* The course runs on Linux. On a Mac use .* in README.md.$",
    ),
    "a drive of Windows": (
        {"uname": WSL2, "stat": "echo v9fs"},
        {},
        0,
        "folders on Windows drives are slow; clone the course below ~",
    ),
    "WSL2, in Linux's own folders": (
        {"uname": WSL2, "stat": "echo ext2/ext3"},
        {},
        0,
        "^(?!.*Windows drives are slow)",
    ),
    "a container": ({}, {"container": "docker"}, 0, "A container: files outside"),
    "a notebook without a card": (
        {"nvidia-smi": "exit 9"},
        {"COLAB_RELEASE_TAG": "release"},
        0,
        r"not here NVIDIA card +DEVICE=gpu +get it: Runtime > Change runtime type",
    ),
    "Codespaces": ({}, {"container": "docker", "CODESPACES": "true"}, 0, "Codespaces: commit"),
    "a cluster": (
        {"sudo": "exit 1", "id": "echo users", "objcopy": "exit 127", "g++": "echo 9.4.0"},
        {"MODULESHOME": "/usr/share/modules"},
        2,
        "You may not install packages here. .*Modules may offer a newer g",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_kind_of_place_is_known(folder: pathlib.Path, place: str) -> None:
    programs, variables, wanted, words = PLACES[place]
    path = os.environ["PATH"]
    for program, script in programs.items():
        path = playing(folder, program, script)
    doctor(wanted, words, PATH=path, **variables)


# Runs a program, whose name follows Python's options.
PYTHON_OF_A_MAC = """\
import runpy, sys
sys.platform = "darwin"
sys.argv = [word for word in sys.argv[1:] if word[:1] != "-"]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
ON_A_MAC = "(?s)The course runs on Linux. On a Mac .*README.md.\n(?:make: .*)?$"


@pytest.mark.parametrize("goals", ["", "doctor", "demo", "test", "lab1", "-C lab1_naive test"])
def test_on_a_mac_make_ends_with_where_the_course_runs(folder: pathlib.Path, goals: str) -> None:
    path = playing(folder, "uname", "echo Darwin")
    (folder / "mac.py").write_text(PYTHON_OF_A_MAC, encoding="utf-8")
    playing(folder, "python3", f'exec {sys.executable} {folder}/mac.py "$@"')
    status, said = make(*goals.split(), f"PYTHON={folder}/python3", PATH=path)
    assert status == (2 if goals else 0) and re.search(ON_A_MAC, said), said
    assert max(map(len, said.splitlines())) <= 80, said


@pytest.mark.parametrize("machine", PLAYED)
def test_what_is_of_another_kind_is_named(folder: pathlib.Path, machine: str) -> None:
    program, script, wanted, words = PLAYED[machine]
    doctor(wanted, words, PATH=playing(folder, program, script))


MACHINES_WITH_A_CARD = {
    "a Jetson": (
        {
            "head": "printf 'NVIDIA Jetson AGX Orin Developer Kit\\0'",
            "nvidia-smi": "echo 'Orin (nvgpu), [N/A], 540.4.0'",
            "__nvcc_device_query": "printf 87",
        },
        r"Jetson AGX Orin Developer Kit .*compute capability 8\.7, driver of JetPack",
    ),
    "a card that is newer than the toolkit": (
        {
            "nvidia-smi": "echo 'NVIDIA GB10, 12.1, 580.95.05'",
            "nvcc": "case $1 in --list*) echo sm_90 ;; *) echo release 12.4, ;; esac",
        },
        r"ok +CUDA toolkit 12\.4 .*TOO OLD +CUDA toolkit 12\.4 +does not know the card's sm_121",
    ),
    "a driver that is older than the toolkit": (
        {
            "nvidia-smi": "echo '| NVIDIA-SMI 535.104  Driver Version: 535.104  CUDA Version: 12.2 |'",
            "nvcc": "echo release 13.0,",
        },
        r"TOO OLD +driver for CUDA 12\.2 +the toolkit is 13\.0 +get it: .* CUDA toolkit 12 ",
    ),
    "a driver that is newer than the toolkit": (
        {
            "nvidia-smi": "echo '| NVIDIA-SMI 580.95  Driver Version: 580.95  CUDA Version: 13.0 |'",
            "nvcc": "echo release 12.4,",
        },
        r"ok +CUDA toolkit 12\.4 (?!.*TOO (OLD|NEW))",
    ),
    "a compiler that is too new for nvcc": (
        {
            "nvcc": "case $* in *-E*) echo '#error -- unsupported GNU version! gcc versions later than "
            "12 are not supported!' >&2; exit 1 ;; *) echo release 12.0, ;; esac",
        },
        r"TOO NEW +g\+\+ \S+ +nvcc takes 12 or older +get it: sudo apt-get install g\+\+-12 "
        r"+then: export NVCC_PREPEND_FLAGS='-ccbin g\+\+-12'",
    ),
    "a card that the toolkit knows": (
        {
            "nvidia-smi": "echo 'NVIDIA GH200 480GB, 9.0, 580.95.05'",
            "nvcc": "case $1 in --list*) echo sm_90 ;; *) echo release 12.4, ;; esac",
        },
        r"ok +NVIDIA card \(found\) +NVIDIA GH200 480GB(?!.*TOO OLD)",
    ),
}


@pytest.mark.parametrize("machine", MACHINES_WITH_A_CARD)
def test_a_card_is_named_with_its_toolkit(folder: pathlib.Path, machine: str) -> None:
    programs, words = MACHINES_WITH_A_CARD[machine]
    for program, script in programs.items():
        path = playing(folder, program, script)
    doctor(0, words, PATH=path)


def test_a_python_that_can_import_nothing_counts_as_missing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "json.py").write_text("raise ImportError\n", encoding="utf-8")
    own = {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    doctor(2, "MISSING +Python .*apt-get install python3 ", **own)


def test_without_matplotlib_all_but_the_pictures_works(tmp_path: pathlib.Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    own = {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    doctor(0, "not here matplotlib .*python3-matplotlib .*everything except pict", **own)


def test_without_pyelftools_all_but_the_page_works(tmp_path: pathlib.Path) -> None:
    (tmp_path / "elftools.py").write_text("raise ImportError\n", encoding="utf-8")
    own = {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    doctor(0, "not here pyelftools .*python3-pyelftools .*everything except make explore", **own)


def test_without_python_make_doctor_says_how_to_get_it() -> None:
    status, said = make("doctor", "PYTHON=/nowhere/python3")
    sentence = "make doctor needs Python 3: sudo apt-get install python3"
    assert status == 2 and said.splitlines()[0] == sentence, said


@pytest.fixture(scope="module", name="tests")
def test_program() -> Iterator[str]:
    """Returns the path of a copy, because another user may not read this checkout."""
    said = ended(rules("lab1_naive", "-s", "SOLUTION=1", "PART=kernel", "tests_program"), 0)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        shutil.copy(ROOT / said.splitlines()[-1], f"{folder}/tests")
        for path in (folder, f"{folder}/tests"):
            os.chmod(path, 0o755)
        yield f"{folder}/tests"


def ends(*command: str) -> tuple[int, str]:
    """Returns the exit status of a command and its last line."""
    status, said = call(*command, folder=pathlib.Path("/"), seconds=60)
    return status, (said.splitlines() or [""])[-1]


@pytest.fixture(name="user")
def command_for_a_user() -> list[str]:
    """Returns the words before a command: a limit on processes does not hold for root, and it
    counts all processes of a user."""
    if os.getuid() != 0:
        return []
    user = ["setpriv", "--reuid", "64321", "--regid", "64321", "--clear-groups"]
    if call(*user, "true", folder=pathlib.Path("/"))[0] != 0:
        pytest.skip("root cannot become another user here")
    return user


def test_without_address_space_there_is_one_sentence_and_status_2(tests: str) -> None:
    status, last = ends("bash", "-c", 'ulimit -v 300000; exec "$0"', tests)
    assert status == 2 and "raise the limit (ulimit -v)" in last


def test_without_a_thread_there_is_one_sentence_and_status_2(tests: str, user: list[str]) -> None:
    status, last = ends(*user, "prlimit", "--nproc=1", tests)
    assert status == 2 and "raise the limit on processes (ulimit -u)" in last


def test_with_one_thread_for_the_blocks_and_one_for_the_watchdog_the_solution_passes(
    tests: str, user: list[str]
) -> None:
    if not user:
        pytest.skip("only root can give a user no other process")
    status, last = ends(*user, "prlimit", "--nproc=2", tests)
    assert status == 0 and " passed, 0 failed" in last
