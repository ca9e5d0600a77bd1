"""Checks that the rooms of common/ use each other in one direction (see common/README.md), that no
file is long, and that a file includes the standard headers that it uses, if only some compilers
or a compiled header include them for it.
"""

import functools
import pathlib
import random
import re
import shutil
import subprocess

import course_copy
import pytest
from run_report import ROOT

CODE = (".h", ".cuh", ".cpp", ".cu")
INCLUDED = re.compile(r'^\s*#\s*include "([\w.]+)/', re.MULTILINE)
INCLUDED_OF_SIMULATOR = re.compile(r'^\s*#\s*include "simulator/(\w+)/', re.MULTILINE)
# The rooms whose code each may include; its unit tests may also use Catch2's main.
BELOW = {
    "text": {"text"},
    "matrix": {"matrix", "text"},
    "simulator": {"simulator", "cusim", "text"},
    "testing": {"testing", "simulator", "matrix", "text"},
    "verdict": {"verdict", "testing", "simulator", "matrix", "text"},
    "grading": {"grading"},
    "harness": {"harness", "testing", "simulator", "matrix"},
}
# The rooms of the simulator from the lowest up; each may include those before it.
SIMULATOR = (
    "include translate findings memory observers engine explain hooks model api program".split()
)
FOLDERS = (ROOT, ROOT / "common", ROOT / "common/simulator/include")  # of -I, in this order
FIXED_WIDTH = re.compile(r"\bstd::u?int(_\w+)?(8|16|32|64|ptr|max)_t\b")


def included_by(room: str, pattern: re.Pattern[str] = INCLUDED) -> set[str]:
    """Returns the folders that the pattern finds in the includes of a room's code, by default those
    of common/. Attacks do not count: they are submissions."""
    files = [path for path in (ROOT / "common" / room).rglob("*") if path.suffix in CODE]
    texts = [path.read_text() for path in files if not {"attacks", "tests"} & set(path.parts)]
    return {folder for text in texts for folder in pattern.findall(text)}


def test_nothing_in_common_includes_a_lab_or_a_solution() -> None:
    found = included_by(".")
    assert "matrix" in found  # the search finds something
    assert {folder for folder in found if re.match(r"lab\d|solutions", folder)} == set()


@pytest.mark.parametrize("room", BELOW)
def test_a_room_includes_itself_and_those_below_it(room: str) -> None:
    found = included_by(room)
    assert found <= BELOW[room]


@pytest.mark.parametrize("room", SIMULATOR)
def test_a_room_of_the_simulator_includes_itself_and_those_below_it(room: str) -> None:
    found = included_by(f"simulator/{room}", INCLUDED_OF_SIMULATOR)
    assert found <= set(SIMULATOR[: SIMULATOR.index(room) + 1])


def test_the_table_of_the_map_has_the_rooms_of_the_simulator_from_the_lowest_up() -> None:
    table = (ROOT / "common/README.md").read_text(encoding="utf-8").partition("## The rooms")[2]
    rows = re.findall(r"(?m)^\| `simulator/(\w+)`(?:, `(\w+)`)? ", table)
    assert [room for row in rows for room in row if room in SIMULATOR] == SIMULATOR


def test_the_drawing_of_a_launch_names_what_its_files_hold() -> None:
    readme = (ROOT / "common/README.md").read_text(encoding="utf-8")
    drawing = readme.partition("`LaunchPlan`, `LaunchRun`")[2]
    file, found = "", []
    for line in drawing.split("```")[1].splitlines():
        if place := re.search(r"\S+\.(?:h|cpp)\b", line):
            file = place[0]
        text = (ROOT / "common/simulator" / file).read_text(encoding="utf-8") if file else ""
        for name in re.findall(r"(\w+)(?:, (\w+))?: ", line):
            found += [(one, bool(re.search(rf"\b{one}\b", text))) for one in name if one]
    assert len(found) > 8 and [name for name, there in found if not there] == []


def test_the_table_of_races_names_the_functions_that_decide() -> None:
    room = ROOT / "common/simulator/observers"
    text = "".join(path.read_text(encoding="utf-8") for path in room.glob("*.cpp"))
    rows = re.findall(r"(?m)^\|.*\|.*\| (`.*`) \|$", (room / "README.md").read_text("utf-8"))
    names = [name for row in rows for name in re.findall(r"`(.+?)`", row)]
    assert len(rows) > 15
    assert [
        name
        for name in names
        if f"HappensBefore::{name}(" not in text and not (room.parent / name).is_file()
    ] == []


def test_each_contract_of_the_map_names_a_check_that_is_there() -> None:
    table = (ROOT / "common/README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"(?m)^\|.*\|.*\|(.*)\|$", table.split("no compiler checks\n")[1].split("##")[0]
    )
    files = {path.name for path in (ROOT / "common").rglob("*") if path.parent.name != "pycache"}
    names = [re.findall(r"`(\w+\.(?:py|cu|cpp|h))`", row) for row in rows[2:]]
    assert 0 < len(names) <= 6 and all(names)
    assert {name for row in names for name in row} - files == set()


