"""PF-T5 and PF-T6: the stopped clock, and Bullet cards set by hand."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.panic_fire.rules.model import ROUNDS
from companion.rules.actions import with_keys
from companion.rules.facts import Moment, Refused
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.pauses import Span
from tests.games.gestures import Ignored, meant
from tests.games.panic_fire.playing import GAME, Record, at, begun
from tests.games.panic_fire.test_winning import played

S = 1_000_000


def tap(us: int) -> Gesture:
    return Gesture(GestureKind.TAP, "zone-1", us, "board-1", 0, (9,))


def paused_at(us: int, pm: int = 0) -> Record:
    record = begun()
    record.do("draw", seat="red", when=at(2 * S))
    record.do("pause", when=at(us, pm=pm))
    return record


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("draw", {"seat": "red"}),
        ("shot", {}),
        ("dry_pull", {}),
        ("knock", {}),
        ("stalemate_draw", {}),
    ],
)
def test_pf_t5_what_hands_do_in_a_pause_is_refused(kind: str, body: dict[str, Any]) -> None:
    record = paused_at(5 * S)
    record.refuses(kind, "PAUSE", **body)
    record.do("unpause", when=at(9 * S))
    record.do(kind, **body)


def test_pf_t5_the_line_of_a_pause_says_what_does_not_count_and_rulings_do() -> None:
    record = begun()
    said = record.say(record.fact("pause", at(5 * S)))
    assert said == "paused: the clock is stopped, draws and shots do not count"
    record.do("shield_in_play", seat="red")


def test_pf_t5_there_is_no_fire_in_a_pause() -> None:
    record = Record()
    record.do("pause")
    record.refuses("fire", "PAUSE")
    assert not GAME.hold_means(record.state, "zone-1")
    record.do("unpause")
    record.do("fire")


@pytest.mark.parametrize("action", ["name.1", "illegal", "hand", "promote", "mend"])
def test_pf_t5_no_refusal_in_a_pause_asks_for_a_key_that_means_nothing_then(action: str) -> None:
    for record in (paused_at(5 * S), Record()):
        if record.state.current is None:
            record.do("pause")
        with pytest.raises(Refused) as refused:
            GAME.pressed(record.state, f"panic-fire.{action}")
        do = with_keys(refused.value.spoken())
        assert "Space" not in do
        assert "Enter" not in do


def test_pf_t5_a_gesture_in_a_pause_is_ignored_with_the_reason() -> None:
    record = paused_at(5 * S)
    answer = meant(GAME, record.state, tap(6 * S))
    assert answer == Ignored("the game is paused", "PAUSE")


def test_pf_t5_what_was_stamped_before_the_pause_counts_however_late_it_is_told() -> None:
    record = paused_at(5 * S)
    assert not isinstance(meant(GAME, record.state, tap(5 * S - 1)), Ignored)
    record.do("draw", seat="red", when=at(5 * S - 1))
    assert record.round.tally("red").draws == 2


def test_pf_t5_what_was_stamped_in_a_pause_does_not_count_when_it_is_told_after_it() -> None:
    record = paused_at(5 * S)
    record.do("unpause", when=at(9 * S))
    answer = meant(GAME, record.state, tap(9 * S - 1))
    assert isinstance(answer, Ignored)
    assert answer.clause == "PAUSE"
    assert not isinstance(meant(GAME, record.state, tap(9 * S)), Ignored)


def test_pf_t5_naming_rulings_and_corrections_go_on_in_a_pause() -> None:
    record = begun("red blue green yellow")
    pull = record.do("knock", when=at(S))
    record.do("shot", when=at(2 * S))
    record.do("pause", when=at(3 * S))
    assert record.awaiting.startswith("Paused. Who was hit? ")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    record.do("match", basis="target")
    record.do("illegal")
    record.do("legal")
    record.do("promote", entry=pull)
    record.do("override", seat="green", status="out")
    record.do("seat_leaves", seat="yellow")
    record.do("seat_joins", name="Ada")
    record.do("score_set", seat="red", score=2, reason="agreed")
    assert record.view.paused


def test_pf_t5_the_clock_is_paused_once_and_goes_on_once() -> None:
    record = Record()
    record.refuses("unpause", "PAUSE")
    record.do("pause")
    record.refuses("pause", "PAUSE")
    assert record.awaiting == "Paused: press z to go on."


def test_pf_t5_all_times_of_a_round_leave_pauses_out() -> None:
    record = paused_at(5 * S)
    record.do("unpause", when=at(65 * S))
    for _ in range(10):
        record.do("draw", seat="blue", when=at(66 * S))
    record.do("shot", when=at(72 * S))
    view = record.view
    assert view.first_shot == Span(12 * S, 0)
    assert view.longest_calm == Span(6 * S, 0)
    assert not view.gap
    assert view.draws_per_min == 55.0
    assert view.pauses == ((at(5 * S), at(65 * S)),)


def test_pf_t5_a_pause_over_a_calm_is_taken_out_of_it_with_its_error() -> None:
    record = paused_at(5 * S, pm=300)
    record.do("unpause", when=at(65 * S, pm=200))
    record.do("draw", seat="blue", when=at(66 * S))
    assert record.view.longest_calm == Span(4 * S, 500)


@pytest.mark.parametrize(
    ("begun_at", "ended_at"),
    [
        (None, at(65 * S)),
        (at(5 * S), None),
        (at(5 * S), at(65 * S, "board-2")),
        (at(5, "host-1"), at(9, "host-1")),
    ],
    ids=["no beginning", "no end", "another clock at its end", "another clock"],
)
def test_pf_t5_a_pause_of_unknown_length_makes_the_intervals_over_it_unknown(
    begun_at: Moment | None, ended_at: Moment | None
) -> None:
    record = begun()
    record.do("shot", when=at(S))
    record.do("pause", when=begun_at)
    record.do("unpause", when=ended_at)
    record.do("draw", seat="red", when=at(70 * S))
    assert record.view.draws_per_min is None
    assert record.view.gap


def test_pf_t5_a_pause_of_known_beginning_leaves_what_was_before_it_known() -> None:
    record = begun()
    record.do("shot", when=at(S))
    record.do("pause", when=at(5 * S))
    record.do("unpause")
    assert record.view.first_shot == Span(S, 0)


def test_pf_t5_a_pause_between_rounds_touches_no_round() -> None:
    record = begun("red blue")
    for _ in range(10):
        record.do("draw", seat="red", when=at(6 * S))
    record.shoot("red", "blue", lag_us=3)
    record.do("pause", when=at(20 * S))
    record.do("unpause", when=at(30 * S))
    assert record.view.draws_per_min == 100.0
    record.do("fire", when=at(31 * S))
    assert record.view.pauses == ()


def test_pf_t5_a_pause_taken_back_gives_its_time_back() -> None:
    record = paused_at(5 * S)
    record.do("unpause", when=at(65 * S))
    record.do("shot", when=at(72 * S))
    record.void(
        *(entry for entry, fact in record.entries.items() if fact.kind in ("pause", "unpause"))
    )
    assert record.view.first_shot == Span(72 * S, 0)


def test_pf_t5_while_paused_the_rules_allow_no_hand() -> None:
    kinds = {fact.kind for fact in GAME.legal(paused_at(5 * S).state)}
    assert "unpause" in kinds
    assert kinds.isdisjoint(
        {"fire", "draw", "shot", "dry_pull", "knock", "stalemate_draw", "pause"}
    )


def test_pf_t6_bullets_set_by_hand_are_what_the_seat_has_from_there_on() -> None:
    record = played("red", "red")
    record.do("score_set", seat="red", score=1, reason="one was miscounted")
    assert record.bullets["red"] == 1
    record.win("red")
    assert record.bullets["red"] == 2
    assert record.view.seats[0].by_hand == -1
    assert GAME.summary(record.state)[0].startswith("red: 2 Bullet cards (-1 by hand)")
    assert GAME.report(record.state)["by_hand"] == {"red": -1}


def test_pf_t6_the_last_word_stands_and_what_it_says_is_absolute() -> None:
    record = played("red")
    record.do("score_set", seat="blue", score=3, reason="agreed")
    record.do("score_set", seat="blue", score=2, reason="no, two")
    assert record.bullets == {"red": 1, "blue": 2, "green": 0}


def test_pf_t6_a_round_taken_back_before_it_does_not_change_what_was_set() -> None:
    record = Record("red blue")
    record.do("fire")
    shot = record.shoot("red", "blue")
    record.do("score_set", seat="red", score=4, reason="agreed")
    record.void(shot)
    assert record.bullets["red"] == 4


def test_pf_t6_bullets_set_by_hand_decide_who_is_champion() -> None:
    record = played("red", "blue")
    record.do("score_set", seat="green", score=3, reason="agreed")
    record.win("blue")
    assert len(record.view.kill_matrix) == 3
    assert record.champion == "green"


def test_pf_t6_bullets_set_after_the_game_may_lead_to_sudden_death() -> None:
    record = played(*["red"] * ROUNDS)
    record.do("score_set", seat="red", score=3, reason="agreed")
    record.do("score_set", seat="blue", score=3, reason="agreed")
    assert record.champion is None
    record.do("fire")
    assert record.round.players == ("red", "blue")


@pytest.mark.parametrize("score", [-1, 7])
def test_pf_t6_there_are_six_bullet_cards(score: int) -> None:
    played("red").refuses("score_set", "PF-17", seat="red", score=score, reason="agreed")


def test_pf_t6_a_score_is_set_for_a_seat_and_a_reason() -> None:
    record = played("red")
    record.refuses("score_set", "SEATS", seat="pink", score=1, reason="agreed")
    record.refuses("score_set", "FORMAT", seat="red", score=1, reason=" ")
    record.refuses("score_set", "FORMAT", seat="red", score=1)
