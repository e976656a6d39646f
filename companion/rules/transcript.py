"""Transcripts: a game as JSON lines, facts with voids and inserts. TRANSCRIPTS.md describes the format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules.columns import can_be_shown
from companion.rules.components import check_json
from companion.rules.game import Fact, Game, Refused, Setup
from companion.rules.registry import GAMES, learn_of, open_game
from companion.rules.seats import dress

VOID = "void"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # a file's words must not move anybody's cursor
_A_LINE = "one JSON object a line, as `companion export --format jsonl` writes them"


@dataclass(frozen=True, slots=True)
class FactLine:
    """A fact, recorded as entry `n`, folded right behind entry `after` or at the end; `row` is its line, from 1."""

    n: int
    fact: Fact
    after: int | None = None
    row: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class VoidLine:
    """Entry `n`, which takes entry `entry` back; voiding a void brings back what it took."""

    n: int
    entry: int


Line = FactLine | VoidLine


@dataclass(frozen=True, slots=True)
class Transcript:
    """A game: who plays what by which house rules, then the record in order."""

    setup: Setup
    lines: tuple[Line, ...] = ()


class TranscriptError(Exception):
    """A transcript that makes no sense; `str()` says it: file, line, clause, why, and what would do."""

    def __init__(self, name: str, number: int, refusal: Refused) -> None:
        super().__init__(_CONTROLS.sub("?", f"{name}, line {number}: {refusal}"))
        self.number = number
        self.clause = refusal.clause


def parse_transcript(text: str, name: str = "transcript") -> Transcript:
    """Read a transcript; raise `TranscriptError` at the first line that does not fit the format."""
    rows = text.split("\n")
    lines: list[Line] = []
    number = 1
    try:
        if not text.strip():
            raise Refused("FORMAT", "the file is empty", "a header with the game and its seats")
        setup, game = _header(object_of(rows[0]))
        known: set[int] = set()
        for number, row in enumerate(rows[1:], start=2):
            if row.strip():
                line = _line(game, object_of(row), lines[-1].n if lines else 1, known)
                lines.append(replace(line, row=number) if isinstance(line, FactLine) else line)
                known.add(lines[-1].n)
    except Refused as refusal:
        raise TranscriptError(name, number, refusal) from refusal
    return Transcript(setup, tuple(lines))


def object_of(row: str) -> dict[str, Any]:
    """Return the JSON object on a line; raise `Refused`."""
    try:
        found = json.loads(row)
    except (ValueError, RecursionError) as error:
        where: object = error
        if isinstance(error, json.JSONDecodeError):  # some messages end with the word already
            where = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise Refused("FORMAT", f"there is no JSON object on this line ({where})", _A_LINE) from error
    if not isinstance(found, dict):
        raise Refused("FORMAT", "this is JSON, but no object", _A_LINE)
    return found


def _header(row: dict[str, Any]) -> tuple[Setup, Game[Any]]:
    game_id, rules = row.get("game"), row.get("rules")
    try:
        learn_of(row.get("components"))
    except ValueError as fault:
        raise Refused("FORMAT", f"the game it carries cannot be read: {fault}", "the file of a game") from fault
    if not isinstance(game_id, str) or game_id not in GAMES:
        stated = "no game is named" if game_id is None else f"the game is {game_id!r}"
        raise Refused("FORMAT", stated, f"one of {', '.join(sorted(GAMES))}")
    if type(rules) is not int:
        stated = "no version of the rules is named" if rules is None else f"the rules version is {rules!r}"
        raise Refused("FORMAT", stated, "a whole number as rules")
    options = row.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise Refused("FORMAT", "the options are no texts", "an object of option names and texts")
    if unknown := row.keys() - {"game", "rules", "seats", "options", "components"}:
        expected = "game, rules, seats, options, components"
        raise Refused("FORMAT", f"unknown fields: {', '.join(sorted(unknown))}", expected)
    setup = Setup(game_id, rules, dress(_seats(row.get("seats"))), options, _components(game_id, row))
    game = open_game(game_id)
    game.start(setup)
    return setup, game


def _components(game_id: str, row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = row.get("components", {})
    for problem in check_json(game_id, found):
        what = f"[[{problem.table}]] {problem.name}: " if problem.table else ""
        raise Refused(problem.clause or "FORMAT", f"components: {what}{problem.why}", problem.expected)
    return found


def _seats(rows: Any) -> list[tuple[str, str]]:
    wanted = 'a list of {"id": text, "name": text}'
    if not isinstance(rows, list):
        raise Refused("FORMAT", "the seats are no list", wanted)
    for row in rows:
        texts = [row.get("id"), row.get("name")] if isinstance(row, dict) and row.keys() == {"id", "name"} else [None]
        if not all(isinstance(text, str) and can_be_shown(text) for text in texts):
            raise Refused("FORMAT", f"a seat is {json.dumps(row)}", wanted)
    return [(row["id"], row["name"]) for row in rows]


def _line(game: Game[Any], row: dict[str, Any], last: int, known: set[int]) -> Line:
    kind, n, after = row.pop("kind", None), row.pop("n", last + 1), row.pop("after", None)
    if not isinstance(kind, str):
        raise Refused("FORMAT", "the line has no kind", "a kind and its fields")
    if type(n) is not int or n <= last:
        raise Refused("FORMAT", f"the number of the entry is {n!r}", f"a whole number above {last}")
    if after is not None and (type(after) is not int or after not in known):
        raise Refused("FORMAT", f"there is no entry {after!r} before this line", "an entry of this transcript")
    if kind != VOID:
        return FactLine(n, game.parse(kind, row), after)
    entry = row.get("entry")
    if type(entry) is not int or entry not in known:
        which = "it names no entry" if entry is None else f"there is no entry {entry!r}"
        raise Refused("FORMAT", f"{which} to take back", "an entry of this transcript")
    if after is not None or row.keys() != {"entry"}:
        raise Refused("FORMAT", "a void has more fields than an entry", "void with entry")
    return VoidLine(n, entry)


def standing(lines: Sequence[Line]) -> tuple[FactLine, ...]:
    """The facts that are not taken back, in the order in which they are folded.

    Of two facts put behind the same entry, the later stands nearer to it.
    """
    void: set[int] = set()
    for line in reversed(lines):
        if isinstance(line, VoidLine) and line.n not in void:
            void.add(line.entry)
    return tuple(line for line in _in_order(lines) if line.n not in void)


def _in_order(lines: Sequence[Line]) -> Iterator[FactLine]:
    behind: dict[int, list[Line]] = {}
    waiting: list[Line] = []
    for line in reversed(lines):
        after = line.after if isinstance(line, FactLine) else None
        (waiting if after is None else behind.setdefault(after, [])).append(line)
    while waiting:
        line = waiting.pop()
        if isinstance(line, FactLine):
            yield line
        waiting += reversed(behind.get(line.n, []))


def fold(transcript: Transcript, name: str = "transcript") -> Any:
    """Return the state after the transcript; raise `TranscriptError` at the first fact the rules do not allow.

    The line number in the error counts from 1, the header.
    """
    game = open_game(transcript.setup.game)
    state = game.start(transcript.setup)
    for line in standing(transcript.lines):
        try:
            state = game.advance(state, line.fact, line.n)
        except Refused as refusal:
            raise TranscriptError(name, line.row or transcript.lines.index(line) + 2, refusal) from refusal
    return state
