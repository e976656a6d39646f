"""Input profiles, which say what works the zones (`inputs.toml`), and their keys for the settings file."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.errors import CommandError, ErrorKind
from companion.rules.actions import key_name
from companion.rules.registry import GAMES

FILE = Path(__file__).with_name("inputs.toml")
_ZONE = re.compile(r"\.(?:draw|zone|place)\.(\d+)$")
"""Matches the ids of the actions of zone N's button. Keys that answer a question with a number are left alone."""


@dataclass(frozen=True, slots=True)
class InputProfile:
    """What works the zones.

    `kind` is `keys` of a keyboard, `channels` of a board, or `none`; `zones` lists the keys or channels from zone 1 on.
    """

    id: str
    title: str
    kind: str
    zones: tuple[str, ...]


def inputs() -> Mapping[str, InputProfile]:
    """Return the packaged input profiles by id."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: InputProfile(name, row["title"], row["kind"], tuple(row["zones"]))
        for name, row in rows.items()
    }


def keys_of(profile: InputProfile) -> Mapping[str, tuple[str, ...]]:
    """Return the keys that differ from the default ones, by action id; empty unless keys work the zones."""
    if profile.kind != "keys":
        return {}
    return {
        action: keys
        for game in sorted(GAMES)
        for action, keys in _changed_keys(game, profile.zones)
    }


def _changed_keys(game: str, zones: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    from companion.dashboard.keymap import actions_of

    actions = actions_of(game)
    numbers = {action.id: int(match[1]) for action in actions if (match := _ZONE.search(action.id))}
    wanted = {
        action: zones[number - 1] for action, number in numbers.items() if number <= len(zones)
    }
    taken = set(wanted.values())
    for action in actions:
        keys = (
            (wanted[action.id],)
            if action.id in wanted
            else tuple(key for key in action.keys if key not in taken)
        )
        if keys != action.keys:
            yield action.id, keys


def show(args: argparse.Namespace) -> None:
    """Run `companion board inputs`: print the profiles, or the keys of one."""
    print("\n".join(lines(args.profile)))


def lines(name: str | None) -> Iterator[str]:
    """Yield the list of profiles, or one profile's lines for the settings file; raise `CommandError`."""
    known = inputs()
    if name is None:
        cells = max(map(len, known)) + 2
        for profile in known.values():
            yield f"{profile.id:{cells}}{': '.join(filter(None, (profile.title, ' '.join(profile.zones))))}"
        return
    if name not in known:
        raise CommandError(
            f"There is no input profile {name}; there are {', '.join(known)}.", ErrorKind.USAGE
        )
    keys = keys_of(known[name])
    if not keys:
        yield f"# {known[name].title}: nothing to set, that is how it is delivered"
        return
    yield f"# {known[name].title}; put this into the settings file (companion config path)"
    yield "[keys]"
    yield from (
        f'"{action}" = {json.dumps([key_name(key) for key in row])}' for action, row in keys.items()
    )
