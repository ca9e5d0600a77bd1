"""Checks how the explorer's page looks in print and in both themes, and what a step costs it."""

import explorer_runs
import pytest
from explorer_browser import CONTRASTS, count, spent
from explorer_browser import browser, opened, page  # noqa: F401

pytestmark = pytest.mark.seconds(15)


@pytest.mark.parametrize("number", (1, 2))
def test_a_printed_page_has_all_of_the_code_and_no_panel_over_another(opened, number: int) -> None:
    runs = (explorer_runs.racy(), explorer_runs.run())[:number]
    browser = opened(explorer_runs.page(*runs, begin=30))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    boxes = "return [...document.querySelectorAll('{}')].map("
    boxes += "(one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom])"
    panels = sorted(browser.execute_script(boxes.format(".panel")))
    codes = browser.execute_script(boxes.format(".code"))
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert len(panels) > 6 * number and len(codes) == number
    for top, bottom in codes:
        assert any(of[0] <= top and bottom <= of[1] for of in panels), (codes, panels)
    assert all(one[1] <= next_one[0] for one, next_one in zip(panels, panels[1:])), panels


def test_what_is_printed_is_as_wide_as_paper_and_the_screen_comes_back(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.run(64, 4)))
    columns = "return document.querySelectorAll('[data-array=M] .head').length"
    on_screen = browser.execute_script(columns)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(columns) > on_screen
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script(columns) == on_screen


@pytest.mark.parametrize("theme", ("light", "dark"))
def test_all_text_can_be_read(opened, theme: str) -> None:
    run = explorer_runs.racy()
    run["steps"]["index"][0] = -1
    run["left"] = "The first 80 steps are shown."
    tour, beside = [{"step": 30, "text": "Here."}], explorer_runs.run()
    browser = opened(explorer_runs.page(run, beside, begin=30, tour=tour))
    browser.execute_script(
        f"moves.help(); if (document.documentElement.dataset.theme !== '{theme}') moves.theme();"
        "document.querySelectorAll('details').forEach((one) => (one.open = true)); moves.pin(1)"
    )
    found = browser.execute_script(CONTRASTS)
    assert len(found) > 200
    assert [one for one in found if one[0] < 4.5] == []


def milliseconds(browser, steps: list[int]) -> float:
    """Returns what a step takes with its layout, of the page's own thread, as others may use the
    processor, too."""
    walk = "for (const step of arguments[0]) { moves.go(step); document.body.offsetHeight; }"
    before = spent(browser)
    browser.execute_script(walk, steps)
    return 1000 * (spent(browser) - before) / len(steps)


def test_a_step_of_100000_takes_what_one_of_1000_takes(opened) -> None:
    run, took = explorer_runs.run(64, 32), []
    assert count(run) > 100_000
    for last in (100_000, 1000):
        run["steps"] = {name: steps[: last + 1] for name, steps in run["steps"].items()}
        browser = opened(explorer_runs.page(run))
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        near = list(range(last - 300, last - 200))
        milliseconds(browser, [10, *near, last])
        walks = [milliseconds(browser, near) for _ in range(2)]
        leaps = [milliseconds(browser, [10, last]) for _ in range(6)]  # at which all changes
        took.append((min(walks), min(leaps)))
    (far_walk, far_leap), (walk, leap) = took
    # A run that is played again from its start would take a hundred times as long.
    assert far_walk < 4 * walk and far_leap < 8 * leap, took
