"""A session as one JSON document, and as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

from companion.reports.evidence import evidence_of
from companion.reports.games import is_board
from companion.reports.record import Record, RecordedFact
from companion.rules.columns import json_text
from companion.rules.facts import body_of

VERSION = 1  # of the JSON document; raise it when a field changes its meaning
BOM = "\ufeff"
COLUMNS = (
    "entry", "time", "device_us", "pm_us", "actor", "kind", "seat", "text", "taken_back", "broken_clause",
)  # fmt: skip
# A spreadsheet takes a cell that begins like this for a formula (OWASP, "CSV injection"); full-width forms included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def format_json(record: Record) -> str:
    """Return the session as one document: setup, standings, report, rounds, facts, evidence counts."""
    report = dict(record.game.report(record.state))
    common = record.game.common(record.state)
    document = {
        "format": "table-companion session",
        "version": VERSION,
        "session": {
            "name": record.name,
            "begun": record.begun_wall,
            "last": record.entries[-1].wall,
        },
        "setup": asdict(record.setup),
        "over": record.game.over(record.state),
        "standings": dict(record.game.standings(record.state)),
        "by_hand": dict(common.by_hand),
        "left": [seat.id for seat in record.setup.seats if seat.id in common.left],
        "paused": common.paused,
        "rounds": report.pop("rounds", []),
        "report": report,
        "withheld": record.withheld or None,
        "facts": [_fact(line) for line in record.facts],
        "evidence": asdict(evidence_of(record.entries)),
    }
    return json_text(document, indent=2) + "\n"


def _fact(line: RecordedFact) -> dict[str, Any]:
    at: dict[str, Any] | None = None
    if line.fact is not None and line.fact.at is not None:
        at = line.fact.at.model_dump()
        # As in transcripts: readers of older documents know no such field.
        if not line.fact.at.tapped:
            del at["tapped"]
    taken_back: dict[str, Any] | None = None
    if line.void is not None:
        taken_back = {
            "entry": line.void.n,
            "reason": str(line.void.body.get("reason", "")),
            "who": str(line.void.body.get("who", "")),
            "actor": line.void.actor,
        }
    broken: dict[str, Any] | None = None
    if line.problem is not None:
        broken = {"clause": line.problem.clause, "reason": line.problem.reason}
    return {
        "entry": line.entry.n,
        "time": line.entry.wall,
        "actor": line.entry.actor,
        "kind": line.entry.kind,
        "at": at,
        "body": {key: value for key, value in line.entry.body.items() if key != "at"},
        "text": line.text,
        "taken_back": taken_back,
        "remark": None if line.remark is None else dict(line.remark.body),
        "broken": broken,
    }


def format_csv(record: Record, *, excel: bool = False) -> str:
    """Return the facts in fold order as a table (RFC 4180), safe from formula injection.

    `excel` uses semicolons and a byte order mark, without which Excel assumes the system's
    encoding.
    """
    out = io.StringIO()
    if excel:
        out.write(BOM)
    writer = csv.writer(out, delimiter=";" if excel else ",")
    writer.writerow(COLUMNS)
    writer.writerows(_cells(record, line) for line in record.facts)
    if record.withheld:
        row = dict.fromkeys(COLUMNS, "") | {"kind": "withheld", "text": record.withheld}
        writer.writerow(row.values())
    return out.getvalue()


def safe_cell(text: str) -> str:
    """Return `text` with an apostrophe before anything that a spreadsheet would run as a formula."""
    # A lone surrogate cannot be written as UTF-8.
    cleaned = text.replace("\x00", "").encode(errors="replace").decode()
    return f"'{cleaned}" if cleaned.lstrip(" ").startswith(_FORMULA) else cleaned


def _cells(record: Record, line: RecordedFact) -> tuple[str | int, ...]:
    us: int | str = ""
    pm: int | str = ""
    if line.fact is not None and line.fact.at is not None and is_board(line.fact.at.clock):
        us, pm = line.fact.at.us, line.fact.at.pm
    taken_back = "" if line.void is None else str(line.void.body.get("reason") or "yes")
    broken_clause = "" if line.problem is None else line.problem.clause
    return (
        line.entry.n,
        safe_cell(line.entry.wall),
        us,
        pm,
        safe_cell(line.entry.actor),
        safe_cell(line.entry.kind),
        safe_cell(_seats(record, line)),
        safe_cell(line.text),
        safe_cell(taken_back),
        safe_cell(broken_clause),
    )


def _seats(record: Record, line: RecordedFact) -> str:
    body = body_of(line.fact) if line.fact is not None else {}
    named = [body.get("seat"), *body.get("seats", ())]
    return ", ".join(record.setup.name_of(str(seat)) for seat in named if seat is not None)
