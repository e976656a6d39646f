"""The state of a game on one page of plain text, to play on by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from companion.display.panels import panels_of
from companion.display.tables import Shown, plain_lines
from companion.journal.entries import UNDO
from companion.journal.wall_clock import date_text, instant_of, time_text
from companion.reports.games import changed_rules, report_of, tables_of
from companion.reports.record import Record, RecordedFact
from companion.rules.actions import without_keys
from companion.rules.columns import plural, wrap
from companion.rules.common import ABANDONED
from companion.rules.facts import TABLE

COLUMNS, LINES = 80, 60  # a printed page
RULINGS = 10  # the last so many


def format_sheet(record: Record, zone: tzinfo | None = None) -> str:
    """Return the sheet: at most 60 lines of 80 columns, times of day in `zone` (None: this
    machine's).

    If the page is too short, the oldest rulings are left out first, then the last tables.
    """
    small = report_of(record).no_rulings
    tables = [ruling_count for ruling_count in tables_of(record) if not ruling_count.long]
    counting = [
        line
        for line in record.facts
        if line.counts and (line.entry.kind not in small or line.remark)
    ]
    most = min(RULINGS, len(counting))
    foot = _corrections(record)
    foot += ["", *wrap(record.withheld, COLUMNS, "  ")] if record.withheld else []
    for table_count in range(len(tables), -1, -1):
        head = [*_head(record, tables[:table_count], zone), *_no_room_for(tables[table_count:])]
        for ruling_count in range(most if table_count == len(tables) else 0, -1, -1):
            lines = [*head, *_rulings(counting, ruling_count, zone), *foot]
            if len(lines) <= LINES:
                return "\n".join(lines) + "\n"
    return "\n".join([*head[: LINES - 1], "(the page is full; the session has the rest)"]) + "\n"


def _no_room_for(tables: Sequence[Shown]) -> list[str]:
    titles = ", ".join(table.title or "a table" for table in tables)
    return (
        [*wrap(f"no room here for: {titles}; the session has them", COLUMNS, "  "), ""]
        if titles
        else []
    )


def _head(record: Record, tables: Sequence[Shown], zone: tzinfo | None) -> list[str]:
    last = date_text(instant_of(record.entries[-1].wall), zone, seconds=True)
    title = f"{record.game.title} - {record.name} - as of {last}, entry {record.entries[-1].n}"
    changed = (
        f"{rule.name} = {value} ({rule.clause})"
        for rule, value in changed_rules(record.game, record.setup)
    )
    rules = "; ".join(changed) or "all as in the published rules and their defaults"
    lacking = wrap(record.lacking, COLUMNS, "  ") if record.lacking else []
    lines = [*lacking, *wrap(title, COLUMNS, "  "), "", *_state(record, tables)]
    return [
        *lines,
        *wrap(f"house rules (version {record.setup.rules_version}): {rules}", COLUMNS, "  "),
        "",
    ]


def _state(record: Record, tables: Sequence[Shown]) -> list[str]:
    """Return the state of the game, its tables and what it waits for."""
    common, view = record.game.common(record.state), record.game.view(record.state, TABLE)
    where = panels_of(record.setup.game).stands(view, abandoned=common.abandoned is not None)
    status = ", ".join(
        filter(None, (where, "paused" if common.paused and common.abandoned is None else ""))
    )
    awaiting = without_keys(record.game.awaiting(record.state)) or "the next move"
    awaited = awaiting if record.game.over(record.state) else f"awaited: {awaiting}"
    awaited = awaited if common.abandoned is None else ABANDONED
    return [
        *([status] if status else []),
        *plain_lines(tables, COLUMNS),
        "",
        *wrap(awaited, COLUMNS, "  "),
    ]


def _rulings(counting: Sequence[RecordedFact], count: int, zone: tzinfo | None) -> list[str]:
    if not counting:
        return ["no rulings yet"]
    rulings = plural(len(counting), "ruling")
    lines = [f"the last {count} of {rulings}:" if count < len(counting) else f"{rulings}:"]
    for line in counting[len(counting) - count :]:
        time = time_text(instant_of(line.entry.wall), zone, seconds=True)
        by_hand = f" (put in by hand: {line.why})" if line.remark is not None else ""
        lines += wrap(f"{time} {line.entry.n:>4} {line.text}{by_hand}", COLUMNS, " " * 14)
    return lines


def _corrections(record: Record) -> list[str]:
    """Return which entries the table took back, undo aside; if there are many, the last ones."""
    taken_back = [
        line.entry.n
        for line in record.facts
        if line.void is not None and line.void.body.get("reason") != UNDO
    ]
    if not taken_back:
        return []
    last = ", ".join(str(n) for n in sorted(taken_back)[-RULINGS:])
    return [
        "",
        *wrap(
            f"taken back by the table: {len(taken_back)} of the entries; the last: {last}",
            COLUMNS,
            "  ",
        ),
    ]
