"""Whole games of Fractured Sky between its AIs and scripted people on the example map, to measure the AIs' strength.

The companion deals and runs the AIs. A script knows its seat's view and nothing else. The rules
count no resources of a seat, so each script keeps a purse in which any resource pays for any other.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from types import MappingProxyType
from typing import Any, ClassVar

from companion.demo.simulating import Simulation
from companion.errors import CommandError, ErrorKind
from companion.games.fractured_sky.rules import facts as f, standing
from companion.games.fractured_sky.rules.board import Board, RegionId, board_of
from companion.games.fractured_sky.rules.controls import step
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import LIMIT, ROUNDS, State
from companion.games.fractured_sky.rules.public import CHIPS, SHIPS, PlayerId
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.turns import gold_on, may_take
from companion.games.fractured_sky.rules.view import FracturedSkyView, view
from companion.rules.columns import row
from companion.rules.components import example
from companion.rules.facts import Fact, SeatId, Setup
from companion.rules.seats import seats_from_names

SCOUTING = 2  # FS-16, in Gold
# every order of three chips that reach the limit of FS-11 without exceeding it
_HANDS = tuple(sorted({chips for chips in permutations(CHIPS, SHIPS) if sum(chips) == LIMIT}))
FIXED = MappingProxyType({"map": "example", "starfalls": "virtual"})
"""House rules of every simulated game: no box states the map, and nobody is there to deal cards."""
_PURSE = 4  # FS-1
_MOST_FACTS = 5_000  # several times what a game takes; beyond it the scripts go in circles
_RANKS = {"both": 2, "one": 1}  # FS-25, in resources
_RESOURCE_OF: dict[str, f.Resource] = {"Gold": "gold", "Iron": "iron", "Wood": "wood"}
_WIDTHS = (12, 7, 6, 7, 11, 40)
INVENTED = (
    "map",
    "resources",
    "costs",
    "Gold on turn slots",
    "AI cards",
    "AI tokens",
    "numbers of the Market cards",
)
"""Parts of the example box that the results rest on."""
_WIDTH = 79


@dataclass(frozen=True, slots=True)
class SeenByPerson:
    """What a script decides by: its seat, that seat's view, and its purse."""

    seat: SeatId
    view: FracturedSkyView
    purse: int

    @property
    def free_regions(self) -> tuple[RegionId, ...]:
        """The regions without an Airship of this seat (FS-9)."""
        own = {ship.region for ship in self.view.table.ships_of(self.seat)}
        return tuple(region for region in self.view.table.board.ids if region not in own)

    @property
    def open_cards(self) -> tuple[int, ...]:
        """The Hidden cards that this seat may scout."""
        table = self.view.table
        own = {mark.card for mark in table.marks if mark.player == self.seat}
        face_down = [card for card, region in enumerate(table.hidden, start=1) if region is None]
        return tuple(card for card in face_down if card not in own)

    def builds(self) -> Iterator[f.Build]:
        """Yield the buildings that this seat can pay and has a place for."""
        table, own = self.view.table, self.view.player(self.seat)
        left: dict[f.Building, int] = {"fortress": own.fortresses, "market": own.markets}
        for building, pieces in left.items():
            if not pieces or _price(table.board, building) > self.purse:
                continue
            for platform in table.board.platforms:
                built = len(table.built_on(platform.id))
                if platform.places is None or built < platform.places:
                    yield f.Build(seat=self.seat, building=building, platform=platform.id)


class RandomScript:
    """A scripted person who does anything it can pay; Airships half of the time."""

    def turn(self, seen: SeenByPerson, rng: random.Random) -> Fact:
        """Return its action."""
        choices: list[Fact] = list(seen.builds())
        if seen.purse >= SCOUTING:
            choices += [f.Scout(seat=seen.seat, card=card) for card in seen.open_cards]
        board = seen.view.table.board
        if seen.view.player(seen.seat).skimmers and seen.purse >= _price(board, "skimmer"):
            choices.append(f.Skimmer(seat=seen.seat, region=rng.choice(board.ids)))
        if choices and rng.random() < 1 / 2:
            return rng.choice(choices)
        return f.Airship(seat=seen.seat, region=rng.choice(seen.free_regions))

    def slot(self, seen: SeenByPerson, rng: random.Random) -> int:
        """Return the turn slot it takes (FS-10)."""
        return rng.choice(seen.view.table.free_slots)

    def chips(self, ships: int, rng: random.Random) -> tuple[int, ...]:
        """Return the chips under its Airships in the order of placing, 10 in all (FS-11), at random."""
        return rng.choice(_HANDS)[:ships]


