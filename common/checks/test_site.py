"""Builds the website, and looks at each page in a browser, in both themes and as wide as a phone."""

import csv
import html.parser
import pathlib
import re
import shutil
import sys
import urllib.parse
from collections.abc import Iterator

import card_results
import pytest
from calls import call, ended, make
from explored import data_of
from explorer_browser import CONTRASTS, wait
from explorer_browser import browser  # noqa: F401
from run_report import ROOT

pytest.importorskip("elftools", reason="no python3-pyelftools")
if not shutil.which("mkdocs"):
    pytest.skip("no mkdocs", allow_module_level=True)
sys.path += [str(ROOT / f"common/{room}") for room in ("explorer", "plots", "site")]
import build  # noqa: E402
import documents  # noqa: E402
import races  # noqa: E402
from release import contents, exercises, leftovers  # noqa: E402

pytestmark = [pytest.mark.seconds(90), pytest.mark.full]
ALONE = "replays/*.html", "tours/*.html"  # pages of the explorer, which other files check
FEWEST, HEAVIEST = 30, 1_000_000  # pages, and bytes of one with its style and pictures


class Page(html.parser.HTMLParser):
    """The links, the ids and the elements of a page."""

    def __init__(self, file: pathlib.Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.shown: list[str] = []  # files that are loaded with the page
        self.ids: set[str] = set()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        self.ids.add(given.get("id") or "")
        for name in ("href", "src"):
            to = given.get(name) or ""
            if to and not to.startswith("data:"):
                self.links.append(to)
                self.shown += [to] if tag in ("img", "link") else []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    out = tmp_path_factory.mktemp("site") / "made"
    ended(make("site", f"OUT={out}"), 0, "index.html")
    return out


def pages(site: pathlib.Path) -> dict[str, Page]:
    alone = {file for pattern in ALONE for file in site.glob(pattern)}
    files = [file for file in site.rglob("*.html") if file not in alone]
    assert len(alone) > 15 and len(files) >= FEWEST
    return {file.relative_to(site).as_posix(): Page(file) for file in files}


def test_each_link_leads_to_a_file_and_a_heading_that_are_there(site: pathlib.Path) -> None:
    read, wrong = pages(site), []
    for name, page in read.items():
        for link in page.links:
            to = urllib.parse.urlsplit(link)
            if to.scheme:
                wrong += [] if to.scheme == "https" else [(name, link)]
                continue
            file = (site / name).parent / to.path if to.path else site / name
            there = file.resolve().relative_to(site.resolve()).as_posix()
            ids = read[there].ids if there in read else {""}
            if not file.is_file() or to.fragment not in {"", *ids}:
                wrong.append((name, link))
    assert wrong == []
    labs = (site / "labs.html").read_text(encoding="utf-8")
    assert labs.count('<td><a href="lab') == len(contents.labs())


def test_each_page_is_light_and_needs_no_script_and_no_other_machine(site: pathlib.Path) -> None:
    style = (site / "style.css").read_text(encoding="utf-8")
    assert "url(" not in style and "@import" not in style
    for name, page in pages(site).items():
        shown = {(site / name).parent / link for link in page.shown}
        assert sum(file.stat().st_size for file in (site / name, *shown)) < HEAVIEST, name
        assert not {"script", "noscript"} & {tag for tag, _ in page.tags}, name
        assert [link for link in page.shown if "//" in link] == [], name


def test_headings_go_down_step_by_step_and_pictures_have_words(site: pathlib.Path) -> None:
    for name, page in pages(site).items():
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1 and levels.count(1) == 1, name
        assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), (name, levels)
        for tag, given in page.tags:
            assert tag != "img" or len(given.get("alt") or "") > 20, (name, given)
            assert tag != "iframe" or given.get("title"), name


def test_no_mark_and_no_path_of_the_machine_is_left(site: pathlib.Path) -> None:
    for name in pages(site):
        text = (site / name).read_text(encoding="utf-8")
        assert re.findall(r"<!-- with|@[A-Z]+@|\]\(|" + re.escape(str(ROOT)), text) == [], name


