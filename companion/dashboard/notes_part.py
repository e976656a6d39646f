"""Behind a seat's curtain: the lines in which it notes what is for it alone, as the game declares them."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input

from companion.dashboard.correcting.form import UNCHOSEN, Choice, FieldChanged, FieldRow, TextField, row_of
from companion.dashboard.game_screen import SecretPart
from companion.dashboard.tables import table_rows
from companion.dashboard.widgets.static import Static
from companion.rules.game import Refused, Seat
from companion.rules.panels import NO_NOTES, NoteLine, Panels


class NotesPart(SecretPart):
    """What a seat knows above, and below it a row for each field of each note that it can make now; Enter notes the
    line that has the keys. `panels` are the game's own."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("tab,down", "app.focus_next"),
        ("shift+tab,up", "app.focus_previous"),
        ("enter", "note"),
    ]
    DEFAULT_CSS = """
    NotesPart { height: auto; }
    NotesPart #own { height: auto; margin: 0 0 1 0; }
    NotesPart #own-rows { height: auto; }
    NotesPart #own-hint { height: auto; color: $quiet; margin: 1 0 0 0; }
    """

    def __init__(self, panels: Panels) -> None:
        super().__init__()
        self._panels = panels
        self._seat: Seat | None = None
        self._secrets: Any = None
        self._lines: tuple[NoteLine, ...] = ()
        self._rows: dict[tuple[str, str], FieldRow] = {}
        self._sent: NoteLine | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="own")
        yield Container(id="own-rows")
        yield Static(id="own-hint")

    def show_seat(self, seat: Seat, secrets: Any) -> None:
        self._seat, self._secrets = seat, secrets
        self._lines = self._panels.notes(secrets, seat.id)
        asked = {(line.id, field.name): (line, field) for line in self._lines for field in line.fields}
        first = not self._rows
        for at, (line, field) in asked.items():
            if at not in self._rows:
                answer = Choice(field.choices, asked=True) if field.choices else TextField()
                label = line.label if len(line.fields) == 1 else field.label
                self._rows[at] = FieldRow(f"{line.id} {field.name}", answer, label=label)
                self.query_one("#own-rows").mount(self._rows[at])
        for at, row in self._rows.items():
            row.display = at in asked
        self.on_resize()
        if first and self._rows:  # the keys belong to the first line
            self.call_after_refresh(next(iter(self._rows.values())).answer.focus)

    def on_resize(self) -> None:
        if self._seat is not None and self.size.width:
            own = table_rows(self._panels.own(self._secrets, self._seat.id) or (), self.size.width)
            self.query_one("#own", Static).update(Content("\n").join([*own]) or Content(NO_NOTES))

    # -- what is entered

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._say(row_of(event.widget))

    def on_field_changed(self, event: FieldChanged) -> None:
        event.stop()
        self._say(row_of(self.screen.focused))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._note(row_of(event.input))

    def action_note(self) -> None:
        self._note(row_of(self.screen.focused))

    def _note(self, row: FieldRow | None) -> None:
        line = self._line(row)
        if line is None or self._seat is None or not any(self._answers(line).values()):
            return
        try:
            body = line.body(self._answers(line))
        except Refused as refusal:
            self._tell(refusal.spoken())
            return
        self._sent = line
        self.post_message(self.Entered(line.kind, body))

    def answered(self, refusal: str | None) -> None:
        """A line that was noted is empty again."""
        if refusal is None and self._sent is not None:
            for field in self._sent.fields:
                answer = self._rows[self._sent.id, field.name].answer
                if isinstance(answer, TextField):
                    answer.value = ""
                elif isinstance(answer, Choice):
                    answer.place = UNCHOSEN

    def _say(self, row: FieldRow | None) -> None:
        line = self._line(row)
        if line is None:
            return
        try:
            said = line.words(self._answers(line))
        except Refused as refusal:
            said = refusal.spoken()
        how = "left and right choose, or a first letter; " if any(field.choices for field in line.fields) else ""
        self._tell(said or f"{line.takes}; {how}Enter notes it")

    def _line(self, row: FieldRow | None) -> NoteLine | None:
        line_id = next((at[0] for at, each in self._rows.items() if each is row), None)
        return next((line for line in self._lines if line.id == line_id), None)

    def _answers(self, line: NoteLine) -> dict[str, str]:
        return {field.name: self._rows[line.id, field.name].answer.word for field in line.fields}

    def _tell(self, text: str) -> None:
        self.query_one("#own-hint", Static).update(Content(text))