class Greedy(RandomScript):
    """A scripted person who goes where most Starfalls are to be expected.

    It scouts once a round, puts the strongest chip first, and builds a Fortress beside the best
    region if its purse allows.
    """

    def turn(self, seen: SeenByPerson, rng: random.Random) -> Fact:
        """Return its scout, Fortress or Airship."""
        table = seen.view.table
        scouted = any(mark.player == seen.seat for mark in table.marks)
        if not scouted and seen.open_cards and seen.purse >= SCOUTING:
            return f.Scout(seat=seen.seat, card=rng.choice(seen.open_cards))
        worth = _expected(seen)
        # the first of equal regions in the order of the board
        best = max(seen.free_regions, key=lambda region: worth[region])
        if not table.ships_of(seen.seat):
            beside = {platform.id for platform in table.board.bridges[best]}
            for build in seen.builds():
                if build.building == "fortress" and build.platform in beside:
                    return build
        return f.Airship(seat=seen.seat, region=best)

    def slot(self, seen: SeenByPerson, rng: random.Random) -> int:  # noqa: ARG002  it always wants the same
        """Return the first free slot, which settles ties."""
        return min(seen.view.table.free_slots)

    def chips(self, ships: int, rng: random.Random) -> tuple[int, ...]:  # noqa: ARG002  as above
        """Return its chips, the highest under the Airship placed first."""
        return (6, 3, 1)[:ships]


def _expected(seen: SeenByPerson) -> dict[RegionId, float]:
    """Return the Starfalls to be expected in each region, less a little for every Airship there."""
    view, table = seen.view, seen.view.table
    hidden = view.deduction.hidden if view.deduction is not None else {}
    expected = {}
    for region in table.board.ids:
        starfalls = table.starfalls_in(region) + float(hidden.get(region, 0))
        if region in table.hidden:
            starfalls -= 1  # its Hidden card is face up, so both terms count that Starfall
        ships = [ship for ship in table.ships if ship.region == region]
        expected[region] = starfalls - 0.2 * len(ships)
    return expected


SCRIPTS: Mapping[str, RandomScript] = {"greedy": Greedy(), "random": RandomScript()}


@dataclass(frozen=True, slots=True)
class SimulatedMove:
    """A fact with the states before and after it."""

    before: State
    fact: Fact
    after: State


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """The result of a game: the winner, each player's Starfalls in all and gained in each round, by name.

    `left` counts the Starfalls that nobody took, `facts` the facts of the game.
    """

    winner: str
    starfalls: dict[str, int]
    gained: dict[str, tuple[int, ...]]
    left: int
    facts: int


def setup_for(seats: tuple[str, ...], options: Mapping[str, str]) -> Setup:
    """Return the setup of a simulated game with `options` beside `FIXED`; each seat has the name of its script."""
    options = {**options, **FIXED}
    return Setup(GAME.id, GAME.rules_version, seats_from_names(list(seats)), options)


def play(setup: Setup, rng: random.Random) -> SimulatedGame:
    """Play a game to its end and return its result."""
    facts, state = 0, GAME.start(setup)
    for move in moves(setup, rng):
        state, facts = move.after, facts + 1
    starfalls, gained = {}, {}
    for player in state.players:
        name = state.name(player)
        starfalls[name] = standing.starfalls_of(state, player)
        gained[name] = tuple(played.gains.get(player, 0) for played in state.past)
    return SimulatedGame(
        winner=state.name(standing.winner(state) or ""),
        starfalls=starfalls,
        gained=gained,
        left=sum(state.starfalls.values()),
        facts=facts,
    )


