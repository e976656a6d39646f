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
from companion.program import PROGRAM
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
    changed: dict[str, tuple[str, ...]] = {}
    for game in sorted(GAMES):
        changed.update(_changed_keys(game, profile.zones))
    return changed


def _changed_keys(game: str, zones: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    from companion.dashboard.keymap import actions_of

    actions = actions_of(game)
    wanted: dict[str, str] = {}
    for action in actions:
        match = _ZONE.search(action.id)
        if match is not None and int(match[1]) <= len(zones):
            wanted[action.id] = zones[int(match[1]) - 1]
    taken = set(wanted.values())
    for action in actions:
        if action.id in wanted:
            keys: tuple[str, ...] = (wanted[action.id],)
        else:
            keys = tuple(key for key in action.keys if key not in taken)
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
            line = f"{profile.id:{cells}}{profile.title}"
            if profile.zones:
                line += f": {' '.join(profile.zones)}"
            yield line
        return
    if name not in known:
        raise CommandError(
            f"There is no input profile {name}; there are {', '.join(known)}.", ErrorKind.USAGE
        )
    keys = keys_of(known[name])
    if not keys:
        yield f"# {known[name].title}: nothing to set, that is how it is delivered"
        return
    yield f"# {known[name].title}; put this into the settings file ({PROGRAM} config path)"
    yield "[keys]"
    for action, row in keys.items():
        yield f'"{action}" = {json.dumps([key_name(key) for key in row])}'
