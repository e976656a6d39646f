"""What a user can do, as data: one registry feeds key bindings, the footer, help on `?`, the palette and the docs.

A sentence that names a key does not spell it, because a person may have other keys, or type lines instead of pressing
keys. `named`, `named_run`, `either` and `with_board` leave markers in the sentence; `with_keys` replaces them for one
reader, `without_keys` for people who only look on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

KeyMap = Mapping[str, tuple[str, ...]]
"""Action id -> the keys that replace its own."""

OWN_KEYS: KeyMap = MappingProxyType({})
"""Every action has its own keys."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a user can do.

    `keys` are key names as the terminal library spells them (`space`, `f1`, `question_mark`), the first one shown;
    `label` is at most twelve characters; `help` is one sentence; `footer` says whether the footer shows it.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    footer: bool = False


def by_key(actions: tuple[Action, ...]) -> dict[str, Action]:
    """Return the actions by key; raise `ValueError` if two share one."""
    found: dict[str, Action] = {}
    for action in actions:
        for key in action.keys:
            if key in found:
                raise ValueError(f"the key {key!r} is bound to {found[key].id} and to {action.id}")
            found[key] = action
    return found


def remapped(actions: tuple[Action, ...], keys: KeyMap) -> tuple[Action, ...]:
    """Return the actions, those in `keys` with the keys given there."""
    return (
        tuple(replace(action, keys=keys.get(action.id, action.keys)) for action in actions)
        if keys
        else actions
    )


_SPELLED = {
    "escape": "Esc",
    "space": "Space",
    "enter": "Enter",
    "backspace": "Bksp",
    "delete": "Del",
}

# The library's own words for signs that Unicode names at length.
_SHORT = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}

_ID = r"[a-z_-]+(?:\.[a-z0-9_-]+)+"
_NAMED = re.compile(rf"\{{({_ID}(?: {_ID})*)\|([^{{}}|]+)(?:\|([^{{}}|]+))?\}}")
_EITHER = re.compile(r"\{([^{}\x1f]*)\x1f([^{}\x1f]*)\}")
_BOARD = re.compile(r"\x1d([^\x1d\x1e]*)\x1e([^\x1d\x1e]*)\x1d")
NO_KEY = "no key"


def key_name(key: str) -> str:
    """Return a key as printed on the keyboard: `?` for `question_mark`, `^q` for `ctrl+q`."""
    if key.startswith("ctrl+"):
        return f"^{key.removeprefix('ctrl+')}"
    if key.startswith("f") and key[1:].isdigit():
        return key.upper()
    if key in _SPELLED:
        return _SPELLED[key]
    return key if len(key) == 1 else _characters().get(key, key)


def key_of_character(character: str) -> str | None:
    """Return the terminal library's name of the key that types a character: `ampersand` for `&`, `a` for `a`.

    Return None for a character that cannot be seen.
    """
    if character == " ":
        return "space"
    if not character.isprintable():
        return None
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _SHORT.get(name, name)


@cache
def _characters() -> dict[str, str]:
    """Return the characters of keyboards that are neither letters nor digits, by `key_of_character`: Latin,
    punctuation and currencies."""
    codes = (*range(0x21, 0x250), *range(0x2010, 0x2040), *range(0x20A0, 0x20C1))
    characters = [chr(code) for code in codes if not chr(code).isalnum()]
    return {
        name: character
        for character in characters
        if (name := key_of_character(character)) is not None
    }


def named(action_id: str, key: str) -> str:
    """Return the marker for an action's key, `key` if nobody remapped it; see `with_keys`."""
    return f"{{{action_id}|{key_name(key)}}}"


def named_by(prefix: str, actions: Iterable[Action]) -> Callable[[str], str]:
    """Return a function that returns the marker (`named`) of the action with the id `prefix` plus its argument."""
    own = {action.id.removeprefix(prefix): action.keys[0] for action in actions}
    return lambda what: named(prefix + what, own[what])


