"""The reasons of log lines that everybody may know: how a fact was entered, who decided, what the board reported."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.panic_fire.rules.game import GAME as PANIC_FIRE
from companion.games.sky_rise.rules.game import GAME as SKY_RISE
from companion.journal.entries import CLOCK, KEYBOARD, Control, Draft, Entry, Layer, as_entry
from companion.journal.fold import void_draft
from companion.rules.facts import Setup
from companion.rules.game import Game
from companion.rules.header import header
from companion.rules.seats import seats_from_names
from companion.session.projection import SessionProjection
from companion.session.reasons import (
    BY_HAND,
    BY_ITSELF,
    OF_THE_BOARD,
    ON_A_PAGE,
    LineReason,
    public_reasons,
)
from companion.session.views import SavedView
from companion.session.watching import WATCHING
from tests.games.panic_fire.playing import setup as panic_fire

WALL = "2026-03-01T20:00:00+00:00"
PRESS = {"channel": "zone-0", "flags": 1, "bounces": 0, "peak": 0, "boot": 7}
AT = {"us": 1_000_000, "clock": "board-7"}


def fact(kind: str, actor: str = KEYBOARD, *causes: int, **body: Any) -> Draft:
    return Draft(Layer.FACT, kind, {"at": AT, **body}, actor, causes)


def control(kind: Control, **body: Any) -> Draft:
    return Draft(Layer.CONTROL, kind, body)


def reasons(
    *drafts: Draft, game: Game[Any] = PANIC_FIRE, setup: Setup | None = None
) -> dict[int, LineReason]:
    """Return the reasons of all lines of a record; the first draft is entry 2."""
    begun = panic_fire("red blue") if setup is None else setup
    entries: list[Entry] = []
    first = control(Control.SESSION, **header(begun, "evening"))
    for n, draft in enumerate((first, *drafts), start=1):
        entries.append(as_entry(draft, n)._replace(wall=WALL))
    record = SessionProjection(game, begun, entries)
    return public_reasons(record, record.view(WATCHING, SavedView("", ok=True)).log)


def test_a_fact_read_from_the_board_names_what_the_board_reported() -> None:
    press = Draft(Layer.EVIDENCE, "event", PRESS, "board", t_us=1_000_000)
    reason = reasons(fact("fire"), press, fact("draw", "board", 3, seat="red"))[4]
    assert reason.how == OF_THE_BOARD
    assert reason.evidence == ("zone-0 pressed",)
    assert reason.clauses == ("PF-6", "PF-9")


@pytest.mark.parametrize(
    ("kind", "verb"), [(Control.ENTERED, "entered"), (Control.PROPOSED, "proposed")]
)
def test_a_fact_from_a_phone_names_the_player(kind: Control, verb: str) -> None:
    sent = control(kind, seat="red", line="draw")
    reason = reasons(fact("fire"), sent, fact("draw", KEYBOARD, 3, seat="red"))[4]
    assert reason.how == f"{verb} by red on a phone"


def test_a_fact_entered_by_hand_on_a_page_or_when_it_was_due_says_so() -> None:
    tapped = control(Control.TAPPED, device="a tablet", role="table", entries=[3], within_us=1)
    found = reasons(
        fact("fire", CLOCK), fact("draw", seat="red"), tapped, fact("draw", seat="blue")
    )
    assert [found[n].how for n in (2, 3, 5)] == [BY_ITSELF, ON_A_PAGE, BY_HAND]


def test_the_first_of_many_facts_of_one_tap_is_from_the_page_too() -> None:
    draws = [fact("draw", seat="red") for _ in range(12)]
    numbers = list(range(3, 15))
    tapped = control(Control.TAPPED, device="a tablet", role="table", entries=numbers, within_us=1)
    found = reasons(fact("fire"), *draws, tapped)
    assert {found[n].how for n in numbers} == {ON_A_PAGE}


def test_a_line_that_was_taken_back_says_who_decided_and_why() -> None:
    void = void_draft(3, "it was blue", who="blue")
    reason = reasons(fact("fire"), fact("draw", seat="red"), void)[3]
    assert reason.state == "It was taken back and does not count."
    assert (reason.who, reason.why) == ("blue", "it was blue")


def test_an_undo_gives_no_reason() -> None:
    found = reasons(fact("fire"), fact("draw", seat="red"), void_draft(3, "undo"))
    assert (found[3].who, found[3].why) == ("", "")


def test_what_was_typed_about_a_secret_fact_is_left_out() -> None:
    seats = seats_from_names(["Ada", "Bo"])
    drafts = [
        fact("goal_noted", seat=seats[0].id, nest="red", tree="blue"),
        control(Control.REMARK, entries=[2], why="her tree is blue", who=seats[1].id),
        void_draft(2, "no, it is green", who=seats[1].id),
    ]
    setup = Setup(SKY_RISE.id, SKY_RISE.rules_version, seats)
    found = reasons(*drafts, game=SKY_RISE, setup=setup)
    assert {2, 4} <= set(found)
    for reason in found.values():
        assert (reason.who, reason.why, reason.evidence) == ("", "", ())
