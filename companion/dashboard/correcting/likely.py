"""The mistakes made most often: a menu of them, and the form that changes the newest of a kind of ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult

from companion.dashboard.correcting.facts import AmendForm, capitalized
from companion.dashboard.correcting.fields import Choice, FieldChanged, FieldRow
from companion.dashboard.correcting.form import Form
from companion.dashboard.source import TableLike
from companion.dashboard.start.menu import Item, Menu
from companion.rules.game import Fix, Game
from companion.session.marshal_view import RulingLine

MORE = "something else"
WHICH = "which"
_AROUND = 8  # rows of a form that are not its list: padding, title, hint, keys


class FixMenu(Form):
    """The game's likely mistakes, and behind them everything that can be entered; a number chooses."""

    TITLE_TEXT: ClassVar[str] = "What went wrong?"
    KEYS: ClassVar[str] = "number or Enter choose   Esc leave"

    def __init__(self, table: TableLike, fixes: Sequence[Fix], chosen: Callable[[Fix | None], None]) -> None:
        """Tell `chosen` which mistake it was; None: another one."""
        super().__init__(table)
        self._fixes = fixes
        self._chosen = chosen

    def rows(self) -> Iterable[FieldRow]:
        return ()

    def below(self) -> ComposeResult:
        yield Menu()

    def on_mount(self) -> None:
        """List the mistakes, the likeliest first."""
        super().on_mount()
        menu = self.query_one(Menu)
        does = {True: "change it in the log", False: "enter it"}
        items = [Item(place, capitalized(fix.label), does[fix.amends]) for place, fix in enumerate(self._fixes)]
        more = Item(len(self._fixes), capitalized(MORE), "all that can be entered")
        menu.take([*items, more])
        menu.focus()
        self.on_resize()

    def on_resize(self) -> None:
        """Give the list the rows that it needs, as far as there are any."""
        self.query_one(Menu).styles.height = max(1, min(len(self._fixes) + 1, self.size.height - _AROUND))

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Leave the menu for the form of that mistake."""
        event.stop()
        self.dismiss()
        self._chosen(self._fixes[event.value] if event.value < len(self._fixes) else None)


class AmendNewestForm(AmendForm):
    """Another body for one of several rulings of a kind, of which the first is offered."""

    def __init__(
        self, table: TableLike, game: Game[Any], fix: Fix, lines: Sequence[RulingLine], entries: Sequence[RulingLine]
    ) -> None:
        super().__init__(table, game, lines[0], entries)
        self._lines = {str(line.n): line for line in lines}
        self._label = fix.label

    def title_text(self) -> str:
        return capitalized(self._label)

    def rows(self) -> Iterable[FieldRow]:
        """Return which ruling, and its fields as it stands."""
        lines = [(n, f"{n} {line.text}") for n, line in self._lines.items()]
        yield FieldRow(WHICH, Choice(lines), "which line of the log; right goes back in time")
        yield from super().rows()

    def on_mount(self) -> None:
        """Begin at what is most likely wrong: it is the newest, and its first field."""
        super().on_mount()
        rows = list(self.query(FieldRow))
        rows[1].answer.focus()

    async def on_field_changed(self, event: FieldChanged) -> None:
        """Show the chosen ruling as it stands."""
        event.stop()
        line = self._lines[self.word(WHICH)]
        if line.n != self._line.n:
            self._line = line
            await self.query_one("#rows").remove_children([row for row in self.query(FieldRow) if row.field != WHICH])
            await self.query_one("#rows").mount_all(super().rows())
