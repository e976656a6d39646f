"""`companion replay`: a capture played through the same session, intake and game, and held against what came of it."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TextIO

from companion.exits import CommandError, Exit
from companion.journal.disk import require_regular
from companion.journal.entries import Draft, Entry, Layer
from companion.journal.errors import JournalError
from companion.journal.journal import Journal
from companion.link import Evidence, LinkStatus
from companion.link.events import Configured, CueGiven
from companion.link.replayed import TapePlayer
from companion.link.sync import SyncPoint
from companion.link.tape import Did
from companion.rules.columns import clean
from companion.rules.game import Game, Moment, Refused, Setup
from companion.rules.gestures import GestureSettings
from companion.rules.header import game_of
from companion.session.capture import DRAWN, ENTRY, FULL, HAND, RESULT, CaptureLine, read_header, read_lines, result_of
from companion.session.clocks import wall
from companion.session.intake import last_mark
from companion.session.interpreter import UNANSWERED
from companion.session.key_debounce import KeyDebounce
from companion.session.key_meanings import KeyContext
from companion.session.table import Table
from firmware_protocol.messages import Hello


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay came to: the entries, the lines of the result, and how it compares.

    `result` is that of `result_of`; `expected` what the capture says it was, None in one that has no end. `whole` is
    False for a capture that became too large. `differences` counts what the host said otherwise than then.
    """

    entries: tuple[Entry, ...]
    summary: tuple[str, ...]
    result: Mapping[str, Any]
    expected: Mapping[str, Any] | None
    whole: bool
    differences: int

    @property
    def same(self) -> bool:
        """Whether nothing contradicts that this is what happened."""
        return self.expected is None or self.expected == {key: self.result[key] for key in self.expected}


class _NoGuard(KeyDebounce[KeyContext]):
    """What the guard held back was not captured, so nothing is held back now."""

    def holds(self, _now_us: int, _now: KeyContext, _meaning: Callable[[KeyContext], object]) -> bool:
        return False


class ReplayedTable(Table):
    """A table at which hands and board do again what they did, at the times they had then."""

    def __init__(self, game: Game[Any], journal: Journal, setup: Setup, orders: deque[tuple[int, ...]]) -> None:
        super().__init__(game.shuffled_by(lambda _size: orders.popleft()), journal, setup, host_us=lambda: 0)
        self._guard = _NoGuard()
        self._moments: deque[Moment] = deque()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The record as it stands now."""
        return tuple(self._journal.entries)

    def again(self, hand: Mapping[str, Any]) -> None:
        """Do what somebody did; raise `KeyError`, `TypeError` or `ValueError` for what nobody can have done."""
        self._moments = deque(map(Moment.model_validate, hand["now"]))
        args, named = list(hand.get("args", [])), dict(hand.get("named", {}))
        match hand["what"]:
            case "expire":
                with self._lock:
                    self._interpreter.drop(UNANSWERED)
            case "accept":
                self.accept(self.reread(GestureSettings(**args[0])), **named)
            case "do" | "take_back" | "enter" | "amend" | "insert" | "set_level" | "set_board" as what:
                getattr(self, what)(*args, **named)
            case what:
                raise ValueError(f"nobody can {what}")

    def _now(self) -> Moment:
        return self._moments.popleft() if self._moments else super()._now()


class _Following:
    """Tells the table what the link says, and lets each hand do its part where it did."""

    def __init__(self, table: ReplayedTable, hands: deque[Mapping[str, Any]]) -> None:
        self._table = table
        self._hands = hands
        self._heard = 0

    def catch_up(self, *, all_of_them: bool = False) -> None:
        """Do by hand what was done before the board's next word."""
        while self._hands and (all_of_them or self._hands[0]["heard"] <= self._heard):
            self._table.again(self._hands.popleft())
        self._heard += 1

    def on_status(self, status: LinkStatus) -> None:
        self._table.board.on_status(status)

    def on_identified(self, hello: Hello, boot_id: int) -> None:
        self.catch_up()
        self._table.board.on_identified(hello, boot_id)

    def store(self, evidence: list[Evidence]) -> None:
        self.catch_up()
        self._table.board.store(evidence)

    def on_watermark(self, boot_id: int, settled_us: int) -> None:
        self.catch_up()
        self._table.board.on_watermark(boot_id, settled_us)

    def on_booted(self, previous: int, boot_id: int) -> None:
        self._table.board.on_booted(previous, boot_id)

    def on_configured(self, configured: Configured) -> None:
        self.catch_up()
        self._table.board.on_configured(configured)

    def on_sync(self, point: SyncPoint) -> None:
        self.catch_up()
        self._table.board.on_sync(point)

    def on_cue(self, cue: CueGiven, boot_id: int) -> None:
        self.catch_up()
        self._table.board.on_cue(cue, boot_id)

    def on_note(self, sentence: str) -> None:
        self.catch_up()
        self._table.board.on_note(sentence)


