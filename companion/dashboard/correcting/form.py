"""A form over the page: what is typed is text there, the game goes on behind it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from companion.dashboard.correcting.fields import Choice, FieldRow, TextField, row_of
from companion.dashboard.source import TableLike
from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.static import Static
from companion.rules.clauses import spoken
from companion.session.views import TableView

WHO, WHY = "who", "why"
THE_TABLE = ""


class Form(ModalScreen[None], inherit_bindings=False):
    """Fields, one sentence when the answer is refused, and the keys that leave. Enter accepts, Esc leaves."""

    TITLE_TEXT: ClassVar[str] = ""
    KEYS: ClassVar[str] = "Enter accept   Esc leave   Tab next field   left and right choose"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]  # noqa: RUF012  textual's own declaration
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("enter", "accept", show=False),
        Binding("tab,down", "app.focus_next", show=False),
        Binding("shift+tab,up", "app.focus_previous", show=False),
        Binding("ctrl+q", "app.perform('dashboard.quit')", show=False),
    ]

    def __init__(self, table: TableLike) -> None:
        super().__init__()
        self._table = table
        self._view = table.view()

    def compose(self) -> ComposeResult:
        with Vertical(id="form"):
            yield Static(Content(self.title_text()), id="form-title")
            with VerticalScroll(id="rows", can_focus=False):
                yield from self.rows()
            yield from self.below()
            yield Static(id="hint")
            yield Static(id="refusal")
            yield Static(self.KEYS, id="form-keys")

    def title_text(self) -> str:
        """Return what the form is for."""
        return self.TITLE_TEXT

    def rows(self) -> Iterable[FieldRow]:
        """Return the fields."""
        raise NotImplementedError

    def below(self) -> ComposeResult:
        """Lay out what stands below the fields."""
        yield from ()

    def send(self) -> str | None:
        """Do what the form is for; return the sentence when it is refused, None when it is done."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Nothing is refused yet."""
        self.query_one("#refusal").display = False

    def show(self, view: TableView) -> None:
        """Take note of what stands now; the form itself is not changed under the hands that fill it in."""
        self._view = view

    # -- its answers

    def word(self, field: str) -> str:
        """Return the answer of a field as one would type it; empty where the form has no such field."""
        found = [row.answer.word for row in self.query(FieldRow) if row.field == field]
        return found[0] if found else ""

    def who_and_why(self, *, why: bool = True) -> list[FieldRow]:
        """Return the fields that say who put the record right, and why."""
        seats = [(seat.id, f"{seat.glyph} {seat.name}") for seat in self._view.setup.seats]
        people = FieldRow(WHO, Choice([(THE_TABLE, "the table"), *seats]), "who says so")
        said = FieldRow(WHY, TextField(), "why, for the record; may stay empty; for example we looked again")
        return [said, people] if why else [people]

    # -- its keys

    def action_accept(self) -> None:
        """Send the form; a refusal stays in it as one sentence."""
        refusal = self.send()
        if refusal is None:
            self.dismiss()
        else:
            self.refuse(refusal)

    def action_leave(self) -> None:
        """Leave everything as it is; what was refused here is no news any more."""
        for notice in (each for screen in self.app.screen_stack for each in screen.query(NoticeLine)):
            notice.hush(self._table.view())
        self.dismiss()

    def refuse(self, sentence: str) -> None:
        """Show why the answer is refused, as a whole sentence."""
        line, names = self.query_one("#refusal", Static), tuple(seat.name for seat in self._view.setup.seats)
        said = spoken(sentence, named=sentence.startswith(names))
        line.update(Content.assemble((f"! {said}", "bold $warning")))
        line.display = True

    def tell(self, hint: str) -> None:
        """Say something in the line of hints."""
        self.query_one("#hint", Static).update(Content(hint))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a text accepts, as it does anywhere in the form."""
        event.stop()
        self.action_accept()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the field takes."""
        row = row_of(event.widget)
        self.tell(row.hint if row is not None else "")
