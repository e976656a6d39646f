"""The steps of calibration and selftest that need a person, in their order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from firmware_protocol.channels import kind_of
from firmware_protocol.messages import ROLE_HIT, ROLE_TRIGGER, Channel, Hello

BUTTON_PRESSES = 5
SHOTS = 3


class StepKind(StrEnum):
    """The purpose of a step."""

    STILL = "still"
    SHOT = "shot"
    KNOCK = "knock"
    PRESS = "press"


@dataclass(frozen=True, slots=True)
class AskingPace:
    """How long to listen, in seconds: with hands off, for one answer, after it, and for the board to obey a command."""

    quiet_s: float = 5.0
    answer_s: float = 15.0
    after_s: float = 0.4
    order_s: float = 3.0


@dataclass(frozen=True, slots=True)
class AskedStep:
    """One step: its sentence, the channel it is about, if any, and `absent`, the alternative if that has no key."""

    kind: StepKind
    sentence: str
    channel: Channel | None = None
    absent: str = ""

    @property
    def in_full(self) -> str:
        """The sentence for a person who has no key to skip the step with."""
        if not self.absent:
            return self.sentence
        return f"{self.sentence.removesuffix('.')} ({self.absent})."


def channels_with_role(hello: Hello, role: int) -> set[int]:
    """Return the numbers of the channels with a role."""
    return {channel.id for channel in hello.channels if channel.role == role}


def calibration_steps(hello: Hello, pace: AskingPace) -> Iterator[AskedStep]:
    """Yield the steps: hold still, shots, knocks, then each contact.

    With a hit sensor the trigger has no step of its own: the shots pull it.
    """
    hits = any(channel.role == ROLE_HIT for channel in hello.channels)
    if hits:
        yield AskedStep(StepKind.STILL, f"Hold the gun still for {pace.quiet_s:g} s.")
        for count in range(1, SHOTS + 1):
            yield AskedStep(StepKind.SHOT, f"Shot {count} of {SHOTS}: fire as in play.")
        for count in range(1, SHOTS + 1):
            knock = f"Knock {count} of {SHOTS}: lay the gun down, or tap it, without the trigger."
            yield AskedStep(StepKind.KNOCK, knock)
    for channel in hello.channels:
        works_alone = channel.role == ROLE_TRIGGER and not hits
        if kind_of(channel).calibrated or works_alone:
            sentence = f"Press {channel.name} {BUTTON_PRESSES} times."
            absent = f"not there: wait {pace.answer_s:g} s"
            yield AskedStep(StepKind.PRESS, sentence, channel, absent)


def selftest_steps(
    hello: Hello, pace: AskingPace, *, press: bool, wires: Sequence[str] = ()
) -> Iterator[AskedStep]:
    """Yield the steps: hands off and, with `press`, each wire once, or only those named."""
    yield AskedStep(StepKind.STILL, f"Hands off everything for {pace.quiet_s:g} s.")
    if not press:
        return
    for channel in hello.channels:
        kind = kind_of(channel)
        if not kind.status and (not wires or channel.name in wires):
            yield AskedStep(StepKind.PRESS, kind.once.format(channel.name), channel)
