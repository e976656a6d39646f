"""What a user can do, as data: one registry feeds key bindings, the footer, help on `?`, the palette and the docs.

A sentence that names a key does not spell it, because a person may have other keys, or type lines instead of pressing
keys. `named`, `named_run`, `either` and `with_board` leave markers in the sentence; `with_keys` replaces them for one
reader, `without_keys` for people who only look on, `on_page` for those who tap on a page.
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
    bound: dict[str, Action] = {}
    for action in actions:
        for key in action.keys:
            if key in bound:
                raise ValueError(f"the key {key!r} is bound to {bound[key].id} and to {action.id}")
            bound[key] = action
    return bound


def remapped(actions: tuple[Action, ...], keys: KeyMap) -> tuple[Action, ...]:
    """Return the actions, those in `keys` with the keys given there."""
    if not keys:
        return actions
    return tuple(replace(action, keys=keys.get(action.id, action.keys)) for action in actions)


_SPELLED = {
    "escape": "Esc",
    "space": "Space",
    "enter": "Enter",
    "backspace": "Bksp",
    "delete": "Del",
}

# The terminal library abbreviates these Unicode names.
_SHORT = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}

# The markers: `{id|key}` and `{id id ...|words|key key ...}` for keys, `{press\x1ftype}` for `either`, and
# `\x1dboard\x1ealone\x1d` for `with_board`. No sentence has a control character of its own.
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
    if len(key) == 1:
        return key
    return _characters().get(key, key)


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
    characters: dict[str, str] = {}
    for code in (*range(0x21, 0x250), *range(0x2010, 0x2040), *range(0x20A0, 0x20C1)):
        name = key_of_character(chr(code))
        if name is not None and not chr(code).isalnum():
            characters[name] = chr(code)
    return characters


def named(action_id: str, key: str) -> str:
    """Return the marker for an action's key, `key` if nobody remapped it; see `with_keys`."""
    return f"{{{action_id}|{key_name(key)}}}"


def named_by(prefix: str, actions: Iterable[Action]) -> Callable[[str], str]:
    """Return a function that returns the marker (`named`) of the action with the id `prefix` plus its argument."""
    own_keys = {action.id.removeprefix(prefix): action.keys[0] for action in actions}
    return lambda rest: named(prefix + rest, own_keys[rest])


MOST_NAMED = 5
"""Players whose names stand beside their keys in a prompt; more would fill its line."""


def keys_with_names(pairs: Iterable[tuple[str, str]]) -> str:
    """Return markers of keys, each before the name of its player: `q Ann, w Ben`.

    `pairs` are markers (`named`) and names. For more than `MOST_NAMED` players the result is the
    keys alone: the screen shows each beside its player.
    """
    pairs = tuple(pairs)
    if len(pairs) > MOST_NAMED:
        return " ".join(key for key, _ in pairs)
    return ", ".join(f"{key} {name}" for key, name in pairs)


def named_run(own: Mapping[str, str], words: str) -> str:
    """Return the marker for the keys of several actions, given as ids and own first keys.

    `with_keys` replaces it by `words` (`1 to 8`) while none of them is remapped, else by each key.
    """
    return f"{{{' '.join(own)}|{words}|{' '.join(key_name(key) for key in own.values())}}}"


def first_named(text: str) -> str | None:
    """Return the id of the action that a sentence names first by `named`; None if it names none, or first a run."""
    marker = _NAMED.search(text)
    if marker is None or " " in marker[1]:
        return None
    return marker[1]


def either(screen: str, line: str) -> str:
    """Return the marker for a word that depends on the reader: `screen` if keys are pressed, `line` if lines are typed;
    see `with_keys`."""
    return f"{{{screen}\x1f{line}}}"


