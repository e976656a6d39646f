"""Reports need neither a terminal, nor a port, nor a table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import companion.reports
from companion.rules.registry import GAMES

HEAVY = (
    "textual",
    "serial",
    "companion.session.table",
    "companion.link",
    "companion.dashboard",
    "companion.session.opening",
)


def loaded(code: str, watched: tuple[str, ...]) -> str:
    script = f"import sys; {code}; print([name for name in {watched!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_no_report_loads_the_terminal_library_the_port_or_the_table() -> None:
    names = [
        path.stem
        for path in Path(companion.reports.__file__).parent.glob("*.py")
        if path.stem != "__init__"
    ]
    modules = [f"companion.reports.{name}" for name in names]
    modules += [
        f"{info.package}.{info.report.partition(':')[0]}" for info in GAMES.values() if info.report
    ]
    assert "companion.games.panic_fire.report" in modules
    assert loaded(f"import {', '.join(modules)}", HEAVY) == "[]"


def test_the_list_of_formats_loads_nothing() -> None:
    assert loaded("import companion.reports", ("pydantic", "segno", "sqlite3")) == "[]"
