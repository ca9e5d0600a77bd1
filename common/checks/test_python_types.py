"""Checks the types of all Python by mypy; mypy.ini says how."""

import shutil

import pytest
from calls import call
from release import contents

pytestmark = [pytest.mark.seconds(20), pytest.mark.full]
# Where a function may lack types; and folders with a module whose name another folder has, too.
LENIENT = ("checks/test_", "grading/", "plots/", "site/", "simulator/bench/", "verdict/gate/")


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
def test_the_types_are_right(lenient: bool) -> None:
    named = [name for name in contents.tracked() if name.endswith(".py")]
    named = [name for name in named if "/next/tile_" not in name]  # their kernels are no Python
    files = [name for name in named if name.removeprefix("common/").startswith(LENIENT) == lenient]
    words = ["--config-file", "common/checks/mypy.ini", f"--cache-dir=build/check/mypy-{lenient}"]
    status, said = call("mypy", *words, *[] if lenient else ["--disallow-untyped-defs"], *files)
    assert status == 0, said
