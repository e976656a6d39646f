"""How often the search finds the right clause first, and among three, beside SQLite's own full-text index.

python -m tests.ask.quality QUESTIONS.tsv ...     # each line: clauses with commas or -, tab, game, tab, question
python -m tests.ask.quality                       # cross-validation over the listed questions

A question that a game's `questions.toml` lists is left out of it while it is asked.
"""

from __future__ import annotations

import random
import re
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from companion.ask.index import MOST, Index
from companion.ask.sources import QUESTIONS, Passage, Sources, sources_of
from companion.ask.words import spelled
from companion.rules.registry import GAMES

FOLDS = 8
NOWHERE = 99
"""The place of a clause that was not found."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the clauses that answer it, "" for none."""

    game: str
    text: str
    clauses: frozenset[str]


class Search(Protocol):
    """A search over the passages of one game."""

    def clauses(self, question: str) -> Sequence[str]:
        """Return the clauses that it finds, the best first."""
        ...


class OurSearch:
    """The search of `companion ask`."""

    def __init__(self, sources: Sources) -> None:
        self._index = Index(sources)

    def clauses(self, question: str) -> Sequence[str]:
        """Return the clauses that it finds, the best first; "" alone for nothing."""
        return [match.clause for match in self._index.find(question)] or [""]


class PlainSearch:
    """The same passages in FTS5 of SQLite, stemmed by its own tokenizer, without synonyms."""

    def __init__(self, sources: Sources) -> None:
        self._clauses = [passage.clause for passage in sources.passages]
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='porter')")
        self._db.executemany("INSERT INTO plain VALUES (?)", map(_as_row, sources.passages))

    def clauses(self, question: str) -> Sequence[str]:
        """Return the clauses that it finds, the best first; "" alone for nothing."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        if not words:
            return [""]
        sql = "SELECT rowid - 1 FROM plain WHERE plain MATCH ? ORDER BY rank"
        found = [self._clauses[place] for (place,) in self._db.execute(sql, (words,))]
        return list(dict.fromkeys(found)) or [""]


def _as_row(passage: Passage) -> tuple[str]:
    return (" ".join((passage.text, passage.options, *passage.asked)),)


@dataclass(frozen=True, slots=True)
class Quality:
    """At which place the right clause of each question was found, 0 for the first."""

    places: tuple[int, ...]

    @property
    def first(self) -> float:
        """The share of questions whose clause came first."""
        return sum(place == 0 for place in self.places) / len(self.places)

    @property
    def among_three(self) -> float:
        """The share of questions whose clause was among the first three."""
        return sum(place < MOST for place in self.places) / len(self.places)


def quality(questions: Sequence[Question], search: Callable[[Sources], Search]) -> Quality:
    """Return how well a search answers questions that it has not seen."""
    sources = {game: sources_of(game) for game in {question.game for question in questions}}
    whole = {game: search(of_game) for game, of_game in sources.items()}
    places = []
    for question in questions:
        of_game, used = sources[question.game], whole[question.game]
        lacking = without(of_game, [question.text])
        if lacking != of_game:
            used = search(lacking)
        places.append(_place(used, question))
    return Quality(tuple(places))


def cross_validated(game: str, search: Callable[[Sources], Search], folds: int = FOLDS) -> Quality:
    """Return how well a search answers the listed questions of a game, each time without an eighth of them."""
    sources = sources_of(game)
    listed = []
    for passage in sources.passages:
        for text in passage.asked:
            listed.append(Question(game, text, frozenset({passage.clause})))
    random.Random(1).shuffle(listed)
    places: list[int] = []
    for fold in range(folds):
        asked = listed[fold::FOLDS]
        used = search(without(sources, [question.text for question in asked]))
        places += [_place(used, question) for question in asked]
    return Quality(tuple(places))


def without(sources: Sources, texts: Collection[str]) -> Sources:
    """Return sources without these listed questions, however they are spelled out with commas and capitals."""
    left_out = {tuple(spelled(text)) for text in texts}
    passages = []
    for passage in sources.passages:
        asked = tuple(text for text in passage.asked if tuple(spelled(text)) not in left_out)
        passages.append(replace(passage, asked=asked))
    return replace(sources, passages=tuple(passages))


def _place(search: Search, question: Question) -> int:
    for place, clause in enumerate(search.clauses(question.text)):
        if clause in question.clauses:
            return place
    return NOWHERE


def read_questions(path: Path) -> Iterator[Question]:
    """Yield the questions of a file of three columns."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            named, game, text = line.split("\t")
            clauses = [] if named == "-" else named.split(",")
            yield Question(game, text, frozenset(clauses or [""]))


def row(name: str, ours: Quality, plain: Quality) -> str:
    """Return a line of the table."""
    figures = [ours.first, ours.among_three, plain.first, plain.among_three]
    shares = "".join(f"{share:>13.1%}" for share in figures)
    return f"{name:<24}{len(ours.places):>6}{shares}"


def main(paths: Sequence[str]) -> None:
    """Print a line for each file, or for each of our games."""
    print(f"{'':<24}{'asked':>6}{'first':>13}{'of three':>13}{'plain first':>13}{'of three':>13}")
    for path in map(Path, paths):
        questions = list(read_questions(path))
        ours, plain = quality(questions, OurSearch), quality(questions, PlainSearch)
        print(row(path.name, ours, plain))
    if not paths:
        for game, info in GAMES.items():
            if QUESTIONS in info.files:
                ours = cross_validated(game, OurSearch)
                print(row(info.title, ours, cross_validated(game, PlainSearch)))


if __name__ == "__main__":
    main(sys.argv[1:])
