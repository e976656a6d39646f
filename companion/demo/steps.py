"""The building blocks of a demo's players: steps of hands and what they then wait to see; and players for any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from companion.rules.facts import Fact, body_of
from companion.rules.seats import unnamed
from companion.session.key_meanings import GUARD_US
from companion.session.table import Table
from firmware_protocol.virtual.hands import Hands

HOLD_MS = 700  # longer than the hold time of 600 ms, as a person holds
TAP_MS = 80
READ_S = GUARD_US / 1e6 + 0.02
"""How long a person reads the screen before pressing a key; a key whose meaning has just changed is refused."""
LIFT_S = 0.03  # until the finger is off and the contact has settled

See = Callable[[Any], bool]  # does a view of the game show what was done?
V = TypeVar("V")  # the game's view


@dataclass(frozen=True, slots=True)
class DemoStep:
    """One step.

    `do` is done in `takes_s`, after reading the screen for `reads_s`; then the players wait for `until`, described by
    `wanted`, and rest.
    """

    do: Callable[[], object]
    until: See
    wanted: str
    rest_s: float
    takes_s: float = 0.2
    reads_s: float = 0.0


@dataclass(slots=True)
class ScriptedPlayers(Generic[V]):
    """People at a table with a board: a script of steps for a whole game, another one for each seed."""

    board: Hands
    table: Table
    random: Random

    game: ClassVar[str]
    seats: ClassVar[tuple[str, ...]]
    options: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def components(cls) -> Mapping[str, Any]:
        """Return the box they play with, see `Setup`; the packaged one."""
        return {}

    def steps(self) -> Iterator[DemoStep]:
        """Yield steps until the game is over."""
        raise NotImplementedError

    def look(self) -> V:
        """Return the view that everybody at the table sees."""
        view: V = self.table.view().game
        return view

    def may(self, kind: str, **body: Any) -> bool:
        """Return whether the rules allow that fact now: people who know a game do nothing that is refused."""
        return self.table.look(
            lambda record: record.game.allows(record.state, record.game.parse(kind, body))
        )

    def hold(self, channel: str, until: See, wanted: str) -> DemoStep:
        """Return the step of holding a button."""
        return self.tap(channel, until, wanted, HOLD_MS, self.random.uniform(0.4, 1.5))

    def tap(
        self, channel: str, until: See, wanted: str, hold_ms: float = TAP_MS, rest_s: float = 0.6
    ) -> DemoStep:
        """Return the step of tapping a button."""
        takes_s = hold_ms / 1000 + LIFT_S
        return DemoStep(lambda: self.board.press(channel, hold_ms), until, wanted, rest_s, takes_s)

    def key(self, word: str, until: See, wanted: str) -> DemoStep:
        """Return the step of reading the screen and pressing the key of an action of the game."""
        action, rest_s = f"{self.game}.{word}", self.random.uniform(0.3, 0.8)
        return DemoStep(lambda: self.table.do(action), until, wanted, rest_s, reads_s=READ_S)

    def enter(self, kind: str, body: Mapping[str, Any], until: See, wanted: str) -> DemoStep:
        """Return the step of entering a fact on the screen."""
        return DemoStep(
            lambda: self.table.enter(kind, body), until, wanted, self.random.uniform(0.2, 0.5)
        )


def zone(place: int) -> str:
    """Return the channel of zone button number `place`, from 0."""
    return f"zone-{place + 1}"


# A game of random moves need not ever end.
MOVE_LIMIT = 500
USUAL_PLAYERS = 3  # if the game leaves a choice


@dataclass(slots=True)
class RandomPlayers(ScriptedPlayers[Any]):
    """Players who know the rules and have no plan. They need no board: their moves are entered on the screen."""

    def steps(self) -> Iterator[DemoStep]:
        """Yield moves until the game is over, nothing is allowed any more, or the limit is reached."""
        played: Counter[str] = Counter()
        for _ in range(MOVE_LIMIT):
            legal = self.table.legal()
            if self.table.view().ended or not legal:
                return
            yield self._move(random_move(legal, played, self.random))

    def _move(self, fact: Fact) -> DemoStep:
        before = self.table.view().log[-1].n
        return self.enter(
            fact.kind,
            body_of(fact),
            lambda _: self.table.view().log[-1].n > before,
            f"{fact.kind} is in the record",
        )


def random_move(legal: tuple[Fact, ...], played: Counter[str], chance: Random) -> Fact:
    """Return a random one of these moves, and count its kind in `played`.

    A kind that was rare so far is likelier: otherwise one that can be repeated without end would crowd out all others.
    """
    kind = random_kind(sorted({fact.kind for fact in legal}), played, chance)
    return chance.choice([fact for fact in legal if fact.kind == kind])


def random_kind(kinds: Sequence[str], played: Counter[str], chance: Random) -> str:
    """Return a random one of these kinds of moves, see `random_move`."""
    (kind,) = chance.choices(kinds, [1 / (1 + played[kind]) ** 2 for kind in kinds])
    played[kind] += 1
    return kind


def people_for(counts: range) -> int:
    """Return the default number of players, for a game with these numbers."""
    return max(counts[0], min(USUAL_PLAYERS, counts[-1]))


def random_players(game_id: str, counts: range) -> type[ScriptedPlayers[Any]]:
    """Return random players for a game with these numbers of players."""
    seats = tuple(unnamed(people_for(counts)))
    return type(
        "RandomPlayers", (RandomPlayers,), {"__slots__": (), "game": game_id, "seats": seats}
    )
