"""`--port auto`: ask every listed USB port with WHO, and take the board that answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from contextlib import ExitStack, closing
from dataclasses import KW_ONLY, InitVar, dataclass, field

from companion.link.bounded import LIST_S, OneJob
from companion.link.conversation import Conversation
from companion.link.port_errors import OpenFailed
from companion.link.transport import Opener
from companion.link.usb_ports import list_usb_ports
from firmware_protocol.messages import Hello

_MS = 1_000_000
# A Pico answers within milliseconds; a board behind a bridge restarts when it is opened and is deaf for up to 3 s.
PROBE_NS = 3_500 * _MS
# Once one board answered, the others have this long to be heard of.
GRACE_NS = 300 * _MS
# Opening a port restarts many devices: what was no board is left in peace for a while, unless it is plugged in anew.
REST_NS = 10_000 * _MS

PortLister = Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class BoardSearch:
    """The outcome of a search: `port` is None when no board can be used; `sentence` says what was found.

    `refused` means that there were ports, but none with a board to use; `several` that another board could be meant.
    """

    port: str | None
    sentence: str
    refused: bool = False
    several: bool = False


def usb_port_names() -> list[str]:
    """Return the names of the ports that are asked."""
    return [port.device for port in list_usb_ports()]


@dataclass(slots=True, eq=False)
class Finder:
    """Searches the listed ports, for `PROBE_NS` plus a second per port that hangs; `stopping` ends a search early."""

    _lister: PortLister
    _opener: Opener
    _: KW_ONLY
    clock_ns: Callable[[], int] = time.monotonic_ns
    stopping: Callable[[], bool] = lambda: False
    probe_ns: int = PROBE_NS
    list_s: InitVar[float] = LIST_S
    _resting: dict[str, tuple[int, str]] = field(default_factory=dict, init=False)  # until when, and why
    _listing: OneJob[list[str]] = field(init=False)

    def __post_init__(self, list_s: float) -> None:
        self._listing = OneJob(list_s, stopping=self.stopping)

    def find(self, uid: int | None = None, asking: Callable[[], object] = lambda: None) -> BoardSearch:
        """Return the port of the board `uid`, or of the first board when None; call `asking` first if there is any port
        to ask."""
        try:
            ports = self._listing.run(lambda: sorted(self._lister()))
        except TimeoutError:
            return BoardSearch(None, "The system does not list its serial ports: name the port instead of `auto`.")
        now_ns = self.clock_ns()
        self._resting = {port: rest for port, rest in self._resting.items() if port in ports and now_ns < rest[0]}
        awake = [port for port in ports if port not in self._resting]
        if not ports:
            return BoardSearch(None, "No USB serial port found: plug the board in, or name its port.")
        reasons = [reason for _, reason in self._resting.values()]
        if awake:
            asking()
        return _choose(self._search(awake, uid, reasons), reasons, uid)

    def _search(self, ports: list[str], uid: int | None, reasons: list[str]) -> dict[str, Hello]:
        """The boards that answer; why others do not, goes to `reasons`."""
        boards: dict[str, Hello] = {}
        talks: dict[str, Conversation] = {}
        with ExitStack() as closing_all:
            for port in ports:
                if self.stopping():
                    break
                try:
                    talk = Conversation(port, clock_ns=self.clock_ns, opener=self._opener)
                    talks[port] = closing_all.enter_context(closing(talk))
                except OpenFailed as failed:
                    reasons.append(failed.sentence)
            patient = self._listen(talks.values(), uid)
        for port, talk in talks.items():
            if talk.session.hello is not None:
                boards[port] = talk.session.hello
            elif talk.session.refusal is not None:
                reasons.append(f"{port}: {talk.session.refusal}")
            else:
                reason = f"{port}: no table board answered."
                reasons.append(reason)
                if patient:
                    self._resting[port] = (self.clock_ns() + REST_NS, reason)
        return boards

    def _listen(self, talks: Collection[Conversation], uid: int | None) -> bool:
        """Ask and hear until every device or the one sought answered; True when the full time was given in vain."""
        full_ns = deadline_ns = self.clock_ns() + self.probe_ns
        while (asked := [talk for talk in talks if talk.unknown]) and not self.stopping():
            now_ns = self.clock_ns()
            if now_ns >= deadline_ns:
                return deadline_ns == full_ns
            for talk in asked:
                talk.turn()
                hello = talk.session.hello
                if hello is not None and hello.uid == uid:
                    return False
                if hello is not None and uid is None:
                    deadline_ns = min(deadline_ns, now_ns + GRACE_NS)
        return False


def _choose(found: dict[str, Hello], reasons: list[str], uid: int | None) -> BoardSearch:
    boards = {port: hello for port, hello in found.items() if uid is None or hello.uid == uid}
    if not boards:
        seen = [f"{port}: board {hello.uid:016x}, not {uid:016x}." for port, hello in found.items()]
        return BoardSearch(None, "No board to use: " + " ".join([*seen, *reasons]), refused=True)
    port = next(iter(boards))
    if len(boards) == 1:
        return BoardSearch(port, f"Board {boards[port].uid:016x} found at {port}.")
    others = ", ".join(f"{hello.uid:016x} at {name}" for name, hello in boards.items() if name != port)
    return BoardSearch(
        port,
        f"Board {boards[port].uid:016x} at {port} is used; also found: {others} (name a port to choose).",
        several=True,
    )
