"""A short list over the table: each answer has a key of its own, so that a move takes two or three keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message

from companion.dashboard.correcting.form import FieldRow, Form
from companion.dashboard.source import TableLike, refused
from companion.dashboard.widgets.static import Static
from companion.games.fractured_sky.screen.marks import presses


@dataclass(frozen=True, slots=True)
class Option:
    """An answer: its key, what it is called, and the value it stands for."""

    key: str
    label: str
    value: Any


@dataclass(frozen=True, slots=True)
class AskField:
    """A question, the field of the fact that its answer fills, and the answers."""

    field: str
    question: str
    options: tuple[Option, ...]


class FieldChoices(Static):
    """The answers, one a line; a click chooses."""

    class Clicked(Message):
        """Somebody pointed at an answer."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def on_click(self, event: events.Click) -> None:
        """Tell which answer was pointed at."""
        self.post_message(self.Clicked(event.y))


class Chooser(Form, inherit_bindings=False):
    """Asks one question after the other; after the last answer the fact is entered. One answer is not asked for."""

    KEYS: ClassVar[str] = "a key chooses   arrows and Enter too   Bksp one back   Esc leave"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("enter", "accept", show=False),
        Binding("up", "step(-1)", show=False),
        Binding("down", "step(1)", show=False),
        Binding("backspace", "back", show=False),
        Binding("ctrl+q", "app.perform('dashboard.quit')", show=False),
    ]

    def __init__(
        self, table: TableLike, title: str, kind: str, body: Mapping[str, Any], asks: Sequence[AskField]
    ) -> None:
        super().__init__(table)
        self._title = title
        self._kind = kind
        self._body = dict(body) | {ask.field: ask.options[0].value for ask in asks if len(ask.options) == 1}
        self._asks = tuple(ask for ask in asks if len(ask.options) > 1)
        self._answers: list[Any] = []
        self._place = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="form"):
            yield Static(Content(self._title), id="form-title")
            yield Static(id="question")
            with VerticalScroll(id="rows", can_focus=False):
                yield FieldChoices(id="options")
            yield Static(id="refusal")
            yield Static(self.KEYS, id="form-keys")

    def rows(self) -> list[FieldRow]:
        return []

    def on_mount(self) -> None:
        super().on_mount()
        self._fill()

    @property
    def _ask(self) -> AskField:
        return self._asks[min(len(self._answers), len(self._asks) - 1)]

    def _fill(self) -> None:
        if not self._asks:
            self.query_one("#question", Static).update("Enter does it")
            return
        self.query_one("#question", Static).update(Content.assemble((self._ask.question, "bold")))
        rows = []
        for at, option in enumerate(self._ask.options):
            mark = ("> ", "bold $accent") if at == self._place else "  "
            rows.append(Content.assemble(mark, (option.key.ljust(2), "bold $primary"), option.label))
        self.query_one("#options", Static).update(Content("\n").join(rows))

    # -- keys

    def on_key(self, event: events.Key) -> None:
        """Choose the answer with that key."""
        places = [at for at, option in enumerate(self._ask.options) if presses(event, option.key)] if self._asks else []
        if places:
            event.stop()
            self._choose(places[0])

    def on_field_choices_clicked(self, event: FieldChoices.Clicked) -> None:
        """Choose the answer that was pointed at."""
        if self._asks and 0 <= event.place < len(self._ask.options):
            self._choose(event.place)

    def action_step(self, by: int) -> None:
        if self._asks:
            self._place = (self._place + by) % len(self._ask.options)
            self._fill()
            self.query_one("#rows").scroll_to(y=max(0, self._place - 8), animate=False)

    def action_back(self) -> None:
        if self._answers:
            self._answers.pop()
            self._place = 0
            self._fill()

    def action_accept(self) -> None:
        if self._asks:
            self._choose(self._place)
        else:
            super().action_accept()

    def _choose(self, place: int) -> None:
        self._answers.append(self._ask.options[place].value)
        self._place = 0
        if len(self._answers) < len(self._asks):
            self._fill()
            return
        super().action_accept()
        if self.is_current:  # it was refused, and asks again
            self._answers.pop()
            self._fill()

    def send(self) -> str | None:
        answered = {ask.field: value for ask, value in zip(self._asks, self._answers, strict=True)}
        return refused(self._table, lambda: self._table.enter(self._kind, self._body | answered))
