"""The screens before a game: what to play, with which rules and box, what to lay out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from companion.box.entry import BoxEntry
from companion.commands.components import starting_text
from companion.config.schema import Preferences
from companion.dashboard.box_entry import BoxEntryApp
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import NewGame, Past, Search
from companion.games.fractured_sky.screen.editor import MapEditor
from companion.link.finder import BoardSearch
from companion.rules.components import example
from companion.rules.registry import open_game
from tests.dashboard.every_screen import Keys

Screen = tuple[Callable[[], App[Any]], Keys]
FRIDAY = Past(
    Path("friday.sqlite"),
    "panic-fire",
    "Panic Fire",
    ("Anna", "Ben", "Carl"),
    "begun 2025-01-31 20:15",
    112,
    False,
)
SUNDAY = Past(
    Path("sunday.sqlite"),
    "skyfire",
    "SkyFire",
    ("Dora", "Emil", "Anna"),
    "begun 2025-01-26 18:00",
    9,
    True,
)
BOXED = ("panic-fire", "skyfire", "sky-rise", "fractured-sky")
OF_A_NEW_GAME: Mapping[str, Keys] = {
    "ready": (),
    "house-rules": ("3",),
    "box": ("4",),
    "checklist": ("6",),
}


def before_a_game(preferences: Preferences) -> Mapping[str, Screen]:
    """Return for each screen, by name, how to make its app and the keys that lead to it."""
    first, again = partial(_start, (), preferences), partial(_start, (FRIDAY, SUNDAY), preferences)
    screens: dict[str, Screen] = {
        "start-first-time": (first, ()),
        "start-again": (again, ()),
        "start-games": (first, ("enter",)),
        "start-players": (first, ("enter", "1")),
        "start-board": (partial(_start, (), preferences, "panic-fire"), ("5",)),
        "map": (partial(_editor, preferences), ()),
    }
    for game in BOXED:
        begun = partial(_start, (), preferences, game)
        screens |= {f"{game}-{name}": (begun, keys) for name, keys in OF_A_NEW_GAME.items()}
        screens[f"{game}-box-question"] = (partial(_box, preferences, game), ())
    screens["fractured-sky-box-card"] = (
        partial(_box, preferences, "fractured-sky"),
        ("pagedown",) * 8,
    )
    return screens


def _start(past: tuple[Past, ...], preferences: Preferences, game: str = "") -> StartApp:
    search = Search(
        lambda _: BoardSearch(
            None, "No USB serial port found: plug the board in, or name its port."
        )
    )
    begun = NewGame(game, ["Anna", "Ben", "Carl"], box="packaged") if game else None
    return StartApp(past, preferences, search, game=begun)


def _box(preferences: Preferences, game: str) -> BoxEntryApp:
    entry = BoxEntry(game, starting_text(game), "my copy")
    return BoxEntryApp(entry, open_game(game).title, wanted=preferences)


def _editor(preferences: Preferences) -> MapEditor:
    """Return an editor of the example's map that saves nothing."""
    box = example("fractured-sky")
    return MapEditor(
        box, "eight", Path("no draft"), lambda *_: Path("nothing"), "an example", wanted=preferences
    )