def named_by_sentence(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the ids of the actions that each sentence names, in order, each once; sentences that name none are left
    out. An aside in brackets after a colon, such as `(1: enter it later)`, is left out too: it is no request."""
    named = []
    for sentence in _SENTENCES.split(_ASIDE.sub("", _BOARD.sub(r"\2", text))):
        ids = [action_id for marker in _NAMED.finditer(sentence) for action_id in marker[1].split()]
        if ids:
            named.append(tuple(dict.fromkeys(ids)))
    return tuple(named)


def begins_with_keys(text: str) -> bool:
    """Return whether the first sentence of a prompt is about keys alone, so that `without_keys` leaves it out."""
    return not without_keys(_SENTENCES.split(_BOARD.sub(r"\2", text))[0])


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

    def current_key(action_id: str, own: str) -> str:
        if action_id not in keys:
            return own
        remapped_to = keys[action_id]
        return key_name(remapped_to[0]) if remapped_to else NO_KEY

    def replacement(marker: re.Match[str]) -> str:
        ids, own_keys = marker[1].split(), (marker[3] or "").split()
        if len(ids) == 1:
            return current_key(ids[0], marker[3] or marker[2])
        if not any(action_id in keys for action_id in ids):
            return marker[2]
        return " ".join(map(current_key, ids, own_keys))

    if "\x1d" in text:
        text = _BOARD.sub(r"\1" if board else r"\2", text)
    if "{" in text:  # most sentences have no marker, and a screen asks for dozens per frame
        text = _EITHER.sub(r"\2" if typed else r"\1", _NAMED.sub(replacement, text))
    return text


_ASIDE = re.compile(r" \([^()]*: [^()]*\)")
_SENTENCES = re.compile(r"(?<=[.?!]) +(?=[A-Z{])")
_QUESTION_WORDS = ("Who", "Which", "Where", "Does")
# In `without_keys`, \0 stands for a key or a verb like "press".
_KEY_TO_DO = re.compile(r"^(|.+, )\0+(?:(?: or its button)?) to ([^\0]+)$")
_KEY_CLAUSE = re.compile(r"(?:: |, then |, or |; )?[^:;,\0]*\0.*$")
_KEY_ASIDE = re.compile(r" \([^()]*\0[^()]*\)")


def without_keys(text: str) -> str:
    """Return the parts of a sentence for the keyboard that concern people who only look on: what is to be done, but not
    by which key. Empty if it is about keys alone."""
    kept: list[str] = []
    follows_question = False
    for sentence in _SENTENCES.split(_BOARD.sub(r"\2", text)):
        marked = _KEY_ASIDE.sub("", _EITHER.sub(_verb_mark, _NAMED.sub("\0", sentence)))
        if "\0" not in marked:
            follows_question = marked.endswith("?")
            kept.append(marked)
            continue
        if follows_question and len(kept) > 1 and not kept[-1].startswith(_QUESTION_WORDS):
            kept.pop()  # a yes-or-no question, which only introduced the key
        follows_question = False
        rest = _without_key_clause(marked)
        if rest:
            kept.append(rest)
    return " ".join(kept)


def on_page(text: str) -> str:
    """Return a sentence for somebody who taps on a page and has no keys; with the program's own keys only where nothing
    else would be left."""
    return without_keys(text) or with_keys(text)


def first_to_do(text: str) -> str:
    """Return the first sentence of what `without_keys` leaves; empty if the sentence is about keys alone."""
    return first_sentence(without_keys(text))


def first_sentence(text: str) -> str:
    """Return the first sentence of a prompt, with its keys or markers."""
    return _SENTENCES.split(text)[0]


def _verb_mark(marker: re.Match[str]) -> str:
    """Return the mark for an `either`; the colon or bracket that one may begin with still ends the clause before it."""
    if marker[1].startswith(" ("):
        return " (\0)"
    return ": \0" if marker[1].startswith(":") else "\0"


def _without_key_clause(marked: str) -> str:
    """Return the rest of a sentence in which each key is a \\0; empty if nothing is left to read."""
    bare = re.sub(r"\0(?:[ ,]*\0)*", "\0", marked).rstrip(".?!")
    to_do = _KEY_TO_DO.match(bare)
    rest = f"{to_do[1]}{to_do[2]}" if to_do else _KEY_CLAUSE.sub("", bare)
    if rest.endswith(","):  # "To draw, press d": only the purpose is left
        return ""
    if " " in rest.strip() or rest == "Paused":
        return f"{rest[0].upper()}{rest[1:]}."
    return ""


def typed_key_first(action: Action) -> Action:
    """Return the action with its one-character keys first: these are typed at a table of plain lines."""
    return replace(action, keys=tuple(sorted(action.keys, key=lambda key: len(key_name(key)) > 1)))
