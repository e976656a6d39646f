"""The details of the board's link and of the record."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import ClassVar

from textual.content import Content

from companion.dashboard.correcting.form import WHO, WHY, FieldRow, Form, TextField
from companion.dashboard.registry import BACK, BOARD, key_of
from companion.dashboard.screens.page import MARGIN, TextPage
from companion.dashboard.widgets.labels import labelled
from companion.rules.header import chosen_otherwise
from companion.session.log import of_board
from companion.session.views import TableView
from firmware_protocol.board.settings import RANGES

LOOK_S = 0.5  # seconds between two looks at the timings of the link: as often as it tells them
LABEL_CELLS = 14
PANEL_LABEL_CELLS = 25
READER_CELLS = 30
NARROW = 110  # below this width the rows of the link's panel stand in one column
COLUMN_GAP = 3

SETTINGS = {
    "hit_threshold": ("hit threshold", "the least peak of a hit, as the board's converter reads it"),
    "hit_scan_us": ("hit scan, us", "for so long the peak of a hit is looked for"),
    "hit_mask_us": ("hit mask, us", "for so long after a hit another one is its echo"),
    "lock_us": ("contact lock, us", "for so long after an edge a contact may bounce"),
    "glitch_us": ("glitch, us", "a press shorter than this is a spike, no finger"),
}  # what the settings of a board are called, the hit sensor's first, and what they are


class DetailsPage(TextPage):
    """What the board's link and the record are doing, in sentences and in counts."""

    TITLE: ClassVar[str] = "Board and record"
    CLOSE = f"{key_of(BACK)} back to the table   {key_of(BOARD)} set the board   arrow and page keys move the text"

    def on_mount(self) -> None:
        """Keep the timings of the link going: they are no news to anybody else."""
        self.set_interval(LOOK_S, lambda: self.show(self.now()))

    def text(self, view: TableView) -> Content:
        return details_text(view, max(20, self.app.size.width - MARGIN))


def details_text(view: TableView, width: int) -> Content:
    """Return the link, its clock and its counts, the record and the setup; what is not known says so."""
    link, saved = view.link, view.saved
    options = [f"{name} = {value}" for name, value in sorted(chosen_otherwise(view.setup).items())]
    above = (
        ("Board", [link.state, link.sentence]),
        ("Settings", [of_board(view.board)] if view.board else []),
        ("Record", [saved.text, saved.problem or "The number says how many entries are on the disk."]),
        ("Session", [view.session]),
        ("Game", [f"{view.setup.game}, rules version {view.setup.rules_version}"]),
        ("House rules", options or ["as delivered: none was changed"]),
    )
    rows = [row for label, words in above if words for row in labelled(label, words, LABEL_CELLS, width)]
    if view.readers:
        said = (row for label, state in view.readers for row in labelled(label, [state], READER_CELLS, width))
        rows += [Content(""), Content.assemble(("Told elsewhere", "bold")), *said]
    if link.details:
        rows += [Content(""), Content.assemble(("The link in counts", "bold")), *_panel(link.details, width)]
    return Content("\n").join(rows)


def _panel(details: Iterable[tuple[str, str]], width: int) -> list[Content]:
    """The rows of the link's panel, in two columns where there is room."""
    rows = list(details)
    if width < NARROW:
        return [line for label, value in rows for line in labelled(label, [value], PANEL_LABEL_CELLS, width)]
    half, cells = (len(rows) + 1) // 2, (width - COLUMN_GAP) // 2
    said = [
        Content.assemble((label.ljust(PANEL_LABEL_CELLS), "$quiet"), value).truncate(cells, ellipsis=True, pad=True)
        for label, value in rows
    ]
    pairs = zip_longest(said[:half], said[half:], fillvalue=Content(" " * cells))
    return [Content(" " * COLUMN_GAP).join(pair) for pair in pairs]


class BoardForm(Form):
    """The settings that the session has on its board; Enter sets them, now and after every start of the board."""

    TITLE: ClassVar[str] = "What the session sets on its board"

    def rows(self) -> Iterable[FieldRow]:
        for name, (words, hint) in SETTINGS.items():
            _, least, most = next(row for row in RANGES if row[0] == name)
            now = TextField(str(self._view.board.get(name, "")))
            yield FieldRow(name, now, f"{hint}: {least} to {most}", label=words)
        yield from self.who_and_why()

    def send(self) -> str | None:
        words = {name: self.word(name) for name in SETTINGS}
        wrong = next((name for name, word in words.items() if not (word.isascii() and word.isdigit())), None)
        if wrong is not None:
            return f"{SETTINGS[wrong][0]}: a whole number is missing, not {words[wrong]!r}"
        fields = {name: int(word) for name, word in words.items()}
        self._table.set_board(fields, why=self.word(WHY), who=self.word(WHO))
        return None
