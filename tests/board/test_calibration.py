"""The settings that calibrate proposes, its reasons, and its guided steps on the virtual board."""

from __future__ import annotations

from binascii import crc32
from contextlib import closing

from hypothesis import given, strategies as st

from companion.board.asking import AskingPace
from companion.board.calibration import (
    LIMITS,
    CalibrationSamples,
    ProposedSettings,
    accepted,
    propose,
)
from companion.board.monitor import Monitor
from companion.board.procedures import calibrate, open_board, store, tell
from companion.link.conversation import Conversation
from firmware_protocol.board.settings import Settings
from firmware_protocol.messages import (
    EDGES,
    GLITCH,
    MASKED,
    MUTED,
    PRESSED,
    UNMUTED,
    UNREAD,
    Channel,
    Config,
    Event,
    Gap,
    Hello,
    Overrun,
    State,
)
from firmware_protocol.virtual.client import VirtualBoard

REACTION_MS = 250


def hits(*peaks: int, every_us: int = 4_000) -> list[Event]:
    return [
        Event(1, PRESSED, 1_000_000 + every_us * place, 200, peak)
        for place, peak in enumerate(peaks)
    ]


def presses(bounces: int = 3, length_us: int = 80_000) -> list[Event]:
    return [Event(2, PRESSED, 10_000), Event(2, 0, 10_000 + length_us, bounces)]


def value(proposal: ProposedSettings, name: str) -> tuple[int, str]:
    return next(
        (setting.value, setting.reason) for setting in proposal.settings if setting.name == name
    )


def test_the_threshold_lies_between_the_strongest_knock_and_the_weakest_shot() -> None:
    proposal = propose(
        CalibrationSamples(
            hits(20), [hits(1500), hits(1200), hits(1800)], [hits(600)] * 3, presses()
        )
    )
    assert value(proposal, "hit_threshold") == (
        900,
        "midway between the strongest knock (600) and the weakest shot (1200)",
    )
    assert proposal.warnings == ()
    assert proposal.outcome == (
        "3 of 3 shots as one hit",
        "0 of 3 knocks as a hit",
        "0 hits while held still",
    )


def test_knocks_as_strong_as_shots_are_said_and_half_the_weakest_shot_is_taken() -> None:
    proposal = propose(CalibrationSamples([], [hits(1000)] * 3, [hits(1400)] * 3, presses()))
    assert value(proposal, "hit_threshold")[0] == 500
    assert "Knocks are as strong as shots" in proposal.warnings[0]
    assert proposal.outcome[1] == "3 of 3 knocks as a hit"


def test_noise_lifts_the_threshold_and_noise_like_shots_is_a_warning() -> None:
    assert (
        value(
            propose(CalibrationSamples(hits(500), [hits(1000)] * 3, [hits(100)], [])),
            "hit_threshold",
        )[0]
        == 750
    )
    assert (
        "as strong as the weakest shot"
        in propose(CalibrationSamples(hits(900), [hits(1000)], [], [])).warnings[0]
    )


def test_the_mask_covers_the_ringing_of_a_shot() -> None:
    ringing = hits(2000, 1900, 1800, 1700, 1600, 1500, 1400, every_us=5_000)
    proposal = propose(CalibrationSamples([], [ringing] * 3, [], []))
    assert value(proposal, "hit_mask_us") == (
        45_000,
        "the body rings 30.0 ms, and half as much again",
    )
    assert proposal.outcome[0] == "3 of 3 shots as one hit"
    assert (
        value(propose(CalibrationSamples([], [hits(2000)] * 3, [], [])), "hit_mask_us")[0]
        == Settings().hit_mask_us
    )


def test_a_worn_contact_lengthens_the_lock_only_so_far_and_is_to_be_changed() -> None:
    assert value(propose(CalibrationSamples([], [], [], presses(3))), "lock_us")[0] == 8_000
    assert value(propose(CalibrationSamples([], [], [], presses(40))), "lock_us")[0] == 12_400
    worn = propose(CalibrationSamples([], [], [], presses(90)))
    assert value(worn, "lock_us") == (18_600, "twice the 9.3 ms that half of 60 bounces take")
    assert worn.warnings[-1] == "A contact bounced 90 times: change it."


