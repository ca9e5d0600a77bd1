"""Writes a class of submissions, and what each of them must come to.

The same size gives the same class. Each student hands in kernels of labs 1 and 2 (solutions,
styles, mistakes, skeletons, attacks), packed in one of several ways, or something that cannot be
read. No two files have the same bytes, so that each is really built and run.

Expected is {name of the entry: {"rule", "files": [[lab, part, file]], "most"}}; the rules are
  direct   what the ordinary test program gives for these files
  most     no more than `most` points, or than these files give
  none     0 points, and a word on why
"""

import os
import random

import attacks as attack_files
import layouts
import unreadable

LABS = ("lab1_naive", "lab2_tiled")
# Right, with much of the C++ library beside the kernel: the gate must accept it.
USES_THE_LIBRARY = "common/grading/tests/class/uses_the_library.cu"
# Endless ones take minutes each; test_attacks.py tries them.
SLOW = ("endless", "never_begins", "uses_all_memory", "includes_zeros", "floods")
# The grader's hidden tests know nothing of the public ones, which a direct run has made before them.
# What the second one's copy overwrites is another stack in the grader's process of the host. The
# grader also takes no value from the host's own stores, as in the third.
APART = tuple(
    f"/{name}.cu"
    for name in ("small_widths_without_tiles", "result_over_the_pointer", "last_row_on_the_host")
)
NAMES = ("Ana García", "李雷", "O'Brien", 'a "quoted" name', "-rf", "=1+1", "two\nlines", ".hidden",
         "100%", "name; echo", "$HOME", "back\\slash", "trailing ", "ümläut", "a,b", "*")  # fmt: skip


def files_in(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".cu"))


class Class:
    def __init__(self, folder, number):
        self.folder, self.random = folder, random.Random(9)
        self.expected = {}
        folders = [attack_files.ATTACKS] + [f"{attack_files.ATTACKS}/{lab}" for lab in LABS]
        paths = [path for folder in folders if os.path.isdir(folder) for path in files_in(folder)]
        self.attacks = [path for path in paths if not os.path.basename(path).startswith(SLOW)]
        self.kinds = [self.right, self.mistake, self.skeleton, self.mistake, self.attack,
                      self.right, self.mistake, self.attack, self.unreadable, self.mistake]  # fmt: skip
        for self.number in range(number):
            self.kinds[self.number % len(self.kinds)]()

    def name(self):
        return f"{NAMES[self.number % len(NAMES)]} {self.number:03d}".strip()

    def hand_in(self, files, **expected):
        """Packs [(lab, part, path)], some with bytes as a fourth; returns the entry's name."""
        packed = {}
        for lab, part, path, *code in files:
            data = code[0] if code else attack_files.text_of(path).encode()
            packed[f"{lab}/{part}.cu"] = data + f"\n// student {self.number}\n".encode()
        entry = layouts.write(self.folder, self.name(), packed, self.number)
        self.expected[entry] = {"files": [file[:3] for file in files], **expected}
        return entry

    def right(self):
        files = [(lab, "kernel", f"solutions/{lab}/kernel.cu") for lab in LABS]
        if self.number == 0:
            files[0] = (LABS[0], "kernel", USES_THE_LIBRARY)
        elif self.number % 3:
            lab = LABS[self.number % 2]
            places = f"solutions/styles/{lab}", f"build/styles/{lab}/kernel"
            style = self.random.choice([file for place in places for file in files_in(place)])
            files[self.number % 2] = (lab, "kernel", style)
        self.hand_in(files[: 1 + self.number % 2], rule="direct", full=True)

    def mistake(self):
        lab = LABS[self.number // 2 % 2]
        there = files_in(f"build/mistakes/{lab}/kernel")
        file = self.random.choice([one for one in there if not one.endswith(APART)])
        self.hand_in([(lab, "kernel", file)], rule="direct", full=False)

    def skeleton(self):
        lab = LABS[self.number // 10 % 2]
        self.hand_in([(lab, "kernel", f"{lab}/kernel.cu")], rule="most", most=0)

    def attack(self):
        # Each round has two attacks.
        count = self.number // len(self.kinds) * 2 + (self.number % len(self.kinds) > 4)
        attack = attack_files.Attack(self.attacks[count % len(self.attacks)])
        file = (attack.lab, "kernel", attack.path, attack.code().encode())
        entry = self.hand_in([file], rule="most", most=attack.most)
        base = os.path.join("build/attacks", attack.base)
        if attack.base:
            attack_files.write(base, attack.base_code())
        self.expected[entry]["files"] = [(attack.lab, "kernel", base)] if attack.base else []

    def unreadable(self):
        # Those of the ways in turn.
        way = unreadable.WAYS[self.number // len(self.kinds) % len(unreadable.WAYS)]
        entry, rule = way(self.folder, self.name())
        files = [("lab1_naive", "kernel", unreadable.SOLUTION)] if rule == "direct" else []
        self.expected[entry] = {"rule": rule, "files": files, "full": True}


def write(folder, number):
    """Writes a class of this size to a new folder; returns what is expected."""
    os.makedirs(folder)
    return Class(folder, number).expected
