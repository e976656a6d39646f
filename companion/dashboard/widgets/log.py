"""The running log: the newest lines at the bottom, each with the sign of its kind."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from companion.dashboard.widgets.static import Static
from companion.session.plain import MARKS
from companion.session.views import LineKind, LogLine, TableView

CURSOR = "> "  # stands before the line that the cursor is on

STYLES = {
    LineKind.FACT: "$foreground",
    LineKind.IGNORED: "$quiet",
    LineKind.VOIDED: "strike $quiet",
    LineKind.BROKEN: "bold $error",
    LineKind.BOARD: "$primary",
    LineKind.RECORD: "$quiet",
}


class RunningLog(Static):
    """As many of the newest lines as fit, wrapped rather than cut."""

    def __init__(self) -> None:
        super().__init__(id="log")
        self._lines: tuple[LogLine, ...] = ()

    def show(self, view: TableView) -> None:
        self._lines = view.log
        self.on_resize()

    def on_resize(self) -> None:
        width, height = self.content_size
        if width and height:
            self.update(Content("\n").join(newest_rows(self._lines, width, height)))


def newest_rows(lines: tuple[LogLine, ...], width: int, height: int) -> list[Content]:
    """Return the last rows of the log, at most `height`; only whole lines, unless a single one is longer than that."""
    rows: list[Content] = []
    for line in reversed(lines):
        block = log_rows(line, width)
        if rows and len(rows) + len(block) > height:
            break
        rows = block + rows
    return rows[:height]


def pointed(rows: Iterable[Content], *, here: bool, sign: str = " " * len(CURSOR)) -> list[Content]:
    """Return the rows of a line behind room for the cursor: it stands before the first if it is `here`, else `sign`."""
    room = " " * len(CURSOR)
    shifted = [Content.assemble(room, row) for row in rows]
    if not here:
        return [Content.assemble((sign, "bold"), shifted[0][len(sign) :]), *shifted[1:]]
    first = Content.assemble((CURSOR, "bold $accent"), shifted[0][len(CURSOR) :])
    return [row.stylize("on $panel") for row in (first, *shifted[1:])]


def log_rows(line: LogLine, width: int) -> list[Content]:
    """Return one line of the log as rows of `width` cells: time, sign, then the text with a hanging indent."""
    head = f"{line.time}  {MARKS[line.kind]} "
    style = STYLES[line.kind]
    wrapped = Content(line.text).wrap(max(10, width - len(head)))
    sign = (MARKS[line.kind], style.removeprefix("strike "))
    first = Content.assemble((f"{line.time}  ", "$quiet"), sign, " ", (wrapped[0].plain, style))
    return [first, *(Content.assemble(" " * len(head), (row.plain, style)) for row in wrapped[1:])]
