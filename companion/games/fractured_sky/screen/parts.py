"""The parts of the main page: the map, the players beside it, and the lines about the tray and the AIs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

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
from companion.games.fractured_sky.rules.ai import DIRECTION_NAMES, Decision, found_by_table
from companion.games.fractured_sky.rules.board import Board
from companion.games.fractured_sky.rules.controls import (
    BY_HAND_KEY,
    PREFIX,
    key_of as game_key,
    number_of,
)
from companion.games.fractured_sky.rules.picture import (
    CURSOR,
    LEGEND,
    PLATFORM,
    chart,
    keys_of,
    tied_place,
)
from companion.games.fractured_sky.rules.reminders import reminders, sentences
from companion.games.fractured_sky.rules.view import (
    FracturedSkyView,
    MoveView,
    PlayerView,
    SlotView,
)
from companion.rules.actions import with_keys
from companion.rules.columns import plural, wrap
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
WORDS_CELLS = 38
"""Least width of the players at which their pieces are written out."""
LABEL_CELLS = 8
PLAYERS_CELLS = 28
WIDE_PLAYERS_CELLS = 38
MOST_REGION_ROWS = 6
"""Rows for the words about the region under the cursor."""
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
    distances = {}
    for name, spot in spots.items():
        distance = _distance(spots[here], spot, WAYS[way])
        if distance is not None:
            distances[name] = distance
    return min(distances, key=lambda name: (distances[name], name), default=here)


def _distance(start: Spot, end: Spot, way: tuple[int, int]) -> int | None:
    """Return how far `end` lies from `start`, or None if it does not lie that way.

    Upwards and downwards a spot has to be a whole row away: two regions that share a line are
    beside each other.
    """
    # from middle to middle, in cells; names of different length share a line
    right = (2 * end.x + end.width - 2 * start.x - start.width) // 2
    down = ROW_CELLS * (end.y - start.y)
    to_the_right, downwards = way
    if to_the_right:
        ahead, aside, least = right * to_the_right, down, 1
    else:
        ahead, aside, least = down * downwards, right, ROW_CELLS
    if ahead < least:
        return None
    return ahead + ASIDE * abs(aside)


def answer_with(game: FracturedSkyView, place: str) -> int | None:
    """Return the number that answers with a region or platform of the map, or None if it answers nothing now."""
    board = game.table.board
    decision = game.move.decision if game.move is not None else None
    if decision is not None and decision.target is None and decision.card.kind != "scout":
        name = place.removeprefix(PLATFORM)
        if name in decision.ask:
            return number_of(board, decision.card.kind, name)
        return None
    if game.phase in ASKS_REGION and place in board.ids:
        return board.ids.index(place) + 1
    return None


def player_rows(game: FracturedSkyView, width: int, height: int) -> list[Content]:
    """Return the players in the order of the current row, then the next row, in at most `height` lines."""
    # who has no slot in the current row comes last
    ranked = sorted(game.players, key=lambda player: (player.slot is None, player.slot or 0))
    next_row = list(Content(next_slots(game)).wrap(width))
    players, more = shown_and_more(ranked, height - len(next_row) - 1)
    if more:
        next_row = [Content.assemble((f"  {and_more(more)}", "$quiet")), *next_row]
    roomy = 2 * len(players) + len(next_row) <= height
    in_words = are_in_words(game, width, height)
    # a number of each player is explained once, above all of them
    rows = [] if roomy else [Content.styled(f"{'Starfalls':>{width}}", "$quiet")]
    for player in players:
        rows += _player(game, player, width, roomy=roomy, in_words=in_words)
    return [*rows, *next_row][:height]


def are_in_words(game: FracturedSkyView, width: int, height: int) -> bool:
    """Return whether there is room to write the pieces out, three rows a player, so that no sign needs explaining."""
    rows = 3 * len(game.players) + len(Content(next_slots(game)).wrap(width))
    return width >= WORDS_CELLS and rows <= height


def _player(
    game: FracturedSkyView, player: PlayerView, width: int, *, roomy: bool, in_words: bool
) -> list[Content]:
    mover = game.move.decision.ai if game.move is not None else game.to_move
    slot = "-" if player.slot is None else str(player.slot)
    name = Content.assemble(
        ("> " if player.id == mover else "  ", "bold $accent"),
        (f"{slot} ", "$quiet"),
        (f"{player.glyph} {player.name}", seat_style(player.color)),
    )
    below: list[Content] = []
    if not roomy:
        right = f"{_state(player)} {player.starfalls}"
    else:
        right = f"{_state(player)} {plural(player.starfalls, 'Starfall')}"
        lines = piece_words(player) if in_words else (airships_left(player),)
        below = [Content(f"    {line}").truncate(width, ellipsis=True) for line in lines]
    name = name.truncate(width - len(right), ellipsis=True, pad=True)
    return [Content.assemble(name, (right, "bold" if roomy else "")), *below]


def piece_words(player: PlayerView) -> tuple[str, str]:
    """Return a player's pieces written out in two lines."""
    airships = plural(player.airships, "Airship")
    fortresses = plural(player.fortresses, "Fortress", "Fortresses")
    others = f"{plural(player.markets, 'Market')}, {plural(player.skimmers, 'Skimmer')}"
    if player.on_card:
        others += f", {player.on_card}"
    return f"left: {airships}, {fortresses}", others


