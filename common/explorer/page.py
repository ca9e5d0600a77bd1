"""Puts the explorer's page together: one HTML file with the data in it."""

import json
import pathlib
from typing import Any


def write(path: pathlib.Path, data: dict[str, Any]) -> None:
    """Writes the page that shows this data."""
    told = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    told = told.replace("<", "\\u003c")
    text = f'<!DOCTYPE html><script type="application/json" id="data">{told}</script>\n'
    path.write_text(text, encoding="utf-8")
