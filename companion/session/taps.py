"""What a page of a role asks the table to do: each thing that can be asked, who asks, and the answer.

A tap names the newest entry that its page showed, so that the table can tell whether it still means
what the person saw. Entries are named by the numbers that people see, which do not count private
entries: a page never learns that somebody noted something in secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, ClassVar

from companion.session.roles import Doing, Role, role_named

LAPTOP = ""
"""The id of the laptop among the devices. Its keys act for everybody who sits at the table."""


@dataclass(frozen=True, slots=True)
class Device:
    """Who taps: a page of a role on somebody's device.

    `id` is the page's own; pages that were opened with one code have the same beginning before a
    point. `name` is what people call the device (`Bo's tablet`). The page that `speaks_for_table` was
    opened by the program itself in place of the laptop's screen.
    """

    id: str
    name: str
    role: Role
    speaks_for_table: bool = False

    @property
    def fields(self) -> dict[str, Any]:
        """The device as JSON fields, from which `device_of` makes it again."""
        return {**asdict(self), "role": self.role.title}


def have_same_code(one: str, other: str) -> bool:
    """Return whether two ids of devices are of pages that were opened with one code: somebody who opens
    a page twice is still one person."""
    return one.partition(".")[0] == other.partition(".")[0]


def device_of(fields: Mapping[str, Any]) -> Device:
    """Return the device with these fields; raise `KeyError` or `TypeError` if there is none."""
    role = role_named(fields["role"])
    if role is None:
        raise KeyError(fields["role"])
    return Device(**{**fields, "role": role})


@dataclass(frozen=True, slots=True)
class Step:
    """An action of the game or of the table, by its id; `table.pause` is one."""

    does: ClassVar[Doing] = Doing.STEP
    action: str


@dataclass(frozen=True, slots=True)
class EnterFact:
    """A fact of `kind` that happened now."""

    does: ClassVar[Doing] = Doing.FACT
    kind: str
    body: Mapping[str, Any]
    why: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class TypeNumbers:
    """Numbers for `seat` in the grid called `grid`: one in `row`, or with an empty `row` those of the
    seat's whole column. `shown` are the numbers that the page showed there: None for an empty cell,
    and in a row that adds what was counted so far."""

    does: ClassVar[Doing] = Doing.NUMBER
    grid: str
    row: str
    seat: str
    shown: tuple[int | None, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EndRow:
    """The end of the row that is played in the grid called `grid`; `label` is what the page showed."""

    does: ClassVar[Doing] = Doing.NUMBER
    grid: str
    label: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo (or with `redo`, restore) the step of entry `entry`, which the page named."""

    does: ClassVar[Doing] = Doing.UNDO
    entry: int
    redo: bool = False


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete the ruling of entry `entry`, or with `restore` count it again."""

    does: ClassVar[Doing] = Doing.CORRECTION
    entry: int
    restore: bool = False
    why: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Another body for the ruling of entry `entry`."""

    does: ClassVar[Doing] = Doing.CORRECTION
    entry: int
    body: Mapping[str, Any]
    why: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class AddMissed:
    """A fact that was missed, after entry `after`; 0 is before all others."""

    does: ClassVar[Doing] = Doing.CORRECTION
    kind: str
    body: Mapping[str, Any]
    after: int
    why: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the question with this id (`TableView.question_id`)."""

    does: ClassVar[Doing] = Doing.CONSENT
    question: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class Decide:
    """Record the proposal with this id (`Proposal.id`), or drop it."""

    does: ClassVar[Doing] = Doing.PROPOSAL
    proposal: str
    accepted: bool


Wish = (
    Step | EnterFact | TypeNumbers | EndRow | Undo | Delete | Change | AddMissed | Answer | Decide
)
"""What a tap asks for."""


_WISHES = {
    "step": Step,
    "fact": EnterFact,
    "numbers": TypeNumbers,
    "end_row": EndRow,
    "undo": Undo,
    "delete": Delete,
    "change": Change,
    "missed": AddMissed,
    "answer": Answer,
    "decide": Decide,
}


def _fields_of(wish: Wish) -> dict[str, Any]:
    names = {made: name for name, made in _WISHES.items()}
    return {"wish": names[type(wish)], **asdict(wish)}


def wish_of(fields: Mapping[str, Any]) -> Wish:
    """Return the wish with these fields; raise `KeyError` or `TypeError` if there is none."""
    named = dict(fields)
    made = _WISHES[named.pop("wish")]
    for name in ("shown", "numbers"):
        if name in named:
            named[name] = tuple(named[name])
    wish: Wish = made(**named)
    return wish


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap on a page.

    `id` is the tap's own: the same id again gets the first answer again. `seen` is the number of the
    newest entry that the page showed (`TableView.newest`). `heard_us` is when the page last heard the
    table, in microseconds of the host's clock. `again`: the person has confirmed a repeat, knowing all
    entries up to this number; 0 if nobody was asked.
    """

    id: str
    seen: int
    wish: Wish
    heard_us: int
    again: int = 0

    @property
    def fields(self) -> dict[str, Any]:
        """The tap as JSON fields, from which `tap_of` makes it again."""
        return {**asdict(self), "wish": _fields_of(self.wish)}


def tap_of(fields: Mapping[str, Any]) -> Tap:
    """Return the tap with these fields; raise `KeyError` or `TypeError` if there is none."""
    return Tap(**{**fields, "wish": wish_of(fields["wish"])})


class Outcome(Enum):
    """What became of a tap."""

    DONE = "done"
    ASKED = "asked"
    """The people at the table have to agree first."""
    SAME = "same"
    """Another device has entered this since: the page asks whether to do it once more."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class TapAnswer:
    """The table's answer: a sentence for the page. `entry` is what has to be on the disk before the
    page may read it, and for `SAME` the number to send as `Tap.again`."""

    outcome: Outcome
    text: str
    entry: int = 0
