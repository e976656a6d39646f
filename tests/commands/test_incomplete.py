"""A record that lacks what was saved once: nobody is shown it as if it were whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.copy import keep_copy
from companion.journal.folder import sessions_dir
from tests.commands.ran import Ran
from tests.journal.foreign_files import healthy, killed


def without_its_log(path: Path) -> None:
    killed(path)
    Path(f"{path}-wal").unlink()


def damaged_in_its_log(path: Path) -> None:
    killed(path)
    log = Path(f"{path}-wal")
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)


def an_older_copy(path: Path) -> None:
    """Put another evening's record under this session's mark."""
    healthy(path, "Friday", hour=21)
    mark = Path(f"{path}.mark").read_bytes()
    healthy(path, "Saturday", hour=22)
    Path(f"{path}.mark").write_bytes(mark)


def damaged_in_its_log_and_without_a_mark(path: Path) -> None:
    damaged_in_its_log(path)
    Path(f"{path}.mark").unlink()


WAYS = (without_its_log, damaged_in_its_log, damaged_in_its_log_and_without_a_mark, an_older_copy)


@pytest.fixture(params=WAYS, ids=lambda lay: lay.__name__)
def lacking(request: pytest.FixtureRequest) -> Path:
    sessions_dir().mkdir(parents=True)
    healthy(sessions_dir() / "whole.sqlite")
    path = sessions_dir() / "evening.sqlite"
    lay: Callable[[Path], None] = request.param
    lay(path)
    return path


@pytest.mark.parametrize(
    "command",
    [
        ("export", "evening", "--format", "json"),
        ("export", "evening", "--format", "html"),
        ("sheet", "evening"),
        ("stats", "--json"),
        ("sessions", "--json"),
        ("sessions",),
        ("rematch", "evening", "--port", "none"),
    ],
    ids=" ".join,
)
def test_each_reader_says_so_first_and_goes_on_only_when_told(
    lacking: Path, command: tuple[str, ...]
) -> None:
    ran = Ran(*command)
    assert ran.code == Exit.DATA
    assert "saved" in ran.err.splitlines()[0]
    assert lacking.name in ran.err.splitlines()[0]
    anyway = Ran(*command, "--anyway")
    assert anyway.code == Exit.DONE
    assert anyway.out
    if command[0] != "rematch":
        assert "saved" in anyway.err.splitlines()[0]


@pytest.mark.parametrize(
    "command", [("watch", "evening", "--plain"), ("serve", "evening", "--port", "0")], ids=" ".join
)
def test_who_looks_on_is_told_before_the_first_page(
    lacking: Path, command: tuple[str, ...]
) -> None:
    ran = Ran(*command)
    assert (ran.code, ran.out) == (Exit.DATA, "")
    assert lacking.name in ran.err


def test_the_offer_to_go_on_says_so_too(lacking: Path) -> None:
    (sessions_dir() / "whole.sqlite").unlink()
    ran = Ran()
    assert ran.code == Exit.DATA
    assert "saved" in ran.err.splitlines()[0]
    assert lacking.name in ran.err.splitlines()[0]


def test_the_list_marks_it_and_says_what_it_lacks(lacking: Path) -> None:
    listed = {one["name"]: one for one in json.loads(Ran("sessions", "--json").out)}
    (one,) = [session for session in listed.values() if session["path"] == str(lacking)]
    assert one["state"] == "incomplete"
    assert one["lacking"].endswith(".")


def test_a_report_for_who_looks_into_it_is_made_all_the_same(lacking: Path, tmp_path: Path) -> None:
    ran = Ran("report", "evening", "-o", str(tmp_path / "report.zip"))
    assert ran.code == Exit.DONE
    assert "saved" in ran.err


def test_a_whole_record_and_one_without_a_mark_are_read_as_ever(tmp_path: Path) -> None:
    path = healthy(tmp_path / "alone.sqlite")
    keep_copy(path)
    assert Ran("sheet", str(path)).err == ""
    Path(f"{path}.mark").unlink()
    assert Ran("sheet", str(path)).err == ""
