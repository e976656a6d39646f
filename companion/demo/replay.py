"""`companion replay`: plays a capture through the same session, intake and game, and compares the result."""

from __future__ import annotations

import argparse
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from companion.demo import capture
from companion.errors import CommandError, ErrorKind, reading
from companion.journal.disk import require_regular
from companion.journal.entries import Draft, Layer
from companion.journal.errors import JournalError
from companion.journal.journal import Journal
from companion.link.dispatcher import TapeEvent
from companion.link.tape import TapePlayer
from companion.rules.columns import clean, plural
from companion.rules.facts import Moment, Refused
from companion.rules.gestures import GestureSettings
from companion.rules.header import game_of
from companion.session.board_side import ActionObserver
from companion.session.clocks import wall
from companion.session.corrections import NotDone
from companion.session.intake import Marks
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from companion.session.taps import device_of, tap_of

WITHHELD = (
    "The capture begins in the middle of a game with private notes, and has none of them, for that game was not over "
    "when it ended: it cannot be replayed."
)


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The outcome of a replay.

    `result` is that of `result_of`; `expected` the result in the capture, None if it has no end. `whole` is False for a
    capture that became too large.
    """

    summary: tuple[str, ...]
    result: Mapping[str, Any]
    expected: Mapping[str, Any] | None
    whole: bool

    @property
    def same(self) -> bool:
        """True if nothing contradicts the capture's own result."""
        if self.expected is None:
            return True
        # A capture without its secrets says nothing of the facts.
        return all(self.result[key] == value for key, value in self.expected.items())


class _ReplayedActions(ActionObserver):
    """Repeats the captured actions at a table, each after the same amount of evidence and at the same moments."""

    def __init__(self, actions: deque[Mapping[str, Any]]) -> None:
        self._actions = actions
        self._moments: deque[Moment] = deque()

    def stamped(self, now: Moment) -> Moment:
        if not self._moments:
            return now
        return self._moments.popleft()

    def catch_up(self, table: Table, *, to_the_end: bool = False) -> None:
        """Repeat the actions before the next evidence.

        Raise `KeyError`, `TypeError`, `ValueError` or `NotDone` for an action that nobody can have done.
        """
        while self._actions and (to_the_end or self._actions[0]["heard"] <= table.board.heard):
            self._perform(table, self._actions.popleft())

    def _perform(self, table: Table, action: Mapping[str, Any]) -> None:
        if capture.KEPT in action:
            return  # a seat's secret in a game that was not over: the capture does not have it
        self._moments = deque(map(Moment.model_validate, action["now"]))
        args, named = list(action.get("args", [])), dict(action.get("named", {}))
        match action["what"]:
            case "note":
                with suppress(Refused, NotDone):  # a note that was refused then is refused again
                    table.note(args[0], SeatNote(**args[1]))
            case "apply_tap":
                with suppress(Refused, NotDone):  # what was refused then is refused again
                    table.apply_tap(device_of(args[0]), tap_of(args[1]))
            case "accept":
                table.accept(table.inspection.reread(GestureSettings(**args[0])), **named)
            case (
                "do"
                | "take_back"
                | "enter"
                | "amend"
                | "insert"
                | "correct"
                | "set_level"
                | "set_board"
                | "take_proposals"
                | "allow_entries" as what
            ):
                getattr(table, what)(*args, **named)
            case "note_test":
                table.board.note_test(*args, **named)
            case "expire" | "come_due" as what:
                getattr(table.clock, what)(*args, **named)
            case what:
                raise ValueError(f"nobody can {what}")


def replay(path: Path) -> ReplayResult:
    """Play a capture in a record of its own, which is deleted afterwards; raise `CommandError`."""
    with reading(path, "; name a capture."):
        require_regular(path)
        file = path.open(encoding="ascii", errors="replace", newline="\n")
    with file:
        header = capture.read_header(file, path)
        lines = list(capture.read_lines(file, path))
    try:
        return _replay(header, lines)
    except (KeyError, TypeError, ValueError, Refused, NotDone, JournalError) as problem:
        raise CommandError(
            f"{path} cannot be replayed: a line of it makes no sense at its place ({problem}).",
            ErrorKind.DATA,
        ) from problem


