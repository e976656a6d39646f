"""Results of games that are over, by what tables reported, and the rulings of judges about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, insert, select

from companion.hub import Declined
from companion.hub.kept_events import KeptEvent, readable
from companion.hub.overview import GONE, names_of, newest_events
from companion.hub.parts import parts_in
from companion.hub.points import PointsRules
from companion.hub.rounds import Gathering
from companion.hub.schema import EVENTS, RECORDS, RULINGS, TABLES
from companion.hub.standings import PlacedPlayer, Standings, TableResult, places_of, standings_of
from companion.rules.columns import can_be_shown, listed
from companion.rules.names import person_key

LONGEST_WHY: Final = 200
_MOST: Final = (1 << 31) - 1  # PostgreSQL's largest integer
NO_RESULT: Final = (
    "No result is here: that game is not over, was ended early, or was of another event."
)
# by players about one result, until a judge settles it; one is enough to have it checked
MOST_DOUBTS: Final = 5


class RulingKind(StrEnum):
    """The kinds of rulings: the places are set, or the table's are restored; the result is disputed, or that is settled
    without a change. `DOUBTED` is a player's doubt, not a judge's ruling."""

    SET = "set"
    LIFTED = "lifted"
    DISPUTED = "disputed"
    SETTLED = "settled"
    DOUBTED = "doubted"


_RULING_WORDS: Final[Mapping[str, str]] = {
    RulingKind.SET: "set by",
    RulingKind.LIFTED: "what the table told holds, says",
    RulingKind.SETTLED: "settled by",
}
"""Words of the pages for a ruling that ends a dispute; the judge's name follows."""


def results_in(
    connection: Connection, gathering: int, record: int | None = None, *, early: bool = False
) -> tuple[TableResult, ...]:
    """Return the results of a gathering's games that are over, by the record's id, or only that of `record`. A game
    that was ended early has none unless a judge set its places; with `early`, for judges, these are included."""
    among = select(RECORDS.c.id).where(RECORDS.c.gathering == gathering)
    if record is not None:
        among = among.where(RECORDS.c.id == min(record, _MOST))
    newest, names = newest_events(connection, among), names_of(connection, among)
    ends = _by_record(connection, "end", among)
    corrections = _by_record(connection, "correction", among)
    rulings, parts = _rulings(connection, among), parts_in(connection)
    before = newest_events(
        connection, select(RECORDS.c.id).where(RECORDS.c.id.in_(parts.all_before))
    )
    query = select(RECORDS.c.id, RECORDS.c.title, TABLES.c.number).join(
        TABLES, TABLES.c.id == RECORDS.c.table_id
    )
    results = []
    for row in connection.execute(query.where(RECORDS.c.id.in_(among)).order_by(RECORDS.c.id)):
        event, end_events = newest.get(row.id), ends.get(row.id, [])
        # over by its newest event: an end that was undone later is none
        if row.id in parts.without or event is None or not event.table.ended or not end_events:
            continue
        judged = any(ruling.kind == RulingKind.SET for ruling in rulings.get(row.id, []))
        if end_events[-1].early and not (judged or early):
            continue
        reports = (
            end_events,
            corrections.get(row.id, []),
            names.get(row.id, {}),
            rulings.get(row.id, []),
        )
        result = _result((row.id, row.number, row.title), event.table.scores, *reports)
        results.append(replace(result, parts=parts.sentences(row.id, before)))
    return tuple(results)


def _result(
    which: tuple[int, int, str],
    scores: Mapping[str, int | None],
    ends: Sequence[KeptEvent],
    corrections: Sequence[KeptEvent],
    names: Mapping[str, str],
    rulings: Sequence[Row[Any]],
) -> TableResult:
    last = ends[-1]
    # winners of an end that was corrected later do not count
    end_corrected = any(
        last.number in correction.corrects
        for correction in corrections
        if correction.number > last.number
    )
    winners = () if end_corrected else last.winners
    lowest = last.lowest_wins
    # with the last end's `lowest_wins` for both, so that only a correction makes a difference
    first = places_of(ends[0].winners, ends[0].table.scores, lowest_wins=lowest)
    latest = places_of(winners, scores, lowest_wins=lowest)
    changed = ""
    if latest != first:
        before = ", ".join(f"{player.place} {names.get(player.name) or GONE}" for player in first)
        changed = f"put right at the table; before: {before}"
    placed = latest
    places, ruled, disputed, doubts = _judged(rulings, names)
    if places:
        order = {seat: place for place, seat in json.loads(places)}
        # Last come players whose names were taken out of the hub: no judge could write them.
        placed = tuple(
            PlacedPlayer(seat, order.get(seat, len(order) + 1), scores.get(seat))
            for seat in order | dict.fromkeys(scores)
        )
    players = tuple(
        PlacedPlayer(names.get(player.name, ""), player.place, player.score) for player in placed
    )
    return TableResult(*which, players, changed, ruled, disputed, doubts, lowest)


