"""`companion simulate`: many games by players who need no screen and no board, their tally, and how fast they went."""

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
from companion.demo.steps import any_kind, people_for
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

O = TypeVar("O")  # noqa: E741  what one game came to
MOST_FACTS = 1_000  # twice what a game takes: one that is not over by then is counted as nobody's
LINE_S = 10.0  # seconds between two lines of progress, where the error stream is no terminal
_WIDTHS = (12, 7, 6, 9)


class Simulation(Generic[O]):
    """Whole games of one game, each by so many `players` and by the same house rules. A game's own class says who they
    are, and what is worth counting."""

    PLAYERS: ClassVar[range | None] = None
    """How many people there can be, the first number where nobody says how many; None: as the rules say."""
    OPTIONS: ClassVar[
        Mapping[str, str]
    ] = {}  # the house rules that are other than usual where nobody says more

    def __init__(self, game_id: str, players: int | None, options: Mapping[str, str]) -> None:
        """Raise `CommandError` for a number of people, or a house rule, that cannot be."""
        self.game = open_game(game_id)
        counts = self.PLAYERS or self.game.seat_counts
        usual = counts[0] if self.PLAYERS else people_for(counts)
        self.players = usual if players is None else players
        if self.players not in counts:
            sentence = f"--players {players}: {self.game.title} is simulated with {count_range(counts, 'player')}."
            raise CommandError(sentence, ErrorKind.USAGE)
        try:
            in_force(options, self.game.house_rules, self.game.numbers)
        except Refused as refusal:
            raise CommandError(refusal.spoken(), ErrorKind.USAGE) from refusal
        self.options = {**self.OPTIONS, **options}

    def play(self, number: int, chance: random.Random) -> O:
        """Play game `number`, from 0, by this chance; return what it came to."""
        raise NotImplementedError

    def tally(self, outcomes: Sequence[O]) -> dict[str, Any]:
        """Return what the games came to as plain JSON values."""
        raise NotImplementedError

    def lines(self, tallied: Mapping[str, Any], seed: int) -> Iterator[str]:
        """Yield the tally for people."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class FinalScores:
    """What a game came to: the scores by name, who has won one that is over, and how many facts it took."""

    scores: Mapping[str, int]
    best: frozenset[str]
    facts: int
    over: bool


class RandomGames(Simulation[FinalScores]):
    """People who know the rules and have no plan, for a game that brings nobody better."""

    def play(self, number: int, chance: random.Random) -> FinalScores:  # noqa: ARG002  they are the same in each
        """Play by any moves."""
        game, played = with_chance(self.game, chance), Counter[str]()
        seats = seats_from_names(unnamed(self.players))
        box = info_of(game.id).carried
        state = game.start(Setup(game.id, game.rules_version, seats, self.options, box))
        while not game.over(state) and played.total() < MOST_FACTS:
            if (after := _moved(game, state, played, chance)) is None:
                break
            state = after
        standings = game.standings(state)
        scores = {seat.name: standings[seat.id] for seat in seats}
        won = result_of(game, state).winners if game.over(state) else ()
        best = frozenset(seat.name for seat in seats if seat.id in won)
        return FinalScores(scores, best, played.total(), game.over(state))

    def tally(self, outcomes: Sequence[FinalScores]) -> dict[str, Any]:
        """Return for each seat how often it won, alone or with others, and its mean score."""
        count = len(outcomes)
        results = {
            name: {
                "best": (best := sum(name in one.best for one in outcomes)),
                "rate": round(best / count, 4),
                "score": round(sum(one.scores[name] for one in outcomes) / count, 4),
            }
            for name in outcomes[0].scores
        }
        return {
            "games": count,
            "results": results,
            "over": sum(one.over for one in outcomes),
            "facts": sum(one.facts for one in outcomes),
        }

    def lines(self, tallied: Mapping[str, Any], seed: int) -> Iterator[str]:
        """Yield a table."""
        yield f"{self.game.title}, every move at random, seed {seed}"
        yield row(("player", "won", "rate", "score"), _WIDTHS)
        for name, own in tallied["results"].items():
            yield row(
                (name, str(own["best"]), f"{own['rate']:.0%}", f"{own['score']:.2f}"), _WIDTHS
            )
        if unfinished := tallied["games"] - tallied["over"]:
            not_over = plural(unfinished, "game was", "games were")
            yield f"{not_over} not over within {MOST_FACTS:,} moves; nobody won there."


def _moved(game: Game[Any], state: Any, played: Counter[str], chance: random.Random) -> Any:
    """Return the state after any move, None where none is allowed. Most of the time goes into what the rules make of
    each move: of a kind that is not chosen, one that is allowed is enough."""
    found: dict[str, Iterator[Any]] = {}
    for kind, facts in groupby(in_order(game.candidates(state)), attrgetter("kind")):
        states = _after(game, state, tuple(facts), played.total() + 2)
        if (first := next(states, None)) is not None:
            found[kind] = chain((first,), states)
    return chance.choice([*found[any_kind([*found], played, chance)]]) if found else None


def _after(game: Game[Any], state: Any, facts: Sequence[Fact], entry: int) -> Iterator[Any]:
    """Yield the state after each of these moves that is allowed."""
    for fact in facts:
        with suppress(Refused):
            yield game.advance(state, fact, entry)


def simulation_of(game_id: str, players: int | None, options: Mapping[str, str]) -> Simulation[Any]:
    """Return what plays a game many times; raise `CommandError`, see `Simulation`."""
    info = info_of(game_id)
    made: type[Simulation[Any]] = info.part(info.simulation) if info.simulation else RandomGames
    return made(game_id, players, options)


def command(args: argparse.Namespace) -> None:
    """`companion simulate`."""
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
    """Play so many games and print what they came to; the same seed prints the same, but for the time it took.

    Progress goes to `err`, where that is no terminal as a line now and then; beside JSON the time does, too. `seconds`
    is a clock that only goes forward.
    """
    begun = seconds()
    played = (simulation.play(number, random.Random(f"{seed}/{number}")) for number in range(games))
    outcomes = list(_shown(played, games, err, seconds))
    taken = seconds() - begun
    tallied = simulation.tally(outcomes)
    speed = f"{plural(games, 'game')} in {taken:.1f} s, {games / max(taken, 1e-9):.1f} a second"
    if as_json:
        game = simulation.game
        head = {
            "game": game.id,
            "rules": game.rules_version,
            "games": games,
            "players": simulation.players,
        }
        print(json.dumps({**head, "seed": seed, **tallied}, indent=2), file=out)
        print(speed, file=err)
    else:
        print("\n".join((*simulation.lines(tallied, seed), speed)), file=out)


def _shown(
    outcomes: Iterator[O], games: int, err: TextIO, seconds: Callable[[], float]
) -> Iterator[O]:
    terminal = unfiltered(err) if err.isatty() else None
    said = seconds()

    def tell(number: int) -> None:
        nonlocal said
        words = f"{number} of {plural(games, 'game')}"
        if terminal is not None:
            terminal.write(f"\r{words}")
            terminal.flush()
        elif (now := seconds()) - said >= LINE_S:
            said = now
            print(words, file=err, flush=True)

    try:
        tell(0)
        for number, outcome in enumerate(outcomes, start=1):
            tell(number)
            yield outcome
    finally:
        if terminal is not None:
            terminal.write("\r\x1b[K")
            terminal.flush()
