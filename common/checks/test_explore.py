"""Checks the page's data of `make explore`: values, local variables, both sides of each race."""

import concurrent.futures
import pathlib
import re
import shutil
import sys

import pytest
from calls import ROOT, call, ended, make, rules
from explored import Run, data_of, explore, mistake, solution
from explorer_runs import ATOMIC, BARRIER, FAILED, LOAD, RETURNED, STORE
from judging import labs, parts

pytest.importorskip("elftools", reason="no python3-pyelftools")
pytestmark = pytest.mark.seconds(120)
OWN = "common/explorer/tests/values.cu"
# Values of the solutions' variables, for a thread (x, y) of a block (bx, by) of bw x bh threads.
TILED = {"Row": "by * bh + y", "Col": "bx * bw + x", "tx": "x", "ty": "y"}
INDICES: dict[str, dict[str, str]] = {
    "lab1_naive/kernel": {"Row": TILED["Row"], "Col": TILED["Col"]},
    "lab1_naive/matrix_add": {"Row": TILED["Row"], "Col": TILED["Col"]},
    "lab2_tiled/kernel": TILED | {"bx": "bx", "by": "by"},
    "lab2_tiled/banks": TILED,
    "lab2_tiled/hazards": {"tx": "x", "ty": "y"},
    "lab3_boundary/kernel": TILED | {"bx": "bx", "by": "by"},
    "lab3_boundary/padding": TILED,
    "lab3_boundary/submatrix": TILED,
    "lab4_memtypes/kernel": {"tx": "x"},
    "lab4_memtypes/constant": {},
    "lab4_memtypes/overlap": {"Row": TILED["Row"], "Col": TILED["Col"]},
    "lab4_memtypes/pipeline": TILED,
    "lab4_memtypes/qualifiers": {"i": "bx * bw + x"},
    "lab4_memtypes/registers": {"tx": "x", "ty": "y"},
    "lab4_memtypes/tensor": {"index": "bx * bw + x"},
}
COUNTED = "k", "ph"
LAUNCHING = [(lab, part) for lab in labs() for part in parts(lab) if f"{lab}/{part}" in INDICES]


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    ended(rules("lab2_tiled", "-s", "libraries"), 0)


def replayed(run: Run) -> dict[tuple[int, int], object]:
    """Returns the final values of the arrays, by array and index; fails if a load returns another
    value than was stored last."""
    held = {
        (a, i): value
        for a, array in enumerate(run.arrays)
        for i, value in enumerate(array["before"])
    }
    for n in range(run.count):
        if run.what[n] not in (LOAD, STORE, ATOMIC):
            continue
        element = run.array[n], run.index[n]
        if run.what[n] == LOAD and element in held:
            assert run.value[n] == held[element], f"step {n}, line {run.line[n]}"
        held[element] = run.value[n]
    return held


@pytest.mark.full
@pytest.mark.parametrize("lab, part", LAUNCHING)
def test_values_and_variables_of_a_solution_are_those_of_its_run(lab: str, part: str) -> None:
    run = solution(lab, part)
    assert run.count > 0 and not run.findings and set(run.what) <= {0, 1, 2, 3, 4}
    replayed(run)
    known, before = INDICES[f"{lab}/{part}"], {}
    seen = set()
    for n, values in run.values():
        thread = run.thread[n]
        for name in known.keys() & values.keys():
            assert values[name] == eval(known[name], run.place(thread)), (n, name)
            seen.add(name)
        for name in filter(values.__contains__, COUNTED if known else ()):
            last = before.get((thread, name), values[name])
            assert values[name] in (0, last, last + 1), (n, name)
            before[thread, name] = values[name]
        if run.what[n] == RETURNED:
            assert not values, f"step {n}: {values}"
    assert seen == set(known)


