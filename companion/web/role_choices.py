"""Facts that are possible now, and what people call the values in which they differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.rules.columns import capitalized
from companion.rules.form_fields import NOBODY, FormField
from companion.web.role_kinds import KindForm

LISTS = ("numbers", "texts", "json", "seats", "choices")
"""The kinds of fields whose answers are JSON."""
Names = Mapping[tuple[str, str], str]
"""Field and value -> what people call the value of a text, and the line of the log that an entry is."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A fact that is possible now. `words` are the answers to the fields of its form; with an `action`, that action
    means it. `sentence` is empty for what would show a secret."""

    kind: str
    words: Mapping[str, str]
    sentence: str
    action: str = ""


def varying_fields(choices: Sequence[Choice]) -> list[str]:
    """Return the fields in which the facts differ."""
    names = dict.fromkeys(name for choice in choices for name in choice.words)
    return [name for name in names if len({choice.words.get(name) for choice in choices}) > 1]


def names_of(kinds: Iterable[tuple[KindForm, Sequence[Choice]]]) -> dict[tuple[str, str], str]:
    """Return what sentences about facts that differ in one text alone call its values: `Creepy Cove` for
    `creepy-cove`.

    A sentence that says more than the value is none of its names: `Tom has the Start token` does not name Tom. So most
    of the values have to be there as they are, and the others in as many words.
    """
    names: dict[tuple[str, str], str] = {}
    for form, choices in kinds:
        varying = varying_fields(choices)
        texts = [asked.name for asked in form.fields if asked.kind == "text"]
        if len(varying) != 1 or varying[0] not in texts:
            continue
        _, labels = short([choice.sentence for choice in choices])
        values = [choice.words.get(varying[0], "") for choice in choices]
        if _are_names(labels, [readable(value) for value in values]):
            names |= {
                (varying[0], value): label for value, label in zip(values, labels, strict=True)
            }
    return names


def _are_names(labels: Sequence[str], values: Sequence[str]) -> bool:
    """Return whether labels are no more than names of values."""
    same = 0
    for label, value in zip(labels, values, strict=True):
        if len(label.split()) != len(value.split()):
            return False
        same += label.casefold() == value.casefold()
    return same * 2 > len(labels)


def without_examples(form: KindForm, choices: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return the facts without those that only give an example of a list that may be left out: these say no more than
    the same fact without that list."""
    lists = {asked.name for asked in form.fields if asked.kind in LISTS and not asked.required}

    def rest(choice: Choice) -> frozenset[tuple[str, str]]:
        return frozenset(item for item in choice.words.items() if item[0] not in lists)

    plain = {rest(choice) for choice in choices if not lists & set(choice.words)}
    return tuple(
        choice for choice in choices if not (lists & set(choice.words) and rest(choice) in plain)
    )


def value_label(asked: FormField, value: str, names: Names) -> str:
    """Return what people call a value of a field: a player's name, the title of a choice, several of them."""
    if asked.kind in LISTS:
        return _list_label(asked, value)
    for choice, label in asked.choices:
        if str(choice) == value:
            return label
    if asked.kind in ("text", "entry"):
        return names.get((asked.name, value), readable(value))
    return readable(value)


def _list_label(asked: FormField, value: str) -> str:
    """Return several values, or what JSON holds, in words: `SE, W`."""
    labels = {str(choice): label for choice, label in asked.choices}

    def words(part: object) -> str:
        match part:
            case dict():
                return ", ".join(f"{readable(str(name))} {words(of)}" for name, of in part.items())
            case list():
                return ", ".join(map(words, part))
            case bool():
                return "yes" if part else "no"
            case None:
                return NOBODY
        return labels.get(str(part), readable(str(part)))

    try:
        return words(json.loads(value)) or NOBODY
    except ValueError:
        return readable(value)


def readable(word: str) -> str:
    """Return a value of a fact for people: `careening-cliffs` as `Careening Cliffs`."""
    if re.fullmatch(r"[a-z]+([-_][a-z]+)+", word):
        return re.sub("[-_]", " ", word).title()
    return word


def short(sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Return the beginning that the sentences share, and what distinguishes each; both empty without sentences."""
    if not all(sentences):
        return "", ["" for _ in sentences]
    words = [sentence.split(" ") for sentence in sentences]
    count = 0
    while all(len(each) > count + 1 and each[count] == words[0][count] for each in words):
        count += 1
    shared = " ".join(words[0][:count])
    rests = [" ".join(each[count:]) for each in words]
    firsts = [re.split(r"[,;:]", rest)[0] for rest in rests]
    if len(set(firsts)) == len(firsts):
        rests = firsts
    return capitalized(shared), [capitalized(rest) for rest in rests]
