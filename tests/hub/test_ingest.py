"""What a table sends is at its hub once, in its order, whatever is sent again, broken off or sent by somebody else."""

from __future__ import annotations

import random
import shutil
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import select

from companion.hub.database import Database
from companion.hub.forks import note_fork
from companion.hub.ingest import MOST_BYTES, Ahead, BatchRefused, Forked, head_of, read_batch, take
from companion.hub.overview import table_rows
from companion.hub.schema import FORKS, NAMES, RECORDS, TABLES
from companion.outbound.hub_batches import NOTHING, HubHead
from tests.hub.parts import NOW, Chain, joined, stored


def send(
    database: Database,
    chain: Chain,
    after: int,
    count: int,
    table: int,
    now: float = NOW,
    **more: object,
) -> HubHead:
    batch = read_batch(chain.batch(after, count, **more))
    with database.writing() as connection:
        return take(connection, chain.session, table, batch, now)


def whole(chain: Chain) -> tuple[list[tuple[int, bytes]], list[int]]:
    return list(enumerate(chain.digests))[1:], [
        n * 16 for n in range(1, len(chain) + 1) if n % 3 == 0
    ]


def test_a_hub_that_never_heard_of_a_session_has_nothing_of_it(database: Database) -> None:
    table, _ = joined(database)
    with database.reading() as connection:
        assert head_of(connection, Chain(random.Random(1), 1).session, table) == NOTHING


class PowerCutError(Exception):
    """The process ended before the commit."""


def broken_off(database: Database, chain: Chain, after: int, table: int) -> None:
    """Send entries, and end before the commit."""
    with suppress(PowerCutError), database.writing() as connection:
        take(connection, chain.session, table, read_batch(chain.batch(after, 70)), NOW)
        raise PowerCutError


@pytest.mark.parametrize("seed", range(12))
def test_every_entry_is_there_once_whatever_is_sent_again_and_broken_off(
    database: Database, seed: int
) -> None:
    chance = random.Random(seed)
    table, _ = joined(database)
    chain = Chain(chance, 1)
    head = NOTHING
    while head.n < 300:
        chain.grow(chance.randrange(60))
        after = chance.randrange(max(0, head.n - 40), head.n + 1)
        if chance.random() < 0.2:
            broken_off(database, chain, after, table)
        count = chance.randrange(90)
        head = send(database, chain, after, count, table)
        for _ in range(chance.randrange(3)):  # the answer was lost: the same comes again
            assert send(database, chain, after, count, table) == head
    entries, events = stored(database, chain.session)
    expected, told = whole(chain)
    assert entries == expected[: head.n]
    assert events == [number for number in told if number <= head.n * 16]
    with database.reading() as connection:
        assert head_of(connection, chain.session, table) == head


def test_two_that_send_at_once_store_each_entry_once(database: Database) -> None:
    table, _ = joined(database)
    chain = Chain(random.Random(2), 400)
    problems: list[Exception] = []

    def all_of_it() -> None:
        try:
            for after in range(0, 400, 40):
                send(database, chain, after, 40, table)
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=all_of_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert stored(database, chain.session) == whole(chain)


def test_what_begins_behind_the_end_is_refused_with_where_to_go_on(database: Database) -> None:
    table, _ = joined(database)
    chain = Chain(random.Random(3), 40)
    send(database, chain, 0, 10, table)
    with pytest.raises(Ahead, match="has 10 entries of this session: send from entry 11 on"):
        send(database, chain, 20, 10, table)


@given(
    st.integers(1, 30), st.integers(0, 29), st.integers(0, 30), st.randoms(use_true_random=False)
)
@settings(max_examples=40)
def test_a_record_that_went_another_way_is_refused_wherever_it_parts(
    made: Path,
    tmp_path_factory: pytest.TempPathFactory,
    known: int,
    keep: int,
    after: int,
    chance: random.Random,
) -> None:
    database = Database(f"sqlite:///{shutil.copy(made, tmp_path_factory.mktemp('hub'))}")
    try:
        table, _ = joined(database)
        chain = Chain(random.Random(4), 30)
        send(database, chain, 0, known, table)
        keep = max(1, keep)
        other = Chain(chance, 31 - keep, chain, keep)
        after = min(after, known)
        before = stored(database, chain.session)
        batch = read_batch(other.batch(after, 31))
        with database.writing() as connection:
            if keep < known:
                with pytest.raises(Forked, match="is another one here"):
                    take(connection, chain.session, table, batch, NOW)
            else:  # it parts behind what the hub has: it cannot know of another way
                assert take(connection, chain.session, table, batch, NOW).n == 31
        if keep < known:
            assert stored(database, chain.session) == before
    finally:
        database.close()


