"""The open facts of a box as an owner enters them, row by row: each answer is stored at once, and
can be undone.

Rows may be added to a table that says of what, and removed again. A row is written to the owner's
file once everything asked about it is answered. Partial answers, the place, and the steps to undo
are stored beside that file. So the file is correct at any time, and somebody who stops can continue
or undo later. If the file beside it is lost or damaged, only the partial answers and the undo steps
are gone.
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
from companion.rules.component_rows import ComponentTable, Field, Problem, fits
from companion.rules.components import Box, BoxError, ComponentRow

MOST_STEPS: Final = 300
"""Answers that can be undone; the largest box has fewer fields."""
_NAME = Field("name", "text")
"""The name of an added row, as the format of component files allows it."""


@dataclass(frozen=True, slots=True)
class Before:
    """The state before a step: the current fact, and the partial answers. `row` is the owner's row
    that an answer replaced or that was removed, `wrote` the one that an answer wrote."""

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
            "row": _toml(before.row),
            "wrote": _toml(before.wrote),
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


def _place_of(fact: RowId | None, facts: Sequence[RowId]) -> int:
    """Return the index of a fact; that of the end for None, or for a row that is gone."""
    return facts.index(fact) if fact in facts else len(facts)


def _toml(row: ComponentRow | None) -> str:
    return "" if row is None else "\n".join(as_toml(row))


def _is_typed(field: Field) -> bool:
    """Return whether the answer is typed as words or as a list of numbers, with spaces in it."""
    return not field.choices and field.kind in ("text", "texts", "numbers")


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
    if at is not None and at not in facts and not _can_be_added(at, tables):
        raise ValueError("there is no such fact")
    answered = {(draft["table"], draft["name"]): draft["fields"] for draft in data["drafts"]}
    return at, {
        fact: _valid_answers(tables[fact[0]], fields)
        for fact, fields in answered.items()
        if fact in facts or _can_be_added(fact, tables)
    }


def _can_be_added(fact: RowId, tables: Mapping[str, ComponentTable]) -> bool:
    """Return whether an owner may have added that row."""
    table_name, name = fact
    return table_name in tables and bool(tables[table_name].adds) and fits(_NAME, name)


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
        self._packaged = boxes.packaged(game_id)
        self._asked = box_questions.asked_rows(
            self._packaged, self.box, tuple(self._tables.values())
        )
        place = kept(self._place_path, self._tables, self._asked)
        self._drafts: Mapping[RowId, Draft] = place.drafts
        self._past: Sequence[Before] = place.past
        self.facts = self._listed_facts(self._drafts)
        self.at = self._where_it_stopped(place)
        """The index of the current fact; `len(self.facts)` once all were asked."""
        self._chosen: Field | None = None

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
        if self._chosen is not None:
            return box_questions.question_about(table, name, self.draft, self._chosen)
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
        if self._chosen is not None:  # the other fields of a known row keep their values
            return self.answers(self.fact)
        return box_questions.draft_of(self._tables[self.fact[0]], self.box.row(*self.fact))

    @property
    def table(self) -> ComponentTable | None:
        """The table of the current fact, or None after the last one."""
        return None if self.fact is None else self._tables[self.fact[0]]

    def answers(self, fact: RowId) -> Draft:
        """Return what is known of a fact, by field: partial answers, else its row; None for a field
        that was left out."""
        draft = self._drafts.get(fact)
        if draft is not None:
            return draft
        row = self.box.row(*fact)
        if row is None or row.open:
            return {}
        table = self._tables[fact[0]]
        if boxes.lacks(table, row):
            return dict(row.fields)
        fields = [field.name for field in table.fields if box_questions.is_asked(field)]
        return dict(row.fields) | {name: row.fields.get(name) for name in fields}

    def is_added(self, fact: RowId) -> bool:
        """Return whether the owner added the row: the packaged box does not have it."""
        return self._packaged.row(*fact) is None

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
        for field in question.table.fields:
            if field.among == question.field.name and set(draft.get(field.name) or ()) - {*value}:
                del draft[field.name]  # it was a choice among the items before
        if box_questions.question_of(question.table, fact[1], draft) is not None:
            self._chosen = None
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
        more = self._fields_after(question.field) if self.is_known(fact) and self._chosen else ()
        self._write([row], ())
        before = Before(fact, self._drafts, replaced, self._owner_row(fact))
        left = dict(self._drafts)
        left.pop(fact, None)
        unlocks = self.unlocks
        self._chosen = None
        at = self.at if more else self._next_open(self.at + 1)
        self._set_place(at, left, [*self._past, before], anyway=True)
        if more:  # the next field of a known row, which may be wrong as well
            self._chosen = more[0]
        news: list[str] = []
        if unlocks.startswith("The companion now"):
            news.append(unlocks)
        news += [doubt for doubt in self._doubts() if doubt not in old_doubts]
        return " ".join(news)

    def answer_row(self, typed: str) -> str:
        """Store the answers to the questions about a row, typed as one line with spaces between
        them; return what it unlocked. Raise `NoAnswer` for the first impossible one: what was
        before it stays."""
        fact, news = self.fact, ""
        for answer in self._parted(typed):
            if self.fact != fact:
                raise NoAnswer(f"That row is complete: {answer!r} was not used.")
            news = self.answer(answer)
        return news

    def fill(self, fact: RowId, typed: Mapping[str, str]) -> str:
        """Store answers about a fact, as typed, by field; return what that unlocked. Raise `NoAnswer` for the first
        impossible one: those before it stay."""
        news = ""
        for field in self._tables[fact[0]].fields if fact in self.facts else ():
            if field.name not in typed:
                continue
            self.at = self.facts.index(fact)
            self._chosen = None
            if field in self._choosable():
                self._chosen = field
                news = self.answer(typed[field.name]) or news
        return news

    def go_to(self, fact: RowId) -> None:
        """Go to a fact; to the end if there is no such fact."""
        self._go_to(_place_of(fact, self.facts))

    def _parted(self, typed: str) -> list[str]:
        """Return the answers in a line: the whole line if words may be typed in a field that is
        still open, because words have spaces themselves."""
        open_fields = [field for field in self.columns() if field.name not in self.draft]
        if len(open_fields) < 2 or any(_is_typed(field) for field in open_fields):
            return [typed]
        return typed.split() or [typed]

    def undo(self) -> bool:
        """Undo the last answer, or the last row added or removed; return whether there was one.
        Raise `NoAnswer` if that cannot be stored."""
        if not self._past:
            return False
        *earlier, before = self._past
        self._chosen = None
        changed = before.wrote or before.row
        if changed is not None:
            fact = (changed.table, changed.name)
            own = self._owner_row(fact)
            # The owner edited the file meanwhile: do not overwrite that.
            if _toml(own) != _toml(before.wrote):
                self._past = ()
                raise NoAnswer("Your file has changed. Answer what is wrong in it again.")
            rows = [] if before.row is None else [before.row]
            self._write(rows, [fact])
        at = _place_of(before.at, self._listed_facts(before.drafts))
        self._set_place(at, before.drafts, earlier)
        return True

    # -- rows added and removed

    def add(self, name: str) -> None:
        """Add an empty row to the current table, and go there. Raise `NoAnswer` with one sentence
        if the rules fix the number of rows, or for an impossible name."""
        table = self._growing_table()
        name = " ".join(name.split())
        if not fits(_NAME, name):
            raise NoAnswer(f"Type a name for {table.adds}.")
        names = {row.name.casefold() for row in self.box.table(table.name)}
        names |= {other for table_name, other in self._drafts if table_name == table.name}
        if name.casefold() in names:
            raise NoAnswer(f"{name} is in this table already. Type another name.")
        fact = (table.name, name)
        self._refuse_impossible(fact)
        drafts, past = {**self._drafts, fact: {}}, [*self._past, Before(self.fact, self._drafts)]
        self._chosen = None
        self._set_place(self._listed_facts(drafts).index(fact), drafts, past)

    def _growing_table(self) -> ComponentTable:
        """Return the current table; raise `NoAnswer` if no row can be added to it."""
        table = self.table
        if table is None:
            raise NoAnswer("Go to a part first: up or PgUp.")
        if not table.adds:
            count = plural(len(self.box.table(table.name)), "row")
            raise NoAnswer(f"The rules fix this part at {count}: none can be added.")
        return table

    @property
    def adds(self) -> str:
        """What can be added to the current table, such as "a Character"; empty if nothing."""
        return "" if self.table is None else self.table.adds

    def _refuse_impossible(self, fact: RowId) -> None:
        """Raise `NoAnswer` if the game finds something wrong with one more row."""
        row = ComponentRow(*fact, {}, "unknown", self._source)
        before = {problem.why for problem in boxes.check_box(self.game_id, self.box)}
        more = Box((*self.box.rows, row))
        for problem in boxes.check_box(self.game_id, more):
            if problem.why not in before:
                raise NoAnswer(f"{fact[1]} cannot be added: {problem.why}.")

    @property
    def can_remove(self) -> bool:
        """Whether the current row has answers of the owner."""
        return self.fact is not None and self.is_answered(self.fact)

    def is_answered(self, fact: RowId) -> bool:
        """Return whether a row has answers of the owner, which can be removed."""
        return fact in self._drafts or self._owner_row(fact) is not None

    def remove(self) -> str:
        """Remove a row that the owner added, or make a fact unknown again; return what happened.
        Raise `NoAnswer` if there is nothing to remove."""
        fact = self.fact
        if fact is None or not self.can_remove:
            raise NoAnswer("There is nothing of yours here to remove.")
        own, added = self._owner_row(fact), self.is_added(fact)
        if own is not None:
            self._write([], [fact])
        left = dict(self._drafts)
        left.pop(fact, None)
        past = [*self._past, Before(fact, self._drafts, own)]
        self._chosen = None
        self._set_place(self.at, left, past, anyway=True)
        return f"{fact[1]} was removed." if added else "This row is unknown again."

    def columns(self) -> tuple[Field, ...]:
        """Return the fields of the current table that an owner is asked for."""
        if self.table is None:
            return ()
        return tuple(field for field in self.table.fields if box_questions.is_asked(field))

    def choose(self, by: int) -> None:
        """Go `by` fields of the current row to the right or left; the question is about that one."""
        question = self.question
        if question is None:
            return
        fields = self._choosable()
        names = [field.name for field in fields]
        place = names.index(question.field.name) + by
        self._chosen = fields[max(0, min(place, len(fields) - 1))]

    def _choosable(self) -> tuple[Field, ...]:
        """Return the fields of the current row in which there is something to choose."""
        answers = self.draft
        return tuple(
            field
            for field in self.columns()
            if not field.among or len(answers.get(field.among) or ()) > 1
        )

    def _fields_after(self, field: Field) -> tuple[Field, ...]:
        fields = self._choosable()
        names = [other.name for other in fields]
        return fields[names.index(field.name) + 1 :] if field.name in names else ()

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
        if place.stopped and place.at is None:  # all were asked: the open ones are asked again
            return self._next_open(0)
        if place.stopped:
            at = _place_of(place.at, self.facts)
            return at if place.at in self._drafts else self._next_open(at)
        for at, fact in enumerate(self.facts):
            if fact in self._drafts:
                return at
        begun = {table.name for table, known, _ in self.groups() if known}
        for at, fact in enumerate(self.facts):
            if fact[0] in begun and not self.is_known(fact):
                return at
        return self._next_open(0)

    def _listed_facts(self, drafts: Mapping[RowId, Draft]) -> tuple[RowId, ...]:
        """Return the facts that are asked for, and the rows that the owner added, which are last in
        their tables."""
        own = [(row.table, row.name) for row in self.box.rows if row.own]
        added = [fact for fact in (*own, *drafts) if self._tables[fact[0]].adds]
        listed = [fact for fact in self._asked if fact in drafts or self.box.row(*fact)]
        listed += [fact for fact in dict.fromkeys(added) if fact not in self._asked]
        places = {name: place for place, name in enumerate(self._tables)}
        shown = [fact for fact in listed if fact in self._asked or self.is_added(fact)]
        return tuple(sorted(shown, key=lambda fact: places[fact[0]]))

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
        self._chosen = None
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
        facts = self._listed_facts(drafts)
        fact = facts[at] if at < len(facts) else None
        place = EntryPlace(fact, drafts, past)
        try:
            keep(self._place_path, place)
        except OSError as error:
            if not anyway:
                raise NoAnswer(
                    f"{self._place_path} cannot be written: {error.strerror}."
                ) from error
        self.at, self.facts, self._drafts, self._past = min(at, len(facts)), facts, drafts, past
