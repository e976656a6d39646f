"""The log: its newest lines on the table's page, all of it on a page with a cursor and a search."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import ClassVar

from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region
from textual.widgets import Input

from companion.dashboard.registry import BACK, TAKE_BACK, key_of
from companion.dashboard.widgets.form import FieldChanged, TextField
from companion.dashboard.widgets.page import MARGIN, ListPage, Scroll, keys_of
from companion.dashboard.widgets.static import Static, key_hints
from companion.rules.clauses import without_clauses
from companion.rules.columns import plural
from companion.session.views import LineKind, LogLine, TableView

Steps = Mapping[str, frozenset[str]]
"""Kind of fact -> the kinds of facts that its line reports as well, see `GameScreen.steps`."""

CURSOR = "> "  # before the line that the cursor is on
LEAST_TIMED = 48
"""Cells of the narrowest panel whose lines have their times; a narrower one needs them for the text."""
LOOKED_BACK = 6
"""Lines that are read for each row of the running log: many of them can become one."""

STYLES = {
    LineKind.FACT: "$foreground",
    LineKind.IGNORED: "$quiet",
    LineKind.VOIDED: "strike $quiet",
    LineKind.BROKEN: "bold $error",
    LineKind.BOARD: "$primary",
    LineKind.RECORD: "$quiet",
}


class RunningLog(Static):
    """As many of the newest lines as fit, the newest first, wrapped rather than cut.

    Steps that a later line reports too are left out, and so are clauses: whoever asks why finds all of them on the
    page of the log.
    """

    def __init__(self, steps: Steps, rounds: Collection[str], alike: Callable[[str], str]) -> None:
        super().__init__(id="log")
        self.border_title = "What happened, newest first"
        self._steps, self._rounds, self._alike = steps, rounds, alike
        self._lines: tuple[LogLine, ...] = ()

    def show(self, view: TableView) -> None:
        self._lines = view.log
        self.on_resize()

    def on_resize(self) -> None:
        width, height = self.content_size
        if width and height:
            lines = condensed(
                self._lines[-LOOKED_BACK * height :], self._steps, self._rounds, self._alike
            )
            rows = newest_rows(lines, width, height)
            self.update(Content("\n").join(rows))


DONE = ", done"
"""At the end of a line that says of a deed only that it is done."""


def condensed(
    lines: Sequence[LogLine],
    steps: Steps,
    rounds: Collection[str],
    alike: Callable[[str], str] = lambda text: text,
) -> list[LogLine]:
    """Return the lines without the steps that a later line reports too, and equal lines in a row as one; of what was
    undone only the line that says so.

    Each fact of a kind in `steps` stands for the oldest line of each of its steps that nothing stands for yet. Facts
    of the kinds `rounds` begin anew: steps of the round before stay. Lines are equal if they are `alike`; the newest of
    them stays.
    """
    reported = _reported(lines, steps, rounds)
    corrected = [without_clauses(line.text) for line in lines if line.kind is LineKind.RECORD]
    kept: list[LogLine] = []
    counts: list[int] = []
    for place, line in enumerate(lines):
        if place in reported:
            continue
        line = replace(line, text=without_clauses(line.text))
        if line.kind is LineKind.VOIDED and any(f": {line.text}" in text for text in corrected):
            continue
        if kept and _is_repeated(kept[-1], line):
            continue
        if kept and kept[-1].kind is line.kind and alike(kept[-1].text) == alike(line.text):
            kept[-1] = line
            counts[-1] += 1
            continue
        kept.append(line)
        counts.append(1)
    return [_counted(line, count) for line, count in zip(kept, counts, strict=True)]


def _reported(lines: Sequence[LogLine], steps: Steps, rounds: Collection[str]) -> set[int]:
    """Return the places of the steps that a later line reports too."""
    waiting: dict[str, list[int]] = {}
    reported = set()
    for place, line in enumerate(lines):
        for step in steps.get(line.fact, ()):
            if waiting.get(step):
                reported.add(waiting[step].pop(0))
        if line.fact in rounds:
            waiting.clear()
        if line.fact:
            waiting.setdefault(line.fact, []).append(place)
    return reported


def _counted(line: LogLine, count: int) -> LogLine:
    if count == 1:
        return line
    return replace(line, text=f"{line.text} ({count} times)")


def newest_rows(lines: Sequence[LogLine], width: int, height: int) -> list[Content]:
    """Return the rows of the newest lines, the newest first, at most `height`; only whole lines, unless a single one is
    longer than that."""
    rows: list[Content] = []
    for line in reversed(lines):
        block = log_rows(line, width, timed=width >= LEAST_TIMED)
        if rows and len(rows) + len(block) > height:
            break
        rows += block
    return rows[:height]


def in_words(lines: Iterable[LogLine]) -> list[LogLine]:
    """Return the lines without the clauses that they rest on."""
    return [replace(line, text=without_clauses(line.text)) for line in lines]


def _is_repeated(before: LogLine, line: LogLine) -> bool:
    """Return whether a line only repeats what the one before says with its reason: an AI's card, then its deed."""
    facts = before.kind is line.kind is LineKind.FACT
    return facts and before.text.startswith(f"{line.text.removesuffix(DONE)} (")


