"""A long session is resumed behind a screen; whatever stands against that is told before there is one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import companion.dashboard.app
from companion.cli import main, parser
from companion.commands import playing, starting
from companion.commands.play_options import PlayOptions
from companion.commands.starting import LONG, outline_of
from companion.config.schema import Preferences
from companion.dashboard.reading import SessionReading
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from companion.journal.entries import Draft, Layer
from companion.journal.errors import ReadingStopped
from companion.journal.journal import Journal
from companion.journal.sessions import head_of, last_of_kind
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.rules.seats import seats_from_names
from companion.session import opening
from companion.session.clocks import wall
from companion.session.table import Table

OFF_THE_BOARD = {"us": 1, "pm": 0, "clock": "host-1"}


def session(path: Path, entries: int = LONG, game: str = "panic-fire") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = header(Setup("panic-fire", 2, seats_from_names(["Ada", "Ben"])), "s") | {"game": game}
    draws = [Draft(Layer.FACT, "draw", {"seat": "ada", "at": OFF_THE_BOARD})] * (entries - 2)
    with Journal.create(path, begun, wall=wall) as journal:
        journal.append(Draft(Layer.FACT, "fire", {"at": OFF_THE_BOARD}), *draws)
    return path


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a session that tests only read."""
    return session(tmp_path_factory.mktemp("long") / "long.sqlite")


def test_the_head_says_how_many_entries_follow_and_what_they_are_about(long: Path) -> None:
    first, entries = head_of(long)
    assert (first.kind, first.body["game"], entries) == ("session", "panic-fire", LONG)
    found = last_of_kind(long, "draw")
    assert found is not None
    assert found.n == LONG
    assert last_of_kind(long, "hello") is None


def test_the_outline_is_that_of_the_header(long: Path) -> None:
    outline = outline_of(long)
    assert outline is not None
    assert (outline.title, outline.entries) == ("Panic Fire", LONG)
    assert [named.split()[1] for named, _ in outline.seats] == ["Ada", "Ben"]


def short(folder: Path) -> Path:
    return session(folder / "short.sqlite", LONG - 1)


def of_another_game(folder: Path) -> Path:
    return session(folder / "chess.sqlite", game="chess")


def foreign(folder: Path) -> Path:
    path = folder / "notes.sqlite"
    path.write_text("no session " * 100)
    return path


def newer(folder: Path) -> Path:
    path = session(folder / "newer.sqlite")
    content = bytearray(path.read_bytes())
    content[60:64] = (99).to_bytes(4, "big")
    path.write_bytes(content)
    return path


def torn(folder: Path) -> Path:
    path = session(folder / "torn.sqlite")
    path.write_bytes(path.read_bytes()[:8192])
    return path


def missing(folder: Path) -> Path:
    return folder / "nothing.sqlite"


@pytest.mark.parametrize("made", [short, of_another_game, foreign, newer, torn, missing])
def test_a_session_that_is_short_or_cannot_be_opened_has_no_screen_before_it(
    made: Callable[[Path], Path], tmp_path: Path
) -> None:
    assert outline_of(made(tmp_path)) is None


def test_a_session_that_another_companion_writes_has_no_screen_before_it(tmp_path: Path) -> None:
    path = session(tmp_path / "long.sqlite")
    assert outline_of(path) is not None
    with Journal.open(path, wall=wall):
        assert outline_of(path) is None


@pytest.fixture
def repainted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, int]]:
    """Run without a screen, and wait until the record is read; collect the results."""
    seen: list[tuple[Any, int]] = []

    def instead(*, reading: SessionReading[Any], **_look: object) -> int:
        done: list[bool] = []
        reading.start(lambda: done.append(True))
        assert reading._thread is not None
        reading._thread.join()
        assert done
        # until all of it is on the disk, for that is what they are told at the end
        if reading.table is not None:
            reading.table._journal.wait(len(reading.table._journal.entries))
        seen.append((reading.table, reading.entries_read))
        return 0

    monkeypatch.setattr(companion.dashboard.app, "run_dashboard", instead)
    return seen


