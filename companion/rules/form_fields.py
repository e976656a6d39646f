"""One field of a form: the kind of answer it takes, and the words for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

FieldKind = Literal[
    "seat",
    "choice",
    "number",
    "text",
    "flag",
    "entry",
    "seats",
    "choices",
    "numbers",
    "texts",
    "json",
]


LEFT_OUT = "-"
"""The word that leaves a field at its default."""
NOBODY = "none"
"""The word for None in a nullable field."""
_LABELS = {"seat": "player", "seats": "players"}
SEVERAL: Mapping[str, FieldKind] = {
    "seat": "seats",
    "choice": "choices",
    "number": "numbers",
    "text": "texts",
}
"""The kind of a list, by the kind of its items."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a fact: the kind of answer, the choices as (value, label), whether it is required, and its default.

    `least` and `most` bound a number, and `least` the length of a text. `nullable`: `none` is an answer, too. The kinds
    in the plural take several answers, separated by commas; for `numbers`, an answer of exactly `digits` digits without
    a comma is that many numbers of one digit. `json` takes any JSON value. The model of the fact can give a field
    another name and an example: `Field(title=..., examples=[...])`.
    """

    name: str
    kind: FieldKind
    choices: tuple[tuple[Any, str], ...] = ()
    required: bool = True
    default: Any = None
    least: int | None = None
    most: int | None = None
    nullable: bool = False
    title: str = ""
    example: str = ""
    digits: int = 0

    @property
    def label(self) -> str:
        """The name of the field for people."""
        return label(self.name, self.title)


def label(name: str, title: str | None) -> str:
    """Return the name of a field for people: its title, or else a readable form of its name."""
    return title or _LABELS.get(name, name.replace("_", " "))


def wanted(field: FormField) -> str:
    """Return in words which answers the field takes: `a player: Ada, Bo`, `a whole number from 0 to 106`."""
    answers = _answers(field)
    if field.nullable and field.kind != "text":
        return f"{answers}, or {NOBODY}"
    return answers


_ANSWERS: Mapping[FieldKind, str] = {
    "flag": "yes or no",
    "entry": "the number of a line of the log",
    "texts": "texts with commas between",
    "json": "a value as JSON writes it",
}


def _answers(field: FormField) -> str:
    labels = ", ".join(label for _, label in field.choices)
    listed = f": {labels}" if labels else ""  # a file is read without the people of a session
    match field.kind:
        case "seat":
            return f"a player{listed}"
        case "seats":
            return f"players with commas between{listed}"
        case "choice":
            return f"one of {labels}"
        case "choices":
            return f"some of these with commas between{listed}"
        case "number":
            return f"a whole number{_bounds(field)}"
        case "numbers":
            digits = f"{field.digits} digits, or " if field.digits else ""
            return f"{digits}whole numbers{_bounds(field)}, with commas between"
        case "text":
            return "a text" if field.least or field.required else "a text, or nothing"
    return _ANSWERS[field.kind]


def example(field: FormField) -> str:
    """Return an answer that the field takes, as somebody would type it."""
    if field.example:
        return field.example
    if field.choices:
        count = 2 if field.kind in ("seats", "choices") else 1
        return ",".join(label for _, label in field.choices[:count])
    match field.kind:
        case "number":
            return str(_example_number(field))
        case "numbers":
            number = _example_number(field)
            return f"{number},{number}"
        case "entry":
            return "12"
        case "texts":
            return "one,another"
        case "json":
            return '{"cards": 3}'
    return "we looked again"


def _example_number(field: FormField) -> int:
    if field.least is not None and field.least > 0:
        return field.least
    return 3 if field.most is None else min(field.most, 3)


def asked_for(field: FormField) -> str:
    """Return which answers the field takes, with an example: `a whole number from 0 to 106; for example 3`."""
    answers = wanted(field)
    if field.kind in ("flag", "seat", "choice"):  # their answers are listed
        return answers
    return f"{answers}; for example {example(field)}"


def _bounds(field: FormField) -> str:
    """Return the bounds of a number in words; empty if these are only those of the machine."""
    least, most = field.least, field.most
    if max(abs(least or 0), abs(most or 0)) >= 2**31:
        return ""
    if least is None:
        return "" if most is None else f", {most} at most"
    if most is None:
        return f", {least} or more"
    if least == most:
        return f", which is {least}"
    return f" from {least} to {most}"
