"""Running as a user with limited rights, which most test runs do but not all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534
not_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


@contextmanager
def powerless(folder: Path) -> Iterator[None]:
    """Drop root's rights inside the block, in a `folder` that its users may use as far as its owner
    may."""
    if os.geteuid() != 0:
        yield
        return
    owner = (folder.stat().st_mode >> 6) & 0o7
    folder.chmod(owner * 0o111)
    group, user = os.getegid(), os.geteuid()
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
        os.setegid(group)


@contextmanager
def unreadable(path: Path) -> Iterator[None]:
    """Make `path` unreadable inside the block."""
    before = path.stat().st_mode
    path.chmod(0o000)
    try:
        yield
    finally:
        path.chmod(before)
