"""What the doctor says, and its checks of terminal, program, disk, clock, sessions, and of who is told elsewhere."""

from __future__ import annotations

import argparse
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from companion.board.calibrated import settings_path
from companion.config.outlets import Broker, Hook, NoSecretError
from companion.config.values import file_named
from companion.dashboard.preferences import in_force
from companion.doctor.surroundings import Surroundings
from companion.errors import CommandError, how_to_install
from companion.journal.ends import Standing, ends_among
from companion.journal.errors import JournalError
from companion.journal.features import Feature, is_accepted, lacks_sentence
from companion.journal.folder import typed_name
from companion.journal.sessions import SessionInfo
from companion.journal.trouble import why
from companion.journal.wall_clock import instant_of, is_set
from companion.outbound.hook_delivery import SEARCHED
from companion.outbound.hook_runner import Delivered, read_delivered
from companion.outbound.mqtt import encryption_of
from companion.rules.columns import plural
from companion.rules.game_info import GameInfo, GameProblem
from companion.rules.registry import GAMES
from companion.session.two_ends import explained


class Severity(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and the mend (several lines when they are to be pasted)."""

    topic: str
    level: Severity = field(kw_only=True)
    sentence: str
    mend: str = ""

    def __str__(self) -> str:
        """The same for people, the mend below it."""
        mend = "".join(f"\n{'':19}{line}" for line in self.mend.splitlines())
        return f"{self.level.value:8} {self.topic:9} {self.sentence}{mend}"


ok = partial(Finding, level=Severity.OK)
warning = partial(Finding, level=Severity.WARNING)  # the table works, but not as well as it could
failure = partial(Finding, level=Severity.FAILURE)  # something that is wanted does not work
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
        yield warning(
            "terminal",
            "No terminal a screen can be drawn on.",
            "Use --plain, or a terminal emulator.",
        )
        return
    columns, rows = here.size()
    if (columns, rows) < LEAST_SIZE or rows < LEAST_SIZE[1]:
        yield warning(
            "terminal",
            f"{columns} x {rows} is small; the screens want 80 x 24.",
            "Make the window larger.",
        )
    else:
        yield ok("terminal", f"{term or 'a terminal'}, {columns} x {rows}.")
    if "utf" not in encoding.lower():
        said = f"It takes {encoding or 'an unknown encoding'}: names may be drawn wrongly."
        yield warning("terminal", said, "export PYTHONUTF8=1 (Windows: set PYTHONUTF8=1)")


def program(here: Surroundings, found: Mapping[str, str | None]) -> Iterator[Finding]:
    """Python and the packages."""
    number = ".".join(map(str, here.python))
    if here.python[:2] < LEAST_PYTHON:
        yield failure(
            "python", f"{number} is too old; 3.11 is needed.", "Install Python 3.11 or newer."
        )
    else:
        yield ok("python", f"{number} on {here.platform}.")
    missing = [name for name, version in found.items() if version is None]
    if missing:
        names = " ".join(missing)
        yield failure("packages", f"Missing: {names}.", f"pip install {names}")
    else:
        yield ok(
            "packages", ", ".join(f"{name} {version}" for name, version in found.items()) + "."
        )


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
        yield failure("games", one.sentence, one.remedy)
    if titles:
        yield ok("games", f"{', '.join(titles)}.")


_ON_ANOTHER_DISK = "Name a data folder on a disk of this computer in COMPANION_DATA."


def can_be_written(here: Surroundings, folder: Path) -> Iterator[Finding]:
    """Has the disk what a session needs?"""
    try:
        missing = here.missing(_nearest(folder))
    except OSError as error:
        said = f"No session can be made in {folder}, because {why(error)}."
        yield failure("disk", said, "Or name another data folder in COMPANION_DATA.")
        return
    for feature in missing:
        said = f"{lacks_sentence(folder, feature)}."
        if feature is not Feature.PERMISSIONS:
            yield failure("disk", said, _ON_ANOTHER_DISK)
        elif is_accepted(folder):
            yield warning("disk", said, f"Somebody agreed to that. {_ON_ANOTHER_DISK}")
        else:
            yield warning("disk", said, f"`companion play` asks once. {_ON_ANOTHER_DISK}")


def _nearest(folder: Path) -> Path:
    return next(one for one in (folder, *folder.parents) if os.access(one, os.F_OK))


def disk(here: Surroundings, folder: Path) -> Iterator[Finding]:
    """Is there room for the sessions?"""
    there = _nearest(folder)
    free = here.free(there)
    said = f"{free // 1_000_000} MB free where the sessions are ({folder})."
    if free < NO_BYTES:
        yield failure(
            "disk",
            said,
            "Free some: without room nothing is acknowledged and the board's ring fills up.",
        )
    elif free < LOW_BYTES:
        yield warning("disk", said, "Free some before a long evening.")
    else:
        yield ok("disk", said)


def calibrated(found: tuple[Mapping[str, int], str]) -> Iterator[Finding]:
    """Can the board's settings that were calibrated be used?"""
    fields, trouble = found
    if trouble:
        yield warning(
            "settings", trouble, f"companion board calibrate, or remove {settings_path()}"
        )
    elif fields:
        said = ", ".join(f"{name} {value}" for name, value in fields.items())
        yield ok("settings", f"New sessions begin with the settings that were calibrated: {said}.")
    else:
        yield ok(
            "settings", "Nothing was calibrated: new sessions begin with the board's defaults."
        )


_SET_IT = (
    "Set the time of day (timedatectl set-ntp true). Rulings use the board's clock and sessions their numbers: both "
    "stay right."
)


def clock(here: Surroundings, sessions: tuple[SessionInfo, ...]) -> Iterator[Finding]:
    """Time of day and the clock that measures."""
    now = here.wall()
    written = [info for info in sessions if info.last_wall]
    ahead = [info for info in written if instant_of(info.last_wall) > now]
    last = max(written, key=lambda info: info.when_played, default=None)
    if not is_set(now):
        said = f"The clock of this computer was never set: it says {now:%Y-%m-%d %H:%M}."
        yield warning("clock", said, _SET_IT)
    elif last is not None and last in ahead:
        then = instant_of(last.last_wall).astimezone(UTC)
        said = f"It is {now:%Y-%m-%d %H:%M} UTC here, but a session was written at {then:%Y-%m-%d %H:%M}."
        yield warning("clock", said, _SET_IT)
    elif ahead:
        were = plural(len(ahead), "session was", "sessions were")
        said = f"It is {now:%Y-%m-%d %H:%M} UTC. {were} written while the clock was ahead of that."
        yield warning(
            "clock",
            said,
            "If it is right now, there is nothing to do: no order of sessions rests on it.",
        )
    else:
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC.")
    if here.monotonic_resolution_s > COARSE_S:
        said = f"The measuring clock ticks every {here.monotonic_resolution_s * 1000:.0f} ms."
        mend = (
            "Nothing to mend: times on the screen are that coarse. Rulings use the board's clock."
        )
        yield warning("clock", said, mend)


def sessions(infos: tuple[SessionInfo, ...], wrong_with: CheckSession) -> Iterator[Finding]:
    """Is every session's record whole?"""
    bad = 0
    for info in infos:
        for sentence in [info.problem] if info.problem else _problems(info, wrong_with):
            bad += 1
            yield failure("sessions", sentence, f"companion journal check {typed_name(info.path)}")
    if not bad:
        unfinished = sum(not info.ended for info in infos)
        yield ok(
            "sessions",
            f"{plural(len(infos), 'session')}, every record whole; {unfinished} unfinished.",
        )


def two_ends(infos: Iterable[SessionInfo]) -> Iterator[Finding]:
    """Did two computers go on with one session? Where none did, nothing is said."""
    for end in ends_among(infos).values():
        if end.standing is Standing.UNDECIDED:
            sentence, command = explained(end)
            yield warning("sessions", f"{sentence.removesuffix(':')}.", command)


def _problems(info: SessionInfo, wrong_with: CheckSession) -> list[str]:
    try:
        return [f"{info.path.name}: {sentence}" for sentence in wrong_with(info.path)]
    except JournalError as problem:  # names the file itself
        return [str(problem)]


TOPIC = "hooks"


def outlet_findings(infos: Sequence[SessionInfo]) -> Iterator[Finding]:
    """Look at each hook; nothing is sent. Where there are none, nothing is said."""
    try:
        wanted = in_force(argparse.Namespace(), sorted(GAMES))
    except CommandError as problem:
        yield failure(
            "settings",
            str(problem),
            "Mend it there; `companion config validate` says when it is right.",
        )
        return
    newest = max(infos, key=lambda info: info.when_played, default=None)
    last = {} if newest is None else read_delivered(newest.path)
    for hook in wanted.hooks:
        yield _of_hook(hook, last.get(hook.name))
    if wanted.mqtt is not None:
        yield _of_broker(wanted.mqtt)
    if wanted.second_copy:
        yield _of_second_copy(file_named(wanted.second_copy))


def _of_second_copy(folder: Path) -> Finding:
    """Whether a second copy could be kept there, tried with an empty file that is removed again."""
    topic, setting = "copy", "or name another folder in second_copy (companion config path)."
    if not folder.is_dir():
        return failure(
            topic, f"The folder for second copies, {folder}, is not there.", f"Attach it, {setting}"
        )
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".companion-") as probe:
            others = stat.S_IMODE(os.fstat(probe.fileno()).st_mode) & 0o077
    except OSError as problem:
        return failure(
            topic,
            f"{folder} takes no second copy, because {why(problem)}.",
            f"Mend that, {setting}",
        )
    if others:
        said = f"Second copies in {folder} can be read by others: that disk keeps no rights. They have hands and goals."
        return warning(topic, said, f"Keep that disk to yourself, {setting}")
    return ok(topic, f"While a hub is told of a game, a second copy is kept in {folder}.")


