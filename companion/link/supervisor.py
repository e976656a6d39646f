"""The link to one board for as long as a session lasts: open, identify, sync, live, lost, and again."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from companion.link.clock import system_watch
from companion.link.connection import Connection
from companion.link.dispatcher import EventDispatcher, LinkMemory, Listener, Tape, TapeEvent
from companion.link.evidence import LastEvidence
from companion.link.finder import ANY_BOARD, PROBE_NS, Finder, PortLister, Sought, usb_port_names
from companion.link.listening_in import ListeningIn
from companion.link.order import BOOT_MASK
from companion.link.port_errors import OpenFailed
from companion.link.presence import Presence
from companion.link.report import connected_status, lost_status, not_opened_status, other_board
from companion.link.session import ACK_WITHIN_NS, Session
from companion.link.settings import fields_of
from companion.link.status import (
    LinkLog,
    LinkState,
    LinkStatus,
    OtherBoard,
    Statistics,
    log_of_environment,
)
from companion.link.transport import Mailbox, Opener, PortOpener, Transport, open_serial
from firmware_protocol.messages import CAN_CUE, Config

AUTO = "auto"
RETRY_S = 0.25
# Opening a port restarts many foreign devices, so one that is not our board is tried this many times less often.
REFUSED_RETRIES = 8
# A board that restarts, or whose cable is moved, is back by then; only after that another one is offered.
ASK_AFTER_NS = 3_000_000_000
# Counts change with every frame; a screen needs them only now and then.
PUBLISH_NS = 500_000_000
# Limits of a clean end: see `transport.WRITE_TIMEOUT_S`.
DRAIN_LIMIT_NS = 250_000_000
STANDBY_LIMIT_NS = 200_000_000
CLOSE_S = 5.0
# By default Python lets a busy thread run for 5 ms while others wait, such as the one that has just written to disk. At
# 2,000 events a second the 99th percentile from receipt to disk was 7 ms; with this it is 3.5.
SWITCH_S = 0.000_5


class Link:
    """Owns the port and its threads.

    `port_spec` is a path or a URL, which is opened again and again, or `auto`, with which the same board is searched
    again.

    The session's board is the first one, or that of `last`, the last evidence that an earlier run of the session
    stored. Another board is refused, and listed in `LinkStatus.others` once the session's has been away for
    `ask_after_ns`, until `adopt` lets it take its place. `configure`, `cue`, `listen_in`, `adopt`, `device_now` and
    `close` may be called from any thread.
    """

    def __init__(
        self,
        port_spec: str,
        listener: Listener,
        *,
        config: Config | None = None,
        last: LastEvidence | None = None,
        armed: bool = False,
        open_port: PortOpener = open_serial,
        lister: PortLister = usb_port_names,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        jitter: Callable[[], float] = random.random,
        retry_s: float = RETRY_S,
        probe_ns: int = PROBE_NS,
        ask_after_ns: int = ASK_AFTER_NS,
        tape: Tape = lambda _mark, _now_ns, _data: None,
        slept: Callable[[], bool] | None = None,
        log: LinkLog | None = None,
    ) -> None:
        self.port_spec = port_spec
        self._memory = LinkMemory(
            listener, last, clock_ns=clock_ns, config=config, armed=armed, jitter=jitter, tape=tape
        )
        self._clock_ns = clock_ns
        self._retry_s = retry_s
        self._closing = threading.Event()
        ended = self._closing.is_set
        self._opener = Opener(open_port, stopping=ended)
        self._finder = Finder(
            lister, self._opener, clock_ns=clock_ns, stopping=ended, probe_ns=probe_ns
        )
        if slept is None and clock_ns is time.monotonic_ns:
            slept = system_watch().look
        self._slept = slept or (lambda: False)
        self._statistics = Statistics(log_of_environment() if log is None else log)
        self._clean = False
        self._retry_now = threading.Event()  # ends the wait between two attempts
        self._adopting: int | None = None
        self._ask_after_ns = ask_after_ns
        # since when the session's board has been away; None if it never was there
        self._away_ns: int | None = None
        self._others: tuple[OtherBoard, ...] = ()
        self._cues: deque[tuple[int, int]] = deque()
        # what a listener asks of a session; nobody's any more once that has ended
        self._orders: deque[tuple[Session, Callable[[Session], object]]] = deque()
        self._mailbox = Mailbox()
        self._session: Session | None = None
        self._was_live = False
        self._search_note = ""
        self._status = LinkStatus(LinkState.OPENING, f"Opening {port_spec}.", port_spec)
        if port_spec == AUTO:
            self._status = self._searching("Looking for a board at the USB ports.")
        self._published_ns = 0
        self._published: tuple[object, ...] | None = None
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)

    def start(self) -> None:
        """Start the link's thread, which calls the listener from now on.

        This also makes the whole process switch threads sooner, see `SWITCH_S`.
        """
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        self._thread.start()

    def configure(self, config: Config) -> None:
        """Set the board's settings, now and after each of its boots."""
        self._memory.config = config
        self._mailbox.wake()

    def cue(self, output: int, ms: int) -> bool:
        """Switch an output of the board on for `ms`; return False if there is no board that can."""
        session = self._session
        if session is None or session.hello is None or not session.hello.capabilities & CAN_CUE:
            return False
        self._cues.append((output, ms))
        self._mailbox.wake()
        return True

    def listen_in(self) -> ListeningIn | None:
        """Return the conversation with the board for one more listener; None if no board is there. The last one who
        asked has it."""
        session = self._session
        if session is None or session.hello is None:
            return None

        def give_order(order: Callable[[Session], object]) -> None:
            self._orders.append((session, order))
            self._mailbox.wake()

        def stop() -> None:
            if self._memory.overhear == listener.hear:
                self._memory.overhear = lambda _event: None

        listener = ListeningIn(
            session, self._clock_ns, lambda: self._session is session, give_order, stop
        )
        self._memory.overhear = listener.hear
        return listener

    def adopt(self, uid: int) -> None:
        """Let board `uid` take the place of the session's, unless that one is back first."""
        self._adopting = uid
        self._retry_now.set()

    def now_ns(self) -> int:
        """Return the time by the computer's monotonic clock."""
        return self._clock_ns()

    def device_now(self) -> tuple[int, int, int] | None:
        """Return (us, pm_us, boot_id): the board's counter now; None if no board's clock is known."""
        session = self._session  # read once: the link's thread may set it to None at any time
        if session is None:
            return None
        clock = session.clock
        now = clock.device_at(self._clock_ns())
        if now is None:
            return None
        us, pm_us = now
        return us, pm_us, clock.boot_id

    def close(self, clean: bool = True) -> bool:
        """End the link within a second, whatever port and board do; return whether its thread ended.

        A clean end sends STANDBY once everything is stored; a board that still has unsaved events is left as it is.
        """
        self._clean = clean
        self._closing.set()
        self._retry_now.set()
        self._mailbox.wake()
        if self._thread.ident is None:
            return True
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_S)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._memory.listener.on_status(self._status)
            while not self._closing.is_set():
                self._attempt()
                self._status = self._statistics.look(self._status, self._clock_ns())
                wait_s = self._retry_s
                if self._status.state is LinkState.REFUSED:
                    wait_s *= REFUSED_RETRIES
                self._retry_now.wait(wait_s)
                if not self._closing.is_set():
                    self._retry_now.clear()
                self._pass_adoption()
        except BaseException as fault:
            self._publish(
                LinkStatus(
                    LinkState.FAILED, f"The link stopped: a fault in the companion ({fault!r})."
                )
            )
            raise
        self._publish(LinkStatus(LinkState.CLOSED, "The link is closed.", self.port_spec))

    def _pass_adoption(self) -> None:
        uid, self._adopting = self._adopting, None
        if uid is not None:
            self._memory.tape(TapeEvent.ADOPTED, self._clock_ns(), f"{uid:x}".encode())
            self._memory.adopted = uid

    def _attempt(self) -> None:
        """Find, open and use a port until it is lost."""
        port = self._find()
        if port is None:
            return
        try:
            opened = self._opener.open(port)
        except OpenFailed as failed:
            self._others = ()
            self._publish(not_opened_status(self._status, failed, port, was_live=self._was_live))
            return
        self._mailbox = Mailbox()
        transport = Transport(opened, port, self._mailbox, clock_ns=self._clock_ns)
        try:
            self._use(transport)
        finally:
            self._session = None
            transport.close()

    def _find(self) -> str | None:
        if self.port_spec != AUTO:
            return self.port_spec
        inbox, sought = self._memory.inbox, ANY_BOARD
        if inbox is not None:
            adopted = self._memory.adopted
            uids = (inbox.uid,) if adopted is None else (adopted, inbox.uid)
            sought = Sought(uids, inbox.boot_id & BOOT_MASK)
        search = self._finder.find(sought, self._on_asking)
        if search.port is None:
            state = LinkState.SEARCHING
            if self._was_live:
                state = LinkState.LOST
            elif search.refused and (inbox is not None or not search.strangers):
                state = LinkState.REFUSED
            status = LinkStatus(state, search.sentence, AUTO)
            if inbox is not None:
                others = [OtherBoard(uid, port, inbox.uid) for port, uid in search.others]
                self._offer_others(tuple(others))
                status = replace(status, uid=inbox.uid)
            self._publish(status)
        self._search_note = search.sentence if search.several else ""
        return search.port

    def _on_asking(self) -> None:
        if not self._was_live:
            self._publish(self._searching("Asking the USB ports for a table board."))

    def _searching(self, sentence: str) -> LinkStatus:
        """Return the status of a search, for the session's own board if it has had one."""
        inbox = self._memory.inbox
        uid = None if inbox is None else inbox.uid
        return LinkStatus(LinkState.SEARCHING, sentence, AUTO, uid=uid)

    def _use(self, transport: Transport) -> None:
        now_ns = self._clock_ns()
        session = self._memory.session(now_ns)
        self._tape_config(session.settings.wanted, now_ns)
        self._memory.tape(TapeEvent.OPENED, now_ns, transport.name.encode())
        dispatcher = EventDispatcher(session, self._memory)
        presence = Presence(transport.name, now_ns)
        connection = Connection(
            transport, self._mailbox, presence, session, dispatcher, self._memory, self._slept
        )
        if self._search_note:
            dispatcher.perform(TapeEvent.NOTED, now_ns, self._search_note.encode())
        self._session = session
        self._published = None
        while connection.ended is None and not self._closing.is_set():
            self._pass_commands(session, dispatcher)
            connection.turn()
            self._memory.inbox = session.inbox
            if session.hello is not None:
                self._was_live, self._others = True, ()
            self._publish_when_due(connection, transport.name)
        # An event that is stored but not acknowledged would be resent to the next program that opens the port.
        self._turn_until(
            connection, lambda: session.ack_due_ns is None, self._clock_ns() + 2 * ACK_WITHIN_NS
        )
        if connection.ended is None and self._clean:
            self._stand_by(connection)
        elif connection.ended is not None:
            self._session = (
                None  # before the status: with a lost board, `device_now` must be None already
            )
            self._note_away(session, transport.name)
            self._publish(lost_status(self._status, session, connection.ended, transport.name))
        self._memory.tape(TapeEvent.ENDED, self._clock_ns(), (connection.ended or "").encode())
        self._memory.ended(session)

    def _note_away(self, session: Session, port: str) -> None:
        """Note that a connection ended: the session's board is away, or another one answered."""
        if session.hello is not None:
            self._away_ns = self._clock_ns()
        self._offer_others(other_board(session, port))

    def _offer_others(self, others: tuple[OtherBoard, ...]) -> None:
        """Show these other boards from now on, unless the session's own was there a moment ago."""
        away_long_enough = (
            self._away_ns is None or self._clock_ns() - self._away_ns >= self._ask_after_ns
        )
        self._others = others if away_long_enough else ()

    def _pass_commands(self, session: Session, dispatcher: EventDispatcher) -> None:
        config = self._memory.config
        if config is not session.settings.wanted:
            now_ns = self._clock_ns()
            self._tape_config(config, now_ns)
            session.settings.change(config, now_ns)
        while self._cues:
            output, ms = self._cues.popleft()
            dispatcher.perform(TapeEvent.CUED, self._clock_ns(), f"{output} {ms}".encode())
        while self._orders:
            of_session, order = self._orders.popleft()
            if of_session is session:
                order(session)

    def _tape_config(self, config: Config | None, now_ns: int) -> None:
        if config is not None:
            numbers = " ".join(map(str, fields_of(config).values()))
            self._memory.tape(TapeEvent.CONFIGURED, now_ns, numbers.encode())

    def _stand_by(self, connection: Connection) -> None:
        """Send STANDBY once everything the board has is here and durable: STANDBY empties its ring."""
        session, now_ns = connection.session, self._clock_ns()
        connection.dispatcher.perform(TapeEvent.CLOSING, now_ns)
        self._turn_until(connection, lambda: session.settled, now_ns + DRAIN_LIMIT_NS)
        if not session.settled or self._memory.storing.problem is not None:
            return
        now_ns = self._clock_ns()
        connection.dispatcher.perform(TapeEvent.STANDBY, now_ns)
        self._turn_until(connection, lambda: session.stood_by, now_ns + STANDBY_LIMIT_NS)

    def _turn_until(self, connection: Connection, done: Callable[[], bool], until_ns: int) -> None:
        while not done() and connection.ended is None:
            remaining_ns = until_ns - self._clock_ns()
            if remaining_ns <= 0:
                return
            connection.turn(remaining_ns / 1_000_000_000)

    def _publish_when_due(self, connection: Connection, port: str) -> None:
        """Publish counts now and then, and at once when the link's state changes."""
        now_ns = self._clock_ns()
        session = connection.session
        deciding = (
            session.phase(now_ns),
            self._memory.storing.problem,
            session.armed,
            session.settings.in_force,
        )
        if deciding != self._published or now_ns - self._published_ns >= PUBLISH_NS:
            self._published, self._published_ns = deciding, now_ns
            self._publish(self._statistics.look(connected_status(connection, port, now_ns), now_ns))

    def _publish(self, status: LinkStatus) -> None:
        status = replace(status, others=self._others)
        if status != self._status:
            self._status = status
            self._memory.listener.on_status(status)
