"""House rules: questions that the published rules leave open, with their alternatives, defaults and meanings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from companion.rules.columns import nearest_or_all
from companion.rules.facts import Refused


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One open question: its clause, and its alternatives, of which the first is the default.

    `first`: it decides what is played rather than how, and is asked before all others. `means` says in a few words
    what it is about; it is for games without a table of rulings in a RULES.md. `meanings` says what each
    alternative does, in Markdown, empty if its name says it; the tables in our RULES.md files are generated from
    them. `title` and `choices` are what a screen calls the question and its alternatives, where their names are no
    words.
    """

    name: str
    clause: str
    alternatives: tuple[str, ...]
    first: bool = False
    means: str = ""
    meanings: tuple[str, ...] = ()
    title: str = ""
    choices: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """What a screen calls the question."""
        return self.title or self.name.replace("_", " ")

    def worded(self, alternative: str) -> str:
        """Return what a screen calls an alternative."""
        if self.choices:
            return self.choices[self.alternatives.index(alternative)]
        return alternative.replace("_", " ")

    @property
    def default(self) -> str:
        """The alternative that is in force unless somebody chose another."""
        return self.alternatives[0]

    @property
    def stated(self) -> tuple[str, str]:
        """The default and the other alternatives with their meanings, in Markdown: two cells of a table of rulings."""
        meanings = self.meanings or ("",) * len(self.alternatives)
        pairs = list(zip(self.alternatives, meanings, strict=True))
        return _stated(pairs[:1]), _stated(pairs[1:])


def _stated(pairs: Sequence[tuple[str, str]]) -> str:
    """Return alternatives with their meanings, `a, b: meaning`: neighbors with the same meaning share it."""
    parts: list[str] = []
    for meaning, group in groupby(pairs, lambda pair: pair[1]):
        names = ", ".join(f"`{name}`" for name, _ in group)
        parts.append(f"{names}: {meaning}" if meaning else names)
    return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Number:
    """A setting that is a whole number from 0 to `most`; `means` says in a few words what it counts.

    `title` is what a screen calls it, where its name is no words.
    """

    name: str
    clause: str
    default: int
    most: int
    means: str
    title: str = ""

    @property
    def called(self) -> str:
        """What a screen calls the setting."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Options:
    """The alternatives and the numbers in force; `options["dealer"]` is one alternative."""

    chosen: Mapping[str, str]
    numbers: Mapping[str, int]

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


def read_options(
    given: Mapping[str, str], rules: Sequence[HouseRule], numbers: Sequence[Number] = ()
) -> Options:
    """Return the options with defaults filled in; raise `Refused` for an unknown name or alternative."""
    names = [*(rule.name for rule in rules), *(number.name for number in numbers)]
    for name in given:
        if name not in names:
            raise Refused("OPTION", f"there is no option {name!r}", nearest_or_all(name, names))
    chosen = {rule.name: _alternative(rule, given) for rule in rules}
    return Options(chosen, {number.name: _number(number, given) for number in numbers})


def in_force(
    given: Mapping[str, str], rules: Sequence[HouseRule], numbers: Sequence[Number] = ()
) -> dict[str, str]:
    """Return all options as texts, with defaults filled in; raise as `read_options` does."""
    options = read_options(given, rules, numbers)
    return {**options.chosen, **{name: str(number) for name, number in options.numbers.items()}}


def _alternative(rule: HouseRule, given: Mapping[str, str]) -> str:
    value = given.get(rule.name, rule.default)
    if value not in rule.alternatives:
        reason = f"there is no choice {value!r} for {rule.name}"
        raise Refused(rule.clause, reason, " or ".join(rule.alternatives))
    return value


def _number(number: Number, given: Mapping[str, str]) -> int:
    text = given.get(number.name, str(number.default))
    # isascii, because int() reads digits of every script; nine digits, because it is slow for thousands.
    is_number = text.isascii() and text.isdigit() and len(text) <= 9
    if not is_number or int(text) > number.most:
        expected = f"a whole number from 0 to {number.most}"
        raise Refused(number.clause, f"{text!r} is out of range for {number.name}", expected)
    return int(text)
