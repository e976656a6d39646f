"""What a page needs to ask for a fact: the fields of each kind, and the rulings that can be corrected."""

from __future__ import annotations

from companion.reports.markup import Markup, element, paragraph, text
from companion.rules.columns import capitalized, json_text
from companion.rules.form_fields import NOBODY, FormField, asked_for
from companion.session.views import TableView
from companion.web.role_offers import KindForm, Offers, Ruling


def forms_block(view: TableView, offers: Offers) -> Markup:
    """Return the fields of all kinds of facts as data for the script that asks for them: as elements they would be
    most of the page."""
    seats = [[seat.id, f"{seat.glyph} {seat.name}"] for seat in view.setup.seats]
    forms = {form.kind: _form(form) for form in offers.forms}
    data = json_text({"seats": seats, "forms": forms}).replace("<", "\\u003c")
    return Markup(f'<script type="application/json" id="form-data">{data}</script>')


def _form(form: KindForm) -> dict[str, object]:
    fields = [_field(field) for field in form.fields]
    return {
        "title": capitalized(form.title),
        "people": form.of_every_game,
        "fields": fields,
    }


def _field(field: FormField) -> dict[str, object]:
    """Return a field as the script takes it; what is missing there is empty."""
    described: dict[str, object] = {
        "name": field.name,
        "label": capitalized(field.label),
        "kind": field.kind,
    }
    if field.kind in ("choice", "choices"):
        described["choices"] = [[str(value), label] for value, label in field.choices]
    if field.required:
        described["required"] = True
    if field.nullable:
        described["none"] = NOBODY
    if field.least is not None and abs(field.least) < 2**31:
        described["least"] = field.least
    if field.most is not None and abs(field.most) < 2**31:
        described["most"] = field.most
    if field.kind in ("numbers", "texts", "json"):
        described["takes"] = capitalized(asked_for(field))
    return described


def fix_block(offers: Offers) -> Markup:
    """Return the rulings, newest first, each with what corrects it, and what adds a missed one."""
    if not offers.rulings:
        return Markup("")
    missed = element(
        "button", element("b", text("Add a missed one")), type="button", data_open="missed"
    )
    rows = [_row(ruling) for ruling in offers.rulings]
    listed = element("ol", *rows, class_="rulings")
    hint = paragraph("The newest first. The laptop has all of them.", "soft")
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
