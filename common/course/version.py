"""Returns the version of this copy of the course.

common/VERSION holds the version; in a release also the commit. solutions/CHANGES.md says what may
change with which part of the version.
"""

import pathlib
from course import skeleton

FILE = "common/VERSION"


def of(root: str) -> str:
    """Returns for example "1.0.0 (8a8626d3)"; without a commit if neither file nor git has one."""
    text = (pathlib.Path(root) / FILE).read_text(encoding="utf-8").strip()
    commit = "" if "(" in text else skeleton.git(root, "rev-parse", "--short=8", "HEAD").decode()
    return f"{text} ({commit.strip()})" if commit else text
