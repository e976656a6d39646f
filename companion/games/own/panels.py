"""What a game of one's own shows to the whole table, and to a player of its own secret counters."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.own.rules.view import SheetPlayer, SheetView, note_lines
from companion.rules.game import Moment, SeatId
from companion.rules.panels import Panels, SeatLine
from companion.rules.pauses import Pauses
from companion.rules.tables import Cell, PanelTable


def seats(game: SheetView) -> Iterator[SeatLine]:
    """Yield each player with the score and the counters."""
    for player in game.players:
        words = (f"{title} {'secret' if value is None else value}" for title, value in player.counters)
        yield SeatLine.of(player, player.score, words, turn=player.turn, left=player.left)


def tables(game: SheetView) -> tuple[PanelTable, ...]:
    """Return what each player has, what the table has, and the scores after each round."""
    titles = [title for title, _ in game.players[0].counters]
    shown = [PanelTable("What is counted", ("", *titles, "score"), tuple(map(_counted, game.players)))]
    if game.table:
        shown.append(PanelTable("The table", (), game.table))
    if game.rounds:
        names = tuple(player.name for player in game.players)
        rounds = enumerate(game.rounds, start=1)
        rows: tuple[tuple[Cell, ...], ...] = tuple((f"{name} {number}", *scores) for number, (name, scores) in rounds)
        shown.append(PanelTable("Scores after each round", ("", *names), rows))
    return tuple(shown)


def _counted(player: SheetPlayer) -> tuple[Cell, ...]:
    counters: list[Cell] = ["secret" if value is None else value for _, value in player.counters]
    return (player, *counters, player.score)


def clock(game: SheetView) -> tuple[Moment, Pauses] | None:
    """Return when the clock started, while it runs, and the pauses."""
    return None if game.since is None else (game.since, game.pauses)


def own(game: SheetView, seat: SeatId) -> tuple[PanelTable, ...] | None:
    """Return what the player's secret counters stand at; None in a game without such."""
    titles = {secret.title for secret in game.secrets.values()}
    counters = next((player.counters for player in game.players if player.id == seat), ())
    rows = tuple((title, value) for title, value in counters if title in titles and value is not None)
    return (PanelTable("Your secret counters", (), rows),) if titles else None


PANELS = Panels("points", lambda game: game.where, seats, tables, note_lines, own, clock=clock)
