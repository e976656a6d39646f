"""Proposals from phones order nothing: until the table accepts one, evidence gives the same results
as without."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hypothesis import given, settings, strategies as st

from companion.journal.entries import Control, Entry, Layer
from companion.rules.facts import Refused
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from tests.session.parts import first_entry, journal_of, table_on
from tests.session.test_crash import Key, Step, scripts, take
from tests.thorough import examples

SEATS = ("anna", "ben", "carl")
LINES = ("draw", "hit")


def play(
    steps: Sequence[Step], messages: Sequence[tuple[int, str, str]]
) -> tuple[Table, list[Entry]]:
    """Return the record of a script in which phones send messages before some of its steps."""
    with journal_of([first_entry()]) as journal:
        table = table_on(journal)
        seats = [seat.id for seat in table.view().setup.seats]
        table.take_proposals(True)
        for index, step in enumerate(steps):
            for number, (at, seat, line) in enumerate(messages):
                if at % len(steps) == index:
                    with suppress(Refused):
                        table.note(
                            seats[SEATS.index(seat) % len(seats)],
                            SeatNote(f"said-{number:012}", propose=line),
                        )
            take(table, step)
        return table, list(journal.entries)


def rulings(entries: Sequence[Entry]) -> list[tuple[Any, ...]]:
    """Return the facts and what did not count, each with its evidence, without numbers and host
    times."""
    keys = {entry.n: entry.key for entry in entries if entry.layer is Layer.EVIDENCE}
    results: list[tuple[Any, ...]] = []
    for entry in entries:
        rests_on = [keys[cause] for cause in entry.causes if cause in keys]
        if entry.layer is Layer.FACT:
            body = {
                name: value
                for name, value in entry.body.items()
                if name != "at" or entry.actor == "board"
            }
            results.append(
                (entry.kind, {**body, "entry": None, "shot": None}, entry.actor, rests_on)
            )
        elif entry.kind == Control.IGNORED and rests_on:
            results.append((entry.kind, entry.body["reason"], rests_on))
    return results


said_on_phones = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from(SEATS), st.sampled_from(LINES)),
    min_size=1,
    max_size=8,
)


@settings(max_examples=examples(40, 400))
@given(scripts(), said_on_phones)
def test_shots_and_rulings_are_the_same_whatever_phones_propose_that_nobody_accepts(
    steps: list[Step], messages: list[tuple[int, str, str]]
) -> None:
    alone, with_phones = play(steps, ())[1], play(steps, messages)[1]
    assert rulings(with_phones) == rulings(alone)


@settings(max_examples=examples(40, 400))
@given(scripts(), said_on_phones)
def test_what_the_board_stamped_keeps_its_stamps_whatever_is_accepted(
    steps: list[Step], messages: list[tuple[int, str, str]]
) -> None:
    accepting = [action for step in steps for action in (step, Key("table.accept"))]
    entries = play(accepting, messages)[1]
    proposed = {entry.n for entry in entries if entry.kind == Control.PROPOSED}
    for entry in entries:
        if entry.layer is Layer.FACT and proposed & {*entry.causes}:
            assert (entry.actor, entry.t_us) == ("keyboard", entry.body["at"]["us"])
            assert entry.after is None, "it comes when it is accepted, behind all that was ruled"
        elif entry.layer is Layer.FACT and entry.actor == "board":
            assert not proposed & {*entry.causes}
