"""The facts of a box on pages: what a form says is kept as if it was typed in the terminal."""

from __future__ import annotations

import pytest

from companion.box.entry import BoxEntry
from companion.commands.components import entry_of
from companion.rules.box_questions import NoAnswer
from companion.rules.component_rows import ComponentTable
from companion.web.box_forms import FIELD, LEFT_OUT, LIST_OF_KEYS, YES, fill, part_page, parts_page

GAME = "fractured-sky"


def _entry(game: str = GAME) -> BoxEntry:
    return entry_of(game, "my copy")


def _part(entry: BoxEntry, name: str) -> ComponentTable:
    return next(table for table, _, _ in entry.groups() if table.name == name)


def _first_row(entry: BoxEntry, part: str) -> str:
    return next(name for table, name in entry.facts if table == part)


def test_every_part_of_a_box_has_a_page_with_a_form_for_each_row() -> None:
    entry = _entry()
    page = parts_page(entry, "Fractured Sky")
    for table, _, total in entry.groups():
        assert f'href="{GAME}/{table.name}"' in page
        assert part_page(entry, table).count('value="save"') == total


def test_a_number_is_kept_and_shown_again() -> None:
    entry = _entry()
    row = _first_row(entry, "count")
    (field,) = (field.name for field in _part(entry, "count").fields)
    fill(entry, _part(entry, "count"), {"do": "save", "row": row, f"{FIELD}{field}": "7"})
    again = _entry()
    assert again.answers(("count", row))[field] == 7
    assert 'value="7"' in part_page(again, _part(again, "count"))


def test_what_cannot_be_is_refused_with_a_sentence_and_keeps_nothing() -> None:
    entry = _entry()
    row = _first_row(entry, "count")
    (field,) = (field.name for field in _part(entry, "count").fields)
    with pytest.raises(NoAnswer, match="Type"):
        fill(entry, _part(entry, "count"), {"do": "save", "row": row, f"{FIELD}{field}": "many"})
    assert not _entry().answers(("count", row))


def test_an_empty_field_leaves_a_fact_unknown() -> None:
    entry = _entry()
    row = _first_row(entry, "count")
    (field,) = (field.name for field in _part(entry, "count").fields)
    fill(entry, _part(entry, "count"), {"do": "save", "row": row, f"{FIELD}{field}": " "})
    assert not _entry().answers(("count", row))


def test_the_last_answer_is_undone_and_a_row_becomes_unknown_again() -> None:
    entry = _entry()
    row = _first_row(entry, "count")
    part = _part(entry, "count")
    (field,) = (field.name for field in part.fields)
    fill(entry, part, {"do": "save", "row": row, f"{FIELD}{field}": "7"})
    fill(entry, part, {"do": "undo"})
    assert not _entry().answers(("count", row))
    fill(entry, part, {"do": "save", "row": row, f"{FIELD}{field}": "8"})
    assert "unknown again" in fill(entry, part, {"do": "remove", "row": row})
    assert not _entry().answers(("count", row))


def test_a_row_is_added_where_the_rules_leave_the_number_open_and_removed_again() -> None:
    entry = _entry("panic-fire")
    part = _part(entry, "match_number")
    assert 'value="add"' in part_page(entry, part)
    fill(entry, part, {"do": "add", "name": "A card of mine"})
    assert (part.name, "A card of mine") in entry.facts
    assert "A card of mine" in part_page(entry, part)
    assert "was removed" in fill(entry, part, {"do": "remove", "row": "A card of mine"})
    with pytest.raises(NoAnswer, match="Type a name"):
        fill(entry, part, {"do": "add", "name": " "})


def test_where_the_rules_fix_the_number_of_rows_none_is_added() -> None:
    entry = _entry()
    part = _part(entry, "count")
    assert 'value="add"' not in part_page(entry, part)
    with pytest.raises(NoAnswer, match="none can be added"):
        fill(entry, part, {"do": "add", "name": "One more"})


def test_every_kind_of_field_is_kept_as_its_page_shows_it() -> None:
    """A form that is sent back as it is shown changes nothing; one with answers keeps each of them."""
    entry = _entry()
    for table, _, _ in entry.groups():
        row = _first_row(entry, table.name)
        before = entry.answers((table.name, row))
        fill(entry, table, {"do": "save", "row": row})
        assert entry.answers((table.name, row)) == before, table.name


def test_a_row_that_does_not_exist_is_refused() -> None:
    entry = _entry()
    with pytest.raises(NoAnswer, match="not there any more"):
        fill(entry, _part(entry, "count"), {"do": "save", "row": "nothing of this name"})


def test_a_card_is_entered_in_two_steps_if_a_field_depends_on_another() -> None:
    entry = _entry()
    part = _part(entry, "card_black")
    row = _first_row(entry, part.name)
    ticked = {f"{LIST_OF_KEYS}stars-{key}": YES for key in ("w", "e")}
    first = {"do": "save", "row": row, f"{FIELD}kind": "a", **ticked}
    assert f"{LIST_OF_KEYS}large-w" not in part_page(entry, part)
    fill(entry, part, first)
    answers = _entry().answers((part.name, row))
    assert (answers["kind"], answers["stars"]) == ("airship", ("N", "NE"))
    # now there is something to choose among
    assert f"{LIST_OF_KEYS}large-w" in part_page(entry, part)
    fill(entry, part, {**first, f"{LIST_OF_KEYS}large-e": YES})
    assert _entry().answers((part.name, row))["large"] == ("NE",)


def test_a_field_that_is_left_out_is_kept_as_left_out() -> None:
    entry = _entry()
    part = _part(entry, "card_black")
    row = _first_row(entry, part.name)
    ticked = {f"{LIST_OF_KEYS}stars-{key}": YES for key in ("w", "e")}
    first = {"do": "save", "row": row, f"{FIELD}kind": "a", **ticked}
    fill(entry, part, first)
    assert f"{LEFT_OUT}large" in part_page(entry, part)
    fill(entry, part, {**first, f"{LEFT_OUT}large": YES})
    again = _entry()
    assert again.answers((part.name, row))["large"] is None
    assert again.is_known((part.name, row))
