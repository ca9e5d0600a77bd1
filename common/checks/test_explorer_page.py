"""Checks the explorer's page in a browser: compares its content with the data."""

import re

import explorer_runs
import pytest
from explorer_browser import HERE, SHOWN, Expected, count, go, press, step_of
from explorer_browser import browser, opened, page, steps_of, texts, wait  # noqa: F401
from explorer_runs import BARRIER, FAILED, LOAD

pytestmark = [pytest.mark.seconds(25), pytest.mark.full]


def test_every_step_shows_memory_threads_and_variables_as_they_were(opened) -> None:
    run = explorer_runs.run()
    browser = opened(explorer_runs.page(run))
    forwards = [go(browser, step) for step in range(count(run))]
    for step, shown in enumerate(forwards):
        Expected(run, step).check(shown)
    for step in (*range(count(run) - 2, -1, -7), 3, 50, 4, 87, 0):  # back, and by leaps
        again = go(browser, step)
        assert again == forwards[step]


def test_the_sentence_of_a_step_names_thread_value_element_and_line(opened) -> None:
    run = explorer_runs.racy()
    browser = opened(explorer_runs.page(run, begin=1))
    said = [go(browser, step)["said"] for step in range(count(run))]
    assert said[0] == "Thread (0,0) loads 0.5 from M[0][0], line 10."
    assert said[1] == "Thread (0,0) stores 0.5 in Mds[0][0], line 10."
    race = run["findings"][0]
    assert said[race["step"]] == "Thread (0,0) loads Mds[0][1], which is unset, line 14."
    assert said[race["other"]] == "Thread (1,0) stores 1.5 in Mds[0][1], line 10."
    assert said[-1] == "Thread (1,1) returns."
    assert "Thread (0,0) reaches the barrier, line 15." in said


def test_keys_alone_lead_through_the_run(opened) -> None:
    run = explorer_runs.racy()
    steps, race = run["steps"], run["findings"][0]
    browser = opened(explorer_runs.page(run, begin=race["step"]))
    assert step_of(press(browser)) == race["step"]
    assert step_of(press(browser, "arrow_right", "arrow_right", "arrow_left")) == race["step"] + 1
    own = [i for i, thread in enumerate(steps["thread"]) if thread == 0]
    assert step_of(press(browser, "home", "shift+arrow_right")) == own[1]
    assert step_of(press(browser, "shift+arrow_left")) == own[0]
    starts = [steps["epoch"].index(number) for number in sorted(set(steps["epoch"]))]
    assert step_of(press(browser, "page_down")) == starts[1]
    assert step_of(press(browser, "page_down", "page_up")) == starts[1]
    shown = press(browser, "end")
    assert step_of(shown) == count(run) - 1 and shown["said"] == "Thread (1,1) returns."
    assert step_of(press(browser, "home", "f", "f")) == race["other"]
    assert step_of(press(browser, "shift+f")) == race["step"]
    themes = [browser.execute_script("return document.documentElement.dataset.theme")]
    press(browser, "d")
    themes.append(browser.execute_script("return document.documentElement.dataset.theme"))
    assert sorted(themes) == ["dark", "light"]
    press(browser, "?")
    listed = browser.execute_script("return document.querySelector('dialog[open]').textContent")
    assert "step over" in listed and "next barrier" in listed
    at = step_of(press(browser, "escape"))
    assert step_of(press(browser, "arrow_right")) == at + 1


def test_tab_and_arrows_choose_a_thread_and_an_element(opened) -> None:
    run = explorer_runs.run()
    browser = opened(explorer_runs.page(run, begin=20))
    focus = 'document.querySelector("{}").focus()'
    browser.execute_script(focus.format(".thread[tabindex='0']"))
    shown = press(browser, "arrow_right", "arrow_down", "enter")
    assert step_of(shown) == 20
    whose = browser.execute_script(HERE.format(".whose"))
    assert whose.startswith("Thread (1,1): runs, line 12")
    assert step_of(press(browser, "shift+arrow_right")) == steps_of(run, 3, 20)[0]
    press(browser, "t")
    assert browser.execute_script("return document.querySelector('.release').hidden")
    browser.execute_script(focus.format("[data-array=P] .cell"))
    press(browser, "arrow_right")
    assert browser.execute_script(HERE.format(".element-name")).startswith("P[0][1]: unset")
    shown = press(browser, ".")
    assert len(shown["history"]) == 1 and "store" in shown["history"][0]


