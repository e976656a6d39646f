"""Offers after a game: a report, a play for BG Stats, and a rematch; on the dashboard, or in plain
lines when the players leave.

For the dashboard, another process reads the session: if this process opened the file again, closing it would drop the
writer's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.usage import Ask, answer, run_reporting_errors
from companion.dashboard.registry import BG_STATS, REMATCH, REPORT
from companion.exits import Exit
from companion.journal.disk import free_name
from companion.journal.entries import Control, is_control
from companion.journal.errors import JournalError
from companion.journal.folder import typed_name
from companion.journal.store import read_entries
from companion.program import PROGRAM
from companion.rules.columns import in_shell
from companion.system.browser import in_browser
from companion.system.children import companion_command, companion_environment

if TYPE_CHECKING:
    from companion.session.views import Unsaved

FORMATS = {
    "h": ("html", ".html"),
    "b": ("bgstats", ".bgstats.json"),
    "j": ("jsonl", ".jsonl"),
    "c": ("csv", ".csv"),
}
QUESTION = (
    "The game is over. Write a report?\n"
    "  h  one page (HTML)   b  a play for BG Stats   c  CSV   j  the whole record   Enter  none\n> "
)


def ended_just_now(path: Path) -> bool:
    """Return whether the session at `path` has just ended for the first time."""
    try:
        entries = read_entries(path)
    except JournalError:
        return False
    # one end alone, as the last entry: at a second end a report was offered before
    return [entry.n for entry in entries if is_control(entry, Control.ENDED)] == [len(entries)]


def offer_report(path: Path, ask: Ask, say: Callable[[str], object], folder: Path) -> None:
    """Ask which report to write, and write it into `folder` under a free name."""
    wanted = answer(QUESTION, (*FORMATS, "", "n"), ask)
    if wanted in ("", "n"):
        say(f"Later:  {_by_hand(path)}")
        return
    # here, because most games end without a report
    from companion.commands.reports import export_to

    name, suffix = FORMATS[wanted]
    out = free_name(folder / f"{path.stem}{suffix}", suffix)
    if run_reporting_errors(lambda: export_to(str(path), name, out)) == Exit.DONE:
        say(f"The report is {out}")


def _by_hand(path: Path) -> str:
    """Return the command that writes the report of the session at `path`; without a file it would print it."""
    out = f"{path.stem}.html"
    return f"{PROGRAM} export {typed_name(path)} -o {in_shell(out)}"


def wants_rematch(ask: Ask) -> bool:
    """Ask whether to play again with the same players and house rules."""
    return answer("Play again, with the same players and house rules? [y/N] ", ask=ask) == "y"


WRITES_S = 60.0  # seconds that a report takes at most


class AfterGame:
    """Offers for the game of the session at `path`, or of a new session, once its path is known. Files go into `folder`
    (None: `writable`), each under a free name. `opened` shows an address in a browser and returns whether it could.
    """

    def __init__(
        self,
        path: Path | Callable[[], Path],
        folder: Path | None = None,
        opened: Callable[[str], bool] | None = None,
        unsaved: Callable[[], Unsaved] | None = None,
    ) -> None:
        """`unsaved` returns what the file lacks; None: it lacks nothing."""
        self._unsaved = unsaved
        self._path = path if callable(path) else lambda: path
        self._folder = folder
        self._opened = in_browser if opened is None else opened
        self.again = False  # set when a rematch is wanted

    def offers(self, *, rematch: bool = True) -> Mapping[str, Callable[[], str]]:
        """Return the dashboard's offers by action; without a `rematch` if the session is another companion's."""
        offers = {REPORT.id: self._report, BG_STATS.id: self._bg_stats}
        if rematch:
            return {REMATCH.id: self._play_again, **offers}
        return offers

    def _play_again(self) -> str:
        self.again = True
        return ""

    def _report(self) -> str:
        out, problem = self._export("html")
        if problem:
            return problem
        where = "Open it in a browser."
        if self._opened(out.as_uri()):
            where = "It is open in your browser."
        return f"Report: {out}\n{where}"

    def _bg_stats(self) -> str:
        out, problem = self._export("bgstats")
        return problem or f"BG Stats: {out}\nTo scan it into the app: {out.with_suffix('.svg')}"

    def _export(self, wanted: str) -> tuple[Path, str]:
        """Write the export; return its path, and the problem if it failed."""
        path = self._path().absolute()
        problem = "" if self._unsaved is None else self._unsaved().no_report
        if problem:
            return path, problem
        suffixes = dict(FORMATS.values())
        suffix = suffixes[wanted]
        out = free_name((self._folder or writable()) / f"{path.stem}{suffix}", suffix)
        words = companion_command("export", str(path), "--format", wanted, "--out", str(out))
        try:
            done = subprocess.run(
                words,
                env=companion_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=WRITES_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return out, f"It could not be written. Quit, then run {_by_hand(path)}"
        if done.returncode != 0:
            return out, done.stderr.strip()
        return out, ""


def writable() -> Path:
    """Return the current folder, or the home folder if the current one cannot be written to."""
    current = Path.cwd()
    return current if os.access(current, os.W_OK) else Path.home()
