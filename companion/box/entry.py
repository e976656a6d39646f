"""The open facts of a box as an owner enters them: each answer is kept at once, and can be taken back.

A row goes into the owner's file when all that is asked of it was answered; what was answered of it before that, the
place, and the way back stand beside that file. So the file is right at any moment, and who stops goes on, or takes
back, where they stopped. What stands beside it can be lost or damaged at no cost but the way back.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.box.owner_box import (
    MOST_BYTES,
    as_toml,
    box_in_force,
    own_path,
    write_rows,
    write_whole,
)
from companion.journal.disk import read_json
from companion.rules import box_questions, components as boxes
from companion.rules.box_questions import BoxQuestion, Draft, NoAnswer, RowId
from companion.rules.columns import plural
from companion.rules.component_rows import ComponentTable, Problem, fits
from companion.rules.components import Box, BoxError, ComponentRow

MOST_STEPS: Final = 300
"""Answers that can be taken back; the largest box has fewer fields."""


@dataclass(frozen=True, slots=True)
class Before:
    """How things stood before an answer: the fact at hand, and what was half answered. `row`: the owner's row that the
    answer took the place of; `wrote`: the one that it wrote."""

    at: RowId | None
    drafts: Mapping[RowId, Draft]
    row: ComponentRow | None = None
    wrote: ComponentRow | None = None


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Where somebody stands: the fact at hand (None: behind the last one), what was half answered, and how things stood
    before each of the last answers. `stopped` is False where nobody was here before."""

    at: RowId | None = None
    drafts: Mapping[RowId, Draft] = dataclasses.field(default_factory=dict)
    past: Sequence[Before] = ()
    stopped: bool = True


def keep(path: Path, place: EntryPlace) -> None:
    """Put a place on the disk; raise `OSError`."""
    past = [
        {
            "at": before.at,
            "drafts": _as_json(before.drafts),
            "row": _text(before.row),
            "wrote": _text(before.wrote),
        }
        for before in place.past[-MOST_STEPS:]
    ]
    write_whole(path, json.dumps({"at": place.at, "drafts": _as_json(place.drafts), "past": past}))


def kept(path: Path, tables: Mapping[str, ComponentTable], facts: Collection[RowId]) -> EntryPlace:
    """Return the place that stands in the file, as far as it makes sense for these facts: it may be anybody's."""
    found = EntryPlace(stopped=False)
    with suppress(OSError, ValueError, BoxError, KeyError, TypeError, AttributeError):
        data = read_json(path, MOST_BYTES)
        found = EntryPlace(*_stood(data, tables, facts))
        past = tuple(
            Before(
                *_stood(one, tables, facts), _row(one["row"], tables), _row(one["wrote"], tables)
            )
            for one in data["past"][-MOST_STEPS:]
        )
        found = dataclasses.replace(found, past=past)
    return found


def _as_json(drafts: Mapping[RowId, Draft]) -> list[dict[str, Any]]:
    return [
        {"table": table, "name": name, "fields": dict(draft)}
        for (table, name), draft in drafts.items()
    ]


def _text(row: ComponentRow | None) -> str:
    return "" if row is None else "\n".join(as_toml(row))


def _row(text: str, tables: Mapping[str, ComponentTable]) -> ComponentRow | None:
    if not text:
        return None
    (row,) = boxes.read_box(text, "a step", tuple(tables.values())).rows
    return row


def _stood(
    said: Any, tables: Mapping[str, ComponentTable], facts: Collection[RowId]
) -> tuple[RowId | None, dict[RowId, Draft]]:
    """The fact at hand, and what was half answered of facts that there are."""
    at = None if said["at"] is None else tuple(said["at"])
    if at is not None and at not in facts:
        raise ValueError("there is no such fact")
    answered = {(one["table"], one["name"]): one["fields"] for one in said["drafts"]}
    return at, {
        fact: _sound(tables[fact[0]], fields) for fact, fields in answered.items() if fact in facts
    }


def _sound(table: ComponentTable, fields: Mapping[str, Any]) -> Draft:
    """The answers that could have been given."""
    draft: dict[str, Any] = {}
    for field in table.fields:
        value = fields.get(field.name)
        value = tuple(value) if isinstance(value, list) else value
        left_out = value is None and field.optional and field.name in fields
        if left_out or (
            value is not None
            and fits(field, value)
            and (not field.exactly or len(value) == field.exactly)
        ):
            draft[field.name] = value
    return draft if box_questions.question_of(table, "", draft) is not None else {}


