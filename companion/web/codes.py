"""The codes in the addresses of pages, which nobody can guess: one for everybody, one for each person, and one for each
device that was given a role."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from companion.rules.facts import TABLE, Seat, SeatId
from companion.rules.names import person_key
from companion.session.corrections import NotDone
from companion.session.evening import Person, RoleGiven
from companion.session.roles import Role

CODE_BYTES = 16
"""128 random bits: guessing one at a million tries a second takes longer than the universe has existed."""

MOST_ROLES = 8
"""Roles given out at a time; each has a place for its page that nobody else's page takes."""
LONGEST_NAME = 40
"""Characters of the name of a device."""
TOO_MANY_ROLES = (
    f"At most {MOST_ROLES} devices have a role. Revoke all of them, then give out new codes."
)
BAD_NAME = f"A device's name has at most {LONGEST_NAME} letters, digits and signs."

NO_SEAT = "This seat has no address yet. Look at the list again."


def new_code() -> str:
    """Return a new code for an address."""
    return secrets.token_urlsafe(CODE_BYTES)


class Codes:
    """The code of everybody, and that of each person. Any thread may use it.

    A code belongs to a person (a name, compared as names of seats are) and opens the seat that this person has in the
    game being played. Somebody without a seat sees what everybody sees. `everybody` and `people` are those from before;
    `changed` is called when either changes.
    """

    def __init__(
        self,
        make: Callable[[], str] = new_code,
        everybody: str = "",
        people: Mapping[str, Person] | None = None,
    ) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._everybody = everybody or make()
        self._people: dict[str, Person] = dict(people or {})
        self._keys: dict[SeatId, str] = {}  # the key of the person on each seat
        self.changed: Callable[[], object] = lambda: None

    def seat(self, seats: Iterable[Seat]) -> None:
        """Put these people on their seats, and nobody else. Somebody new gets a code."""
        with self._lock:
            before = (self._people, self._keys)
            keys: dict[SeatId, str] = {}
            for seat in seats:
                if seat.id != TABLE:
                    key = person_key(seat.name)
                    # Names are different at our tables; in a record made elsewhere two people may have one.
                    keys[seat.id] = f"{key}\n{seat.id}" if key in keys.values() else key
                    self._sit_down(keys[seat.id], seat.name)
            seated = set(keys.values())
            people = {}
            for key, person in self._people.items():
                away = key not in seated
                people[key] = person if person.is_away == away else replace(person, is_away=away)
            self._people, self._keys = people, keys
            is_other = (self._people, self._keys) != before
        if is_other:
            self.changed()

    def _sit_down(self, key: str, name: str) -> None:
        person = self._people.get(key)
        if person is None:
            person = Person(name, self._make())
        elif person.is_away:
            person = replace(person, name=name, is_away=False, is_unsure=True)
        self._people = {**self._people, key: person}

    def renew(self, viewer: SeatId) -> None:
        """Give the person on a seat, or everybody, a new code; the old one opens nothing. Raise `NotDone` if nobody is
        known to be on that seat."""
        with self._lock:
            if viewer == TABLE:
                self._everybody = self._make()
            else:
                key = self._key(viewer)
                person = replace(self._people[key], code=self._make(), is_unsure=False)
                self._people = {**self._people, key: person}
        self.changed()

    def confirm(self, viewer: SeatId) -> None:
        """Note that the person on a seat is the one who had this name before: the old code opens the seat. Raise
        `NotDone` as `renew` does."""
        with self._lock:
            key = self._key(viewer)
            self._people = {**self._people, key: replace(self._people[key], is_unsure=False)}
        self.changed()

    def is_unsure(self, viewer: SeatId) -> bool:
        """Return whether somebody has to say if the person on a seat is the one who had this name before."""
        with self._lock:
            return viewer in self._keys and self._people[self._keys[viewer]].is_unsure

    def given(self) -> tuple[str, Mapping[str, Person]]:
        """Return everybody's code, and the people by their keys."""
        with self._lock:
            return self._everybody, self._people

    def by_seat(self) -> Mapping[SeatId, Person]:
        """Return who is on each seat."""
        with self._lock:
            return {seat: self._people[key] for seat, key in self._keys.items()}

    def of(self, viewer: SeatId) -> str:
        """Return the code of the person on a seat, or everybody's; raise `NotDone` as `renew` does."""
        with self._lock:
            return self._everybody if viewer == TABLE else self._people[self._key(viewer)].code

    def _key(self, viewer: SeatId) -> str:
        key = self._keys.get(viewer)
        if key is None:
            raise NotDone(NO_SEAT)
        return key

    def viewer(self, code: str) -> SeatId | None:
        """Return the seat that a code opens, `TABLE` if it is everybody's or of somebody without a seat, None if it is
        no code. The time does not depend on how much of a code is right."""
        given = code.encode("utf-8", "replace")
        with self._lock:
            everybody, people = self._everybody, self._people
            seats = {key: seat for seat, key in self._keys.items()}
        match: SeatId | None = None
        if secrets.compare_digest(everybody.encode(), given):
            match = TABLE
        for key, person in people.items():
            if secrets.compare_digest(person.code.encode(), given):
                match = TABLE if person.is_unsure else seats.get(key, TABLE)
        return match


class RoleCodes:
    """The code of each device that was given a role, at most `MOST_ROLES`. Any thread may use it.

    `before` are those given out earlier this evening; `changed` is called when a role is given out or revoked.
    """

    def __init__(
        self, make: Callable[[], str] = new_code, before: Sequence[RoleGiven] = ()
    ) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._given = tuple(before)[:MOST_ROLES]
        self.changed: Callable[[], object] = lambda: None

    def give_out(self, role: Role, name: str, *, speaks_for_table: bool) -> str:
        """Give `role` to the device that people call `name` and return its code; raise `NotDone`.

        A name that another device has gets a number, so that people can tell the two apart.
        """
        named = " ".join(name.split()) or role.title.capitalize()
        if len(named) > LONGEST_NAME or not named.isprintable():
            raise NotDone(BAD_NAME)
        with self._lock:
            if len(self._given) >= MOST_ROLES:
                raise NotDone(TOO_MANY_ROLES)
            taken = {person_key(given.name) for given in self._given}
            unlike, number = named, 1
            while person_key(unlike) in taken:
                number += 1
                unlike = f"{named} {number}"
            given = RoleGiven(self._make(), role.title, unlike, speaks_for_table)
            self._given = (*self._given, given)
        self.changed()
        return given.code

    def revoke(self, code: str) -> None:
        """Take back what was given out with that code: it opens nothing any more."""
        with self._lock:
            self._given = tuple(given for given in self._given if given.code != code)
        self.changed()

    def revoke_all(self) -> None:
        """Take back all roles."""
        with self._lock:
            self._given = ()
        self.changed()

    def given(self) -> tuple[RoleGiven, ...]:
        """Return the roles that are given out, the oldest first."""
        with self._lock:
            return self._given

    def wanted(self) -> frozenset[Role]:
        """Return the roles whose pages are to be drawn."""
        return frozenset(given.role for given in self.given())

    def of(self, code: str) -> RoleGiven | None:
        """Return what a code was given out for, None if it is no role's code. The time does not depend on how much of a
        code is right."""
        typed = code.encode("utf-8", "replace")
        match: RoleGiven | None = None
        for given in self.given():
            if secrets.compare_digest(given.code.encode(), typed):
                match = given
        return match