def test_a_link_leads_to_a_step_and_a_thread_and_the_address_follows(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.run()), "#step=33&thread=2")
    assert step_of(press(browser)) == 33
    assert browser.execute_script(HERE.format(".whose")).startswith("Thread (0,1)")
    press(browser, "arrow_right")
    wait(browser, "location.hash === '#step=34&thread=2'")
    browser.execute_script("location.hash = '#step=5'")
    wait(browser, "document.querySelector('.where-now').textContent.startsWith('Step 5 ')")
    wait(browser, "document.querySelector('.release').hidden")
    assert step_of(go(browser, 10**9)) == 87


def test_an_elements_history_names_each_step_that_was_about_it(opened) -> None:
    run = explorer_runs.run()
    steps = run["steps"]
    browser = opened(explorer_runs.page(run))
    about = [i for i in range(count(run)) if (steps["array"][i], steps["index"][i]) == (3, 1)]
    shown = go(browser, about[2])
    words = "load", "store"
    assert shown["history"] == [
        f"step {i} thread ({steps['thread'][i] % 2},{steps['thread'][i] // 2}): "
        f"{words[steps['what'][i]]} {steps['value'][i]:g}, line {steps['line'][i]}"
        for i in about
    ]
    click = "document.querySelector('.history [data-step=\"{}\"]').click();"
    assert step_of(browser.execute_script(click.format(about[4]) + SHOWN)) == about[4]


def test_a_race_shows_both_accesses_with_the_ways_to_them(opened) -> None:
    run = explorer_runs.racy()
    race = run["findings"][0]
    browser = opened(explorer_runs.page(run, begin=race["step"]))
    first, second = texts(browser, ".sides .side")
    assert first.startswith("Thread (0,0)loads Mds[0][1], which is unset, line 14")
    assert re.findall(r"line (\d+)[^,]*?(?: (\d+) accesses)?(?=line|go)", first.split(":")[1]) == [
        ("10", "2"),
        ("11", "2"),
        ("14", "3"),
    ]
    assert second.startswith("Thread (1,0)stores 1.5 in Mds[0][1], line 10")
    missing = browser.execute_script(HERE.format(".missing"))
    assert "from line 14 to line 10" in missing
    jump = "document.querySelectorAll('.sides .step')[1].click();"
    assert step_of(browser.execute_script(jump + SHOWN)) == race["other"]
    unset = texts(browser, ".finding")[1]
    assert f"Mds[0][1] is stored too late, in step {race['other']}" in unset
    assert "Its variables then: tx = 0, ty = 0" in unset
    marks = "return document.querySelector('[data-line=\"14\"] .finding-mark').textContent"
    assert browser.execute_script(marks) == "▲ 2"


def test_the_code_marks_the_line_after_which_a_barrier_is_missing(opened) -> None:
    run = explorer_runs.run()
    race = explorer_runs.finding("race", "one thread stores what another loads", 10, 80)
    remedy = "Put a __syncthreads() after line 14, outside of any branch."
    run["findings"] = [race | {"remedy": remedy}]
    browser = opened(explorer_runs.page(run, begin=80))
    marked = "return [...document.querySelectorAll('tr:has(.no-barrier)')].map((e) => {})"
    assert browser.execute_script(marked.format("e.dataset.line")) == ["14"]


def test_a_race_between_blocks_names_the_side_that_is_not_shown(opened) -> None:
    run = explorer_runs.run()
    other = "The other side: thread (0,0) of block (1,0) stores 2 there, line 17."
    one = explorer_runs.finding("race", "another block writes it on the same line", 17, 80)
    run["findings"] = [one | {"elsewhere": other}]
    assert other in texts(opened(explorer_runs.page(run, begin=80)), ".finding")[0]