def test_a_tiled_product_is_that_of_its_steps() -> None:
    """Computes the block of P, and the index of each load by the variables of its thread."""
    run = solution("lab2_tiled", "kernel", WIDTH="8", TILE_WIDTH="4")
    names = [array["name"] for array in run.arrays]
    assert names == ["M", "N", "P", "Mds", "Nds"]
    assert [array["extents"] for array in run.arrays] == 3 * [[8, 8]] + 2 * [[4, 4]]
    m, n, p = (run.arrays[i]["before"] for i in range(3))
    held = replayed(run)
    assert p == 64 * [None]
    for row in range(4):
        for column in range(4):
            wanted = sum(m[row * 8 + k] * n[k * 8 + column] for k in range(8))
            assert held[2, row * 8 + column] == wanted
    for step, v in run.values():
        if run.what[step] == LOAD and names[run.array[step]] == "M":
            assert run.index[step] == v["Row"] * 8 + v["ph"] * 4 + v["tx"]
        elif run.what[step] == LOAD and names[run.array[step]] == "N":
            assert run.index[step] == (v["ph"] * 4 + v["ty"]) * 8 + v["Col"]
        elif run.what[step] == LOAD and names[run.array[step]] == "Nds":
            assert run.index[step] == v["k"] * 4 + v["tx"]
    assert run.what.count(BARRIER) == 4 * 16 and max(run.epoch) == 4
    line = next(text for text in run.data["lines"].values() if text["passes"] and text["sectors"])
    assert line["loads"] == line["stores"] == 32 and line["requests"] == 4


@pytest.mark.full
def test_a_block_can_be_chosen() -> None:
    run = solution("lab2_tiled", "kernel", BLOCK="1,0")
    assert run.data["block"] == [1, 0, 0] and len(run.data["blocks"]) == 4
    assert all(values.get("bx", 1) == 1 for _, values in run.values())


