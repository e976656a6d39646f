"""The script that runs the chip's tests over several images: which ran, which passed, and why one did not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from struct import pack

import pytest

from tests.pico.emulator.parts import IMAGE
from tests.pico.images import BEGINS, lines, main

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59


def image(folder: Path, name: str, family: int) -> Path:
    path = folder / name
    path.write_bytes(
        pack("<8I", BEGINS, 0x9E5D5157, 0x2000, 0x10000000, 256, 0, 1, family) + bytes(480)
    )
    return path


def test_each_image_has_its_line_and_runs_the_lane_by_itself(tmp_path: Path) -> None:
    ran: list[tuple[str, Sequence[str]]] = []

    def lane(variables: Mapping[str, str], options: Sequence[str]) -> tuple[int, str]:
        ran.append((Path(variables[IMAGE]).name, options))
        return (
            (0, "74 passed in 600.00s")
            if "good" in variables[IMAGE]
            else (1, "1 failed, 73 passed in 610.00s")
        )

    good, bad = image(tmp_path, "good.uf2", RP2040), image(tmp_path, "bad.uf2", RP2040)
    other, text = image(tmp_path, "pico2.uf2", RP2350), tmp_path / "notes.uf2"
    text.write_text("no image at all, but a text that is long enough")
    images = [good, bad, other, text, tmp_path / "gone.uf2"]
    reported = lines(images, ["-k", "stamps"], lane)
    assert next(reported) == (True, "passed   good.uf2: 74 passed in 600.00s")
    # A line is there before the next image's half hour.
    assert ran == [("good.uf2", ["-k", "stamps"])]
    assert list(reported) == [
        (False, "FAILED   bad.uf2: 1 failed, 73 passed in 610.00s"),
        (False, "not run  pico2.uf2: is for RP2350, and the emulated chip is an RP2040"),
        (False, "not run  notes.uf2: is no UF2 file"),
        (False, "not run  gone.uf2: cannot be read (No such file or directory)"),
    ]
    assert ran == [("good.uf2", ["-k", "stamps"]), ("bad.uf2", ["-k", "stamps"])]


def test_without_an_image_it_says_how_it_is_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "IMAGE.uf2" in capsys.readouterr().err
