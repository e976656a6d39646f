"""The numbers in a fact, at each bound and one beyond it."""

from __future__ import annotations

import pytest

from companion.rules.facts import Refused
from tests.games.panic_fire.playing import GAME

FIELDS = [
    ("shot", "lag_us", -(2**63) + 1, 2**63 - 1),
    ("shot", "peak", 0, None),
    ("knock", "peak", 0, None),
    ("promote", "entry", 1, None),
    ("reshuffle", "cards", 0, 106),
]


@pytest.mark.parametrize(("kind", "field", "least", "most"), FIELDS)
def test_a_number_is_taken_up_to_its_bounds_and_not_beyond(
    kind: str, field: str, least: int, most: int | None
) -> None:
    bounds = [(least, least - 1)] if most is None else [(least, least - 1), (most, most + 1)]
    for number, beyond in bounds:
        assert GAME.parse(kind, {field: number})
        with pytest.raises(Refused, match="FORMAT"):
            GAME.parse(kind, {field: beyond})


def test_what_a_table_need_not_say_has_its_default() -> None:
    assert GAME.parse("shield_in_play", {"seat": "red"}).present is True  # type: ignore[attr-defined]
    assert GAME.parse("stalemate_draw", {}).seats == ()  # type: ignore[attr-defined]
    shot = GAME.parse("shot", {})
    assert (shot.lag_us, shot.peak) == (None, None)  # type: ignore[attr-defined]
