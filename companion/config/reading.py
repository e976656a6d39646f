"""Read the settings in force: command line over environment over file over default, each with its origin."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import schema
from companion.config.schema import BY_NAME, HOOKS, HOUSE_RULES, KEYS, Preferences
from companion.config.values import NotASetting, file_named
from companion.errors import CommandError, ErrorKind, reading
from companion.journal.disk import LARGEST_TEXT, read_regular, require_regular
from companion.journal.folder import DATA_VARIABLE
from companion.rules.actions import KeyMap, key_name, key_of_character
from companion.rules.columns import nearest_or_all
from companion.rules.game_info import GameInfo
from companion.rules.plain_toml import NotToml, as_written, line_of, read_toml
from companion.rules.registry import GAMES, example_game, open_game

if TYPE_CHECKING:
    from companion.rules.house_rules import HouseRule, Number


CONFIG_VARIABLE = "COMPANION_CONFIG"  # the settings file itself
FILE_NAME = "config.toml"
DEFAULT, COMMAND_LINE = "default", "command line"


def config_path() -> Path:
    """Return the path of the settings file, which need not exist. A data folder named by a variable has its own."""
    if chosen := os.environ.get(CONFIG_VARIABLE):
        return Path(chosen)
    if data := os.environ.get(DATA_VARIABLE):
        return Path(data) / FILE_NAME
    import platformdirs  # takes 58 ms, and only this needs it

    return platformdirs.user_config_path("table-companion", appauthor=False) / FILE_NAME


def preferences(
    overrides: Mapping[str, Any] | None = None, path: Path | None = None
) -> Preferences:
    """Return the settings in force; `overrides` are those given on the command line.

    Raise `CommandError` with one sentence for a file or a variable that makes no sense. Whether two actions share a key
    is not checked here: that takes a game."""
    path = config_path() if path is None else path
    content, data = _read(path, f"; mend that, or name another file in {CONFIG_VARIABLE}.")
    file = _File(path, content)
    values = {name: file.read(name, value) for name, value in data.items()}
    origins = {setting.name: DEFAULT for setting in schema.SETTINGS} | file.origins
    for setting in schema.SETTINGS:
        if text := os.environ.get(setting.variable):
            try:
                values[setting.name], origins[setting.name] = (
                    setting.of_text(text),
                    setting.variable,
                )
            except NotASetting as problem:
                raise CommandError(
                    f"{setting.variable}={text} makes no sense: expected {problem}."
                ) from problem
    # last, because the command line overrides everything
    for name, value in (overrides or {}).items():
        values[name], origins[name] = value, COMMAND_LINE
    return Preferences(**values, origins=origins)


def faults(path: Path) -> tuple[tuple[str, ...], Preferences]:
    """Return a sentence for each invalid value of a settings file, and the keys that are valid by themselves; raise
    `CommandError` for a file that cannot be read at all."""
    text, data = _read(path, ".")
    file = _File(path, text)
    sentences: list[str] = []
    keys: dict[str, tuple[str, ...]] = {}
    for name, entry in _alone(data):
        try:
            value = file.read(name, entry)
            keys |= value if name == KEYS else {}
            file.require_style(name, entry)
        except CommandError as problem:
            sentences.append(str(problem))
    return tuple(dict.fromkeys(sentences)), Preferences(keys=keys, origins=file.origins)


def _alone(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of a file, each key and house rule by itself, with the name of its setting or table."""
    for name, value in data.items():
        if name == KEYS and isinstance(value, dict):
            for action, words in value.items():
                yield name, {action: words}
        elif name == HOUSE_RULES and isinstance(value, dict):
            for game, chosen in value.items():
                if not isinstance(chosen, dict) or not chosen:
                    yield name, {game: chosen}
                    continue
                for rule, choice in chosen.items():
                    yield name, {game: {rule: choice}}
        else:
            yield name, value


