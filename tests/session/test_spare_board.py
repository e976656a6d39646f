"""Two boards in one record: the question, the epoch of each, and that nothing is compared or paired
across them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from companion.journal.entries import Entry, Layer, draft_of
from companion.journal.journal import Journal
from companion.link.events import Replaced
from companion.link.evidence import Evidence, LastEvidence
from companion.link.status import LinkState, LinkStatus, OtherBoard
from companion.reports.evidence import evidence_of
from companion.session.consent import Asked
from companion.session.corrections import Correction
from companion.session.intake import BEFORE_TAKING_OVER, REPLACED, Marks
from companion.session.key_meanings import AGREE, DISAGREE
from companion.session.marshal_view import marshal_view
from companion.session.table import Table
from tests.feed.feeding import told
from tests.session.marshal.parts import USUAL, read
from tests.session.parts import (
    BOOT,
    MS,
    UID,
    Board,
    MemoryJournal,
    facts,
    fire,
    first_entry,
    hello,
    journal_of,
    of_kind,
    reasons,
    settle,
    table_on,
    tap,
    texts,
)
from tests.thorough import examples

SPARE = 0x5BA2E
EPOCH = 0x10000 + BOOT  # it drew the boot id of the board before
OTHER = OtherBoard(SPARE, "/dev/spare", UID)
GONE = LinkStatus(LinkState.LOST, "It is lost.", "/dev/board")


class Spare(Board):
    """Numbers the messages of the other board."""

    def _numbered(self, message: object) -> Evidence:
        return replace(super()._numbered(message), uid=SPARE)  # type: ignore[arg-type]


@pytest.fixture
def journal() -> Iterator[Journal]:
    with journal_of([first_entry()]) as opened:
        yield opened


@pytest.fixture
def table(journal: Journal) -> Table:
    return table_on(journal)


@pytest.fixture
def board(table: Table) -> Board:
    """Return the session's board, armed, in a round that has begun."""
    board = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed()])
    fire(table)
    return board


def take_over(
    table: Table, spare: Board, *early: Evidence, away: tuple[int, int] | None = (4_000_000, 80_000)
) -> None:
    """Have the other board take over, which first sends what it stamped before."""
    away_us, pm_us = (None, None) if away is None else away
    greeting = hello(next_seq=len(early) + 1, uid=SPARE)
    table.board.on_identified(greeting, spare.boot_id, Replaced(UID, BOOT, 1, away_us, pm_us))
    table.board.store([*early, spare.armed(1_000 * MS)])


def found(table: Table, *others: OtherBoard) -> None:
    """Report to the table that these boards were found, and not the session's."""
    table.board.on_status(replace(GONE, state=LinkState.REFUSED, others=others))


# -- the question


def test_another_board_is_asked_about_once_and_the_answer_is_in_the_record(
    table: Table, journal: Journal
) -> None:
    found(table, OTHER)
    assert table.view().question == (
        "Continue with this board? Presses still on the old one are lost. "
        "It is board 05ba2e at /dev/spare, not board 0b0a4d."
    )
    table.do(AGREE.id)
    assert table.view().question is None
    found(table, replace(OTHER, port="/dev/other"))
    assert table.view().question is None
    (answer,) = of_kind(journal, "note")
    assert answer.body["agreed"]
    assert (
        answer.body["text"]
        == "the table agreed to continue with board 05ba2e: presses still on board 0b0a4d are lost"
    )


def test_after_a_no_it_is_asked_about_again_only_when_it_is_plugged_in_anew(
    table: Table, journal: Journal
) -> None:
    found(table, OTHER)
    table.do(DISAGREE.id)
    found(table, OTHER)
    assert table.view().question is None
    found(table)
    found(table, OTHER)
    assert table.view().question is not None
    assert [entry.body["agreed"] for entry in of_kind(journal, "note")] == [False]


def test_the_question_goes_when_the_board_goes_and_the_next_one_is_asked_about(
    table: Table,
) -> None:
    second = replace(OTHER, uid=0xF00D)
    found(table, OTHER, second)
    found(table, second)
    question = table.view().question
    assert question is not None
    assert "00f00d" in question
    found(table)
    assert table.view().question is None


