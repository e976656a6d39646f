"""What gestures mean in a drill, and what happens automatically (DR-2, DR-3, DR-5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from companion.games.drills import panels
from companion.games.drills.rules import facts as f
from companion.games.drills.rules.controls import DRAWS, TWICE_US
from companion.games.drills.rules.game import GAME
from companion.games.drills.rules.keys import DRAW, LAMP, SCREEN
from companion.rules.actions import with_keys, without_keys
from companion.rules.clauses import spoken
from companion.rules.common import SeatJoins, SeatLeaves
from companion.rules.facts import Fact, Refused
from companion.rules.game import Due
from companion.rules.gestures import Gesture, GestureKind
from tests.games.drills.playing import CLOCK, after, at, lit, started, string, view

S = 1_000_000


def gesture(kind: GestureKind, channel: str, us: int) -> Gesture:
    return Gesture(kind, channel, us, CLOCK, 2, (1,))


def test_a_hold_of_the_own_zone_begins_and_a_tap_does_not() -> None:
    state = started()
    assert GAME.hold_means(state, "zone-2")
    assert GAME.interpret(state, gesture(GestureKind.HOLD, "zone-2", S)) == f.Ready(
        seat="bo", at=at(S)
    )
    with pytest.raises(Refused, match="short press"):
        GAME.interpret(state, gesture(GestureKind.TAP, "zone-2", S))
    with pytest.raises(Refused, match="nobody stands at zone-3"):
        GAME.interpret(state, gesture(GestureKind.HOLD, "zone-3", S))


@pytest.mark.parametrize(("apart_us", "begins"), [(TWICE_US, True), (TWICE_US + 1, False)])
def test_two_dry_pulls_begin_the_string_of_whoever_is_next(apart_us: int, begins: bool) -> None:
    state = after(started(), *string("ada", 0, 200_000))
    state = after(state, GAME.interpret(state, gesture(GestureKind.DRY_PULL, "trigger", 20 * S)))
    second = GAME.interpret(state, gesture(GestureKind.DRY_PULL, "trigger", 20 * S + apart_us))
    assert second.kind == ("ready" if begins else "dry_pull")
    assert getattr(second, "seat", "bo") == "bo"


def test_a_dry_pull_in_a_string_begins_none() -> None:
    state = after(started(), *lit("ada", 0))
    state = after(state, GAME.interpret(state, gesture(GestureKind.DRY_PULL, "trigger", 4 * S)))
    assert (
        GAME.interpret(state, gesture(GestureKind.DRY_PULL, "trigger", 4 * S + 1)).kind
        == "dry_pull"
    )


def test_at_the_plates_a_press_counts_when_it_comes_down() -> None:
    state = after(started(drill="plates"), *lit("ada", 0))
    assert not GAME.hold_means(state, "zone-1")
    assert GAME.interpret(state, gesture(GestureKind.TAP, "zone-1", 3 * S)) == f.Plate(
        seat="ada", at=at(3 * S)
    )


def test_a_knock_is_no_shot_but_a_gun_without_a_sensor_fires_with_each_pull() -> None:
    with pytest.raises(Refused, match="knock"):
        GAME.interpret(started(), gesture(GestureKind.KNOCK, "hit", S))
    state = started(hit_sensor="no")
    assert isinstance(GAME.interpret(state, gesture(GestureKind.DRY_PULL, "trigger", S)), f.Shot)
    assert not GAME.settings(state.setup).hit_sensor


def test_the_delay_is_due_at_once_then_the_lamp_then_nothing() -> None:
    ready, delay, signal = lit("ada", 7 * S)
    state = after(started(), ready)
    assert GAME.due(started()) is None
    assert GAME.due(state) == Due(DRAW, 0, at(7 * S), of=2)
    state = after(state, delay)
    assert GAME.due(state) == Due(LAMP, 2_500_000, at(7 * S), lamp=True, unlit=SCREEN, of=2)
    assert GAME.due(after(state, signal)) is None


@given(st.integers(1, DRAWS), st.integers(1, DRAWS))
def test_the_delay_that_is_drawn_lies_within_what_the_table_chose(one: int, two: int) -> None:
    draws = iter((one, two))
    assert GAME.with_orders is not None
    game = GAME.with_orders(lambda _size: (next(draws),))
    state = after(started(least_delay_ms="1000", most_delay_ms="3000"), f.Ready(seat="ada"))
    fact = game.pressed(state, DRAW)
    assert isinstance(fact, f.Delay)
    assert 1000 <= fact.ms <= 3000
    assert (fact.ms == 1000) is (one == two == 1)
    assert (fact.ms == 3000) is (one == two == DRAWS)


def test_where_nobody_draws_it_is_entered() -> None:
    with pytest.raises(Refused, match="nobody draws"):
        GAME.pressed(after(started(), f.Ready(seat="ada")), DRAW)


@given(st.integers(0, f.MOST_DELAY_MS), st.integers(0, f.MOST_DELAY_MS))
def test_nobody_sees_the_delay_before_the_signal(one: int, other: int) -> None:
    ready = f.Ready(seat="ada", at=at(0))
    states = [after(started(), ready, f.Delay(ms=ms, at=at(5))) for ms in (one, other)]
    first, second = (
        (view(state), GAME.awaiting(state), GAME.summary(state), GAME.report(state))
        for state in states
    )
    assert first == second
    said: set[str] = {
        GAME.sentence(after(started(), ready), state, _delay(state), "table") for state in states
    }
    assert len(said) == 1


def _delay(state: object) -> Fact:
    return f.Delay(ms=getattr(state, "strings")[-1].delay_ms)  # noqa: B009


@pytest.mark.parametrize("board", [True, False])
def test_at_the_plates_the_question_is_followed_by_a_sentence(board: bool) -> None:
    text = with_keys(GAME.awaiting(started(drill="plates")), board=board)
    assert text == f"All ready? {'Hold a zone button or press' if board else 'Press'} Enter."


def test_at_the_plates_the_prompt_names_the_key_of_each_who_has_not_pressed() -> None:
    state = after(started("Ada", "Bo", "Cy", drill="plates"), *lit("ada", 0))
    assert with_keys(GAME.awaiting(state)) == "Press your own key now. Keys: Ada 1, Bo 2, Cy 3."
    state = after(state, f.Plate(seat="bo", at=at(3 * S)))
    assert (
        with_keys(GAME.awaiting(state), board=True) == "Hit your own button now. Keys: Ada 1, Cy 3."
    )
    assert without_keys(GAME.awaiting(state)) == ""
    assert [player.name for player in view(state).players if player.up] == ["Ada", "Cy"]
    with pytest.raises(Refused) as refused:
        GAME.pressed(state, "drills.shot")
    assert with_keys(spoken(refused.value.spoken())).endswith(" Press your own key.")


@pytest.mark.parametrize(
    ("drill", "label", "footer"), [("plates", "A's button", False), ("splits", "A starts", True)]
)
def test_a_players_key_is_called_by_what_it_does_in_this_drill(
    drill: str, label: str, footer: bool
) -> None:
    first = GAME.actions(started(drill=drill).setup)[0]
    assert (first.label, first.footer) == (label, footer)


def test_when_everybody_has_had_all_strings_every_key_says_so() -> None:
    over = after(started("Ada", strings="1"), *string("ada", 0, 200_000))
    for action in ("begin", "seat.1", "shot", "stop"):
        with pytest.raises(Refused, match="everybody has had all strings") as refused:
            GAME.pressed(over, f"drills.{action}")
        assert refused.value.do == "Start a new game, or undo to play on."
    with pytest.raises(Refused, match="everybody has had all strings"):
        GAME.interpret(over, gesture(GestureKind.TAP, "zone-1", 20 * S))


def test_when_everybody_has_left_the_prompt_says_so() -> None:
    state = after(started("Ada"), SeatLeaves(seat="ada"))
    assert GAME.awaiting(state) == "Everybody has left."
    with pytest.raises(Refused, match="everybody has left"):
        GAME.pressed(state, "drills.begin")


def test_at_the_plates_nobody_plays_on_alone_and_wins() -> None:
    state = after(started("Ada", "Bo", drill="plates", strings="1"), SeatLeaves(seat="bo"))
    assert (
        with_keys(GAME.awaiting(state))
        == "Somebody has to join: press F6. Plates take two players."
    )
    assert not GAME.over(state)
    with pytest.raises(Refused, match="plates are a drill of two or more") as refused:
        GAME.pressed(state, "drills.begin")
    assert with_keys(refused.value.do) == "Somebody has to join: press F6."
    assert GAME.act(after(state, SeatJoins(name="Cy")), "drills.begin") == f.Ready(seat="ada")
    older = GAME.start(replace(state.setup, rules_version=1))
    assert GAME.act(after(older, SeatLeaves(seat="bo")), "drills.begin") == f.Ready(seat="ada")


@pytest.mark.parametrize(
    ("strings", "said"), [("0", "0 strings"), ("1", "0 of 1 string"), ("5", "0 of 5 strings")]
)
def test_a_player_has_so_many_of_the_strings_that_are_wanted(strings: str, said: str) -> None:
    (line,) = panels.seats(view(started("Ada", strings=strings)))
    assert line.words == (said,)
