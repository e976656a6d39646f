"""The hooks of the settings file: who is told of events of a game, where, and of which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from companion.config.schema import NotASetting
from companion.config.secret import Secret, secret_of
from companion.rules.feed_kinds import KINDS

EXAMPLE = '[[hooks]], then name = "lights" and url = "https://..." or command = ["/home/me/lights"]'


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook: a `url` that is posted to, or a `command` that is run. Its `secret` signs what is posted."""

    name: str
    on: frozenset[str] = frozenset(KINDS)
    url: str = ""
    command: tuple[str, ...] = ()
    secret: Secret | None = None

    @property
    def place(self) -> str:
        """Where it goes, for people to read: no path and no argument, for these may be as good as a secret."""
        return self.command[0] if self.command else "{0.scheme}://{0.netloc}".format(urlsplit(self.url))


def hooks_of(value: Any) -> tuple[Hook, ...]:
    """Return the hooks that the settings file has; raise `NotASetting`."""
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise NotASetting(EXAMPLE)
    found = tuple(_hook_of(dict(table)) for table in value)
    names = [hook.name for hook in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise NotASetting(f"a name of its own for each hook, not {twice!r} twice")
    return found


def _hook_of(table: dict[str, Any]) -> Hook:
    name = table.pop("name", None)
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise NotASetting('name = "..." in each hook')
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
        raise NotASetting(f"hook {name!r} to have no secret: that signs what is posted, and a command is not")
    return Hook(name, frozenset(on), _url(name, url), _command(name, command), secret)


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
    """Return the parts of an address that can be posted to; None of any other."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable and url.isascii() and url.isprintable() and " " not in url else None


def _command(name: str, command: Sequence[Any]) -> tuple[str, ...]:
    if not isinstance(command, list) or not all(isinstance(word, str) and "\0" not in word for word in command):
        raise NotASetting(f'command in hook {name!r} to be a list: ["/home/me/lights", "--fast"]')
    words = tuple(command)
    if words and "/" in words[0]:
        words = (str(Path(words[0]).expanduser()), *words[1:])
        if not Path(words[0]).is_absolute():
            raise NotASetting(f"the whole path of the command in hook {name!r}, from / or ~ on")
    if words and not words[0]:
        raise NotASetting(f"a command in hook {name!r}")
    return words
