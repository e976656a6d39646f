"""The panels of a game of one's own: what the whole table sees, and a player's own secret counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.display.panels import Panels, SeatLine
from companion.display.pictures import Lane, Race
from companion.display.tables import Cell, PanelTable
from companion.games.own.forms import FORMS
from companion.games.own.rules.view import Glance, SheetPlayer, SheetView, note_lines
from companion.rules.columns import capitalized
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import Pauses

FREE = "-"
"""The cell of a counter that can still be used."""
NOT_NOTED = "not noted yet"
"""The cell of a secret counter for its player, before the first note."""
AFTER_ROUNDS = "Scores after each round"
MOST_COLUMNS = 6
"""More counters than this become rows, and more players are columns by their initials."""
FEW_COUNTERS = 3
"""A card shows this many counters without cutting."""


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield each player with the score and the counters."""
    for player in game.players:
        # a glance knows no counters
        words = _words(player) if isinstance(player, SheetPlayer) else ()
        line = SeatLine.of(player, player.score, words, turn=player.turn, left=player.left)
        if player.out and not player.left:
            line = replace(line, out=True, idle=True, note="out")
        yield line


def _words(player: SheetPlayer) -> Iterator[str]:
    if player.team:
        yield f"team {player.team}"
    # The score is of the whole game: without these words a counter of one round reads like another score.
    since = f"this {player.round}: " if player.round else ""
    for title, value in player.counters:
        if title in player.free:
            continue
        words = f"{title} (secret)" if value is None else f"{title} {value}"
        if title in player.anew:
            words, since = f"{since}{words}", ""
        yield words


def tables(game: SheetView) -> tuple[PanelTable, ...]:
    """Return the counters, the teams, what the table has, and the scores after each round."""
    return (_counters(game.players), *_beside_counters(game))


def overview(game: SheetView, *, with_counters: bool) -> tuple[PanelTable, ...]:
    """Return the tables of the table's page: the counters only if the players' cards do not have them, and the scores
    after each round not at all."""
    panels = (_counters(game.players),) if with_counters else ()
    others = (table for table in _beside_counters(game) if table.title != AFTER_ROUNDS)
    return (*panels, *others)


def _beside_counters(game: SheetView) -> tuple[PanelTable, ...]:
    panels = []
    if game.players[0].team:
        panels.append(PanelTable("Teams", (), tuple(_teams(game.players))))
    if game.table:
        panels.append(PanelTable("The table", (), game.table))
    if game.rounds:
        rows: list[tuple[Cell, ...]] = []
        for number, (name, scores) in enumerate(game.rounds, start=1):
            rows.append((f"{name} {number}", *scores))
        head = ("", *_heads(game.players))
        panels.append(PanelTable(AFTER_ROUNDS, head, tuple(rows)))
    by_initial = _heads(game.players) == tuple(player.initial for player in game.players)
    players_are_columns = game.rounds or len(game.players[0].counters) > MOST_COLUMNS
    if by_initial and players_are_columns:
        panels.append(PanelTable("Who is who", (), tuple(_who_is_who(game.players))))
    return tuple(panels)


def _heads(players: Sequence[SheetPlayer]) -> tuple[str, ...]:
    """Return the head of each player's column: the name, or the initial if names do not fit."""
    if len(players) > MOST_COLUMNS:
        return tuple(player.initial for player in players)
    return tuple(player.name for player in players)


def _who_is_who(players: Sequence[SheetPlayer]) -> Iterator[tuple[Cell, ...]]:
    """Yield the initials and names, three players a row."""
    for at in range(0, len(players), 3):
        names = [f"{player.initial} {player.name}" for player in players[at : at + 3]]
        yield (*names, *[""] * (3 - len(names)))


