"""Builds the website: OUT is its folder; TOURS=no leaves out the tours, which show solved kernels.

usage: OUT=folder [TOURS=no] build.py
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMMON, ROOT = HERE.parent, HERE.parents[1]
for room in ("checks/kit", "grading", "explorer", "plots", "."):
    sys.path.insert(0, str(COMMON / room))
from course import lab_make  # noqa: E402
from explorer import explore  # noqa: E402

if __name__ == "__main__":
    explore.choose_interpreter()

import documents  # noqa: E402
import goals  # noqa: E402
import mistakes  # noqa: E402
import card_results  # noqa: E402
import races  # noqa: E402
from release import contents  # noqa: E402
from release.contents import Refused  # noqa: E402

NAME = "Matrix multiplication in CUDA"
LISTED = "files-of-the-site.txt"  # in OUT
MISSING = "make site needs MkDocs: sudo apt-get install mkdocs"
OTHERS = ["common/COMMANDS.md", "common/simulator/programs/README.md"]
NEXT = "lab4_memtypes/next/README.md"
LADDER = "solutions/lab4_memtypes/ladder/README.md"
SHOWN = "common/plots/shown/phases_first_barrier_missing.png"
PROMISES = "common/verdict/README.md"
HEAD = "Finding", "Says", "Costs"  # lines of a known mistake that are no part of its sentence


def make(*words: str) -> list[str]:
    """Calls make in the root, without the outer make's variables; returns the lines that it
    prints."""
    kept = {k: v for k, v in lab_make.environment().items() if k not in ("OUT", "TOURS")}
    command = ["make", "--no-print-directory", *words]
    done = subprocess.run(command, cwd=ROOT, env=kept, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Refused(f"make {' '.join(words)} has failed, so no site was written.")
    return done.stdout.splitlines()


def handouts() -> list[str]:
    """Returns the handouts: each lab's, then those of its parts in the order of work."""
    found = []
    for lab in contents.labs():
        folders = [lab, *(f"{lab}/{part.name}" for part in contents.facts.load(lab).parts)]
        found += [f"{folder}/README.md" for folder in folders]
    return [name for name in found if (ROOT / name).exists()]


