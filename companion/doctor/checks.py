"""The doctor's findings, and its checks of terminal, program, games, disk, settings, clock, sessions and outlets."""

from __future__ import annotations

import argparse
import os
import shutil
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
from companion.outbound.hook_runner import Delivered, read_delivered
from companion.outbound.mqtt import encryption_of
from companion.program import PROGRAM
from companion.rules.columns import plural
from companion.rules.game_info import GameInfo, GameProblem
from companion.rules.registry import GAMES
from companion.session.two_ends import explained
from companion.system.children import bare_environment
from companion.system.files import is_private


class Severity(StrEnum):
    """The severity of a finding."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: the topic, its state, and `mend`, the remedy (several lines if they are to be pasted)."""

    topic: str
    level: Severity = field(kw_only=True)
    sentence: str
    mend: str = ""

    def __str__(self) -> str:
        """Return the finding for people, the remedy below it."""
        mend = "".join(f"\n{'':19}{line}" for line in self.mend.splitlines())
        return f"{self.level.value:8} {self.topic:9} {self.sentence}{mend}"


ok = partial(Finding, level=Severity.OK)
warning = partial(Finding, level=Severity.WARNING)  # the table works, but not as well as it could
failure = partial(Finding, level=Severity.FAILURE)  # something that was asked for does not work
CheckSession = Callable[[Path], list[str]]

LEAST_PYTHON = (3, 11)
LEAST_SIZE = (80, 24)
# A session of an evening has some 5,000 entries: 5 MB with its backup.
LOW_BYTES = 200_000_000
NO_BYTES = 20_000_000
COARSE_S = 0.001


def terminal(here: Surroundings) -> Iterator[Finding]:
    """Check that the dashboard can be shown."""
    is_terminal, encoding = here.streams()
    term = here.env.get("TERM", "")
    if not is_terminal or term == "dumb":
        yield warning(
            "terminal",
            "No terminal a screen can be drawn on.",
            "Use --plain, or a terminal emulator.",
        )
        return
    columns, rows = here.size()
    least_columns, least_rows = LEAST_SIZE
    if columns < least_columns or rows < least_rows:
        yield warning(
            "terminal",
            f"{columns} x {rows} is small; the screens want 80 x 24.",
            "Make the window larger.",
        )
    else:
        yield ok("terminal", f"{term or 'a terminal'}, {columns} x {rows}.")
    if "utf" not in encoding.lower():
        sentence = f"It takes {encoding or 'an unknown encoding'}: names may be drawn wrongly."
        yield warning("terminal", sentence, "export PYTHONUTF8=1 (Windows: set PYTHONUTF8=1)")


def program(here: Surroundings, installed: Mapping[str, str | None]) -> Iterator[Finding]:
    """Check Python's version and the installed packages."""
    number = ".".join(map(str, here.python))
    if here.python[:2] < LEAST_PYTHON:
        yield failure(
            "python", f"{number} is too old; 3.11 is needed.", "Install Python 3.11 or newer."
        )
    else:
        yield ok("python", f"{number} on {here.platform}.")
    missing = [name for name, version in installed.items() if version is None]
    if missing:
        names = " ".join(missing)
        yield failure("packages", f"Missing: {names}.", f"pip install {names}")
    else:
        versions = ", ".join(f"{name} {version}" for name, version in installed.items())
        yield ok("packages", f"{versions}.")


def games(infos: Iterable[GameInfo], problems: Iterable[GameProblem]) -> Iterator[Finding]:
    """Check that every installed game can be played."""
    titles = []
    for info in infos:
        faults = dict.fromkeys(info.faults())  # a module that holds several parts is named once
        if not faults:
            titles.append(info.title)
        for sentence in faults:
            why, _, mend = sentence.partition(". ")
            yield failure("games", f"{why}.", mend)
    for problem in problems:
        yield failure("games", problem.sentence, problem.remedy)
    if titles:
        yield ok("games", f"{', '.join(titles)}.")


_ON_ANOTHER_DISK = "Name a data folder on a disk of this computer in COMPANION_DATA."


