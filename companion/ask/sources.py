"""What can be found about a game: its clauses, house rules, and the questions that its data lists."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, Final

from companion.rules.clause_texts import GENERAL, cited, clauses
from companion.rules.registry import info_of, open_game
from companion.rules.rulings import rulings

ABOUT: Final = "ABOUT"
"""Stands for a clause where a game without a page of rules of its own says what it is."""
QUESTIONS: Final = "questions.toml"
"""The file of a game, beside its rules, with what people ask and which words have one meaning."""
_ON_PAGE: Final = re.compile(r"^- \*\*(.+\?)\*\* (.*(?:\n  .*)*)", re.MULTILINE)
"""A question on a page of rules with its answer."""
_HEAD: Final = "## Questions people ask"


@dataclass(frozen=True, slots=True)
class Passage:
    """A clause as the search knows it: its text, what its house rules are about, and questions that it answers.

    `clause` is empty for a topic that the rules say nothing about.
    """

    clause: str
    text: str = ""
    options: str = ""
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """The passages of a game, and the words of the game that have one meaning."""

    passages: tuple[Passage, ...]
    same: tuple[tuple[str, ...], ...] = ()


@cache
def english() -> Mapping[str, Any]:
    """Return the words of every game: those with one meaning, and those that say nothing."""
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


def sources_of(game_id: str) -> Sources:
    """Return what can be found about a game; raise as `open_game` does.

    A game without a page of rules or a file of questions has what it says of itself, and its house rules and numbers.
    """
    info = info_of(game_id)
    listed = _read(info.text(QUESTIONS))
    asked = dict(_lists(listed.get("questions")))
    for question, clause in _asked_on_page(info.text("RULES.md")):
        asked.setdefault(clause, []).append(question)
    texts = {name: text for name, text in clauses(game_id).items() if name not in GENERAL}
    options = _options_by_clause(game_id)
    names = dict.fromkeys(chain(texts, options, asked))
    passages = [
        Passage(
            clause,
            texts.get(clause, ""),
            options.get(clause, ""),
            tuple(asked.get(clause, ())),
        )
        for clause in names
    ]
    if info.carried or not texts:
        passages.append(Passage(ABOUT, f"{info.title}. {info.does}"))
    passages += [Passage("", asked=tuple(topic)) for _, topic in _lists(listed.get("unsaid"))]
    groups = _lists(dict(enumerate(listed.get("same") or ())))
    return Sources(tuple(passages), tuple(tuple(words) for _, words in groups))


def _read(text: str) -> Mapping[str, Any]:
    """Return what a file of questions says; nothing if it is no TOML: a game is playable without it."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _lists(table: object) -> Iterator[tuple[Any, list[str]]]:
    """Yield the entries of a table that are lists of texts; the file may be a stranger's."""
    if isinstance(table, dict):
        for name, texts in table.items():
            if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts):
                yield name, list(texts)


def _asked_on_page(page: str) -> Iterator[tuple[str, str]]:
    """Yield each question of a page of rules with the first clause that its answer cites."""
    _, _, section = page.partition(_HEAD)
    for question, answer in _ON_PAGE.findall(section):
        named = cited(answer)
        if named:
            yield question, named[0]


def _options_by_clause(game_id: str) -> dict[str, str]:
    """Return what the house rules and numbers of each clause are about, in words."""
    game, stated = open_game(game_id), rulings(game_id)
    words: dict[str, list[str]] = {}
    for rule in game.house_rules:
        ruling = stated.get(rule.name)
        meanings = (ruling.default, ruling.others) if ruling is not None else rule.alternatives
        about = (rule.called, rule.means, *meanings, *rule.choices)
        words.setdefault(rule.clause, []).extend(text for text in about if text)
    for number in game.numbers:
        words.setdefault(number.clause, []).extend((number.called, number.means))
    return {clause: ". ".join(texts).replace("_", " ") for clause, texts in words.items()}
