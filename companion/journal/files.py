"""Files and names that are on the disk when a function returns."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def force_to_disk(path: Path) -> None:
    """Return when what was written to `path` is on the disk."""
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Return when the names in `folder` are on the disk; Windows does that by itself."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def free_name(path: Path) -> Path:
    """Return `path`, or when that is taken the first of `path-2`, `path-3`... that is free."""
    candidate, count = path, 1
    while candidate.exists():
        count += 1
        candidate = path.with_name(f"{path.name}-{count}")
    return candidate