def can_be_written(here: Surroundings, folder: Path) -> Iterator[Finding]:
    """Check that the disk has every feature a session needs."""
    try:
        missing = here.missing(_nearest(folder))
    except OSError as error:
        sentence = f"No session can be made in {folder}, because {why(error)}."
        yield failure("disk", sentence, "Or name another data folder in COMPANION_DATA.")
        return
    for feature in missing:
        sentence = f"{lacks_sentence(folder, feature)}."
        if feature is not Feature.PERMISSIONS:
            yield failure("disk", sentence, _ON_ANOTHER_DISK)
        elif is_accepted(folder):
            yield warning("disk", sentence, f"Somebody agreed to that. {_ON_ANOTHER_DISK}")
        else:
            yield warning("disk", sentence, f"`{PROGRAM} play` asks once. {_ON_ANOTHER_DISK}")


def _nearest(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if os.access(parent, os.F_OK))


def disk(here: Surroundings, folder: Path) -> Iterator[Finding]:
    """Check that the sessions have room."""
    parent = _nearest(folder)
    free = here.free(parent)
    sentence = f"{free // 1_000_000} MB free where the sessions are ({folder})."
    if free < NO_BYTES:
        yield failure(
            "disk",
            sentence,
            "Free some: without room nothing is acknowledged and the board's ring fills up.",
        )
    elif free < LOW_BYTES:
        yield warning("disk", sentence, "Free some before a long evening.")
    else:
        yield ok("disk", sentence)


def calibrated(settings: tuple[Mapping[str, int], str]) -> Iterator[Finding]:
    """Check that the calibrated settings can be used."""
    fields, trouble = settings
    if trouble:
        yield warning(
            "settings", trouble, f"{PROGRAM} board calibrate, or remove {settings_path()}"
        )
    elif fields:
        sentence = ", ".join(f"{name} {value}" for name, value in fields.items())
        yield ok(
            "settings", f"New sessions begin with the settings that were calibrated: {sentence}."
        )
    else:
        yield ok(
            "settings", "Nothing was calibrated: new sessions begin with the board's defaults."
        )


_SET_IT = (
    "Set the time of day (timedatectl set-ntp true). Rulings use the board's clock and sessions their numbers: both "
    "stay right."
)


def clock(here: Surroundings, sessions: tuple[SessionInfo, ...]) -> Iterator[Finding]:
    """Check the time of day and the resolution of the measuring clock."""
    now = here.wall()
    written = [info for info in sessions if info.last_wall]
    ahead = [info for info in written if instant_of(info.last_wall) > now]
    last = max(written, key=lambda info: info.when_played, default=None)
    if not is_set(now):
        sentence = f"The clock of this computer was never set: it says {now:%Y-%m-%d %H:%M}."
        yield warning("clock", sentence, _SET_IT)
    elif last is not None and last in ahead:
        then = instant_of(last.last_wall).astimezone(UTC)
        sentence = f"It is {now:%Y-%m-%d %H:%M} UTC here, but a session was written at {then:%Y-%m-%d %H:%M}."
        yield warning("clock", sentence, _SET_IT)
    elif ahead:
        were = plural(len(ahead), "session was", "sessions were")
        sentence = (
            f"It is {now:%Y-%m-%d %H:%M} UTC. {were} written while the clock was ahead of that."
        )
        yield warning(
            "clock",
            sentence,
            "If it is right now, there is nothing to do: no order of sessions rests on it.",
        )
    else:
        yield ok("clock", f"{now:%Y-%m-%d %H:%M} UTC.")
    if here.monotonic_resolution_s > COARSE_S:
        sentence = f"The measuring clock ticks every {here.monotonic_resolution_s * 1000:.0f} ms."
        mend = (
            "Nothing to mend: times on the screen are that coarse. Rulings use the board's clock."
        )
        yield warning("clock", sentence, mend)


