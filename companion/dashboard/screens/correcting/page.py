"""The page for correcting: evidence beside the rulings made from it, and keys that change them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from companion.dashboard import registry as own
from companion.dashboard.screens.correcting.times import CELLS, HOST, MomentWriter
from companion.dashboard.screens.log import CURSOR, STYLES
from companion.dashboard.textual.private_textual import never_skip
from companion.dashboard.widgets.cursor import Cursor, window
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.page import ListPage, keys_of, run_in_background
from companion.dashboard.widgets.static import Fitted, Static
from companion.rules.actions import Action, with_keys
from companion.rules.clauses import (
    begins_with_one,
    spoken,
    without_clause_of_refusal,
    without_clauses,
)
from companion.rules.columns import capitalized
from companion.rules.gestures import GestureSettings
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine
from companion.session.views import LineKind, LogLine, TableView

IGNORED = "ignored"
UNREAD = MarshalView((), (), GestureSettings(), {})
"""Stands for a record that was not read yet."""
BELONGS = "* "  # before what belongs to the cursor's line on the other side

_ROOMY = 60  # cells of a column from which a ruling shows its time
WHAT = "what happened"  # the head of the column of texts
STATES = {
    LineKind.FACT: "counts",
    LineKind.IGNORED: "is not counted",
    LineKind.VOIDED: "is deleted",
    LineKind.BROKEN: "is no longer possible",
}


def kind_of(ruling: RulingLine) -> LineKind:
    """Return the present state of a ruling, as a kind of log line."""
    if not ruling.stands:
        return LineKind.VOIDED
    if ruling.problem is not None:
        return LineKind.BROKEN
    return LineKind.IGNORED if ruling.kind == IGNORED else LineKind.FACT


def rulings_of(view: MarshalView, evidence: EvidenceLine) -> list[int]:
    """Return the numbers of the rulings based on that evidence, in fold order."""
    return [
        line.n for line in view.rulings if evidence.n in line.causes or line.n in evidence.read_in
    ]


def evidence_of(view: MarshalView, ruling: RulingLine) -> list[int]:
    """Return the numbers of the evidence that a ruling is based on, in the board's order."""
    return [line.n for line in view.evidence if line.n in ruling.causes or ruling.n in line.read_in]


@dataclass(frozen=True, slots=True)
class TimeColumn:
    """The column of the rulings' times: seconds since the start of a round, or else the time of day.

    A line outside any round has no seconds since its start.
    """

    head: str
    cells: int
    _times: MomentWriter
    _of_day: Mapping[int, str] | None

    def text(self, line: RulingLine) -> str:
        """Return the time of a line, "" if it has none here."""
        if self._of_day is not None:
            return self._of_day.get(line.n, "")
        written = self._times.text(line.at)
        return written if written.startswith("+") else ""


def time_column(times: MomentWriter, since: str, log: Sequence[LogLine]) -> TimeColumn:
    """Return the column for a game whose rounds are timed `since` a moment, or for one without."""
    if times.has_rounds:
        return TimeColumn(since, max(CELLS, len(since)), times, None)
    of_day = {line.n: line.time for line in log}
    cells = max(map(len, of_day.values()), default=CELLS)
    return TimeColumn("time", cells, times, of_day)


def evidence_row(line: EvidenceLine, times: MomentWriter, width: int) -> Content:
    """Return one row of evidence in `width` cells, without the cursor; a dot if a ruling came from
    it."""
    style, sign_of_use = ("$foreground", LineKind.FACT.mark) if line.read_in else ("$quiet", " ")
    time = (f"{times.text(line.at):>{CELLS}} ", "$quiet")
    row = Content.assemble(time, (f"{sign_of_use} {line.text}", style))
    return row.truncate(width, ellipsis=True, pad=True)


def ruling_row(line: RulingLine, column: TimeColumn, width: int) -> Content:
    """Return one row for a ruling in `width` cells, without the cursor; its time if there is room."""
    kind = kind_of(line)
    style = STYLES[kind]
    time = f"{column.text(line):>{column.cells}}  " if width >= _ROOMY else ""
    mark = (f"{kind.mark} ", style.removeprefix("strike "))
    row = Content.assemble((time, "$quiet"), mark, (without_clauses(line.text), style))
    return row.truncate(width, ellipsis=True, pad=True)


def marked(row: Content, *, cursor: bool, belongs: bool) -> Content:
    """Return the row with the cursor, or with the mark of what belongs to the cursor's line."""
    if not (cursor or belongs):
        return Content.assemble(" " * len(CURSOR), row)
    mark = CURSOR if cursor else BELONGS
    return Content.assemble((mark, "bold $accent"), row).stylize("on $panel")


