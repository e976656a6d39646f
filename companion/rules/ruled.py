"""Kinds of facts that carry their own rules, one class each.

A game whose `apply`, `sentence` and `act` are functions over all its kinds spreads each kind over several files. A
`RuledFact` keeps it together: its fields, what it does in each version of the rules, its sentence, when and by which
keys it is offered, and who may see it (`secret`, `private`). `add_facts` adds such kinds to any game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from companion.rules.actions import Action
from companion.rules.facts import Fact, SeatId, Setup, by_kind
from companion.rules.game import Fix, Game, Retraction

S = TypeVar("S")


class RuledFact(Fact):
    """A kind of fact of one game, with the rules that the functions of the game would otherwise contain.

    The states are those of its game. Each method has the meaning, and most the default, of the field of `Game` with the
    same name.
    """

    fixes: ClassVar[tuple[Fix, ...]] = ()
    """The mistakes that a form offers to correct with this kind, likeliest first."""

    def apply(self, state: Any, entry: int) -> Any:
        """Return the state after this fact, entry number `entry` of the record; raise `Refused`.

        `state.setup.rules_version` is the version of the rules to apply.
        """
        raise NotImplementedError

    def sentence(self, before: Any, after: Any, viewer: SeatId) -> str:
        """Return the sentence of this fact as that viewer may read it; see `Game.sentence`."""
        raise NotImplementedError

    def reveals(self, before: Any) -> str | None:  # noqa: ARG002  most kinds reveal nothing
        """Return what this fact showed to whom, or None; see `Game.reveals`."""
        return None

    @classmethod
    def candidates(cls, state: Any) -> Iterable[Fact]:  # noqa: ARG003  the default offers nothing
        """Return facts of this kind that may be possible now, without `at`."""
        return ()

    @classmethod
    def actions(cls, setup: Setup) -> tuple[Action, ...]:  # noqa: ARG003  the default has no key
        """Return the keys that enter this kind."""
        return ()

    @classmethod
    def act(cls, state: Any, action_id: str) -> Fact:
        """Return the fact that one of `actions` means now; raise `Refused` if it means none."""
        raise NotImplementedError


def add_facts(game: Game[S], *kinds: type[RuledFact]) -> Game[S]:
    """Return the game with these kinds of facts added; nothing else changes."""
    added = _Added(game, kinds)
    fixes = [*game.fixes]
    for kind in kinds:
        fixes += kind.fixes
    return replace(
        game,
        facts={**by_kind(*kinds), **game.facts},
        fixes=tuple(fixes),
        apply=added.apply,
        sentence=added.sentence,
        reveals=added.reveals,
        candidates=added.candidates,
        actions=added.actions,
        act=added.act,
    )


@dataclass(frozen=True, slots=True)
class _Added(Generic[S]):
    """The functions of a game with these kinds added: each kind handles its own facts and keys, the game the rest."""

    game: Game[S]
    kinds: tuple[type[RuledFact], ...]

    def apply(self, state: S, fact: Fact, entry: int) -> S:
        if isinstance(fact, self.kinds):
            after: S = fact.apply(state, entry)
            return after
        return self.game.apply(state, fact, entry)

    def sentence(self, before: S, after: S, fact: Fact, viewer: SeatId) -> str:
        if isinstance(fact, self.kinds):
            return fact.sentence(before, after, viewer)
        return self.game.sentence(before, after, fact, viewer)

    def reveals(self, before: S, fact: Fact) -> str | None:
        if isinstance(fact, self.kinds):
            return fact.reveals(before)
        return self.game.reveals(before, fact)

    def candidates(self, state: S) -> Iterator[Fact]:
        yield from self.game.candidates(state)
        for kind in self.kinds:
            yield from kind.candidates(state)

    def actions(self, setup: Setup) -> tuple[Action, ...]:
        keys = [*self.game.actions(setup)]
        for kind in self.kinds:
            keys += kind.actions(setup)
        return tuple(keys)

    def act(self, state: S, action_id: str) -> Fact | Retraction:
        setup = self.game.common(state).setup
        for kind in self.kinds:
            if any(action.id == action_id for action in kind.actions(setup)):
                return kind.act(state, action_id)
        return self.game.act(state, action_id)
