"""What a game of one's own shows to the whole table, and to a player of its own secret counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.display.panels import Panels, SeatLine
from companion.display.tables import Cell, PanelTable
from companion.games.own.rules.view import Glance, SheetPlayer, SheetView, note_lines
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import Pauses

FREE = "-"
"""Stands for a counter that can still be used."""
MOST_COLUMNS = 6
"""Counters beside each other, and players beside each other by name: more counters are rows, and of more players there
are initials."""


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield each player with the score and the counters."""
    for player in game.players:
        words = _words(player) if isinstance(player, SheetPlayer) else ()
        line = SeatLine.of(player, player.score, words, turn=player.turn, left=player.left)
        yield (
            replace(line, out=True, idle=True, note="out")
            if player.out and not player.left
            else line
        )


def _words(player: SheetPlayer) -> Iterator[str]:
    if player.team:
        yield f"team {player.team}"
    for title, value in player.counters:
        if title not in player.free:
            yield f"{title} {_said(value)}"


def tables(game: SheetView) -> tuple[PanelTable, ...]:
    """Return what each player has, the teams, what the table has, and the scores after each round."""
    shown = [_counters(game.players)]
    if game.players[0].team:
        shown.append(PanelTable("Teams", (), tuple(_teams(game.players))))
    if game.table:
        shown.append(PanelTable("The table", (), game.table))
    if game.rounds:
        names = _heads(game.players)
        rounds = enumerate(game.rounds, start=1)
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (f"{name} {number}", *scores) for number, (name, scores) in rounds
        )
        shown.append(PanelTable("Scores after each round", ("", *names), rows))
    by_initial = _heads(game.players) == tuple(player.initial for player in game.players)
    if by_initial and (game.rounds or len(game.players[0].counters) > MOST_COLUMNS):
        shown.append(PanelTable("Who is who", (), tuple(_who_is_who(game.players))))
    return tuple(shown)


def _heads(players: Sequence[SheetPlayer]) -> tuple[str, ...]:
    """Return the head of each player's column: the name, or the initial where names do not fit."""
    return tuple(
        player.initial if len(players) > MOST_COLUMNS else player.name for player in players
    )


def _who_is_who(players: Sequence[SheetPlayer]) -> Iterator[tuple[Cell, ...]]:
    """The initials and names, three players a row."""
    for at in range(0, len(players), 3):
        named = [f"{player.initial} {player.name}" for player in players[at : at + 3]]
        yield tuple(named + [""] * (3 - len(named)))


def _counters(players: Sequence[SheetPlayer]) -> PanelTable:
    """What everybody has counted: a player a row, or a counter a row where there are many."""
    title, titles = "What is counted", [title for title, _ in players[0].counters]
    if len(titles) <= MOST_COLUMNS:
        rows = tuple((player, *_held(player), player.score) for player in players)
        return PanelTable(title, ("", *titles, "score"), rows)
    held = [_held(player) for player in players]
    below: list[tuple[Cell, ...]] = [
        (name, *(each[place] for each in held)) for place, name in enumerate(titles)
    ]
    below.append(("score", *(player.score for player in players)))
    return PanelTable(title, ("", *_heads(players)), tuple(below))


def _held(player: SheetPlayer) -> list[Cell]:
    """What the counters of a player stand at."""
    return [FREE if title in player.free else _said(value) for title, value in player.counters]


def _said(value: int | None) -> Cell:
    return "secret" if value is None else value


def _teams(players: Sequence[SheetPlayer]) -> Iterator[tuple[Cell, ...]]:
    for team in sorted({player.team for player in players}):
        yield f"team {team}", tuple(player for player in players if player.team == team)


def clock(game: Glance) -> tuple[Moment, Pauses] | None:
    """Return when the clock started, while it runs, and the pauses."""
    return None if game.since is None else (game.since, game.pauses)


def own(game: SheetView, seat: SeatId) -> tuple[PanelTable, ...] | None:
    """Return what the player's secret counters stand at; None in a game without such."""
    titles = {secret.title for secret in game.secrets.values()}
    counters = next((player.counters for player in game.players if player.id == seat), ())
    rows = tuple(
        (title, value) for title, value in counters if title in titles and value is not None
    )
    return (PanelTable("Your secret counters", (), rows),) if titles else None


PANELS = Panels(
    "points",
    lambda game: game.where,
    seats,
    tables,
    note_lines,
    own,
    clock=clock,
    grids=lambda game: game.grids,
)
"""The face of a game of one's own: what any game shows, and the clock where it has one."""
