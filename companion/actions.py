"""What a user can do, as data: one registry feeds key bindings, the footer, help on `?`, the palette and the docs."""

from __future__ import annotations

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
