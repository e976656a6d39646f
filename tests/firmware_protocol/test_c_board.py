"""The example board in C reads and writes the golden frames, and a table plays with it over a real pty."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from binascii import crc32
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from firmware_protocol import messages as m
from firmware_protocol.board.contacts import Contact
from firmware_protocol.board.settings import Settings
from firmware_protocol.frames import FrameDecoder, decode_frame, encode_frame
from tests.end_to_end.parts import facts, presses, record
from tests.end_to_end.program import companion
from tests.firmware_protocol.raw_host import RawHost

COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (cc)")

ROOT = Path(m.__file__).parent
SOURCES = ROOT.parent / "examples" / "c_board"
STORED = json.loads((ROOT / "vectors" / "golden.json").read_text(encoding="utf-8"))
STRICT = (
    "-std=c99",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Werror",
    "-fsanitize=address,undefined",
)
# struct's letters, and those of wire.h.
LETTERS = str.maketrans("BHIQ", "bhwq", "<")
ZONE_1, ZONE_2 = 2, 3
LIMITS_US = (300, 5_000, 8_000, 20_000)


def built(folder: Path, name: str, *parts: str) -> Path:
    program = folder / name
    sources = [str(SOURCES / f"{part}.c") for part in (name, *parts)]
    subprocess.run([str(COMPILER), *STRICT, "-o", str(program), *sources], check=True, timeout=60)
    return program


class Vectors:
    """The program that does one task a line."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *words: object) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(*words, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().strip()

    def read(self, data: bytes) -> tuple[list[str], int]:
        """Return the frames among the bytes, and how many runs were no frame."""
        frames, _, bad = self.ask("read", data.hex()).rpartition("bad ")
        return frames.split(), int(bad)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vectors]:
    with closing(
        Vectors(built(tmp_path_factory.mktemp("c"), "vectors", "contact", "wire"))
    ) as program:
        yield program


def named(row: Any) -> str:
    return str(row["name"])


@pytest.mark.parametrize("row", STORED["frames"], ids=named)
def test_it_reads_every_golden_frame_and_writes_it_byte_for_byte(
    vectors: Vectors, row: dict[str, Any]
) -> None:
    raw = bytes.fromhex(row["hex"])
    frame = decode_frame(raw[1:-1])
    head = [str(row["kind"]), str(row["boot_id"]), str(row["seq"])]
    body = [frame.body.hex()] if frame.body else []
    assert vectors.read(raw) == ([*head, *body], 0)

    kind = m.BY_KIND[row["kind"]]
    layout = kind.LAYOUT.translate(LETTERS)
    names = [name for name in kind.FIELDS if name != "data"]
    numbers = vectors.ask("numbers", layout, frame.body.hex()).split() if layout else []
    assert [int(number) for number in numbers] == [row["fields"][name] for name in names]
    rest = frame.body[struct.calcsize(kind.LAYOUT) :] if layout else frame.body
    task = (
        ("tail", *head, layout or "-", *numbers, rest.hex())
        if rest
        else ("write", *head, layout or "-", *numbers)
    )
    assert vectors.ask(*task) == row["hex"]


@pytest.mark.parametrize("row", STORED["damaged"], ids=lambda row: row["why"])
def test_it_refuses_damage_and_reads_the_frame_behind_it(
    vectors: Vectors, row: dict[str, str]
) -> None:
    frames, bad = vectors.read(bytes.fromhex(row["hex"]) + m.encode(m.Ack(5), 1))
    assert (frames, bad) == (["2", "1", "0", "05000000"], 1)


def framed(body: bytes) -> bytes:
    return encode_frame(7, 1, 2, body)


@given(st.lists(st.one_of(st.binary(max_size=300), st.binary(max_size=240).map(framed))))
@settings(max_examples=200, deadline=None)
def test_it_makes_the_same_of_any_bytes_as_the_companion(
    vectors: Vectors, pieces: list[bytes]
) -> None:
    data = b"".join(pieces)[:3000]
    decoder = FrameDecoder()
    frames = [
        f"{frame.kind} {frame.boot_id} {frame.seq} {frame.body.hex()}"
        for frame in decoder.feed(data)
    ]
    wanted = " ".join(frames).split()
    assert vectors.read(data) == (wanted, decoder.bad_frames)


