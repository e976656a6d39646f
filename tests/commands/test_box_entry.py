"""`companion components enter` without a screen: a line answers, and the end of the lines is a stop."""

from __future__ import annotations

import pytest

from companion.box.owner_box import box_in_force, own_path
from companion.exits import Exit
from tests.commands.ran import Ran


def test_lines_answer_undo_skip_and_stop() -> None:
    ran = Ran(
        "components", "enter", "panic-fire", "--source", "my deck", typed="12\nu\n14\n9\n-\n2\nq\n"
    )
    assert (ran.code, ran.err) == (Exit.DONE, "")
    assert ran.out.startswith("Panic Fire: 0 of 12 known.\n")
    assert "Shields: how many are in the box?" in ran.out
    assert "The companion now knows how many Shields there are to take out." in ran.out
    assert "! That cannot be. Type a whole number from 1 to 4." in ran.out
    assert "2 of 12 known, kept in " in ran.out
    box = box_in_force("panic-fire")
    assert [box.value("count", "Shields"), box.value("match_number", "The Cowboy")] == [14, None]
    row = box.row("match_number", "The Viking")
    assert row is not None
    assert (row.value, row.status, row.source) == (2, "confirmed", "my deck")


@pytest.mark.usefixtures("unknown_cards")
def test_without_a_line_nothing_is_written() -> None:
    ran = Ran("components", "enter", "skyfire")
    assert ran.code == Exit.DONE
    assert "0 of 32 known. Continue:  companion components enter skyfire" in ran.out
    assert not own_path("skyfire").exists()


def test_of_a_game_without_a_box_nothing_is_asked_and_nothing_listed() -> None:
    sentence = "Drills is played without a box"
    for what, code in (("enter", Exit.NO_INPUT), ("edit", Exit.DATA)):
        ran = Ran("components", what, "drills")
        assert (ran.code, ran.out) == (code, "")
        assert ran.err == f"{sentence}: there is nothing to state of one.\n"
    for what in ("list", "check"):
        assert (
            Ran("components", what, "drills").out
            == f"{sentence}: there is nothing to state of one.\n"
        )


@pytest.mark.usefixtures("unknown_cards")
def test_a_word_that_is_a_command_can_be_an_answer() -> None:
    Ran("components", "enter", "skyfire", typed=":u\nstar\n\nq\n")
    row = box_in_force("skyfire").row("fireworks", "fireworks card 1")
    assert row is not None
    assert row.fields == {"called": "u", "symbols": ("star",)}


def test_a_file_with_a_mistake_is_to_be_mended_first() -> None:
    own_path("skyfire").parent.mkdir(parents=True)
    own_path("skyfire").write_text("[[nothing]]\n")
    ran = Ran("components", "enter", "skyfire")
    assert ran.code == Exit.DATA
    assert "Fix your file first: companion components edit skyfire" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_lines_show_a_table_and_answer_a_row_each() -> None:
    ran = Ran("components", "enter", "fractured-sky", typed=">\n" * 8 + "a qw w\nf x\n0\nq\n")
    assert "Black AI: cards:" in ran.out
    assert "      kind  stars  large" in ran.out
    assert "2 of 74 known, kept in " in ran.out
    row = box_in_force("fractured-sky").row("card_black", "1")
    assert row is not None
    assert row.fields == {"kind": "airship", "stars": ("NW", "N"), "large": ("N",)}


def test_lines_add_a_row_and_remove_it_again() -> None:
    ran = Ran("components", "enter", "panic-fire", typed=">\n+ Example\n2\n<\n+ Other\nremove\nq\n")
    assert "Example: how many copies are a match?" in ran.out
    assert "Other was removed." in ran.out
    assert box_in_force("panic-fire").value("match_number", "Example") == 2
