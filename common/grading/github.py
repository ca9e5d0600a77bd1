"""Writes OUT/.github, the workflow and its scripts, into a released course or another copy."""

import shutil

import goals
from release.contents import ROOT, Refused

OF_COURSE = ("facts.py", "skeleton.py", "version.py")
SCRIPTS = ("disk.py", "model.py", "points.py", "scoring.py", "public_tests.py")


def main() -> None:
    out = goals.target("github", "released-course")
    if not (out / "common" / "lab_rules.mk").exists():
        raise Refused(f"OUT={out}: is no copy of the course; make one with make release OUT={out}")
    target = out / ".github"
    if target.exists():
        raise Refused(f"{target}: is there already; remove it first.")
    labs = [lab for lab in goals.chosen_labs() if (out / lab).is_dir()]
    copied = {f"common/course/{name}": f"grading/course/{name}" for name in OF_COURSE}
    copied["solutions/github/tests.yml"] = "workflows/tests.yml"
    copied["solutions/github/autograder.py"] = "grading/autograder.py"
    forms = [name for name in goals.below("common/grading/forms") if name.endswith(".py")]
    for name in [f"common/grading/{script}" for script in SCRIPTS] + forms:
        copied[name] = name.removeprefix("common/")
    with goals.new_folder(target) as new:
        for name, place in copied.items():
            (new / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, new / place)
        new.chmod(0o755)
    print(f"{target}: the workflow for {', '.join(labs)}; commit and push it with the course.")


if __name__ == "__main__":
    goals.run(main, "nothing was written")
