"""How fast a long record is read again and looked at; run as `python -m tests.benchmarks.rereading`."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from companion.journal.entries import Entry
from companion.journal.timeline import Timeline
from companion.rules.facts import Refused
from companion.rules.gestures import GestureSettings
from companion.session.marshal_view import marshal_view
from companion.session.projection import SessionProjection
from companion.session.rereading import reread
from companion.session.table import Table
from tests.benchmarks.figures import heading, measured, show
from tests.session.parts import (
    BOOT,
    GAME,
    MS,
    Board,
    first_entry,
    hello,
    journal_of,
    setup,
    table_on,
)

LONG = 10_000
RUNS = 5
LATE_EVERY_US = 400_000 * MS  # a hit that only the wider window takes
USUAL, WIDE = GestureSettings(), GestureSettings(window_us=45 * MS)


def play(table: Table, board: Board, us: int, lag_us: int) -> None:
    """Return ten seconds of a round: eight draws, and a trigger pull whose hit comes `lag_us` later."""
    for tap in range(8):
        channel, at = f"zone-{tap % 3 + 1}", us + tap * 1_000 * MS
        table.board.store([board.press(channel, at), board.release(channel, at + 90 * MS)])
        table.board.on_watermark(BOOT, at + 100 * MS)
    at = us + 8_500 * MS
    table.board.store(
        [board.press("trigger", at), board.hit(at + lag_us), board.release("trigger", at + 80 * MS)]
    )
    table.board.on_watermark(BOOT, us + 9_500 * MS)


def long_record() -> list[Entry]:
    """Return a record of one long round, as a table makes it from a board's evidence."""
    board = Board()
    with journal_of([first_entry()]) as journal:
        table = table_on(journal)
        table.board.on_identified(hello(), BOOT)
        table.board.store([board.armed()])
        table.do("panic-fire.fire")
        us = 10_000 * MS
        while len(journal.entries) < LONG:
            play(table, board, us, 40 * MS if us % LATE_EVERY_US == 0 else 70 * MS)
            us += 10_000 * MS
        return list(journal.entries)


def fold(entries: Sequence[Entry]) -> None:
    """Fold by the rules of the game."""
    timeline = Timeline(
        GAME.start(setup()),
        lambda state, entry: GAME.apply(state, GAME.parse(entry.kind, entry.body), entry.n),
        Refused,
    )
    timeline.extend(entries)


def read_again() -> None:
    """Time a rereading with the same and with other settings, compared with a fold of the same record."""
    entries = long_record()
    show(
        measured("fold of the same by the rules", lambda: fold(entries), RUNS),
        measured(
            f"read {len(entries):,} entries again, the same",
            lambda: reread(GAME, setup(), entries, USUAL),
            RUNS,
        ),
        measured(
            f"read {len(entries):,} entries again, wider",
            lambda: reread(GAME, setup(), entries, WIDE),
            RUNS,
        ),
    )


def look() -> None:
    """Time the view of the marshal screen, compared with the view of the table."""
    record = SessionProjection(GAME, setup(), long_record())

    show(
        measured("fold of the same by the rules", lambda: fold(record.entries), RUNS),
        measured(
            f"marshal's view of {len(record.entries):,} entries",
            lambda: marshal_view(record, Lock()),
            RUNS,
        ),
    )


if __name__ == "__main__":
    heading()
    read_again()
    look()
