"""What players of a demo are made of: steps of hands, and what they then wait to see; and people for any game."""

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
"""How long a person reads the screen before pressing a key; a key whose meaning changed more lately is refused."""
LIFT_S = 0.03  # until the finger is off and the contact has settled

See = Callable[[Any], bool]  # whether a view of the game shows what was done
V = TypeVar("V")  # what the view of the game is


@dataclass(frozen=True, slots=True)
class DemoStep:
    """What the players do next and how long their hands need for it, what they then wait to see on the screen, how
    long they rest after it, and how long they read the screen before it."""

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
        """The screen, as everybody at the table sees it."""
        view: V = self.table.view().game
        return view

    def may(self, kind: str, **body: Any) -> bool:
        """Whether the rules allow that fact now; people who know a game do nothing that is refused."""
        return self.table.look(
            lambda record: record.game.allows(record.state, record.game.parse(kind, body))
        )

    def hold(self, channel: str, until: See, wanted: str) -> DemoStep:
        """Hold a button."""
        return self.tap(channel, until, wanted, HOLD_MS, self.random.uniform(0.4, 1.5))

    def tap(
        self, channel: str, until: See, wanted: str, hold_ms: float = TAP_MS, rest_s: float = 0.6
    ) -> DemoStep:
        """Tap a button."""
        takes_s = hold_ms / 1000 + LIFT_S
        return DemoStep(lambda: self.board.press(channel, hold_ms), until, wanted, rest_s, takes_s)

    def key(self, word: str, until: See, wanted: str) -> DemoStep:
        """Read the screen, and press the key of an action of the game."""
        action, rest_s = f"{self.game}.{word}", self.random.uniform(0.3, 0.8)
        return DemoStep(lambda: self.table.do(action), until, wanted, rest_s, reads_s=READ_S)

    def enter(self, kind: str, body: Mapping[str, Any], until: See, wanted: str) -> DemoStep:
        """Enter a fact on the screen."""
        return DemoStep(
            lambda: self.table.enter(kind, body), until, wanted, self.random.uniform(0.2, 0.5)
        )


def zone(place: int) -> str:
    """Return the channel of zone button number `place`, from 0."""
    return f"zone-{place + 1}"


# after so many moves the people stop: nobody says that a game of moves at random ever ends
MOVE_LIMIT = 500
USUAL_PLAYERS = 3  # people, where the game leaves a choice


@dataclass(slots=True)
class RandomPlayers(ScriptedPlayers[Any]):
    """People who know the rules and have no plan. They need no board: what they do is entered."""

    def steps(self) -> Iterator[DemoStep]:
        """Yield moves until the game is over, nothing is allowed any more, or there were very many."""
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
    """Return any of these moves, a kind that was rare so far sooner than one that can be made again and again, and
    count it among those `played`."""
    kind = random_kind(sorted({fact.kind for fact in legal}), played, chance)
    return chance.choice([fact for fact in legal if fact.kind == kind])


def random_kind(kinds: Sequence[str], played: Counter[str], chance: Random) -> str:
    """Return any of these kinds of moves, see `random_move`."""
    (kind,) = chance.choices(kinds, [1 / (1 + played[kind]) ** 2 for kind in kinds])
    played[kind] += 1
    return kind


def people_for(counts: range) -> int:
    """Return how many sit down where nobody says how many, in a game for so many."""
    return max(counts[0], min(USUAL_PLAYERS, counts[-1]))


def random_players(game_id: str, counts: range) -> type[ScriptedPlayers[Any]]:
    """Return people for a game that can be played by so many."""
    seats = tuple(unnamed(people_for(counts)))
    return type(
        "RandomPlayers", (RandomPlayers,), {"__slots__": (), "game": game_id, "seats": seats}
    )
