"""The demo on the emulated chip: players at its pins, the link and the table in its time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from companion.demo import run
from companion.demo.steps import DemoStep, zone
from companion.errors import ErrorKind
from companion.games.panic_fire.players import PanicFirePlayers
from companion.games.panic_fire.rules.view import PanicFireView
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.demo.faulty import verdict
from tests.demo.presses import Press, PressRecorder
from tests.pico import demo
from tests.pico.emulator.board import PicoBoard
from tests.pico.emulator.emulated import Chip
from tests.pico.emulator.parts import Parts


class TwoInAHurry(PanicFirePlayers):
    """Two people, one round: a draw, a knock, and a shot."""

    seats: ClassVar[tuple[str, ...]] = ("Red", "Blue")

    def steps(self) -> Iterator[DemoStep]:
        yield self.hold(zone(0), lambda view: view.phase == "open", "the round is open")
        yield self._draw(1, 60)
        logged = len(self.table.view().log)
        yield DemoStep(
            self.board.knock,
            lambda _: len(self.table.view().log) > logged,
            "the knock is logged",
            0,
        )
        yield DemoStep(self.board.shot, lambda view: bool(view.open_shots), "the shot is open", 0)
        yield self.hold(zone(1), _has_a_target, "the target is named")
        yield self.hold(zone(0), lambda view: not view.open_shots, "the shooter is named")


class RecordedPico(PressRecorder, PicoBoard):
    """An emulated Pico whose presses are remembered."""

    def __init__(self, parts: Parts, chip: Chip, path: Path, seed: int) -> None:
        super().__init__(parts, chip, path, seed)
        self.made: list[Press] = []


def counted(stage: run.Performance) -> ErrorKind | None:
    """Play the demo; return its error, or the error for a press that was lost."""
    board = stage.players.board
    assert isinstance(board, RecordedPico)
    failed = run.perform(stage)
    lost = verdict(stage.players.table, board, sys.stdout)
    return failed or lost


def _has_a_target(view: PanicFireView) -> bool:
    return bool(view.open_shots) and view.open_shots[0].target is not None


def test_a_round_is_played_and_scored_and_no_press_is_lost(
    flash: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "_flash", lambda *_: flash)
    monkeypatch.setattr(run, "scripted_players_of", lambda _: TwoInAHurry)
    monkeypatch.setattr(demo, "PicoBoard", RecordedPico)
    ending = run.run_demo(
        "panic-fire", seed=1, speed=1000, plain=True, board=demo.pico, play=counted
    )
    assert ending is None
    out, error = capsys.readouterr()
    assert error == ""
    assert "· Blue draws" in out
    assert "· knock: no trigger pull within 30 ms" in out
    assert "· the gun fired, hit +8.0 ms after the trigger" in out
    assert "· Red shot Blue: Blue is out; Red takes a Bullet card" in out
    assert (
        "\nRed: 1 Bullet card, 1 elimination, 0 draws\nBlue: 0 Bullet cards, 0 eliminations, 1 draw\n"
        in out
    )
    assert "7 presses and hits: 7 in the record once each; nothing was lost." in out
    assert not any(word in out for word in ("not counted", "clock", "silent", "lost -")), out


def test_a_chip_whose_emulator_ends_takes_no_more_and_lets_nobody_wait(
    parts: Parts, tmp_path: Path
) -> None:
    with PicoBoard(parts, Chip(), tmp_path / "port", 1) as board:
        board._pico._process.kill()
        board._thread.join()
        ended_ns = board.clock_ns()
        assert board.clock_ns() > ended_ns
        with pytest.raises(VirtualBoardError, match="emulator ended"):
            board.press("trigger")
