"""One numbering for keys, zone buttons and the map: regions in the order of the box, a platform by the number on the
map, a Hidden card by its place on the tray."""

from __future__ import annotations

from companion.games.fractured_sky.rules.board import Board, CardKind, PlatformId
from companion.games.fractured_sky.rules.keys import ANSWERS


def platform_numbers(board: Board) -> dict[PlatformId, int]:
    """Return each platform's number: its own name where that is a number with a key, else the first one left over."""
    own = {each.id: int(each.id) for each in board.platforms if each.id in ANSWERS[:-1] or each.id == str(len(ANSWERS))}
    left = iter(number for number in range(1, len(board.platforms) + len(ANSWERS) + 1) if number not in own.values())
    return {each.id: own[each.id] if each.id in own else next(left) for each in board.platforms}


def number_of(board: Board, kind: CardKind, target: str) -> int:
    """Return the number of a place that an AI's card may go to."""
    if kind in ("airship", "skimmer"):
        return board.ids.index(target) + 1
    return int(target) if kind == "scout" else platform_numbers(board)[target]
