"""Hooks of a table in play: fed from it, once each, across restarts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from companion.commands.outlets import start_outlets
from companion.config.outlets import Hook
from companion.config.schema import Preferences
from companion.feed.events import EVENT, Event, SessionEvent
from companion.games.panic_fire.rules.game import GAME
from companion.journal.journal import Journal
from companion.outbound.hook_runner import delivered_at, read_delivered
from companion.outbound.outlets import Outlets
from companion.rules.header import header
from companion.session.clocks import wall
from companion.session.key_meanings import UNDO
from companion.session.opening import resume
from companion.session.table import Table
from tests.feed.feeding import told
from tests.games.panic_fire.playing import setup
from tests.outbound.receiver import TIMEOUT_S, Receiver, receiver
from tests.web.served import played, press, saved
from tests.web.test_feed import eliminated


def hook(server: Receiver, *kinds: str, name: str = "lights") -> Hook:
    return (
        Hook(name, frozenset(kinds), f"{server.url}/x")
        if kinds
        else Hook(name, url=f"{server.url}/x")
    )


@contextmanager
def playing(folder: Path, *hooks: Hook) -> Iterator[Table]:
    """Yield a session in play, with hooks; it is begun the first time, then resumed."""
    with ExitStack() as ending:
        if (folder / "evening.sqlite").exists():
            with closing(resume(folder / "evening.sqlite", Table)) as table:
                ending.callback(Outlets(table, Preferences(hooks=hooks), leave_s=TIMEOUT_S).close)
                yield table
        else:
            with played(folder) as table:
                ending.callback(Outlets(table, Preferences(hooks=hooks), leave_s=TIMEOUT_S).close)
                yield table


def events_of(server: Receiver) -> list[Event]:
    return [EVENT.validate_json(post.body) for post in server.posted]


def entries_of(table: Table) -> list[Event]:
    return told(list(table._journal.entries))


def test_a_hook_gets_every_event_of_a_session_in_order(tmp_path: Path) -> None:
    with receiver() as server:
        with playing(tmp_path, hook(server)) as table:
            eliminated(table)
            table.do(UNDO.id)
            saved(table)
        assert events_of(server) == entries_of(table)
    assert read_delivered(table.path)["lights"].number == events_of(server)[-1].number


def test_a_hook_gets_the_kinds_that_it_asks_for(tmp_path: Path) -> None:
    with receiver() as server:
        with playing(tmp_path, hook(server, "shot", "elimination")) as table:
            eliminated(table)
        wanted = [event for event in entries_of(table) if event.kind in ("shot", "elimination")]
        assert events_of(server) == wanted
        assert wanted


def test_going_on_sends_nothing_old(tmp_path: Path) -> None:
    with receiver() as server:
        with playing(tmp_path, hook(server)) as table:
            eliminated(table)
        before = len(server.posted)
        with playing(tmp_path, hook(server)) as table:
            press(table, "fire")
        events = events_of(server)
        assert isinstance(events[before], SessionEvent)
        assert events[before].text == "The session goes on"
        numbers = [event.number for event in events]
        assert numbers == sorted(set(numbers))


def test_a_hook_that_is_new_and_a_copy_of_a_session_begin_where_it_is_taken_up(
    tmp_path: Path,
) -> None:
    with receiver() as server, receiver() as other:
        with playing(tmp_path, hook(server)) as table:
            eliminated(table)
        delivered_at(table.path).unlink()  # as in a folder that was copied or imported without it
        before = len(server.posted)
        with playing(tmp_path, hook(server), hook(other, name="new")):
            pass
        assert [event.text for event in events_of(server)[before:]] == ["The session goes on"]
        assert [event.text for event in events_of(other)] == ["The session goes on"]


def test_what_was_not_delivered_comes_at_the_next_start(tmp_path: Path) -> None:
    with receiver() as gone:
        pass
    with playing(tmp_path, hook(gone)) as table:
        eliminated(table)
    assert read_delivered(table.path)["lights"].sent == 0
    with receiver() as server:
        with playing(tmp_path, hook(server)) as table:
            pass
        assert events_of(server) == entries_of(table)


def test_a_hook_that_never_answers_holds_nobody_up(tmp_path: Path) -> None:
    with receiver() as server, receiver() as other:
        server.otherwise = server.never
        with played(tmp_path) as table:
            outlets = Outlets(
                table, Preferences(hooks=(hook(server), hook(other, name="other"))), leave_s=0.0
            )
            eliminated(table)
            server.until(1)
            other.until(len(entries_of(table)))
            rows = dict(outlets.rows())
        outlets.close()
    assert rows[f"lights ({server.url})"].startswith("on; 0 delivered, ")


def test_the_table_says_how_its_hooks_are(tmp_path: Path) -> None:
    with receiver() as server:
        with playing(tmp_path, hook(server)) as table:
            server.until(1)
            ((label, state),) = table.view().readers
        assert label == f"lights ({server.url})"
        assert state.startswith("on; ")


def test_no_file_beside_the_session_has_an_address_or_a_secret(tmp_path: Path) -> None:
    with (
        receiver() as server,
        playing(tmp_path, Hook("lights", url=f"{server.url}/token-1234")) as table,
    ):
        eliminated(table)
    text = delivered_at(table.path).read_text(encoding="utf-8")
    assert list(json.loads(text)) == ["lights"]
    assert "token" not in text
    assert "127.0.0.1" not in text


def test_without_hooks_nothing_is_begun(tmp_path: Path) -> None:
    with ExitStack() as ending, played(tmp_path) as table:
        start_outlets(table, Preferences(), ending)
        assert table.view().readers == ()
    assert not delivered_at(table.path).exists()


def test_what_is_held_back_comes_when_its_time_has_come_and_nothing_else_happens(
    tmp_path: Path,
) -> None:
    begun = setup("red blue")
    journal = Journal.create(tmp_path / "evening.sqlite", header(begun, "evening"), wall=wall)
    with (
        receiver() as server,
        ExitStack() as ending,
        closing(Table(GAME, journal, begun, host_us=lambda: 0)) as table,
    ):
        wanted = Preferences(hooks=(hook(server),), broadcast_delay=0.01)
        ending.callback(Outlets(table, wanted, leave_s=TIMEOUT_S).close)
        eliminated(table)
        events = entries_of(table)
        server.until(len(events))
        assert events_of(server) == events