def _counters(players: Sequence[SheetPlayer]) -> PanelTable:
    """Return what everybody has counted: a row for each player, or for each counter if there are many."""
    titles = [title for title, _ in players[0].counters]
    if len(titles) <= MOST_COLUMNS:
        by_player = tuple((player, *_held(player), player.score) for player in players)
        head = ("", *titles, "score")
        return PanelTable(
            "What is counted", head, by_player, columns_on_cards=tuple(range(1, len(head)))
        )
    columns = [_held(player) for player in players]
    rows: list[tuple[Cell, ...]] = []
    for title, values in zip(titles, zip(*columns, strict=True), strict=True):
        rows.append((title, *values))
    rows.append(("score", *(player.score for player in players)))
    head = ("", *_heads(players))
    return PanelTable(
        "What is counted", head, tuple(rows), columns_on_cards=tuple(range(len(head)))
    )


def _held(player: SheetPlayer) -> list[Cell]:
    """Return the values of a player's counters."""
    return [FREE if title in player.free else _cell(value) for title, value in player.counters]


def _cell(number: int | None) -> Cell:
    return "secret" if number is None else number


def _teams(players: Sequence[SheetPlayer]) -> Iterator[tuple[Cell, ...]]:
    for team in sorted({player.team for player in players}):
        yield f"team {team}", tuple(player for player in players if player.team == team)


def clock(game: Glance) -> tuple[Moment, Pauses] | None:
    """Return when the running clock started, and the pauses; None while no clock runs."""
    return None if game.since is None else (game.since, game.pauses)


def own(game: SheetView, seat: SeatId) -> tuple[PanelTable, ...] | None:
    """Return the values of the player's secret counters, or None in a game without any."""
    secret = {counter.title for counter in game.secrets.values()}
    if not secret:
        return None
    rows: list[tuple[Cell, ...]] = []
    for player in game.players:
        if player.id == seat:
            for title, value in player.counters:
                if title in secret and value is not None:
                    rows.append((title, NOT_NOTED if title in player.unnoted else value))
    return (PanelTable("Your secret counters", (), tuple(rows)),)


def races(game: SheetView) -> tuple[Race, ...]:
    """Return the way to the score that ends the game, then a few counters compared."""
    way = way_to_goal(game)
    ways = () if way is None else (way,)
    if len(game.players[0].counters) > FEW_COUNTERS:
        return ways
    return (*ways, *compared(game))


def way_to_goal(game: SheetView) -> Race | None:
    """Return a bar for each player, full at the score that ends the game; None if the game ends in another way."""
    if game.goal is None or game.over:
        return None
    lanes = []
    for player, first in zip(game.players, game.first, strict=True):
        end = f"{player.score} of {game.goal}"
        if any(game.first):  # a score that counts down
            end = f"{player.score} left"
        lanes.append(Lane(player, _share(first, player.score, game.goal), end))
    return Race(f"The game ends at {game.goal}", tuple(lanes), goal=True)


def _share(first: int, now: int, goal: int) -> float:
    """Return the part of the way from the first score to the goal, from 0 to 1."""
    if goal == first:
        return 0.0
    return min(1.0, max(0.0, (now - first) / (goal - first)))


def compared(game: SheetView) -> Iterator[Race]:
    """Yield a race for each counter that everybody sees: who has how much of it."""
    if game.over:
        return
    for place, (title, _) in enumerate(game.players[0].counters):
        values = [player.counters[place][1] for player in game.players]
        known = [value for value in values if value is not None]
        most = max(known, default=0)
        if (
            len(known) < len(values)
            or most <= 0
            or any(title in player.free for player in game.players)
        ):
            continue
        lanes = [
            Lane(player, max(0, value) / most, str(value))
            for player, value in zip(game.players, known, strict=True)
        ]
        yield Race(capitalized(title), tuple(lanes))


PANELS = Panels(
    "points",
    lambda game: game.where,
    seats,
    tables,
    note_lines,
    own,
    clock=clock,
    grids=lambda game: game.grids,
    races=races,
    forms=FORMS,
)
"""The face of a game of one's own: what any game shows, and the clock where it has one."""
OF_FORMAT_1 = replace(PANELS, forms=())
"""The same for format 1, whose counters cannot be set."""