def _judged(
    rulings: Iterable[Row[Any]], names: Mapping[str, str]
) -> tuple[str, str, str, tuple[str, ...]]:
    """Return the places a judge set, who ruled why, by whom or why it has been disputed since, and for judges what
    players said since; each is empty if there is nothing."""
    places, places_sentence, settled = "", "", ""
    judges, players, doubts = list[str](), list[str](), list[str]()
    for ruling in rulings:
        if ruling.kind in _RULING_WORDS:  # it ends all earlier disputes
            sentence = f"{_RULING_WORDS[ruling.kind]} {ruling.who}: {ruling.why}"
            settled, judges, players, doubts = "", [], [], []
            if ruling.kind == RulingKind.SETTLED:
                settled = sentence
            else:
                places, places_sentence = ruling.places, sentence
            continue
        settled = ""
        if ruling.kind == RulingKind.DISPUTED:
            judges = [ruling.why]
        else:
            name = names.get(ruling.who) or GONE
            if name not in players:
                players.append(name)
            if ruling.why:
                doubts.append(f"{name} says: {ruling.why}")
    ruled = "; ".join(sentence for sentence in (places_sentence, settled) if sentence)
    if players:
        judges.append(f"by {', '.join(players)}")
    return places, ruled, "; ".join(judges), tuple(doubts)


def league_of(
    connection: Connection, gatherings: tuple[Gathering, ...], rules: PointsRules
) -> Standings:
    """Return the league: the standings of each event count as one result of everybody who played in it; those of the
    current event as they are now. Disputes count and show here too; the order of events makes no difference."""
    results = []
    for gathering in gatherings:
        lines = standings_of(results_in(connection, gathering.id), rules).lines
        players = tuple(PlacedPlayer(line.name, line.rank, line.points) for line in lines)
        disputed = "a result of it" if any(line.doubtful for line in lines) else ""
        if players:
            results.append(
                TableResult(gathering.id, 0, gathering.title, players, disputed=disputed)
            )
    return standings_of(results, rules.league)


def rule(
    connection: Connection,
    record: int,
    kind: RulingKind,
    order: str,
    why: str,
    who: str,
    now: float,
) -> None:
    """Store a judge's ruling. For `SET`, `order` has the names from the first place on, with `=` between those who
    share one: `Ann, Bo = Cy`. Raise `Declined`."""
    if kind is RulingKind.DOUBTED:
        raise Declined("That is for players to say.")
    this = select(RECORDS.c.id).where(RECORDS.c.id == record)
    if connection.execute(this).first() is None:
        raise Declined("There is no such game.")
    places = ""
    if kind is RulingKind.SET:
        event = newest_events(connection, this).get(record)
        played = event.table.scores if event else ()
        places = json.dumps(_places(order, names_of(connection, this).get(record, {}), played))
    _store_ruling(connection, record, kind, places, why, who, now)


def _store_ruling(
    connection: Connection,
    record: int,
    kind: RulingKind,
    places: str,
    why: str,
    who: str,
    now: float,
) -> None:
    why = why.strip()
    if not 0 < len(why) <= LONGEST_WHY or not can_be_shown(why):
        raise Declined(f"Say why, in up to {LONGEST_WHY} characters.")
    values = {
        "record": record,
        "kind": kind.value,
        "places": places,
        "why": why,
        "who": who,
        "at": now,
    }
    connection.execute(insert(RULINGS).values(values))


def _places(order: str, names: Mapping[str, str], played: Iterable[str]) -> list[tuple[int, str]]:
    seats = {person_key(name): seat for seat, name in names.items() if name}
    places: list[tuple[int, str]] = []
    if not order.strip():
        raise Declined("Write the places: the names from the first on, with commas between.")
    for group in order.split(","):
        place = len(places) + 1
        for typed in group.split("="):
            name = typed.strip()
            seat = seats.get(person_key(name))
            if seat is None:
                known = ", ".join(filter(None, names.values()))
                raise Declined(f"{name!r} did not play there: {known} did.")
            places.append((place, seat))
    if len({seat for _, seat in places}) != len(places):
        raise Declined("Somebody stands there twice.")
    placed = {seat for _, seat in places}
    if missing := [names[seat] for seat in played if seat not in placed and names.get(seat)]:
        raise Declined(
            f"No place is written for {listed(missing)}: everybody who played needs one."
        )
    return places


def doubt(
    connection: Connection, gathering: int, record: int, name: str, why: str, now: float
) -> None:
    """Store a player's doubt about the result of their game, for a judge to check; raise `Declined`."""
    results = results_in(connection, gathering, record)
    if not results:
        raise Declined(NO_RESULT)
    names = names_of(connection, select(RECORDS.c.id).where(RECORDS.c.id == record)).get(record, {})
    seats = {seat_name: seat for seat, seat_name in names.items() if seat_name}
    if name not in seats:
        raise Declined("Choose your name: only who played there can say this.")
    if len(results[0].doubts) >= MOST_DOUBTS:
        raise Declined("This result is disputed already. Speak to a judge.")
    _store_ruling(connection, record, RulingKind.DOUBTED, "", why, seats[name], now)


def _by_record(
    connection: Connection, kind: str, among: Select[tuple[int]]
) -> dict[int, list[KeptEvent]]:
    by_record: dict[int, list[KeptEvent]] = {}
    query = (
        select(EVENTS)
        .where((EVENTS.c.kind == kind) & EVENTS.c.record.in_(among))
        .order_by(EVENTS.c.number)
    )
    for record, event in readable(connection.execute(query)):
        by_record.setdefault(record, []).append(event)
    return by_record


def _rulings(connection: Connection, among: Select[tuple[int]]) -> dict[int, list[Row[Any]]]:
    by_record: dict[int, list[Row[Any]]] = {}
    for row in connection.execute(
        select(RULINGS).where(RULINGS.c.record.in_(among)).order_by(RULINGS.c.id)
    ):
        by_record.setdefault(row.record, []).append(row)
    return by_record
