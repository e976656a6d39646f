"""The Python that runs the program."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def python_license() -> Path | None:
    """Return the file with Python's own license, None if this Python came without it.

    It is beside the library, on Windows at the top of Python's folder, and there in a frozen program, too.
    """
    for folder in (Path(sys.base_prefix), Path(os.__file__).parent):
        path = folder / "LICENSE.txt"
        if path.is_file():
            return path
    return None
