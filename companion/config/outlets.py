"""Read from the settings file where a game's events go (hooks, the MQTT broker), and where their secrets are kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from companion.config.values import NotASetting, file_named
from companion.journal.disk import read_regular
from companion.rules.feed_kinds import KINDS

LONGEST = 4096  # bytes of a file with a secret


class NoSecretError(Exception):
    """A secret or a trusted certificate cannot be read: one sentence, without the secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """The place of a secret: a file or an environment variable."""

    file: str = ""
    variable: str = ""

    @property
    def where(self) -> str:
        """The place in words."""
        return f"the file {self.file}" if self.file else f"the variable {self.variable}"

    def read(self) -> str:
        """Return the secret without surrounding white space; raise `NoSecretError`."""
        if self.variable:
            secret = os.environ.get(self.variable, "").strip()
        else:
            try:
                secret = read_regular(file_named(self.file), LONGEST).decode("utf-8").strip()
            except (OSError, UnicodeDecodeError) as problem:
                why = problem.strerror if isinstance(problem, OSError) else "it is no UTF-8"
                raise NoSecretError(f"{self.where} cannot be read: {why}") from problem
        if not secret:
            raise NoSecretError(f"{self.where} has nothing in it")
        return secret


def secret_of(table: dict[str, object], name: str) -> Secret | None:
    """Remove `NAME_file` or `NAME_variable` from a table of the settings and return the secret's place, or None; raise
    `NotASetting`."""
    if name in table:
        raise NotASetting(
            f"{name}_file or {name}_variable: no secret stands in the settings themselves"
        )
    places = {
        key: table.pop(f"{name}_{key}") for key in ("file", "variable") if f"{name}_{key}" in table
    }
    if not places:
        return None
    (key, place), *more = places.items()
    if more or not isinstance(place, str) or not place or "\0" in place:
        raise NotASetting(f'one of {name}_file = "PATH" and {name}_variable = "NAME"')
    return Secret(**{key: place})


HOOKS_EXAMPLE = (
    '[[hooks]], then name = "lights" and url = "https://..." or command = ["/home/me/lights"]'
)


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook: a `url` that events are posted to, or a `command` that is run. Its `secret` signs what is posted."""

    name: str
    on: frozenset[str] = frozenset(KINDS)
    url: str = ""
    command: tuple[str, ...] = ()
    secret: Secret | None = None

    @property
    def place(self) -> str:
        """The hook's target for people to read, without a path or arguments: these may be as good as a secret."""
        if self.command:
            return self.command[0]
        return "{0.scheme}://{0.netloc}".format(urlsplit(self.url))


def hooks_of(value: Any) -> tuple[Hook, ...]:
    """Return the hooks of the settings file; raise `NotASetting`."""
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise NotASetting(HOOKS_EXAMPLE)
    hooks = tuple(_hook_of(dict(table)) for table in value)
    names = [hook.name for hook in hooks]
    for name in names:
        if names.count(name) > 1:
            raise NotASetting(f"a name of its own for each hook, not {name!r} twice")
    return hooks


def _hook_of(table: dict[str, Any]) -> Hook:
    name = table.pop("name", None)
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise NotASetting('name = "..." in each hook')
    # takes its own names out, so that any name left below is unknown
    secret = secret_of(table, "secret")
    on, url, command = table.pop("on", list(KINDS)), table.pop("url", ""), table.pop("command", [])
    if table:
        known = "name, on, url, command, secret_file or secret_variable"
        raise NotASetting(f"{known} in hook {name!r}, not {next(iter(table))}")
    if not isinstance(on, list) or not on or not all(kind in KINDS for kind in on):
        raise NotASetting(f"on in hook {name!r} to be a list of kinds: {', '.join(KINDS)}")
    if bool(url) == bool(command):
        raise NotASetting(f"hook {name!r} to have either a url or a command")
    if secret is not None and command:
        raise NotASetting(
            f"hook {name!r} to have no secret: that signs what is posted, and a command is not"
        )
    return Hook(name, frozenset(on), _url(name, url), _command_of(name, command), secret)