def test_a_fork_is_kept_once_however_often_it_comes(database: Database) -> None:
    table, _ = joined(database)
    chain = Chain(random.Random(5), 20)
    send(database, chain, 0, 20, table)
    other = read_batch(Chain(random.Random(6), 15, chain, 8).batch(8, 15))
    for _ in range(3):
        with database.writing() as connection:
            note_fork(connection, chain.session, other.end, NOW, "a laptop")
    with database.reading() as connection:
        assert [row.n for row in connection.execute(select(FORKS))] == [23]


def test_another_tables_session_is_refused_and_stays_as_it_is(database: Database) -> None:
    own, _ = joined(database)
    other, _ = joined(database, 2)
    chain = Chain(random.Random(7), 9)
    send(database, chain, 0, 9, own)
    with pytest.raises(BatchRefused, match="join as table 1, or"), database.reading() as connection:
        head_of(connection, chain.session, other)
    chain.grow(5)
    with pytest.raises(BatchRefused, match="join as table 1, or"):
        send(database, chain, 9, 5, other)
    assert len(stored(database, chain.session)[0]) == 9


def test_entries_lost_at_a_table_leave_a_gap_that_the_chain_goes_on_behind(
    database: Database,
) -> None:
    table, _ = joined(database)
    chain = Chain(random.Random(8), 30)
    links: list[object] = [commitment.hex() for commitment in chain.commitments]
    links[9:20] = [{"to": 20, "digest": chain.digests[20].hex()}]
    assert send(database, chain, 0, 30, table, entries=links) == HubHead(
        30, chain.digests[30], 30 * 16
    )
    entries, _ = stored(database, chain.session)
    assert [n for n, _ in entries] == [*range(1, 10), *range(20, 31)]
    chain.grow(3)
    assert send(database, chain, 20, 13, table).n == 33


def test_a_table_that_sends_without_end_is_stopped_and_others_are_not(database: Database) -> None:
    table, _ = joined(database)
    other, _ = joined(database, 2)
    with database.writing() as connection:
        connection.execute(
            TABLES.update().where(TABLES.c.id == table).values(bytes=MOST_BYTES - 1000)
        )
    chain, fine = Chain(random.Random(9), 40), Chain(random.Random(10), 40)
    with pytest.raises(BatchRefused, match="has sent 50 MB, as much as a table may"):
        send(database, chain, 0, 40, table)
    assert stored(database, chain.session) == ([], [])
    assert send(database, fine, 0, 40, other).n == 40


def test_how_far_a_table_is_behind_and_since_when_is_known(database: Database) -> None:
    table, _ = joined(database)
    chain = Chain(random.Random(11), 50)
    for now, count in ((NOW, 10), (NOW + 5, 20)):
        send(database, chain, 0, count, table, now)
        with database.reading() as connection:
            row = connection.execute(select(RECORDS)).one()
        assert (row.total - row.n, row.behind_since) == (50 - count, NOW)
    send(database, chain, 20, 30, table, NOW + 9)
    with database.reading() as connection:
        row = connection.execute(select(RECORDS)).one()
    assert (row.total - row.n, row.behind_since) == (0, 0.0)


@pytest.mark.parametrize(("count", "said"), [(1, "1 entry here"), (5, "all 5 entries here")])
def test_of_one_entry_it_is_not_said_that_all_are_here(
    on_sqlite: Database, count: int, said: str
) -> None:
    table, _ = joined(on_sqlite)
    send(on_sqlite, Chain(random.Random(13), count), 0, count, table)
    with on_sqlite.reading() as connection:
        assert [row.sentence for row in table_rows(connection, NOW)] == [said]


def test_a_name_that_changes_is_the_new_one_and_one_taken_out_does_not_come_back(
    database: Database,
) -> None:
    table, _ = joined(database)
    chain = Chain(random.Random(12), 5)
    send(database, chain, 0, 3, table)
    send(database, chain, 3, 2, table, names={"s1": "Anna", "s2": "Bo"})
    with database.writing() as connection:
        connection.execute(NAMES.update().where(NAMES.c.seat == "s2").values(name=""))
    send(database, chain, 0, 5, table)
    with database.reading() as connection:
        assert {row.seat: row.name for row in connection.execute(select(NAMES))} == {
            "s1": "Ann",
            "s2": "",
        }
