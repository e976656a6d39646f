"""The dashboard of Fractured Sky: its parts, keys and forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from textual.content import Content
from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.screens.outcome import OutcomePage
from companion.dashboard.source import TableLike
from companion.display.panels import entered_by, means_form, panels_of
from companion.display.tables import plain_lines
from companion.games.fractured_sky.forms import (
    BY_HAND_FORM,
    FORMS,
    POWERS,
    POWERS_FORM,
    TURN_FORMS,
)
from companion.games.fractured_sky.rules.controls import (
    BY_HAND,
    GAME,
    PREFIX,
)
from companion.games.fractured_sky.rules.powers import WITH_POWERS
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.cursor import WAYS, MapCursor, answer_with
from companion.games.fractured_sky.screen.forms import (
    ByHandForm,
    PowersForm,
)
from companion.games.fractured_sky.screen.parts import (
    MAP,
    MapPart,
    PlayersPart,
    WordsPart,
    ended_map,
)
from companion.games.fractured_sky.screen.turns import PlatformMissing, turn_form
from companion.rules.actions import Action
from companion.rules.facts import Refused, after_the_end
from companion.session.views import TableView

AWAITED = frozenset(f"{PREFIX}{word}" for word in ("next", "cannot", "end"))
MOVE, HERE = f"{PREFIX}move.", f"{PREFIX}here"
RESOLUTION = f"{PREFIX}resolution"
ACTIONS = (
    *(
        Action(f"{MOVE}{way}", (way,), way, f"Move the cursor over the map: {way}.", "answers")
        for way in WAYS
        if way != "down"
    ),
    Action(HERE, ("enter",), "here", "Answer with the region under the cursor.", "answers"),
    *TURN_FORMS,
    POWERS_FORM,
    BY_HAND_FORM,
    Action(
        RESOLUTION,
        ("r",),
        "resolution",
        "How the round resolves, region by region.",
        GAME,
        footer=True,
    ),
    # the footer shows one of the four arrows, after the other keys
    Action(
        f"{MOVE}down",
        ("down",),
        "move on map",
        "Move the cursor over the map: down.",
        "answers",
        footer=True,
    ),
)


ON_MAP = dict.fromkeys((MOVE, HERE), "the map has no cursor in lines: type the number of a region")


class FracturedSkyScreen(GameScreen):
    """The players above; the map below the prompt, with words and the log beside it, or words above the log."""

    side_title, aside_title = MAP, "Region and tray"
    built_title = MAP
    dense = True
    shown_only = frozenset({RESOLUTION})
    enters = entered_by(FORMS)
    only_on_screen = ON_MAP
    signs = (
        ("○ ◇", "The AIs: black and orange."),
        ("─ │ ├ ┤ ┬ ┴ ┼", "A bridge, on the map; it can fork to several regions."),
        (
            "8>",
            "The region that is described in words; >8 is a place where an AI's card may go.",
        ),
        ("plays 1st", "Turn slot 1 of this round."),
        ("Market card 1 of 4", "1 resource lies on it; the 4th gains the AI a Starfall."),
    )

    def __init__(self) -> None:
        self._cursor = MapCursor()
        self._without_platform: FracturedSkyView | None = None
        """The game in which a building was refused because its platform is not known yet."""

    def top(self, _actions: tuple[Action, ...]) -> ScreenPart:
        return PlayersPart(self._cursor)

    def side(self) -> ScreenPart:
        return MapPart(self._cursor)

    def aside(self) -> ScreenPart:
        return WordsPart(self._cursor)

    def built(self, view: TableView, columns: int, rows: int) -> Content | None:
        return ended_map(view.game, columns, rows)

    def shows_key(self, action: Action) -> bool:
        """Return whether the page shows a key elsewhere: on the map, or in the line that says what is awaited."""
        return action.id.startswith(f"{PREFIX}answer.") or action.id in AWAITED

    def means(self, action: Action, game: FracturedSkyView) -> bool:
        """Return whether a key works now: pieces on a turn (FS-7), powers once the Hidden cards are
        revealed (FS-21)."""
        if action.id.startswith(MOVE):
            return game.phase not in ("first", "over")
        means_now = {
            RESOLUTION: game.resolution is not None or bool(game.past),
            HERE: game.phase in WITH_POWERS
            or any(answer_with(game, place) is not None for place in game.table.board.ids),
        }
        return means_now.get(action.id, True) and means_form(FORMS, action, game)

    def actions(self) -> tuple[Action, ...]:
        """Return the keys beyond those of `controls.actions`: the cursor, forms of a turn, powers,
        corrections, resolution."""
        return ACTIONS

    def lines(self, _action_id: str, view: TableView, columns: int) -> Iterable[str]:
        """Return how the last round resolved, in plain lines."""
        outcomes = panels_of(view.setup.game).outcomes(view.game)
        if not outcomes:
            return ("No round is over yet.",)
        return (outcomes[-1].title, *plain_lines(outcomes[-1].on_screen, columns))

    def form(self, action_id: str, table: TableLike) -> Screen[None] | None:
        """Return the form that an action opens, or None if the map handles it; raise `Refused` if
        it means nothing now."""
        game: FracturedSkyView = replace(table.view().game, keys=self.keys)
        if action_id == RESOLUTION:
            return OutcomePage("End of the round", "No round is over yet.")
        if action_id == BY_HAND:
            asked = "map_platform" if game == self._without_platform else ""
            return ByHandForm(table, game, asked)
        if game.phase == "over":
            raise after_the_end("FS-30")
        if action_id == HERE and game.phase in WITH_POWERS:
            return PowersForm(table)
        if action_id == HERE or action_id.startswith(MOVE):
            return None
        if action_id == POWERS:
            if game.phase not in WITH_POWERS:
                raise Refused(
                    "FS-21", "powers are entered at the end of the round", do="Play on until then."
                )
            return PowersForm(table)
        try:
            return turn_form(action_id.removeprefix(PREFIX), table, game)
        except PlatformMissing:
            self._without_platform = game
            raise
