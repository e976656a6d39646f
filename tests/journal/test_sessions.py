from __future__ import annotations

import os
import subprocess
from pathlib import Path

import platformdirs
import pytest

from companion.journal.entries import Control, Draft, Layer
from companion.journal.folder import sessions_dir, typed_name
from companion.journal.journal import Journal
from companion.journal.sessions import is_played, last_of, list_sessions, new_session_path
from companion.rules.columns import clean, in_shell
from companion.session.finding import find
from tests.journal.support import contents, evidence, fact

ENDED = Draft(Layer.CONTROL, Control.ENDED)
RESUMED = Draft(Layer.CONTROL, Control.RESUMED)


def session(path: Path, hour: int, *drafts: Draft, name: str = "") -> None:
    with Journal.create(
        path, {"game": "panic-fire", "name": name}, wall=lambda: f"2025-01-31T{hour}:00Z"
    ) as journal:
        journal.append(*drafts)


def test_sessions_lie_in_the_folder_that_was_chosen(own_data_folder: Path) -> None:
    assert sessions_dir() == own_data_folder / "sessions"


def test_sessions_lie_in_the_users_data_folder_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_DATA")
    assert (
        sessions_dir()
        == platformdirs.user_data_path("table-companion", appauthor=False) / "sessions"
    )


def test_a_new_session_is_called_after_its_game_and_time_and_overwrites_none() -> None:
    def wall() -> str:
        return "2025-01-31T20:15:07.123456+00:00"

    first = new_session_path("panic-fire", wall)
    assert first == sessions_dir() / "panic-fire-20250131T201507.sqlite"
    session(first, 20)
    assert new_session_path("panic-fire", wall).name == "panic-fire-20250131T201507-2.sqlite"
    assert new_session_path("../Odd Game", wall).parent == sessions_dir()


def test_what_one_types_for_a_session_is_one_word_to_a_shell() -> None:
    assert typed_name(sessions_dir() / "friday.sqlite") == "friday"
    assert typed_name(sessions_dir() / "friday night.sqlite") == "'friday night'"


@pytest.mark.parametrize(
    "stem",
    [
        "friday night",
        "it's",
        "a\\nb",
        "$(touch evil)",
        "-x",
        "--anyway",
        "bell\x07 1",
        "\u202eb",
        "\udcff",
    ],
)
@pytest.mark.parametrize("folder", ["sessions", "other"])
def test_what_is_printed_for_a_session_is_pasted_into_bash_and_finds_it(
    stem: str, folder: str, own_data_folder: Path
) -> None:
    path = own_data_folder / folder / f"{stem}.sqlite"
    session(path, 20)
    printed = clean(typed_name(path))
    pasted = subprocess.run(
        ["bash", "-c", f"printf %s {printed}"], capture_output=True, check=True
    ).stdout
    assert not os.fsdecode(pasted).startswith("-"), "a command would take it for an option"
    assert find(os.fsdecode(pasted)) == path


@pytest.mark.parametrize("name", ["-x.toml", "two words.toml", "it's", "a\x1b1\\", "\udcff7"])
def test_a_file_name_in_a_printed_command_is_one_word_that_names_it(name: str) -> None:
    pasted = subprocess.run(
        ["bash", "-c", f"printf %s {clean(in_shell(name))}"], capture_output=True, check=True
    )
    assert Path(os.fsdecode(pasted.stdout)) == Path(name)


def test_a_folder_that_does_not_exist_holds_no_sessions(tmp_path: Path) -> None:
    assert list_sessions(tmp_path / "none") == ()
    assert last_of(list_sessions(tmp_path / "none")) is None


def test_sessions_are_listed_with_what_one_wants_to_know(tmp_path: Path) -> None:
    session(tmp_path / "a.sqlite", 20, fact(), evidence(), ENDED, name="Friday")
    session(tmp_path / "b.sqlite", 21, fact())
    newer, older = list_sessions(tmp_path)
    assert (older.name, older.game, older.entries, older.ended) == ("Friday", "panic-fire", 4, True)
    assert (newer.name, newer.entries, newer.ended) == ("b", 2, False)
    assert newer.started_wall == newer.last_wall == "2025-01-31T21:00Z"


