"""Buttons and choices on pages of roles: each says in an attribute what it asks the table to do."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence

from companion.reports.markup import Markup, element, join, text
from companion.reports.tones import seat_mark, tone
from companion.rules.actions import Action
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized
from companion.rules.facts import Seat
from companion.web.role_choices import Choice, Names, short, value_label, varying_fields
from companion.web.role_kinds import KindForm

_LISTS = ("numbers", "texts", "json")
MOST_BUTTONS = 12
"""Choices that are buttons; more are chosen field by field."""
_NUMBERED = re.compile(r"(.*\S) \d+")


def wish(kind: str, **content: object) -> str:
    """Return what a button asks for, as JSON."""
    return json.dumps({"kind": kind, **content}, ensure_ascii=False)


def button(
    label: str, asks: str, *, main: bool = False, about: str = "", name: str = "", sure: str = ""
) -> Markup:
    """Return a button that asks the table for something. `main`: it is what the prompt asks for; `about` says below the
    label what it does; `name` is read out in place of both; `sure` is what the page asks first."""
    attributes = {"type": "button", "data_wish": asks}
    if main:
        attributes["class_"] = "main"
    if name:
        attributes["aria_label"] = name
    if sure:
        attributes["data_sure"] = sure
    parts = [element("b", text(label))]
    if about:
        parts.append(element("small", text(about)))
    return element("button", *parts, **attributes)


def step(action: Action, *, main: bool) -> Markup:
    """Return the button of an action, with what it does."""
    about = without_clauses(action.help)
    return button(capitalized(action.label), wish("step", action=action.id), main=main, about=about)


def owner_of(action: Action, seats: Sequence[Seat]) -> Seat | None:
    """Return the player whose own an action is: the one whom its help names and whose initial is in its label."""
    found = []
    for seat in seats:
        in_help = re.search(rf"(?<!\w){re.escape(seat.name)}(?!\w)", action.help)
        in_label = re.search(rf"(?<!\w){re.escape(seat.initial)}(?!\w)", action.label)
        if in_help and in_label:
            found.append(seat)
    return found[0] if len(found) == 1 else None


def own_steps(seat: Seat, actions: Sequence[Action], asked: Sequence[str]) -> Markup:
    """Return the buttons of a player's own actions, those that are `asked` for first."""
    if not actions:
        return Markup("")
    buttons, labels = [], set[str]()
    for action in sorted(actions, key=lambda action: action.id not in asked):
        label = own_label(action, seat)
        if label in labels:
            label = f"{label} ({action.group})"
        labels.add(label)
        is_main = action.id in asked
        name = label if seat.name in label else f"{label}: {seat.name}"
        buttons.append(button(label, wish("step", action=action.id), main=is_main, name=name))
    return element("div", *buttons, class_="own-steps")


def own_label(action: Action, seat: Seat) -> str:
    """Return a label beside the player: `Draws` for `A draws`, `Name Anna` for `name A`."""
    label = without_initial(action.label, seat)
    if label == action.label or action.label.startswith(label):
        return _with_name(action.label, seat)
    return capitalized(label)


def without_initial(label: str, seat: Seat) -> str:
    """Return a label for a place that shows the player anyway: `draws` for `A draws`."""
    mark = re.escape(seat.initial)
    return re.sub(rf"^{mark}('s)? (is )?|\s+{mark}$", "", label)


def _with_name(label: str, seat: Seat) -> str:
    """Return a label with the player's name in place of the initial: `Anna draws` for `A draws`."""
    mark = re.escape(seat.initial)
    return capitalized(re.sub(rf"(?<!\w){mark}(?!\w)", lambda _: seat.name, label, count=1))


def is_numbered(action: Action) -> bool:
    """Return whether an action's label is a word with a number, which says too little without a screen's key."""
    return _NUMBERED.fullmatch(action.label) is not None


# -- facts that are possible now


def opener(title: str, kind: str, words: Mapping[str, str], *, main: bool) -> Markup:
    """Return a button that opens the form for a kind of fact, filled in with `words`."""
    attributes = {"type": "button", "data_open": "kind", "data_kind": kind}
    if words:
        attributes["data_words"] = json.dumps(dict(words), ensure_ascii=False)
    if main:
        attributes["class_"] = "main"
    return element("button", element("b", text(capitalized(title))), **attributes)


def has_list(form: KindForm) -> bool:
    """Return whether a kind has a field for several answers, which no game can list beforehand."""
    return any(asked.kind in _LISTS for asked in form.fields)