def replay(path: Path) -> Replayed:
    """Play a capture again, in a record of its own that is thrown away; raise `CommandError`."""
    try:
        require_regular(path)
        file = path.open(encoding="ascii", errors="replace", newline="\n")
    except OSError as problem:
        raise CommandError(f"{path} cannot be read ({problem.strerror}): name a capture.", Exit.NO_INPUT) from problem
    with file:
        header = read_header(file, path)
        lines = list(read_lines(file, path))
    try:
        return _replay(header, lines)
    except (KeyError, TypeError, ValueError, Refused, JournalError) as problem:
        raise CommandError(
            f"{path} cannot be replayed: a line of it makes no sense where it stands ({problem}).", Exit.DATA
        ) from problem


def _replay(header: Mapping[str, Any], lines: list[CaptureLine]) -> Replayed:
    hands: deque[Mapping[str, Any]] = deque(line.json() for line in lines if line.mark == HAND)
    earlier = [line.json() for line in lines if line.mark == ENTRY]
    expected = next((line.json() for line in lines if line.mark == RESULT), None)
    orders = deque(tuple(line.json()["order"]) for line in lines if line.mark == DRAWN)
    with _table(header["session"], earlier, orders) as table:
        following = _Following(table, hands)
        player = TapePlayer(following, last_mark(table.entries), Random(header["jitter"]).random)
        for line in lines:
            if line.mark in _DONE:
                player.play(Did(line.mark), line.ns, line.data())
        following.catch_up(all_of_them=True)
        table.close()
        entries = table.entries
        whole = not any(line.mark == FULL for line in lines)
        return Replayed(entries, table.summary(), result_of(entries), expected, whole, player.differences)


_DONE = frozenset(map(str, Did))


@contextmanager
def _table(
    session: Mapping[str, Any], earlier: list[dict[str, Any]], orders: deque[tuple[int, ...]]
) -> Iterator[ReplayedTable]:
    game, setup = game_of(session)
    with tempfile.TemporaryDirectory(prefix="companion-replay-") as folder:
        journal = Journal.create(Path(folder) / "replay.sqlite", session, wall=wall)
        try:
            for entry in earlier:
                fields = {**entry, "layer": Layer(entry["layer"]), "causes": tuple(entry["causes"])}
                journal.append(Draft(**fields))
            table = ReplayedTable(game, journal, setup, orders)
        except BaseException:
            journal.close()
            raise
        try:
            yield table
        finally:
            table.close()


def run(path: Path, out: TextIO, err: TextIO) -> int:
    """Replay a capture and say what it came to; return the exit code: 65 when it is not what it was then."""
    try:
        replayed = replay(path)
    except CommandError as problem:
        print(problem, file=err)
        return problem.exit_code
    print("\n".join(map(clean, replayed.summary)), file=out)
    evidence, facts = (replayed.result[what]["count"] for what in ("evidence", "facts"))
    print(f"{evidence} pieces of evidence, {facts} facts: {_comparison(replayed)}", file=out)
    return Exit.DONE if replayed.same else Exit.DATA


def _comparison(replayed: Replayed) -> str:
    if not replayed.same:
        return "this is NOT what the session came to."
    if not replayed.whole:
        return "the capture became too large and ends before the session did."
    if replayed.expected is None:
        return "the capture has no end (a crash?), so there is nothing to hold it against."
    return "the same as in the session."