def moves(setup: Setup, rng: random.Random) -> Iterator[SimulatedMove]:
    """Play a game, each seat by the script of its name, and yield each fact; raise `RuntimeError`
    if it goes on forever."""
    game, people = GAME, _People(setup, rng)
    state = game.start(setup)
    for entry in range(2, _MOST_FACTS):
        if game.over(state):
            return
        fact = people.next(state)
        after = game.apply(state, fact, entry)
        people.settle(state, fact, after)
        yield SimulatedMove(state, fact, after)
        state = after
    raise RuntimeError(f"a game of {ROUNDS} rounds did not end in {_MOST_FACTS} facts")


class _People:
    """The people at the table, with their purses."""

    def __init__(self, setup: Setup, rng: random.Random) -> None:
        self._rng = rng
        self._scripts = {seat.id: SCRIPTS[seat.name] for seat in setup.seats}
        self._purses = dict.fromkeys(self._scripts, _PURSE)

    def next(self, state: State) -> Fact:
        """Return the next fact."""
        fact: Fact | None = None
        match standing.phase(state):
            case "first":
                fact = f.First(seat=self._rng.choice(state.playing))
            case "slot":
                seat = standing.owing_slot(state) or ""
                slot = self._scripts[seat].slot(self._seen(state, seat), self._rng)
                fact = f.Slot(seat=seat, slot=slot)
            case "turn":
                fact = self._turn(state)
            case "ai":
                fact = self._ai_choice(state)
            case "powers":
                seat = standing.unpowered(state)[0]
                fact = f.Powers(player=seat, chips=self._scripts[seat].chips(SHIPS, self._rng))
            case "objective":
                fact = f.Objective(players=(self._rng.choice(state.players),))
            case "resolve":
                fact = f.RoundEnd()
        # without a person's answer it is the companion's step
        return fact or step(state, lambda size: self._rng.sample(range(1, size + 1), size))

    def _turn(self, state: State) -> Fact | None:
        """Return what a person does on its turn, or None on an AI's."""
        taken = _to_take(state)
        if taken is not None:
            return taken
        if standing.ai_to_move(state) is not None:
            return None
        seat = standing.to_move(state) or ""
        return self._scripts[seat].turn(self._seen(state, seat), self._rng)

    def _ai_choice(self, state: State) -> Fact | None:
        """Return a choice where the table settles a tie of an AI's move, or None."""
        pending = state.now.pending
        if pending is None or pending.decision.target is not None:
            return None
        return f.AiChoose(target=self._rng.choice(pending.decision.ask))

    def _seen(self, state: State, seat: SeatId) -> SeenByPerson:
        return SeenByPerson(seat, view(state, seat), self._purses[seat])

    def settle(self, before: State, fact: Fact, after: State) -> None:
        """Pay for what was done, and take in what it brought."""
        match fact:
            case f.First():  # the Gold of the first row (FS-4)
                for place, player in enumerate(after.now.order, start=1):
                    self._earn(player, gold_on(after, place) or 0)
            case f.Slot(seat=seat, slot=slot):
                self._earn(seat, gold_on(after, slot) or 0)
            case f.Build(seat=seat, building=building):
                self._earn(seat, -_price(after.board, building))
            case f.Skimmer(seat=seat):
                self._earn(seat, -_price(after.board, "skimmer"))
            case f.Scout(seat=seat):
                self._earn(seat, -SCOUTING)
            case f.Take(seat=seat):
                self._earn(seat, 1)
            case f.RoundEnd():  # what the regions give (FS-25, FS-14)
                for share in chain.from_iterable(
                    region.standings for region in resolve(before).regions
                ):
                    self._earn(share.player, _RANKS.get(share.tier, 0) + share.markets)

    def _earn(self, player: PlayerId, resources: int) -> None:
        if player in self._purses:
            self._purses[player] += resources


def _to_take(state: State) -> Fact | None:
    """Return the resource taken by whoever has just scouted, the first of the region's, or None."""
    mark = may_take(state)
    if mark is None:
        return None
    sights = standing.sights_of(state, mark.player)
    seen = [sight for sight in sights if (sight.where, sight.number) == ("hidden", mark.card)]
    resource = state.board.by_id[seen[0].region].resources[0]
    return f.Take(seat=mark.player, card=mark.card, resource=_RESOURCE_OF[resource])