def airships_left(player: PlayerView) -> str:
    """Return the Airships that a player may still place, and an AI's Market card."""
    left = plural(player.airships, "Airship")
    return f"{left}, {player.on_card}" if player.on_card else f"{left} left"


def _state(player: PlayerView) -> str:
    if player.left:
        return " left"
    return " done" if player.done else ""


def next_slots(game: FracturedSkyView) -> str:
    """Return the turn slots of the next row: who took each, or the Gold it gives."""
    return f"Next row: {', '.join(_slot(game, slot) for slot in game.slots)}"


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    if slot.player is not None:
        return f"{slot.number} {game.player(slot.player).glyph}"
    return f"{slot.number} ({slot.gold} Gold)" if slot.gold else str(slot.number)


def explored(game: FracturedSkyView) -> str:
    """Return how many Explore cards each seat drew, and how many are unused once the Hidden cards lie on the tray."""
    drawn = [f"{player.glyph} {player.draws}" for player in game.players if player.draws]
    left = f"; {plural(game.unused, 'card')} unused" if game.table.hidden else ""
    return f"drawn {', '.join(drawn) or 'by nobody yet'}{left}"


def region_rows(picture: Chart, width: int) -> list[Content]:
    """Return the site under the cursor in words, in lines of `width` cells; empty without one."""
    site = next((site for site in picture.sites if site.under), None)
    if site is None:
        return []
    head = site.head.replace(CURSOR, " ", 1)
    rows = [Content.styled(head, "bold $accent")]
    for line in wrap("; ".join(site.words), width):
        parts = []
        for text, ink in picture.by_owner(line):
            parts.append((text, f"bold {seat_style(ink)}" if ink else ""))
        rows.append(Content.assemble(*parts))
    return rows


def by_hand_now(game: FracturedSkyView) -> str:
    """Return what to do by hand now, with the key of the form where it can be entered."""
    todo = sentences(reminders(game))
    # during a round the reminders are about tokens, and the form takes these
    if todo and game.phase in ("turn", "slot"):
        return f"{todo} Press {with_keys(BY_HAND_KEY, game.keys)}."
    return todo


def tray(game: FracturedSkyView) -> str:
    """Return the Public card, the Hidden cards with their markers, and who peeked at which Objective."""
    table, keys = game.table, keys_of(game)
    parts = ["no Public card yet"]
    if table.public:
        parts = [f"Public {_region(table.board, keys, table.public)}"]
    for number, region in enumerate(table.hidden, start=1):
        card = _region(table.board, keys, region) if region else "face down"
        parts.append(f"card {number}: {', '.join((card, *_marks(game, number)))}")
    for seat, card_number in game.peeks:
        parts.append(f"{game.sign(seat)} peeked at Objective {card_number}")
    return "   ".join(parts)


def _region(board: Board, keys: dict[str, str], region: str) -> str:
    return f"{keys.get(region, '')} {board.name(region)}".strip()


def _marks(game: FracturedSkyView, card: int) -> Iterator[str]:
    """Yield the scouting markers on a card with what was taken; an AI does not say which resource."""
    for mark in game.table.marks:
        if mark.card != card:
            continue
        taken = "a resource" if mark.taken else "nothing"
        if mark.resource:
            taken = mark.resource.capitalize()
        yield f"{game.sign(mark.player)} took {taken}"


