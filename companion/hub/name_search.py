"""Finds a person's name in texts that somebody typed, and words that may mean it but do not match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from companion.outbound.hub_batches import NAME_MARK
from companion.rules.names import person_key

SHORTEST_PART: Final = 3
"""Shortest beginning of a name that is looked for: a shorter one begins too many words."""
SHORTEST_MISTYPED: Final = 4
"""Shortest name in which one mistyped letter is looked for, in twice as long a name two: in a shorter name most
mistakes make another word, such as `and` of Ann."""
_MARK_BEGINS: Final = NAME_MARK[0]
_SPELLED_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "ł": "l", "đ": "d"}
)
"""Spellings of letters on a keyboard that lacks them."""


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text folded for comparing names, and for each folded character its index in `text`."""

    text: str
    key: str
    places: tuple[int, ...] | None  # None: the indices are the same

    def place(self, at: int) -> int:
        """Return the index in `text` of folded character `at`, which may be the end."""
        if self.places is None:
            return at
        if at >= len(self.places):
            return len(self.text)
        return self.places[at]


@dataclass(frozen=True, slots=True)
class _Span:
    begin: int
    end: int
    key: str


class NameSearch:
    """Finds `name` in texts as `person_key` compares it: whole words, in any capitals and form of Unicode. If it is
    part of a longer name in `known`, the longer one is found instead."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        self.name = name.strip()
        self.key = _with_one_blank(person_key(name))
        keys = {_with_one_blank(person_key(other)) for other in known} | {self.key}
        longest_first = sorted(filter(None, keys), key=lambda key: (-len(key), key))
        # in a regular expression, the first alternative that matches wins
        words = "|".join(re.escape(key).replace(r"\ ", r"\s+") for key in longest_first)
        before, after = f"(?<![{_word_characters()}{_MARK_BEGINS}])", f"(?![{_word_characters()}])"
        self._pattern = re.compile(f"{before}(?:{words}){after}" if words else r"(?!)")
        self._parts = [part for part in re.split(rf"[^{_word_characters()}]+", self.key) if part]
        self._first = self.key.partition(" ")[0]
        self._initials = "".join(part[0] for part in self._parts)
        self._words = re.compile(f"[{_word_characters()}]+")
        # words looked at before; texts repeat most of them
        self._resembling: dict[str, bool] = {}

    def contains(self, text: str) -> bool:
        """Return whether the text has the name."""
        return any(span.key == self.key for span in self._spans(_folded(text)))

    def replaced(self, text: str, instead: str) -> str:
        """Return the text with `instead` for the name; unchanged without it."""
        return self._put(text, instead, others=False)

    def without_others(self, text: str, instead: str) -> str:
        """Return the text with `instead` for all known names except this one."""
        return self._put(text, instead, others=True)

    def _put(self, text: str, instead: str, *, others: bool) -> str:
        folded = _folded(text)
        if not others and self._first not in folded.key:
            # a quick test, because most texts do not have the name
            return text
        spans = [span for span in self._spans(folded) if (span.key != self.key) is others]
        if not spans:
            return text
        parts, at = [], 0
        for span in spans:
            parts += [folded.text[at : folded.place(span.begin)], instead]
            at = folded.place(span.end)
        return "".join([*parts, folded.text[at:]])

    def similar_words(self, text: str) -> tuple[str, ...]:
        """Return the words of the text that are not the name, but may mean it: a part of it, initials, other endings,
        mistyped letters, missing accents. Words of known names are left out."""
        folded = _folded(text)
        candidates = [
            word
            for word in self._words.finditer(folded.key)
            if self._resembles(word[0]) or self._begins(word[0])
        ]
        if not candidates:
            return ()
        names = self._spans(folded)
        similar = []
        for word in candidates:
            if any(span.begin < word.end() and word.start() < span.end for span in names):
                continue
            begin, end = folded.place(word.start()), folded.place(word.end())
            if folded.text[begin - 1 : begin] == _MARK_BEGINS:
                continue
            written = folded.text[begin:end]
            is_initial = self._is_initial(written, word[0], folded.text, begin, end)
            if self._resembles(word[0]) or is_initial:
                similar.append(written)
        return tuple(dict.fromkeys(similar))

    def may_be_same(self, name: str) -> bool:
        """Return whether another name may be the same person's: each part of the shorter one may equal a part of the
        other, whole, as an initial or mistyped. So a family name alone makes nobody the same person."""
        parts = self._words.findall(_folded(name).key)
        shorter, longer = sorted((self._parts, parts), key=len)
        if not shorter:
            return False
        return all(any(_may_be_same(part, other) for other in longer) for part in shorter)

    def _begins(self, word: str) -> bool:
        """Return whether the word may be initials of the name."""
        return bool(self._initials) and word in (self._initials, self._initials[0])

    def _resembles(self, word: str) -> bool:
        if word not in self._resembling:
            self._resembling[word] = self._looks_like(word)
        return self._resembling[word]

    def _looks_like(self, word: str) -> bool:
        if any(_is_part(part, word) or _is_mistyped(part, word) for part in self._parts):
            return True
        return len(self._parts) > 1 and "".join(self._parts) in word

    def _is_initial(self, written: str, word: str, text: str, begin: int, end: int) -> bool:
        if not self._initials or not written.isupper():
            return False
        if word == self._initials and len(word) > 1:
            return True
        if word != self._initials[0]:
            return False
        followed = text[end : end + 1] == "."
        begins_sentence = not text[:begin].strip() or text[:begin].rstrip()[-1:] in ".!?"
        return followed or not (begins_sentence or word == "i")  # A and I are words as well

    def _spans(self, folded: _Folded) -> list[_Span]:
        matches = self._pattern.finditer(folded.key)
        return [_Span(match.start(), match.end(), _with_one_blank(match[0])) for match in matches]


def _may_be_same(one: str, other: str) -> bool:
    if 1 in (len(one), len(other)):
        return one[0] == other[0]
    return _is_part(one, other) or _is_mistyped(one, other)


def _is_part(part: str, word: str) -> bool:
    """Return whether the word is a part of a name, shares its beginning, or contains it, as in words written without
    blanks."""
    if word == part:
        return True
    plain, plain_word = _without_accents(part), _without_accents(word)
    if plain == plain_word or part.translate(_SPELLED_OUT) == word.translate(_SPELLED_OUT):
        return True
    shorter = min(len(plain), len(plain_word))
    if shorter >= SHORTEST_PART and (plain.startswith(plain_word) or plain_word.startswith(plain)):
        return True
    # a short part is in too many words, except in a script whose words are short
    long_enough = len(plain) > SHORTEST_PART or (len(plain) > 1 and not plain.isascii())
    return long_enough and plain in plain_word


def _is_mistyped(part: str, word: str) -> bool:
    if len(part) < SHORTEST_MISTYPED:
        return False
    most = 2 if len(part) >= 2 * SHORTEST_MISTYPED else 1
    return abs(len(part) - len(word)) <= most and _mistakes(part, word) <= most


def _mistakes(one: str, other: str) -> int:
    """Return the number of letters left out, inserted, replaced or swapped with their neighbour (Damerau-Levenshtein,
    optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, typed in enumerate(other, start=1):
            costs = [before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != typed)]
            if i > 1 and j > 1 and letter == other[j - 2] and typed == one[i - 2]:
                costs.append(earlier[j - 2] + 1)
            row.append(min(costs))
    return row[-1]


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _with_one_blank(key: str) -> str:
    return " ".join(key.split())


