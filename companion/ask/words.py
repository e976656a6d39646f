"""Questions and rules as words that can be compared: stems, synonyms, and words with a typing mistake."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ENDINGS: Final = (("ies", "y"), ("sses", "ss"), ("s", ""), ("ing", ""), ("ed", ""), ("ly", ""))
_SHORTEST_STEM: Final = 3
_TYPED_WRONG_FROM: Final = 4
"""Letters of the shortest word that may have a typing mistake: of a shorter one, too many words are one letter away."""
_TWO_MISTAKES_FROM: Final = 8
_LONGEST_QUESTION: Final = 40
"""Words of a question that are read; each unknown one is compared with all known ones."""


def spelled(text: str) -> list[str]:
    """Return the words of a text in small letters, without possessive endings."""
    return [word.partition("'")[0] for word in _WORD.findall(text.casefold().replace("’", "'"))]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word without its ending, so that `launched`, `launches` and `launching` are one word."""
    if word.endswith(("ss", "us", "is")):
        return word
    for ending, instead in _ENDINGS:
        kept = word.removesuffix(ending)
        if kept != word and len(kept) >= _SHORTEST_STEM:
            word = kept + instead
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "lsf":
        word = word[:-1]  # stopped, stop
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


class Vocabulary:
    """Turns texts into words that can be compared.

    `groups` are words or phrases with one meaning, the word of the rules first; a later group is preferred, and so is
    a word exactly as it is listed: `eliminated` is not `eliminate`. Words that are `ignored` are left out.
    """

    def __init__(self, groups: Iterable[Sequence[str]], ignored: Collection[str]) -> None:
        self._meaning: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._exactly: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._longest: dict[str, int] = {}
        for group in groups:
            phrases = [words for words in map(spelled, group) if words]
            for words in map(tuple, phrases):
                meant = tuple(map(stem, phrases[0]))
                self._meaning[tuple(map(stem, words))] = meant
                self._exactly[words] = meant
                first = stem(words[0])
                self._longest[first] = max(len(words), self._longest.get(first, 0))
        self._ignored = frozenset(map(stem, ignored))
        self._known: set[str] = {
            word for group in groups for text in group for word in spelled(text)
        }
        self._known |= set(ignored)

    def learn(self, text: str) -> list[str]:
        """Return the words of a text of the game, whose spelling is taken to be right."""
        words = spelled(text)
        self._known.update(words)
        return self._meant(words)

    def read(self, question: str) -> list[str]:
        """Return the words of a question; a word that no text of the game has is taken for the nearest that one has."""
        words = spelled(question)[:_LONGEST_QUESTION]
        return self._meant([self._corrected(word) for word in words])

    def _meant(self, words: Sequence[str]) -> list[str]:
        stems = list(map(stem, words))
        meant: list[str] = []
        place = 0
        while place < len(stems):
            for length in range(self._longest.get(stems[place], 0), 0, -1):
                part = slice(place, place + length)
                meaning = self._exactly.get(tuple(words[part])) or self._meaning.get(
                    tuple(stems[part])
                )
                if meaning:
                    meant += meaning
                    place += length
                    break
            else:
                meant.append(stems[place])
                place += 1
        return [word for word in meant if word not in self._ignored]

    def _corrected(self, word: str) -> str:
        if (
            len(word) < _TYPED_WRONG_FROM
            or word in self._known
            or stem(word) in self._known_stems()
        ):
            return word
        allowed = 2 if len(word) >= _TWO_MISTAKES_FROM else 1
        near: list[tuple[int, bool, int, str]] = []
        for known in self._known:
            longer = abs(len(known) - len(word))
            if len(known) >= _SHORTEST_STEM and longer <= allowed:
                mistakes = distance(word, known, allowed)
                if mistakes <= allowed:
                    # of equally near words, one with the same first letter: few people mistype that
                    near.append((mistakes, known[0] != word[0], longer, known))
        return min(near)[-1] if near else word

    def _known_stems(self) -> set[str]:
        return set(map(stem, self._known))


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters were added, left out, exchanged or swapped with their neighbor; above `most`, any larger
    number."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, start=1):
            steps = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                steps = min(steps, earlier[j - 2] + 1)
            row.append(steps)
        if min(row) > most:
            return most + 1
    return row[-1]
