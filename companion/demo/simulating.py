"""`companion simulate`: many games by players who need no screen and no board, their tally, and their speed."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, ClassVar, Generic, TextIO, TypeVar

from companion.config.parsers import options
from companion.demo.steps import people_for, random_kind
from companion.errors import CommandError, ErrorKind
from companion.rules.columns import count_range, plural, row
from companion.rules.facts import Fact, Refused, Setup
from companion.rules.game import Game, in_order
from companion.rules.house_rules import in_force
from companion.rules.outcome import result_of
from companion.rules.registry import info_of, open_game
from companion.rules.seats import seats_from_names, unnamed
from companion.session.game_watch import hang_reported
from companion.session.opening import with_chance
from companion.terminal import data_stream, unfiltered

O = TypeVar("O")  # noqa: E741  the outcome of one game
FACT_LIMIT = 1_000  # twice the length of a game; one that is not over by then has no winner
LINE_S = 10.0  # between two lines of progress, if the error stream is no terminal
_WIDTHS = (12, 7, 6, 9)


class Simulation(Generic[O]):
    """Whole games of one game, with a number of `players` and the same house rules.

    A game's own subclass says who the players are and what to count.
    """

    PLAYERS: ClassVar[range | None] = None
    """Possible numbers of players, the first being the default; None for those of the rules."""
    OPTIONS: ClassVar[Mapping[str, str]] = {}
    """House rules that differ from the usual ones unless the command line says otherwise."""

    def __init__(self, game_id: str, players: int | None, options: Mapping[str, str]) -> None:
        """Raise `CommandError` for an impossible number of players or house rule."""
        self.game = open_game(game_id)
        counts = self.PLAYERS or self.game.seat_counts
        if players is not None:
            self.players = players
        elif self.PLAYERS:
            self.players = counts[0]
        else:
            self.players = people_for(counts)
        if self.players not in counts:
            sentence = f"--players {players}: {self.game.title} is simulated with {count_range(counts, 'player')}."
            raise CommandError(sentence, ErrorKind.USAGE)
        try:
            in_force(options, self.game.house_rules, self.game.numbers)
        except Refused as refusal:
            raise CommandError(refusal.spoken(), ErrorKind.USAGE) from refusal
        self.options = {**self.OPTIONS, **options}

    def play(self, number: int, chance: random.Random) -> O:
        """Play game `number`, from 0, with this chance; return its outcome."""
        raise NotImplementedError

    def tally(self, outcomes: Sequence[O]) -> dict[str, Any]:
        """Return the outcomes summed up as plain JSON values."""
        raise NotImplementedError

    def lines(self, tallied: Mapping[str, Any], seed: int) -> Iterator[str]:
        """Yield the tally for people."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class FinalScores:
    """The outcome of a game: the scores by name, the winners if it is over, and its number of facts."""

    scores: Mapping[str, int]
    best: frozenset[str]
    facts: int
    over: bool


class RandomGames(Simulation[FinalScores]):
    """Players who know the rules and have no plan, for a game that has no simulation of its own."""

    def play(self, number: int, chance: random.Random) -> FinalScores:  # noqa: ARG002  they are the same in each
        """Play with random moves."""
        game, played = with_chance(self.game, chance), Counter[str]()
        seats = seats_from_names(unnamed(self.players))
        box = info_of(game.id).carried
        state = game.start(Setup(game.id, game.rules_version, seats, self.options, box))
        while not game.over(state) and played.total() < FACT_LIMIT:
            after = _after_any_move(game, state, played, chance)
            if after is None:
                break
            state = after
        standings = game.standings(state)
        scores = {seat.name: standings[seat.id] for seat in seats}
        is_over = game.over(state)
        best: frozenset[str] = frozenset()
        if is_over:
            winners = result_of(game, state).winners
            best = frozenset(seat.name for seat in seats if seat.id in winners)
        return FinalScores(scores, best, played.total(), is_over)

    def tally(self, outcomes: Sequence[FinalScores]) -> dict[str, Any]:
        """Return for each seat how often it won, alone or with others, and its mean score."""
        count = len(outcomes)
        results = {}
        for name in outcomes[0].scores:
            best = sum(name in outcome.best for outcome in outcomes)
            score = sum(outcome.scores[name] for outcome in outcomes)
            results[name] = {
                "best": best,
                "rate": round(best / count, 4),
                "score": round(score / count, 4),
            }
        return {
            "games": count,
            "results": results,
            "over": sum(outcome.over for outcome in outcomes),
            "facts": sum(outcome.facts for outcome in outcomes),
        }

    def lines(self, tallied: Mapping[str, Any], seed: int) -> Iterator[str]:
        """Yield a table."""
        yield f"{self.game.title}, every move at random, seed {seed}"
        yield row(("player", "won", "rate", "score"), _WIDTHS)
        for name, figures in tallied["results"].items():
            yield row(
                (name, str(figures["best"]), f"{figures['rate']:.0%}", f"{figures['score']:.2f}"),
                _WIDTHS,
            )
        unfinished = tallied["games"] - tallied["over"]
        if unfinished:
            not_over = plural(unfinished, "game was", "games were")
            yield f"{not_over} not over within {FACT_LIMIT:,} moves; nobody won there."


