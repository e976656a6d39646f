"""The doctor's checks of terminal, program, disk, clock and sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from companion.board.calibrated import settings_path
from companion.doctor.finding import Finding, failure, ok, warning
from companion.doctor.surroundings import Surroundings
from companion.journal.errors import JournalError
from companion.journal.sessions import SessionInfo
from companion.rules.columns import plural
from companion.rules.registry import GameInfo, GameProblem

CheckSession = Callable[[Path], list[str]]

LEAST_PYTHON = (3, 11)
LEAST_SIZE = (80, 24)
# A session of an evening has some 5,000 entries: 5 MB with its backup.
LOW_BYTES = 200_000_000
NO_BYTES = 20_000_000
COARSE_S = 0.001


def terminal(here: Surroundings) -> Iterator[Finding]:
    """Can the dashboard be shown?"""
    there, encoding = here.streams()
    term = here.env.get("TERM", "")
    if not there or term == "dumb":
        yield warning("terminal", "No terminal a screen can be drawn on.", "Use --plain, or a terminal emulator.")
        return
    columns, rows = here.size()
    if (columns, rows) < LEAST_SIZE or rows < LEAST_SIZE[1]:
        yield warning("terminal", f"{columns} x {rows} is small; the screens want 80 x 24.", "Make the window larger.")
    else:
        yield ok("terminal", f"{term or 'a terminal'}, {columns} x {rows}.")
    if "utf" not in encoding.lower():
        yield warning(
            "terminal",
            f"It takes {encoding or 'an unknown encoding'}: names may be drawn wrongly.",
            "export PYTHONUTF8=1 (Windows: set PYTHONUTF8=1)",
        )


def program(here: Surroundings, found: Mapping[str, str | None]) -> Iterator[Finding]:
    """Python and the packages."""
    number = ".".join(map(str, here.python))
    if here.python[:2] < LEAST_PYTHON:
        yield failure("python", f"{number} is too old; 3.11 is needed.", "Install Python 3.11 or newer.")
    else:
        yield ok("python", f"{number} on {here.platform}.")
    missing = [name for name, version in found.items() if version is None]
    if missing:
        names = " ".join(missing)
        yield failure("packages", f"Missing: {names}.", f"pip install {names}")
    else:
        yield ok("packages", ", ".join(f"{name} {version}" for name, version in found.items()) + ".")


def games(found: Iterable[GameInfo], problems: Iterable[GameProblem]) -> Iterator[Finding]:
    """Can every game that is installed be played?"""
    titles = []
    for info in found:
        faults = dict.fromkeys(info.faults())  # a module that holds several parts is named once
        titles += [] if faults else [info.title]
        for sentence in faults:
            why, _, mend = sentence.partition(". ")
            yield failure("games", f"{why}.", mend)
    for one in problems:
        yield failure("games", one.sentence, one.mend)
    if titles:
        yield ok("games", f"{', '.join(titles)}.")


def disk(here: Surroundings, folder: Path) -> Iterator[Finding]:
    """Is there room for the sessions?"""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    free = here.free(there)
    said = f"{free // 1_000_000} MB free where the sessions are ({folder})."
    if free < NO_BYTES:
        yield failure("disk", said, "Free some: without room nothing is acknowledged and the board's ring fills up.")
    elif free < LOW_BYTES:
        yield warning("disk", said, "Free some before a long evening.")
    else:
        yield ok("disk", said)


def calibrated(found: tuple[Mapping[str, int], str]) -> Iterator[Finding]:
    """Can the board's settings that were calibrated be used?"""
    fields, trouble = found
    if trouble:
        yield warning("settings", trouble, f"companion board calibrate, or remove {settings_path()}")
    elif fields:
        said = ", ".join(f"{name} {value}" for name, value in fields.items())
        yield ok("settings", f"New sessions begin with the settings that were calibrated: {said}.")
    else:
        yield ok("settings", "Nothing was calibrated: new sessions begin with the board's defaults.")


def clock(here: Surroundings, sessions: tuple[SessionInfo, ...]) -> Iterator[Finding]:
    """Time of day and the clock that measures."""
    now = here.wall()
    walls = [written for info in sessions if (written := _wall(info.last_wall)) is not None]
    if walls and now < (written := max(walls)):
        yield warning(
            "clock",
            f"It is {now:%Y-%m-%d %H:%M} UTC here, but a session was written at {written:%Y-%m-%d %H:%M}.",
            "Set the time of day (timedatectl set-ntp true). Rulings use the board's clock and stay right.",
        )
    else:
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC.")
    if here.monotonic_resolution_s > COARSE_S:
        yield warning(
            "clock",
            f"The measuring clock ticks every {here.monotonic_resolution_s * 1000:.0f} ms.",
            "Nothing to mend: times on the screen are that coarse. Rulings use the board's clock.",
        )


def _wall(text: str) -> datetime | None:
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def sessions(infos: tuple[SessionInfo, ...], wrong_with: CheckSession) -> Iterator[Finding]:
    """Is every session's record whole?"""
    bad = 0
    for info in infos:
        for sentence in [info.problem] if info.problem else _problems(info, wrong_with):
            bad += 1
            yield failure("sessions", f"{info.path.name}: {sentence}", f"companion journal check {info.path.name}")
    if not bad:
        unfinished = sum(not info.ended for info in infos)
        yield ok("sessions", f"{plural(len(infos), 'session')}, every record whole; {unfinished} unfinished.")


def _problems(info: SessionInfo, wrong_with: CheckSession) -> list[str]:
    try:
        return wrong_with(info.path)
    except JournalError as problem:
        return [str(problem)]
