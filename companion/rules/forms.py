"""Facts entered by hand: the fields of each kind for a form to ask, and a typed line read as a fact."""

from __future__ import annotations

import json
import re
import shlex
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, Union

from pydantic.fields import FieldInfo

from companion.rules.facts import Fact, Refused, Setup
from companion.rules.game import Game

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
"""The word that leaves a field as it would be without a word."""
NOBODY = "none"
_NOT_ASKED = ("kind", "at")
_CALLED = {"seat": "player", "seats": "players"}
_SEVERAL: Mapping[str, FieldKind] = {
    "seat": "seats",
    "choice": "choices",
    "number": "numbers",
    "text": "texts",
}
_ONE = {several: one for one, several in _SEVERAL.items()}
_YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a fact: what kind of answer it takes, the answers to choose from (value, label), whether there has
    to be one, and what it is otherwise.

    `least` and `most` bound a number, and `least` the letters of a text. `nullable` says that `none` is an answer too.
    The kinds in the plural take several answers with commas between; of `numbers`, so many `digits` without a comma are
    a number each. `json` takes any JSON value. A fact's model says what a field is called and gives an example where
    its name and kind do not: `Field(title=..., examples=[...])`.
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
        """What a person calls the field."""
        return _label(self.name, self.title)


def _label(name: str, title: str | None) -> str:
    return title or _CALLED.get(name, name.replace("_", " "))


def label_of(fact: type[Fact], name: str) -> str:
    """Return what a person calls a field of a fact, as forms do; of one that this version does not have its name."""
    info = fact.model_fields.get(name)
    return _label(name, None if info is None else info.title)


def fields_of(fact: type[Fact], setup: Setup) -> tuple[FormField, ...]:
    """Return what a form asks for that kind of fact, in order, with the seats of `setup` to choose from."""
    asked = (
        _field(name, info, setup)
        for name, info in fact.model_fields.items()
        if name not in _NOT_ASKED
    )
    return tuple(fact.asked(field, setup) for field in asked)


def from_words(game: Game[Any], setup: Setup, words: str) -> tuple[str, dict[str, Any]]:
    """Return the kind and the body that a typed line stands for: the kind, then its fields in order or `name=value`;
    raise `Refused` (clause `FORMAT`).

    `draw ada`, `score_set ada 5 "lost a card"`, `override ada out reason="fell asleep"`. Kinds, seats and choices may
    be cut short while only one begins so; `-` leaves a field out; words left over belong to a text at the end.
    """
    try:
        kind, *rest = shlex.split(words) or [""]
    except ValueError as error:
        raise Refused(
            "FORMAT", "a quotation mark has no partner", "both, or a backslash before the one"
        ) from error
    kind = _picked(kind.replace("-", "_"), [(known, known) for known in game.facts], "fact")
    fields = fields_of(game.facts[kind], setup)
    body = {field.name: _value(field, word) for field, word in _assigned(kind, fields, rest)}
    missing = [field for field in fields if field.required and field.name not in body]
    if missing:
        raise Refused(
            "FORMAT",
            f"{missing[0].label} is missing",
            do=f"Enter it, for example {example(missing[0])}.",
        )
    body = game.facts[kind].entered(body, setup)
    game.parse(kind, body, to_people=True)
    return kind, body


def usage(fact: type[Fact], kind: str) -> str:
    """Return the kind and its fields as one types them: `override SEAT STATUS [REASON]`."""
    asked = [(name, info) for name, info in fact.model_fields.items() if name not in _NOT_ASKED]
    return " ".join(
        [
            kind,
            *(name.upper() if info.is_required() else f"[{name.upper()}]" for name, info in asked),
        ]
    )


def wanted(field: FormField) -> str:
    """Return in words what the field takes: `a seat: ada, bo`, `a whole number from 0 to 106`."""
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
    """Return an answer that the field takes, as one would type it."""
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
    """Return in words what the field takes, with an example: `a whole number from 0 to 106; for example 3`."""
    said = wanted(field)
    return (
        said
        if field.kind in ("flag", "seat", "choice")
        else f"{said}; for example {example(field)}"
    )