def _price(board: Board, piece: str) -> int:
    """Return how many resources a piece costs, whatever their kind."""
    return sum(board.costs.get(piece.capitalize(), {}).values())


def _figures_of(name: str, outcomes: Sequence[SimulatedGame]) -> dict[str, Any]:
    won = sum(outcome.winner == name for outcome in outcomes)
    by_round = []
    for place in range(ROUNDS):
        by_round.append(_mean([outcome.gained[name][place] for outcome in outcomes]))
    return {
        "games": len(outcomes),
        "won": won,
        "rate": round(won / len(outcomes), 4),
        "starfalls": _mean([outcome.starfalls[name] for outcome in outcomes]),
        "by_round": by_round,
    }


def _mean(numbers: Sequence[int]) -> float:
    return round(sum(numbers) / len(numbers), 4)


class FracturedSkySimulation(Simulation[SimulatedGame]):
    """The AIs against a greedy and a random person, in turn or both."""

    PLAYERS: ClassVar[range | None] = range(1, len(SCRIPTS) + 1)
    OPTIONS: ClassVar[Mapping[str, str]] = {"difficulty": "easy"}

    def __init__(self, game_id: str, players: int | None, options: Mapping[str, str]) -> None:
        super().__init__(game_id, players, options)
        for ruling, choice in FIXED.items():
            if options.get(ruling, choice) != choice:
                sentence = f"--option {ruling}={options[ruling]}: simulated games are played with {ruling}={choice}."
                raise CommandError(sentence, ErrorKind.USAGE)

    def play(self, number: int, chance: random.Random) -> SimulatedGame:
        """Play game `number`, the seats in turn."""
        names = sorted(SCRIPTS)
        first = number % len(names)
        in_turn = (*names[first:], *names[:first])
        return play(setup_for(in_turn[: self.players], self.options), chance)

    def tally(self, outcomes: Sequence[SimulatedGame]) -> dict[str, Any]:
        """Return the figures of all games.

        Each player has games, wins, their rate, and the mean Starfalls in all and by round; then
        come the means of Starfalls that nobody took and of tokens in use at the end, and the number
        of facts.
        """
        results = {}
        for name in sorted({name for outcome in outcomes for name in outcome.starfalls}):
            # a script may sit out, where one plays at a time
            played = [outcome for outcome in outcomes if name in outcome.starfalls]
            results[name] = _figures_of(name, played)
        tokens = [outcome.left + sum(outcome.starfalls.values()) for outcome in outcomes]
        return {
            "map": FIXED["map"],
            "difficulty": self.options["difficulty"],
            "invented": INVENTED,
            "results": results,
            "left_on_the_board": _mean([outcome.left for outcome in outcomes]),
            "tokens_in_use": _mean(tokens),
            "facts": sum(outcome.facts for outcome in outcomes),
        }

    def lines(self, tallied: Mapping[str, Any], seed: int) -> Iterator[str]:
        """Yield the figures as text."""
        yield f"{self.game.title} on the example map, AIs {self.options['difficulty']}, seed {seed}"
        yield row(("player", "games", "won", "rate", "Starfalls", "in each round"), _WIDTHS)
        for name, own in tallied["results"].items():
            rounds = "  ".join(f"{mean:.2f}" for mean in own["by_round"])
            rate, starfalls = f"{own['rate']:.0%}", f"{own['starfalls']:.2f}"
            yield row((name, str(own["games"]), str(own["won"]), rate, starfalls, rounds), _WIDTHS)
        yield f"Starfalls that nobody took: {tallied['left_on_the_board']:.2f} a game"
        used = tallied["tokens_in_use"]
        supply = board_of(example(self.game.id), "eight").starfall_tokens
        more = "; the games count on beyond these (FS-1)" if used > supply else ""
        yield f"Starfall tokens in use at the end: {used:.1f} a game, of {supply} in the box{more}"
        source = f"Invented, from the example box: {', '.join(INVENTED)}. All numbers above follow from these;"
        yield textwrap.fill(f"{source} with the real box they are others.", _WIDTH)
