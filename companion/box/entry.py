"""The open facts of a box as an owner enters them: each answer is stored at once, and can be
undone.

A row is written to the owner's file once everything asked about it is answered. Partial answers,
the place, and the steps to undo are stored beside that file. So the file is correct at any time,
and somebody who stops can continue or undo later. If the file beside it is lost or damaged, only
the partial answers and the undo steps are gone.
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
"""Answers that can be undone; the largest box has fewer fields."""


@dataclass(frozen=True, slots=True)
class Before:
    """The state before an answer: the current fact, and the partial answers. `row` is the owner's
    row that the answer replaced, `wrote` the one that it wrote."""

    at: RowId | None
    drafts: Mapping[RowId, Draft]
    row: ComponentRow | None = None
    wrote: ComponentRow | None = None


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """The place where an owner stopped: the current fact (None: after the last one), partial
    answers, and the state before each of the last answers. `stopped` is False if nothing was
    stored."""

    at: RowId | None = None
    drafts: Mapping[RowId, Draft] = dataclasses.field(default_factory=dict)
    past: Sequence[Before] = ()
    stopped: bool = True


def keep(path: Path, place: EntryPlace) -> None:
    """Store a place; raise `OSError`."""
    past = [
        {
            "at": before.at,
            "drafts": _as_json(before.drafts),
            "row": _as_text(before.row),
            "wrote": _as_text(before.wrote),
        }
        for before in place.past[-MOST_STEPS:]
    ]
    write_whole(path, json.dumps({"at": place.at, "drafts": _as_json(place.drafts), "past": past}))


def kept(path: Path, tables: Mapping[str, ComponentTable], facts: Collection[RowId]) -> EntryPlace:
    """Return the stored place, as far as it makes sense for these facts; the file is untrusted."""
    place = EntryPlace(stopped=False)
    # An error keeps what was read before it: a place without its past is still useful.
    with suppress(OSError, ValueError, BoxError, KeyError, TypeError, AttributeError):
        data = read_json(path, MOST_BYTES)
        place = EntryPlace(*_state_of(data, tables, facts))
        past: list[Before] = []
        for step in data["past"][-MOST_STEPS:]:
            at, drafts = _state_of(step, tables, facts)
            past.append(Before(at, drafts, _row(step["row"], tables), _row(step["wrote"], tables)))
        place = dataclasses.replace(place, past=tuple(past))
    return place


def _as_json(drafts: Mapping[RowId, Draft]) -> list[dict[str, Any]]:
    return [
        {"table": table, "name": name, "fields": dict(draft)}
        for (table, name), draft in drafts.items()
    ]


def _as_text(row: ComponentRow | None) -> str:
    return "" if row is None else "\n".join(as_toml(row))


def _row(text: str, tables: Mapping[str, ComponentTable]) -> ComponentRow | None:
    if not text:
        return None
    (row,) = boxes.read_box(text, "a step", tuple(tables.values())).rows
    return row


def _state_of(
    data: Any, tables: Mapping[str, ComponentTable], facts: Collection[RowId]
) -> tuple[RowId | None, dict[RowId, Draft]]:
    """Return the current fact, and the partial answers about existing facts."""
    at = None if data["at"] is None else tuple(data["at"])
    if at is not None and at not in facts:
        raise ValueError("there is no such fact")
    answered = {(draft["table"], draft["name"]): draft["fields"] for draft in data["drafts"]}
    return at, {
        fact: _valid_answers(tables[fact[0]], fields)
        for fact, fields in answered.items()
        if fact in facts
    }


def _valid_answers(table: ComponentTable, fields: Mapping[str, Any]) -> Draft:
    """Return the answers that could have been given."""
    draft: dict[str, Any] = {}
    for field in table.fields:
        if field.name not in fields:
            continue
        value = fields[field.name]
        if isinstance(value, list):
            value = tuple(value)
        if value is None:
            if field.optional:  # left out on purpose
                draft[field.name] = None
        elif fits(field, value) and (not field.exactly or len(value) == field.exactly):
            draft[field.name] = value
    # A complete draft would have been written to the owner's file.
    return draft if box_questions.question_of(table, "", draft) is not None else {}


class BoxEntry:
    """The facts that an owner is asked for, the current one, and the answers.

    `starting_text` is the beginning of a new owner's file, `source` the source that the rows name.
    Raise `BoxError` if the owner's file has a wrong row.
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
        """The index of the current fact; `len(self.facts)` once all were asked."""

    # -- what is asked

    @property
    def known(self) -> int:
        """The number of known facts."""
        return sum(self.is_known(fact) for fact in self.facts)

    def is_known(self, fact: RowId) -> bool:
        """Return whether nothing about a fact is open."""
        row = self.box.row(*fact)
        return row is not None and not boxes.lacks(self._tables[fact[0]], row)

    @property
    def fact(self) -> RowId | None:
        """The current fact, or None after the last one."""
        return self.facts[self.at] if self.at < len(self.facts) else None

    @property
    def question(self) -> BoxQuestion | None:
        """The current question, or None after the last fact."""
        if self.fact is None:
            return None
        table, name = self._tables[self.fact[0]], self.fact[1]
        question = box_questions.question_of(table, name, self.draft)
        if question is None:  # a known fact, which is asked again from its first field
            question = box_questions.question_of(table, name, {})
        return question

    @property
    def draft(self) -> Draft:
        """The answers about the current fact so far."""
        if self.fact is None:
            return {}
        draft = self._drafts.get(self.fact)
        if draft is not None:
            return draft
        return box_questions.draft_of(self._tables[self.fact[0]], self.box.row(*self.fact))

    @property
    def can_undo(self) -> bool:
        """Whether there is an answer to undo."""
        return bool(self._past)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of other rows that can be chosen by number."""
        return () if self.question is None else box_questions.words_used(self.box, self.question)

    @property
    def unlocks(self) -> str:
        """A sentence on what the current fact is needed for."""
        if self.fact is None:
            return ""
        return box_questions.unlock_sentence(
            self.box, tuple(self._tables.values()), boxes.unlocks_of(self.game_id), self.fact
        )

    def groups(self) -> list[tuple[ComponentTable, int, int]]:
        """Return the tables in the order of the questions, each with the number of known facts and
        of all its facts."""
        known_by_table: dict[str, list[bool]] = {}
        for fact in self.facts:
            known_by_table.setdefault(fact[0], []).append(self.is_known(fact))
        return [
            (self._tables[name], sum(known), len(known)) for name, known in known_by_table.items()
        ]

    # -- answers

    def answer(self, typed: str) -> str:
        """Store the answer to the question and go to the next one; return what it unlocked, or what
        is now doubtful. Raise `NoAnswer`, with nothing changed, for an impossible answer, or one
        that cannot be stored."""
        question, fact = self.question, self.fact
        if question is None or fact is None:
            raise NoAnswer("There is no question here.")
        value = question.read(typed, self.words)
        draft = {**self.draft, question.field.name: value}
        if box_questions.question_of(question.table, fact[1], draft) is not None:
            self._set_place(
                self.at, {**self._drafts, fact: draft}, [*self._past, Before(fact, self._drafts)]
            )
            return ""
        row = box_questions.row_of(
            question.table, fact[1], draft, self.box.row(*fact), self._source
        )
        if row is None:
            raise NoAnswer("Then nothing is known: skip it.")
        replaced, old_doubts = self._owner_row(fact), self._doubts()
        self._write([row], ())
        before = Before(fact, self._drafts, replaced, self._owner_row(fact))
        left = dict(self._drafts)
        left.pop(fact, None)
        unlocks = self.unlocks
        self._set_place(self._next_open(self.at + 1), left, [*self._past, before], anyway=True)
        news: list[str] = []
        if unlocks.startswith("The companion now"):
            news.append(unlocks)
        news += [doubt for doubt in self._doubts() if doubt not in old_doubts]
        return " ".join(news)

    def undo(self) -> bool:
        """Undo the last answer; return whether there was one. Raise `NoAnswer` if that cannot be
        stored."""
        if not self._past:
            return False
        *earlier, before = self._past
        if (wrote := before.wrote) is not None:
            own = self._owner_row((wrote.table, wrote.name))
            # The owner edited the file meanwhile: do not overwrite that.
            if own is None or as_toml(own) != as_toml(wrote):
                self._past = ()
                raise NoAnswer("Your file has changed. Answer what is wrong in it again.")
            rows = [] if before.row is None else [before.row]
            self._write(rows, [(wrote.table, wrote.name)])
        at = len(self.facts) if before.at is None else self.facts.index(before.at)
        self._set_place(at, before.drafts, earlier)
        return True

    def skip(self) -> None:
        """Leave the current fact unknown, and go to the next open one."""
        self._go_to(self._next_open(self.at + 1))

    def go(self, by: int) -> None:
        """Go `by` facts forward or back, known or not."""
        self._go_to(max(0, min(self.at + by, len(self.facts))))

    def go_to_table(self, by: int) -> None:
        """Go to the first fact of another table, `by` tables forward or back."""
        tables = list(dict.fromkeys(table for table, _ in self.facts))
        here = len(tables) if self.fact is None else tables.index(self.fact[0])
        place = max(0, here + by)
        if place >= len(tables):
            self._go_to(len(self.facts))
        else:
            firsts = [table for table, _ in self.facts]
            self._go_to(firsts.index(tables[place]))

    def first_open(self) -> None:
        """Go to the first open fact."""
        self._go_to(self._next_open(0))

    def _where_it_stopped(self, place: EntryPlace) -> int:
        """Return the place where somebody stopped, or the next open fact if that one is known by
        now. Without a stored place: a partially answered fact, else the first open one of a table
        already begun, else the first open one."""
        if place.stopped:
            if place.at is None:
                return len(self.facts)
            at = self.facts.index(place.at)
            return at if place.at in self._drafts else self._next_open(at)
        for at, fact in enumerate(self.facts):
            if fact in self._drafts:
                return at
        begun = {table.name for table, known, _ in self.groups() if known}
        for at, fact in enumerate(self.facts):
            if fact[0] in begun and not self.is_known(fact):
                return at
        return self._next_open(0)

    def _next_open(self, start: int) -> int:
        for at in range(start, len(self.facts)):
            if not self.is_known(self.facts[at]):
                return at
        return len(self.facts)

    # -- what is kept

    @property
    def path(self) -> Path:
        """The owner's file."""
        return own_path(self.game_id)

    @property
    def _place_path(self) -> Path:
        return self.path.with_name(f"{self.game_id}.entry.json")

    def _owner_row(self, fact: RowId) -> ComponentRow | None:
        row = self.box.row(*fact)
        return row if row is not None and row.own else None

    def _write(self, rows: list[ComponentRow], gone: list[RowId] | tuple[()]) -> None:
        try:
            write_rows(self.game_id, rows, gone, self._starting_text)
            self.box = box_in_force(self.game_id)
        except BoxError as error:
            raise NoAnswer(self._error_text(error)) from error
        except OSError as error:
            raise NoAnswer(f"{self.path} cannot be written: {error.strerror}.") from error

    def _doubts(self) -> list[str]:
        return [self._doubt_text(problem) for problem in boxes.doubts(self.game_id, self.box)]

    def _doubt_text(self, problem: Problem) -> str:
        """Return what does not add up, and what to do about it."""
        return (
            f"Kept, but {problem.why}; the rules say {problem.expected}. Count again, or keep it."
        )

    def _error_text(self, error: BoxError) -> str:
        """Return what is inconsistent, without line numbers and clauses: nobody looks at the file
        now."""
        problem = error.problems[0]
        table = self._tables.get(problem.table)
        named = ""
        if table is not None and problem.name:
            named = f"{box_questions.row_title(table, problem.name)}: "
        others = len(error.problems) - 1
        more = f" {plural(others, 'more does', 'more do')} not fit either." if others else ""
        return f"That does not work: {named}{problem.why}. Type {problem.expected}.{more}"

    def _go_to(self, at: int) -> None:
        self._set_place(at, self._drafts, self._past, anyway=True)

    def _set_place(
        self,
        at: int,
        drafts: Mapping[RowId, Draft],
        past: Sequence[Before],
        *,
        anyway: bool = False,
    ) -> None:
        """Go to a place and store it. Raise `NoAnswer`, with nothing changed, if that fails; with
        `anyway`, go there all the same: an old stored place does no harm, and the next answer
        reports the failing disk."""
        fact = self.facts[at] if at < len(self.facts) else None
        place = EntryPlace(fact, drafts, past)
        try:
            keep(self._place_path, place)
        except OSError as error:
            if not anyway:
                raise NoAnswer(
                    f"{self._place_path} cannot be written: {error.strerror}."
                ) from error
        self.at, self._drafts, self._past = at, drafts, past
