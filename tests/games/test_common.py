"""Facts shared by all games: people, scores set by hand, the clock; every refusal and sentence in full."""

from __future__ import annotations

import pytest

from companion.rules.common import (
    Common,
    Pause,
    ScoreSet,
    SeatChanges,
    SeatJoins,
    SeatLeaves,
    SeatsSwap,
    Unpause,
    apply_common,
    describe_common,
    require_room,
    require_running,
    require_seat,
)
from companion.rules.facts import Fact, Moment, Refused, Setup
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.rules.typed_facts import from_words

COMMON = Common(Setup("counting", 1, seats_from_names(["Ada", "Bo", "Cleo"])))
LEFT = apply_common(COMMON, SeatLeaves(seat="bo"), {})


def at(us: int) -> Moment:
    return Moment(us=us, clock="board-1")


def why(common: Common, fact: Fact, **standings: int) -> str:
    with pytest.raises(Refused) as caught:
        apply_common(common, fact, standings)
    return str(caught.value)


def names(common: Common) -> list[str]:
    return [seat.name for seat in common.playing]


def test_who_leaves_plays_no_more_and_cannot_leave_twice() -> None:
    assert names(LEFT) == ["Ada", "Cleo"]
    assert LEFT.left == {"bo"}
    assert (
        why(LEFT, SeatLeaves(seat="bo"))
        == "SEATS: Bo has left the game. Name a player who is in the game."
    )
    assert (
        why(COMMON, SeatLeaves(seat="zoe"))
        == "SEATS: zoe has no seat here; expected Ada, Bo or Cleo"
    )
    both = apply_common(LEFT, SeatLeaves(seat="ada"), {})
    assert both.left == {"ada", "bo"}


def test_who_comes_back_has_the_old_seat_however_the_name_is_written() -> None:
    assert apply_common(LEFT, SeatJoins(name=" BO "), {}) == COMMON


def test_who_joins_sits_where_it_is_said_and_has_the_last_keys() -> None:
    joined = apply_common(COMMON, SeatJoins(name="Zoe", left_of="ada"), {})
    assert names(joined) == ["Ada", "Zoe", "Bo", "Cleo"]
    assert joined.setup.columns == ("ada", "bo", "cleo", "zoe")
    again = apply_common(joined, SeatJoins(name="Yves"), {})
    assert again.setup.columns == ("ada", "bo", "cleo", "zoe", "yves")
    assert names(again) == ["Ada", "Zoe", "Bo", "Cleo", "Yves"]
    assert why(COMMON, SeatJoins(name="Zoe", left_of="nobody")).startswith(
        "SEATS: nobody has no seat here"
    )


def test_two_players_swap_seats_and_the_scores_stay_where_they_were() -> None:
    scored = apply_common(COMMON, ScoreSet(seat="ada", score=5, reason="said"), {"ada": 0})
    swapped = apply_common(scored, SeatsSwap(seat="ada", other="cleo"), {})
    assert names(swapped) == ["Cleo", "Bo", "Ada"]
    assert [seat.id for seat in swapped.playing] == ["ada", "bo", "cleo"]
    assert [seat.initial for seat in swapped.playing] == ["C", "B", "A"]
    assert [seat.color for seat in swapped.playing] == [seat.color for seat in COMMON.playing]
    assert swapped.added("ada") == 5
    assert apply_common(swapped, SeatsSwap(seat="cleo", other="ada"), {}) == scored
    assert describe_common(COMMON, SeatsSwap(seat="ada", other="cleo")) == (
        "Ada and Cleo swap seats; scores stay with the seats"
    )


def test_somebody_called_like_a_color_keeps_it_in_another_seat() -> None:
    common = Common(Setup("counting", 1, seats_from_names(["red", "Bo", "blue"])))
    red, bo, blue = common.playing
    swapped = apply_common(common, SeatsSwap(seat="red", other="bo"), {})
    assert [(seat.name, seat.color) for seat in swapped.playing] == [
        ("Bo", bo.color),
        ("red", red.color),
        ("blue", blue.color),
    ]


def test_a_swap_takes_two_players_who_are_in_the_game() -> None:
    assert (
        why(COMMON, SeatsSwap(seat="ada", other="ada"))
        == "SEATS: Ada sits there already. Name two different players."
    )
    assert why(LEFT, SeatsSwap(seat="ada", other="bo")).startswith("SEATS: Bo has left the game")
    assert why(LEFT, SeatsSwap(seat="zoe", other="ada")).startswith("SEATS: zoe has no seat here")


@pytest.mark.parametrize("words", ['seat_joins "name=x=1"', 'seat_changes ada "name=x=1"'])
def test_a_name_with_an_equals_sign_is_not_entered(words: str) -> None:
    with pytest.raises(Refused, match="has = in it"):
        from_words(open_game("panic-fire"), COMMON.setup, words)


def test_who_comes_back_in_another_form_of_the_name_has_the_old_seat() -> None:
    zoe = Common(Setup("panic-fire", 1, seats_from_names(["Zo\u00eb", "Bo"])))
    left = apply_common(zoe, SeatLeaves(seat="zo\u00eb"), {})
    _, body = from_words(open_game("panic-fire"), left.setup, 'seat_joins "zoe\u0308"')
    assert apply_common(left, SeatJoins(**body), {}) == zoe
    _, body = from_words(open_game("panic-fire"), zoe.setup, 'seat_changes bo "zoe\u0308"')
    assert why(zoe, SeatChanges(**body)).startswith("SEATS: two seats are called")


