"""The parts of the main page: the map, the players beside it, and the lines about the tray and the AIs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.labels import box_rows, labelled
from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.page import key_for_more, keys_of as app_keys
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Static
from companion.dashboard.widgets.tables import drawn_line
from companion.display.charts import ChartPlan, Spot, at_cell, drawn, plan
from companion.display.pictures import Chart
from companion.games.fractured_sky.rules.ai import DIRECTION_NAMES, Decision, Reason, found_by_table
from companion.games.fractured_sky.rules.board import Board
from companion.games.fractured_sky.rules.controls import (
    BY_HAND_KEY,
    PREFIX,
    key_of as game_key,
    number_of,
)
from companion.games.fractured_sky.rules.picture import LEGEND, PLATFORM, chart, keys_of, tied_place
from companion.games.fractured_sky.rules.reminders import reminders, sentences
from companion.games.fractured_sky.rules.view import (
    FracturedSkyView,
    MoveView,
    PlayerView,
    SlotView,
)
from companion.rules.actions import with_keys
from companion.rules.columns import plural
from companion.session.views import TableView

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ROW_CELLS = 2
"""Cells as wide as a row of the screen is high, about."""
ASIDE = 2
"""Weight of a cell to the side, against one straight ahead."""
ASKS_REGION = frozenset({"public", "turn", "early", "hidden"})
"""Phases in which number n answers with region n."""
BEFORE_A_ROUND = ("first", "public")
"""Phases in which the tray is laid out; nothing on it is worth a row yet."""
STARFALLS_CELLS = 4
WORDS_CELLS = 38
"""Least width of the players at which their pieces are written out."""
LABEL_CELLS = 8
PLAYERS_CELLS = 28
WIDE_PLAYERS_CELLS = 38
LEAST_ROWS = 11
"""Rows of the map on a screen of 24 rows, which leaves two to the log."""
TALL = 32
"""Least rows of a screen that has margins; the style sheet has the same number."""
BELOW = 14
"""Rows that everything else on the page needs at least."""


def beside(spots: Mapping[str, Spot], here: str, way: str) -> str:
    """Return the name of the nearest spot that way, or `here` if there is none; from nowhere, the leftmost spot."""
    if here not in spots:
        return min(spots, key=lambda name: (spots[name].x, spots[name].y), default=here)
    distances = {
        name: far
        for name in spots
        if (far := _distance(spots[here], spots[name], WAYS[way])) is not None
    }
    return min(distances, key=lambda name: (distances[name], name), default=here)


def _distance(start: Spot, end: Spot, way: tuple[int, int]) -> int | None:
    """Return how far `end` lies from `start`, or None if it does not lie that way.

    Upwards and downwards a spot has to be a whole row away: two regions that share a line are
    beside each other.
    """
    right = (2 * end.x + end.width - 2 * start.x - start.width) // 2
    down = end.y - start.y
    ahead, aside = (
        (right * way[0], ROW_CELLS * down) if way[0] else (ROW_CELLS * down * way[1], right)
    )
    least = 1 if way[0] else ROW_CELLS
    return ahead + ASIDE * abs(aside) if ahead >= least else None


def answer_with(game: FracturedSkyView, place: str) -> int | None:
    """Return the number that answers with a region or platform of the map, or None if it answers nothing now."""
    decision = game.move.decision if game.move is not None else None
    if decision is not None and decision.target is None and decision.card.kind != "scout":
        name = place.removeprefix(PLATFORM)
        return (
            number_of(game.table.board, decision.card.kind, name) if name in decision.ask else None
        )
    ids = game.table.board.ids
    return ids.index(place) + 1 if game.phase in ASKS_REGION and place in ids else None


def player_rows(game: FracturedSkyView, width: int, height: int) -> list[Content]:
    """Return the players in the order of the current row, then the next row, in at most `height` lines."""
    ranked = sorted(game.players, key=lambda player: (player.slot is None, player.slot or 0))
    next_row = list(Content(next_slots(game)).wrap(width))
    players, more = shown_and_more(ranked, height - len(next_row))
    if more:
        next_row = [Content.assemble((f"  {and_more(more)}", "$quiet")), *next_row]
    roomy = 2 * len(players) + len(next_row) <= height
    in_words = are_in_words(game, width, height)
    rows = [
        row
        for player in players
        for row in _player(game, player, width, roomy=roomy, in_words=in_words)
    ]
    return [*rows, *next_row][:height]


def are_in_words(game: FracturedSkyView, width: int, height: int) -> bool:
    """Return whether there is room to write the pieces out, three rows a player, so that no sign needs explaining."""
    return (
        width >= WORDS_CELLS
        and 3 * len(game.players) + len(Content(next_slots(game)).wrap(width)) <= height
    )


def _player(
    game: FracturedSkyView, player: PlayerView, width: int, *, roomy: bool, in_words: bool
) -> list[Content]:
    turn = player.id == (game.move.decision.ai if game.move is not None else game.to_move)
    mark = "> " if turn else "  "
    slot = f"{player.slot} " if player.slot is not None else "- "
    name = Content.assemble(
        (mark, "bold $accent"),
        (slot, "$quiet"),
        (f"{player.glyph} {player.name}", seat_style(player.color)),
    )
    below: list[Content] = []
    if not roomy:
        right = f" *{player.starfalls} ^{player.airships}{_state(player)}"
    elif in_words:
        right = f"{_state(player)} {plural(player.starfalls, 'Starfall')}"
        below = [Content(f"    {line}") for line in piece_words(player)]
    else:
        right = f"{_state(player)}{f'*{player.starfalls}':>{STARFALLS_CELLS}}"
        below = [Content(f"    {pieces(player)}").truncate(width, ellipsis=True)]
    name = name.truncate(width - len(right), ellipsis=True, pad=True)
    return [Content.assemble(name, (right, "bold" if roomy else "")), *below]


def piece_words(player: PlayerView) -> tuple[str, str]:
    """Return a player's pieces written out in two lines."""
    first = f"left: {plural(player.airships, 'Airship')}, {plural(player.fortresses, 'Fortress', 'Fortresses')}"
    second = f"{plural(player.markets, 'Market')}, {plural(player.skimmers, 'Skimmer')}"
    return first, second + (f", {player.on_card}" if player.on_card else "")


