"""Simulated games of Fractured Sky: a soak, and the command that tallies them."""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import product

import pytest

from companion.cli import main
from companion.demo.simulating import run, simulation_of
from companion.exits import Exit
from companion.games.fractured_sky.rules import facts as f
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.standing import phase, tokens_in_play
from companion.games.fractured_sky.rules.view import view
from companion.games.fractured_sky.simulation import (
    SCRIPTS,
    Greedy,
    RandomScript,
    SeenByPerson,
    SimulatedGame,
    SimulatedMove,
    moves,
    play,
    setup_for,
)
from companion.rules.facts import TABLE
from tests.commands.ran import Ran
from tests.thorough import THOROUGH, examples

TABLES = (("greedy",), ("random",), ("greedy", "random"))
DIFFICULTIES = ("easy", "medium", "hard")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@cache
def simulated(
    games: int = 2, players: int = 1, seed: int = 1, *, as_json: bool = True
) -> tuple[str, str]:
    out, err, clock = io.StringIO(), io.StringIO(), itertools.count()
    simulation = simulation_of("fractured-sky", players, {"difficulty": "medium"})
    run(
        simulation,
        games,
        seed,
        as_json=as_json,
        out=out,
        err=err,
        seconds=lambda: float(next(clock)),
    )
    return out.getvalue(), err.getvalue()


# -- the soak


@pytest.mark.parametrize(
    ("seats", "difficulty"),
    [*product(TABLES, DIFFICULTIES)] if THOROUGH else [*zip(TABLES, DIFFICULTIES, strict=True)],
)
def test_whole_games_keep_account_of_every_card_and_piece(
    seats: tuple[str, ...], difficulty: str
) -> None:
    for seed in range(examples(1, 12)):
        last = None
        for move in moves(setup_for(seats, {"difficulty": difficulty}), random.Random(seed)):
            check_cards(move.after)
            check_pieces(move.after)
            check_tokens(move)
            last = move.after
        assert last is not None
        assert last.finished
        assert [played.number for played in last.past] == [1, 2, 3, 4, 5]


def check_cards(state: State) -> None:
    now = state.current
    if now is None or not now.dealt:
        return
    assert sorted(now.dealt) == sorted(state.board.ids)
    assert len(now.hidden) + now.unused + len(now.draws) == len(state.board.ids)
    assert all(face in (None, card) for face, card in zip(now.hidden, now.dealt, strict=False))
    for ai in state.ais:
        deck = now.decks[ai]
        cards = state.board.decks[ai.removeprefix("@")]
        turned = Counter(turn.card for turn in now.turned if turn.ai == ai)
        if now.pending is not None and now.pending.decision.ai == ai:
            turned[now.pending.decision.card] += 1
        whole = Counter(cards) if deck.shuffled else Counter()
        left = Counter(cards[number - 1] for number in deck.cards)
        rounds = (turned + left).total() / len(cards) if deck.shuffled else 0
        assert rounds == int(rounds), "what is turned up and what is left make whole decks"
        assert all((turned + left)[card] == whole[card] * rounds for card in whole)
        assert sorted(deck.tokens) in ([], [1, 2, 3, 4, 5, 6])


def check_pieces(state: State) -> None:
    for player in view(state, TABLE).players:
        assert min(player.airships, player.fortresses, player.markets, player.skimmers) >= 0
    for platform in state.board.platforms:
        on_it = sum(piece.platform == platform.id for piece in state.buildings)
        assert platform.places is None or on_it <= platform.places


def check_tokens(move: SimulatedMove) -> None:
    """Starfalls come from cards, the Objective and Market cards, and none is lost (FS-28)."""
    before, after = tokens_in_play(move.before), tokens_in_play(move.after)
    if isinstance(move.fact, f.Public | f.Reveal):
        assert after == before + 1
    elif isinstance(move.fact, f.RoundEnd):
        assert phase(move.before) == "resolve"
        gained = sum(resolve(move.before).gains.values())
        assert after - before == gained - sum(
            result.starfalls - result.left for result in resolve(move.before).regions
        )
    elif not isinstance(
        move.fact, f.First | f.Slot | f.AiDone
    ):  # Gold may fill a Market card (FS-45)
        assert after == before