def about_evidence(line: EvidenceLine, view: MarshalView, times: MomentWriter) -> Content:
    """Return everything about one piece of evidence."""
    numbers = rulings_of(view, line)
    made = [
        f"{without_clauses(ruling.text)}{_unless_counted(ruling)}"
        for ruling in view.rulings
        if ruling.n in numbers
    ]
    led_to = f"It led to: {'; '.join(made)}" if made else "It led to nothing"
    return _about(line, [capitalized(times.when(line.at)), led_to])


def _unless_counted(ruling: RulingLine) -> str:
    """Return in brackets why a ruling does not count, "" if it does."""
    kind = kind_of(ruling)
    return "" if kind is LineKind.FACT else f" ({STATES[kind]})"


def _about(
    line: EvidenceLine | RulingLine, sentences: Sequence[str], names: Iterable[str] = ()
) -> Content:
    text = spoken(line.text, named=begins_with_one(names, line.text))
    details = "".join(f" {sentence.removesuffix('.')}." for sentence in sentences if sentence)
    return Content.assemble((text, "bold"), details)


def about_ruling(
    line: RulingLine, view: MarshalView, times: MomentWriter, names: Mapping[str, str]
) -> Content:
    """Return everything about one ruling; `names` are the seats'."""
    state = f"It {STATES[kind_of(line)]}"
    sentences = [] if kind_of(line) is LineKind.FACT else [state]
    if line.problem:
        sentences = [f"{state}: {without_clause_of_refusal(line.problem)}"]
    if line.original is not None:
        replaced = {ruling.n: without_clauses(ruling.text) for ruling in view.rulings}
        sentences.append(f"It replaces: {replaced.get(line.original, 'an earlier line')}")
    if line.why:
        sentences.append(f"Reason: {line.why}")
    if line.who:
        sentences.append(f"Decided by {names.get(line.who, line.who)}")
    if line.at is not None or times.has_rounds:  # elsewhere most lines have no time
        sentences.append(capitalized(times.when(line.at, by_itself=line.by_itself)))
    numbers = evidence_of(view, line)
    if numbers:
        texts = {evidence.n: evidence.text for evidence in view.evidence}
        sentences.append(f"Based on: {'; '.join(texts[n] for n in numbers)}")
    elif line.by_itself:
        sentences.append("Automatic")
    elif line.tapped:
        sentences.append(line.tapped)
    elif line.at is None or not line.at.clock.startswith(HOST):  # else its time says "by key"
        sentences.append("Entered by hand")
    return _about(line, sentences, names.values())


BETWEEN = " │ "
HEAD_ROWS = 2
EVIDENCE, RULINGS = 0, 1  # the sides


