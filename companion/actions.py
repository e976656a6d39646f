"""What a user can do, as data: one registry feeds key bindings, the footer, help on `?`, the palette and the docs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

KeyMap = Mapping[str, tuple[str, ...]]
"""Action id -> the keys that take the place of its own."""

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
    """Return the actions by key; raise `ValueError` when two share one."""
    found: dict[str, Action] = {}
    for action in actions:
        for key in action.keys:
            if key in found:
                raise ValueError(f"the key {key!r} is bound to {found[key].id} and to {action.id}")
            found[key] = action
    return found


def remapped(actions: tuple[Action, ...], keys: KeyMap) -> tuple[Action, ...]:
    """Return the actions with other keys for those whose ids `keys` has."""
    return tuple(replace(action, keys=keys.get(action.id, action.keys)) for action in actions) if keys else actions


_SPELLED = {
    "question_mark": "?",
    "exclamation_mark": "!",
    "full_stop": ".",
    "comma": ",",
    "minus": "-",
    "plus": "+",
    "slash": "/",
    "asterisk": "*",
    "escape": "Esc",
    "space": "Space",
    "enter": "Enter",
    "backspace": "Bksp",
    "delete": "Del",
}

_NAMED = re.compile(r"\{([a-z_-]+(?:\.[a-z0-9_-]+)+)\|([^{}|]+)\}")
NO_KEY = "no key"


def key_name(key: str) -> str:
    """Return a key as a person reads it on the keyboard: `?` for `question_mark`, `^q` for `ctrl+q`."""
    if key.startswith("ctrl+"):
        return f"^{key.removeprefix('ctrl+')}"
    if key.startswith("f") and key[1:].isdigit():
        return key.upper()
    return _SPELLED.get(key, key)


def named(action_id: str, key: str) -> str:
    """Return what a sentence has for the key of an action whose own first key is `key`; see `with_keys`."""
    return f"{{{action_id}|{key_name(key)}}}"


def with_keys(text: str, keys: KeyMap = OWN_KEYS) -> str:
    """Return a sentence with the first key of each action that it names by `named`."""

    def key(found: re.Match[str]) -> str:
        given = keys.get(found[1])
        if given is None:
            return found[2]
        return key_name(given[0]) if given else NO_KEY

    return _NAMED.sub(key, text) if "{" in text else text
