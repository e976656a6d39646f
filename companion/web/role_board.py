"""The page of the board: its link, what it reported last, and what can be tried from here."""

from __future__ import annotations

from companion.reports.markup import Markup, cells, element, join, paragraph, text
from companion.rules.columns import capitalized
from companion.session.views import TableView
from companion.web.role_buttons import button, wish
from companion.web.role_offers import Offers

ON_THE_LAPTOP = (
    "The self-test and the calibration take the board for themselves, so they need the laptop: quit the game there, "
    "then run companion board."
)


def board_block(view: TableView, offers: Offers) -> Markup:
    """Return how the board is, and buttons for its lamp and buzzer."""
    link = view.link
    kind = "" if link.well else "alarm"
    parts = [
        element("h2", text("The board")),
        paragraph(f"{link.words}", kind),
        paragraph(link.sentence, "soft"),
    ]
    parts += [paragraph(muting.sentence, "alarm") for muting in link.muted]
    parts.append(paragraph(link.hit_input))
    if link.details:
        tries = [
            button("Light the lamp", wish("session", do="board.lamp")),
            button("Sound the buzzer", wish("session", do="board.buzzer")),
        ]
        parts += [element("h2", text("Try it")), element("div", *tries, class_="steps")]
        rows = [cells((text(label), text(value))) for label, value in link.details]
        parts += [element("h2", text("Link")), element("table", *rows)]
    if offers.evidence:
        lines = [element("li", text(line)) for line in offers.evidence]
        parts += [
            element("h2", text("What it reported, the newest first")),
            element("ol", *lines, class_="plain"),
        ]
    if link.details:
        # Imported late: pages without roles do without the terminal's library.
        from companion.dashboard.screens.details import SETTINGS

        rows = []
        for name, value in view.board.items():
            label = SETTINGS[name][0] if name in SETTINGS else name.replace("_", " ")
            rows.append(cells((text(capitalized(label)), text(str(value)))))
        parts += [element("h2", text("Settings")), element("table", *rows)]
    parts += [element("h2", text("More")), paragraph(ON_THE_LAPTOP, "soft")]
    return join(parts)
