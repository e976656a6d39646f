"""What one seat can note for itself alone, declared once by a game; its curtain and its phone draw it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.game import Fact, Refused, SeatId

Answers = Mapping[str, str]
"""The name of a field -> what was typed or chosen in it."""


@dataclass(frozen=True, slots=True)
class NoteField:
    """One answer of a note: chosen among `choices` (value, label), or typed where there are none."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note that a seat can make now. Its `id` is unique in the form; it makes facts of the `kind`.

    `takes` is a sentence that says what it takes. `read` returns the body of the fact for the answers, with the seat in
    it, or raises `Refused`; `words` says how they are read so far, or raises it too. Both know what the seat's own view
    knows, and nothing more.
    """

    id: str
    label: str
    kind: str
    takes: str
    fields: tuple[NoteField, ...]
    read: Callable[[Answers], dict[str, Any]]
    words: Callable[[Answers], str] = lambda _answers: ""

    def body(self, answers: Answers) -> dict[str, Any]:
        """Return the body of the fact; raise `Refused` for what the line does not ask, and for what is left open."""
        for field in self.fields:
            word = answers.get(field.name, "").strip()
            if not word or (field.choices and word not in dict(field.choices)):
                raise Refused("FORMAT", f"{field.label} is missing", self.takes, f"{field.label}: enter it first.")
        if set(answers) - {field.name for field in self.fields}:
            raise Refused("FORMAT", f"{self.label} has no such field", self.takes, f"{self.label} takes {self.takes}.")
        return self.read(answers)


NoteForm = Callable[[Any, SeatId], tuple[NoteLine, ...]]
"""Returns what a seat can note now, by the game's own view for that seat."""


def line_of(lines: tuple[NoteLine, ...], line_id: str) -> NoteLine:
    """Return the line with that id; raise `Refused` where it cannot be noted now."""
    found = next((line for line in lines if line.id == line_id), None)
    if found is None:
        raise Refused("FORMAT", "this cannot be noted now", "another note", "Look at the page again.")
    return found


def is_note_of(fact: Fact, seat: SeatId) -> bool:
    """Return whether the fact is for that seat alone."""
    return fact.secret and getattr(fact, "seat", None) == seat
