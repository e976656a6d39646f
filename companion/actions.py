"""What a user can do, as data: one registry feeds key bindings, the footer, help on `?`, the palette and the docs."""

from __future__ import annotations

from dataclasses import dataclass


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
