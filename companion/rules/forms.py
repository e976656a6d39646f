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
    asked = (
        _field(name, info, setup)
        for name, info in fact.model_fields.items()
        if name not in _NOT_ASKED
    )
    return tuple(fact.asked(field, setup) for field in asked)


def usage(fact: type[Fact], kind: str) -> str:
    """Return the kind and its fields as they are typed: `override SEAT STATUS [REASON]`."""
    asked = [(name, info) for name, info in fact.model_fields.items() if name not in _NOT_ASKED]
    return " ".join(
        [
            kind,
            *(name.upper() if info.is_required() else f"[{name.upper()}]" for name, info in asked),
        ]
    )


# -- what a field of a model takes


def _field(name: str, info: FieldInfo, setup: Setup) -> FormField:
    kind, choices, marks, nullable = _shape(info.annotation, tuple(info.metadata))
    if kind in ("seat", "seats"):
        choices = tuple((seat.id, seat.name) for seat in setup.seats)
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    default = default.value if isinstance(default, Enum) else default
    least, most = _limits(marks)
    shown = str((info.examples or [""])[0])
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
        shown,
    )


_Shape = tuple[FieldKind, tuple[tuple[Any, str], ...], tuple[Any, ...], bool]


def _shape(annotation: Any, marks: tuple[Any, ...]) -> _Shape:
    """Return the shape of a type; `marks` are those that pydantic has taken off it."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        inner, *own = arguments
        more = [
            mark for one in own for mark in (one.metadata if isinstance(one, FieldInfo) else [one])
        ]
        return _shape(inner, (*marks, *more))
    if origin in (Union, types.UnionType) and type(None) in arguments:
        others = [one for one in arguments if one is not type(None)]
        kind, choices, marks, _ = (
            _shape(others[0], marks) if len(others) == 1 else ("json", (), marks, True)
        )
        return kind, choices, marks, True
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        kind, choices, own_marks, nullable = _shape(arguments[0], ())
        return (
            (SEVERAL[kind] if kind in SEVERAL and not nullable else "json"),
            choices,
            own_marks,
            False,
        )
    return (*_plain(annotation, origin, arguments, marks), marks, False)


def _plain(
    annotation: Any, origin: Any, arguments: tuple[Any, ...], marks: tuple[Any, ...]
) -> tuple[FieldKind, tuple[tuple[Any, str], ...]]:
    if origin is Literal:
        return "choice", tuple(
            (value, str(value).removeprefix("@").replace("_", " ")) for value in arguments
        )
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "choice", tuple((one.value, str(one.value).replace("_", " ")) for one in annotation)
    if annotation is bool:
        return "flag", ((True, "yes"), (False, "no"))
    if annotation is int:
        return ("entry" if "entry" in marks else "number"), ()
    if annotation is str:
        return ("seat" if "seat" in marks else "text"), ()
    return "json", ()


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
