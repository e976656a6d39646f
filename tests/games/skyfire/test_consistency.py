"""Visible cards that contradict each other are refused with a reason, and accepted by a ruling (SF-T5)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.skyfire.rules.consistency import more_than_there_are
from companion.games.skyfire.rules.deck import Card, Face
from tests.games.skyfire.playing import FOUR, THREE, Record, begun, example_deck, published_deck
from tests.thorough import examples

WHY = "the box holds a second one"


def turned_up(
    *zones: int, launch: int = 1, target: str | None = None, seats: str = FOUR, **options: Any
) -> Record:
    """Return the state with cards in these zones and one zone launched."""
    record = begun(seats, example_deck(), **options)
    if target is not None:
        record.do("target", card=target)
    record.place(*zones)
    record.do("launch", zone=launch)
    return record


def by_the_tables_word(record: Record, kind: str, clause: str, **body: Any) -> str:
    """Assert that the fact is refused, but not with a reason; return its sentence."""
    assert record.refuses(kind, clause, **body).do.endswith("or give a reason.")
    record.refuses(kind, clause, **body, reason="  ")
    return record.says(kind, **body, reason=WHY)


@pytest.mark.parametrize(
    "cards",
    [["Comet", "Comet"], ["Ember", "red+red"], ["red+red", "red+red"], ["blue+blue+blue", "Wave"]],
)
def test_sf1_a_card_that_exists_once_is_not_seen_twice_in_a_zone(cards: list[str]) -> None:
    record = turned_up(1, 1)
    text = by_the_tables_word(record, "revealed", "SF-1", zone=1, cards=cards)
    assert text.endswith(f"by the table's word: {WHY} (SF-11)")
    assert record.view.zones[0].word == WHY


def test_sf1_nor_in_two_zones_of_one_round() -> None:
    record = turned_up(1, 2)
    record.do("revealed", zone=1, cards=["Comet"])
    record.do("satisfied", satisfied=False)
    record.do("launch", zone=2)
    by_the_tables_word(record, "revealed", "SF-1", zone=2, cards=["Comet"])


def test_sf1_nor_in_a_zone_and_in_an_open_hand() -> None:
    record = turned_up(1, eliminated_hand="shown")
    record.do("revealed", zone=1, cards=["Comet"])
    record.do("satisfied", satisfied=False)
    hand = ["Comet", "Wave", "Fern", "Frost"]
    text = by_the_tables_word(record, "hand_shown", "SF-1", seat="bo", cards=hand)
    assert text.endswith(f"by the table's word: {WHY} (SF-R4)")


def test_sf1_a_card_comes_again_in_another_round_and_a_mended_zone_counts_once() -> None:
    record = turned_up(1)
    record.do("revealed", zone=1, cards=["Comet"])
    record.do("revealed", zone=1, cards=["Comet"])
    record.do("satisfied", satisfied=True)
    record.do("deal")
    record.place(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Comet"])


def test_what_the_table_vouched_for_speaks_against_no_card_that_is_turned_up_later() -> None:
    record = turned_up(1, 1, 2)
    record.do("revealed", zone=1, cards=["Comet", "Comet"], reason=WHY)
    record.do("satisfied", satisfied=False)
    record.do("launch", zone=2)
    record.refuses("revealed", "SF-1", zone=2, cards=["red+red+red"])
    record.do("revealed", zone=2, cards=["Wave"])


def test_backs_that_the_table_vouched_for_speak_against_no_other() -> None:
    record = turned_up(1, 2)
    record.do("backs", zone=1, backs=["moonlight"], reason=WHY)
    record.do("backs", zone=2, backs=["rocket"])
    record.do("revealed", zone=1, cards=["Comet"])


CARDS = (Card("a", ("x",)), Card("b", ("x",)), Card("c", ("y",), copies=2), Card("d", None))
FACES = [
    Face("a", ("x",)),
    Face("b", ("x",)),
    Face("c", ("y",)),
    Face("d", None),
    Face(None, ("x",)),
    Face(None, ("z",)),
]


@settings(max_examples=examples(200, 2000))
@given(st.lists(st.sampled_from(FACES), max_size=6))
def test_there_are_enough_cards_exactly_when_each_face_can_be_one_of_its_own(
    faces: list[Face],
) -> None:
    cards = [card for card in CARDS for _ in range(card.copies)]
    fits = len(faces) <= len(cards) and any(
        all(_can_be(face, card) for face, card in zip(faces, chosen, strict=True))
        for chosen in permutations(cards, len(faces))
    )
    assert (more_than_there_are(faces, CARDS) is None) == fits


def _can_be(face: Face, card: Card) -> bool:
    if face.name is not None:
        return face.name == card.name
    return card.symbols is None or face.symbols == card.symbols


# -- faces and answers


def test_sf14_faces_after_a_right_launch_show_the_target() -> None:
    record = turned_up(1, 1, target="Garden")
    record.do("satisfied", satisfied=True)
    by_the_tables_word(record, "revealed", "SF-14", zone=1, cards=["Comet", "Fern"])
    assert record.result.how == "launch", "the result stays as the table said"
    record.do("revealed", zone=1, cards=["Reed", "Ember"])


def test_sf14_faces_after_a_wrong_launch_do_not() -> None:
    record = turned_up(1, 1, target="Garden")
    record.do("satisfied", satisfied=False)
    by_the_tables_word(record, "revealed", "SF-14", zone=1, cards=["Reed", "Ember"])
    assert record.round.out == ("cleo",)
    record.do("revealed", zone=1, cards=["Comet", "Fern"])


def test_sf14_faces_that_answered_no_are_not_mended_into_a_yes() -> None:
    record = turned_up(1, 1, target="Garden")
    record.do("revealed", zone=1, cards=["Comet", "Fern"])
    assert record.round.out == ("cleo",)
    record.refuses("revealed", "SF-14", zone=1, cards=["Reed", "Ember"])


def test_sf14_a_zone_that_failed_and_grew_may_satisfy_the_target() -> None:
    record = turned_up(1, target="red")
    record.do("satisfied", satisfied=False)
    record.place(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Wave", "Comet"])
    assert record.result.how == "launch"


def test_sf_r1_a_zone_that_grew_still_holds_what_it_showed() -> None:
    record = turned_up(1, target="Garden")
    record.do("revealed", zone=1, cards=["Comet"])
    record.place(1)
    record.do("launch", zone=1)
    by_the_tables_word(record, "revealed", "SF-R1", zone=1, cards=["Wave", "Fern"])


def test_sf_r1_what_a_zone_showed_may_be_entered_by_name_or_by_symbols() -> None:
    record = turned_up(1, target="Garden")
    record.do("revealed", zone=1, cards=["Poppy"])
    record.place(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["Wave", "red+blue"])


def misfire(satisfied: bool, **options: Any) -> Record:
    record = begun(THREE, example_deck(), **options)
    record.do("target", card="Garden")
    record.play_out(1, 2)
    record.do("misfire")
    record.do("satisfied", satisfied=satisfied)
    return record


PLAIN = ["Comet", "Ember", "Wave", "Lagoon", "Poppy", "Iris"]
GREEN = ["Ruby", "Kingfisher", "Fern", "Willow", "Beetle", "Reed"]


def test_sf12_after_a_right_misfire_no_zone_shows_the_target() -> None:
    record = misfire(False)
    record.do("revealed", zone=1, cards=PLAIN)
    by_the_tables_word(record, "revealed", "SF-14", zone=2, cards=GREEN)
    assert record.result.how == "misfire"


def test_sf12_after_a_wrong_misfire_some_zone_does() -> None:
    record = misfire(True)
    record.do("revealed", zone=1, cards=PLAIN)
    record.do("revealed", zone=2, cards=GREEN)


def test_sf12_after_a_wrong_misfire_not_all_zones_lack_the_target() -> None:
    record = begun(THREE, example_deck())
    record.do("target", card="+".join(["red"] * 6))
    record.play_out(1, 2)
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    record.do("revealed", zone=1, cards=["Comet", "Wave", "Lagoon", "Kingfisher", "Poppy", "Fern"])
    by_the_tables_word(
        record,
        "revealed",
        "SF-14",
        zone=2,
        cards=["Ember", "Ruby", "Iris", "Willow", "Beetle", "Reed"],
    )


# -- words nobody has heard of


@pytest.mark.parametrize("typed", [["foo", "bar"], ["star", "bar"], ["star+foo", "ring"]])
def test_sf6_a_word_nobody_has_heard_of_does_not_become_what_a_zone_shows(typed: list[str]) -> None:
    record = begun()
    record.do("target", card="star+ring")
    record.place(1, 1)
    record.do("launch", zone=1)
    by_the_tables_word(record, "revealed", "SF-6", zone=1, cards=typed)


def test_sf6_a_symbol_that_the_table_vouched_for_is_known_from_then_on() -> None:
    record = begun()
    record.place(1, 2)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["moon"], reason=WHY)
    record.do("satisfied", satisfied=False)
    record.do("launch", zone=2)
    record.do("revealed", zone=2, cards=["moon"])
    assert record.view.zones[1].word == ""


def test_sf6_a_card_of_unknown_face_is_entered_by_its_name() -> None:
    record = begun()
    record.place(1)
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["fireworks card 3"])
    assert record.view.zones[0].faces == (Face("fireworks card 3", None),)


def test_sf6_with_all_faces_known_no_reason_makes_a_card_of_a_word() -> None:
    turned_up(1).refuses("revealed", "SF-6", zone=1, cards=["foo"], reason=WHY)


def test_sf2_a_white_card_of_three_players_is_called_out_of_play() -> None:
    record = turned_up(1, seats=THREE)
    assert (
        record.refuses("revealed", "SF-2", zone=1, cards=["Frost"]).reason
        == "'Frost' is out of play with 3 players"
    )
    text = by_the_tables_word(record, "revealed", "SF-2", zone=1, cards=["Frost"])
    assert text.startswith(f"zone 1 shows Frost (white), by the table's word: {WHY} (SF-11)")
    record.refuses("hand_noted", "SF-2", seat="cleo", cards=["Frost", "Comet", "Wave", "Fern"])


def test_sf6_cards_typed_with_a_comma_where_one_card_belongs_make_no_symbol_of_their_own() -> None:
    record = begun(THREE)
    refusal = record.refuses("target", "SF-6", card="red, blue")
    assert str(refusal) == (
        "SF-6: 'red, blue' has a comma in it, as no card and no symbol has. "
        "Type its name, or its symbols with + between."
    )
    record.place(1)
    record.do("launch", zone=1)
    record.refuses("revealed", "SF-6", zone=1, cards=["red, blue"], reason=WHY)


# -- backs


def test_sf6_a_back_that_no_card_has_is_refused() -> None:
    record = turned_up(1)
    text = by_the_tables_word(record, "backs", "SF-6", zone=1, backs=["moonlight"])
    assert text == f"backs in zone 1: moonlight, by the table's word: {WHY} (SF-6)"


def test_sf6_a_refusal_of_backs_says_how_many_cards_have_them() -> None:
    record = begun(THREE, example_deck())
    record.play_out(1)
    rockets = sum(card.back == "rocket" for card in record.state.deck.fireworks)
    for backs, reason in (
        (["moonlight"], "no card has the back 'moonlight'"),
        (
            ["rocket"] * (rockets + 1),
            f"only {rockets} cards have the back 'rocket', and more are in sight",
        ),
    ):
        assert record.refuses("backs", "SF-6", zone=1, backs=backs).reason == reason


def test_sf6_no_more_backs_are_in_sight_than_cards_have_them() -> None:
    record = begun(THREE, example_deck())
    record.play_out(1)
    rockets = sum(card.back == "rocket" for card in record.state.deck.fireworks)
    record.do("backs", zone=1, backs=["rocket"] * rockets)
    by_the_tables_word(record, "backs", "SF-6", zone=1, backs=["rocket"] * (rockets + 1))


def test_sf6_backs_and_faces_of_a_zone_are_of_the_same_cards() -> None:
    record = turned_up(1, 1)
    record.do("backs", zone=1, backs=["fountain", "?"])
    by_the_tables_word(record, "revealed", "SF-6", zone=1, cards=["Comet", "Ember"])
    record.do("revealed", zone=1, cards=["Comet", "Willow"])
    by_the_tables_word(record, "backs", "SF-6", zone=1, backs=["fountain", "fountain"])


@settings(max_examples=examples(20, 200))
@given(st.integers(0, 2**32))
def test_what_really_lies_there_is_never_refused(seed: int) -> None:
    """A whole round of real cards, entered by name or by symbols as people may, and answered as it is."""
    rng = random.Random(seed)
    record = begun(rng.choice((THREE, FOUR)), example_deck(), eliminated_hand="shown")
    deck = record.state.deck
    record.do("target", card=rng.choice(deck.targets).name)
    cards = rng.sample(deck.fireworks, len(deck.fireworks))
    hands = {seat: [cards.pop() for _ in range(4)] for seat in record.round.players}
    zones: list[list[Card]] = [[] for _ in record.round.zones]
    while record.round.result is None:
        seat, zone = record.round.turn or "", rng.randrange(len(zones))
        if hands[seat] and rng.random() < 0.8:
            zones[zone].append(hands[seat].pop())
            record.place(zone + 1)
            if rng.random() < 0.5:
                record.do(
                    "backs",
                    zone=zone + 1,
                    backs=[rng.choice((card.back or "?", "?")) for card in zones[zone]],
                )
            continue
        turned = [zone] if rng.random() < 0.7 or hands[seat] else list(range(len(zones)))
        record.do(*("launch",), zone=zone + 1) if len(turned) == 1 else record.do("misfire")
        _answered_truly(record, zones, turned, rng)
        if seat in record.round.out and record.round.result is None:
            record.do("hand_shown", seat=seat, cards=_typed(hands[seat], rng))


def _answered_truly(
    record: Record, zones: list[list[Card]], turned: list[int], rng: random.Random
) -> None:
    target = record.round.target
    need = Counter(target.symbols or ()) if target is not None else Counter[str]()
    if record.round.question is not None and rng.random() < 0.5:
        shown = [Counter(s for card in zones[zone] for s in card.symbols or ()) for zone in turned]
        record.do(
            "satisfied", satisfied=any(symbols >= need and bool(symbols) for symbols in shown)
        )
    for zone in turned:
        if zones[zone]:
            record.do(
                "revealed",
                zone=zone + 1,
                cards=_typed(rng.sample(zones[zone], len(zones[zone])), rng),
            )
    assert record.round.question is None


def _typed(cards: list[Card], rng: random.Random) -> list[str]:
    return [rng.choice((card.name, "+".join(card.symbols or ()))) for card in cards]


def test_sf_t5_backs_can_be_entered_beside_a_card_that_is_out_of_play_and_lies_there() -> None:
    record = turned_up(1, 2, seats=THREE)
    record.do("revealed", zone=1, cards=["Frost"], reason=WHY)
    record.do("satisfied", satisfied=False)
    record.do("backs", zone=2, backs=["?"])
    assert record.round.zone(2).cards[0].back is None


@pytest.mark.parametrize("zone", [1, 2])
def test_sf6_the_zone_whose_backs_are_of_other_cards_is_named(zone: int) -> None:
    record = begun(FOUR, published_deck())
    record.place(zone)
    record.do("launch", zone=zone)
    record.do("revealed", zone=zone, cards=["rb"])
    text = record.refuses("backs", "SF-6", zone=zone, backs=["gy"])
    assert (
        text.reason == f"the backs and the faces entered for zone {zone} are not of the same cards"
    )
