"""The options of our games are declared in code, and the pages of rules have tables made from that."""

from __future__ import annotations

import pytest

from companion.rules import rulings as of_rulings
from companion.rules.game_info import OURS
from companion.rules.house_rules import HouseRule
from companion.rules.registry import GAMES, part_of
from companion.rules.rulings import Ruling, rulings
from tests.games.option_tables import declaring, page_of, table, with_table


@pytest.mark.parametrize("game_id", sorted(declaring()))
def test_the_table_on_the_page_is_the_one_made_from_the_code(game_id: str) -> None:
    page = page_of(game_id).read_text(encoding="utf-8")
    rewrite = "run python -m tests.games.option_tables"
    assert with_table(page, declaring()[game_id]) == page, rewrite


def test_every_game_of_ours_that_has_house_rules_declares_what_they_mean() -> None:
    ours = {
        game_id
        for game_id, info in GAMES.items()
        if info.package.startswith(OURS) and part_of(game_id, "options") is not None
    }
    assert ours == set(declaring())
    for rules in declaring().values():
        for rule in rules:
            assert len(rule.meanings) in (0, len(rule.alternatives)), rule.name


def test_a_row_has_each_alternative_with_its_meaning() -> None:
    alternatives = ("left", "right", "nobody", "4", "5")
    meanings = ("clockwise", "", "", "so many", "so many")
    rule = HouseRule("dealer", "X-1", alternatives, meanings=meanings)
    row = "| X-1 | `dealer` | `left`: clockwise | `right`, `nobody`; `4`, `5`: so many |"
    assert row in table([rule])
    assert "| `left` | `right`, `nobody`, `4`, `5` |" in table(
        [HouseRule("a", "X-1", alternatives)]
    )


def test_the_meanings_of_a_game_that_declares_none_are_read_from_its_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(of_rulings, "_declared", lambda _game: ())
    rulings.cache_clear()
    try:
        read = dict(rulings("panic-fire"))
    finally:
        rulings.cache_clear()
    monkeypatch.undo()
    assert read["hit_sensor"] == Ruling("PF-R3", "yes", "no: the gun has none, each pull is a shot")
    assert read == rulings("panic-fire")
