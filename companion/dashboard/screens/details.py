"""The details of the board's link and of the record."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from companion.dashboard.screens.page import Page
from companion.dashboard.words import plus_minus, span
from companion.views import TableView


class DetailsPage(Page):
    """What the board's link and the record are doing, in sentences."""

    TITLE_TEXT: ClassVar[str] = "Board and record"

    def text(self, view: TableView) -> Content:
        """Return both as lines of a label and what it says."""
        return details_text(view)


def details_text(view: TableView) -> Content:
    """Return the link, its clock, the record and the setup, one thing a line; what is not known says so."""
    link, saved = view.link, view.saved
    options = ", ".join(f"{name} = {value}" for name, value in sorted(view.setup.options.items()))
    rows = (
        ("Board", link.state),
        ("", link.sentence),
        (
            "Clock",
            "not mapped" if link.uncertainty_us is None else f"{plus_minus(link.uncertainty_us)} to this computer",
        ),
        ("Round trip", "not measured" if link.rtt_us is None else span(link.rtt_us)),
        ("", ""),
        ("Record", saved.text),
        ("", saved.problem or "Every ruling is on disk as soon as it is counted here."),
        ("Session", view.session),
        ("", ""),
        ("Game", f"{view.setup.game}, rules version {view.setup.rules_version}"),
        ("House rules", options or "none: every ruling has its default"),
    )
    return Content("\n").join(Content.assemble((f"{label:<14}", "$quiet"), text) for label, text in rows)
