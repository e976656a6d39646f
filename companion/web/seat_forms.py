"""Forms on a seat's own phone: private notes, proposals to the table, and what the seat enters without asking."""

from __future__ import annotations

from collections.abc import Sequence

from companion.display.panels import NoteField, NoteLine, PhoneProposal
from companion.reports.markup import Markup, element, join, paragraph, text
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized
from companion.session.interpreter import DROPPED, UNANSWERED
from companion.session.phone_answers import LEFT, RECORDED, WAITS, Said
from companion.session.readings import PROPOSED
from companion.session.seat_entries import OwnEntry, OwnNumber
from companion.session.seat_notes import Noted

WAITING = "Wait until the table says yes."
ACCEPTED = "The table recorded it."
REFUSED = "The table said no."
MISSED = "Nobody at the table answered. Say it aloud."
PAUSED = "The game is paused: enter it once it goes on."
AT_ONCE = "It counts at once. The table can undo it."
TOO_LATE = "Too late: it was no longer possible. Say it aloud."


def note_block(lines: Sequence[NoteLine], last: Noted | None) -> Markup:
    """Return a form for each line, as on the laptop's private screen, and one that undoes the last note; empty if
    nothing can be noted."""
    forms = [_note_form(line) for line in lines]
    if last is not None:
        button = element("button", text(f"Take back: {without_clauses(last.text)}"), type="submit")
        forms.append(element("form", button, data_back=str(last.entry), id="take-back"))
    if not forms:
        return Markup("")
    return join((element("h2", text("Note for yourself")), *forms))


def _note_form(line: NoteLine) -> Markup:
    hint = f"takes-{line.id}"
    fields = [_field(line, field, hint) for field in line.fields]
    takes = element("p", text(f"{capitalized(line.takes)}."), class_="soft", id=hint)
    button = element("button", text("Note"), type="submit", aria_label=f"Note: {line.label}")
    return element("form", *fields, takes, button, data_line=line.id, id=f"note-{line.id}")


def _field(line: NoteLine, field: NoteField, hint: str) -> Markup:
    field_id = f"{line.id}-{field.name}"
    attributes = {"id": field_id, "name": field.name, "aria_describedby": hint}
    label = element("label", text(field.label), for_=field_id)
    if not field.choices:
        off = {
            "autocomplete": "off",
            "autocapitalize": "off",
            "spellcheck": "false",
            "maxlength": "400",
        }
        return join((label, element("input", type="text", **attributes, **off)))
    answers = [element("option", text("choose"), value="")]
    answers += [element("option", text(shown), value=value) for value, shown in field.choices]
    return join((label, element("select", *answers, **attributes)))


def proposal_block(proposals: Sequence[PhoneProposal], last: Said | None) -> Markup:
    """Return a button for each proposal, and the answer to the last one; empty if there is neither."""
    if not proposals and last is None:
        return Markup("")
    answer = "" if last is None else _answer(last)
    # Above the buttons, which come and go: an element after them would be replaced, and a screen reader reads only what
    # changes in one that stays.
    parts = [
        element("h2", text("Tell the table")),
        element("p", text(answer), class_="answer", role="status"),
    ]
    return join((*parts, *map(_proposal_form, proposals)))


def _proposal_form(proposal: PhoneProposal) -> Markup:
    button = element("button", text(proposal.label), type="submit", class_="large")
    return element("form", button, data_propose=proposal.id, id=f"propose-{proposal.id}")


def entry_block(entries: Sequence[OwnEntry], *, waits: bool = False) -> Markup:
    """Return a field for each number that a seat may type, and a button for each step that it may enter; empty if
    there is neither. `waits`: there are more once the game goes on."""
    if not (entries or waits):
        return Markup("")
    parts = [element("h2", text("Enter it yourself")), paragraph(AT_ONCE, "soft")]
    if waits:
        parts[1:] = [paragraph(PAUSED, "alarm")]
    alone = [_number_form(entry) for entry in entries if len(entry.numbers) == 1]
    if alone:
        parts.append(element("div", *alone, class_="own-numbers"))
    parts += [_numbers_form(entry) for entry in entries if len(entry.numbers) > 1]
    parts += [_step_form(entry) for entry in entries if entry.step is not None]
    return join(parts)


def _number_form(entry: OwnEntry) -> Markup:
    """Return a field with its button beside it."""
    (number,) = entry.numbers
    field = _number_field(entry, number)
    return element("form", *field, _send_button(entry), **_sends(entry), class_="own-number")


def _numbers_form(entry: OwnEntry) -> Markup:
    """Return the fields of numbers that are sent together, and one button."""
    fields = []
    for number in entry.numbers:
        fields.append(element("div", *_number_field(entry, number), class_="own-number"))
    group = element(
        "fieldset",
        element("legend", text(capitalized(entry.label))),
        element("div", *fields, class_="own-numbers"),
    )
    return element("form", group, _send_button(entry), **_sends(entry))


def _send_button(entry: OwnEntry) -> Markup:
    """Return the button that sends the numbers of a form, with their name for screen readers."""
    name = f"Send: {capitalized(entry.label)}"
    return element("button", text("Send"), type="submit", aria_label=name)


def _sends(entry: OwnEntry) -> dict[str, str]:
    return {"data_enter": entry.id, "id": f"enter-{entry.anchor}"}


def _number_field(entry: OwnEntry, number: OwnNumber) -> tuple[Markup, Markup]:
    field_id = f"{number.name}-{entry.anchor}"
    now = "" if number.value is None else f" (now {number.value})"
    label = f"{capitalized(number.label)}{now}"
    # This type shows digits and a minus on every phone; `inputmode` numeric shows no minus on some.
    attributes = {"id": field_id, "name": number.name, "step": "1", "autocomplete": "off"}
    return (
        element("label", text(label), for_=field_id),
        element("input", type="number", **attributes),
    )


def _step_form(entry: OwnEntry) -> Markup:
    button = element("button", text(entry.label), type="submit", class_="large")
    return element("form", button, **_sends(entry))


def _answer(last: Said) -> str:
    if last.answer == WAITS:
        return WAITING
    if last.answer == RECORDED:
        return ACCEPTED
    reason = last.answer.removeprefix(PROPOSED)
    if reason.startswith(DROPPED):
        return REFUSED
    return MISSED if reason.startswith(UNANSWERED) or reason == LEFT else TOO_LATE