def test_of_two_spares_each_is_asked_about_until_one_gets_a_yes(
    table: Table, journal: Journal
) -> None:
    second, third = replace(OTHER, uid=0xF00D), replace(OTHER, uid=0xF00E)
    found(table, OTHER, second, third)
    table.do(DISAGREE.id)
    question = table.view().question
    assert question is not None
    assert "00f00d" in question
    table.do(AGREE.id)
    table.board.on_status(replace(GONE, state=LinkState.IDENTIFYING, others=(OTHER, second, third)))
    assert table.view().question is None
    assert [entry.body["agreed"] for entry in of_kind(journal, "note")] == [False, True]
    found(table, OTHER, third)  # the second one went before it could take over
    question = table.view().question
    assert question is not None
    assert "00f00e" in question


def test_a_key_that_was_pressed_as_the_question_came_answers_nothing(journal: Journal) -> None:
    now_us = [0]
    table = Table(
        table_on(journal).game, journal, table_on(journal).view().setup, host_us=lambda: now_us[0]
    )
    found(table, OTHER)
    table.do(AGREE.id)
    assert table.view().question is not None
    now_us[0] = 1_000_000
    table.do(AGREE.id)
    assert table.view().question is None


def test_what_the_people_began_themselves_is_answered_first(table: Table, journal: Journal) -> None:
    table._consent.asked = Asked(
        "Take it back?", lambda: Correction((), ""), {1: "a card"}, None, may_change_end=False
    )
    found(table, OTHER)
    assert table.view().question == "Take it back?"
    table.do(DISAGREE.id)
    assert of_kind(journal, "note") == []
    question = table.view().question
    assert question is not None
    assert question.startswith("Continue with this board?")


# -- the epoch


def test_gestures_times_and_pairs_never_go_across_two_boards(
    table: Table, journal: Journal, board: Board
) -> None:
    table.board.store([board.press("trigger", 500 * MS), board.press("zone-1", 510 * MS)])
    spare = Spare(EPOCH)
    take_over(table, spare)
    table.board.store([spare.release("zone-1", 515 * MS), *tap(spare, "zone-2", 2_000 * MS)])
    table.board.store([spare.hit(2_500 * MS)])
    settle(table, boot_id=EPOCH)
    assert reasons(journal) == [f"trigger: {REPLACED}", f"zone-1: {REPLACED}"]
    assert [fact.kind for fact in facts(journal)] == ["fire", "draw", "knock"]
    assert {fact.body["at"]["clock"] for fact in facts(journal)[1:]} == {"board-10051"}


@pytest.mark.usefixtures("board")
def test_what_a_spare_stamped_before_it_took_over_is_kept_and_never_counts(
    table: Table, journal: Journal
) -> None:
    spare = Spare(EPOCH)
    take_over(table, spare, *tap(spare, "zone-1", 10 * MS))
    settle(table, boot_id=EPOCH)
    assert reasons(journal) == [f"zone-1: {BEFORE_TAKING_OVER}"]
    assert [fact.kind for fact in facts(journal)] == ["fire"]


@pytest.mark.usefixtures("board")
def test_a_spare_that_dies_before_it_was_armed_leaves_nothing_unsaid(
    table: Table, journal: Journal
) -> None:
    spare = Spare(EPOCH)
    table.board.on_identified(
        hello(next_seq=3, uid=SPARE), EPOCH, Replaced(UID, BOOT, 1, None, None)
    )
    table.board.store(tap(spare, "zone-1", 10 * MS))
    assert reasons(journal) == []
    table.board.on_identified(hello(uid=SPARE), EPOCH + 1)
    assert reasons(journal) == [f"zone-1: {BEFORE_TAKING_OVER}"]


def test_what_the_old_board_says_after_it_was_replaced_is_kept_and_named(
    table: Table, journal: Journal, board: Board
) -> None:
    late = board.press("zone-1", 700 * MS)
    take_over(table, Spare(EPOCH))
    table.board.store([late])
    assert reasons(journal) == [f"zone-1: {REPLACED}"]


