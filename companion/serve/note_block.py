"""The lines in which a seat notes on its own phone, drawn from the form that its curtain has too."""

from __future__ import annotations

from collections.abc import Sequence

from companion.reports.markup import Markup, element, join, text
from companion.rules.clauses import without_clauses
from companion.rules.panels import NoteField, NoteLine
from companion.session.seat_notes import Noted


def note_block(lines: Sequence[NoteLine], last: Noted | None) -> Markup:
    """Return a form for each line, and one that takes the last note back; nothing where nothing can be noted."""
    forms = [_form(line) for line in lines]
    if last is not None:
        label = text(f"Take back: {without_clauses(last.text)}")
        forms.append(element("form", element("button", label, type="submit"), data_back=str(last.entry)))
    return join((element("h2", text("Note for yourself")), *forms)) if forms else Markup("")


def _form(line: NoteLine) -> Markup:
    hint = f"takes-{line.id}"
    fields = [_field(line, field, hint) for field in line.fields]
    takes = element("p", text(f"{line.takes[:1].upper()}{line.takes[1:]}."), class_="soft", id=hint)
    button = element("button", text("Note"), type="submit", aria_label=f"Note: {line.label}")
    return element("form", *fields, takes, button, data_line=line.id)


def _field(line: NoteLine, field: NoteField, hint: str) -> Markup:
    place = f"{line.id}-{field.name}"
    named = {"id": place, "name": field.name, "aria_describedby": hint}
    label = element("label", text(field.label), for_=place)
    if not field.choices:
        off = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", "maxlength": "400"}
        return join((label, element("input", type="text", **named, **off)))
    answers = [element("option", text("choose"), value="")]
    answers += [element("option", text(said), value=value) for value, said in field.choices]
    return join((label, element("select", *answers, **named)))
