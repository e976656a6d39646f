"""The search: how well the texts and the listed questions of each clause fit the words of a question."""

from __future__ import annotations

import math
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from companion.ask.sources import Sources, english, sources_of
from companion.ask.words import Vocabulary, Words, neighbors

MOST: Final = 3
"""Clauses in an answer."""
UNSAID_LESS: Final = 1.0
"""How much more a topic on which the rules are silent needs than a clause: a dozen compete with each question."""
SMOOTHING: Final = 20.0
"""Words of the whole game that are added to those of each clause, so that a short text is not certain of anything."""
# How much each kind of term counts, found by cross-validation over the listed questions (`tests.ask.quality`). Words by
# their meaning count most. Words as they were typed say what the meaning drops: `join` is `connect` in a game of
# towers, and people join. Pairs of them hold `how many` and `may I`.
PAIR: Final = 0.3
AS_TYPED: Final = 0.3
LIKE_A_QUESTION: Final = 12.0
LESS_FOR_EACH: Final = 0.5
"""The weight of the second most similar question of a clause beside the first, and of the third beside the second."""


@dataclass(frozen=True, slots=True)
class Match:
    """A clause that was found; `clause` is empty for what the rules say nothing about.

    Scores are on the scale of a logarithm: a clause with one more than another is about three times as likely.
    """

    clause: str
    score: float


class WordModel:
    """How likely the words of a question come from the texts of each passage, against all texts of the game: a language
    model with Dirichlet smoothing (Zhai and Lafferty 2004, doi:10.1145/984321.984322)."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._places: dict[str, list[int]] = defaultdict(list)
        """The passages of each word, one as often as it has the word."""
        for place, words in enumerate(texts):
            for word in words:
                self._places[word].append(place)
        lengths = list(map(len, texts))
        self._share = SMOOTHING / max(1, sum(lengths))
        self._lengths = [math.log(SMOOTHING / (SMOOTHING + length)) for length in lengths]

    def has_any(self, words: Iterable[str]) -> bool:
        """Return whether any text has one of these words."""
        return any(word in self._places for word in words)

    def score(self, words: Iterable[str], weight: float, scores: list[float]) -> None:
        """Add to the score of each passage what these words say for it; words that no text has say nothing."""
        known = 0
        for word in words:
            places = self._places.get(word)
            if places is not None:
                known += 1
                expected = self._share * len(places)
                for place, count in Counter(places).items():
                    scores[place] += weight * math.log(1 + count / expected)
        for place, length in enumerate(self._lengths):
            scores[place] += weight * known * length


class ListedQuestions:
    """The questions of the data, each with the passage that answers it, as weighted sets of words and pairs."""

    def __init__(self, questions: Sequence[tuple[int, Sequence[str]]]) -> None:
        self._passages = [place for place, _ in questions]
        self._questions_with: dict[str, list[int]] = defaultdict(list)
        for question, (_, words) in enumerate(questions):
            for term in _terms(words):
                self._questions_with[term].append(question)
        count = len(questions)
        self._unknown = math.log(1 + 2 * count)
        self._weights: dict[str, float] = {}
        self._sizes = [0.0] * count
        for term, those in self._questions_with.items():
            weight = math.log(1 + count / len(those)) * (PAIR if _is_pair(term) else 1.0)
            self._weights[term] = weight
            for question in those:
                self._sizes[question] += weight

    def score(self, words: Sequence[str], scores: list[float]) -> None:
        """Add to the score of each passage how similar its most similar questions are."""
        size = 0.0
        shared: dict[int, float] = defaultdict(float)
        for term in _terms(words):
            weight = self._weights.get(term)
            if weight is None:
                size += 0.0 if _is_pair(term) else self._unknown
                continue
            size += weight
            for question in self._questions_with[term]:
                shared[question] += weight
        similar: dict[int, list[float]] = defaultdict(list)
        for question, both in shared.items():
            share = both / (size + self._sizes[question] - both)
            similar[self._passages[question]].append(share)
        for place, shares in similar.items():
            shares.sort(reverse=True)
            for rank, share in enumerate(shares[:MOST]):
                scores[place] += LIKE_A_QUESTION * share * LESS_FOR_EACH**rank


def _terms(words: Sequence[str]) -> tuple[str, ...]:
    """Return each word and each pair of neighbors once, always in this order: sums of scores are then always equal."""
    return tuple(dict.fromkeys((*words, *neighbors(words))))


def _is_pair(term: str) -> bool:
    return " " in term


@dataclass(slots=True)
class _PassageWords:
    """The words of all texts of a passage, and pairs of neighbors."""

    stems: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    meant: list[str] = field(default_factory=list)

    def add(self, words: Words) -> None:
        """Add the words of one text."""
        self.stems += words.stems
        self.pairs += words.pairs
        self.meant += words.meant


class Index:
    """The passages of one game, to be searched. It does not change, so any thread may use it."""

    def __init__(self, sources: Sources) -> None:
        english_words = english()
        self._clauses = [passage.clause for passage in sources.passages]
        self._vocabulary = Vocabulary(
            [*english_words["same"], *sources.same],
            english_words["ignored"],
            english_words["common"],
        )
        texts = [_PassageWords() for _ in sources.passages]
        questions: list[tuple[int, list[str]]] = []
        for place, passage in enumerate(sources.passages):
            learned = self._vocabulary.learn((passage.text, passage.options, *passage.asked))
            for words in learned:
                texts[place].add(words)
            questions += [(place, words.meant) for words in learned[2:]]
        self._by_meaning = WordModel([each.meant for each in texts])
        self._as_typed = WordModel([each.stems for each in texts])
        self._by_pairs = WordModel([each.pairs for each in texts])
        self._questions = ListedQuestions(questions)

    def find(self, question: str) -> tuple[Match, ...]:
        """Return the clauses, the one that a question is likeliest about first; none if no text has a word of it."""
        stems, pairs, meant = self._vocabulary.read(question)
        if not self._by_meaning.has_any(meant):
            return ()
        scores = [0.0] * len(self._clauses)
        self._by_meaning.score(meant, 1.0, scores)
        self._as_typed.score(stems, AS_TYPED, scores)
        self._by_pairs.score(pairs, PAIR, scores)
        self._questions.score(meant, scores)
        best: dict[str, float] = {}
        for clause, score in zip(self._clauses, scores, strict=True):
            fits = score if clause else score - UNSAID_LESS
            best[clause] = max(fits, best.get(clause, fits))
        return tuple(Match(*each) for each in sorted(best.items(), key=lambda item: -item[1]))


_building = threading.Lock()


def index_of(game_id: str) -> Index:
    """Return the index of a game, built once at its first question; raise as `open_game` does."""
    with _building:  # several pages may ask the first question
        return _built(game_id)


@lru_cache(maxsize=4)
def _built(game_id: str) -> Index:
    return Index(sources_of(game_id))
