"""The port and the codes of an evening: games follow one another, and everybody's phone stays with the table.
Imports nothing of a server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Self

from companion.journal.disk import PRIVATE, create_private, make_private, read_json, write_private
from companion.journal.locks import lock
from companion.session.roles import Role, role_named

FILE = "phones.json"
"""The file in the data folder. Only its owner can read it; it is in no copy and no export of a session."""
HOURS = 12.0
"""Hours without a game after which an evening is over, unless the settings say otherwise."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who sat at this table today, and the code that opens the page of the seat they have now.

    `is_away`: they have none. `is_unsure`: the name came back after an absence, and nobody has said yet whether it is
    the same person; until then the code opens everybody's page only.
    """

    name: str
    code: str
    is_away: bool = False
    is_unsure: bool = False


@dataclass(frozen=True, slots=True)
class RoleGiven:
    """A role that was given to a device: the `title` of the role, and what people call the device.

    `speaks_for_table`: its page is open in place of the laptop's screen.
    """

    code: str
    title: str
    name: str
    speaks_for_table: bool = False

    @property
    def role(self) -> Role:
        """The role."""
        role = role_named(self.title)
        assert role is not None, "only roles that exist are given, and read"
        return role


@dataclass(frozen=True, slots=True)
class KeptEvening:
    """What the file has. `last_s`: when pages were served last, in seconds since 1970."""

    port: int
    everybody: str
    last_s: float
    people: Mapping[str, Person] = field(default_factory=dict)
    roles: Sequence[RoleGiven] = ()

    def is_over(self, now_s: float, hours: float) -> bool:
        """Return whether no game was played for so long that the people's codes end. A clock that was set back by as
        much ends them as well."""
        return abs(now_s - self.last_s) > hours * 3600


def read_evening(folder: Path) -> KeptEvening | None:
    """Return what the file in `folder` has; None if there is none, or it cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        data: Any = read_json(folder / FILE)
        people = {key: Person(**person) for key, person in data["people"].items()}
        # an older companion's file has no roles
        roles = tuple(RoleGiven(**role) for role in data.get("roles", ()))
        texts = [data["everybody"], *people]
        flags = []
        for given in roles:
            texts += [given.code, given.title, given.name]
            flags.append(given.speaks_for_table)
        for person in people.values():
            texts += [person.name, person.code]
            flags += [person.is_away, person.is_unsure]
        if (
            type(data["port"]) is int
            and 0 < data["port"] < 2**16
            and type(data["last_s"]) in (int, float)
            and all(isinstance(text, str) and text for text in texts)
            and all(isinstance(flag, bool) for flag in flags)
        ):
            known = tuple(given for given in roles if role_named(given.title) is not None)
            return KeptEvening(data["port"], data["everybody"], data["last_s"], people, known)
    return None


def goes_on(folder: Path, hours: float = HOURS) -> bool:
    """Return whether the next game serves pages by itself, because the game before it did, this evening."""
    kept = read_evening(folder)
    return kept is not None and not kept.is_over(time.time(), hours)


class Evening:
    """The file, held by one companion at a time; another one on this computer has a port and codes of its own."""

    def __init__(
        self, folder: Path, held: BinaryIO, hours: float, clock: Callable[[], float]
    ) -> None:
        self._folder, self._held, self._clock = folder, held, clock
        kept = read_evening(folder)
        self.goes_on = kept is not None and not kept.is_over(clock(), hours)
        """Whether phones of an earlier game may still be here."""
        if kept is not None and not self.goes_on:
            kept = replace(kept, people={}, roles=())
        self.before = kept
        """What was kept, None if nothing was. Everybody's code outlasts the evening, those of people and roles do
        not."""

    @classmethod
    def held(
        cls, folder: Path, hours: float = HOURS, clock: Callable[[], float] = time.time
    ) -> Self | None:
        """Return the evening in `folder`, held until it is closed; None if another companion has it, or nothing can be
        written there."""
        path = folder / f"{FILE}.lock"
        with suppress(OSError):  # LockTaken among them
            make_private(folder)
            create_private(path)
            file = path.open("r+b", buffering=0)
            try:
                lock(file)
            except OSError:
                file.close()
                raise
            return cls(folder, file, hours, clock)
        return None

    def save(
        self,
        port: int,
        everybody: str,
        people: Mapping[str, Person],
        roles: Sequence[RoleGiven] = (),
    ) -> None:
        """Write the file. If that fails, phones have to scan again after the next start."""
        kept = KeptEvening(port, everybody, self._clock(), people, roles)
        with suppress(OSError):
            write_private(self._folder / FILE, json.dumps(asdict(kept)).encode(), PRIVATE)

    def close(self) -> None:
        """Let another companion have it."""
        self._held.close()
