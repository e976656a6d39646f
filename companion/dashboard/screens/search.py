"""Searching the log: which lines hold a word, how they are marked, and the line in which the word is typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from companion.dashboard.correcting.fields import TextField
from companion.rules.columns import plural
from companion.session.views import LogLine

FOUND = "* "
"""Stands before a line that holds the word, where the cursor has its mark."""


class LogSearch:
    """The word that is looked for; nothing is while it is empty. Capitals make no difference."""

    def __init__(self) -> None:
        self.word = ""

    @property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(re.escape(self.word), re.IGNORECASE)

    def holds(self, line: LogLine) -> bool:
        """Return whether that line is looked for."""
        return bool(self.word and self._pattern.search(f"{line.time}  {line.text}"))

    def marked(self, row: Content) -> Content:
        """Return a row with the word in it shown in reverse."""
        for found in self._pattern.finditer(row.plain) if self.word else ():
            row = row.stylize("reverse", found.start(), found.end())
        return row

    def places(self, log: Sequence[LogLine]) -> list[int]:
        """Return the places of the lines that hold the word, the oldest first."""
        return [place for place, line in enumerate(log) if self.holds(line)]

    def says(self, log: Sequence[LogLine], chosen: int | None) -> str:
        """Return how many lines were found, at which of them entry `chosen` is, and the keys that go on."""
        places = self.places(log)
        if not places:
            return f"/{self.word}   not in the log   Esc ends the search"
        here = [number for number, place in enumerate(places, start=1) if log[place].n == chosen]
        count = f"{here[0]} of {len(places)}" if here else plural(len(places), "line")
        return f"/{self.word}   {count}   n next   N previous   Esc ends the search"


class SearchLine(TextField):
    """The line at the foot of the page in which the word is typed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    class Left(Message):
        """Nothing is to be looked for after all."""

    def __init__(self) -> None:
        super().__init__()
        self.placeholder = "what to look for, such as a name; Enter finds it, Esc leaves"
        self.display = False

    def action_leave(self) -> None:
        self.post_message(self.Left())
