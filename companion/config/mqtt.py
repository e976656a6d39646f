"""The MQTT broker of the settings file: where it is, and under which topics a table is told there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.config.schema import NotASetting
from companion.config.secret import Secret, secret_of

PORT, TLS_PORT = 1883, 8883
PREFIX = "table-companion"
EXAMPLE = '[mqtt], then host = "broker.local"'
_KINDS: dict[str, type] = {
    "host": str,
    "port": int,
    "tls": bool,
    "ca_file": str,
    "username": str,
    "prefix": str,
    "home_assistant": bool,
}


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker. `ca_file` is whose certificates are trusted; empty: those that the system trusts. `prefix` begins each
    topic; `home_assistant`: the table is announced there too."""

    host: str
    port: int = PORT
    tls: bool = False
    ca_file: str = ""
    username: str = ""
    password: Secret | None = None
    prefix: str = PREFIX
    home_assistant: bool = False

    @property
    def place(self) -> str:
        """Where it is, for people to read."""
        return f"{self.host}:{self.port}"


def broker_of(value: Any) -> Broker:
    """Return the broker that the settings file names; raise `NotASetting`."""
    if not isinstance(value, dict):
        raise NotASetting(EXAMPLE)
    table = dict(value)
    password = secret_of(table, "password")
    if unknown := [name for name in table if name not in _KINDS]:
        raise NotASetting(f"{', '.join(_KINDS)}, password_file or password_variable in [mqtt], not {unknown[0]}")
    for name, found in table.items():
        if type(found) is not _KINDS[name]:
            raise NotASetting(f"{name} in [mqtt] to be {_said(_KINDS[name])}")
    broker = Broker(**{"port": TLS_PORT if table.get("tls") else PORT, "host": "", **table}, password=password)
    _check(broker)
    return broker


def _said(kind: type) -> str:
    return {str: "a text", int: "a number", bool: "true or false"}[kind]


def _check(broker: Broker) -> None:
    if not broker.host.strip() or not broker.host.isprintable() or "/" in broker.host:
        raise NotASetting('host = "NAME" in [mqtt], a name or an address alone')
    if not 0 < broker.port < 2**16:
        raise NotASetting("port in [mqtt] to be a number from 1 to 65535")
    if not broker.prefix or broker.prefix.strip("/") != broker.prefix or any(sign in broker.prefix for sign in "+#\0"):
        raise NotASetting("prefix in [mqtt] to be the beginning of a topic: no + and no # in it, no / at its ends")
    if broker.ca_file and not broker.tls:
        raise NotASetting("tls = true in [mqtt], for a ca_file has no meaning without it")
    if broker.password is not None and not broker.username:
        raise NotASetting("a username in [mqtt], for a password has no meaning without it")
