"""The facts of a box on pages: a part of the box on each, a form for each card or token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.box.entry import BoxEntry
from companion.reports.markup import Markup, element, join, paragraph, text
from companion.rules.box_questions import (
    BoxQuestion,
    NoAnswer,
    RowId,
    is_asked,
    question_about,
    row_title,
)
from companion.rules.columns import capitalized
from companion.rules.component_rows import LONGEST_TEXT, ComponentTable, Field
from companion.web.before_forms import page

FIELD, LEFT_OUT = "field-", "left-out-"
"""How the names of a form's fields begin, before that of the box's field."""
LIST_OF_KEYS = "keys-"
"""How the name of a box for each key of a list begins, before the field's name, a dash and the key."""
YES = "yes"


def parts_page(entry: BoxEntry, title: str, refusal: str = "") -> str:
    """Return the page with the parts of a box, and how much is known of each."""
    rows = []
    for table, known, total in entry.groups():
        count = "all known" if known == total else f"{known} of {total} known"
        link = element("a", text(_heading(table)), href=f"{entry.game_id}/{table.name}")
        rows.append(element("li", link, text(f" {count}"), class_="part"))
    so_far = f"{entry.known} of {len(entry.facts)} known. Each answer is kept at once."
    back = element("a", text("Back to the new game"), href=f"../new/{entry.game_id}")
    parts = [
        paragraph(so_far),
        element("ul", *rows, class_="lines"),
        element("p", back, class_="links"),
    ]
    return page(f"{title}: your box", parts, refusal)


def part_page(entry: BoxEntry, table: ComponentTable, refusal: str = "", said: str = "") -> str:
    """Return the page of one part of a box: a form for each row, and one to add a row."""
    facts = [fact for fact in entry.facts if fact[0] == table.name]
    parts = [paragraph(said, "done")] if said else []
    parts += [_row(entry, table, fact, place) for place, fact in enumerate(facts)]
    if table.adds:
        name = element("input", name="name", id="name", required="", maxlength=str(LONGEST_TEXT))
        label = element("label", text("Its name, as on your copy"), for_="name")
        heading = element("h2", text(f"Add {table.adds}"))
        parts.append(_form("add", "Add", heading, label, name, place=len(facts)))
    if entry.can_undo:
        parts.append(_form("undo", "Undo the last answer", place=0))
    back = element("a", text("All parts of the box"), href=f"../{entry.game_id}")
    parts.append(element("p", back, class_="links"))
    return page(_heading(table), parts, refusal)


def fill(entry: BoxEntry, table: ComponentTable, form: Mapping[str, str]) -> str:
    """Do what a form of a part asks; return what it came to. Raise `NoAnswer`."""
    do, fact = form.get("do", ""), (table.name, form.get("row", ""))
    if do == "undo":
        return "The last answer was undone." if entry.undo() else "There is nothing to undo."
    if do == "add":
        entry.go_to(next((each for each in entry.facts if each[0] == table.name), fact))
        entry.add(form.get("name", ""))
        return ""
    if fact not in entry.facts:
        raise NoAnswer("This row is not there any more.")
    if do == "remove":
        entry.go_to(fact)
        return entry.remove()
    return entry.fill(fact, dict(_typed(entry, table, fact, form))) or "Kept."


