"""Checks the tours: each leads through the run for which it was written, and a wrong one gets a
message. Needs the build of `make test`."""

import pathlib
import re
import tomllib

import explorer_runs
import pytest
from calls import call
from explored import data_of
from run_report import ROOT

pytest.importorskip("elftools", reason="no python3-pyelftools")
import tour

pytestmark = pytest.mark.full

TOURS = sorted([*ROOT.glob("lab*/tour.toml"), *ROOT.glob("solutions/tours/*/*.toml")])


def explore(tmp_path: pathlib.Path, *words: str) -> dict:
    """Returns the data of the page that a command in lab 2 writes."""
    out = tmp_path / "page.html"
    status, said = call("make", "-C", "lab2_tiled", "explore", f"OUT={out}", *words, folder=ROOT)
    assert status == 0, said
    return data_of(out)


def one_stop(folder: pathlib.Path, stop: str) -> pathlib.Path:
    file = folder / "tour.toml"
    file.write_text(f'[[step]]\n{stop}\ntext = "a"\n', encoding="utf-8")
    return file


@pytest.mark.seconds(15)
def test_make_tours_writes_a_page_for_each_tour_that_begins_with_its_first_step() -> None:
    status, said = call("make", "tours", folder=ROOT)
    pages = re.findall(r"(?m)^build/tours/\S+\.html$", said)
    assert status == 0 and len(pages) == len(TOURS) > 4, said
    for name in pages:
        data = data_of(ROOT / name)
        count = len(data["runs"][0]["steps"]["line"])
        assert data["tour"][0]["step"] == data["begin"] and len(data["tour"]) == 12
        assert all(0 <= stop["step"] < count for stop in data["tour"])


@pytest.mark.parametrize("file", TOURS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_tour_is_a_dozen_sentences_that_fit_the_page(file: pathlib.Path) -> None:
    stops = tomllib.loads(file.read_text(encoding="utf-8"))["step"]
    assert [stop["text"] for stop in stops if not 10 < len(stop["text"]) < 140] == []
    assert all(stop["text"].endswith((".", "...")) for stop in stops)


@pytest.mark.seconds(10)
def test_a_run_of_the_finished_kernel_has_the_labs_tour_and_any_other_run_has_none(
    tmp_path: pathlib.Path,
) -> None:
    assert len(explore(tmp_path, "SOLUTION=1")["tour"]) == 12
    assert explore(tmp_path, "SOLUTION=1", "WIDTH=6")["tour"] == []
    assert explore(tmp_path, "MISTAKE=second_barrier_missing")["tour"] == []


KINDS = "load", "store", "atomic", "barrier", "return"
FOUND = {  # thread and element, flat, of the step
    "does = 'load M[0][1]'\nthread = [1, 0]": (1, 1),
    "does = 'store Nds[1][0]'\nthread = [0, 1]": (2, 2),
    "does = 'load Mds'\nthread = [1]\nnth = 2": (1, 1),
    "does = 'barrier'\nthread = [1, 1]\nnth = 4": (3, 0),
    "does = 'return'\nthread = [0]": (0, 0),
}
NOWHERE = {
    "does = 'load Q'\nthread = [0, 0]": "step 1: the run has no such 'load Q'",
    "does = 'load P[0][0]'\nthread = [0, 0]": "no such",
    "does = 'store M'\nthread = [0, 0]": "no such",
    "does = 'barrier'\nthread = [1, 1]\nnth = 5": "no such",
    "does = 'store Mds[3]'\nthread = [1, 1]": "no such",
    "does = 'dance'\nthread = [0, 0]": "no such",
    "does = 'race'": "no such",
}


@pytest.mark.parametrize("stop", FOUND)
def test_a_step_is_found_by_what_its_thread_does(tmp_path: pathlib.Path, stop: str) -> None:
    steps = (run := explorer_runs.run())["steps"]
    (told,) = tour.stops(one_stop(tmp_path, stop), run)
    step, kind = told["step"], re.findall(r"'(\w+)", stop)[0]
    assert KINDS[steps["what"][step]] == kind and told["thread"] == steps["thread"][step]
    assert (steps["thread"][step], steps["index"][step]) == FOUND[stop]


@pytest.mark.parametrize("stop", NOWHERE)
def test_a_tour_to_a_step_that_the_run_has_not_is_refused_by_name(
    tmp_path: pathlib.Path, stop: str
) -> None:
    with pytest.raises(tour.NoSuchStep, match=re.escape(NOWHERE[stop])):
        tour.stops(one_stop(tmp_path, stop), explorer_runs.run())


def test_a_tour_that_cannot_be_read_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(tour.NoSuchStep, match="nowhere.toml"):
        tour.stops(tmp_path / "nowhere.toml", explorer_runs.run())
