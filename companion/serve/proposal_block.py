"""The buttons with which a player proposes to the table, and what the table said."""

from __future__ import annotations

from collections.abc import Sequence

from companion.reports.markup import Markup, element, join, text
from companion.rules.clauses import without_clauses
from companion.rules.phone_proposals import PhoneProposal
from companion.serve.game_page import paragraph
from companion.session.phone_answers import RECORDED, WAITS, Said
from companion.session.readings import PROPOSED

WAITING = "The table is asked: wait for its yes."
ACCEPTED = "The table recorded it."


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
    return f"Not recorded: {without_clauses(said.answer.removeprefix(PROPOSED))}"
