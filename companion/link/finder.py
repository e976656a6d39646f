"""`--port auto`: send WHO to every listed USB port and choose among the boards that answer."""

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
from companion.link.words import AT_PROMPT
from firmware_protocol.messages import Hello

_MS = 1_000_000
# A Pico answers within milliseconds; a board behind a USB bridge restarts when it is opened and is deaf for up to 3 s.
PROBE_NS = 3_500 * _MS
# Once one board has answered, the others have this long.
GRACE_NS = 300 * _MS
# Opening a port restarts many devices, so a device that was no board is not asked again for a while, unless it is
# unplugged and plugged in again.
REST_NS = 10_000 * _MS

NO_ANSWER = "no table board answered."

PortLister = Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class BoardSearch:
    """The outcome of a search: `port` is None if no board can be used; `sentence` says what was found.

    `refused` means that there were ports, but none with a usable board; `strangers` that nothing at them even answered,
    so that they may be devices of another kind; `several` that another board could be meant. `others` are the ports of
    boards that were not sought, each with its board's number.
    """

    port: str | None
    sentence: str
    refused: bool = False
    several: bool = False
    strangers: bool = False
    others: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sought:
    """The boards to look for, by number, the most wanted first; empty for any board.

    Of two boards with one number, the one whose boot has the lowest 16 bits of `boot_id` is meant.
    """

    uids: tuple[int, ...] = ()
    boot_id: int | None = None


ANY_BOARD = Sought()


@dataclass(frozen=True, slots=True)
class _Answer:
    port: str
    hello: Hello
    boot_id: int


def usb_port_names() -> list[str]:
    """Return the names of the ports to ask."""
    return [port.device for port in list_usb_ports()]


@dataclass(slots=True, eq=False)
class Finder:
    """Searches the listed ports, for `probe_ns` plus a second per port that hangs; `stopping` ends a search early."""

    _lister: PortLister
    _opener: Opener
    _: KW_ONLY
    clock_ns: Callable[[], int] = time.monotonic_ns
    stopping: Callable[[], bool] = lambda: False
    probe_ns: int = PROBE_NS
    list_s: InitVar[float] = LIST_S
    # port -> until when it is not asked, and why
    _resting: dict[str, tuple[int, str]] = field(default_factory=dict, init=False)
    _listing: OneJob[list[str]] = field(init=False)

    def __post_init__(self, list_s: float) -> None:
        self._listing = OneJob(list_s, stopping=self.stopping)

    def find(
        self, sought: Sought = ANY_BOARD, asking: Callable[[], object] = lambda: None
    ) -> BoardSearch:
        """Return the port of a board that is sought; call `asking` first if there is any port to ask."""
        try:
            ports = self._listing.run(lambda: sorted(self._lister()))
        except TimeoutError:
            return BoardSearch(
                None, "The system does not list its serial ports: name the port instead of `auto`."
            )
        now_ns = self.clock_ns()
        self._resting = {
            port: rest for port, rest in self._resting.items() if port in ports and now_ns < rest[0]
        }
        awake = [port for port in ports if port not in self._resting]
        if not ports:
            return BoardSearch(
                None, "No USB serial port found: plug the board in, or name its port."
            )
        reasons = [reason for _, reason in self._resting.values()]
        if awake:
            asking()
        return _choose(self._search(awake, sought, reasons), reasons, sought)

    def _search(self, ports: list[str], sought: Sought, reasons: list[str]) -> list[_Answer]:
        """Return the boards that answer, and append to `reasons` why the other ports have none."""
        boards: list[_Answer] = []
        conversations: dict[str, Conversation] = {}
        with ExitStack() as closing_all:
            for port in ports:
                if self.stopping():
                    break
                try:
                    conversation = Conversation(port, clock_ns=self.clock_ns, opener=self._opener)
                    conversations[port] = closing_all.enter_context(closing(conversation))
                except OpenFailed as failed:
                    reasons.append(failed.sentence)
            waited_in_full = self._listen(conversations.values(), sought)
        for port, conversation in conversations.items():
            if conversation.session.hello is not None:
                boards.append(
                    _Answer(port, conversation.session.hello, conversation.session.boot_id)
                )
            elif conversation.session.refusal is not None:
                reasons.append(f"{port}: {conversation.session.refusal}")
            elif conversation.session.at_prompt:
                reasons.append(f"{port}: {AT_PROMPT}")
            else:
                reason = f"{port}: {NO_ANSWER}"
                reasons.append(reason)
                if waited_in_full:
                    self._resting[port] = (self.clock_ns() + REST_NS, reason)
        return boards

    def _listen(self, conversations: Collection[Conversation], sought: Sought) -> bool:
        """Ask and listen until every device has answered, or for `GRACE_NS` after the first that is sought.

        Return True if the full time passed in vain.
        """
        full_ns = deadline_ns = self.clock_ns() + self.probe_ns
        while not self.stopping():
            unanswered = [conversation for conversation in conversations if conversation.unknown]
            if not unanswered:
                return False
            now_ns = self.clock_ns()
            if now_ns >= deadline_ns:
                return deadline_ns == full_ns
            for conversation in unanswered:
                conversation.turn()
                hello = conversation.session.hello
                if hello is not None and (not sought.uids or hello.uid in sought.uids):
                    deadline_ns = min(deadline_ns, now_ns + GRACE_NS)
        return False


def _choose(answers: list[_Answer], reasons: list[str], sought: Sought) -> BoardSearch:
    boards = _wanted(answers, sought)
    if not boards:
        others = tuple((board.port, board.hello.uid) for board in answers)
        seen = [f"{port}: board {uid:016x}, not {sought.uids[-1]:016x}." for port, uid in others]
        return BoardSearch(
            None,
            "No board to use: " + " ".join([*seen, *reasons]),
            refused=True,
            strangers=not others and all(reason.endswith(NO_ANSWER) for reason in reasons),
            others=others,
        )
    used, *more = boards
    if not more:
        return BoardSearch(used.port, f"Board {used.hello.uid:016x} found at {used.port}.")
    others_named = ", ".join(f"{board.hello.uid:016x} at {board.port}" for board in more)
    return BoardSearch(
        used.port,
        f"Board {used.hello.uid:016x} at {used.port} is used; also found: {others_named} (name a port to choose).",
        several=True,
    )


def _wanted(answers: list[_Answer], sought: Sought) -> list[_Answer]:
    """Return the boards to choose from, the one to be used first."""
    if not sought.uids:
        return answers
    for uid in sought.uids:
        boards = [board for board in answers if board.hello.uid == uid]
        if boards:
            return sorted(boards, key=lambda board: board.boot_id != sought.boot_id)
    return []
