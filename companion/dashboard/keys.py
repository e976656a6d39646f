"""What each key does now: the registry's bindings, and the keys that mean something else while an answer is awaited."""

from __future__ import annotations

from collections.abc import Mapping

from textual.binding import Binding, BindingsMap

from companion.rules.actions import Action, by_key

ACCEPT = "table.accept"
DISMISS = "table.dismiss"
AGREE = "table.agree"
DISAGREE = "table.disagree"


def bindings(actions: tuple[Action, ...], overrides: Mapping[str, str]) -> BindingsMap:
    """Return the bindings of every key; `overrides` (key -> action id) go before what the key means otherwise."""
    labels = {action.id: action.label for action in actions}
    ids = {key: action.id for key, action in by_key(actions).items()} | dict(overrides)
    return BindingsMap(
        Binding(key, f"perform({action_id!r})", labels.get(action_id, action_id), show=False)
        for key, action_id in ids.items()
    )
