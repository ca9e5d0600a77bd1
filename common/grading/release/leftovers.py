"""Finds parts of solutions in a folder that is to be handed out."""

import collections
import functools
import pathlib
import re
import subprocess
import sys

from verdict.gate.source_tokens import tokens

from . import exercises
from .contents import ROOT, Refused

# Tokens in a row, about three lines, that are no coincidence. Measured on this repository: two
# authors of a kernel write 16 alike, its indices.
PASSAGE = 20
# Fraction of a teacher's file that still counts as that file.
SHARE = 0.5

SKIPPED_LINE = re.compile(r"^[ \t]*#[ \t]*include.*$", re.MULTILINE)
# A plain loop over 0..n-1 is common to all authors; it counts as one token.
LOOP = re.compile(
    r"\bfor\s*\(\s*(?:const )?(?:int|unsigned|size_t|std::size_t)\s+(\w+)\s*=\s*0\s*;"
    r"\s*\1\s*<\s*[\w.]+\s*;\s*(?:\+\+\s*\1|\1\s*\+\+)\s*\)"
)
# A list of parameters also counts as one token: skeletons hand out the signatures.
PARAMETER = r"\s*(?:const\s+)?\w+[*&]?\s+\w+\s*"
PARAMETERS = re.compile(rf"\({PARAMETER}(?:,{PARAMETER})+\)")
# Marks of text quoted in an e-mail or shown as a difference.
QUOTED = re.compile(r"^[>+\-|] ?", re.MULTILINE)
TEST_CASE = re.compile(r'\bTEST_CASE\(\s*("(?:\\.|[^"\\])*")')
FOLDERS = {"solutions", "mistakes", "styles", "ladder", "hidden"}
BENCHMARK = ROOT / "solutions/lab4_memtypes/ladder/bench"  # solves nothing


@functools.cache
def words(text, quoted=False):
    """Returns the tokens to compare, each with its line."""
    text = SKIPPED_LINE.sub("", text)
    for pattern, word in ((PARAMETERS, "PARAMETERS "), (LOOP, "FOR ")):
        text = pattern.sub(lambda match: word + "\n" * match[0].count("\n"), text)
    if quoted:
        text = QUOTED.sub("", text)
    return [(token.text, token.line) for token in tokens(text)]


@functools.cache
def passages(text, quoted=False):
    """Returns a hash for each PASSAGE tokens in a row."""
    found = [token for token, _ in words(text, quoted)]
    starts = range(len(found) - PASSAGE + 1)
    return tuple(hash(tuple(found[start : start + PASSAGE])) for start in starts)


def read(path):
    """Returns a file's text; None if it is not text, or missing."""
    try:
        return path.read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        return None


