"""Reminders in the prompt: new cards from the second round on, cards that leave, whose match it was."""

from __future__ import annotations

import pytest

from tests.games.panic_fire.playing import Record, begun

CLEARS = "blue's cards leave the table."
ASKS = "Who had a match? Press m: once red, twice blue, three times both."
LAYS = "red clears the set and lays 4 new cards."


def unsaid(record: Record) -> list[str]:
    return [*record.view.unsaid_matches]


def test_pf2_the_first_round_has_a_checklist_and_the_others_are_dealt_anew() -> None:
    record = Record()
    assert record.awaiting == 'On "fire!" press Enter. Round 1 of 6.'
    for number in range(2, 7):
        record.win("red")
        dealer = ("blue", "green", "red")[number % 3 - 2]
        text = f'{dealer} shuffles and deals 8 each. On "fire!" press Enter. Round {number} of 6.'
        assert record.awaiting.startswith(text)
    record.win("red")
    assert "deal" not in record.awaiting, "the game is over"


def test_pf_r4_piles_that_go_on_are_not_shuffled() -> None:
    record = Record(next_round_deck="continue_piles")
    record.win("red")
    assert record.awaiting.startswith("blue deals 8 new cards each.")


def test_pf18_sudden_death_is_dealt_too() -> None:
    record = Record("red blue")
    for winner in ("red", "blue") * 3:
        record.win(winner)
    assert record.awaiting.startswith("red shuffles and deals 8 each. On")
    assert "Sudden death" in record.awaiting


def test_pf13_and_pf14_an_elimination_clears_cards_and_asks_whose_match_it_was() -> None:
    record = begun()
    record.shoot("red", "blue")
    assert record.awaiting == f"{ASKS} {CLEARS}"


@pytest.mark.parametrize(("basis", "lays"), [("shooter", True), ("both", True), ("target", False)])
def test_pf14_the_answer_says_who_lays_a_new_set(basis: str, lays: bool) -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis=basis)
    assert record.awaiting.endswith(f"{CLEARS} {LAYS}" if lays else CLEARS)
    assert ASKS not in record.awaiting


def test_pf14_the_key_that_the_question_names_goes_through_the_answers() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.press("match")
    assert record.awaiting.endswith(f"{CLEARS} {LAYS}")


def test_pf11_an_illegal_shot_clears_the_shooters_cards_and_asks_for_no_match() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.awaiting.endswith("red's cards leave the table.")
    assert ASKS not in record.awaiting


def test_pf12_a_shield_clears_nothing() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue", present=True)
    record.shoot("red", "blue")
    assert "leave" not in record.awaiting
    assert ASKS not in record.awaiting


def test_pf_r7_where_a_blocked_match_is_cleared_the_target_lays_the_new_set() -> None:
    record = begun(blocked_match="cleared")
    record.do("shield_in_play", seat="blue", present=True)
    record.shoot("red", "blue")
    assert record.awaiting.startswith(ASKS)
    record.do("match", basis="target")
    assert record.awaiting.endswith("blue clears the set and lays 4 new cards.")


def test_pf14_nobody_lays_a_set_after_the_shot_that_ends_the_round() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    assert ASKS not in record.awaiting


def test_the_next_shot_takes_the_place_of_the_one_before() -> None:
    record = begun("red blue green ann")
    record.shoot("red", "blue")
    record.do("shot")
    assert "blue" not in record.awaiting
    assert record.awaiting.startswith("Who was hit?")


def test_pf14_an_earlier_match_that_nobody_said_stays_named() -> None:
    record = begun("red blue green ann bo")
    record.shoot("red", "blue")
    assert unsaid(record) == [], "the prompt asks about it"
    record.do("shot")
    assert unsaid(record) == ["red shot blue"], "now it asks about the next shot"
    record.do("target", seat="green")
    record.do("shooter", seat="ann")
    record.do("match", basis="shooter")
    assert unsaid(record) == ["red shot blue"]


def test_pf14_an_earlier_match_that_was_said_is_not_named() -> None:
    record = begun("red blue green ann bo")
    record.shoot("red", "blue")
    record.do("match", basis="target")
    record.do("shot")
    assert unsaid(record) == []


def test_pf_r1_a_new_pile_that_was_counted_settles_the_matches_before_it() -> None:
    record = begun("red blue green ann")
    record.shoot("red", "blue")
    record.do("reshuffle", cards=40)
    record.do("shot")
    assert unsaid(record) == []


def test_pf17_no_match_is_missing_once_the_round_is_over() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.shoot("red", "green")
    assert unsaid(record) == []
