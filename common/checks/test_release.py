"""Checks `make release`: sets of labs can be released, their documents are true, and each passes its
own `make check`. test_leftovers.py checks what a release must not contain.

The sets are the first lab, the first two, and so on, and each lab alone: what holds with no other
lab and with all of them should hold in the other sets, too; RELEASES=all checks that. The units of
common/ are built in a release without labs, and run by test_parts.py. Releases differ only in their
READMEs, so they share one build."""

import contextlib
import filecmp
import functools
import itertools
import os
import pathlib
import re
import shutil
from typing import Iterator

import calls
import chosen
import course_copy
import judging
import pytest
import shown_commands
import test_handouts
from course_copy import copy_build
from release import contents, leftovers
from release.__main__ import release
from run_report import ROOT

pytestmark = pytest.mark.seconds(60)
Labs = tuple[str, ...]
Made = tuple[pathlib.Path, str]  # a release's folder, and the output
LABS: Labs = tuple(contents.labs())
ALONE = [(lab,) for lab in LABS[1:]]
SETS = [LABS[:n] for n in range(len(LABS), 0, -1)] + ALONE
if os.environ.get("RELEASES") == "all":
    SETS = [some for n in range(len(LABS), 0, -1) for some in itertools.combinations(LABS, n)]
TOP = {".clang-format", ".clang-tidy", ".clangd", ".devcontainer", ".gitattributes", ".gitignore"}
TOP |= {".vscode", "LICENSE", "Makefile", "README.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"}
RELEASES = ROOT / "build/check/releases"
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
QUOTED_PATH = re.compile(r"`([\w.]+/[\w./]+)`")


def short(labs: Labs) -> str:
    return "+".join(lab.split("_")[0] for lab in labs)


each_set = pytest.mark.parametrize("labs", SETS, ids=short)
# A README's examples depend only on the first lab; with all labs a README shows most.
each_first_lab = pytest.mark.parametrize("labs", [LABS, *ALONE], ids=short)


def make(*words: str, folder: pathlib.Path = ROOT, umask: int = 0o022) -> tuple[int, str]:
    return calls.make(*words, folder=folder, umask=umask, LABS="", OUT="", CI="")


@pytest.fixture(scope="module", autouse=True)
def empty_folder() -> Iterator[None]:
    shutil.rmtree(RELEASES, ignore_errors=True)
    RELEASES.mkdir(parents=True)
    yield
    shutil.rmtree(RELEASES / "build", ignore_errors=True)  # the releases themselves are small


@functools.cache
def released(labs: Labs) -> pathlib.Path:
    """Makes the release of these labs once, and returns its folder."""
    folder = RELEASES / short(labs)
    release(folder, list(labs))
    return folder


