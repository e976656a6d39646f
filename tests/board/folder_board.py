"""A board whose flash is a folder and whose scripts run here, fast enough to cut it short after every step."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.board.firmware import Firmware
from companion.board.installing import Remote, Survey
from companion.errors import CommandError


class FolderBoard(Remote):
    """`Remote` on a folder.

    The power fails after `steps` steps; each copied file is a step, and half of it may arrive.
    """

    def __init__(
        self, flash: Path, monkeypatch: pytest.MonkeyPatch, steps: int | None = None
    ) -> None:
        self.flash = flash
        self.steps = steps
        self.done = 0
        self._monkeypatch = monkeypatch

    def ask(self, script: str) -> Any:
        self._step()
        lines: list[str] = []
        with self._monkeypatch.context() as there:
            there.chdir(self.flash)
            exec(script, {"print": lines.append})
        return json.loads(lines[-1])

    def put(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            (self.flash / path).parent.mkdir(parents=True, exist_ok=True)
            self._write(self.flash / path, data)

    def reset(self) -> None:
        self._step()

    def survey(self, free: int = 1_000_000) -> Survey:
        main = self.flash / "main.py"
        root = [path.name for path in self.flash.iterdir()]
        return Survey(
            [1, 29, 0],
            "a folder",
            "rp2",
            free,
            root,
            main.read_text() if main.exists() else None,
            0,
        )

    def boots(self, firmwares: Sequence[Firmware]) -> bool:
        """Return whether the board starts: with no `main.py`, or with one of these firmwares, whole."""
        main = self.flash / "main.py"
        if not main.exists():
            return True
        whole = [firmware for firmware in firmwares if firmware.main == main.read_bytes()]
        return len(whole) == 1 and all(
            (self.flash / whole[0].folder / path).read_bytes() == data
            for path, data in whole[0].files.items()
        )

    def _write(self, file: Path, data: bytes) -> None:
        try:
            self._step()
        except CommandError:
            file.write_bytes(data[: len(data) // 2])
            raise
        file.write_bytes(data)

    def _step(self) -> None:
        self.done += 1
        if self.steps is not None and self.done > self.steps:
            raise CommandError("the power went")
