"""One open port in use: reads and deadlines drive a session, and evidence is stored before it is acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.link.dispatcher import EventDispatcher, LinkMemory, TapeEvent
from companion.link.presence import Presence
from companion.link.session import DEAD_NS, Session
from companion.link.status import LinkState
from companion.link.transport import GONE, Mailbox, PortLost, Transport

_S = 1_000_000_000
# The longest a turn waits when nothing is due: `Connection` also checks whether the port's file is still there.
IDLE_S = 0.25
UNPLUGGED = "it was unplugged"
WITHHOLDS = "it names events that it does not send"
# Most reads of one turn: enough to store a burst in one commit, few enough that a flood cannot keep the host from
# sending.
READS_A_TURN = 32


@dataclass(slots=True, eq=False)
class Connection:
    """Turns of the link's thread while a port is open.

    `ended` is the reason why the port is of no more use. `_slept` returns whether the computer slept since the last
    call.
    """

    _transport: Transport
    _mailbox: Mailbox
    _presence: Presence
    session: Session
    dispatcher: EventDispatcher
    memory: LinkMemory
    _slept: Callable[[], bool]
    ended: str | None = None

    def turn(self, limit_s: float = IDLE_S) -> None:
        """Write what is due, wait for bytes or a deadline (at most `limit_s`), and pass on what happened."""
        now_ns = self.memory.clock_ns()
        if self._slept():
            self.dispatcher.perform(TapeEvent.SLEPT, now_ns)
        outgoing = self.session.outgoing(now_ns)
        if outgoing:
            self.memory.tape(TapeEvent.WRITTEN, now_ns, outgoing)
        if outgoing and not self._transport.write(outgoing):
            self.ended = GONE
            return
        wait_s = min(self._wait_s(now_ns), max(limit_s, 0.0))
        for _ in range(READS_A_TURN):
            item = self._mailbox.take(wait_s)
            if item is None or self.ended is not None:
                break
            if isinstance(item, PortLost):
                self.ended = item.reason
            else:
                self.dispatcher.perform(TapeEvent.READ, item.read_ns, item.data)
            wait_s = 0.0  # the rest only if it is there already
        self._store()
        self._poll(self.memory.clock_ns())
        self._check_port(self.memory.clock_ns())

    def _poll(self, now_ns: int) -> None:
        refusal = self.session.refusal
        events = self.session.poll(now_ns)
        phase = self.session.phase(now_ns)
        is_silent, is_stalled = phase is LinkState.SILENT, phase is LinkState.STALLED
        # A poll that changed nothing is left off the tape: replayed, it would change nothing either.
        if events or is_silent or is_stalled or self.session.refusal is not refusal:
            self.memory.tape(TapeEvent.POLLED, now_ns, b"")
        self.dispatcher.handle(events)
        if self.ended is None and self.session.refusal is not None:
            self.ended = self.session.refusal
        elif self.ended is None and is_silent and self.session.silent_ns(now_ns) >= DEAD_NS:
            self.ended = "nothing came from it any more"
        elif self.ended is None and is_stalled and self.session.hole.age_ns(now_ns) >= DEAD_NS:
            self.ended = WITHHOLDS

    def _check_port(self, now_ns: int) -> None:
        """Check that the port still exists and that no other program reads it."""
        if self.ended is not None:
            return
        if self._presence.gone(now_ns):
            self.ended = UNPLUGGED
        for other in self._presence.intruders(now_ns):
            sentence = f"{self._transport.name} is open in {other} too: close that one, it takes the board's bytes."
            self.dispatcher.perform(TapeEvent.NOTED, now_ns, sentence.encode())

    def _wait_s(self, now_ns: int) -> float:
        due_ns = self.session.next_deadline()
        if (store_ns := self.memory.storing.retry.due_ns) is not None:
            due_ns = min(due_ns, store_ns)
        return min(max(due_ns - now_ns, 0) / _S, IDLE_S)

    def _store(self) -> None:
        problem_before = self.memory.storing.problem
        if self.dispatcher.store():
            self.memory.tape(TapeEvent.STORED, self.memory.clock_ns(), b"")
        elif self.memory.storing.problem is not problem_before:
            self.memory.tape(TapeEvent.UNSAVED, self.memory.clock_ns(), b"")