def test_lists_keep_their_numbers_and_the_lists_in_them(site: pathlib.Path) -> None:
    """Lab 1's steps continue after a heading, and those of the hazards after a paragraph."""
    assert '<ol start="5">' in (site / "lab1_naive/index.html").read_text(encoding="utf-8")
    text = (site / "lab2_tiled/hazards/index.html").read_text(encoding="utf-8")
    (steps,) = re.findall("<ol>.*?</ol>", text, re.DOTALL)
    assert steps.count("<li>") == 6
    ladder = (site / "solutions/lab4_memtypes/ladder/index.html").read_text(encoding="utf-8")
    assert len(re.findall(r"<li>[^<]*(?:<strong>[^<]*</strong>[^<]*)?<ul>", ladder)) == 1


def test_a_question_comes_first_and_its_folded_answer_is_what_the_simulator_reports(
    site: pathlib.Path,
) -> None:
    names = sorted(file.stem for file in (ROOT / "common/site/races").glob("*.cu"))
    assert sorted(races.ORDER) == names and len(names) >= 6
    for name in names:
        status, said = call(ROOT / "build/races" / name, folder=ROOT / "common/site/races")
        text = (site / f"races/{name}.html").read_text(encoding="utf-8")
        before, _, answer = text.partition("<details>")
        report = [line.strip() for line in said.splitlines() if re.match(r"    |\w+\.cu:", line)]
        shown = [line.strip() for line in html.unescape(answer).splitlines()]
        assert status == 0 and len(report) > 5
        assert [line for line in report if line not in " ".join(shown)] == []
        assert "Is there a race?" in before and "<iframe" in before and "Remedy" not in before
        asks, answers = (data_of(site / f"replays/{name}{end}.html") for end in ("", "-answer"))
        (asked,), (answered,) = asks["runs"], answers["runs"]
        assert asked["hidden"] and not asked["findings"] and len(answered["findings"]) == 1
        (finding,) = answered["findings"]
        assert report[0].startswith(f"{name}.cu:{finding['line']}: {finding['title']}"[:60])
        assert answered["variables"] and answered["file"] == finding["file"] == f"{name}.cu"