def _url(name: str, url: Any) -> str:
    if url == "":
        return ""
    parts = parts_of(url) if isinstance(url, str) else None
    if parts is None:
        raise NotASetting(f'url in hook {name!r} to be "https://HOST/PATH" or "http://HOST/PATH"')
    if parts.username is not None or parts.password is not None:
        raise NotASetting(f"url in hook {name!r} to have no name and no password in it")
    return str(url)


def parts_of(url: str) -> SplitResult | None:
    """Return the parts of an address that can be posted to, or None for any other."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    if not usable or " " in url:
        return None
    # control and non-ASCII characters would end up in the request's head
    return parts if url.isascii() and url.isprintable() else None


def _command_of(name: str, command: Sequence[Any]) -> tuple[str, ...]:
    if not isinstance(command, list) or not all(
        isinstance(word, str) and "\0" not in word for word in command
    ):
        raise NotASetting(f'command in hook {name!r} to be a list: ["/home/me/lights", "--fast"]')
    words = tuple(command)
    # a bare name is looked up in the fixed PATH of hooks
    if words and "/" in words[0]:
        words = (str(file_named(words[0])), *words[1:])
        if not Path(words[0]).is_absolute():
            raise NotASetting(f"the whole path of the command in hook {name!r}, from / or ~ on")
    if words and not words[0]:
        raise NotASetting(f"a command in hook {name!r}")
    return words


PORT, TLS_PORT = 1883, 8883
PREFIX = "table-companion"
MQTT_EXAMPLE = '[mqtt], then host = "broker.local"'


@dataclass(frozen=True, slots=True)
class Broker:
    """An MQTT broker. `ca_file` has the certificates to trust; empty: the system's. `prefix` begins each topic;
    `home_assistant`: announce the table there too."""

    host: str = ""
    port: int = PORT
    tls: bool = False
    ca_file: str = ""
    username: str = ""
    password: Secret | None = None
    prefix: str = PREFIX
    home_assistant: bool = False

    @property
    def place(self) -> str:
        """Host and port, for people to read."""
        return f"{self.host}:{self.port}"


_TYPES = {
    setting.name: type(setting.default) for setting in fields(Broker) if setting.name != "password"
}


def broker_of(section: Any) -> Broker:
    """Return the broker of the settings file; raise `NotASetting`."""
    if not isinstance(section, dict):
        raise NotASetting(MQTT_EXAMPLE)
    table = dict(section)
    password = secret_of(table, "password")
    if unknown := [name for name in table if name not in _TYPES]:
        raise NotASetting(
            f"{', '.join(_TYPES)}, password_file or password_variable in [mqtt], not {unknown[0]}"
        )
    for name, value in table.items():
        # `type`, not `isinstance`: `port = true` would pass as a number
        if type(value) is not _TYPES[name] or "\0" in str(value):
            wanted = {str: "a text", int: "a number", bool: "true or false"}[_TYPES[name]]
            raise NotASetting(f"{name} in [mqtt] to be {wanted}")
    broker = Broker(**{"port": TLS_PORT if table.get("tls") else PORT, **table}, password=password)
    if not broker.host.strip() or not broker.host.isprintable() or "/" in broker.host:
        raise NotASetting('host = "NAME" in [mqtt], a name or an address alone')
    if not 0 < broker.port < 2**16:
        raise NotASetting("port in [mqtt] to be a number from 1 to 65535")
    if (
        not broker.prefix
        or broker.prefix.strip("/") != broker.prefix
        or any(sign in broker.prefix for sign in "+#\0")
    ):
        raise NotASetting(
            "prefix in [mqtt] to be the beginning of a topic: no + and no # in it, no / at its ends"
        )
    if broker.ca_file and not broker.tls:
        raise NotASetting("tls = true in [mqtt], for a ca_file has no meaning without it")
    if broker.password is not None and not broker.username:
        raise NotASetting("a username in [mqtt], for a password has no meaning without it")
    return broker
