"""Who goes on with a session has the board it had."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands import playing, virtual
from companion.commands.playing import Way
from companion.config.schema import Preferences
from companion.games.base import Setup
from companion.games.header import header
from companion.games.seats import seats_from_names
from companion.journal.entries import Draft, Layer
from companion.journal.journal import Journal

HELLO = {"board": "Pico", "firmware": "1.0", "reset": "power on", "stamp_error_us": 10}


def session(path: Path, *uids: int) -> Path:
    """A session that met these boards."""
    setup = Setup("panic-fire", 2, seats_from_names(["Ada", "Ben"]))
    with Journal.create(path, header(setup, "s"), wall=lambda: "2024-05-01T20:15:00+00:00") as journal:
        for boot, uid in enumerate(uids):
            journal.append(Draft(Layer.EVIDENCE, "hello", {**HELLO, "uid": f"{uid:016x}", "boot": boot}))
    return path


def went_on_at(monkeypatch: pytest.MonkeyPatch, path: Path, way: Way) -> str:
    ways: list[Way] = []

    def play(_: object, taken: Way) -> int:
        ways.append(taken)
        return 0

    monkeypatch.setattr(playing, "play", play)
    assert playing.go_on(path, way) == 0
    return ways[0].port


def test_a_session_that_had_the_virtual_board_has_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert virtual.identity() is None
    (tmp_path / "virtual").mkdir()
    (tmp_path / "virtual" / "uid").write_text("00000000000000f7\n")
    assert went_on_at(monkeypatch, session(tmp_path / "1", 0xF7), Way("none")) == "virtual"
    assert went_on_at(monkeypatch, session(tmp_path / "2", 0xF7), Way("auto")) == "virtual"


def test_a_board_that_is_not_there_now_may_be_plugged_in_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert went_on_at(monkeypatch, session(tmp_path / "1", 0xAB), Way("none")) == "auto"
    assert went_on_at(monkeypatch, session(tmp_path / "2"), Way("none")) == "none"
    assert went_on_at(monkeypatch, session(tmp_path / "3", 0xAB), Way("/dev/ttyACM0")) == "/dev/ttyACM0"


def test_what_somebody_said_about_the_board_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    way = Way("none", wanted=Preferences(port="none"))
    assert went_on_at(monkeypatch, session(tmp_path / "1", 0xAB), way) == "none"
    assert went_on_at(monkeypatch, tmp_path / "no such", Way("auto")) == "auto"
