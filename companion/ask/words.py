"""Questions and rules as words that can be compared: stems, synonyms, and words with a typing mistake."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain, pairwise, zip_longest
from typing import Final, NamedTuple

_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ENDINGS: Final = (("ies", "y"), ("sses", "ss"), ("s", ""), ("ing", ""), ("ed", ""), ("ly", ""))
_SHORTEST_STEM: Final = 3
_TYPED_WRONG_FROM: Final = 4
"""Letters of the shortest word that may have a typing mistake: of a shorter one, too many words are one letter away."""
_TWO_MISTAKES_FROM: Final = 8
_LONGEST_QUESTION: Final = 40
"""Words of a question that are read; each unknown one is compared with all known ones."""


def spelled(text: str) -> list[str]:
    """Return the words of a text in small letters, without possessive endings and apostrophes: `won't` is `wont`, as in
    the lists, and not `won`."""
    text = text.casefold().replace("’", "'")
    words: list[str] = _WORD.findall(text)
    if "'" not in text:
        return words
    return [word.removesuffix("'s").replace("'", "") for word in words]


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


class Words(NamedTuple):
    """The words of a text: the stems as they were typed, pairs of neighbors among them, and what is meant, without
    words that say nothing."""

    stems: list[str]
    pairs: list[str]
    meant: list[str]


def neighbors(words: Sequence[str]) -> list[str]:
    """Return each two words in a row as one string: Python keeps the hash of a string, not of a tuple."""
    return [f"{one} {other}" for one, other in pairwise(words)]


class Vocabulary:
    """Turns texts into words that can be compared.

    `groups` are words or phrases with one meaning, the word of the rules first; a later group is preferred, and so is
    a word exactly as it is listed: `eliminated` is not `eliminate`. Words that are `ignored` are left out; those that
    are `common` are no typing mistakes, even where no text has them.
    """

    def __init__(
        self,
        groups: Iterable[Sequence[str]],
        ignored: Collection[str],
        common: Iterable[str] = (),
    ) -> None:
        self._meaning: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._exactly: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._longest: dict[str, int] = {}
        """How many words the longest phrase has that begins with these two stems."""
        for group in groups:
            phrases = [words for words in map(spelled, group) if words]
            for words in map(tuple, phrases):
                meant = tuple(map(stem, phrases[0]))
                stems = tuple(map(stem, words))
                self._meaning[stems] = meant
                self._exactly[words] = meant
                if len(words) > 1:
                    begins = " ".join(stems[:2])
                    self._longest[begins] = max(len(words), self._longest.get(begins, 0))
        self._ignored = frozenset(map(stem, ignored))
        self._known = Counter(word for group in groups for text in group for word in spelled(text))
        self._known.update(ignored)
        self._known_stems = {*map(stem, self._known), *map(stem, common)}
        self._alone: dict[str, Sequence[str]] = {}
        """What each word of the game means outside of a phrase; most words are in many texts."""

    def learn(self, texts: Iterable[str]) -> list[Words]:
        """Return the words of each text of the game, whose spelling is taken to be right."""
        learned = list(map(spelled, texts))
        every = list(chain.from_iterable(learned))
        self._known.update(every)
        for word in set(every).difference(self._alone):
            self._known_stems.add(stem(word))
            self._alone[word] = self._meaning_of([word], [stem(word)])
        return list(map(self._learned, learned))

    def _learned(self, words: Sequence[str]) -> Words:
        stems = list(map(stem, words))
        pairs = neighbors(stems)
        if self._longest.keys().isdisjoint(pairs):  # five of six texts have no phrase
            meant = list(chain.from_iterable(map(self._alone.__getitem__, words)))
        else:
            meant = self._meant(words, stems, pairs)
        return Words(stems, pairs, meant)

    def read(self, question: str) -> Words:
        """Return the words of a question; a word that no text of the game has is taken for the nearest that one has."""
        words = list(map(self._corrected, spelled(question)[:_LONGEST_QUESTION]))
        stems = list(map(stem, words))
        pairs = neighbors(stems)
        return Words(stems, pairs, self._meant(words, stems, pairs))

    def _meant(self, words: Sequence[str], stems: Sequence[str], pairs: Sequence[str]) -> list[str]:
        meant: list[str] = []
        end = 0
        for place, (word, pair) in enumerate(zip_longest(words, pairs, fillvalue="")):
            if place < end:
                continue  # in a phrase that began before it
            end = place + 1
            if pair in self._longest:
                end = place + self._phrase_at(place, stems, self._longest[pair])
            if end == place + 1 and word in self._alone:
                meant += self._alone[word]
            else:
                meant += self._meaning_of(words[place:end], stems[place:end])
        return meant

    def _phrase_at(self, place: int, stems: Sequence[str], longest: int) -> int:
        """Return the number of words of the longest listed phrase that begins at `place`, 1 if none does."""
        for length in range(min(longest, len(stems) - place), 1, -1):
            if tuple(stems[place : place + length]) in self._meaning:
                return length
        return 1

    def _meaning_of(self, words: Sequence[str], stems: Sequence[str]) -> Sequence[str]:
        """Return what a word or a phrase means, without words that are ignored."""
        meaning = self._exactly.get(tuple(words)) or self._meaning.get(tuple(stems)) or stems
        return [word for word in meaning if word not in self._ignored]

    def _corrected(self, word: str) -> str:
        if len(word) < _TYPED_WRONG_FROM or word in self._known or stem(word) in self._known_stems:
            return word
        allowed = 2 if len(word) >= _TWO_MISTAKES_FROM else 1
        near: list[tuple[int, bool, int, int, str]] = []
        for known, count in self._known.items():
            longer = abs(len(known) - len(word))
            if len(known) >= _SHORTEST_STEM and longer <= allowed:
                mistakes = distance(word, known, allowed)
                if mistakes <= allowed:
                    # of equally near words, one with the same first letter, which few people mistype; then a
                    # frequent one
                    near.append((mistakes, known[0] != word[0], longer, -count, known))
        return min(near)[-1] if near else word


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
