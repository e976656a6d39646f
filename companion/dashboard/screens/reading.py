"""The page shown until there is a table: what is being opened, the progress, and the keys."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.screen import Screen

from companion.dashboard.reading import SessionReading
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.static import Clickable, Static, key_line
from companion.rules.actions import Action
from companion.rules.columns import clean

LOOK_S = 0.1  # seconds between updates of the progress

NOT_YET = "The table is not open yet. Press the key again later."


class ReadingScreen(Screen[None], inherit_bindings=False):
    """Takes the place of the main page, line for line; `actions` are what its keys do."""

    AUTO_FOCUS = ""

    def __init__(self, reading: SessionReading[object], actions: tuple[Action, ...]) -> None:  # type: ignore[type-var]
        super().__init__()
        self._reading = reading
        self._actions = actions
        self.early = False  # a key was pressed that only works at the table

    def compose(self) -> ComposeResult:
        outline = self._reading.outline
        with Horizontal(id="header"):
            yield Static(Content(outline.title), id="where")
            yield Static(
                Content(f"{outline.entries:,} entries" if outline.entries else ""), id="state"
            )
        seats = (
            Content.assemble((clean(named), seat_style(color))) for named, color in outline.seats
        )
        yield Static(Content("   ").join(seats), id="seats-begun")
        yield Static(self._words(), id="awaiting")
        yield Container(id="below")
        yield Static(id="notice")
        yield Clickable(key_line(self._actions), id="footer")

    def on_mount(self) -> None:
        entries = self._reading.outline.entries
        # A new table has no entries to count.
        self._looks = self.set_interval(LOOK_S, self._look, pause=not entries)

    def on_screen_suspend(self) -> None:
        self._looks.stop()

    def _look(self) -> None:
        self.query_one("#awaiting", Static).update(self._words())

    def on_key(self, event: events.Key) -> None:
        """Say why a key that works at the table does nothing yet."""
        if not any(event.key in action.keys for action in self._actions):
            self.early = True
            self.say(NOT_YET)

    def say(self, sentence: str) -> None:
        """Show a sentence above the keys."""
        self.query_one("#notice", Static).update(Content.assemble((sentence, "$warning")))

    def _words(self) -> Content:
        reading, entries = self._reading, self._reading.outline.entries
        if not entries:
            return Content("Opening the table.")
        if reading.entries_read < entries:
            return Content(f"Reading the record: {reading.entries_read:,} of {entries:,} entries")
        return Content("The record is read. Opening the table.")
