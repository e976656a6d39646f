"""Shared parts of the session commands' tests."""

from __future__ import annotations

import io
import json
from argparse import Namespace
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.commands import sessions
from companion.commands.usage import run_reporting_errors
from companion.exits import Exit
from companion.journal.entries import Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal

PAGE = 4096


class Said:
    """The output of a command, and how it ended."""

    def __init__(
        self,
        command: Callable[[Namespace], int | None],
        *words: str,
        ask: Callable[[str], str] = input,
        **more: Any,
    ) -> None:
        given = {
            "json": False,
            "anyway": False,
            **dict(zip(("session", "name"), words, strict=False)),
            **more,
        }
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err), patch("builtins.input", ask):
            self.code = run_reporting_errors(lambda: command(Namespace(**given)))
        self.out, self.err = out.getvalue(), err.getvalue()

    def refused(self, code: Exit, words: str) -> None:
        """Assert that the error is one sentence with `words`, and that nothing else was printed."""
        assert (self.code, self.out) == (code, "")
        assert words in self.err
        assert self.err.count("\n") == 1
        assert self.err.endswith(".\n")

    def done(self, words: str) -> None:
        assert (self.code, self.err) == (Exit.DONE, "")
        assert words in self.out


def session(stem: str, hour: int = 20, *drafts: Draft, name: str = "", entries: int = 0) -> Path:
    path = sessions_dir() / f"{stem}.sqlite"
    header = {"game": "panic-fire", "name": name or stem}
    notes = (Draft(Layer.EVIDENCE, "note", {"text": "x" * 300}) for _ in range(entries))
    with Journal.create(path, header, wall=lambda: f"2025-01-31T{hour}:00:00+00:00") as journal:
        journal.append(*notes, *drafts)
    return path


def tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: -2 * PAGE])


def no_question(question: str) -> str:
    raise AssertionError(f"asked: {question}")


def states() -> dict[str, str]:
    listed = json.loads(Said(sessions.show, json=True).out)
    return {Path(info["path"]).stem: info["state"] for info in listed}
