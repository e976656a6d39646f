"""A board's wiring across a change of its firmware: it stays, and an unusable one is refused before anything is
copied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.board.firmware import Firmware
from companion.board.installing import install
from companion.board.wiring import script, wiring_of
from companion.errors import CommandError
from firmware_protocol.board.pins import DEFAULT_PINS, parse_pins
from tests.board.folder_board import FolderBoard

BEFORE = {**DEFAULT_PINS, "buzzer": {"pin": 15}}
MOVED = {**DEFAULT_PINS, "buzzer": {"pin": 16}}
OLD = Firmware({"firmware_protocol/board/main.py": b"old"})
NEW = Firmware({"firmware_protocol/board/main.py": b"new"})


def answer(text: str | None = None, defaults: object = BEFORE) -> dict[str, Any]:
    return {"text": text, "defaults": defaults}


def test_a_board_without_a_file_gets_the_rows_that_the_new_firmware_has_moved() -> None:
    wiring = wiring_of(answer(), is_ours=True, defaults=MOVED)
    assert json.loads(wiring.wanted) == {"buzzer": {"pin": 15}}
    assert wiring.sentence == (
        "pins.json on the board now keeps the wiring of the firmware before: "
        "buzzer on GP15 (the new default is on GP16)."
    )


def test_rows_that_the_owner_wrote_stay_and_what_was_left_to_the_default_stays_too() -> None:
    own = '{"zone-10": null, "zone-1": {"pin": 16, "active": 0}}'
    wiring = wiring_of(answer(own), is_ours=True, defaults=MOVED)
    assert json.loads(wiring.wanted) == {**json.loads(own), "buzzer": {"pin": 15}}
    assert parse_pins(wiring.wanted.decode()).pin("zone-1") == 16


@pytest.mark.parametrize("row", ["null", '{"pin": 20}'])
def test_a_row_of_the_owners_own_is_never_written_over(row: str) -> None:
    assert not wiring_of(answer(f'{{"buzzer": {row}}}'), is_ours=True, defaults=MOVED).added


def test_a_hit_sensor_that_is_always_sampled_keeps_its_pins_and_stays_so() -> None:
    before = {**DEFAULT_PINS, "hit": {"pin": 3, "active": 1, "adc": 27}}
    wiring = wiring_of(answer('{"hit": "always"}', before), is_ours=True)
    assert json.loads(wiring.wanted) == {"hit": {"pin": 3, "active": 1, "adc": 27, "always": 1}}
    assert (
        "hit on GP3 and GP27, active 1 (the new default is on GP3 and GP26, active 1)"
        in wiring.sentence
    )
    assert parse_pins(wiring.wanted.decode()).always_samples
    assert not wiring_of(answer('{"hit": "always"}', DEFAULT_PINS), is_ours=True).added


@pytest.mark.parametrize("text", [None, "{}", '{"plug": {"pin": 22}}'])
def test_where_no_default_has_moved_nothing_is_written_or_said(text: str | None) -> None:
    wiring = wiring_of(answer(text, DEFAULT_PINS), is_ours=True)
    assert (wiring.added, wiring.sentence) in [(None, ""), ({}, "")]


def test_a_channel_that_the_firmware_before_did_not_have_stays_off() -> None:
    before = {name: row for name, row in DEFAULT_PINS.items() if name != "zone-10"}
    wiring = wiring_of(answer(defaults=before), is_ours=True)
    assert wiring.added == {"zone-10": None}
    assert "zone-10 on no pin (the new default is on GP13, active 0)" in wiring.sentence


def test_a_first_installation_writes_nothing() -> None:
    assert not wiring_of(answer(defaults=None), is_ours=False, defaults=MOVED).added


def test_pins_that_cannot_be_read_are_named() -> None:
    wiring = wiring_of(answer(defaults=None), is_ours=True, defaults=MOVED)
    assert not wiring.added
    assert "compare your wiring with hardware_docs/pins.md" in wiring.sentence


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not JSON"),
        ("[]", "it must be an object"),
        (
            '{"lamp": {"pin": 25}}',
            "lamp cannot have GP25: a Pico uses it for the LED on the board.",
        ),
        (
            '{"trigger": {"pin": true}}',
            '"pin" of trigger must be a whole number such as 2, not true.',
        ),
        ('{"nose": {"pin": 1}}', "names nose, which is no channel"),
        ('{"hit": "sometimes"}', 'hit must be null, "always" or an object'),
    ],
)
@pytest.mark.parametrize("is_ours", [True, False])
def test_a_file_that_the_new_firmware_would_refuse_ends_the_installation(
    text: str, why: str, is_ours: bool
) -> None:
    with pytest.raises(CommandError) as refused:
        wiring_of(answer(text), is_ours=is_ours)
    assert str(refused.value).startswith("The board's pins.json cannot be used: ")
    assert why in str(refused.value)
    assert "Nothing was copied." in str(refused.value)


def test_the_board_is_asked_in_the_folder_that_its_main_starts() -> None:
    assert f"insert(0, '{OLD.folder}')" in script(OLD.main.decode())
    assert "insert(0, '')" in script("from firmware_protocol.board.main import start")
    assert "insert(0, '')" in script(None)


class OlderBoard(FolderBoard):
    """A board whose older firmware has another default pin for the buzzer."""

    def ask(self, script: str) -> Any:
        reply = super().ask(script)
        main = self.flash / "main.py"
        if "DEFAULT_PINS" in script and main.exists() and main.read_bytes() == OLD.main:
            reply["defaults"] = {**DEFAULT_PINS, "buzzer": {"pin": 22}}
        return reply


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OlderBoard:
    (tmp_path / "flash").mkdir()
    return OlderBoard(tmp_path / "flash", monkeypatch)


def buzzer(board: OlderBoard) -> int:
    """Return the pin of the buzzer that the board would use if it started now."""
    default = (
        22 if (board.flash / "main.py").read_bytes() == OLD.main else DEFAULT_PINS["buzzer"]["pin"]
    )
    file = board.flash / "pins.json"
    rows = json.loads(file.read_text()) if file.exists() else {}
    return int(rows.get("buzzer", {"pin": default})["pin"])


def test_the_buzzer_stays_where_it_is_at_whatever_step_the_power_goes(board: OlderBoard) -> None:
    for steps in range(40):
        board.steps = None
        for path in board.flash.glob("pins.*"):
            path.unlink()
        (board.flash / "main.py").unlink(missing_ok=True)
        install(board, OLD, board.survey(), lambda _sentence: None)
        board.steps, board.done = steps, 0
        try:
            install(board, NEW, board.survey(), lambda _sentence: None)
        except CommandError:
            assert buzzer(board) == 22, steps
        else:
            break
        board.steps = None
        install(board, NEW, board.survey(), lambda _sentence: None)
        assert buzzer(board) == 22, steps
    assert buzzer(board) == 22
    assert not (board.flash / "pins.new").exists()
    assert steps > 6


def test_nothing_is_copied_onto_a_board_whose_file_is_refused(board: OlderBoard) -> None:
    install(board, OLD, board.survey(), lambda _sentence: None)
    (board.flash / "pins.json").write_text('{"lamp": {"pin": 29}}')
    with pytest.raises(CommandError, match="measuring VSYS"):
        install(board, NEW, board.survey(), lambda _sentence: None)
    assert board.boots([OLD])
    assert not (board.flash / NEW.folder).exists()
