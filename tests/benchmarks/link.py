"""How good the link is, each figure beside a reference of the same run; run as `python -m tests.benchmarks.link`.

The board is the virtual one, so no figure holds anything of real USB.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.demo.capture import Capture
from companion.journal.journal import Journal
from companion.link.dispatcher import Tape
from companion.link.events import Replaced
from companion.link.evidence import Evidence
from companion.link.session import Session
from companion.link.settings import config_of
from companion.link.status import LinkState, LinkStatus
from companion.link.supervisor import Link
from companion.session.intake import evidence_draft
from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import PRESSED, Config, Event, decode, encode
from firmware_protocol.virtual.client import VirtualBoard
from tests.benchmarks.echo import echoes_ms
from tests.benchmarks.figures import timed
from tests.benchmarks.firmata import FirmataReader
from tests.link.test_clock import FRAMES_NS, live
from tests.link.threaded.listening import Notebook
from tests.link.world import MS

EVENTS = 50_000
RING, KEPT = 2_048, 2_000
ZONES = 10
RUNS = 5
LIVE_S, LIVE_EVENTS = 2.5, 100
# So many edges a virtual board is told at once.
MOST_EDGES = 3_000
# A virtual board takes so long to read what its buttons are to do.
LEAD_US = 500_000
# Few events: a table in play.
SLOW_PER_S = 100
# A slow machine may need so long for what a fast one does at once.
SLOW_S = 60.0
MAPPED_S = 30
SILENT_S = 3.0


@dataclass(frozen=True, slots=True)
class Row:
    """A figure, its target, and references of the same run; `more` is better for rates."""

    what: str
    value: float
    unit: str
    wanted: str = ""
    references: Sequence[tuple[str, float]] = ()


def show(rows: Iterable[Row]) -> None:
    """Print a line for a figure, and one below it for each reference."""
    for row in rows:
        print(f"{row.what:<48} {row.value:>12,.3f} {row.unit:<9} {row.wanted:<12}", end="")
        for number, (name, value) in enumerate(row.references):
            lead = " " * 84 if number else " "
            print(
                f"{lead}{name:<40} {value:>14,.3f} {row.value / value if value else 0:>9.4f}",
                end="\n",
            )
        print(end="" if row.references else "\n", flush=True)


def heading() -> None:
    """Print the heads of the columns."""
    print(
        f"{'figure':<48} {'value':>12} {'unit':<9} {'wanted':<12} {'reference':<40} {'value':>14} {'ratio':>9}"
    )


def p(values: Sequence[float], share: float) -> float:
    """Return the percentile `share` of the values."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


# -- bytes and decoding


def events(count: int) -> list[Event]:
    """Return events of typical size."""
    return [
        Event(2 + number % ZONES, PRESSED, 1_000_000 + number * 137, number % 5)
        for number in range(count)
    ]


def as_line(event: Event, seq: int) -> bytes:
    """Return an event as a JSON line without a check of its bytes."""
    fields = {
        name: getattr(event, name) for name in ("channel", "flags", "t_us", "bounces", "peak")
    }
    return json.dumps({"kind": "event", "boot": 24378, "seq": seq, **fields}).encode() + b"\n"


def rate(count: int, work: Callable[[], object]) -> float:
    """Return how many of `count` are done in a second, in the best of several runs."""
    return count / min(timed(work) for _ in range(RUNS)) * 1000


def decoding() -> Iterator[Row]:
    """Measure the bytes on the wire, and the speed of reading them."""
    sent = events(EVENTS)
    wire = [encode(event, 24378, seq) for seq, event in enumerate(sent, 1)]
    lines = [as_line(event, seq) for seq, event in enumerate(sent, 1)]
    yield Row(
        "an event on the wire",
        max(map(len, wire)),
        "bytes",
        "<= 32",
        [("as a JSON line", len(lines[-1]))],
    )
    stream, text = b"".join(wire), b"".join(lines)
    pieces = [stream[at : at + 4096] for at in range(0, len(stream), 4096)]

    def read() -> None:
        decoder = FrameDecoder()
        for piece in pieces:
            for frame in decoder.feed(piece):
                decode(frame)

    by_lines = rate(EVENTS, lambda: [json.loads(line) for line in text.splitlines()])
    references = [("JSON lines, unchecked", by_lines)]
    firmata = FirmataReader.of(EVENTS)
    if firmata is None:
        print("pyfirmata2 is not installed: `pip install pyfirmata2` gives its line as well.")
    else:
        references.append(("pyfirmata2, digital reports (3 bytes)", rate(EVENTS, firmata.read)))
    yield Row("decoded, with CRC", rate(EVENTS, read), "events/s", ">= 100,000", references)

    def order() -> None:
        session = Session(0)
        session.receive(_hello(), 0)
        for piece in pieces:
            session.receive(piece, 1)

    yield Row(
        "decoded, put in order", rate(EVENTS, order), "events/s", "", [("JSON lines", by_lines)]
    )


