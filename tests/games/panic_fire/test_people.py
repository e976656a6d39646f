"""PF-T1 to PF-T4: somebody leaves, joins, returns, or hands the seat over."""

from __future__ import annotations

import pytest

from companion.rules.actions import by_key, without_keys
from companion.rules.gestures import Gesture, GestureKind
from tests.games.gestures import Ignored, meant
from tests.games.panic_fire.playing import GAME, Record, at, begun
from tests.games.panic_fire.test_winning import played


def statuses(record: Record) -> dict[str, str]:
    return {seat.id: seat.status for seat in record.view.seats}


def tap(zone: int) -> Gesture:
    return Gesture(GestureKind.TAP, f"zone-{zone}", 5_000_000, "board-1", 0, (9,))


def hold(zone: int) -> Gesture:
    return Gesture(GestureKind.HOLD, f"zone-{zone}", 5_000_000, "board-1", 0, (9,))


def test_pf_t1_who_leaves_is_out_of_the_running_round_and_nobody_is_credited() -> None:
    record = begun()
    record.do("seat_leaves", seat="blue")
    assert record.alive == {"red", "green"}
    assert statuses(record) == {"red": "in", "blue": "left", "green": "in"}
    assert all(seat.kills == 0 for seat in record.view.seats)
    record.refuses("draw", "PF-T1", seat="blue")
    record.refuses("shield_in_play", "PF-T1", seat="blue")
    record.refuses("override", "PF-T1", seat="blue", status="in")


def test_pf_t1_the_last_one_in_takes_the_bullet_when_the_other_leaves() -> None:
    record = begun("red blue")
    record.do("seat_leaves", seat="blue", reason="the last train")
    assert record.bullets == {"red": 1, "blue": 0}
    assert record.outcome.winner == "red"


def test_pf_t1_who_has_won_the_round_keeps_it_when_leaving() -> None:
    record = played("blue")
    record.do("seat_leaves", seat="blue")
    assert record.bullets["blue"] == 1
    assert record.outcome.winner == "blue"


def test_pf_t1_both_of_the_last_two_leave_and_the_second_has_won() -> None:
    record = begun("red blue")
    record.do("seat_leaves", seat="red")
    record.do("seat_leaves", seat="blue")
    assert record.outcome.winner == "blue"


def test_pf_t1_a_shield_that_opens_the_round_again_does_not_bring_back_who_left_since() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.shoot("red", "green")
    record.do("seat_leaves", seat="green")
    record.do("shield_hand")
    assert record.alive == {"red"}
    assert record.outcome.winner == "red"


def test_pf_t1_a_shot_fired_before_somebody_left_can_still_name_them() -> None:
    record = begun("red blue green yellow")
    record.do("shot")
    record.do("seat_leaves", seat="blue")
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.alive == {"green", "yellow"}
    assert record.view.kill_matrix[1][0] == 1


def test_pf_t1_a_shot_fired_after_somebody_left_cannot_name_them() -> None:
    record = begun()
    record.do("seat_leaves", seat="blue")
    record.do("shot")
    record.refuses("target", "PF-13", seat="blue")


def test_pf_t1_who_has_left_is_dealt_no_cards() -> None:
    record = played("red")
    record.do("seat_leaves", seat="blue")
    record.do("fire")
    assert record.round.players == ("red", "green")
    assert record.cards == (106 - 16, 106 - 16)
    record.refuses("draw", "PF-T1", seat="blue")


@pytest.mark.parametrize(
    ("rule", "dealer"),
    [("rotates_left", "green"), ("fixed", "red"), ("last_winner", "red")],
    ids=str,
)
def test_pf_t1_the_office_of_dealer_passes_over_who_left(rule: str, dealer: str) -> None:
    record = played("red", dealer=rule)
    record.do("seat_leaves", seat="blue")
    record.do("fire")
    assert record.round.dealer == dealer


@pytest.mark.parametrize(
    ("rule", "dealer"),
    [("rotates_left", "blue"), ("fixed", "blue"), ("last_winner", "blue")],
    ids=str,
)
def test_pf_t1_a_dealer_who_leaves_is_followed_by_the_next(rule: str, dealer: str) -> None:
    record = played("red", dealer=rule)
    record.do("seat_leaves", seat="red")
    record.do("fire")
    assert record.round.dealer == dealer


