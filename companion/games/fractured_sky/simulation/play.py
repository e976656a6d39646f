"""One whole game, fact by fact: the companion deals and runs the AIs, scripts sit on the seats."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.games.fractured_sky.rules import facts as f
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.hands import step
from companion.games.fractured_sky.rules.model import ROUNDS, SHIPS, State
from companion.games.fractured_sky.rules.phase import ai_to_move, owing_slot, phase, to_move, unpowered
from companion.games.fractured_sky.rules.public import PlayerId
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.standings import starfalls_of, winner
from companion.games.fractured_sky.rules.starfalls import sights_of
from companion.games.fractured_sky.rules.turns import gold_on, may_take
from companion.games.fractured_sky.rules.view import view
from companion.games.fractured_sky.simulation.people import SCOUTING, SCRIPTS, SeenByPerson
from companion.rules.game import Fact, SeatId, Setup
from companion.rules.seats import seats_from_names

FIXED = MappingProxyType({"map": "example", "starfalls": "virtual"})
"""The house rules without which nobody could play on a map that nobody knows, with cards that nobody deals."""
_PURSE = 4  # FS-1
_MOST_FACTS = 5_000  # several times what a game takes: beyond it nobody will ever be done
_RANKS = {"both": 2, "one": 1}
_MEANT: dict[str, f.Resource] = {"Gold": "gold", "Iron": "iron", "Wood": "wood"}


@dataclass(frozen=True, slots=True)
class SimulatedMove:
    """A fact with the states before and after it."""

    before: State
    fact: Fact
    after: State


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """What a game came to: its players by what they are called, who won, each player's Starfalls and those gained in
    each round, the Starfalls nobody took, and how many facts it took."""

    winner: str
    starfalls: dict[str, int]
    gained: dict[str, tuple[int, ...]]
    left: int
    facts: int


def setup_for(seats: tuple[str, ...], options: Mapping[str, str]) -> Setup:
    """The setup of a simulated game; a seat is called by its script. `options` are house rules beside `FIXED`."""
    options = {**options, **FIXED}
    return Setup(GAME.id, GAME.rules_version, seats_from_names(list(seats)), options)


def play(setup: Setup, rng: random.Random) -> SimulatedGame:
    """Play a game to its end."""
    played = 0
    state = GAME.start(setup)
    for move in moves(setup, rng):
        state, played = move.after, played + 1
    return SimulatedGame(
        winner=state.name(winner(state) or ""),
        starfalls={state.name(player): starfalls_of(state, player) for player in state.players},
        gained={state.name(player): tuple(one.gains.get(player, 0) for one in state.past) for player in state.players},
        left=sum(state.starfalls.values()),
        facts=played,
    )


def moves(setup: Setup, rng: random.Random) -> Iterator[SimulatedMove]:
    """Play a game, each seat by the script it is named for; raise `RuntimeError` for one that does not end."""
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
        """What happens now."""
        match phase(state):
            case "first":
                return f.First(seat=self._rng.choice(state.playing))
            case "slot":
                seat = owing_slot(state) or ""
                return f.Slot(seat=seat, slot=self._scripts[seat].slot(self._seen(state, seat), self._rng))
            case "turn" if (taken := _to_take(state)) is not None:
                return taken
            case "turn" if ai_to_move(state) is None:
                seat = to_move(state) or ""
                return self._scripts[seat].turn(self._seen(state, seat), self._rng)
            case "ai" if (asked := _asked(state)) is not None:
                return f.AiChoose(target=self._rng.choice(asked))
            case "powers":
                seat = unpowered(state)[0]
                return f.Powers(player=seat, chips=self._scripts[seat].chips(SHIPS, self._rng))
            case "objective":
                return f.Objective(players=(self._rng.choice(state.players),))
            case "resolve":
                return f.RoundEnd()
        return step(state, lambda size: self._rng.sample(range(1, size + 1), size))

    def _seen(self, state: State, seat: SeatId) -> SeenByPerson:
        return SeenByPerson(seat, view(state, seat), self._purses[seat], _prices(state))

    def settle(self, before: State, fact: Fact, after: State) -> None:
        """Pay for what was done, and take in what it brought."""
        match fact:
            case f.First():
                self._begin(after)
            case f.Slot(seat=seat, slot=slot):
                self._earn(seat, gold_on(after, slot) or 0)
            case f.Build(seat=seat, building=building):
                self._earn(seat, -_prices(after).get(building.capitalize(), 0))
            case f.Skimmer(seat=seat):
                self._earn(seat, -_prices(after).get("Skimmer", 0))
            case f.Scout(seat=seat):
                self._earn(seat, -SCOUTING)
            case f.Take(seat=seat):
                self._earn(seat, 1)
            case f.RoundEnd():
                self._collect(before)

    def _begin(self, after: State) -> None:
        """Take in the Gold of the first row (FS-4)."""
        for place, player in enumerate(after.current.order if after.current is not None else (), start=1):
            self._earn(player, gold_on(after, place) or 0)

    def _collect(self, before: State) -> None:
        """Take in what the regions give (FS-25, FS-14)."""
        for region in resolve(before).regions:
            for one in region.standings:
                self._earn(one.player, _RANKS.get(one.tier, 0) + one.markets)

    def _earn(self, player: PlayerId, resources: int) -> None:
        if player in self._purses:
            self._purses[player] += resources


def _asked(state: State) -> tuple[str, ...] | None:
    """The places among which the table chooses for an AI; None where it need not."""
    pending = state.current.pending if state.current is not None else None
    return pending.decision.ask if pending is not None and pending.decision.target is None else None


def _to_take(state: State) -> Fact | None:
    """The resource that who has just scouted takes: the first of the region's."""
    mark = may_take(state)
    if mark is None:
        return None
    seen = [sight for sight in sights_of(state, mark.player) if (sight.where, sight.number) == ("hidden", mark.card)]
    resource = state.board.by_id[seen[0].region].resources[0]
    return f.Take(seat=mark.player, card=mark.card, resource=_MEANT[resource])


def _prices(state: State) -> dict[str, int]:
    """What a Fortress, a Market and a Skimmer cost in all, of whatever kind."""
    return {
        piece: sum(int(part.split()[0]) for part in cost.split(" + ")) if cost != "nothing" else 0
        for piece, cost in state.board.costs.items()
    }