def test_threads_at_different_barriers_are_told_apart(opened) -> None:
    run = explorer_runs.run()
    steps = run["steps"]
    waits = [i for i, what in enumerate(steps["what"]) if what == BARRIER][:4]
    steps["line"][waits[-1]] = 15
    one = explorer_runs.finding("barrier-divergence", "not all come to this barrier", 12, waits[-1])
    run["findings"] = [one]
    browser = opened(explorer_runs.page(run, begin=waits[-1]))
    assert texts(browser, ".waiting-threads li") == [
        "‖ waits at line 12: 3 threads, (0,0) (1,0) (0,1)",
        "‖ waits at line 15: 1 thread, (1,1)",
    ]
    legend = browser.execute_script(HERE.format(".states"))
    assert "Not at one barrier: ‖ 3 at line 12, ‖ 1 at line 15." in legend


def test_an_access_outside_is_shown_beside_the_array(opened) -> None:
    run = explorer_runs.run()
    run["steps"]["index"][0], run["steps"]["value"][0] = 16, None
    browser = opened(explorer_runs.page(run))
    assert go(browser, 0)["said"] == (
        "Thread (0,0) loads element 16 of M, outside, which is not known, line 10."
    )
    cells = go(browser, 0)["arrays"]["M"]
    assert len(cells) == 17
    assert cells[16] == {"value": "?", "unset": False, "now": True, "stored": None, "loaded": "0"}
    assert "16" in browser.execute_script(HERE.format(".outside"))


def test_an_access_that_fails_is_no_store(opened) -> None:
    run = explorer_runs.run()
    run["steps"]["index"][0], run["steps"]["value"][0] = 16, None
    run["steps"]["what"][0] = FAILED
    browser = opened(explorer_runs.page(run))
    assert go(browser, 0)["arrays"]["M"][16]["stored"] is None
    assert browser.execute_script(HERE.format(".stray-cell small")) == "✗ 0,0"
    assert texts(browser, ".history li") == ["step 0 thread (0,0): fails, line 10"]


def test_a_requests_sectors_and_passes_are_counted_as_a_card_does(opened) -> None:
    run = explorer_runs.run(64, 32)
    browser = opened(explorer_runs.page(run))
    steps = run["steps"]
    first = {line: steps["line"].index(line) for line in (10, 14, 17)}
    words = {line: go(browser, step)["request"] for line, step in first.items()}
    assert words[10] == (
        "Warp 0, line 10: 32 lanes load from M: 4 sectors of 32 bytes. So far 1 of them ran here."
    )
    assert words[14].startswith("Warp 0, line 14: 32 lanes load from Mds: 1 pass over")
    assert words[17].startswith("Warp 0, line 17: 32 lanes store to P: 4 sectors")
    # A column of shared memory, and a column of device memory.
    count_of = """return unpack().then(({runs: [data]}) => {
        const steps = {...data.steps, index: data.steps.index.map((i) => i * 32)};
        const run = makeRun({...data, steps});
        return arguments[0].map((step) => trafficOf(run, run.request[step]).number);
    })"""
    second_load = next(i for i in range(first[14], count(run)) if steps["array"][i] == 4)
    assert browser.execute_script(count_of, [first[10], second_load]) == [32, 32]


def test_a_sector_that_begins_before_its_array_is_labelled_by_elements_of_the_array(opened) -> None:
    run = explorer_runs.run()
    run["arrays"][0]["start"] += 16
    browser = opened(explorer_runs.page(run))
    go(browser, 0)
    labels = texts(browser, ".request-panel svg text")
    assert "0–3" in labels and [one for one in labels if one.startswith("-")] == []


def test_a_tour_says_its_sentences_at_their_steps(opened) -> None:
    tour = [
        {"step": 3, "text": "First this.", "thread": None},
        {"step": 40, "text": "Then that.", "thread": 2},
    ]
    browser = opened(explorer_runs.page(explorer_runs.run(), tour=tour))
    said = HERE.format(".tour-text")
    assert step_of(press(browser, "n")) == 3
    assert browser.execute_script(said) == "1 of 2: First this."
    assert step_of(press(browser, "n", "n")) == 40
    assert browser.execute_script(HERE.format(".whose")).startswith("Thread (0,1)")
    assert step_of(press(browser, "b")) == 3
    press(browser, "arrow_right")
    assert "(you left it)" in browser.execute_script(said)


