"""Checks that a slip costs its own step and what depends on it: a wrong kernel leaves the host side
its points, a wrong host side leaves them to the kernel."""

import pytest
import slip_costs
from test_record import Judged

pytestmark = pytest.mark.seconds(40)


@pytest.mark.parametrize("slip", slip_costs.SLIPS, ids=lambda slip: f"{slip.lab}, {slip.name}")
def test_a_slip_costs_points_for_its_own_step_and_no_others(slip: slip_costs.Slip) -> None:
    lost = [test["test"] for test in slip.tests if test["score"] < test["points"]]
    assert lost, "all points, for a slip"
    assert [test for test in lost if not slip.may_fail(test)] == []


@pytest.mark.parametrize("name", ["k <= Width", "kernel untouched"])
def test_a_grader_judges_the_host_side_by_itself_too(name: str) -> None:
    slip = next(slip for slip in slip_costs.SLIPS if slip.name == name)
    judged = Judged(slip.lab, "kernel", str(slip.file), f"marks-{slip.file.stem}")
    said = judged.said("report")
    right = [number for number in range(1, 11) if f"\n  ok  TODO({number}):" in said]
    assert right == list(range(5, 11)) and judged.said("remarks") == "", judged.told