def move_lines(game: FracturedSkyView, move: MoveView) -> list[Content]:
    """Return the AI's card and the steps of its decision, each with the candidates it left, the last one in bold."""
    decision = move.decision
    kind = decision.card.kind
    stars = [DIRECTION_NAMES[star] for star in decision.card.stars]
    head = ", ".join((f"{kind} card", *stars))
    steps = Content.assemble(f"{head} > ", _steps(decision, keys_of(game)))
    if decision.target is not None:
        return [steps]
    asks = [tied_place(game, decision, place) for place in decision.ask]
    if found_by_table(game.table.board, kind):
        which = "another" if asks else "the"
        asks.append(with_keys(f"{BY_HAND_KEY} {which} platform", game.keys))
        asks.append(with_keys(f"{game_key('cannot')} none is free", game.keys))
    question = Content.assemble(("you decide: ", "bold $accent"), ("   ".join(asks), "bold"))
    return [steps, question]


def _steps(decision: Decision, keys: Mapping[str, str]) -> Content:
    """Return the candidates, what each step left of them, and in bold the step that decided."""
    texts = []
    for reason in decision.reasons:
        left = [_short_name(decision.card.kind, keys, target) for target in reason.left]
        texts.append(f"{reason.text}: {', '.join(left)}" if left else reason.text)
    *before, last = texts
    return Content(" > ").join([*map(Content, before), Content.assemble((last, "bold"))])


def _short_name(kind: str, keys: Mapping[str, str], target: str) -> str:
    """Return a candidate as the map names it: a region by its key, a platform or card by its number."""
    if kind in ("airship", "skimmer"):
        return keys.get(target) or target
    if kind == "scout":
        return f"card {target}"
    return target


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
        self._cursor = ""  # the region under it; empty until an arrow key is pressed

    def compose(self) -> ComposeResult:
        yield Static(id="sky-map")
        yield Static(id="sky-players")

    def draw(self, view: TableView) -> None:
        # an abandoned game still has a turn, but nobody takes it
        turn = None if view.abandoned else view.game.to_move
        game: FracturedSkyView = replace(view.game, keys=app_keys(self.app), to_move=turn)
        width = self.size.width
        if not width:
            return
        rows_of_app = self.app.size.height
        if self.screen.has_class("-cramped"):
            height = self.size.height
            self.styles.height = "1fr"
        else:
            height = max(LEAST_ROWS, rows_of_app - BELOW - rows_of_app // 4)
            self.styles.height = height
        players_width = WIDE_PLAYERS_CELLS if self.app.size.width >= 110 else PLAYERS_CELLS
        top_margin = 0 if rows_of_app < TALL else 1
        self.styles.margin = (top_margin, 0, 0, 0)
        # a chart takes a while, and most updates of the page leave it as it is
        if self._charted is None or self._charted[:2] != (game, self._cursor):
            self._charted = game, self._cursor, chart(game, self._cursor)
        self._draw_map(self._charted[2], width - players_width - 1, height)
        below = region_rows(self._charted[2], players_width)[:MOST_REGION_ROWS]
        rows = player_rows(game, players_width, height - len(below))
        if not below and not (self._planned.in_words and are_in_words(game, players_width, height)):
            below = [Content.assemble((line, "$quiet")) for line in LEGEND]
        if height - len(rows) > len(below):
            rows.append(Content(""))
        rows += below
        players = self.query_one("#sky-players", Static)
        players.update(Content("\n").join(row.pad_right(0) for row in rows))
        players.styles.width = players_width

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
            # through the key's action, so that a refusal is shown like one of a key
            self.call_later(self.app.run_action, f"app.perform('{PREFIX}answer.{number}')")
            return
        if not place:
            text = "The cursor is nowhere yet. Press an arrow key to show it."
        elif self.shown.ended:
            text = "That place answers nothing now. To play on take the end back."
        else:
            asked = with_keys(self.shown.awaiting, app_keys(self.app))
            text = f"That place answers nothing now. {asked}"
        self.screen.query_one(NoticeLine).say(text, self.shown, refused=True)


class FracturedSkySide(ScreenPart, Static):
    """What to do by hand now; during a round also the tray, and the AI's move and its reasons or
    who drew Explore cards."""

    def draw(self, view: TableView) -> None:
        width = self.content_size.width
        if not width:
            return
        game = replace(view.game, keys=app_keys(self.app))
        rows: list[Content] = []
        todo = by_hand_now(game)
        if todo:
            rows += labelled("By hand", [todo], LABEL_CELLS, width)
        if game.phase not in BEFORE_A_ROUND:
            rows += labelled("Tray", [tray(game)], LABEL_CELLS, width)
            if game.move is None:
                rows += labelled("Explore", [explored(game)], LABEL_CELLS, width)
            else:
                rows += labelled("AI", move_lines(game, game.move), LABEL_CELLS, width)
        rows += box_rows(view, LABEL_CELLS, width, key_for_more(self.app))
        self.update(Content("\n").join(rows))