class Columns:
    """Evidence on the left, rulings on the right, and one cursor on either side.

    What belongs to the cursor's line is shown right beside it, as far as the other side can scroll.
    """

    def __init__(self) -> None:
        self.side = RULINGS
        self.cursor = Cursor()
        self._view = UNREAD
        self._tops = [0, 0]

    def take(self, view: MarshalView) -> bool:
        """Set the present view; return whether the cursor moved to another line by itself."""
        self._view = view
        return self.cursor.take(self._numbers(self.side))

    @property
    def chosen(self) -> RulingLine | EvidenceLine | None:
        lines = self._lines(self.side)
        return lines[self.cursor.place] if lines else None

    @property
    def belongs(self) -> list[int]:
        """The numbers of the entries on the other side that belong to the cursor's line, in their
        order."""
        chosen = self.chosen
        if isinstance(chosen, RulingLine):
            return evidence_of(self._view, chosen)
        return [] if chosen is None else rulings_of(self._view, chosen)

    @property
    def is_one_sided(self) -> bool:
        """Whether there is nothing beside the rulings, as in a game without a board."""
        return not self._view.evidence

    # -- moving

    def cross(self) -> None:
        """Move the cursor to the other side, to what belongs to its line, else to the nearest
        entry."""
        numbers = self._numbers(1 - self.side)
        if not numbers:
            return
        following, place = self.cursor.following, self._beside(numbers)
        self.side = 1 - self.side
        self.cursor = Cursor()
        self.cursor.take(numbers)
        if not following:
            self.cursor.go(place)

    # -- showing

    def rows(
        self, times: MomentWriter, column: TimeColumn, width: int, height: int
    ) -> list[Content]:
        """Return both sides in `height` rows of `width` cells; the rulings alone, across all of it,
        while the board has reported nothing."""
        self._scroll(height)
        if self.is_one_sided:
            across = width - len(CURSOR)
            return self._side(
                RULINGS,
                height,
                across,
                lambda place: ruling_row(self._view.rulings[place], column, across),
            )
        left, right = side_cells(width)

        def evidence(place: int) -> Content:
            return evidence_row(self._view.evidence[place], times, left)

        def ruling(place: int) -> Content:
            return ruling_row(self._view.rulings[place], column, right)

        pairs = zip(
            self._side(EVIDENCE, height, left, evidence),
            self._side(RULINGS, height, right, ruling),
            strict=True,
        )
        return [Content.assemble(line, (BETWEEN, "$quiet"), beside) for line, beside in pairs]

    def heads(self, column: TimeColumn, width: int) -> list[Content]:
        """Return the titles of the sides, each with its number of lines and the cursor's position,
        and below them the heads of their columns."""
        cells = [size + len(CURSOR) for size in side_cells(width)]
        if self.is_one_sided:
            cells[RULINGS] = width
        heads = []
        for side, name in enumerate(("Board reports", "Log")):
            total = len(self._numbers(side))
            mark, here = " " * len(CURSOR), f"{total}"
            if side == self.side:
                mark = CURSOR
                if total:
                    here = f"line {self.cursor.place + 1} of {total}"
            head = Content.assemble((mark, "bold $accent"), (name, "bold"), (f"  {here}", "$quiet"))
            heads.append(head.truncate(cells[side], ellipsis=True, pad=True))
        if self.is_one_sided:
            return [heads[RULINGS], _column_heads(column, width)]
        left = f"{' ' * len(CURSOR)}{'seconds':>{CELLS}}   input"
        below = Content.assemble(
            (f"{left:<{cells[EVIDENCE]}}", "$quiet"),
            (BETWEEN, "$quiet"),
            _column_heads(column, cells[RULINGS]),
        )
        return [Content.assemble(heads[0], (BETWEEN, "$quiet"), heads[1]), below]

    def _lines(self, side: int) -> Sequence[RulingLine | EvidenceLine]:
        return self._view.evidence if side == EVIDENCE else self._view.rulings

    def _numbers(self, side: int) -> list[int]:
        return [line.n for line in self._lines(side)]

    def _side(
        self, side: int, height: int, cells: int, row: Callable[[int], Content]
    ) -> list[Content]:
        numbers = self._numbers(side)
        has_cursor = side == self.side
        belongs = set() if has_cursor else set(self.belongs)
        rows = []
        for place in range(self._tops[side], self._tops[side] + height):
            if 0 <= place < len(numbers):
                here = has_cursor and place == self.cursor.place
                rows.append(marked(row(place), cursor=here, belongs=numbers[place] in belongs))
            else:
                rows.append(Content(" " * (cells + len(CURSOR))))
        return rows

    def _scroll(self, height: int) -> None:
        """Keep the cursor visible, and on the other side what belongs to it in the same row.

        A side that could show more below is not cut off above: then the cursor's side moves down
        and may begin with empty rows.
        """
        mine, other = self.side, 1 - self.side
        numbers = self._numbers(other)
        self._tops[mine] = window(
            self.cursor.place, len(self._numbers(mine)), height, self._tops[mine]
        )
        row = self.cursor.place - self._tops[mine]
        self._tops[other] = self._beside(numbers) - row if numbers else 0
        room = height - (len(numbers) - self._tops[other])
        lower = max(0, min(self._tops[other], room, height - 1 - row))
        self._tops = [top - lower for top in self._tops]

    def _beside(self, numbers: list[int]) -> int:
        """Return the index among the other side's `numbers` of what belongs beside the cursor's
        line."""
        belongs = self.belongs
        if belongs:
            return numbers.index(belongs[0])
        # Not sorted: rulings are in fold order.
        n = self.cursor.chosen or 0
        return max((place for place, other in enumerate(numbers) if other <= n), default=0)


def _column_heads(column: TimeColumn, width: int) -> Content:
    """Return the heads of the rulings' columns."""
    head = f"{WHAT:>{len(WHAT) + 2}}"
    if width - len(CURSOR) >= _ROOMY:
        head = f"{column.head:>{column.cells}}  {head}"
    row = Content.styled(f"{' ' * len(CURSOR)}{head}", "$quiet")
    return row.truncate(width, ellipsis=True, pad=True)