@functools.cache
def made_of_patches(*words):
    """Returns the files that the patches in solutions/mistakes make; of 'styles' those there."""
    command = [sys.executable, str(ROOT / "common/checks/kit/mistakes.py"), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refused(done.stderr.strip())
    return [ROOT / line for line in done.stdout.splitlines()]


def skeleton_of(*parts):
    """Returns the skeleton that a file of the solutions, mistakes or styles fills in."""
    if parts[0] not in ("mistakes", "styles"):
        return "/".join(parts)
    lab, *part = parts[1:-1]
    return f"{lab}/{part[0] if part else 'kernel'}{pathlib.PurePath(parts[-1]).suffix}"


@functools.cache
def passages_of(name):
    return frozenset(passages(read(ROOT / name) or ""))


class Secrets:
    """What the solutions hold and the released skeletons do not."""

    def __init__(self, skeletons):
        """Takes the names of the skeletons in the release; other skeletons give nothing away."""
        self.given = frozenset().union(*map(passages_of, skeletons))
        self.solved = {}  # passage: the place in a solution
        self.wholes = {}  # name of a file to compare as a whole: its number of passages
        self.parts = {}  # passage: the names of the wholes that hold it
        self.names = {}  # name of such a file: its path
        self.tests = {}  # name of a hidden test: its file
        folder = ROOT / "solutions"
        if not folder.is_dir():
            raise Refused("There is no solutions/ here, so that nothing can be looked for.")
        for path in sorted(folder.rglob("*")):
            code = path.suffix in (".cu", ".cuh", ".h", ".cpp") and BENCHMARK not in path.parents
            if code or path.name == "answers.md":
                self.keep(path, path.relative_to(ROOT).as_posix(), *path.relative_to(folder).parts)
        for path in made_of_patches() + made_of_patches("styles"):
            *_, kind, lab, part, file = path.parts
            patch = f"solutions/{kind}/{lab}/{part}/{path.stem}.patch"
            self.keep(path, patch, kind, lab, part, file)

    def keep(self, path, name, kind, *inner):
        """Keeps the secrets of a file in solutions/KIND/INNER; `name` is its place in messages."""
        given = self.given | passages_of(skeleton_of(kind, *inner))
        text = read(path) or ""
        found, numbered = words(text), enumerate(passages(text))
        own = {passage: start for start, passage in numbered if passage not in given}
        if kind.startswith("lab") or kind == "styles":
            for passage, start in own.items():
                self.solved.setdefault(passage, f"{name}:{found[start][1]}")
        if kind in ("mistakes", "styles", "hidden") or "ladder" in path.parts:
            self.names[path.name] = name
            if len(own) >= PASSAGE:
                self.wholes[name] = len(own)
                for passage in own:
                    self.parts.setdefault(passage, []).append(name)
        if kind == "hidden":
            self.tests.update((test, name) for test in TEST_CASE.findall(text))


def of_text(name, text, secrets):
    """Yields sentences on solved passages, known mistakes and hidden tests in any file."""
    if text.startswith("// Finding: "):
        yield f"{name}:1: is one of the known mistakes, as its first line says"
    for test, where in secrets.tests.items():
        if test in text:
            line = text.count("\n", 0, text.index(test)) + 1
            yield f"{name}:{line}: holds the hidden test {test} of {where}"
    quoted = not name.endswith((".cu", ".cpp", ".h"))
    found, there = words(text, quoted), passages(text, quoted)
    shared = collections.Counter(
        whole for passage in set(there) for whole in secrets.parts.get(passage, ())
    )
    shares = {whole: count / secrets.wholes[whole] for whole, count in shared.items()}
    yield from (f"{name}: holds {it:.0%} of {of}" for of, it in shares.items() if it >= SHARE)

    # Overlapping passages count as one.
    runs = []  # [first token, token after the last, place of the solution]
    for start in (at for at, passage in enumerate(there) if passage in secrets.solved):
        if not runs or start > runs[-1][1]:
            runs.append([start, 0, secrets.solved[there[start]]])
        runs[-1][1] = start + PASSAGE
    for begin, end, where in runs:
        lines = f"{found[begin][1]}-{found[end - 1][1]}"
        yield f"{name}:{lines}: {end - begin} tokens in a row as in {where}"


def of_file(folder, name, secrets):
    *folders, file = name.split("/")
    teachers = FOLDERS.intersection(folders)
    if teachers:
        yield f"{name}: lies in a folder {min(teachers)}/"
    elif file in secrets.names and not exercises.is_one(name):
        yield f"{name}: has the name of {secrets.names[file]}"
    text = read(folder / name)
    if text is None:
        if not name.endswith(".png"):
            yield f"{name}: is no text, so that it cannot be looked through"
    elif exercises.is_one(name):
        yield from exercises.solved(folder, name, text)
    else:
        yield from of_text(name, text, secrets)


def leftovers(folder, names):
    """Yields sentences on what is left in the folder's files of these names."""
    secrets = Secrets([name for name in names if exercises.is_one(name)])
    for name in names:
        yield from of_file(folder, name, secrets)
