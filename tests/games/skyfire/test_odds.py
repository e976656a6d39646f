"""Exact odds, against every deal counted one by one (SF-6, SF-T7)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.skyfire.panels import own
from companion.games.skyfire.rules.known import Odds, OddsAsked, work_out
from companion.games.skyfire.rules.layouts import Kind, Pile, Places, Unseen
from companion.games.skyfire.rules.odds import ContradictionError, chances
from companion.games.skyfire.rules.view import OwnView, SkyFireView
from tests.games.skyfire.playing import FIVE, FOUR, GAME, THREE, Record, begun, example_deck
from tests.thorough import examples

SYMBOLS = ("a", "b", "c")
kinds = st.tuples(
    st.lists(st.sampled_from(SYMBOLS), max_size=2).map(lambda found: tuple(sorted(found))),
    st.sampled_from("xy"),
)


def enough(target: Sequence[str], symbols: Sequence[str], *, once: bool) -> bool:
    shown, needed = Counter(symbols), Counter(set(target) if once else target)
    return all(shown[symbol] >= count for symbol, count in needed.items())


def unseen(pile: Pile, target: Sequence[str], *, once: bool, zones: int) -> Unseen:
    """Return zones of one part each, without known cards."""
    parts = tuple((zone,) for zone in range(zones))
    return Unseen(tuple(sorted(target)), once, ((),) * len(pile.parts), parts, (pile,))


def share(worlds: Iterator[bool]) -> Fraction:
    """Return the share of the worlds for which this holds."""
    fitting = list(worlds)
    return Fraction(sum(fitting), len(fitting))


# -- one source of cards: every way to lay them out


@settings(max_examples=examples(60, 400))
@given(
    st.lists(kinds, min_size=1, max_size=6),
    st.lists(st.sampled_from(["here", "elsewhere", "blind", "hidden"]), max_size=6),
    st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=4),
    st.booleans(),
)
def test_the_odds_are_the_share_of_all_deals_that_fit_what_is_in_sight(
    cards: list[Kind], places: list[str], target: list[str], once: bool
) -> None:
    places = (places + ["hidden"] * len(cards))[: len(cards)]
    sight = {
        place: card[1] for place, card in enumerate(cards) if places[place] in ("here", "elsewhere")
    }
    worlds = (
        enough(
            target,
            [
                symbol
                for card, place in zip(deal, places, strict=True)
                if place in ("here", "blind")
                for symbol in card[0]
            ],
            once=once,
        )
        for deal in permutations(cards)
        if all(deal[place][1] == back for place, back in sight.items())
    )
    here, elsewhere = (
        tuple(card[1] for card, place in zip(cards, places, strict=True) if place == wanted)
        for wanted in ("here", "elsewhere")
    )
    pile = Pile(
        tuple(Counter(cards).items()), (Places(here, places.count("blind")), Places(elsewhere))
    )
    assert chances(unseen(pile, target, once=once, zones=1)).zones == (share(worlds),)


def test_backs_that_no_card_has_are_a_contradiction() -> None:
    pile = Pile((((("a",), "x"), 2),), (Places(("y",)),))
    with pytest.raises(ContradictionError, match="back 'y' in sight"):
        chances(unseen(pile, "a", once=False, zones=1))


def test_more_cards_than_there_are_is_a_contradiction() -> None:
    with pytest.raises(ContradictionError, match="more cards lie there"):
        chances(unseen(Pile((((("a",), "x"), 2),), (Places((), 3),)), "a", once=False, zones=1))


TWO_BACKS: list[Kind] = [
    (("a",), "x"),
    (("b",), "x"),
    (("a",), "y"),
    (("b",), "y"),
    (("a",), "z"),
    (("b",), "z"),
]


@pytest.mark.parametrize(
    ("target", "share_of_deals"),
    [("aa", Fraction(1, 2)), ("aaa", Fraction(1, 8)), ("aab", Fraction(3, 8))],
)
def test_cards_with_different_backs_in_one_zone_add_up_to_a_symbol_shown_twice(
    target: str, share_of_deals: Fraction
) -> None:
    pile = Pile(tuple((kind, 1) for kind in TWO_BACKS), (Places(("x", "y", "z")), Places((), 3)))
    found = chances(unseen(pile, target, once=False, zones=2))
    assert found.zones[0] == share_of_deals


# -- a whole round: what a seat noted, what was entered, what was turned up


class Dealt:
    """A round of three with a random deck of twelve: the true cards, and what is entered of them."""

    def __init__(self, rng: random.Random, *, once: bool) -> None:
        self.rng, self.once = rng, once
        self.cards = [(f"card {n}", *self._kind()) for n in range(12)]
        self.target = [rng.choice(SYMBOLS) for _ in range(rng.randint(1, 3))]
        options = {"satisfies": "set"} if once else {}
        self.record = begun(THREE, small_box(self.cards), **options)
        self.record.do("target", card="+".join(self.target))
        deal = rng.sample(self.cards, 12)
        self.hands = {
            seat: deal[4 * place : 4 * place + 4] for place, seat in enumerate(THREE.split())
        }
        self.zones: list[list[tuple[str, Any]]] = [[], []]  # who placed what
        self.noted: list[Any] | None = None
        self.since: list[tuple[int, int]] = []  # ada's cards placed after the note
        self.own_known: set[tuple[int, int]] = set()
        self.revealed, self.failed = [0, 0], [0, 0]
        self.backs: dict[tuple[int, int], str] = {}

    def _kind(self) -> tuple[tuple[str, ...], str]:
        return tuple(
            self.rng.choice(SYMBOLS) for _ in range(self.rng.randint(0, 2))
        ), self.rng.choice("xy")

    def note(self) -> None:
        self.noted = list(self.hands["ada"])
        self.record.do("hand_noted", seat="ada", cards=[card[0] for card in self.noted])

    def place(self) -> None:
        seat = self.record.round.turn or ""
        zone, card = self.rng.randrange(2), self.hands[seat].pop()
        slot = (zone, len(self.zones[zone]))
        self.zones[zone].append((seat, card))
        self.record.do("place", zone=zone + 1)
        if seat == "ada" and self.noted is not None:
            self.since.append(slot)

    def note_places(self) -> None:
        """Note the first of the cards that Ada placed."""
        for zone, place in list(self.since)[: self.rng.randint(0, 2)]:
            own = [other for other in range(place) if self.zones[zone][other][0] == "ada"]
            if all((zone, other) in self.own_known for other in own):
                self.record.do(
                    "place_noted", seat="ada", zone=zone + 1, card=self.zones[zone][place][1][0]
                )
                self.own_known.add((zone, place))

    def enter_backs(self) -> None:
        for zone, cards in enumerate(self.zones):
            seen = [card[2] if self.rng.random() < 0.5 else "?" for _, card in cards]
            self.record.do("backs", zone=zone + 1, backs=seen)
            self.backs |= {(zone, place): back for place, back in enumerate(seen) if back != "?"}

    def fail(self, *, entered: bool) -> None:
        """Launch a zone that fails, if there is one; its faces are entered, or not."""
        for zone, cards in enumerate(self.zones):
            if cards and not self.enough(card for _, card in cards) and self.rng.random() < 0.5:
                self.record.do("launch", zone=zone + 1)
                if entered:
                    shown = [card[0] for _, card in self.rng.sample(cards, len(cards))]
                    self.record.do("revealed", zone=zone + 1, cards=shown)
                    self.revealed[zone] = len(cards)
                else:
                    self.record.do("satisfied", satisfied=False)
                    self.failed[zone] = len(cards)
                return

    def enough(self, cards: Iterable[Any]) -> bool:
        return enough(self.target, [symbol for card in cards for symbol in card[1]], once=self.once)

    def brute(self, *, public: bool) -> list[Fraction]:
        """Of all worlds that fit, the shares in which zone 1 satisfies the target, zone 2, and none of them: cards that
        are known stay; ada's in places she did not note go round among themselves and her hand, all others among all
        other places."""
        fixed: list[tuple[tuple[int, int], Any]] = []
        own_slots: list[tuple[int, int]] = []
        slots: list[tuple[int, int]] = []
        for z, cards in enumerate(self.zones):
            for place, (_, card) in enumerate(cards):
                where = (z, place)
                if place < self.revealed[z] or (where in self.own_known and not public):
                    fixed.append((where, card))
                else:
                    (own_slots if where in self.since and not public else slots).append(where)
        noted = [] if public else self.noted or []
        out = {card for _, card in fixed} | set(noted)
        pool = [card for card in self.cards if card not in out]
        own = [card for card in noted if card not in {card for _, card in fixed}]
        worlds = []
        for a, b in product(self._layouts(own, own_slots), self._layouts(pool, slots)):
            world = dict([*fixed, *a, *b])
            if not any(self._satisfied(world, zone, self.failed[zone]) for zone in (0, 1)):
                worlds.append(
                    [self._satisfied(world, zone, len(self.zones[zone])) for zone in (0, 1)]
                )
        return [
            *(share(iter([found[zone] for found in worlds])) for zone in (0, 1)),
            share(not any(w) for w in worlds),
        ]

    def _satisfied(self, world: Mapping[tuple[int, int], Any], zone: int, cards: int) -> bool:
        return self.enough(world[zone, place] for place in range(cards))

    def _layouts(
        self, cards: Sequence[Any], slots: Sequence[tuple[int, int]]
    ) -> Iterator[list[Any]]:
        for chosen in permutations(cards, len(slots)):
            if all(
                self.backs.get(slot, card[2]) == card[2]
                for slot, card in zip(slots, chosen, strict=True)
            ):
                yield list(zip(slots, chosen, strict=True))


def small_box(cards: Sequence[tuple[str, Sequence[str], str]]) -> Mapping[str, Any]:
    stated = {"status": "example", "source": "made up"}
    return {
        "fireworks": [
            {"name": name, "symbols": list(symbols), "back": back, **stated}
            for name, symbols, back in cards
        ]
    }


@settings(max_examples=examples(40, 400))
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_odds_are_the_share_of_all_deals_that_fit_what_is_known(
    seed: int, once: bool, entered: bool
) -> None:
    rng = random.Random(seed)
    dealt = Dealt(rng, once=once)
    before, noted_at = rng.randint(0, 3), rng.randint(0, 2)
    for step in range(before + 1):
        if step == noted_at:
            dealt.note()
        if step < before:
            dealt.place()
    if dealt.noted is None:
        dealt.note()
    dealt.note_places()
    if not entered or not set(dealt.since) - dealt.own_known:
        dealt.fail(entered=entered)
        if dealt.record.round.turn is not None:
            dealt.place()
    if dealt.record.round.result is not None:
        return
    dealt.enter_backs()
    assert [odds.probability for odds in own_odds(dealt.record)] == dealt.brute(public=False)
    assert [odds.probability for odds in public_odds(dealt.record)] == dealt.brute(public=True)


# -- by hand


def own_odds(record: Record, seat: str = "ada") -> tuple[Odds, ...]:
    own = record_view(record, seat).own
    assert own is not None
    assert own.odds is not None
    return work_out(own.odds)


def public_odds(record: Record) -> tuple[Odds, ...]:
    asked = record.view.odds
    assert asked is not None
    return work_out(asked)


def record_view(record: Record, seat: str) -> SkyFireView:
    view: SkyFireView = GAME.view(record.state, seat)
    return view


def garden(seats: str = THREE) -> Record:
    """Return the example deck with one red as the target: 6 of its 12 cards without white show one."""
    record = begun(seats, example_deck())
    record.do("target", card="red")
    return record


RED_HAND = ("Comet", "Ember", "Poppy", "Ruby")


def test_one_unseen_card_shows_the_symbol_as_often_as_the_rest_of_the_deck() -> None:
    record = garden()
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    record.do("turn", seat="bo")
    record.place(1)
    assert own_odds(record)[0].probability == Fraction(2, 8), "Iris and Beetle among the 8 others"


def test_an_empty_zone_satisfies_nothing() -> None:
    record = garden()
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    assert [odds.probability for odds in own_odds(record)] == [0, 0, 1]


def test_the_own_card_in_a_zone_is_certain_once_noted() -> None:
    record = garden()
    record.do("hand_noted", seat="ada", cards=("Comet", "Wave", "Lagoon", "Fern"))
    record.place(1)
    loose = own_odds(record)[0]
    assert loose.probability == Fraction(1, 4)
    assert "not noted which of your cards" in loose.reason
    record.do("place_noted", seat="ada", zone=1, card="Comet")
    assert own_odds(record)[0] == Odds(1, Fraction(1))


def test_a_new_note_of_the_hand_says_what_was_placed_since() -> None:
    record = garden()
    record.do("hand_noted", seat="ada", cards=("Comet", "Wave", "Lagoon", "Fern"))
    record.place(1)
    record.do("hand_noted", seat="ada", cards=("Comet", "Wave", "Fern"))
    assert own_odds(record)[0].probability == 0, "Lagoon lies there"
    own = record_view(record, "ada").own
    assert own is not None
    assert own.placed == (((1,), ("Lagoon (blue+blue)",)),)


def test_sf6_a_back_in_sight_changes_the_odds() -> None:
    record = garden()
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    record.do("turn", seat="bo")
    record.place(1)
    record.do("backs", zone=1, backs=["rocket"])
    assert own_odds(record)[0].probability == Fraction(2, 5), "Iris and Beetle of five rockets"
    record.do("backs", zone=1, backs=["fountain"])
    assert own_odds(record)[0].probability == 0


def test_sf7_backs_of_the_cards_left_over_change_the_odds() -> None:
    record = garden(FOUR)
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    record.do("turn", seat="bo")
    record.place(1)
    assert own_odds(record)[0].probability == Fraction(4, 16), "Iris, Beetle, Candle, Opal"
    record.do("backs", zone=0, backs=["fountain"] * 4)
    assert own_odds(record)[0].probability == (3 + Fraction(3, 7)) / 12, (
        "9 rockets and 3 of 7 fountains"
    )


def test_sf7_one_back_seen_of_those_left_over_counts_and_the_others_may_be_any() -> None:
    record = garden(FOUR)
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    record.do("turn", seat="bo")
    record.place(1)
    record.do("backs", zone=0, backs=["fountain", "?"])
    assert own_odds(record)[0].probability == (3 + Fraction(6, 7)) / 15, (
        "9 rockets and 6 of 7 fountains"
    )


def test_sf_r1_cards_of_a_failed_launch_are_known_to_everybody() -> None:
    record = begun(THREE, example_deck())
    record.do("target", card="red+red+red")
    record.do("hand_noted", seat="ada", cards=("Wave", "Lagoon", "Fern", "Willow"))
    record.do("turn", seat="bo")
    record.place(1, 1)
    record.do("launch", zone=1)
    record.do("satisfied", satisfied=False)
    assert own_odds(record)[0] == Odds(1, Fraction(0)), "everybody has seen it fail as it is"
    record.place(1)
    # reds of the others' cards
    twos = [red for red in combinations([1, 2, 1, 1, 1, 1, 0, 0], 2) if sum(red) < 3]
    assert len(twos) == 28 - 5
    threes = sum(
        sum(cards) >= 3 for cards in permutations([1, 2, 1, 1, 1, 1, 0, 0], 3) if sum(cards[:2]) < 3
    )
    assert own_odds(record)[0].probability == Fraction(threes, 2 * len(twos) * 6), (
        "the first two are no three reds"
    )
    record.do("revealed", zone=1, cards=["Comet", "Iris"])
    assert own_odds(record)[0].probability == Fraction(4, 6), "Ember, Poppy, Ruby, Beetle of six"


def test_sf_r4_hands_laid_open_are_out_of_the_question() -> None:
    record = begun(THREE, example_deck(), eliminated_hand="shown")
    record.do("target", card="red")
    record.do("hand_noted", seat="ada", cards=("Wave", "Lagoon", "Fern", "Willow"))
    record.launch(1, satisfied=False)
    record.do("hand_shown", seat="ada", cards=("Wave", "Lagoon", "Fern", "Willow"))
    record.launch(1, satisfied=False)
    record.do("hand_shown", seat="bo", cards=("Comet", "Ember", "Poppy", "Ruby"))
    record.place(2)
    assert own_odds(record)[1].probability == Fraction(2, 4)


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        (("Comet", "Comet", "Wave", "Fern"), "more often than the component file says"),
        (("blue+blue+blue", "Comet", "Wave", "Fern"), "no card in play by the component file"),
    ],
)
def test_a_note_the_component_file_contradicts_gives_no_odds_and_says_why(
    cards: tuple[str, ...], why: str
) -> None:
    record = begun(THREE, example_deck())
    record.do("target", card="red")
    record.do("hand_noted", seat="ada", cards=cards)
    record.place(1)
    assert why in own_odds(record)[0].reason
    assert own_odds(record)[0].probability is None


def test_of_a_symbol_on_cards_with_different_backs_the_name_is_asked_where_a_back_is_in_sight() -> (
    None
):
    record = begun(FOUR, example_deck())
    record.do("target", card="red")
    record.do("hand_noted", seat="ada", cards=("white+red", "Comet", "Wave", "Fern"))
    record.place(1)
    assert own_odds(record)[0].probability == Fraction(1, 2), "its back is out of sight"
    record.do("backs", zone=1, backs=["rocket"])
    assert own_odds(record)[0].reason.startswith(
        "several cards show red+white, with different backs: enter"
    )


def test_sf8_without_the_targets_symbols_there_are_no_odds() -> None:
    record = begun(THREE, example_deck())
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    record.place(1)
    assert own_odds(record)[0] == Odds(1, None, "the symbols of the target are not entered (SF-8)")
    assert own_odds(record)[1].probability == 0


def test_sf6_with_unknown_faces_there_are_no_odds_and_the_reason_says_why() -> None:
    record = begun(FIVE)
    record.do("target", card="star")
    record.do("hand_noted", seat="ada", cards=("star", "ring", "moon", "moon"))
    record.place(1)
    assert own_odds(record)[0].probability is None
    assert own_odds(record)[0].reason.startswith("symbols unknown")


def test_backs_that_contradict_the_deck_give_no_odds_and_say_why() -> None:
    record = garden()
    record.do("hand_noted", seat="ada", cards=RED_HAND)
    record.do("turn", seat="bo")
    record.place(1)
    record.do("backs", zone=1, backs=["moonlight"], reason="a card of another box")
    assert "the backs entered do not fit the cards" in own_odds(record)[0].reason


def test_sf2_a_white_card_is_in_no_hand_of_three_and_the_refusal_does_not_name_it() -> None:
    refusal = garden().refuses(
        "hand_noted", "SF-2", seat="ada", cards=("Comet", "Frost", "Wave", "Fern")
    )
    assert refusal.reason == "card 2 of the note is out of play with 3 players"


def test_a_phone_never_shows_a_small_chance_as_none_at_all() -> None:
    found = (
        Odds(1, Fraction(1, 4000)),
        Odds(2, Fraction(3999, 4000)),
        Odds(3, Fraction(0)),
        Odds(0, Fraction(1)),
    )
    zones = [SimpleNamespace(number=number, cards=()) for number in (1, 2, 3)]
    secrets: Any = SimpleNamespace(
        own=OwnView(None, (), OddsAsked(found, None)),
        zones=zones,
        seats=(),
        backs_missing=0,
        target=SimpleNamespace(text="red"),
        phase="open",
        example=False,
    )
    odds = [row[:2] for row in own(secrets, "ada")[1].rows]
    assert odds[:2] == [("Zone 1", "0.1 %  1/4000"), ("Zone 2", "99.9 %  3999/4000")]
    assert odds[2:] == [("Zone 3", "0 %"), ("No zone", "100 %")]
