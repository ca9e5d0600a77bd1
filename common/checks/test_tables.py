"""Checks that the tables of the handouts are what the solutions' runs give, and those of the known
mistakes what was measured on a card."""

import pathlib
import sys

import handout_sections
import mistakes_on_card
import pytest
from calls import call

pytestmark = pytest.mark.seconds(40)


def test_the_tables_of_the_handouts_are_what_the_runs_give() -> None:
    status, said = call(sys.executable, "common/checks/update_handouts.py", CHECK="1")
    if status != 0:
        pytest.fail(said, pytrace=False)


def test_the_table_of_the_mistakes_is_what_was_measured_on_a_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CHECK", "1")
    assert mistakes_on_card.main() == 0


def test_a_section_is_replaced_between_its_markers(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.md"
    begin, end = "<!-- x:begin -->\n", "<!-- x:end -->\n"
    file.write_text(f"{begin}old\n\nold\n{end}b\n", encoding="utf-8")
    with pytest.raises(handout_sections.Wrong, match="the section 'x' is stale"):
        handout_sections.put(str(file), "x", "new\n", check=True)
    handout_sections.put(str(file), "x", "new\n", check=False)
    assert file.read_text(encoding="utf-8") == f"{begin}new\n{end}b\n"
    handout_sections.put(str(file), "x", "new\n", check=True)
    for name, block, why in (("y", "new\n", "no section 'y'"), ("x", "\n", "nothing came")):
        with pytest.raises(handout_sections.Wrong, match=why):
            handout_sections.put(str(file), name, block, check=False)