def _after_any_move(
    game: Game[Any], state: Any, played: Counter[str], chance: random.Random
) -> Any:
    """Return the state after a random move; None if none is allowed.

    Most of the time is spent by the rules on each move, so of a kind that is not chosen only one allowed move is looked
    for.
    """
    # kind -> the states after its allowed moves, of which only the first is computed yet
    moves: dict[str, Iterator[Any]] = {}
    for kind, facts in groupby(in_order(game.candidates(state)), attrgetter("kind")):
        states = _states_after(game, state, tuple(facts), played.total() + 2)
        first = next(states, None)
        if first is not None:
            moves[kind] = chain((first,), states)
    if not moves:
        return None
    kind = random_kind([*moves], played, chance)
    return chance.choice([*moves[kind]])


def _states_after(game: Game[Any], state: Any, facts: Sequence[Fact], entry: int) -> Iterator[Any]:
    """Yield the state after each of these moves that is allowed."""
    for fact in facts:
        with suppress(Refused):
            yield game.advance(state, fact, entry)


def simulation_of(game_id: str, players: int | None, options: Mapping[str, str]) -> Simulation[Any]:
    """Return a game's simulation; raise `CommandError`, see `Simulation`."""
    info = info_of(game_id)
    simulation: type[Simulation[Any]] = RandomGames
    if info.simulation:
        simulation = info.part(info.simulation)
    return simulation(game_id, players, options)


def command(args: argparse.Namespace) -> None:
    """Run `companion simulate`."""
    simulation = simulation_of(args.game, args.players, options(args.option))
    clock = time.perf_counter
    out = data_stream() if args.json else sys.stdout
    with hang_reported("Ctrl-C ends it."):
        run(
            simulation,
            args.games,
            args.seed,
            as_json=args.json,
            out=out,
            err=sys.stderr,
            seconds=clock,
        )


def run(
    simulation: Simulation[Any],
    games: int,
    seed: int,
    *,
    as_json: bool,
    out: TextIO,
    err: TextIO,
    seconds: Callable[[], float],
) -> None:
    """Play so many games and print the tally; the same seed prints the same, except for the time.

    Progress goes to `err`, as a line now and then if that is no terminal; with JSON so does the time. `seconds` is a
    monotonic clock.
    """
    start = seconds()
    played = (simulation.play(number, random.Random(f"{seed}/{number}")) for number in range(games))
    outcomes = list(_with_progress(played, games, err, seconds))
    taken_s = seconds() - start
    tally = simulation.tally(outcomes)
    speed = f"{plural(games, 'game')} in {taken_s:.1f} s, {games / max(taken_s, 1e-9):.1f} a second"
    if as_json:
        game = simulation.game
        head = {
            "game": game.id,
            "rules": game.rules_version,
            "games": games,
            "players": simulation.players,
        }
        print(json.dumps({**head, "seed": seed, **tally}, indent=2), file=out)
        print(speed, file=err)
    else:
        print("\n".join((*simulation.lines(tally, seed), speed)), file=out)


def _with_progress(
    outcomes: Iterator[O], games: int, err: TextIO, seconds: Callable[[], float]
) -> Iterator[O]:
    terminal = unfiltered(err) if err.isatty() else None
    last_s = seconds()

    def report(number: int) -> None:
        nonlocal last_s
        text = f"{number} of {plural(games, 'game')}"
        if terminal is not None:
            terminal.write(f"\r{text}")
            terminal.flush()
            return
        now_s = seconds()
        if now_s - last_s >= LINE_S:
            last_s = now_s
            print(text, file=err, flush=True)

    try:
        report(0)
        for number, outcome in enumerate(outcomes, start=1):
            report(number)
            yield outcome
    finally:
        if terminal is not None:
            terminal.write("\r\x1b[K")
            terminal.flush()
