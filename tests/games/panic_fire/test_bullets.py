"""PF-17: six Bullet cards, won, set by hand, or given back."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.panic_fire.rules.standings import bullets, champion
from companion.rules.common import ScoreSet
from companion.rules.facts import Fact, Refused
from tests.games.panic_fire.playing import GAME, Record, begun, setup
from tests.games.panic_fire.test_winning import played
from tests.games.random_play import steps
from tests.thorough import examples

WHY = "the record of the first half was lost"


def given_by_hand(held: dict[str, int], seats: str = "red blue green", **options: str) -> Record:
    record = Record(seats, **options)
    for seat, score in held.items():
        record.do("score_set", seat=seat, score=score, reason=WHY)
    return record


def says(record: Record, kind: str, **body: Any) -> str:
    return GAME.describe(record.state, GAME.parse(kind, body))


def test_pf17_bullets_given_by_hand_count_among_the_six() -> None:
    record = given_by_hand({"red": 2, "blue": 1})
    assert record.awaiting.endswith("Round 4 of 6.")
    for winner in ("red", "green", "green"):
        record.win(winner)
    assert record.champion == "red"
    record.refuses("fire", "PF-17")


def test_pf17_six_bullets_given_by_hand_before_any_round_end_the_game() -> None:
    record = given_by_hand({"red": 4, "blue": 2})
    assert (record.view.phase, record.champion) == ("finished", "red")
    assert record.awaiting == "red is champion. The game is over."
    assert GAME.over(record.state)
    record.refuses("fire", "PF-17")


def test_pf18_a_tie_by_hand_leads_to_sudden_death() -> None:
    record = given_by_hand({"red": 3, "blue": 3})
    assert record.view.phase == "ready"
    record.do("fire")
    assert (record.view.sudden_death, record.round.players) == (True, ("red", "blue"))
    record.shoot("red", "blue")
    assert record.champion == "red"


def test_pf18_a_tie_that_the_table_makes_after_a_sudden_death_is_not_decided_by_it() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue", "red")
    assert record.champion == "red"
    record.do("score_set", seat="red", score=0, reason="miscounted")
    record.do("score_set", seat="green", score=3, reason="miscounted")
    assert record.champion is None
    record.do("fire")
    assert record.round.players == ("blue", "green")


def test_pf17_most_bullets_win_over_a_sudden_death_that_was_played_for_a_tie_that_was_none() -> (
    None
):
    record = played("red", "blue", "red", "blue", "red", "blue", "blue")
    record.do("score_set", seat="blue", score=2, reason="miscounted")
    record.do("score_set", seat="red", score=4, reason="miscounted")
    assert record.champion == "red"


@pytest.mark.parametrize(("seat", "score", "most"), [("red", 7, 6), ("red", 100, 6)])
def test_pf17_a_seventh_bullet_is_refused(seat: str, score: int, most: int) -> None:
    refusal = Record().refuses("score_set", "PF-17", seat=seat, score=score, reason=WHY)
    assert refusal.expected == f"a number from 0 to {most}"


def test_pf17_a_seat_that_is_not_at_the_table_is_named_before_its_number() -> None:
    Record().refuses("score_set", "SEATS", seat="pink", score=7, reason=WHY)


def test_pf17_six_and_six_are_refused_with_how_many_are_left() -> None:
    record = given_by_hand({"red": 4})
    refusal = record.refuses("score_set", "PF-17", seat="blue", score=3, reason=WHY)
    assert (
        refusal.spoken(["blue"]) == "blue cannot have 3 Bullet cards. Choose a number from 0 to 2."
    )
    record.do("score_set", seat="blue", score=2, reason=WHY)


def test_pf17_the_bullet_of_the_running_round_is_not_given_away_by_hand() -> None:
    record = given_by_hand({"red": 4})
    record.do("fire")
    record.refuses("score_set", "PF-17", seat="blue", score=2, reason=WHY)
    record.do("score_set", seat="blue", score=1, reason=WHY)
    record.shoot("green", "red")
    record.shoot("green", "blue")
    assert record.bullets == {"red": 4, "blue": 1, "green": 1}


def test_pf17_a_negative_score_is_refused() -> None:
    Record().refuses("score_set", "PF-17", seat="red", score=-1, reason=WHY)


def test_pf17_a_bullet_that_was_set_to_another_seat_does_not_come_back_a_second_time() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    record.do("score_set", seat="red", score=0, reason="blue's by right")
    record.refuses("shield_hand", "PF-17")
    assert record.bullets["red"] == 0


def test_pf17_a_round_is_not_given_back_once_all_six_are_set_by_hand() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    record.do("override", seat="red", status="out")
    record.do("score_set", seat="blue", score=6, reason=WHY)
    record.refuses("override", "PF-17", seat="red", status="in")


def test_pf17_six_rounds_that_ended_for_nobody_leave_six_bullets_to_play_for() -> None:
    record = Record(no_survivor="table")
    for _ in range(6):
        record.do("fire")
        record.do("round_end")
    assert 'On "fire!" press Enter. Round 1 of 6.' in record.awaiting
    record.win("red")
    assert record.bullets["red"] == 1
    assert record.champion is None


def test_pf17_a_score_set_lower_puts_bullets_back_that_are_played_for_again() -> None:
    record = played(*["red"] * 6)
    record.do("score_set", seat="red", score=5, reason="the last shot was illegal after all")
    assert record.champion is None
    record.win("blue")
    assert record.champion == "red"


@settings(max_examples=examples(4, 40))
@given(st.integers(0, 2**32))
def test_pf17_no_more_than_six_and_none_below_zero_whatever_the_table_sets(seed: int) -> None:
    rng, record = random.Random(seed), Record("red blue green")
    for _ in range(60):
        facts = [*GAME.legal(record.state), *_table_words(record, rng)]
        try:
            record.enter(rng.choice(facts))
        except Refused:
            continue
        held = bullets(record.state)
        assert min(held.values()) >= 0
        assert sum(held.values()) <= 6
        assert champion(record.state) is None or sum(held.values()) == 6


def _table_words(record: Record, rng: random.Random) -> list[Fact]:
    seat = rng.choice(("red", "blue", "green"))
    return [
        ScoreSet(seat=seat, score=rng.randint(0, 7), reason=WHY),
        GAME.parse("override", {"seat": seat, "status": rng.choice(("in", "out"))}),
        GAME.parse("round_end", {"seat": seat}),
    ] * 3


# -- what is said


def test_pf17_the_shot_that_decides_the_game_still_says_who_took_its_bullet() -> None:
    record = played("red", "red", "red", "blue", "blue")
    record.do("fire")
    record.shoot("green", "red")
    record.do("shot")
    record.do("target", seat="blue")
    text = says(record, "shooter", seat="green")
    assert text.endswith("; green takes a Bullet card (PF-17); red is champion (PF-17)")


def test_pf18_sudden_death_gives_no_bullet_and_says_who_survived_it() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue")
    record.do("fire")
    record.do("shot")
    record.do("target", seat="red")
    text = says(record, "shooter", seat="blue")
    assert text.endswith("; blue survives and is champion (PF-18)")
    assert "Bullet" not in text


def test_pf17_bullets_set_by_hand_that_end_the_game_say_who_is_champion() -> None:
    record = given_by_hand({"red": 4})
    assert says(record, "score_set", seat="blue", score=2, reason=WHY).endswith(
        "; red is champion (PF-17)"
    )


def test_pf17_a_shield_that_opens_the_round_again_says_that_the_bullet_goes_back() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    text = says(record, "shield_hand")
    assert text.endswith("; red puts the Bullet card back, the round goes on (PF-17)")


def test_pf17_a_shield_that_opens_the_last_round_again_says_that_the_game_goes_on() -> None:
    record = played(*["red"] * 6)
    text = says(record, "shield_hand")
    assert text.endswith("; red puts the Bullet card back, the round goes on (PF-17)")
    record.do("shield_hand")
    assert record.champion is None


def test_pf18_a_shield_that_opens_sudden_death_again_speaks_of_no_bullet() -> None:
    record = played("red", "blue", "red", "blue", "red", "blue", "blue")
    text = says(record, "shield_hand")
    assert text.endswith("; sudden death goes on (PF-18)")
    assert "Bullet" not in text


def test_pf17_a_round_that_changes_its_winner_says_who_gives_the_bullet_to_whom() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    assert says(record, "illegal").endswith("; blue takes the Bullet card from red (PF-17)")


def test_pf17_a_draw_between_says_nothing_of_bullets() -> None:
    record = begun()
    assert says(record, "draw", seat="red") == "red draws"


def test_pf17_random_play_ends_with_all_six_taken() -> None:
    *_, last = steps(GAME, setup(), random.Random(5))
    assert sum(bullets(last[3]).values()) == 6
