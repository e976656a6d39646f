"""What a page shows of a selftest or a calibration, and what can be done there."""

from __future__ import annotations

import re

import pytest

from companion.reports.markup import Markup, element, text
from companion.session.board_pages import BoardOutcome, BoardPage, BoardView
from companion.web.board_procedures import Procedure, procedure_block

SETTINGS = BoardOutcome(
    (("1600", "hit_threshold", "midway"),), ("It would have counted 3 of 3 shots.",), can_store=True
)


def drawn(view: BoardView | None, *, is_running: bool = False) -> tuple[str, list[str]]:
    """Return the part of the page, and what its buttons ask for."""

    def button(label: str, do: str, is_main: bool) -> Markup:
        return element("button", text(label), value=do, class_="main" if is_main else "")

    page = procedure_block(Procedure(view, is_running), button, "Meanwhile nothing counts.")
    wishes = re.findall(r'value="([^"]*)"', page)
    assert all(wish.startswith("board.") for wish in wishes)
    return page, [wish.removeprefix("board.") for wish in wishes]


def test_at_first_both_can_be_begun() -> None:
    page, wishes = drawn(None)
    assert wishes == ["selftest", "calibrate"]
    assert "Meanwhile nothing counts." in page


def test_while_the_board_is_opened_it_can_be_stopped_and_no_step_skipped() -> None:
    page, wishes = drawn(BoardView(BoardPage.SELFTEST), is_running=True)
    assert wishes == ["stop"]
    assert "Asking the board." in page


def test_a_step_says_what_to_do_and_what_was_reported_the_earlier_ones_below() -> None:
    view = BoardView(
        BoardPage.CALIBRATE,
        notice="That was zone-3: press zone-1.",
        asked=("Hold still.", "Press zone-1 5 times.", "Press zone-2 5 times."),
        came=("quiet", "2 pressed"),
    )
    page, wishes = drawn(view, is_running=True)
    assert wishes == ["skip.2", "stop"]
    assert "Calibration: step 2 of 3" in page
    places = [page.index(part) for part in ("Press zone-1 5", "2 pressed", "That was", "quiet")]
    assert places == sorted(places)
    assert "zone-2" not in page


@pytest.mark.parametrize(
    ("marks", "sentence"),
    [
        (("good", "good"), "The board is fine."),
        (("good", "worn", "untried"), "No fault found; 1 worn, 1 not tried."),
        (("untried", "fault", "good"), "The board has 1 fault. Look below."),
        (("fault", "worn", "fault"), "The board has 2 faults. Look below."),
    ],
)
def test_a_result_is_one_sentence_and_the_worst_is_listed_first(
    marks: tuple[str, ...], sentence: str
) -> None:
    rows = tuple((mark, f"zone-{place}", "why") for place, mark in enumerate(marks))
    page, wishes = drawn(BoardView(BoardPage.SELFTEST, outcome=BoardOutcome(rows, ())))
    assert sentence in page
    assert wishes == ["close", "selftest", "calibrate"]
    listed = re.findall(r"<b>zone-\d \(([^)]*)\)</b>", page)
    order = ["FAULT", "worn", "not tried", "good"]
    assert listed == sorted(listed, key=order.index)


def test_only_proposed_settings_can_be_kept() -> None:
    page, wishes = drawn(BoardView(BoardPage.CALIBRATE, outcome=SETTINGS))
    assert wishes[:2] == ["store", "close"]
    assert "<b>Hit threshold: 1600,</b> midway" in page
    assert "It would have counted 3 of 3 shots." in page
    page, wishes = drawn(BoardView(BoardPage.CALIBRATE, notice="They are kept."))
    assert "store" not in wishes
    assert "They are kept." in page


def test_why_it_ended_is_said_in_place_of_a_result() -> None:
    page, wishes = drawn(BoardView(BoardPage.SELFTEST, lost="The board is lost: unplugged."))
    assert 'class="alarm" role="status">The board is lost: unplugged.' in page
    assert wishes == ["close", "selftest", "calibrate"]
