"""A step of the start: a title, an answer (usually from a list), a refusal, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen

from companion.dashboard.widgets.menu import Item, Menu
from companion.dashboard.widgets.static import Static

if TYPE_CHECKING:
    from companion.dashboard.start.asking import AskingApp


class StartStep(Screen[None], inherit_bindings=False):
    """One question. Enter goes on, Esc goes back."""

    ASKS: ClassVar[str] = ""
    KEYS: ClassVar[str] = "Enter choose   arrows or a number   Esc back   Ctrl+Q quit"
    AUTO_FOCUS = "Menu"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012  textual's own declaration
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back")]

    def compose(self) -> ComposeResult:
        yield Static(Content(self.title_text()), id="step-title")
        yield from self.body()
        yield Static(id="about")
        yield Static(id="refusal")
        yield Static(self.KEYS, id="close")

    def body(self) -> ComposeResult:
        """Lay out the answer: a list to choose from."""
        yield Menu()

    def title_text(self) -> str:
        return self.ASKS

    def on_mount(self) -> None:
        """Show the present state; a step's own handler runs before this one."""
        self.refuse(self.opening_refusal())
        self.fill()

    def opening_refusal(self) -> str:
        """Return a refusal to show when the step opens; usually none."""
        return ""

    def on_screen_resume(self) -> None:
        """Show what was chosen in a later step."""
        if self.is_mounted:
            self.fill()

    def fill(self) -> None:
        self.menu.take(self.items())

    def items(self) -> list[Item]:
        return []

    @property
    def menu(self) -> Menu:
        return self.query_one(Menu)

    @property
    def start(self) -> AskingApp:
        return cast("AskingApp", self.app)

    def action_back(self) -> None:
        self.app.pop_screen()

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Take the answer once: a key pressed twice must not answer the next question, too."""
        if self.is_current:
            self.refuse("")
            self.take(event.value)

    def on_key(self, event: events.Key) -> None:
        """Report a number that no line has; the list handles the others."""
        number = event.character or ""
        if self.query(Menu) and number.isascii() and number.isdigit():
            self.refuse(f"No line has the number {number}. Press one shown.")

    def take(self, value: Any) -> None:
        """Act on the chosen item's value."""

    def on_menu_moved(self, event: Menu.Moved) -> None:
        self.tell(event.item.about)

    def tell(self, text: str) -> None:
        self.query_one("#about", Static).update(Content(text))

    def refuse(self, sentence: str) -> None:
        """Show why this is not possible; an empty sentence clears it."""
        line = self.query_one("#refusal", Static)
        line.update(Content.assemble((f"! {sentence}", "bold $warning")))
        line.display = bool(sentence)
