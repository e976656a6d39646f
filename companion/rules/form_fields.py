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


_CALLED = {"seat": "player", "seats": "players"}


SEVERAL: Mapping[str, FieldKind] = {
    "seat": "seats",
    "choice": "choices",
    "number": "numbers",
    "text": "texts",
}


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
    return title or _CALLED.get(name, name.replace("_", " "))


def wanted(field: FormField) -> str:
    """Return in words which answers the field takes: `a player: Ada, Bo`, `a whole number from 0 to 106`."""
    labels = ", ".join(label for _, label in field.choices)
    numbers = _bounds(field)
    runs = f"{field.digits} digits, or " if field.digits else ""
    said = {
        "seat": f"a player: {labels}",
        "seats": f"players with commas between: {labels}",
        "choice": f"one of {labels}",
        "choices": f"some of these with commas between: {labels}",
        "flag": "yes or no",
        "number": f"a whole number{numbers}",
        "entry": "the number of a line of the log",
        "numbers": f"{runs}whole numbers{numbers}, with commas between",
        "text": "a text" if field.least or field.required else "a text, or nothing",
        "texts": "texts with commas between",
        "json": "a value as JSON writes it",
    }[field.kind]
    return f"{said}, or {NOBODY}" if field.nullable and field.kind != "text" else said


def example(field: FormField) -> str:
    """Return an answer that the field takes, as somebody would type it."""
    if field.example:
        return field.example
    if field.choices:
        several = field.kind in ("seats", "choices")
        return ",".join(label for _, label in field.choices[: 2 if several else 1])
    least, most = field.least or 0, 3 if field.most is None else field.most
    number = least if least > 0 else min(most, 3)
    return {
        "number": str(number),
        "numbers": f"{number},{number}",
        "entry": "12",
        "texts": "one,another",
        "json": '{"cards": 3}',
    }.get(field.kind, "we looked again")


def asked_for(field: FormField) -> str:
    """Return which answers the field takes, with an example: `a whole number from 0 to 106; for example 3`."""
    said = wanted(field)
    return (
        said
        if field.kind in ("flag", "seat", "choice")
        else f"{said}; for example {example(field)}"
    )


def _bounds(field: FormField) -> str:
    # what a machine holds says nothing
    if max(abs(bound) for bound in (field.least or 0, field.most or 0)) >= 2**31:
        return ""
    if field.least is not None and field.least == field.most:
        return f", which is {field.least}"
    if field.least is not None and field.most is not None:
        return f" from {field.least} to {field.most}"
    if field.least is not None:
        return f", {field.least} or more"
    return f", {field.most} at most" if field.most is not None else ""