def test_the_drawing_of_the_build_names_each_file_of_rules() -> None:
    text = (ROOT / "common/README.md").read_text(encoding="utf-8").partition("build is made")[2]
    assert {path.name for path in (ROOT / "common").rglob("*.mk") if path.name not in text} == set()
    named = set(re.findall(r"\b[a-z_]+\.(?:py|mk)\b", text.split("```")[1]))
    assert {name for name in named if not list(ROOT.glob(f"*/**/{name}"))} == set()


def test_each_folder_of_the_simulator_is_a_room_or_beside_the_rooms() -> None:
    folders = {path.parent.name for path in (ROOT / "common/simulator").glob("*/*.*")}
    assert folders - {"tests", "bench", "driver", "programs"} == set(SIMULATOR)


def test_no_room_of_the_simulator_passes_for_code_of_a_student() -> None:
    source = (ROOT / "common/simulator/findings/source_lines.cpp").read_text()
    ran = set(SIMULATOR) - {"translate"}
    assert {room for room in ran if f'"{room}"' not in source} == set()


def test_a_labs_rules_of_make_name_the_grader_in_one_line() -> None:
    files = sorted((ROOT / "common").glob("*.mk"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    assert [line for line in lines if "grading" in line] == ["-include common/grading/lab.mk"]


def test_the_explorer_includes_nothing_and_imports_its_own_modules_and_those_of_plots() -> None:
    """It reads the simulator's recording from a file."""
    assert included_by("explorer") == set()
    files = list((ROOT / "common/explorer").glob("*.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    imported = set(re.findall(r"(?m)^(?:from|import) (\w+)", text))
    rooms = {path.name: path for path in (ROOT / "common").iterdir() if path.is_dir()}
    modules = {path: path.stem for room in rooms.values() for path in room.glob("*.py")}
    near = {name for path, name in modules.items() if path.parent.name in ("explorer", "plots")}
    assert imported & near and imported & ({*rooms, *modules.values()} - near) == set()


@functools.cache
def own_includes(file: pathlib.Path) -> list[pathlib.Path]:
    """Returns the files of the course that a file includes."""
    names = re.findall(r'(?m)^\s*#\s*include ["<]([^">]+)[">]', file.read_text(encoding="utf-8"))
    found = []
    for name in names:
        places = (folder / name for folder in (file.parent, *FOLDERS))
        found += [place for place in places if place.is_file()][:1]
    return found


def reached(file: pathlib.Path) -> set[pathlib.Path]:
    """Returns a file and all files of the course that it includes, directly or not."""
    found, left = {file}, [file]
    while left:
        new = set(own_includes(left.pop())) - found
        found |= new
        left += new
    return found


def test_a_file_that_names_an_integer_of_a_fixed_width_includes_cstdint() -> None:
    """From g++ 13 on, <string> and other headers do not include it any more."""
    files = [ROOT / name for name in course_copy.files() if name.endswith(CODE)]
    users = [file for file in files if FIXED_WIDTH.search(file.read_text(encoding="utf-8"))]
    assert users
    lacking = [
        str(file.relative_to(ROOT))
        for file in users
        if not any("#include <cstdint>" in one.read_text(encoding="utf-8") for one in reached(file))
    ]
    assert lacking == []


def test_no_file_of_code_has_more_than_400_lines() -> None:
    code = [ROOT / name for name in course_copy.files() if name.endswith((*CODE, ".py", ".js"))]
    lengths = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in code}
    assert lengths and {name: n for name, n in lengths.items() if n > 400} == {}


def host_files() -> list[pathlib.Path]:
    """Returns some of the files that include a compiled header first; each commit gets other
    ones."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    rooms = ["matrix", "testing", "harness", *(f"simulator/{room}" for room in SIMULATOR[1:])]
    files = sorted(file for room in rooms for file in (ROOT / "common" / room).glob("*.cpp"))
    return random.Random(commit.stdout).sample([one for one in files if "_gpu" not in one.name], 6)


each_host_file = pytest.mark.parametrize("file", host_files(), ids=lambda file: file.name)
LIKE_GXX = ["-std=c++17", *(f"-I{folder}" for folder in FOLDERS)]


@each_host_file
def test_a_file_of_the_host_compiles_without_the_compiled_header(file: pathlib.Path) -> None:
    command = ["g++", "-fsyntax-only", *LIKE_GXX, str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.full
@pytest.mark.skipif(not shutil.which("clang-tidy"), reason="clang-tidy is not installed")
@each_host_file
def test_no_function_is_more_complex_than_clang_tidy_may_see(file: pathlib.Path) -> None:
    only = "--checks=-*,readability-function-cognitive-complexity"
    done = subprocess.run(
        ["clang-tidy", "--quiet", only, str(file), "--", *LIKE_GXX],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
