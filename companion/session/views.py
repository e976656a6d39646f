"""The immutable views that a table publishes, from which a screen, a line printer or a page shows
everything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from companion.display.panels import SeatLine, panels_of
from companion.rules.columns import plural
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Moment, SeatId, Setup
from companion.rules.outcome import Ending
from companion.session.muted import Muting


class LineKind(StrEnum):
    """The kind of a line of the running log, with its `mark`, so that it can be told without color,
    and its `means`, a description."""

    FACT = "fact", "·", "ruling"
    IGNORED = "ignored", "-", "no consequence"  # evidence that became no fact, with the reason
    VOIDED = "voided", "x", "undone or deleted"  # by an undo or a correction
    BROKEN = "broken", "!", "no longer possible"  # kept: carries the clause it breaks
    BOARD = "board", "=", "board"  # connected, gap, power loss
    RECORD = "record", "#", "record"  # begun, resumed, undone, ended

    mark: str
    means: str

    def __new__(cls, name: str, mark: str, means: str) -> Self:
        """Return a kind whose value is `name`."""
        kind = str.__new__(cls, name)
        kind._value_, kind.mark, kind.means = name, mark, means
        return kind


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the running log: its entry, the time of day `HH:MM:SS` (see `time_text`), the
    public sentence. `number` is the one shown for the entry, which does not count private entries.
    `fact` is the kind of a fact that was recorded as it happened, empty for any other line.
    """

    n: int
    time: str
    kind: LineKind
    text: str
    number: int = 0
    fact: str = ""


LIVE = "live"
"""The state of a link whose presses count."""
NO_BOARD = "no board"
"""The state of a link that nobody asked for; feeds have it in this word."""
KEYBOARD_ONLY = "keyboard only"


@dataclass(frozen=True, slots=True)
class LinkView:
    """The link to the board, as text.

    `state` is a short phrase (`live`, `lost - retrying`, `no board`), `sentence` says what it means
    and what to do. If not `healthy`, a person should look at it; `armed`: presses count. `details`
    are rows of a link panel, label and value, empty without a board; some are timings, which change
    without notice. `muted` are the inputs that the board has muted for noise, whose levels are
    unknown. `hit_input` says what the board found at the pin of its hit sensor, empty if it did not
    test.
    """

    state: str
    sentence: str
    healthy: bool
    armed: bool = False
    details: tuple[tuple[str, str], ...] = ()
    muted: tuple[Muting, ...] = ()
    hit_input: str = ""

    @property
    def alarms(self) -> tuple[str, ...]:
        """The sentences that need attention now: the link, then each muted wire."""
        link = () if self.healthy else (self.sentence,)
        return (*link, *(muting.sentence for muting in self.muted))

    @property
    def well(self) -> bool:
        """Whether nothing needs attention."""
        return self.healthy and not self.muted

    @property
    def words(self) -> str:
        """The state, and which wire is muted."""
        if not self.muted:
            return self.state
        which = self.muted[0].name if len(self.muted) == 1 else plural(len(self.muted), "wire")
        return f"{self.state}, {which} muted"

    @property
    def on_screen(self) -> str:
        """The words of a screen: beside a board game, `no board` would send people looking for the wrong one."""
        return KEYBOARD_ONLY if self.state == NO_BOARD else self.words


UNREADABLE = "CANNOT READ"


@dataclass(frozen=True, slots=True)
class SavedView:
    """Whether the record is on the disk: `saved`, or `NOT SAVED, 3 waiting` with the problem
    in one sentence; `UNREADABLE` for what cannot be read."""

    text: str
    ok: bool
    problem: str = ""
    entries: int = 0
    """The number shown for the last entry on the disk; screens have a word for it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The answer to the last action, numbered so that a screen can tell a new one from an old one.

    The first `logged` characters of the text are in the log, too: a screen without room for them may leave some out.
    """

    number: int
    text: str
    refused: bool
    secret: bool = False  # shown only where one seat entered it for itself
    logged: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done, to be opened later: its number as a notice, the moment, the
    newest line of the log then, and what was awaited."""

    number: int
    text: str
    at: Moment
    after: int
    awaiting: str


class Level(StrEnum):
    """The way a kind of step is done: automatically, automatically after somebody's yes, or by hand
    only."""

    AUTOMATIC = "automatic"
    PROPOSED = "proposed"
    MANUAL = "manual"

    @property
    def counts(self) -> str:
        """The effect of the level, as text."""
        return {
            Level.AUTOMATIC: "counted at once",
            Level.PROPOSED: "you are asked first",
            Level.MANUAL: "entered by hand only",
        }[self]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A fact that the companion would record: Enter accepts it, Esc drops it, and so does time,
    `left_s` seconds after the view was made. `waiting` more proposals follow. `id` tells it from
    all others."""

    text: str
    left_s: float
    waiting: int
    id: str = ""


