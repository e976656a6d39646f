"""Cards typed in short are read as the component file and the players call them (SF-6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.games.skyfire.rules.deck import deck_for, read_faces
from companion.games.skyfire.rules.note_form import backs_of, note_lines, shorthand
from companion.rules.components import packaged
from companion.rules.facts import Refused
from companion.rules.typed_facts import from_words
from tests.games.skyfire.playing import (
    FOUR,
    GAME,
    THREE,
    begun,
    example_box,
    example_deck,
    published_deck,
    setup,
    unknown_deck,
)

PUBLISHED = shorthand(deck_for(packaged("skyfire"), 4).fireworks)
EXAMPLE = shorthand(deck_for(example_box(), 4).fireworks)
UNKNOWN = shorthand(deck_for(packaged("skyfire", 2), 4).fireworks, ["red+blue", "gold"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("com", "Comet"),
        ("COMET", "Comet"),
        ("red", "red"),
        ("rrb", "red+red+blue"),
        ("r+red+b", "red+red+blue"),
        ("ree", "Reed"),
        ("bb", "blue+blue"),
    ],
)
def test_sf6_the_beginning_of_a_name_or_the_first_letters_of_symbols_are_enough(
    typed: str, meant: str
) -> None:
    assert EXAMPLE.word(typed) == meant


@pytest.mark.parametrize(
    ("typed", "reason"),
    [("r", "can mean Reed or Ruby or red"), ("xyz", "is no card"), ("", "nothing between")],
)
def test_sf6_what_is_not_clear_is_asked_about(typed: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        EXAMPLE.word(typed)


def test_sf6_where_nobody_knows_the_cards_words_stay_as_they_are_and_symbols_seen_before_are_enough_begun() -> (
    None
):
    assert UNKNOWN.word("Comet") == "comet"
    assert UNKNOWN.word("g") == "gold"
    assert UNKNOWN.word("rbg") == "red+blue+gold"
    assert UNKNOWN.word("red+silver") == "red+silver"


@pytest.mark.parametrize("typed", ["xyz", "redx", "12"])
def test_sf6_a_mistyped_card_of_two_letters_is_answered_as_the_forms_ask_for_it(typed: str) -> None:
    how = "Type two letters, the face first, or its name."
    with pytest.raises(Refused) as refused:
        PUBLISHED.word(typed)
    assert refused.value.do == how
    record = begun(FOUR, published_deck())
    record.place(1)
    record.do("launch", zone=1)
    assert record.refuses("revealed", "SF-6", zone=1, cards=[typed]).do == how


def test_sf6_several_cards_stand_with_commas_between() -> None:
    assert EXAMPLE.words("com, rrb ,wav,") == ["Comet", "red+red+blue", "Wave"]
    assert EXAMPLE.words("  ") == []
    with pytest.raises(Refused, match="nothing between two commas"):
        EXAMPLE.words("com,,wav")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("rb", "red of red-blue"), ("br", "blue of red-blue"), ("WY", "white of yellow-white"), ("r", "red"),
     ("yel", "yellow"), ("red of red-b", "red of red-blue")],
)  # fmt: skip
def test_sf6_a_card_is_typed_in_two_letters_the_face_first(typed: str, meant: str) -> None:
    assert PUBLISHED.word(typed) == meant


def test_sf6_cards_in_letters_need_no_commas() -> None:
    assert (
        PUBLISHED.words("rb br,")
        == PUBLISHED.words("rb, br")
        == ["red of red-blue", "blue of red-blue"]
    )
    assert EXAMPLE.words("comet, ember") == ["Comet", "Ember"]


def test_sf6_letters_of_a_card_that_is_out_of_play_mean_that_card_and_the_rules_refuse_it() -> None:
    record = begun(THREE, published_deck())
    deck = record.view.deck
    assert shorthand(deck.fireworks, (), deck.out).word("rw") == "red of red-white"
    record.place(1)
    record.do("launch", zone=1)
    record.refuses("revealed", "SF-2", zone=1, cards=["rw"])


@pytest.mark.parametrize("typed", ["rb", "br", "red-blue", "blue red", "Red  Blue"])
def test_sf6_of_a_back_both_orders_mean_the_same(typed: str) -> None:
    record = begun(FOUR, published_deck())
    record.do("place", zone=1, back=typed)
    record.place(1)
    record.do("backs", zone=1, backs=["?", typed])
    record.do("backs", zone=0, backs=["gw"])
    assert [card.back for card in record.view.zones[0].cards] == [None, "red blue"]
    assert record.view.left_over_backs[0] == "green white"
    assert backs_of(record.view).words("rb br ?") == ["red blue", "red blue", "?"]


def test_sf6_in_a_transcript_cards_and_targets_are_named_in_letters() -> None:
    record = begun(FOUR, published_deck())
    assert record.says("target", card="gyr") == "the target is red-yellow-green (SF-8)"
    assert record.says("place", zone=1, back="br").endswith("now 1 card, back red blue")
    record.place(1)
    record.do("launch", zone=1)
    text = record.says("revealed", zone=1, cards=["rb", "br"])
    assert text.startswith("zone 1 shows red of red-blue, blue of red-blue (SF-11)")


def test_sf6_each_of_the_twenty_cards_has_letters_of_its_own() -> None:
    deck = deck_for(packaged("skyfire"), 4)
    assert len({card.letters for card in deck.fireworks}) == 20
    for card in deck.fireworks:
        assert [face.name for face in read_faces([card.letters], deck.fireworks, deck.out)] == [
            card.name
        ]


def test_sf6_an_odd_deck_has_letters_only_where_they_are_clear() -> None:
    stated = {"status": "confirmed", "source": "a copy"}
    rows = [
        {"name": "a", "symbols": ["red"], "back": "red blue", **stated},
        {"name": "b", "symbols": ["red"], "back": "red blue", **stated},
        {"name": "c", "symbols": ["blue"], "back": "red blue", **stated},
        {"name": "d", "symbols": ["green"], "back": "green gold", **stated},
        {"name": "e", "symbols": ["gold", "red"], "back": "moon", **stated},
    ]
    deck = begun(FOUR, {"fireworks": rows}).state.deck
    assert [card.letters for card in deck.fireworks] == ["", "", "br", "", ""]
    assert not any(card.letters for card in begun(FOUR, example_deck()).state.deck.fireworks)


def test_sf6_a_card_may_not_be_placed_with_a_back_that_no_card_left_has() -> None:
    record = begun(FOUR, published_deck())
    record.do("place", zone=1, back="rb")
    record.do("place", zone=2, back="rb")
    assert record.refuses("place", "SF-6", zone=1, back="br").do.startswith(
        "Place it without its back"
    )
    assert record.counts == [1, 1, 0]


@pytest.mark.parametrize(
    ("seats", "typed", "reason", "colors"),
    [
        (FOUR, "xy", "no card has the back 'xy'", "red, yellow, green, blue and white"),
        (THREE, "rw", "cards with the back 'red white' are out of play with 3 players", "red, yellow, green and blue"),
    ],
)  # fmt: skip
def test_sf6_a_mistyped_back_is_answered_with_the_colors_that_backs_have(
    seats: str, typed: str, reason: str, colors: str
) -> None:
    refusal = begun(seats, published_deck()).refuses("place", "SF-6", zone=1, back=typed)
    assert refusal.reason == reason
    assert refusal.do == f"A back has two of {colors}. Or place the card without a back."


def test_sf6_backs_that_nobody_entered_are_counted_until_they_or_the_cards_are() -> None:
    record = begun(FOUR, published_deck())
    assert record.view.backs_missing == 4, "left over"
    record.do("place", zone=1, back="rb")
    record.place(1, 1)
    assert record.view.backs_missing == 6
    record.do("backs", zone=0, backs=["gw", "gw", "yb", "yb"])
    assert record.view.backs_missing == 2
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["rb", "red", "gy"])
    assert record.view.backs_missing == 1, "which red one it is, nobody said"


def test_sf6_version_2_of_the_rules_knows_no_letters() -> None:
    older = replace(setup(FOUR, published_deck()), rules_version=2)
    assert not any(card.letters or card.row for card in GAME.start(older).deck.fireworks)


def test_sf6_a_seat_types_two_letters_on_its_phone_and_behind_its_curtain() -> None:
    record = begun(FOUR, published_deck())
    record.do("place", zone=2)
    hand, placed = note_lines(record.view, "ada")
    assert "two letters each, face first: yr is yellow on a red-yellow back" in hand.takes
    noted = hand.read({"cards": "rb br gw"})
    assert noted["cards"] == ["red of red-blue", "blue of red-blue", "green of green-white"]
    assert placed.read({"card": "wy"})["card"] == "white of yellow-white"


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("rb rb gw", False),
        ("red, red, red, red of red-blue", True),
        ("red, red, red, red, red of red-blue", False),
        ("r r r r r", False),
        ("rb br gw wg", True),
    ],
)
def test_sf6_a_hand_that_nobody_can_hold_is_refused_when_it_is_noted(
    typed: str, there: bool
) -> None:
    hand, *_ = note_lines(begun(FOUR, published_deck()).view, "ada")
    if there:
        assert hand.read({"cards": typed})["seat"] == "ada"
        return
    with pytest.raises(Refused, match="Look at your cards again") as refused:
        hand.read({"cards": typed})
    assert not any(color in refused.value.spoken() for color in ("red", "green", "blue", "white"))


def test_sf6_a_card_that_lies_open_is_in_nobodys_hand_unless_the_table_says_that_it_is_there_twice() -> (
    None
):
    record = begun(FOUR, published_deck())
    record.do("place", zone=1, back="rb")
    record.do("place", zone=1, back="rb")
    record.do("launch", zone=1)
    record.do("revealed", zone=1, cards=["rb", "br"])
    hand, *_ = note_lines(record.view, "cleo")
    assert hand.read({"cards": "gw wg"})["cards"] == [
        "green of green-white",
        "white of green-white",
    ]
    with pytest.raises(Refused, match="lies elsewhere"):
        hand.read({"cards": "rb gw"})


def test_sf6_of_cards_that_nobody_knows_any_hand_can_be_noted() -> None:
    hand, *_ = note_lines(begun(FOUR).view, "ada")
    assert hand.read({"cards": "comet, comet, comet, comet"})["cards"] == ["comet"] * 4


@pytest.mark.parametrize(
    "typed", ["ryg", "gry", "red-yellow-green", "'Red-Yellow-Green'", "'green yellow red'"]
)
def test_a_target_is_recorded_by_its_name_however_it_is_typed(typed: str) -> None:
    published = setup(THREE, published_deck())
    assert from_words(GAME, published, f"target {typed}")[1] == {"card": "red-yellow-green"}


@pytest.mark.parametrize(
    ("seats", "typed", "says"),
    [
        (THREE, "rg", "No target has exactly the colors green and red. "
                      "Type red-yellow-green or red-green-blue."),
        (FOUR, "rrr", "No target has exactly the colors red. "
                      "Type the colors of the target on top, such as red-yellow-green."),
        (THREE, "comet", "'comet' is no target of this game. "
                         "Type red-yellow-green, red-yellow-blue, red-green-blue or yellow-green-blue."),
    ],
)  # fmt: skip
def test_sf8_a_target_that_the_box_does_not_have_is_refused_with_those_most_like_it(
    seats: str, typed: str, says: str
) -> None:
    with pytest.raises(Refused) as refused:
        from_words(GAME, setup(seats, published_deck()), f"target {typed}")
    assert refused.value.spoken() == says


def test_sf8_a_target_that_is_out_of_play_is_known_as_one_in_any_order_of_its_colors() -> None:
    published = setup(THREE, published_deck())
    body = from_words(GAME, published, "target 'red white blue'")[1]
    refusal = begun(THREE, published_deck()).refuses("target", "SF-2", **body)
    assert refusal.reason == "'red-blue-white' is out of play with 3 players"


def test_sf8_the_finale_is_the_target_of_the_final_round_alone() -> None:
    record = begun(FOUR, published_deck())
    assert record.refuses("target", "SF-8", card="finale for four or five").reason == (
        "that is the finale, the target of round 5"
    )
    for _ in range(4):
        record.do("round_end")
        record.do("deal")
    refusal = record.refuses("target", "SF-8", card="red-yellow-green")
    assert refusal.spoken() == "This round is played for the finale. Leave the target as it is."


def _without_one_target(cards: dict[str, Any]) -> dict[str, Any]:
    return {**cards, "target": cards["target"][1:]}


def _one_unsure(cards: dict[str, Any]) -> dict[str, Any]:
    return {**cards, "target": [{**cards["target"][0], "status": "provisional"}, *cards["target"][1:]]}  # fmt: skip


@pytest.mark.parametrize("unsure", [_without_one_target, _one_unsure, lambda _: unknown_deck()])
def test_sf8_while_a_target_of_the_box_is_not_certain_any_may_be_entered(
    unsure: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    asked = setup(THREE, unsure(published_deck()))
    assert from_words(GAME, asked, "target red+green")[1] == {"card": "red+green"}


def test_sf8_a_record_with_a_target_that_nobody_has_stays_as_it_was_played() -> None:
    record = begun(THREE, published_deck())
    assert record.says("target", card="red+green") == "the target is green+red (SF-8)"