def _of_broker(broker: Broker) -> Finding:
    if find_spec("aiomqtt") is None:
        return failure("mqtt", "The MQTT library is not installed.", how_to_install("mqtt"))
    mend = "Put the password there, alone."
    try:
        if broker.password is not None:
            broker.password.read()
        mend = "Put the certificate of its authority there."
        encryption_of(broker)
    except NoSecretError as problem:
        return failure("mqtt", f"{broker.place}: {problem}.", mend)
    return ok("mqtt", f"{broker.place} is told while you play; nothing is sent to it now.")


def _of_hook(hook: Hook, last: Delivered | None) -> Finding:
    named = f"{hook.name} ({hook.place})"
    try:
        if hook.secret is not None:
            hook.secret.read()
    except NoSecretError as problem:
        return failure(TOPIC, f"{named}: {problem}.", "Put the secret there, alone.")
    if hook.command and shutil.which(str(Path(hook.command[0])), path=SEARCHED) is None:
        missing = "is not there" if not os.path.lexists(hook.command[0]) else "cannot be run"
        return failure(
            TOPIC,
            f"{named}: that command {missing}.",
            "Give its whole path; make it executable: chmod +x",
        )
    if last is None:
        return ok(TOPIC, f"{named}: nothing was sent yet in the session played last.")
    said = f"{named}: {plural(last.sent, 'event')} delivered in the session played last"
    if last.dropped:
        said += f", {last.dropped} dropped"
    if last.trouble:
        given_up = "then it was given up: " if last.off else "the last try failed: "
        return warning(
            TOPIC,
            f"{said}; {given_up}{last.trouble}.",
            "Mend that; what is missing comes when you resume.",
        )
    return ok(TOPIC, f"{said}.")