def test_two_runs_go_in_step_and_their_costs_are_compared(opened) -> None:
    left, right = explorer_runs.run(8, 2), explorer_runs.run(8, 4)
    browser = opened(explorer_runs.page(left, right))
    rows = (
        "return [...document.querySelectorAll('.beside-panel tbody tr')]"
        ".map((row) => [...row.cells].map((one) => one.textContent))"
    )
    costs = {row[0]: row[1:] for row in browser.execute_script(rows)}
    assert costs["steps"][:2] == [str(count(left)), str(count(right))]
    loads = [
        sum(w == LOAD and a < 3 for w, a in zip(one["steps"]["what"], one["steps"]["array"]))
        for one in (left, right)
    ]
    assert costs["loads from global memory"][:2] == [str(one) for one in loads]
    assert costs["the launch on an H200, modelled, ns"] == ["4,130", "4,130", "equal"]
    browser.execute_script("moves.go(1e9)")
    assert texts(browser, ".said") == [
        "Thread (1,1) returns.",
        "Thread (3,3) returns.",
    ]


def test_the_modelled_time_is_beside_the_grid_if_there_is_one(opened) -> None:
    run = explorer_runs.run()
    browser = opened(explorer_runs.page(run))
    assert texts(browser, ".blocks-panel p") == [
        "Block (0,0) of a grid of 2 × 2 is shown.",
        "The launch is modelled on an H200: 4.1 us, limited by latency.",
    ]
    run["modelled"]["nanoseconds"] = 1_234_567
    assert ": 1,235 us, " in texts(opened(explorer_runs.page(run)), ".modelled")[0]
    run["modelled"] = {"missing": "It is missing."}
    assert texts(opened(explorer_runs.page(run)), ".modelled") == ["It is missing."]
    run["modelled"] = None
    assert texts(opened(explorer_runs.page(run)), ".modelled") == []


def test_a_variable_that_changes_comes_before_those_that_do_not(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.run(), begin=60))
    names = texts(browser, ".variables tbody th")
    assert names[:3] == ["Pvalue", "ph", "k"] and {"tx", "Row"} <= {*names[3:]}


def test_a_large_array_is_a_window_that_follows_the_steps(opened) -> None:
    run = explorer_runs.run(256, 16)
    browser = opened(explorer_runs.page(run))
    assert len(go(browser, 10**9)["arrays"]["M"]) < 1000
    steps = run["steps"]
    loads = [i for i in range(count(run)) if steps["array"][i] == 1]
    # The first row, the last one, and the element below another: only a row changes.
    for step in (loads[0], loads[-1], loads[15 * 16], loads[1]):
        cells = go(browser, step)["arrays"]["N"]
        assert [cell["now"] for cell in cells].count(True) == 1


def test_a_run_without_a_step_is_shown_too(opened) -> None:
    run = explorer_runs.run()
    run["steps"] = {name: [] for name in run["steps"]}
    browser = opened(explorer_runs.page(run))
    for key in ("arrow_right", "page_down", "end", "shift+arrow_right", "f"):
        shown = press(browser, key)
        assert (shown["said"], step_of(shown)) == ("Nothing ran.", 0)


def test_rows_of_an_array_of_three_dimensions_are_named_by_two(opened) -> None:
    run = explorer_runs.run()
    run["arrays"][0]["extents"] = [2, 2, 4]
    browser = opened(explorer_runs.page(run))
    assert texts(browser, "[data-array=M] .line .label") == ["", "0,0", "0,1", "1,0", "1,1"]
    assert go(browser, 0)["said"] == "Thread (0,0) loads 0.5 from M[0][0][0], line 10."


