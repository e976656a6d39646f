"""The marshal screen: the evidence beside the rulings made of it, and the keys that put them right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from companion.dashboard import registry as own
from companion.dashboard.correcting.columns import Columns, about_evidence, about_ruling
from companion.dashboard.correcting.times import MomentWriter
from companion.dashboard.game_screen import GameScreen
from companion.dashboard.screens.page import ListPage, behind, keys_of
from companion.dashboard.source import Clock, TableLike
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.static import Static
from companion.rules.actions import with_keys
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine
from companion.session.views import TableView

GUARD_S = 0.3
"""Seconds for which no verb acts on a line that came under the cursor by itself, as for a key of the table."""
REST = 4
"""How many times as long as a reading of the record took the screen rests before the next: live input goes first."""

_MOVING = (("arrows", "choose"), ("Tab", "other side"))
_CHANGING = (
    *((own.key_of(each), each.label) for each in own.CORRECTING),
    (own.key_of(own.TAKE_BACK), "take or bring back"),
)
_LEAVING = ((own.key_of(own.PALETTE), "all by name"), (own.key_of(own.BACK), "back"))


class Fitted(Static):
    """A text that is filled anew whenever its place has another size: a notice above the keys takes a row."""

    def __init__(self, fill: Callable[[], None], id: str) -> None:  # noqa: A002  textual's own word
        super().__init__(id=id)
        self._fit = fill

    def on_resize(self) -> None:
        self._fit()


class MarshalPage(ListPage):
    """Moving the cursor on one side shows on the other what belongs to its line. At the end of a side the cursor
    follows what comes in; anywhere else it stays on its entry."""

    TITLE_TEXT: ClassVar[str] = "Fix mistakes"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012  textual's own declaration
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [("tab,shift+tab,left,right", "cross")]

    def __init__(self, table: TableLike, clock: Clock, game_screen: GameScreen) -> None:
        super().__init__(table.view, clock)
        self._table = table
        self._game_screen = game_screen
        self._marshal: MarshalView | None = None
        self._columns = Columns()
        self._arrived_s = -math.inf  # when the cursor last came to another line by itself
        self._shown: object = None  # what the marshal view in hand was made from
        self._reading = False

    def body(self) -> ComposeResult:
        yield Fitted(self._fill, id="columns")
        yield Static(id="about")

    @property
    def chosen(self) -> RulingLine | EvidenceLine | None:
        return self._columns.ruling or self._columns.evidence

    @property
    def marshal(self) -> MarshalView | None:
        """What is shown; None until the record was read."""
        return self._marshal

    @property
    def settled(self) -> bool:
        """Whether the cursor has been on its line long enough for a key to mean that line."""
        return self._clock() - self._arrived_s >= GUARD_S

    def on_resize(self) -> None:
        named = (*_MOVING, *(_CHANGING if self._table.actions else ()), *_LEAVING)
        own_keys = keys_of(self.app)
        keys = (Content.assemble((with_keys(key, own_keys), "bold $primary"), f" {does}") for key, does in named)
        self.query_one("#close", Static).update(packed(keys, self.size.width - self.gutter.width, "  "))

    def show_body(self, view: TableView) -> None:
        """Show what the record holds now, as soon as it is read: a long record takes a while, and nobody waits."""
        if not self._reading and self._shown != (now := (view.log, view.saved)):
            self._shown, self._reading = now, True
            behind(self, self._read, self._take, self._rested)

    def _read(self) -> tuple[MarshalView, float]:
        """The record as it is now, and the seconds it took to read."""
        begun_s = self._clock()
        return self._table.inspection.marshal(), self._clock() - begun_s

    def _take(self, read: tuple[MarshalView, float]) -> None:
        marshal, took_s = read
        first, self._marshal = self._marshal is None, marshal
        if self._columns.take(marshal) and not first:
            self._arrived_s = self._clock()
        self._fill()
        self.set_timer(max(took_s * REST, 0.001), self._rested)

    def _rested(self) -> None:
        self._reading = False
        self.show_body(self._source())

    def _fill(self) -> None:
        if self._marshal is None:
            return
        times = MomentWriter(self._marshal, self._game_screen.counts_from)
        self.query_one("#about", Static).update(self._about(self._marshal, times))
        columns = self.query_one("#columns", Static)
        width, height = columns.content_size
        if width and height > 1:
            rows = [self._columns.heads(width), *self._columns.rows(times, width, height - 1)]
            columns.update(Content("\n").join(rows))

    def _about(self, marshal: MarshalView, times: MomentWriter) -> Content:
        if self._columns.ruling is not None:
            seats = {seat.id: seat for seat in self._source().setup.seats}
            return about_ruling(self._columns.ruling, marshal, times, seats)
        if self._columns.evidence is not None:
            return about_evidence(self._columns.evidence, marshal, times)
        return Content("nothing is recorded yet")

    # -- the cursor

    def action_step(self, by: int) -> None:
        self._columns.step(by)
        self._moved()

    def action_page(self, by: int) -> None:
        self._columns.step(by * max(1, self.query_one("#columns").size.height - 1))
        self._moved()

    def action_first(self) -> None:
        self._columns.first()
        self._moved()

    def action_newest(self) -> None:
        self._columns.last()
        self._moved()

    def action_cross(self) -> None:
        self._columns.cross()
        self._moved()

    def _moved(self) -> None:
        self._arrived_s = -math.inf
        self._fill()
