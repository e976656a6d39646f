"""What is done by itself, what is proposed first, and what is done by hand only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.dashboard.correcting.fields import Choice, FieldRow
from companion.dashboard.correcting.form import Form
from companion.dashboard.source import TableLike, refused
from companion.rules.game import Game
from companion.session.views import Level

LEVELS = (
    (Level.AUTOMATIC, "automatic: it counts at once"),
    (Level.PROPOSED, "proposed: it counts once somebody says yes"),
    (Level.MANUAL, "manual: only what is entered by hand counts"),
)


class LevelsForm(Form):
    """A choice for each kind of step of the game; Enter sets those that were changed."""

    TITLE_TEXT = "How each kind of step is done"

    def __init__(self, table: TableLike, game: Game[Any], levels: Mapping[str, Level]) -> None:
        super().__init__(table)
        self._steps = game.steps
        self._levels = levels

    def rows(self) -> Iterable[FieldRow]:
        """Return one field for each step, as it is done now."""
        for step in self._steps:
            level = self._levels.get(step.name, Level.AUTOMATIC)
            hint = f"what happens when the board reports it: {step.label}"
            yield FieldRow(step.name, Choice(list(LEVELS), level), hint, label=step.label)

    def send(self) -> str | None:
        """Set what was changed; the first refusal ends it."""
        for step in self._steps:
            level = Level(self.word(step.name))
            if level != self._levels.get(step.name, Level.AUTOMATIC):
                refusal = refused(self._table, lambda name=step.name, level=level: self._table.set_level(name, level))  # type: ignore[misc]
                if refusal is not None:
                    return refusal
        return None