def labs_page() -> str:
    """Returns the section of the README about the labs, as a page."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return "# The labs\n" + readme.partition("\n## The labs\n")[2].partition("\n## ")[0]


def known(lab: str, part: str, name: str) -> str:
    """Returns the sentence of a known mistake."""
    (mistake,) = mistakes.found(lab, part, name)
    return " ".join(line for line in mistake.head if line.partition(": ")[0] not in HEAD)


def tours_page(tours: list[pathlib.Path]) -> str:
    lines = []
    for tour in tours:
        lab, _, mistake = tour.stem.partition("-")
        title = (ROOT / lab / "README.md").read_text(encoding="utf-8").partition("\n")[0][2:]
        words = f": {known(lab, 'kernel', mistake)}" if mistake else ""
        name = f"{title.partition(':')[0]}, {mistake.replace('_', ' ')}" if mistake else title
        lines.append(f"- [{name}](tours/{tour.name}){words}")
    return documents.filled("tours.md", list="\n".join(lines))


def figures_page(pictures: dict[str, tuple[str, str]]) -> str:
    """Returns a page of all pictures; `pictures` has for each its description, and the document
    that contains it."""
    lines = []
    for path, (words, name) in pictures.items():
        lines.append(f"[![{words}]({path})]({documents.PLACES.get(name, name)})\n\n{words}\n")
    return documents.filled("figures.md", list="\n".join(lines))


def card_page() -> str:
    """Returns the results of the known mistakes on a card."""
    rows: dict[str, list[str]] = {kind: [] for kind in card_results.ordered_kinds()}
    for kind, where, name, simulated, said in card_results.results():
        if said == "pass":
            lab, part = where.split("/")
            words = known(lab, part, name)
            rows[kind].append(f"| lab {lab[3]}, {part} | {words} | {simulated} |")
    lines = []
    for kind, found in rows.items():
        if found:
            lines += [f"\n## {kind.capitalize()}\n", "| part | mistake | the simulator reports |"]
            lines += ["|---|---|---|", *found]
    table, card = "\n".join(card_results.table()), card_results.RESULTS.stem.upper()
    return documents.filled("card.md", card=card, table=table, list="\n".join(lines))


def write_pages(docs: pathlib.Path, tours: list[pathlib.Path], address: str) -> list:
    """Writes all pages; returns their order."""
    taken = [*handouts(), *OTHERS, NEXT, LADDER, PROMISES, "README.md"]
    pictures: dict[str, tuple[str, str]] = {}
    for name in taken:
        for path, words in documents.take(name, docs, set(taken), address):
            pictures.setdefault(path, (words, name))
    questions = races.write(docs, ROOT / "build/races")
    to_tours = "[Guided tours](tours.md){: .button }" if tours else ""
    replay = races.frame(questions[0].name, questions[0].title, "")
    shown = {"picture": SHOWN, "alt": pictures[SHOWN][0]}
    pages = {"index": documents.filled("index.md", replay=replay, tours=to_tours, **shown)}
    pages |= {"labs": labs_page(), "figures": figures_page(pictures), "card": card_page()}
    if tours:
        pages["tours"] = tours_page(tours)
        (docs / "tours").mkdir()
    for tour in tours:
        shutil.copyfile(tour, docs / "tours" / tour.name)
    for name, text in pages.items():
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    return [
        {"Start": "index.md"},
        {
            "Spot the race": [
                {"All questions": "races/index.md"},
                *(f"races/{race.name}.md" for race in questions),
            ]
        },
        {"Labs": [{"All labs": "labs.md"}, *handouts(), *OTHERS]},
        *([{"Tours": "tours.md"}] if tours else []),
        {"Figures": "figures.md"},
        {"On a card": ["card.md", LADDER, NEXT]},
        {"Promises": PROMISES},
        {"The course": "course.md"},
    ]


def build(folder: pathlib.Path, tours: list[pathlib.Path]) -> pathlib.Path:
    """Builds the site within a folder; returns its path."""
    docs, made = folder / "docs", folder / "made"
    docs.mkdir()
    address = documents.repository()
    settings = {
        "site_name": NAME,
        "docs_dir": str(docs),
        "site_dir": str(made),
        "theme": {"name": None, "custom_dir": str(HERE / "theme")},
        "use_directory_urls": False,  # so that links work without a server
        "plugins": [],
        "markdown_extensions": ["sane_lists", "md_in_html", "attr_list"],
        "nav": write_pages(docs, tours, address),
    }
    if address:
        settings |= {"repo_url": address}
    (folder / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")  # JSON is YAML
    words = ["mkdocs", "build", "--quiet", "--strict", "--config-file", str(folder / "mkdocs.yml")]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"MkDocs has failed, so no site was written:\n{done.stdout}{done.stderr}")
    for file in made.glob("sitemap.*"):
        file.unlink()  # names no address
    return made


def replace(made: pathlib.Path, out: pathlib.Path) -> int:
    """Puts a site into OUT instead of an earlier one, whose other files stay; returns the
    number of its files."""
    names = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
    if (out / LISTED).is_file():
        for name in (out / LISTED).read_text(encoding="utf-8").splitlines():
            if (out / name).resolve().is_relative_to(out.resolve()):
                (out / name).unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    (out / LISTED).write_text("\n".join(names) + "\n", encoding="utf-8")  # even if it ends here
    shutil.copytree(made, out, dirs_exist_ok=True)
    return len(names)


def main() -> None:
    out, asked = goals.new_target("site", "folder [TOURS=no]", LISTED), os.environ.get("TOURS", "")
    if asked not in ("", "no"):
        raise Refused(f"TOURS={asked}: write no to leave out the tours, which show solved kernels.")
    if not shutil.which("mkdocs"):
        raise Refused(MISSING)
    print("Records the replays; this takes half a minute.", flush=True)
    make(*(f"build/races/{name}" for name in races.ORDER))
    pages = [] if asked else [ROOT / line for line in make("tours") if line.endswith(".html")]
    tours = sorted(pages, key=lambda tour: tour.stem.split("-"))  # a lab's own comes first
    with tempfile.TemporaryDirectory(prefix="site-") as folder:
        number = replace(build(pathlib.Path(folder), tours), out)
    print(f"{out}: {number} files; open {out}/index.html in a browser.")


if __name__ == "__main__":
    goals.run(main, "no site was written")
