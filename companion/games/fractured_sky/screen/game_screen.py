"""The dashboard of Fractured Sky: its parts, keys and forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from textual.content import Content
from textual.screen import Screen

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.screens.outcome import OutcomePage
from companion.dashboard.source import TableLike
from companion.display.panels import panels_of
from companion.display.tables import plain_lines
from companion.games.fractured_sky.rules.controls import (
    BY_HAND,
    COMPASS,
    GAME,
    OWN_BY_HAND,
    OWN_COMPASS,
    PREFIX,
)
from companion.games.fractured_sky.rules.powers import WITH_POWERS
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.cursor import WAYS, MapCursor, answer_with
from companion.games.fractured_sky.screen.forms import (
    BY_HAND as BY_HAND_KINDS,
    EXAMPLE,
    ByHandForm,
    PowersForm,
    asks_compass,
)
from companion.games.fractured_sky.screen.parts import (
    MAP,
    MapPart,
    PlayersPart,
    WordsPart,
    ended_map,
)
from companion.games.fractured_sky.screen.turns import turn_form
from companion.rules.actions import Action
from companion.rules.facts import Refused, after_the_end
from companion.session.views import TableView

AWAITED = frozenset(f"{PREFIX}{word}" for word in ("next", "cannot", "end"))
AIRSHIP, TAKE, PEEK = (f"{PREFIX}{word}" for word in ("airship", "take", "peek"))
MOVE, HERE = f"{PREFIX}move.", f"{PREFIX}here"
POWERS, RESOLUTION = f"{PREFIX}powers", f"{PREFIX}resolution"
_TURNS = tuple(
    Action(f"{PREFIX}{word}", (key,), label, text, GAME, footer=True)
    for word, key, label, text in (
        (
            "airship",
            "a",
            "Airship",
            "Place an Airship; on an AI's turn: it turned up an Airship card (FS-8, FS-34).",
        ),
        (
            "fortress",
            "f",
            "Fortress",
            "Build a Fortress; on an AI's turn: its card is a Fortress (FS-12, FS-34).",
        ),
        (
            "market",
            "m",
            "Market",
            "Build a Market; on an AI's turn: its card is a Market (FS-12, FS-34).",
        ),
        (
            "skimmer",
            "i",
            "Skimmer",
            "Build a Skimmer; on an AI's turn: its card is a Skimmer (FS-12, FS-34).",
        ),
        (
            "scout",
            "s",
            "scout",
            "Scout a Hidden card; on an AI's turn: its card is a Scout (FS-16, FS-34).",
        ),
        ("take", "g", "take", "Take a resource by the card that was just scouted (FS-16)."),
        ("peek", "t", "peek", "Peek at an Objective (FS-17)."),
        (
            "compass",
            OWN_COMPASS,
            "compass",
            "Name the compass that an AI's move asks for, star by star (FS-35).",
        ),
    )
)
TURNS = frozenset(action.id for action in _TURNS)
ACTIONS = (
    *(
        Action(f"{MOVE}{way}", (way,), way, f"Move the cursor over the map: {way}.", "answers")
        for way in WAYS
        if way != "down"
    ),
    Action(HERE, ("enter",), "here", "Answer with the region under the cursor.", "answers"),
    *_TURNS,
    Action(
        POWERS, ("p",), "powers", "Enter the powers under the Airships (FS-21).", GAME, footer=True
    ),
    Action(
        BY_HAND,
        (OWN_BY_HAND,),
        "by hand",
        "Set a count, a turn, a piece, an AI's move or the map by hand.",
        GAME,
    ),
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


ENTERS = {
    AIRSHIP: ("airship", "ai_turn"),
    **{f"{PREFIX}{word}": ("build", "ai_turn") for word in ("fortress", "market")},
    f"{PREFIX}skimmer": ("skimmer", "ai_turn"),
    f"{PREFIX}scout": ("scout", "ai_turn"),
    TAKE: ("take",),
    PEEK: ("peek",),
    COMPASS: ("ai_compass",),
    POWERS: ("powers",),
    BY_HAND: BY_HAND_KINDS,
}
"""What is typed in plain lines instead of a form."""
ON_MAP = dict.fromkeys((MOVE, HERE), "the map has no cursor in lines: type the number of a region")


class FracturedSkyScreen(GameScreen):
    """The players above; the map below the prompt, with words and the log beside it, or words above the log."""

    side_title, aside_title = MAP, "Region and tray"
    built_title = MAP
    dense = True
    shown_only = frozenset({RESOLUTION})
    enters = ENTERS
    only_on_screen = ON_MAP
    signs = (
        ("○ ◇", "The AIs: black and orange."),
        ("─ │ ├ ┤ ┬ ┴ ┼", "A bridge, on the map; it can fork to several regions."),
        ("8>", "The region that is described in words."),
        ("plays 1st", "Turn slot 1 of this round."),
        ("Market card 1 of 4", "1 resource lies on it; the 4th gains the AI a Starfall."),
    )

    def __init__(self) -> None:
        self._cursor = MapCursor()

    def title(self, view: TableView) -> str:
        return f"Fractured Sky, {EXAMPLE}" if view.game.example else "Fractured Sky"

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
        if action.id in TURNS:
            return _means_on_a_turn(action, game)
        means_now = {
            POWERS: game.phase in WITH_POWERS,
            RESOLUTION: game.resolution is not None or bool(game.past),
            HERE: game.phase in WITH_POWERS
            or any(answer_with(game, place) is not None for place in game.table.board.ids),
        }
        return means_now.get(action.id, True)

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
            return ByHandForm(table, game)
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
        return turn_form(action_id.removeprefix(PREFIX), table, game)


def _means_on_a_turn(action: Action, game: FracturedSkyView) -> bool:
    if action.id == TAKE:
        return game.looking is not None
    if action.id == COMPASS:
        return asks_compass(game)
    mover = game.mover
    if game.phase != "turn" or mover is None or mover.virtual:
        return False
    if action.id == AIRSHIP:
        return mover.ai  # a seat's Airship goes to the region whose key is pressed
    if action.id == PEEK:
        return not mover.ai and sum(player.ai for player in game.players) < 2  # FS-5
    return True
