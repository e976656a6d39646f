"""SF-T7: the exact probability that no zone satisfies the target, against every deal counted one by one."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.skyfire.rules.known import NO_ZONE, Odds
from companion.games.skyfire.rules.layouts import Kind, Pile, Places, Unseen
from companion.games.skyfire.rules.odds import ContradictionError, chances
from tests.games.skyfire.playing import FIVE, THREE, Record, begun, example_deck
from tests.games.skyfire.test_odds import enough, kinds, own_odds, record_view, unseen
from tests.thorough import examples


def counted(cards: list[Kind]) -> tuple[tuple[Kind, int], ...]:
    return tuple(sorted(Counter(cards).items()))


@settings(max_examples=examples(60, 500))
@given(st.lists(kinds, min_size=1, max_size=6), st.integers(0, 2**32), st.booleans())
def test_it_is_the_share_of_all_deals_in_which_no_zone_shows_the_target(
    cards: list[Kind], seed: int, once: bool
) -> None:
    rng = random.Random(seed)
    places = [rng.choice((0, 1, 2)) for _ in cards]  # two zones, and beside them
    sight = {n: cards[n][1] for n in range(len(cards)) if rng.random() < 0.4}
    target = tuple(sorted(rng.choice("abc") for _ in range(rng.randint(1, 3))))
    known = [(("a",),) if rng.random() < 0.3 else () for _ in range(2)]

    def world(deal: tuple[Kind, ...]) -> bool:
        for zone, faces in enumerate(known):
            shown = [
                s
                for card, place in zip(deal, places, strict=True)
                if place == zone
                for s in card[0]
            ]
            if enough(target, [*shown, *(s for face in faces for s in face)], once=once):
                return False
        return True

    worlds = [
        world(deal)
        for deal in permutations(cards)
        if all(deal[n][1] == back for n, back in sight.items())
    ]
    zones = tuple(
        Places(
            tuple(
                sorted(sight[n] for n, place in enumerate(places) if place == zone and n in sight)
            ),
            sum(place == zone and n not in sight for n, place in enumerate(places)),
        )
        for zone in range(2)
    )
    beside = tuple(sorted(sight[n] for n, place in enumerate(places) if place == 2 and n in sight))
    odds = chances(
        Unseen(target, once, tuple(known), ((0,), (1,)), (Pile(counted(cards), zones, beside),))
    )
    assert odds.none == Fraction(sum(worlds), len(worlds))


def test_more_cards_than_there_are_are_a_contradiction() -> None:
    with pytest.raises(ContradictionError):
        chances(unseen(Pile(counted([(("a",), "x")]), (Places((), 2),)), "a", once=False, zones=1))
    with pytest.raises(ContradictionError):
        chances(
            unseen(Pile(counted([(("a",), "x")]), (Places(("y",), 0),)), "a", once=False, zones=1)
        )


# -- for a seat


def played_out(
    seats: str = THREE, target: str = "Garden", **options: Any
) -> tuple[Record, dict[str, list[str]]]:
    """Place all cards, zone by zone, with ada's noted; return who held what."""
    record = begun(seats, example_deck(), **options)
    record.do("target", card=target) if record.round.target is None else None
    names = [card.name for card in record.state.deck.fireworks]
    players = record.round.players
    hands = {seat: names[4 * place : 4 * place + 4] for place, seat in enumerate(players)}
    record.do("hand_noted", seat="ada", cards=hands["ada"])
    zones = len(record.round.zones)
    for turn in range(4 * len(players)):
        seat, zone = record.round.turn or "", turn % zones + 1
        record.place(zone)
        if seat == "ada":
            record.do("place_noted", seat="ada", zone=zone, card=hands["ada"][turn // len(players)])
    return record, hands


def none_of(record: Record, seat: str = "ada") -> Odds:
    return own_odds(record, seat)[-1]


@pytest.mark.parametrize(
    ("rule", "target"), [("multiset", "Meadow"), ("set", "red+red+red+red+red+red+green")]
)
def test_sf12_a_seat_sees_how_likely_a_misfire_is_right(rule: str, target: str) -> None:
    record, hands = played_out(target=target, satisfies=rule)
    odds = none_of(record)
    assert (odds.zone, odds.reason) == (NO_ZONE, "")
    assert odds.probability == by_hand(record, hands, once=rule == "set")


def by_hand(record: Record, hands: dict[str, list[str]], *, once: bool) -> Fraction:
    """Return which of the eight others' cards lie in zone 1 with ada's two, all ways equally likely."""
    symbols = {card.name: card.symbols or () for card in record.state.deck.fireworks}
    assert record.round.target is not None
    target = record.round.target.symbols or ()
    own: dict[int, list[str]] = {1: [], 2: []}
    for number, zone in enumerate(record.round.zones, start=1):
        own[number] = [hands["ada"][place] for place in range(4) if _lies(record, place, number)]
        assert len(zone.cards) == 6
    others = [name for seat in ("bo", "cleo") for name in hands[seat]]
    worlds = []
    for first in combinations(others, 6 - len(own[1])):
        second = [name for name in others if name not in first]
        shown = ([*own[1], *first], [*own[2], *second])
        worlds.append(
            not any(enough(target, [s for n in z for s in symbols[n]], once=once) for z in shown)
        )
    return Fraction(sum(worlds), len(worlds))


def _lies(record: Record, place: int, number: int) -> bool:
    return place * 3 % 2 + 1 == number


def test_sf_t7_after_the_round_there_are_no_odds() -> None:
    record, _ = played_out()
    record.launch(1, satisfied=True)
    own = record_view(record, "ada").own
    assert own is not None
    assert (own.odds, record.view.odds) == (None, None)


def test_sf_t7_without_the_targets_symbols_nobody_can_know_and_the_reason_says_why() -> None:
    record = begun(THREE, example_deck())
    record.do("hand_noted", seat="ada", cards=["Comet", "Wave", "Fern", "Ember"])
    record.play_out()
    assert none_of(record) == Odds(
        NO_ZONE, None, "the symbols of the target are not entered (SF-8)"
    )


def test_sf_t7_zones_that_everybody_saw_fail_leave_nothing_to_chance() -> None:
    record = begun(THREE)
    record.do("hand_noted", seat="ada", cards=["moon"] * 4)
    record.play_out(1, 2)
    record.do("turn", seat="bo")
    record.launch(1, satisfied=False)
    record.launch(2, satisfied=False)
    assert none_of(record) == Odds(NO_ZONE, Fraction(1))


def test_sf_t7_cards_not_noted_place_by_place_are_said_to_be() -> None:
    record = begun(THREE, example_deck())
    record.do("target", card="Garden")
    record.do("hand_noted", seat="ada", cards=["Comet", "Wave", "Fern", "Ember"])
    record.play_out(1, 2)
    odds = none_of(record)
    assert odds.probability is not None
    assert "you have not noted where each of your cards lies" in odds.reason


def test_the_hardest_table_has_its_number() -> None:
    """Five players at the finale, all cards placed: the most zones, cards and symbols possible."""
    record = Record(FIVE, example_deck())
    for _ in range(4):
        record.do("deal")
        record.do("round_end")
    record.do("deal")
    names = [card.name for card in record.state.deck.fireworks]
    first = record.round.turn or ""
    record.do("hand_noted", seat=first, cards=names[:4])
    for turn in range(20):
        record.place(turn % 4 + 1)
        if turn % 5 == 0:
            record.do("place_noted", seat=first, zone=turn % 4 + 1, card=names[turn // 5])
    odds = none_of(record, first)
    assert odds.probability is not None
    assert 0 < odds.probability < 1
