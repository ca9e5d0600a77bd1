"""A browser for the checks of the explorer's page: opens a page, moves through it and reads it.
Models what a page must show."""

import os
import pathlib
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from explorer import page
from explorer_runs import ATOMIC, BARRIER, FAILED, LOAD, RETURNED, VARIABLES

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
HERE = "return document.querySelector('{}')?.textContent ?? ''"
# What the page shows, read in one call, with the parts that are scrolled out of sight.
SHOWN = """
moves.drawAll();
const text = (name) => [...document.querySelectorAll(name)].map((one) => one.textContent);
const arrays = {};
for (const array of document.querySelectorAll(".array")) {
    arrays[array.dataset.array] = [...array.querySelectorAll(".cell")].map((cell) => ({
        value: cell.firstChild.data,
        unset: cell.classList.contains("unset"),
        now: cell.classList.contains("now"),
        stored: cell.className.match(/\\bs(\\d)/)?.[1] ?? null,
        loaded: cell.className.match(/\\bl(\\d)/)?.[1] ?? null,
    }));
}
const variables = [...document.querySelectorAll(".variables tr[data-variable]")];
return {
    said: text(".said")[0],
    position: text(".where-now")[0],
    line: document.querySelector(".code tr.now")?.dataset.line ?? "0",
    threads: [...document.querySelectorAll(".thread")].map((one) => one.ariaLabel.split(": ")[1]),
    variables: Object.fromEntries(variables.map((one) => [
        one.dataset.variable, one.querySelector(".value").textContent])),
    changed: variables.filter((one) => one.matches(".changed")).map((one) => one.dataset.variable),
    request: text(".request-words")[0],
    history: text(".history li"),
    arrays,
};
"""

CONTRASTS = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (colour) => {
    const [r, g, b] = colour.map((one) => one / 255).map(
        (one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const background = (element) => {
    for (let one = element; one; one = one.parentElement) {
        const [r, g, b, a = 1] = rgb(getComputedStyle(one).backgroundColor);
        if (a > 0.99) return [r, g, b];
    }
    return [255, 255, 255];
};
const found = [];
for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!own || !element.checkVisibility() || element.closest("noscript, script, option")) continue;
    const style = getComputedStyle(element);
    const text = element.closest("svg") ? style.fill : style.color;
    const both = [light(rgb(text).slice(0, 3)), light(background(element))].sort((a, b) => b - a);
    const ratio = (both[0] + 0.05) / (both[1] + 0.05);
    found.push([ratio, element.tagName + "." + (element.getAttribute("class") ?? "")]);
}
return found.sort((a, b) => a[0] - b[0]);
"""


@pytest.fixture(scope="module")
def browser() -> Iterator:
    """Starts a browser that makes no requests to other machines."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="no python3-selenium")
    from selenium.webdriver.chrome.service import Service

    if not (CHROMIUM and DRIVER):
        pytest.skip("no chromium, or no chromium-driver")
    os.environ["SE_OFFLINE"] = "true"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for word in "headless=new no-sandbox disable-gpu disable-dev-shm-usage".split():
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(service=Service(executable_path=DRIVER), options=options)
    started.set_window_size(1280, 900)
    yield started
    started.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: pathlib.Path) -> Iterator:
    """Returns a function that opens a page of some data. At the end it fails if the page has
    fetched anything, or if anything went wrong in it."""
    file = tmp_path / "page.html"

    def opened(data: dict, link: str = "") -> Any:
        page.write(file, data)
        browser.get("about:blank")
        browser.get(f"{file.as_uri()}{link}")
        wait(browser, "moves !== null")
        return browser

    yield opened
    fetched = "return performance.getEntriesByType('resource').map((one) => one.name)"
    assert browser.execute_script(fetched) == []
    assert browser.get_log("browser") == []


def go(browser: Any, step: int) -> dict:
    """Goes to a step and returns what the page shows."""
    return browser.execute_script(f"moves.go({step});{SHOWN}")


