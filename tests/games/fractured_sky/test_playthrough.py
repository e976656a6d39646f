"""Whole solo games, as people read them: a change of the rules shows as a change of these files.

After a change that is meant, write them again and read the difference:

    SNAPSHOTS=write python -m pytest tests/games/fractured_sky/test_playthrough.py
"""

from __future__ import annotations

import os
import random
import re

import pytest
from hypothesis import given, settings, strategies as st

from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.options import HOUSE_RULES
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.standing import phase, tokens_in_play
from companion.rules.facts import TABLE, Setup
from companion.rules.seats import seats_from_names
from tests.games.fractured_sky.playthrough import DIFFICULTIES, FOLDER, text
from tests.games.random_play import steps
from tests.thorough import examples

WRITE = os.environ.get("SNAPSHOTS") == "write"
NAMES = ("Ada", "Bo", "Cleo", "Dmitri", "Eve")


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_solo_game_is_played_as_it_is_written_down(difficulty: str) -> None:
    golden, played = FOLDER / f"solo-{difficulty}.txt", text(difficulty)
    if WRITE:
        golden.write_text(played, encoding="utf-8")
    assert played == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_each_line_of_a_game_names_its_clause(difficulty: str) -> None:
    lines = (FOLDER / f"solo-{difficulty}.txt").read_text(encoding="utf-8").splitlines()
    lines = [
        line
        for line in lines
        if not re.fullmatch(r"  .*: \d+ Starfalls?|(round|AI|Ada|example).*", line)
    ]
    assert lines
    assert not [line for line in lines if not re.search(r"\(FS-\d+\)", line)]


@settings(max_examples=examples(1, 50))
@given(st.integers(1, 5), st.integers(0, 2**32))
def test_games_by_any_house_rules_keep_account_of_every_piece(seats: int, seed: int) -> None:
    game, rng = GAME, random.Random(seed)
    options = {rule.name: rng.choice(rule.alternatives) for rule in HOUSE_RULES}
    setup = Setup(game.id, game.rules_version, seats_from_names(NAMES[:seats]), options)
    for before, fact, entry, after in steps(game, setup, rng):
        if entry % examples(5, 1) == 0:
            for player in game.view(after, TABLE).players:
                assert min(player.airships, player.fortresses, player.markets, player.skimmers) >= 0
        for platform in after.board.platforms:
            on_it = sum(1 for piece in after.buildings if piece.platform == platform.id)
            assert platform.places is None or on_it <= platform.places
        if phase(before) == "resolve":
            result = resolve(before)
            assert fact.kind == "round_end"
            won = sum(share.starfalls for region in result.regions for share in region.standings)
            discarded = options["unawarded_with_zero_power"] == "discarded"
            before_it, left = sum(before.starfalls.values()), sum(result.left.values())
            assert won + left == before_it or (discarded and won + left < before_it)
            assert sum(result.gains.values()) >= won
    assert tokens_in_play(after) >= 0
    assert game.over(after)
