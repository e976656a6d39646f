"""The events that a hub has, one after the other, and the seating of their rounds, changed when somebody comes or goes.
Games, rounds and awards belong to the event that was on when they began."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, insert, select, update

from companion.hub import Declined
from companion.hub.command import LONGEST_TITLE
from companion.hub.schema import GATHERINGS, RECORDS, ROUNDS
from companion.hub.seating import History, PodRound, explained, least_repeats, mended, next_round
from companion.rules.columns import can_be_shown
from companion.rules.names import person_key, split_names

MOST_PLAYERS: Final = 1000
LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class Gathering:
    """An event: its id, counted from 1, its title, and whether everybody sees its awards."""

    id: int
    title: str
    awards_shown: bool


def gatherings_in(connection: Connection, title: str) -> tuple[Gathering, ...]:
    """Return all events in order; `title` is the name of those without one of their own."""
    rows = connection.execute(select(GATHERINGS).order_by(GATHERINGS.c.id))
    return tuple(Gathering(row.id, row.title or title, bool(row.awards_shown)) for row in rows)


def gathering_on(connection: Connection, title: str = "") -> Gathering:
    """Return the current event, which is the newest; `title` as in `gatherings_in`."""
    return gatherings_in(connection, title)[-1]


def begin_gathering(connection: Connection, title: str, now: float) -> None:
    """Begin the next event, or rename the current one if nothing has happened in it; raise `Declined`."""
    title = " ".join(title.split())
    if not 0 < len(title) <= LONGEST_TITLE or not can_be_shown(title):
        raise Declined(f"Give the event a name of up to {LONGEST_TITLE} characters.")
    current = gathering_on(connection).id
    used = False
    for table in (RECORDS, ROUNDS):
        query = select(table.c.gathering).where(table.c.gathering == current).limit(1)
        used = used or connection.execute(query).first() is not None
    if used:
        connection.execute(insert(GATHERINGS).values(title=title, begun=now, awards_shown=0.0))
    else:
        connection.execute(
            update(GATHERINGS).where(GATHERINGS.c.id == current).values(title=title, begun=now)
        )


def show_awards(connection: Connection, now: float) -> None:
    """Show the awards of the current event to everybody."""
    unreleased = (GATHERINGS.c.id == gathering_on(connection).id) & (
        GATHERINGS.c.awards_shown == 0.0
    )
    connection.execute(update(GATHERINGS).where(unreleased).values(awards_shown=now))


@dataclass(frozen=True, slots=True)
class Seated:
    """A round with its number, a sentence for each pod and one for the byes, the number of pairs that meet again, and a
    lower bound of that number for any seating."""

    number: int
    round: PodRound
    sentences: tuple[str, ...]
    repeats: int
    bound: int

    @property
    def tables(self) -> Sequence[tuple[str, int]]:
        """Each player with their table, by name."""
        seats = []
        for number, pod in enumerate(self.round.pods, start=1):
            seats += [(player, number) for player in pod]
        return sorted(seats, key=lambda seat: person_key(seat[0]))


def rounds_in(connection: Connection) -> tuple[PodRound, ...]:
    """Return all rounds of the current event in order."""
    here = ROUNDS.c.gathering == gathering_on(connection).id
    rows = connection.execute(select(ROUNDS.c.body).where(here).order_by(ROUNDS.c.number)).scalars()
    rounds = []
    for row in rows:
        body = json.loads(row)
        rounds.append(PodRound(tuple(map(tuple, body["pods"])), tuple(body["byes"])))
    return tuple(rounds)


def newest(connection: Connection) -> Seated | None:
    """Return the newest round with its explanations, or None before the first."""
    rounds = rounds_in(connection)
    if not rounds:
        return None
    return _seated(rounds[:-1], rounds[-1])


def _seated(before: Sequence[PodRound], new_round: PodRound) -> Seated:
    players = _players(new_round)
    history = _history(before, players)
    bound = least_repeats(players, [len(pod) for pod in new_round.pods], history)
    sentences = explained(new_round, history)
    repeats = history.repeats(new_round.pods)
    return Seated(len(before) + 1, new_round, sentences, repeats, bound)


def _players(pod_round: PodRound) -> list[str]:
    return [player for pod in (*pod_round.pods, pod_round.byes) for player in pod]


def _history(before: Sequence[PodRound], players: Sequence[str]) -> History:
    """Return the history of these players, spelled as now: earlier rounds may have other capitals."""
    written = {person_key(player): player for player in players}

    def now(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(written.get(person_key(name), name) for name in names)

    return History(
        PodRound(tuple(map(now, pod_round.pods)), now(pod_round.byes)) for pod_round in before
    )


def seat(
    connection: Connection, players: Sequence[str], now: float, chance: random.Random
) -> Seated:
    """Seat the next round and store it; raise `Declined`."""
    before = rounds_in(connection)
    new_round = next_round(players, _history(before, players), chance)
    key = {"gathering": gathering_on(connection).id, "number": len(before) + 1}
    connection.execute(insert(ROUNDS).values(**key, body=_written(new_round), at=now))
    return _seated(before, new_round)


def mend(connection: Connection, gone: Sequence[str], late: Sequence[str], now: float) -> Seated:
    """Change the newest round for those who left and those who came, and store it; raise `Declined`."""
    rounds = rounds_in(connection)
    if not rounds:
        raise Declined("No round is seated yet.")
    *before, old_round = rounds
    present = {person_key(player): player for player in _players(old_round)}
    for name in gone:
        if person_key(name) not in present:
            raise Declined(f"{name} is not in this round.")
    leaving = [present.pop(person_key(name)) for name in gone]
    for name in late:
        if person_key(name) in present:
            raise Declined(f"{name} is in this round already.")
    after = mended(old_round, _history(before, [*present.values(), *late]), leaving, late)
    here = (ROUNDS.c.gathering == gathering_on(connection).id) & (ROUNDS.c.number == len(rounds))
    connection.execute(update(ROUNDS).where(here).values(body=_written(after), at=now))
    return _seated(before, after)


def names_in(text: str, *, new: bool = True) -> list[str]:
    """Return the names that somebody typed or pasted; raise `Declined`. Names that are not `new` may have a form that
    only earlier versions accepted."""
    names = []
    for typed in split_names(text):
        name = " ".join(typed.split())
        if name:
            names.append(name)
    _require_valid(names, new=new)
    seen = set[str]()
    for name in names:
        if person_key(name) in seen:
            raise Declined(f"{name} stands there twice: give one of them another name.")
        seen.add(person_key(name))
    return names


def _require_valid(names: Sequence[str], *, new: bool) -> None:
    if len(names) > MOST_PLAYERS:
        raise Declined(f"More than {MOST_PLAYERS} players are too many for one hub's seating.")
    for name in names:
        if len(name) > LONGEST_NAME:
            raise Declined(
                f"A name has at most {LONGEST_NAME} letters; {name[:20]} ... has {len(name)}."
            )
    for name in names:
        if not can_be_shown(name):
            raise Declined(f"{name!r} has signs that nobody can see: type it again.")
    for name in names:
        if new and "=" in name:
            raise Declined(
                f"{name} has = in it, which judges write between those who share a place: leave it out."
            )


def _written(pod_round: PodRound) -> str:
    return json.dumps({"pods": pod_round.pods, "byes": pod_round.byes})
