from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from companion.commands import sessions
from companion.exits import Exit
from companion.journal.copy import backup_path, keep_copy
from companion.journal.entries import Draft, Layer
from companion.journal.errors import SessionDamagedError
from companion.journal.folder import sessions_dir
from companion.journal.mark import mark_path
from companion.journal.store import read_entries
from companion.link.sync import SyncPoint
from companion.session.finding import find
from companion.session.opening import begin
from tests.commands.parts import Said, no_question, session, states, tear
from tests.journal.support import contents
from tests.session.parts import BOOT, Board, hello, tap


@pytest.fixture
def folder() -> Path:
    return sessions_dir()


def test_a_session_of_a_table_is_right(folder: Path) -> None:
    table, board = begin("panic-fire", ["red", "blue"], {}, folder / "evening.sqlite"), Board()
    table.board.on_identified(hello(), BOOT)
    table.board.on_note("noise")
    table.board.on_sync(SyncPoint(BOOT, 1, host_ns=1, device_us=1, low_ns=0, high_ns=2, rtt_us=1))
    table.board.store([board.armed(0), board.gap(3, 10), *tap(board, "zone-1", 1_000)])
    table.board.on_identified(hello(), BOOT + 1)
    for action in table.actions[:6]:
        table.do(action.id)
    table.close()
    keep_copy(folder / "evening.sqlite")
    result = Said(sessions.check, "evening")
    result.done("  right  All kinds of entries are known.")
    assert "WRONG" not in result.out


def test_a_fact_of_no_game_is_wrong_and_no_repair_is_offered() -> None:
    session("evening", 20, Draft(Layer.FACT, "sorcery"))
    result = Said(sessions.check, "evening")
    assert result.code == Exit.DATA
    assert "WRONG  1 entry means nothing to this companion; the first is 2, sorcery" in result.out
    assert "repair" not in result.out


def test_a_damaged_session_is_checked_and_mended(folder: Path) -> None:
    path = session("evening", 20, entries=60)
    keep_copy(path)
    tear(path)
    result = Said(sessions.check, "evening")
    assert result.code == Exit.DATA
    assert "Repair it: companion journal repair evening" in result.out
    result = Said(sessions.repair, "evening", yes=False, ask=lambda _: "y")
    result.done("of them only in the files beside it; nothing is lost.")
    assert "holds 61 entries, " in result.out
    Said(sessions.check, "evening").done("62 entries")
    Said(sessions.repair, "evening", yes=True, ask=no_question).done("nothing to repair")


def test_a_repair_offered_for_a_damaged_file_elsewhere_names_it_so_that_it_is_found(
    tmp_path: Path,
) -> None:
    path = session("evening", 20, entries=60).rename(tmp_path / "from Ben.sqlite")
    tear(path)
    with pytest.raises(SessionDamagedError) as damaged:
        read_entries(path)
    for text in (Said(sessions.check, str(path)).out, str(damaged.value)):
        typed = text.partition("companion journal repair ")[2].strip("`.\n")
        assert [find(word) for word in shlex.split(typed)] == [path]


def test_of_a_torn_record_without_its_mark_no_check_says_that_nothing_is_lost() -> None:
    path = session("evening", 20, entries=60)
    tear(path)
    mark_path(path).unlink()
    untold = "49 entries; whether its last ones are lost, nothing tells."
    assert f"A repair saves {untold}" in Said(sessions.check, "evening").out
    result = Said(sessions.repair, "evening", yes=True, ask=no_question)
    result.done(f"holds {untold}")


@pytest.mark.parametrize("name", ["gone.sqlite", "no folder/gone.sqlite"])
def test_a_file_that_is_not_there_is_missing_and_not_damaged(tmp_path: Path, name: str) -> None:
    for command in (sessions.check, sessions.repair):
        Said(command, str(tmp_path / name), yes=True, ask=no_question).refused(
            Exit.NO_INPUT, "does not exist"
        )


def test_a_session_whose_first_entry_is_lost_everywhere_waits_for_an_older_copy(
    folder: Path, tmp_path: Path
) -> None:
    path = session("evening", 20, entries=9)
    keep_copy(path)
    older = backup_path(path).rename(tmp_path / "found later")
    entries = read_entries(path)
    data = path.read_bytes()
    assert data.count(b'"kind":"session"') == 2
    path.write_bytes(data.replace(b'"kind":"session"', bytes(16)))
    before = contents(folder)
    checked = Said(sessions.check, "evening")
    assert checked.code == Exit.DATA
    assert "9 other entries can be read" in checked.out
    assert "Put it right" not in checked.out
    Said(sessions.repair, "evening", yes=True, ask=no_question).refused(
        Exit.DATA, "as evening.sqlite.backup, and repair"
    )
    assert contents(folder) == before
    older.rename(backup_path(path))
    Said(sessions.repair, "evening", yes=True, ask=no_question).done("nothing is lost")
    assert read_entries(path)[: len(entries)] == entries


def test_a_mended_file_that_is_not_put_in_place_is_a_session_of_its_own(folder: Path) -> None:
    path = session("evening", 20, entries=60)
    tear(path)
    damaged = path.read_bytes()
    Said(sessions.repair, "evening.sqlite", yes=False, ask=lambda _: "n").done(
        "evening.sqlite is as it was"
    )
    assert path.read_bytes() == damaged
    assert states() == {"evening-mended": "unfinished", "evening": "unreadable"}
    assert not backup_path(path).exists()


def test_a_file_that_is_no_session_is_neither_checked_nor_mended(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "notes.sqlite").write_text("my notes")
    Said(sessions.check, "notes").refused(Exit.DATA, "no session of the companion")
    Said(sessions.repair, "notes", yes=True, ask=no_question).refused(
        Exit.DATA, "nothing can be mended"
    )
    assert set(contents(folder)) == {"notes.sqlite"}
