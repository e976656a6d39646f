"""The curtain: one player looks at what only they may see, on a screen that all sit around."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.screen import ModalScreen

from companion.dashboard.screens.notes_part import NotesPart
from companion.dashboard.source import refused
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.lines import Awaiting, NoticeLine, state_words
from companion.dashboard.widgets.page import run_in_background
from companion.dashboard.widgets.static import Static
from companion.display.panels import panels_of
from companion.rules.facts import Seat
from companion.session.views import TableView

if TYPE_CHECKING:
    from companion.dashboard.table_app import AtTableLike

PEEK_S = 10.0  # seconds without a key press after which the curtain closes
LOOK_S = 0.1  # seconds between checks of the clock

PLACES = "1234567890qw"
"""The key of each player's place."""
WHO_LOOKS = "Who looks? Press your number, then Enter."
CLOSED_KEYS = "arrows or a number choose the player   Enter opens   Esc back to the table"
OPEN_KEYS = f"hides {PEEK_S:.0f} s after the last key   Esc hides   page keys scroll   ^z undo note"


class Curtain(ModalScreen[None], inherit_bindings=False):
    """Closed, it asks who looks; open, it shows that seat's secrets.

    It closes when no key was pressed for `PEEK_S`. Of several players none is chosen beforehand. No
    other widget, title or notice ever contains the secrets.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "hide"),
        ("enter", "open"),
        ("up,left", "step(-1)"),
        ("down,right", "step(1)"),
        ("ctrl+z", "take_back"),
        ("ctrl+q", "app.perform('dashboard.quit')"),
    ]

    def __init__(self, at: AtTableLike) -> None:
        super().__init__()
        self._at, self._table, self._clock = at, at.table, at.clock
        self._view = at.table.view()
        self._chosen: Seat | None = None
        self._part: NotesPart | None = None
        self._seat: Seat | None = None
        self._touched_s = at.clock()

    def compose(self) -> ComposeResult:
        with Horizontal(id="title"):
            yield Static("Private notes", id="where")
            yield Static(id="state")
        yield Static(id="asks")
        yield Container(id="behind")
        yield Static(id="refusal")
        yield Awaiting(id="awaiting")
        yield Static(id="close")

    def on_mount(self) -> None:
        self.query_one("#refusal").display = False
        self.set_interval(LOOK_S, self.tick)
        self.show(self._view)

    @property
    def seats(self) -> list[Seat]:
        return [seat for seat in self._view.setup.seats if seat.id not in self._view.left]

    def show(self, view: TableView) -> None:
        """Show the present state; an open curtain shows what its seat may see."""
        self._view = view
        if self._chosen not in self.seats:
            self._chosen = self.seats[0] if len(self.seats) == 1 else None
        self.query_one("#state", Static).update(state_words(view))
        self.query_one(Awaiting).show(view, aside=True)
        self.query_one("#asks", Static).update(self._asks())
        self.query_one("#close", Static).update(OPEN_KEYS if self._seat else CLOSED_KEYS)
        if self._part is not None and self._seat is not None and self._part.is_mounted:
            # The only place where a screen gets a seat's view.
            secrets = self._table.seat_view(self._seat.id)
            self._part.show_seat(self._seat, secrets)
            work = panels_of(view.setup.game).work(secrets)
            if work is not None:
                run_in_background(self, work, self._odds_ready)

    def _odds_ready(self, _nothing: None) -> None:
        if self.is_mounted and self._seat is not None:
            self.show(self._table.view())

    def _asks(self) -> Content:
        if self._seat is not None:
            return Content.assemble((f"only {self._seat.name} looks", "bold"))
        rows = [Content.assemble(("> ", "bold $accent"), (WHO_LOOKS, "bold"))]
        for number, seat in zip(PLACES, self.seats, strict=False):
            named = (f"{number} {seat.glyph} {seat.name}", f"bold {seat_style(seat.color)}")
            if seat == self._chosen:
                asks = f"   only {seat.name} looks: Enter opens"
                rows.append(Content.assemble(("> ", "bold $accent"), named, asks))
            else:
                rows.append(Content.assemble("  ", named))
        return Content("\n").join(rows)

    # -- time

    def tick(self) -> None:
        if self._seat is not None and self._clock() - self._touched_s >= PEEK_S:
            self.action_hide()

    def touch(self) -> None:
        """Stay open, and clear the last refusal: a key was pressed, whoever handles it."""
        self._touched_s = self._clock()
        self._refuse(None)

    # -- keys

    def on_key(self, event: events.Key) -> None:
        if self._seat is not None:
            return
        key = event.character or ""
        seats = dict(zip(PLACES, self.seats, strict=False))
        if key in seats:
            event.stop()
            self._chosen = seats[key]
            self.show(self._view)
        elif key.isdecimal():
            event.stop()
            self._refuse(f"No player has the number {key}. Press one shown.")

    def action_step(self, by: int) -> None:
        seats = self.seats
        if self._seat is not None or not seats:
            return
        # Before anybody is chosen, down is the first player and up the last.
        place = min(by, 0) if self._chosen is None else seats.index(self._chosen) + by
        self._chosen = seats[place % len(seats)]
        self.show(self._view)

    async def action_open(self) -> None:
        if self._seat is not None:
            return
        if self._chosen is None:
            self._refuse("Press your number first.")
            return
        part = NotesPart(panels_of(self._view.setup.game), self._enter, odds=self._at.app.odds)
        self._seat, self._part, self._touched_s = self._chosen, part, self._clock()
        await self.query_one("#behind").mount(part)
        self.show(self._table.view())

    def action_hide(self) -> None:
        if self._part is not None:
            self._part.display = False
            # Reset first, so that a tick before it is gone does not close it again.
            self._part = self._seat = None
            self._at.curtain_closed()
        self.dismiss()

    # -- what the seat enters

    def _enter(self, kind: str, body: Mapping[str, Any]) -> bool:
        """Record the fact; return whether the table took it. A refusal is shown here and nowhere
        else."""
        refusal = refused(self._table, lambda: self._table.enter(kind, body))
        view = self._table.view()
        for screen in self.app.screen_stack:
            for line in screen.query(NoticeLine):
                line.suppress(view)
        self._refuse(refusal)
        return refusal is None

    def action_take_back(self) -> None:
        """Take back the last note of the seat that looks; the table's own undo skips it."""
        if self._seat is not None:
            self._refuse(self._table.take_note_back(self._seat.id) or None)

    def _refuse(self, sentence: str | None) -> None:
        line = self.query_one("#refusal", Static)
        line.update(f"! {sentence}" if sentence else "")
        line.display = sentence is not None
