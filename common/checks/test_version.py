"""Checks that a teacher's files name the version of their course, and that the page of changes is
kept."""

import re
import tomllib
from pathlib import Path

import pytest
from calls import ROOT, call, ended
from course import version
from release.__main__ import release

PAGE = "solutions/CHANGES.md"
TOML = [*ROOT.glob("lab*/lab.toml"), *ROOT.glob("solutions/hidden/lab*/lab.toml")]
FACTS = sorted(str(path.relative_to(ROOT)) for path in TOML)


def points_in(text: str) -> list:
    """Returns a lab.toml's tests and their points, part by part."""
    parts = tomllib.loads(text)["part"]
    return [(part["name"], part.get("tests"), part.get("performance")) for part in parts]


def changed_since(commit: str, facts: str) -> bool:
    status, before = call("git", "show", f"{commit}:{facts}")
    now = (ROOT / facts).read_text(encoding="utf-8")
    return status != 0 or points_in(before) != points_in(now)


def test_no_test_and_no_point_changes_without_a_line_on_the_page_of_changes() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("no git here")
    commit = ended(call("git", "log", "-1", "--format=%H", "--", PAGE), 0).strip()
    if commit and not ended(call("git", "status", "--porcelain", "--", PAGE), 0):
        changed = [facts for facts in FACTS if changed_since(commit, facts)]
        assert changed == [], f"{PAGE} says nothing about the tests or points of {changed}"


def test_a_reworded_or_revalued_test_is_a_change_and_a_comment_is_none() -> None:
    text = (ROOT / FACTS[0]).read_text(encoding="utf-8")
    before = points_in(text)
    assert points_in(f"# A comment.\n{text}") == before
    assert points_in(text.replace("card = true", "points = 3", 1)) != before
    assert points_in(text.replace("each thread has", "a thread has", 1)) != before


def test_the_page_begins_with_the_version_of_this_course() -> None:
    number = (ROOT / version.FILE).read_text(encoding="utf-8").strip()
    newest = re.search(r"(?m)^## (\S+)", (ROOT / PAGE).read_text(encoding="utf-8"))
    assert newest and newest[1] == number


def test_a_release_keeps_version_and_commit_without_git(tmp_path: Path) -> None:
    release(tmp_path / "course", ["lab1_naive"])
    kept = (tmp_path / "course" / version.FILE).read_text(encoding="utf-8").strip()
    assert kept == version.of(str(ROOT)) == version.of(str(tmp_path / "course"))
    assert re.fullmatch(r"\d+\.\d+\.\d+( \([0-9a-f]{8}\))?", kept)
