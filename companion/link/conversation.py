"""Talking with a board outside any session: its identity, its inputs, and the way back to its prompt."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.link import words
from companion.link.events import SessionEvent
from companion.link.evidence import Evidence
from companion.link.order import BOOT_MASK
from companion.link.session import Session
from companion.link.status import Counters
from companion.link.transport import GONE, Mailbox, Opener, PortLost, Transport
from firmware_protocol.messages import Hello, Maintenance, encode

_S = 1_000_000_000
HELLO_S = 3.5
TURN_S = 0.02


class Conversation:
    """An open port with a board's session; nothing is stored. Opening raises `OpenFailed`.

    `clock_ns` is the host's monotonic clock. With `acknowledges`, evidence is acknowledged as it arrives and the board
    forgets it: only for boards between two sessions. `lost` is the reason why the port is of no more use. The caller
    closes it.
    """

    def __init__(
        self,
        port: str,
        *,
        acknowledges: bool = False,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        opener: Opener | None = None,
    ) -> None:
        opened = (opener or Opener()).open(port)
        self.lost: str | None = None
        self._at_prompt = False
        self._acknowledges = acknowledges
        self.clock_ns = clock_ns
        self._mailbox = Mailbox()
        self._transport = Transport(opened, port, self._mailbox, clock_ns=clock_ns)
        self.session = Session(clock_ns())

    def close(self) -> None:
        """Release the port."""
        self._transport.close()

    def do(self, order: Callable[[Session], object]) -> None:
        """Give an order to the session."""
        order(self.session)

    @property
    def counters(self) -> Counters:
        """What happened on the wire since the port was opened."""
        return self.session.counters

    @property
    def trouble(self) -> str:
        """Sentence on why the board cannot be talked to; empty if it can."""
        if self.session.refusal is not None:
            return self.session.refusal
        if self._at_prompt:
            return words.AT_PROMPT
        return "" if self.lost is None else f"The board is lost: {self.lost}."

    @property
    def unknown(self) -> bool:
        """True if it is still open who is there."""
        return self.session.hello is None and not self.trouble

    def turn(self) -> list[SessionEvent]:
        """Send what is due and read for up to `TURN_S`; return what happened."""
        now_ns = self.clock_ns()
        outgoing = self.session.outgoing(now_ns)
        if outgoing and not self._transport.write(outgoing):
            self.lost = GONE
            return []
        item = self._mailbox.take(TURN_S)
        if isinstance(item, PortLost):
            self.lost = item.reason
            return []
        events = self.session.receive(item.data, item.read_ns) if item is not None else []
        for event in events:
            if self._acknowledges and isinstance(event, Evidence):
                self.session.acknowledge(event.boot_id, event.seq)
        return events + self.session.poll(self.clock_ns())

    def hello(self, within_s: float = HELLO_S) -> Hello | None:
        """Ask until the board identifies itself; None if it does not, and then `trouble` may say why."""
        until_ns = self.clock_ns() + round(within_s * _S)
        while self.unknown and self.clock_ns() < until_ns:
            self.turn()
        self._at_prompt = self.session.at_prompt
        return self.session.hello

    def end_firmware(self) -> None:
        """Send MAINTENANCE: the firmware ends and MicroPython's prompt has the wire."""
        self._transport.write(encode(Maintenance(), self.session.boot_id & BOOT_MASK))
        # Not closed at once: what has not left the computer by then may be dropped.
        self._mailbox.take(TURN_S)
