"""A table in play beside its hub: nothing waits for the hub, nothing is lost to it, and nothing hidden reaches it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from companion.commands.outlets import start_outlets
from companion.config.schema import Preferences
from companion.hub import joining
from companion.hub.database import Database
from companion.hub.joining import revoke
from companion.hub.schema import METADATA, NAMES
from companion.journal.record import row_of
from companion.journal.store import read_entries
from companion.outbound import hub_client, hub_line
from companion.outbound.hub_batches import HubBatches, HubRefused
from companion.outbound.hub_client import PACKED_FROM, HubClient
from companion.outbound.hub_line import HubLine
from companion.outbound.hub_ticket import Ticket, keep_ticket, laptop_mark, read_ticket, ticket_path
from companion.session.key_meanings import UNDO
from companion.session.opening import resume
from companion.session.table import Table
from tests.commands.ran import Ran
from tests.games.test_hidden_facts import SCENES, Played
from tests.hub.parts import TIMEOUT_S, RunningHub, joined, running, stored, until
from tests.outbound.receiver import receiver
from tests.web.served import played, press, saved
from tests.web.test_feed import eliminated

FIXTURES = Path(__file__).parents[1] / "fixtures" / "journal"


@pytest.fixture
def database(on_sqlite: Database) -> Database:
    return on_sqlite


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_line, "PAUSES_S", (0.02,))
    monkeypatch.setattr(hub_line, "REFUSED_S", 0.02)


def ticket_of(hub: RunningHub, number: int = 1) -> Ticket:
    _, token = joined(hub.database, number, laptop_mark())
    return Ticket(hub.address, "Club night", number, token)


@contextmanager
def sending_to_hub(table: Table, ticket: Ticket) -> Iterator[HubLine]:
    line = HubLine(table, ticket, leave_s=TIMEOUT_S)
    try:
        yield line
    finally:
        line.close()


def chain_of(table: Table) -> list[tuple[int, bytes]]:
    saved(table)
    return [(entry.n, entry.digest) for entry in table._journal.entries]


def has_all(database: Database, table: Table) -> bool:
    chain = chain_of(table)
    return stored(database, chain[0][1])[0] == chain


def test_a_session_in_play_is_at_the_hub_entry_by_entry(database: Database, tmp_path: Path) -> None:
    with (
        running(database) as hub,
        played(tmp_path) as table,
        sending_to_hub(table, ticket_of(hub)) as line,
    ):
        eliminated(table)
        table.do(UNDO.id)
        until(lambda: has_all(database, table))
        until(
            lambda: (
                line.row == ("Club night (table 1)", f"all {len(chain_of(table))} entries there")
            )
        )
        assert table.view().readers == (line.row,)
        assert table.view().behind == ""


def test_without_a_hub_play_goes_on_and_the_screen_says_how_much_it_lacks_since_when(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub:
        ticket, port = ticket_of(hub), hub.port
    with played(tmp_path) as table, sending_to_hub(table, ticket) as line:
        eliminated(table)
        saved(table)
        count = len(table._journal.entries)
        until(lambda: line.short == f"hub {count} behind")
        assert line.row[1].startswith(f"{count} entries behind since ")
        assert "Connection refused" in line.row[1]
        assert table.view().behind == line.short
        with running(database, port):
            until(lambda: has_all(database, table))
            until(lambda: line.short == "")
            notice = table.view().notice
            assert notice is not None
            assert notice.text.startswith("The hub has everything again.")


def test_a_hub_that_is_killed_in_the_middle_has_each_entry_once_in_the_end(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub:
        ticket, port = ticket_of(hub), hub.port
    with played(tmp_path) as table, sending_to_hub(table, ticket):
        for _ in range(5):
            with running(database, port):
                press(table, "fire")
                eliminated(table)
                table.do(UNDO.id)
        with running(database, port):
            until(lambda: has_all(database, table))


def test_a_laptop_that_goes_on_with_the_session_goes_on_at_the_hub(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub:
        with played(tmp_path) as table, sending_to_hub(table, ticket_of(hub)):
            eliminated(table)
            until(lambda: has_all(database, table))
        other = tmp_path / "other" / "evening.sqlite"
        other.parent.mkdir()
        for path in tmp_path.glob("evening.sqlite*"):
            shutil.copyfile(path, other.parent / path.name)
        with closing(resume(other, Table)) as table, sending_to_hub(table, ticket_of(hub)):
            press(table, "fire")
            until(lambda: has_all(database, table))


def test_an_older_copy_that_goes_on_is_said_on_both_sides_and_replaces_nothing(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub:
        ticket = ticket_of(hub)
        with played(tmp_path) as table:
            press(table, "fire")
            saved(table)
            older = tmp_path / "older" / "evening.sqlite"
            older.parent.mkdir()
            with (
                closing(sqlite3.connect(table.path)) as source,
                closing(sqlite3.connect(older)) as target,
            ):
                source.backup(target)
            with sending_to_hub(table, ticket):
                eliminated(table)
                until(lambda: has_all(database, table))
            # with the events, which may come behind the entries
            at_hub = stored(database, chain_of(table)[0][1])
        with closing(resume(older, Table)) as table, sending_to_hub(table, ticket) as line:
            until(lambda: "the table's file is an older copy that went on" in line.row[1])
            while len(table._journal.entries) <= len(at_hub[0]):
                eliminated(table)
                table.do(UNDO.id)
            saved(table)
            until(lambda: line.row[1].endswith("ask the organiser which of the two counts."))
            assert stored(database, chain_of(table)[0][1]) == at_hub


def test_a_table_that_was_let_go_says_what_to_do_and_plays_on(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub, played(tmp_path) as table:
        ticket = ticket_of(hub)
        with database.writing() as connection:
            revoke(connection, 1)
        with sending_to_hub(table, ticket) as line:
            until(lambda: "ask the organiser for a new code" in line.row[1])
            eliminated(table)
            saved(table)


def test_a_table_at_which_nothing_happens_still_tells_the_hub_that_it_is_there(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_line, "BEAT_S", 0.05)
    monkeypatch.setattr(joining, "KNOWN_S", 0.0)
    with (
        running(database) as hub,
        played(tmp_path) as table,
        sending_to_hub(table, ticket_of(hub)) as line,
    ):
        until(lambda: has_all(database, table) and line.row[1].endswith(" there"))
        with database.writing() as connection:
            revoke(connection, 1)
        until(lambda: "ask the organiser for a new code" in line.row[1])


def test_a_record_without_salts_is_not_sent_and_the_table_says_why(
    database: Database, tmp_path: Path
) -> None:
    for path in FIXTURES.glob("v2.sqlite*"):
        shutil.copyfile(path, tmp_path / path.name)
    entries = read_entries(tmp_path / "v2.sqlite")
    nothing: Any = SimpleNamespace(take=tuple)
    batches = HubBatches(entries, lambda: len(entries), nothing)
    with pytest.raises(
        HubRefused, match="begun by an older companion, whose record would betray hidden things"
    ):
        batches.next()


def dump(path: Path) -> bytes:
    """Return everything in the hub's database, its log included."""
    return b"".join(each.read_bytes() for each in sorted(path.parent.glob(f"{path.name}*")))


