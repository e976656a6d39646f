"""What a page of a role asks for, read from what it sent; anything that does not fit is no tap."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.rules.actions import on_page
from companion.rules.facts import Refused
from companion.rules.forms import fields_of
from companion.rules.names import plain_blanks
from companion.rules.typed_facts import from_words
from companion.session.key_meanings import PAUSE
from companion.session.roles import Doing
from companion.session.taps import (
    AddMissed,
    Answer,
    Change,
    Decide,
    Delete,
    EndRow,
    EnterFact,
    Step,
    TypeNumbers,
    Undo,
    Wish,
)

if TYPE_CHECKING:
    from companion.session.projection import SessionProjection
    from companion.session.table import Table

MOST_NUMBERS = 64
"""Numbers of one column."""
NO_JSON = "The page sent something unreadable. Load it again."
NO_TIME = "A tap has no time of its own, so nothing was done."
NO_FIELD = "The form has no field {name}: load the page again."
NO_FACT = "This game has nothing of that kind: load the page again."
NO_LINE = "There is no line {entry} to change: look at the page again."
SPECIAL = "Leave out special characters, such as emoji that are joined to one."
_SESSION = re.compile(r"[a-z][a-z0-9_.-]{0,39}")
OF_BOARD = "board"
"""How a wish begins that is not the table's own but the board's."""


class Reason(StrEnum):
    """Why a tap was refused; the values are words for people."""

    ORIGIN = "from another site"
    PACE = "too many a second"
    LENGTH = "too long"
    SLOW = "not sent to the end"
    UNREADABLE = "not readable"
    OTHER_GAME = "for another game"
    FUTURE = "from the future"
    ROLE = "not for that role"
    FORM = "filled in wrongly"
    TABLE = "by the table"
    SESSION = "not possible now"
    DISK = "not saved in time"
    FAULT = "a fault of the program"


class NotTappedError(Exception):
    """A tap that is refused, with the reason that is counted and the sentence for its page."""

    def __init__(
        self,
        reason: Reason,
        sentence: str,
        status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY,
    ) -> None:
        super().__init__(sentence)
        self.reason, self.status = reason, status


@dataclass(frozen=True, slots=True)
class SessionWish:
    """Something that is not the table's own, such as the next game."""

    do: str


Read = Callable[["Table", Mapping[str, Any]], Wish | SessionWish]


def doing_of(of: Mapping[str, Any]) -> Doing:
    """Return the kind of thing that is asked for, before anything is looked up for it."""
    match of.get("kind"), of.get("action"), of.get("do"):
        case "step", PAUSE.id, _:
            return Doing.PAUSE
        case "session", _, str(do) if do.startswith(OF_BOARD):
            return Doing.BOARD
        case str(kind), _, _ if kind in _KINDS:
            return _KINDS[kind].does
    raise unreadable()


def read_wish(table: Table, of: Mapping[str, Any]) -> Wish | SessionWish:
    """Return what is asked for; raise `NotTappedError`. A form's words become the body of a fact, as the laptop's form
    makes it."""
    kind = of.get("kind")
    known = _KINDS.get(kind) if isinstance(kind, str) else None
    if known is None or set(of) - {"kind", *known.names.split()}:
        raise unreadable()
    return known.read(table, of)


def _fact(table: Table, of: Mapping[str, Any]) -> Wish:
    kind = text_of(of, "fact")
    return EnterFact(kind, _body(table, kind, of), *reason_of(of))


def _grid_numbers(_table: Table, of: Mapping[str, Any]) -> Wish:
    row = text_of(of, "row")
    shown, numbers = numbers_of(of, "shown", or_none=True), numbers_of(of, "numbers")
    if not numbers or len(shown) != len(numbers) or (row and len(numbers) != 1):
        raise unreadable()
    return TypeNumbers(text_of(of, "grid"), row, text_of(of, "seat"), shown, numbers)


def _undo(_table: Table, of: Mapping[str, Any]) -> Wish:
    return Undo(number_of(of, "entry"), flag_of(of, "redo", default=False))


def _delete(_table: Table, of: Mapping[str, Any]) -> Wish:
    restore = flag_of(of, "restore", default=False)
    return Delete(number_of(of, "entry"), restore, *reason_of(of))


def _change(table: Table, of: Mapping[str, Any]) -> Wish:
    entry = number_of(of, "entry")
    return Change(entry, _body(table, _kind_of(table, entry), of), *reason_of(of))


def _missed(table: Table, of: Mapping[str, Any]) -> Wish:
    kind, after = text_of(of, "fact"), number_of(of, "after")
    return AddMissed(kind, _body(table, kind, of), after, *reason_of(of))


class _Kind(NamedTuple):
    """A kind of wish: what it does, the names of what belongs to it, and what reads it."""

    does: Doing
    names: str
    read: Read


def _step(_table: Table, of: Mapping[str, Any]) -> Wish:
    return Step(text_of(of, "action"))


def _end_row(_table: Table, of: Mapping[str, Any]) -> Wish:
    return EndRow(text_of(of, "grid"), text_of(of, "label"))


def _answer(_table: Table, of: Mapping[str, Any]) -> Wish:
    return Answer(text_of(of, "question"), flag_of(of, "agreed"))


def _decide(_table: Table, of: Mapping[str, Any]) -> Wish:
    return Decide(text_of(of, "proposal"), flag_of(of, "accepted"))


def _session(_table: Table, of: Mapping[str, Any]) -> SessionWish:
    return SessionWish(text_of(of, "do", _SESSION))


