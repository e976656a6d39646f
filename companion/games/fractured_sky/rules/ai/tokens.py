"""Which of an AI's airship tokens are turned to their high value at the end of a round (FS-43)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.board import Token as Values
from companion.games.fractured_sky.rules.options import high_tokens
from companion.games.fractured_sky.rules.public import PlayerId, PublicTable


@dataclass(frozen=True, slots=True)
class TurnedToken:
    """Token `number` in a region, as it was turned: its power, and why."""

    number: int
    region: RegionId
    power: int
    high: bool
    why: str


def in_starfall_regions(table: PublicTable, ai: PlayerId) -> tuple[RegionId, ...]:
    """The regions of an AI's Airships in which Starfalls show, in the order in which they were placed (FS-43)."""
    return tuple(ship.region for ship in table.ships_of(ai) if table.starfalls.get(ship.region, 0))


def how_to_turn(table: PublicTable, ai: PlayerId) -> str:
    """Which of an AI's tokens the table turns high, in a sentence, where only it sees them (FS-43)."""
    best_of_all = table.options["ai_none_eligible"] == "best_high"
    regions = in_starfall_regions(table, ai)
    if not regions and best_of_all:
        regions = tuple(ship.region for ship in table.ships_of(ai))
    if not regions:
        return "turn all tokens low: none is in a Starfall region"
    most, names = high_tokens(table.options), ", ".join(table.board.name(region) for region in regions)
    if len(regions) <= most:
        return f"turn high: {names}; all others low"
    printed = "low value" if table.options["ai_high_token_by"] == "low_value" else "high value"
    best = f"the highest {printed}" if most == 1 else f"the {most} highest {printed}s"
    return f"turn high: {best} in {names}; all others low"


def turn_tokens(
    table: PublicTable, placed: Sequence[tuple[RegionId, int]], values: Sequence[Values], lots: Sequence[int]
) -> tuple[TurnedToken, ...] | None:
    """Return an AI's tokens as they are turned, in the order in which they were placed; None where a tie is for the
    table to settle: lots that nobody drew, or places nobody knows.

    `placed` names the token in each region; `lots` ranks the tokens where a tie is drawn by lot.
    """
    eligible = [token for region, token in placed if table.starfalls.get(region, 0)]
    nobody = not eligible
    if nobody and table.options["ai_none_eligible"] == "best_high":
        eligible = [token for _, token in placed]
    by_low = table.options["ai_high_token_by"] == "low_value"
    printed = {token: values[token - 1].low if by_low else values[token - 1].high for token in eligible}
    tie = _tie(table, placed, lots)
    ranked = sorted(eligible, key=lambda token: (-printed[token], tie.get(token, 0)))
    most = high_tokens(table.options)
    if not tie and len(ranked) > most and printed[ranked[most - 1]] == printed[ranked[most]]:
        return None
    high = ranked[:most]
    return tuple(_turned(token, region, values[token - 1], token in high, nobody) for region, token in placed)


def _tie(table: PublicTable, placed: Sequence[tuple[RegionId, int]], lots: Sequence[int]) -> dict[int, int]:
    """The rank of each token among those of equal power; empty where nobody knows."""
    if table.options["ai_high_token_tie"] == "random":
        return {token: rank for rank, token in enumerate(lots)}
    if not table.board.places_known:
        return {}
    order = table.board.left_to_right
    return {token: order.index(region) for region, token in placed}


def _turned(number: int, region: RegionId, values: Values, high: bool, nobody: bool) -> TurnedToken:
    if high:
        why = "no token in a Starfall region: the best is turned high" if nobody else "highest in a Starfall region"
    else:
        why = "turned to low"
    return TurnedToken(number, region, values.high if high else values.low, high, why)
