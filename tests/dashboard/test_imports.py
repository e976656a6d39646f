"""Only the dashboard knows textual."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEADLESS = "companion.table, companion.plain, companion.games.panic_fire.game, companion.dashboard.source"


def test_the_table_the_games_and_the_line_printer_load_no_textual() -> None:
    code = f"import sys, {HEADLESS}; print(sorted(name for name in sys.modules if name.split('.')[0] == 'textual'))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_no_module_outside_the_dashboard_names_textual() -> None:
    importing = re.compile(r"^\s*(from|import) textual\b", re.MULTILINE)
    found = {
        path.relative_to(ROOT).parts[:2]
        for package in ("companion", "firmware_protocol")
        for path in (ROOT / package).rglob("*.py")
        if importing.search(path.read_text(encoding="utf-8"))
    }
    assert found == {("companion", "dashboard")}