def test_a_sensor_without_strength_keeps_the_default_and_says_why() -> None:
    proposal = propose(CalibrationSamples([], [hits(0)] * 3, [hits(0)], presses()))
    assert value(proposal, "hit_threshold")[0] == Settings().hit_threshold
    assert "vibration module" in proposal.warnings[0]
    nothing = propose(CalibrationSamples([], [[]] * 3, [], []))
    assert "No shot was felt" in nothing.warnings[0]
    assert value(nothing, "hit_mask_us")[1] == "the default: no shot was felt"


def test_shots_that_nobody_could_read_are_to_be_measured_again_and_no_shot_is_another_thing() -> (
    None
):
    unread = [Event(1, PRESSED | UNREAD, 1_000_000)]
    busy = "The board was too busy to read a shot: calibrate again."
    assert propose(CalibrationSamples([], [unread] * 3, [], [])).warnings == (busy,)
    assert (
        propose(CalibrationSamples([], [[]] * 3, [], []))
        .warnings[0]
        .startswith("No shot was felt: look at")
    )


def test_a_shot_whose_samples_were_gone_is_not_judged_by_its_echo() -> None:
    unread = [
        Event(1, PRESSED | UNREAD, 1_000_000),
        Event(1, PRESSED | MASKED, 1_005_000, 200, 350),
    ]
    proposal = propose(
        CalibrationSamples([], [hits(2000), hits(2000), unread], [hits(500)] * 3, presses())
    )
    assert value(proposal, "hit_threshold")[0] == 1250
    assert proposal.warnings == ()


def test_short_presses_shorten_the_glitch_time() -> None:
    assert value(propose(CalibrationSamples([], [], [], presses(0, 400))), "glitch_us") == (
        200,
        "half the shortest press (400 us)",
    )


def test_hits_within_the_mask_count_once() -> None:
    config = Config(8_000, 300, 500, 5_000, 30_000)
    assert accepted(hits(900, 900, 900, every_us=29_000), config) == 2
    assert accepted(hits(499), config) == 0


peaks = st.lists(st.integers(0, 4095), max_size=6)


@given(
    still=peaks,
    shots=st.lists(peaks, max_size=3),
    knocks=st.lists(peaks, max_size=3),
    bounces=st.integers(0, 65535),
)
def test_whatever_was_felt_the_board_takes_what_is_proposed(
    still: list[int], shots: list[list[int]], knocks: list[list[int]], bounces: int
) -> None:
    samples = CalibrationSamples(
        hits(*still),
        [hits(*shot) for shot in shots],
        [hits(*knock) for knock in knocks],
        presses(bounces),
    )
    proposal = propose(samples)
    Settings().apply(proposal.config)
    assert [setting.name for setting in proposal.settings] == list(LIMITS)
    assert all(setting.reason for setting in proposal.settings)


def test_the_guided_form_asks_for_everything_and_the_board_takes_the_settings() -> None:
    with VirtualBoard.spawn(runtime="cpython", seed=3) as board:
        lines: list[str] = []

        def person(sentence: str) -> None:
            lines.append(sentence)
            word = sentence.split()[0]
            if word == "Shot":
                board.shot(peak=2400)
            elif word == "Knock":
                board.knock(800)
            elif word == "Press":
                if sentence.startswith("Press zone-1 "):
                    board.press("zone-3", hold_ms=20)
                for count in range(1, 6):
                    board.press(sentence.split()[1], hold_ms=20, at_ms=40 * count)

        with open_board(
            board.url, person, discard=True, pace=AskingPace(0.2, 3.0, 0.15, 3.0)
        ) as selftest_board:
            proposal = calibrate(selftest_board)
            tell(proposal, lines.append)
            store(selftest_board, proposal.config)
        with closing(Conversation(board.url)) as conversation:
            after = conversation.hello()
        assert after is not None
        assert after.config_crc == crc32(proposal.config.body())
    assert sum(line.startswith("Press zone-") for line in lines) == 10
    assert [line for line in lines if line.startswith("That was")] == [
        "That was zone-3: press zone-1."
    ]
    assert 800 < proposal.config.hit_threshold < 2400
    assert "It would have counted 3 of 3 shots as one hit." in lines
    assert "It would have counted 0 of 3 knocks as a hit." in lines


