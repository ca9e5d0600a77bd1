#!/usr/bin/env python3
"""Attacks as submissions: written to a folder for `make grade`, and held against its results.

    attacks.py hand-in FOLDER ATTACK...     attacks are files below common/grading/attacks
    attacks.py judge OUT ATTACK...          a line each: 'ok ...' or 'FAIL ...'

An attack begins with comments:
    // Attack: what it tries
    // Remark: words that the teacher reads of it, or a regular expression
    // Base: FILE      the same work without the attack; it may earn as much, and no more
    // Most: N         without a base: what is right in it earns so many points
A line '// Here: FILE' stands for a file of the repository, which is then the base as well, and
#include "x.h" for a file beside the attacks. FORK_BEHIND_PUTS is a number: where fork lies in the
C library of this machine, counted from puts. The base must be told of in no remark.
"""

import json
import os
import re
import subprocess
import sys

ATTACKS = "common/grading/attacks"


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def fork_behind_puts():
    """Returns the distance from puts to fork in this machine's C library."""
    command = ["g++", "-print-file-name=libc.so.6"]
    library = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    command = ["nm", "--dynamic", "--format=posix", library]
    listing = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
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
        self.base = self.said("Base") or self.said("Here")
        self.outcome = ""

    def said(self, word):
        found = re.search(rf"^// {word}: (.*)$", self.source, re.M)
        return found.group(1) if found else ""

    @property
    def words(self):
        """Returns the words that a remark must hold."""
        kind, _, words = self.said("Gets").partition(": ")
        return self.said("Remark") or (words if kind in ("refused", "remark") else "")

    @property
    def most(self):
        """Returns the points that the file may earn for the right code in it."""
        return float(self.said("Most") or 0)

    def code(self):
        def beside(match):
            path = os.path.join(ATTACKS, match.group(1))
            return text_of(path) if os.path.exists(path) else match.group(0)

        text = re.sub(r'^#include "(\w+\.h)"$', beside, self.source, flags=re.M)
        if "FORK_BEHIND_PUTS" in text:
            text = text.replace("FORK_BEHIND_PUTS", fork_behind_puts())
        return re.sub(r"^// Here: (.*)$", lambda m: text_of(m.group(1)), text, flags=re.M)


def base_name(attack):
    return "base " + attack.base.replace("/", " ")


def hand_in(folder, attacks):
    def write(student, lab, file, text):
        path = os.path.join(folder, student, lab, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    for attack in attacks:
        write(attack.student, attack.lab, attack.file, attack.code())
        if attack.base:
            write(base_name(attack), attack.lab, attack.file, text_of(attack.base))
    print(" ".join(sorted({attack.lab for attack in attacks})))


def result_of(out, student):
    path = os.path.join(out, "students", student, "result.json")
    return json.loads(text_of(path)) if os.path.exists(path) else None


def judged(out, attack):
    result = result_of(out, attack.student)
    base = result_of(out, base_name(attack)) if attack.base else {"score": attack.most}
    if result is None or base is None:
        return "has no result"
    if result["score"] > base["score"]:
        return f"gains: {result['score']} points instead of {base['score']}"
    if attack.base and base["remarks"]:
        return f"has a base of which the teacher is told: {base['remarks']}"
    if not attack.words:
        return "has no line '// Remark: ...' with what the teacher is to read"
    told = [
        remark
        for remark in result["remarks"]
        if attack.words in remark or re.search(attack.words, remark)
    ]
    if not told:
        return f"is not told to the teacher by '{attack.words}'; told: {result['remarks']}"
    parts = [p for lab in result["labs"] if lab["lab"] == attack.lab for p in lab["parts"]]
    state = next(part["state"] for part in parts if part["file"] == attack.file)
    attack.outcome = f"{result['score']:g} of {base['score']:g} points, {state}: {told[0]}"
    return ""


def judge(out, attacks):
    for attack in attacks:
        wrong = judged(out, attack)
        if wrong:
            print(f"FAIL the attack {attack.path} {wrong} ({out}/students/{attack.student})")
        else:
            print(f"ok the attack {attack.name} gains nothing: {attack.outcome}")


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("hand-in", "judge"):
        print(__doc__, file=sys.stderr)
        return 2
    attacks = [Attack(path) for path in sys.argv[3:]]
    names = [attack.student for attack in attacks]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        print(f"attacks.py: two files for one name: {', '.join(sorted(twice))}", file=sys.stderr)
        return 2
    {"hand-in": hand_in, "judge": judge}[sys.argv[1]](sys.argv[2], attacks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
