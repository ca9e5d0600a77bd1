"""Turns the times of a measurement's rounds into performance points.

A round is a run of the reference and then one of the submission. Its ratio is the reference's time
of a call over the submission's: 1 for equal speed, 0.5 for half the speed.
"""

import statistics
from dataclasses import dataclass

import points
import scoring

LEAST_ROUNDS, MOST_ROUNDS = 3, 7
# Largest spread of the ratios that counts as quiet, as a fraction of their median.
QUIET = 0.1
UNMEASURED = "its speed on a card"


@dataclass
class Measured:
    relative: float = 0.0  # 1: as fast as the reference
    spread: float = 0.0
    rounds: int = 0
    noisy: bool = False
    seconds: float = 0.0  # of one call of the submission; the next is the reference's
    reference_seconds: float = 0.0
    problem: str = ""  # why it has no speed


def ratio(reference: list[float], own: list[float]) -> float:
    return statistics.median(reference) / statistics.median(own)


def spread(ratios: list[float]) -> float:
    return (max(ratios) - min(ratios)) / statistics.median(ratios)


def settled(ratios: list[float], wanted: points.Performance) -> bool:
    """Returns whether another round could not change the points."""
    if len(ratios) < LEAST_ROUNDS:
        return False
    sure = min(ratios) >= wanted.full_at or max(ratios) <= wanted.none_below
    return sure or spread(ratios) <= QUIET or len(ratios) >= MOST_ROUNDS


def result(ratios: list[float]) -> Measured:
    """Returns the median speed; if rounds stay apart the best one, so that noise is harmless."""
    apart = spread(ratios)
    noisy = apart > QUIET and len(ratios) >= MOST_ROUNDS
    relative = max(ratios) if noisy else statistics.median(ratios)
    return Measured(relative, apart, len(ratios), noisy)


def score(relative: float, wanted: points.Performance) -> float:
    share = (relative - wanted.none_below) / (wanted.full_at - wanted.none_below)
    return points.total([round(wanted.points * min(1.0, max(0.0, share)), 2)])


def lacking(wanted: points.Performance, tests: list[dict]) -> str | None:
    """Returns the first of the model's tests that must pass before speed counts, and has not. What
    did not run here, such as hidden tests, is not required."""
    good = ("passed", "left out")
    open_tests = [test["test"] for test in tests if test["status"] not in good]
    return next((name for name in open_tests if name in wanted.needs), None)


def entry(most: float, status: str, text: str, earned: float = 0, name: str = UNMEASURED) -> dict:
    """Returns a test of the model that gives `most` points."""
    test = points.Test(f"performance: {name}", most, None, False, [], [])
    return scoring.entry(test, status, earned, [], text)


def waiting(wanted: points.Performance, name: str | None) -> dict:
    return entry(wanted.points, "waiting", f"It is measured after '{name}' passes." if name else "")


def of_measured(wanted: points.Performance, found: Measured) -> dict:
    if found.problem:
        text = f"It could not be measured on a card: {found.problem}."
        return entry(wanted.points, "failed", text)
    earned = score(found.relative, wanted)
    status = "passed" if earned >= wanted.points else "failed"
    width = f"{wanted.width} x {wanted.width}"
    text = (
        f"A call on matrices of {width} takes {1000 * found.seconds:.1f} ms on the card, copies\n"
        f"included; the reference takes {1000 * found.reference_seconds:.1f} ms. All points are "
        f"for {wanted.full_at:g} of its\nspeed, none for {wanted.none_below:g} or less: "
        f"this is {earned:g} of {wanted.points:g}."
    )
    speed = f"{found.relative:.2f} of the reference's speed"
    return entry(wanted.points, status, text, earned, speed)