def press(browser: Any, *keys: str) -> dict:
    """Presses keys, by name where they have one, and returns what the page shows."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    chain = ActionChains(browser)
    for key in keys:
        *held, last = key.split("+") if key != "+" else [key]
        for one in held:
            chain.key_down(getattr(Keys, one.upper()))
        chain.send_keys(getattr(Keys, last.upper(), last) if len(last) > 1 else last)
        for one in held:
            chain.key_up(getattr(Keys, one.upper()))
    chain.perform()
    return browser.execute_script(SHOWN)


def step_of(shown: dict) -> int:
    return int(re.findall(r"^Step ([\d,]+)", shown["position"])[0].replace(",", ""))


class Expected:
    """What a page must show: the run replayed from its first step, without the page's own code."""

    def __init__(self, run: dict, last: int) -> None:
        self.run, self.steps = run, run["steps"]
        self.threads = run["blockSize"][0] * run["blockSize"][1]
        self.epoch = self.steps["epoch"][last]
        self.values = {one["name"]: list(one["before"]) for one in run["arrays"]}
        self.stored: dict[tuple[str, int], int] = {}
        self.loaded: dict[tuple[str, int], int] = {}
        self.variables: dict[int, dict[str, object]] = {t: {} for t in range(self.threads)}
        self.state = ["not begun"] * self.threads
        self.last = last
        for step in range(last + 1):
            self.add(step, *(self.steps[name][step] for name in ("thread", "what", "value")))
        if self.steps["what"][last] <= ATOMIC:
            self.now = self.place(last)
        else:
            self.now = ("", -1)

    def place(self, step: int) -> tuple[str, int]:
        array = self.run["arrays"][self.steps["array"][step]]
        return array["name"], self.steps["index"][step]

    def add(self, step: int, thread: int, what: int, value: object) -> None:
        here = self.steps["epoch"][step] == self.epoch
        if what <= ATOMIC:
            name, index = self.place(step)
            if what != LOAD:
                self.values[name][index] = value
            if here:
                (self.loaded if what == LOAD else self.stored)[name, index] = thread % 8
        words = {BARRIER: "waits" if here else "runs", RETURNED: "returned", FAILED: "failed"}
        self.state[thread] = words.get(what, "runs")
        changes = self.steps["changes"][step] or []
        self.changed = [VARIABLES[number] for number in changes[::2]]
        for number, new in zip(changes[::2], changes[1::2]):
            self.variables[thread][VARIABLES[number]] = new

    def cells(self, name: str) -> list[dict]:
        """Returns the cells of an array, in which no value is too long to be shown completely."""
        return [
            {
                "value": "" if value is None else f"{value:g}",
                "unset": value is None,
                "now": (name, index) == self.now,
                "stored": text(self.stored.get((name, index))),
                "loaded": text(self.loaded.get((name, index))),
            }
            for index, value in enumerate(self.values[name])
        ]

    def check(self, shown: dict) -> None:
        thread = self.steps["thread"][self.last]
        known = {k: f"{v:g}" for k, v in self.variables[thread].items() if v is not None}
        assert shown["line"] == str(self.steps["line"][self.last])
        assert shown["position"].startswith(f"Step {self.last} of ")
        assert f"after barrier {self.epoch} of" in shown["position"] or not self.epoch
        assert shown["threads"] == self.state
        assert shown["variables"] == known
        assert set(shown["changed"]) == set(self.changed) & set(known)
        for name in self.values:
            assert shown["arrays"][name] == self.cells(name), name


def text(value: object) -> str | None:
    return None if value is None else str(value)


def count(run: dict) -> int:
    return len(run["steps"]["line"])


def wait(browser: Any, fact: str) -> None:
    """Waits until a fact holds, for at most some seconds."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 10, 0.05).until(lambda b: b.execute_script(f"return {fact}"), fact)


def steps_of(run: dict, thread: int, after: int) -> list[int]:
    """Returns the steps of a thread after one."""
    return [i for i, one in enumerate(run["steps"]["thread"]) if one == thread and i > after]


def spent(browser: Any) -> float:
    """Returns the seconds of a processor that the page's scripts, styles and layout have taken."""
    found = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(one["value"] for one in found if one["name"] == "TaskDuration")


def texts(browser: Any, selector: str) -> list[str]:
    """Returns the texts of all elements that a selector finds."""
    script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
    return browser.execute_script(script, selector)
