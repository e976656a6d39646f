"""Damaged and foreign files in the sessions' folder: each command shows the other sessions, and one sentence for each
of these."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands.past_sessions import past
from companion.errors import CommandError
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.journal.sessions import list_sessions
from companion.session.watching import Watcher
from companion.web.lookers import Onlooker
from tests.commands.ran import Ran
from tests.journal.foreign_files import DAMAGED, KINDS, healthy, lay
from tests.thorough import THOROUGH


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one file of each kind."""
    folder = tmp_path_factory.mktemp("laid") / "sessions"
    for kind in KINDS:
        lay(kind, folder)
    return folder


@pytest.fixture(scope="module")
def laid_few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with some of the kinds."""
    folder = tmp_path_factory.mktemp("few") / "sessions"
    for kind in sorted(KINDS)[:: 1 if THOROUGH else 5]:
        lay(kind, folder)
    return folder


@pytest.fixture
def folder(laid: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one of each kind and three healthy sessions, the last of which was played last."""
    yield from _played_in(laid, monkeypatch)


@pytest.fixture
def few(laid_few: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The same with some of the kinds."""
    yield from _played_in(laid_few, monkeypatch)


def _played_in(laid: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("COMPANION_DATA", str(laid.parent))
    for hour, name in enumerate(("first", "second", "third"), start=21):
        healthy(laid / f"{name}.sqlite", name, hour=hour)
    before = set(laid.iterdir())
    yield laid
    for path in laid.iterdir():
        if path not in before or not path.name.startswith(DAMAGED):
            path.unlink()


def test_the_list_has_every_file_and_a_sentence_for_each_that_cannot_be_read(folder: Path) -> None:
    listed = json.loads(Ran("sessions", "--json").out)
    assert {Path(session["path"]).name for session in listed} == {
        path.name for path in folder.glob("*.sqlite")
    }
    states = {Path(session["path"]).stem: session["state"] for session in listed}
    assert [states[name] for name in ("first", "second", "third")] == ["unfinished"] * 3
    for session in listed:
        assert (session["problem"] is not None) == (session["state"] == "unreadable")
        assert session["problem"] is None or session["problem"].endswith(".")
    printed = Ran("sessions").out
    assert all(name in printed for name in ("first", "second", "third"))


def test_the_start_screen_offers_the_healthy_ones(folder: Path) -> None:
    offered = [session.path.stem for session in past(list_sessions(sessions_dir()))]
    assert {"first", "second", "third"} <= set(offered)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("resume", "--port", "none"),
        ("sheet",),
        ("rematch", "--port", "none"),
        ("hub", "pack", "-o", os.devnull),
    ],
)
def test_who_is_offered_the_last_session_is_told_that_others_cannot_be_read(
    few: Path, arguments: tuple[str, ...]
) -> None:
    count = sum(info.problem is not None for info in list_sessions(few))
    assert (
        Ran(*arguments).err.count(
            f"{count} sessions cannot be read: `companion sessions` says why.\n"
        )
        == 1
    )


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("resume", "first", "--port", "none"),
        ("resume", "--port", "none"),
        ("rematch", "second", "--port", "none"),
        ("export", "first", "--format", "json"),
        ("sheet", "second"),
        ("stats", "--anyway"),
        ("stats", "--json", "--anyway"),
        ("sessions", "rename", "first", "Sunday"),
        ("journal", "check", "first"),
    ],
    ids=" ".join,
)
def test_a_healthy_session_is_not_stopped_by_the_others(
    few: Path, arguments: tuple[str, ...]
) -> None:
    assert Ran(*arguments).code == Exit.DONE


def test_where_no_session_can_be_read_nobody_is_told_that_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "evening.sqlite").write_text("torn")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_DATA", str(tmp_path))
        ran = Ran("export")
    assert (ran.code, ran.err) == (
        Exit.NO_INPUT,
        "1 session cannot be read: `companion sessions` says why.\n",
    )


def test_statistics_count_the_healthy_ones(folder: Path) -> None:
    counted = Ran("stats", "--json", "--anyway")
    # Anna's session that others were forged from has many ends, none of which counts.
    assert max(one["sessions"] for one in json.loads(counted.out) if one["name"] == "Bo") >= 3
    assert counted.err.count("Skipped: ") > 50


def test_the_doctor_names_what_is_wrong_and_goes_on(folder: Path) -> None:
    output = json.loads(Ran("doctor", "--json").out)
    assert [finding for finding in output["findings"] if finding["topic"] == "clock"]


COMMANDS = (
    ("export", "FILE", "--format", "html"),
    ("export", "FILE", "--format", "jsonl", "--evidence"),
    ("export", "FILE", "--format", "json"),
    ("export", "FILE", "--format", "bgstats"),
    ("sheet", "FILE"),
    ("report", "FILE", "-o", "OUT"),
    ("import", "FILE"),
    ("score", "FILE"),
    ("replay", "FILE"),
    ("journal", "check", "FILE"),
    ("rematch", "FILE", "--port", "none"),
    ("resume", "FILE", "--port", "none"),
    ("sessions", "rename", "FILE", "Sunday"),
    ("sessions", "archive", "FILE"),
    ("journal", "repair", "FILE", "--yes"),
    ("sessions", "delete", "FILE", "--yes"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
def test_each_command_has_a_sentence_for_each_kind(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    """A thorough run tries each pair of a kind and a command, others every few of them."""
    step = 1 if THOROUGH else 5
    for kind in sorted(KINDS)[COMMANDS.index(command) % step :: step]:
        shutil.rmtree(sessions_dir(), ignore_errors=True)
        out = tmp_path / f"{kind[:40]}.zip"
        path = lay(kind, sessions_dir(), COMMANDS.index(command))
        ran = Ran(*({"FILE": str(path), "OUT": str(out)}.get(word, word) for word in command))
        assert ran.code == Exit.DONE or (ran.out + ran.err).strip(), (kind, command)


def test_who_looks_on_at_any_of_them_is_told_what_is_wrong() -> None:
    for kind in sorted(KINDS):
        path = lay(kind, sessions_dir())
        with contextlib.suppress(CommandError):
            Watcher(path).close()
        with contextlib.suppress(CommandError):
            Onlooker(path)
