"""Composes the explorer's page: one HTML file that contains its style, its code and the data."""

import base64
import gzip
import json
import pathlib
from typing import Any

HERE = pathlib.Path(__file__).with_name("page")
# The files of the page's code; each uses those above it.
MODULES = (
    "names.js run.js state.js sentence.js seen.js element.js code.js dots.js threads.js"
    " variables.js grid.js memory.js request.js path.js findings.js timeline.js beside.js view.js tour.js"
    " keyboard.js main.js"
).split()


def packed(data: dict[str, Any]) -> str:
    """Returns the data as compressed JSON in letters: a tenth of the size."""
    told = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(told.encode(), 6, mtime=0)).decode()


def unpacked(text: str) -> dict[str, Any]:
    """Returns the data that was passed to packed()."""
    return json.loads(gzip.decompress(base64.b64decode(text)))


def join(data: dict[str, Any]) -> str:
    """Returns the page that shows this data."""
    code = "\n".join((HERE / name).read_text(encoding="utf-8") for name in MODULES)
    parts = {
        "@STYLE@": (HERE / "style.css").read_text(encoding="utf-8"),
        "@CODE@": code,
        "@DATA@": packed(data),
    }
    page = (HERE / "index.html").read_text(encoding="utf-8")
    for mark, text in parts.items():
        before, after = page.split(mark)
        page = before + text + after
    return page


def write(path: pathlib.Path, data: dict[str, Any]) -> None:
    """Writes the page that shows this data."""
    path.write_text(join(data), encoding="utf-8")
