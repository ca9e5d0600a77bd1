"""Writes the zip that a teacher uploads to Gradescope as an autograder: the course, the grader, its
points and the hidden tests of these labs, but no solutions."""

import os
import re
import secrets
import zipfile
from pathlib import Path

import disk
import goals
from release import contents
from release.contents import ROOT, Refused, version

OWN = "solutions/gradescope"


def course_files(labs: list) -> list:
    """Returns the files below course/ in the zip."""
    hidden = goals.below("solutions/hidden")
    hidden = [name for name in hidden if name.count("/") == 2 or name.split("/")[2] in labs]
    grader = goals.below("common/grading") + goals.below("common/verdict")
    # Left out: attacks, which hold solved code, and tests, which an autograder does not run.
    grader = [name for name in grader if "/tests/" not in name and "/attacks/" not in name]
    return sorted({*contents.released(labs), *grader, *hidden})


def write(out: Path, labs: list, seed: str) -> int:
    """Writes the zip; returns how many files it holds."""
    out.parent.mkdir(parents=True, exist_ok=True)
    new = out.with_name(out.name + ".new")
    names = {name: f"course/{name}" for name in course_files(labs)}
    names.update({f"{OWN}/{name}": name for name in ("setup.sh", "run_autograder")})
    files = {inside: (ROOT / name).read_bytes() for name, inside in names.items()}
    programs = {inside for name, inside in names.items() if os.access(ROOT / name, os.X_OK)}
    files[f"course/{version.FILE}"] = f"{version.of(str(ROOT))}\n".encode("ascii")
    files["settings.sh"] = f"LABS='{' '.join(labs)}'\nSEED='{seed}'\n".encode("ascii")
    try:
        with disk.naming(out), zipfile.ZipFile(new, "w") as archive:
            for inside, data in files.items():
                # Fixed times and no owners, so that the same inputs give the same zip.
                info = zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0))
                info.external_attr = (0o100755 if inside in programs else 0o100644) << 16
                archive.writestr(info, data, zipfile.ZIP_DEFLATED)
        os.replace(new, out)
    finally:
        new.unlink(missing_ok=True)
    return len(files)


def main() -> None:
    out = goals.target("gradescope", "autograder.zip")
    if out.suffix != ".zip" or out.is_dir():
        raise Refused(f"OUT={out}: Gradescope takes a file whose name ends with .zip.")
    seed = os.environ.get("SEED") or secrets.token_hex(8)
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", seed):
        raise Refused("SEED=: up to 64 letters, digits, '.', '-' and '_', please.")
    labs = goals.chosen_labs()
    count = write(out, labs, seed)
    print(f"{out}: {count} files, to grade {', '.join(labs)}; no solutions in it.")
    print(f"Its secret seed is {seed}; SEED={seed} before make gives the same zip again.")


if __name__ == "__main__":
    goals.run(main, "nothing was written")
