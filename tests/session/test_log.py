"""The running log: which entries have a line, its text, and how it changes once something is taken
back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.journal.entries import REDO, UNDO, Control, Draft, Entry, Layer
from companion.journal.fold import FoldOrder
from companion.session.log import KEPT, TABLES_WORD, TEXTS, LogBook
from companion.session.views import LineKind, LogLine
from firmware_protocol.messages import ARMED
from tests.journal.support import sealed


class Log:
    """A log, and the fold order that tells it which entries stand."""

    def __init__(self, *drafts: Draft) -> None:
        self.asked: list[int] = []
        self.book = LogBook(self._sentence_of, str.upper, {"draws": "cards drawn"}, int)
        self.order = FoldOrder()
        for entry in timed(drafts):
            self.book.add(entry)
            self.order.add(entry)
            if entry.layer is Layer.FACT and not entry.body.get("silent"):
                self.book.describe(entry.n, f"fact {entry.n}")

    def _sentence_of(self, n: int) -> str:
        self.asked.append(n)
        return f"asked for {n}"

    def lines(self, problems: dict[int, Exception] | None = None) -> tuple[LogLine, ...]:
        return self.book.lines(problems or {}, self.order.stands)


def timed(drafts: Sequence[Draft]) -> list[Entry]:
    return [entry._replace(wall="2025-01-31T20:00:00+00:00") for entry in sealed(drafts)]


def fact(**body: Any) -> Draft:
    return Draft(Layer.FACT, "mark", body)


def void(n: int, reason: str = UNDO) -> Draft:
    return Draft(Layer.CONTROL, Control.VOID, {"entry": n, "reason": reason}, causes=(n,))


def control(kind: Control, **body: Any) -> Draft:
    return Draft(Layer.CONTROL, kind, body)


def said(kind: str, **body: Any) -> Draft:
    return Draft(Layer.EVIDENCE, kind, body)


HELLO = {
    "board": "Pico",
    "uid": "0123456789abcdef",
    "firmware": "1.0",
    "reset": "power on",
    "boot": 1,
    "stamp_error_us": 10,
}


@pytest.mark.parametrize(
    ("draft", "kind", "text"),
    [
        (fact(), LineKind.FACT, "fact 2"),
        (
            control(Control.IGNORED, reason="no hit (PF-R3)"),
            LineKind.IGNORED,
            "not counted: no hit (PF-R3)",
        ),
        (control(Control.RESUMED), LineKind.RECORD, "the session is resumed"),
        (
            control(Control.RESUMED, doubts=["One is lost.", "Look."]),
            LineKind.RECORD,
            "the session is resumed: One is lost. Look.",
        ),
        (control(Control.ENDED), LineKind.RECORD, "the session has ended"),
        (
            control(Control.RENAMED, name="Friday"),
            LineKind.RECORD,
            "the session is now called Friday",
        ),
        (
            control(Control.REPAIRED, entries=7, lost=None),
            LineKind.RECORD,
            "the record was read from a damaged file: 7 entries were there, an unknown number is lost",
        ),
        (
            control(Control.CONSENT, entry=2, agreed=True, text="a card, to everybody"),
            LineKind.RECORD,
            "the table agreed to undo what was shown: a card, to everybody",
        ),
        (
            control(Control.CONSENT, entry=2, agreed=False, text="a card, to everybody"),
            LineKind.RECORD,
            "the table did not agree, so nothing was undone: a card, to everybody",
        ),
        (
            control(Control.LEVELS, draws="manual"),
            LineKind.RECORD,
            "from now on, cards drawn: entered by hand only",
        ),
        (
            control(
                Control.SETTINGS,
                hold_us=600_000,
                window_us=30_000,
                min_peak=200,
                why="a weak spring",
                who="ada",
            ),
            LineKind.RECORD,
            "from now on, set by ADA: hold 600 ms, trigger and hit within 30 ms, hits from peak 200 on - a weak spring",
        ),
        (
            control(Control.SETTINGS, hold_us=600_000, window_us=30_000, min_peak=None),
            LineKind.RECORD,
            "from now on, set: hold 600 ms, trigger and hit within 30 ms, the board's own threshold",
        ),
        (
            said("hello", **HELLO),
            LineKind.BOARD,
            "Pico (abcdef), firmware 1.0, started by power on",
        ),
        (
            said("state", boot=1, seq=2, flags=ARMED, levels=0),
            LineKind.BOARD,
            "the board is armed: what is pressed from now on counts",
        ),
        (
            said("gap", boot=1, seq=2, first_seq=3, count=3, first_us=0),
            LineKind.BOARD,
            "the board's memory was full: it could not keep 3 events",
        ),
        (
            said("overrun", boot=1, seq=2, source="edges", count=1, first_us=0),
            LineKind.BOARD,
            "the board was too slow and lost at least 1 change of its buttons",
        ),
        (
            said("overrun", boot=1, seq=2, source="samples", count=70, first_us=0),
            LineKind.BOARD,
            "the board was too slow and lost at least 70 samples of the hit sensor",
        ),
        (
            replace(
                said(
                    "overrun",
                    boot=1,
                    seq=2,
                    source="muted",
                    channel="zone-3",
                    count=900,
                    first_us=100,
                ),
                t_us=50_100,
            ),
            LineKind.BOARD,
            "zone 3 is muted: 900 edges in 50 ms. Check its wire",
        ),
        *(
            (
                replace(
                    said("overrun", boot=1, seq=2, source=source, count=1600, first_us=100),
                    t_us=32_100,
                ),
                LineKind.BOARD,
                "the board tested the hit sensor's pin for 32 ms, because the plug went in: no hit was read meanwhile",
            )
            for source in ("test", "source 2")  # by a companion that did not know it
        ),
        (
            said("overrun", boot=1, seq=2, source="source 99", count=7, first_us=0),
            LineKind.BOARD,
            "the board lost something that this companion does not know (source 99): update it",
        ),
        (
            said("boot", previous=1, boot=2),
            LineKind.BOARD,
            "the board lost power or restarted: what happened until now is unknown",
        ),
        (
            said("clash", clash_with=4),
            LineKind.BOARD,
            "the board contradicts its own entry 4: that one counts, both are kept",
        ),
        (said("note", text="The clocks jumped."), LineKind.BOARD, "The clocks jumped."),
    ],
)
def test_each_kind_of_entry_has_its_sentence_and_its_mark(
    draft: Draft, kind: LineKind, text: str
) -> None:
    line = Log(draft).lines()[-1]
    assert (line.n, line.kind, line.text) == (2, kind, text)


@pytest.mark.parametrize(
    "draft",
    [
        said("event", boot=1, seq=2, channel="q", flags=1, bounces=0, peak=0),
        said("state", boot=1, seq=2, flags=0, levels=0),
        control(Control.READ_AS, entry=1, can_hold=True),
        control(Control.REMARK, entries=[1], why="so", who="ada"),
    ],
)
def test_what_nobody_at_the_table_needs_has_no_line(draft: Draft) -> None:
    assert [line.text for line in Log(draft).lines()] == ["the session starts"]


def test_a_fact_taken_back_keeps_its_sentence_and_is_marked_and_comes_back_with_a_redo() -> None:
    undone = Log(fact(), void(2))
    assert [(line.kind, line.text) for line in undone.lines()[1:]] == [
        (LineKind.VOIDED, "fact 2"),
        (LineKind.RECORD, "undone: fact 2"),
    ]
    redone = Log(fact(), void(2), void(3, REDO))
    assert [(line.kind, line.text) for line in redone.lines()[1:]] == [
        (LineKind.FACT, "fact 2"),
        (LineKind.VOIDED, "the undo of: fact 2"),
        (LineKind.RECORD, "restored: fact 2"),
    ]


def test_a_redo_of_a_correction_says_that_it_takes_the_fact_back_again() -> None:
    lines = Log(fact(), void(2, "mended"), void(3), void(4, REDO)).lines()
    assert [(line.kind, line.text) for line in lines[1:]] == [
        (LineKind.VOIDED, "fact 2"),
        (LineKind.RECORD, "deleted: fact 2 - mended"),
        (LineKind.VOIDED, "the undo of: fact 2"),
        (LineKind.RECORD, "deleted: fact 2"),
    ]


def test_a_correction_is_named_by_what_it_corrected() -> None:
    log = Log(fact(), void(2, "mended"))
    assert log.book.text(3) == "the deletion of: fact 2"


def test_a_fact_that_no_fold_has_met_is_asked_for_once() -> None:
    log = Log(fact(silent=True), void(2))
    assert log.lines()[1].text == "asked for 2"
    assert log.book.text(2) == "asked for 2"
    assert log.asked == [2]


def test_whatever_many_old_facts_are_asked_for_each_is_told_and_the_lines_keep_their_own() -> None:
    log = Log(*[fact(silent=True) for _ in range(TEXTS + KEPT)])
    lines = log.lines()
    assert [log.book.text(n) for n in range(2, TEXTS + 2)] == [
        f"asked for {n}" for n in range(2, TEXTS + 2)
    ]
    asked = len(log.asked)
    assert [log.book.text(line.n) for line in lines] == [line.text for line in lines]
    assert len(log.asked) == asked


def test_a_fact_that_makes_no_sense_any_more_says_why() -> None:
    line = Log(fact()).lines({2: ValueError("PF-5: no round")})[-1]
    assert (line.kind, line.text) == (LineKind.BROKEN, "fact 2 - PF-5: no round")


def test_only_the_newest_lines_are_kept_and_nothing_is_made_twice() -> None:
    log = Log(*(fact() for _ in range(KEPT + 20)))
    lines = log.lines()
    assert len(lines) == KEPT
    assert (lines[0].n, lines[-1].n) == (22, KEPT + 21)
    assert log.lines() is lines


def test_a_refold_mends_the_sentence_once_something_was_added() -> None:
    log = Log(fact())
    log.lines()
    log.book.add(timed([fact(), fact()])[-1])
    log.book.describe(2, "something else")
    log.book.describe(3, "new")
    assert [line.text for line in log.lines()[1:]] == ["something else", "new"]


def test_by_whom_and_why_stand_on_the_line_of_what_was_done() -> None:
    log = Log(
        fact(),
        Draft(Layer.FACT, "mark", {}, after=2),
        control(Control.REMARK, entries=[2, 3], why="seen by all", who="ada"),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 2, "reason": "a joke", "who": "bo"}),
        void(5, REDO),
    )
    assert [line.text for line in log.lines()[1:]] == [
        "fact 2 - ADA - seen by all",
        "added by ADA: fact 3 - seen by all",
        "the deletion of: fact 2",
        "restored: fact 2",
    ]


def test_an_undo_gives_no_reason_and_a_correction_gives_its_own() -> None:
    assert Log(fact(), void(2)).lines()[-1].text == "undone: fact 2"
    assert Log(fact(), void(2, TABLES_WORD)).lines()[-1].text == "deleted: fact 2"
    assert Log(fact(), void(2, "a joke")).lines()[-1].text == "deleted: fact 2 - a joke"


def test_a_gap_is_one_line_and_a_correction_of_what_is_lost_says_so() -> None:
    gap = control(Control.LOST, **{"from": 2, "to": 4, "why": "a test"})
    log = Log(gap, gap, gap, fact())
    assert [line.text for line in log.lines()] == [
        "the session starts",
        "entries 2 to 4 are lost: compare the scores with the table",
        "fact 5",
    ]
