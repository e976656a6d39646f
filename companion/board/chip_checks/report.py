"""The report on a chip: a JSON file, a page, and the row for `hardware_docs/confirmed.md`.

All are built from the fields named here and from nothing else, so that no name, folder or port gets into them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board.chip_checks import verdicts
from companion.board.chip_checks.verdicts import Finding, Verdict
from companion.rules.columns import json_text

FORMAT = 1
# The fields of the board's identity in the report, each with the pattern it must match: no folder can.
BOARD = {
    "uid": "[0-9a-f]{4,32}",
    "machine": "[A-Za-z0-9 .()+_-]{1,80}",
    "chip_id": "[0-9a-f]{8}",
    "rom": "[0-9]+",
    "micropython": "[0-9.]+",
    "build": "[A-Za-z0-9 .;()+_-]{1,120}",
    "firmware": "[0-9.]+",
    "hz": "[0-9]+",
    "disk_bytes": "[0-9]+",
    "reason": "[0-9]",
}
BAR = 40


@dataclass(frozen=True, slots=True)
class ChipReport:
    """The results of all checks.

    `day` is YYYY-MM-DD, `system` the computer's platform, `identity` what the board says of itself.
    """

    day: str
    companion: str
    system: str
    identity: Mapping[str, Any]
    findings: Sequence[Finding]

    @property
    def board(self) -> dict[str, Any]:
        """The fields of `BOARD` that the board gave, its stepping and its temperature."""
        fields = {}
        for name, pattern in BOARD.items():
            if name in self.identity:
                fields[name] = _plain(self.identity[name], pattern)
        if fields.get("chip_id", "?") != "?":
            fields["stepping"] = verdicts.stepping(self.identity)
        if isinstance(self.identity.get("adc4"), int):
            fields["temperature_c"] = round(verdicts.degrees(self.identity["adc4"]), 1)
        return fields

    @property
    def has_failed(self) -> bool:
        """True if any check failed."""
        return any(finding.verdict is Verdict.FAIL for finding in self.findings)

    @property
    def summary(self) -> str:
        """The number of checks with each verdict."""
        counts = Counter(finding.verdict for finding in self.findings)
        parts = []
        for verdict in Verdict:
            if counts[verdict]:
                parts.append(f"{counts[verdict]} {verdict.value}")
        return ", ".join(parts)

    def json(self) -> str:
        """Return the report for programs."""
        whole = {
            "format": FORMAT,
            "day": self.day,
            "companion": self.companion,
            "system": self.system,
            "board": self.board,
            "checks": [_fields(finding) for finding in self.findings],
        }
        return json_text(whole, indent=2) + "\n"

    def row(self) -> str:
        """Return the row for `confirmed.md`, with dots for what only the board's owner knows."""
        board = self.board
        turn, failed = "?", []
        for finding in self.findings:
            is_turn = finding.check in ("longest turn", "turns")
            if turn == "?" and is_turn and finding.verdict is not Verdict.NOT_ASKED:
                turn = finding.figure
            if finding.verdict is Verdict.FAIL:
                failed.append(finding.check)
        cells = (
            self.day,
            "...",
            f"{board.get('machine', '?')}, {board.get('stepping', '?')}",
            board.get("micropython", "?"),
            board.get("firmware", "?"),
            "...",
            "...",
            "...",
            self.summary,
            turn,
            "; ".join(failed) or "...",
        )
        return _row(cells)

    def page(self) -> str:
        """Return the report for people."""
        lines = [
            "# A board on trial",
            "",
            f"{self.day}, companion {self.companion} on {self.system}: {self.summary}.",
            "",
        ]
        lines += ["| Board | |", "|---|---|"]
        lines += [f"| {name} | {_cell(value)} |" for name, value in self.board.items()]
        lines += [
            "",
            "| Check | Verdict | Measured | Bound | What to do |",
            "|---|---|---|---|---|",
        ]
        for finding in self.findings:
            cells = (
                finding.check,
                finding.verdict.value,
                finding.figure,
                finding.bound,
                finding.advice,
            )
            lines.append(_row(cells))
        for finding in self.findings:
            if finding.histogram:
                lines += ["", f"## {finding.check}", "", "```", *_bars(finding.histogram), "```"]
        lines += [
            "",
            "## The row for hardware_docs/confirmed.md",
            "",
            "Fill in the dots.",
            "",
            self.row(),
            "",
        ]
        return "\n".join(lines)


def _fields(finding: Finding) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "check": finding.check,
        "verdict": finding.verdict.value,
        "figure": finding.figure,
        "bound": finding.bound,
        "advice": finding.advice,
    }
    if finding.histogram:
        fields["histogram"] = dict(finding.histogram)
    return fields


def _plain(value: Any, pattern: str) -> Any:
    """Return a value of the board, or "?" if it does not match its pattern."""
    if isinstance(value, str | int) and re.fullmatch(pattern, str(value)):
        return value
    return "?"


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(value: object) -> str:
    return str(value).replace("|", "/")


def _bars(histogram: Mapping[str, int]) -> list[str]:
    most = max(histogram.values())
    return [
        f"{value:>9} {count:5} {'#' * max(1, count * BAR // most)}"
        for value, count in histogram.items()
    ]