FOCUSED = """
const one = document.activeElement;
const kind = [...one.classList, one.tagName.toLowerCase()].find((name) => KINDS.includes(name));
return [kind ?? one.outerHTML.slice(0, 60), getComputedStyle(one).outlineStyle];
"""


def test_tab_reaches_all_that_can_be_used_and_shows_where_it_is(opened) -> None:
    kinds = "play select input pane summary step thread cell theme keys-button".split()
    tour = [{"step": 3, "text": "First this.", "thread": None}]
    browser = opened(explorer_runs.page(explorer_runs.racy(), tour=tour))
    script = FOCUSED.replace("KINDS", str(kinds))
    found = []
    for _ in range(60):
        press(browser, "tab")
        found.append(browser.execute_script(script))
    assert {kind for kind, _ in found} >= set(kinds)
    unseen = {kind for kind, outline in found if outline == "none"}
    assert [kind for kind in unseen if not kind.startswith("<body")] == []  # then it wraps


def test_keys_alone_reach_the_second_of_two_runs(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.racy(), explorer_runs.run(), begin=20))
    second = "return document.querySelectorAll('.view')[1]"
    focused = second + ".querySelector('.{}[tabindex=\"0\"]') === document.activeElement"
    chosen = {"cell": (".element-name", "M[0][1]: "), "thread": (".whose", "Thread (1,0): ")}
    for kind, (place, words) in chosen.items():
        tabs = iter(range(60))
        while not browser.execute_script(focused.format(kind)):
            assert next(tabs, None) is not None, kind
            press(browser, "tab")
        press(browser, "arrow_right", "enter")
        told = browser.execute_script(f"{second}.querySelector('{place}').textContent")
        assert told.startswith(words), told


def test_pointing_at_an_element_shows_its_history_until_the_pointer_goes(opened) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    browser = opened(explorer_runs.page(explorer_runs.run(), begin=20))
    name = HERE.format(".element-name")
    assert browser.execute_script(name) == "Mds[0][0]: 0.5"
    cell = browser.find_element("css selector", "[data-array=M] [data-cell='5']")
    ActionChains(browser).move_to_element(cell).perform()
    assert browser.execute_script(name) == "M[1][1]: 5.5"
    ActionChains(browser).move_to_element(browser.find_element("tag name", "h1")).perform()
    assert browser.execute_script(name) == "Mds[0][0]: 0.5"


def test_play_steps_until_it_is_paused_or_the_run_ends(opened) -> None:
    browser = opened(explorer_runs.page(explorer_runs.run()))
    browser.execute_script("document.querySelector('.speed select').value = 100")
    press(browser, "p")
    wait(browser, "document.querySelector('.play').textContent.includes('pause')")
    wait(browser, "document.querySelector('.where-now').textContent.startsWith('Step 87 ')")
    wait(browser, "document.querySelector('.play').textContent.includes('play')")
    assert step_of(press(browser, "p", "p")) < 80  # again from the first step


def test_an_access_to_memory_that_is_no_array_and_a_thread_that_fails_are_reported(opened) -> None:
    run = explorer_runs.run()
    steps = run["steps"]
    steps["array"][0], steps["array"][1], steps["what"][1] = -1, -1, FAILED
    browser = opened(explorer_runs.page(run))
    shown = go(browser, 0)
    assert shown["said"] == "Thread (0,0) loads 0.5 from memory, line 10."
    assert shown["request"] == "This step makes no request."
    shown = go(browser, 1)
    assert shown["said"] == "Thread (0,0) fails, line 10."
    assert shown["threads"] == ["failed", "not begun", "not begun", "not begun"]
    other = next(i for i in range(2, count(run)) if steps["request"][i] == steps["request"][0])
    assert "3 lanes load from M" in go(browser, other)["request"]


def test_an_old_browser_gets_a_sentence(browser, tmp_path) -> None:
    page.write(tmp_path / "page.html", explorer_runs.page(explorer_runs.run()))
    old = {"source": "delete window.DecompressionStream"}
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", old)
    browser.get((tmp_path / "page.html").as_uri())
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    assert texts(browser, "body")[0].strip() == "This page needs a browser of 2023 or newer."
