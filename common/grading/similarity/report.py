"""Writes the comparison for people: a table of all pairs, the most similar ones side by side."""

import itertools

from forms.table import harmless, written

SHOWN = 30  # pairs
LINES = 12  # of a passage
WIDTH = 56  # of a line

FOREWORD = f"""# Similar submissions

This only points at files that a person should read side by side, and proves
nothing. The right answer to a small exercise is much like any other right
answer, and who learns together writes alike. Renamed variables, other comments
and another order hide nothing here; what the skeleton gives is not counted.

- **rare**: 0 to 100, by which the pairs are ordered. Of all that the two have
  written, how much both have and few others; what n others share counts 1/n.
- **shared**: how much of each one's own lines the other has as well, in percent.

Groups of equal files come first. They differ at most in names, numbers, strings
and comments. Each group counts as one student below.

The {SHOWN} most similar pairs; `similarity.csv` has all.
"""


def table(found, equal):
    """Returns CSV of [(file, Pair)], after the groups of equal files, {(file, first student): all
    students}."""

    def names(file, student):
        return harmless("; ".join(equal.get((file, student), [student])))

    rows = ["file student_a student_b rare shared_of_a shared_of_b lines".split()]
    for (file, first), (_, *others) in equal.items():
        same = harmless(first), harmless("; ".join(others)), *["100.0"] * 3, "all"
        rows.append([file, *same])
    for file, pair in found:
        lines = "; ".join(f"{ranged(a)} = {ranged(b)}" for a, b in pair.passages)
        percents = [f"{value:.1f}" for value in (pair.rare, pair.of_first, pair.of_second)]
        pair_names = names(file, pair.first), names(file, pair.second)
        rows.append([file, *pair_names, *percents, lines])
    return written(rows)


def ranged(lines):
    first, last = lines
    return f"{first}-{last}" if last > first else str(first)


def cell(name):
    return name.replace("|", "\\|").replace("`", "'").replace("<", "&lt;")


def pages(found, texts, problems, equal):
    """Returns Markdown; texts: {(lab, part): {student: text}}, equal: as for table()."""

    def name(file, student):
        more = len(equal.get((file, student), [student])) - 1
        return cell(student) + (f" and {more} with an equal file" if more else "")

    shown = [
        (file, pair, name(file, pair.first), name(file, pair.second))
        for file, pair in found[:SHOWN]
    ]
    head = ["| | file | student | shared | student | shared | rare |"]
    head.append("|---:|---|---|---:|---|---:|---:|")
    out = [FOREWORD]
    for (file, _), students in equal.items():
        named = ", ".join(map(cell, students))
        out += [f"{len(students)} students handed in the same {file}: {named}.", ""]
    others = " other" if equal else ""
    nothing = f"No two{others} files have anything in common besides the skeleton."
    out += head if shown else [nothing]
    for number, (file, pair, first, second) in enumerate(shown, 1):
        out.append(
            f"| {number} | {file} | {first} | {pair.of_first:.0f} %"
            f" | {second} | {pair.of_second:.0f} % | {pair.rare:.0f} |"
        )
    if problems:
        out += ["", "Not compared:", ""] + [f"- {cell(problem)}" for problem in problems]
    for number, (file, pair, first, second) in enumerate(shown, 1):
        handed_in = texts[tuple(file.removesuffix(".cu").split("/"))]
        out += ["", f"## {number}. {file}: {first} and {second}"]
        for a, b in pair.passages:
            out += ["", f"lines {ranged(a)} and {ranged(b)}:", "", "```"]
            out += side_by_side(handed_in[pair.first], a, handed_in[pair.second], b)
            out.append("```")
    return "\n".join(out) + "\n"


def side_by_side(one, lines, other, other_lines):
    left, right = excerpt(one, *lines), excerpt(other, *other_lines)
    for a, b in itertools.zip_longest(left, right, fillvalue=""):
        yield f"{a:<{WIDTH}} | {b}".rstrip()


def excerpt(text, first, last):
    # A fence in the student's text would end the block.
    lines = text.splitlines()[first - 1 : last]
    lines = [line.expandtabs(4).replace("```", "'''")[:WIDTH] for line in lines]
    lines = ["".join(c if c.isprintable() else "?" for c in line) for line in lines]
    return lines if len(lines) <= LINES else lines[: LINES - 1] + ["..."]