def test_the_record_says_for_how_long_no_board_was_there_and_how_sure_that_is(
    table: Table, board: Board
) -> None:
    assert board.seq == 1
    take_over(table, Spare(EPOCH))
    text = "board 05ba2e takes the place of board 0b0a4d: what happened in the 4.000 s ±80.0 ms between them is unknown"
    assert text in texts(table.view())
    lines = [
        line.text for line in table.look(lambda record: marshal_view(record, table._lock)).evidence
    ]
    assert text in lines
    unknown = evidence_of(table.look(lambda record: tuple(record.entries))).unknown
    assert [interval.why for interval in unknown] == ["another board took over"]


@pytest.mark.usefixtures("board")
def test_where_nobody_knows_for_how_long_that_is_said(table: Table) -> None:
    take_over(table, Spare(EPOCH), away=None)
    assert any(text.endswith("unknown, and so is for how long") for text in texts(table.view()))


def test_durations_and_ties_across_the_change_are_unknown(table: Table, journal: Journal) -> None:
    board, spare = Board(), Spare(EPOCH)
    table.board.on_identified(hello(), BOOT)
    table.board.store(
        [board.armed(), board.press("zone-3", 100 * MS), board.release("zone-3", 800 * MS)]
    )
    table.board.store(
        [
            *tap(board, "zone-1", 3_000 * MS),
            board.press("trigger", 5_000 * MS),
            board.hit(5_004 * MS),
        ]
    )
    settle(table, 6_000 * MS)
    first_shot = table.view().game.first_shot
    take_over(table, spare)
    # The same counts of microseconds: by one clock they would be a tie with what the old board stamped.
    table.board.store(
        [
            spare.press("trigger", 5_000 * MS),
            spare.hit(5_004 * MS),
            *tap(spare, "zone-1", 90_000 * MS),
        ]
    )
    settle(table, 91_000 * MS, EPOCH)
    game = table.view().game
    assert [fact.kind for fact in facts(journal)] == ["fire", "draw", "shot", "shot", "draw"]
    assert [shot.tie for shot in game.open_shots] == [False, False]
    assert game.first_shot == first_shot
    assert first_shot.us == 5_000 * MS - 100 * MS
    assert game.longest_calm.us == 90_000 * MS - 5_000 * MS  # both stamps are the spare's
    assert len(evidence_of(list(journal.entries)).boards) == 2
    assert told(list(journal.entries))


# -- a record with two boards, read again


def test_a_resumed_session_knows_its_boards_and_which_one_it_has(
    table: Table, journal: Journal, board: Board
) -> None:
    table.board.store(tap(board, "zone-1", 500 * MS))
    take_over(table, Spare(EPOCH))
    marks = Marks(journal.entries)
    assert marks.last == LastEvidence(SPARE, EPOCH, 1, earlier=(BOOT,), left={UID: (BOOT, 3)})
    assert marks.boards == {UID, SPARE}


@pytest.mark.usefixtures("board")
def test_a_crash_right_after_a_board_took_over_asks_about_nothing_again(
    table: Table, journal: Journal
) -> None:
    greeting = hello(uid=SPARE)
    table.board.on_identified(greeting, EPOCH, Replaced(UID, BOOT, 1, None, None))
    last = Marks(journal.entries).last
    assert last is not None
    assert (last.uid, last.boot_id, last.seq) == (SPARE, EPOCH, 0)


@st.composite
def evenings(draw: st.DrawFn) -> list[tuple[bool, list[Evidence]]]:
    """Draw batches of two boards in turn; True for a batch with which one takes over."""
    batches: list[tuple[bool, list[Evidence]]] = []
    boards: Sequence[Board] = (Board(), Spare(EPOCH))
    for board in boards:
        from_ms = 0 if not batches else 1_000
        batches.append((bool(batches), []))
        at_ms = from_ms + 1
        for _ in range(draw(st.integers(0, 6))):
            at_ms += draw(st.sampled_from((20, 140, 400)))
            action = draw(st.sampled_from(("tap", "hold", "shot", "open")))
            if action == "shot":
                batches.append(
                    (False, [board.press("trigger", at_ms * MS), board.hit((at_ms + 4) * MS)])
                )
                batches.append((False, [board.release("trigger", (at_ms + 80) * MS)]))
            else:
                channel = draw(st.sampled_from(("zone-1", "zone-2")))
                batches.append((False, [board.press(channel, at_ms * MS)]))
                down_ms = {"tap": 90, "hold": 700}.get(action)
                if down_ms is not None:
                    at_ms += down_ms
                    batches.append((False, [board.release(channel, at_ms * MS)]))
            at_ms += 100
    return batches


