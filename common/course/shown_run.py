"""Names the command that shows the launch of a failed test step by step: see common/explorer."""

from course.places import stored
from course.state import PartState, parsed

COLUMNS = 80
# Kinds of findings of tests that have launched a kernel with loads or stores. Other kinds come from
# the simulated device, which names the kernel's thread.
OF_LAUNCHES = set(
    "all-zero another-operation bank-conflict barrier-divergence beyond-the-edge endless-kernel"
    " index-without-k last-rows-or-columns-wrong not-a-number one-operand-twice"
    " one-value-a-row-or-column operand-transposed partly-written phases-missing"
    " product-the-wrong-way-round products-of-a-tile-missing race row-length-wrong"
    " rows-in-other-places sum-not-set tile-transposed too-many-barriers transposed"
    " uncoalesced wrong-values".split()
)
# Labs whose kernel runs with any TILE_WIDTH: a race is easier to read in small tiles.
TILED = "lab2_tiled", "lab3_boundary"


def has_race(test: dict) -> bool:
    return any(one.get("kind") == "race" for one in test.get("found", []))


def has_launched(test: dict) -> bool:
    found = test.get("found", [])
    return any("thread" in one or one.get("kind") in OF_LAUNCHES for one in found)


def words_of(test: str, names: list[str]) -> list[str]:
    """Returns consecutive words that only this test's name has; the first words if possible."""
    words = test.split()
    ends = range(1, len(words) + 1)
    runs = [" ".join(words[i:j]) for i in range(len(words)) for j in ends if i < j]
    return [run for run in runs if sum(run in name for name in names) == 1]


def command(of: PartState) -> str:
    """Returns a line for the first failed test of a part whose launch can be shown, or nothing."""
    if of.part == "answers" or of.condition not in ("tested", "stopped"):
        return ""
    tests = [line for line in map(parsed, stored(of.lab, of.part).split("\n")) if "status" in line]
    failed = [test for test in tests if test["status"] == "failed" and has_launched(test)]
    if not failed:
        return ""
    part = "" if of.part == "kernel" else f"PART={of.part} "
    begin = f"Watch it:  make -C {of.lab} explore {part}TEST="
    words = words_of(failed[0]["test"], [test["test"] for test in tests])
    small = (
        " TILE_WIDTH=2" if of.lab in TILED and of.part == "kernel" and has_race(failed[0]) else ""
    )
    lines = [f'{begin}"{some}"{small}\n' for some in words]
    return next((line for line in lines if len(line) <= COLUMNS + 1), "")