@pytest.mark.full
def test_variables_of_each_type_are_shown() -> None:
    status, said, page = explore("lab1_naive", "kernel", OWN, WIDTH="2")
    assert status == 0, said
    run = Run(page)
    m, n = run.arrays[1]["before"], run.arrays[2]["before"]
    few, factors = (1, 2.5), (3, 5)
    atomics, last = [], {}
    for step, v in run.values():
        t = run.thread[step]
        if run.what[step] != RETURNED:
            last[t] = v
        if run.what[step] == ATOMIC:
            atomics.append((t, v["n"], v["product"]))
    for t, v in last.items():
        products = [n[i] * factors[i] * few[i] for i in range(2)]
        wanted = {"Width": 2, "thread": t, "odd": ("false", "true")[t % 2], "none": "nullptr"}
        wanted |= {"letter": f"'{'abcd'[t]}'", "side": ("kLeft", "kRight")[t % 2]}
        wanted |= {"large": str(9007199254740993 + t), "row": f"&M[{t // 2}][0]"}
        wanted |= {"pair": f"{{{t + 1}, {products[1]:g}}}", "extent": f"{{{t + 1}, 2, 1}}"}
        wanted |= {"few": "{1, 2.5, -1}", "sum": f"sums[{t // 2}][{t % 2}]"}
        assert {name: v[name] for name in wanted} == wanted and v["same"] == v["pair"]
        if t % 2 == 1:  # the others return before a step with this variable
            assert v["later"] == 2 * m[t // 2 * 2] + sum(products) + 2 * (101 + t)
        told = [(101 + t, product) for product in products]
        assert [(of, product) for thread, of, product in atomics if thread == t] == told
    assert run.data["functions"] == ["matrixMulKernel", "scaled"]
    inner = [values for step, values in run.values() if run.function[step] == 1]
    assert {v["index"] for v in inner} == {0, 1} and all(v["from"] == "&N[0][0]" for v in inner)
    assert {v["factor"] for v in inner if "factor" in v} == {3, 5}


def racing() -> list[tuple[str, str, str]]:
    """Returns the known mistakes of the kernels that race."""
    found = []
    for patch in sorted((ROOT / "solutions/mistakes").glob("lab[123]*/*/*.patch")):
        if re.match("Finding: race", patch.read_text(encoding="utf-8")):
            found.append((patch.parts[-3], patch.parts[-2], patch.stem))
    return found


def is_side(run: Run, finding: dict, step: int) -> bool:
    here = run.array[step], run.index[step]
    return step >= 0 and here == (finding["array"], finding["index"])


@pytest.mark.full
@pytest.mark.parametrize("lab, part, name", racing())
def test_both_sides_of_a_race_are_found(lab: str, part: str, name: str) -> None:
    kernel = mistake(lab, part, name)
    for variables in (dict[str, str](), {"TEST": " "}):  # a blank is in each name
        status, said, page = explore(lab, part, kernel, **variables)
        assert status == 0, said
        run = Run(page)
        races = [one for one in run.findings if one["kind"] == "race"]
        if races:
            break
    assert races, "no run of these shows the race"
    for race in races:
        step, other = race["step"], race["other"]
        assert is_side(run, race, step) and run.line[step] == race["line"], race
        if race["elsewhere"]:
            continue
        assert is_side(run, race, other) and run.thread[other] != run.thread[step], race
        assert run.epoch[step] == run.epoch[other], race
        assert {run.what[step], run.what[other]} != {LOAD}, race
        told = re.search(r"other side: .*?:(\d+): ", " ".join(race["details"]))
        assert run.line[other] == (int(told[1]) if told else race["line"]), race
    assert page["begin"] == run.findings[0]["step"]


@pytest.mark.full
def test_an_access_outside_an_array_is_the_last_step_of_its_thread() -> None:
    page = explore("lab1_naive", "kernel", mistake("lab1_naive", "kernel", "no_guard"))[2]
    run = Run(page)
    (finding,) = run.findings
    step = finding["step"]
    assert run.what[step] == FAILED and run.thread[step] == finding["thread"]
    assert run.line[step] == finding["line"] and step == run.count - 1
    array = run.arrays[run.array[step]]
    assert array["name"] in "MNP" and not 0 <= run.index[step] < 16
    assert run.data["modelled"] is None


@pytest.mark.full
def test_what_is_cut_is_named() -> None:
    run = solution("lab4_memtypes", "kernel", WIDTH="64", TILE_WIDTH="64")
    assert run.count == 100000 and "more steps than are recorded" in run.data["left"]


@pytest.mark.full
def test_two_runs_are_beside_each_other() -> None:
    beside = mistake("lab2_tiled", "kernel", "second_barrier_missing")
    page = explore("lab2_tiled", "kernel", BESIDE=str(ROOT / beside))[2]
    assert [run["file"] for run in page["runs"]] == ["solutions/lab2_tiled/kernel.cu", beside]


@pytest.mark.full
@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({"BLOCK": "5,5"}, "BLOCK=5,5: the grid has 2 x 2 x 1 blocks."),
        ({"BLOCK": "a"}, "BLOCK=a: write whole numbers with commas between, as in 1,0."),
        ({"WIDTH": "0"}, "WIDTH=0: write numbers from 1 to 512."),
        ({"TEST": "no such"}, "TEST=no such: no test of this part has that in its name."),
    ],
)
def test_what_cannot_be_shown_is_refused(variables: dict[str, str], sentence: str) -> None:
    assert explore("lab2_tiled", "kernel", **variables)[:2] == (2, f"{sentence}\n")


@pytest.mark.full
def test_a_skeleton_has_nothing_to_show_yet() -> None:
    status, said, _ = explore("lab2_tiled", "kernel", "lab2_tiled/kernel.cu")
    sentence = "lab2_tiled/kernel.cu: the kernel neither loads nor stores yet.\n"
    assert (status, said) == (2, sentence)


def test_a_file_that_launches_no_kernel_has_no_run_to_watch() -> None:
    said = explore("lab4_memtypes", "limits")[:2]
    none = "it launches no kernel, so there is no run to watch."
    assert said == (2, f"solutions/lab4_memtypes/limits.cu: {none}\n")