def _read(path: Path, then: str) -> tuple[str, dict[str, Any]]:
    with reading(path, then, "The settings file "):
        if path == Path(os.devnull) or not path.exists():
            return "", {}
        # some editors begin a file with a byte order mark
        text = read_regular(path, LARGEST_TEXT).decode("utf-8-sig")
    try:
        return text, read_toml(text)
    except NotToml as problem:
        raise CommandError(
            f"{path}: {problem}; expected NAME = VALUE.", ErrorKind.DATA
        ) from problem


def _choice(value: Any) -> str:
    """Return a choice as the command line has it: a table may have `true` for `yes`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


class _File:
    """A settings file that is being read. `origins` has the line of each value read."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text
        self.origins: dict[str, str] = {}

    def _note(self, *names: str, name: str = "") -> None:
        """Note where a value is, under `name` if its name differs from the one in the file."""
        line = line_of(self._text, names)
        self.origins[name or ".".join(names)] = (
            f"{self._path.name}, line {line}" if line else self._path.name
        )

    def wrong(self, names: tuple[str, ...], why: str, expected: str) -> CommandError:
        """Return the error about a value, in one sentence."""
        line = line_of(self._text, names)
        where = f"{self._path}, line {line}" if line else f"{self._path}"
        return CommandError(f"{where}: {why}; expected {expected}.", ErrorKind.DATA)

    def read(self, name: str, value: Any) -> Any:
        """Return the value of a setting at the top level, or of a whole table."""
        if name == KEYS:
            return self._keys(value)
        if name == HOUSE_RULES:
            return self._rules(value)
        self._note(name)
        if name in (HOOKS, schema.MQTT):
            return self._outlets(name, value)
        return self._setting(name, value)

    def _setting(self, name: str, value: Any) -> Any:
        if name not in BY_NAME:
            known = [
                *BY_NAME,
                f"[{HOUSE_RULES}.GAME]",
                f"[{KEYS}]",
                f"[[{HOOKS}]]",
                f"[{schema.MQTT}]",
            ]
            raise self.wrong((name,), f"there is no setting {name!r}", nearest_or_all(name, known))
        try:
            return BY_NAME[name].read(value)
        except NotASetting as problem:
            raise self.wrong(
                (name,), f"{name} cannot be {as_written(value)}", str(problem)
            ) from problem

    def require_style(self, name: str, value: Any) -> None:
        """Refuse an overlay style that is no file. Only `config validate` calls this: a game starts without the
        style."""
        try:
            if name == schema.OVERLAY_STYLE and value:
                require_regular(file_named(value))
        except OSError as problem:
            why = f"{name} {value!r} cannot be read: {problem.strerror}"
            raise self.wrong((name,), why, "the path of a CSS file") from problem

    def _keys(self, table: Any) -> KeyMap:
        if not isinstance(table, dict):
            raise self.wrong(
                (KEYS,),
                f"{KEYS} cannot be {as_written(table)}",
                f'a table: [{KEYS}], then "table.undo" = "f9"',
            )
        return {action: self._keys_of(action, words) for action, words in table.items()}

    def _keys_of(self, action: str, words: Any) -> tuple[str, ...]:
        form = f'a key or a list of keys: "{action}" = ["f9", "?"]'
        if isinstance(words, dict):
            raise self.wrong(
                (KEYS, action), f"{action} is no action's id", 'one in quotes, such as "table.undo"'
            )
        listed = [words] if isinstance(words, str) else words
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            raise self.wrong((KEYS, action), f"{action} cannot have the keys {words!r}", form)
        self._note(KEYS, action)
        keys: dict[str, None] = {}
        for word in listed:
            if (key := key_of(word)) is None:
                names = 'a sign or a name: "?", "f9", "ctrl+g", "space"'
                raise self.wrong((KEYS, action), f"{word!r} is no key", names)
            keys[key] = None
        return tuple(keys)

    def _rules(self, table: Any) -> Mapping[str, Mapping[str, str]]:
        """Return the house rules by game id; a game is opened only if it has some."""
        form = f"a table: [{HOUSE_RULES}.{example_game()}], then RULE = CHOICE"
        if not isinstance(table, dict):
            raise self.wrong((HOUSE_RULES,), f"{HOUSE_RULES} cannot be {as_written(table)}", form)
        rules = {}
        for game_word, chosen in table.items():
            game = self._game(game_word)
            if not isinstance(chosen, dict):
                raise self.wrong(
                    (HOUSE_RULES, game_word), f"{game_word} cannot be {as_written(chosen)}", form
                )
            if game is not None:
                rules[game.id] = self._rules_of(game, game_word, chosen)
        return rules

    def _game(self, word: str) -> GameInfo | None:
        """Return the game that a word names on a command line, also one in the user's folder; None if that file has a
        fault, which is reported when the game is played."""
        if word in GAMES:
            return GAMES[word]
        from companion.config.own_games import SUFFIX, named, names

        try:
            info = None if word.endswith(SUFFIX) else named(word)
        except CommandError:
            return None
        if info is None:
            raise self.wrong(
                (HOUSE_RULES, word),
                f"there is no game {word!r}",
                nearest_or_all(word, sorted(names())),
            )
        return info

    def _outlets(self, name: str, value: Any) -> Any:
        from companion.config.outlets import broker_of, hooks_of

        try:
            return hooks_of(value) if name == HOOKS else broker_of(value)
        except NotASetting as problem:
            what = "a hook" if name == HOOKS else "the broker"
            raise self.wrong((name,), f"{what} makes no sense", str(problem)) from problem

    def _rules_of(self, game: GameInfo, word: str, chosen: Mapping[str, Any]) -> Mapping[str, str]:
        from companion.rules.facts import Refused
        from companion.rules.house_rules import read_options

        rules, numbers = _house_rules(game)
        words = {rule: _choice(value) for rule, value in chosen.items()}
        for rule, choice in words.items():
            try:
                read_options({rule: choice}, rules, numbers)
            except Refused as refusal:
                raise self.wrong(
                    (HOUSE_RULES, word, rule), refusal.reason, refusal.expected
                ) from refusal
            self._note(HOUSE_RULES, word, rule, name=f"{HOUSE_RULES}.{game.id}.{rule}")
        return words