def pieces(player: PlayerView) -> str:
    """Return the pieces that a player may still place, and an AI's Market card: `^2 F5 M4 ~5`, `card 2/4`."""
    return f"^{player.airships} F{player.fortresses} M{player.markets} ~{player.skimmers} {player.on_card}".rstrip()


def _state(player: PlayerView) -> str:
    return " left" if player.left else " done" if player.done else ""


def next_slots(game: FracturedSkyView) -> str:
    """Return the turn slots of the next row: who took each, or the Gold it gives."""
    return f"Next row {'  '.join(_slot(game, slot) for slot in game.slots)}"


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    if slot.player is not None:
        return f"{slot.number} {game.player(slot.player).glyph}"
    gold = "?" if slot.gold is None else f"+{slot.gold} Gold" if slot.gold else "-"
    return f"{slot.number} {gold}"


def explored(game: FracturedSkyView) -> str:
    """Return how many Explore cards each seat drew, and how many are unused once the Hidden cards lie on the tray."""
    drawn = [f"{player.glyph} {player.draws}" for player in game.players if player.draws]
    left = f"; {plural(game.unused, 'card')} unused" if game.table.hidden else ""
    return f"drawn {', '.join(drawn) or 'by nobody yet'}{left}"


def by_hand_now(game: FracturedSkyView) -> str:
    """Return what to do by hand now, with the key of the form where it can be entered."""
    todo = sentences(reminders(game))
    entered = game.phase in ("turn", "slot") and todo
    return f"{todo} Press {with_keys(BY_HAND_KEY, game.keys)}." if entered else todo


