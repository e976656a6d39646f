"""What the doctor says: one line each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and the mend (several lines when they are to be pasted)."""

    topic: str
    level: Severity
    sentence: str
    mend: str = ""

    def as_json(self) -> dict[str, str]:
        """The same as plain values."""
        return {name: str(value) for name, value in asdict(self).items()}


def ok(topic: str, sentence: str) -> Finding:
    """All is well."""
    return Finding(topic, Severity.OK, sentence)


def warning(topic: str, sentence: str, mend: str) -> Finding:
    """The table works, but not as well as it could."""
    return Finding(topic, Severity.WARNING, sentence, mend)


def failure(topic: str, sentence: str, mend: str) -> Finding:
    """Something that is wanted does not work."""
    return Finding(topic, Severity.FAILURE, sentence, mend)


def lines(findings: Iterable[Finding]) -> list[str]:
    """The findings for people, each with its mend below it."""
    printed: list[str] = []
    for one in findings:
        printed.append(f"{one.level.value:8} {one.topic:9} {one.sentence}")
        printed += [f"{'':19}{line}" for line in one.mend.splitlines()]
    return printed