def _hello() -> bytes:
    from tests.link.fake_board import FakeBoard

    return encode(FakeBoard().hello(), 24378)


# -- virtual board to journal


class Stored(NamedTuple):
    """When a piece of evidence was read and durable; `press_ns` is the time of the press by the same clock."""

    read_ns: int
    done_ns: int
    press_ns: int | None


def press_ns(evidence: Evidence, link: Link | None) -> int | None:
    """Return the time of a press; a release is stamped long before it is certain."""
    message, now = evidence.message, None if link is None else link.device_now()
    if now is None or not isinstance(message, Event) or not message.flags & PRESSED:
        return None
    return time.monotonic_ns() - (now[0] - message.t_us) * 1_000


class Keeper(Notebook):
    """Stores evidence in a journal, and notes when each piece was read and when it was durable."""

    def __init__(self, journal: Journal | None = None) -> None:
        super().__init__()
        self.journal = journal
        self.link: Link | None = None
        self.stored: list[Stored] = []
        self.seen: list[tuple[LinkStatus, int]] = []
        self.met: list[int] = []

    def store(self, evidence: list[Evidence]) -> None:
        if self.journal is not None:
            self.journal.wait(
                self.journal.append(*(evidence_draft(item, {}) for item in evidence)).last_n
            )
        done_ns = time.monotonic_ns()
        with self.changed:
            self.stored += [
                Stored(item.read_ns, done_ns, press_ns(item, self.link)) for item in evidence
            ]
            self.changed.notify_all()

    def on_status(self, status: LinkStatus) -> None:
        self.seen.append((status, time.monotonic_ns()))
        super().on_status(status)

    def on_identified(self, hello: Any, boot_id: int, replaced: Replaced | None = None) -> None:
        self.met.append(time.monotonic_ns())
        super().on_identified(hello, boot_id, replaced)

    def reached(self, state: LinkState, since_ns: int) -> float:
        """Wait for a state; return the milliseconds from `since_ns` to it."""
        self.wait(
            lambda: any(status.state is state and at_ns > since_ns for status, at_ns in self.seen)
        )
        at_ns = next(
            at_ns for status, at_ns in self.seen if status.state is state and at_ns > since_ns
        )
        return (at_ns - since_ns) / MS


def no_tape(*_: object) -> None:
    """Record nothing."""


@contextmanager
def linked(
    board: VirtualBoard, keeper: Keeper, tape: Tape = no_tape, config: Config | None = None
) -> Iterator[Link]:
    """Yield a live link."""
    begun_ns = time.monotonic_ns()
    link = Link(board.url, keeper, armed=True, tape=tape, config=config)
    keeper.link = link
    link.start()
    try:
        keeper.reached(LinkState.LIVE, begun_ns)
        yield link
    finally:
        link.close()


@contextmanager
def journal_in(folder: Path, name: str) -> Iterator[Journal]:
    """Yield a session on the disk."""
    with Journal.create(
        folder / f"{name}.sqlite", {"game": "benchmark"}, wall=lambda: datetime.now(UTC).isoformat()
    ) as journal:
        yield journal


