"""One open port in use: a session driven by reads and deadlines; evidence is stored before it is acknowledged."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatchmethod

from companion.link.counts import Phase
from companion.link.events import (
    BoardSaid,
    Booted,
    Clash,
    ClockFault,
    ConfigIgnored,
    CueGiven,
    EvidenceReceived,
    Identified,
    Missing,
    SessionEvent,
    StoodBy,
    Watermark,
)
from companion.link.listener import Listener
from companion.link.mailbox import Mailbox, PortLost, Read
from companion.link.session import Session
from companion.link.storing import Storing
from companion.link.transport import GONE, Transport

_S = 1_000_000_000
# Nothing is due, nothing comes: look at the state now and then.
IDLE_S = 0.25
# Reads of one turn: enough to store a burst at once, few enough that a flood does not keep the host from speaking.
READS = 32


class Connection:
    """Turns of the link's thread while a port is open. `ended` says why it is of no more use."""

    def __init__(
        self,
        transport: Transport,
        mailbox: Mailbox,
        session: Session,
        storing: Storing,
        listener: Listener,
        clock_ns: Callable[[], int],
    ) -> None:
        self.session = session
        self.ended: str | None = None
        self.stood_by = False
        self.last_cue: tuple[int, int] | None = None
        self._transport = transport
        self._mailbox = mailbox
        self._storing = storing
        self._listener = listener
        self._clock_ns = clock_ns

    def turn(self) -> None:
        """Write what is due, wait for bytes or a deadline, and pass on what happened."""
        now_ns = self._clock_ns()
        outgoing = self.session.outgoing(now_ns)
        if outgoing and not self._transport.write(outgoing):
            self.ended = GONE
            return
        patience_s = self._patience_s(now_ns)
        for _ in range(READS):
            item = self._mailbox.take(patience_s)
            if item is None or self.ended is not None:
                break
            self._take(item)
            patience_s = 0.0
        self._store()
        now_ns = self._clock_ns()
        self._handle(self.session.poll(now_ns))
        if self.ended is None and self.session.refusal is not None:
            self.ended = self.session.refusal
        elif self.ended is None and self.session.phase(now_ns) is Phase.SILENT and self.session.dead(now_ns):
            self.ended = "nothing came from it any more"

    def _patience_s(self, now_ns: int) -> float:
        due_ns = self.session.next_deadline()
        if self._storing.due_ns is not None:
            due_ns = min(due_ns, self._storing.due_ns)
        return min(max(due_ns - now_ns, 0) / _S, IDLE_S)

    def _take(self, item: Read | PortLost) -> None:
        if isinstance(item, PortLost):
            self.ended = item.reason
            return
        self._handle(self.session.receive(item.data, item.read_ns))

    def _store(self) -> None:
        for evidence in self._storing.store(self._clock_ns()):
            self.session.durable(evidence)

    def _handle(self, events: list[SessionEvent]) -> None:
        for event in events:
            self._pass_on(event)

    @singledispatchmethod
    def _pass_on(self, event: SessionEvent) -> None:
        """Refused: the session's `refusal` tells the same."""

    @_pass_on.register
    def _(self, event: EvidenceReceived) -> None:
        self._storing.add(event.evidence, self._clock_ns())

    @_pass_on.register
    def _(self, event: Watermark) -> None:
        self._listener.on_watermark(event.boot_id, event.settled_us)

    @_pass_on.register
    def _(self, event: Identified) -> None:
        self._listener.on_identified(event.hello, event.boot_id)

    @_pass_on.register
    def _(self, event: Booted) -> None:
        self._store()  # what the board said before comes before its new boot
        self._listener.on_booted(event.previous, event.boot_id)

    @_pass_on.register
    def _(self, event: Clash) -> None:
        self._storing.add(event.other, self._clock_ns())
        self._listener.on_note(
            f"The board sent two different frames as number {event.other.seq}: "
            f"{event.kept!r} stands, {event.other.message!r} is kept beside it."
        )

    @_pass_on.register
    def _(self, event: Missing) -> None:
        last = event.first_seq + event.count - 1
        self._listener.on_note(
            f"The board no longer has its numbers {event.first_seq} to {last}: "
            "they were acknowledged, but not by this session; another program may have read them."
        )

    @_pass_on.register
    def _(self, event: ClockFault) -> None:  # noqa: ARG002  the type is all it says
        self._listener.on_note("The clocks of board and computer jumped against each other; they are matched anew.")

    @_pass_on.register
    def _(self, event: ConfigIgnored) -> None:  # noqa: ARG002  as above
        self._listener.on_note("The board did not take its settings and goes on with its own; check its firmware.")

    @_pass_on.register
    def _(self, event: BoardSaid) -> None:
        self._listener.on_note(f"The board says: {event.text}")

    @_pass_on.register
    def _(self, event: CueGiven) -> None:
        self.last_cue = (event.id, event.t_us)

    @_pass_on.register
    def _(self, event: StoodBy) -> None:  # noqa: ARG002  as above
        self.stood_by = True