def tray(game: FracturedSkyView) -> str:
    """Return the Public card, the Hidden cards with their markers, and who peeked at which Objective."""
    table, keys = game.table, keys_of(game)
    public = (
        f"Public {_region(table.board, keys, table.public)}"
        if table.public
        else "no Public card yet"
    )
    cards = [
        f"card {number}: {_region(table.board, keys, region) if region else '?'}{_marks(game, number)}"
        for number, region in enumerate(table.hidden, start=1)
    ]
    peeks = [f"{game.sign(seat)} peeked at {card}" for seat, card in game.peeks]
    return "   ".join((public, *cards, *peeks))


def _region(board: Board, keys: dict[str, str], region: str) -> str:
    return f"{keys.get(region, '')} {board.name(region)}".strip()


def _marks(game: FracturedSkyView, card: int) -> str:
    """Return the scouting markers on a card: `●Wood` took Wood, `●-` took nothing, `◇+` is an AI's,
    which does not say."""
    marks = [
        f"{game.sign(mark.player)}{mark.resource.capitalize() if mark.resource else '+' if mark.taken else '-'}"
        for mark in game.table.marks
        if mark.card == card
    ]
    return f" {' '.join(marks)}" if marks else ""


def move_lines(game: FracturedSkyView, move: MoveView) -> list[Content]:
    """Return the AI's card and the steps of its decision, each with the candidates it left, the last one in bold."""
    decision = move.decision
    named = partial(_short_name, decision.card.kind, keys_of(game))
    head = ", ".join(
        (f"{decision.card.kind} card", *(DIRECTION_NAMES[star] for star in decision.card.stars))
    )
    steps = Content.assemble(f"{head} > ", _steps(decision, named))
    if decision.target is not None:
        return [steps]
    asks = [tied_place(game, decision, place) for place in decision.ask]
    if found_by_table(game.table.board, decision.card.kind):
        asks += [with_keys(f"{BY_HAND_KEY} {'another' if asks else 'the'} platform", game.keys)]
        asks += [with_keys(f"{game_key('cannot')} none is free", game.keys)]
    return [
        steps,
        Content.assemble(("the table says: ", "bold $accent"), ("   ".join(asks), "bold")),
    ]


def _steps(decision: Decision, named: Callable[[str], str]) -> Content:
    """Return the candidates, what each step left of them, and in bold the step that decided."""
    *before, last = decision.reasons
    parts = [Content(f"{reason.text}{_left_over(reason, named)}") for reason in before]
    return Content(" > ").join(
        [*parts, Content.assemble((f"{last.text}{_left_over(last, named)}", "bold"))]
    )


def _left_over(reason: Reason, named: Callable[[str], str]) -> str:
    return f": {' '.join(map(named, reason.left))}" if reason.left else ""


def _short_name(kind: str, keys: Mapping[str, str], target: str) -> str:
    """Return a candidate as the map names it: a region by its key, a platform in brackets, a card by its number."""
    if kind in ("airship", "skimmer"):
        return keys.get(target) or target
    return f"card {target}" if kind == "scout" else f"[{target}]"


