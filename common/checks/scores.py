"""What a run of a part's tests earns, of the tests that students have."""

import pathlib

import points
import scoring


def scores(log: pathlib.Path, lab: str, part: str) -> list[dict]:
    """Returns the tests with their points and scores, from the results beside a run's log."""
    with open(log.with_suffix(".results"), encoding="utf-8") as lines:
        verdicts = scoring.verdicts_of(lines)
    return scoring.score_tests(points.load(lab).parts[part], verdicts, hidden=False)


def earns_nothing(log: pathlib.Path, lab: str, part: str) -> None:
    """Fails where an untouched skeleton has points."""
    earned = [test["test"] for test in scores(log, lab, part) if test["score"] > 0]
    assert not earned, f"give '{earned[0]}' needs = [...], a test that the skeleton fails"
