from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.commands import sessions
from companion.commands.sessions import listed_lines, title_of
from companion.exits import Exit
from companion.journal.copy import keep_copy
from companion.journal.entries import Control, Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.mark import HighWater, encode, mark_path
from companion.journal.sessions import SessionInfo, last_of, list_sessions, name_of
from companion.journal.store import read_entries
from companion.outbound.hook_runner import delivered_at
from companion.rules.registry import GAMES, example_game
from companion.session.finding import find, listed
from companion.session.kept_fold import fold_path
from companion.session.kept_pages import kept_at
from tests.commands.parts import Said, no_question, session, states, tear
from tests.commands.ran import Ran
from tests.journal.support import contents

ENDED = Draft(Layer.CONTROL, Control.ENDED)
PLAYED = Draft(Layer.FACT, "fire", {})


@pytest.fixture
def folder() -> Path:
    return sessions_dir()


def columns(line: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(letter) in "WF") for letter in line)


@pytest.fixture
def open_elsewhere() -> Iterator[Callable[[Path], None]]:
    """Write a session from another process."""
    writers: list[subprocess.Popen[str]] = []

    def hold(path: Path) -> None:
        command = [sys.executable, "-m", "tests.journal.writer", "hold", str(path)]
        root = Path(__file__).parents[2]
        writer = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        writers.append(writer)
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"

    yield hold
    for writer in writers:
        writer.communicate()


# -- the list


def test_without_sessions_the_list_says_where_it_looked(folder: Path) -> None:
    Said(sessions.show, json=False).done(
        f"There is no session in {folder}: start one with `companion play`."
    )
    assert Said(sessions.show, json=True).out == "[]\n"


def test_the_list_tells_each_state(open_elsewhere: Callable[[Path], None]) -> None:
    session("unfinished", 18)
    session("ended", 19, ENDED)
    session("put-away", 20, ENDED)
    Said(sessions.archive, "put-away").done("archive")
    tear(session("torn", 21, entries=60))
    open_elsewhere(session("played", 22))
    assert states() == {
        "played": "open elsewhere",
        "ended": "ended",
        "unfinished": "unfinished",
        "torn": "unreadable",
        "put-away": "archived",
    }


def test_the_list_fits_eighty_columns_whatever_the_names(
    open_elsewhere: Callable[[Path], None],
) -> None:
    session("a" * 60, 18, name="Friday night at the house on the hill with all of the neighbours")
    session("b", 19, name="金曜日の夜の大きなゲーム大会と友達みんなの集まり")
    open_elsewhere(session("c", 20, name="steers the terminal \x1b[2J"))
    tear(session("d", 21, entries=60))
    lines = listed_lines(listed())
    assert max(columns(line) for line in lines) <= 80
    assert lines[0].split() == ["name", "game", "begun", "entries", "state"]
    rows = [line for line in lines if "panic-fire" in line]
    assert len({columns(line[: line.index("panic-fire")]) for line in rows}) == 1, (
        "the columns do not line up"
    )
    whole = {line.strip() for line in lines}
    assert {
        "Friday night at the house on the hill with all of the neighbours",
        "金曜日の夜の大きなゲーム大会と友達みんなの集まり",
    } <= whole
    text = " ".join(" ".join(lines).split())
    assert "\x1b" not in text
    assert "is damaged" in text, "whatever the length of the path, and so the line breaks"


def test_a_damaged_session_is_listed_with_what_repairs_it() -> None:
    tear(session("evening", entries=60))
    session("nothing").write_bytes(b"")
    output = " ".join(Said(sessions.show, json=False).out.split())
    assert "companion journal repair evening`" in output
    assert (
        "delete it, unless `companion journal repair nothing` finds a copy of the session."
        in output
    )


def test_listing_changes_nothing_on_the_disk(folder: Path) -> None:
    session("evening")
    tear(session("torn", entries=60))
    before = contents(folder)
    Said(sessions.show, json=False)
    Said(sessions.show, json=True)
    assert contents(folder) == before


# -- which one is meant


