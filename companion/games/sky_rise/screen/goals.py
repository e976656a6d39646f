"""A seat's own goals behind its curtain: what each color would score now as Nest and as Tree, and a note of its two."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from companion.dashboard.game_screen import SecretPart
from companion.dashboard.tables import table_rows
from companion.dashboard.widgets.static import Static
from companion.games.sky_rise.panels import PANELS
from companion.games.sky_rise.rules.facts import Color
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS
from companion.games.sky_rise.rules.view import ColorView, SkyRiseView, note_lines
from companion.games.sky_rise.screen.grid import KINDS, chip
from companion.rules.game import Seat
from companion.rules.panels import NO_NOTES

Goal = Literal["nest", "tree"]
_NAMES: dict[Goal, str] = {"nest": "Nest", "tree": "Tree"}
KEYS = "a color's key chooses   Tab the other goal   Enter notes both"
_HEAD = f"{'':<14}{'as Nest':<24}as Tree"


class GoalsPart(SecretPart, can_focus=True):
    """Two choices, Nest and Tree, each by a color's key; Enter notes both (SR-3)."""

    DEFAULT_CSS = """
    GoalsPart { height: auto; layout: vertical; }
    GoalsPart Static { height: auto; margin: 0 0 1 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"choose({place})", show=False) for place, key in enumerate(KINDS)),
        Binding("left,right,up,down,tab,shift+tab", "other", show=False),
        Binding("enter", "note", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._seat: Seat | None = None
        self._game: SkyRiseView | None = None
        self._asked: Goal = "nest"
        self._chosen: dict[Goal, Color] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="noted")
        yield Static(id="scores")
        yield Static(id="choice")

    def on_mount(self) -> None:
        self.focus()

    def answered(self, refusal: str | None) -> None:
        if refusal is None:
            self._chosen, self._asked = {}, "nest"
            self._fill()

    def show_seat(self, seat: Seat, secrets: SkyRiseView) -> None:
        """Show what `seat` has noted, and what all colors would score by the tower as it stands."""
        self._seat, self._game = seat, secrets
        self._fill()

    def _fill(self) -> None:
        game = self._game
        if game is None or not self.is_mounted:
            return
        rows = [Content.assemble((_HEAD, "$quiet"))]
        rows += [scores_of(key, color) for key, color in zip(KINDS, game.colors, strict=False)]
        own = [*table_rows(PANELS.own(game, self._seat.id) or (), self.size.width)] if self._seat is not None else []
        self.query_one("#noted", Static).update(Content("\n").join(own) or Content(NO_NOTES))
        self.query_one("#choice").display = not (game.dealt and game.own)
        self.query_one("#scores", Static).update(Content("\n").join(rows))
        self.query_one("#choice", Static).update(self._choice())

    def _choice(self) -> Content:
        parts: list[str | tuple[str, str]] = []
        for goal, name in _NAMES.items():
            parts += [("  > " if goal == self._asked else "    ", "bold $accent"), f"{name} "]
            parts.append((self._chosen.get(goal, "?"), "bold"))
        return Content.assemble("to note:", *parts, ("\n" + KEYS, "$quiet"))

    def action_choose(self, place: int) -> None:
        """Take the color with that key, and ask for the other goal if it is still open."""
        if self._game is None or place >= len(self._game.colors):
            return
        self._chosen[self._asked] = self._game.colors[place].name
        other = _other(self._asked)
        self._asked = other if other not in self._chosen else self._asked
        self._fill()

    def action_other(self) -> None:
        self._asked = _other(self._asked)
        self._fill()

    def action_note(self) -> None:
        """Note both; one that was not chosen stays as it was noted before."""
        own = self._game.own if self._game is not None else None
        before: dict[str, str] = {"nest": own.nest, "tree": own.tree} if own is not None else {}
        goals = before | {str(goal): str(color) for goal, color in self._chosen.items()}
        lines = () if self._game is None or self._seat is None else note_lines(self._game, self._seat.id)
        missing = " and the ".join(name for goal, name in _NAMES.items() if goal not in goals)
        if lines and missing:
            self.post_message(self.NotTaken(f"Press a color's key for the {missing} first."))
        elif lines and not self._chosen:
            self.post_message(self.NotTaken("Both are noted. To change one press a color's key first."))
        elif lines:
            self.post_message(self.Entered(lines[0].kind, lines[0].body(goals)))


def _other(goal: Goal) -> Goal:
    return "tree" if goal == "nest" else "nest"


def scores_of(key: str, color: ColorView) -> Content:
    """Return what a color would score now for whoever has it as Nest, or as Tree; the tower is open to all."""
    nest = f"{color.total}{f', {color.building} on this level' if color.building else ''}"
    where = f", columns {' '.join(color.columns)}" if color.columns else ""
    tree = f"{COLUMN_POINTS * len(color.columns)}{where}"
    return Content.assemble(
        (key, "bold $primary"), " ", chip(color.letter, color.name, color.ink), f" {color.name:<8}{nest:<24}{tree}"
    )