class BoxEntry:
    """The facts that an owner is asked for, the one at hand, and what was answered.

    `starting_text` is what an owner's file begins with, `source` what the rows name as theirs. Raise `BoxError` where
    the owner's file has a wrong row.
    """

    def __init__(self, game_id: str, starting_text: str, source: str) -> None:
        self.game_id = game_id
        self._starting_text, self._source = starting_text, source
        self._tables = {table.name: table for table in boxes.rules_of(game_id).TABLES}
        self.box: Box = box_in_force(game_id)
        self.facts = box_questions.asked_rows(
            boxes.packaged(game_id), self.box, tuple(self._tables.values())
        )
        place = kept(self._place_path, self._tables, self.facts)
        self._drafts: Mapping[RowId, Draft] = place.drafts
        self._past: Sequence[Before] = place.past
        self.at = self._where_it_stopped(place)
        """The place of the fact at hand; behind the last one when all were asked."""

    # -- what is asked

    @property
    def known(self) -> int:
        """How many of the facts are known."""
        return sum(self.is_known(fact) for fact in self.facts)

    def is_known(self, fact: RowId) -> bool:
        """Whether nothing of a fact is left open."""
        row = self.box.row(*fact)
        return row is not None and not boxes.lacks(self._tables[fact[0]], row)

    @property
    def fact(self) -> RowId | None:
        """The fact at hand; None behind the last one."""
        return self.facts[self.at] if self.at < len(self.facts) else None

    @property
    def question(self) -> BoxQuestion | None:
        """What is asked now; None behind the last fact."""
        if self.fact is None:
            return None
        table, name = self._tables[self.fact[0]], self.fact[1]
        return box_questions.question_of(table, name, self.draft) or box_questions.question_of(
            table, name, {}
        )

    @property
    def draft(self) -> Draft:
        """What was answered of the fact at hand so far."""
        if self.fact is None:
            return {}
        if (draft := self._drafts.get(self.fact)) is not None:
            return draft
        return box_questions.draft_of(self._tables[self.fact[0]], self.box.row(*self.fact))

    @property
    def can_undo(self) -> bool:
        """Whether there is an answer to take back."""
        return bool(self._past)

    @property
    def words(self) -> tuple[str, ...]:
        """Words of other rows that a number stands for."""
        return () if self.question is None else box_questions.words_used(self.box, self.question)

    @property
    def unlocks(self) -> str:
        """What the fact at hand is needed for, in a sentence."""
        if self.fact is None:
            return ""
        return box_questions.unlock_sentence(
            self.box, tuple(self._tables.values()), boxes.unlocks_of(self.game_id), self.fact
        )

    def groups(self) -> list[tuple[ComponentTable, int, int]]:
        """Return the tables in the order in which they are asked for: how many facts are known, of how many."""
        found: dict[str, list[bool]] = {}
        for fact in self.facts:
            found.setdefault(fact[0], []).append(self.is_known(fact))
        return [(self._tables[name], sum(known), len(known)) for name, known in found.items()]

    # -- answers

    def answer(self, typed: str) -> str:
        """Take the answer to the question and go on to the next one; return what it unlocked, or what is odd now. Raise
        `NoAnswer`, with nothing changed, for what cannot be, and where it cannot be kept."""
        question, fact = self.question, self.fact
        if question is None or fact is None:
            raise NoAnswer("Nothing is asked here.")
        value = question.read(typed, self.words)
        draft = {**self.draft, question.field.name: value}
        if box_questions.question_of(question.table, fact[1], draft) is not None:
            self._stand(
                self.at, {**self._drafts, fact: draft}, [*self._past, Before(fact, self._drafts)]
            )
            return ""
        row = box_questions.row_of(
            question.table, fact[1], draft, self.box.row(*fact), self._source
        )
        if row is None:
            raise NoAnswer("Nothing of it is known then: skip it.")
        replaced, odd = self._own(fact), set(map(self._odd, boxes.doubts(self.game_id, self.box)))
        self._write([row], ())
        before = Before(fact, self._drafts, replaced, self._own(fact))
        left = {one: draft for one, draft in self._drafts.items() if one != fact}
        said = self.unlocks
        self._stand(self._next_open(self.at + 1), left, [*self._past, before], anyway=True)
        news = [
            each for each in map(self._odd, boxes.doubts(self.game_id, self.box)) if each not in odd
        ]
        return " ".join([*([said] if said.startswith("The companion now") else []), *news])

    def undo(self) -> bool:
        """Take the last answer back; return whether there was one. Raise `NoAnswer` where that cannot be kept."""
        if not self._past:
            return False
        *earlier, before = self._past
        if (wrote := before.wrote) is not None:
            own = self._own((wrote.table, wrote.name))
            if own is None or as_toml(own) != as_toml(wrote):
                self._past = ()
                raise NoAnswer("Your file was changed since: answer anew what is wrong in it.")
            self._write([] if before.row is None else [before.row], [(wrote.table, wrote.name)])
        at = len(self.facts) if before.at is None else self.facts.index(before.at)
        self._stand(at, before.drafts, earlier)
        return True

    def skip(self) -> None:
        """Leave the fact at hand unknown, and go on to the next open one."""
        self._go_to(self._next_open(self.at + 1))

    def go(self, by: int) -> None:
        """Go so many facts on or back, known or not."""
        self._go_to(max(0, min(self.at + by, len(self.facts))))

    def go_to_table(self, by: int) -> None:
        """Go to the first fact of another table."""
        tables = list(dict.fromkeys(table for table, _ in self.facts))
        here = tables.index(self.fact[0]) if self.fact is not None else len(tables)
        place = max(0, here + by)
        firsts = [table for table, _ in self.facts]
        self._go_to(len(self.facts) if place >= len(tables) else firsts.index(tables[place]))

    def first_open(self) -> None:
        """Go to the first fact that is still open."""
        self._go_to(self._next_open(0))

    def _where_it_stopped(self, place: EntryPlace) -> int:
        """Where somebody left off, or the next open fact if that one is known by now. Without a place: the fact that is
        half answered; else the first open one of a table that was begun; else the first."""
        if place.stopped:
            at = len(self.facts) if place.at is None else self.facts.index(place.at)
            return (
                at
                if at == len(self.facts) or self.facts[at] in self._drafts
                else self._next_open(at)
            )
        halves = [at for at, fact in enumerate(self.facts) if fact in self._drafts]
        begun = {table.name for table, known, _ in self.groups() if known}
        places = [
            at for at, fact in enumerate(self.facts) if fact[0] in begun and not self.is_known(fact)
        ]
        return next(iter((*halves, *places)), self._next_open(0))

    def _next_open(self, start: int) -> int:
        places = range(start, len(self.facts))
        return next((at for at in places if not self.is_known(self.facts[at])), len(self.facts))

    # -- what is kept

    @property
    def path(self) -> Path:
        """The owner's file."""
        return own_path(self.game_id)

    @property
    def _place_path(self) -> Path:
        return self.path.with_name(f"{self.game_id}.entry.json")

    def _own(self, fact: RowId) -> ComponentRow | None:
        row = self.box.row(*fact)
        return row if row is not None and row.own else None

    def _write(self, rows: list[ComponentRow], gone: list[RowId] | tuple[()]) -> None:
        try:
            write_rows(self.game_id, rows, gone, self._starting_text)
            self.box = box_in_force(self.game_id)
        except BoxError as error:
            raise NoAnswer(self._why(error)) from error
        except OSError as error:
            raise NoAnswer(f"{self.path} cannot be written: {error.strerror}.") from error

    def _odd(self, problem: Problem) -> str:
        """What does not add up, and what to do about it."""
        return (
            f"Kept, but {problem.why}; the rules say {problem.expected}. Count again, or leave it."
        )

    def _why(self, error: BoxError) -> str:
        """What is inconsistent, in a sentence without lines and clauses: nobody looks at the file."""
        problem = error.problems[0]
        table = self._tables.get(problem.table)
        named = (
            f"{box_questions.row_title(table, problem.name)}: "
            if table is not None and problem.name
            else ""
        )
        others = len(error.problems) - 1
        more = f" {plural(others, 'more does', 'more do')} not fit either." if others else ""
        return f"That does not fit. {named}{problem.why}. It takes {problem.expected}.{more}"

    def _go_to(self, at: int) -> None:
        self._stand(at, self._drafts, self._past, anyway=True)

    def _stand(
        self,
        at: int,
        drafts: Mapping[RowId, Draft],
        past: Sequence[Before],
        *,
        anyway: bool = False,
    ) -> None:
        """Stand there from now on. Raise `NoAnswer`, with nothing changed, where that cannot be kept; `anyway`: an old
        place on the disk does no harm, and the next answer tells of the disk."""
        place = EntryPlace(self.facts[at] if at < len(self.facts) else None, drafts, past)
        try:
            keep(self._place_path, place)
        except OSError as error:
            if not anyway:
                raise NoAnswer(
                    f"{self._place_path} cannot be written: {error.strerror}."
                ) from error
        self.at, self._drafts, self._past = at, drafts, past
