"""The form that sets an open counter: whose, which, and to what number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from companion.dashboard.screens.correcting.facts import FactForm
from companion.dashboard.source import TableLike
from companion.dashboard.widgets.form import FieldRow
from companion.games.own.rules.facts import Set
from companion.games.own.rules.view import SheetView
from companion.rules.form_fields import FormField

KIND = Set.model_fields["kind"].default


class SetForm(FactForm):
    """Offers the player whose turn it is first, and the counters that this player can still use."""

    TITLE: ClassVar[str] = "Set a counter to a number"

    def __init__(self, table: TableLike) -> None:
        super().__init__(table, (), self.TITLE)
        game: SheetView = self._view.game
        self._turn = next((player for player in game.players if player.turn), None)
        self._free = game.settable if self._turn is None else self._turn.settable

    def rows(self) -> Iterable[FieldRow]:
        body = {} if self._turn is None else {"seat": self._turn.id}
        return self._rows(self.asked(KIND), body)

    def asked(self, kind: str) -> tuple[FormField, ...]:
        fields = []
        for field in super().asked(kind):
            if field.name == "counter":
                field = replace(field, choices=tuple(self._free.items()))
            fields.append(field)
        return tuple(fields)

    def send(self) -> None:
        self._table.enter(KIND, self.fact(KIND))
