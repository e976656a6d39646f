"""The values in a fact, a key and a component file row, at each bound and one beyond it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.skyfire.rules.box import TABLES
from companion.rules.facts import Refused
from tests.games.skyfire.playing import FIVE, GAME, setup

ZONES = [
    ("place", {}, 1, 4),
    ("launch", {}, 1, 4),
    ("revealed", {"cards": []}, 1, 4),
    ("backs", {"backs": []}, 0, 4),
    ("place_noted", {"seat": "ada", "card": "rb"}, 1, 4),
]


def refused(kind: str, body: dict[str, Any]) -> str:
    with pytest.raises(Refused) as caught:
        GAME.parse(kind, body)
    return caught.value.clause


@pytest.mark.parametrize(("kind", "body", "least", "most"), ZONES)
def test_zones_are_those_of_five_players(
    kind: str, body: dict[str, Any], least: int, most: int
) -> None:
    for zone in (least, most):
        assert GAME.parse(kind, {**body, "zone": zone})
    for zone in (least - 1, most + 1):
        assert refused(kind, {**body, "zone": zone}) == "FORMAT"


def test_the_table_gives_nobody_up_to_a_hundred_points_for_a_round() -> None:
    for points in (0, 100):
        assert GAME.parse("round_end", {"seats": ["ada"], "points": points})
    for points in (-1, 101):
        assert refused("round_end", {"seats": ["ada"], "points": points}) == "FORMAT"
    assert GAME.parse("round_end", {}).points == 0  # type: ignore[attr-defined]


def test_only_the_keys_of_the_first_zone_stand_in_the_footer() -> None:
    footer = {
        action.id: action.footer for action in GAME.actions(setup(FIVE)) if action.group == "zones"
    }
    shown = {name for name, there in footer.items() if there}
    assert {name.removeprefix("skyfire.") for name in shown} >= {"place.1", "launch.1"}
    assert not {name for name in shown if name.endswith((".2", ".3", ".4"))}


def test_an_owner_need_not_say_what_a_card_is_called_its_back_or_how_many_there_are() -> None:
    fields = {
        field.name: field.optional
        for table in TABLES
        if table.name == "fireworks"
        for field in table.fields
    }
    assert fields == {"called": True, "symbols": False, "back": True, "copies": True}
