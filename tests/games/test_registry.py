"""What the registry says of a game before loading it agrees with the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.rules.registry import GAMES, open_game
from companion.rules.rulings import rulings

LONGEST = 120  # characters; two lines of the narrowest screen hold them


@pytest.mark.parametrize("game", sorted(GAMES))
def test_an_entry_says_what_the_game_says(game: str) -> None:
    info, opened = GAMES[game], open_game(game)
    assert (info.id, info.title, info.seats) == (opened.id, opened.title, opened.seat_counts)
    assert max(len(info.does), len(info.credits)) <= LONGEST


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_an_entry_names_is_there(game: str) -> None:
    info = GAMES[game]
    parts = (info.options, info.box, info.screen, info.report, info.players, info.map_editor)
    assert all(info.part(where) for where in (info.rules, *parts) if where)
    assert info.text("RULES.md")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_house_rule_has_its_words_in_the_rules(game: str) -> None:
    words = rulings(game)
    for rule in open_game(game).house_rules:
        assert words[rule.name].clause == rule.clause
        assert rule.alternatives[0] in words[rule.name].default
        assert all(other in words[rule.name].others for other in rule.alternatives[1:])
        assert not re.search(
            r"[A-Z]{2}-\w", f"{words[rule.name].default} {words[rule.name].others}"
        )


@pytest.mark.parametrize("game_id", ["panic-fire", "skyfire", "sky-rise", "fractured-sky"])
def test_the_start_screen_and_the_readme_name_who_made_a_game(game_id: str) -> None:
    designed, by, makers = GAMES[game_id].credits.partition("Design: ")
    assert (designed, by) == ("", "Design: ")
    first = re.split(r"[,.;] ", makers)[0].split()[-1]  # the first designer's last name
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    assert first in readme


def test_panic_fire_is_credited_with_its_designer_and_its_publisher() -> None:
    readme = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    for name in ("Craig Nybo", "3 Headed Giant Games"):
        assert name in GAMES["panic-fire"].credits
        assert name in readme
