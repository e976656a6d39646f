"""What is named on the command line and cannot even be looked at, or is no name at all."""

from __future__ import annotations

import errno
import zipfile
from pathlib import Path

import pytest

from companion.exits import Exit
from companion.hub.run import opened
from companion.journal.folder import sessions_dir
from companion.session.opening import begin
from tests.commands.parts import session
from tests.commands.ran import Ran
from tests.reports.support import FIXTURES

SIX = FIXTURES / "six-rounds.jsonl"

# the system refuses to look at it, as in a folder that is closed to this user
TOO_LONG = "x" * 3000
OF_A_SESSION = [
    ("export",),
    ("sheet",),
    ("feed",),
    ("report",),
    ("hub", "pack"),
    ("journal", "check"),
    ("journal", "repair"),
    ("resume", "--plain", "--port", "none"),
    ("sessions", "archive"),
    ("sessions", "delete", "--yes"),
]


@pytest.mark.parametrize(
    "words", [*OF_A_SESSION, ("games", "check"), ("config", "validate")], ids=" ".join
)
def test_a_file_that_cannot_be_looked_at_is_refused_in_a_sentence(words: tuple[str, ...]) -> None:
    ran = Ran(*words, TOO_LONG)
    assert ran.code in (Exit.NO_INPUT, Exit.DATA)
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("hub", "pack", "evening", "-o"), ("hub", "export", "-o")], ids=" ".join
)
def test_a_place_that_cannot_be_looked_at_cannot_be_written(words: tuple[str, ...]) -> None:
    begin("panic-fire", ["red", "blue"], {}, sessions_dir() / "evening.sqlite").close()
    with opened(None):
        pass  # the hub's own database is there
    ran = Ran(*words, TOO_LONG)
    assert (ran.code, "cannot be written" in ran.err) == (Exit.CANNOT_CREATE, True)


def test_what_cannot_be_written_to_its_end_is_not_left_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begin("panic-fire", ["red", "blue"], {}, sessions_dir() / "evening.sqlite").close()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    ran = Ran("report", "evening", "-o", str(tmp_path / "report.zip"))
    assert (ran.code, list(tmp_path.glob("*.zip"))) == (Exit.CANNOT_CREATE, [])


def test_games_and_doctor_say_that_the_data_folder_cannot_be_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / TOO_LONG))
    assert "free where the sessions are" in Ran("doctor").out
    listed = Ran("games", "list")
    assert (listed.code, "cannot be read" in listed.err) == (Exit.DATA, True)
    assert (
        "there is no game 'bouls'; the games are: drills, fractured-sky, "
        in Ran("play", "bouls").err
    )


@pytest.mark.parametrize(
    "words", [("import", str(SIX)), ("play", "panic-fire", "--port", "none")], ids=lambda it: it[0]
)
def test_no_session_is_made_in_a_data_folder_that_cannot_be_looked_at(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / TOO_LONG))
    ran = Ran(*words)
    assert (ran.code, ran.err.count("\n")) == (Exit.CANNOT_CREATE, 1)
    assert ran.err.startswith("The session file cannot be made: ")


@pytest.mark.parametrize("name", ["", ".", "/"])
@pytest.mark.parametrize("words", OF_A_SESSION, ids=" ".join)
def test_what_is_no_name_names_no_session_even_where_there_is_only_one(
    words: tuple[str, ...], name: str
) -> None:
    path = session("evening")
    ran = Ran(*words, name)
    assert (ran.code, ran.out) == (Exit.NO_INPUT, "")
    assert "names no session" in ran.err
    assert path.exists()
