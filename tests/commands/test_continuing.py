"""`companion hub continue`, and `companion resume` of an older copy: what the table reads, confirms, and gets."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import terminal
from companion.commands import starting
from companion.config.schema import Preferences
from companion.hub.database import Database
from companion.hub.demo import SimulatedTable
from companion.hub.joining import new_code
from companion.journal.copy import bring_home, write_second_copy
from companion.journal.errors import NotWritten
from companion.journal.folder import sessions_dir
from companion.journal.store import read_entries
from companion.outbound.hub_ticket import Ticket, keep_ticket
from companion.rules.header import continues_of
from companion.session.opening import resume
from tests.commands.ran import Ran
from tests.hub.conftest import made as made, on_sqlite as on_sqlite
from tests.hub.parts import NOW, RunningHub, running
from tests.hub.test_continuation import play_on, simulated
from tests.hub.test_line import ticket_of
from tests.web.served import played, press


@pytest.fixture
def hub(
    on_sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunningHub]:
    """Yield a hub, and a new laptop with a person who can answer."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPANION_PORT", "none")
    monkeypatch.setattr(terminal, "can_ask", lambda: True)
    with running(on_sqlite) as running_hub:
        yield running_hub


def broken(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch, game: str = "skyfire", moves: int = 12
) -> SimulatedTable:
    """Return a table whose laptop broke after some moves; this laptop has joined in its place."""
    table = simulated(ticket_of(hub), game, 3, monkeypatch)
    play_on(hub, table, moves)
    keep_ticket(ticket_of(hub))
    return table


def sessions() -> list[Path]:
    return sorted(sessions_dir().glob("*.sqlite"))