def lived(journal: Journal, evening: list[tuple[bool, list[Evidence]]]) -> Table:
    table = table_on(journal)
    table.board.on_identified(hello(), BOOT)
    first, spare = Board(), Spare(EPOCH)
    first.seq = spare.seq = 1_000  # of what only the test says
    table.board.store([first.armed(0)])
    fire(table)
    for takes_over, evidence in evening:
        if takes_over:
            greeting = hello(uid=SPARE)
            table.board.on_identified(greeting, EPOCH, Replaced(UID, BOOT, 1, 5_000_000, 1_000))
            table.board.store([spare.armed(1_000 * MS)])
        if evidence:
            table.board.store(evidence)
            table.board.on_watermark(evidence[-1].boot_id, evidence[-1].message.t_us)  # type: ignore[union-attr]
    settle(table, boot_id=EPOCH)
    return table


def rests_on_one_board(entries: Sequence[Entry], fact: Entry) -> bool:
    return (
        len({entries[n - 1].body["boot"] for n in fact.causes if "boot" in entries[n - 1].body})
        <= 1
    )


@settings(max_examples=examples(60, 600))
@given(evenings())
def test_every_press_of_either_board_is_in_one_fact_or_one_reason_and_reading_again_changes_nothing(
    evening: list[tuple[bool, list[Evidence]]],
) -> None:
    with journal_of([first_entry()], MemoryJournal) as journal:
        table = lived(journal, evening)
        while table.view().proposal is not None:
            table.do("table.dismiss")
        entries = list(journal.entries)
    read_by = [
        cause for entry in entries if entry.layer is not Layer.EVIDENCE for cause in entry.causes
    ]
    of_events = [cause for cause in read_by if entries[cause - 1].kind == "event"]
    assert len(of_events) == len(set(of_events))
    for entry in entries:
        if entry.kind == "event" and entry.body["flags"] & 1:
            assert entry.n in of_events, entry
        assert rests_on_one_board(entries, entry)
    assert read(entries, USUAL).changes == ()


def rulings(journal: Journal) -> list[tuple[str, tuple[int, ...]]]:
    return [
        (entry.kind, entry.causes) for entry in journal.entries if entry.layer is not Layer.EVIDENCE
    ]


@settings(max_examples=examples(20, 200))
@given(evenings(), st.data())
def test_a_companion_that_is_killed_behind_any_evidence_comes_to_the_same(
    evening: list[tuple[bool, list[Evidence]]], data: st.DataObject
) -> None:
    with journal_of([first_entry()], MemoryJournal) as journal:
        lived(journal, evening)
        whole, ruled = list(journal.entries), rulings(journal)
    begun = next(entry.n for entry in whole if entry.kind == "fire")
    cut = data.draw(st.sampled_from([entry.n for entry in whole if entry.n >= begun]))
    remaining = [entry for entry in whole if entry.n <= cut or entry.layer is Layer.EVIDENCE]
    with journal_of(whole[:cut], MemoryJournal) as journal:
        again = table_on(journal)
        stamped = [
            entry
            for entry in whole[:cut]
            if entry.layer is Layer.EVIDENCE and entry.t_us is not None
        ]
        # the board is still there
        again.board.on_watermark(stamped[-1].body["boot"], stamped[-1].t_us or 0)
        for entry in remaining[cut:]:
            again._interpreter.take_in(draft_of(entry))
            again.board.on_watermark(entry.body["boot"], entry.t_us or 0)
        settle(again, boot_id=EPOCH)
        numbers = {entry.key: entry.n for entry in journal.entries}
        as_lived = [
            (kind, tuple(numbers[whole[n - 1].key] for n in causes)) for kind, causes in ruled
        ]
        assert [ruling for ruling in rulings(journal) if ruling[1]] == [
            ruling for ruling in as_lived if ruling[1]
        ]
