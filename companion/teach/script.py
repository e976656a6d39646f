"""A lesson in the game it is about: every fact that it needs, in order, tried by the rules."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.actions import with_keys
from companion.rules.clause_texts import GENERAL, clauses
from companion.rules.facts import Fact, Moment, Refused, Setup, body_of
from companion.rules.form_fields import FormField
from companion.rules.forms import fields_of
from companion.rules.game import Game, Orders
from companion.rules.typed_facts import from_words
from companion.teach.lesson import REDO, UNDO, Cast, Lesson, LessonFault, LessonStep

_APART_US: Final = 2_000_000
"""Time between two facts of a lesson that is only tried: none of them is a tie with the next one."""
_UNSAID: Final[tuple[Any, ...]] = (None, "", (), [])
"""Defaults of fields that a wanted fact leaves open: a board measures them, or people add a reason."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that has to happen in a lesson.

    It belongs to `step`. `is_others`: the others do it before the step. `is_deed`: people do it, not the lesson itself.
    It is a fact of `kind` with `body`, of which the fields in `free` may differ, or a step of the
    session (see `lesson.Wanted`).
    """

    step: LessonStep
    is_others: bool
    is_deed: bool
    kind: str = ""
    body: Mapping[str, Any] | None = None
    free: frozenset[str] = frozenset()
    session: str = ""
    page: str = ""

    @property
    def is_by_board(self) -> bool:
        """Whether only a report of the board can do it."""
        return self.step.by_board and not self.is_others

    def fits(self, kind: str, body: Mapping[str, Any]) -> bool:
        """Return whether a recorded fact is this one, whenever it happened."""
        if self.body is None or kind != self.kind:
            return False
        fixed = (self.body.keys() | body.keys()) - self.free - {"at"}
        return all(self.body.get(name) == body.get(name) for name in fixed)


class Script:
    """The items of a lesson for the people at a table, in order.

    `together`: the people also make the moves that the lesson makes otherwise.
    """

    def __init__(
        self, lesson: Lesson, game: Game[Any], setup: Setup, *, together: bool = False
    ) -> None:
        """Raise `LessonFault` for a clause that the game does not have, and for a step that its rules refuse."""
        self.lesson, self._together = lesson, together
        self.cast = Cast(lesson, setup.seats)
        self._game, self._setup = game.shuffled_by(seeded(lesson.seed)), setup
        self._require_clauses()
        items: list[Item] = []
        for step in lesson.steps:
            for line in step.happens:
                items.append(self._of_line(step, line, is_others=True, is_deed=together))
            if step.wants is not None and step.wants.line:
                items.append(self._of_line(step, step.wants.line, is_others=False, is_deed=True))
            elif step.wants is not None:
                wants = step.wants
                item = Item(
                    step, is_others=False, is_deed=True, session=wants.session, page=wants.page
                )
                items.append(item)
        self.items: Sequence[Item] = tuple(items)
        self._play()

    def moves_before(self, step: LessonStep) -> bool:
        """Return True if the lesson itself makes moves before it asks for what this step wants."""
        return bool(step.happens) and not self._together

    def _require_clauses(self) -> None:
        known = clauses(self._game.id)
        if len(known) == len(GENERAL):  # a game without a page of rules
            return
        for step in self.lesson.steps:
            for clause in step.teaches:
                if clause not in known:
                    raise self._fault(step, f"the rules have no clause {clause}")
        for clause in self.lesson.later:
            if clause not in known:
                raise LessonFault(f"{self.lesson.where}: the rules have no clause {clause}")

    def _fault(self, step: LessonStep, why: str) -> LessonFault:
        return LessonFault(f"{self.lesson.where}, step {step.number}: {why}")

    def _of_line(self, step: LessonStep, line: str, *, is_others: bool, is_deed: bool) -> Item:
        try:
            kind, body = from_words(self._game, self._setup, self.cast.line(line))
        except Refused as refusal:
            raise self._fault(step, f"{line!r}: {refusal.spoken()}") from refusal
        fact = self._game.parse(kind, body)
        asked = {field.name for field in fields_of(type(fact), self._setup) if _is_chosen(field)}
        open_fields = {
            name
            for name, field in type(fact).model_fields.items()
            if name not in body and field.get_default() in _UNSAID and name not in asked
        }
        free = frozenset(open_fields | {*step.free})
        return Item(step, is_others, is_deed, kind, body_of(fact), free)

    def _play(self) -> None:
        """Play all items by the rules; raise `LessonFault` for the first that they refuse."""
        facts: list[Fact] = []
        undone: list[Fact] = []
        for place, item in enumerate(self.items):
            if item.session == UNDO and facts:
                undone.append(facts.pop())
            elif item.session == REDO and undone:
                facts.append(undone.pop())
            elif item.session in (UNDO, REDO):
                raise self._fault(item.step, f"there is nothing to {item.session}")
            elif item.body is not None:
                at = Moment(us=(place + 1) * _APART_US, pm=0, clock="lesson")
                facts.append(self._game.parse(item.kind, item.body).model_copy(update={"at": at}))
            self._apply(facts, item)

    def _apply(self, facts: Sequence[Fact], item: Item) -> None:
        state = self._game.start(self._setup)
        for n, fact in enumerate(facts, start=1):
            try:
                state = self._game.advance(state, fact, n)
            except Refused as refusal:
                why = with_keys(refusal.spoken([seat.name for seat in self._setup.seats]))
                raise self._fault(item.step, f"the rules refuse {fact.kind}: {why}") from refusal


def _is_chosen(field: FormField) -> bool:
    """Return whether people choose the value of a field from a list: to leave it out is a choice, too."""
    return field.kind in ("choice", "seat")


def seeded(seed: int) -> Orders:
    """Return a shuffle that always puts the same number of things into the same order, also in a resumed lesson."""

    def order(size: int) -> Sequence[int]:
        return random.Random(seed).sample(range(1, size + 1), size)

    return order
