"""A step of the start: a title, an answer (usually from a list), a refusal, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen

from companion.dashboard.item import Item
from companion.dashboard.textual.key_queue import TALL, has_room_for_panels
from companion.dashboard.widgets.menu import Menu
from companion.dashboard.widgets.static import Static
from companion.rules.columns import capitalized

if TYPE_CHECKING:
    from companion.dashboard.start.asking import AskingApp


COLUMNS_AROUND = 7  # cells of margins, border and padding beside the text of a panel
ROWS_AROUND = 8  # rows of margins, title, border and keys above and below the text of a panel
ABOUT_ROWS = 5  # rows of the panel about the answer under the cursor


class StartStep(Screen[None], inherit_bindings=False):
    """One question. Enter goes on, Esc goes back.

    Where there is room, the answers are in a panel, and what is known of the answer under the
    cursor and of the game is in panels beside it.
    """

    ASKS: ClassVar[str] = ""
    PANEL: ClassVar[str] = "Answers"
    """The title of the panel with the answers."""
    ABOUT: ClassVar[str] = ""
    """The title of the panel about the answer under the cursor; if empty, it is the answer."""
    KEYS: ClassVar[str] = "arrows and Enter, or just the number   Esc back   Ctrl+Q quit"
    AUTO_FOCUS = "Menu"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-usual"), (TALL, "-tall")]  # noqa: RUF012  textual's own declaration
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "back")]

    def compose(self) -> ComposeResult:
        yield Static(Content(self.title_text()), id="step-title")
        with Container(id="step"):
            with Vertical(id="answers", classes="panel") as answers:
                answers.border_title = self.PANEL
                yield from self.body()
            with Vertical(id="beside"):
                yield Static(id="about", classes="panel")
                yield Static(id="more", classes="panel")
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
        self.tell("")
        self.fill()
        self._show_more()

    def opening_refusal(self) -> str:
        """Return a refusal to show when the step opens; usually none."""
        return ""

    def on_screen_resume(self) -> None:
        """Show what was chosen in a later step."""
        if self.is_mounted:
            self.fill()
            self._show_more()

    def fill(self) -> None:
        self.menu.take(self.items())

    def items(self) -> list[Item]:
        return []

    def more(self, _columns: int, _rows: int) -> tuple[str, Sequence[Content]]:
        """Return the title and the text, in at most so many cells, of one more panel.

        It is for a screen with room for panels; without text there is none.
        """
        return "", ()

    def on_resize(self) -> None:
        """Show the panels that there is room for."""
        if self.is_mounted:
            self._show_more()

    def _show_more(self) -> None:
        panel = self.query_one("#more", Static)
        title = ""
        rows: Sequence[Content] = ()
        size = self.app.size
        if has_room_for_panels(self.app):
            inside = size.height - ROWS_AROUND
            title, rows = self.more(size.width // 2 - COLUMNS_AROUND, inside - ABOUT_ROWS)
            for menu in self.query(Menu):
                menu.fit(inside)
        else:
            for menu in self.query(Menu):
                menu.styles.height = "1fr"
        panel.display = bool(rows)
        panel.border_title = title
        panel.update(Content("\n").join(rows))

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
            if event.by_key:
                self.start.chosen_by_number()

    def on_key(self, event: events.Key) -> None:
        """Report a number that no line has; the list handles the others."""
        number = event.character or ""
        if self.query(Menu) and number.isascii() and number.isdigit():
            self.refuse(f"No line has the number {number}. Press one shown.")

    def take(self, value: Any) -> None:
        """Act on the chosen item's value."""

    def on_menu_moved(self, event: Menu.Moved) -> None:
        self.tell(event.item.about, capitalized(event.item.label))

    def tell(self, text: str, answer: str = "") -> None:
        """Say something about the `answer` under the cursor; a panel that says nothing is hidden."""
        about = self.query_one("#about", Static)
        about.border_title = self.ABOUT or answer
        about.update(Content(text))
        about.set_class(not text, "-empty")

    def refuse(self, sentence: str) -> None:
        """Show why this is not possible; an empty sentence clears it."""
        line = self.query_one("#refusal", Static)
        line.update(Content.assemble((f"! {sentence}", "bold $warning")))
        line.display = bool(sentence)