def _typed(
    entry: BoxEntry, table: ComponentTable, fact: RowId, form: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the fields in which the form says something else than is known, each as a person would type it."""
    answers = entry.answers(fact)
    for field in _asked(table):
        if form.get(f"{LEFT_OUT}{field.name}") == YES:
            if answers.get(field.name, "") is not None:
                yield field.name, ""
            continue
        question = question_about(table, fact[1], answers, field)
        typed = form.get(f"{FIELD}{field.name}", "").strip()
        if question.by_key and question.several:
            typed = "".join(
                key for key in question.keys if f"{LIST_OF_KEYS}{field.name}-{key}" in form
            )
        before = answers.get(field.name)
        if typed != _as_typed(question, before) and (typed or before is not None):
            yield field.name, typed


def _asked(table: ComponentTable) -> list[Field]:
    return [field for field in table.fields if is_asked(field)]


def _as_typed(question: BoxQuestion, value: Any) -> str:
    """Return a value of a field as a person would type it; empty if it is not known."""
    if value is None:
        return ""
    if question.by_key:
        keys = {each: key for key, each in question.keys.items()}
        values = value if question.several else (value,)
        return "".join(keys[each] for each in values if each in keys)
    if question.field.kind == "texts":
        return ", ".join(value)
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _row(entry: BoxEntry, table: ComponentTable, fact: RowId, place: int) -> Markup:
    answers = entry.answers(fact)
    fields = [
        _field(question_about(table, fact[1], answers, field), answers, place)
        for field in _asked(table)
    ]
    known = "" if entry.is_known(fact) else " (not known)"
    legend = element("legend", text(f"{row_title(table, fact[1])}{known}"))
    hidden = element("input", type="hidden", name="row", value=fact[1])
    extra = Markup("")
    if entry.is_answered(fact):
        label = "Remove" if entry.is_added(fact) else "Not known after all"
        extra = element("button", text(label), name="do", value="remove")
    parts = (legend, hidden, element("div", *fields, class_="box-row"))
    return element(
        "fieldset", _form("save", "Keep", *parts, extra=extra, place=place), id=f"row-{place}"
    )


def _field(question: BoxQuestion, answers: Mapping[str, Any], place: int) -> Markup:
    """Return the field of a form for one field of a row."""
    field = question.field
    name, id_ = f"{FIELD}{field.name}", f"{place}-{field.name}"
    value = answers.get(field.name)
    typed = _as_typed(question, value)
    label = element("label", text(_asks(field)), for_=id_)
    if field.among and len(question.keys) < 2:  # nothing to choose until the list before has items
        return Markup("")
    if question.by_key and question.several:
        return _keys(question, typed, answers)
    if question.by_key:
        words = {True: "yes", False: "no"}
        choices = [
            ("", "?"),
            *((key, str(words.get(each, each))) for key, each in question.keys.items()),
        ]
        options = []
        for key, shown in choices:
            more = {"selected": ""} if key == typed else {}
            options.append(element("option", text(shown), value=key, **more))
        shown_field = element("select", *options, name=name, id=id_)
    else:
        shown_field = element("input", name=name, id=id_, value=typed, maxlength=str(LONGEST_TEXT))
    return element(
        "div",
        label,
        shown_field,
        paragraph(field.asks, "soft"),
        _left_out(question, answers),
    )


def _asks(field: Field) -> str:
    return capitalized(field.asks or f"{field.name.replace('_', ' ')}?")


def _keys(question: BoxQuestion, typed: str, answers: Mapping[str, Any]) -> Markup:
    """Return a box to tick for each item of a list."""
    boxes = []
    for key, item in question.keys.items():
        more = {"checked": ""} if key in typed else {}
        box = element(
            "input",
            type="checkbox",
            name=f"{LIST_OF_KEYS}{question.field.name}-{key}",
            value=YES,
            **more,
        )
        boxes.append(element("label", box, text(str(item)), class_="radio"))
    legend = element("legend", text(_asks(question.field)))
    return element("fieldset", legend, *boxes, _left_out(question, answers))


def _left_out(question: BoxQuestion, answers: Mapping[str, Any]) -> Markup:
    """Return a box to tick if an optional field is left out on purpose."""
    field = question.field
    if not field.optional:
        return Markup("")
    is_out = field.name in answers and answers[field.name] is None
    more = {"checked": ""} if is_out else {}
    box = element("input", type="checkbox", name=f"{LEFT_OUT}{field.name}", value=YES, **more)
    return element("label", box, text(field.without or "left out"), class_="radio")


def _form(do: str, label: str, *parts: Markup, place: int, extra: Markup | None = None) -> Markup:
    button = element("button", text(label), name="do", value=do)
    buttons = join((button, Markup("") if extra is None else extra))
    return element("form", *parts, buttons, method="post", action=f"#row-{place}")


def _heading(table: ComponentTable) -> str:
    return capitalized(table.heading or table.name)
