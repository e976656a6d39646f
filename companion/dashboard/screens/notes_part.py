"""The private notes of a seat behind its curtain, as the game declares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from companion.dashboard.widgets.form import (
    UNCHOSEN,
    Choice,
    FieldChanged,
    FieldRow,
    TextField,
    row_of,
)
from companion.dashboard.widgets.static import Static
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import NO_NOTES, NoteLine, Panels
from companion.rules.facts import Refused, Seat

LEAST = 2  # minimum rows for the notes' fields, however much the seat knows
SCROLL_BAR = 1  # cells of the bar beside text that is too long


class NotesPart(Widget):
    """What a seat knows, and below it a row for each field of each note that it can make now.

    Long text scrolls with the page keys; Enter records the note whose row has the focus. `enter`
    records a fact that only this seat may see, and returns whether the table took it. With `odds`,
    public probabilities follow the seat's own tables.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("tab,down", "app.focus_next"),
        ("shift+tab,up", "app.focus_previous"),
        ("enter", "note"),
        ("pageup", "page(-1)"),
        ("pagedown", "page(1)"),
    ]
    DEFAULT_CSS = """
    NotesPart { height: 1fr; }
    NotesPart Container { overflow-y: auto; scrollbar-size-vertical: 1; }
    NotesPart #own-text, NotesPart #own, NotesPart #own-rows { height: auto; }
    NotesPart #own-hint { height: auto; color: $quiet; }
    """

    def __init__(
        self, panels: Panels, enter: Callable[[str, Mapping[str, Any]], bool], *, odds: bool
    ) -> None:
        super().__init__()
        self._panels, self._enter, self._odds = panels, enter, odds
        self._seat: Seat | None = None
        self._secrets: Any = None
        self._lines: tuple[NoteLine, ...] = ()
        self._rows: dict[tuple[str, str], FieldRow] = {}
        self._text_rows, self._hint = 0, Content()
        self._refusal = ""  # why Enter noted nothing; shown until an answer changes

    def compose(self) -> ComposeResult:
        with Container(id="own-text"):
            yield Static(id="own")
        yield Container(id="own-rows")
        yield Static(id="own-hint")

    def show_seat(self, seat: Seat, secrets: Any) -> None:
        """Show `secrets`, the view for `seat`; called on every change, in the screen's thread."""
        self._seat, self._secrets = seat, secrets
        self._lines = self._panels.notes(secrets, seat.id)
        asked: list[FieldRow] = []
        for line in self._lines:
            for field in line.fields:
                key = (line.id, field.name)
                if key not in self._rows:
                    answer = Choice(field.choices, asked=True) if field.choices else TextField()
                    label = line.label if len(line.fields) == 1 else field.label
                    self._rows[key] = FieldRow(f"{line.id} {field.name}", answer, label=label)
                    self.query_one("#own-rows").mount(self._rows[key])
                asked.append(self._rows[key])
        # Rows are hidden, not removed: what is typed in them stays until they are asked for again.
        for row in self._rows.values():
            row.display = row in asked
        self.on_resize()
        self.can_focus = not asked
        if self.screen.focused is None:  # the keys go to the first row, or else scroll the text
            first = asked[0].answer if asked else self
            self.call_after_refresh(first.focus)

    def on_resize(self) -> None:
        if self._seat is not None and self.size.width:
            width = self.size.width - SCROLL_BAR
            tables = self._panels.own(self._secrets, self._seat.id) or ()
            if self._odds:
                tables = (*tables, *self._panels.odds(self._secrets))
            rows = [*table_rows(tables, width)]
            own = Content(NO_NOTES)
            if rows:
                own = Content("\n").join([*rows, Content("")])
            self.query_one("#own", Static).update(own)
            self._share_rows(len(own.wrap(width)))

    def _share_rows(self, text: int) -> None:
        """Give the fields what `text` and hint leave, and never less than `LEAST` rows; what is longer scrolls."""
        self._text_rows = text
        height = self.size.height - len(self._hint.wrap(max(1, self.size.width)))
        text = max(1, min(text, height - LEAST))
        self.query_one("#own-text").styles.max_height = text
        self.query_one("#own-rows").styles.max_height = max(1, height - text)

    def action_page(self, by: int) -> None:
        text = self.query_one("#own-text")
        text.scroll_relative(y=by * text.size.height, animate=False)

    # -- what is entered

    def on_field_changed(self, event: FieldChanged) -> None:
        event.stop()
        self._refusal = ""
        self.on_descendant_focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_note()

    def action_note(self) -> None:
        line = self._line
        if line is None or self._seat is None or not any(self._answers(line).values()):
            return
        try:
            body = line.body(self._answers(line))
        except Refused as refusal:
            self._refusal = refusal.spoken()
            self._tell(self._refusal)
            self._go_to_missing(line)
            return
        if not self._enter(line.kind, body):
            return
        for field in line.fields:
            answer = self._rows[line.id, field.name].answer
            if isinstance(answer, TextField):
                answer.value = ""
            elif isinstance(answer, Choice):
                answer.place = UNCHOSEN

    def _go_to_missing(self, line: NoteLine) -> None:
        """Focus the first field of a note that has no answer: the next letter is for that one."""
        for field in line.fields:
            answer = self._rows[line.id, field.name].answer
            if not answer.word:
                answer.focus()
                return

    def on_descendant_focus(self) -> None:
        """Show how the focused note is understood so far, or what it takes."""
        line = self._line
        if line is None:
            return
        if self._refusal:
            self._tell(self._refusal)
            return
        try:
            reading = line.words(self._answers(line))
        except Refused as refusal:
            reading = refusal.spoken()
        if not reading:
            choosing = ""
            if any(field.choices for field in line.fields):
                choosing = "left and right choose, or a first letter; "
            reading = f"{line.takes}; {choosing}Enter notes it"
        self._tell(reading)

    @property
    def _line(self) -> NoteLine | None:
        """The note whose row has the focus."""
        row = row_of(self.screen.focused)
        for line in self._lines:
            if any(self._rows.get((line.id, field.name)) is row for field in line.fields):
                return line
        return None

    def _answers(self, line: NoteLine) -> dict[str, str]:
        return {field.name: self._rows[line.id, field.name].answer.word for field in line.fields}

    def _tell(self, text: str) -> None:
        self._hint = Content(text)
        self.query_one("#own-hint", Static).update(self._hint)
        self._share_rows(self._text_rows)
