"""The details of the board's link and of the record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content

from companion.dashboard.registry import BACK, BOARD, key_of
from companion.dashboard.widgets.form import WHO, WHY, FieldRow, Form, TextField
from companion.dashboard.widgets.page import MARGIN, TextPage
from companion.dashboard.widgets.tables import table_rows
from companion.display.tables import PanelTable
from companion.rules.columns import plural
from companion.rules.header import non_default_options
from companion.session.board_settings import SETTINGS
from companion.session.log import of_board
from companion.session.views import TableView
from firmware_protocol.board.settings import RANGES

LOOK_S = 0.5  # seconds between updates of the link's timings: as often as it reports them


class DetailsPage(TextPage):
    """The state of the board's link and of the record, in sentences and in counts."""

    TITLE: ClassVar[str] = "Board and record"
    CLOSE = f"{key_of(BACK)} back to the table   {key_of(BOARD)} set the board   arrow and page keys scroll"

    def on_mount(self) -> None:
        """Refresh the link's timings; they change without an event."""
        self.set_interval(LOOK_S, lambda: self.show(self.now()))

    def text(self, view: TableView) -> Content:
        return details_text(view, max(20, self.app.size.width - MARGIN))


def details_text(view: TableView, width: int) -> Content:
    """Return the link, its clock and counts, the record and the setup, stating what is unknown."""
    link, saved = view.link, view.saved
    options = "; ".join(
        f"{name} = {value}" for name, value in sorted(non_default_options(view.setup).items())
    )
    above = [
        ("Board", link.on_screen),
        ("", link.sentence),
        *(("Level unknown", muted.sentence) for muted in link.muted),
    ]
    if link.hit_input:
        above.append(("Hit sensor", link.hit_input))
    if view.board:
        above.append(("Settings", of_board(view.board)))
    above += [
        ("Record", saved.text),
        ("", saved.problem or f"{plural(saved.entries, 'entry', 'entries')} on the disk."),
        ("Session", view.session),
        ("Game", f"{view.setup.game}, rules version {view.setup.rules_version}"),
        ("House rules", options or "none changed"),
    ]
    tables = (
        ("", tuple(above)),
        ("Reported to", view.readers),
        ("Link counters", link.details),
    )
    return Content("\n").join(
        table_rows((PanelTable(title, (), rows) for title, rows in tables), width)
    )


class BoardForm(Form):
    """The settings that the session makes on its board; Enter sets them now and at every start of
    the board."""

    TITLE: ClassVar[str] = "Set the board"
    ASKS: ClassVar[str] = "Change a setting, then press Enter."

    def rows(self) -> Iterable[FieldRow]:
        ranges = {name: (least, most) for name, least, most in RANGES}
        for name, (words, hint) in SETTINGS.items():
            least, most = ranges[name]
            now = TextField(str(self._view.board.get(name, "")))
            yield FieldRow(name, now, f"{hint}: {least} to {most}", label=words)
        yield from self.who_and_why()

    def send(self) -> str | None:
        fields = {}
        for name, (label, _) in SETTINGS.items():
            word = self.word(name)
            if not (word.isascii() and word.isdigit()):
                return f"{label}: a whole number is missing, not {word!r}"
            fields[name] = int(word)
        self._table.set_board(fields, why=self.word(WHY), who=self.word(WHO))
        return None
