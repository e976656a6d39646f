"""What the dashboard does about a game that is over: report, play for BG Stats, phones, and the game that follows."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.dashboard.registry import BG_STATS, REMATCH, REPORT
from companion.exits import CommandError

OPENS_S = 5.0
"""Seconds after which a browser that has not come back is one that runs."""
_OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"


class AfterGame:
    """What can be done about the session at `path`, a new one's once it is known, when its game is over. Files go into
    `folder` (None: `writable`), under a name that was free the first time; `opened` shows an address in a browser and
    returns whether it could.
    """

    def __init__(
        self, path: Path | Callable[[], Path], folder: Path | None = None, opened: Callable[[str], bool] | None = None
    ) -> None:
        self._path = path if callable(path) else lambda: path
        self._folder = folder
        self._opened = in_browser if opened is None else opened
        self._written: dict[str, Path] = {}
        self.again = False
        """Whether a rematch is wanted."""

    def offers(self, *, rematch: bool = True) -> Mapping[str, Callable[[], str]]:
        """Return what the dashboard can offer; without a `rematch` where the session is another companion's."""
        again = {REMATCH.id: self._play_again} if rematch else {}
        return {**again, REPORT.id: self._report, BG_STATS.id: self._bg_stats}

    def _play_again(self) -> str:
        self.again = True
        return ""

    def _report(self) -> str:
        out, problem = self._export("html")
        if problem:
            return problem
        where = "It is open in your browser." if self._opened(out.as_uri()) else "Open it in a browser."
        return f"Report: {out}\n{where}"

    def _bg_stats(self) -> str:
        out, problem = self._export("bgstats")
        code = out.with_suffix(".svg")
        return problem or f"BG Stats: {out}\nTo scan it into the app: {code}"

    def _export(self, wanted: str) -> tuple[Path, str]:
        """Write the export; return where, and what was in its way."""
        from companion.commands.leaving import FORMATS, free
        from companion.commands.reports import export

        path, suffix = self._path(), next(suffix for name, suffix in FORMATS.values() if name == wanted)
        out = self._written.setdefault(wanted, free((self._folder or writable()) / f"{path.stem}{suffix}"))
        try:
            export(path, wanted, out)
        except CommandError as problem:
            return out, str(problem)
        return out, ""


def writable() -> Path:
    """Return the folder where the user is, or the home folder where nothing can be written there."""
    here = Path.cwd()
    return here if os.access(here, os.W_OK) else Path.home()


def in_browser(address: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Show an address in a browser with a window of its own, and return whether that can be: not over ssh, nor on a
    Linux without a display. It is a process without a terminal, so that nothing is written over the screen."""
    display = sys.platform in ("win32", "darwin") or environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    if "SSH_CONNECTION" in environment or not display:
        return False
    quiet = subprocess.DEVNULL
    try:
        browser = subprocess.Popen(
            [sys.executable, "-c", _OPEN, address], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        return browser.wait(OPENS_S) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False
