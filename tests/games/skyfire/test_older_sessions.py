"""Sessions of version 2 of the rules, with and without an owner's file: opened, counted and exported as before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.reports.record import Record, read_record
from companion.reports.transcripts import format_export

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"


@pytest.fixture(params=["skyfire-rules-2-owner", "skyfire-rules-2-packaged"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Record, Path]:
    for file in SESSIONS.glob(f"{request.param}.sqlite*"):
        shutil.copy(file, tmp_path)
    return read_record(tmp_path / f"{request.param}.sqlite"), SESSIONS / request.param


def test_each_fact_of_it_counts(kept: tuple[Record, Path]) -> None:
    record, _ = kept
    assert record.game.over(record.state)
    assert [line.entry.n for line in record.facts if not line.counts] == []


def test_its_export_is_the_same_byte_for_byte(kept: tuple[Record, Path]) -> None:
    record, base = kept
    expected = base.with_suffix(".export.jsonl").read_text(encoding="utf-8")
    assert format_export(record.entries) == expected


def test_what_a_seat_noted_counts_for_the_cards_it_counted_for(kept: tuple[Record, Path]) -> None:
    record, base = kept
    assert "".join(_notes(record)) == base.with_suffix(".notes.txt").read_text(encoding="utf-8")


def _notes(record: Record) -> Iterator[str]:
    """Yield the seat's notes after each of them."""
    state = record.game.start(record.begun)
    for line in record.facts:
        fact = line.fact
        assert fact is not None
        state = record.game.apply(state, fact, line.entry.n)
        if fact.kind in ("hand_noted", "place_noted"):
            seat = fact.seat  # type: ignore[attr-defined]
            own = record.game.view(state, seat).own
            yield f"{line.entry.n} {seat}: hand {own.hand} placed {own.placed}\n"
