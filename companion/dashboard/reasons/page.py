"""The page of reasons: of one line of the log, or of the last answer, the last ruling and all scores."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.content import Content

from companion.dashboard.correcting.times import MomentWriter
from companion.dashboard.game_screen import GameScreen
from companion.dashboard.reasons.words import clause_rows, heading, refusal_rows, ruling_rows, score_rows
from companion.dashboard.registry import BACK, key_of
from companion.dashboard.screens.page import MARGIN
from companion.dashboard.screens.record_page import RecordPage
from companion.dashboard.source import Clock, TableLike
from companion.session.views import TableView

EARLIER = "Earlier refusals, the newest first"


class ReasonsPage(RecordPage):
    """Opened over whatever was asked about; Esc goes back to it."""

    TITLE_TEXT: ClassVar[str] = "Why"
    CLOSE = f"{key_of(BACK)} back   arrow and page keys move the text"

    def __init__(self, table: TableLike, clock: Clock, game_screen: GameScreen, entry: int | None = None) -> None:
        """`entry` is the line that is asked about; None: the last answer, the last ruling, and the scores."""
        super().__init__(table, clock, game_screen)
        self._entry = entry
        view = table.view()
        last = view.notice.number if view.notice is not None and view.notice.refused else None
        self._last = next((each for each in view.refusals if each.number == last), None)
        self._earlier = tuple(each for each in reversed(view.refusals) if each is not self._last)

    def text(self, view: TableView) -> Content:
        width = max(20, self.app.size.width - MARGIN)
        if self._read is None:
            return Content("The record is being read ...")
        if self._entry is not None:
            return Content("\n").join(self._of_entry(view, self._entry, width))
        return Content("\n").join(self._of_all(view, width))

    def _of_entry(self, view: TableView, n: int, width: int) -> list[Content]:
        assert self._read is not None
        marshal, course = self._read
        ruling = next((line for line in marshal.rulings if line.n == n), None)
        if ruling is None:
            said = next((line.text for line in view.log if line.n == n), "that line is not in the log any more")
            return [Content.assemble((f"{n}  {said}", "bold")), *clause_rows(view.setup.game, said, width)]
        seats = {seat.id: seat for seat in view.setup.seats}
        times = MomentWriter(marshal, self._game_screen.counts_from)
        rows = ruling_rows(ruling, marshal, times, view.setup.game, seats, width)
        changed = [change for step in course.steps if step.n == n for change in step.changed]
        said = ", ".join(f"{seats[seat].name if seat in seats else seat} {old} to {new}" for seat, old, new in changed)
        return [*rows, Content(""), Content(f"Scores: {said}")] if said else rows

    def _of_all(self, view: TableView, width: int) -> list[Content]:
        assert self._read is not None
        marshal, course = self._read
        times = MomentWriter(marshal, self._game_screen.counts_from)
        rows: list[Content] = []
        refusals = partial(refusal_rows, log=view.log, times=times, game=view.setup.game, width=width)
        if self._last is not None:
            rows += [heading("The last answer"), *refusals([self._last]), Content("")]
        if self._earlier:
            rows += [Content(f"{_many(len(self._earlier))} at the end of this page: End"), Content("")]
        if marshal.rulings:
            rows += [heading("The last ruling"), *self._of_entry(view, marshal.rulings[-1].n, width), Content("")]
        return [
            *rows,
            heading("The scores, and the rulings they come from"),
            *score_rows(course, view.setup.seats, width),
            *([Content(""), heading(EARLIER), *refusals(self._earlier)] if self._earlier else []),
        ]


def _many(refusals: int) -> str:
    return "An earlier refusal stands" if refusals == 1 else f"{refusals} earlier refusals stand"
