"""Checks the files that hosts of repositories read: the container, the workflow, the forms for
issues. Runs nothing: the workflow builds the container and runs the labs in it."""

import json
import os
import re
import subprocess

import pytest
import yaml
from calls import call, ended
from release import contents
from run_report import ROOT

SPREAD = True
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def named(path) -> str:
    return path.name


def is_shell(text: str) -> bool:
    """Tells whether a text parses as shell, with its ${{ }} as words."""
    text = re.sub(r"\$\{\{.*?\}\}", "word", text)
    done = subprocess.run(["sh", "-n", "-c", text], capture_output=True, check=False)
    return done.returncode == 0


# --- the container ---


def last(instruction: str) -> str:
    """Returns the words of the Dockerfile's last instruction of a kind."""
    text = (ROOT / ".devcontainer/Dockerfile").read_text(encoding="utf-8")
    return re.findall(rf"(?m)^{instruction} (.*)", text)[-1]


def test_editors_and_the_readme_take_the_dockerfile_whose_user_is_not_root() -> None:
    folder = ROOT / ".devcontainer"
    said = json.loads((folder / "devcontainer.json").read_text(encoding="utf-8"))
    assert set(said) == {"name", "build", "remoteUser", "updateContentCommand"}
    ended(call(*said["updateContentCommand"].split()), 0)
    assert (folder / said["build"]["dockerfile"]).is_file()
    assert (folder / said["build"]["context"]).resolve() == ROOT
    assert said["remoteUser"] == last("USER") != "root"
    assert "docker build -t course -f .devcontainer/Dockerfile ." in README
    mounted = re.findall(r'(?m)^\w+ run .*-v "\$PWD":(\S+) course$', README)
    assert mounted and set(mounted) == {last("WORKDIR")}
    copied = last("COPY").split()[0]
    there = {name for name in contents.tracked() if name.startswith(f"{copied}/")}
    assert there and there <= set(contents.released(contents.labs()))  # a release has them, too


def test_windows_changes_no_end_of_a_line_in_a_clone() -> None:
    listed = subprocess.run(["git", "ls-files", "--eol"], cwd=ROOT, capture_output=True, text=True)
    texts = [line for line in listed.stdout.splitlines() if line.startswith(("i/lf", "i/crlf"))]
    assert len(texts) > 1000 and [line for line in texts if "eol=lf" not in line] == []


def test_a_file_is_executable_if_it_names_its_interpreter_and_only_then() -> None:
    files = [ROOT / name for name in contents.tracked()]
    named = {file for file in files if file.read_bytes().startswith(b"#!")}
    assert named ^ {file for file in files if os.access(file, os.X_OK)} == set()


# --- what GitHub reads ---


def test_a_release_has_the_container_and_nothing_that_is_for_this_repository() -> None:
    names = contents.released(contents.labs())
    assert {".devcontainer/Dockerfile", ".devcontainer/devcontainer.json"} <= set(names)
    assert [name for name in names if name.startswith((".github/", ".ci/"))] == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=named)
def test_a_workflow_has_jobs_of_steps_that_can_be_run(file) -> None:
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert set(workflow) <= {"name", True, "permissions", "concurrency", "jobs"}  # True is on
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 30 and "runs-on" in job, name
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            assert is_shell(step.get("run", "")), step


def test_the_course_is_checked_on_the_systems_and_processors_of_the_readme() -> None:
    jobs = {}
    for file in WORKFLOWS:
        jobs |= yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
    course, container = jobs["course"], jobs["container"]
    built = [step["run"] for step in container["steps"] if "run" in step]
    assert "docker build" in built[0] and "make demo" in built[1]
    goals = r"make \$\{\{ github.event_name == 'merge_group' && 'check' \|\| 'test' \}\}"
    assert [step for step in course["steps"] if re.fullmatch(goals, step.get("run", ""))]
    assert os.access(ROOT / ".ci/run", os.X_OK)
    systems, runners = course["strategy"]["matrix"]["system"], ["ubuntu-24.04", "ubuntu-24.04-arm"]
    assert course["strategy"]["matrix"]["runner"] == runners
    for system in systems:
        assert system.replace(":", " ").title() in " ".join(README.split())
    assert last("FROM").removesuffix("-slim") in systems


@pytest.mark.parametrize("file", FORMS, ids=named)
def test_a_form_for_an_issue_asks_for_fields_that_are_told_apart(file) -> None:
    form = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "labels", "body"}
    asked = [field for field in form["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in asked} <= {"input", "textarea"}
    assert len({field["id"] for field in asked}) == len(asked) > 2
    assert all(field["attributes"]["label"] for field in asked)
    assert any(field["validations"]["required"] for field in asked if "validations" in field)


def test_what_contributors_read_leads_to_what_is_there() -> None:
    file = ROOT / ".github/CONTRIBUTING.md"
    text = file.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)", text)
    assert links and [link for link in links if not (file.parent / link).exists()] == []
    quoted = [path for path in re.findall(r"`([\w.-]+/[\w./-]+)`", text)]
    assert quoted and [path for path in quoted if not (ROOT / path).exists()] == []
    assert max(len(line) for line in text.splitlines() if not line.startswith("|")) <= 80
