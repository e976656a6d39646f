"""Facts that are possible now, and what people call the values in which they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.rules.columns import capitalized

Names = Mapping[tuple[str, str], str]
"""Field and value -> what people call the value."""


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


def names_of(kinds: Iterable[Sequence[Choice]]) -> dict[tuple[str, str], str]:
    """Return what sentences about facts that differ in one field alone call its values: `Creepy Cove` for
    `creepy-cove`."""
    names = {}
    for choices in kinds:
        varying = varying_fields(choices)
        if len(varying) == 1 and len(choices) > 1:
            _, labels = short([choice.sentence for choice in choices])
            for choice, label in zip(choices, labels, strict=True):
                if label and varying[0] in choice.words:
                    names[varying[0], choice.words[varying[0]]] = label
    return names


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
