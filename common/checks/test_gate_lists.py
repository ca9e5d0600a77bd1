"""Checks that nothing is linked if a tool does not return the list that the gate needs: a list that
fails must not be taken for an empty one."""

import os
import pathlib
import re
from types import SimpleNamespace

import gate
import known_symbols
import pytest
from calls import ROOT, call, ended, make, rules
from student_object import Unlisted

HERE = ROOT / "build/check/lists"
TOOLS = "nm readelf objdump c++filt ld objcopy as g++".split()
ENDS = {"prints nothing": "exit 0", "fails": "exit 1", "is killed": "kill -9 $$"}
LAB, KERNEL = "lab1_naive", "solutions/lab1_naive/kernel.cu"


def broken(tmp_path: pathlib.Path, tool: str, how: str) -> str:
    """Returns a PATH on which this tool ends in a wrong way."""
    script = tmp_path / tool
    script.write_text(f"#!/bin/sh\n{ENDS[how]}\n", encoding="ascii")
    script.chmod(0o755)
    return f"{tmp_path}:{os.environ['PATH']}"


@pytest.fixture(scope="module", name="command")
def command_of_the_gate() -> list[str]:
    """Returns the command that links a right file, whose objects exist."""
    ended(rules(LAB, "PART=kernel", "replay"), 0)
    out = f"OUT={HERE.relative_to(ROOT)}"
    words = ["PART=kernel", f"KERNEL={KERNEL}", out]
    ended(rules(LAB, *words, "objects"), 0)
    shown = ended(rules(LAB, *words, "COMPILED=1", "-n", "record"), 0)
    return ["bash", "-c", shown[shown.index("/usr/bin/python3") :]]


def test_a_right_file_is_linked(command: list[str]) -> None:
    (HERE / "record").unlink(missing_ok=True)
    ended(call(*command), 0)
    assert (HERE / "record").exists()


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_is_linked_or_refused_if_a_tool_fails(
    command: list[str], tmp_path: pathlib.Path, tool: str, how: str
) -> None:
    (HERE / "record").unlink(missing_ok=True)
    status, said = call(*command, PATH=broken(tmp_path, tool, how))
    if tool in ("c++filt", "as") and status == 0:
        return  # only a message, or a stub that this file needs, would call it
    assert status == 2 and "refused: " not in said, said
    assert not (HERE / "record").exists(), said


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("tool", ["nm", "c++filt", "g++"])
def test_the_gate_gets_no_list_of_names_if_a_tool_fails(
    tmp_path: pathlib.Path, tool: str, how: str
) -> None:
    ended(make("libraries"), 0)
    command = ["/usr/bin/python3", "-B", "common/verdict/gate/known_symbols.py"]
    command += [str(tmp_path / "list"), "build/libsimulator.a"]
    status, said = call(*command, PATH=broken(tmp_path, tool, how))
    assert status == 1 and not (tmp_path / "list").exists(), said


def test_a_header_that_ends_the_compilation_offers_no_names(monkeypatch) -> None:
    monkeypatch.setattr(known_symbols, "NOT_FOR_LABS", set())
    with pytest.raises(Unlisted, match="fatal error"):
        known_symbols.declared(["shuffle"])


def test_the_headers_offer_a_function_of_theirs_and_none_of_the_simulators() -> None:
    assert known_symbols.declared(["shuffle", "startWorkers", "options"]) == {"shuffle"}


def test_a_probe_that_is_wrong_about_a_known_name_is_not_believed(monkeypatch) -> None:
    for wrong in ({"Where": False}, {"runOnWorker": True}):
        monkeypatch.setattr(known_symbols, "PROBES", wrong)
        with pytest.raises(Unlisted, match=f"wrong about cusim::{min(wrong)}"):
            known_symbols.declared(["shuffle"])


@pytest.mark.parametrize(
    "compiler, holds",
    [
        ("Target: x86_64-linux-gnu\ngcc version 12.2.0", True),
        ("clang version 14\nTarget: x86_64-linux-gnu", False),
        ("Target: aarch64-linux-gnu\ngcc version 12.2.0", False),
    ],
)
def test_gpp_on_x86_64_must_have_added_the_hooks(compiler: str, holds: bool) -> None:
    arguments = SimpleNamespace(flags="-O0")
    if holds:
        with pytest.raises(Unlisted):
            gate.check_heard(None, None, arguments, compiler)
    else:
        gate.check_heard(None, None, arguments, compiler)


def test_a_list_without_one_kind_of_names_is_refused(tmp_path: pathlib.Path) -> None:
    facts = ["ours a", "offered b", "system c", "function d"]
    for left_out in range(4):
        lines = [fact for number, fact in enumerate(facts) if number != left_out]
        (tmp_path / "list").write_text("\n".join(lines), encoding="ascii")
        with pytest.raises(Unlisted, match=re.escape(str(tmp_path))):
            gate.known_symbols(tmp_path / "list")
