"""Breaks lines for a terminal."""

import os

# For an editor, whose patterns take whole lines; see testing/editor_lines.py.
EDITOR = bool(os.environ.get("LAB_EDITOR"))


def columns_of(stream: int) -> int:
    """Returns how wide the lines may be that go to a stream; 0: they stay whole."""
    return 80 if os.isatty(stream) and not EDITOR else 0


def fold(words: str, columns: int = 80, margin: str = "  ") -> str:
    """Returns a line broken at blanks; what follows the first one begins with the margin. With 0
    columns, as where stdout is no terminal, it stays whole."""
    result, least = "", len(margin) + 2
    while columns and len(words) > columns:
        end = words.rfind(" ", least + 1, columns + 1)
        if end < 0:
            break
        result += words[:end] + "\n"
        words = margin + words[end + 1 :]
    return result + words + "\n"