def with_cursor(
    rows: Iterable[Content], *, here: bool, sign: str = " " * len(CURSOR)
) -> list[Content]:
    """Return the rows of a line indented for the cursor, with the cursor if it is `here`, else
    `sign`."""
    mark = Content.styled(CURSOR, "bold $accent") if here else Content.styled(sign, "bold")
    indented = []
    for row in rows:
        line = mark + row
        indented.append(line.stylize("on $panel") if here else line)
        mark = Content(" " * len(CURSOR))
    return indented


def log_rows(line: LogLine, width: int, *, timed: bool = True) -> list[Content]:
    """Return one line of the log as rows of `width` cells: time, sign, text with a hanging indent."""
    time = f"{line.time}  " if timed else ""
    head = f"{time}{line.kind.mark} "
    style = STYLES[line.kind]
    wrapped = Content(line.text).wrap(max(10, width - len(head)))
    sign = (line.kind.mark, style.removeprefix("strike "))
    first = Content.assemble((time, "$quiet"), sign, " ", (wrapped[0].plain, style))
    return [first, *(Content.assemble(" " * len(head), (row.plain, style)) for row in wrapped[1:])]


MATCH_MARK = "* "  # before a line that contains the search word, in place of the cursor


def pattern_of(word: str) -> re.Pattern[str]:
    """Return the case-insensitive pattern that finds the search word."""
    return re.compile(re.escape(word), re.IGNORECASE)


def places_of(word: str, log: Sequence[LogLine]) -> list[int]:
    """Return the indexes of the lines that contain the word, oldest first; none while it is empty."""
    if not word:
        return []
    search = pattern_of(word).search
    return [place for place, line in enumerate(log) if search(f"{line.time}  {line.text}")]


def search_words(word: str, log: Sequence[LogLine], chosen: int | None) -> str:
    """Return how many lines match, which of them entry `chosen` is, and the keys to go on."""
    matches = [log[place].n for place in places_of(word, log)]
    if not matches:
        return f"/{word}   not in the log   Esc ends the search"
    count = plural(len(matches), "line")
    if chosen in matches:
        count = f"{matches.index(chosen) + 1} of {len(matches)}"
    return f"/{word}   {count}   n next   N previous   Esc ends the search"