def test_enter_goes_on_with_what_the_hub_showed_and_the_session_is_at_the_hub(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = broken(hub, monkeypatch)
    ran = Ran("hub", "continue", typed="\n")
    lines = ran.out.splitlines()
    assert lines[0] == "Compare this with the table, then press Enter."
    assert f"Club night shows table 1: SkyFire, entry {len(first._entries)}" in ran.out
    assert "Lost: " in ran.out
    assert "(SF-" not in ran.out.partition("Is this right?")[0]
    (session,) = sessions()
    header = read_entries(session)[0].body
    assert continues_of(header) == first._entries[0].digest.hex()
    assert "Part 1 ended with entry" in hub.browser().get("/").text


def test_n_begins_nothing(hub: RunningHub, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(hub, monkeypatch)
    ran = Ran("hub", "continue", typed="n\n")
    assert (ran.code, "Nothing was started." in ran.out, sessions()) == (0, True, [])


def test_where_nobody_can_answer_nothing_is_begun(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(hub, monkeypatch)
    monkeypatch.setattr(terminal, "can_ask", lambda: False)
    ran = Ran("hub", "continue", typed="\n")
    assert (
        ran.code,
        ran.err.startswith("Nothing was started: the table confirms this at a terminal"),
    ) == (2, True)
    assert sessions() == []


def test_names_that_the_hub_has_not_any_more_are_asked_for(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(hub, monkeypatch, "panic-fire")
    with hub.database.writing() as connection:
        connection.exec_driver_sql("UPDATE names SET name = '' WHERE seat = 's2'")
    assert "The hub has not all names any more (Ann, ?, Cy, Di)" in Ran("hub", "continue").err
    Ran("hub", "continue", "--seats", "Ann,Zoe,Cy,Di", typed="\n")
    assert [seat["name"] for seat in read_entries(sessions()[0])[0].body["seats"]] == [
        "Ann",
        "Zoe",
        "Cy",
        "Di",
    ]
    assert "so many names" in Ran("hub", "continue", "--seats", "Ann,Zoe").err


@pytest.mark.parametrize("game", ["sky-rise", "fractured-sky", "drills"])
def test_a_game_that_cannot_go_on_says_what_is_lost_and_what_to_do(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    broken(hub, monkeypatch, game)
    output = " ".join(Ran("hub", "continue", typed="n\n").out.split())
    assert "The companion cannot go on with the " in output
    assert ("a judge sets the places" in output) is (game != "drills")


def test_without_a_hub_without_a_game_and_after_its_end_the_reason_is_said(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "This laptop has joined no hub" in Ran("hub", "continue").err
    keep_ticket(ticket_of(hub))
    assert "The hub has no game of table 1" in Ran("hub", "continue").err
    keep_ticket(Ticket("http://127.0.0.1:1", "Club night", 1, "x"))
    assert "The hub cannot be reached" in Ran("hub", "continue").err


def copies(hub: RunningHub, tmp_path: Path) -> Path:
    """Return a copy of a session that is older than the hub's record; this laptop has joined as its table."""
    keep_ticket(ticket_of(hub))
    with played(tmp_path) as table:
        press(table, "fire")
        content, last = table.image()
        press(table, "draw.1", "draw.2")
    write_second_copy(content, last, tmp_path / "older.sqlite")
    assert Ran("hub", "send", str(tmp_path / "evening.sqlite")).code == 0
    return tmp_path / "older.sqlite"


def test_an_older_copy_is_offered_the_continuation_by_its_own_house_rules(
    hub: RunningHub, tmp_path: Path
) -> None:
    older = copies(hub, tmp_path)
    ran = Ran("resume", str(older), typed="\n\n")
    assert ran.out.startswith("This file is an older copy: look for the newer one first.\n")
    assert "House rules" not in ran.out
    (session,) = sessions()
    assert continues_of(read_entries(session)[0].body) == read_entries(older)[0].digest.hex()
    assert len(read_entries(older)) == 2


def test_an_older_copy_can_be_played_on_with_and_q_does_nothing(
    hub: RunningHub, tmp_path: Path
) -> None:
    older = copies(hub, tmp_path)
    before = older.read_bytes()
    assert Ran("resume", str(older), typed="q\n").code == 0
    assert (older.read_bytes(), sessions()) == (before, [])
    Ran("resume", str(older), typed="p\n")
    assert (read_entries(older)[2].kind, sessions()) == ("resumed", [])
    assert "Which end counts?" in hub.organiser().get("/organiser").text


def test_a_file_that_is_as_new_as_the_hub_is_resumed_without_a_question(
    hub: RunningHub, tmp_path: Path
) -> None:
    copies(hub, tmp_path)
    ran = Ran("resume", str(tmp_path / "evening.sqlite"))
    assert "older copy" not in ran.out


def test_a_hub_that_is_away_holds_up_no_resume(hub: RunningHub, tmp_path: Path) -> None:
    older = copies(hub, tmp_path)
    keep_ticket(Ticket("http://127.0.0.1:1", "Club night", 1, "x"))
    Ran("resume", str(older))
    assert read_entries(older)[2].kind == "resumed"


def test_a_second_copy_is_brought_to_this_laptop_before_it_is_played(
    hub: RunningHub, tmp_path: Path
) -> None:
    older = copies(hub, tmp_path)
    stick = tmp_path / "stick"
    stick.mkdir()
    for path in tmp_path.glob("older.sqlite*"):
        shutil.move(path, stick / path.name)
    wanted = Preferences(second_copy=str(stick))
    home = starting._at_home(stick / "older.sqlite", wanted)
    assert home == sessions_dir() / "older.sqlite"
    assert stat.S_IMODE(home.stat().st_mode) == 0o600
    assert read_entries(home) == read_entries(stick / "older.sqlite")
    with closing(resume(home)) as table:
        assert table._journal.warnings == ()
    with pytest.raises(NotWritten, match="is on this laptop already: `companion resume older`"):
        bring_home(stick / "older.sqlite", sessions_dir())
    assert starting._at_home(home, wanted) == home
    assert older.parent == tmp_path


def test_a_laptop_that_joins_in_the_place_of_another_is_told_of_its_game(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "The hub has a game of this table that is not over, and this laptop has not: `companion hub continue`."
    broken(hub, monkeypatch)
    with hub.database.writing() as connection:
        code, _ = new_code(connection, 1, NOW + 100)
    assert sentence in Ran("hub", "join", hub.address, typed=f"{code}\n").out
    Ran("hub", "continue", typed="\n")
    with hub.database.writing() as connection:
        code, _ = new_code(connection, 1, NOW + 100)
    assert sentence not in Ran("hub", "join", hub.address, typed=f"{code}\n").out