def _bounds(field: FormField) -> str:
    if (
        max(abs(bound) for bound in (field.least or 0, field.most or 0)) >= 2**31
    ):  # what a machine holds says nothing
        return ""
    if field.least is not None and field.least == field.most:
        return f", which is {field.least}"
    if field.least is not None and field.most is not None:
        return f" from {field.least} to {field.most}"
    if field.least is not None:
        return f", {field.least} or more"
    return f", {field.most} at most" if field.most is not None else ""


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
    """The kind of answer that a type stands for, its choices, what limits it, and whether it may be none."""
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
            (_SEVERAL[kind] if kind in _SEVERAL and not nullable else "json"),
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
    """The least and the most of a number, or the least letters of a text; a bound is an attribute of its mark."""
    least = most = None
    for mark in marks:
        least = getattr(mark, "ge", getattr(mark, "min_length", least))
        most = getattr(mark, "le", most)
        least = mark.gt + 1 if hasattr(mark, "gt") else least
        most = mark.lt - 1 if hasattr(mark, "lt") else most
    return least, most


# -- words


def _assigned(
    kind: str, fields: Sequence[FormField], words: Sequence[str]
) -> list[tuple[FormField, str]]:
    """Each field that has a word, with that word: those named first, the others in order."""
    by_name = {field.name: field for field in fields}
    named: dict[str, str] = {}
    placed: list[str] = []
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or name not in by_name:
            placed.append(word)
        elif name in named:
            raise Refused("FORMAT", f"for {kind} {name} is given twice", "each field once")
        else:
            named[name] = value
    free = [field for field in fields if field.name not in named]
    if free and free[-1].kind == "text" and len(placed) > len(free):
        placed[len(free) - 1 :] = [" ".join(placed[len(free) - 1 :])]
    if len(placed) > len(free):
        takes = ", ".join(field.name for field in fields) or "nothing more"
        raise Refused("FORMAT", f"{placed[len(free)]!r} is too much for {kind}", takes)
    by_place = [
        (field, word) for field, word in zip(free, placed, strict=False) if word != LEFT_OUT
    ]
    return [*by_place, *((by_name[name], word) for name, word in named.items())]


def _value(field: FormField, word: str) -> Any:
    """What the word says for that field, as a JSON value."""
    if field.nullable and word == NOBODY and field.kind != "text":
        return None
    if field.kind == "json" or (field.kind in _ONE and word.startswith("[")):
        try:
            return json.loads(word)
        except (ValueError, RecursionError) as error:
            raise _unfit(field, word) from error
    if field.kind in _ONE:
        return [_single(field, _ONE[field.kind], part.strip()) for part in _parts(field, word)]
    return _single(field, field.kind, word)


def _parts(field: FormField, word: str) -> Sequence[str]:
    if not word.strip():
        return ()
    if field.digits and re.fullmatch("[0-9]+", word.strip()) and len(word.strip()) == field.digits:
        return word.strip()
    return word.split(",")


def numbers_read(field: FormField, word: str) -> str:
    """Return the numbers that digits without commas stand for: `3, 4, 5`; empty for any other answer."""
    parts = _parts(field, word)
    return "" if "," in word or len(parts) < 2 else ", ".join(parts)


def _unfit(field: FormField, word: str) -> Refused:
    return Refused("FORMAT", f"{field.label}: {word!r} does not fit", wanted(field))


def _single(field: FormField, kind: str, word: str) -> Any:
    if not word.strip() and (kind != "text" or field.least):
        raise Refused(
            "FORMAT", f"{field.label} is missing", do=f"Enter it, for example {example(field)}."
        )
    match kind:
        case "seat" | "choice":
            return _picked(word, field.choices, field.label)
        case "flag":
            if word.casefold() not in (*_YES, *_NO):
                raise _unfit(field, word)
            return word.casefold() in _YES
        case "number" | "entry":
            return _number(field, word)
    return word


def _number(field: FormField, word: str) -> int:
    number = int(word) if re.fullmatch("[+-]?[0-9]{1,19}", word) else None
    low = number is not None and field.least is not None and number < field.least
    if number is None or low or (field.most is not None and number > field.most):
        raise _unfit(field, word)
    return number


def _picked(word: str, choices: Sequence[tuple[Any, str]], what: str) -> Any:
    """The value that the word means: the same value, the same label, or the only one that begins so."""
    asked = word.casefold()

    def begins(text: str) -> bool:
        return bool(asked) and text.casefold().startswith(asked)

    for exact in (
        [value for value, _ in choices if str(value) == word],
        [value for value, _ in choices if str(value).casefold() == asked],
        [value for value, label in choices if label.casefold() == asked],
        [value for value, label in choices if begins(str(value)) or begins(label)],
    ):
        if len(exact) == 1:
            return exact[0]
        if exact:
            raise Refused(
                "FORMAT", f"{word!r} can mean more than one {what}", " or ".join(map(str, exact))
            )
    names = ", ".join(label for _, label in choices)
    raise Refused(
        "FORMAT",
        f"{what}: {word!r} does not fit" if word else f"no {what} is named",
        f"one of {names}",
    )
