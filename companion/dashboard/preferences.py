"""The settings in force at a screen: the command line over the files, with keys checked against the
games."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.config.reading import config_path, preferences
from companion.config.schema import BY_NAME, KEYS, Preferences
from companion.errors import CommandError, ErrorKind


def given(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings on the command line; names of seats are left to `play`."""
    values = {name: getattr(args, name, None) for name in BY_NAME if name != "seats"}
    return {name: value for name, value in values.items() if value is not None}


def in_force(args: argparse.Namespace, games: Sequence[str] = ()) -> Preferences:
    """Return the settings in force, their keys checked against `games`; raise `CommandError`."""
    chosen = preferences(given(args))
    for problem in key_faults(chosen, config_path(), games):
        raise CommandError(problem, ErrorKind.DATA)
    return chosen


def key_faults(chosen: Preferences, path: Path, games: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each key that is invalid in one of the games."""
    if not chosen.keys:
        return
    from companion.dashboard.keymap import faults  # imported late: it opens each game

    for game in games:
        for action, why in faults(chosen.keys, game):
            where = chosen.origins[f"{KEYS}.{action}"].replace(path.name, str(path), 1)
            yield f"{where}: {why}."