def test_pf_t1_nobody_leaves_twice_and_nobody_leaves_who_never_came() -> None:
    record = begun()
    record.do("seat_leaves", seat="blue")
    record.refuses("seat_leaves", "SEATS", seat="blue")
    record.refuses("seat_leaves", "SEATS", seat="pink")


def test_pf_t1_the_keys_and_zones_of_the_others_stay_where_they_are() -> None:
    record = begun()
    before = by_key(GAME.actions(record.state.setup))
    record.do("seat_leaves", seat="blue")
    assert by_key(GAME.actions(record.state.setup)) == before
    answer = meant(GAME, record.state, tap(3))
    assert not isinstance(answer, Ignored)
    assert answer.model_dump()["seat"] == "green"
    ignored = meant(GAME, record.state, tap(2))
    assert ignored == Ignored("blue has left the game", "PF-T1")
    assert "To draw, press 1 red, 3 green." in record.awaiting


def test_pf_t2_who_has_left_cannot_become_champion() -> None:
    record = played("red", "red", "red", "blue", "blue")
    record.do("seat_leaves", seat="red")
    record.win("green")
    assert record.bullets == {"red": 3, "blue": 2, "green": 1}
    assert record.champion == "blue"


def test_pf_t2_of_the_tied_only_those_in_the_game_play_sudden_death() -> None:
    record = played("red", "blue", "green", "red", "blue", "green")
    record.do("seat_leaves", seat="red")
    assert "blue and green are tied and play." in record.awaiting.casefold()
    record.do("fire")
    assert record.round.players == ("blue", "green")


def test_pf_t2_the_last_of_the_tied_in_the_game_is_champion_at_once() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue")
    record.do("seat_leaves", seat="red")
    assert record.champion == "blue"


def test_pf_t2_who_leaves_in_sudden_death_leaves_it_to_the_other() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue")
    record.do("fire")
    record.do("seat_leaves", seat="red")
    assert record.champion == "blue"


def test_pf_t2_a_sudden_death_given_to_who_left_makes_nobody_champion_but_the_next_best() -> None:
    record = played("red", "blue", "green", "red", "blue", "green")
    record.do("fire")
    record.do("seat_leaves", seat="red")
    record.do("round_end", seat="red")
    assert record.champion is None
    record.do("fire")
    assert record.round.players == ("blue", "green")


def test_pf_t2_after_the_game_nobody_leaves_and_nobody_joins() -> None:
    record = played(*["red"] * 6)
    record.refuses("seat_leaves", "PF-17", seat="red")
    record.refuses("seat_joins", "PF-17", name="Ada")
    record.do("seat_changes", seat="red", name="Ada")
    assert record.champion == "red"


def test_pf_t3_who_joins_plays_from_the_next_fire_on_without_bullets() -> None:
    record = begun()
    record.do("seat_joins", name="Ada")
    assert statuses(record)["ada"] == "next"
    record.refuses("draw", "PF-T3", seat="ada")
    record.shoot("red", "blue")
    record.shoot("red", "green")
    record.do("fire")
    assert record.round.players == ("red", "blue", "green", "ada")
    assert record.bullets == {"red": 1, "blue": 0, "green": 0, "ada": 0}
    record.do("draw", seat="ada")


def test_pf_t3_who_joins_before_the_first_round_plays_in_it() -> None:
    record = Record("red blue")
    record.do("seat_joins", name="Ada")
    record.do("fire")
    assert record.round.players == ("red", "blue", "ada")


def test_pf_t3_who_joins_in_between_deals_in_their_turn_and_has_the_next_column() -> None:
    record = played("red")
    before = by_key(GAME.actions(record.state.setup))
    record.do("seat_joins", name="Ada", left_of="red")
    after = by_key(GAME.actions(record.state.setup))
    assert [seat.id for seat in record.state.setup.seats] == ["red", "ada", "blue", "green"]
    assert [seat.id for seat in record.view.seats] == ["red", "blue", "green", "ada"]
    assert {key: after[key].help for key in ("1", "2", "3", "q", "w", "e")} == {
        key: before[key].help for key in ("1", "2", "3", "q", "w", "e")
    }
    assert after["4"].help == "Ada draws a card (PF-9)."
    record.do("fire")
    assert record.round.dealer == "ada"
    record.press("draw.4")
    assert record.round.tally("ada").draws == 1
    answer = meant(GAME, record.state, tap(4))
    assert not isinstance(answer, Ignored)
    assert answer.model_dump()["seat"] == "ada"


