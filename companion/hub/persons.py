"""All that the hub has about one person, to show them or to take out; and the export of all events."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, delete, select, update

from companion.hub import Declined
from companion.hub.accounts import Role
from companion.hub.name_search import NameSearch
from companion.hub.overview import GONE
from companion.hub.results import LONGEST_WHY, RulingKind
from companion.hub.schema import (
    ACCOUNTS,
    ENTRIES,
    EVENTS,
    FORKS,
    GATHERINGS,
    NAMES,
    RECORDS,
    ROUNDS,
    RULINGS,
    SIGNED_IN,
    TABLES,
)
from companion.hub.typed_texts import COLUMNS, Holds, TypedText, put_text, typed_texts
from companion.rules.columns import can_be_shown, listed
from companion.rules.names import person_key

EXPORTED: Final = (GATHERINGS, TABLES, RECORDS, NAMES, ENTRIES, EVENTS, FORKS, RULINGS, ROUNDS)
EDITED: Final = " (edited)"
"""Appended to a reason that the organiser edited: it is no longer what its judge or player wrote."""
LONGEST_TEXT: Final = 2000  # characters of any other edited text
# columns of `tables` by which tables are joined
_SECRET: Final = frozenset({"code", "code_until", "token", "laptop"})


@dataclass(frozen=True, slots=True)
class LeftText:
    """A typed text that may mean a person without having their name: as it will be once the name is taken out, and why
    it is listed."""

    typed: TypedText
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """The places of a person's name: the number of `names` by themselves, the texts that have it, each with its text
    without it, the texts `left` for the organiser to decide, and names `like` it, which may be the same person's.
    `signs_in` is the person's role, None without an account."""

    name: str
    names: int
    changed: tuple[tuple[TypedText, str], ...]
    left: tuple[LeftText, ...]
    like: tuple[str, ...]
    signs_in: Role | None

    @property
    def is_there(self) -> bool:
        """Whether the hub has anything of that name."""
        return bool(self.names or self.changed or self.signs_in)

    @property
    def places(self) -> int:
        """Number of places from which `forget` takes the name out."""
        return self.names + len(self.changed) + (self.signs_in is Role.JUDGE)

    @property
    def mark(self) -> str:
        """A digest of what is listed for the organiser to decide; it changes when something is added."""
        listed_texts = [(left.typed.key, left.text) for left in self.left]
        return sha256(repr((listed_texts, self.like)).encode()).hexdigest()[:16]


def known_of(connection: Connection, name: str) -> dict[str, Any]:
    """Return all that the hub has about the person of that name, in any spelling: each seat with the events that name
    it and the person's doubts about results; the rounds they were seated in, each as the event's number and its own;
    and texts typed by others with the name, without other people's names. Lists are empty if there is nothing."""
    seats = _seats_of(connection, name)
    played = []
    for record, seat in seats:
        query = (
            select(EVENTS.c.number, EVENTS.c.body)
            .where(EVENTS.c.record == record)
            .order_by(EVENTS.c.number)
        )
        # a quick test of the text: a seat is always quoted
        rows = [row for row in connection.execute(query) if f'"{seat}"' in row.body]
        events = [json.loads(row.body) for row in rows]
        query_doubts = select(RULINGS.c.why).where(_doubted(record, seat))
        doubts = list(connection.execute(query_doubts).scalars())
        played.append({"record": record, "seat": seat, "events": events, "doubts": doubts})
    rounds = [where for where, body in _rounds(connection) if _without(body, name) != body]
    search, own = _search_for(connection, name), _own_doubts(connection, seats)
    texts = [
        typed
        for typed in typed_texts(connection)
        if typed.key not in own and search.contains(typed.text)
    ]
    named = [
        {"where": typed.where, "text": search.without_others(typed.text, GONE)} for typed in texts
    ]
    return {"name": name, "played": played, "rounds": rounds, "named": named}


def found_of(connection: Connection, name: str) -> FoundPerson:
    """Return where a person's name is, and what may mean them without it. It changes nothing."""
    search, seats = _search_for(connection, name), _seats_of(connection, name)
    own, games = _own_doubts(connection, seats), {record for record, _ in seats}
    changed: list[tuple[TypedText, str]] = []
    left: list[LeftText] = []
    for typed in typed_texts(connection):
        if typed.key in own:
            continue
        text = search.replaced(typed.text, GONE)
        if text != typed.text:
            changed.append((typed, text))
        if like := search.similar_words(text):
            left.append(LeftText(typed, text, f"it has {listed(like)}"))
        elif typed.is_reason and typed.record in games and typed.text:
            left.append(LeftText(typed, text, "it is about a game that they played"))
    # places with the name alone; texts that have it are counted with `changed`
    count = len(seats) + sum(_without(body, name) != body for _, body in _rounds(connection))
    count += len(_decided_by(connection, name))
    others = (other for other in _known_names(connection) if person_key(other) != person_key(name))
    like_names = filter(search.may_be_same, others)
    return FoundPerson(
        name.strip(),
        count,
        tuple(changed),
        tuple(left),
        tuple(sorted(like_names, key=person_key)),
        _role_of(connection, name),
    )


