"""The result of a round as tables, region by region: powers, ranks, rewards and why (FS-19 to FS-29)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.panels import Outcome
from companion.display.tables import Cell, PanelTable
from companion.games.fractured_sky.rules.model import RegionResult, RegionShare, Resolution
from companion.games.fractured_sky.rules.reminders import clearing
from companion.games.fractured_sky.rules.resolution import parts, tied_with
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.columns import plural
from companion.rules.facts import Seat

_LABELS = {"FS-11": "chips", "FS-22": "Objective", "FS-43": "AI tokens", "FS-U3": "order"}
_HEAD = ("region: Starfalls", "rank", "who", "power", "takes")


def outcomes(game: FracturedSkyView) -> tuple[Outcome, ...]:
    """Return the result of each round, the oldest first; the last may be of a round that has not ended yet."""
    ended = []
    for played in game.past:
        # the newest stays in view while its pieces leave the board
        on_table = game.clearing and played is game.past[-1] and game.phase != "over"
        title = f"End of round {played.number}"
        tables = _resolved(game, played.number, played.result)
        cleared = tuple(_cleared(game, played.number))
        ended.append(Outcome(title, tables, cleared, played.entry, on_table=on_table))
    if game.resolution is not None:
        tables = _resolved(game, game.round, game.resolution)
        ended.append(Outcome(f"End of round {game.round}", tables, on_table=True))
    return tuple(ended)


def _resolved(game: FracturedSkyView, number: int, result: Resolution) -> tuple[PanelTable, ...]:
    gains = []
    for player, gain in result.gains.items():
        if gain:
            gains.append(f"{game.player(player).name} +{gain}")
    rows = [("Starfalls", ", ".join(gains) or "nobody gains any")]
    for step in result.steps:
        # the label in the first column says it already
        rows.append((_LABELS.get(step.clause, ""), step.text.removeprefix("Objective: ")))
    title = f"Round {number} of {game.rounds}{', example map' if game.example else ''}"
    regions = tuple(row for region in result.regions for row in _region(game, region))
    return (
        PanelTable(title, (), tuple(rows)),
        PanelTable(f"Round {number}, region by region", _HEAD, regions, long=True),
    )


def _cleared(game: FracturedSkyView, number: int) -> Iterator[PanelTable]:
    if rows := clearing(game, number):
        yield PanelTable(f"After round {number}: clear the table", (), rows, long=True)


def _region(game: FracturedSkyView, result: RegionResult) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each player in the region, strongest first, and one for Starfalls that nobody takes."""
    head = game.table.board.name(result.region)
    if result.starfalls:
        head = f"{head}: {result.starfalls}"
    for rank, share in enumerate(result.standings, start=1):
        # those without power come last, so the others are ranked 1, 2, 3
        rank_cell = "-" if share.tier == "out" else str(rank)
        seat = Seat(*game.player(share.player).look)
        yield head, rank_cell, seat, _power(share), _takes(game, result, share)
        head = ""  # the region's name only in its first row
    if result.starfalls and not any(share.starfalls for share in result.standings):
        yield head, "", "nobody", "", _left(result)


def _left(result: RegionResult) -> str:
    """Return what happens to Starfalls that nobody takes (FS-28)."""
    if not result.left:
        return "its Starfalls are discarded"
    if result.left == 1:
        return "its Starfall stays there"
    return f"its {result.left} Starfalls stay there"


def _power(share: RegionShare) -> str:
    """Return `5 = chip 3 + 2 Fortresses`, or where the sum of the parts is not what counts, `0: chip 1 - 3 = -2`."""
    total = (share.chip or 0) - share.penalty + share.fortresses + share.skimmers
    if total == share.power:
        return f"{share.power} = {parts(share)}"
    return f"{share.power}: {parts(share)} = {total}"


def _takes(game: FracturedSkyView, result: RegionResult, share: RegionShare) -> str:
    """Return what a player gets there, and how a tie was settled."""
    phrases = [_tier(game, result, share)]
    if share.markets:
        phrases.append(_market(game, result, share))
    if share.tied:
        tied = tied_with(share, list(result.standings))
        slots = ", ".join(f"{game.player(other.player).name} {other.slot}" for other in tied)
        phrases.append(f"tie by the turn slots just taken: {slots}")
    return "; ".join(phrases)


def _tier(game: FracturedSkyView, result: RegionResult, share: RegionShare) -> str:
    resources = game.table.board.by_id[result.region].resources
    match share.tier:
        case "starfalls":
            return plural(share.starfalls, "Starfall")
        case "out":
            return "no part with power 0"
        case "nothing":
            return "nothing is left"
    if game.player(share.player).ai:
        return "ranks but takes nothing"
    if share.tier == "both":
        return " + ".join(resources) or "both resources"
    return " or ".join(resources) or "one of its resources"


def _market(game: FracturedSkyView, result: RegionResult, share: RegionShare) -> str:
    """Return what the player's Markets give (FS-14, FS-45)."""
    if not game.player(share.player).ai:
        resources = game.table.board.by_id[result.region].resources
        return f"Markets +{share.markets} ({' or '.join(resources) or 'of its resources'})"
    if share.card is None:
        return f"Markets +{share.markets} lost: no Market card"
    text = f"Market card +{share.markets}, now {share.card}"
    if share.traded:
        text += f", trades for {plural(share.traded, 'Starfall')}"
    return text