def test_people_never_spend_what_they_have_not() -> None:
    """A purse that ran out would let a script build for nothing."""
    for seed in range(examples(2, 30)):
        spent = Counter(
            move.fact.kind
            for move in moves(setup_for(("random",), {"difficulty": "easy"}), random.Random(seed))
        )
        assert spent["build"] + spent["skimmer"] + spent["scout"] <= 30
        assert spent["airship"] == 15


def test_people_who_scout_see_the_card_and_then_take_what_its_region_has() -> None:
    taken = 0
    for move in moves(setup_for(("greedy",), {"difficulty": "hard"}), random.Random(3)):
        if isinstance(move.fact, f.Take):
            (region,) = [
                sight.region
                for sight in view(move.after, "greedy").sights
                if sight.where == "hidden"
            ][-1:]
            assert move.fact.resource.capitalize() in move.after.board.by_id[region].resources
            taken += 1
    assert taken >= 5


def test_the_greedy_one_goes_where_it_knows_of_a_starfall() -> None:
    """With its scouted card known for certain, that region or the Public Starfall's is the best."""
    for move in moves(setup_for(("greedy",), {"difficulty": "easy"}), random.Random(5)):
        if isinstance(move.fact, f.Airship) and not move.before.current.ships_of("greedy"):  # type: ignore[union-attr]
            known = {sight.region for sight in view(move.before, "greedy").sights}
            showing = {region for region, count in move.before.starfalls.items() if count}
            assert move.fact.region in known | showing


@pytest.mark.parametrize("script", [RandomScript(), Greedy()])
def test_chips_are_ten_in_all_and_of_the_box(script: RandomScript | Greedy) -> None:
    rng = random.Random(1)
    for _ in range(50):
        chips = script.chips(3, rng)
        assert sum(chips) == 10
        assert not Counter(chips) - Counter((0, 0, *range(1, 11)))


def test_scripts_play_from_the_view_of_their_seat() -> None:
    assert {
        name: hint for name, hint in SeenByPerson.__annotations__.items() if name != "prices"
    } == {
        "seat": "SeatId",
        "view": "FracturedSkyView",
        "purse": "int",
    }
    assert set(SCRIPTS) == {"greedy", "random"}


# -- the tally


def test_the_same_seed_prints_the_same_json_whatever_the_process_and_its_hashes() -> None:
    other = "1" if os.environ.get("PYTHONHASHSEED") == "2" else "2"
    code = "import sys; from companion.cli import main; sys.exit(main(sys.argv[1:]))"
    args = ["simulate", "fractured-sky", "--games", "2", "--option", "difficulty=medium", "--json"]
    command, pipe = [sys.executable, "-c", code, *args], subprocess.PIPE
    environment = {**os.environ, "PYTHONHASHSEED": other}
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        here = simulated()[0]  # at the same time
        assert here != simulated(seed=5)[0]
        assert process.communicate()[0] == here


def test_the_json_says_who_won_how_often_and_what_each_round_brought() -> None:
    figures = json.loads(simulated()[0])
    assert (figures["game"], figures["map"], figures["games"], figures["difficulty"]) == (
        "fractured-sky",
        "example",
        2,
        "medium",
    )
    assert (figures["players"], figures["seed"]) == (1, 1)
    assert {name: own["games"] for name, own in figures["results"].items()} == {
        "AI black": 2, "AI orange": 2, "greedy": 1, "random": 1,
    }  # fmt: skip
    assert sum(own["won"] for own in figures["results"].values()) == 2
    for own in figures["results"].values():
        assert own["rate"] == own["won"] / own["games"]
        # slot Gold trades between rounds
        assert sum(own["by_round"]) == pytest.approx(own["starfalls"], abs=2.0)
    assert figures["left_on_the_board"] >= 0
    assert figures["facts"] > 200