def test_a_session_is_found_by_path_name_file_and_beginning(tmp_path: Path) -> None:
    friday = session("panic-fire-1", name="Friday night")
    sunday = session("panic-fire-2", name="Sunday")
    third = session("panic-fire-3", name="1/3 of a night")
    elsewhere = session("elsewhere").rename(tmp_path / "elsewhere.sqlite")
    for text, path in {
        "Friday night": friday,
        "friday": friday,
        "panic-fire-1": friday,
        "panic-fire-2.sqlite": sunday,
        "s": sunday,
        "1/3 of a night": third,
        "1/3": third,
        str(elsewhere): elsewhere,
    }.items():
        assert find(text) == path


def test_a_whole_name_is_meant_before_a_beginning() -> None:
    session("first", name="Friday night")
    path = session("second", name="Friday")
    assert find("friday") == path


def test_a_file_is_meant_before_another_session_that_is_called_like_it() -> None:
    path = session("friday", name="The first evening")
    session("copy", name="Friday")
    assert find("friday") == path


def test_who_deletes_a_session_is_told_that_more_of_it_was_saved_once() -> None:
    path = session("evening", name="Friday", entries=3)
    mark_path(path).write_bytes(encode(HighWater(9, bytes(32))))
    questions: list[str] = []

    def no(question: str) -> str:
        questions.append(question)
        return "n"

    Said(sessions.delete, "evening", yes=False, ask=no).done("is kept")
    assert "4 entries; more were saved once" in questions[0]


def test_an_ambiguous_or_unknown_name_is_refused() -> None:
    session("one", name="Friday 1")
    session("two", name="Friday 2")
    Said(sessions.archive, "friday").refused(Exit.USAGE, "Type one of them")
    Said(sessions.archive, "Monday").refused(Exit.NO_INPUT, "no session 'Monday'")
    Said(sessions.archive, "nowhere/evening.sqlite").refused(Exit.NO_INPUT, "does not exist")


# -- rename


def test_a_new_name_is_in_the_record_and_the_file_keeps_its_own() -> None:
    path = session("evening", name="Friday")
    Said(sessions.rename, "Friday", "  Zoë's 金曜日 ").done(
        "evening.sqlite is called Zoë's 金曜日 now."
    )
    (info,) = list_sessions(path.parent)
    assert (info.name, info.path) == ("Zoë's 金曜日", path)
    entries = read_entries(path)
    assert (entries[-1].kind, name_of(entries)) == ("renamed", "Zoë's 金曜日")
    assert name_of(entries[:-1]) == "Friday"


def test_the_last_of_many_names_counts() -> None:
    session("evening")
    for name in ("one", "two", "three"):
        Said(sessions.rename, "evening", name).done(name)
    assert find("three").stem == "evening"


def test_a_renamed_session_is_no_more_and_no_less_finished_and_recent_than_before(
    folder: Path,
) -> None:
    session("ended", 18, ENDED)
    session("old", 19, PLAYED)
    session("new", 20, PLAYED)
    for stem in ("ended", "old"):
        Said(sessions.rename, stem, f"{stem} by another name").done("now")
    assert states()["ended"] == "ended"
    last = last_of(list_sessions(folder))
    assert last is not None
    assert last.path.stem == "new"


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "\x1b[2J", "x" * 61])
def test_a_name_that_no_list_can_show_is_refused(name: str) -> None:
    path = session("evening")
    Said(sessions.rename, "evening", name).refused(Exit.USAGE, "1 to 60 printable characters")
    assert len(read_entries(path)) == 1


def test_a_session_that_lost_its_end_is_not_renamed_over_the_loss() -> None:
    path = session("evening", 20, ENDED)
    older = path.read_bytes()
    Said(sessions.rename, "evening", "later").done("later")
    path.write_bytes(older)
    Said(sessions.rename, "evening", "again").refused(Exit.DATA, "entry 3 was saved once")


def test_what_somebody_writes_is_not_renamed_archived_or_deleted(
    open_elsewhere: Callable[[Path], None],
) -> None:
    path = session("evening")
    open_elsewhere(path)
    Said(sessions.rename, "evening", "later").refused(Exit.BUSY, "is being written by process ")
    Said(sessions.archive, "evening").refused(Exit.BUSY, "is being written by process ")
    Said(sessions.delete, "evening", yes=True, ask=no_question).refused(
        Exit.BUSY, "is being written by process "
    )
    Said(sessions.repair, "evening", yes=True, ask=no_question).refused(
        Exit.BUSY, "is being written by process "
    )
    assert len(read_entries(path)) == 2


