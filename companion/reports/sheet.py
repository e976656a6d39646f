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
RULINGS = 10  # the maximum number of rulings


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
    if record.withheld:
        foot += ["", *wrap(record.withheld, COLUMNS, "  ")]
    for table_count in range(len(tables), -1, -1):
        head = [*_head(record, tables[:table_count], zone), *_no_room_for(tables[table_count:])]
        # Once a table is left out, so are all rulings.
        most_here = most if table_count == len(tables) else 0
        for ruling_count in range(most_here, -1, -1):
            lines = [*head, *_rulings(counting, ruling_count, zone), *foot]
            if len(lines) <= LINES:
                return "\n".join(lines) + "\n"
    return "\n".join([*head[: LINES - 1], "(the page is full; the session has the rest)"]) + "\n"


def _no_room_for(tables: Sequence[Shown]) -> list[str]:
    if not tables:
        return []
    titles = ", ".join(table.title or "a table" for table in tables)
    return [*wrap(f"no room here for: {titles}; the session has them", COLUMNS, "  "), ""]


def _head(record: Record, tables: Sequence[Shown], zone: tzinfo | None) -> list[str]:
    last = date_text(instant_of(record.entries[-1].wall), zone, seconds=True)
    title = f"{record.game.title} - {record.name} - as of {last}, entry {record.entries[-1].n}"
    changed = [
        f"{rule.name} = {value} ({rule.clause})"
        for rule, value in changed_rules(record.game, record.setup)
    ]
    rules = "; ".join(changed) or "all as in the published rules and their defaults"
    house_rules = f"house rules (version {record.setup.rules_version}): {rules}"
    lines = []
    if record.lacking:
        lines += wrap(record.lacking, COLUMNS, "  ")
    lines += [*wrap(title, COLUMNS, "  "), "", *_state(record, tables)]
    return [*lines, *wrap(house_rules, COLUMNS, "  "), ""]


def _state(record: Record, tables: Sequence[Shown]) -> list[str]:
    """Return the state of the game, its tables and what it waits for."""
    common, view = record.game.common(record.state), record.game.view(record.state, TABLE)
    abandoned = common.abandoned is not None
    where = panels_of(record.setup.game).stands(view, abandoned=abandoned)
    status = [where] if where else []
    if common.paused and not abandoned:
        status.append("paused")
    awaited = without_keys(record.game.awaiting(record.state)) or "the next move"
    if abandoned:
        awaited = ABANDONED
    elif not record.game.over(record.state):
        awaited = f"awaited: {awaited}"
    lines = [", ".join(status)] if status else []
    return [*lines, *plain_lines(tables, COLUMNS), "", *wrap(awaited, COLUMNS, "  ")]


def _rulings(counting: Sequence[RecordedFact], count: int, zone: tzinfo | None) -> list[str]:
    if not counting:
        return ["no rulings yet"]
    rulings = plural(len(counting), "ruling")
    if count < len(counting):
        rulings = f"the last {count} of {rulings}"
    lines = [f"{rulings}:"]
    for line in counting[len(counting) - count :]:
        time = time_text(instant_of(line.entry.wall), zone, seconds=True)
        ruling = f"{time} {line.entry.n:>4} {line.text}"
        if line.remark is not None:
            ruling += f" (put in by hand: {line.why})"
        lines += wrap(ruling, COLUMNS, " " * 14)
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
    last = ", ".join(map(str, sorted(taken_back)[-RULINGS:]))
    sentence = f"taken back by the table: {len(taken_back)} of the entries; the last: {last}"
    return ["", *wrap(sentence, COLUMNS, "  ")]