def test_a_trigger_that_is_held_long_after_its_hit_ends_its_own_step_only() -> None:
    drawn: list[int] = []
    peaks = {"Shot": 2400, "Knock": 800}
    with VirtualBoard.spawn(runtime="cpython", seed=3) as board:

        def person(sentence: str) -> None:
            word = sentence.split()[0]
            if word == "Shot":
                board.shot(peak=peaks[word], hold_ms=200, at_ms=REACTION_MS)
            elif word == "Knock":
                board.knock(peaks[word], at_ms=REACTION_MS)

        with open_board(
            board.url, person, discard=True, pace=AskingPace(0.1, 3.0, 0.1, 3.0)
        ) as selftest_board:
            selftest_board.skip_requested = lambda: len(drawn) == 6
            selftest_board.draw = lambda wave: drawn.append(16 * max(wave.points))
            proposal = calibrate(selftest_board)
    assert proposal.outcome == (
        "3 of 3 shots as one hit",
        "0 of 3 knocks as a hit",
        "0 hits while held still",
    )
    assert drawn == 3 * [2400] + 3 * [800]


def test_the_monitor_says_each_event_and_sums_up_each_channel() -> None:
    channels = (Channel(1, 2, 0, 1), Channel(2, 3, 1, 0))
    view = Monitor(Hello(1, 0, 1, 0, 7, 0, 512, 1, 1, 100, "0.1.0", "", channels))
    assert view.line(State(0, 0b100, 1_000_000)) == "    1.000000  levels    closed: zone-1"
    assert (
        view.line(Event(2, GLITCH, 1_500_000, 7))
        == "    1.500000  zone-1    release, 7 bounces, glitch"
    )
    assert view.line(Event(1, PRESSED | 0x06, 2_000_000, 310, 222)) == (
        "    2.000000  hit       peak 222, 310 us wide, masked, below threshold"
    )
    assert "12 events refused" in view.line(Gap(5, 12, 1_000_000, 2_500_000))
    assert "at least 1 change of level read too late, 1.000000 to 2.500000" in view.line(
        Overrun(EDGES, 1, 1_000_000, 2_500_000)
    )
    assert list(view.summary()) == [
        "hit       open       1 times, peak up to 222",
        "zone-1    open       0 times, bounces up to 7",
    ]


def test_the_monitor_names_a_muted_wire_and_its_level_is_unknown_until_it_is_heard_again() -> None:
    channels = (Channel(1, 2, 0, 1), Channel(2, 3, 1, 0))
    view = Monitor(Hello(1, 0, 1, 0, 7, 0, 512, 1, 1, 100, "0.1.0", "", channels))

    def levels() -> list[str]:
        return [wire.level for wire in view.wires()]

    assert view.line(Overrun(MUTED + 2, 900, 950_000, 1_000_000)) == (
        "    1.000000  zone-1    muted: 900 edges in 50 ms, level unknown: check its wire"
    )
    assert levels() == ["open", "unknown"]
    assert (
        view.line(State(0, 0b010, 1_500_000))
        == "    1.500000  levels    closed: hit; unknown: zone-1"
    )
    assert levels() == ["closed", "unknown"]
    assert (
        view.line(Overrun(UNMUTED + 2, 3, 1_000_000, 2_100_000))
        == "    2.100000  zone-1    heard again"
    )
    view.line(State(0, 0b100, 2_100_000))
    assert levels() == ["open", "closed"]


def test_the_monitor_shows_a_source_that_it_does_not_know_as_a_number() -> None:
    view = Monitor(Hello(1, 0, 1, 0, 7, 0, 512, 1, 1, 100, "0.1.0", "", ()))
    assert "of source 99, which this companion does not know" in view.line(
        Overrun(99, 1, 0, 1_000_000)
    )