def test_two_people_meet_one_ai() -> None:
    figures = json.loads(simulated(1, 2)[0])
    assert {name: own["games"] for name, own in figures["results"].items()} == {
        "AI black": 1,
        "greedy": 1,
        "random": 1,
    }


def test_a_person_reads_a_table_and_how_fast_it_went() -> None:
    out, err = simulated(2, as_json=False)
    assert out.startswith("Fractured Sky on the example map, AIs medium, seed 1\nplayer")
    assert out.endswith("2 games in 5.0 s, 0.4 a second\n")
    assert err == ""


def test_it_is_said_what_is_invented_and_that_more_tokens_are_used_than_there_are() -> None:
    text = " ".join(simulated(2, as_json=False)[0].split())
    assert (
        "Invented, from the example box: map, resources, costs, Gold on turn slots, AI cards, AI tokens"
        in text
    )
    assert "numbers of the Market cards" in json.loads(simulated(2)[0])["invented"]
    simulation = simulation_of("fractured-sky", 1, {})
    games = [
        SimulatedGame("greedy", {"greedy": 20}, {"greedy": (4,) * 5}, left, 400) for left in (8, 9)
    ]
    few, many = (list(simulation.lines(simulation.tally([game]), 1)) for game in games)
    assert "Starfall tokens in use at the end: 28.0 a game, of 28 in the box" in few
    assert any(
        line.endswith("29.0 a game, of 28 in the box; the games count on beyond these (FS-1)")
        for line in many
    )


def test_beside_json_the_time_goes_to_the_error_stream() -> None:
    out, err = simulated(2)
    json.loads(out)
    assert err == "2 games in 5.0 s, 0.4 a second\n"


def test_progress_is_shown_on_a_terminal_and_wiped() -> None:
    out, err = io.StringIO(), Terminal()
    run(
        simulation_of("fractured-sky", 1, {}),
        2,
        1,
        as_json=False,
        out=out,
        err=err,
        seconds=lambda: 0.0,
    )
    assert err.getvalue() == "\r0 of 2 games\r1 of 2 games\r2 of 2 games\r\x1b[K"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--games", "0"], "'0' does not fit here"),
        (["--games", "many"], "'many' does not fit here"),
        (
            ["--option", "difficulty=brutal"],
            "There is no choice 'brutal' for difficulty. Choose easy or medium or hard.",
        ),
        (["--option", "map=box"], "simulated games are played with map=example"),
        (["--option", "difficulty"], "difficulty names no choice: give RULING=CHOICE"),
        (["--players", "3"], "Fractured Sky is simulated with 1 to 2 players."),
        (["--seed", "x"], "'x' is no whole number"),
    ],
)
def test_wrong_usage_ends_with_two(args: list[str], sentence: str) -> None:
    ran = Ran("simulate", "fractured-sky", *args)
    assert ran.code == Exit.USAGE
    assert sentence in ran.err


def test_the_command_plays_and_ends_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "fractured-sky", "--games", "1", "--option", "difficulty=hard"]) == 0
    assert "AI orange" in capsys.readouterr().out


def test_ctrl_c_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.games.fractured_sky.simulation.play", interrupted)
    assert main(["simulate", "fractured-sky", "--games", "1"]) == 130


def test_a_game_tells_what_it_came_to() -> None:
    outcome = play(setup_for(("greedy", "random"), {"difficulty": "hard"}), random.Random(1))
    assert outcome.winner in outcome.starfalls
    assert outcome.starfalls[outcome.winner] == max(outcome.starfalls.values())
    assert {len(gained) for gained in outcome.gained.values()} == {5}