def reword(connection: Connection, name: str, key: str, text: str) -> None:
    """Replace a text `left` of that person by the organiser's; raise `Declined`."""
    _put_edited(connection, found_of(connection, name), key, text)


def _put_edited(connection: Connection, found: FoundPerson, key: str, text: str) -> None:
    for left in found.left:
        if left.typed.key == key:
            break
    else:
        raise Declined("That text is not in the list any more: look again.")
    text = text.strip()
    longest = LONGEST_WHY if left.typed.is_reason else LONGEST_TEXT
    if not 0 < len(text) <= longest or not can_be_shown(text):
        raise Declined(f"Write something, in up to {longest} characters.")
    if left.typed.is_reason and text != left.text:
        # a reason is somebody's own words: readers see that it was changed
        text = text.removesuffix(EDITED) + EDITED
    put_text(connection, key, text)


def forget(
    connection: Connection, name: str, mark: str = "", edits: Iterable[tuple[str, str]] = ()
) -> int:
    """Take a person's name out of everything the hub has, and return the number of places it was in. The hash chains
    stay valid: names are not part of them. The person's doubts about results go too, and so does a judge's account of
    that name; typed texts get `GONE` for it. `edits` are the organiser's texts, by key, for those that no search can
    decide, see `found_of`. Raise `Declined` if more such texts exist than somebody saw with this `mark`."""
    if not person_key(name):
        return 0
    found = found_of(connection, name)
    if mark and found.mark != mark:
        raise Declined(
            "Nothing was changed: somebody typed more meanwhile. Look at the list again."
        )
    for typed, text in found.changed:
        put_text(connection, typed.key, text)
    for key, text in edits:
        _put_edited(connection, found, key, text)
    for record, seat in _seats_of(connection, name):
        here = (NAMES.c.record == record) & (NAMES.c.seat == seat)
        connection.execute(update(NAMES).where(here).values(name=""))
        connection.execute(update(RULINGS).where(_doubted(record, seat)).values(why=""))
    for column, row in _decided_by(connection, name):
        connection.execute(
            update(column.table).where(column.table.c.id == row).values({column.name: GONE})
        )
    for account, _, role in _accounts_of(connection, name):
        # the organiser's account stays: without it nobody could sign in
        if role is Role.JUDGE:
            connection.execute(delete(SIGNED_IN).where(SIGNED_IN.c.account == account))
            connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.id == account))
    _rewrite_rounds(connection, name, GONE)
    return found.places


def merge(connection: Connection, name: str) -> int:
    """Call a person `name` wherever another spelling of it is, in games, rounds, rulings and accounts, and return the
    number of places changed; of several accounts one stays. Raise `Declined` if two of that name are in one game or
    round."""
    seats = _seats_of(connection, name)
    games = Counter(record for record, _ in seats)
    twice = [record for record, count in games.items() if count > 1]
    twice += [number for (_, number), body in _rounds(connection) if _times(body, name) > 1]
    if twice:
        raise Declined(f"Two called {name} are in one game or round, so they are not one person.")
    places = 0
    for record, seat in seats:
        other = (NAMES.c.record == record) & (NAMES.c.seat == seat) & (NAMES.c.name != name)
        places += connection.execute(update(NAMES).where(other).values(name=name)).rowcount
    for column, row in _decided_by(connection, name):
        other = (column.table.c.id == row) & (column != name)
        places += connection.execute(
            update(column.table).where(other).values({column.name: name})
        ).rowcount
    return places + _merge_accounts(connection, name) + _rewrite_rounds(connection, name, name)


def _merge_accounts(connection: Connection, name: str) -> int:
    """Keep one account of that name: the organiser's, else the one spelled like this, else the oldest."""
    accounts = _accounts_of(connection, name)
    if not accounts:
        return 0
    best = min(accounts, key=lambda row: (row[2] is not Role.ORGANISER, row[1] != name, row[0]))
    others = [account for account, _, _ in accounts if account != best[0]]
    connection.execute(delete(SIGNED_IN).where(SIGNED_IN.c.account.in_(others)))
    connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.id.in_(others)))
    here = (ACCOUNTS.c.id == best[0]) & (ACCOUNTS.c.name != name)
    return len(others) + connection.execute(update(ACCOUNTS).where(here).values(name=name)).rowcount


def spellings(connection: Connection) -> tuple[tuple[str, ...], ...]:
    """Return the names that the hub has in several spellings, with all of them, sorted."""
    by_key: dict[str, list[str]] = {}
    for name in sorted(_known_names(connection)):
        by_key.setdefault(person_key(name), []).append(name)
    return tuple(tuple(names) for _, names in sorted(by_key.items()) if len(names) > 1)


def _search_for(connection: Connection, name: str) -> NameSearch:
    return NameSearch(name, _known_names(connection))


