"""Turns the times of a measurement's rounds into performance points.

A round is a run of the reference and then one of the submission. Its ratio is the reference's time
of a call over the submission's: 1 for equal speed, 0.5 for half the speed.
"""

import statistics
from dataclasses import dataclass

import points

LEAST_ROUNDS, MOST_ROUNDS = 3, 7
# Largest spread of the ratios that counts as quiet, as a fraction of their median.
QUIET = 0.1


@dataclass(frozen=True)
class Speed:
    relative: float  # 1: as fast as the reference
    spread: float
    rounds: int
    noisy: bool


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


def result(ratios: list[float]) -> Speed:
    """Returns the median speed; where the rounds stay apart, the best, so that noise costs no
    points."""
    apart = spread(ratios)
    noisy = apart > QUIET and len(ratios) >= MOST_ROUNDS
    relative = max(ratios) if noisy else statistics.median(ratios)
    return Speed(relative, apart, len(ratios), noisy)


def score(relative: float, wanted: points.Performance) -> float:
    share = (relative - wanted.none_below) / (wanted.full_at - wanted.none_below)
    return points.total([round(wanted.points * min(1.0, max(0.0, share)), 2)])


def lacking(wanted: points.Performance, tests: list[dict]) -> str | None:
    """Returns the first test that must pass before speed counts and has not passed, else None.
    Tests are in the model's form; those that did not run here, such as hidden ones, are not
    required."""
    good = ("passed", "left out")
    open_tests = [test["test"] for test in tests if test["status"] not in good]
    return next((name for name in open_tests if name in wanted.needs), None)


def entry(wanted: points.Performance, name: str, status: str, earned: float, text: str) -> dict:
    """Returns a test in the model's form."""
    return {
        "test": f"performance: {name}",
        "status": status,
        "points": 0 if status == "left out" else wanted.points,
        "score": earned,
        "hidden": False,
        "todo": None,
        "findings": [],
        "explanation": text,
    }


def waiting(wanted: points.Performance, name: str | None) -> dict:
    text = f"It is measured once '{name}' passes." if name else ""
    return entry(wanted, "its speed on a card", "waiting", 0, text)


def left_out(wanted: points.Performance) -> dict:
    return entry(wanted, "its speed on a card", "left out", 0, "the card could not be used.")


def failed(wanted: points.Performance, cause: str) -> dict:
    text = f"It could not be measured on a card: {cause}."
    return entry(wanted, "its speed on a card", "failed", 0, text)


def measured(wanted: points.Performance, relative: float, own: float, reference: float) -> dict:
    """Returns the test of a measured speed; own and reference are seconds of a call."""
    earned = score(relative, wanted)
    status = "passed" if earned >= wanted.points else "failed"
    width = f"{wanted.width} x {wanted.width}"
    text = (
        f"A call on matrices of {width} takes {1000 * own:.1f} ms on the card, copies\n"
        f"included; the reference takes {1000 * reference:.1f} ms. All points are for "
        f"{wanted.full_at:g} of its\nspeed, none for {wanted.none_below:g} or less: "
        f"this is {earned:g} of {wanted.points:g}."
    )
    return entry(wanted, f"{relative:.2f} of the reference's speed", status, earned, text)