def _house_rules(info: GameInfo) -> tuple[Sequence[HouseRule], Sequence[Number]]:
    """Return the house rules of a game. Its options module is enough; opening the game would load its models."""
    if info.options:
        options = info.part(info.options)
        return options.HOUSE_RULES, getattr(options, "NUMBERS", ())
    game = open_game(info.id)
    return game.house_rules, game.numbers


_NAMED = (
    "escape enter tab space backspace delete insert home end pageup pagedown up down left right "
    + " ".join(f"f{number}" for number in range(1, 25))
).split()
_PEOPLE = {
    "esc": "escape",
    "del": "delete",
    "bksp": "backspace",
    "ins": "insert",
    "return": "enter",
}
_MODIFIERS = ("ctrl", "shift", "alt")


def key_of(word: str) -> str | None:
    """Return Textual's name of the key that `word` means (`question_mark` for `?`, `ctrl+q` for `^q`, `f2` for `F2`),
    or None if it means none."""
    if len(word) == 1:
        return key_of_character(word)
    if len(word) == 2 and word.startswith("^"):
        return f"ctrl+{word[1].lower()}"
    *modifiers, last = word.split("+")
    if any(modifier.lower() not in _MODIFIERS for modifier in modifiers):
        return None
    name = key_of_character(last) if len(last) == 1 else _name(last)
    if name is None or not modifiers:
        return name
    return "+".join((*modifiers, name)).lower()


def _name(word: str) -> str | None:
    small = word.lower()
    small = _PEOPLE.get(small, small)
    if small in _NAMED:
        return small
    if len(key_name(small)) == 1:  # Textual's own name of a character
        return small
    try:
        character = unicodedata.lookup(small.replace("_", " "))
    except KeyError:
        return None
    # Unicode has names for far more than keys, wheels included
    return key_of_character(character) if character.isascii() else None
