"""Presses for a test of the board are evidence and no gesture; those before it and after it are of the game."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from companion.journal.entries import Draft, Entry
from companion.link.evidence import Evidence
from companion.rules.gestures import Gesture, GestureSettings
from companion.session.board_side import PRESSES_COUNT, BoardSide
from companion.session.board_tests import (
    CALIBRATE,
    IN_TEST,
    SELFTEST,
    BoardTests,
    draft_of_test,
)
from companion.session.corrections import NotDone
from companion.session.intake import Intake, boot_draft, evidence_draft, hello_draft
from companion.session.recognizer import Unread
from companion.session.table import Table
from tests.journal.support import sealed
from tests.session.parts import BOOT, MS, RESUMED, Board, hello

NAMES = {channel.id: channel.name for channel in hello().channels}
BEGUN = draft_of_test(SELFTEST, "tablet", BOOT, 100 * MS, begins=True)
ENDED = draft_of_test(SELFTEST, "tablet", BOOT, 200 * MS, begins=False)


def record(*items: Evidence | Draft) -> list[Entry]:
    drafts = [evidence_draft(item, NAMES) if isinstance(item, Evidence) else item for item in items]
    return sealed([hello_draft(hello(), BOOT), *drafts])


def read(entries: Sequence[Entry], *, holds: bool = False) -> list[tuple[str, tuple[int, ...]]]:
    tests = BoardTests()
    tests.read(entries)
    intake = Intake(GestureSettings(), tests=tests)
    results: list[Gesture | Unread] = list(intake.take(entries))
    results += intake.advance(BOOT, 100_000 * MS, lambda _: holds)
    return [
        (item.kind.value if isinstance(item, Gesture) else item.reason, item.evidence)
        for item in results
    ]


def test_the_boards_stamp_decides_however_late_a_press_is_reported() -> None:
    board = Board()
    entries = record(
        board.armed(),
        BEGUN,
        board.press("zone-1", 99 * MS),
        board.release("zone-1", 120 * MS),
        board.press("zone-2", 150 * MS),
        ENDED,
        board.press("zone-3", 199 * MS),
        board.release("zone-2", 210 * MS),
        board.press("zone-1", 700 * MS),
    )
    assert read(entries) == [(IN_TEST, (7, 9)), ("tap", (5,)), ("tap", (11,))]


def test_a_press_before_the_test_is_no_hold_because_it_is_let_go_in_it() -> None:
    board = Board()
    entries = record(
        board.armed(),
        board.press("zone-1", 90 * MS),
        BEGUN,
        board.release("zone-1", 130 * MS),
        ENDED,
    )
    assert [kind for kind, _ in read(entries, holds=True)] == ["tap"]


def test_a_test_that_a_program_left_lasts_until_the_next_one_arms_the_board() -> None:
    board = Board()
    entries = record(
        board.armed(),
        BEGUN,
        board.press("zone-1", 150 * MS),
        RESUMED,
        board.press("zone-2", 900 * MS),
        board.armed(1_000 * MS),
        board.press("zone-3", 1_500 * MS),
    )
    assert read(entries) == [(IN_TEST, (5, 7)), ("tap", (9,))]


def test_a_test_of_a_boot_that_is_over_is_none_of_the_next() -> None:
    tests = BoardTests()
    tests.read(record(BEGUN, boot_draft(BOOT, BOOT + 1)))
    assert tests.covers(BOOT, 150 * MS)
    assert not tests.covers(BOOT, 99 * MS)
    assert not tests.covers(BOOT + 1, 150 * MS)


@pytest.mark.parametrize(
    ("what", "who", "sentence"),
    [
        (SELFTEST, "tablet", "The board is being tested (tablet). Presses do not count."),
        (CALIBRATE, "", "The board is being calibrated. Presses do not count."),
    ],
)
def test_everybody_is_told_while_it_lasts_and_no_longer(what: str, who: str, sentence: str) -> None:
    for end in (draft_of_test(what, who, BOOT, 2, begins=False), RESUMED):
        tests = BoardTests()
        entries = record(draft_of_test(what, who, BOOT, 1, begins=True), end)
        tests.read(entries[:-1])
        assert tests.sentence == sentence
        tests.read(entries[-1:])
        assert not tests.sentence


def test_without_a_board_nothing_is_tested(table: Table) -> None:
    with pytest.raises(NotDone, match="No board is connected"):
        table.board.begin_test(SELFTEST, "tablet")
    assert not table.view().testing


def test_nobody_listens_in_while_the_boards_clock_is_unknown(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = SimpleNamespace(device_now=lambda: None, listen_in=lambda: pytest.fail("listens in"))
    monkeypatch.setattr(table.board, "_link", link)
    monkeypatch.setattr(BoardSide, "is_live", True)
    with pytest.raises(NotDone, match="No board is connected"):
        table.board.begin_test(SELFTEST, "tablet")


def test_the_log_and_every_view_say_what_happens(table: Table) -> None:
    table.board.note_test(SELFTEST, "tablet", BOOT, 1, begins=True)
    view = table.view()
    assert view.testing == "The board is being tested (tablet). Presses do not count."
    assert view.log[-1].text == "the board is being tested (tablet): presses do not count"
    table.board.note_test(SELFTEST, "tablet", BOOT, 2, begins=False)
    view = table.view()
    assert not view.testing
    assert view.notice is not None
    assert view.notice.text == PRESSES_COUNT
    assert view.log[-1].text == "the test of the board is over: presses count again"
