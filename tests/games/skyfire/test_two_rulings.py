"""Two house rules at once, or a house rule and a second condition."""

from __future__ import annotations

import pytest

from tests.games.skyfire.playing import FOUR, Record, begun


def misfire(record: Record, seat: str, *, satisfied: bool) -> None:
    """Place all cards and let that seat declare a misfire."""
    record.play_out()
    record.do("turn", seat=seat)
    record.do("misfire")
    record.do("satisfied", satisfied=satisfied)


@pytest.mark.parametrize("rule", ["rotate", "winner"])
def test_sf_r3_after_a_misfire_with_several_winners_the_first_player_rotates(rule: str) -> None:
    record = begun(FOUR, first_player=rule)
    misfire(record, "cleo", satisfied=True)
    assert record.result.winners == ("ada", "bo", "dan")
    record.do("deal")
    assert record.round.first == "bo"


@pytest.mark.parametrize(("rule", "first"), [("rotate", "bo"), ("winner", "cleo")])
def test_sf_r3_who_wins_by_a_right_misfire_begins_where_the_winner_does(
    rule: str, first: str
) -> None:
    record = begun(FOUR, first_player=rule)
    misfire(record, "cleo", satisfied=False)
    record.do("deal")
    assert record.round.first == first


@pytest.mark.parametrize("seats", [(), ("cleo", "dan"), ("dan", "ada")])
def test_sf_r3_a_round_that_the_table_gives_to_none_or_to_several_rotates(
    seats: tuple[str, ...],
) -> None:
    record = begun(FOUR, first_player="winner")
    record.do("round_end", seats=list(seats), points=2)
    record.do("deal")
    assert record.round.first == "bo"


def test_sf_r3_a_lone_winner_who_left_does_not_begin() -> None:
    record = Record(FOUR, first_player="winner")
    record.win("cleo")
    record.do("seat_leaves", seat="cleo")
    record.do("deal")
    assert record.round.first == "dan"


@pytest.mark.parametrize(("wrong", "winners"), [("others", ()), ("all_not_eliminated", ("cleo",))])
def test_sf_r5_a_wrong_misfire_of_the_only_one_left_is_scored_by_that_ruling(
    wrong: str, winners: tuple[str, ...]
) -> None:
    record = begun(FOUR, first_player="winner", wrong_misfire_winners=wrong)
    record.play_out()
    for seat in ("ada", "bo", "dan"):
        record.do("override", seat=seat, status="out")
    record.do("misfire")
    record.do("satisfied", satisfied=True)
    assert record.result.winners == winners
    assert record.result.points == (3 if winners else 0)
    record.do("deal")
    assert record.round.first == ("cleo" if winners else "bo")


@pytest.mark.parametrize(("rule", "points"), [("open", 7), ("closed", 3)])
def test_sf_r7_a_right_misfire_scores_the_largest_zone_that_is_not_closed(
    rule: str, points: int
) -> None:
    record = begun(FOUR, failed_zone=rule)
    record.place(1, 1, 1, 1, 1, 1, 1)
    record.launch(1, satisfied=False)
    eliminated = record.round.out[0]
    record.play_out(2, 3)
    assert record.counts[0] == 7
    assert max(record.counts[1:]) == 3
    record.do("misfire")
    record.do("satisfied", satisfied=False)
    assert (record.result.how, record.result.points) == ("misfire", points)
    assert eliminated not in record.result.winners


@pytest.mark.parametrize("rule", ["open", "closed"])
def test_sf_r2_the_last_player_who_launches_wrongly_ends_the_round_whatever_zones_are_left(
    rule: str,
) -> None:
    record = begun(FOUR, failed_zone=rule)
    for seat in ("bo", "cleo", "dan"):
        record.do("override", seat=seat, status="out")
    record.launch(1, satisfied=False)
    assert (record.result.how, record.result.clause) == ("nobody", "SF-R2")