class Stopped:
    """A clock that nobody asks for the time: a contact goes by the stamps of its edges."""

    def ticks(self) -> int:
        return 0


def reported(edges: list[tuple[int, int]], settings: Settings) -> str:
    """Return what the firmware reports of a contact with these edges (us, level)."""
    parts: list[str] = []

    def emit(channel: int, flags: int, ticks: int, bounces: int, peak: int) -> None:
        press = f"press {ticks}"
        release = f"release {ticks} {bounces} {int(bool(flags & m.GLITCH))}"
        parts.append(press if flags & m.PRESSED else release)

    contact = Contact(0, Stopped(), settings, emit)  # type: ignore[arg-type]
    for t_us, level in edges:
        contact.step(t_us)
        contact.edge(t_us, level, 0)
    contact.step(edges[-1][0] + 10_000_000)
    return " ".join(parts)


@given(
    st.lists(
        st.one_of(st.sampled_from(LIMITS_US), st.integers(1, 9_000), st.integers(10_000, 90_000)),
        min_size=1,
    ),
    st.sampled_from([(5_000, 0), (8_000, 300), (20_000, 5_000)]),
)
@settings(max_examples=200, deadline=None)
def test_its_contact_reports_what_the_firmware_reports(
    vectors: Vectors, pauses: list[int], times: tuple[int, int]
) -> None:
    edges = [(t_us, (number + 1) % 2) for number, t_us in enumerate(accumulate(pauses))]
    in_force = Settings()
    in_force.lock_us, in_force.glitch_us = times
    words = [word for edge in edges for word in edge]
    assert vectors.ask("contact", *times, *words) == reported(edges, in_force)


