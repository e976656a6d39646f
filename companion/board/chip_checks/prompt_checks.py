"""The chip's checks at the board's prompt: the call of each, and the verdict on its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from companion.board.chip_checks import verdicts
from companion.board.chip_checks.scripts import question
from companion.board.chip_checks.verdicts import Finding
from companion.errors import CommandError

# Only on this board does GP23 choose the mode of the supply; on a Pico W it powers the radio.
PLAIN_PICO = "Raspberry Pi Pico with RP2040"
SUPPLY_MODES: dict[int | None, str] = {0: "power saving", 1: "steady"}


class Prompt(Protocol):
    """A board's prompt."""

    def ask(self, script: str) -> Any:
        """Run a script on the board; return the JSON in the last line it prints."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """The length of each check: ms, s, or a number of repetitions."""

    stamps_ms: int = 240
    writes: int = 64
    toggles: int = 20
    adc_ms: int = 10_000
    pings_s: float = 5.0
    opened: int = 100
    presses: int = 100
    shots_s: float = 120.0
    night_s: float = 8 * 3600.0


def checks_at_prompt(
    remote: Prompt, folder: str, lengths: Lengths, identity: dict[str, Any]
) -> Iterator[Finding]:
    """Yield the verdicts on what the chip measures at its prompt; fill `identity` with what it says of itself."""

    def ask(call: str) -> Any:
        return remote.ask(question(folder, call))

    def run_check(check: str, call: str, judge: Callable[[Any], Finding]) -> Finding:
        try:
            return judge(ask(call))
        except CommandError as problem:
            return verdicts.not_run(check, problem)

    try:
        identity |= ask("chip_itself()")
    except CommandError as problem:
        yield verdicts.not_run("chip", problem)
    else:
        yield from verdicts.chip(identity)
    for mode, condition in verdicts.MEANWHILE.items():
        call = f"stamps({mode!r}, {lengths.stamps_ms})"
        yield run_check(f"stamps {condition}", call, partial(verdicts.stamps, mode))
    yield run_check("four pins by one write", f"four({lengths.writes})", verdicts.together)
    yield run_check("pad override", f"override({lengths.toggles})", verdicts.override)
    yield run_check("ADC rate", f"adc_rate({lengths.adc_ms})", verdicts.adc_rate)
    yield from _noise(run_check, identity.get("machine", ""))
    try:
        rise_times = ask("contacts()")
    except CommandError as problem:
        yield verdicts.not_run("contacts", problem)
    else:
        for name in sorted(rise_times, key=_natural_order):
            yield verdicts.contact(name, rise_times[name])


def _natural_order(name: str) -> tuple[str, int, str]:
    """Sort zone-10 after zone-9."""
    return (name.rstrip("0123456789"), len(name), name)


def with_wire(remote: Prompt, folder: str) -> Finding:
    """Return the verdict on the ADC with a wire from a PWM."""
    try:
        return verdicts.linearity(remote.ask(question(folder, "linearity(16)")))
    except CommandError as problem:
        return verdicts.not_run("ADC linearity", problem)


def _noise(
    run_check: Callable[[str, str, Callable[[Any], Finding]], Finding], machine: str
) -> Iterator[Finding]:
    modes: dict[int | None, str] = {None: "as it is"}
    if machine == PLAIN_PICO:
        modes = SUPPLY_MODES
    for supply, mode in modes.items():
        for busy, traffic in ((False, "idle"), (True, "with USB traffic")):
            condition = f"{traffic}, supply {mode}"
            yield run_check(
                f"noise {condition}",
                f"noise({supply!r}, {busy!r})",
                partial(verdicts.noise, condition),
            )
    if None in modes:
        yield verdicts.not_asked(
            "noise, supply steady", "only a plain Pico has the supply's mode at GP23"
        )
