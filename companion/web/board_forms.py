"""The page of the board before a game: its selftest and calibration, as plain forms."""

from __future__ import annotations

from companion.reports.markup import Markup, element, text
from companion.web.before_forms import page
from companion.web.board_procedures import Procedure, procedure_block

AGAIN_S = 1
"""Seconds after which the page is loaded again while something is asked."""
TITLE = "Test or calibrate the board"
ABOUT = "A self-test takes about two minutes, a calibration five."


def board_page(procedure: Procedure, refusal: str = "") -> str:
    """Return the page; while a procedure runs, the browser loads it again and again."""
    parts = [procedure_block(procedure, _button, ABOUT)]
    if procedure.is_running:
        return page(TITLE, parts, refusal, again_s=AGAIN_S)
    back = element("a", text("Back to the start"), href="./")
    return page(TITLE, [*parts, element("p", back, class_="links")], refusal)


def _button(label: str, do: str, is_main: bool) -> Markup:
    kind = {"class_": "large"} if is_main else {}
    pressed = element("button", text(label), name="do", value=do, **kind)
    return element("form", pressed, method="post", action="board")
