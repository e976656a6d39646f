"""How strong the AIs are said to be: the figures are those of games that anybody can play again."""

from __future__ import annotations

import random

import pytest

from companion.dashboard.start.choices import NewGame
from companion.dashboard.start.plan import rule_item, strength_words
from companion.games.fractured_sky.rules.game import GAME
from companion.rules.registry import GAMES, open_game
from companion.rules.strength import Strength, strength_of
from tests.games import strength as tool


def measured_now() -> Strength:
    found = strength_of(GAME.id)
    assert found is not None
    return found


MEASURED = measured_now()


def test_the_games_were_played_with_the_rules_of_today() -> None:
    assert MEASURED.rules_version == GAME.rules_version, "run python -m tests.games.strength MONTH"
    assert MEASURED.seed == tool.SEED
    assert list(MEASURED.games) == list(tool.CHOICES)
    assert MEASURED.opponents == {name[0]: plan for name, plan in tool.OPPONENTS.items()}


@pytest.mark.parametrize("choice", tool.CHOICES)
def test_games_played_again_have_the_same_winners(choice: str) -> None:
    played = MEASURED.games[choice]
    assert len(played) == tool.GAMES
    some = [0, 1, *random.Random(choice).sample(range(2, tool.GAMES), 4)]
    assert tool.letters(choice, some) == "".join(played[number] for number in some)


@pytest.mark.parametrize("choice", tool.CHOICES)
def test_both_scripts_played_half_of_the_games(choice: str) -> None:
    played = MEASURED.games[choice].lower()
    assert played.count("g") == played.count("r") == tool.GAMES // 2


def test_the_sentence_counts_the_games_that_the_ais_won() -> None:
    measured = Strength(
        2, 1, "2026-11", "difficulty", "on an invented map",
        {"g": "one simple plan", "r": "random legal moves"}, {"hard": "gggGrrrrrrrR"},
    )  # fmt: skip
    assert measured.sentence("hard") == (
        "Hard AIs win 75 of 100 solo games against one simple plan, and 88 against random legal moves "
        "(12 games on an invented map, 2026-11). Against people it was not measured."
    )
    assert measured.sentence("mixed") == ""


def test_all_games_are_claimed_only_if_all_were_won() -> None:
    played = {"hard": "g" * 999 + "G" + "r" * 1_000}
    measured = Strength(
        2, 1, "2026-11", "difficulty", "on a map", {"g": "this", "r": "that"}, played
    )
    assert measured.sentence("hard").startswith(
        "Hard AIs win over 99 of 100 solo games against this, and 100 against that (2,000 games"
    )


def test_the_file_is_what_the_tool_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "letters", lambda choice, _numbers: MEASURED.games[choice])
    assert tool.written(MEASURED.month) == tool.FILE.read_text(encoding="utf-8")


def new_game(*names: str, **rules: str) -> NewGame:
    return NewGame(GAME.id, list(names), dict(rules))


def test_who_plays_alone_is_told_before_the_start_how_strong_the_ais_are() -> None:
    assert strength_words(new_game("Ada")) == MEASURED.sentence("easy")
    assert strength_words(new_game("Ada", difficulty="hard")) == MEASURED.sentence("hard")
    assert strength_words(new_game("Ada", "Ben", "Cy")) == ""
    assert strength_words(NewGame("skyfire", ["Ada"])) == ""


def test_the_difficulty_says_how_strong_it_is() -> None:
    rule = next(rule for rule in open_game(GAME.id).house_rules if rule.name == "difficulty")
    assert rule_item(GAME.id, {"difficulty": "medium"}, rule).about.startswith("Medium AIs win ")


def test_harder_ais_win_more_often() -> None:
    lost = [MEASURED.games[choice].count("g") for choice in tool.CHOICES]
    assert lost == sorted(lost)


def test_only_a_game_with_figures_makes_a_claim() -> None:
    assert [game for game in GAMES if strength_of(game)] == [GAME.id]
