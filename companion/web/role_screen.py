"""What a game declares for its screen that pages of roles show as well: its title, a signal and forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.display.panels import GameForm, panels_of, title_of
from companion.rules.registry import part_of
from companion.session.views import TableView

if TYPE_CHECKING:
    from companion.dashboard.game_screen import GameScreen


@dataclass(frozen=True, slots=True)
class Declared:
    """A game's title, what a large page shows in place of the clock, and the forms of its screen."""

    title: str
    signal: str
    forms: tuple[GameForm, ...]


def screen_declares(view: TableView) -> Declared:
    """Return what the game of this view declares among its panels, or only on its screen, as games by others may."""
    game_id, game = view.setup.game, view.game
    panels = panels_of(game_id)
    if panels.forms is None and part_of(game_id, "screen") is not None:
        return _by_screen(view)
    return Declared(title_of(game_id, game), panels.signal(game), panels.forms or ())


def _by_screen(view: TableView) -> Declared:
    # Imported late: only for such a game the terminal's library is needed.
    from companion.dashboard.game_screen import game_screen_of

    screen = game_screen_of(view.setup.game)
    return Declared(screen.title(view), screen.signal(view), tuple(_forms(screen, view)))


def _forms(screen: GameScreen, view: TableView) -> Iterator[GameForm]:
    def works(action: Any, _game: Any) -> bool:
        return screen.works(action, view)

    for action in screen.actions():
        kinds = screen.enters.get(action.id, ())
        if kinds:
            yield GameForm(action, kinds, partial(works, action))
