"""Breaks lines for a terminal."""

import os

# For an editor, whose patterns match whole lines; see testing/editor_lines.py.
EDITOR = bool(os.environ.get("LAB_EDITOR"))


def columns_of(stream: int) -> int:
    """Returns the maximal width of a stream's lines; 0: they are not broken."""
    return 80 if os.isatty(stream) and not EDITOR else 0


def fold(words: str, columns: int = 80, margin: str = "  ") -> str:
    """Returns a line broken at blanks; all lines but the first begin with the margin. With 0
    columns (stdout is no terminal) it is not broken."""
    result, least = "", len(margin) + 2
    while columns and len(words) > columns:
        end = words.rfind(" ", least + 1, columns + 1)
        if end < 0:
            break
        result += words[:end] + "\n"
        words = margin + words[end + 1 :]
    return result + words + "\n"
