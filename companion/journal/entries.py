"""The words of the record: a draft is what somebody wants recorded, an entry is a draft with its place in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, NamedTuple


class Layer(StrEnum):
    """What the board said, what the game made of it, and what was done to the record itself."""

    EVIDENCE = "evidence"
    FACT = "fact"
    CONTROL = "control"


PHONE = "phone"
"""How the actor of an entry begins that a seat made for itself, on its own phone: no step of the table's."""
UNDO = "undo"
REDO = "redo"
CLOCK = "clock"
"""The actor of a fact that came by itself, when its time had come."""
KEYBOARD = "keyboard"
"""The actor of a fact that was entered by hand; with causes, of one that by hand was only put right or accepted."""


class Control(StrEnum):
    """The kinds of the control layer.

    `VOID` names the fact or the void it takes back: body `{"entry": n, "reason": str}`, with `"who"` where somebody was
    named. The reasons `UNDO` and `REDO` mark a step back and a step forth; a void with any other reason is a
    correction, which undo takes back like a fact.
    """

    SESSION = "session"  # always entry 1: game, rules version, seats, options, name
    VOID = "void"
    RESUMED = "resumed"
    ENDED = "ended"
    RENAMED = "renamed"  # body `{"name": str}`; the last one tells what the session is called
    REPAIRED = "repaired"  # what was read from a damaged file, and what was lost: `{"entries": n, "lost": n or None}`
    LOST = "lost"  # stands under each number whose entry is lost: body `{"from": n, "to": n, "why": str}` of the gap
    IGNORED = "ignored"  # evidence that became no fact, with the reason
    READ_AS = "read-as"  # what a press that still waits can mean, as the state changes: {"entry": n, "can_hold": bool}
    REMARK = "remark"  # why facts were put in by hand, and by whom: `{"entries": [n, ...], "why": str, "who": str}`
    # Whether the table let fact `entry` go, which showed `text`: `{"entry", "agreed", "text"}`. With `"finished": True`
    # whether it let a game that was over be changed; `entry` did that first, and `text` says what changes.
    CONSENT = "consent"
    LEVELS = "levels"  # how steps are done from here on: `{step's name: "automatic", "proposed" or "manual"}`
    BOARD = "board"  # the settings the board is to have from here on, by name, with "why" and "who"
    # whether players may propose from their phones, from here on: `{"propose": bool}`
    PHONES = "phones"
    PROPOSED = "proposed"  # a player did: {"seat": id, "line": id of the proposal}; what the table answered rests on it
    # How evidence is read from here on: `{"hold_us", "window_us", "min_peak", "why", "who"}`, with "lock_us" if chosen.
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to record.

    `causes` are the numbers of the entries it rests on; `after` puts a fact into the fold right behind that entry
    instead of at the end (of two put behind the same entry, the later stands nearer to it); `t_us` is the board's time
    where there is one; `key` is unique in a session: a second draft with a key that stands in the record, even on an
    entry since taken back, is answered with the entry that stands. `joined` makes a fact or a void one step with the
    one before it in the same append: undo takes both back, redo brings both back.
    """

    layer: Layer
    kind: str
    body: Mapping[str, Any] = field(default_factory=dict)
    actor: str = "companion"
    causes: tuple[int, ...] = ()
    after: int | None = None
    t_us: int | None = None
    key: str | None = None
    joined: bool = False


class Entry(NamedTuple):
    """A draft with its number `n`, the host's wall clock (ISO 8601, UTC) when it was appended, and the hash over itself
    and the entry before it. `salt` are 32 hexadecimal digits that went into that hash; empty in a record begun before
    there was one. Numbers count from 1 without holes: where a damage left one, an entry of kind `LOST` stands
    under each number of it, with the wall clock of the entry before and no hash but under the last."""

    n: int
    layer: Layer
    kind: str
    body: Mapping[str, Any]
    actor: str
    causes: tuple[int, ...]
    after: int | None
    t_us: int | None
    key: str | None
    wall: str
    digest: bytes
    joined: bool = False
    salt: str = ""


# digests are over them: one more is another format of the record
_FIELDS = tuple(each.name for each in fields(Draft))


def fields_of(item: Draft | Entry) -> dict[str, Any]:
    """Return the fields of a draft, or those of an entry that a draft has too, by name."""
    return {name: getattr(item, name) for name in _FIELDS}


def draft_of(entry: Entry) -> Draft:
    """Return what `entry` was made of."""
    return Draft(**fields_of(entry))


def as_entry(draft: Draft, n: int) -> Entry:
    """Return the entry that `draft` would be as number `n`, without time and hash: these the record alone gives."""
    return Entry(n=n, wall="", digest=b"", **fields_of(draft))


def steps_of(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield entries step by step: each with those that are joined to it."""
    step: list[Entry] = []
    for entry in entries:
        if step and not entry.joined:
            yield step
            step = []
        step.append(entry)
    if step:
        yield step


def is_control(entry: Draft | Entry, *kinds: Control) -> bool:
    """Return whether an entry is of one of these kinds of the control layer."""
    return entry.layer is Layer.CONTROL and entry.kind in kinds


def is_lost(entry: Draft | Entry) -> bool:
    """Return whether `entry` only stands for one that is lost."""
    return is_control(entry, Control.LOST)
