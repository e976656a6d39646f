"""Bounds of the numbers and lists that facts and the component file may hold."""

from __future__ import annotations

from companion.games.sky_rise.rules.box import TABLES
from companion.games.sky_rise.rules.game import GAME
from tests.games.bounds import of_box, of_facts

WORDS = {"goals_dealt.nests", "goals_dealt.trees", "turn.reason"}
"""Texts that must not be empty."""


def test_each_number_and_list_of_a_fact_is_bounded() -> None:
    bounds = dict.fromkeys(WORDS, "1 to ")
    assert of_facts(GAME) == bounds | {
        "opaque.large": "0 to 3",
        "opaque.medium": "0 to 3",
        "opaque.small": "0 to 3",
    }


def test_each_number_of_the_component_file_is_bounded() -> None:
    assert of_box(TABLES) == {
        "count.value": "1 to 100",
    }
