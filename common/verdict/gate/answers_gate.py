"""Finds what an answers.h holds that is no answer.

Compiled with the lab's answers/read.cpp it gives a table of numbers and the code that reads it. The
code must equal that of the untouched answers.h byte for byte, so that only numbers known to the
compiler are judged and none of the student's code runs.
"""

import os
import re

from student_object import StudentObject, Unlisted, output_of

# The sections that differ between sets of answers: the table, and its words.
ANSWERS = (".rodata", ".data.rel.ro")


def loaded(path):
    """Returns for each loaded section its flags, its relocations and, unless it holds answers, its
    bytes."""
    flags = dict(StudentObject(path, has_hooks=False).sections())
    sections = {name: [kind] for name, kind in flags.items() if "A" in kind}
    for option in ("--full-contents", "--reloc"):
        name = ""
        for line in output_of("objdump", "--wide", option, path).splitlines():
            found = re.match(r"(?:Contents of section|RELOCATION RECORDS FOR) \[?([^\]:]+)", line)
            if found:
                name = found.group(1)
            elif name in sections and (option == "--reloc" or not name.startswith(ANSWERS)):
                # A place in the table depends on the answers before it.
                line = re.sub(r"(\.rodata|\.data\.rel\.ro\S*?)[-+]0x\S+", r"\1", line)
                sections[name].append(line)
    if len(sections[".text"]) < 2:
        raise Unlisted(f"objdump shows no code of {path}")
    return sections


def included(path):
    """Returns the files that went into an object, as the compiler listed them, without the
    system's."""
    with open(path[: -len(".o")] + ".d", errors="replace") as file:
        rule = file.read().split("\n\n")[0].replace("\\\n", " ").partition(": ")[2]
    return {os.path.realpath(name) for name in rule.split("\n")[0].split()}


def reason_against(source, path, untouched, readable):
    """Returns why the object of this answers.h is refused; '' if it is not. readable(symbol) gives
    a symbol's name."""
    files = included(path)
    if os.path.realpath(source) not in files:
        raise Unlisted(f"the compiler lists no {source} among the files of {path}")
    more = files - included(untouched) - {os.path.realpath(source)}
    if more:
        return f"it includes {os.path.relpath(sorted(more)[0])}"
    student, own = (StudentObject(one, has_hooks=False) for one in (path, untouched))
    for kind in ("undefined", "defined"):
        extra = set(getattr(student, kind)) ^ set(getattr(own, kind))
        if extra:
            return f"it brings or uses {readable(min(extra))}"
    ours, theirs = loaded(untouched), loaded(path)
    for name in sorted(set(ours) | set(theirs)):
        if ours.get(name) != theirs.get(name):
            return f"it changes what runs (section {name})"
    return ""
