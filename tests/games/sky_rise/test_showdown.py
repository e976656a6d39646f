"""SR-17: the Tower Showdown, its clock and photo finishes, by buttons, keys and rulings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.sky_rise.rules import facts as f, fold as rules
from companion.games.sky_rise.rules.model import TowerShowdown
from companion.games.sky_rise.rules.standings import building_time, in_order, photo_finish
from companion.rules.actions import with_keys
from companion.rules.common import Common
from companion.rules.facts import Fact, Moment, Refused
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.pauses import Span
from companion.rules.spans import KEY_ERROR_US
from tests.games.gestures import Ignored, meant
from tests.games.sky_rise.playing import GAME, Record, at, setup
from tests.games.sky_rise.test_ending import tied

S = 1_000_000


def showdown(**options: str) -> Record:
    record = tied(2, tie="showdown", **options)
    record.do("showdown", when=at(10 * S))
    return record


def gesture(kind: GestureKind, zone: int, us: int) -> Gesture:
    return Gesture(kind, f"zone-{zone}", us, "board-1", 25, (9,))


def test_sr17_a_tie_waits_for_the_showdown_where_the_house_rule_says_so() -> None:
    record = tied(2, tie="showdown")
    assert (record.view.winners, record.view.phase) == ((), "showdown")
    assert "on three press Enter" in record.awaiting
    assert not GAME.over(record.state)


def test_sr17_who_lays_the_seventh_card_first_wins() -> None:
    record = showdown()
    text = record.do("showdown_stop", seat="bo", when=at(52 * S))
    assert text == "bo lays the seventh card after 42.0 s ±0.1 s (SR-17)"
    assert record.view.winners == ("bo",)
    assert record.awaiting == "bo wins the Tower Showdown. The game is over."


def test_sr17_who_is_second_is_timed_all_the_same() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    record.do("showdown_stop", seat="ada", when=at(53 * S, pm=25))
    assert record.view.winners == ("bo",)
    assert record.view.showdown is not None
    spans = [(one.seat, one.span) for one in record.view.showdown.contenders]
    assert spans == [("bo", Span(42 * S, 0)), ("ada", Span(43 * S, 25))]


def test_sr17_a_stop_told_late_counts_by_its_stamp() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    record.do("showdown_stop", seat="ada", when=at(51 * S))
    assert record.view.winners == ("ada",)


def test_sr17_stamps_closer_than_their_error_are_a_photo_finish_for_the_table() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S, pm=50))
    record.do("showdown_stop", seat="ada", when=at(52 * S + 99, pm=50))
    assert record.view.winners == ()
    assert record.view.showdown is not None
    assert set(record.view.showdown.close) == {"ada", "bo"}
    assert "Too close to tell: who won?" in record.awaiting
    assert "It was close between bo and ada." in record.awaiting
    record.do("showdown_ruling", seat="ada")
    assert GAME.over(record.state)


def test_sr17_a_photo_finish_has_one_verdict_and_it_is_said_once() -> None:
    record = showdown()
    texts = [record.do("showdown_stop", seat="bo", when=at(52 * S, pm=50))]
    texts.append(record.do("showdown_stop", seat="ada", when=at(52 * S + 99, pm=50)))
    texts.append(record.do("showdown_ruling", seat="ada"))
    assert [sentence for sentence in texts if "wins" in sentence or "won" in sentence] == [
        "ada lays the seventh card after 42.0000 s ±50 µs (SR-17); photo finish: "
        "bo and ada are too close to tell, you decide who won",
        "the table says ada won the Tower Showdown (SR-17)",
    ]
    assert GAME.summary(record.state)[-1] == "ada wins the Tower Showdown (SR-17)"


def test_sr17_a_stop_stamped_before_the_start_is_no_stop() -> None:
    record = showdown()
    with pytest.raises(Refused) as early:
        record.do("showdown_stop", seat="bo", when=at(2 * S))
    assert early.value.clause == "SR-17"
    assert early.value.reason == "that was 8.000 s before the Tower Showdown began"
    tap = meant(GAME, record.state, gesture(GestureKind.TAP, 2, 10 * S - 1))
    assert isinstance(tap, Ignored)
    record.do("showdown_stop", seat="ada", when=at(10 * S))
    # nobody can compare these
    record.do("showdown_stop", seat="bo", when=at(2 * S, clock="board-2"))


def test_sr17_stamps_as_far_apart_as_their_error_have_an_order() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S, pm=50))
    record.do("showdown_stop", seat="ada", when=at(52 * S + 100, pm=50))
    assert record.view.winners == ("bo",)


def test_sr17_two_stops_by_key_are_a_photo_finish_within_the_tenths_of_a_second_of_both() -> None:
    for us, winners in ((2 * KEY_ERROR_US - 1, ()), (2 * KEY_ERROR_US, ("bo",))):
        record = showdown()
        record.do("showdown_stop", seat="bo", when=at(52 * S))
        record.do("showdown_stop", seat="ada", when=at(52 * S + us))
        assert record.view.winners == winners


def test_sr17_stamps_that_say_they_are_worse_are_taken_at_their_word() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S, pm=400))
    record.do("showdown_stop", seat="ada", when=at(52 * S + 700, pm=400))
    assert record.view.winners == ()


def test_sr17_stamps_of_two_clocks_have_no_order() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    record.do("showdown_stop", seat="ada", when=at(90 * S, clock="board-2"))
    assert record.view.winners == ()
    assert record.view.showdown is not None
    assert record.view.showdown.contenders[1].span is None


def test_sr17_the_table_may_let_a_photo_finish_be_shared() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    record.do("showdown_stop", seat="ada", when=at(52 * S))
    record.do("showdown_ruling")
    assert record.view.winners == ("ada", "bo")


def test_sr17_where_the_stamps_decide_the_table_needs_a_reason() -> None:
    record = showdown()
    record.refuses("showdown_ruling", "SR-17", seat="ada")
    record.do("showdown_ruling", seat="ada", reason="Bo's tower fell")
    assert record.view.winners == ("ada",)


def test_sr17_only_contenders_are_timed_once_each_and_after_the_start() -> None:
    record = tied(3, tie="showdown", showdown_pyramids="6")
    record.refuses("showdown_stop", "SR-17", seat="ada")
    record.do("score_set", seat="cleo", score=3, reason="for the test")
    record.do("showdown", when=at(0))
    record.refuses("showdown", "SR-17")
    record.refuses("showdown_stop", "SR-17", seat="cleo")
    record.do("showdown_stop", seat="ada", when=at(9 * S))
    record.refuses("showdown_stop", "SR-17", seat="ada")


def test_sr17_no_showdown_before_the_goals_are_up_or_without_a_tie() -> None:
    early = Record(2, tie="showdown").refuses("showdown", "SR-14")
    said = "A Tower Showdown only settles a tie at the end. To lay a card press its suit's key."
    assert with_keys(early.spoken()) == said
    record = tied(2, tie="showdown")
    record.do("score_set", seat="ada", score=60, reason="for the test")
    record.refuses("showdown", "SR-17")
    stop = record.refuses("showdown_stop", "SR-17", seat="ada")
    assert stop.spoken() == "The game is over. Start a new game, or undo to play on."


def test_sr17_a_hold_of_any_button_starts_the_clock_at_its_press_and_taps_stop_it() -> None:
    record = tied(2, tie="showdown")
    assert GAME.hold_means(record.state, "zone-1")
    go = meant(GAME, record.state, gesture(GestureKind.HOLD, 1, 7 * S))
    assert go == f.Showdown(at=Moment(us=7 * S, pm=25, clock="board-1"))
    enter(record, go)
    assert not GAME.hold_means(record.state, "zone-1")
    enter(record, meant(GAME, record.state, gesture(GestureKind.TAP, 2, 49 * S)))
    assert record.view.winners == ("bo",)
    late = meant(GAME, record.state, gesture(GestureKind.TAP, 1, 50 * S))
    assert isinstance(late, f.ShowdownStop)


def test_sr17_a_hold_names_the_winner_of_a_photo_finish() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    record.do("showdown_stop", seat="ada", when=at(52 * S))
    assert GAME.hold_means(record.state, "zone-2")
    enter(record, meant(GAME, record.state, gesture(GestureKind.HOLD, 2, 60 * S)))
    assert record.view.winners == ("bo",)


def test_sr17_the_keyboard_does_it_all() -> None:
    record = tied(2, tie="showdown")
    record.press("go", when=at(0))
    record.press("zone.1", when=at(30 * S))
    record.press("zone.2", when=at(30 * S))
    record.press("name.2")
    assert record.view.winners == ("bo",)


def test_sr17_the_key_for_sharing_is_the_tables_word() -> None:
    record = tied(2, tie="showdown")
    record.press("shared")
    assert record.view.winners == ("ada", "bo")


def test_sr_t3_the_times_of_a_showdown_leave_pauses_out() -> None:
    record = showdown()
    record.do("pause", when=at(20 * S))
    record.refuses("showdown_stop", "PAUSE", seat="bo")
    record.do("unpause", when=at(25 * S))
    record.do("showdown_stop", seat="bo", when=at(40 * S))
    assert record.view.showdown is not None
    assert record.view.showdown.contenders[0].span == Span(25 * S, 0)


def test_sr17_a_stop_that_is_taken_back_opens_the_showdown_again() -> None:
    record = showdown()
    before = record.state
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    assert GAME.over(record.state)
    assert not GAME.over(before)


def stop(seat: str, when: Moment | None) -> f.ShowdownStop:
    return f.ShowdownStop(seat=seat, at=when)


def test_sr17_stops_are_in_the_order_of_their_stamps_where_all_can_be_compared() -> None:
    stops = (stop("ada", at(30)), stop("bo", at(10)), stop("cleo", at(20)))
    assert [one.seat for one in in_order(stops)] == ["bo", "cleo", "ada"]
    for other in (stop("dan", None), stop("dan", at(5, clock="board-2"))):
        assert in_order((*stops, other)) == (*stops, other)
    assert in_order(()) == ()


@pytest.mark.parametrize(
    ("version", "house_us", "pm", "us", "first"),
    [
        (3, 0, 2, 0, None),
        (3, 0, 2, 3, None),
        (3, 0, 2, 4, "bo"),
        (3, 5, 2, 4, None),
        (3, 5, 2, 5, "bo"),
        (3, 5, 3, 5, None),
        (3, 5, 3, 6, "bo"),
        (2, 0, 0, 0, None),  # in version 2 a key press had no error
        (2, 0, 0, 1, "bo"),
        (2, 5, 0, 4, None),
        (2, 5, 0, 5, "bo"),
        (2, 5, 3, 5, None),
        (2, 5, 3, 6, "bo"),
    ],
)
def test_sr17_stamps_decide_from_the_sum_of_their_errors_and_the_house_rule_on(
    version: int, house_us: int, pm: int, us: int, first: str | None
) -> None:
    begun = GAME.start(replace(setup(stamp_error_us=str(house_us)), rules_version=version))
    stops = (stop("ada", at(100 + us, pm=pm)), stop("bo", at(100, pm=pm)))
    running = TowerShowdown(("ada", "bo"), at(0), stops)
    close = photo_finish(replace(begun, showdown=running))
    assert close == (("ada", "bo") if first is None else (first,))


def built(common: Common, begun: Moment | None, done: Moment | None) -> Span | None:
    running = TowerShowdown(("ada", "bo"), begun)
    return building_time(
        replace(GAME.start(common.setup), common=common, showdown=running), stop("ada", done)
    )


def test_sr17_nobody_knows_how_long_somebody_built_whose_moments_cannot_be_compared() -> None:
    common = Common(setup())
    assert built(common, at(100, pm=2), at(400, pm=3)) == Span(300, 5)
    for begun, done in (
        (None, at(400)),
        (at(100), None),
        (None, None),
        (at(100, clock="board-2"), at(400)),
    ):
        assert built(common, begun, done) is None


def test_sr_t3_the_error_of_a_pause_adds_to_that_of_a_time_and_an_unknown_pause_leaves_none() -> (
    None
):
    paused = Common(setup(), pauses=((at(200, pm=7), at(250, pm=11)),))
    assert built(paused, at(100, pm=2), at(400, pm=3)) == Span(250, 23)
    lasting = Common(setup(), pauses=((at(300), None),), paused=True)
    assert built(lasting, at(100), at(400)) == Span(200, 0)
    unknown = Common(setup(), pauses=((None, None),))
    assert built(unknown, at(100), at(400)) is None


def test_sr17_the_table_names_a_winner_with_the_moment_of_the_press() -> None:
    record = showdown()
    record.do("showdown_stop", seat="bo", when=at(52 * S))
    record.do("showdown_stop", seat="ada", when=at(52 * S))
    text = meant(GAME, record.state, gesture(GestureKind.HOLD, 2, 60 * S))
    assert text == f.ShowdownRuling(seat="bo", at=Moment(us=60 * S, pm=25, clock="board-1"))


@pytest.mark.parametrize("kind", [GestureKind.TAP, GestureKind.HOLD])
def test_sr17_a_button_that_nobody_has_is_ignored(kind: GestureKind) -> None:
    record = showdown()
    answer = meant(GAME, record.state, gesture(kind, 4, S))
    assert isinstance(answer, Ignored)


def enter(record: Record, answer: Fact | Ignored) -> None:
    assert isinstance(answer, Fact)
    record.state = rules.apply(record.state, answer, 99)
