"""A list of items, chosen by a key, the cursor or the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message

from companion.dashboard.item import Item
from companion.dashboard.widgets.cursor import window
from companion.dashboard.widgets.static import GAP, Static
from companion.rules.actions import key_name


class Menu(Static, can_focus=True, inherit_bindings=False):
    """Items in a column, scrolled to the cursor."""

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
        """An item was chosen; `by_key`: by the key of its line alone."""

        value: Any
        by_key: bool = False

    @dataclass
    class Moved(Message):
        """The cursor is on another item."""

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
        """Show these items, with the cursor on the one with the value `at`, else where it was."""
        self._items = tuple(items)
        target = self._place
        if at is not None:
            values = [item.value for item in self._items]
            target = values.index(at) if at in values else self._place
        self._go(target)

    def fit(self, rows: int) -> None:
        """Use the rows that the items need, at most `rows`."""
        self.styles.height = max(1, min(len(self._items), rows))

    def action_step(self, by: int) -> None:
        """Move the cursor, without wrapping around."""
        self._go(self._place + by)

    def action_choose(self) -> None:
        self._choose()

    def _choose(self, *, by_key: bool = False) -> None:
        if self.item is not None:
            self.post_message(self.Chosen(self.item.value, by_key))

    def on_key(self, event: events.Key) -> None:
        pressed = (event.character, key_name(event.key))
        for place in range(len(self._items)):
            key = self._key(place)
            if key and key in pressed:
                event.stop()
                self._go(place)
                self._choose(by_key=True)
                return

    def _key(self, place: int) -> str:
        key = self._items[place].key
        if not key and place < 9:  # one digit
            key = str(place + 1)
        return key

    def on_click(self, event: events.Click) -> None:
        place = self._top + event.y
        if place < len(self._items):
            self._go(place)
            self._choose()

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
        shown = self._items[self._top : self._top + height]
        rows = [
            self._row(place, item, cells, width, self._hidden(place, len(shown)))
            for place, item in enumerate(shown, start=self._top)
        ]
        self.update(Content("\n").join(rows))

    def _hidden(self, place: int, shown: int) -> str:
        """Return how many items are hidden beyond the last or first row that is shown; "" on any other row."""
        below = len(self._items) - self._top - shown
        if below and place == self._top + shown - 1:
            return f"{below} more below"
        return f"{self._top} more above" if self._top and place == self._top else ""

    def _row(self, place: int, item: Item, cells: int, width: int, hidden: str) -> Content:
        here = place == self._place
        mark, style = ("> ", "bold") if here else ("  ", "")
        key_style = "bold $primary" if item.key else "$quiet"
        label, beside = item.label, ""
        if item.beside:
            label, beside = label.ljust(cells), f"{GAP}{item.beside}"
        row = Content.assemble(
            (mark, "bold $accent" if here else ""),
            (f"{self._key(place):<1} ", key_style),
            (label, style),
            (beside, "$quiet"),
        )
        if hidden:
            sign = f"{GAP}{hidden}"
            row = row.truncate(width - len(sign), ellipsis=True, pad=True)
            row += Content.styled(sign, "$quiet")
        row = row.truncate(width, ellipsis=True)
        return row.stylize("on $panel") if here else row
