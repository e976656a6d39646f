"""Faults wired into the virtual board as raw edges at its pins, its clock and its cable; the selftest finds each."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from companion.board.asking import AskingPace, calibration_steps, selftest_steps
from companion.board.install_session import InstallSession
from companion.board.procedures import open_board, selftest
from companion.board.selftest import Grade, WireEvents, WireVerdict, verdicts
from companion.errors import CommandError
from companion.exits import Exit, code_of
from firmware_protocol.messages import (
    HIT_OPEN,
    HIT_PIEZO,
    HIT_RESISTOR,
    PRESSED,
    ROLE_PLUG,
    Channel,
    Event,
    Hello,
    Stats,
)
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.faults import FaultRates
from firmware_protocol.virtual.physics import Edge

pytestmark = pytest.mark.waits

PACE = AskingPace(quiet_s=0.2, answer_s=0.8, after_s=0.1, order_s=3.0)
ONE, TWO, NOISY = "zone-1", "zone-2", "zone-9"
Answer = Callable[[VirtualBoard], object]


SETTLED_US = 50_000
"""Well behind the lock time of a contact that opened: the board calls it open by then."""


def edges(*rows: Edge) -> Answer:
    return lambda board: board.play(list(rows))


def nothing(_board: VirtualBoard) -> None:
    return None


def chatter(channel: str, count: int) -> list[Edge]:
    """Return one press whose contact opens and closes `count` times within its lock time."""
    rows = [(100 * step, channel, (step + 1) % 2) for step in range(count)]
    return [*rows, (100 * count, channel, 1), (60_000, channel, 0)]


def clean(channel: str, at_us: int = 0) -> list[Edge]:
    return [(at_us, channel, 1), (at_us + 60_000, channel, 0)]


def humming(channel: str) -> Answer:
    """Make a wire pick up noise at 10 kHz: the board mutes it, and unmutes it a second later."""
    return edges(*((50 * number, channel, 1 - number % 2) for number in range(3000)))


def press_one(board: VirtualBoard) -> None:
    board.play(clean(ONE))


@dataclass(frozen=True)
class Wired:
    """A fault: the actions before the test, while hands are off, and when the wire is asked for."""

    wire: str
    sentence: str
    asked: Answer = press_one
    before: Answer = nothing
    quiet: Answer = nothing
    grade: Grade = Grade.FAULT


FAULTS = {
    "stuck closed": Wired(
        ONE, "closed while nobody touches it", nothing, before=edges((0, ONE, 1))
    ),
    "broken lead": Wired(ONE, "silent: a broken lead", nothing),
    "sticking": Wired(ONE, "stays closed", edges((0, ONE, 1))),
    "swapped leads": Wired(ONE, "zone-2 answers for it", edges(*clean(TWO))),
    "leads that touch": Wired(
        ONE, "zone-2 answers with it: the leads touch", edges(*clean(ONE), *clean(TWO, 3))
    ),
    "crosstalk": Wired(
        ONE, "zone-2 answers with it: crosstalk", edges(*clean(ONE), (20, TWO, 1), (60, TWO, 0))
    ),
    "worn contact": Wired(ONE, "worn; change the switch", edges(*chatter(ONE, 64))),
    "one press as two": Wired(ONE, "one press came as 2", edges(*clean(ONE), *clean(ONE, 80_000))),
    "disturbed lead": Wired(
        ONE, "1 press that nobody made", quiet=edges((0, ONE, 1), (50, ONE, 0))
    ),
    "noise": Wired("zone-7", "was muted: ", nothing, quiet=humming("zone-7")),
    "noise since before": Wired("zone-8", "was muted: ", nothing, before=humming("zone-8")),
    "piezo without its analog pin": Wired(
        "hit", "pulses without strength", edges((0, "hit", 1), (200, "hit", 0))
    ),
    "hit input open": Wired(
        "hit", "candidates at rest", nothing, quiet=edges((0, "hit", 1), (300, "hit", 0))
    ),
    "clock rate": Wired("clock", "", before=lambda board: board.disturb_clock(ppm=1000)),
    "lost frames": Wired(
        "link",
        "frames damaged",
        before=lambda board: board.faults(FaultRates(corrupt=0.3), seed=1),
        grade=Grade.WORN,
    ),
}


def behind_hit(circuit: str) -> Answer:
    return lambda board: board.wire_hit(circuit)


FAULTS |= {
    "nothing at the hit input": Wired(
        "hit", "is silent. No piezo is connected", nothing, behind_hit("open")
    ),
    "resistor without a piezo": Wired(
        "hit", "resistor is there, but no piezo", nothing, behind_hit("resistor")
    ),
    "piezo that is not heard": Wired(
        "hit", "silent, though a piezo is there: swap the disc's two wires", nothing
    ),
}


@pytest.fixture(scope="module")
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard.spawn(runtime="cpython") as board:
        yield board


def examined(board: VirtualBoard, wired: Wired, pace: AskingPace = PACE) -> list[WireVerdict]:
    """Return the verdicts about one wire, worked by its wiring instead of a person."""
    lines: list[str] = []

    def say(sentence: str) -> None:
        if sentence.startswith("Hands off"):
            wired.quiet(board)
        elif sentence.startswith(("Press", "Pull", "Knock")):
            wired.asked(board)

    asked = wired.wire if wired.wire not in ("clock", "link") else ONE
    with open_board(board.url, say, discard=True, pace=pace) as selftest_board:
        code = selftest(selftest_board, lines.append, press=True, wires=[asked], as_json=True)
    results = [
        WireVerdict(verdict["wire"], Grade(verdict["grade"]), verdict["sentence"])
        for verdict in json.loads(lines[-1])
    ]
    assert (code is None) == all(verdict.grade is not Grade.FAULT for verdict in results)
    return results


def test_a_wire_that_the_board_does_not_have_is_no_wire_without_faults(board: VirtualBoard) -> None:
    lines: list[str] = []
    with (
        open_board(board.url, lines.append, discard=True, pace=PACE) as selftest_board,
        pytest.raises(CommandError) as refused,
    ):
        selftest(selftest_board, lines.append, press=False, wires=["zone-99"])
    assert str(refused.value).startswith(
        "The board has no wire zone-99. It has trigger, hit, zone-1, "
    )
    assert code_of(refused.value.kind) is Exit.USAGE


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_fault_that_is_wired_in_is_found(board: VirtualBoard, fault: str) -> None:
    wired = FAULTS[fault]
    wired.before(board)
    try:
        results = {verdict.wire: verdict for verdict in examined(board, wired)}
        # answers came late, on a busy computer: longer, they tell
        if results[wired.wire].grade is Grade.UNTRIED:
            results = {
                verdict.wire: verdict
                for verdict in examined(board, wired, replace(PACE, quiet_s=10.0))
            }
    finally:
        board.faults()
        board.disturb_clock()
        board.wire_hit("piezo")
        released_us = board.play([(0, channel, 0) for channel in (ONE, TWO, "hit")])
        while board.play([]) < released_us + SETTLED_US:  # the next test finds them open
            pass
    assert results[wired.wire].grade is wired.grade, results
    assert wired.sentence in results[wired.wire].sentence


def test_a_sound_board_has_no_fault(board: VirtualBoard) -> None:
    results = examined(board, Wired(ONE, "", lambda board: board.press(ONE)))
    assert {verdict.wire for verdict in results} == {ONE, "clock", "link", "board"}
    assert all(verdict.grade is not Grade.FAULT for verdict in results), results


def test_what_the_board_keeps_for_a_session_is_not_thrown_away_unasked(board: VirtualBoard) -> None:
    board.power_cycle()
    for zone in range(1, 4):
        board.press(f"zone-{zone}")
    with pytest.raises(CommandError, match="companion resume"):
        look_until_it_has_them(board)


def test_the_virtual_board_is_not_installed_on(board: VirtualBoard) -> None:
    with pytest.raises(CommandError, match="That is the virtual board"):
        InstallSession(board.url, io.StringIO(), lister=list).hello()
    assert board.status()["powered"]


def look_until_it_has_them(board: VirtualBoard) -> None:
    for _ in range(100):
        with open_board(board.url, lambda _sentence: None, discard=False, pace=PACE):
            pass


def hello(*names: str) -> Hello:
    numbers = {"trigger": (0, 1, 0), "hit": (1, 2, 0), ONE: (2, 3, 1), TWO: (3, 3, 2)}
    channels = tuple(Channel(*numbers[name], 0) for name in names)
    return Hello(1, 0, 1, 0, 7, 0, 512, 1, 1, 100, "0.1.0", "", channels)


def test_a_person_is_told_which_wire_is_muted_and_is_not_asked_to_press_it(
    board: VirtualBoard,
) -> None:
    lines: list[str] = []

    def say(sentence: str) -> None:
        lines.append(sentence)
        if sentence.startswith("Hands off"):
            humming(NOISY)(board)

    with open_board(
        board.url, say, discard=True, pace=replace(PACE, quiet_s=0.6)
    ) as selftest_board:
        selftest(selftest_board, lines.append, press=True, wires=[NOISY])
    (muted,) = [sentence for sentence in lines if sentence.startswith("Zone 9 is muted: ")]
    assert muted.endswith(" ms. Check its wire.")
    assert f"Press {NOISY} once and let go." not in lines
    assert any(line.startswith(f"fault    {NOISY}    was muted: ") for line in lines)


def test_a_wire_that_was_not_worked_is_untried_and_never_good() -> None:
    (wire, clock, link, chip) = verdicts(WireEvents(hello(ONE), frozenset(), [], {}))
    assert [verdict.grade for verdict in (wire, clock, link, chip)] == [
        *2 * [Grade.UNTRIED],
        Grade.GOOD,
        Grade.UNTRIED,
    ]


def test_a_wire_that_was_skipped_is_said_to_be_even_if_all_were() -> None:
    observed = WireEvents(hello(ONE), frozenset(), [], {}, was_asked=True)
    assert verdicts(observed)[0].sentence == "is quiet at rest; it was skipped."


def test_the_board_tells_its_loop_ring_and_noise_as_far_as_it_knows_them() -> None:
    def sentence_of(stats: Stats, noise: int | None) -> str:
        return verdicts(WireEvents(hello("hit"), frozenset(), [], {}, stats=stats, noise=noise))[
            -1
        ].sentence

    knows = "longest turn 5.4 ms, at most 12 of 512 places of the ring used"
    assert sentence_of(Stats(0, 0, 12, 5_432, 60), None) == f"{knows}."
    assert (
        sentence_of(Stats(0, 0, 12, 5_432, 60, 98_304), 32)
        == f"{knows}, 96 kB of memory free, the hit sensor at rest up to 32 of 4095."
    )
    tested = Stats(0, 0, 12, 5_432, 60, 0, HIT_PIEZO, 2482, 3, 760)
    read = "the hit sensor's pin read 2482 pulled up and 3 pulled down, and rose in 0.76 ms"
    assert sentence_of(tested, None) == f"{knows}, {read}."


@pytest.mark.parametrize(
    ("tested", "up", "sentence"),
    [
        (
            HIT_OPEN,
            4095,
            "is quiet at rest, with nothing at its analog pin; it was not tried (--press).",
        ),
        (
            HIT_RESISTOR,
            2482,
            "is quiet at rest, with its resistor and no piezo; it was not tried (--press).",
        ),
        (
            HIT_PIEZO,
            2482,
            "is quiet at rest, with a piezo and its resistor; it was not tried (--press).",
        ),
    ],
)
def test_a_hit_sensor_that_was_not_knocked_on_says_what_is_there(
    tested: int, up: int, sentence: str
) -> None:
    stats = Stats(0, 0, 0, 0, 0, 0, tested, up, 0, 0)
    (hit, *_) = verdicts(WireEvents(hello("hit"), frozenset(), [], {}, stats=stats))
    assert hit == WireVerdict("hit", Grade.UNTRIED, sentence)


def test_wrong_wiring_at_the_hit_input_is_a_fault_before_anybody_knocks() -> None:
    stats = Stats(0, 0, 0, 0, 0, 0, HIT_RESISTOR, 20, 0, 0)
    (hit, *_) = verdicts(WireEvents(hello("hit"), frozenset(), [], {}, stats=stats))
    assert (hit.grade, "tied to ground" in hit.sentence) == (Grade.FAULT, True)


def test_the_guns_plug_is_good_while_it_is_in_and_is_never_asked_for() -> None:
    board = Hello(1, 0, 1, 0, 7, 0, 512, 1, 1, 100, "0.1.0", "", (Channel(12, ROLE_PLUG, 0, 0),))
    grades = [
        verdicts(WireEvents(board, frozenset(closed), [], {}))[0].grade for closed in (["plug"], [])
    ]
    assert grades == [Grade.GOOD, Grade.FAULT]
    assert [ask.channel for ask in selftest_steps(board, PACE, press=True)] == [None]
    assert list(calibration_steps(board, PACE)) == []


def test_the_clock_is_judged_beyond_its_error_only() -> None:
    def grade(ppm: float, error: float) -> Grade:
        observed = WireEvents(hello(ONE), frozenset(), [], {}, clock_ppm=ppm, clock_error_ppm=error)
        return verdicts(observed)[1].grade

    assert grade(150, 10) is Grade.GOOD
    assert grade(-300, 150) is Grade.GOOD
    assert grade(-300, 50) is Grade.FAULT
    # a busy computer: nothing is known, and "good" would be a claim
    assert grade(616, 609) is Grade.UNTRIED
    assert grade(1616, 609) is Grade.FAULT


def test_a_sensor_whose_knock_is_weak_is_to_be_calibrated() -> None:
    knock = [Event(1, PRESSED | 0x04, 1000, 300, 150)]
    (hit, *_) = verdicts(WireEvents(hello("hit"), frozenset(), [], {"hit": knock}))
    assert (hit.grade, "calibrate" in hit.sentence) == (Grade.WORN, True)


def test_a_contact_between_new_and_worn_is_to_be_watched() -> None:
    press = [Event(2, PRESSED, 1000), Event(2, 0, 90_000, 45)]
    (wire, *_) = verdicts(WireEvents(hello(ONE), frozenset(), [], {ONE: press}))
    assert wire.grade is Grade.WORN
