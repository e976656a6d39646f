"""Parser of typed facts: a line with the kind, then the fields."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from typing import Any

from companion.rules.columns import quoted
from companion.rules.facts import Refused, Setup
from companion.rules.form_fields import LEFT_OUT, NOBODY, SEVERAL, FormField, example, wanted
from companion.rules.forms import fields_of
from companion.rules.game import Game

_ITEM_KIND = {several: single for single, several in SEVERAL.items()}
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
        reason, expected = "a quotation mark has no partner", "both, or a backslash before the one"
        raise Refused("FORMAT", reason, expected) from error
    kind = _picked(kind.replace("-", "_"), [(known, known) for known in game.facts], "fact")
    fields = fields_of(game.facts[kind], setup)
    body = {field.name: _value(field, word) for field, word in _assigned(kind, fields, rest)}
    for field in fields:
        if field.required and field.name not in body:
            raise _missing(field)
    body = game.facts[kind].entered(body, setup)
    game.parse(kind, body, setup)
    return kind, body


def _missing(field: FormField) -> Refused:
    advice = f"Enter it, for example {example(field)}."
    return Refused("FORMAT", f"{field.label} is missing", do=advice)


def _assigned(
    kind: str, fields: Sequence[FormField], words: Sequence[str]
) -> list[tuple[FormField, str]]:
    """Return the fields that have a word, with that word: first those without a name, in order, then the named ones."""
    by_name = {field.name: field for field in fields}
    named: dict[str, str] = {}
    unnamed: list[str] = []
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or name not in by_name:
            unnamed.append(word)
        elif name in named:
            raise Refused("FORMAT", f"for {kind} {name} is given twice", "each field once")
        else:
            named[name] = value
    free = [field for field in fields if field.name not in named]
    if free and free[-1].kind == "text" and len(unnamed) > len(free):
        last = len(free) - 1
        unnamed[last:] = [" ".join(unnamed[last:])]
    if len(unnamed) > len(free):
        takes = ", ".join(field.name for field in fields) or "nothing more"
        raise Refused("FORMAT", f"{quoted(unnamed[len(free)])} is too much for {kind}", takes)
    assigned: list[tuple[FormField, str]] = []
    for field, word in zip(free, unnamed, strict=False):
        if word != LEFT_OUT:
            assigned.append((field, word))
    for name, word in named.items():
        assigned.append((by_name[name], word))
    return assigned


def _value(field: FormField, word: str) -> Any:
    """Return the value of a word for that field, as JSON has it."""
    if field.nullable and word == NOBODY and field.kind != "text":
        return None
    if field.kind == "json" or (field.kind in _ITEM_KIND and word.startswith("[")):
        try:
            return json.loads(word)
        except (ValueError, RecursionError) as error:
            raise _misfit(field, word) from error
    if field.kind in _ITEM_KIND:
        kind = _ITEM_KIND[field.kind]
        return [_single(field, kind, part.strip()) for part in _parts(field, word)]
    return _single(field, field.kind, word)


def _parts(field: FormField, word: str) -> Sequence[str]:
    """Return the items of a list: the digits of a run of `field.digits`, or the texts between commas."""
    run = word.strip()
    if not run:
        return ()
    if field.digits and len(run) == field.digits and re.fullmatch("[0-9]+", run):
        return run
    return word.split(",")


def numbers_read(field: FormField, word: str) -> str:
    """Return how digits without commas are read: `3, 4, 5`; empty for any other answer."""
    parts = _parts(field, word)
    if "," in word or len(parts) < 2:
        return ""
    return ", ".join(parts)


def _misfit(field: FormField, word: str) -> Refused:
    return Refused("FORMAT", f"{field.label}: {quoted(word)} does not fit", wanted(field))


def _single(field: FormField, kind: str, word: str) -> Any:
    if not word.strip() and (kind != "text" or field.least):
        raise _missing(field)
    match kind:
        case "seat" | "choice":
            return _picked(word, field.choices, field.label)
        case "flag":
            if word.casefold() not in (*_YES, *_NO):
                raise _misfit(field, word)
            return word.casefold() in _YES
        case "number" | "entry":
            return _number(field, word)
    return word


def _number(field: FormField, word: str) -> int:
    if not re.fullmatch("[+-]?[0-9]{1,19}", word):  # 19 digits: a record's numbers have 64 bits
        raise _misfit(field, word)
    number = int(word)
    if field.least is not None and number < field.least:
        raise _misfit(field, word)
    if field.most is not None and number > field.most:
        raise _misfit(field, word)
    return number


def _picked(word: str, choices: Sequence[tuple[Any, str]], what: str) -> Any:
    """Return the value that a word means: the same value, the same label, or the only one that begins with it."""
    wanted_text = word.casefold()

    def begins(text: str) -> bool:
        return bool(wanted_text) and text.casefold().startswith(wanted_text)

    # From the strictest reading to the loosest: an exact value wins over a label that begins with it.
    for matches in (
        [value for value, _ in choices if str(value) == word],
        [value for value, _ in choices if str(value).casefold() == wanted_text],
        [value for value, label in choices if label.casefold() == wanted_text],
        [value for value, label in choices if begins(str(value)) or begins(label)],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            reason = f"{quoted(word)} can mean more than one {what}"
            raise Refused("FORMAT", reason, " or ".join(map(str, matches)))
    reason = f"{what}: {quoted(word)} does not fit" if word else f"no {what} is named"
    if not choices:
        raise Refused("FORMAT", reason, do=f"There is no {what} to choose here.")
    raise Refused("FORMAT", reason, f"one of {', '.join(label for _, label in choices)}")