class LogPage(ListPage):
    """The log from its first line to its newest; it opens at the newest.

    The cursor stays on its entry while lines come in, so that no key acts on a line that has just
    arrived. End, or moving below the newest line, removes the cursor, and the page follows the log
    again.
    """

    TITLE: ClassVar[str] = "Log, newest last"
    CLOSE = f"{key_of(BACK)} back   / search   arrow and page keys choose a line"
    OF_A_LINE = f"{key_of(BACK)} back   / search   arrow and page keys   Enter why"
    TAKE_BACK = f"   {key_of(TAKE_BACK)} delete or restore"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter", "why"),
        ("slash", "search"),
        ("n", "next(1)"),
        ("N", "next(-1)"),
        ("escape", "forget"),
    ]

    def __init__(self, chosen: int | None = None) -> None:
        """`chosen` is the entry that the cursor is on at first; None without a cursor."""
        super().__init__()
        self._word = ""  # the search word, "" without a search
        self.chosen = chosen  # the number of the cursor's entry, None without a cursor
        self._numbers: list[int] = []
        self._starts: list[int] = []  # the first row of each line, then the number of rows

    def on_mount(self) -> None:
        scroll = self.query_one(Scroll)
        scroll.can_focus = False  # or a click would take the cursor's keys away
        scroll.anchor(self.chosen is None)

    def show(self, view: TableView) -> None:
        super().show(view)
        hints = self.CLOSE
        if self.chosen is not None:
            hints = self.OF_A_LINE
            if self.at.table.actions:
                hints += self.TAKE_BACK
        close = key_hints(hints, keys_of(self.app))
        if self._word:
            close = Content(search_words(self._word, in_words(view.log), self.chosen))
        self.query_one("#close", Static).update(close)
        if self.chosen is not None:
            self.call_after_refresh(self._keep_in_sight)

    def text(self, view: TableView) -> Content:
        width = max(20, self.app.size.width - MARGIN - len(CURSOR))
        self._numbers = [line.n for line in view.log]
        if self.chosen not in self._numbers:
            self.chosen = None
        log = in_words(view.log)
        matches = set(places_of(self._word, log))
        blocks = [
            self._block(line, width, matched=place in matches) for place, line in enumerate(log)
        ]
        self._starts = list(accumulate(map(len, blocks), initial=0))
        return Content("\n").join(row for block in blocks for row in block)

    def _block(self, line: LogLine, width: int, *, matched: bool) -> list[Content]:
        here, rows = line.n == self.chosen, log_rows(line, width)
        if not matched:
            return with_cursor(rows, here=here)
        marked = (row.highlight_regex(pattern_of(self._word), style="reverse") for row in rows)
        return with_cursor(marked, here=here, sign=MATCH_MARK)

    # -- searching

    def compose(self) -> ComposeResult:
        yield from super().compose()
        line = TextField()
        line.placeholder = "text to find, such as a name; Enter searches, Esc cancels"
        line.display = False
        yield line

    def action_search(self) -> None:
        line = self.query_one(TextField)
        self.query_one("#close").display = False
        line.value, line.display = "", True
        line.focus()

    def action_next(self, by: int) -> None:
        """Move the cursor to the next match, or the previous, wrapping around.

        Without a search the key is the game's.
        """
        if not self._word:
            raise SkipAction
        places, here = places_of(self._word, in_words(self.now().log)), self._place()
        if places:
            ahead = [place for place in places if (place - here) * by > 0]
            nearest = min if by > 0 else max
            self._choose(nearest(ahead or places))

    def action_forget(self) -> None:
        """End the search; without one the key leaves the page."""
        if not (self._word or self.query_one(TextField).display):
            raise SkipAction
        self._typed()
        self._look_for("")

    def on_field_changed(self, event: FieldChanged) -> None:
        """Go to the newest line that contains what is typed so far."""
        event.stop()
        line = self.query_one(TextField)
        if line.display:
            self._look_for(line.word)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Leave the matches marked, and return the keys to the page."""
        event.stop()
        self._typed()

    def _typed(self) -> None:
        self.query_one(TextField).display = False
        self.query_one("#close").display = True
        self.set_focus(None)

    def _look_for(self, word: str) -> None:
        self._word = word
        places = places_of(word, in_words(self.now().log))
        if places:
            self._choose(places[-1])
        else:
            self.show(self.now())

    # -- moving

    def action_step(self, by: int) -> None:
        """Move the cursor by `by` lines; the first move puts it on the newest line."""
        if self.chosen is None:
            self._choose(len(self._numbers) - 1)
        elif self._place() + by >= len(self._numbers):
            self.action_newest()
        else:
            self._choose(self._place() + by)

    def action_page(self, by: int) -> None:
        row = self._starts[self._place()] + by * self.query_one(Scroll).size.height
        self._choose(bisect_right(self._starts, max(0, row)) - 1)

    def action_first(self) -> None:
        self._choose(0)

    def action_newest(self) -> None:
        """Remove the cursor and follow the newest line."""
        self.chosen = None
        self.query_one(Scroll).anchor()
        self.show(self.now())

    def action_why(self) -> None:
        """Open the reasons of the chosen line.

        Enter is the game's while no line is chosen, or while it answers a question.
        """
        if self.chosen is None or "enter" in self.now().overrides:
            raise SkipAction
        self.at.pages.why(self.chosen)

    def _place(self) -> int:
        if self.chosen is None:
            return len(self._numbers) - 1
        return self._numbers.index(self.chosen)

    def _choose(self, place: int) -> None:
        if self._numbers:
            self.chosen = self._numbers[max(0, min(place, len(self._numbers) - 1))]
            self.query_one(Scroll).anchor(False)  # else new lines would scroll the cursor away
            self.show(self.now())

    def _keep_in_sight(self) -> None:
        if self.chosen is None:
            return
        place = self._place()
        first, height = self._starts[place], self._starts[place + 1] - self._starts[place]
        self.query_one(Scroll).scroll_to_region(
            Region(0, first, 1, height), animate=False, force=True
        )
