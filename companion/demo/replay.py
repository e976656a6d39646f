"""`companion replay`: a capture played through the same session, intake and game, and held against what came of it."""

from __future__ import annotations

import argparse
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
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

WITHHELD = (
    "The capture begins in the middle of a game with private notes, and has none of them, for that game was not over "
    "when it ended: it cannot be replayed."
)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay came to: the lines of the result, and how it compares.

    `result` is that of `result_of`; `expected` what the capture says it was, None in one that has no end. `whole` is
    False for a capture that became too large.
    """

    summary: tuple[str, ...]
    result: Mapping[str, Any]
    expected: Mapping[str, Any] | None
    whole: bool

    @property
    def same(self) -> bool:
        """Whether nothing contradicts that this is what happened."""
        return self.expected is None or self.expected == {
            key: self.result[key] for key in self.expected
        }


class _Again(ActionObserver):
    """Has hands do at a table again what they did, where the board's word had come so far, and at the moments that they
    had then."""

    def __init__(self, hands: deque[Mapping[str, Any]]) -> None:
        self._hands = hands
        self._moments: deque[Moment] = deque()

    def stamped(self, now: Moment) -> Moment:
        return self._moments.popleft() if self._moments else now

    def catch_up(self, table: Table, *, all_of_them: bool = False) -> None:
        """Do what was done before the board's next word; raise `KeyError`, `TypeError`, `ValueError` or `NotDone` for
        what nobody can have done."""
        while self._hands and (all_of_them or self._hands[0]["heard"] <= table.board.heard):
            self._do(table, self._hands.popleft())

    def _do(self, table: Table, hand: Mapping[str, Any]) -> None:
        if capture.KEPT in hand:
            return  # it is a secret of a seat in a game that was not over
        self._moments = deque(map(Moment.model_validate, hand["now"]))
        args, named = list(hand.get("args", [])), dict(hand.get("named", {}))
        match hand["what"]:
            case "note":
                with suppress(Refused, NotDone):  # as it was then
                    table.note(args[0], SeatNote(**args[1]))
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
                | "take_proposals" as what
            ):
                getattr(table, what)(*args, **named)
            case "expire" | "come_due" as what:
                getattr(table.clock, what)(*args, **named)
            case what:
                raise ValueError(f"nobody can {what}")


def replay(path: Path) -> Replayed:
    """Play a capture again, in a record of its own that is thrown away; raise `CommandError`."""
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
            f"{path} cannot be replayed: a line of it makes no sense where it stands ({problem}).",
            ErrorKind.DATA,
        ) from problem


def _replay(header: Mapping[str, Any], lines: list[capture.CaptureLine]) -> Replayed:
    secrets = {
        said.pop(capture.KEPT): said
        for said in (line.said for line in lines if line.mark == capture.SECRET)
    }
    hands: deque[Mapping[str, Any]] = deque(
        _whole(line.said, secrets) for line in lines if line.mark == capture.HAND
    )
    earlier = [_whole(line.said, secrets) for line in lines if line.mark == capture.ENTRY]
    if any(capture.KEPT in entry for entry in earlier):
        raise CommandError(WITHHELD, ErrorKind.DATA)
    expected = next((line.said for line in lines if line.mark == capture.RESULT), None)
    orders = deque(tuple(line.said["order"]) for line in lines if line.mark == capture.DRAWN)
    with _journal(header["session"], earlier) as journal:
        game, setup = game_of(header["session"])
        game = game.shuffled_by(lambda _size: orders.popleft())
        again = _Again(hands)
        # What the guard of the keys held back was not captured, so nothing is held back now.
        with closing(
            Table(game, journal, setup, host_us=lambda: 0, observer=again, guard_us=0)
        ) as table:
            table.board.before_each = partial(again.catch_up, table)
            player = TapePlayer(
                table.board, Marks(journal.entries).last, Random(header["jitter"]).random
            )
            for line in lines:
                if line.mark in _DONE:
                    player.play(TapeEvent(line.mark), line.ns, line.said)
            again.catch_up(table, all_of_them=True)
        result = capture.result_of(tuple(journal.entries))
        whole = not any(line.mark == capture.FULL for line in lines)
        return Replayed(table.view().summary(), result, expected, whole)


def _whole(said: dict[str, Any], secrets: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """What a line says, with what was kept back of it where the capture has that."""
    secret = secrets.get(said.get(capture.KEPT, 0))
    return (
        said
        if secret is None
        else {**{name: said[name] for name in said if name != capture.KEPT}, **secret}
    )


_DONE = frozenset(map(str, TapeEvent))


@contextmanager
def _journal(session: Mapping[str, Any], earlier: list[dict[str, Any]]) -> Iterator[Journal]:
    """A record that is thrown away, with what it had when the capture began."""
    with (
        tempfile.TemporaryDirectory(prefix="companion-replay-") as folder,
        Journal.create(Path(folder) / "replay.sqlite", session, wall=wall) as journal,
    ):
        for entry in earlier:
            fields = {**entry, "layer": Layer(entry["layer"]), "causes": tuple(entry["causes"])}
            journal.append(Draft(**fields))
        yield journal


def run(args: argparse.Namespace) -> ErrorKind | None:
    """Replay a capture and say what it came to; return `DATA` when it is not what it was then."""
    replayed = replay(args.file)
    print("\n".join(map(clean, replayed.summary)))
    evidence, facts = (replayed.result[what]["count"] for what in ("evidence", "facts"))
    print(
        f"{plural(evidence, 'piece')} of evidence, {plural(facts, 'fact')}: {_comparison(replayed)}"
    )
    return None if replayed.same else ErrorKind.DATA


def _comparison(replayed: Replayed) -> str:
    if not replayed.same:
        return "this is NOT what the session came to."
    if not replayed.whole:
        return "the capture became too large and ends before the session did."
    if replayed.expected is None:
        return "the capture has no end (a crash?), so there is nothing to compare it with."
    if "facts" not in replayed.expected:
        return "the evidence is the same as in the session; private notes are not in a capture before the game is over."
    return "the same as in the session."
