"""Questions that ask an owner for the open facts of a box: one field at a time, answered by a key where possible.

Nothing here knows a game: the questions are in the game's tables (`companion.rules.component_rows`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.columns import capitalized, plural
from companion.rules.component_rows import (
    LONGEST_TEXT,
    ComponentTable,
    Field,
    Unlock,
    expected_value,
    fits,
)
from companion.rules.components import Box, ComponentRow, lacks

RowId = tuple[str, str]
"""The table of a row, and its name."""

Draft = Mapping[str, Any]
"""The answers about a row so far, by field; None for a field that was left out."""

UNDO = "u"
"""The key that undoes the last answer; no choice has it."""
_MOST_DIGITS = 9
_MOST_WORDS = 9  # a word is chosen by a single digit


class NoAnswer(ValueError):
    """The typed text is no answer; `str()` says in a sentence what would be one."""


@dataclass(frozen=True, slots=True)
class BoxQuestion:
    """A question about one field of a row, its `choices` narrowed by the answers before it."""

    table: ComponentTable
    name: str
    field: Field

    def __str__(self) -> str:
        question = self.field.asks or f"{self.field.name}?"
        return f"{row_title(self.table, self.name)}: {question}"

    @property
    def several(self) -> bool:
        """Whether the answer is a list."""
        return self.field.kind in ("numbers", "texts")

    @property
    def by_key(self) -> bool:
        """Whether it is answered by keys; otherwise by typed words or a number."""
        return self.field.kind == "flag" or bool(self.field.choices)

    @property
    def keys(self) -> dict[str, Any]:
        """The keys that answer, each with its value."""
        if self.field.kind == "flag":
            return {"y": True, "n": False}
        return keys_of(self.field)

    def ends(self, typed: str) -> bool:
        """Return whether the typed text is a complete answer, so that no Enter is needed."""
        field = self.field
        if self.several:
            return bool(field.choices) and field.exactly > 0 and len(typed) == field.exactly
        if self.by_key:
            return typed in self.keys
        if field.kind != "number" or not (typed.isascii() and typed.isdecimal()):
            return False
        if not fits(field, int(typed)):
            return False
        # Complete if one more digit would make it too large; nothing follows a leading 0.
        return int(typed) == 0 or int(typed) * 10 > field.most

    def read(self, typed: str, words: Sequence[str] = ()) -> Any:
        """Return the answer; None leaves the field out. Raise `NoAnswer`.

        Where texts are typed, a number stands for one of `words`, counted from 1.
        """
        typed = " ".join(typed.split())
        if not typed:
            if self.field.optional:
                return None
            raise NoAnswer(f"There is no answer yet. {self.do}")
        value = self._by_keys(typed) if self.by_key else self._typed(typed, words)
        if not fits(self.field, value) or (self.field.exactly and len(value) != self.field.exactly):
            raise NoAnswer(f"That cannot be. {self.do}")
        return value

    def _by_keys(self, typed: str) -> Any:
        keys = self.keys
        pressed = typed.replace(" ", "")
        for key in pressed:
            if key not in keys:
                raise NoAnswer(self.no_key(key))
        if self.several:
            return tuple(dict.fromkeys(keys[key] for key in pressed))
        if len(pressed) > 1:
            raise NoAnswer(f"One key is the whole answer. {self.do}")
        return keys[pressed]

    def _typed(self, typed: str, words: Sequence[str]) -> Any:
        kind = self.field.kind
        if kind == "text":
            return typed
        if kind == "texts":
            items = [item.strip() for item in typed.split(",") if item.strip()]
            return tuple(_word(item, words) for item in items)
        numbers = [_number(item) for item in typed.replace(",", " ").split()]
        if kind == "number":
            return numbers[0] if len(numbers) == 1 else None
        return tuple(numbers)

    @property
    def expected(self) -> str:
        """What to type, in words."""
        if self.by_key:
            number = self.field.exactly or "any"
            which = f"{number} of" if self.several else "one of"
            return f"{which} {', '.join(self.keys)}"
        if self.field.kind == "text":
            return f"words, {LONGEST_TEXT} characters at most"
        if self.field.kind == "texts":
            return "words separated by commas"
        return expected_value(self.field)

    @property
    def do(self) -> str:
        """What to do, in a sentence."""
        return f"Type {self.expected}."

    def no_key(self, key: str) -> str:
        """Return the message for a key that is no answer."""
        return f"{key} does nothing here. {self.do}"


def _number(text: str) -> int | None:
    if text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS:
        return int(text)
    return None


def _word(item: str, words: Sequence[str]) -> str:
    """Return the word that a number stands for, or the item itself."""
    number = _number(item)
    if number is not None and 1 <= number <= len(words):
        return words[number - 1]
    return item


def keys_of(field: Field) -> dict[str, str]:
    """Return a key for each choice: the keys of the field, or the first free letter of each choice."""
    if field.keys:
        return dict(zip(field.keys, field.choices, strict=True))
    free = [key for key in "abcdefghijklmnopqrstvwxyz1234567890" if key != UNDO]
    keys: dict[str, str] = {}
    for choice in field.choices:
        key = next(key for key in (*choice.casefold(), *free) if key in free)
        free.remove(key)
        keys[key] = choice
    return keys


def question_of(table: ComponentTable, name: str, draft: Draft) -> BoxQuestion | None:
    """Return the next question about a row with these answers, or None if nothing is left to ask."""
    for field in table.fields:
        if field.name in draft or not is_asked(field):
            continue
        if not field.among:
            return BoxQuestion(table, name, field)
        items = tuple(draft.get(field.among) or ())
        if len(items) > 1:  # one item leaves no choice
            return BoxQuestion(table, name, _narrowed(field, items))
    return None


def question_about(table: ComponentTable, name: str, draft: Draft, field: Field) -> BoxQuestion:
    """Return the question about one field of a row, whether it was answered or not."""
    if field.among:
        field = _narrowed(field, tuple(draft.get(field.among) or ()))
    return BoxQuestion(table, name, field)


def row_title(table: ComponentTable, name: str) -> str:
    """Return the name of a row for the beginning of a sentence."""
    return capitalized(table.row.format(name=name))


def is_asked(field: Field) -> bool:
    """Return whether an owner is asked for the field."""
    return bool(field.asks) or not field.optional


def _narrowed(field: Field, items: tuple[str, ...]) -> Field:
    """Return the field with these choices alone, each under the key that it has among all of them."""
    keys = {key: choice for key, choice in keys_of(field).items() if choice in items}
    return replace(field, choices=tuple(keys.values()), keys=tuple(keys))


def row_of(
    table: ComponentTable, name: str, draft: Draft, old: ComponentRow | None, source: str
) -> ComponentRow | None:
    """Return the answered row, with the fields of `old` that nobody is asked for; None if nothing of it is known."""
    fields = {field: value for field, value in draft.items() if value is not None}
    if not fields:
        return None
    if old is not None:
        unasked = [field.name for field in table.fields if not is_asked(field)]
        fields |= {field: old.fields[field] for field in unasked if field in old.fields}
    return ComponentRow(table.name, name, fields, "confirmed", source)


def draft_of(table: ComponentTable, row: ComponentRow | None) -> dict[str, Any]:
    """Return the answers that need not be asked again: the fields of a confirmed row that lacks a wanted one."""
    if row is None or row.open or not lacks(table, row):
        return {}
    return dict(row.fields)


def asked_rows(packaged: Box, now: Box, tables: Sequence[ComponentTable]) -> tuple[RowId, ...]:
    """Return the rows that an owner is asked for: open in the packaged box or now. They are in the order of the tables,
    and within a table in that of the file."""
    by_name = {table.name: table for table in tables}
    open_rows: set[RowId] = set()
    for row in (*packaged.rows, *now.rows):
        if lacks(by_name[row.table], row):
            open_rows.add((row.table, row.name))
    places = {table.name: place for place, table in enumerate(tables)}
    rows = [(row.table, row.name) for row in now.rows if (row.table, row.name) in open_rows]
    return tuple(sorted(rows, key=lambda row: places[row[0]]))


def words_used(box: Box, question: BoxQuestion) -> tuple[str, ...]:
    """Return the words that a typed field has in the other rows of its table, the most frequent first."""
    if question.field.kind != "texts" or question.by_key:
        return ()
    counts = Counter[str]()
    for row in box.table(question.table.name):
        counts.update(row.fields.get(question.field.name, ()))
    return tuple(word for word, _ in counts.most_common(_MOST_WORDS))


def unlock_sentence(
    box: Box, tables: Sequence[ComponentTable], unlocks: Sequence[Unlock], row: RowId
) -> str:
    """Return a sentence that says what a row is needed for; empty if no unlock needs it."""
    by_name = {table.name: table for table in tables}
    table_name, row_name = row
    for unlock in unlocks:
        if table_name not in unlock.tables or (unlock.rows and row_name not in unlock.rows):
            continue
        missing = 0
        for needed_table in unlock.tables:
            for needed in box.table(needed_table):
                if not unlock.rows or needed.name in unlock.rows:
                    missing += lacks(by_name[needed_table], needed)
        if not missing:
            return f"The companion now {unlock.does}."
        return f"With {plural(missing, 'more fact')} the companion {unlock.does}."
    return ""