class CBoard:
    """The board as a program of its own, on the pty at `url`."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program, "c0ffee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()

    def play(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()

    def push(self, channel: int, ms: int = 30, pause_ms: int = 60) -> None:
        """Press a contact for `ms`, and wait before the next."""
        self.play(f"press {channel}", f"wait {ms}", f"release {channel}", f"wait {pause_ms}")

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=10) == 0
        self._process.stdout.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("c"), "pty_board", "board", "contact", "ring", "wire")


@pytest.fixture
def board(program: Path) -> Iterator[CBoard]:
    with closing(CBoard(program)) as running:
        yield running


def test_its_hello_is_one_that_the_companion_would_have_written(board: CBoard) -> None:
    with closing(RawHost(board.url)) as host:
        hello = host.meet()
    assert m.Hello.from_body(hello.body()) == hello
    assert (hello.uid, hello.who_id, hello.ring_size) == (0xC0FFEE, 0, 64)
    assert [channel.name for channel in hello.channels] == ["trigger", "zone-1", "zone-2", "zone-3"]
    assert hello.stamp_errors_us == (2000,) * 4


class FullDiskHost(RawHost):
    """A host whose disk is full: it reads, and acknowledges nothing until `saves`. Keeps every message it is told."""

    saves = False

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.received: list[m.Message] = []
        self._frames = FrameDecoder()

    def _take(self, data: bytes) -> None:
        super()._take(data)
        self.received += [
            message for frame in self._frames.feed(data) if (message := m.decode(frame))
        ]

    def _acknowledge(self, boot_id: int) -> None:
        if self.saves:
            super()._acknowledge(boot_id)

    def logs(self) -> list[str]:
        return [message.data.decode() for message in self.received if isinstance(message, m.Log)]

    def has(self, number: int) -> bool:
        """Return true if the board has sent this number, even if the frame was lost on the way."""
        return self.hello is not None and self.hello.next_seq > number


@pytest.fixture
def host(board: CBoard) -> Iterator[FullDiskHost]:
    with closing(FullDiskHost(board.url)) as host:
        host.meet()
        host.arm()
        host.until(lambda: host.has(2))
        yield host


def test_no_more_goes_out_than_credit_allows(board: CBoard, host: FullDiskHost) -> None:
    for _ in range(10):
        board.push(ZONE_1, ms=10, pause_ms=10)
    host.until(lambda: host.has(20))
    assert {seq for _, seq in host.numbered} == set(range(1, 9))


def test_an_ack_that_cannot_be_meant_deletes_nothing(board: CBoard, host: FullDiskHost) -> None:
    host.send(m.Ack(1_000))
    host.port.write(m.encode(m.Ack(2), host.boot_id ^ 1))
    host.until(lambda: bool(host.logs()))
    assert host.logs() == ["ignored an ACK of 1000: the next number is 3"]
    assert host.meet().oldest_seq == 1


def test_settings_out_of_their_range_change_nothing(host: FullDiskHost) -> None:
    usual = host.meet().config_crc
    host.send(
        m.Config(
            lock_us=60_000, glitch_us=0, hit_threshold=0, hit_scan_us=5_000, hit_mask_us=30_000
        )
    )
    host.until(lambda: bool(host.logs()))
    assert host.logs() == ["refused a CONFIG: lock_us must be 5000 to 50000, not 60000"]
    assert host.meet().config_crc == usual
    host.send(wanted := m.Config(20_000, 0, 0, 5_000, 30_000))
    host.until(lambda: host.hello is not None and host.hello.config_crc == crc32(wanted.body()))


def test_what_it_promises_by_pong_holds(board: CBoard, host: FullDiskHost) -> None:
    host.saves = True
    for _ in range(30):
        board.push(ZONE_1, ms=12, pause_ms=3)
        board.push(ZONE_2, ms=7, pause_ms=20)
    while not host.has(100):
        host.send(m.Ping(7))
        host.meet()
    host.until(lambda: len(host.numbered) >= 100)
    events = {
        seq: message.t_us
        for (_, seq), message in host.numbered.items()
        if isinstance(message, m.Event)
    }
    promises = [
        (message.settled_us, message.next_seq)
        for message in host.received
        if isinstance(message, m.Pong)
    ]
    assert len(promises) > 20
    broken = [
        seq
        for settled_us, below in promises
        for seq, t_us in events.items()
        if t_us <= settled_us and seq >= below
    ]
    assert broken == []


def test_a_full_ring_keeps_the_first_presses_and_tells_of_the_rest(
    board: CBoard, host: FullDiskHost
) -> None:
    ring_size = host.meet().ring_size
    for number in range(ring_size):
        board.push(ZONE_1 if number % 2 else ZONE_2, ms=10, pause_ms=10)
    host.until(lambda: host.has(2 * ring_size))
    host.saves = True
    host.until(
        lambda: any(isinstance(message, m.Gap) for message in host.received), ask=m.Replay(1)
    )
    ((gap_seq, gap),) = [
        (seq, message) for (_, seq), message in host.numbered.items() if isinstance(message, m.Gap)
    ]
    assert gap.first_seq == ring_size
    assert gap_seq == gap.first_seq + gap.count
    assert {seq for _, seq in host.numbered} >= set(range(1, gap.first_seq))
    assert host.clashes == 0


def test_a_table_plays_with_it_and_a_killed_companion_loses_no_press(
    board: CBoard, own_data_folder: Path
) -> None:
    with companion("play", "panic-fire", "--seats", "red,blue", "--port", board.url) as first:
        first.wait_for("the board is armed")
        board.push(ZONE_1, ms=700)
        first.wait_for("fire! round 1")
        board.push(ZONE_2)
        first.wait_for("blue draws", 1)
        first.kill()
    for _ in range(3):
        board.push(ZONE_2, pause_ms=120)
    with companion("resume", "--port", board.url) as second:
        second.wait_for("blue draws", 4)
        assert second.leave() == 0
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    entries = record(session)
    assert len(presses(entries, "zone-2")) == len(facts(entries, "draw")) == 4