@dataclass(frozen=True, slots=True)
class LessonView:
    """The step of a lesson that is taught now: its `number` of `of`.

    `note` answers the last try, if the rules allow it and the lesson does not want it. `say` explains, `do` asks, and
    `board` adds what to do where a board is connected; after the last step, `is_over`, nothing is asked. `keys` are the
    ids of the actions that do it, in order, `typed` is the fact as a line; both are missing while the lesson is
    `moving` for the others. That fact has `kind` and `body`; "" and nothing for a step of the session. `seen` is called
    with the id of the action that opened a page which is asked for.
    """

    title: str
    number: int
    of: int
    note: str
    say: tuple[str, ...]
    do: str
    board: str = ""
    keys: tuple[str, ...] = ()
    typed: str = ""
    is_over: bool = False
    moving: bool = False
    seen: Callable[[str], object] = field(default=lambda _page: None, compare=False, repr=False)
    kind: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a screen of the whole table shows.

    `game` is the game's own view for `TABLE`. `setup` has the current seats, including those in
    `left`. `overrides` are keys that temporarily mean another action: key -> action id. `works`
    returns whether the keys of an action id would not be refused now. `board` are the settings that
    the session sets on its board, by their names on the wire; `lit` is when the board's lamp was
    last lit. `testing` says in a sentence that the board is tested, so that its presses do not count; empty otherwise.

    `refusals` are the last ones of this run, oldest first. `ending` is set once the game has
    `ended`. `readers` are the outlets that report the game elsewhere, each with its state; `behind`
    says in a few words what the table's hub is missing. `phones_propose`: whether players may
    propose from their phones, None if the game has no proposals; `phones_enter`: whether they may
    enter their own numbers and draws there, None if the game has neither. `standings` are the scores;
    `summary` returns the result so far as plain lines; `rounds` the game's word for a round, and the
    scores after each. Rounds may tell what only the end reveals: screens of such games leave them out.

    `newest` is the number shown for the newest entry, `undo_entry` and `redo_entry` those of what
    undo and redo would take; `question_id` tells the question from all others.
    `todo` is the first thing that `awaiting` asks for, without keys. `lesson` is set if the session is a lesson.
    """

    session: str
    setup: Setup
    game: Any
    awaiting: str
    log: tuple[LogLine, ...]
    link: LinkView
    saved: SavedView
    undo: str | None  # what `undo` would take back, in words
    redo: str | None
    notice: Notice | None
    ended: bool
    left: frozenset[SeatId] = frozenset()
    paused: bool = False
    testing: str = ""
    proposal: Proposal | None = None
    # A question that only the whole table can answer; Enter agrees, Esc does not.
    question: str | None = None
    overrides: Mapping[str, str] = field(default_factory=dict)
    works: Callable[[str], bool] = field(default=lambda _action_id: True, compare=False, repr=False)
    board: Mapping[str, int] = field(default_factory=dict)
    lit: Moment | None = None
    refusals: tuple[Refusal, ...] = ()
    readers: tuple[tuple[str, str], ...] = ()
    behind: str = ""
    phones_propose: bool | None = None
    phones_enter: bool | None = None
    standings: Mapping[SeatId, int] = field(default_factory=dict)
    ending: Ending | None = None
    summary: Callable[[], tuple[str, ...]] = field(default=tuple, compare=False, repr=False)
    rounds: Callable[[], tuple[str, ScoresAfter]] = field(
        default=lambda: ("round", ()), compare=False, repr=False
    )
    newest: int = 0
    undo_entry: int | None = None
    redo_entry: int | None = None
    question_id: str = ""
    todo: str = ""
    lesson: LessonView | None = None

    @property
    def players(self) -> tuple[SeatLine, ...]:
        """The players, as the panels of the game show them."""
        panels = panels_of(self.setup.game)
        return panels.lines(self.game, self.setup, self.standings, self.left, ended=self.ended)

    @property
    def abandoned(self) -> bool:
        """Whether the table ended the game early."""
        return self.ending is not None and self.ending.abandoned


SLOW_DISK_S = 1.0
"""How long a slow disk may take for the last entries before something goes on without them."""


@dataclass(frozen=True, slots=True)
class Unsaved:
    """The number of entries that are not on the disk yet, why in a sentence, and the last one that
    is; `count` is 0 if all are."""

    count: int = 0
    why: str = ""
    saved_n: int = 0

    @property
    def words(self) -> str:
        """The number of unsaved entries, as text without a full stop."""
        return plural(self.count, "entry is not saved", "entries are not saved")

    @property
    def no_report(self) -> str:
        """Why a report would be of an earlier game, and what to do; empty if all is saved."""
        if not self.count:
            return ""
        return f"{self.words}, so a report would lack the end. {self.why} Ask again once they are saved."


def not_saved_lines(view: TableView, unsaved: Unsaved) -> list[str]:
    """Return the lines of the log that are not on the disk, for people who want to write them down."""
    return [
        f"{line.time} {line.kind.mark} {line.text}" for line in view.log if line.n > unsaved.saved_n
    ]
