"""PF-R2: shots in dispute, decided by stamps or by the players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.panic_fire.rules import fold as rules
from companion.rules.spans import KEY_ERROR_US
from tests.games.panic_fire.playing import Record, at, begun


def tie(us: int, pm: int = 25, **options: str) -> Record:
    """Enter two shots, red at blue and `us` later blue at red, by stamps accurate to `pm` each."""
    record = begun("red blue green", **options)
    record.do("shot", when=at(1_000, pm=pm))
    record.do("shot", when=at(1_000 + us, pm=pm))
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    return record


def test_pf_r2_the_first_trigger_decides_and_the_later_shooter_was_out() -> None:
    tie(50).refuses("shooter", "PF-13", seat="blue")


def test_pf_r2_closer_than_the_errors_of_both_stamps_is_a_tie_and_said_to_be() -> None:
    record = tie(49)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.view.last_shot is not None
    assert record.view.last_shot.tie
    assert "Two shots are tied" in record.awaiting
    assert record.alive == {"red", "green"}, "as stamped until the table decides"


@pytest.mark.parametrize(
    ("order", "alive"),
    [("swapped", {"blue", "green"}), ("both", {"green"}), ("as_stamped", {"red", "green"})],
)
def test_pf_r2_the_table_orders_a_tie(order: str, alive: set[str]) -> None:
    record = tie(20)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    if order == "as_stamped":
        record.do("tie_break", order="swapped")
    record.do("tie_break", order=order)
    assert record.alive == alive


def test_pf_r2_a_tie_that_would_end_the_round_waits_for_its_second_shot() -> None:
    record = begun("red blue")
    record.do("shot", when=at(1_000, pm=25))
    record.do("shot", when=at(1_010, pm=25))
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.outcome.winner is None
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.outcome.winner == "red"
    record.do("tie_break", order="both")
    assert record.outcome.status == "replay"


def test_pf_r2_a_house_may_call_a_wider_span_a_tie_and_never_a_narrower_one() -> None:
    tie(100, stamp_error_us="100").refuses("shooter", "PF-13", seat="blue")
    tie(99, stamp_error_us="100").do("target", seat="red")
    tie(50, stamp_error_us="20").refuses("shooter", "PF-13", seat="blue")
    tie(49, stamp_error_us="20").do("target", seat="red")


def test_pf_r2_two_stamps_of_hardware_3_us_apart_are_a_tie_as_they_are_in_sky_rise() -> None:
    tie(3, pm=2).do("target", seat="red")
    tie(4, pm=2).refuses("shooter", "PF-13", seat="blue")


def test_pf_r2_two_shots_by_key_are_a_tie_within_the_tenths_of_a_second_of_both() -> None:
    tie(2 * KEY_ERROR_US - 1, pm=0).do("target", seat="red")
    tie(2 * KEY_ERROR_US, pm=0).refuses("shooter", "PF-13", seat="blue")


@pytest.mark.parametrize(
    ("us", "pm", "is_tie"), [(24, 25, True), (25, 25, False), (3, 2, False), (1, 0, False)]
)
def test_pf_r2_a_session_of_version_2_takes_the_larger_error(
    us: int, pm: int, is_tie: bool
) -> None:
    record = Record("red blue green")
    record.setup = replace(record.setup, rules_version=2)
    record.state = rules.start(record.setup)
    record.do("fire", when=at(0))
    record.do("shot", when=at(1_000, pm=pm))
    record.do("shot", when=at(1_000 + us, pm=pm))
    assert record.view.open_shots[1].tie is is_tie


def test_pf_r2_stamps_that_are_the_same_are_a_tie_whatever_the_board_says() -> None:
    record = begun()
    record.do("shot", when=at(1_000, pm=0))
    record.do("shot", when=at(1_000, pm=0))
    assert record.view.open_shots[1].tie


def test_pf_r2_a_less_certain_stamp_widens_the_tie() -> None:
    record = begun()
    record.do("shot", when=at(1_000, pm=5_000))
    record.do("shot", when=at(10_999, pm=5_000))
    assert record.view.open_shots[1].tie


def test_pf_r2_stamps_of_different_clocks_are_no_tie() -> None:
    record = begun()
    record.do("shot", when=at(1_000, pm=25))
    record.do("shot", when=at(1_000, clock="board-2"))
    assert not record.view.open_shots[1].tie


def test_pf_r2_without_a_tie_there_is_nothing_to_order() -> None:
    record = tie(5_000)
    record.refuses("tie_break", "PF-R2", order="swapped")


def test_pf_r2_where_the_table_decides_any_two_shots_are_ordered_by_it() -> None:
    record = tie(5_000, shot_disputes="table")
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    record.do("tie_break", order="swapped")
    assert record.alive == {"blue", "green"}


def test_pf_r2_three_tied_shots_may_each_be_put_before_the_one_before() -> None:
    record = begun("a b c d", shot_disputes="table")
    record.shoot("a", "b")
    record.shoot("b", "c")
    record.do("tie_break", order="swapped")
    assert record.alive == {"a", "d"}
    record.shoot("c", "a")
    record.do("tie_break", order="swapped")
    assert record.alive == {"b", "d"}, "c shot a first, then b shot c, and a's shot came too late"


def test_pf_r2_a_pull_that_is_told_late_stands_where_its_stamp_puts_it() -> None:
    record = begun()
    record.do("shot", when=at(20_000))
    pull = record.do("dry_pull", when=at(5_000))
    record.do("promote", entry=pull)
    assert [shot.at for shot in record.view.open_shots] == [at(5_000), at(20_000)]


def test_pf_r2_a_tie_can_be_ordered_after_a_third_shot_too() -> None:
    record = begun("a b c d")
    for us in (1_000, 1_050, 900_000):
        record.do("shot", when=at(us, pm=60))
    for target, shooter in (("b", "a"), ("a", "b"), ("c", "d")):
        record.do("target", seat=target)
        record.do("shooter", seat=shooter)
    assert record.awaiting == (
        "Two shots are tied. Now first: a shot b. Press o if right, more often to change it."
    )
    record.press("order")
    assert "tied" not in record.awaiting
    assert record.alive == {"a", "d"}
    record.press("order")
    assert record.alive == {"b", "d"}


def test_pf_r2_a_tie_in_a_round_that_is_over_leaves_what_begins_the_next_round_in_sight() -> None:
    record = begun("red blue")
    for us in (1_000, 1_010):
        record.do("shot", when=at(us, pm=25))
    for target, shooter in (("blue", "red"), ("red", "blue")):
        record.do("target", seat=target)
        record.do("shooter", seat=shooter)
    assert 'On "fire!" press Enter' in record.awaiting
    assert record.awaiting.endswith("Two shots are tied. Now first: red shot blue.")
    record.press("order")
    assert "tied" not in record.awaiting


def test_pf_r2_the_table_may_say_that_the_stamps_are_right_and_is_asked_no_more() -> None:
    record = tie(20)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    record.do("tie_break", order="as_stamped")
    assert "tied" not in record.awaiting
    assert record.view.last_shot is not None
    assert not record.view.last_shot.tie
    record.refuses("tie_break", "PF-R2", order="as_stamped")


def test_pf_r2_fire_is_refused_while_a_tied_shot_waits() -> None:
    record = begun("red blue")
    record.do("shot", when=at(1_000, pm=25))
    record.do("shot", when=at(1_010, pm=25))
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert (
        record.refuses("fire", "PF-R2").reason
        == "a shot that can change who survived still needs names"
    )


def test_pf_r2_who_is_out_at_the_same_instant_lays_no_new_set() -> None:
    record = tie(20)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    record.do("tie_break", order="both")
    assert record.cards == (82, 82)


def test_pf_r2_shots_of_one_stamp_stand_in_the_order_in_which_they_were_told() -> None:
    record = begun("red blue green")
    told = [record.do("shot", when=at(1_000)) for _ in range(3)]
    late = record.do("shot", when=at(999))
    assert [pull.entry for pull, _ in record.round.reading.verdicts] == [late, *told]


def test_pf_r2_a_shot_told_late_stands_between_those_stamped_before_and_after_it() -> None:
    record = begun("red blue green")
    first, last = record.do("shot", when=at(1_000)), record.do("shot", when=at(2_000))
    between = record.do("shot", when=at(1_500))
    assert [pull.entry for pull, _ in record.round.reading.verdicts] == [first, between, last]
