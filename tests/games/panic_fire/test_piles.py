"""PF-R1 and PF-R4: what the piles can give, and how large a new one can be."""

from __future__ import annotations

import pytest

from tests.games.panic_fire.playing import GAME, Record, begun
from tests.games.panic_fire.test_rulings import drawn_empty


def piles(cards: int, seats: str = "red blue green", **options: str) -> Record:
    """Return a round with that many cards in the piles, at a table that plays on without a new one."""
    removed = str(106 - 8 * len(seats.split()) - cards)
    return begun(seats, removed_shields=removed, pile_exhausted="play_on", **options)


def test_pf_r1_play_on_refuses_draws_from_empty_piles() -> None:
    record = drawn_empty(pile_exhausted="play_on")
    assert record.refuses("draw", "PF-R1", seat="red").reason == "the piles are empty"
    record.refuses("reshuffle", "PF-R1")


def test_pf_r1_play_on_refuses_a_stalemate_draw_of_more_than_are_left() -> None:
    record = piles(2)
    assert (
        record.refuses("stalemate_draw", "PF-R1").reason
        == "that takes 3 cards, and the piles have 2"
    )
    record.do("draw", seat="red")
    record.do("draw", seat="red")
    record.refuses("stalemate_draw", "PF-R1")


def test_pf_r1_play_on_allows_a_stalemate_draw_of_exactly_what_is_left() -> None:
    record = piles(3)
    record.do("stalemate_draw")
    assert record.cards == (0, 0)


def test_pf_r1_play_on_refuses_a_new_set_that_the_piles_do_not_have() -> None:
    record = piles(3)
    record.shoot("red", "blue")
    assert record.cards == (0, 3), "nobody said who held the match"
    assert (
        record.refuses("match", "PF-R1", basis="shooter").reason
        == "that takes 4 cards, and the piles have 3"
    )
    record.do("match", basis="target")
    assert record.cards == (3, 3)


def test_pf_r1_play_on_lays_a_new_set_of_exactly_what_is_left() -> None:
    record = piles(4)
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    assert record.cards == (0, 0)


def test_pf_r1_play_on_refuses_the_name_that_would_lay_cards_that_are_not_there() -> None:
    record = piles(0)
    record.do("shot")
    record.do("match", basis="shooter")
    record.do("target", seat="blue")
    record.refuses("shooter", "PF-R1", seat="red")
    record.press("reshuffle")
    record.do("shooter", seat="red")
    assert record.alive == {"red", "green"}


def test_pf_r1_the_new_set_of_a_shot_named_after_a_new_pile_comes_from_that_pile() -> None:
    record = piles(0)
    record.do("shot")
    record.do("match", basis="shooter")
    record.do("target", seat="blue")
    record.do("reshuffle", cards=10, reason="said at the table")
    record.do("shooter", seat="red")
    assert record.cards == (6, 6)


def test_pf_r1_the_new_set_of_a_shot_named_before_a_new_pile_does_not() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    record.do("reshuffle", cards=20)
    assert record.cards == (20, 20)


def test_pf_r1_play_on_refuses_the_card_that_replaces_a_shield() -> None:
    record = piles(0, shield_discard_draws="yes")
    record.shoot("red", "blue")
    record.refuses("shield_hand", "PF-R1")


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 106 - 24),
        ({"removed_shields": "10"}, 96 - 24),
        ({"pile_exhausted": "play_on"}, 106 - 12),
    ],
)
def test_pf_r1_a_new_pile_is_no_larger_than_what_nobody_holds(
    options: dict[str, str], most: int
) -> None:
    record = begun(**options)
    refusal = record.refuses("reshuffle", "PF-R1", cards=most + 1, reason="said at the table")
    assert refusal.do == f"It can have {most} at most."
    record.do("reshuffle", cards=most, reason="said at the table")


def test_pf13_the_cards_of_who_is_out_may_be_in_a_new_pile() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.refuses("reshuffle", "PF-R1", cards=106 - 15)
    record.do("reshuffle", cards=106 - 16)


@pytest.mark.parametrize(("replaced", "most"), [("no", 83), ("yes", 82)])
def test_pf_r6_a_shield_spent_from_the_hand_may_be_in_a_new_pile(replaced: str, most: int) -> None:
    record = begun(shield_discard_draws=replaced)
    record.shoot("red", "blue")
    record.do("shield_hand")
    record.refuses("reshuffle", "PF-R1", cards=most + 1)
    record.do("reshuffle", cards=most)


@pytest.mark.parametrize(("drawn", "left"), [(58, (0, 0)), (59, None), (57, (1, 1))])
def test_pf_r4_piles_exactly_enough_to_deal_are_dealt_to_the_last_card(
    drawn: int, left: tuple[int, int] | None
) -> None:
    record = begun("red blue", next_round_deck="continue_piles", removed_shields="16")
    for _ in range(drawn):
        record.do("draw", seat="red")
    record.shoot("red", "blue")
    record.do("fire")
    assert record.cards == left


@pytest.mark.parametrize("exhausted", ["reshuffle", "play_on"])
def test_pf_r4_piles_that_may_be_too_small_to_deal_are_unknown(exhausted: str) -> None:
    rules = {
        "next_round_deck": "continue_piles",
        "removed_shields": "56",
        "pile_exhausted": exhausted,
    }
    record = begun("red blue green", **rules)
    record.shoot("red", "blue")
    record.shoot("red", "green")
    assert record.cards == (22, 26)
    record.do("fire")
    assert record.cards is None


def test_pf16_in_a_stalemate_a_shield_has_to_be_played_and_that_is_said() -> None:
    record = begun()
    text = GAME.describe(record.state, GAME.parse("stalemate_draw", {}))
    assert (
        text == "stalemate: everyone still in draws one card; play a Shield if you have one (PF-16)"
    )
    record.do("stalemate_draw")
    assert record.awaiting.startswith("Stalemate: play a Shield if you have one.")
    record.do("draw", seat="red")
    assert record.awaiting.startswith("To draw, press"), (
        "somebody could play, so the stalemate is over"
    )


def test_pf_r4_piles_that_are_a_range_are_dealt_from_as_a_range() -> None:
    record = begun("red blue green", next_round_deck="continue_piles")
    record.shoot("red", "blue")
    record.shoot("red", "green")
    record.do("fire")
    assert record.cards == (78 - 24, 82 - 24)