@pytest.mark.parametrize(("game", "kind"), SCENES)
def test_who_has_the_hubs_whole_database_learns_no_secret(
    game: str, kind: str, tmp_path: Path
) -> None:
    """The attacker knows the game, everything public, and the two possible hidden facts."""
    scene = SCENES[game, kind]
    path = tmp_path / "hub.sqlite"
    with closing(Database(f"sqlite:///{path}")) as database, running(database) as hub:
        play = Played(tmp_path / "table", scene, kind, scene.one)
        play.table._journal._salt = lambda: os.urandom(16)
        try:
            with sending_to_hub(play.table, ticket_of(hub)):
                play.say()
                until(lambda: has_all(database, play.table))
            play.table._journal.wait(play.n)
            entries = list(play.table._journal.entries)
        finally:
            play.table.close()
    lying = dump(path)
    hidden = next(entry for entry in entries if entry.kind == kind)
    assert hidden.salt.encode() not in lying
    assert (
        json.dumps(dict(hidden.body), sort_keys=True, separators=(",", ":")).encode() not in lying
    )
    guesses = [guess for body in (scene.one, scene.other) for guess in guesses_of(hidden, body)]
    before = entries[hidden.n - 2].digest
    assert not [guess for guess in guesses if shown_of(guess, before) & set_of_digests(lying)]


def guesses_of(entry: Any, body: dict[str, Any]) -> Iterator[bytes]:
    """Return the texts that the entry may have, to somebody who does not know its salt."""
    for salt in ("", "0" * 32, "f" * 32):
        yield row_of(entry._replace(body={**entry.body, **body}, salt=salt)).record


def shown_of(text: bytes, before: bytes) -> set[bytes]:
    """Return what a hub could have of an entry with this text."""
    digest = hashlib.sha256(text).digest()
    return {
        digest,
        hashlib.sha256(before + digest).digest(),
        hashlib.sha256(before + text).digest(),
    }


def set_of_digests(content: bytes) -> set[bytes]:
    return {content[at : at + 32] for at in range(len(content) - 31)}


def kept_names(database: Database) -> set[str]:
    with database.reading() as connection:
        return {row.name for row in connection.execute(select(NAMES))}


