"""Losses that a link must never have, at length.

The last event before a silence, ten seconds without a host, many reconnects, and settings across a reset of the real
firmware.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from binascii import crc32
from pathlib import Path

import pytest

from companion.link.evidence import Evidence
from companion.link.session import Session
from companion.link.settings import DEFAULTS, config_of
from companion.link.status import LinkState
from companion.link.supervisor import Link
from companion.link.transport import open_serial
from firmware_protocol.messages import PRESSED, Event, Gap
from firmware_protocol.virtual.client import VirtualBoard
from tests.firmware_protocol.bench import Bench
from tests.link.fake_board import FakeBoard
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook
from tests.link.world import LOSSY, MS, S, World
from tests.thorough import examples

needs_pty = pytest.mark.skipif(
    sys.platform == "win32", reason="pseudo-terminals exist on Unix only"
)
RECONNECTS = examples(40, 1_000)


@pytest.mark.parametrize("seed", range(10))
def test_the_last_event_before_a_silence_arrives_though_every_fifth_frame_is_lost(
    seed: int,
) -> None:
    scene = World(FakeBoard(), Session(0, armed=True, jitter=lambda: 0.5), LOSSY, seed=seed)
    scene.run(5 * S)
    for number in range(1, 11):
        scene.press_every(MS, 1)
        scene.run(6 * S)
        arrived = [item for item in scene.evidence if isinstance(item.message, Event)]
        assert len(arrived) == number
    assert scene.board.ring == {}


def test_ten_seconds_without_a_host_at_twenty_events_a_second_cost_the_firmware_none() -> None:
    bench = Bench()
    presses = [(number * 100_000, f"zone-{number % 3 + 1}") for number in range(100)]
    base_us = bench.script(
        [edge for at, zone in presses for edge in ((at, zone, 1), (at + 50_000, zone, 0))]
    )
    bench.run_ms(10_100)
    session = Session(0, jitter=lambda: 0.5)
    arrived: list[Evidence] = []
    for turn_ms in range(3_000):
        bench.wire.inbox += session.outgoing(turn_ms * MS)
        bench.run_ms(1)
        written = bytes(bench.wire.written)
        bench.wire.written = bytearray()
        events = session.receive(written, turn_ms * MS) + session.poll(turn_ms * MS)
        for event in events:
            if isinstance(event, Evidence):
                arrived.append(event)
                session.acknowledge(event.boot_id, event.seq)
    messages = [event.message for event in arrived]
    downs = sorted(
        message.t_us
        for message in messages
        if isinstance(message, Event) and message.flags & PRESSED
    )
    assert downs == [base_us + at for at, _ in presses]
    assert len([message for message in messages if isinstance(message, Event)]) == 200
    assert not [message for message in messages if isinstance(message, Gap)]
    assert [event.seq for event in arrived] == list(range(1, len(arrived) + 1))
    assert session.settled


class PtyBoard:
    """A board at the far end of pseudo-terminals that come and go under one name."""

    def __init__(self, link: Path) -> None:
        self.board = FakeBoard()
        self._link = link
        self._master = self._slave = -1
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: None)

    def plug(self) -> None:
        import tty

        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._link.symlink_to(os.ttyname(self._slave))
        self._stop.clear()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def unplug(self) -> None:
        self._stop.set()
        self._thread.join()
        self._link.unlink()
        os.close(self._slave)
        os.close(self._master)

    def _serve(self) -> None:
        while not self._stop.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.002)
            self.board.now_us = time.monotonic_ns() // 1000
            if ready:
                self.board.receive(os.read(self._master, 4096))
            self.board.poll()
            os.write(self._master, self.board.take())


@needs_pty
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are counted in /proc")
def test_many_reconnects_leak_no_file_and_no_thread(tmp_path: Path) -> None:
    far = PtyBoard(tmp_path / "port")
    notebook = Notebook()
    far.plug()
    try:
        with linked(str(tmp_path / "port"), notebook, open_serial):
            notebook.wait_for(LinkState.LIVE)
            files, threads = _open_files(), threading.active_count()
            for turn in range(1, RECONNECTS + 1):
                far.unplug()
                far.plug()
                notebook.wait(lambda turn=turn: len(notebook.identified) > turn)  # type: ignore[misc]
            seen = len(notebook.statuses)
            notebook.wait(
                lambda: (
                    notebook.statuses[-1].state is LinkState.LIVE or len(notebook.statuses) > seen
                )
            )
            # Looks at who else reads the port may be under way: on a busy machine several, and what leaks stays.
            notebook.wait(
                lambda: _open_files() <= files + 2 and threading.active_count() <= threads + 2
            )
    finally:
        far.unplug()
    assert len(notebook.identified) >= RECONNECTS


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@needs_pty
def test_the_sessions_settings_survive_resets_of_the_firmware() -> None:
    config, notebook = config_of({"hit_threshold": 700, "lock_us": 12_000}), Notebook()
    with VirtualBoard.spawn("cpython") as board:
        link = Link(board.url, notebook, config=config)
        link.start()
        try:
            notebook.wait(lambda: notebook.status.settings_in_force is True)
            board.reset()
            notebook.wait(lambda: len(notebook.booted) == 1 and len(notebook.configured) == 4)
            notebook.wait(lambda: notebook.status.settings_in_force is True)
        finally:
            assert link.close()
    crcs = [
        crc32(config.body()) if configured.of_session else crc32(DEFAULTS.body())
        for configured in notebook.configured
    ]
    assert [configured.crc for configured in notebook.configured] == crcs
    assert [configured.of_session for configured in notebook.configured] == [
        False,
        True,
        False,
        True,
    ]
    assert not [note for note in notebook.notes if "did not take" in note]
