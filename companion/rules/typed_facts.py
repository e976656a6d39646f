"""Parser of typed facts: a line with the kind, then the fields."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from typing import Any

from companion.rules.facts import Refused, Setup
from companion.rules.form_fields import LEFT_OUT, NOBODY, SEVERAL, FormField, example, wanted
from companion.rules.forms import fields_of
from companion.rules.game import Game

_ONE = {several: one for one, several in SEVERAL.items()}


_YES = ("yes", "true", "on", "1")


_NO = ("no", "false", "off", "0")


def from_words(game: Game[Any], setup: Setup, words: str) -> tuple[str, dict[str, Any]]:
    """Return the kind and the body of a typed line: the kind, then its fields in order or as `name=value`.

    `draw ada`, `score_set ada 5 "lost a card"`, `override ada out reason="fell asleep"`. Kinds, seats and choices may
    be abbreviated if only one begins that way; `-` leaves a field out; extra words belong to a text at the end. Raise
    `Refused` (clause `FORMAT`).
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


def _assigned(
    kind: str, fields: Sequence[FormField], words: Sequence[str]
) -> list[tuple[FormField, str]]:
    """Return the fields that have a word, with that word: first those without a name, in order, then the named ones."""
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
    """Return the value of a word for that field, as JSON has it."""
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
    """Return how digits without commas are read: `3, 4, 5`; empty for any other answer."""
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
    """Return the value that a word means: the same value, the same label, or the only one that begins with it."""
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
