"""SR-T8: the tower falls, and the round begins again with one action."""

from __future__ import annotations

import pytest

from companion.rules.facts import Refused
from companion.rules.game import Retraction
from tests.games.sky_rise.playing import GAME, QUIET, Record
from tests.games.sky_rise.test_ending import built, finished


def again(record: Record) -> Retraction:
    answer = GAME.pressed(record.state, "sky-rise.restart")
    assert isinstance(answer, Retraction)
    return answer


def without(record: Record, entries: tuple[int, ...]) -> Record:
    """Return the same record without these entries."""
    rest = Record(len(record.setup.seats))
    for entry, fact in enumerate(record.facts, start=2):
        if entry not in entries:
            rest.state = GAME.apply(rest.state, fact, entry)
    return rest


def test_sr_t8_the_round_in_play_begins_again_with_its_floor() -> None:
    record = built(2, QUIET)
    before = record.state
    record.floor()
    record.pyramids("RYGB G... ....")
    record.do("turn_over", seat=record.state.level.turn)
    answer = again(record)
    assert answer.reason == (
        "round 2 begins again with an empty floor; level 1 stands as the picture of it shows (SR-T8)"
    )
    assert without(record, answer.entries).state == before


def test_sr_t8_what_came_meanwhile_and_is_no_turn_stays() -> None:
    record = Record(3)
    record.do("opaque", seat="ada", large=1, medium=1, small=1)
    record.do("card", place="a1", suit="hearts")
    record.do("score_set", seat="bo", score=4, reason="for the test")
    record.do("goal_noted", seat="cleo", nest="red", tree="blue")
    record.do("turn", seat="ada", reason="out of turn")
    left = without(record, again(record).entries)
    assert left.points == {"ada": 0, "bo": 4, "cleo": 0}
    assert left.state.goals_of("cleo") is not None
    assert (left.level.turn, left.level.cards) == ("ada", ())


def test_sr_t8_passes_and_antennas_of_the_roof_are_taken_back_too() -> None:
    record = built(2, QUIET, QUIET, "RYGB GBRY RYG#")
    before = record.state
    record.roof()
    record.do("pass")
    record.do("pyramid", place="a1", color="blue", size="small")
    answer = again(record)
    assert answer.reason.startswith(
        "the final round begins again with an empty floor; level 3 stands"
    )
    assert without(record, answer.entries).state == before


def test_sr_t8_a_round_of_which_nothing_lies_says_how_the_one_before_begins_again() -> None:
    record = built(2, QUIET)
    with pytest.raises(Refused) as caught:
        again(record)
    text = "SR-T8: nothing lies in round 2 yet. Lay its first card, or take the last pyramid back."
    assert str(caught.value) == text


def test_sr_t8_once_the_goals_are_up_no_round_begins_again() -> None:
    record = finished(2, QUIET, QUIET, QUIET)
    again(record)
    record.goals("red blue", "blue red")
    record.do("reveal")
    with pytest.raises(Refused, match="SR-14"):
        again(record)
