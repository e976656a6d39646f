"""The name under which the program was started: every command that it tells people to type begins with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

NAMES: Final = ("companion", "table-companion")
"""The program's names. Other programs are called companion as well (Bitfocus Companion); the second name is the
distribution's, so that `uvx` and `pipx run` find it."""
VARIABLE: Final = "COMPANION_PROGRAM"
"""The environment variable by which the program tells another process of its own this name."""


def started_as(path: str, passed_on: str = "") -> str:
    """Return the name of a program at `path`, or the one `passed_on` to it; the first of `NAMES` if it is neither, as
    for `python -m companion`."""
    return next((name for name in (passed_on, Path(path).stem) if name in NAMES), NAMES[0])


PROGRAM: Final = started_as(sys.argv[0], os.environ.get(VARIABLE, ""))
"""The program's name here, for the commands that it prints."""
