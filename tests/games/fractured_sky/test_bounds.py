"""Bounds of numbers and lists in a game's facts and in its box."""

from __future__ import annotations

from companion.games.fractured_sky.rules.box import TABLES
from companion.games.fractured_sky.rules.game import GAME
from tests.games.bounds import of_box, of_facts

DIRECTION_NAMES = {
    "adjust.reason",
    "ai_cannot.reason",
    "move.player",
    "move.reason",
    "objective.players[]",
    "powers.player",
    "remove.player",
    "remove.reason",
    "turn.player",
    "turn.reason",
}
"""Text fields that may not be empty."""
PLACES = {
    "ai_choose.target",
    "airship.region",
    "build.platform",
    "deal.cards[]",
    "map_platform.platform",
    "map_platform.regions[]",
    "map_region.region",
    "move.place",
    "move.to",
    "public.region",
    "remove.place",
    "reveal.region",
    "saw.region",
    "skimmer.region",
}
"""Fields that name a place."""


def test_each_number_and_list_of_a_fact_is_bounded() -> None:
    bounds = dict.fromkeys(DIRECTION_NAMES, "1 to ") | dict.fromkeys(PLACES, "1 to 60")
    assert of_facts(GAME) == bounds | {
        "adjust.value": "0 to 99",
        "ai_compass.stars": " to 8",
        "ai_sits_out.tokens": "3 to 3",
        "ai_tokens.tokens": "1 to 3",
        "ai_tokens.lots": " to 6",
        "deal.cards": "1 to 20",
        "map_platform.regions": " to 10",
        "map_platform.places": "1 to 20",
        "map_region.resources": " to 2",
        "map_region.x": "0 to 999",
        "map_region.y": "0 to 999",
        "peek.card": "1 to 5",
        "powers.chips": "1 to 3",
        "powers.chips[]": "0 to 30",
        "reveal.card": "1 to 5",
        "saw.number": "1 to 10",
        "scout.card": "1 to 5",
        "shuffle.cards[]": "1 to 30",
        "shuffle.tokens[]": "1 to 6",
        "shuffle.lots[]": "1 to 6",
        "slot.slot": "1 to 9",
        "take.card": "1 to 5",
    }


def test_each_number_of_the_component_file_is_bounded() -> None:
    assert of_box(TABLES) == {
        "count.value": "0 to 200",
        "chips.values": "0 to 20",
        "place_eight.x": "0 to 999",
        "place_eight.y": "0 to 999",
        "place_ten.x": "0 to 999",
        "place_ten.y": "0 to 999",
        "platform_eight.places": "1 to 20",
        "platform_eight.x": "0 to 999",
        "platform_eight.y": "0 to 999",
        "platform_ten.places": "1 to 20",
        "platform_ten.x": "0 to 999",
        "platform_ten.y": "0 to 999",
        "slot_eight.value": "0 to 5",
        "slot_ten.value": "0 to 5",
        "cost.gold": "0 to 9",
        "cost.iron": "0 to 9",
        "cost.wood": "0 to 9",
        "token_black.low": "0 to 20",
        "token_black.high": "0 to 20",
        "token_orange.low": "0 to 20",
        "token_orange.high": "0 to 20",
        "market_card.value": "1 to 20",
        "objective.players": "2 to 5",
    }
