"""Plain text for terminals and printers: cleaning, width and columns, lists in words, suggestions for typing errors."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from companion.rules.indented import indented
from companion.system import shell

# Invisible characters: controls (C0, C1), changes of the reading direction, other format characters, lone surrogates.
# The joiners U+200C and U+200D are not among them: names in Persian or Hindi need them, and so do emoji.
_UNSEEN = (
    r"\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
_LONGEST = 40  # characters in one column at most: combining marks take no column of their own
_JOINER = "\u200d"
_SHOWN_AS_EMOJI = "\ufe0f"  # makes the character before it two columns wide
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
# Vowels and final consonants of a syllable; they share the two columns of its first consonant.
_HANGUL_ENDS = frozenset(map(chr, (*range(0x1160, 0x1200), *range(0xD7B0, 0xD7FC))))
_CONTROLS = re.compile(rf"[\x00-\x1f{_UNSEEN}]+")
_CODES = re.compile(rf"[\x00-\x08\x0b-\x1f{_UNSEEN}]+")
_IN_JSON = re.compile(rf"[{_UNSEEN}]")
# Endings of words that are no plural, or may lose more than the s: chess, bonus, penalties, losses, boxes, matches,
# lives. "1 penalties" is a smaller fault than "1 penaltie".
_NOT_ONLY_S = ("ss", "us", "is", "ies", "ses", "xes", "zes", "ches", "shes", "oes", "ves")
_PART = 1024  # characters of JSON that are checked together


def clean(text: str) -> str:
    """Return `text` on one line, control and invisible characters replaced by spaces."""
    return _CONTROLS.sub(" ", text)


def in_shell(name: str) -> str:
    """Return the name of a file or session as typed in a shell.

    It is quoted if necessary, `./` comes before a dash that would begin an option, and invisible characters become
    escapes that bash and zsh read.
    """
    word = f"./{name}" if name.startswith("-") else name
    if clean(word) == word or not shell.has_escapes():
        return shell.quoted(clean(word))
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{_CONTROLS.sub(_octal, escaped)}'"


def _octal(match: re.Match[str]) -> str:
    # Not hexadecimal: a hexadecimal escape would include a digit that follows it.
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(match[0]))


def plural(number: int, one: str, many: str = "") -> str:
    """Return `1 card`, `3 cards`; `many` is the plural if it is not `one` with an s."""
    if number == 1:
        return f"{number} {one}"
    return f"{number} {many or f'{one}s'}"


def unit_for(score: str, unit: str) -> str:
    """Return the unit of that score, in the singular if the score is 1 and only an s has to go; `unit` is a plural."""
    if score != "1" or unit.endswith(_NOT_ONLY_S):
        return unit
    return unit.removesuffix("s")


def count_range(counts: Sequence[int], one: str) -> str:
    """Return `2 to 5 players` for a range of numbers, `4 players` for a single number."""
    most = plural(counts[-1], one)
    if len(counts) > 1:
        return f"{counts[0]} to {most}"
    return most


def a_number(least: int, most: int, what: str = "number") -> str:
    """Return the numbers to choose from: `a number from 1 to 4`, or `number 1` alone."""
    if least < most:
        return f"a {what} from {least} to {most}"
    return f"{what} {least}"


def either(choices: Iterable[str], last: str = "or") -> str:
    """Return `Ada, Ben or Carl`."""
    *first, end = choices
    if not first:
        return end
    return f"{', '.join(first)} {last} {end}"


def listed(names: Iterable[str]) -> str:
    """Return `Ann, Ben and Carl`."""
    return either(names, "and")


def capitalized(words: str) -> str:
    """Return words with a capital first letter; the others stay, since a name may be among them."""
    return words[:1].upper() + words[1:]


def can_be_shown(words: str) -> bool:
    """Return whether typed text has something to see and no invisible character but the joiners.

    Names in Persian or Hindi need the joiners, and so do emoji of people.
    """
    without_joiners = words.replace("\u200c", "").replace("\u200d", "")
    return without_joiners.isprintable() and bool(without_joiners.strip())


def quoted(text: str, most: int = 40) -> str:
    """Return what somebody typed in quotation marks, safe to show, cut after `most` characters."""
    shown = clean(text)
    if len(shown) > most:
        shown = f"{shown[:most]}..."
    return f"'{shown}'"


def without_codes(text: str) -> str:
    """Return `text` with its lines and tabs, other control and invisible characters replaced by spaces."""
    return _CODES.sub(" ", text)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return `value` as JSON that is safe on a terminal: invisible characters are escaped. Compact without `indent`."""
    if indent is None:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    else:
        text = indented(value, " " * indent)
    parts = (text[at : at + _PART] for at in range(0, len(text), _PART))
    return "".join(map(_with_escapes, parts))


