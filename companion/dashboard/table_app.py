"""Protocols of the table's app, for its pages and parts, which the app itself is made of.

They refer to these instead of importing the app, which would be an import cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from companion.dashboard.textual.key_queue import KeyQueue

if TYPE_CHECKING:
    from textual.content import Content
    from textual.widget import Widget

    from companion.dashboard.source import Clock, Offers, Phones, TableLike
    from companion.display.tables import Shown
    from companion.rules.actions import Action, KeyMap
    from companion.rules.facts import Moment
    from companion.session.views import TableView


class PlacedPart(Protocol):
    """A part of the main screen: a `game_screen.ScreenPart`."""

    def placed(self, place: str) -> Widget: ...


class ShownGame(Protocol):
    """What a game contributes to its screens: a `game_screen.GameScreen`."""

    @property
    def counts_from(self) -> frozenset[str]: ...
    @property
    def steps(self) -> Mapping[str, frozenset[str]]: ...
    @property
    def since(self) -> str: ...
    @property
    def side_title(self) -> str: ...

    @property
    def aside_title(self) -> str: ...
    @property
    def stacked(self) -> bool: ...
    @property
    def dense(self) -> bool: ...
    @property
    def signs(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def shown_only(self) -> frozenset[str]: ...
    @property
    def has_counters(self) -> bool: ...
    @property
    def built_title(self) -> str: ...
    def title(self, view: TableView) -> str: ...
    def where(self, view: TableView) -> str: ...
    def latest(self, game: Any, /) -> Moment | None: ...
    def top(self, actions: tuple[Action, ...], /) -> PlacedPart: ...
    def side(self) -> PlacedPart: ...

    def aside(self) -> PlacedPart | None: ...
    def tables(self, view: TableView) -> tuple[Shown, ...]: ...
    def signal(self, view: TableView, /) -> str: ...
    def built(self, view: TableView, columns: int, rows: int, /) -> Content | None: ...
    def shows_key(self, action: Action, /) -> bool: ...
    def works(self, action: Action, view: TableView) -> bool: ...


class OpenedPages(Protocol):
    """Opens pages from other pages: a `pages.PageOpener`."""

    def why(self, n: int) -> None: ...
    def open_phones(self) -> None: ...


class AtTableLike(Protocol):
    """The dashboard at a table: an `at_table.AtTable`. Used only by the screen's thread."""

    @property
    def app(self) -> TableApp: ...
    @property
    def table(self) -> TableLike: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def game_screen(self) -> ShownGame: ...
    @property
    def actions(self) -> tuple[Action, ...]: ...
    @property
    def pages(self) -> OpenedPages: ...
    def enter(self, kind: str, body: Mapping[str, Any]) -> None: ...
    def refuse(self, text: str) -> None: ...
    def close_page(self) -> None: ...
    def curtain_closed(self) -> None: ...
    def leave(self, and_then: Callable[[], object]) -> None: ...


class TableApp(KeyQueue[None], inherit_bindings=False):
    """The app of a table: an `app.Dashboard`, where each of these is described."""

    keys: KeyMap
    ascii: bool
    odds: bool
    big: bool
    offers: Offers
    phones: Phones | None

    @property
    def at_table(self) -> AtTableLike:
        """The dashboard at its table, once there is one."""
        raise NotImplementedError

    @property
    def own(self) -> Mapping[str, Callable[[], object]]:
        """The actions that need no table, by the ids of the registry."""
        raise NotImplementedError

    def report_fault(self, error: Exception) -> None:
        """Report an exception in background work, in one sentence."""
        raise NotImplementedError