def toggles(count: int, every_us: int) -> list[tuple[int, str, int]]:
    """Return edges that press and release the zones in turn."""
    per_zone_us = every_us * ZONES
    return [
        (turn * per_zone_us + zone * every_us, f"zone-{zone + 1}", 1 - turn % 2)
        for turn in range(count // ZONES)
        for zone in range(ZONES)
    ]


def drained(board: VirtualBoard, folder: Path, name: str, tape: Tape = no_tape) -> float:
    """Let the board fill its ring on its own; return the events a second from there to the disk."""
    with journal_in(folder, name) as journal:
        keeper = Keeper(journal)
        with linked(board, keeper, tape):
            keeper.wait(lambda: keeper.status.armed)  # what says so is no part of what is measured
            board.unplug()
            begun_s, before = time.monotonic(), len(keeper.stored)
            board.play(toggles(KEPT, 1_200))
            threading.Event().wait(max(0.0, KEPT * 0.0012 + 0.2 - (time.monotonic() - begun_s)))
            board.plug()
            keeper.wait(lambda: len(keeper.stored) >= before + KEPT)
            stored = keeper.stored[before : before + KEPT]
    return KEPT / ((stored[-1].done_ns - stored[0].read_ns) / 1e9)


def live_events(board: VirtualBoard, folder: Path, every_us: int) -> tuple[list[Stored], float]:
    """Return the events received while the link is live, and their rate."""
    live_s = min(max(LIVE_S, LIVE_EVENTS * every_us / 1e6), MOST_EDGES * every_us / 1e6)
    with journal_in(folder, f"live{every_us}") as journal:
        keeper = Keeper(journal)
        with linked(board, keeper, config=config_of({"lock_us": 5_000})):
            keeper.wait(lambda: any(told.of_session for told in keeper.configured))
            before, count = len(keeper.stored), int(live_s * 1e6 / every_us) // ZONES * ZONES
            edges = [
                (LEAD_US + at_us, zone, level) for at_us, zone, level in toggles(count, every_us)
            ]
            end_us = board.play(edges) + edges[-1][0]
            threading.Event().wait(LEAD_US / 1e6 + live_s)
            with keeper.changed:
                keeper.changed.wait_for(lambda: keeper.settled[-1][1] > end_us, SLOW_S)
            stored = list(keeper.stored[before:])
    return stored, len(stored) / ((stored[-1].done_ns - stored[0].done_ns) / 1e9)


def latencies(
    stored: Sequence[Stored], per_s: float, references: Sequence[tuple[str, Sequence[float]]]
) -> Iterator[Row]:
    """Measure the time to the disk, from the read and from the press."""
    slow = per_s < SLOW_PER_S
    read_ms = [(row.done_ns - row.read_ns) / MS for row in stored]
    edge_ms = [(row.done_ns - row.press_ns) / MS for row in stored if row.press_ns is not None]
    for what, took_ms, most in (("read", read_ms, "<= 5"), ("press", edge_ms, "<= 20")):
        for share, label in ((0.5, "p50"), (0.99, "p99")):
            wanted = most if label == "p99" and (what == "read") is not slow else ""
            beside = [(f"{name}, {label}", p(times, share)) for name, times in references]
            yield Row(
                f"{what} to durable at {per_s:,.0f} a second, {label}",
                p(took_ms, share),
                "ms",
                wanted,
                beside,
            )


def to_the_journal(folder: Path) -> Iterator[Row]:
    """Measure the way from a board's ring to the disk, with and without a capture."""
    with VirtualBoard.spawn(seed=1, ring_size=RING, path=folder / "ring") as board:
        plain = [drained(board, folder, f"plain{run}") for run in range(3)]
        file = folder / "bench.capture"
        capture = Capture(file)
        taped = [drained(board, folder, f"taped{run}", capture.tape) for run in range(3)]
        capture.end(None)
        live = [live_events(board, folder, every_us) for every_us in (500, 1_000, 50_000)]
        runtime = board.runtime
    echo_ms = echoes_ms(2_000)
    yield Row(f"ring to disk ({runtime})", max(plain), "events/s", ">= 5,000")
    yield Row("  with a capture", max(taped), "events/s", "", [("without", max(plain))])
    yield Row("  a capture, per event", file.stat().st_size / KEPT / 3, "bytes")
    references = [("a raw pty echo", echo_ms), ("a line and fsync", _forced_ms(folder / "plain"))]
    for stored, per_s in live:
        yield from latencies(stored, per_s, references)


def _forced_ms(path: Path) -> list[float]:
    """Return the milliseconds that the disk itself takes to sync a line."""
    line = as_line(events(1)[0], 1)
    with path.open("wb") as file:

        def force() -> None:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

        return [timed(force) for _ in range(500)]


# -- time


def mapping() -> Iterator[Row]:
    """Measure the error of mapped times on simulated links, compared with other algorithms on the same exchanges."""
    for name, frame_ns in FRAMES_NS.items():
        ours, halves, arrivals = _errors(frame_ns)
        for share, label in ((0.5, "p50"), (0.95, "p95"), (1.0, "max")):
            wanted = {"p95": "<= 120", "max": "<= 200"}.get(label, "") if name == "1 ms" else ""
            references = [
                ("host arrival", p(arrivals, share)),
                ("last exchange, RTT/2", p(halves, share)),
            ]
            yield Row(
                f"mapped time is wrong by, {name} link, {label}",
                p(ours, share),
                "us",
                wanted,
                references,
            )


def _errors(frame_ns: int) -> tuple[list[float], list[float], list[float]]:
    ours, halves, arrivals = [], [], []
    random = Random(7)
    for seed in range(3):
        scene = live(frame_ns, seed)
        for _ in range(MAPPED_S * 1000 // 7):
            scene.run(7 * MS)
            truth_us = scene.device_us(scene.now_ns)
            mapped = scene.session.clock.device_at(scene.now_ns)
            assert mapped is not None
            last = scene.session.clock.samples[-1]
            ours.append(abs(mapped[0] - truth_us))
            halves.append(abs((scene.now_ns + (last.low_ns + last.high_ns) / 2) / 1000 - truth_us))
            arrivals.append(scene.shape.to_host(random) / 1000)
    return ours, halves, arrivals


# -- coming and going


def coming_and_going(folder: Path) -> Iterator[Row]:
    """Measure the time until a link is live, notices a loss, and is live again."""
    times: dict[str, list[float]] = {}

    def note(what: str, ms: float) -> None:
        times.setdefault(what, []).append(ms)

    with VirtualBoard.spawn(seed=1, path=folder / "going") as board:
        for _ in range(RUNS):
            _once(board, note)
        _silence(board, note)
    wanted = {
        "live after HELLO (first sync)": "<= 500",
        "live after a reset": "<= 1,000",
        "unplug noticed": "<= 100",
        "silence noticed": "<= 2,000",
        "live after replug": "<= 2,000",
        "closed, with STANDBY": "<= 1,000",
    }
    for what, most in wanted.items():
        yield Row(
            f"{what}, p50",
            statistics.median(times[what]),
            "ms",
            most,
            [("its slowest", max(times[what]))],
        )


def _once(board: VirtualBoard, note: Callable[[str, float], None]) -> None:
    keeper = Keeper()
    with linked(board, keeper) as link:
        note("live after HELLO (first sync)", keeper.reached(LinkState.LIVE, keeper.met[0]))
        since_ns = time.monotonic_ns()
        board.reset()
        keeper.wait(lambda: len(keeper.met) == 2)
        note(
            "live after a reset",
            keeper.reached(LinkState.LIVE, keeper.met[1]) + (keeper.met[1] - since_ns) / MS,
        )
        since_ns = time.monotonic_ns()
        board.unplug()
        note("unplug noticed", keeper.reached(LinkState.LOST, since_ns))
        since_ns = time.monotonic_ns()
        board.plug()
        note("live after replug", keeper.reached(LinkState.LIVE, since_ns))
        since_ns = time.monotonic_ns()
        link.close()
        note("closed, with STANDBY", (time.monotonic_ns() - since_ns) / MS)


def _silence(board: VirtualBoard, note: Callable[[str, float], None]) -> None:
    keeper = Keeper()
    with linked(board, keeper):
        since_ns = time.monotonic_ns()
        board.silence(SILENT_S)
        note("silence noticed", keeper.reached(LinkState.SILENT, since_ns))


def main() -> None:
    """Print the table."""
    heading()
    show(decoding())
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as name:
        show(to_the_journal(Path(name)))
        show(mapping())
        show(coming_and_going(Path(name)))


if __name__ == "__main__":
    main()
