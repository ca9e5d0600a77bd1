"""Shows the counts of a kernel, under the names of Nsight Compute; with DEVICE=gpu beside a card's
counts. Called by a lab's `make profile`.

kernel.cu runs once on whole numbers (WIDTH=n, SHAPE=j,k,l); for another part, or with TEST=, those
tests run that can run on a card. A table shows one launch of each kernel: the one with most warps.

Exit status: 1 if the product is wrong or a test fails; 2 if nothing ran, or the card counted nothing.
"""

import json
import os
import re
import subprocess
import sys
import textwrap

from course import facts, lab_make, metrics, nsight
from course.asked import Asked, value
from course.metrics import TIME, Launch
from course.nsight import Counted
from course.places import BYTES
from course.usage import Refused

FOLDER = "build/profile"
DEFAULT = {"lab2_tiled": 128, "lab4_memtypes": 128}  # whole tiles
WIDTH, LARGEST = 100, 512
COLUMNS = "{:<52}{:>13}  {:>13}"
LIKE = {"9.0": "h200", "7.5": "turing", "7.0": "v100"}  # PROFILE for a compute capability
ENDED = "The simulated device did not run all blocks of this launch: see make test."
NO_TWIN = "The card has run no launch with the same grid and block."
MORE = """\
On a card, DEVICE=gpu shows its counts beside these, and the achieved occupancy,
the hit rates of the caches and the measured time."""
Pair = tuple[Launch, Counted | None]


