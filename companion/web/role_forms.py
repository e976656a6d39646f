"""What a page needs to ask for a fact: the fields of each kind, and the rulings that can be corrected."""

from __future__ import annotations

from companion.reports.markup import Markup, element, paragraph, text
from companion.rules.columns import json_text
from companion.web.role_offers import MOST_RULINGS, Offers, Ruling


def forms_block(offers: Offers) -> Markup:
    """Return what the script needs to ask for a fact."""
    data = offers.form_data.replace("<", "\\u003c")
    return Markup(f'<script type="application/json" id="form-data">{data}</script>')


ALL_ON_LAPTOP = "The newest first. The laptop has all of them."
NEWEST = f"The newest {MOST_RULINGS}, the last one first."


def fix_block(offers: Offers) -> Markup:
    """Return the rulings, newest first, each with what corrects it, and what adds a missed one."""
    if not offers.rulings:
        return Markup("")
    missed = element(
        "button", element("b", text("Add a missed one")), type="button", data_open="missed"
    )
    rows = [_row(ruling) for ruling in offers.rulings]
    listed = element("ol", *rows, class_="rulings")
    hint = paragraph(ALL_ON_LAPTOP if offers.has_laptop else NEWEST, "soft")
    summary = element("summary", text("Fix mistakes"))
    return element("details", summary, hint, missed, listed, id="fix-mistakes")


def _row(ruling: Ruling) -> Markup:
    """Return a ruling; a button if it can be corrected here, which opens what corrects it."""
    kind = ""
    if not ruling.stands:
        kind = "voided"
    elif ruling.problem:
        kind = "broken"
    sentence = element("span", text(ruling.text), **({"class_": kind} if kind else {}))
    words = [element("time", text(ruling.time)), text(" "), sentence]
    if not ruling.stands:
        words.append(text(" deleted"))
    elif ruling.problem:
        words.append(text(" no longer possible"))
    about = {"id": f"ruling-{ruling.number}", "data_entry": str(ruling.number)}
    if ruling.words is None:
        return element("li", *words, **about)
    about["data_kind"] = ruling.kind
    about["data_words"] = json_text(dict(ruling.words))
    if not ruling.stands:
        about["data_deleted"] = ""
    return element("li", element("button", *words, type="button", data_open="fix"), **about)
