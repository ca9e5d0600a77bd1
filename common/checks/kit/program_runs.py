"""Runs cusim and other commands in a folder of their own, for the checks of programs."""

import os
import pathlib
import subprocess

from run_report import ROOT

CUSIM = str(ROOT / "common/simulator/cusim")


def call(*words: str, cwd: pathlib.Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PWD": str(cwd), **variables}
    return subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def cusim(cwd: pathlib.Path, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return call(CUSIM, *words, cwd=cwd, **variables)


def write(folder: pathlib.Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def refused(folder: pathlib.Path, text: str, *words: str, **variables: str) -> str:
    """Returns cusim's output about a program that it refuses."""
    write(folder, p_cu=text)
    done = cusim(folder, "p.cu", *words, **variables)
    assert done.returncode in (1, 2) and not (folder / "a.out").exists()
    return done.stderr
