"""A record for tests: a game's facts in entry order, and the state they fold to."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import pytest

from companion.rules.actions import with_keys
from companion.rules.facts import Fact, Moment, Refused, Setup
from companion.rules.game import Game

S = TypeVar("S")
FIRST = 2  # entry 1 is the header


class GameRecord(Generic[S]):
    """Facts with entry numbers from 2 on. A refused fact leaves it unchanged."""

    game: Game[S]

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.entries: dict[int, Fact] = {}
        self.state: S = self.game.start(setup)

    @property
    def facts(self) -> list[Fact]:
        return list(self.entries.values())

    def fact(self, kind: str, when: Moment | None = None, **body: Any) -> Fact:
        return self.game.parse(kind, body).model_copy(update={"at": when})

    def enter(self, fact: Fact) -> int:
        """Enter a fact; return the number of its entry."""
        entry = len(self.entries) + FIRST
        self.state = self.game.apply(self.state, fact, entry)
        self.entries[entry] = fact
        return entry

    def say(self, fact: Fact) -> str:
        """Enter a fact; return its public sentence."""
        sentence = self.game.describe(self.state, fact)
        self.enter(fact)
        return sentence

    def press(self, *actions: str, when: Moment | None = None) -> None:
        for action in actions:
            answer = self.game.pressed(self.state, f"{self.game.id}.{action}")
            assert isinstance(answer, Fact)
            self.enter(answer if when is None else answer.model_copy(update={"at": when}))

    def void(self, *entries: int) -> None:
        """Fold again without these entries; facts that become impossible are left out, as at a table."""
        state = self.game.start(self.setup)
        for entry, fact in self.entries.items():
            if entry not in entries:
                try:
                    state = self.game.apply(state, fact, entry)
                except Refused:
                    continue
        self.state = state

    def refuses(self, kind: str, clause: str, **body: Any) -> Refused:
        before = self.state
        with pytest.raises(Refused) as caught:
            self.enter(self.fact(kind, **body))
        assert caught.value.clause == clause, caught.value
        assert self.state is before
        return caught.value

    @property
    def awaiting(self) -> str:
        """Return the prompt, with the companion's own keys."""
        return with_keys(self.game.awaiting(self.state))

    @property
    def winners(self) -> tuple[str, ...]:
        """Return the game's winners."""
        assert self.game.result is not None
        return tuple(self.game.result(self.state).winners)
