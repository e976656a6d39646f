"""Many games of any game, with random moves if it has no simulation of its own."""

from __future__ import annotations

import io
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.demo import simulating
from companion.exits import Exit
from companion.rules.facts import Fact
from companion.rules.registry import GAMES
from tests.commands.ran import Ran
from tests.games.own.files import learned, own

pytestmark = pytest.mark.usefixtures("sample_game")
EVERY = [*sorted(GAMES), "pebbles"]


@pytest.mark.parametrize("game", EVERY)
def test_every_game_is_simulated_and_comes_to_the_same_for_the_same_seed(game: str) -> None:
    first, again, second = (
        Ran("simulate", game, "--games", "1", "--seed", seed, "--json") for seed in ("1", "1", "2")
    )
    assert first.code == Exit.DONE, first.err
    assert first.out == again.out
    assert first.out != second.out
    tally = json.loads(first.out)
    assert (tally["game"], tally["games"], tally["seed"]) == (game, 1, 1)
    assert tally["facts"] > 0


def test_scores_at_random_are_tallied_by_seat() -> None:
    ran = Ran("simulate", "pebbles", "--games", "20", "--players", "2", "--json")
    tally = json.loads(ran.out)
    assert list(tally["results"]) == ["red", "blue"]
    assert tally["over"] == 20
    assert sum(own["best"] for own in tally["results"].values()) >= 20  # some share it
    assert 12 <= sum(own["score"] for own in tally["results"].values()) <= 18
    table = Ran("simulate", "pebbles", "--games", "20", "--players", "2").out
    assert table.startswith("Pebbles (example), every move at random, seed 1\nplayer")
    assert "20 games in" in table


def test_where_the_fewest_points_win_who_has_them_is_counted_as_the_winner() -> None:
    with learned():
        tally = json.loads(
            Ran("simulate", own("hearts").id, "--games", "1", "--players", "4", "--json").out
        )
    scores = {name: figures["score"] for name, figures in tally["results"].items()}
    least = min(scores.values())
    assert least < max(scores.values())
    assert {name for name, figures in tally["results"].items() if figures["best"]} == {
        name for name, score in scores.items() if score == least
    }


def test_the_rules_are_asked_for_few_of_the_moves_that_may_be_possible() -> None:
    with learned():
        simulation = simulating.simulation_of(own("darts-501").id, None, {})
        game, offered, tried = simulation.game, Counter[str](), Counter[str]()

        def candidates(state: Any) -> Iterator[Fact]:
            for fact in game.candidates(state):
                offered[fact.kind] += 1
                yield fact

        def apply(state: Any, fact: Fact, entry: int) -> Any:
            tried[fact.kind] += 1
            return game.apply(state, fact, entry)

        simulation.game = replace(game, candidates=candidates, apply=apply)
        outcome = simulation.play(0, random.Random(1))
    assert outcome.facts > 100
    assert tried.total() < 0.75 * offered.total()


def test_it_says_from_the_start_how_far_it_is_and_which_games_were_not_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulating, "FACT_LIMIT", 2)
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(err, "isatty", lambda: True)
    simulation = simulating.simulation_of("pebbles", 2, {})
    simulating.run(simulation, 3, 1, as_json=False, out=out, err=err, seconds=lambda: 0.0)
    assert err.getvalue().split("\r")[:3] == ["", "0 of 3 games", "1 of 3 games"]
    assert "3 games were not over within 2 moves; nobody won there.\n" in out.getvalue()


def test_into_a_pipe_it_says_how_far_it_is_every_ten_seconds() -> None:
    out, err, clock = io.StringIO(), io.StringIO(), itertools.count(step=3.0)
    simulation = simulating.simulation_of("pebbles", 2, {})
    simulating.run(simulation, 7, 1, as_json=False, out=out, err=err, seconds=lambda: next(clock))
    assert err.getvalue() == "3 of 7 games\n7 of 7 games\n"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (
            ["pebbles", "--players", "9"],
            "--players 9: Pebbles (example) is simulated with 2 to 6 players.",
        ),
        (["pebbles", "--players", "0"], "'0' does not fit here: give a whole number from 1"),
        (["pebbles", "--option", "bowl=5"], "There is no option 'bowl'"),
        (["chess"], "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_simulated_is_said_in_one_sentence(args: list[str], sentence: str) -> None:
    ran = Ran("simulate", *args)
    assert ran.code == Exit.USAGE
    assert sentence in ran.err
