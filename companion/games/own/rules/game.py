"""A game of one's own as a `Game`, made from the text of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.own.rules import controls, fold, text
from companion.games.own.rules.continuing import CONTINUATION
from companion.games.own.rules.facts import facts_of
from companion.games.own.rules.model import State
from companion.games.own.rules.reading import OwnRules, rules_of
from companion.games.own.rules.view import glance, view
from companion.rules.game import Fix, Game, Step
from companion.rules.game_info import GameInfo
from companion.rules.gestures import GestureSettings
from companion.rules.registry import DEFINITION_KEY


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnInfo(GameInfo):
    """A game that a file defines."""

    own: OwnRules

    def game(self) -> Game[Any]:
        """Return the game."""
        return game_of(self.own)

    def part(self, where: str) -> Any:
        """Return the part at `where`, see `GameInfo.part`; panels get the unit of this game's scores."""
        part = GameInfo.part(self, where)
        if where == self.panels:
            return replace(part, unit=self.own.says.unit)
        return part

    def clauses(self) -> Mapping[str, str]:
        """Return the clauses of every such game, and the checks that its file states."""
        checks = {name: check.says for name, check in self.own.says.checks.items()}
        return {**GameInfo.clauses(self), **checks}

    @property
    def short_name(self) -> str:
        """The id that the file states."""
        return self.own.says.id

    @property
    def carried(self) -> Mapping[str, Any]:
        """What each session of the game carries: the file's text."""
        return {DEFINITION_KEY: self.own.text}


def info_of(source: str) -> OwnInfo:
    """Return the game that a text defines; raise `FileFault`."""
    own = rules_of(source)
    says = own.says
    return OwnInfo(
        id=own.id,
        title=says.title,
        seats=says.counts,
        does=says.does,
        credits=says.credits,
        package="companion.games.own",
        rules="rules.game:game_of",
        panels="panels:OF_FORMAT_1" if says.format == 1 else "panels:PANELS",
        screen="screen:OwnScreen" if says.format == 1 else "screen:SheetScreen",
        own=own,
    )


_FIXES = (
    Fix("missed count", ("add",)),
    Fix("wrong count", ("add",), amends=True),
    Fix("wrong number set", ("set",), amends=True),
    Fix("wrong number", ("note",)),
)


def game_of(own: OwnRules) -> Game[State]:
    """Return the game of a file."""
    says = own.says
    facts = facts_of(says)
    gun = any(control.on in ("shot", "dry pull") for control in says.inputs.values())
    counts = tuple(kind for kind in ("add", "set") if kind in facts)
    return Game(
        id=own.id,
        title=says.title,
        rules_version=fold.RULES_VERSION,
        older_versions=fold.OLDER_VERSIONS,
        seat_counts=says.counts,
        house_rules=fold.house_rules_of(says),
        facts=facts,
        steps=(
            Step("counts", "what is counted", counts),
            Step("ends", "turns and rounds", ("turn_ends", "round_ends")),
        ),
        fixes=tuple(fix for fix in _FIXES if facts.keys() >= set(fix.kinds)),
        start=fold.start,
        apply=fold.apply,
        candidates=controls.candidates,
        sentence=text.sentence,
        reveals=fold.reveals,
        awaiting=text.awaiting,
        checklist=controls.checklist,
        settings=lambda _: GestureSettings(gun=gun),
        hold_means=controls.hold_means,
        interpret=controls.interpret,
        actions=lambda setup: tuple(controls.actions(setup)),
        act=controls.act,
        due=controls.due,
        view=view,
        glance=glance,
        over=lambda state: state.over,
        standings=fold.standings,
        result=fold.result,
        summary=lambda state: text.summary(state, fold.standings(state)),
        continuation=CONTINUATION,
    )