def _replay(header: Mapping[str, Any], lines: list[capture.CaptureLine]) -> ReplayResult:
    captured = _sort_lines(lines)
    if any(capture.KEPT in entry for entry in captured.earlier):
        raise CommandError(WITHHELD, ErrorKind.DATA)
    with _journal(header["session"], captured.earlier) as journal:
        game, setup = game_of(header["session"])
        game = game.shuffled_by(lambda _size: captured.orders.popleft())
        actions = _ReplayedActions(captured.actions)
        # Presses that the keys' guard held back were not captured, so the guard must hold nothing back now.
        with closing(
            Table(game, journal, setup, host_us=lambda: 0, observer=actions, guard_us=0)
        ) as table:
            table.board.before_each = partial(actions.catch_up, table)
            player = TapePlayer(
                table.board, Marks(journal.entries).last, Random(header["jitter"]).random
            )
            for line in captured.tape:
                player.play(TapeEvent(line.mark), line.ns, line.value)
            actions.catch_up(table, to_the_end=True)
        result = capture.result_of(tuple(journal.entries))
        return ReplayResult(table.view().summary(), result, captured.result, captured.whole)


@dataclass(slots=True)
class _SortedLines:
    """A capture's lines by what they are for, with their secrets put back; `result` is that of its end."""

    tape: list[capture.CaptureLine] = field(default_factory=list)
    actions: deque[Mapping[str, Any]] = field(default_factory=deque)
    orders: deque[tuple[int, ...]] = field(default_factory=deque)
    earlier: list[dict[str, Any]] = field(default_factory=list)
    result: Mapping[str, Any] | None = None
    whole: bool = True


def _sort_lines(lines: Sequence[capture.CaptureLine]) -> _SortedLines:
    # The secrets come last, at the end of the game, and belong to lines before.
    secrets: dict[int, Mapping[str, Any]] = {}
    for line in lines:
        if line.mark == capture.SECRET:
            secrets[line.value.pop(capture.KEPT)] = line.value
    captured = _SortedLines()
    for line in lines:
        if line.mark in _TAPE_MARKS:
            captured.tape.append(line)
        elif line.mark == capture.ACTION:
            captured.actions.append(_with_secret(line.value, secrets))
        elif line.mark == capture.ENTRY:
            captured.earlier.append(_with_secret(line.value, secrets))
        elif line.mark == capture.DRAWN:
            captured.orders.append(tuple(line.value["order"]))
        elif line.mark == capture.RESULT and captured.result is None:
            captured.result = line.value
        elif line.mark == capture.FULL:
            captured.whole = False
    return captured


def _with_secret(
    fields: dict[str, Any], secrets: Mapping[int, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a line's value with the part that was kept back, if the capture has it."""
    secret = secrets.get(fields.get(capture.KEPT, 0))
    if secret is None:
        return fields
    whole = {**fields, **secret}
    del whole[capture.KEPT]
    return whole


_TAPE_MARKS = frozenset(map(str, TapeEvent))


@contextmanager
def _journal(session: Mapping[str, Any], earlier: list[dict[str, Any]]) -> Iterator[Journal]:
    """Yield a temporary record with the entries from before the capture began."""
    with (
        tempfile.TemporaryDirectory(prefix="companion-replay-") as folder,
        Journal.create(Path(folder) / "replay.sqlite", session, wall=wall) as journal,
    ):
        for entry in earlier:
            fields = {**entry, "layer": Layer(entry["layer"]), "causes": tuple(entry["causes"])}
            journal.append(Draft(**fields))
        yield journal


def run(args: argparse.Namespace) -> ErrorKind | None:
    """Replay a capture and print its result; return `DATA` if it is not the same as then."""
    replayed = replay(args.file)
    print("\n".join(map(clean, replayed.summary)))
    evidence, facts = replayed.result["evidence"]["count"], replayed.result["facts"]["count"]
    print(
        f"{plural(evidence, 'piece')} of evidence, {plural(facts, 'fact')}: {_comparison(replayed)}"
    )
    if not replayed.same:
        return ErrorKind.DATA
    return None


def _comparison(replayed: ReplayResult) -> str:
    if not replayed.same:
        return "this is NOT what the session came to."
    if not replayed.whole:
        return "the capture became too large and ends before the session did."
    if replayed.expected is None:
        return "the capture has no end (a crash?), so there is nothing to compare it with."
    if "facts" not in replayed.expected:
        return "the evidence is the same as in the session; private notes are not in a capture before the game is over."
    return "the same as in the session."
