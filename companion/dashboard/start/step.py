"""A step of the start: a title, what is asked, the answer, as a rule out of a list, a refusal, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from companion.dashboard.cursor import window
from companion.dashboard.start.choices import Item
from companion.dashboard.widgets.static import GAP, Static
from companion.rules.actions import key_name

if TYPE_CHECKING:
    from companion.dashboard.start.app import StartApp


class Menu(Static, can_focus=True, inherit_bindings=False):
    """Items one below the other, as many as fit, the cursor's among them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "step(-1)"),
        ("down", "step(1)"),
        ("pageup", "step(-8)"),
        ("pagedown", "step(8)"),
        ("home", "step(-1000)"),
        ("end", "step(1000)"),
        ("enter", "choose"),
    ]

    @dataclass
    class Chosen(Message):
        """Somebody chose an item."""

        value: Any

    @dataclass
    class Moved(Message):
        """The cursor stands on another item."""

        item: Item

    def __init__(self) -> None:
        super().__init__(id="menu")
        self._items: tuple[Item, ...] = ()
        self._place = 0
        self._top = 0

    @property
    def item(self) -> Item | None:
        return self._items[self._place] if self._items else None

    def take(self, items: Sequence[Item], at: Any = None) -> None:
        """Show these items, the cursor on the one with the value `at`, else where it was."""
        self._items = tuple(items)
        found = [place for place, item in enumerate(self._items) if at is not None and item.value == at]
        self._go(found[0] if found else self._place)

    def fit(self, rows: int) -> None:
        """Take the rows that the items need, as far as there are so many."""
        self.styles.height = max(1, min(len(self._items), rows))

    def action_step(self, by: int) -> None:
        """Move the cursor, never round the end."""
        self._go(self._place + by)

    def action_choose(self) -> None:
        if self.item is not None:
            self.post_message(self.Chosen(self.item.value))

    def on_key(self, event: events.Key) -> None:
        pressed = (event.character, key_name(event.key))
        found = [place for place in range(len(self._items)) if (key := self._key(place)) and key in pressed]
        if found:
            event.stop()
            self._go(found[0])
            self.action_choose()

    def _key(self, place: int) -> str:
        return self._items[place].key or (str(place + 1) if place < 9 else "")

    def on_click(self, event: events.Click) -> None:
        place = self._top + event.y
        if place < len(self._items):
            self._go(place)
            self.action_choose()

    def _go(self, place: int) -> None:
        self._place = max(0, min(place, len(self._items) - 1))
        self.on_resize()
        if self.item is not None:
            self.post_message(self.Moved(self.item))

    def on_resize(self) -> None:
        width, height = self.content_size
        if not (width and height):
            return
        self._top = window(self._place, len(self._items), height, self._top)
        cells = max((len(item.label) for item in self._items), default=0)
        rows = list(enumerate(self._items))[self._top : self._top + height]
        self.update(Content("\n").join(self._row(place, item, cells, width) for place, item in rows))

    def _row(self, place: int, item: Item, cells: int, width: int) -> Content:
        here = place == self._place
        mark = ("> ", "bold $accent") if here else ("  ", "")
        label = (item.label.ljust(cells) if item.beside else item.label, "bold" if here else "")
        row = Content.assemble(
            mark,
            (f"{self._key(place):<1} ", "bold $primary" if item.key else "$quiet"),
            label,
            (f"{GAP}{item.beside}" if item.beside else "", "$quiet"),
        )
        row = row.truncate(width, ellipsis=True)
        return row.stylize("on $panel") if here else row


class StartStep(Screen[None], inherit_bindings=False):
    """One question. Enter goes on, Esc a step back."""

    ASKS: ClassVar[str] = ""
    KEYS: ClassVar[str] = "Enter choose   arrows or a number   Esc back   Ctrl+Q leave"
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
        """Show what stands; a handler of a step runs before this one."""
        self.refuse(self.opening_refusal())
        self.fill()

    def opening_refusal(self) -> str:
        """Return what is refused when the step opens: nothing, as a rule."""
        return ""

    def on_screen_resume(self) -> None:
        """Show what was chosen in a step behind this one."""
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
    def start(self) -> StartApp:
        return cast("StartApp", self.app)

    def action_back(self) -> None:
        self.app.pop_screen()

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Take the answer, once: a key pressed twice does not answer the next question, too."""
        if self.is_current:
            self.refuse("")
            self.take(event.value)

    def on_key(self, event: events.Key) -> None:
        """Say so of a number that no line has: the list keeps the others."""
        number = event.character or ""
        if self.query(Menu) and number.isascii() and number.isdigit():
            self.refuse(f"No line has the number {number}. Press one that is shown.")

    def take(self, value: Any) -> None:
        """Do what the item with this value stands for."""

    def on_menu_moved(self, event: Menu.Moved) -> None:
        self.tell(event.item.about)

    def tell(self, text: str) -> None:
        self.query_one("#about", Static).update(Content(text))

    def refuse(self, sentence: str) -> None:
        """Say why it cannot be so; an empty sentence takes that away."""
        line = self.query_one("#refusal", Static)
        line.update(Content.assemble((f"! {sentence}", "bold $warning")))
        line.display = bool(sentence)