def has_free_fields(form: KindForm, choices: Sequence[Choice]) -> bool:
    """Return whether the facts differ in a field that takes more than what they say: several answers, or numbers with
    gaps between, which are examples."""
    varying = varying_fields(choices)
    for asked in form.fields:
        if asked.name not in varying:
            continue
        if asked.kind in _LISTS:
            return True
        values = {choice.words.get(asked.name, "") for choice in choices}
        if asked.kind == "number" and not _is_run(values):
            return True
    return False


def _is_run(words: Collection[str]) -> bool:
    """Return whether these are whole numbers one after another."""
    try:
        numbers = {int(word) for word in words}
    except ValueError:
        return False
    return max(numbers) - min(numbers) < len(numbers)


def shared_words(choices: Sequence[Choice]) -> dict[str, str]:
    """Return the answers that all facts have in common."""
    if not choices:
        return {}
    varying = varying_fields(choices)
    return {name: word for name, word in choices[0].words.items() if name not in varying}


def chooser(form: KindForm, choices: Sequence[Choice], names: Names, *, main: bool) -> Markup:
    """Return buttons for facts of one kind, or fields to choose from if they are many; `names` are what people call the
    values of fields."""
    varying = varying_fields(choices)
    if len(choices) == 1:
        single = button(capitalized(form.wanted), wish_of(choices[0]), main=main)
        return element("div", single, class_="steps")
    if len(choices) <= MOST_BUTTONS or len(varying) < 2:
        return _buttons(form, choices, varying, names, main=main)
    return _fields(form, choices, varying, names, main=main)


def _buttons(
    form: KindForm, choices: Sequence[Choice], varying: Sequence[str], names: Names, *, main: bool
) -> Markup:
    heading, labels = short([choice.sentence for choice in choices])
    if not heading:
        heading = capitalized(form.wanted)
        by_fields = [_by_fields(form, choice, varying, names) for choice in choices]
        if not all(labels) or len(set(labels)) < len(labels):
            labels = by_fields
    buttons = [
        button(label, wish_of(choice), main=main, name=f"{heading} {label}")
        for choice, label in zip(choices, labels, strict=True)
    ]
    legend = element("legend", text(heading))
    return element("fieldset", legend, element("div", *buttons, class_="chips"), class_="choice")


def _by_fields(form: KindForm, choice: Choice, varying: Sequence[str], names: Names) -> str:
    shown = [
        value_label(asked, choice.words[asked.name], names)
        for asked in form.fields
        if asked.name in varying and asked.name in choice.words
    ]
    if shown:
        return capitalized(", ".join(shown))
    left_out = [f"no {asked.label}" for asked in form.fields if asked.name in varying]
    return capitalized(", ".join(left_out) or "no more")


def wish_of(choice: Choice) -> str:
    """Return what the button of a fact asks for."""
    if choice.action:
        return wish("step", action=choice.action)
    return wish("fact", fact=choice.kind, fields=choice.words)


def _fields(
    form: KindForm, choices: Sequence[Choice], varying: Sequence[str], names: Names, *, main: bool
) -> Markup:
    """Return a form in which each field offers the values that are possible; a script dims those that do not go with
    what is chosen already."""
    anchor = f"choose-{form.kind}"
    groups = []
    for asked in form.fields:
        name = asked.name
        if name not in varying:
            continue
        values = list(dict.fromkeys(choice.words.get(name, "") for choice in choices))
        chips = []
        for place, value in enumerate(values):
            shown = value_label(asked, value, names) or "-"
            chips.append(_chip(f"{anchor}-{name}-{place}", name, value, shown))
        legend = element("legend", text(capitalized(asked.label)))
        groups.append(element("fieldset", legend, element("div", *chips, class_="chips")))
    possible = [[choice.words.get(name, "") for name in varying] for choice in choices]
    send = element("button", element("b", text("Enter")), type="submit", **_main(on=main))
    return element(
        "form",
        element("h2", text(capitalized(form.wanted))),
        *groups,
        send,
        id=anchor,
        class_="choice",
        autocomplete="off",
        data_wish=wish("fact", fact=choices[0].kind, fields=shared_words(choices)),
        data_names=json.dumps(list(varying)),
        data_possible=json.dumps(possible),
    )


def _main(*, on: bool) -> dict[str, str]:
    return {"class_": "main"} if on else {}


def _chip(field_id: str, name: str, value: str, shown: str) -> Markup:
    """Return one value to choose."""
    field = element("input", type="radio", name=name, value=value, id=field_id)
    return element("label", field, element("span", text(shown)), class_="chip", for_=field_id)


def seat_label(seat: Seat) -> Markup:
    """Return a player's mark and name."""
    return join((seat_mark(seat), text(" "), element("b", text(seat.name))))


def seat_class(seat: Seat) -> str:
    """Return the classes of something that belongs to a player."""
    return f"seat {tone(seat.color)}"
