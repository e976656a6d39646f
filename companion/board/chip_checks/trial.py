"""`companion board selftest --chip`: every check that a board runs on itself. At the end the firmware runs again."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.board.chip_checks import verdicts
from companion.board.chip_checks.firmware_checks import PRESSES_HZ, FirmwareBench
from companion.board.chip_checks.prompt_checks import Lengths, checks_at_prompt, with_wire
from companion.board.chip_checks.report import ChipReport
from companion.board.chip_checks.scripts import question, script
from companion.board.chip_checks.verdicts import Finding, Verdict
from companion.board.ports import serial_of
from companion.board.wiring import folder_of
from companion.errors import CommandError, ErrorKind, writing
from companion.program import PROGRAM
from companion.system import NAME
from firmware_protocol.messages import RESET_EXCEPTION, RESET_POWER, RESET_REQUEST, RESET_WATCHDOG

if TYPE_CHECKING:
    from companion.board.install_session import InstallSession
    from companion.board.installing import Remote

WARNINGS = (
    "Take your hands off everything for about a minute.",
    "The firmware stops and starts again; the lamp and the buzzer come on for a moment.",
    "A pin is driven only if pins.json leaves it free and nothing holds it; a contact for 12 us, as its own switch "
    "does. GP3, GP26 and the gun's plug are never driven.",
)
# The column where a finding's text begins.
INDENT = " " * 12
REASONS = {
    RESET_POWER: "power",
    RESET_WATCHDOG: "watchdog",
    RESET_EXCEPTION: "exception",
    RESET_REQUEST: "request",
}
# The counts are still in the prompt's globals when the firmware that pressed a pin has ended.
TURNS = "import json\nprint(json.dumps(TURNS.counted()))"
EXTRAS = {
    "wire": ("ADC linearity",),
    "gun": ("piezo", "ten shots"),
    "night": ("counters over a night", "ppm over temperature", "USB suspend"),
}


@dataclass(slots=True)
class ChipTrial:
    """One board on trial.

    `bench` is its prompt and its restart, `firmware` what it answers while that runs. `identity` is what the board says
    of itself, filled in once it was asked.
    """

    bench: InstallSession
    firmware: FirmwareBench
    lengths: Lengths = field(default_factory=Lengths)
    extras: tuple[str, ...] = ()
    identity: dict[str, Any] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """Yield each finding as soon as it is known; at the end the firmware runs again, whatever happened."""
        answers = self.firmware.answers()
        # Outside `_findings_or_not_run`: without a first answer there is nothing to check, and its error ends all.
        yield next(answers)
        yield from _findings_or_not_run("the running firmware", answers)
        yield self._finding_or_not_run("port opened and closed", self.firmware.opened)
        self.bench.hello()
        remote, board = self.bench.look()
        if not board.has_ours:
            why = f"The table's firmware is not on this board: `{PROGRAM} board install` first."
            raise CommandError(why, ErrorKind.UNAVAILABLE)
        folder = folder_of(board.main)
        try:
            yield from checks_at_prompt(remote, folder, self.lengths, self.identity)
            if "wire" in self.extras:
                yield with_wire(remote, folder)
            yield from _findings_or_not_run("pin to host", self._pin_to_host(remote, folder))
            yield self._watchdog_reason(remote, folder)
        finally:
            restarted = self._restart_reason(remote)
        yield restarted
        if "gun" in self.extras:
            yield from _findings_or_not_run("ten shots", self.firmware.shots())
        if "night" in self.extras:
            yield from _findings_or_not_run("counters over a night", self.firmware.night())
        yield from self._not_asked()

    def _pin_to_host(self, remote: Remote, folder: str) -> Iterator[Finding]:
        if not remote.ask(question(folder, "free_pins(pins_in_use())")):
            yield verdicts.to_host([], 0)
            yield verdicts.not_asked("turns", verdicts.NO_FREE_PIN)
            return

        def pressed() -> Finding:
            remote.begin(script(folder, f"press_alone({PRESSES_HZ})"))
            self.firmware.port = self.bench.port
            return self.firmware.pressed()

        yield self._finding_or_not_run("pin to host", pressed)
        yield self._finding_or_not_run("turns", lambda: verdicts.turns(remote.ask(TURNS)))

    def _watchdog_reason(self, remote: Remote, folder: str) -> Finding:
        serial = serial_of(self.bench.port, self.bench.lister)

        def bitten() -> Finding:
            remote.begin(script(folder, "starve()"))
            hello = self.bench.wait_for_hello(serial)
            self.bench.hello()
            return verdicts.reset_reason(
                hello.reset_reason, RESET_WATCHDOG, "a bite of the watchdog", REASONS
            )

        return self._finding_or_not_run("reason after a bite of the watchdog", bitten)

    def _restart_reason(self, remote: Remote) -> Finding:
        def restarted() -> Finding:
            try:
                hello = self.bench.restart(remote)
            except CommandError:
                # A firmware may be running again, or the prompt be busy: end that and restart once more, so that the
                # board is not left without its firmware.
                self.bench.hello()
                hello = self.bench.restart(remote)
            self.firmware.port = self.bench.port
            return verdicts.reset_reason(hello.reset_reason, RESET_REQUEST, "a restart", REASONS)

        return self._finding_or_not_run("reason after a restart", restarted)

    def _finding_or_not_run(self, check: str, act: Callable[[], Finding]) -> Finding:
        try:
            return act()
        except CommandError as problem:
            return verdicts.not_run(check, problem)

    def _not_asked(self) -> Iterator[Finding]:
        for extra, checks in EXTRAS.items():
            if extra in self.extras:
                continue
            for check in checks:
                yield verdicts.not_asked(check, f"--with {extra}")


def _findings_or_not_run(check: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Yield the findings; if they break off, a finding that this check could not be run."""
    try:
        yield from findings
    except CommandError as problem:
        yield verdicts.not_run(check, problem)


