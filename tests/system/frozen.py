"""The program as PyInstaller leaves it: one executable, and no Python to start others with."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """#!{python} -P
import sys
with open({starts!r}, "a") as starts:
    print(*sys.argv[1:], file=starts)
sys.path.insert(0, {root!r})
sys.frozen, sys.executable = True, __file__
from companion.cli import main
sys.exit(main())
"""


class FrozenProgram:
    """A program in `folder` that says it is frozen, and notes with which words it is started."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "table-companion"
        self._starts = folder / "starts"
        self._starts.touch()
        text = PROGRAM.format(python=sys.executable, starts=str(self._starts), root=str(ROOT))
        self.path.write_text(text, encoding="utf-8")
        self.path.chmod(0o755)

    def starts(self) -> list[str]:
        """Return the words of each start, the first one included."""
        return self._starts.read_text(encoding="utf-8").splitlines()
