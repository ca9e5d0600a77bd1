"""Fits the READMEs to what a release holds, and checks that they are true.

A section between <!-- with PATH:begin --> and <!-- with PATH:end --> stays if the release holds
PATH. The examples of the pages EXAMPLES name the course's first lab; in a release, the release's.
"""

import re

MARKER = re.compile(r"\s*<!-- with (\S+):(begin|end) -->\s*")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)[^)]*\)")
ROW = re.compile(r"\|\s*`([^`]+)`\s*\|")
EXAMPLES = "README.md", "common/COMMANDS.md"
# Only the teacher's copy has these.
TEACHERS = re.compile(
    r"solutions/|common/grading|common/verdict/(?:attacks|gate|guard)|\bSOLUTION=|\bMISTAKES="
    r"|make (?:release|grade|compare|similarity)\b"
)


def calls(lab, part):
    """Returns the words by which a text names a lab and its first part."""
    short = lab.split("_")[0]
    return lab, short, f"lab {short[3:]}", part


def beginning_with(text, first, released):
    """Returns a page with its examples, which name the lab and part `first`, changed to another lab
    and part. Rows of tables stay, because they list each lab."""
    for there, here in zip(calls(*first), calls(*released)):
        text = re.sub(r"(?m)^[^|\n].*", lambda m: re.sub(rf"\b{there}\b", here, m[0]), text)
    return text


def fitted(text, absent):
    """Returns a README's text without the paths and labs for which absent(path) is true."""
    kept, dropped = [], None
    for line in text.splitlines(keepends=True):
        marker = MARKER.fullmatch(line)
        if marker:
            path, edge = marker.groups()
            if edge == "begin" and dropped is None and absent(path):
                dropped = path
            elif edge == "end" and dropped == path:
                dropped = None
            continue
        if dropped is not None:
            continue
        linked = [path.replace("../", "").split("/")[0] for _, path in LINK.findall(line)]
        gone = [lab for lab in linked if lab.startswith("lab") and absent(lab)]
        # The first cell says what a table's row is about.
        cell = ROW.match(line)
        if (gone and line.startswith("|")) or (cell and absent(cell[1])):
            continue
        if gone:
            line = LINK.sub(lambda m: m[1] if any(lab in m[2] for lab in gone) else m[0], line)
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "".join(kept))


def untrue(folder, name, labs_left_out):
    """Yields sentences on what a released README shows and the release does not hold."""
    path = folder / name
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        where = f"{name}:{number}"
        if MARKER.fullmatch(line):
            yield f"{where}: a marker without its other half"
        teachers = TEACHERS.search(line)
        if teachers:
            yield f"{where}: shows '{teachers.group()}', which a release does not have"
        # A text may mention lab 2, but the name of its folder would send the reader there.
        for lab in labs_left_out:
            if re.search(rf"\b({lab}|{lab.split('_')[0]})\b", line):
                yield f"{where}: names {lab}, which is left out"
    text = "\n".join(lines)
    for match in LINK.finditer(text):
        target = match[2]
        if "://" in target or target.startswith("mailto:"):
            continue
        if not (path.parent / target).exists():
            number = text.count("\n", 0, match.start(2)) + 1
            yield f"{name}:{number}: links to {target}, which is not there"
