"""Attacks as submissions: written to a folder for `make grade`, and held against its results.

An attack begins with comments:
    // Attack: what it tries
    // Remark: words that the teacher reads of it, or a regular expression
    // Base: FILE      the same work without the attack; it may earn as much, and no more
    // Gets: KIND: WORDS   what record and replay say, see test_record.py, instead of a remark
    // Most: N         without a base: what is right in it earns so many points
    // Never: a regular expression that fits nothing in what the student reads
A line '// Here: FILE' stands for a file of the repository, which is then the base as well unless
there is a 'Most', and #include "x.h" for a file beside the attacks. If that file says something
else than the attack wants, these follow:
    // Instead of: code that the file holds once
    // Comes: what stands there
VICTIMS_FILE is another student's file, handed in beside the attacks; COURSE_ROOT this repository.
FORK_BEHIND_PUTS is a number: where fork lies in the C library of this machine, counted from puts.
No remark may be about the base.
"""

import json
import os
import pathlib
import re
import subprocess

ATTACKS = "common/verdict/attacks"
VICTIM = "victim/lab1_naive/kernel.cu"
VICTIMS_WORD = "the_victims_own_word"
LINKED = "linked"  # a student whose file is a link to the victim's


def text_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    pathlib.Path(path).write_text(text, encoding="utf-8")


def expanded(text):
    """Returns a text with the files that it names in their places, and with what comes instead."""

    def beside(match):
        path = os.path.join(ATTACKS, match[1])
        return text_of(path) if os.path.exists(path) else match[0]

    text = re.sub(r'^#include "(\w+\.h)"$', beside, text, flags=re.M)
    change = re.compile(r"^// Instead of: (.*)\n// Comes: ?(.*)\n", re.M)
    changes, text = change.findall(text), change.sub("", text)
    text = re.sub(r"^// Here: (.*)$", lambda m: expanded(text_of(m[1])), text, flags=re.M)
    for old, new in changes:
        assert text.count(old) == 1, f"stands there {text.count(old)} times, not once: {old}"
        text = text.replace(old, new)
    return text


def fork_behind_puts():
    """Returns the distance from puts to fork in this machine's C library."""
    library = subprocess.check_output(["g++", "-print-file-name=libc.so.6"], text=True).strip()
    listing = subprocess.check_output(["nm", "--dynamic", "--format=posix", library], text=True)
    place = dict(re.findall(r"^(puts|fork)@\S+ . (\w+)", listing, re.M))
    return str(int(place["fork"], 16) - int(place["puts"], 16))


class Attack:
    def __init__(self, path):
        self.path, self.source = path, text_of(path)
        folder, name = os.path.split(os.path.relpath(path, ATTACKS))
        self.name = os.path.splitext(name)[0]
        if name.endswith(".h"):
            lab, self.file = os.path.basename(folder), "answers.h"
        else:
            lab, _, part = folder.partition("/")
            self.file = f"{part or 'kernel'}.cu"
        self.lab = lab or "lab1_naive"
        self.student = f"{self.lab} {self.name}"
        # The points that the file may earn for the right code in it.
        self.most = float(self.said("Most") or 0)
        self.base = "" if self.most else self.said("Base") or self.said("Here")
        self.base_student = "base " + self.base.replace("/", " ")

    def said(self, word):
        found = re.search(rf"^// {word}: (.*)$", self.source, re.M)
        return found[1] if found else ""

    def code(self, submissions="/nowhere"):
        """Returns the file as it is handed in to a folder of submissions."""
        # A report may hold any word of the file.
        text = re.sub(r"^// Never: .*\n", "", expanded(self.source), flags=re.M)
        text = text.replace("COURSE_ROOT", os.getcwd())
        text = text.replace("VICTIMS_FILE", os.path.join(submissions, VICTIM))
        if "FORK_BEHIND_PUTS" in text:
            text = text.replace("FORK_BEHIND_PUTS", fork_behind_puts())
        return text

    def base_code(self):
        return expanded(text_of(self.base))


def hand_in(folder, attacks):
    """Writes attacks and their bases to a folder; returns the labs that they belong to."""
    names = [attack.student for attack in attacks]
    assert len(set(names)) == len(names), "two files for one name"

    victim = os.path.abspath(os.path.join(folder, VICTIM))
    write(victim, f"int {VICTIMS_WORD} = 1;\n")
    os.makedirs(os.path.join(folder, LINKED, "lab1_naive"))
    os.symlink(victim, os.path.join(folder, LINKED, "lab1_naive/kernel.cu"))
    for attack in attacks:
        path = os.path.join(folder, attack.student, attack.lab, attack.file)
        write(path, attack.code(os.path.abspath(folder)))
        if attack.base:
            base = os.path.join(folder, attack.base_student, attack.lab, attack.file)
            write(base, attack.base_code())
    return sorted({attack.lab for attack in attacks})


def result_of(out, student):
    path = os.path.join(out, "students", student, "result.json")
    return json.loads(text_of(path)) if os.path.exists(path) else None


def wrong_with(attack, out):
    """Returns how a graded attack has ended otherwise than it must, '' where it has not."""
    result = result_of(out, attack.student)
    base = result_of(out, attack.base_student) if attack.base else {"score": attack.most}
    kind, _, said = attack.said("Gets").partition(": ")
    words = attack.said("Remark") or (said if kind in ("refused", "remark") else "")
    if result is None or base is None:
        return "has no result"
    if result["score"] > base["score"]:
        return f"gains: {result['score']} points instead of {base['score']}"
    told = attack.said("Never")
    seen = told and re.search(told, text_of(f"{out}/students/{attack.student}/feedback.md"))
    if seen:
        return f"lets the student read: {seen[0]}"
    if attack.base and base["remarks"]:
        return f"has a base that gets remarks: {base['remarks']}"
    # Like any wrong kernel, which the report explains.
    if not words and kind in ("failed", "uncompiled"):
        return ""
    if not words:
        return "has no line '// Remark: ...' with what the teacher is to read"
    if any(words in told or re.search(words, told) for told in result["remarks"]):
        return ""
    return f"is not told to the teacher by '{words}'; told: {result['remarks']}"
