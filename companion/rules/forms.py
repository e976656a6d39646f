"""Forms for facts: the fields of each kind that a form asks for, read off the annotations of its model."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Any, Literal, Union

from pydantic.fields import FieldInfo

from companion.rules.facts import Fact, Setup
from companion.rules.form_fields import SEVERAL, FieldKind, FormField, label

_NOT_ASKED = ("kind", "at")


def label_of(fact: type[Fact], name: str) -> str:
    """Return the name of a fact's field as in forms, also of a field that only other versions have."""
    info = fact.model_fields.get(name)
    return label(name, None if info is None else info.title)


def fields_of(fact: type[Fact], setup: Setup) -> tuple[FormField, ...]:
    """Return the fields that a form asks for, in order, with the seats of `setup` to choose from."""
    return tuple(fact.asked(_field(name, info, setup), setup) for name, info in _asked(fact))


def usage(fact: type[Fact], kind: str) -> str:
    """Return the kind and its fields as they are typed: `override SEAT STATUS [REASON]`."""
    words = [kind]
    for name, info in _asked(fact):
        words.append(name.upper() if info.is_required() else f"[{name.upper()}]")
    return " ".join(words)


def _asked(fact: type[Fact]) -> list[tuple[str, FieldInfo]]:
    left_out = (*_NOT_ASKED, *fact.unasked)
    return [(name, info) for name, info in fact.model_fields.items() if name not in left_out]


# -- what a field of a model takes


def _field(name: str, info: FieldInfo, setup: Setup) -> FormField:
    kind, choices, marks, nullable = _shape(info.annotation, tuple(info.metadata))
    if kind in ("seat", "seats"):
        choices = tuple((seat.id, seat.name) for seat in setup.seats)
    default = None
    if not info.is_required():
        default = info.get_default(call_default_factory=True)
    if isinstance(default, Enum):
        default = default.value
    least, most = _limits(marks)
    return FormField(
        name,
        kind,
        choices,
        info.is_required(),
        default,
        least,
        most,
        nullable,
        info.title or "",
        str(info.examples[0]) if info.examples else "",
    )


_Shape = tuple[FieldKind, tuple[tuple[Any, str], ...], tuple[Any, ...], bool]
"""The kind of answer, its choices, the marks that limit it, and whether it may be None."""


def _shape(annotation: Any, marks: tuple[Any, ...]) -> _Shape:
    """Return the shape of a type; `marks` are those that pydantic has taken off it."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        inner, *own = arguments
        for mark in own:
            marks = (*marks, *(mark.metadata if isinstance(mark, FieldInfo) else (mark,)))
        return _shape(inner, marks)
    if origin in (Union, types.UnionType) and type(None) in arguments:
        others = [argument for argument in arguments if argument is not type(None)]
        if len(others) > 1:
            return "json", (), marks, True
        kind, choices, marks, _ = _shape(others[0], marks)
        return kind, choices, marks, True
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        # The marks of the field limit the tuple; a form shows those of its items.
        kind, choices, item_marks, nullable = _shape(arguments[0], ())
        several: FieldKind = "json" if nullable else SEVERAL.get(kind, "json")
        return several, choices, item_marks, False
    kind, choices = _plain(annotation, origin, arguments, marks)
    return kind, choices, marks, False


def _plain(
    annotation: Any, origin: Any, arguments: tuple[Any, ...], marks: tuple[Any, ...]
) -> tuple[FieldKind, tuple[tuple[Any, str], ...]]:
    """Return the kind and the choices of a type that is no container."""
    if origin is Literal:
        # "@black" is an AI player; a person reads "black".
        return "choice", tuple((value, _readable(value).removeprefix("@")) for value in arguments)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "choice", tuple((member.value, _readable(member.value)) for member in annotation)
    if annotation is bool:
        return "flag", ((True, "yes"), (False, "no"))
    if annotation is int:
        return ("entry" if "entry" in marks else "number"), ()
    if annotation is str:
        return ("seat" if "seat" in marks else "text"), ()
    return "json", ()


def _readable(value: object) -> str:
    return str(value).replace("_", " ")


def _limits(marks: Iterable[Any]) -> tuple[int | None, int | None]:
    """Return the least and the most of a number, or the least length of a text.

    The marks are those of annotated_types and pydantic, each with its bound as an attribute.
    """
    least = most = None
    for mark in marks:
        least = getattr(mark, "ge", getattr(mark, "min_length", least))
        most = getattr(mark, "le", most)
        least = mark.gt + 1 if hasattr(mark, "gt") else least
        most = mark.lt - 1 if hasattr(mark, "lt") else most
    return least, most
