"""The step of a lesson, above the prompt of every page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from textual.content import Content

from companion.dashboard.registry import PALETTE, first_key
from companion.dashboard.widgets.static import Static
from companion.rules.actions import Action
from companion.session.lesson_words import explanation, request, step_name
from companion.session.views import LIVE, LessonView, TableView

AT_CURSOR = "Arrows, then"
"""What comes before a key that acts at a cursor: pressed where the cursor is now, it would do the wrong thing."""


ESC = "Esc"


@runtime_checkable
class AnswersLesson(Protocol):
    """A form over the page, whose keys are in force instead of the table's."""

    def lesson_keys(self, lesson: LessonView) -> Sequence[str] | None:
        """Return the names of the keys that do in this form what the lesson asks for; none if the form itself says what
        to type, None if it cannot do that."""


class LessonLines(Static):
    """What the lesson asks for, and why; the answer to a try that it does not want comes first.

    Takes no room at a table without a lesson.
    """

    def __init__(self) -> None:
        super().__init__(id="lesson")
        self.display = False
        self._shown: tuple[TableView, tuple[Action, ...]] | None = None

    def again(self) -> None:
        """Show the same step once more: a form over the page asks something else now."""
        if self._shown is not None:
            self.show(*self._shown)

    def show(self, view: TableView, actions: Iterable[Action]) -> None:
        lesson = view.lesson
        self.display = lesson is not None
        if lesson is None:
            return
        actions = tuple(actions)
        self._shown = view, actions
        keys = {action.id: first_key(action) for action in actions}
        palette = keys.get(PALETTE.id, "")
        keys = {action: key or palette for action, key in keys.items()}
        rows = []
        if lesson.note:
            rows.append(Content.styled(f"! {lesson.note}", "$warning"))
        verb = AT_CURSOR if _are_at_cursor(lesson.keys, actions) else "Press"
        form, explained = self.app.screen, lesson.say
        if isinstance(form, AnswersLesson):
            if lesson.note:  # the rows are the form's: it says what to type
                explained = ()
            at_table = [keys.get(action, "") for action in lesson.keys]
            in_form = form.lesson_keys(lesson)
            named = [ESC, *at_table] if in_form is None else in_form
            lesson, keys = replace(lesson, keys=tuple(named)), {name: name for name in named}
            verb = "Press"
        is_live = view.link.state == LIVE
        asked = request(lesson, lambda action: keys.get(action, ""), verb, board=is_live)
        rows.append(Content.assemble((f"{step_name(lesson)}: ", "bold $accent"), (asked, "bold")))
        if explained:
            rows.append(Content(explanation(lesson)))
        self.update(Content("\n").join(rows))


def _are_at_cursor(ids: Iterable[str], actions: Iterable[Action]) -> bool:
    """Return whether one of these actions acts at a cursor: arrow keys move it in the same part of the game's ids, as
    `GAME.grid.move.up` does for `GAME.grid.opaque`."""
    moved = {_part(action.id) for action in actions if "up" in action.keys}
    return any(_part(action) in moved for action in ids)


def _part(action_id: str) -> tuple[str, ...]:
    """Return the game and the part of it that an action's id begins with, the id itself if it has no more."""
    game, *rest = action_id.split(".")
    return game, *rest[:1]