def _folded(text: str) -> _Folded:
    text = unicodedata.normalize("NFC", text)
    key = text.casefold()
    if len(key) == len(text) and unicodedata.is_normalized("NFC", key):
        return _Folded(text, key, None)
    keys: list[str] = []
    # casefolding changes the length (ß becomes ss), so map each character to where it came from
    places: list[int] = []
    for at, cluster in _clusters(text):
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFD", cluster).casefold())
        keys.append(key)
        places += [at] * len(key)
    return _Folded(text, "".join(keys), tuple(places))


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Yield each character with its combining marks, and its index."""
    begins: list[int] = []
    for at, character in enumerate(text):
        if not at or not unicodedata.combining(character):
            begins.append(at)
    for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
        yield begin, text[begin:end]


@lru_cache(maxsize=1)
def _word_characters() -> str:
    """Return the characters of words, as the inside of a regular expression's class: those that `re` knows, and the
    marks and joiners that names in Hindi or Persian need."""
    marks = [code for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M"]
    ranges = []
    # consecutive codes have the same difference to their index
    for _, run in groupby(enumerate(marks), lambda pair: pair[1] - pair[0]):
        codes = [code for _, code in run]
        ranges.append(f"{chr(codes[0])}-{chr(codes[-1])}")
    return r"\w" + "\u200c\u200d" + "".join(ranges)