def resume(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("companion.terminal.shows_screens", lambda: True)
    return main(["resume", *arguments])


def test_who_resumes_a_long_session_at_a_terminal_has_it_read_behind_the_screen(
    repainted: list[tuple[Any, int]],
    own_data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = session(own_data_folder / "sessions" / "long.sqlite")
    assert resume(monkeypatch, "--port", "none") == Exit.DONE
    assert isinstance(repainted[0][0], Table)
    assert (repainted[0][0].path, repainted[0][1]) == (path, LONG)
    assert f"The session is kept ({LONG + 1} entries saved)." in capsys.readouterr().out
    with Journal.open(path, wall=wall) as journal:  # it was closed
        assert [entry.kind for entry in journal.entries[-1:]] == ["resumed"]


def play(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("companion.terminal.shows_screens", lambda: True)
    return main(["play", "panic-fire", *arguments])


def test_a_new_game_at_a_terminal_begins_behind_the_screen(
    repainted: list[tuple[Any, int]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert play(monkeypatch, "--seats", "Ada,Ben", "--port", "none") == Exit.DONE
    assert [seat.name for seat in repainted[0][0].view().setup.seats] == ["Ada", "Ben"]
    assert "The session is kept (1 entry saved)." in capsys.readouterr().out


def test_a_new_game_that_cannot_begin_is_told_so_when_the_screen_is_gone(
    repainted: list[tuple[Any, int]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "file"))
    (tmp_path / "file").touch()
    assert play(monkeypatch, "--seats", "Ada,Ben", "--port", "none") == Exit.CANNOT_CREATE
    assert repainted[0][0] is None
    assert "The session file cannot be made" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--seats", "Ada"], Exit.DATA),
        (["--seats", "Ada,Ada"], Exit.DATA),
        (["--seats", " "], Exit.USAGE),
        (["--seats", "Ada,Ben", "--option", "no such=rule"], Exit.DATA),
    ],
)
def test_what_can_be_refused_of_a_new_game_is_refused_without_a_screen(
    arguments: list[str],
    code: Exit,
    repainted: list[tuple[Any, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert play(monkeypatch, *arguments) == code
    assert repainted == []


def test_who_chose_a_long_session_on_the_start_screens_has_it_read_behind_the_screen(
    repainted: list[tuple[Any, int]], tmp_path: Path
) -> None:
    path = session(tmp_path / "long.sqlite")
    assert starting.go_on(path, PlayOptions("none")) == Exit.DONE
    assert repainted[0][1] == LONG


def test_a_record_that_proves_damaged_while_it_is_read_is_told_as_ever(
    repainted: list[tuple[Any, int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = session(tmp_path / "long.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER entries_stay")
        connection.execute(
            "UPDATE entries SET record = replace(record, 'ada', 'ben') WHERE n = 700"
        )
    connection.close()
    assert resume(monkeypatch, str(path), "--port", "none") == Exit.DATA
    on_screen = capsys.readouterr().err
    assert repainted == [(None, 500)]
    assert f"{path} is damaged (entry 700 does not follow from the one before it)" in on_screen
    assert main(["resume", str(path), "--port", "none", "--plain"]) == Exit.DATA
    assert capsys.readouterr().err == on_screen


def test_who_left_before_it_was_read_is_told_that_nothing_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = session(tmp_path / "long.sqlite")
    before = path.read_bytes()

    def left(*, reading: SessionReading[Any], **_look: object) -> int:
        reading.leave()
        reading.start(lambda: None)
        return 0

    monkeypatch.setattr(companion.dashboard.app, "run_dashboard", left)
    assert resume(monkeypatch, str(path), "--port", "none") == Exit.DONE
    assert "closed before its table was ready" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_who_leaves_before_the_table_is_set_leaves_the_session_to_others(tmp_path: Path) -> None:
    path = session(tmp_path / "long.sqlite", LONG + 1)
    progress: list[int] = []

    def left(entries: int) -> None:
        progress.append(entries)
        if entries > LONG:
            raise ReadingStopped("left")

    with pytest.raises(CommandError, match="left"):
        opening.resume(path, Table, left)
    assert progress == [500, 1_000, LONG + 1]
    assert outline_of(path) is not None


def test_plain_lines_go_the_way_without_a_screen(
    long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: list[PlayOptions] = []

    def go_on(_path: Path, play_options: PlayOptions) -> int:
        ways.append(play_options)
        return 0

    monkeypatch.setattr(playing, "go_on", go_on)
    monkeypatch.setattr("companion.terminal.shows_screens", lambda: True)
    assert starting.resume(parser().parse_args(["resume", str(long), "--plain"])) == 0
    assert [way.plain for way in ways] == [True]


def test_where_nothing_can_be_resumed_no_screen_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.terminal.shows_screens", lambda: True)
    with pytest.raises(CommandError, match="There is no unfinished session; start one"):
        starting.resume(parser().parse_args(["resume"]))


def test_a_plain_way_reads_the_record_at_once(monkeypatch: pytest.MonkeyPatch, long: Path) -> None:
    def refused(*_: object) -> int:
        raise CommandError("at once", ErrorKind.BUSY)

    monkeypatch.setattr(playing, "go_on", refused)
    with pytest.raises(CommandError, match="at once"):
        starting.go_on(long, PlayOptions(plain=True, wanted=Preferences()))