class MapPart(ScreenPart):
    """The map with its cursor, the players, and the legend of the map if there is room."""

    DEFAULT_CSS = """
    MapPart { layout: horizontal; padding: 0 1; }
    MapPart #sky-map { width: 1fr; height: 100%; text-wrap: nowrap; }
    MapPart #sky-players { width: auto; height: 100%; margin: 0 0 0 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._charted: tuple[FracturedSkyView, str, Chart] | None = None
        self._drawn: tuple[Chart, int, int] | None = None
        self._planned = ChartPlan({}, in_words=False)
        self._cursor = ""  # the region under it; nothing until an arrow key moves it

    def compose(self) -> ComposeResult:
        yield Static(id="sky-map")
        yield Static(id="sky-players")

    def draw(self, view: TableView) -> None:
        turn = None if view.abandoned else view.game.to_move
        game: FracturedSkyView = replace(view.game, keys=app_keys(self.app), to_move=turn)
        width = self.size.width
        if not width:
            return
        cramped, rows_of_app = self.screen.has_class("-cramped"), self.app.size.height
        height = (
            self.size.height if cramped else max(LEAST_ROWS, rows_of_app - BELOW - rows_of_app // 4)
        )
        beside = WIDE_PLAYERS_CELLS if self.app.size.width >= 110 else PLAYERS_CELLS
        short = rows_of_app < TALL
        self.styles.height = "1fr" if cramped else height
        self.styles.margin = (0 if short else 1, 0, 0, 0)
        if self._charted is None or self._charted[:2] != (game, self._cursor):
            self._charted = game, self._cursor, chart(game, self._cursor)
        self._draw_map(self._charted[2], width - beside - 1, height)
        rows = player_rows(game, beside, height)
        if not (self._planned.in_words and are_in_words(game, beside, height)):
            rows += [Content("")] * (height - len(rows) > len(LEGEND))
            rows += [Content.assemble((line, "$quiet")) for line in LEGEND]
        self.query_one("#sky-players", Static).update(
            Content("\n").join(row.pad_right(0) for row in rows)
        )
        self.query_one("#sky-players", Static).styles.width = beside

    def _draw_map(self, picture: Chart, width: int, height: int) -> None:
        if (picture, width, height) != self._drawn:
            self._drawn, self._planned = (picture, width, height), plan(picture, width, height)
            lines = map(drawn_line, drawn(picture, self._planned, width, height))
            self.query_one("#sky-map", Static).update(Content("\n").join(lines))

    @on(events.Click, "#sky-map")
    def answer_place(self, event: events.Click) -> None:
        """Answer with the place that was clicked, as its key does."""
        event.stop()
        if place := at_cell(self._planned.spots, event.x, event.y):
            self._answer(place)

    def perform(self, action_id: str) -> None:
        """Move the cursor, or answer with the region under it."""
        verb, _, way = action_id.removeprefix(PREFIX).partition(".")
        if self.shown is not None and verb == "move":
            regions = self.shown.game.table.board.ids
            spots = {name: spot for name, spot in self._planned.spots.items() if name in regions}
            self._cursor = beside(spots, self._cursor, way)
            self.fill()
        elif verb == "here":
            self._answer(self._cursor)

    def _answer(self, place: str) -> None:
        """Answer with a region or platform, or say what is awaited if none is asked for."""
        if self.shown is None:
            return
        game: FracturedSkyView = replace(self.shown.game, keys=app_keys(self.app))
        number = answer_with(game, place)
        if number is not None:
            self.call_later(self.app.run_action, f"app.perform('{PREFIX}answer.{number}')")
            return
        do = "To play on take the end back." if self.shown.ended else "Answer what is asked first."
        nothing, nowhere = f"That place answers nothing now. {do}", "The cursor is nowhere yet."
        text = nothing if place else f"{nowhere} Press an arrow key to show it."
        self.screen.query_one(NoticeLine).say(text, self.shown, refused=True)


class FracturedSkySide(ScreenPart, Static):
    """What to do by hand now; during a round also the tray, and the AI's move and its reasons or
    who drew Explore cards."""

    def draw(self, view: TableView) -> None:
        if width := self.content_size.width:
            game = replace(view.game, keys=app_keys(self.app))
            todo = by_hand_now(game)
            rows = labelled("By hand", [todo], LABEL_CELLS, width) if todo else []
            if game.phase not in BEFORE_A_ROUND:
                rows += labelled("Tray", [tray(game)], LABEL_CELLS, width)
                if game.move is None:
                    rows += labelled("Explore", [explored(game)], LABEL_CELLS, width)
                else:
                    rows += labelled("AI", move_lines(game, game.move), LABEL_CELLS, width)
            rows += box_rows(view, LABEL_CELLS, width, key_for_more(self.app))
            self.update(Content("\n").join(rows))
