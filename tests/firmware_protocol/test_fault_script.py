"""Faults on purpose: the timeline of a seed, what a lying wire changes, and a board that is really disturbed."""

import contextlib
import os
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

import pytest

from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import Event, Gap, Hello, Ping, decode, encode
from firmware_protocol.virtual.claims import VersionClaim
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError
from firmware_protocol.virtual.world import World
from tests.demo.fault_script import PROFILES, Fault, FaultKind, begin, end, heal, timeline
from tests.firmware_protocol.raw_host import RawHost

HELLO = Hello(1, 0, 0xABCD, 0, 0, 0, 64, 1, 2, 100, "0.1", "fake", ())
PAGE = Path(__file__).resolve().parents[2] / "firmware_protocol" / "virtual" / "README.md"


def decoded(data: bytes) -> list[object]:
    return [decode(frame) for frame in FrameDecoder().feed(data)]


@pytest.mark.parametrize("name", PROFILES)
def test_a_timeline_is_its_seed_and_profile_and_deals_every_kind_before_one_comes_again(
    name: str,
) -> None:
    profile = PROFILES[name]
    kinds = len(profile.spreads)
    faults = list(islice(timeline(5, profile), 2 * kinds))
    assert faults == list(islice(timeline(5, profile), 2 * kinds))
    assert faults != list(islice(timeline(6, profile), 2 * kinds))
    assert {fault.kind for fault in faults[:kinds]} == set(profile.spreads)
    for before, after in pairwise(faults):
        assert after.at_s >= before.at_s + before.lasts_s + profile.pause_s[0] - 0.001


def test_rough_has_every_kind_of_fault() -> None:
    assert set(PROFILES["rough"].spreads) == set(FaultKind)


def test_the_page_names_every_kind_and_every_profile() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [kind for kind in FaultKind if f"| {kind} |" not in page] == []
    assert [name for name in PROFILES if f"`{name}`" not in page] == []


def test_a_claimed_version_is_a_whole_hello_with_another_version_and_nothing_else_changes() -> None:
    claim = VersionClaim()
    claim.version = (2, 3)
    event = encode(Event(2, 1, 5), 7, 1)
    stream = b"noise\0" + event + encode(HELLO, 7) + event
    passed = b"".join(claim.apply(bytes([byte])) for byte in stream)
    assert passed.startswith(b"noise\0" + event)
    first, hello, last = decoded(passed)
    assert first == last == Event(2, 1, 5)
    assert isinstance(hello, Hello)
    assert (hello.major, hello.minor, hello.uid, hello.board) == (2, 3, HELLO.uid, "fake")


def test_a_wire_that_stops_lying_passes_on_what_it_held_back() -> None:
    claim = VersionClaim()
    claim.version = (2, 0)
    stream = encode(Ping(3), 7)
    passed = claim.apply(stream[:5])
    claim.version = None
    assert passed + claim.apply(stream[5:]) == stream


def test_a_run_that_is_too_long_for_a_frame_is_passed_on_and_not_kept() -> None:
    claim = VersionClaim()
    claim.version = (2, 0)
    assert claim.apply(b"x" * 300) == b"x" * 300


def test_a_disturbed_clock_jumps_and_then_runs_fast_from_there() -> None:
    outside = [1_000]
    world = World(lambda: outside[0])
    outside[0] += 1_000_000
    world.disturb_clock(100, 250)
    assert world.now_us() == 1_000_250
    outside[0] += 1_000_000
    assert world.now_us() == 2_000_350
    world.disturb_clock(0, 0)
    outside[0] += 10
    assert world.now_us() == 2_000_360


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    listen = None if os.name == "posix" else "127.0.0.1:0"
    path = None if listen else tmp_path / "port"
    with VirtualBoard.spawn("cpython", path=path, listen=listen, ring_size=8) as started:
        yield started


def test_a_reset_draws_another_boot_id_or_the_same_and_the_port_stands(board: VirtualBoard) -> None:
    first = board.status()
    assert board.reset() != first["boot_id"]
    second = board.status()["boot_id"]
    assert board.reset(same_numbers=True) == second
    status = board.status()
    assert (status["plugged"], status["powered"], status["starts"]) == (
        True,
        True,
        first["starts"] + 2,
    )


def test_a_board_without_power_has_no_clock_and_cannot_be_reset(board: VirtualBoard) -> None:
    board.power_off()
    with pytest.raises(VirtualBoardError, match="no power"):
        board.reset()
    with pytest.raises(VirtualBoardError, match="no power"):
        board.disturb_clock(ppm=10)


def test_what_no_clock_and_no_version_can_be_is_refused_with_a_sentence(
    board: VirtualBoard,
) -> None:
    with pytest.raises(VirtualBoardError, match="ppm"):
        board.disturb_clock(ppm=2000)
    with pytest.raises(VirtualBoardError, match="ahead"):
        board.disturb_clock(step_ms=-1)
    with pytest.raises(VirtualBoardError, match="version"):
        board.claim_version((256, 0))


def test_the_boards_clock_jumps_by_what_was_asked(board: VirtualBoard) -> None:
    before = board.disturb_clock()
    assert 60_000_000 <= board.disturb_clock(step_ms=60_000) - before < 70_000_000


@pytest.mark.parametrize("kind", FaultKind)
def test_every_fault_begins_and_ends_and_a_healed_board_answers(
    board: VirtualBoard, kind: FaultKind
) -> None:
    fault = Fault(0.0, kind, 30.0, {FaultKind.SKEW: 50, FaultKind.OVERFLOW: 3}.get(kind, 0.5))
    begin(board, fault)
    end(board, fault)
    heal(board)
    with contextlib.closing(RawHost(board.url)) as host:
        assert host.meet().uid == board.uid


def test_a_silent_board_hears_and_stamps_and_foreign_text_is_no_frame(board: VirtualBoard) -> None:
    with contextlib.closing(RawHost(board.url)) as host:
        host.meet()
        board.silence(0.2)
        pressed = board.press("zone-1", hold_ms=20)
        board.print_text("\0>>> hello\0")
        host.until(lambda: host.presses("zone-1") == [pressed])


def test_a_burst_beyond_the_ring_keeps_the_oldest_and_the_gap_has_the_rest(
    board: VirtualBoard,
) -> None:
    with contextlib.closing(RawHost(board.url)) as host:
        host.meet()
        presses_us = board.overflow(8)
        gaps: list[Gap] = []

        def all_accounted_for() -> bool:
            gaps[:] = [frame for frame in host.numbered.values() if isinstance(frame, Gap)]
            return len(host.presses("zone-10")) + len(
                [at for at in presses_us if in_gap(at, gaps)]
            ) == len(presses_us)

        host.until(all_accounted_for)
        assert host.presses("zone-10") == presses_us[: len(host.presses("zone-10"))]
        assert gaps


def in_gap(at_us: int, gaps: list[Gap]) -> bool:
    return any(gap.first_us <= at_us <= gap.last_us for gap in gaps)