def test_without_pyelftools_one_sentence_and_status_2(tmp_path: pathlib.Path) -> None:
    (tmp_path / "elftools.py").write_text("raise ImportError\n", encoding="utf-8")
    words = (sys.executable, "common/explorer/explore.py", "lab2_tiled", "kernel", "", "1")
    status, said = call(*words, PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
    assert (status, said.count("\n")) == (2, 1) and "python3-pyelftools" in said, said


@pytest.mark.full
def test_make_explore_names_the_page(tmp_path: pathlib.Path, monkeypatch) -> None:
    out = tmp_path / "a page.html"
    monkeypatch.setenv("OUT", str(tmp_path))  # of another program
    words = "-C", "lab2_tiled", "explore", "SOLUTION=1", "TILE_WIDTH=4"
    ended(make(*words, f"OUT={out}"), 0, str(out))
    assert out.stat().st_size > 1000
    said = ended(make("-C", "lab2_tiled", "explore", "SOLUTION=1"), 0)
    assert "lab2_tiled-kernel.html\nOpen this file in a browser: it replays the run" in said, said


@pytest.mark.full
@pytest.mark.parametrize("words", [(), ("PROFILE=turing",)], ids=["H200", "T4"])
def test_the_modelled_time_of_a_launch_is_the_one_of_make_run(
    words: tuple[str, ...], tmp_path: pathlib.Path
) -> None:
    asked = "-C", "lab2_tiled", "SOLUTION=1", *words
    out = tmp_path / "page.html"
    ended(make(*asked, "explore", "WIDTH=32", "TILE_WIDTH=16", f"OUT={out}"), 0)
    said = ended(make(*asked, "run", f"ARGS=--sets {ROOT / 'build/figures/sets/32x32x32'}"), 0)
    modelled = data_of(out)["runs"][0]["modelled"]
    assert modelled["card"] == ("a T4" if words else "an H200")
    microseconds = f"{modelled['nanoseconds'] / 1000:.1f} us"
    told = f"modelled on {modelled['card']}: {microseconds}, limited by {modelled['limitedBy']}\n"
    assert told in said


@pytest.mark.full
def test_the_page_of_a_lab_whose_times_were_not_checked_says_that_one_is_missing(
    tmp_path: pathlib.Path,
) -> None:
    out = tmp_path / "page.html"
    ended(make("-C", "lab4_memtypes", "SOLUTION=1", "explore", f"OUT={out}"), 0)
    assert "checked for labs 1 to 3 only" in data_of(out)["runs"][0]["modelled"]["missing"]


@pytest.mark.full
def test_two_pages_of_a_file_can_be_made_at_once() -> None:
    file = ROOT / "build/check/at_once/kernel.cu"
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "solutions/lab1_naive/kernel.cu", file)  # newer than its build
    with concurrent.futures.ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda _: explore("lab1_naive", "kernel", str(file)), range(2)))
    assert [status for status, _, _ in made] == [0, 0], [said for _, said, _ in made]


@pytest.mark.full
@pytest.mark.parametrize("width, blocks, columns", [(16, 4, 20), (4, 4, 8), (2, 4, 4)])
def test_a_run_has_several_blocks_whatever_the_size_of_a_block(
    tmp_path: pathlib.Path, width: int, blocks: int, columns: int
) -> None:
    text = (ROOT / "solutions/lab1_naive/kernel.cu").read_text(encoding="utf-8")
    file = tmp_path / "kernel.cu"
    file.write_text(text.replace("BLOCK_WIDTH 16", f"BLOCK_WIDTH {width}"), encoding="utf-8")
    run = Run(explore("lab1_naive", "kernel", str(file))[2])
    assert len(run.data["blocks"]) == blocks and run.data["blockSize"] == [width, width, 1]
    assert run.arrays[0]["extents"] == [columns, columns]


@pytest.mark.full
def test_a_test_is_replayed_by_its_name() -> None:
    run = solution("lab2_tiled", "kernel", TEST="TODO(6)")
    assert run.data["test"].startswith("TODO(6)") and run.count > 0