# -- archive


def test_an_archived_session_moves_with_all_that_belongs_to_it_and_is_not_offered(
    folder: Path,
) -> None:
    path = session("evening", 20, PLAYED)
    keep_copy(path)
    for beside in (fold_path, kept_at, delivered_at):
        beside(path).write_bytes(b"kept")
    before = contents(folder)
    (folder / "evening.sqlite.bak").write_text("somebody else's")
    Said(sessions.archive, "evening").done(str(folder / "archive" / "evening.sqlite"))
    assert contents(folder / "archive") == before
    assert [name.name for name in folder.iterdir() if name.is_file()] == ["evening.sqlite.bak"]
    assert last_of(list_sessions(folder)) is None


def test_an_archived_session_comes_back_as_it_was(folder: Path) -> None:
    session("evening", 20, PLAYED)
    before = contents(folder)
    Said(sessions.archive, "evening").done("Archived")
    Said(sessions.archive, "evening").refused(Exit.USAGE, "archived already")
    Said(sessions.unarchive, "evening").done("Back from the archive")
    Said(sessions.unarchive, "evening").refused(Exit.USAGE, "is not archived")
    (folder / "archive").rmdir()
    assert contents(folder) == before
    assert last_of(list_sessions(folder)) is not None


def test_nothing_in_the_archive_is_overwritten(folder: Path) -> None:
    session("evening", name="first")
    Said(sessions.archive, "evening").done("Archived")
    second = session("evening", name="second")
    before = contents(folder / "archive")
    Said(sessions.archive, "second").refused(Exit.CANNOT_CREATE, "exists already")
    assert contents(folder / "archive") == before
    assert second.exists()


def test_what_a_crash_left_in_the_write_ahead_log_is_archived_too(
    folder: Path, open_elsewhere: Callable[[Path], None], tmp_path: Path
) -> None:
    path = session("evening")
    open_elsewhere(path)
    crashed = {name: data for name, data in contents(folder).items() if not name.endswith("-shm")}
    lost = tmp_path / "crashed"
    lost.mkdir()
    for name, data in crashed.items():
        (lost / name).write_bytes(data)
    assert "evening.sqlite-wal" in crashed
    Said(sessions.archive, str(lost / "evening.sqlite")).done("Archived")
    assert len(read_entries(lost / "archive" / "evening.sqlite")) == 2
    assert set(contents(lost / "archive")) == {"evening.sqlite", "evening.sqlite.mark"}


def test_a_damaged_session_can_be_archived_and_a_foreign_file_not(folder: Path) -> None:
    tear(session("torn", entries=60))
    Said(sessions.archive, "torn").done("Archived")
    (folder / "notes.sqlite").write_text("my notes")
    Said(sessions.archive, "notes").refused(Exit.DATA, "no session")
    assert (folder / "notes.sqlite").exists()


# -- delete


def test_a_deleted_session_is_gone_with_all_that_belongs_to_it(folder: Path) -> None:
    path = session("evening", name="Friday", entries=60)
    other = session("evening-2")
    keep_copy(path)
    tear(path)
    Said(sessions.repair, "evening.sqlite", yes=True, ask=no_question).done("is repaired")
    (folder / "evening.sqlite.bak").write_text("somebody else's")
    for beside in (fold_path, kept_at, delivered_at):
        beside(path).write_bytes(b"kept")
    result = Said(sessions.delete, "Friday", yes=True, ask=no_question)
    result.done("Deleted: evening.sqlite, evening.sqlite.backup, evening.sqlite.damaged")
    assert set(contents(folder)) == {"evening.sqlite.bak", other.name, mark_path(other).name}


@pytest.mark.parametrize("answers", [[""], ["n"], ["yesterday", "no"]])
def test_a_session_is_kept_unless_the_answer_is_yes(folder: Path, answers: list[str]) -> None:
    session("evening", name="Friday")
    before = contents(folder)
    questions: list[str] = []

    def ask(question: str) -> str:
        questions.append(question)
        return answers[len(questions) - 1]

    again = "Answer y or n.\n" * (len(answers) - 1)  # a word that only begins so is no yes
    Said(sessions.delete, "evening", yes=False, ask=ask).done(f"{again}evening.sqlite is kept.")
    assert contents(folder) == before
    (question,) = {*questions}
    assert question.startswith("Delete Friday (panic-fire, begun 2025-")
    assert question.endswith(", 1 entry) for good, with its copies? [y/N] ")