def _with_escapes(text: str) -> str:
    # Most parts of a document are plain ASCII, and the regular expression is slow.
    if text.isascii() and "\x7f" not in text:
        return text
    return _IN_JSON.sub(lambda match: json.dumps(match[0])[1:-1], text)


def width(text: str) -> int:
    """Return how many columns `text` takes on a terminal, in a screen and in plain lines alike."""
    return len(text) if text.isascii() else sum(_columns_added(text))


def fit(text: str, columns: int) -> str:
    """Return `text` cut or padded to `columns`; a cut text ends in an ellipsis."""
    text = clean(text[: columns * _LONGEST])
    if width(text) > columns:
        text = f"{text[: _most(text, columns - 1)]}…"
    return text + " " * (columns - width(text))


def row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return the cells in columns of these widths, one space apart."""
    fitted = [fit(cell, columns) for cell, columns in zip(cells, widths, strict=True)]
    return " ".join(fitted).rstrip()


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Return `text` in lines of at most `columns`, all but the first indented; a longer word is divided."""
    lines: list[str] = []
    line = ""
    for word in clean(text).split():
        joined = f"{line} {word}" if line else word
        if width(joined) <= columns or not line.strip():
            line = joined
        else:
            lines.append(line)
            line = indent + word
        while width(line) > columns:
            cut = _most(line, columns)
            lines.append(line[:cut])
            line = indent + line[cut:]
    return [*lines, line]


def hung(line: str, columns: int, indent: str = "") -> list[str]:
    """Return a line as it is if it fits into `columns`, else wrapped at its words, all but the first row indented.

    What follows two spaces, such as a command to copy, stays in one row if it fits into one. A longer word is not
    divided: the terminal does that.
    """
    if width(line) <= columns:
        return [line]
    rows, row = [], ""
    for gap, part in _PARTS.findall(line):
        is_whole = len(gap) > 1 and len(indent) + width(part) <= columns
        for word in [part] if is_whole else part.split(" "):
            if not row.strip() or width(f"{row}{gap}{word}") <= columns:
                row += f"{gap}{word}"
            else:
                rows.append(row)
                row = f"{indent}{word}"
            gap = " "
    return [*rows, row]


_PARTS: Final = re.compile("( *)((?:[^ ]| (?! ))+)")
"""A part of a line, and the spaces before it; two spaces end one."""


def _most(text: str, columns: int) -> int:
    """Return how many characters of `text` fit into `columns`."""
    taken = 0
    for count, added in enumerate(_columns_added(text)):
        taken += added
        if taken > columns:
            return count
    return len(text)


def _columns_added(text: str) -> Iterator[int]:
    """Yield the columns that each character of `text` adds; emoji joined into one are as wide as the first of them."""
    before, is_joined = 0, False
    for char in text:
        added = 0
        if char == _SHOWN_AS_EMOJI:
            added = 1 if before == 1 else 0
            before = 0
        elif not is_joined or char.isascii():
            # ASCII is never joined: a joiner before it ends a text that stands in the cell before.
            added = _columns(char)
            before = added or before
        is_joined = char == _JOINER
        yield added


@lru_cache(maxsize=1024)
def _columns(char: str) -> int:
    if char in _SKIN_TONES or char in _HANGUL_ENDS:
        return 0
    if unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean sessions?` for a word that is close to a known one, else an empty text."""
    near = nearest(word, known)
    return f"did you mean {near}?" if near else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known words close to `word`, at most three: `sessions`, or `sheet or score`; empty if none is."""
    from difflib import get_close_matches  # imported late: only a typing error needs it

    as_written = {name.casefold(): name for name in known}
    matches = get_close_matches(word.casefold(), as_written, 3)
    return " or ".join(as_written[match] for match in matches)


def nearest_or_all(word: str, known: Iterable[str]) -> str:
    """Return the known words close to an unknown one, or `one of` all of them if none is close."""
    words = tuple(known)
    return nearest(word, words) or f"one of {', '.join(words)}"