def test_a_session_that_went_on_after_its_end_is_not_ended(tmp_path: Path) -> None:
    session(tmp_path / "a.sqlite", 20, ENDED, RESUMED, fact())
    session(tmp_path / "b.sqlite", 21, ENDED, RESUMED, ENDED, evidence())
    assert [info.ended for info in list_sessions(tmp_path)] == [True, False]


def test_an_unreadable_session_is_listed_last_with_its_problem(tmp_path: Path) -> None:
    session(tmp_path / "a.sqlite", 20)
    (tmp_path / "b.sqlite").write_bytes((tmp_path / "a.sqlite").read_bytes()[:5000])
    (tmp_path / "c.sqlite").write_text("my notes")
    good, torn, notes = list_sessions(tmp_path)
    assert good.problem is None
    assert "is damaged" in (torn.problem or "")
    assert "not an SQLite file" in (notes.problem or "")


def test_listing_changes_nothing_on_the_disk(tmp_path: Path) -> None:
    session(tmp_path / "a.sqlite", 20)
    (tmp_path / "b.sqlite").write_text("my notes")
    before = contents(tmp_path)
    list_sessions(tmp_path)
    assert contents(tmp_path) == before


def test_a_session_that_is_being_written_is_listed_as_it_stands(tmp_path: Path) -> None:
    with Journal.create(
        tmp_path / "a.sqlite", {"game": "g"}, wall=lambda: "2025-01-31T20:00Z"
    ) as journal:
        journal.wait(journal.append(fact(), fact()).last_n)
        (info,) = list_sessions(tmp_path)
        assert (info.entries, info.problem) == (3, None)
        journal.wait(journal.append(fact()).last_n)


def test_the_last_unfinished_session_is_the_one_written_to_last(tmp_path: Path) -> None:
    session(tmp_path / "old.sqlite", 18, fact())
    session(tmp_path / "newer.sqlite", 19, fact())
    session(tmp_path / "ended.sqlite", 21, ENDED)
    (tmp_path / "broken.sqlite").write_text("")
    with Journal.open(tmp_path / "old.sqlite", wall=lambda: "2025-01-31T22:00Z") as journal:
        journal.append(RESUMED)
    unfinished = last_of(list_sessions(tmp_path))
    assert unfinished is not None
    assert unfinished.name == "old"


def test_a_folder_of_ended_sessions_has_none_to_go_on_with(tmp_path: Path) -> None:
    session(tmp_path / "a.sqlite", 20, ENDED)
    assert last_of(list_sessions(tmp_path)) is None


def offered(folder: Path, *, unplayed: bool = False) -> str:
    last = last_of(list_sessions(folder), unplayed=unplayed)
    return "" if last is None else last.name


def test_a_session_in_which_nobody_did_anything_is_none_to_go_on_with_unless_it_is_asked_for(
    tmp_path: Path,
) -> None:
    session(tmp_path / "begun.sqlite", 20, RESUMED)
    assert offered(tmp_path) == ""
    assert offered(tmp_path, unplayed=True) == "begun"
    session(tmp_path / "played.sqlite", 19, fact())
    assert offered(tmp_path) == offered(tmp_path, unplayed=True) == "played"
    assert is_played(tmp_path / "played.sqlite")
    assert not is_played(tmp_path / "begun.sqlite")


def test_what_a_board_reported_is_something_to_go_on_with(tmp_path: Path) -> None:
    """A session closed before its first ruling has evidence of its board, and the board may have
    more."""
    bodies_by_kind = {
        "board": "Pico",
        "firmware": "1",
        "reset": "?",
        "uid": "0" * 16,
        "boot": 1,
        "stamp_error_us": 10,
    }
    hello = Draft(Layer.EVIDENCE, "hello", bodies_by_kind)
    session(tmp_path / "connected.sqlite", 18, hello)
    session(tmp_path / "begun.sqlite", 19)
    assert offered(tmp_path) == offered(tmp_path, unplayed=True) == "connected"
    assert not is_played(tmp_path / "connected.sqlite")
    session(tmp_path / "pressed.sqlite", 17, hello, evidence())
    assert is_played(tmp_path / "pressed.sqlite")
    assert offered(tmp_path) == "pressed", (
        "a board that was only there is no reason to leave what was played"
    )
    session(tmp_path / "played.sqlite", 16, fact())
    assert offered(tmp_path) == "pressed"