def test_an_answer_of_yes_deletes(folder: Path) -> None:
    session("evening")
    Said(sessions.delete, "evening", yes=False, ask=lambda _: " Y ").done(
        "Deleted: evening.sqlite, evening.sqlite.mark"
    )
    assert contents(folder) == {}


def test_without_anybody_to_ask_nothing_is_deleted() -> None:
    def ask(_: str) -> str:
        raise EOFError

    path = session("evening")
    Said(sessions.delete, "evening", yes=False, ask=ask).done("is kept")
    assert path.exists()


def test_a_session_that_never_began_can_be_deleted_and_a_foreign_file_not(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "empty.sqlite").touch()
    Said(sessions.delete, "empty", yes=True, ask=no_question).done("Deleted: empty.sqlite")
    (folder / "notes.sqlite").write_text("my notes")
    Said(sessions.delete, "notes", yes=True, ask=no_question).refused(Exit.DATA, "no session")
    assert set(contents(folder)) == {"notes.sqlite"}


def test_a_file_that_the_system_holds_on_to_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    path = session("evening")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        result = Said(sessions.delete, "evening", yes=True, ask=no_question)
        result.refused(Exit.CANNOT_CREATE, "permit")
        assert result.err.startswith(f"{path} cannot be deleted, because ")
        patch.setattr(Path, "rename", refuse)
        Said(sessions.archive, "evening").refused(Exit.CANNOT_CREATE, "permit")
    assert len(read_entries(path)) == 1


def test_the_list_loads_neither_the_games_nor_the_dashboard(folder: Path) -> None:
    session("evening")
    code = (
        "import argparse, sys; from companion.commands import sessions; "
        "sessions.show(argparse.Namespace(json=False, anyway=False)); "
        "print(sorted({'textual', 'pydantic', 'serial', 'rich'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_a_piped_list_has_names_that_can_be_pasted_back() -> None:
    name = "Friday night at the house on the hill with all of the neighbours"[:60]
    session("a", 18, name=name)
    result = Said(sessions.show, json=False)
    assert name in result.out
    assert find(name).stem == "a"


def test_those_that_are_called_alike_are_listed_by_what_is_typed_for_each() -> None:
    for file, name in (("one", "Friday"), ("two", "friday"), ("three", "Sunday")):
        session(file, name=name)
    named = {line.split()[0] for line in Said(sessions.show, json=False).out.splitlines()[1:]}
    assert named == {"one", "two", "Sunday"} == set(Ran("completion", "sessions").out.split())
    assert {find(name).stem for name in named} == {"one", "two", "three"}


def test_who_deletes_one_of_those_is_asked_about_its_file() -> None:
    for file in ("one", "two"):
        session(file, name="Friday")
    asked: list[str] = []

    def no(question: str) -> str:
        asked.append(question)
        return "n"

    Said(sessions.delete, "two", yes=False, ask=no).done("is kept")
    assert asked[0].startswith("Delete two (")


def test_a_session_in_which_something_was_ruled_is_gone_on_with_first(folder: Path) -> None:
    session("played", 18, PLAYED)
    session("only-begun", 22)
    last = last_of(list_sessions(folder))
    assert last is not None
    assert last.path.stem == "played"


def test_a_data_folder_that_is_a_file_is_said_so(own_data_folder: Path) -> None:
    own_data_folder.write_text("no folder")
    Said(sessions.show, json=False).refused(Exit.NO_INPUT, "COMPANION_DATA")


def test_a_game_that_is_not_here_is_called_by_what_its_file_says_or_by_its_id(
    tmp_path: Path,
) -> None:
    assert title_of(SessionInfo(tmp_path, "", example_game())) == GAMES[example_game()].title
    assert title_of(SessionInfo(tmp_path, "", "whist", title="Our\x1bWhist")) == "Our Whist"
    assert title_of(SessionInfo(tmp_path, "", "whist")) == "whist"
