"""Inputs muted for noise: what happens meanwhile is decided by stamps alone, or reported as
unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, strategies as st

from companion.rules.gestures import Gesture, GestureSettings
from companion.session.muted import ONSET_US, Muting
from companion.session.recognizer import HIT_MUTED, NOISE, Edge, Recognizer, Unread
from firmware_protocol.board.noise import RECENT_US
from tests.session.test_recognizer import MS, always, hit, kinds, never, pull, zone

Heard = Edge | Muting


def muted(channel: str, from_ms: float, until_ms: float) -> Muting:
    return Muting(channel, True, 90, int(from_ms * MS), int(until_ms * MS))


def heard_again(channel: str, from_ms: float, until_ms: float) -> Muting:
    return Muting(channel, False, 3, int(from_ms * MS), int(until_ms * MS))


def feed(recognizer: Recognizer, inputs: Sequence[Heard]) -> None:
    for item in inputs:
        if isinstance(item, Muting):
            recognizer.mute(item)
        else:
            recognizer.feed(item)


def read(
    inputs: Sequence[Heard], hold_means: Callable[[str], bool] = never, until_us: int = 60_000 * MS
) -> list[Gesture | Unread]:
    recognizer = Recognizer("board-1", 100, GestureSettings())
    feed(recognizer, inputs)
    return list(recognizer.advance(until_us, hold_means))


def reasons(results: Sequence[Gesture | Unread]) -> list[str]:
    return [item.reason for item in results]


def test_a_finger_that_is_down_when_its_wire_is_muted_is_neither_tap_nor_hold_and_nothing_waits_for_it() -> (
    None
):
    recognizer = Recognizer("board-1", 100)
    feed(recognizer, [zone(1, True, 0), muted("zone-1", 200, 220)])
    (press,) = recognizer.advance(200 * MS, always)
    assert press == Unread((1,), "it was muted before it was let go: check its wire")
    assert list(recognizer.advance(60_000 * MS, always)) == []
    assert not recognizer.waits


def test_the_first_edge_of_a_noise_is_no_press() -> None:
    assert read([zone(1, True, 5), muted("zone-1", 5.2, 8)]) == [Unread((1,), NOISE)]
    assert kinds(read([zone(1, True, 5), muted("zone-1", 6.5, 8)])) == ["tap"]


def test_presses_within_the_noise_are_not_counted_and_those_before_and_after_are() -> None:
    results = read(
        [
            *(zone(1, True, 0), zone(2, False, 50)),
            *(
                zone(3, True, 100),
                zone(4, False, 103),
                zone(5, True, 108),
                muted("zone-1", 100, 110),
            ),
            heard_again("zone-1", 110, 1500),
            *(zone(6, True, 2000), zone(7, False, 2050)),
        ]
    )
    assert [(kind, item.evidence) for kind, item in zip(kinds(results), results, strict=True)] == [
        ("tap", (1,)),
        ("unread", (3,)),
        ("unread", (5,)),
        ("tap", (6,)),
    ]


def test_its_neighbors_are_read_as_ever() -> None:
    results = read(
        [muted("zone-1", 0, 5), *(zone(1, True, 20, "zone-2"), zone(2, False, 60, "zone-2"))]
    )
    assert kinds(results) == ["tap"]


def test_the_release_of_a_finger_that_was_down_when_its_wire_came_back_means_nothing() -> None:
    assert read([muted("zone-1", 0, 5), heard_again("zone-1", 5, 1200), zone(1, False, 1300)]) == []


def test_a_pull_while_the_hit_sensor_is_muted_is_asked_about_and_is_no_dry_pull() -> None:
    (asked,) = read([muted("hit", 0, 5), pull(1, 100)])
    assert isinstance(asked, Gesture)
    assert (asked.kind.value, asked.doubt, asked.evidence) == ("shot", HIT_MUTED, (1,))


@pytest.mark.parametrize(
    "inputs",
    [
        [pull(1, 100), muted("hit", 120, 125)],
        [muted("hit", 0, 5), heard_again("hit", 5, 110), pull(1, 100)],
        [muted("hit", 0, 5), heard_again("hit", 5, 90), pull(1, 100)],
    ],
    ids=[
        "muted within the window",
        "heard again within it",
        "heard again within the window before the pull",
    ],
)
def test_a_pull_is_dry_only_where_the_sensor_was_heard_all_the_time(inputs: list[Heard]) -> None:
    (asked,) = read(inputs)
    assert isinstance(asked, Gesture)
    assert asked.doubt == HIT_MUTED


def test_a_pull_long_before_or_after_is_dry_as_ever() -> None:
    results = read([pull(1, 0), muted("hit", 40, 50), heard_again("hit", 50, 1200), pull(2, 1300)])
    assert kinds(results) == ["dry-pull", "dry-pull"]


def test_hits_that_the_samples_tell_while_the_pulse_input_is_muted_make_shots() -> None:
    (shot,) = read([muted("hit", 0, 5), pull(1, 100), hit(2, 104)])
    assert isinstance(shot, Gesture)
    assert (shot.kind.value, shot.doubt, shot.evidence) == ("shot", "", (1, 2))


def test_hits_within_the_noise_pair_with_no_pull() -> None:
    results = read([pull(1, 99), hit(2, 100), hit(3, 103, masked=True), muted("hit", 100, 110)])
    assert [(kind, item.evidence) for kind, item in zip(kinds(results), results, strict=True)] == [
        ("unread", (2,)),
        ("shot", (1,)),
    ]


def test_a_hit_while_the_trigger_is_muted_is_a_knock_that_says_so() -> None:
    results = read([muted("trigger", 0, 5), hit(1, 100), hit(2, 200, 90, weak=True)])
    assert kinds(results) == ["knock", "knock"]
    assert reasons(results) == [
        "the trigger is muted",
        "peak 90 below threshold, the trigger is muted",
    ]


def test_an_event_of_a_muted_contact_says_that_it_is_heard_where_the_word_of_that_was_lost() -> (
    None
):
    results = read([muted("trigger", 0, 5), pull(1, 2_000), hit(2, 3_000)])
    assert [item.reason for item in results if isinstance(item, Gesture)][
        -1
    ] == "no trigger pull within 30 ms"


def test_a_run_of_closings_that_ends_in_noise_is_noise() -> None:
    closings = [zone(1, True, 0), zone(2, False, 10), zone(3, True, 15), zone(4, False, 25)]
    second = Edge(3, "zone-1", True, 15 * MS, place=1, run_from=1)
    results = read([closings[0], closings[1], second, closings[3], muted("zone-1", 27, 40)])
    assert kinds(results) == ["tap", "unread"]


def test_what_was_decided_before_stays_although_the_board_found_the_noise_to_begin_earlier() -> (
    None
):
    late = Muting("zone-1", True, 90, 0, 110 * MS, promised_us=90 * MS)
    assert kinds(read([zone(1, True, 20), zone(2, False, 60), late])) == ["tap"]


def test_the_first_edge_of_a_noise_is_no_press_although_the_board_found_it_to_begin_later() -> None:
    fast = Muting("zone-1", True, 448, 107 * MS, 110 * MS, promised_us=90 * MS)
    assert read([zone(1, True, 100), fast]) == [Unread((1,), NOISE)]


def test_what_came_long_before_the_noise_counts_however_late_it_was_told() -> None:
    after_an_outage = Muting("zone-1", True, 448, 9_000 * MS, 9_005 * MS, promised_us=0)
    assert kinds(read([zone(1, True, 5_000), zone(2, False, 5_060), after_an_outage])) == ["tap"]


channels = st.sampled_from(["zone-1", "zone-2", "trigger", "hit"])
instants = st.integers(0, 3_000).map(lambda tenths: tenths * 100)


@st.composite
def tables(draw: st.DrawFn) -> list[Heard]:
    """Draw edges of a few channels, and times in which one is muted, promised as a board does."""
    inputs: list[Heard] = []
    for number in range(1, draw(st.integers(1, 12))):
        channel, at_us = draw(channels), draw(instants)
        inputs.append(
            Edge(number, channel, channel == "hit" or draw(st.booleans()), at_us, peak=900)
        )
    for _ in range(draw(st.integers(0, 2))):
        channel, first_us = draw(channels), draw(instants)
        last_us = first_us + draw(instants)
        inputs.append(
            Muting(channel, True, 90, first_us, last_us, draw(st.none() | st.integers(0, last_us)))
        )
        if draw(st.booleans()):
            inputs.append(Muting(channel, False, 1, last_us, last_us + draw(instants)))
    return inputs


def known_from(item: Heard) -> int:
    """Return the time up to which the board can promise at most before it has reported this."""
    if isinstance(item, Edge):
        return item.t_us
    return item.from_us if item.begins else item.last_us


@given(tables(), st.lists(instants, max_size=6), st.booleans())
def test_the_pieces_in_which_it_comes_change_nothing(
    inputs: list[Heard], watermarks: list[int], holds: bool
) -> None:
    means = always if holds else never
    whole = read(inputs, means)
    recognizer = Recognizer("board-1", 100)
    results: list[Gesture | Unread] = []
    waiting = sorted(inputs, key=known_from)
    for settled_us in [*sorted(watermarks), 60_000 * MS]:
        feed(recognizer, [item for item in waiting if known_from(item) <= settled_us])
        waiting = [item for item in waiting if known_from(item) > settled_us]
        results += recognizer.advance(settled_us, means)
    assert results == whole


@given(tables(), st.booleans())
def test_nothing_waits_for_ever(inputs: list[Heard], holds: bool) -> None:
    recognizer = Recognizer("board-1", 100)
    feed(recognizer, inputs)
    list(recognizer.advance(60_000 * MS, always if holds else never))
    assert list(recognizer.close("the board lost power")) == []


def test_a_noise_is_believed_to_begin_as_far_back_as_the_board_looks_for_one() -> None:
    assert ONSET_US == RECENT_US
