"""Two ends of one game: both reach the organiser, who says which counts, and may take that back."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from companion.hub import forks, joining
from companion.hub.database import Database
from companion.hub.forks import End, forks_in
from companion.hub.results import results_in
from companion.hub.schema import FORKS, RECORDS
from companion.outbound import hub_line
from companion.session.key_meanings import UNDO
from companion.session.opening import resume
from companion.session.table import Table
from tests.commands.ran import Ran
from tests.hub.parts import Browser, Chain, RunningHub, joined, running, stored, until
from tests.hub.test_line import chain_of, has_all, sending_to_hub, ticket_of
from tests.hub.test_table_door import Speaker
from tests.web.served import played, press, saved
from tests.web.test_feed import eliminated


@pytest.fixture
def hub(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningHub]:
    monkeypatch.setattr(hub_line, "PAUSES_S", (0.02,))
    monkeypatch.setattr(hub_line, "REFUSED_S", 0.05)
    monkeypatch.setattr(joining, "KNOWN_S", 0.0)
    with running(database) as made:
        yield made


def forked(hub: RunningHub) -> tuple[Speaker, Chain]:
    """Return a table whose record the hub has, and another record that differs from entry 41 on."""
    table = Speaker(hub)
    assert table.send(table.chain.batch(0, 60))[0] == 200
    return table, Chain(random.Random(9), 30, table.chain, 40)


def fork_of(hub: RunningHub) -> int:
    with hub.database.reading() as connection:
        return int(connection.execute(select(FORKS.c.id)).scalar_one())


def settle(hub: RunningHub, organiser: Browser, end: str) -> str:
    return organiser.post("/organiser/fork", fork=str(fork_of(hub)), end=end).text


def test_where_the_tables_file_counts_it_is_taken_from_the_first_entry_on(hub: RunningHub) -> None:
    table, other = forked(hub)
    assert table.send(other.batch(40, 30))[0] == 409
    organiser = hub.organiser()
    assert "Settled. Table 1 is told" in settle(hub, organiser, "table")
    assert table.head().items() >= {"n": 0, "digest": "0" * 64, "event": 0}.items()
    assert "It comes when the table sends it" in organiser.get("/organiser").text
    assert table.send(other.batch(0, 70))[0] == 200
    assert [n for n, _ in stored(hub.database, table.chain.session)[0]] == list(range(1, 71))
    assert stored(hub.database, table.chain.session)[0][-1][1] == other.digests[70]
    page = organiser.get("/organiser").text
    assert (
        "the table&#x27;s file counts, says Olga" in page
        or "the table's file counts, says Olga" in page
    )
    assert page.count('id="table-1"') == 1


def test_where_what_the_hub_has_counts_the_table_is_told_whenever_it_asks(hub: RunningHub) -> None:
    table, other = forked(hub)
    table.send(other.batch(40, 10))
    settle(hub, hub.organiser(), "hub")
    status, reply = table.send(other.batch(40, 30))
    assert (status, reply["fork"]) == (409, True)
    assert str(reply["refused"]).startswith(
        "The organiser decided: what the hub has counts, not this file."
    )
    with hub.database.reading() as connection:
        ((fork,),) = forks_in(connection).values()
    assert fork.counts is End.HUB


def test_a_settlement_that_is_taken_back_leaves_both_ends_as_they_were(hub: RunningHub) -> None:
    table, other = forked(hub)
    table.send(other.batch(40, 30))
    before, organiser = stored(hub.database, table.chain.session), hub.organiser()
    settle(hub, organiser, "table")
    table.send(other.batch(0, 70))
    theirs = stored(hub.database, table.chain.session)
    assert "That is open again." in settle(hub, organiser, "")
    assert stored(hub.database, table.chain.session) == before
    assert "Which end counts?" in organiser.get("/organiser").text
    settle(hub, organiser, "table")  # what came meanwhile is there already
    assert stored(hub.database, table.chain.session) == theirs
    settle(hub, organiser, "hub")
    assert stored(hub.database, table.chain.session) == before


def test_the_end_that_does_not_count_cannot_come_in_the_place_of_the_other(hub: RunningHub) -> None:
    table, other = forked(hub)
    table.send(other.batch(40, 30))
    settle(hub, hub.organiser(), "table")
    first_laptop = joined(hub.database, 1, "the first laptop")[1]
    status, reply = table.send(table.chain.batch(0, 60), first_laptop, "the first laptop")
    assert (status, "another end of this game counts" in str(reply["refused"])) == (403, True)
    assert stored(hub.database, table.chain.session)[0] == []


def test_only_an_organiser_settles_a_fork_and_only_one_that_there_is(hub: RunningHub) -> None:
    table, other = forked(hub)
    table.send(other.batch(40, 30))
    organiser = hub.organiser()
    assert "There is no such fork." in organiser.post("/organiser/fork", fork="99", end="hub").text
    assert "There is no such fork." in organiser.post("/organiser/fork", fork="x", end="hub").text
    organiser.post("/organiser/judge", name="Jo", password="another long sentence")
    judge = hub.browser()
    judge.post("/sign-in", name="Jo", password="another long sentence")
    reply = judge.post("/organiser/fork", fork=str(fork_of(hub)), end="table")
    assert (reply.status, "Only an organiser settles this." in reply.text) == (403, True)
    assert "What is here counts" not in judge.get("/organiser").text


def test_a_packed_file_that_went_another_way_is_kept_as_a_fork_and_can_be_taken_in_later(
    on_sqlite: Database, tmp_path: Path
) -> None:
    chain = Chain(random.Random(1), 60)
    other = Chain(random.Random(9), 30, chain, 40)
    files = {}
    for name, each, count in (("first", chain, 60), ("other", other, 70)):
        files[name] = tmp_path / f"{name}.hub"
        lines = [f"companion hub pack {chain.session.hex()}", each.batch(0, count).decode()]
        files[name].write_text("\n".join(lines) + "\n")
    url = ("--database", f"sqlite:///{on_sqlite.file}")
    assert Ran("hub", "take", str(files["first"]), "--table", "3", *url).code == 0
    taking = Ran("hub", "take", str(files["other"]), "--table", "3", *url)
    assert (taking.code, "It is kept as a fork on the organiser's page." in taking.err) == (
        65,
        True,
    )
    with on_sqlite.writing() as connection:
        fork = connection.execute(select(FORKS)).one()
        assert (fork.n, fork.laptop) == (70, forks.BY_FILE)
        forks.settle(connection, fork.id, End.TABLE, "Olga")
    assert Ran("hub", "take", str(files["other"]), "--table", "3", *url).code == 0
    assert stored(on_sqlite, chain.session)[0][-1] == (70, other.digests[70])


def older_copy(table: Table, folder: Path) -> Path:
    folder.mkdir()
    with (
        closing(sqlite3.connect(table.path)) as source,
        closing(sqlite3.connect(folder / "evening.sqlite")) as target,
    ):
        source.backup(target)
    return folder / "evening.sqlite"


def test_a_table_whose_file_went_another_way_shows_the_hub_and_is_told_what_was_decided(
    hub: RunningHub, tmp_path: Path
) -> None:
    with played(tmp_path) as table:
        press(table, "fire")
        older = older_copy(table, tmp_path / "older")
        with sending_to_hub(table, ticket_of(hub)):
            eliminated(table)
            until(lambda: has_all(hub.database, table))
    with closing(resume(older, Table)) as table, sending_to_hub(table, ticket_of(hub)) as line:
        organiser = hub.organiser()
        until(lambda: "Which end counts?" in organiser.get("/organiser").text)
        for _ in range(3):
            eliminated(table)
            table.do(UNDO.id)
        saved(table)
        until(lambda: "ask the organiser" in line.row[1])
        settle(hub, organiser, "hub")
        until(lambda: "what the hub has counts, not this file" in line.row[1])
        notice = table.view().notice
        assert notice is not None
        assert notice.text.startswith("The hub takes nothing: The organiser decided")
        settle(hub, organiser, "")
        settle(hub, organiser, "table")
        until(lambda: has_all(hub.database, table))
        sentence = "The organiser decided that this file counts. The hub has everything again."
        until(
            lambda: (notice := table.view().notice) is not None and notice.text.startswith(sentence)
        )
        assert stored(hub.database, chain_of(table)[0][1])[1] != []


def test_a_game_of_which_two_ends_came_counts_once(hub: RunningHub) -> None:
    table, other = forked(hub)
    over = {
        "number": 2000,
        "kind": "end",
        "text": "",
        "winners": ["s1"],
        "table": {"ended": True, "players": [{"id": "s1"}]},
    }
    table.send(table.chain.batch(60, 0, events=[over]))
    table.send(other.batch(40, 30))
    settle(hub, hub.organiser(), "table")
    with hub.database.reading() as connection:
        assert results_in(connection, 1) == ()
    table.send(other.batch(0, 70, events=[over]))
    with hub.database.reading() as connection:
        assert len(results_in(connection, 1)) == 1
        assert connection.execute(select(RECORDS.c.aside)).scalars().all().count(0) == 1
    assert json.loads(hub.browser().ask("/healthz").text) == {"database": "here"}


def test_what_goes_on_from_the_end_that_does_not_count_does_not_count_either(
    hub: RunningHub,
) -> None:
    table, other = forked(hub)
    second = Speaker(hub, seed=3, length=20)
    assert second.send(second.chain.batch(0, 20, continues=table.chain.session.hex()))[0] == 200
    third_laptop = joined(hub.database, 1)[1]
    assert table.send(other.batch(40, 30), third_laptop)[0] == 409
    organiser = hub.organiser()
    assert "Part 1 ended with entry 60" in organiser.get("/organiser").text
    settle(hub, organiser, "table")
    table.send(other.batch(0, 70), third_laptop)
    page = organiser.get("/organiser").text
    assert ("Part 1 ended" in page, "all 70 entries here" in page) == (False, True)
    settle(hub, organiser, "")
    assert "Part 1 ended with entry 60" in organiser.get("/organiser").text