def files(folder: pathlib.Path) -> list[pathlib.Path]:
    """Returns a release's files, without its build."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in found if path.relative_to(folder).parts[0] != "build"]


@contextlib.contextmanager
def built(folder: pathlib.Path) -> Iterator[None]:
    """Moves the build that all releases share into this one."""
    shared = RELEASES / "build"
    if not shared.exists():
        copy_build(RELEASES, ROOT)
    shutil.rmtree(folder / "build", ignore_errors=True)  # make -n makes one if a path has blanks
    shared.rename(folder / "build")
    try:
        yield
    finally:
        (folder / "build").rename(shared)


def labs_named(text: str) -> set[str]:
    """Returns the short names of the labs that a text names as folders or goals: lab1."""
    return set(re.findall(r"\b(lab\d+)(?:_[a-z]+)?\b", text))


@each_set
def test_a_release_holds_its_labs_and_nothing_of_the_teacher(labs: Labs) -> None:
    folder = released(labs)
    assert {path.name for path in folder.iterdir()} == TOP | {"common", "datasets", *labs}
    changed = [
        str(path.relative_to(folder))
        for path in files(folder)
        if path.suffix != ".md"
        and path.name != "VERSION"
        and "skeletons" not in path.parts
        and not filecmp.cmp(path, ROOT / path.relative_to(folder))
    ]
    assert not changed


@each_set
def test_the_texts_of_a_release_point_to_what_is_there(labs: Labs) -> None:
    folder = released(labs)
    for path in files(folder):
        name = path.relative_to(folder)
        if path.suffix == ".md" or name.parts[0] in labs:
            text = path.read_text(encoding="utf-8")
            assert labs_named(text) <= labs_named(" ".join(labs)), name
        if path.suffix == ".md":
            dead = [to for to in LINK.findall(text) if "://" not in to]
            dead = [to for to in dead if not (path.parent / to).exists()]
            quoted = [to for to in QUOTED_PATH.findall(text) if (ROOT / to).exists()]
            quoted = [to for to in quoted if not to.startswith("build/")]  # made later
            assert not dead + [to for to in quoted if not (folder / to).exists()], name


@each_set
def test_the_first_hour_of_a_release_is_that_of_its_first_lab(labs: Labs) -> None:
    readme = (released(labs) / "README.md").read_text(encoding="utf-8")
    lab, part = labs[0], contents.first_part(labs[0])
    for shown in (
        f"make -C {lab} test PART={part}",
        f"[lab {lab[3]}'s handout]({lab}/README.md)",
        f"`{lab}/{part}.cu`",
        f"make {short((lab,))} ",
    ):
        assert shown in readme
    assert (ROOT / lab / f"{part}.cu").exists()


@each_first_lab
def test_make_knows_the_commands_that_a_release_shows(labs: Labs) -> None:
    """What names no lab and no part is the same in each release, and is tried in the first."""
    course = released(labs)
    shown = [*shown_commands.run_as_shown(course), *shown_commands.parsed(course)]
    named = re.compile(r"\blab\d|PART=")
    shown = [one for one in shown if labs == LABS or named.search(one.text + one.folder)]
    assert any(f"make -C {labs[0]} " in command.text for command in shown)
    with built(course):  # make -n prints much less
        told = [(one, shown_commands.unknown(course, one)) for one in shown]
    assert [(one, why) for one, why in told if why] == []


@each_first_lab
def test_the_handouts_of_a_release_have_the_form_of_the_course(
    labs: Labs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_handouts, "ROOT", released(labs))
    assert list(test_handouts.wrong_form(released(labs) / "README.md", 400)) == []
    for lab in labs:
        test_handouts.check_lab(lab)
        for part in judging.parts(lab)[1:]:
            test_handouts.check_part(lab, part)


@pytest.mark.parametrize("labs", chosen.quick(1, [(labs,) for labs in SETS]), ids=short)
def test_a_release_passes_its_own_make_check(labs: Labs) -> None:
    folder = released(labs)
    with built(folder):
        status, said = make("check", "UNIT_TESTS=", folder=folder)
        passed = (folder / "build/check/passed.txt").read_text(encoding="utf-8")
    parts = [path for lab in labs for path in (ROOT / lab).glob("*.cu")]
    for part in parts:
        fails = "the skeleton fails with a sentence for every TODO"
        assert f"ok  {part.parent.name}, {part.stem}: {fails}\n" in passed, said
    assert status == 0 and said.endswith(f"\n{len(parts)} passed, 0 failed\n"), said
    assert labs_named(said) == labs_named(" ".join(labs)), said


@pytest.mark.full
def test_the_units_of_a_release_need_no_lab() -> None:
    folder = RELEASES / "without_labs"
    shutil.copytree(released(LABS), folder, ignore=lambda _, names: LABS)
    with built(folder):
        status, said = make("units", folder=folder)
        units = sorted(path.name for path in (folder / "build").glob("test_*"))
    assert status == 0, said
    rooms = "harness", "matrix", "simulator", "testing", "verdict"
    assert units == [f"test_{room}" for room in rooms]


@each_set
def test_make_check_of_a_release_asks_for_all_of_its_labs(labs: Labs) -> None:
    status, said = make("-n", "check", folder=released(labs))
    assert status == 0 and said.endswith(f"/check_copy.py {' '.join(labs)}\n"), said


@each_set
def test_the_help_of_a_release_names_its_own_labs_and_no_goal_of_the_teacher(labs: Labs) -> None:
    status, said = make(folder=released(labs))
    assert status == 0 and f"there are {short(labs).replace('+', ' ')}\n" in said
    assert not re.search("teacher|release|bench|SOLUTION|make check", said, re.IGNORECASE)
    watch = make("watch", folder=released(labs))[1]
    assert labs_named(said + watch) == labs_named(" ".join(labs))


ANSWERS = {
    "doctor": (0, r"(?s)\nNeeded:(?!.*teachers)"),
    "lab1": (2, r"TODO\(1\): "),
    "lab1_naive PART=matrix_add": (2, r"FAIL  TODO\(1\): [^:]*\n"),
    "test PART=matrix_add": (2, r"\A[^\n]*lab1_naive: lab1_naive/matrix_add.cu on "),
    "test LABS=lab2 PART=banks": (2, r"lab2_tiled: lab2_tiled/banks.cu on "),
    "test LABS=lab9": (2, r"LABS=lab9: there is no such lab; there are lab1_naive, "),
    "-C lab1_naive test SOLUTION=1": (2, "solutions/lab1_naive/.*no such file"),
    "bench": (2, "comes with the solutions"),
}


@pytest.mark.parametrize("words", ANSWERS)
def test_make_answers_in_a_release(words: str) -> None:
    folder, (wanted, says) = released(LABS), ANSWERS[words]
    with built(folder):
        status, said = make(*words.split(), folder=folder)
    assert status == wanted and re.search(says, said), said


REFUSED = {
    "OUT=build/check": "is not empty",
    "OUT=lab1_naive/release": "lies in the course",
    "OUT=build/of_lab9 LABS=lab9": "no such lab",
    "LABS=lab1": "OUT is missing",
}


@pytest.mark.parametrize("words", REFUSED)
def test_make_release_is_refused_with(words: str) -> None:
    calls.ended(make("release", *words.split()), 2, REFUSED[words])
    assert not (ROOT / "lab1_naive/release").exists() and not (ROOT / "build/of_lab9").exists()


def test_a_release_that_is_refused_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "leftovers", lambda *_: ["kernel.cu: is solved"])
    before = sorted(RELEASES.iterdir())
    with pytest.raises(contents.Refused, match="kernel.cu: is solved"):
        release(RELEASES / "refused", list(LABS))
    assert sorted(RELEASES.iterdir()) == before


@pytest.fixture(scope="module")
def weeks_1_and_3() -> Made:
    """Makes a release from a clone that only its user may read, into an empty folder with a blank
    in its name."""
    clone, folder = RELEASES / "clone", RELEASES / "my course"
    folder.mkdir()
    course_copy.copy_files(clone)
    for path in clone.rglob("*"):
        path.chmod(path.stat().st_mode & 0o700)
    if shutil.which("git"):
        assert calls.call("git", "init", "-q", folder=clone)[0] == 0
        assert calls.call("git", "add", ".", folder=clone)[0] == 0
    (clone / "lab1_naive/new.txt").touch()
    said = calls.ended(
        make("release", f"OUT={folder}", "LABS=lab1 lab3", folder=clone, umask=0o077), 0
    )
    return folder, said


def test_a_release_goes_into_an_empty_folder_with_a_blank_in_its_name(weeks_1_and_3: Made) -> None:
    folder, said = weeks_1_and_3
    assert "nothing of a solution found" in said
    assert "Left out: lab2_tiled, lab4_memtypes." in said
    assert sorted(path.name for path in folder.glob("lab*")) == ["lab1_naive", "lab3_boundary"]


def test_a_release_names_a_file_that_git_does_not_know(weeks_1_and_3: Made) -> None:
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    folder, said = weeks_1_and_3
    assert "\n  lab1_naive/new.txt\n" in said
    assert not (folder / "lab1_naive/new.txt").exists()


def test_others_may_read_a_release_from_a_clone_that_only_its_user_may_read(
    weeks_1_and_3: Made,
) -> None:
    folder, _ = weeks_1_and_3
    modes = {path: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert set(modes.values()) == {0o755, 0o644}
    runs = {path.suffix for path, mode in modes.items() if path.is_file() and mode == 0o755}
    assert ".sh" in runs and not {".cu", ".cpp", ".md"} & runs
