"""How strong the AIs are (FS-32): a difficulty, each part of which a table may set by itself."""

from __future__ import annotations

from companion.games.fractured_sky.rules.board import Board
from companion.rules.house_rules import Options

_BUILDINGS = {"easy": 2, "medium": 3, "hard": 4}
_HIGH_TOKENS = {"easy": 1, "medium": 1, "hard": 2}


def buildings_of_each(options: Options) -> int:
    """How many Fortresses, and how many Markets, an AI has."""
    own = options["ai_buildings"]
    return _BUILDINGS[options["difficulty"]] if own == "by_difficulty" else int(own)


def high_tokens(options: Options) -> int:
    """How many of its tokens an AI turns to their high value (FS-43)."""
    own = options["ai_high_tokens"]
    return _HIGH_TOKENS[options["difficulty"]] if own == "by_difficulty" else int(own)


def has_market_card(options: Options) -> bool:
    """Whether the AIs have Market cards; without one their Gold and their Markets' yields are lost."""
    own = options["ai_market_card"]
    return options["difficulty"] != "easy" if own == "by_difficulty" else own == "yes"


def market_number(options: Options, board: Board) -> int | None:
    """The resources an AI trades for a Starfall (FS-45); None where nobody knows the number on the card."""
    own = options["ai_market_number"]
    level = options["difficulty"] if own == "by_difficulty" else own
    return board.market_numbers.get("medium" if level == "easy" else level)
