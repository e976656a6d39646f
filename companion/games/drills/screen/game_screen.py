"""The drills' screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.content import Content

from companion.dashboard.game_screen import GameScreen, ScreenPart, SeatScores
from companion.dashboard.screens.big import HEIGHT, can_draw, drawn, largest
from companion.dashboard.widgets.bars import race_rows
from companion.dashboard.widgets.static import Static
from companion.dashboard.widgets.tables import table_rows
from companion.games.drills.panels import all_strings, margin, newest_times, shown, zero
from companion.games.drills.rules.keys import PREFIX, STARTS
from companion.games.drills.rules.view import DrillsView, StringView
from companion.games.drills.screen.ended import ended_rows
from companion.rules.actions import Action
from companion.session.views import TableView


class DrillsScreen(GameScreen):
    """The players above, the last time beside the log."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"signal"})
    since: ClassVar[str] = "since the signal"
    side_title: ClassVar[str] = "Signal and times"
    steps: ClassVar[Mapping[str, frozenset[str]]] = {
        "delay": frozenset({"ready"}),
        "signal": frozenset({"delay"}),
        "shot": frozenset({"signal"}),
        "plate": frozenset({"signal"}),
    }
    built_title: ClassVar[str] = "Times of each string, seconds"
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        ("█ in large digits", "The last time, in seconds."),
        ("string", "One attempt, from the signal to its last shot or press."),
        ("dry pull", "The trigger was pulled, but nothing was hit: no shot."),
        ("knock", "Something hit the sensor without a pull: no shot."),
    )

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        own = {}
        for action in actions:
            # Where players take turns, the prompt has one key for whoever is next; a number beside each of them
            # would read as a button to press now.
            if (place := _place_of(action)) and not action.label.endswith(STARTS):
                own[place] = ((action, action.label.partition(" ")[2]),)
        return SeatScores(own)

    def built(self, view: TableView, columns: int, _rows: int) -> Content | None:
        rows = ended_rows(view.game, columns)
        return Content("\n").join(rows) if rows else None

    def side(self) -> ScreenPart:
        return TimePart()

    def shows_key(self, action: Action) -> bool:
        """Return True for the keys of one player, which are shown beside the player."""
        return bool(_place_of(action))


def _place_of(action: Action) -> int:
    """Return the place of the player whose key it is, 0 for a key of all."""
    place = action.id.removeprefix(f"{PREFIX}seat.")
    return int(place) if place.isdecimal() else 0


class TimePart(ScreenPart, Static):
    """Whose time it is, the time in the largest digits that fit, and what it counts from."""

    def draw(self, view: TableView) -> None:
        game: DrillsView = view.game
        # A third of a small screen: the log needs the rest.
        width, height = self.content_size.width, self.screen.size.height // 3
        if not width:
            return
        above: list[Content] = []
        text: list[Content] = []
        if game.last is not None:
            whose, *others = _string_rows(game.last, game)
            above = [*whose.wrap(width), *([Content("")] if self.roomy else [])]
            text = [Content(""), *(row for line in others for row in line.wrap(width))]
        bars: list[Content] = []
        if self.roomy:
            taken = len(above) + len(text)
            height = self.content_size.height - taken
            most = self.content_size.height - HEIGHT - taken - len(("gap",))
            bars = time_rows(game, width, most)
            height -= len(bars)
        digits = [Content.styled(line, "bold") for line in large(shown(game), width, height)]
        rows = [*above, *digits, *text, *bars]
        if self.roomy:
            rows += string_rows(game, width, self.content_size.height - len(rows))
        self.update(Content("\n").join(rows))


def time_rows(game: DrillsView, width: int, most: int) -> list[Content]:
    """Return the players' last times as bars of one scale, in at most `most` rows; none without room for one each."""
    timed = [player for player in game.players if player.times]
    each = (most - len(("gap", "title"))) // max(1, len(timed))
    if not timed or each < 1:
        return []
    race = newest_times(game, each)
    rows = [] if race is None else race_rows(race, width)
    return [Content(""), *rows] if rows else []


def string_rows(game: DrillsView, width: int, most: int) -> list[Content]:
    """Return what every string came to, false starts too, if that takes at most `most` rows; nothing for a single one,
    which is above."""
    if len(game.strings) < 2:
        return []
    rows = [Content(""), *table_rows([all_strings(game)], width)]
    return rows if len(rows) <= most else []


def large(text: str, columns: int, rows: int) -> list[str]:
    """Return `text` in block letters as large as they fit, or as it is if they do not."""
    if not can_draw(text):
        return [text]
    across, down = largest([text], columns, max(5, rows))
    lines = drawn(text, across, down)
    return lines if len(lines[0]) <= columns else [text]


def _string_rows(string: StringView, game: DrillsView) -> list[Content]:
    if game.phase == "wait":
        return [Content.assemble((string.says("nothing counts before the signal"), "$quiet"))]
    ended = ", ".join(filter(None, (string.ended + margin(string), string.praise)))
    times = [
        f"{label} {'unknown' if span is None else span.text()}" for label, span in string.times
    ]
    lines = [string.says(ended), "   ".join(times) if len(times) > 1 else ""]
    begun = f"Counted from {zero(string)}." if string.by else f"{zero(string).capitalize()}."
    return [*(Content(line) for line in lines if line), Content.assemble((begun, "$quiet"))]