def test_what_a_card_passes_is_counted_from_its_results(site: pathlib.Path) -> None:
    with open(ROOT / "solutions/mistakes/results/h200.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    passed = [row for row in rows if row["card"] == "pass"]
    assert all(row["simulated device"] for row in rows)  # as the page says
    text = (site / "card.html").read_text(encoding="utf-8")
    of_all = "<td>all</td>\n<td>{}</td>\n<td>{}</td>".format(len(rows), len(passed))
    assert of_all in text and "H200" in text
    lines = text.count("<tr>") - text.count("<thead>")
    assert lines == len(passed) + len(card_results.KINDS) + 1


@pytest.fixture
def screen(browser) -> Iterator:  # noqa: F811
    """Returns a function that sets the window's width and the theme, for one check."""

    def screen(width: int, theme: str) -> None:
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": theme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})

    yield screen
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("width", (1280, 380))
@pytest.mark.parametrize("theme", ("light", "dark"))
def test_each_page_can_be_read_and_fits(browser, screen, site, theme: str, width: int) -> None:
    """All text has enough contrast, no page is wider than the window, and there is no error."""
    screen(width, theme)
    look = "const all = document.documentElement; return [all.scrollWidth - all.clientWidth, "
    look += "getComputedStyle(document.body).backgroundColor]"
    unfold = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
    fetched = "return performance.getEntriesByType('resource').map((one) => one.name)"
    backs = set()
    for file in sorted(site.rglob("*.html")):
        browser.get(file.as_uri())
        browser.execute_script(unfold)
        too_wide, back = browser.execute_script(look)
        assert too_wide == 0, file
        backs.add(back)
        found = browser.execute_script(CONTRASTS)
        assert len(found) > 10 and [one for one in found if one[0] < 4.5] == [], file
        loaded = browser.execute_script(fetched)
        assert [one for one in loaded if not one.startswith(site.as_uri())] == [], file
    assert backs == {"rgb(244, 246, 248)" if theme == "light" else "rgb(14, 17, 22)"}
    assert browser.get_log("browser") == []


def test_keys_lead_to_the_text_and_unfold_an_answer(browser, site: pathlib.Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.get((site / "races/scan.html").as_uri())
    here = "return document.activeElement.{}"
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.execute_script(here.format("textContent")) == "Skip to the text"
    box = browser.execute_script(here.format("getBoundingClientRect()"))
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert box["top"] >= 0 and browser.execute_script(outline) == "solid"
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert browser.execute_script(here.format("id")) == "content"
    browser.execute_script("document.querySelector('summary').focus()")
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    assert browser.execute_script("return document.querySelector('details').open")


@pytest.mark.parametrize("width", (1280, 380))
def test_the_replay_of_the_start_page_is_in_sight_and_plays(browser, screen, site, width) -> None:
    screen(width, "light")
    browser.get((site / "index.html").as_uri())
    frame = browser.find_element("css selector", "iframe")
    assert frame.rect["y"] + 150 < 800  # its buttons are on the first screen
    browser.execute_script("arguments[0].scrollIntoView()", frame)
    browser.switch_to.frame(frame)
    wait(browser, "document.querySelector('.play') !== null")
    browser.find_element("css selector", ".play").click()
    wait(browser, "/^Step [1-9]/.test(document.querySelector('.where-now').textContent)")
    assert "finding" not in browser.find_element("css selector", ".buttons").text
    assert browser.find_element("css selector", ".findings-panel .none").text.startswith("Hidden")
    browser.switch_to.default_content()
    assert browser.get_log("browser") == []


def test_without_tours_no_page_has_a_part_of_a_solution(
    site: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    ended(make("site", f"OUT={tmp_path / 'a'}", "TOURS=no"), 0)
    names = filter(exercises.is_one, contents.released(contents.labs()))
    secrets = leftovers.Secrets(list(names))

    def solved(file: pathlib.Path) -> list[str]:
        """Returns the parts of a solution on a page: in its text, or in the code of its replay."""
        text = html.unescape(re.sub("<[^>]*>", " ", file.read_text(encoding="utf-8")))
        code = data_of(file)["runs"][0]["code"] if file.parent.name in ("replays", "tours") else []
        found = [leftovers.of_text("a.cu", one, secrets) for one in (text, "\n".join(code))]
        return [sentence for sentences in found for sentence in sentences]

    pages = list((tmp_path / "a").rglob("*.html"))
    assert len(pages) > FEWEST and [sentence for file in pages for sentence in solved(file)] == []
    assert [file for file in (site / "tours").iterdir() if not solved(file)] == []
    assert list((tmp_path / "a").glob("tours*")) == []


def test_a_folder_with_other_files_is_refused_and_an_older_site_is_replaced(
    tmp_path: pathlib.Path,
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("mine", encoding="utf-8")
    ended(make("site", f"OUT={tmp_path}"), 2, "is not empty")
    assert list(tmp_path.iterdir()) == [own]
    made, out = tmp_path / "made", tmp_path / "out"
    for old in ("a/old.html", "index.html"):
        (made / old).parent.mkdir(parents=True, exist_ok=True)
        (made / old).write_text(old, encoding="utf-8")
    build.replace(made, out)
    (out / "own.txt").write_text("mine", encoding="utf-8")
    with open(out / build.LISTED, "a", encoding="utf-8") as listed:
        listed.write(f"../own.txt\n{own}\n")  # are no files of the site
    (made / "a/old.html").unlink()
    build.replace(made, out)
    files = {path.name for path in out.rglob("*") if path.is_file()}
    assert files == {"index.html", "own.txt", build.LISTED} and own.exists()


def test_wrong_words_and_a_missing_program_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    ended(make("site", "OUT=../x", "TOURS=some"), 2, "TOURS=some: write no")
    ended(make("site", "OUT=../x", "TOUR=no"), 2, "TOUR: did you mean TOURS?")
    ended(make("site"), 2, "OUT is missing")
    monkeypatch.setenv("OUT", "../x")
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(build.Refused, match="sudo apt-get install mkdocs"):
        build.main()


def test_a_link_out_of_the_site_leads_to_the_repository_or_to_nothing() -> None:
    text = "[a](../b/c.md#d), [e](https://f.g), [h](#i), [j](k.md)"

    def linked(address: str) -> str:
        chosen = {"x/k.md"}
        return documents.LINK.sub(
            lambda link: documents.resolved(link, "x/y.md", chosen, address), text
        )

    kept = ", [e](https://f.g), [h](#i), [j](k.md)"
    assert linked("") == f"a{kept}"
    assert (
        linked("https://github.com/o/n") == f"[a](https://github.com/o/n/blob/HEAD/b/c.md#d){kept}"
    )
    for origin in ("git@github.com:o/n.git", "https://github.com/o/n", "ssh://git@github.com/o/n/"):
        assert documents.REMOTE.findall(origin) == ["o/n"]
    assert not documents.REMOTE.search("/srv/git/course.git")