def sessions(infos: tuple[SessionInfo, ...], problems_of: CheckSession) -> Iterator[Finding]:
    """Check that every session's record is whole."""
    bad = 0
    for info in infos:
        problems = [info.problem] if info.problem else _sentences(info, problems_of)
        for sentence in problems:
            bad += 1
            yield failure("sessions", sentence, f"{PROGRAM} journal check {typed_name(info.path)}")
    if not bad:
        unfinished = sum(not info.ended for info in infos)
        yield ok(
            "sessions",
            f"{plural(len(infos), 'session')}, every record whole; {unfinished} unfinished.",
        )


def two_ends(infos: Iterable[SessionInfo]) -> Iterator[Finding]:
    """Report sessions that were continued on two computers."""
    for end in ends_among(infos).values():
        if end.standing is Standing.UNDECIDED:
            sentence, command = explained(end)
            yield warning("sessions", f"{sentence.removesuffix(':')}.", command)


def _sentences(info: SessionInfo, problems_of: CheckSession) -> list[str]:
    try:
        return [f"{info.path.name}: {sentence}" for sentence in problems_of(info.path)]
    except JournalError as problem:  # its sentence already names the file
        return [str(problem)]


TOPIC = "hooks"


def outlet_findings(infos: Sequence[SessionInfo]) -> Iterator[Finding]:
    """Check each configured outlet: hooks, MQTT broker, second copies. Nothing is sent."""
    try:
        settings = in_force(argparse.Namespace(), sorted(GAMES))
    except CommandError as problem:
        yield failure(
            "settings",
            str(problem),
            f"Mend it there; `{PROGRAM} config validate` says when it is right.",
        )
        return
    newest = max(infos, key=lambda info: info.when_played, default=None)
    last: Mapping[str, Delivered] = {}
    if newest is not None:
        last = read_delivered(newest.path)
    for hook in settings.hooks:
        yield _hook_finding(hook, last.get(hook.name))
    if settings.mqtt is not None:
        yield _broker_finding(settings.mqtt)
    if settings.second_copy:
        yield _second_copy_finding(file_named(settings.second_copy))


def _second_copy_finding(folder: Path) -> Finding:
    """Check that a second copy could be kept in the folder, with an empty file that is removed again."""
    topic, setting = "copy", f"or name another folder in second_copy ({PROGRAM} config path)."
    if not folder.is_dir():
        return failure(
            topic, f"The folder for second copies, {folder}, is not there.", f"Attach it, {setting}"
        )
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".companion-") as probe:
            is_kept = is_private(probe.fileno())
    except OSError as problem:
        return failure(
            topic,
            f"{folder} takes no second copy, because {why(problem)}.",
            f"Mend that, {setting}",
        )
    if not is_kept:
        sentence = (
            f"Second copies in {folder} can be read by others: that disk keeps no rights. "
            "They have hands and goals."
        )
        return warning(topic, sentence, f"Keep that disk to yourself, {setting}")
    return ok(topic, f"While a hub is told of a game, a second copy is kept in {folder}.")


def _broker_finding(broker: Broker) -> Finding:
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


def _hook_finding(hook: Hook, last: Delivered | None) -> Finding:
    title = f"{hook.name} ({hook.place})"
    try:
        if hook.secret is not None:
            hook.secret.read()
    except NoSecretError as problem:
        return failure(TOPIC, f"{title}: {problem}.", "Put the secret there, alone.")
    if (
        hook.command
        and shutil.which(str(Path(hook.command[0])), path=bare_environment()["PATH"]) is None
    ):
        missing = "cannot be run" if os.path.lexists(hook.command[0]) else "is not there"
        return failure(
            TOPIC,
            f"{title}: that command {missing}.",
            "Give its whole path; make it executable: chmod +x",
        )
    if last is None:
        return ok(TOPIC, f"{title}: nothing was sent yet in the session played last.")
    sentence = f"{title}: {plural(last.sent, 'event')} delivered in the session played last"
    if last.dropped:
        sentence += f", {last.dropped} dropped"
    if last.trouble:
        given_up = "then it was given up: " if last.off else "the last try failed: "
        return warning(
            TOPIC,
            f"{sentence}; {given_up}{last.trouble}.",
            "Mend that; what is missing comes when you resume.",
        )
    return ok(TOPIC, f"{sentence}.")
