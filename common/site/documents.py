"""Copies documents of the repository into the website."""

import os
import pathlib
import re
import shutil
import subprocess

from release import documents
from release.contents import ROOT

PAGES = pathlib.Path(__file__).resolve().with_name("pages")
PLACES = {"README.md": "course.md"}  # on the site; all others keep their path
LINK = re.compile(r"(!?)\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\(([^()\s#]*)(#[^()\s]*)?\)")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
REMOTE = re.compile(r"github\.com[:/]+([\w.-]+/[\w.-]+?)(?:\.git)?/?$")


def filled(page: str, /, **marks: str) -> str:
    """Returns a page of the site's own, with these texts instead of its marks, as in @LIST@."""
    text = (PAGES / page).read_text(encoding="utf-8")
    for mark, words in marks.items():
        text = text.replace(f"@{mark.upper()}@", words)
    return text


def repository() -> str:
    """Returns the address of the repository on GitHub; '' if the clone comes from elsewhere."""
    if not shutil.which("git"):
        return ""
    asked = ["git", "-C", str(ROOT), "remote", "get-url", "origin"]
    origin = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    found = REMOTE.search(origin)
    return f"https://github.com/{found[1]}" if found else ""


def resolved(link: re.Match[str], name: str, chosen: set[str], address: str) -> str:
    """Returns a link of a document: to another page, to the repository, or only its words."""
    image, words, target, anchor = link[1], link[2], link[3], link[4] or ""
    if not target or "://" in target:
        return link[0]
    to = os.path.normpath(os.path.join(os.path.dirname(name), target))
    if image or to in chosen:
        here = os.path.dirname(PLACES.get(name, name))
        return f"{image}[{words}]({os.path.relpath(PLACES.get(to, to), here or '.')}{anchor})"
    return f"[{words}]({address}/blob/HEAD/{to}{anchor})" if address else words


def plain(text: str) -> str:
    """Returns Markdown in which no wrapped line looks like a list item, and in which lists and
    paragraphs within an item are indented by four."""
    text = re.sub(r"(?m)^ {2,3}(?=- )", "    ", text)
    text = re.sub(r"(?<=\S)\n {2,3}(?=\d+\. )", " ", text)
    return re.sub(r"(?<=\n\n) {3}(?=\S)", "    ", text)


def take(name: str, docs: pathlib.Path, chosen: set[str], address: str) -> list[tuple[str, str]]:
    """Writes the page of a document, with its pictures; returns the pictures and their
    descriptions."""
    text = documents.fitted((ROOT / name).read_text(encoding="utf-8"), lambda path: False)
    pieces = FENCED.split(text)
    for n in range(0, len(pieces), 2):  # the others are code
        pieces[n] = LINK.sub(lambda link: resolved(link, name, chosen, address), plain(pieces[n]))
    page = docs / PLACES.get(name, name)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("".join(pieces), encoding="utf-8")
    pictures = []
    for image, words, target, _ in LINK.findall(text):
        if image:
            path = os.path.normpath(os.path.join(os.path.dirname(name), target))
            (docs / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, docs / path)
            pictures.append((path, " ".join(words.split())))
    return pictures
