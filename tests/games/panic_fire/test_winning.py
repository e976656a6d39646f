"""PF-17 and PF-18: Bullet cards, six rounds, sudden death."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.panic_fire.rules import standings
from companion.games.panic_fire.rules.model import ROUNDS, Round
from companion.games.panic_fire.rules.standings import bullets
from companion.rules.facts import Refused
from companion.rules.house_rules import Options
from tests.games.panic_fire.playing import GAME, Record, begun, setup
from tests.games.random_play import steps
from tests.thorough import examples


def played(*winners: str, seats: str = "red blue green", **options: str) -> Record:
    record = Record(seats, **options)
    for winner in winners:
        record.win(winner)
    return record


def test_pf17_the_last_player_standing_takes_one_bullet() -> None:
    record = played("blue")
    assert record.bullets == {"red": 0, "blue": 1, "green": 0}
    assert record.view.seats[1].status == "winner"


def test_pf17_an_illegal_last_shot_gives_the_bullet_to_the_target() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.outcome.winner == "blue"


def test_pf17_most_bullets_after_six_rounds_is_champion() -> None:
    record = played("red", "blue", "red", "green", "red", "blue")
    assert record.champion == "red"
    assert record.bullets == {"red": 3, "blue": 2, "green": 1}
    assert record.view.phase == "finished"


def test_pf17_there_is_no_champion_before_the_sixth_round() -> None:
    assert played(*["red"] * 5).champion is None


def test_pf17_no_round_after_the_end() -> None:
    played(*["red"] * 6).refuses("fire", "PF-17")


@pytest.mark.parametrize("kind", ["shot", "knock", "stalemate_draw", "reshuffle"])
def test_pf17_nothing_happens_between_rounds(kind: str) -> None:
    played("red").refuses(kind, "PF-17")


def test_pf17_a_round_reopens_when_its_last_elimination_is_taken_back() -> None:
    record = played("red")
    record.do("shield_hand")
    assert record.outcome.status == "open"
    assert record.bullets["red"] == 0
    record.do("draw", seat="green")


def test_pf17_after_the_next_fire_the_round_before_stands() -> None:
    record = played("red")
    record.do("fire")
    record.refuses("shield_hand", "PF-12")
    assert record.bullets["red"] == 1


def test_pf17_the_score_is_never_more_than_the_rounds_played() -> None:
    record = played("red", "blue")
    assert sum(record.bullets.values()) == 2


def test_pf18_a_tie_leads_to_sudden_death_of_the_tied_alone() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue")
    assert record.champion is None
    assert "Sudden death" in record.awaiting
    record.do("fire")
    assert record.view.sudden_death
    assert record.round.players == ("red", "blue")
    assert record.cards == (90, 90)
    assert [seat.status for seat in record.view.seats] == ["in", "in", "out"]


def test_pf18_the_survivor_is_champion_and_takes_no_bullet() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue", "blue")
    assert record.champion == "blue"
    assert record.bullets == {"red": 3, "blue": 3, "green": 0}
    record.refuses("fire", "PF-17")


def test_pf18_who_is_not_tied_neither_draws_nor_is_named() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue")
    record.do("fire")
    record.refuses("draw", "PF-18", seat="green")
    record.do("shot")
    record.refuses("target", "PF-18", seat="green")


def test_pf18_a_three_way_tie_is_played_by_three() -> None:
    record = played("red", "blue", "green", "red", "blue", "green")
    record.do("fire")
    assert record.round.players == ("red", "blue", "green")


def test_pf18_a_sudden_death_without_survivor_is_played_again() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue", no_survivor="table")
    record.do("fire")
    record.do("override", seat="red", status="out")
    record.do("override", seat="blue", status="out")
    assert record.outcome.status == "replay"
    record.do("fire")
    assert record.view.sudden_death
    assert record.round.players == ("red", "blue")


def test_pf18_a_sudden_death_that_the_table_ends_speaks_of_no_bullet_card() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue", seats="red blue")
    record.do("fire")
    record.press("nobody")
    assert record.awaiting.endswith("Nobody wins the sudden death, the round is played again.")


def test_pf17_no_single_key_takes_the_bullet_card_of_a_won_round_back() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    with pytest.raises(Refused, match="the round is over, red has won it"):
        record.press("nobody")
    record.do("round_end")
    assert record.outcome.winner is None, "but as a correction the table can say it"


def test_pf18_taking_the_last_shot_of_sudden_death_back_takes_the_champion_back() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue", "blue")
    record.do("illegal")
    assert record.champion == "red"


def test_the_table_may_end_a_round_and_name_who_takes_the_bullet() -> None:
    record = begun()
    record.do("round_end", seat="green", reason="dinner")
    assert record.outcome.winner == "green"
    record.do("fire")
    assert record.round.number == 2


def test_pf17_after_the_game_nothing_promises_a_further_round() -> None:
    record = played(*["red"] * 6)
    assert record.refuses("draw", "PF-17", seat="red").do == "Start a new game, or undo to play on."
    assert record.awaiting == "red takes a Bullet card and is champion. The game is over."


def test_pf18_who_plays_sudden_death_is_said_before_it_begins() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue")
    assert (
        'On "fire!" press Enter. Sudden death: red and blue are tied and play.' in record.awaiting
    )


def test_pf17_replayed_rounds_never_count_among_the_six() -> None:
    record = Record("red blue")
    for _ in range(8):
        record.do("fire")
        record.do("round_end")
    record.win("red")
    assert (record.round.number, record.bullets["red"]) == (1, 1)


@settings(max_examples=examples(3, 25))
@given(st.integers(0, 2**32))
def test_pf17_at_most_six_bullets_are_taken_however_it_is_played(seed: int) -> None:
    for _, _, _, after in steps(GAME, setup(), random.Random(seed)):
        assert 0 <= sum(bullets(after).values()) <= ROUNDS


@pytest.mark.parametrize("seats", ["red blue", "red blue green"])
def test_pf17_fire_is_refused_while_several_are_in_and_they_are_named(seats: str) -> None:
    refusal = begun(seats).refuses("fire", "PF-17")
    assert refusal.reason == f"the round is not over, still in: {', '.join(seats.split())}"


def test_however_many_rounds_were_played_a_fact_asks_for_the_outcome_of_no_more_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, outcome = [], standings.outcome

    def counted(played: Round, options: Options) -> standings.Outcome:
        asked.append(played)
        return outcome(played, options)

    monkeypatch.setattr(standings, "outcome", counted)
    record, calls = Record("red blue"), []
    for _ in range(40):
        asked.clear()
        record.do("fire")
        calls.append(len(asked))
        record.do("round_end")
    assert calls[5] == calls[-1]
