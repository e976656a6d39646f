"""The vocabulary of the record: a draft is what somebody wants recorded, an entry is a draft with
its place in the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, NamedTuple


class Layer(StrEnum):
    """The origin of an entry: the board's reports, the game's rulings, or operations on the record
    itself."""

    EVIDENCE = "evidence"
    FACT = "fact"
    CONTROL = "control"


PHONE = "phone"
"""Prefix of the actor of an entry that a seat made on its own phone; such an entry is no step of
the table."""
UNDO = "undo"
REDO = "redo"
CLOCK = "clock"
"""The actor of a fact that was due at a time and added without anybody's action."""
KEYBOARD = "keyboard"
"""The actor of a fact entered by hand. With causes, a fact that was only corrected or accepted by
hand."""


class Control(StrEnum):
    """The kinds of the control layer.

    `VOID` names the fact or the void it takes back: body `{"entry": n, "reason": str}`, with
    `"who"` if a person was named. The reasons `UNDO` and `REDO` mark steps backward and forward; a
    void with any other reason is a correction, which undo takes back like a fact.
    """

    # Always entry 1: game, rules version, seats, options, name.
    SESSION = "session"
    VOID = "void"
    RESUMED = "resumed"
    ENDED = "ended"
    # A new name of the session; the last one counts: `{"name": str}`.
    RENAMED = "renamed"
    # Entries read from a damaged file, and entries lost: `{"entries": n, "lost": n or None}`.
    REPAIRED = "repaired"
    # Stands under each number of a gap: `{"from": n, "to": n, "why": str}` of the whole gap.
    LOST = "lost"
    # Evidence that did not become a fact, with the reason.
    IGNORED = "ignored"
    # The possible meanings of a press that is still undecided, recorded before the state changes:
    # `{"entry": n, "can_hold": bool}`.
    READ_AS = "read-as"
    # Why facts were entered by hand, and by whom: `{"entries": [n, ...], "why": str, "who": str}`.
    REMARK = "remark"
    # Whether the table agreed to drop fact `entry`, shown to it as `text`:
    # `{"entry": n, "agreed": bool, "text": str}`. With `"finished": True`, whether it agreed to change
    # a finished game; then `entry` is the first change, and `text` describes all of them.
    CONSENT = "consent"
    # How steps are done from here on: `{step's name: "automatic", "proposed" or "manual"}`.
    LEVELS = "levels"
    # The settings that the board is to have from here on, by name, with "why" and "who".
    BOARD = "board"
    # Whether players may propose from their phones from here on: `{"propose": bool}`.
    PHONES = "phones"
    # A player's proposal: `{"seat": id, "line": id of the proposal}`. The table's answer has it as cause.
    PROPOSED = "proposed"
    # Whether players may enter their own numbers and draws on their phones from here on:
    # `{"enter": bool}`.
    ENTRIES_ALLOWED = "entering"
    # What a player entered: `{"seat": id, "line": what it was for}`. The fact made of it has it as cause.
    ENTERED = "entered"
    # What a page of a role did, in the append of its entries: `{"device": name, "role": title,
    # "entries": [n, ...], "within_us": width of the time in which it was tapped, before this entry}`.
    TAPPED = "tapped"
    # Where a test of the board begins or ends: `{"begins": bool, "boot": n, "what": "selftest" or
    # "calibrate", "who": name}`, stamped by the board. Presses in between are not read.
    TEST = "test"
    # A page that a lesson asks for was opened: `{"seen": id of its action}`.
    LESSON = "lesson"
    # How evidence is read from here on: `{"hold_us", "window_us", "min_peak", "why", "who"}`, with
    # "lock_us" if it was chosen.
    SETTINGS = "settings"


@dataclass(frozen=True, slots=True)
class Draft:
    """Something to record.

    `causes` are the numbers of the entries it is based on. `after` puts a fact into the fold
    directly after that entry instead of at the end; of two facts put after the same entry, the
    later one is nearer to it. `t_us` is the board's time, if there is one.

    `key` is unique in a session: a second draft with a recorded key, even that of an entry since
    taken back, is answered with the recorded entry. `joined` makes a fact or a void one step with
    the one before it in the same append: undo takes both back, redo restores both.
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
    """A recorded draft: `n` is its number, `wall` the host's wall clock when it was appended (ISO
    8601, UTC), `digest` the hash over it and the entry before it.

    `salt` is 32 hexadecimal digits that went into that hash, empty in older records. Numbers count
    from 1 without holes: each lost number has an entry of kind `LOST`, with the wall clock of the
    entry before the gap and an empty digest, except the last of a gap.
    """

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


# The digests cover these fields: adding one changes the format of the record.
_FIELDS = tuple(each.name for each in fields(Draft))


def fields_of(item: Draft | Entry) -> dict[str, Any]:
    """Return by name the fields of a draft, or those that an entry shares with a draft."""
    return {name: getattr(item, name) for name in _FIELDS}


def draft_of(entry: Entry) -> Draft:
    """Return the draft that `entry` was made from."""
    return Draft(**fields_of(entry))


def as_entry(draft: Draft, n: int) -> Entry:
    """Return `draft` as a preview of entry `n`; time and hash are empty, because only the record
    assigns them."""
    return Entry(n=n, wall="", digest=b"", **fields_of(draft))


def steps_of(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries step by step: each entry with those joined to it."""
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
    """Return whether `entry` stands for a lost one."""
    return is_control(entry, Control.LOST)
