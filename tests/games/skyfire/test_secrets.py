"""A seat's notes are in its own view alone (SF-T7)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.known import work_out
from companion.games.skyfire.rules.model import State
from companion.rules.facts import TABLE, Fact, Refused, secret_kinds
from tests.games.skyfire.playing import FOUR, GAME, Record, begun, example_deck
from tests.thorough import examples

HAND = ("Comet", "Wave", "Fern", "Pearl")
OTHER = ("Ember", "Lagoon", "Willow", "Swan")


def others(record: Record, seat: str = "ada") -> list[Any]:
    """Return what everybody but one seat can see or read."""
    viewers = [TABLE, *(one.id for one in record.state.setup.seats if one.id != seat)]
    texts = (
        GAME.awaiting(record.state),
        GAME.summary(record.state),
        GAME.report(record.state),
        GAME.legal(record.state),
    )
    return [*(GAME.view(record.state, viewer) for viewer in viewers), *texts]


def test_a_note_changes_no_view_but_the_seats_own() -> None:
    record = begun(FOUR, example_deck())
    before, own = others(record), GAME.view(record.state, "ada")
    record.do("hand_noted", seat="ada", cards=HAND)
    assert others(record) == before
    assert GAME.view(record.state, "ada") != own


def test_the_seats_own_view_shows_its_hand_and_the_odds() -> None:
    record = begun(FOUR, example_deck())
    record.do("target", card="red")
    record.do("hand_noted", seat="ada", cards=HAND)
    own = GAME.view(record.state, "ada").own
    assert own is not None
    assert own.hand == ("Comet (red)", "Wave (blue)", "Fern (green)", "Pearl (white)")
    assert own.odds is not None
    assert [odds.zone for odds in work_out(own.odds)] == [1, 2, 3, 0]


@settings(max_examples=examples(10, 100))
@given(st.integers(0, 2**32))
def test_whatever_a_seat_notes_everybody_else_sees_the_same(seed: int) -> None:
    """Two tables play alike; at each, ada and bo note something else, or nothing."""
    rng = random.Random(seed)
    tables = [begun(FOUR, example_deck()).state for _ in range(2)]
    names = [card.name for card in tables[0].deck.fireworks]
    for entry in range(3, 60, 3):
        seat, zone = rng.choice(["ada", "bo"]), rng.randint(1, 3)
        for number, state in enumerate(tables):
            held = state.current.hand(seat) if state.current is not None else 0
            state = noted(
                state, f.HandNoted(seat=seat, cards=tuple(rng.sample(names, held))), entry, rng
            )
            if entry < 3 * 16:
                state = GAME.apply(state, f.Place(zone=zone), entry + 1)
            tables[number] = noted(
                state, f.PlaceNoted(seat=seat, zone=zone, card=rng.choice(names)), entry + 2, rng
            )
        for viewer in (TABLE, "cleo", "dan"):
            assert GAME.view(tables[0], viewer) == GAME.view(tables[1], viewer)
        assert GAME.awaiting(tables[0]) == GAME.awaiting(tables[1])


def noted(state: State, note: Fact, entry: int, rng: random.Random) -> State:
    """Return the state after the note, unless none was made or it was refused."""
    try:
        return GAME.apply(state, note, entry) if rng.random() < 0.6 else state
    except Refused:
        return state


def test_the_sentence_of_a_note_names_the_cards_to_the_seat_alone() -> None:
    record = begun(FOUR, example_deck())
    note = GAME.parse("hand_noted", {"seat": "ada", "cards": HAND})
    for viewer in (TABLE, "bo", "cleo", "dan"):
        assert GAME.describe(record.state, note, viewer) == "ada noted a hand, for ada's eyes only"
    assert GAME.describe(record.state, note, "ada").endswith("only: Comet, Wave, Fern, Pearl")


def test_the_sentence_of_a_placed_card_names_it_to_the_seat_alone() -> None:
    record = begun(FOUR, example_deck())
    record.place(2)
    note = GAME.parse("place_noted", {"seat": "ada", "zone": 2, "card": "Comet"})
    assert GAME.describe(record.state, note, "bo") == "ada noted a placed card, for ada's eyes only"
    assert GAME.describe(record.state, note, "ada").endswith("only: Comet in zone 2")


@pytest.mark.parametrize("kind", ["hand_noted", "place_noted"])
def test_the_sentence_of_a_refused_note_names_no_card(kind: str) -> None:
    record = begun(FOUR, example_deck())
    body = (
        {"seat": "ada", "cards": ["Dragon", *HAND[1:]]}
        if kind == "hand_noted"
        else {"seat": "ada", "zone": 1, "card": "Dragon"}
    )
    record.place(1)
    text = GAME.describe(record.state, GAME.parse(kind, body))
    assert "Dragon" not in text
    assert "SF-" in text


def test_all_secret_facts_are_tested_here() -> None:
    assert secret_kinds(GAME.facts) == {"hand_noted", "place_noted"}


def test_sf7_a_note_has_as_many_cards_as_the_hand() -> None:
    record = begun(FOUR, example_deck())
    refusal = record.refuses("hand_noted", "SF-7", seat="ada", cards=HAND[:3])
    assert refusal.reason == "ada holds 4, the note says 3"
    for turn in range(12):
        record.place(1 + turn % 3)
    refusal = record.refuses("hand_noted", "SF-7", seat="ada", cards=HAND[:2])
    assert refusal.spoken().endswith("Note 1 card.")


def test_sf10_a_placed_card_is_noted_once_and_by_who_placed_it() -> None:
    record = begun(FOUR, example_deck())
    record.place(1)
    record.refuses("place_noted", "SF-10", seat="bo", zone=1, card="Comet")
    record.do("place_noted", seat="ada", zone=1, card="Comet")
    record.refuses("place_noted", "SF-10", seat="ada", zone=1, card="Comet")


def test_sf10_what_was_placed_is_of_the_hand_noted_before() -> None:
    record = begun(FOUR, example_deck())
    record.do("hand_noted", seat="ada", cards=HAND)
    record.place(1)
    record.refuses("place_noted", "SF-10", seat="ada", zone=1, card="Ember")
    record.do("place_noted", seat="ada", zone=1, card="blue")
    own = GAME.view(record.state, "ada").own
    assert own is not None
    assert own.hand == ("Comet (red)", "Fern (green)", "Pearl (white)")


def test_notes_are_of_one_round() -> None:
    record = begun(FOUR, example_deck())
    record.do("hand_noted", seat="ada", cards=HAND)
    record.do("round_end")
    record.refuses("hand_noted", "SF-7", seat="ada", cards=HAND)
    record.do("deal")
    assert GAME.view(record.state, "ada").own is None


def test_two_seats_may_note_the_same_card_and_neither_hears_of_it() -> None:
    record = begun(FOUR, example_deck())
    record.do("hand_noted", seat="ada", cards=HAND)
    record.do("hand_noted", seat="bo", cards=HAND)
    seen = GAME.view(record.state, "bo")
    assert seen.own is not None
    assert seen.own.hand == ("Comet (red)", "Wave (blue)", "Fern (green)", "Pearl (white)")


def test_what_two_noted_is_told_apart_by_the_viewer() -> None:
    record = begun(FOUR, example_deck())
    record.do("hand_noted", seat="ada", cards=HAND)
    record.do("hand_noted", seat="bo", cards=OTHER)
    hands = {seat: GAME.view(record.state, seat).own for seat in ("ada", "bo", "cleo")}
    assert hands["cleo"] is None
    assert hands["ada"] != hands["bo"]


@pytest.mark.parametrize(
    ("kind", "body", "shown"),
    [
        ("launch", {"zone": 1}, "the cards of zone 1, to everybody"),
        ("launch", {"zone": 2}, None),
        ("place", {"zone": 1}, None),
        ("satisfied", {"satisfied": False}, None),
        ("hand_noted", {"seat": "ada", "cards": HAND}, None),
        ("misfire", {}, "the cards of all zones, to everybody"),
    ],
)
def test_sf11_what_turns_cards_up_is_a_revelation(
    kind: str, body: dict[str, Any], shown: str | None
) -> None:
    record = begun(FOUR, example_deck())
    record.place(1, 1)
    assert GAME.reveals(record.state, GAME.parse(kind, body)) == shown


def test_sf11_the_faces_and_an_open_hand_are_revelations_and_the_answer_is_none() -> None:
    record = begun(FOUR, example_deck(), eliminated_hand="shown")
    record.place(1, 1)
    record.do("launch", zone=1)
    answer = GAME.parse("satisfied", {"satisfied": False})
    assert GAME.reveals(record.state, answer) is None, "the cards lie open since the launch"
    faces = GAME.parse("revealed", {"zone": 1, "cards": ["Comet", "Wave"]})
    assert GAME.reveals(record.state, faces) == "the cards of zone 1, to everybody"
    record.enter(answer)
    shown = GAME.parse("hand_shown", {"seat": "cleo", "cards": HAND})
    assert GAME.reveals(record.state, shown) == "the hand of cleo, to everybody"
    again = GAME.parse("launch", {"zone": 1})
    assert GAME.reveals(record.state, again) is None, "everybody has seen these cards"


def test_sf12_the_answer_to_a_misfire_shows_nothing_that_the_misfire_did_not() -> None:
    record = begun(FOUR)
    record.play_out()
    record.do("misfire")
    answer = GAME.parse("satisfied", {"satisfied": False})
    assert GAME.reveals(record.state, answer) is None
