"""The command that plays a demo on the emulated Pico, where there is none."""

from __future__ import annotations

import pytest

from companion.exits import Exit
from tests.pico.demo import main


def test_a_demo_on_the_emulated_pico_that_cannot_be_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COMPANION_PICO_UF2", raising=False)
    assert main(["--plain"]) == Exit.UNAVAILABLE
    output = capsys.readouterr().err
    assert output.startswith("There is no image for the emulated Pico: let COMPANION_PICO_UF2 name")
    assert len(output.splitlines()) == 1