def shape(lab: str) -> list[int]:
    """Returns the extents j, k and l of the product."""
    name, count = ("SHAPE", 3) if value("SHAPE") else ("WIDTH", 1)
    words = re.split("[,x]", value(name) or str(DEFAULT.get(lab, WIDTH)))
    right = (re.fullmatch("[1-9][0-9]{0,2}", word) and int(word) <= LARGEST for word in words)
    if len(words) != count or not all(right):
        form = "three whole numbers, as in 64,48,32," if count == 3 else "a whole number"
        raise Refused(f"{name}={value(name)}: write {form} from 1 to {LARGEST}.")
    return [int(word) for word in words] * (3 // count)


def data_set(extents: list[int]) -> str:
    """Generates a product of whole numbers; returns its folder."""
    parent = f"{FOLDER}/sets/{'x'.join(map(str, extents))}"
    words = ["--pattern", "integers", "--shape", ",".join(map(str, extents)), "--out", parent]
    subprocess.run(["build/generate", *words], check=True, stdout=subprocess.DEVNULL)
    return f"{parent}/{os.listdir(parent)[0]}"


def tests(lab: str, part: str, word: str = "", card: bool = True) -> str:
    """Returns Catch2's filter for the tests that have a word in their name."""
    names = facts.load(lab, os.getcwd()).part(part).names(card)
    return ",".join(re.sub(r"([,\[\]\\*])", r"\\\1", name) for name in names if word in name)


def words_of(lab: str, part: str) -> tuple[str, list[str], str]:
    """Returns the goal that builds the program, its arguments, and what it runs on."""
    word = value("TEST")
    if part == "kernel" and not word:
        extents = shape(lab)
        on = "{} x {} times {} x {}".format(*extents[:2], *extents[1:])
        return "figure_program", ["--set", data_set(extents)], on
    chosen = tests(lab, part, word) or tests(lab, part, word, card=value("DEVICE") == "gpu")
    if not chosen:
        where = " that runs on a card" if value("DEVICE") == "gpu" else ""
        raise Refused(f"TEST={word}: no test of this part{where} has that in its name.")
    return "tests_program", [chosen], "tests"


def build(device: str, goal: str, *words: str) -> str:
    """Builds a program of a lab; returns its path, '' if it does not compile."""
    asked = ["-s", *words, f"DEVICE={device}", goal]
    built = lab_make.run(*asked, stdout=subprocess.PIPE, check=False, **BYTES)
    return "" if built.returncode else built.stdout.split()[-1]


def simulated(program: list[str], source: str, file: str) -> tuple[int, list[Launch], str]:
    """Runs a program on the simulated device; returns its status, its launches and its output."""
    if os.path.exists(file):
        os.remove(file)
    given = {"LAB_KERNEL": source, "CUSIM_COUNTS": file, "CUSIM_CHECKS": "counters,warps"}
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(program, env={**os.environ, **given}, check=False, **said, **BYTES)
    launches = []
    if os.path.exists(file):
        with open(file, encoding="utf-8") as lines:
            launches = [json.loads(line) for line in lines]
    return done.returncode, launches, done.stdout


def like_the_card() -> None:
    """Simulates a device with the card's limits if PROFILE= asks for no other: lab 4's kernels
    depend on them."""
    asked = ["common/setup/cuda.sh", "card"]
    card = subprocess.run(asked, stdout=subprocess.PIPE, check=False, **BYTES).stdout
    capability = re.search(r"compute capability ([\d.]+)", card)
    if profile := LIKE.get(capability[1] if capability else ""):
        os.environ.setdefault("CUSIM_PROFILE", profile)


def paired(launches: list[Launch], cards: list[Counted]) -> list[Pair]:
    """Returns the launches, each with the card's launch that matches it, if there is one.

    Both have the same order, but some tests make more launches on the simulated device. So the
    largest number of launches with equal grid and block is paired. Of several such pairings, the
    one with the fewest different counts is taken."""
    if cards and not any(one.grid for one in cards):  # an old ncu that reports no grid
        return list(zip(launches, cards))
    # By the number of launches left, here and on the card: how good their best pairing is, and
    # whether it pairs the first ones.
    best = {(m, n): (0, 0, False) for m in range(len(launches) + 1) for n in range(len(cards) + 1)}
    for m, launch in enumerate(reversed(launches), 1):
        for n, card in enumerate(reversed(cards), 1):
            best[m, n] = max((*best[m - 1, n][:2], False), (*best[m, n - 1][:2], False))
            if (*launch["grid"], *launch["block"]) == (*card.grid, *card.block):
                pairs, differing, _ = best[m - 1, n - 1]
                differs = len(metrics.explained(launch, card.metrics))
                best[m, n] = max(best[m, n], (pairs + 1, differing - differs, True))
    found: list[Pair] = []
    n = len(cards)
    for m, launch in zip(range(len(launches), 0, -1), launches):
        while n and best[m, n][:2] == best[m, n - 1][:2]:
            n -= 1
        twin = cards[len(cards) - n] if n and best[m, n][2] else None
        n -= twin is not None
        found.append((launch, twin))
    return found


def chosen(pairs: list[Pair]) -> list[Pair]:
    """Returns one launch of each kernel: the largest of those that are counted completely."""
    found: dict[str, Pair] = {}
    for launch, card in pairs:
        name = card.kernel if card else launch["kernel"]
        rank = (card is not None, launch["completed"], launch["warps"])
        before = found.get(name)
        if not before or rank > (before[1] is not None, before[0]["completed"], before[0]["warps"]):
            found[name] = launch, card
    return list(found.values())


def shown(count: float | None) -> str:
    if count is None:
        return "-"
    return f"{count:,.0f}" if count == int(count) else f"{count:,.1f}"


def filled(text: str) -> str:
    return textwrap.fill(text, 80, initial_indent="    ", subsequent_indent="    ")


def table(lab: str, launch: Launch, card: Counted | None, beside: bool) -> str:
    """Returns the table of a launch: two lines per metric, and under a difference its rule."""
    grid, block = (" x ".join(map(str, launch[name])) for name in ("grid", "block"))
    name = card.kernel if card else launch["kernel"]
    lines = [f"{name}, grid {grid}, block {block}"[:80]]
    lines += [f"  launched in {launch['file']}:{launch['line']}"[:80]]
    there = card.metrics if card else {}
    whole = launch["completed"]
    rules = metrics.explained(launch, there) if whole else {}
    lines += [] if whole else [ENDED]
    lines += [NO_TWIN] if beside and not card else []
    head = ("simulated", "card" if beside else "")
    lines += ["", COLUMNS.format("", *head).rstrip(), "-" * (80 if beside else 65)]
    unchecked = not lab.startswith(("lab1", "lab2", "lab3"))
    for metric in metrics.ALL:
        here = metric.here(launch)
        if not metric.used(launch, there) or (here is None and not beside and metric.name != TIME):
            continue
        here = None if metric.name == TIME and unchecked else here
        cells = shown(here), shown(there.get(metric.name)) if beside else ""
        lines.append(COLUMNS.format(metric.words, *cells).rstrip())
        lines.append(f"  {metric.name or '(no metric of Nsight Compute)'}")
        if metric.name == TIME:
            modelled = f"modelled on {launch['card']}, limited by {launch['limitedBy']}"
            lines.append(f"    simulated: {metrics.NOT_CHECKED if unchecked else modelled}")
        if rule := rules.get(metric.name):
            lines.append(filled(f"differs: {rule.name}. {rule.sentence}"))
    return "\n".join(lines)


def main(asked: Asked) -> int:
    gpu = value("DEVICE") == "gpu"
    goal, words, on = words_of(asked.lab, asked.part)
    rules = [f"LAB={asked.lab}", f"PART={asked.part}", f"KERNEL={asked.kernel}"]
    programs = [build(device, goal, *rules) for device in (["sim", "gpu"] if gpu else ["sim"])]
    if not all(programs):
        return 2  # the compiler has printed the reason
    if value("COMPILE_ONLY") not in ("", "0"):
        print(f"{asked.lab}: {asked.source}: compiled, not run (COMPILE_ONLY=1)")
        return 0
    lab_make.set_device("SCHEDULE", "PROFILE")
    if gpu:
        like_the_card()
    os.makedirs(FOLDER, exist_ok=True)
    file = f"{FOLDER}/{os.getpid()}"
    try:
        status, launches, said = simulated([programs[0], *words], asked.source, f"{file}.json")
        if status not in (0, 1):
            raise Refused(said.strip())
        if not launches:
            raise Refused(f"{asked.source}: no kernel has run: make test says why.")
        cards, why = [], ""
        if gpu:
            try:
                cards = nsight.counted([programs[1], *words], f"{file}.csv", metrics.NAMES)
            except nsight.NoCounts as sentence:
                why = str(sentence)
    finally:
        for end in ("json", "csv"):
            if os.path.exists(f"{file}.{end}"):
                os.remove(f"{file}.{end}")
    print(f"{asked.source}\n{on}; simulated device" + (" and card" if cards else ""))
    for launch, card in chosen(paired(launches, cards)):
        print(f"\n{table(asked.lab, launch, card, bool(cards))}")
    if not gpu:
        print(f"\n{MORE}")
    if status:
        print("\nThe product is wrong, or a test fails: make test says why.")
    if why:
        print(f"\n{why}", file=sys.stderr)
    return 2 if why else status
