"""Copies of the course for checks that change files, or want a folder of another kind."""

import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What `make test` has built before its checks begin, and what no check may build a second time.
BUILT = ("obj", "prelude", "translate", "generate", "gate_symbols")
LIBRARIES = ("libmatrix.a", "libsimulator.a", "libtesting.a")


def make(folder: pathlib.Path, built: bool = True) -> pathlib.Path:
    """Copies all that is not built to a new folder, with what make has built where `built` says so.

    Objects are newer than their sources in the copy as well, so that make builds none of them
    again.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in ("build", ".git"):
            subprocess.run(["cp", "-a", str(path), str(folder)], check=True)
    if built:
        (folder / "build").mkdir()
        for name in (*BUILT, *LIBRARIES):
            if (ROOT / "build" / name).exists():
                built_here = str(ROOT / "build" / name)
                subprocess.run(["cp", "-a", built_here, str(folder / "build")], check=True)
    return folder
