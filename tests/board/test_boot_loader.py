"""MicroPython copied onto a boot loader's drive; a folder with INFO_UF2.TXT stands for the drive, a list of ports
for USB."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.board.boot_loader import (
    BLOCK,
    CHUNK,
    FIRST,
    HAS_FAMILY,
    LAST,
    RP2040,
    SECOND,
    BootLoader,
    port_to_install_at,
    read_image,
)
from companion.board.ports import RASPBERRY_PI
from companion.cli import main
from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.link.usb_ports import UsbPort

PICO = UsbPort("/dev/ttyACM0", RASPBERRY_PI, 5)
INFO = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {board}\r\n"
BLOCKS = 2 * CHUNK // BLOCK + 3


def uf2(path: Path, *, family: int = RP2040, flags: int = HAS_FAMILY, blocks: int = BLOCKS) -> Path:
    with path.open("wb") as file:
        for number in range(blocks):
            head = struct.pack(
                "<8I", FIRST, SECOND, flags, 0x10000000 + number * 256, 256, number, blocks, family
            )
            file.write(head.ljust(BLOCK - 4, b"\xa5") + struct.pack("<I", LAST))
    return path


def drive(folder: Path, board: str = "RPI-RP2") -> Path:
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text(INFO.format(board=board))
    return folder


class Desk:
    """A computer with drives.

    The board on a drive that takes a file restarts, and its port appears a while later.
    """

    def __init__(self, *drives: Path, restarts: bool = True) -> None:
        self.drives = drives
        self.lines: list[str] = []
        self.ports: list[UsbPort] = []
        self.s = 0.0
        self._restarts = restarts

    @property
    def loader(self) -> BootLoader:
        return BootLoader(
            self.lines.append, lambda: self.drives, lambda: self.ports, self.pass_by, lambda: self.s
        )

    def pass_by(self, seconds: float) -> None:
        self.s += seconds
        if self._restarts:
            self.restart()

    def restart(self) -> None:
        for drive in self.drives:
            (drive / "INFO_UF2.TXT").unlink(missing_ok=True)
        self.ports = [PICO]


def refused(call: Callable[[], object]) -> tuple[str, int]:
    with pytest.raises(CommandError) as caught:
        call()
    return str(caught.value), code_of(caught.value.kind)


def test_the_image_is_copied_with_progress_and_the_port_that_appears_is_the_boards(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path / "other disk", drive(tmp_path / "RPI-RP2"))
    file = uf2(tmp_path / "micropython.uf2")
    assert desk.loader.copy_image(file) == PICO.device
    assert (tmp_path / "RPI-RP2" / "micropython.uf2").read_bytes() == file.read_bytes()
    assert desk.lines == [
        f"Copying micropython.uf2 onto {tmp_path / 'RPI-RP2'}. Nobody has tried this on a real board yet.",
        "49 %",
        "98 %",
        "100 %",
        "Copied; the board restarts.",
    ]


def test_a_drive_that_goes_with_its_last_block_has_the_whole_image(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(drive(tmp_path / "RPI-RP2"))
    monkeypatch.setattr("os.fsync", _failing(errno.EIO, after=2))
    assert desk.loader.copy_image(uf2(tmp_path / "micropython.uf2")) == PICO.device


@pytest.mark.parametrize(
    ("error", "after", "says"),
    [
        (errno.ENOSPC, 0, "is full: unplug the board"),
        (errno.ENOSPC, 2, "is full: unplug the board"),
        (errno.EROFS, 0, "cannot be written: mount it for writing"),
        (errno.EIO, 1, "went away at 55 %"),
    ],
)
def test_a_drive_that_does_not_take_it_is_told_apart(
    error: int, after: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(drive(tmp_path / "RPI-RP2"))
    monkeypatch.setattr("os.fsync", _failing(error, after))
    sentence, code = refused(
        lambda: desk.loader.copy_image(uf2(tmp_path / "micropython.uf2", blocks=BLOCKS + 200))
    )
    assert says in sentence
    assert code is Exit.CANNOT_CREATE


def _failing(error: int, after: int) -> Callable[[int], None]:
    left = [after]

    def fsync(_: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(error, "Failed on purpose")

    return fsync


def test_without_a_drive_the_steps_are_said(tmp_path: Path) -> None:
    sentence, code = refused(lambda: Desk(tmp_path).loader.copy_image(uf2(tmp_path / "x.uf2")))
    assert sentence.startswith(
        "No boot loader's drive is mounted here. Hold BOOTSEL, plug the board in, let go;"
    )
    assert code is Exit.UNAVAILABLE


def test_two_drives_are_both_named_and_neither_is_written(tmp_path: Path) -> None:
    both = drive(tmp_path / "one"), drive(tmp_path / "two")
    sentence, code = refused(lambda: Desk(*both).loader.copy_image(uf2(tmp_path / "x.uf2")))
    assert f"({both[0]}, {both[1]}): unplug all but one" in sentence
    assert code is Exit.USAGE
    assert [sorted(path.name for path in disk.iterdir()) for disk in both] == [["INFO_UF2.TXT"]] * 2


@pytest.mark.parametrize(
    ("board", "named"), [("RP2350", "of RP2350,"), ("", "of a board without a name,")]
)
def test_the_drive_of_another_board_is_left_alone(board: str, named: str, tmp_path: Path) -> None:
    other = drive(tmp_path / "drive", board)
    sentence, _ = refused(lambda: Desk(other).loader.copy_image(uf2(tmp_path / "x.uf2")))
    assert named in sentence
    assert "nothing was written" in sentence
    assert not (other / "x.uf2").exists()


def test_a_board_that_does_not_restart_or_shows_no_port_is_told_apart(tmp_path: Path) -> None:
    stays = Desk(drive(tmp_path / "stays"), restarts=False)
    assert (
        "the board did not take it"
        in refused(lambda: stays.loader.copy_image(uf2(tmp_path / "x.uf2")))[0]
    )
    mute = Desk(drive(tmp_path / "mute"))
    mute.ports = [PICO]  # another board, which was there before
    assert (
        "No port appeared within 20 s"
        in refused(lambda: mute.loader.copy_image(uf2(tmp_path / "x.uf2")))[0]
    )


def test_an_image_that_is_none_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    file = tmp_path / "x.uf2"
    wrong: list[tuple[bytes, str]] = [
        (b"", "is no UF2 file"),
        (b"ELF" * 400, "is no UF2 file"),
        (uf2(file).read_bytes()[:-1], "is no whole UF2 file"),
        (uf2(file).read_bytes()[:-BLOCK], "is no whole UF2 file"),
        (
            uf2(file).read_bytes()[: BLOCK - 1] + b"\0" + uf2(file).read_bytes()[BLOCK:],
            "is damaged in block 1",
        ),
        (
            uf2(file, family=0xE48BFF59).read_bytes(),
            "is for the RP2350 (Pico 2), not for the RP2040",
        ),
        (uf2(file, family=0xC47E5767).read_bytes(), "is for another chip (family c47e5767)"),
        (uf2(file, flags=0).read_bytes(), "does not say which chip it is for"),
    ]
    for data, says in wrong:
        file.write_bytes(data)
        assert says in refused(lambda: read_image(file))[0], says
    sentence, code = refused(lambda: read_image(tmp_path / "nothing.uf2"))
    assert "There is no file" in sentence
    assert code is Exit.NO_INPUT
    os.mkfifo(tmp_path / "pipe")
    assert "it is no file but a pipe" in refused(lambda: read_image(tmp_path / "pipe"))[0]


def test_the_command_checks_the_image_before_anything_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["board", "install", "--uf2", str(tmp_path / "nothing.uf2")]) == Exit.NO_INPUT
    assert capsys.readouterr().err.count("\n") == 1


def test_the_port_to_install_at_is_that_of_the_board_which_has_just_got_its_image(
    tmp_path: Path,
) -> None:
    file = uf2(tmp_path / "x.uf2")
    assert port_to_install_at("auto", file, Desk(drive(tmp_path / "one")).loader) == PICO.device
    assert (
        port_to_install_at("/dev/named", file, Desk(drive(tmp_path / "two")).loader) == "/dev/named"
    )


def test_without_a_port_a_board_in_its_boot_loader_is_told_what_it_needs(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    sentence, code = refused(lambda: port_to_install_at("auto", None, desk.loader))
    assert sentence.startswith("No USB serial port found")
    assert code is Exit.UNAVAILABLE
    desk.drives = (drive(tmp_path / "RPI-RP2"),)
    sentence, code = refused(lambda: port_to_install_at("auto", None, desk.loader))
    assert sentence.startswith(
        f"The board at {tmp_path / 'RPI-RP2'} shows its boot loader and needs MicroPython first"
    )
    assert code is Exit.UNAVAILABLE
    desk.ports = [PICO]
    assert port_to_install_at("auto", None, desk.loader) == PICO.device


@pytest.mark.parametrize("board", ["RP2350", "SAMD21G18A-Feather-v0", "ESP32S3-DevKit"])
def test_a_boot_loader_of_another_chip_is_not_offered_an_image(tmp_path: Path, board: str) -> None:
    desk = Desk(drive(tmp_path / "drive", board))
    sentence, code = refused(lambda: port_to_install_at("auto", None, desk.loader))
    assert (code, sentence) == (
        Exit.UNAVAILABLE,
        f"The boot loader at {tmp_path / 'drive'} is of {board}, not of a Raspberry Pi Pico with an RP2040 (RPI-RP2): "
        "nothing was written.",
    )
