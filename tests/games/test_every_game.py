"""What holds for every game: random play by the rules over all registered games."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from copy import deepcopy
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES, open_game
from companion.games.base import TABLE, Setup, body_of
from companion.games.seats import seats_from_names
from companion.games.transcript import FactLine, Transcript, VoidLine, fold, format_transcript, parse_transcript
from tests.games.random_play import steps

NAMES = ("Anna", "Bo", "Cleo", "Dmitri", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jun")


@st.composite
def setups(draw: st.DrawFn, most: int = len(NAMES)) -> Setup:
    """Any game with any number of seats that it allows, up to `most` where it allows so few."""
    game = open_game(draw(st.sampled_from(sorted(GAMES))))
    counts = game.seat_counts
    count = draw(st.integers(counts.start, max(counts.start, min(counts.stop - 1, most))))
    return Setup(game.id, game.rules_version, seats_from_names(NAMES[:count]))


seeds = st.integers(0, 2**32)


@settings(max_examples=5, deadline=None)
@given(setups(most=3), seeds)
def test_random_play_is_legal_says_what_it_does_and_ends(setup: Setup, seed: int) -> None:
    game, rng = open_game(setup.game), random.Random(seed)
    for before, fact, _, after in steps(game, setup, rng):
        assert game.parse(fact.kind, body_of(fact)) == fact
        assert game.describe(before, fact)
        assert game.awaiting(after)
        assert list(game.standings(after)) == [seat.id for seat in setup.seats]
    assert game.over(after)
    json.dumps(game.report(after))
    assert game.summary(after)


@settings(max_examples=4, deadline=None)
@given(setups(), seeds)
def test_apply_never_changes_the_state_it_was_given(setup: Setup, seed: int) -> None:
    game, rng = open_game(setup.game), random.Random(seed)
    for before, fact, entry, _ in islice(steps(game, setup, rng), 150):
        copy = deepcopy(before)
        game.apply(before, fact, entry)
        game.view(before, TABLE)
        assert before == copy


@settings(max_examples=4, deadline=None)
@given(setups(), seeds)
def test_undo_is_the_fold_of_what_stands(setup: Setup, seed: int) -> None:
    game, rng = open_game(setup.game), random.Random(seed)
    played = list(islice(steps(game, setup, rng), 300))
    cut = rng.randrange(len(played))
    lines = tuple(FactLine(entry, fact) for _, fact, entry, _ in played)
    coming = len(lines) + 2
    voids = tuple(VoidLine(coming + i, entry) for i, (_, _, entry, _) in enumerate(reversed(played[cut:])))
    assert fold(Transcript(setup, lines)) == played[-1][3]
    assert fold(Transcript(setup, lines + voids)) == played[cut][0]
    redone = tuple(VoidLine(coming + len(voids) + i, void.n) for i, void in enumerate(reversed(voids)))
    assert fold(Transcript(setup, lines + voids + redone)) == played[-1][3]


@settings(max_examples=4, deadline=None)
@given(setups(), seeds)
def test_a_transcript_of_random_play_reads_back_as_it_was_written(setup: Setup, seed: int) -> None:
    played = list(islice(steps(open_game(setup.game), setup, random.Random(seed)), 300))
    transcript = Transcript(setup, tuple(FactLine(entry, fact) for _, fact, entry, _ in played))
    again = parse_transcript(format_transcript(transcript))
    assert again == transcript
    assert fold(again) == played[-1][3]


@settings(max_examples=3, deadline=None)
@given(setups(), seeds)
def test_games_without_secrets_show_everybody_the_same(setup: Setup, seed: int) -> None:
    game, rng = open_game(setup.game), random.Random(seed)
    for number, (_, _, _, after) in enumerate(islice(steps(game, setup, rng), 300)):
        if number % 20 == 0:
            views = [game.view(after, viewer) for viewer in (TABLE, *(seat.id for seat in setup.seats))]
            assert all(view == views[0] for view in views)


def test_an_unknown_game_is_named_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"no game 'chess'; the games are: .*panic-fire"):
        open_game("chess")


def test_the_registry_loads_no_models() -> None:
    code = (
        "import sys, companion.games, companion.score; print([m for m in ('pydantic', 'textual') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
