"""`companion config`: the settings in force and where each comes from, and the settings file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from companion.config.reading import config_path, faults, preferences
from companion.config.schema import HOOKS, HOUSE_RULES, KEYS, MQTT, SETTINGS, Preferences
from companion.dashboard.preferences import given, in_force, key_faults
from companion.errors import CommandError, ErrorKind, writing
from companion.journal.disk import new_file
from companion.journal.folder import sessions_dir
from companion.program import PROGRAM
from companion.rules.columns import clean, fit, width
from companion.rules.registry import GAMES, example_game
from companion.terminal import data_stream


def path(_args: argparse.Namespace) -> None:
    """`path`: print where the settings file is."""
    print(config_path())


def show(args: argparse.Namespace) -> None:
    """`show`: print every setting with its value and origin."""
    print("\n".join(_shown(preferences(given(args)))))


def _shown(settings: Preferences) -> Iterator[str]:
    path = config_path()
    missing = "" if path.exists() else f"  (there is none; `{PROGRAM} config init` writes one)"
    yield f"settings file  {path}{missing}"
    yield f"data folder    {sessions_dir().parent}  (COMPANION_DATA names another)"
    yield ""
    rows = []
    for setting in SETTINGS:
        value = getattr(settings, setting.name)
        rows.append((setting.name, _word(value), settings.origins[setting.name]))
    for action, keys in settings.keys.items():
        origin = settings.origins[f"{KEYS}.{action}"]
        rows.append((f"{KEYS}: {action}", " ".join(keys) or "none", origin))
    for game, chosen in settings.house_rules.items():
        for rule, choice in chosen.items():
            origin = settings.origins[f"{HOUSE_RULES}.{game}.{rule}"]
            rows.append((f"{game}: {rule}", choice, origin))
    for hook in settings.hooks:
        rows.append((f"{HOOKS}: {hook.name}", hook.place, settings.origins[HOOKS]))
    if settings.mqtt is not None:
        rows.append((MQTT, settings.mqtt.place, settings.origins[MQTT]))
    cells = [max(width(row[column]) for row in rows) for column in (0, 1)]
    for row in rows:
        yield clean("  ".join((fit(row[0], cells[0]), fit(row[1], cells[1]), f"from {row[2]}")))


def _word(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case tuple():
            return ", ".join(value) or "none named"
        case _:
            return str(value) or "none named"


def validate(args: argparse.Namespace) -> None:
    """`validate`: say what is wrong with a settings file, by default the one in force."""
    path = args.file or config_path()
    with suppress(OSError):  # `faults` says why it cannot be read
        if not path.exists():
            advice = "everything has its default" if args.file is None else "check its name"
            raise CommandError(f"There is no settings file {path}: {advice}.", ErrorKind.NO_INPUT)
    sentences, keys = faults(path)
    wrong = (*sentences, *dict.fromkeys(key_faults(keys, path, sorted(GAMES))))
    if wrong:
        raise CommandError("\n".join(wrong), ErrorKind.DATA)
    print(f"{path}: nothing is wrong.")


def init(_args: argparse.Namespace) -> None:
    """`init`: write a settings file that changes nothing."""
    path = config_path()
    with writing(f"The settings file {path}", "; COMPANION_CONFIG names another one."):
        if path.exists():
            raise CommandError(f"There is a settings file already: {path}", ErrorKind.CANNOT_CREATE)
        with new_file(path) as file:
            file.write(starting_text().encode())
    print(f"{path} is written; as it stands it changes nothing.")


_HEAD = (
    "# The settings of the table companion. Remove the # from a line to change a setting;",
    f"# `{PROGRAM} config validate` checks this file, `{PROGRAM} config show` shows the values in force.",
    "",
)


def starting_text() -> str:
    """Return a settings file in which every line is a comment, with each setting at its default."""
    lines = [*_HEAD]
    for setting in SETTINGS:
        lines += [
            f"# {setting.help}; the variable {setting.variable} overrides it",
            f"# {_toml(setting)}",
            "",
        ]
    lines += ["# house rules of each game; RULES.md of the game and the start screens explain them",
              f"# [{HOUSE_RULES}.{example_game()}]", '# pile_exhausted = "play_on"', "",
              f"# other keys: an action's id and one or more keys; `{PROGRAM} config keys` lists the ids",
              f"# [{KEYS}]", '# "table.undo" = ["backspace", "u"]', "",
              "# programs and servers to notify while you play; see companion/outbound/HOOKS.md",
              f"# [[{HOOKS}]]", '# name = "lights"', '# on = ["shot", "elimination"]',
              '# command = ["/home/me/lights"]', "",
              "# an MQTT broker to publish to; see companion/outbound/MQTT.md",
              f"# [{MQTT}]", '# host = "broker.local"', ""]  # fmt: skip
    return "\n".join(lines)


def _toml(setting: Any) -> str:
    value: object = setting.default
    text = _word(value)
    if isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, tuple):
        text = "[]"
    return f"{setting.name} = {text}"


def keys(args: argparse.Namespace) -> None:
    """`keys`: print each game's keys as a table, or the page of all default keys."""
    from companion.dashboard import keymap

    if args.page:
        data_stream().write(keymap.page())
        return
    games = [args.game] if args.game else sorted(GAMES)
    chosen = in_force(argparse.Namespace(), games).keys
    print("\n\n".join("\n".join(keymap.table(game, chosen)) for game in games))


def rules_for(settings: Preferences, game: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the house rules for a session of `game`: those chosen now over those of the settings."""
    return {**settings.house_rules.get(game, {}), **chosen}