def test_names_lie_in_one_table_alone_and_taken_out_there_are_gone(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub, played(tmp_path) as table, sending_to_hub(table, ticket_of(hub)):
        eliminated(table)
        until(lambda: has_all(database, table))
        names = [seat.name for seat in table.view().setup.seats]
        until(lambda: kept_names(database) == set(names))  # they may come in a request of their own
        with database.reading() as connection:
            everything = {
                table.name: repr(connection.execute(select(table)).all())
                for table in METADATA.sorted_tables
            }
        others = "".join(rows for name, rows in everything.items() if name != "names")
        assert not [name for name in names if re.search(rf"\b{name}\b", others, re.IGNORECASE)]
        until(lambda: names[0] in hub.browser().get("/").text)
        with database.writing() as connection:
            connection.execute(NAMES.update().where(NAMES.c.name == names[0]).values(name=""))
        until(lambda: "Somebody" in hub.browser().get("/hall").text)
        page = hub.browser().get("/hall").text
        assert not re.search(rf"\b{names[0]}\b", page, re.IGNORECASE)


def test_a_ticket_is_the_owners_alone_and_its_token_stands_in_no_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    assert read_ticket() == (None, "")
    ticket = Ticket("http://127.0.0.1:8770", "Club night", 14, "5" * 32)
    keep_ticket(ticket)
    assert read_ticket() == (ticket, "")
    assert stat.S_IMODE(ticket_path().stat().st_mode) == 0o600
    assert "5" * 32 not in repr(ticket)


def test_a_damaged_ticket_is_told_with_what_to_do_and_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    ticket_path().write_bytes(b'{"address": "x"}')
    sentence = (
        f"The hub gets nothing, because {ticket_path()} is damaged. "
        "Join again with a new code, or send nothing any more: companion hub leave."
    )
    with played(tmp_path) as table, ExitStack() as ending:
        start_outlets(table, Preferences(), ending)
        notice = table.view().notice
    assert notice is not None
    assert notice.text == sentence
    sending = Ran("hub", "send")
    assert (sending.code, sending.err) == (65, f"{sentence}\n")
    assert [Ran("hub", "leave").out for _ in range(2)] == [
        "Left the hub.\n",
        "This laptop had joined no hub.\n",
    ]


def test_this_laptop_has_the_same_mark_each_time() -> None:
    assert laptop_mark() == laptop_mark()


def test_a_record_of_many_batches_arrives_whole_with_all_its_events(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub, played(tmp_path) as table:
        for _ in range(75):
            eliminated(table)
            table.do(UNDO.id)
        saved(table)
        assert len(table._journal.entries) > 200
        with sending_to_hub(table, ticket_of(hub)):
            until(lambda: has_all(database, table))
        _, events = stored(database, chain_of(table)[0][1])
        assert len(events) == len(set(events)) > 200


@pytest.mark.parametrize(("entries", "packed"), [(10, False), (PACKED_FROM // 66 + 1, True)])
def test_a_long_batch_is_packed_and_a_short_one_is_not(entries: int, packed: bool) -> None:
    batch = {"entries": ["ab" * 32] * entries}
    with receiver() as hub, suppress(HubRefused):
        HubClient(Ticket(hub.url, "Club night", 1, "x"), bytes(32)).send(batch)
    (posted,) = hub.posted
    assert (posted.fields.get("content-encoding") == "gzip", len(posted.body) < 2000) == (
        packed,
        True,
    )
    assert json.loads(gzip.decompress(posted.body) if packed else posted.body) == batch


@pytest.mark.parametrize(
    ("status", "content", "why"),
    [
        (
            404,
            b"<html>",
            "http://there answered 404, but not as a hub does. Is it a hub's address?",
        ),
        (
            200,
            b'{"some": "other service"}',
            "http://there answered 200, but not as a hub does. Is it a hub's address?",
        ),
        (429, b'{"refused": "Too many codes were wrong."}', "Too many codes were wrong."),
    ],
)
def test_what_answers_but_lets_nobody_join_is_not_said_to_be_out_of_reach(
    status: int, content: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_client, "exchange", lambda *_args, **_more: (status, content))
    with pytest.raises(HubRefused) as refused:
        hub_client.join("http://there", "ABCDEFGH")
    assert str(refused.value) == why


def test_a_hub_that_went_back_to_an_older_copy_gets_again_what_it_lacks(
    database: Database, tmp_path: Path
) -> None:
    with running(database) as hub:
        ticket, port = ticket_of(hub), hub.port
        older = tmp_path / "older.sqlite"
        with (
            closing(sqlite3.connect(tmp_path / "hub.sqlite")) as source,
            closing(sqlite3.connect(older)) as target,
        ):
            source.backup(target)
    with played(tmp_path) as table, sending_to_hub(table, ticket):
        with running(database, port):
            eliminated(table)
            until(lambda: has_all(database, table))
        with closing(Database(f"sqlite:///{older}")) as restored, running(restored, port):
            press(table, "fire")
            until(lambda: has_all(restored, table))