def side_cells(width: int) -> tuple[int, int]:
    """Return the cells of a row of each side, without marks, that fit `width`."""
    left = max(24, (width * 2) // 5) - len(CURSOR)
    return left, max(10, width - left - len(BETWEEN) - 2 * len(CURSOR))


GUARD_S = 0.3
"""Seconds for which no key acts on a line that came under the cursor by itself."""
REST = 4
"""Pause between readings of the record, as a multiple of the time one took: live input goes first.
"""

_MOVING = (("arrows", "choose"),)
_CROSSING = (("Tab", "other side"),)
_LONGER = {  # where a label has more room than in the footer
    own.REREAD.id: "re-read sensors",
    own.PEOPLE.id: "people, scores",
}
_OF_A_BOARD = (own.REREAD, own.LEVELS)


def _changing(actions: Iterable[Action]) -> tuple[tuple[str, str], ...]:
    """Return the keys of these corrections with what they do, the one that deletes last."""
    keys = [(own.key_of(each), _LONGER.get(each.id, each.label)) for each in actions]
    return *keys, (own.key_of(own.TAKE_BACK), "delete/restore")


_CHANGING = _changing(own.CORRECTING)
_WITHOUT_BOARD = _changing(each for each in own.CORRECTING if each not in _OF_A_BOARD)
_LEAVING = ((own.key_of(own.PALETTE), "find by name"), (own.key_of(own.BACK), "back"))


class MarshalPage(ListPage):
    """Both sides of the record; the cursor's line highlights what belongs to it on the other side.

    At the end of a side the cursor follows new lines; elsewhere it stays on its entry.
    """

    TITLE: ClassVar[str] = "Fix mistakes"
    BINDINGS: ClassVar[list[BindingType]] = [("tab,shift+tab,left,right", "cross")]

    def __init__(self) -> None:
        super().__init__()
        self.marshal = UNREAD  # the record as it is shown
        self._columns = Columns()
        self._arrived_s = -math.inf  # when the cursor last moved by itself
        self._shown: object = None  # the log and the disk's state that `marshal` was read at
        self._reading = False

    def body(self) -> ComposeResult:
        yield Fitted(self._fill, id="columns")
        yield Static(id="about")

    @property
    def chosen(self) -> RulingLine | EvidenceLine | None:
        return self._columns.chosen

    @property
    def settled(self) -> bool:
        """Whether the cursor has been on its line long enough for a key to refer to it."""
        return self.at.clock() - self._arrived_s >= GUARD_S

    def on_resize(self) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        one_sided = self._columns.is_one_sided
        crossing = () if one_sided else _CROSSING
        changing: tuple[tuple[str, str], ...] = ()
        if self.at.table.actions:
            silent = one_sided and not self.now().link.details
            changing = _WITHOUT_BOARD if silent else _CHANGING
        own_keys = keys_of(self.app)
        keys = [
            Content.assemble((with_keys(key, own_keys), "bold $primary"), f" {does}")
            for key, does in (*_MOVING, *crossing, *changing, *_LEAVING)
        ]
        hints = packed(keys, self.size.width - self.gutter.width, "  ")
        self.query_one("#close", Static).update(hints)

    def show_body(self, view: TableView) -> None:
        """Read the record again in the background if it has grown."""
        state = (view.log, view.saved)
        if not self._reading and self._shown != state:
            self._shown, self._reading = state, True
            run_in_background(self, self._read, self._take, self._rested)

    def _read(self) -> tuple[MarshalView, float]:
        """Return the present record, and the seconds it took to read."""
        begun_s = self.at.clock()
        return self.at.table.inspection.marshal(), self.at.clock() - begun_s

    def _take(self, read: tuple[MarshalView, float]) -> None:
        marshal, took_s = read
        first, self.marshal = self.marshal is UNREAD, marshal
        if self._columns.take(marshal) and not first:
            self._arrived_s = self.at.clock()
        self._show_keys()
        self._fill()
        never_skip(self.set_timer(max(took_s * REST, 0.001), self._rested))

    def _rested(self) -> None:
        self._reading = False
        self.show_body(self.now())

    def _fill(self) -> None:
        if self.marshal is UNREAD:
            return
        times = MomentWriter(self.marshal, self.at.game_screen.counts_from)
        self.query_one("#about", Static).update(self._about(self.marshal, times))
        columns = self.query_one("#columns", Static)
        width, height = columns.content_size
        if width and height > HEAD_ROWS:
            column = time_column(times, self.at.game_screen.since, self.now().log)
            heads = self._columns.heads(column, width)
            rows = [*heads, *self._columns.rows(times, column, width, height - HEAD_ROWS)]
            columns.update(Content("\n").join(rows))

    def _about(self, marshal: MarshalView, times: MomentWriter) -> Content:
        chosen = self.chosen
        if chosen is None:
            return Content("Nothing is recorded yet.")
        if isinstance(chosen, RulingLine):
            names = {seat.id: seat.name for seat in self.now().setup.seats}
            return about_ruling(chosen, marshal, times, names)
        return about_evidence(chosen, marshal, times)

    # -- the cursor

    def action_step(self, by: int) -> None:
        self._go(self._columns.cursor.place + by)

    def action_page(self, by: int) -> None:
        self.action_step(by * max(1, self.query_one("#columns").size.height - HEAD_ROWS))

    def action_first(self) -> None:
        self._go(0)

    def action_newest(self) -> None:
        self._go(sys.maxsize)

    def action_cross(self) -> None:
        self._columns.cross()
        self._moved()

    def _go(self, place: int) -> None:
        self._columns.cursor.go(place)
        self._moved()

    def _moved(self) -> None:
        self._arrived_s = -math.inf
        self._fill()
