"""The form for cards in sight: those turned up, the target, backs, hands laid open; typed short."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from companion.dashboard.correcting.facts import sentence
from companion.dashboard.correcting.form import FieldChanged, FieldRow, Form, TextField, row_of
from companion.dashboard.source import TableLike, refused
from companion.games.skyfire.screen.in_sight import InSight, in_sight
from companion.games.skyfire.screen.words import EXAMPLE
from companion.rules.game import Refused

WORD = "word"


class CardsForm(Form):
    """One line for everything that can be entered now; what is changed is sent, the rest stays as it is."""

    TITLE_TEXT: ClassVar[str] = "Cards in sight: commas between cards, + between symbols; beginnings are enough"
    KEYS: ClassVar[str] = "Enter accept   Esc leave   Tab next line"

    def __init__(self, table: TableLike) -> None:
        super().__init__(table)
        self._lines = in_sight(self._view.game, self._view.setup)

    def title_text(self) -> str:
        """Return how cards are typed, and whether the deck is made up."""
        return f"{EXAMPLE}: {self.TITLE_TEXT}" if self._view.game.example else self.TITLE_TEXT

    def rows(self) -> Iterable[FieldRow]:
        for line in self._lines:
            yield FieldRow(line.id, TextField(", ".join(line.now)), line.hint(), line.label)
        if self._lines:
            yield FieldRow(
                WORD, TextField(), "only for what cannot be and lies there all the same: why", "the table's word"
            )

    def on_field_changed(self, event: FieldChanged) -> None:
        """Say how the line is read so far."""
        event.stop()
        row = row_of(self.focused) if self.focused is not None else None
        line = next((each for each in self._lines if row is not None and each.id == row.field), None)
        if row is not None and line is not None:
            row.hint = line.reading(row.answer.word)
            self.tell(row.hint)

    def send(self) -> str | None:
        """Enter what is changed: faces last, for they may end the round."""
        if not self._lines:
            return "there is nothing to enter yet: the cards are not dealt"
        try:
            changed = [(line, words) for line in self._lines if (words := self._words(line)) != list(line.now)]
        except Refused as refusal:
            return sentence(refusal)
        why = self.word(WORD).strip()
        for line, words in sorted(changed, key=lambda pair: pair[0].rank):
            said = refused(self._table, partial(self._table.enter, line.kind, line.body(words, why)))
            if said is not None:
                return said
            self._lines = tuple(each.entered(words) if each is line else each for each in self._lines)
        return None

    def refuse(self, sentence: str) -> None:
        """Say it once: while one types, the line of hints says the same."""
        self.tell("")
        super().refuse(sentence)

    def _words(self, line: InSight) -> list[str]:
        return line.read(self.word(line.id))
