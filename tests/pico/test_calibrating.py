"""The whole chip tested and calibrated as a person does it: shots, knocks and presses at its pins."""

from __future__ import annotations

from pathlib import Path

from companion.board.asking import BUTTON_PRESSES, AskingPace
from companion.board.procedures import calibrate, examine, open_board, store
from companion.board.selftest import Grade
from firmware_protocol.messages import Config
from tests.pico.emulator.board import PicoBoard
from tests.pico.emulator.emulated import Chip
from tests.pico.emulator.parts import Parts

SHOT, KNOCK = 2000, 500
BETWEEN_MS = 70
PACE = AskingPace(quiet_s=0.2, after_s=0.05)
ONE_ZONE = ("trigger", "hit", "zone-1")  # that will do
# A point of the drawing is a sixteenth of the samples' range.
COARSE = 16


class Person:
    """Does what is asked, at once, for the gun and one zone."""

    def __init__(self, board: PicoBoard) -> None:
        self.board = board
        self.asked = ""

    def obey(self, sentence: str) -> None:
        self.asked = sentence
        match sentence.split():
            case ["Shot", *_]:
                self.board.shot(SHOT)
            case ["Knock", *_]:
                self.board.knock(KNOCK)
            case ["Pull", *_]:
                self.board.press("trigger")
            case ["Press", "zone-1", *_]:
                for number in range(BUTTON_PRESSES if "times" in sentence else 1):
                    self.board.press("zone-1", 30, at_ms=number * BETWEEN_MS)

    def passes_by(self) -> bool:
        return self.asked.startswith("Press") and "zone-1 " not in self.asked


def test_a_chip_is_tested_and_calibrated_by_what_happens_at_its_pins(
    parts: Parts, flash: Path, tmp_path: Path
) -> None:
    crests: list[int] = []
    with PicoBoard(parts, Chip(flash=str(flash)), tmp_path / "port", 1) as board:
        person = Person(board)
        with open_board(
            board.url, person.obey, discard=True, pace=PACE, clock_ns=board.clock_ns
        ) as table:
            table.skip_requested = person.passes_by
            tested = examine(table, press=True, wires=ONE_ZONE)
            table.draw = lambda wave: crests.append(COARSE * max(wave.points))
            proposal = calibrate(table)
            person.asked = ""
            store(table, proposal.config)
    # Of the link a busy computer's late ACK would decide, and of the clock whether there is anything to tell.
    assert {line.wire for line in tested if line.grade is Grade.GOOD} >= {*ONE_ZONE, "board"}
    assert next(line.grade for line in tested if line.wire == "clock") in (
        Grade.GOOD,
        Grade.UNTRIED,
    )
    board_says = next(line.sentence for line in tested if line.wire == "board")
    assert "kB of memory free, " in board_says
    assert "the hit sensor at rest up to 0 of 4095" in board_says
    settings = {line.name: line.value for line in proposal.settings}
    assert proposal.warnings == ()
    assert proposal.outcome == (
        "3 of 3 shots as one hit",
        "0 of 3 knocks as a hit",
        "0 hits while held still",
    )
    assert abs(settings["hit_threshold"] - (SHOT + KNOCK) / 2) <= (SHOT + KNOCK) * 0.05
    assert proposal.config == Config(**settings)
    true = 3 * [SHOT] + 3 * [KNOCK]
    assert [
        abs(crest - peak) <= 0.05 * peak + COARSE for crest, peak in zip(crests, true, strict=True)
    ] == 6 * [True]
