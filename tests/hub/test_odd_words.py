"""Odd text in a form's field or a table's event leaves the hub's pages intact."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

from companion.hub.answers import TRIES_S
from companion.hub.database import Database
from companion.hub.ingest import NoBatch, read_batch, take
from companion.hub.schema import EVENTS as KEPT
from tests.hub.parts import FIRST_CODE, NOW, PASSWORD, Chain, RunningHub, joined, running
from tests.hub.test_results import Night

ODD = (
    "a\0b",
    "\u202e\u2028",
    "-1",
    "1_0",
    "000009999999999",
    "9223372036854775808",
    "A, A",
    "x" * 5_000,
)
FORMS = {
    "/setup": {"code": FIRST_CODE, "name": "Olga", "password": PASSWORD},
    "/sign-in": {"name": "Olga", "password": PASSWORD},
    "/organiser/code": {"number": "1"},
    "/organiser/revoke": {"number": "1"},
    "/organiser/judge": {"name": "Jo", "password": PASSWORD},
    "/judge": {"kind": "set", "record": "1", "order": "Ann, Bo", "why": "seen"},
    "/result/1": {"name": "Ann", "why": "miscounted"},
    "/organiser/event": {"title": "Autumn"},
    "/organiser/person": {"name": "Ann"},
    "/organiser/text": {"name": "Ann", "key": "ruling 1", "text": "seen"},
    "/organiser/merge": {"name": "Ann"},
    "/organiser/forget": {"name": "Ann", "mark": "0"},
    "/organiser/rounds": {"players": "A\nB\nC\nD\nE\nF", "rounds": "0"},
    "/organiser/mend": {"gone": "A", "late": "G", "rounds": "1"},
}


@pytest.fixture
def hub(database: Database) -> Iterator[RunningHub]:
    with running(database) as started:
        yield started


def test_no_field_of_a_form_brings_the_hub_down(hub: RunningHub) -> None:
    Night(hub.database).game(1, "Ann Bo", (5, 3))
    olga, failed = hub.organiser(), []
    for path, fields in FORMS.items():
        for name in fields:
            for odd in ODD:
                hub.clock += TRIES_S / 4  # so that no limit of tries answers instead
                visitor = hub.browser() if path in ("/setup", "/sign-in") else olga
                answered = visitor.post(path, **{**fields, name: odd})
                if answered.status >= 500:
                    failed.append((path, name, odd))
                assert visitor is not olga or answered.fields.get("location") != "/sign-in"
    assert failed == []
    assert [
        olga.get(path).status for path in ("/", "/organiser", "/organiser/rounds", "/judge")
    ] == [200] * 4


TABLE = {
    "where": "round 1",
    "players": [{"id": "s1", "score": 3}, {"id": "s2", "score": None}],
    "turn": ["s1"],
}
EVENTS = (
    {
        "number": 16,
        "kind": "session",
        "title": "SkyFire",
        "text": "",
        "table": TABLE | {"ended": False},
    },
    {
        "number": 20,
        "kind": "ruling",
        "text": "\u27e6S1\u27e7 shot",
        "table": TABLE | {"ended": False},
    },
    {
        "number": 26,
        "kind": "end",
        "early": False,
        "winners": ["s1"],
        "table": TABLE | {"ended": True},
    },
    {"number": 60, "kind": "correction", "corrects": [26], "table": TABLE | {"ended": True}},
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    2.5,
    10**30,
    "",
    "a\0b",
    "\ud800",
    "s9",
    [],
    ["s1"],
    {},
    [[1]],
    {"id": "s1"},
    [{"id": "s1"}],
)


def damaged(value: Any, chance: Random) -> Any:
    """Return an event with something left out or replaced."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(sorted(value))
        rest = {other: each for other, each in value.items() if other != name}
        return rest if chance.random() < 0.3 else rest | {name: damaged(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], damaged(value[at], chance), *value[at + 1 :]]
    return chance.choice(VALUES)


def test_no_event_that_a_table_tells_brings_a_page_down(on_sqlite: Database) -> None:
    chance, taken = Random(4), 0
    for number in range(1, 121):
        table, _ = joined(on_sqlite, number)
        chain, events = Chain(Random(number), 3), list(EVENTS)
        at = chance.randrange(len(events))
        events[at] = damaged(events[at], chance)
        with suppress(NoBatch), on_sqlite.writing() as connection:
            take(
                connection, chain.session, table, read_batch(chain.batch(0, 3, events=events)), NOW
            )
            taken += 1
    assert 10 < taken < 110
    with running(on_sqlite) as hub:
        olga = hub.organiser()
        paths = (
            "/",
            "/league",
            "/organiser",
            "/judge",
            *(f"/result/{record}" for record in range(1, taken + 1)),
        )
        assert [path for path in paths if olga.get(path).status not in (200, 404)] == []
        assert {olga.get(path).status for path in paths[:4]} == {200}


def test_what_an_earlier_version_kept_is_left_out_said_once_and_not_deleted(
    on_sqlite: Database, caplog: pytest.LogCaptureFixture
) -> None:
    chance, odd = Random(5), list[str]()
    for number in range(1, 41):
        table, _ = joined(on_sqlite, number)
        chain = Chain(Random(number), 3)
        end = EVENTS[2] | {"number": number * 100}  # another one in each game, behind the others
        with on_sqlite.writing() as connection:
            take(
                connection,
                chain.session,
                table,
                read_batch(chain.batch(0, 3, events=[*EVENTS, end])),
                NOW,
            )
            odd.append("}" if number % 4 else json.dumps(damaged(end, chance)))
            connection.execute(
                update(KEPT).where(KEPT.c.number == number * 100).values(body=odd[-1])
            )
    with running(on_sqlite) as hub:
        olga = hub.organiser()
        for _ in range(2):
            assert {
                olga.get(path).status for path in ("/", "/league", "/organiser", "/judge", "/hall")
            } == {200}
        assert "1 Ann, 2 Bo" in olga.get("/result/1").text  # as the event before has it
    lines = [
        record.getMessage() for record in caplog.records if "Event 100 " in record.getMessage()
    ]
    assert lines == [
        "Event 100 of game 1 is skipped: an earlier version of the hub stored what its pages cannot show. "
        "Nothing was deleted."
    ]
    with on_sqlite.reading() as connection:
        assert set(odd) <= set(connection.execute(select(KEPT.c.body)).scalars())