def _known_names(connection: Connection) -> set[str]:
    """Return all names of people that the hub has."""
    names = set(connection.execute(select(NAMES.c.name)).scalars())
    names.update(connection.execute(select(ACCOUNTS.c.name)).scalars())
    names.update(name for _, _, name in _deciders(connection))
    for _, body in _rounds(connection):
        names.update(_strings_in(body))
    return names - {"", GONE}


def _strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _strings_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings_in(item)
    elif isinstance(value, str):
        yield value


def _own_doubts(connection: Connection, seats: list[tuple[int, str]]) -> set[str]:
    """Return the keys in `typed_texts` of a person's own doubts about results."""
    own: set[str] = set()
    for record, seat in seats:
        rows = connection.execute(select(RULINGS.c.id).where(_doubted(record, seat))).scalars()
        own.update(f"ruling {row}" for row in rows)
    return own


def _deciders(connection: Connection) -> Iterator[tuple[Column[str], int, str]]:
    """Yield the name of everybody who decided something, with its column and row id."""
    for table, columns in COLUMNS.items():
        for name, holds in columns.items():
            if holds is not Holds.WHO:
                continue
            query = select(table.c.id, table.c[name]).order_by(table.c.id)
            # a doubting player is stored by seat, not by name
            if table is RULINGS:
                query = query.where(RULINGS.c.kind != RulingKind.DOUBTED.value)
            for row in connection.execute(query).all():
                yield table.c[name], row[0], row[1]


def _decided_by(connection: Connection, name: str) -> list[tuple[Column[str], int]]:
    """Return the columns and rows of decisions by a person of that name."""
    key = person_key(name)
    return [
        (column, row)
        for column, row, who in _deciders(connection)
        if who and person_key(who) == key
    ]


def _accounts_of(connection: Connection, name: str) -> list[tuple[int, str, Role]]:
    rows = connection.execute(select(ACCOUNTS).order_by(ACCOUNTS.c.id)).all()
    key = person_key(name)
    return [(row.id, row.name, Role(row.role)) for row in rows if person_key(row.name) == key]


def _role_of(connection: Connection, name: str) -> Role | None:
    roles = {role for _, _, role in _accounts_of(connection, name)}
    if Role.ORGANISER in roles:
        return Role.ORGANISER
    return Role.JUDGE if roles else None


def _rewrite_rounds(connection: Connection, name: str, instead: str) -> int:
    """Replace the name of a seated person by something else; return the number of rounds changed."""
    changed = 0
    for (gathering, number), body in _rounds(connection):
        body_without = _without(body, name, instead)
        if body_without == body:
            continue
        here = (ROUNDS.c.gathering == gathering) & (ROUNDS.c.number == number)
        connection.execute(update(ROUNDS).where(here).values(body=json.dumps(body_without)))
        changed += 1
    return changed


def _times(value: Any, name: str) -> int:
    """Return how often a person's name is in a round, which is a JSON value."""
    if isinstance(value, dict):
        return sum(_times(item, name) for item in value.values())
    if isinstance(value, list):
        return sum(_times(item, name) for item in value)
    return int(isinstance(value, str) and person_key(value) == person_key(name))


def exported(connection: Connection) -> Iterator[str]:
    """Yield all events as lines of JSON, one for each row: what tables sent, what judges ruled, how rounds were seated.
    Accounts, and the secrets by which tables are joined, are left out."""
    for table in EXPORTED:
        names = [
            column.name
            for column in table.columns
            if table is not TABLES or column.name not in _SECRET
        ]
        query = select(table).order_by(*table.primary_key.columns)
        for row in connection.execute(query).mappings():
            values = {name: row[name] for name in names}
            for name, value in values.items():
                if isinstance(value, bytes):
                    values[name] = value.hex()
            yield json.dumps({"table": table.name, "row": values}, separators=(",", ":"))


def _seats_of(connection: Connection, name: str) -> list[tuple[int, str]]:
    rows = connection.execute(select(NAMES).order_by(NAMES.c.record, NAMES.c.seat))
    key = person_key(name)
    return [(row.record, row.seat) for row in rows if row.name and person_key(row.name) == key]


def _doubted(record: int, seat: str) -> ColumnElement[bool]:
    return (
        (RULINGS.c.record == record)
        & (RULINGS.c.who == seat)
        & (RULINGS.c.kind == RulingKind.DOUBTED.value)
    )


def _rounds(connection: Connection) -> list[tuple[tuple[int, int], dict[str, Any]]]:
    rows = connection.execute(select(ROUNDS).order_by(ROUNDS.c.gathering, ROUNDS.c.number))
    return [((row.gathering, row.number), json.loads(row.body)) for row in rows]


def _without(value: Any, name: str, instead: str = GONE) -> Any:
    if isinstance(value, dict):
        return {key: _without(item, name, instead) for key, item in value.items()}
    if isinstance(value, list):
        return [_without(item, name, instead) for item in value]
    if isinstance(value, str) and person_key(value) == person_key(name):
        return instead
    return value
