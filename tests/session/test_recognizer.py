"""Gestures from edges, decided in the board's time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

import pytest
from hypothesis import given, strategies as st

from companion.rules.gestures import Gesture, GestureKind, GestureSettings
from companion.session.recognizer import Edge, Recognizer, Unread

MS = 1_000


def always(_: str) -> bool:
    return True


def never(_: str) -> bool:
    return False


def read(
    edges: list[Edge],
    *,
    until_us: int = 10_000 * MS,
    hold_means: Callable[[str], bool] = never,
    settings: GestureSettings | None = None,
) -> list[Gesture | Unread]:
    recognizer = Recognizer("board-1", 100, settings or GestureSettings())
    for edge in edges:
        recognizer.feed(edge)
    return list(recognizer.advance(until_us, hold_means))


def kinds(results: list[Gesture | Unread]) -> list[str]:
    return [item.kind.value if isinstance(item, Gesture) else "unread" for item in results]


def zone(
    entry: int, pressed: bool, ms: float, channel: str = "zone-1", glitch: bool = False
) -> Edge:
    return Edge(entry, channel, pressed, int(ms * MS), glitch=glitch)


def pull(entry: int, ms: float) -> Edge:
    return Edge(entry, "trigger", True, int(ms * MS))


def hit(
    entry: int, ms: float, peak: int = 900, *, weak: bool = False, masked: bool = False
) -> Edge:
    return Edge(entry, "hit", True, int(ms * MS), peak=peak, below_threshold=weak, masked=masked)


def test_where_a_hold_means_nothing_a_tap_fires_on_press_once_the_press_is_confirmed() -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(zone(7, True, 5))
    assert list(recognizer.advance(5 * MS + 999, never)) == []
    (tap,) = recognizer.advance(6 * MS, never)
    assert tap == Gesture(GestureKind.TAP, "zone-1", 5 * MS, "board-1", 100, (7,))


def test_a_press_that_is_let_go_before_it_is_confirmed_is_a_tap_unless_the_board_calls_it_a_spike() -> (
    None
):
    assert read([zone(7, True, 5), zone(8, False, 5.9)]) == [
        Gesture(GestureKind.TAP, "zone-1", 5 * MS, "board-1", 100, (7,))
    ]


def test_where_a_hold_means_something_a_tap_waits_for_its_release() -> None:
    (tap,) = read([zone(1, True, 0), zone(2, False, 120)], hold_means=always)
    assert tap == Gesture(GestureKind.TAP, "zone-1", 0, "board-1", 100, (1, 2))


def test_a_hold_fires_when_its_time_is_up_and_counts_from_the_press() -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(zone(1, True, 100))
    assert list(recognizer.advance(700 * MS - 1, always)) == []
    (hold,) = recognizer.advance(700 * MS, always)
    assert isinstance(hold, Gesture)
    assert (hold.kind, hold.t_us, hold.evidence) == (GestureKind.HOLD, 100 * MS, (1,))


def test_a_release_at_the_very_end_of_the_hold_time_is_still_a_tap() -> None:
    assert kinds(read([zone(1, True, 0), zone(2, False, 600)], hold_means=always)) == ["tap"]


def test_the_meaning_of_a_press_does_not_change_while_the_finger_is_down() -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(zone(1, True, 0))
    assert list(recognizer.advance(100 * MS, always)) == []
    recognizer.feed(zone(2, False, 200))
    assert kinds(list(recognizer.advance(1_000 * MS, never))) == ["tap"]


def test_two_zones_held_at_once_are_two_holds_in_the_order_of_their_presses() -> None:
    results = read([zone(1, True, 10, "zone-2"), zone(2, True, 0, "zone-1")], hold_means=always)
    assert [item.channel for item in results if isinstance(item, Gesture)] == ["zone-1", "zone-2"]


def test_a_spike_shorter_than_the_glitch_time_is_kept_as_unread_with_its_reason() -> None:
    (spike,) = read([zone(1, True, 0), zone(2, False, 0.2, glitch=True)])
    assert isinstance(spike, Unread)
    assert spike.evidence == (1, 2)
    assert "glitch" in spike.reason


@pytest.mark.parametrize("ms", [0.2, 1], ids=["at once", "the moment the press would be confirmed"])
def test_a_spike_is_told_once_whatever_becomes_of_the_board(ms: float) -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(zone(1, True, 0))
    assert list(recognizer.advance(int(ms * MS) - 1, never)) == []
    recognizer.feed(zone(2, False, ms, glitch=True))
    assert kinds(list(recognizer.advance(10 * MS, never))) == ["unread"]
    assert list(recognizer.close("the board lost power")) == []


def test_trigger_and_hit_within_the_window_are_one_shot_at_the_triggers_stamp() -> None:
    (shot,) = read([pull(1, 50), hit(2, 54, 812)])
    assert shot == Gesture(
        GestureKind.SHOT, "trigger", 50 * MS, "board-1", 100, (1, 2), 4 * MS, 812
    )


def test_the_hit_may_come_before_the_trigger() -> None:
    (shot,) = read([hit(1, 46), pull(2, 50)])
    assert isinstance(shot, Gesture)
    assert (shot.kind, shot.t_us, shot.lag_us) == (GestureKind.SHOT, 50 * MS, -4 * MS)


def test_a_hit_at_the_very_end_of_the_window_counts_and_one_microsecond_later_it_does_not() -> None:
    assert kinds(read([pull(1, 0), hit(2, 30)])) == ["shot"]
    late = [pull(1, 0), Edge(2, "hit", True, 30 * MS + 1, peak=900)]
    assert kinds(read(late)) == ["dry-pull", "knock"]


def test_a_hit_that_came_a_whole_window_before_the_trigger_counts_and_one_microsecond_earlier_it_does_not() -> (
    None
):
    assert kinds(read([hit(1, 10), pull(2, 40)])) == ["shot"]
    early = [Edge(1, "hit", True, 10 * MS - 1, peak=900), pull(2, 40)]
    assert kinds(read(early)) == ["knock", "dry-pull"]


def test_a_pull_pairs_with_the_nearest_of_the_hits_that_came_before_it() -> None:
    shot, knock = read([hit(1, 10), hit(2, 20), pull(3, 30)])
    assert isinstance(shot, Gesture)
    assert isinstance(knock, Gesture)
    assert (shot.evidence, knock.evidence) == ((3, 2), (1,))


def test_a_weak_hit_a_whole_window_away_is_named_and_one_microsecond_further_it_is_not() -> None:
    for at_us, named in ((30 * MS, True), (30 * MS + 1, False)):
        edges = [pull(1, 0), Edge(2, "hit", True, at_us, peak=212, below_threshold=True)]
        dry = next(
            item
            for item in read(edges)
            if isinstance(item, Gesture) and item.kind is GestureKind.DRY_PULL
        )
        assert ("peak 212" in dry.reason) is named
        assert dry.evidence == ((1, 2) if named else (1,))


def test_an_echo_lasts_as_long_as_the_board_masks_and_the_microsecond_it_ends_is_a_hit_again() -> (
    None
):
    for after_us, expected in ((30 * MS - 1, ["knock"]), (30 * MS, ["knock", "knock"])):
        edges = [
            hit(1, 0, 212, weak=True),
            Edge(2, "hit", True, after_us, peak=212, below_threshold=True),
        ]
        assert kinds(read(edges, settings=GestureSettings(min_peak=200))) == expected


@pytest.mark.parametrize("entries", [(1, 2, 3), (3, 1, 2)])
def test_of_edges_with_one_stamp_the_one_that_came_first_is_read_first(
    entries: tuple[int, int, int],
) -> None:
    zones = [zone(n, True, 5, f"zone-{n}") for n in entries]
    taps = read(zones)
    assert [item.evidence for item in taps if isinstance(item, Gesture)] == [(n,) for n in entries]
    shots = read([*(pull(n, 0) for n in entries), *(hit(n + 3, 0) for n in entries)])
    assert [item.evidence for item in shots if isinstance(item, Gesture)] == [
        (n, n + 3) for n in entries
    ]


@pytest.mark.parametrize(
    ("edge", "closes_ms", "kind"),
    [(hit(1, 0), 30, "knock"), (pull(1, 0), 30, "dry-pull"), (hit(1, 0, weak=True), 60, "knock")],
    ids=["a hit", "a pull", "a weak hit, for a pull behind it may name it"],
)
def test_what_stayed_alone_is_told_the_moment_its_window_closes(
    edge: Edge, closes_ms: int, kind: str
) -> None:
    assert kinds(read([edge], until_us=closes_ms * MS - 1)) == []
    assert kinds(read([edge], until_us=closes_ms * MS)) == [kind]


def test_a_hit_that_arrives_late_but_was_stamped_in_time_still_makes_a_shot() -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(pull(1, 0))
    assert list(recognizer.advance(29 * MS, never)) == []
    recognizer.feed(hit(2, 5))
    assert kinds(list(recognizer.advance(31 * MS, never))) == ["shot"]


@pytest.mark.parametrize(
    ("first", "last", "kind"),
    [
        (pull(1, 0), hit(2, 30), "shot"),
        (hit(1, 0), pull(2, 30), "shot"),
        (zone(1, True, 0), zone(2, False, 600), "tap"),
    ],
    ids=["a hit", "a pull", "a release"],
)
def test_what_comes_at_the_very_end_of_a_window_counts_though_the_end_was_waited_for(
    first: Edge, last: Edge, kind: str
) -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(first)
    assert list(recognizer.advance(last.t_us - 1, always)) == []
    recognizer.feed(last)
    assert kinds(list(recognizer.advance(last.t_us, always))) == [kind]


def test_a_trigger_alone_is_a_dry_pull_with_its_reason() -> None:
    (dry,) = read([pull(1, 0)])
    assert isinstance(dry, Gesture)
    assert (dry.kind, dry.reason) == (GestureKind.DRY_PULL, "no hit within 30 ms")


def test_a_dry_pull_names_the_weak_hit_beside_it() -> None:
    for edges in (
        [pull(1, 0), hit(2, 12, 212, weak=True)],
        [hit(2, 0, 212, weak=True), pull(1, 12)],
    ):
        (dry,) = read(edges)
        assert isinstance(dry, Gesture)
        assert dry.kind is GestureKind.DRY_PULL
        assert "peak 212" in dry.reason
        assert set(dry.evidence) == {1, 2}


def test_a_dry_pull_tells_how_far_from_it_the_weak_hit_was_late_in_the_evening_too() -> None:
    for at_ms, lag in ((5_100, "+100.0"), (4_900, "-100.0"), (5_000.04, "+0.0")):
        (dry,) = read(
            [pull(1, 5_000), hit(2, at_ms, 212, weak=True)],
            settings=GestureSettings(window_us=100 * MS),
        )
        assert isinstance(dry, Gesture)
        assert (dry.kind, dry.reason) == (
            GestureKind.DRY_PULL,
            f"the hit at {lag} ms had peak 212, below threshold",
        )


def test_a_hit_alone_is_a_knock() -> None:
    for window_ms in (30, 100):
        (knock,) = read([hit(1, 5, 700)], settings=GestureSettings(window_us=window_ms * MS))
        reason = f"no trigger pull within {window_ms} ms"
        assert knock == Gesture(
            GestureKind.KNOCK, "hit", 5 * MS, "board-1", 100, (1,), None, 700, reason
        )


def test_a_masked_echo_is_no_gesture_of_its_own() -> None:
    assert kinds(read([pull(1, 0), hit(2, 3), hit(3, 9, masked=True)])) == ["shot"]


def test_two_quick_pulls_and_two_hits_pair_in_order() -> None:
    first, second = read([pull(1, 0), pull(2, 10), hit(3, 12), hit(4, 20)])
    assert isinstance(first, Gesture)
    assert isinstance(second, Gesture)
    assert (first.evidence, second.evidence) == ((1, 3), (2, 4))


def test_a_gun_without_a_hit_sensor_shoots_with_each_pull() -> None:
    edges = [pull(1, 0), Edge(2, "trigger", False, 80 * MS), pull(3, 200)]
    for means in (never, always):
        results = read(edges, hold_means=means, settings=GestureSettings(hit_sensor=False))
        assert [
            (kind, item.evidence) for kind, item in zip(kinds(results), results, strict=True)
        ] == [
            ("shot", (1,)),
            ("shot", (3,)),
        ]


def test_what_can_never_be_decided_comes_out_unread_when_the_board_lost_power() -> None:
    recognizer = Recognizer("board-1", 100)
    for edge in (zone(1, True, 0), pull(2, 10), zone(3, True, 20, "zone-2")):
        recognizer.feed(edge)
    assert kinds(list(recognizer.advance(15 * MS, always))) == []
    lost = list(recognizer.close("the board lost power"))
    assert [item.evidence for item in lost] == [(1,), (2,), (3,)]
    assert list(recognizer.advance(10**9, always)) == []


@pytest.mark.parametrize("edge", [zone(1, True, 5), pull(1, 5), hit(1, 5), hit(1, 5, weak=True)])
def test_a_release_or_an_echo_may_matter_from_an_edge_on_until_all_is_decided(edge: Edge) -> None:
    recognizer = Recognizer("board-1", 100)
    assert not recognizer.waits
    recognizer.feed(edge)
    assert recognizer.waits
    assert list(recognizer.advance(5 * MS, always)) == []
    assert recognizer.waits
    assert len(list(recognizer.advance(10_000 * MS, always))) == 1
    assert not recognizer.waits


def test_only_presses_are_undecided_where_the_board_lost_power() -> None:
    recognizer = Recognizer("board-1", 100)
    for edge in (
        zone(1, False, 0),
        zone(2, True, 10),
        zone(3, False, 90),
        hit(4, 20),
        hit(5, 25, masked=True),
    ):
        recognizer.feed(edge)
    assert list(recognizer.close("power")) == [Unread((2,), "power"), Unread((4,), "power")]


def test_a_press_whose_release_was_lost_is_a_tap_for_a_second_press_came_before_its_hold_time_was_up() -> (
    None
):
    first, second = read(
        [zone(1, True, 0), zone(2, True, 300), zone(3, False, 350)], hold_means=always
    )
    assert isinstance(first, Gesture)
    assert (first.kind, first.evidence) == (GestureKind.TAP, (1,))
    assert isinstance(second, Gesture)
    assert (second.kind, second.evidence) == (GestureKind.TAP, (2, 3))


def test_a_finger_that_is_down_is_known_with_what_a_hold_meant_when_it_came_down() -> None:
    recognizer = Recognizer("board-1", 100)
    recognizer.feed(zone(1, True, 0))
    recognizer.feed(zone(2, True, 5, "zone-2"))
    assert list(recognizer.advance(5 * MS, lambda channel: channel == "zone-1")) == []
    assert recognizer.meanings() == {1: True, 2: False}
    assert kinds(list(recognizer.advance(700 * MS, never))) == ["tap", "hold"]
    assert recognizer.meanings() == {}


def test_a_press_that_was_read_before_keeps_its_meaning_whatever_is_answered_now() -> None:
    held = Edge(1, "zone-1", True, 0, can_hold=True)
    assert kinds(read([held], hold_means=never)) == ["hold"]
    tapped = Edge(1, "zone-1", True, 0, can_hold=False)
    assert kinds(read([tapped], hold_means=always)) == ["tap"]


def test_a_gun_whose_hits_nobody_reads_leaves_none_undecided() -> None:
    recognizer = Recognizer("board-1", 100, GestureSettings(hit_sensor=False))
    recognizer.feed(hit(1, 0))
    assert list(recognizer.advance(100 * MS, never)) == []
    assert list(recognizer.close("the board lost power")) == []


@st.composite
def scripts(draw: st.DrawFn) -> list[Edge]:
    edges = []
    for entry in range(1, draw(st.integers(1, 25))):
        channel = draw(st.sampled_from(["zone-1", "zone-2", "trigger", "hit"]))
        pressed = channel == "hit" or draw(st.booleans())
        masked, weak = (channel == "hit" and draw(st.booleans()) for _ in range(2))
        t_us = draw(st.integers(0, 2_000)) * MS
        edges.append(Edge(entry, channel, pressed, t_us, 500, masked=masked, below_threshold=weak))
    return edges


@given(scripts(), st.lists(st.integers(0, 2_500), max_size=8))
def test_the_same_evidence_gives_the_same_gestures_however_it_arrives(
    edges: list[Edge], marks: list[int]
) -> None:
    whole = read(edges, hold_means=always)
    recognizer = Recognizer("board-1", 100)
    waiting = sorted(edges, key=lambda edge: edge.t_us)
    pieces: list[Gesture | Unread] = []
    for mark in [*sorted(marks), 10_000]:
        while waiting and waiting[0].t_us <= mark * MS:
            recognizer.feed(waiting.pop(0))
        pieces += recognizer.advance(mark * MS, always)
    in_time_order = read(sorted(edges, key=lambda edge: edge.t_us), hold_means=always)
    assert pieces == in_time_order
    assert sorted(kinds(whole)) == sorted(kinds(in_time_order)) or len(
        {e.t_us for e in edges}
    ) < len(edges)


@given(scripts())
def test_no_evidence_is_read_twice(edges: list[Edge]) -> None:
    used = [entry for item in read(edges, hold_means=always) for entry in item.evidence]
    assert len(used) == len(set(used))


def test_with_a_least_peak_a_hit_the_board_found_too_weak_counts_from_that_peak_on() -> None:
    edges = [pull(1, 0), hit(2, 12, 212, weak=True)]
    (shot,) = read(edges, settings=GestureSettings(min_peak=212))
    assert isinstance(shot, Gesture)
    assert (shot.kind, shot.evidence, shot.peak) == (GestureKind.SHOT, (1, 2), 212)
    (dry,) = read(edges, settings=GestureSettings(min_peak=300))
    assert isinstance(dry, Gesture)
    assert (dry.kind, dry.reason) == (
        GestureKind.DRY_PULL,
        "the hit at +12.0 ms had peak 212, below threshold 300",
    )


def test_with_a_least_peak_a_hit_the_board_counted_is_rejected_below_it() -> None:
    (dry,) = read([pull(1, 0), hit(2, 4, 899)], settings=GestureSettings(min_peak=900))
    assert isinstance(dry, Gesture)
    assert (dry.kind, dry.evidence) == (GestureKind.DRY_PULL, (1, 2))
    (knock,) = read([hit(2, 4, 899)], settings=GestureSettings(min_peak=900))
    assert isinstance(knock, Gesture)
    assert knock.reason == "peak 899 below threshold 900, no trigger pull"


def test_a_hit_of_a_board_that_reads_no_peaks_counts_whatever_peak_is_asked_for() -> None:
    assert kinds(read([pull(1, 0), hit(2, 4, 0)], settings=GestureSettings(min_peak=900))) == [
        "shot"
    ]
    assert kinds(
        read([pull(1, 0), hit(2, 4, 0, weak=True)], settings=GestureSettings(min_peak=900))
    ) == ["dry-pull"]


def test_a_least_peak_is_named_before_the_threshold_of_the_board() -> None:
    (knock,) = read(
        [hit(1, 0, 212, weak=True)], settings=GestureSettings(min_peak=300, board_threshold=700)
    )
    assert isinstance(knock, Gesture)
    assert knock.reason == "peak 212 below threshold 300, no trigger pull"


def test_without_a_least_peak_a_reason_does_not_name_the_boards_threshold() -> None:
    (dry,) = read([pull(1, 0), hit(2, 12, 212, weak=True)])
    assert isinstance(dry, Gesture)
    assert dry.reason == "the hit at +12.0 ms had peak 212, below threshold"


def test_an_echo_stays_one_whatever_peak_is_asked_for() -> None:
    assert kinds(
        read([pull(1, 0), hit(2, 3), hit(3, 9, masked=True)], settings=GestureSettings(min_peak=10))
    ) == ["shot"]


def test_the_echo_of_a_weak_hit_that_counts_is_no_hit_of_its_own() -> None:
    edges = [
        pull(1, 0),
        hit(2, 3, 212, weak=True),
        hit(3, 12, 205, weak=True),
        hit(4, 34, 204, weak=True),
    ]
    shot, knock = read(edges, settings=GestureSettings(min_peak=200))
    assert isinstance(shot, Gesture)
    assert isinstance(knock, Gesture)
    assert (shot.kind, shot.evidence, knock.kind, knock.evidence) == (
        GestureKind.SHOT,
        (1, 2),
        GestureKind.KNOCK,
        (4,),
    )


def test_a_trigger_that_is_no_gun_is_a_button_with_taps_and_holds() -> None:
    button = GestureSettings(gun=False)
    down, up = pull(1, 0), Edge(2, "trigger", False, 90 * MS)
    tapped, tapped_late, held = (
        read(edges, hold_means=means, settings=button)
        for edges, means in (([down, up], never), ([down, up], always), ([down], always))
    )
    assert (kinds(tapped), kinds(tapped_late), kinds(held)) == (["tap"], ["tap"], ["hold"])
    assert [item.evidence for item in (*tapped, *tapped_late, *held)] == [(1,), (1, 2), (1,)]
    assert [item.channel for item in held if isinstance(item, Gesture)] == ["trigger"]


def test_hits_mean_nothing_where_there_is_no_gun() -> None:
    recognizer = Recognizer("board-1", 100, GestureSettings(gun=False))
    for edge in (pull(1, 0), hit(2, 4), hit(3, 20, 100, weak=True)):
        recognizer.feed(edge)
    assert kinds(list(recognizer.advance(10_000 * MS, never))) == ["tap"]
    assert list(recognizer.close("the board lost power")) == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"hold_us": 199_999}, "a hold time of 199.999 ms cannot be used: enter 200 to 2000 ms"),
        ({"hold_us": 2_001_000}, "a hold time of 2001 ms cannot be used: enter 200 to 2000 ms"),
        ({"window_us": 0}, "a pairing window of 0 ms cannot be used: enter 1 to 100 ms"),
        ({"window_us": 101_000}, "a pairing window of 101 ms cannot be used: enter 1 to 100 ms"),
        ({"min_peak": -1}, "a hit threshold of -1 cannot be used: enter 0 to 65535"),
        ({"min_peak": 65_536}, "a hit threshold of 65536 cannot be used: enter 0 to 65535"),
    ],
)
def test_settings_outside_their_ranges_are_refused_in_a_sentence(
    wrong: dict[str, int], sentence: str
) -> None:
    with pytest.raises(ValueError, match="cannot be used") as caught:
        GestureSettings(**wrong)  # type: ignore[arg-type]
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "edge_of_range",
    [
        {"hold_us": 200_000, "window_us": 1_000, "min_peak": 0},
        {"hold_us": 2_000_000, "window_us": 100_000, "min_peak": 65_535},
    ],
    ids=["least", "most"],
)
def test_settings_at_the_ends_of_their_ranges_are_taken(edge_of_range: dict[str, int]) -> None:
    assert asdict(GestureSettings(**edge_of_range)).items() >= edge_of_range.items()  # type: ignore[arg-type]


def test_a_caller_may_leave_off_after_any_answer() -> None:
    edges = [zone(1, True, 0), zone(2, True, 300), pull(3, 310), hit(4, 315), zone(5, False, 350)]
    recognizer = Recognizer("board-1", 100)
    for edge in edges:
        recognizer.feed(edge)
    results = []
    while item := next(recognizer.advance(10_000 * MS, always), None):
        results.append(item)
    assert results == read(edges, hold_means=always)


@pytest.mark.parametrize("struck_ms", [None, 8, 48])
def test_a_loose_lead_of_a_gun_with_a_sensor_is_a_run_from_its_third_closing_on(
    struck_ms: int | None,
) -> None:
    pulls = [
        replace(pull(n, 20.0 * (n - 1)), place=n - 1, run_from=1 if n > 1 else None)
        for n in range(1, 6)
    ]
    hits = [] if struck_ms is None else [hit(9, struck_ms)]
    results = read([*pulls, *hits])
    pulled = [
        result for result in results if isinstance(result, Gesture) and result.channel == "trigger"
    ]
    assert [result.run_from for result in pulled if result.evidence[0] > 2] == [1, 1, 1]
    assert [result.run_from for result in pulled if result.evidence[0] <= 2] == [None, None]
    assert [result.kind for result in pulled].count(GestureKind.SHOT) == (struck_ms is not None)
