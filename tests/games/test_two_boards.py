"""A spare board takes over anywhere in a recorded game: the two clocks' readings make no difference to what is
shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Entry, Layer
from companion.reports import page
from companion.reports.documents import format_json
from companion.reports.importing import parse_export
from companion.reports.markup import Markup
from companion.reports.page import format_html
from companion.reports.record import record_of
from companion.reports.sheet import format_sheet
from companion.reports.statistics import as_json, people
from companion.rules.registry import GAMES
from tests.feed.feeding import told
from tests.thorough import examples

FIXTURES = Path(__file__).parent.parent / "fixtures"
RECORDED = sorted(path for game in GAMES for path in (FIXTURES / game).glob("*.jsonl"))
STAMPED = [path for path in RECORDED if '"clock":"board-' in path.read_text(encoding="utf-8")]
WALL = "2026-03-01T20:00:00+00:00"
SPARE = "board-10051"
# The spare's counter reads the same as the old board's, an hour more, or next to nothing: it was plugged in just now.
AS_BEFORE, AN_HOUR_MORE = 0, 3_600_000_000
CUTS = examples(3, 40)


def spare_from(entries: Sequence[Entry], cut: int, more_us: int | None) -> list[Entry]:
    """Return the record with everything stamped from place `cut` on stamped by a spare board.

    Its counter reads `more_us` more, or starts at zero if None.
    """
    stamps = [at["us"] for at in map(_at, entries[cut:]) if at is not None]
    if more_us is None:
        more_us = 5_000 - min(stamps, default=0)
    changed = list(entries[:cut])
    for entry in entries[cut:]:
        at = _at(entry)
        if at is None:
            changed.append(entry)
        else:
            moved = {**at, "us": at["us"] + more_us, "clock": SPARE}
            changed.append(entry._replace(body={**entry.body, "at": moved}, t_us=moved["us"]))
    return changed


def _at(entry: Entry) -> dict[str, Any] | None:
    at = entry.body.get("at") if entry.layer is Layer.FACT else None
    return at if isinstance(at, dict) and str(at.get("clock", "")).startswith("board-") else None


def shown(entries: Sequence[Entry]) -> list[str]:
    """Return what people read of a record, without the stamps themselves."""
    record = record_of(entries, "evening")
    events = [
        (event.text, event.table.clock and event.table.clock.ran_s) for event in told(entries)
    ]
    document = json.loads(format_json(record))
    for fact in document["facts"]:
        del fact["at"]
    return [
        json.dumps(document),
        format_sheet(record, UTC),
        format_html(record, UTC),
        str(events),
        str(as_json(people([record]))),
    ]


@pytest.mark.parametrize("path", STAMPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_nothing_is_compared_across_two_boards(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # its number is made of the whole record, stamps too
    monkeypatch.setattr(page, "_bgstats", lambda _: Markup(""))
    entries = list(parse_export(path.read_text(encoding="utf-8"), path.name, WALL))
    stamped = [place for place, entry in enumerate(entries) if _at(entry) is not None]
    for cut in (*stamped[:: max(1, len(stamped) // CUTS)], stamped[-1]):
        as_before, an_hour_more, anew = (
            shown(spare_from(entries, cut, more_us)) for more_us in (AS_BEFORE, AN_HOUR_MORE, None)
        )
        assert as_before == an_hour_more, f"an hour more, from entry {cut + 1}"
        assert as_before == anew, f"begun anew, from entry {cut + 1}"
