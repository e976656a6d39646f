"""Two ends of one game: both are listed, neither counts before the owner says which, and who goes on is asked."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from unittest.mock import patch

import pytest

from companion import terminal
from companion.commands import starting
from companion.commands.play_options import PlayOptions
from companion.doctor import checks
from companion.doctor.checks import Severity
from companion.errors import CommandError
from companion.exits import Exit
from companion.journal.folder import ARCHIVE, sessions_dir
from companion.journal.sessions import list_sessions
from tests.commands.ran import Ran

COPY = "evening (conflicted copy)"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def played(path: Path, *lines: str) -> Path:
    """Play these lines at the session, which is created if it does not exist."""
    typed = "".join(f"{line}\n" for line in lines)
    if not path.exists():
        Ran("play", "panic-fire", "--seats", "anna,ben", "--port", "none", "--plain", typed="")
        (made,) = sessions_dir().glob("panic-fire-*.sqlite")
        for file in sessions_dir().glob(f"{made.name}*"):
            file.rename(file.with_name(file.name.replace(made.stem, path.stem)))
    ran = Ran("resume", str(path), "--port", "none", "--plain", typed=typed)
    assert ran.code == Exit.DONE, ran.err
    return path


def two_ends() -> tuple[Path, Path]:
    path = played(sessions_dir() / "evening.sqlite", "fire")
    copy = path.with_name(f"{COPY}.sqlite")
    shutil.copy(path, copy)
    played(path, "draw anna")
    played_apart(copy)
    return path, copy


def played_apart(copy: Path) -> None:
    """Continue a copy in another folder, as on another computer, and bring it back."""
    elsewhere = sessions_dir().parent.parent / "elsewhere"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COMPANION_DATA", str(elsewhere))
        moved = sessions_dir() / copy.name
        moved.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(copy, moved)
        played(moved, "draw ben")
    shutil.move(moved, copy)
    shutil.rmtree(elsewhere)


def as_one_text(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def counted() -> int:
    ran = Ran("stats", "--json")
    return max((first_end["sessions"] for first_end in json.loads(ran.out)), default=0)


def test_sessions_lists_both_ends_and_says_so() -> None:
    two_ends()
    ran = Ran("sessions")
    text = as_one_text(ran.out)
    assert f"evening and {COPY} are two ends of one game: the same up to entry" in text
    assert "Neither counts until you choose one: companion sessions choose evening " in text
    assert f"    companion sessions choose '{COPY}'\n" in ran.out
    standings = {
        Path(first_end["path"]).stem: first_end["standing"]
        for first_end in json.loads(Ran("sessions", "--json").out)
    }
    assert standings == {"evening": "undecided", COPY: "undecided"}


def test_stats_count_neither_until_one_is_chosen_and_that_can_be_taken_back() -> None:
    two_ends()
    assert counted() == 0
    ran = Ran("stats")
    assert ran.code == Exit.DATA
    assert ran.err.count("Not counted:") == 2
    assert Ran("stats", "--anyway").code == Exit.DONE
    chosen = Ran("sessions", "choose", COPY)
    assert chosen.code == Exit.DONE
    assert chosen.out == (
        f"{COPY}.sqlite counts from now on; evening.sqlite is kept and does not.\n"
        f"Undo that: companion sessions unchoose '{COPY}'\n"
    )
    assert counted() == 1
    ran = Ran("stats")
    assert ran.code == Exit.DONE
    assert "evening is set aside and does not count" in ran.err
    taken_back = Ran("sessions", "unchoose", "evening")
    assert (taken_back.code, counted()) == (Exit.DONE, 0)
    assert "two ends of one game" in taken_back.out


def test_an_import_of_one_end_does_not_count_either() -> None:
    path, _copy = two_ends()
    out = path.with_name("evening.jsonl")
    Ran("export", "evening", "--format", "jsonl", "-o", str(out))
    assert Ran("import", str(out)).code == Exit.DONE
    assert counted() == 0
    assert "is of the game that has two ends" in Ran("stats").err
    Ran("sessions", "choose", "evening")
    assert counted() == 1


def test_an_older_copy_costs_nobody_a_count() -> None:
    path = played(sessions_dir() / "evening.sqlite", "fire")
    shutil.copy(path, path.with_name(f"{COPY}.sqlite"))
    played(path, "draw anna")
    assert counted() == 1
    assert "is an older copy of evening" in as_one_text(Ran("sessions").out)
    refused = Ran("sessions", "choose", COPY)
    assert (refused.code, "is an older copy of evening" in refused.err) == (Exit.USAGE, True)


def test_what_has_no_other_end_leaves_nothing_to_choose() -> None:
    played(sessions_dir() / "evening.sqlite", "fire")
    assert "only file of its game" in Ran("sessions", "choose", "evening").err
    assert "nothing was undone" in Ran("sessions", "unchoose", "evening").err


def test_without_a_terminal_going_on_with_an_end_says_what_it_is() -> None:
    two_ends()
    ran = Ran("resume", "evening", "--plain", "--port", "none")
    assert ran.code == Exit.DONE
    assert "two ends of one game" in ran.err


def test_without_a_terminal_an_older_copy_is_not_gone_on_with() -> None:
    path = played(sessions_dir() / "evening.sqlite", "fire")
    copy = path.with_name(f"{COPY}.sqlite")
    shutil.copy(path, copy)
    played(path, "draw anna")
    before = copy.read_bytes()
    ran = Ran("resume", COPY, "--plain", "--port", "none")
    assert ran.code == Exit.DATA
    assert "would make two ends of one game" in ran.err
    assert copy.read_bytes() == before


@pytest.mark.parametrize("answered", ["n", "", "y"])
def test_at_a_terminal_who_goes_on_with_an_end_is_asked(
    answered: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _copy = two_ends()
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return answered

    options = PlayOptions(plain=True, port="none", port_said=True)
    with (
        patch.object(terminal, "can_ask", lambda: True),
        patch("builtins.input", ask),
        patch("companion.commands.playing.go_on", lambda *_: Exit.DONE),
    ):
        if answered == "y":
            assert starting.go_on(path, options) == Exit.DONE
        else:
            with pytest.raises(CommandError, match="is as it was"):
                starting.go_on(path, options)
    assert asked == ["Continue evening? [y/N] "]
    assert "two ends of one game" in capsys.readouterr().out


def test_what_is_set_aside_is_not_the_session_that_is_gone_on_with_by_default() -> None:
    two_ends()
    Ran("sessions", "choose", "evening")
    ran = Ran("resume", "--plain", "--port", "none")
    assert ran.code == Exit.DONE
    assert "set aside" not in ran.err


def test_a_play_for_bg_stats_is_not_made_of_one_of_two_ends() -> None:
    path, _copy = two_ends()
    ran = Ran("export", "evening", "--format", "bgstats")
    assert ran.code == Exit.DATA
    assert "two ends of one game" in ran.err
    assert "No play was made" in ran.err
    assert path.exists()


@pytest.mark.parametrize(
    "command",
    [["export", "--format", "jsonl"], ["sheet"], ["feed"], ["export", "--format", "html"]],
)
def test_a_report_of_one_end_says_that_it_is_one(command: list[str]) -> None:
    two_ends()
    ran = Ran(command[0], "evening", *command[1:])
    assert ran.code == Exit.DONE
    assert "two ends of one game" in ran.err
    assert ran.out


def test_doctor_warns_of_two_ends_and_names_the_command() -> None:
    two_ends()
    checks_found = list(checks.two_ends(list_sessions(sessions_dir())))
    assert [first_end.mend for first_end in checks_found] == [
        "companion sessions choose evening",
        f"companion sessions choose '{COPY}'",
    ]
    assert all(first_end.level is Severity.WARNING for first_end in checks_found)
    assert checks_found[0].sentence.endswith("Neither counts until you choose one.")
    Ran("sessions", "choose", "evening")
    assert not list(checks.two_ends(list_sessions(sessions_dir())))


def test_an_archived_end_counts_as_one() -> None:
    _path, _copy = two_ends()
    Ran("sessions", "archive", COPY)
    assert counted() == 0
    Ran("sessions", "choose", "evening")
    assert counted() == 1
    assert (sessions_dir() / ARCHIVE / f"{COPY}.sqlite").exists()