_KINDS: Mapping[str, _Kind] = {
    "step": _Kind(Step.does, "action", _step),
    "fact": _Kind(EnterFact.does, "fact body fields why who", _fact),
    "numbers": _Kind(TypeNumbers.does, "grid row seat shown numbers", _grid_numbers),
    "end_row": _Kind(EndRow.does, "grid label", _end_row),
    "undo": _Kind(Undo.does, "entry redo", _undo),
    "delete": _Kind(Delete.does, "entry restore why who", _delete),
    "change": _Kind(Change.does, "entry body fields why who", _change),
    "missed": _Kind(AddMissed.does, "fact body fields after why who", _missed),
    "answer": _Kind(Answer.does, "question agreed", _answer),
    "decide": _Kind(Decide.does, "proposal accepted", _decide),
    "session": _Kind(Doing.SESSION, "do", _session),
}


def _kind_of(table: Table, entry: int) -> str:
    """Return the kind of the fact for which the number `entry` is shown."""

    def kind(record: SessionProjection) -> str:
        n = record.entry_numbered(entry)
        found = None if n is None else record.entry(n)
        return "" if found is None else found.kind

    known = table.look(kind)
    if known not in table.game.facts:
        raise NotTappedError(Reason.FORM, NO_LINE.format(entry=entry))
    return known


def _body(table: Table, kind: str, of: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the body of a fact: as it came, or made of the words that were typed into its form."""
    if ("body" in of) == ("fields" in of):
        raise unreadable()
    if "body" in of:
        body = json_object(of["body"])
        if "at" in body:
            raise NotTappedError(Reason.FORM, NO_TIME)
        return body
    if kind not in table.game.facts:
        raise NotTappedError(Reason.FORM, NO_FACT)
    try:
        return _typed(table, kind, json_object(of["fields"]))
    except Refused as refusal:
        raise NotTappedError(Reason.FORM, on_page(refusal.spoken())) from refusal


def _typed(table: Table, kind: str, words: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the body that the words in a form make, as the laptop's form does; raise `Refused`."""
    game = table.game
    setup = table.look(lambda record: record.common.setup)
    asked = {form_field.name: form_field for form_field in fields_of(game.facts[kind], setup)}
    line = [kind]
    for name in words:
        if name not in asked:
            raise NotTappedError(Reason.FORM, NO_FIELD.format(name=name))
    for name, form_field in asked.items():
        word = text_of(words, name, default="")
        if form_field.kind == "entry" and word:
            word = _entry_of(table, word)
        if word or form_field.required:  # an empty field that may be left out is left out
            line.append(f"{name}={word}")
    return from_words(game, setup, shlex.join(line))[1]


def _entry_of(table: Table, word: str) -> str:
    """Return the entry for which the number in a form's field is shown; other words as they are."""
    if not (word.isascii() and word.isdecimal() and len(word) < 10):
        return word
    n = table.look(lambda record: record.entry_numbered(int(word)))
    return word if n is None else str(n)


# -- reading what somebody sent


def unreadable() -> NotTappedError:
    """Return the refusal of what is no tap."""
    return NotTappedError(Reason.UNREADABLE, NO_JSON, HTTPStatus.BAD_REQUEST)


def loaded(body: bytes) -> Any:
    """Return the JSON value in a body. Its texts get into the record and onto screens, so they have no control
    characters, and its numbers fit into a record's 64 bits."""
    try:
        value = json.loads(plain_blanks(body.decode()), parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        raise unreadable() from problem
    waiting = [value]
    while waiting:  # a loop: what somebody sent may be nested as deep as it is long
        match waiting.pop():
            case str(text) if not text.isprintable():
                raise NotTappedError(Reason.FORM, SPECIAL)
            case int(number) if abs(number) >= 2**63:
                raise unreadable()
            case dict(members):
                waiting += [*members, *members.values()]
            case list(items):
                waiting += items
    return value


def _no_constant(name: str) -> Any:
    """Refuse NaN and the infinities, which are no JSON."""
    raise ValueError(name)


def json_object(value: Any, names: Collection[str] | None = None) -> dict[str, Any]:
    """Return a JSON object; with `names`, one that has no others."""
    if not isinstance(value, dict) or (names is not None and set(value) - set(names)):
        raise unreadable()
    return value


def text_of(
    of: Mapping[str, Any],
    name: str,
    like: re.Pattern[str] | None = None,
    default: str | None = None,
) -> str:
    """Return a text, one that is `like` a pattern if that is given."""
    value = of.get(name, default)
    if not isinstance(value, str):
        raise unreadable()
    if like is not None and not like.fullmatch(value):
        raise unreadable()
    return value


def reason_of(of: Mapping[str, Any]) -> tuple[str, str]:
    """Return why and by whom."""
    return text_of(of, "why", default=""), text_of(of, "who", default="")


def number_of(of: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """Return a whole number that is not negative. `type`, not `isinstance`: true is an int in Python."""
    value = of.get(name, default)
    if type(value) is not int or not 0 <= value < 2**53:
        raise unreadable()
    return value


def numbers_of(of: Mapping[str, Any], name: str, *, or_none: bool = False) -> tuple[Any, ...]:
    """Return whole numbers, or with `or_none` None for some."""
    values = of.get(name)
    if not isinstance(values, list) or len(values) > MOST_NUMBERS:
        raise unreadable()
    for value in values:
        is_number = type(value) is int and abs(value) < 2**53
        if not is_number and not (or_none and value is None):
            raise unreadable()
    return tuple(values)


def flag_of(of: Mapping[str, Any], name: str, default: bool | None = None) -> bool:
    """Return true or false."""
    value = of.get(name, default)
    if not isinstance(value, bool):
        raise unreadable()
    return value
