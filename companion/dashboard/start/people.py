"""Who sits down: names typed, those of earlier sessions suggested, the order changed by keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widgets import Input

from companion.dashboard.start.ready import ReadyStep
from companion.dashboard.start.step import StartStep
from companion.dashboard.widgets.static import Static
from companion.rules.game import Refused
from companion.rules.registry import GAMES
from companion.rules.seats import refuse_twins, seats_from_names


class Name(Input):
    """A seat's name; typing takes the place of what stands there."""

    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(
            name, compact=True, select_on_focus=True, suggester=SuggestFromList(known, case_sensitive=False)
        )
        self.cursor_blink = False


def _mark(place: int, *, here: bool = False) -> Content:
    return Content.assemble(("> ", "bold $accent") if here else ("  ", ""), (f"{place + 1} ", "$quiet"))


class SeatsStep(StartStep):
    """Who sits down?"""

    KEYS: ClassVar[str] = (
        "Enter go on   Tab or arrows next name   right takes a suggestion\n"
        "Ctrl+up, down: the order   Ctrl+D nobody here   Esc back   Ctrl+Q leave"
    )
    AUTO_FOCUS = "Name"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,down", "app.focus_next", priority=True),
        Binding("shift+tab,up", "app.focus_previous", priority=True),
        Binding("ctrl+up,shift+up", "move(-1)", priority=True),
        Binding("ctrl+down,shift+down", "move(1)", priority=True),
        Binding("ctrl+d", "empty", priority=True),
    ]

    def title_text(self) -> str:
        card = GAMES[self.start.game.game]
        return f"{card.title}: who sits down, clockwise? {card.how_many}"

    def body(self) -> ComposeResult:
        names, most = self.start.game.seats, GAMES[self.start.game.game].seats[-1]
        with Vertical(id="names"):
            for place in range(most):
                with Horizontal(classes="name"):
                    yield Static(_mark(place), classes="place")
                    yield Name(names[place] if place < len(names) else "", self.start.known)
        yield Static(id="seated")

    def fill(self) -> None:
        known = self.start.known
        self.tell(f"They played before: {', '.join(known)}" if known else "Names are remembered from game to game.")
        self._show_seats()

    @property
    def names(self) -> list[str]:
        """The names that are typed, without empty lines."""
        return [line.value.strip() for line in self.query(Name) if line.value.strip()]

    def _show_seats(self) -> None:
        try:
            seats = seats_from_names(self.names)
        except Refused:
            seats = ()
        words = [Content.assemble((f"{seat.glyph} {seat.name} ({seat.initial})", "bold")) for seat in seats]
        self.query_one("#seated", Static).update(Content("   ").join(words))

    def on_input_changed(self, _: Input.Changed) -> None:
        """What was wrong may be right now."""
        self.refuse("")
        self._show_seats()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self.is_current:  # the key was pressed twice
            return
        counts = GAMES[self.start.game.game].seats
        try:
            refuse_twins(self.names)
            seats_from_names(self.names)
        except Refused as refusal:
            self.refuse(refusal.spoken(self.names))
            return
        if len(self.names) not in counts:
            self.refuse(f"This game needs {counts.start} to {counts[-1]} players; you named {len(self.names)}.")
            return
        self.start.game.seats = self.names
        self.app.push_screen(ReadyStep())

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Say without color, too, where one is."""
        for place, line in enumerate(self.query(".name")):
            line.query_one(".place", Static).update(_mark(place, here=line.has_focus_within))

    # -- the order

    def action_move(self, by: int) -> None:
        """Let the name under the cursor sit one place further."""
        lines = list(self.query(Name))
        place = next((place for place, line in enumerate(lines) if line.has_focus), 0)
        if 0 <= place + by < len(lines):
            here, there = lines[place], lines[place + by]
            here.value, there.value = there.value, here.value
            there.focus()

    def action_empty(self) -> None:
        for line in self.query(Name):
            if line.has_focus:
                line.value = ""
