"""Notices a touch of the box while no game is on: two zone buttons held together.

Whoever opens a game closes this first, so that the table has the port.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from companion.board.ports import AUTO
from companion.board.procedures import EventsKept, SelftestBoard, open_board
from companion.errors import CommandError
from companion.link.finder import Finder, usb_port_names
from companion.link.transport import Opener, open_serial
from firmware_protocol.messages import PRESSED, ROLE_ZONE, Channel, Event

HELD_US = 2_000_000
"""How long both buttons are held, in the board's microseconds: nobody does that by accident."""
BUTTONS = 2
LISTEN_S = 0.25
AGAIN_S = 5.0
"""Seconds until a board that was not there is looked for again; opening a port restarts many foreign devices."""
KEPT = "The board keeps what was done in a game that is not closed. Continue that game first."


@dataclass(slots=True)
class HeldZones:
    """Which zone buttons are down, and since when by the board's clock."""

    zones: frozenset[int]
    _down: dict[int, int] = field(default_factory=dict)
    _is_told: bool = False

    @classmethod
    def of(cls, channels: Sequence[Channel]) -> HeldZones:
        """Return the buttons of a board with these channels, all up."""
        return cls(frozenset(each.id for each in channels if each.role == ROLE_ZONE))

    def take(self, event: Event) -> None:
        """Note that a button went down or up."""
        if event.channel not in self.zones:
            return
        if event.flags & PRESSED:
            self._down[event.channel] = event.t_us
        else:
            self._down.pop(event.channel, None)
        if len(self._down) < BUTTONS:
            self._is_told = False

    def is_touch(self, settled_us: int) -> bool:
        """Return once, for each time that enough buttons are held, whether they were held for long enough at a moment
        of the board's clock."""
        if self._is_told or len(self._down) < BUTTONS:
            return False
        since_us = sorted(self._down.values())[BUTTONS - 1]
        self._is_told = settled_us - since_us >= HELD_US
        return self._is_told


class FreePort:
    """The port of the board that nothing uses while no game is on. It is lent to one at a time."""

    def __init__(self, port: str) -> None:
        self._port = port
        self._closing = threading.Event()
        # One for all tries: it lets a device rest that was no board.
        self._finder = Finder(usb_port_names, Opener(open_serial), stopping=self._closing.is_set)
        self._lock = threading.Lock()

    @contextmanager
    def lent(self) -> Iterator[str]:
        """Yield the port, which is the caller's meanwhile; raise `CommandError` if no board is found."""
        with self._lock:
            yield self._found_port()

    def close(self) -> None:
        """Lend it no more: end a search for it."""
        self._closing.set()

    def _found_port(self) -> str:
        if self._port != AUTO:
            return self._port
        search = self._finder.find()
        if search.port is None:
            raise CommandError(search.sentence)
        return search.port


class TouchWatch(FreePort):
    """Watches the board at `port` in a thread until it is closed, except while the port is lent.

    `found` is called again and again while a board is there, with the seconds since its power came on; `lost` with a
    sentence when none is; `touched` at each touch.
    """

    def __init__(
        self,
        port: str,
        found: Callable[[float], object],
        lost: Callable[[str], object],
        touched: Callable[[], object],
    ) -> None:
        super().__init__(port)
        self._found, self._lost, self._touched = found, lost, touched
        self._is_asked_for = threading.Event()
        self._thread = threading.Thread(target=self._run, name="touch of the box", daemon=True)
        self._thread.start()

    @contextmanager
    def lent(self) -> Iterator[str]:
        """Yield the port once the watch has let it go; it watches again afterwards."""
        self._is_asked_for.set()
        try:
            with super().lent() as port:
                yield port
        finally:
            self._is_asked_for.clear()

    def close(self) -> None:
        """Stop watching, and let the port go."""
        super().close()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._is_asked_for.is_set():
                self._closing.wait(LISTEN_S)
                continue
            with self._lock:
                self._look()
            if not self._is_asked_for.is_set():
                self._closing.wait(AGAIN_S)

    def _look(self) -> None:
        """Watch the board as long as it is there and nobody asks for its port."""
        try:
            with open_board(self._found_port(), lambda _sentence: None, discard=False) as board:
                self._watch(board)
        except EventsKept:
            self._lost(KEPT)
        except CommandError as problem:
            self._lost(str(problem))

    def _is_to_end(self) -> bool:
        return self._closing.is_set() or self._is_asked_for.is_set()

    def _watch(self, board: SelftestBoard) -> None:
        board.arm()
        held = HeldZones.of(board.hello.channels)
        while not self._is_to_end():
            for message in board.listen(LISTEN_S, self._is_to_end):
                if isinstance(message, Event):
                    held.take(message)
            if board.conversation.lost is not None:
                raise CommandError("The board was unplugged.")
            self._found(board.settled_us / 1e6)
            if held.is_touch(board.settled_us):
                self._touched()