def test_a_record_in_which_another_form_joined_has_two_seats_as_before() -> None:
    zoe = Common(Setup("counting", 1, seats_from_names(["Zo\u00eb", "Bo"])))
    assert names(apply_common(zoe, SeatJoins(name="Zoe\u0308"), {})) == [
        "Zo\u00eb",
        "Bo",
        "Zoe\u0308",
    ]


def test_a_record_with_an_equals_sign_in_a_name_is_read_as_before() -> None:
    assert names(apply_common(COMMON, SeatJoins(name="x=1"), {})) == ["Ada", "Bo", "Cleo", "x=1"]
    assert names(apply_common(COMMON, SeatChanges(seat="bo", name="x=1"), {})) == [
        "Ada",
        "x=1",
        "Cleo",
    ]


def test_there_is_room_as_long_as_a_seat_is_free_or_the_own_one_was_left() -> None:
    require_room(COMMON, SeatJoins(name="Zoe"), range(2, 5))
    require_room(LEFT, SeatJoins(name="Bo"), range(2, 4))
    with pytest.raises(Refused) as caught:
        require_room(LEFT, SeatJoins(name="Zoe"), range(2, 4))
    assert str(caught.value) == (
        "SEATS: all 3 seats are taken, even those of players who left. "
        "Join as the player who left, or rename that seat first."
    )


def test_another_name_at_a_seat_is_another_name_and_nothing_else() -> None:
    changed = apply_common(COMMON, SeatChanges(seat="bo", name=" Bea "), {})
    assert names(changed) == ["Ada", "Bea", "Cleo"]
    assert (
        why(COMMON, SeatChanges(seat="bo", name=" Bo "))
        == "SEATS: Bo sits there already; expected another name"
    )
    assert why(COMMON, SeatChanges(seat="zoe", name="Bo")).startswith("SEATS: zoe has no seat here")


def test_a_score_set_by_hand_is_kept_as_what_it_adds() -> None:
    once = apply_common(COMMON, ScoreSet(seat="bo", score=10, reason="agreed"), {"bo": 4})
    assert (once.by_hand, once.added("bo"), once.added("ada")) == ((("bo", 6),), 6, 0)
    twice = apply_common(once, ScoreSet(seat="bo", score=3, reason="agreed"), {"bo": 10})
    assert twice.by_hand == (("bo", -1),)
    more = apply_common(twice, ScoreSet(seat="ada", score=1, reason="agreed"), {"ada": 0})
    assert more.by_hand == (("ada", 1), ("bo", -1))
    assert (
        apply_common(twice, ScoreSet(seat="bo", score=4, reason="agreed"), {"bo": 3}).by_hand == ()
    )
    text = why(COMMON, ScoreSet(seat="bo", score=3, reason="  "), bo=0)
    assert text == "FORMAT: a reason is missing; expected a reason in words"
    assert why(COMMON, ScoreSet(seat="zoe", score=3, reason="x")).startswith(
        "SEATS: zoe has no seat here"
    )


def test_the_clock_stops_and_runs_on_once_each() -> None:
    paused = apply_common(COMMON, Pause(at=at(5)), {})
    assert (paused.paused, paused.pauses) == (True, ((at(5), None),))
    assert (
        why(paused, Pause())
        == "PAUSE: the game is paused already; expected the game to continue first"
    )
    running = apply_common(paused, Unpause(at=at(9)), {})
    assert (running.paused, running.pauses) == (False, ((at(5), at(9)),))
    assert why(running, Unpause()) == "PAUSE: the game is running already. Pause it first."
    again = apply_common(running, Pause(at=at(11)), {})
    assert again.pauses == ((at(5), at(9)), (at(11), None))


def test_what_a_hand_does_in_a_pause_does_not_count() -> None:
    paused = apply_common(COMMON, Pause(at=at(5)), {})
    require_running(paused, at(4))
    require_running(COMMON, None)
    for moment in (None, at(5)):
        with pytest.raises(Refused) as caught:
            require_running(paused, moment)
        assert str(caught.value) == (
            "PAUSE: the game is paused; expected the game to continue first"
        )


def test_a_seat_that_left_is_still_a_seat() -> None:
    require_seat(LEFT, "bo")


def test_a_fact_of_another_game_is_none_of_this() -> None:
    class Other(Fact):
        kind: str = "other"

    assert (
        why(COMMON, Other()) == "FORMAT: other is no fact of this game; expected one of its facts"
    )
    assert describe_common(COMMON, Other()) == "other"


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (SeatLeaves(seat="bo"), "Bo leaves the game"),
        (SeatLeaves(seat="zoe", reason="the last train"), "zoe leaves the game: the last train"),
        (SeatJoins(name=" Zoe "), "Zoe joins the game"),
        (SeatJoins(name=" bo "), "bo is back"),
        (SeatChanges(seat="ada", name=" Abel "), "Ada's seat is now Abel's"),
        (SeatChanges(seat="zoe", name="Abel"), "zoe's seat is now Abel's"),
        (
            ScoreSet(seat="ada", score=-3, reason="agreed"),
            "Ada's score is set to -3 by hand: agreed",
        ),
        (ScoreSet(seat="zoe", score=0, reason="agreed"), "zoe's score is set to 0 by hand: agreed"),
        (Pause(), "paused: the clock is stopped, moves do not count"),
        (Unpause(), "the game continues, the clock runs"),
    ],
)
def test_each_has_its_sentence(fact: Fact, sentence: str) -> None:
    assert describe_common(LEFT, fact) == sentence