def test_pf_t3_who_comes_back_has_the_old_seat_and_its_bullets_from_the_next_fire_on() -> None:
    record = played("blue")
    record.do("fire")
    record.do("seat_leaves", seat="blue")
    record.do("seat_joins", name=" BLUE ")
    assert statuses(record)["blue"] == "out"
    record.refuses("draw", "PF-13", seat="blue")
    record.shoot("red", "green")
    record.do("fire")
    assert record.alive == {"red", "blue", "green"}
    assert record.bullets["blue"] == 1


def test_pf_t3_a_sixth_seat_is_refused_also_when_somebody_has_left() -> None:
    record = begun("red blue green yellow purple")
    record.do("seat_leaves", seat="blue")
    refusal = record.refuses("seat_joins", "SEATS", name="Ada")
    assert refusal.do == "Join as the player who left, or rename that seat first."


def test_pf_t3_a_new_person_takes_over_a_seat_that_was_left() -> None:
    record = played("blue", seats="red blue green yellow purple")
    record.do("seat_leaves", seat="blue")
    record.do("seat_changes", seat="blue", name="Ada")
    record.do("seat_joins", name="Ada")
    record.do("fire")
    assert "blue" in record.round.players
    assert record.state.name("blue") == "Ada"
    assert record.bullets["blue"] == 1


def test_pf_t3_another_name_at_a_seat_changes_its_initial_and_nothing_else() -> None:
    record = begun()
    before = record.view.seats[1]
    record.do("seat_changes", seat="blue", name=" Ada ")
    now = record.view.seats[1]
    assert (now.id, now.name, now.initial) == ("blue", "Ada", "A")
    assert (now.color, now.glyph, now.status) == (before.color, before.glyph, before.status)
    record.refuses("seat_changes", "SEATS", seat="blue", name="Ada")
    record.refuses("seat_changes", "SEATS", seat="blue", name="Red")
    record.refuses("seat_changes", "SEATS", seat="blue", name="\x1b[2J")


def test_pf_t3_nobody_joins_under_a_name_at_the_table_or_behind_nobody() -> None:
    record = begun()
    record.refuses("seat_joins", "SEATS", name="red")
    record.refuses("seat_joins", "SEATS", name="  ")
    record.refuses("seat_joins", "SEATS", name="Ada", left_of="pink")


def test_pf_t3_nobody_joins_where_too_few_cards_are_left_to_deal() -> None:
    record = Record("red blue", removed_shields="90")
    record.refuses("seat_joins", "PF-1", name="Ada")


def test_pf_t4_with_fewer_than_two_in_the_game_there_is_no_fire() -> None:
    record = played("red", seats="red blue")
    record.do("seat_leaves", seat="blue")
    record.refuses("fire", "PF-T4")
    assert record.awaiting.startswith(
        "Somebody has to join: press F6. Fewer than two players are in."
    )
    assert without_keys(GAME.awaiting(record.state)).startswith(
        "Somebody has to join. Fewer than two players are in."
    )
    assert meant(GAME, record.state, hold(1)) == Ignored("fewer than two seats play", "PF-T4")
    record.do("seat_joins", name="Ada")
    record.do("fire")
    assert record.round.players == ("red", "ada")


def test_pf_t4_a_game_that_everybody_left_still_has_its_words() -> None:
    record = played("red", seats="red blue")
    record.do("seat_leaves", seat="blue")
    record.do("seat_leaves", seat="red")
    assert "Somebody has to join" in record.awaiting
    assert (
        GAME.summary(record.state)[0] == "red: 1 Bullet card, 1 elimination, 0 draws, left the game"
    )


def test_pf_t1_what_is_said_of_somebody_leaving_says_what_follows() -> None:
    record = begun("red blue")
    fact = GAME.parse("seat_leaves", {"seat": "blue", "reason": "the last train"})
    assert GAME.describe(record.state, fact) == (
        "blue leaves the game: the last train; red takes a Bullet card (PF-17)"
    )


def test_pf_t1_a_leaver_taken_back_is_in_again() -> None:
    record = begun()
    leaving = record.do("seat_leaves", seat="blue", when=at(7))
    record.do("draw", seat="red")
    record.void(leaving)
    assert record.alive == {"red", "blue", "green"}
