"""The drills' screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.content import Content

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.dashboard.screens.big import can_draw, drawn, largest
from companion.dashboard.widgets.static import Static
from companion.games.drills.panels import zero
from companion.games.drills.rules.text import in_seconds
from companion.games.drills.rules.view import DrillsView, StringView
from companion.games.drills.screen.ended import time_rows
from companion.rules.spans import measured
from companion.session.views import TableView


class DrillsScreen(GameScreen):
    """The players above, the last time beside the log."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"signal"})
    since: ClassVar[str] = "since the signal"
    steps: ClassVar[Mapping[str, frozenset[str]]] = {
        "delay": frozenset({"ready"}),
        "signal": frozenset({"delay"}),
        "shot": frozenset({"signal"}),
        "plate": frozenset({"signal"}),
    }
    built_title: ClassVar[str] = "Times of each string, seconds"
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        ("█ in large digits", "The last time, in seconds."),
    )

    def built(self, view: TableView, columns: int, _rows: int) -> Content | None:
        rows = time_rows(view.game, columns)
        return Content("\n").join(rows) if rows else None

    def side(self) -> ScreenPart:
        return TimePart()


class TimePart(ScreenPart, Static):
    """The next instruction, or the last time in the largest digits that fit; below it what it counts from."""

    def draw(self, view: TableView) -> None:
        game: DrillsView = view.game
        # A third of the screen: the log needs the rest.
        width, height = self.content_size.width, self.screen.size.height // 3
        if not width:
            return
        rows = [Content.assemble((line, "bold")) for line in large(_shown(game), width, height)]
        rows += [] if game.last is None else [Content(""), *_string_rows(game.last, game)]
        self.update(Content("\n").join(rows))


def large(text: str, columns: int, rows: int) -> list[str]:
    """Return `text` in block letters as large as they fit, or as it is if they do not."""
    if not can_draw(text):
        return [text]
    across, down = largest([text], columns, max(5, rows))
    lines = drawn(text, across, down)
    return lines if len(lines[0]) <= columns else [text]


def _shown(game: DrillsView) -> str:
    if game.phase == "wait":
        return "WAIT"
    last = game.last
    if last is None:
        return "- - -"
    if game.phase == "fire" and not last.times:
        return "GO"
    if last.result is not None:
        return in_seconds(last.result)
    # A string that is under way, or does not count, has no result: its newest time stands for it.
    newest = last.times[-1][1] if last.times else None
    return "- - -" if newest is None else in_seconds(newest)


def _string_rows(string: StringView, game: DrillsView) -> list[Content]:
    if game.phase == "wait":
        return [Content.assemble((string.says("nothing counts before the signal"), "$quiet"))]
    ended = ", ".join(filter(None, (string.ended, string.praise)))
    times = [
        f"{label} {'unknown' if span is None else measured(span.us, span.pm)}"
        for label, span in string.times
    ]
    lines = [string.says(ended), "   ".join(times) if len(times) > 1 else ""]
    begun = f"From {zero(string)}." if string.by else f"{zero(string).capitalize()}."
    return [*(Content(line) for line in lines if line), Content.assemble((begun, "$quiet"))]