def wrapped(sentence: str) -> str:
    """Return a sentence wrapped to the terminal; text that has lines already is left alone."""
    if "\n" in sentence:
        return sentence
    return textwrap.fill(sentence, _width())


def confirmed(say: Callable[[str], None]) -> bool:
    """Ask whether to start; the end of the input means no."""
    say("Start? [y/N]")
    try:
        return input().strip().lower() in ("y", "yes")
    except EOFError:
        return False


def extras_of(text: str) -> tuple[str, ...]:
    """Return the names of the requested extra checks; raise `CommandError` for an unknown one."""
    wanted = tuple(filter(None, text.split(",")))
    for name in wanted:
        if name not in EXTRAS:
            raise CommandError(
                f"--with takes {', '.join(EXTRAS)}, joined by commas; not {name!r}.",
                ErrorKind.USAGE,
            )
    return wanted


def report_files(report: Path | None) -> tuple[Path, ...]:
    """Return the paths of the report's page and JSON.

    Raise `CommandError` now if one exists or cannot be written: after a night it would be too late.
    """
    if report is None:
        return ()
    base = report
    if report.suffix in (".md", ".json"):
        base = report.with_suffix("")
    files = (base.with_name(f"{base.name}.md"), base.with_name(f"{base.name}.json"))
    if not os.access(base.parent, os.W_OK | os.X_OK):
        raise CommandError(
            f"Nothing can be written into {base.parent}: name a file in another folder.",
            ErrorKind.CANNOT_CREATE,
        )
    for file in files:
        if file.exists():
            raise CommandError(
                f"{file} is there already: name another file.", ErrorKind.CANNOT_CREATE
            )
    return files


def run_trial(
    trial: ChipTrial,
    say: Callable[[str], None],
    files: tuple[Path, ...] = (),
    as_json: Callable[[str], None] = lambda _text: None,
) -> ErrorKind | None:
    """Run the trial, say each verdict, write the report, and pass it to `as_json`; return `UNAVAILABLE` for a
    failure."""
    findings: list[Finding] = []
    width = _width()
    for finding in trial.findings():
        findings.append(finding)
        say(line(finding, width))
    day = datetime.now(UTC).date().isoformat()
    report = ChipReport(day, __version__, NAME, trial.identity, findings)
    say(f"{report.summary}.")
    as_json(report.json().rstrip())
    for file, text in zip(files, (report.page(), report.json()), strict=False):
        with writing(file), file.open("x", encoding="utf-8") as out:
            out.write(text)
        say(f"Written: {file}")
    if report.has_failed:
        return ErrorKind.UNAVAILABLE
    return None


def _width() -> int:
    return shutil.get_terminal_size().columns - 1


def line(finding: Finding, width: int) -> str:
    """Return a finding as a line of at most `width` columns, and below it why a check could not be run and what to
    do about a failure."""
    first = f"{finding.verdict.value:11} {finding.check}: {finding.figure}"
    if finding.bound:
        first += f" (wanted: {finding.bound})"
    parts = [f"{first}."]
    if finding.verdict is Verdict.FAIL:
        parts += [f"{INDENT}{text}" for text in (finding.problem, finding.advice) if text]
    return "\n".join(
        textwrap.fill(part, width, subsequent_indent=INDENT, break_on_hyphens=False)
        for part in parts
    )