def named_run(own: Mapping[str, str], words: str) -> str:
    """Return the marker for the keys of several actions, given as ids and own first keys.

    `with_keys` replaces it by `words` (`1 to 8`) while none of them is remapped, else by each key.
    """
    return f"{{{' '.join(own)}|{words}|{' '.join(key_name(key) for key in own.values())}}}"


def first_named(text: str) -> str | None:
    """Return the id of the action that a sentence names first by `named`; None if it names none, or first a run."""
    found = _NAMED.search(text)
    return found[1] if found is not None and " " not in found[1] else None


def either(screen: str, line: str) -> str:
    """Return the marker for a word that depends on the reader: `screen` if keys are pressed, `line` if lines are typed;
    see `with_keys`."""
    return f"{{{screen}\x1f{line}}}"


PRESS = either("press", "type")
"""The verb for a key that a sentence names."""
FIRST_PRESS = either("Press", "Type")
"""The same verb at the beginning of a sentence."""


def with_board(board: str, alone: str = "") -> str:
    """Return the marker for words that depend on the board: `board` if one is connected, else `alone`; see
    `with_keys`."""
    return f"\x1d{board}\x1e{alone}\x1d"


def with_keys(
    text: str, keys: KeyMap = OWN_KEYS, *, typed: bool = False, board: bool = False
) -> str:
    """Return a sentence with its markers replaced for one reader.

    `keys` are the reader's own; `typed` selects the words for typed lines from `either`, and `board` the words for a
    connected board from `with_board`.
    """

    def key(action_id: str, own: str) -> str:
        given = keys.get(action_id)
        if given is None:
            return own
        return key_name(given[0]) if given else NO_KEY

    def said(found: re.Match[str]) -> str:
        ids, own = found[1].split(), (found[3] or "").split()
        if len(ids) == 1:
            return key(ids[0], found[3] or found[2])
        known = any(action_id in keys for action_id in ids)
        return " ".join(map(key, ids, own)) if known else found[2]

    if "\x1d" in text:
        text = _BOARD.sub(r"\1" if board else r"\2", text)
    return _EITHER.sub(r"\2" if typed else r"\1", _NAMED.sub(said, text)) if "{" in text else text


_SENTENCES = re.compile(r"(?<=[.?!]) +(?=[A-Z{])")
_ASKS = ("Who", "Which", "Where", "Does")
_TO_DO = re.compile(r"^(|.+, )\0+(?:(?: or its button)?) to ([^\0]+)$")
_HOW = re.compile(r"(?:: |, then |, or |; )?[^:;,\0]*\0.*$")


def without_keys(text: str) -> str:
    """Return the parts of a sentence for the keyboard that concern people who only look on: what is to be done, but not
    by which key. Empty if it is about keys alone."""
    said: list[str] = []
    asked = False
    for sentence in _SENTENCES.split(_BOARD.sub(r"\2", text)):
        marked = _EITHER.sub(
            lambda way: ": \0" if way[1].startswith(":") else "\0", _NAMED.sub("\0", sentence)
        )
        if "\0" not in marked:
            asked = sentence.endswith("?")
            said.append(sentence)
            continue
        if asked and len(said) > 1 and not said[-1].startswith(_ASKS):
            said.pop()  # it asked for nothing but the key
        asked = False
        said += filter(None, (_what(marked),))
    return " ".join(said)


def _what(marked: str) -> str:
    """What is left of a sentence whose keys are zeros."""
    bare = re.sub(r"\0(?:[ ,]*\0)*", "\0", marked).rstrip(".?!")
    to_do = _TO_DO.match(bare)
    left = f"{to_do[1]}{to_do[2]}" if to_do else _HOW.sub("", bare)
    if left.endswith(","):  # it said what for, and then which key
        return ""
    return f"{left[0].upper()}{left[1:]}." if " " in left.strip() or left == "Paused" else ""


def typed_key_first(action: Action) -> Action:
    """Return the action with its one-character keys first: these are typed at a table of plain lines."""
    return replace(action, keys=tuple(sorted(action.keys, key=lambda key: len(key_name(key)) > 1)))
