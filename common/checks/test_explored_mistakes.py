"""Checks that the page of a known mistake of labs 1 to 3 opens at its finding, and shows both sides
of its races. Uses a few mistakes, one for each past fault of the page's beginning; MISTAKES=all
uses all."""

import os
import re

import mistakes
import pytest
from explored import Run, explore, mistake, watched

pytest.importorskip("elftools", reason="no python3-pyelftools")
pytestmark = [pytest.mark.seconds(20), pytest.mark.full]
FEW = """lab1_naive/kernel/grid_rounded_down lab1_naive/kernel/result_transposed
    lab1_naive/matrix_add/one_dimension lab2_tiled/hazards/reduction_barrier_in_branch
    lab2_tiled/kernel/barrier_in_both_branches lab2_tiled/kernel/grid_of_width_blocks
    lab2_tiled/kernel/return_before_barrier"""
KNOWN = [one for one in mistakes.found("lab[123]_*") if one.part != "answers"]
ALL = [[one.lab, one.part, one.name] for one in KNOWN]
TRIED = ALL if os.environ.get("MISTAKES") == "all" else [one.split("/") for one in FEW.split()]
ELSEWHERE = re.compile(
    r"The other side: thread \(\d+,\d+\) of block \(\d+,\d+\) (loads|stores) \S+ there, line \d+\. "
)
NO_RUN = (
    r"(no kernel has run: make test says why"
    r"|it launches no kernel, so there is no run to watch)\.\n"
)


def check_begin(page: dict) -> None:
    """Fails unless a page opens at its first finding, and has both sides of each race."""
    run = Run(page)
    if not run.findings:
        assert page["begin"] == (page["tour"] or [{"step": 0}])[0]["step"]
        return
    first = run.findings[0]
    assert page["begin"] == first["step"] >= 0, first
    for race in (one for one in run.findings if one["kind"] == "race"):
        assert run.line[race["step"]] == race["line"], race
        if "another block" in race["title"]:
            assert ELSEWHERE.match(race["elsewhere"]), race
        else:
            assert race["other"] >= 0 and run.thread[race["other"]] != race["thread"], race


@pytest.mark.parametrize("lab, part, name", TRIED)
def test_the_page_of_a_mistake_opens_at_its_finding(lab: str, part: str, name: str) -> None:
    kernel = mistake(lab, part, name)
    kinds = mistakes.found(lab, part, name)[0].head[0].removeprefix("Finding: ").split(", ")
    status, said, page = explore(lab, part, kernel)
    if status == 0:
        check_begin(page)  # with tiles of other sizes than in the tests: the finding may differ
    else:
        assert status == 2 and re.fullmatch(NO_RUN, said.removeprefix(f"{kernel}: ")), said
    test, found = watched(lab, part, kernel)
    assert test or not {"barrier-divergence", "endless-kernel", "transposed"} & {*kinds}
    if test:
        status, said, page = explore(lab, part, kernel, TEST=test)
        run = page["runs"][0] if page else {"test": test, "findings": []}
        assert run["findings"] or not any("thread" in one for one in found), found
        if page:
            assert run["test"] == test, said
            check_begin(page)
            assert all(one["kind"] in kinds for one in run["findings"][:1]), run["findings"]
        else:  # the width has become 0
            idle = "the kernel neither loads nor stores in the launch of this test"
            assert (status, said) == (2, f"{kernel}: {idle}.\n")
