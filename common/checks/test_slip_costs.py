"""Checks that a slip costs its own step and what depends on it: a wrong kernel leaves the host side
its points, a wrong host side leaves them to the kernel."""

import pytest
import slip_costs
from test_record import Judged

pytestmark = [pytest.mark.seconds(150), pytest.mark.full]


@pytest.mark.parametrize("slip", slip_costs.SLIPS, ids=slip_costs.Slip.__str__)
def test_a_slip_costs_points_for_its_own_step_and_no_others(slip: slip_costs.Slip) -> None:
    lost = [test["test"] for test in slip.tests if test["score"] < test["points"]]
    assert lost, "all points, for a slip"
    assert [test for test in lost if not slip.may_fail(test)] == []


@pytest.mark.parametrize("name, steps", [("k <= Width", [1, 2, 4]), ("kernel untouched", [])])
def test_a_grader_judges_the_other_steps_by_themselves_too(name: str, steps: list[int]) -> None:
    slip = next(slip for slip in slip_costs.SLIPS if slip.name == name)
    judged = Judged(slip.lab, "kernel", str(slip.file), f"marks-{slip.file.stem}")
    said = judged.said("report")
    right = [number for number in range(1, 11) if f"\n  ok  TODO({number}):" in "\n" + said]
    assert right == [*steps, *range(5, 11)] and judged.said("remarks") == "", judged.told
