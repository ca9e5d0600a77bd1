"""From times to performance points: what the rounds of a measurement say.

A round is a run of the reference and one of the submission, one right after the other. Its ratio is
the reference's time of a call over the submission's: 1 for one that is as fast, 0.5 for one that
takes twice as long.
"""

import statistics
from dataclasses import dataclass
from typing import List

import points

LEAST_ROUNDS, MOST_ROUNDS = 3, 7
# How far the ratios may lie apart, as a part of their median.
QUIET = 0.1


@dataclass(frozen=True)
class Speed:
    relative: float  # 1: as fast as the reference
    spread: float
    rounds: int
    noisy: bool


def ratio(reference: List[float], own: List[float]) -> float:
    return statistics.median(reference) / statistics.median(own)


def spread(ratios: List[float]) -> float:
    return (max(ratios) - min(ratios)) / statistics.median(ratios)


def settled(ratios: List[float], wanted: points.Performance) -> bool:
    """Whether another round would be of no use."""
    if len(ratios) < LEAST_ROUNDS:
        return False
    sure = min(ratios) >= wanted.full_at or max(ratios) <= wanted.none_below
    return sure or spread(ratios) <= QUIET or len(ratios) >= MOST_ROUNDS


def result(ratios: List[float]) -> Speed:
    """The median; where the rounds never agreed, the best of them: noise costs nobody a point."""
    apart = spread(ratios)
    noisy = apart > QUIET
    relative = max(ratios) if noisy else statistics.median(ratios)
    return Speed(relative, apart, len(ratios), noisy)


def score(relative: float, wanted: points.Performance) -> float:
    share = (relative - wanted.none_below) / (wanted.full_at - wanted.none_below)
    return points.total([round(wanted.points * min(1.0, max(0.0, share)), 2)])
