"""PF-5 to PF-9 and PF-16: the call, draws, Shields in play, stalemates, cards left."""

from __future__ import annotations

import pytest

from companion.rules.facts import Refused
from tests.games.panic_fire.playing import Record, at, begun


def test_pf5_fire_opens_the_first_round_with_everybody_in() -> None:
    record = begun()
    assert record.alive == {"red", "blue", "green"}
    assert (record.round.number, record.outcome.status) == (1, "open")


def test_pf5_fire_is_time_zero() -> None:
    record = Record()
    record.do("fire", when=at(500))
    assert record.view.fire == at(500)


@pytest.mark.parametrize(
    "kind", ["shot", "dry_pull", "knock", "illegal", "match", "shield_hand", "stalemate_draw"]
)
def test_pf5_nothing_happens_before_fire(kind: str) -> None:
    Record().refuses(kind, "PF-5", **({"basis": "both"} if kind == "match" else {}))


def test_pf5_no_draw_before_fire() -> None:
    Record().refuses("draw", "PF-5", seat="red")


def test_pf17_no_second_fire_while_the_round_is_open() -> None:
    assert "red, blue, green" in begun().refuses("fire", "PF-17").reason


def test_pf9_each_draw_takes_one_card_and_is_counted_for_its_seat() -> None:
    record = begun()
    for seat in ("red", "red", "blue"):
        record.do("draw", seat=seat)
    assert record.cards == (79, 79)
    assert [seat.draws for seat in record.view.seats] == [2, 1, 0]


def test_pf9_the_last_draw_keeps_its_moment() -> None:
    record = begun()
    record.do("draw", when=at(1_000), seat="red")
    record.do("draw", when=at(3_000), seat="red")
    assert record.view.seats[0].last_draw == at(3_000)


def test_pf9_a_draw_stays_a_draw_while_a_shot_is_open() -> None:
    record = begun()
    record.do("shot")
    record.do("draw", seat="red")
    assert record.view.seats[0].draws == 1
    assert len(record.view.open_shots) == 1


def test_pf2_a_seat_nobody_sits_at_cannot_draw() -> None:
    assert "red, blue or green" in begun().refuses("draw", "PF-2", seat="pink").expected


def test_pf6_an_opening_shield_is_in_play() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    assert [seat.shield for seat in record.view.seats] == [False, True, False]


def test_pf6_the_replacement_is_the_tapped_draw_not_the_shield() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    assert record.cards == (82, 82)
    record.do("draw", seat="blue")
    assert record.cards == (81, 81)


def test_pf6_at_most_one_shield_in_play() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    record.refuses("shield_in_play", "PF-6", seat="blue")


def test_pf6_a_shield_marked_by_mistake_is_taken_back_and_may_come_again() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    record.do("shield_in_play", seat="blue", present=False)
    assert not record.view.seats[1].shield
    record.do("shield_in_play", seat="blue")
    assert record.view.seats[1].shield


def test_pf6_no_shield_cannot_be_lost() -> None:
    begun().refuses("shield_in_play", "PF-6", seat="blue", present=False)


def test_pf13_an_eliminated_seat_lays_no_shield() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.refuses("shield_in_play", "PF-13", seat="blue")


def test_pf16_everyone_still_in_draws_one_card_each_time() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="target")
    record.do("stalemate_draw")
    record.do("stalemate_draw")
    assert [seat.draws for seat in record.view.seats] == [2, 0, 2]
    assert record.cards == (78, 78)


def test_pf16_a_shield_spent_before_may_be_followed_by_one_from_hand_after_a_stalemate() -> None:
    record = begun(shield_from_hand="only_when_shot")
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    record.refuses("shield_in_play", "PF-R6", seat="blue")
    record.do("stalemate_draw")
    record.do("shield_in_play", seat="blue")
    assert record.view.seats[1].shield


def test_pf7_and_pf8_ask_nothing_of_the_companion_so_plays_are_seen_as_draws_only() -> None:
    record = begun("red blue")
    record.do("draw", seat="red")
    assert record.outcome.status == "open"
    assert record.view.seats[0].draws == 1


@pytest.mark.parametrize("kind", ["draw", "shot", "dry_pull", "knock", "stalemate_draw"])
def test_pf5_what_was_stamped_before_fire_is_no_part_of_the_round_however_late_it_is_told(
    kind: str,
) -> None:
    record = Record()
    record.do("fire", when=at(10_000_000))
    body = {"seat": "red"} if kind == "draw" else {}
    with pytest.raises(Refused, match=r"PF-5: that was 8\.000 s before fire!"):
        record.do(kind, when=at(2_000_000), **body)
    record.do(kind, when=at(2_000_000, clock="board-2"), **body)  # another clock: nobody can know
    record.do(kind, when=at(10_000_000), **body)
