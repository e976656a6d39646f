"""Files that somebody has open, which Windows neither replaces nor deletes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.system.files import REPLACE_S, delete_open, replace


class Reader:
    """Somebody who has a file open until the clock is at `until_s`; while it waits, the clock goes on."""

    def __init__(self, until_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s, self._until_s = 0.0, until_s
        self._replaced = Path.replace
        reader = self

        def refused(new: Path, path: Path) -> Path:
            if reader.now_s < reader._until_s:
                raise PermissionError(13, "in use", str(path))
            return reader._replaced(new, path)

        monkeypatch.setattr(Path, "replace", refused)

    def clock_s(self) -> float:
        return self.now_s

    def pause(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    new, path = tmp_path / "new", tmp_path / "path"
    new.write_text("new")
    path.write_text("old")
    return new, path


def test_windows_replaces_a_file_once_its_reader_has_closed_it(
    both: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(REPLACE_S / 2, monkeypatch)
    monkeypatch.setattr(sys, "platform", "win32")
    replace(*both, reader.clock_s, reader.pause)
    assert both[1].read_text() == "new"


def test_windows_gives_up_after_a_second(
    both: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(60, monkeypatch)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(PermissionError):
        replace(*both, reader.clock_s, reader.pause)
    assert REPLACE_S <= reader.now_s < 2 * REPLACE_S


def test_elsewhere_a_refusal_is_one_of_permissions_and_nobody_waits(
    both: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(60, monkeypatch)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(PermissionError):
        replace(*both, reader.clock_s, reader.pause)
    assert reader.now_s == 0


@pytest.mark.parametrize(("system", "is_there"), [("linux", False), ("win32", True)])
def test_a_locked_file_is_deleted_before_its_lock_is_gone_but_on_windows_after_it(
    system: str, is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "mark", []
    path.touch()
    monkeypatch.setattr(sys, "platform", system)
    close: Callable[[], None] = lambda: seen.append(path.exists())  # noqa: E731
    delete_open(path, close)
    assert (seen, path.exists()) == ([is_there], False)
