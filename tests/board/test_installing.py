"""Firmware put on a board: whatever is cut short, the board boots and the next run finishes."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from companion.board.commands import run_install
from companion.board.firmware import Firmware, firmware
from companion.board.install_session import InstallSession
from companion.board.installing import OTHER_CHIPS, Remote, install, require_chip, survey, uninstall
from companion.errors import CommandError
from tests.board.folder_board import FolderBoard

OLD = Firmware(
    {"firmware_protocol/board/main.py": b"old", "firmware_protocol/frames.py": b"old frames"}
)
NEW = Firmware(
    {"firmware_protocol/board/main.py": b"new", "firmware_protocol/frames.py": b"new frames"}
)


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderBoard:
    (tmp_path / "flash").mkdir()
    return FolderBoard(tmp_path / "flash", monkeypatch)


def quiet(sentence: str) -> None:
    return None


def names(board: FolderBoard) -> set[str]:
    return {path.name for path in board.flash.iterdir()}


def cut_at_every_step(board: FolderBoard, before: Firmware | None) -> int:
    """Install with a power cut after step 0, 1, 2 ...; return the number of steps of a whole run."""
    for steps in count():
        board.steps = None
        for name in names(board):
            uninstall(board, board.survey(), quiet) if name == "main.py" else None
        if before is not None:
            install(board, before, board.survey(), quiet)
        board.steps, board.done = steps, 0
        try:
            install(board, NEW, board.survey(), quiet)
        except CommandError:
            assert board.boots([OLD, NEW]), f"dead after step {steps}"
        else:
            return steps
        board.steps = None
        install(board, NEW, board.survey(), quiet)
        assert names(board) == {"main.py", NEW.folder}
        assert board.boots([NEW])
    raise AssertionError


def test_a_first_install_may_be_cut_at_any_step(board: FolderBoard) -> None:
    assert cut_at_every_step(board, None) > 5


def test_an_update_may_be_cut_at_any_step_and_the_old_firmware_boots_until_the_switch(
    board: FolderBoard,
) -> None:
    assert cut_at_every_step(board, OLD) > 6


def test_what_is_there_whole_is_not_copied_again_and_what_is_damaged_is(board: FolderBoard) -> None:
    assert install(board, NEW, board.survey(), quiet) is True
    assert install(board, NEW, board.survey(), quiet) is False
    (board.flash / NEW.folder / "firmware_protocol" / "frames.py").write_bytes(b"worn flash")
    assert install(board, NEW, board.survey(), quiet) is True
    assert board.boots([NEW])


def test_a_file_that_arrives_changed_switches_nothing(
    board: FolderBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(board, OLD, board.survey(), quiet)
    monkeypatch.setattr(
        board, "_write", lambda file, _data: file.write_bytes(b"damaged on the way")
    )
    with pytest.raises(CommandError, match="not what was sent"):
        install(board, NEW, board.survey(), quiet)
    assert board.boots([OLD])


def test_a_main_of_another_program_is_kept(board: FolderBoard) -> None:
    (board.flash / "main.py").write_text("print('a weather station')")
    with pytest.raises(
        CommandError, match=r"main\.py of another program.*`companion board install --replace`"
    ):
        install(board, NEW, board.survey(), quiet)
    install(board, NEW, board.survey(), quiet, replace=True)
    assert (board.flash / "main.old.py").read_text() == "print('a weather station')"
    assert board.boots([NEW])


def test_each_main_of_another_program_is_kept_under_a_name_of_its_own(board: FolderBoard) -> None:
    lines: list[str] = []
    for program in ("a weather station", "a thermometer", "a clock"):
        (board.flash / "main.py").write_text(program)
        install(board, NEW, board.survey(), lines.append, replace=True)
    programs = [
        (board.flash / name).read_text() for name in ("main.old.py", "main.old2.py", "main.old3.py")
    ]
    assert programs == ["a weather station", "a thermometer", "a clock"]
    assert "The other program's main.py is kept as main.old2.py." in lines

    uninstall(board, board.survey(), lines.append)
    assert (
        lines[-3]
        == "main.old.py, another program's, stays: rename it to main.py to start that again."
    )


def test_files_copied_by_hand_give_way_and_the_wiring_stays(board: FolderBoard) -> None:
    (board.flash / "firmware_protocol").mkdir()
    (board.flash / "firmware_protocol" / "frames.py").write_text("by hand")
    (board.flash / "main.py").write_bytes(firmware().files["firmware_protocol/board/main.py"])
    (board.flash / "pins.json").write_text("{}")
    install(board, NEW, board.survey(), quiet)
    assert names(board) == {"main.py", "pins.json", NEW.folder}

    lines: list[str] = []
    uninstall(board, board.survey(), lines.append)
    assert names(board) == {"pins.json"}
    assert lines[-1] == "pins.json, your wiring, stays."


def test_a_board_that_is_full_is_told_before_anything_is_copied(board: FolderBoard) -> None:
    with pytest.raises(CommandError, match="9 kB free"):
        install(board, NEW, board.survey(free=10_000), quiet)
    assert names(board) == set()


def test_nothing_to_take_off_is_said(board: FolderBoard) -> None:
    with pytest.raises(CommandError, match="not on this board"):
        uninstall(board, board.survey(), quiet)


def test_what_is_no_micropython_or_too_old_is_refused(
    board: FolderBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {
        "name": "micropython",
        "micropython": [1, 22, 2],
        "machine": "",
        "mpy": 6,
        "platform": "rp2",
        "free": 0,
        "root": [],
        "main": None,
    }
    monkeypatch.setattr(board, "ask", lambda _script: answer)
    with pytest.raises(
        CommandError, match=r"runs micropython 1\.22\.2; the firmware needs MicroPython 1\.23"
    ):
        survey(board)
    answer |= {"name": "circuitpython", "micropython": [9, 0, 0]}
    with pytest.raises(CommandError, match="runs circuitpython"):
        survey(board)


@pytest.mark.parametrize(
    ("machine", "version", "taken"),
    [
        ("Raspberry Pi Pico2 with RP2350", [1, 27, 0], False),
        ("Raspberry Pi Pico2 with RP2350", [1, 28, 0], True),
        ("Raspberry Pi Pico with RP2040", [1, 23, 0], True),
    ],
)
def test_a_pico_2_needs_a_newer_micropython_than_a_pico(
    board: FolderBoard,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    version: list[int],
    taken: bool,
) -> None:
    answer: dict[str, object] = {"name": "micropython", "micropython": version, "machine": machine}
    answer |= {"mpy": 6, "platform": "rp2", "free": 0, "root": [], "main": None}
    monkeypatch.setattr(board, "ask", lambda _script: dict(answer))
    if taken:
        assert survey(board).machine == machine
        return
    with pytest.raises(
        CommandError, match=r"Pico 2 runs MicroPython 1\.27\.0; it needs 1\.28 or newer"
    ):
        survey(board)


@pytest.mark.parametrize("platform", OTHER_CHIPS)
def test_another_chip_is_named_before_anything_is_copied(
    board: FolderBoard, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    asked: list[str] = []
    other_chip = replace(board.survey(), platform=platform, machine="Generic module")
    bench = InstallSession("a port", io.StringIO())
    monkeypatch.setattr(InstallSession, "hello", lambda _: None)
    monkeypatch.setattr("companion.board.install_session.survey", lambda _remote: other_chip)
    monkeypatch.setattr(Remote, "_run", lambda _self, *words: asked.extend(words))
    with pytest.raises(
        CommandError, match=r"This board has an? .* \(Generic module\); .* so nothing was copied"
    ):
        run_install(bench)
    assert asked == []
    assert len(bench.out.getvalue().splitlines()) == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("platform", ["rp2", "linux", "a chip of tomorrow"])
def test_a_pico_and_a_board_that_nobody_knows_are_installed_on(
    board: FolderBoard, platform: str
) -> None:
    require_chip(replace(board.survey(), platform=platform))
