"""Rulings name the shot they are about: a shot added before it, changed or deleted takes no names of another."""

from __future__ import annotations

import pytest

from companion.journal.entries import Entry
from companion.journal.journal import Journal
from companion.session.table import Table
from companion.session.views import LineKind
from tests.session.parts import GAME, facts, fire


def _table_with(table: Table, *keys: str) -> None:
    fire(table)
    for key in keys:
        table.do(f"panic-fire.{key}")


def _named(table: Table) -> list[tuple[str | None, str | None]]:
    """Return the target and the shooter of each shot of the round, in the order of the shots."""
    current = table.look(lambda record: record.state).current
    return [(pull.target, pull.shooter) for pull, _ in current.reading.verdicts]


def _nth(journal: Journal, kind: str, place: int = 0) -> Entry:
    return [entry for entry in facts(journal) if entry.kind == kind][place]


NAMED = "shot", "name.1", "name.2"


def test_a_shot_added_without_names_before_another_leaves_it_its_names(
    table: Table, journal: Journal
) -> None:
    _table_with(table, *NAMED)
    (named,) = _named(table)
    table.insert("shot", {}, after=_nth(journal, "fire").n)
    assert _named(table) == [(None, None), named]
    assert not [line for line in table.view().log if line.kind is LineKind.BROKEN]


def test_names_given_after_a_shot_was_added_are_those_of_the_added_one(
    table: Table, journal: Journal
) -> None:
    _table_with(table, *NAMED)
    (named,) = _named(table)
    table.insert("shot", {}, after=_nth(journal, "fire").n)
    table.do("panic-fire.name.3")
    table.do("panic-fire.name.2")
    added, unchanged = _named(table)
    assert unchanged == named
    assert added == ("green", "blue")


@pytest.mark.parametrize("ruling", ["illegal", "match"])
def test_a_ruling_on_a_shot_stays_with_it_when_another_is_added_before(
    ruling: str, table: Table, journal: Journal
) -> None:
    _table_with(table, "shot", ruling)
    table.insert("shot", {}, after=_nth(journal, "fire").n)
    current = table.look(lambda record: record.state).current
    added, first = [pull for pull, _ in current.reading.verdicts]
    assert (first.illegal, first.basis) != (False, "unknown")
    assert (added.illegal, added.basis) == (False, "unknown")


def test_a_shot_that_is_changed_keeps_its_names_and_a_changed_name_its_shot(
    table: Table, journal: Journal
) -> None:
    _table_with(table, "shot", "shot", "name.1", "name.2")
    (named, other) = _named(table)
    assert other == (None, None)
    shot = _nth(journal, "shot")
    table.amend(shot.n, {**shot.body, "peak": 900})
    assert _named(table) == [named, other]
    table.amend(_nth(journal, "target").n, {"seat": "green"})
    assert _named(table) == [("green", named[1]), other]
    table.insert("shot", {}, after=_nth(journal, "fire").n)
    assert _named(table)[1:] == [("green", named[1]), other]


def test_names_of_a_deleted_shot_go_to_no_other(table: Table, journal: Journal) -> None:
    _table_with(table, "shot", "shot", "name.1", "name.2")
    table.take_back(_nth(journal, "shot").n)
    assert _named(table) == [(None, None)]
    broken = [line.text for line in table.view().log if line.kind is LineKind.BROKEN]
    assert len(broken) == 2
    assert all("the shot that this is about is deleted" in text for text in broken)


def test_a_ruling_that_names_no_shot_is_on_the_oldest_that_waits_as_in_older_records(
    table: Table, journal: Journal
) -> None:
    _table_with(table, "shot", *NAMED, "match", "name.2", "name.3")
    state = GAME.start(table.view().setup)
    for entry in facts(journal):
        assert ("shot" in entry.body) is (entry.kind in ("target", "shooter", "match"))
        body = {name: value for name, value in entry.body.items() if name != "shot"}
        state = GAME.advance(state, GAME.parse(entry.kind, body), entry.n)
    assert state == table.look(lambda record: record.state)


def test_a_line_that_was_typed_is_recorded_with_its_shot_too(
    table: Table, journal: Journal
) -> None:
    _table_with(table, "shot", "name.1")
    table.enter("shooter", {"seat": "blue"})
    shot = _nth(journal, "shot")
    assert _nth(journal, "shooter").body["shot"] == shot.n
    table.do("table.undo")
    table.enter("shooter", {"seat": "blue"})
    moments = [_nth(journal, "shooter", place).body["at"]["us"] for place in (0, 1)]
    assert moments[0] < moments[1], "the very same ruling replaces nothing"
