"""The search: SQLite's full-text index in memory, or a comparison of words where SQLite has none."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Protocol

from companion.ask.sources import Sources, english, sources_of
from companion.ask.words import Vocabulary

MOST = 3
"""Clauses in an answer."""
OWN_CLAUSE: Final = re.compile(r"-T\d+$")
OWN_WEIGHT: Final = 0.8
"""People ask about the game more often than about the companion's own clauses (`PF-T1`)."""
LIKE_A_QUESTION: Final = 10.0
"""How much a question of the data that is like the one asked counts, beside the words of the clause."""


@dataclass(frozen=True, slots=True)
class Match:
    """A clause that was found; `clause` is empty for what the rules say nothing about."""

    clause: str
    score: float


class TextScores(Protocol):
    """Scores rows of texts by the words of a question."""

    def of(self, words: Sequence[str]) -> Mapping[int, float]:
        """Return the score of each row that has one of the words, more is better."""
        ...


class FullText:
    """Rows in an index of SQLite's FTS5; raise `sqlite3.Error` where SQLite is built without it."""

    def __init__(self, rows: Iterable[Sequence[str]]) -> None:
        # One connection for any thread: asked in the screen's, or in a test's.
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE rules USING fts5(text, options, asked)")
        self._db.executemany("INSERT INTO rules VALUES (?, ?, ?)", rows)

    def of(self, words: Sequence[str]) -> Mapping[int, float]:
        """Return the rows with their BM25."""
        query = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid - 1, -bm25(rules) FROM rules WHERE rules MATCH ?"
        return dict(self._db.execute(sql, (query,)))


class PlainText:
    """Rows as bags of words: a row counts for each word that it has, more for a rare one."""

    def __init__(self, rows: Iterable[Sequence[str]]) -> None:
        self._rows = [set(" ".join(columns).split()) for columns in rows]
        self._weights = rarity(self._rows)

    def of(self, words: Sequence[str]) -> Mapping[int, float]:
        """Return the rows with the weight of the words that they have."""
        scores: dict[int, float] = {}
        for place, row in enumerate(self._rows):
            score = sum(self._weights[word] for word in set(words) & row)
            if score:
                scores[place] = score
        return scores


def rarity(texts: Sequence[set[str]]) -> dict[str, float]:
    """Return the weight of each word: the fewer texts have it, the more it says."""
    counts = Counter(word for words in texts for word in words)
    return {word: math.log(1 + len(texts) / count) for word, count in counts.items()}


class Index:
    """The passages of one game, to be searched."""

    def __init__(self, sources: Sources, *, full_text: bool = True) -> None:
        words = english()
        self._passages = sources.passages
        self._vocabulary = Vocabulary([*words["same"], *sources.same], words["ignored"])
        learn = self._vocabulary.learn
        rows: list[Sequence[str]] = []
        self._asked: list[tuple[int, frozenset[str]]] = []
        for place, passage in enumerate(self._passages):
            asked = [learn(question) for question in passage.asked]
            self._asked += [(place, frozenset(question)) for question in asked if question]
            texts = map(learn, (passage.text, passage.options))
            rows.append([*map(" ".join, texts), " ".join(map(" ".join, asked))])
        self._weights = rarity([set(" ".join(row).split()) for row in rows])
        self._unknown = max(self._weights.values(), default=1.0)
        self._texts = text_scores(rows) if full_text else PlainText(rows)

    def find(self, question: str) -> tuple[Match, ...]:
        """Return the clauses that a question may be about, the best first."""
        words = self._vocabulary.read(question)
        if not words:
            return ()
        scores = dict(self._texts.of(words))
        similar = self._similar(frozenset(words))
        found: dict[str, Match] = {}
        for place in scores.keys() | similar.keys():
            clause, like = self._passages[place].clause, similar.get(place, 0.0)
            score = scores.get(place, 0.0) + LIKE_A_QUESTION * like
            if OWN_CLAUSE.search(clause):
                score *= OWN_WEIGHT
            if clause not in found or found[clause].score < score:
                found[clause] = Match(clause, score)
        return tuple(sorted(found.values(), key=lambda match: -match.score))

    def _similar(self, words: frozenset[str]) -> dict[int, float]:
        """Return for each passage how like its most similar question is, up to 1."""
        best: dict[int, float] = {}
        for place, asked in self._asked:
            both = words & asked
            if both:
                share = self._weight(both) / self._weight(words | asked)
                best[place] = max(best.get(place, 0.0), share)
        return best

    def _weight(self, words: Iterable[str]) -> float:
        return sum(self._weights.get(word, self._unknown) for word in words)


def text_scores(rows: Sequence[Sequence[str]]) -> TextScores:
    """Return the rows in SQLite's full-text index, or compared word by word where SQLite has none."""
    with suppress(sqlite3.Error):
        return FullText(rows)
    return PlainText(rows)


@lru_cache(maxsize=4)
def index_of(game_id: str) -> Index:
    """Return the index of a game, built at its first question; raise as `open_game` does."""
    return Index(sources_of(game_id))
