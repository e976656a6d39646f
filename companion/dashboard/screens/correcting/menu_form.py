"""A form that is a list of answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from typing_extensions import override

from companion.dashboard.item import Item
from companion.dashboard.widgets.form import Form
from companion.dashboard.widgets.menu import Menu
from companion.dashboard.widgets.static import Static
from companion.session.views import LessonView


class MenuForm(Form):
    """A list of answers, chosen by their keys, by arrow keys and Enter, or by mouse."""

    ASKS: ClassVar[str] = "Press the key of the answer."
    KEYS: ClassVar[str] = "Enter choose   arrows move   Esc close"

    def body(self) -> ComposeResult:
        yield Static(id="question")
        yield Menu()
        yield Static(id="hint")

    def question(self) -> str:
        """Return the question, if the title does not ask it."""
        return ""

    def items(self) -> Sequence[Item]:
        """Return the answers, at least one."""
        raise NotImplementedError

    def choose(self, value: Any) -> None:
        """Act on the answer with this value."""
        raise NotImplementedError

    def does(self, value: Any, lesson: LessonView) -> bool:
        """Return whether the answer with this value does what a lesson asks for, or the next part of it."""
        del value, lesson
        return False

    @override
    def lesson_keys(self, lesson: LessonView) -> Sequence[str] | None:
        for place, item in enumerate(self.items(), start=1):
            if self.does(item.value, lesson):
                return (item.key or str(place),)
        return None

    def on_mount(self) -> None:
        self.query_one(Menu).focus()
        self.fill()

    def fill(self) -> None:
        """Show the question, and the answers with the cursor on the first."""
        question, items = self.question(), self.items()
        self.query_one("#question", Static).update(Content.assemble((question, "bold")))
        self.query_one("#question").display = bool(question)
        self.query_one(Menu).take(items, items[0].value)
        self.point_out()

    @override
    def fit(self, rows: int) -> None:
        box, menu = self.query_one("#form"), self.query_one(Menu)
        others = [child for child in box.children if child is not menu and child.display]
        taken = sum(child.outer_size.height for child in others) + box.gutter.height
        menu.fit(rows - taken)

    def on_key(self, event: events.Key) -> None:
        """Report a key that no answer has; the list handles the others."""
        if event.is_printable:
            self.query_one("#refusal").display = False
            # In the hint, which always has a row: a short screen has none for a refusal.
            self.tell(f"! {event.character} is not an answer here. Press a key shown.")

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        event.stop()
        if not self.is_current:  # closed since: what it asked was answered elsewhere
            return
        self.tell("")
        self.query_one("#refusal").display = False
        self.choose(event.value)
