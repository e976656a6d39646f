"""The details of the board's link and of the record."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from companion.dashboard.screens.page import MARGIN, Page
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.words import plus_minus, span
from companion.views import TableView

LABEL_CELLS = 14


class DetailsPage(Page):
    """What the board's link and the record are doing, in sentences."""

    TITLE_TEXT: ClassVar[str] = "Board and record"

    def text(self, view: TableView) -> Content:
        """Return both as lines of a label and what it says."""
        return details_text(view, max(20, self.app.size.width - MARGIN))


def details_text(view: TableView, width: int) -> Content:
    """Return the link, its clock, the record and the setup; what is not known says so."""
    link, saved = view.link, view.saved
    clock = "not mapped" if link.uncertainty_us is None else f"{plus_minus(link.uncertainty_us)} to this computer"
    options = [f"{name} = {value}" for name, value in sorted(view.setup.options.items())]
    blocks = (
        ("Board", [link.state, link.sentence]),
        ("Clock", [clock]),
        ("Round trip", ["not measured" if link.rtt_us is None else span(link.rtt_us)]),
        ("", [""]),
        ("Record", [saved.text, saved.problem or "The number says how many entries are on the disk."]),
        ("Session", [view.session]),
        ("", [""]),
        ("Game", [f"{view.setup.game}, rules version {view.setup.rules_version}"]),
        ("House rules", options or ["none: every ruling has its default"]),
    )
    return Content("\n").join(row for label, rows in blocks for row in labelled(label, rows, LABEL_CELLS, width))
