"""Checks how the explorer's page looks in print and in both themes, and the time of a step."""

import json

import explorer_runs
import pytest
from explorer_browser import CONTRASTS, Expected, count, go, spent, wait
from explorer_browser import browser, opened, page  # noqa: F401
from explorer_runs import BARRIER

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
    look = "return [document.querySelectorAll('[data-array=M] .head').length, "
    look += "document.documentElement.dataset.theme]"
    browser.execute_script("if (document.documentElement.dataset.theme !== 'dark') moves.theme()")
    on_screen = browser.execute_script(look)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    columns, theme = browser.execute_script(look)
    assert columns > on_screen[0] and theme == "light"
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert browser.execute_script(look) == on_screen


def test_no_panel_of_two_runs_lies_over_another(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.racy(), explorer_runs.run(), begin=30))
    boxes = "return [...arguments[0].querySelectorAll('.panel')].map("
    boxes += "(one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom])"
    for view in browser.find_elements("css selector", ".view"):
        panels = sorted(browser.execute_script(boxes, view))
        assert len(panels) > 6
        assert all(one[1] <= next_one[0] for one, next_one in zip(panels, panels[1:])), panels


def test_on_a_phone_the_panels_are_below_one_another_and_the_buttons_stay(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.racy(), begin=30))
    size = {"width": 380, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    boxes = "scrollTo(0, 500); return [...document.querySelectorAll('.panel, .buttons')].map("
    boxes += "(one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom, box.width])"
    buttons, *panels = browser.execute_script(boxes)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    panels.sort()
    assert len(panels) > 6 and min(width for _, _, width in panels) > 300
    assert all(one[1] <= next_one[0] for one, next_one in zip(panels, panels[1:])), panels
    assert panels[0][0] < 0 <= buttons[0] < 50


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
    """Returns a step's time with its layout, of the page's own thread, because other threads may
    use the processor, too."""
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
        leaps = [milliseconds(browser, [10, last]) for _ in range(6)]  # a leap changes all elements
        took.append((min(walks), min(leaps)))
    (far_walk, far_leap), (walk, leap) = took
    # Replaying the run from its start would take a hundred times as long.
    assert far_walk < 4 * walk and far_leap < 8 * leap, took


FRAME = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20, true)))"
SHOW = "document.querySelectorAll('.threads-panel, [data-array=Nds]').forEach("
OUT_OF_SIGHT = """[...document.querySelectorAll('.thread, [data-array=Nds] .cell')].map(
    (one) => `${one.ariaLabel} ${one.textContent}`).join()"""


def test_what_is_out_of_sight_is_drawn_when_the_steps_pause(opened) -> None:
    run = explorer_runs.run(4, 4)
    browser = opened(explorer_runs.page(run))
    browser.execute_script(f"{SHOW}(one) => (one.style.display = 'none'))")
    wait(browser, FRAME)
    both = f"return [{OUT_OF_SIGHT}, moves.go(1e9), {OUT_OF_SIGHT}]"
    before, _, at_once = browser.execute_script(both)
    assert at_once == before
    wait(browser, f"{OUT_OF_SIGHT} !== {json.dumps(before)}")
    browser.execute_script(f"{SHOW}(one) => (one.style.display = ''))")
    Expected(run, count(run) - 1).check(go(browser, count(run) - 1))


MARKED = """[...document.querySelectorAll('.thread')].map((one) => one.className).filter(
    (name) => name !== 'thread')"""
DOTS = """
const [columns, threads] = arguments;
const style = getComputedStyle(document.documentElement);
const picture = document.querySelector(".dots").getContext("2d", { willReadFrequently: true });
return threads.map((thread) => {
    const [x, y] = [15 * (thread % columns), 13 * Math.floor(thread / columns)];
    const points = [...picture.getImageData(x, y, 1, 1).data].slice(0, 3);
    const drawn = points.map((one) => one.toString(16).padStart(2, "0")).join("");
    const of = (name) => style.getPropertyValue(name + (thread % 8)).trim();
    return of("--c") === `#${drawn}` ? "is there" : of("--e") === `#${drawn}` ? "is not" : drawn;
});
"""


def test_the_picture_of_a_large_block_has_the_state_of_each_thread(opened) -> None:
    run, some = explorer_runs.run(18, 18), [0, 1, 18, 200, 323]
    browser = opened(explorer_runs.page(run))
    for step in (0, run["steps"]["what"].index(BARRIER), count(run) - 1):
        browser.execute_script("moves.theme()")
        states = [go(browser, step)["threads"][thread] for thread in some]
        wanted = ["is there" if one in ("runs", "waits") else "is not" for one in states]
        assert browser.execute_script(DOTS, 18, some) == wanted
        # Otherwise a leap would lay out and paint each element.
        marked = browser.execute_script(f"return {MARKED}")
        assert marked in (["thread now chosen"], ["thread now", "thread chosen"])
