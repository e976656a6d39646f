"""The page of the board: its link, what it reported last, and what can be tried from here."""

from __future__ import annotations

from companion.reports.markup import Markup, cells, element, join, paragraph, text
from companion.session.views import LinkView, TableView
from companion.web.board_procedures import procedure_block, setting_name, to_begin
from companion.web.role_buttons import button, wish
from companion.web.role_offers import Offers

ABOUT = "Meanwhile presses do not count in the game. Everybody is told when it begins and ends."


def board_block(view: TableView, offers: Offers) -> Markup:
    """Return how the board is, its selftest and calibration, and buttons for its lamp and buzzer."""
    state, procedure = _state(view.link), Markup("")
    if view.link.details or offers.procedure.view is not None:
        procedure = procedure_block(offers.procedure, _button, ABOUT)
    parts = [state, procedure]
    if offers.procedure.is_running:  # what a person is asked for comes first
        parts = [procedure, state]
    if view.link.details:
        parts += _tries(view.link)
    if offers.evidence:
        lines = [element("li", text(line)) for line in offers.evidence]
        parts += [
            element("h2", text("What it reported, the newest first")),
            element("ol", *lines, class_="plain"),
        ]
    if view.link.details:
        rows = [
            cells((text(setting_name(name)), text(str(value))))
            for name, value in view.board.items()
        ]
        parts += [element("h2", text("Settings")), element("table", *rows)]
    return join(parts)


def running_block(offers: Offers) -> Markup:
    """Return what the board's procedure asks for, or its result; nothing without one."""
    if offers.procedure.view is None:
        return Markup("")
    return procedure_block(offers.procedure, _button, ABOUT)


def begin_buttons() -> list[Markup]:
    """Return the buttons that begin a procedure of the board."""
    return to_begin(_button)


def _state(link: LinkView) -> Markup:
    parts = [
        element("h2", text("The board")),
        paragraph(link.words, "" if link.well else "alarm"),
        paragraph(link.sentence, "soft"),
    ]
    parts += [paragraph(muting.sentence, "alarm") for muting in link.muted]
    return join((*parts, paragraph(link.hit_input)))


def _tries(link: LinkView) -> list[Markup]:
    tries = [
        button("Light the lamp", wish("session", do="board.lamp")),
        button("Sound the buzzer", wish("session", do="board.buzzer")),
    ]
    rows = [cells((text(label), text(value))) for label, value in link.details]
    return [
        element("h2", text("Try it")),
        element("div", *tries, class_="steps"),
        element("h2", text("Link")),
        element("table", *rows),
    ]


def _button(label: str, do: str, is_main: bool) -> Markup:
    return button(label, wish("session", do=do), main=is_main)
