"""The buttons with which a player proposes to the table, and what the table said."""

from __future__ import annotations

from collections.abc import Sequence

from companion.reports.markup import Markup, element, join, text
from companion.rules.panels import PhoneProposal
from companion.serve.game_page import paragraph
from companion.session.interpreter import DROPPED, UNANSWERED
from companion.session.phone_answers import LEFT, RECORDED, WAITS, Said
from companion.session.readings import PROPOSED

WAITING = "Wait until the table says yes."
ACCEPTED = "The table recorded it."
REFUSED = "The table said no."
MISSED = "Nobody at the table answered. Say it aloud."
TOO_LATE = "It fitted no more when the table said yes. Say it aloud."


def proposal_block(proposals: Sequence[PhoneProposal], said: Said | None) -> Markup:
    """Return a button for each, and the answer to the last one; nothing where there is neither."""
    answer = paragraph(_answer(said), "answer") if said is not None else Markup("")
    if not proposals and said is None:
        return Markup("")
    return join((element("h2", text("Tell the table")), *map(_form, proposals), answer))


def _form(proposal: PhoneProposal) -> Markup:
    button = element("button", text(proposal.label), type="submit", class_="large")
    return element("form", button, data_propose=proposal.id)


def _answer(said: Said) -> str:
    if said.answer == WAITS:
        return WAITING
    if said.answer == RECORDED:
        return ACCEPTED
    why = said.answer.removeprefix(PROPOSED)
    if why.startswith(DROPPED):
        return REFUSED
    return MISSED if why.startswith(UNANSWERED) or why == LEFT else TOO_LATE
