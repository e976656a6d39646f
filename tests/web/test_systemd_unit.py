"""The systemd unit that `companion host --unit` prints."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.commands import hosting
from companion.exits import Exit
from companion.program import VARIABLE
from tests.commands.ran import Ran

ANALYZE = shutil.which("systemd-analyze")


def test_the_unit_runs_this_program_and_takes_its_end_as_success() -> None:
    ran = Ran("host", "--unit")
    assert ran.code == Exit.DONE
    assert f'ExecStart="{sys.executable}" -P -m companion host' in ran.out
    assert "SuccessExitStatus=143" in ran.out
    assert "$" not in ran.out


def test_what_the_unit_prints_has_the_name_of_the_program_that_wrote_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosting, "PROGRAM", "table-companion")
    lines = Ran("host", "--unit").out.splitlines()
    assert lines[0].endswith("Written by: table-companion host --unit")
    assert f"Environment={VARIABLE}=table-companion" in lines


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed")
def test_systemd_reads_the_unit_without_a_complaint(tmp_path: Path) -> None:
    assert ANALYZE is not None
    unit = tmp_path / "table-companion.service"
    unit.write_text(Ran("host", "--unit").out)
    done = subprocess.run(
        [ANALYZE, "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False
    )
    complaints = [line for line in done.stderr.splitlines() if unit.name in line]
    assert not complaints, done.stderr
