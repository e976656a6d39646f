"""Reading the evidence again with other settings: what changes, what stays, and that it can be
undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from companion.journal.entries import Control
from companion.journal.fold import void_draft
from companion.journal.journal import Journal
from companion.link.evidence import Evidence
from companion.rules.gestures import GestureSettings
from companion.session.rereading import Change, Rereading
from companion.session.table import Table
from tests.journal.folding import effective, undo_drafts
from tests.session.marshal.parts import USUAL, read, with_drafts
from tests.session.parts import (
    BOOT,
    MS,
    Board,
    first_entry,
    hello,
    journal_of,
    settle,
    table_on,
)


@dataclass
class Evening:
    """A table in play with a board; times are milliseconds after the arming."""

    journal: Journal
    table: Table
    board: Board

    def say(self, *evidence: Evidence) -> None:
        self.table.board.store(list(evidence))

    def until(self, ms: float) -> None:
        self.table.board.on_watermark(BOOT, int(ms * MS))

    def key(self, name: str) -> int:
        """Press a key; return the number of the entry it makes."""
        self.table.do(f"panic-fire.{name}")
        return len(self.journal.entries)

    def pull(self, ms: float) -> None:
        self.say(
            self.board.press("trigger", int(ms * MS)),
            self.board.release("trigger", int((ms + 80) * MS)),
        )

    def hit(self, ms: float, peak: int = 900, *, weak: bool = False) -> None:
        self.say(self.board.hit(int(ms * MS), peak, weak=weak))

    def press(self, channel: str, ms: float, for_ms: float) -> None:
        self.say(
            self.board.press(channel, int(ms * MS)),
            self.board.release(channel, int((ms + for_ms) * MS)),
        )

    def read(self, settings: GestureSettings = USUAL) -> Rereading:
        return read(self.journal.entries, settings)

    def accept(self, settings: GestureSettings) -> None:
        self.journal.append(*self.read(settings).drafts)

    @property
    def kinds(self) -> list[str]:
        return [fact.kind for fact in effective(self.journal.entries)]


@pytest.fixture
def evening() -> Iterator[Evening]:
    """Return a round that began with `fire!` from the keyboard."""
    board = Board()
    with journal_of([first_entry()]) as journal:
        evening = Evening(journal, table_on(journal), board)
        evening.table.board.on_identified(hello(), BOOT)
        evening.say(board.armed())
        evening.key("fire")
        yield evening


def summarized(changes: Sequence[Change]) -> list[tuple[str, str]]:
    return [(change.sign, change.text) for change in changes]


def test_a_wider_window_turns_a_dry_pull_and_a_knock_into_a_shot(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    wider = evening.read(GestureSettings(window_us=45 * MS))
    assert summarized(wider.changes) == [
        ("lost", "dry pull: no hit within 30 ms"),
        ("found", "the gun fired, hit +40.0 ms after the trigger"),
        ("lost", "knock: no trigger pull within 30 ms"),
    ]
    assert [draft.body["reason"] for draft in wider.drafts[:2]] == [
        "re-read: hold 600 ms, window 45 ms, the board's threshold"
    ] * 2
    evening.accept(GestureSettings(window_us=45 * MS))
    assert evening.kinds == ["fire", "shot"]


def test_a_name_that_was_refused_for_want_of_a_shot_is_found_with_it(evening: Evening) -> None:
    """A hold counts only where it means something; the draw it was taken for is lost."""
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.press("zone-2", 600, 700)
    evening.until(2_000)
    assert evening.kinds == ["fire", "dry_pull", "knock", "draw"]
    evening.accept(GestureSettings(window_us=45 * MS))
    assert evening.kinds == ["fire", "shot", "target"]


def test_a_shot_found_before_others_takes_the_names_given_later_and_what_breaks_is_shown(
    evening: Evening,
) -> None:
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.pull(600)
    evening.hit(604)
    evening.until(1_000)
    evening.key("name.1")
    evening.key("name.2")
    evening.key("hand")
    wider = evening.read(GestureSettings(window_us=45 * MS))
    assert wider.broken == {}
    assert wider.before == wider.after
    evening.accept(GestureSettings(window_us=45 * MS))
    assert evening.kinds == ["fire", "shot", "shot", "target", "shooter", "shield_hand"]


def test_a_promoted_dry_pull_that_is_read_as_a_shot_leaves_the_promotion_without_its_pull(
    evening: Evening,
) -> None:
    evening.hit(140)
    evening.pull(180)
    evening.until(500)
    promoted = evening.key("promote")
    wider = evening.read(GestureSettings(window_us=45 * MS))
    assert list(wider.broken) == [promoted]
    assert wider.broken[promoted].startswith("PF-R3: ")


def test_a_lower_threshold_turns_a_weak_candidate_into_a_shot(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(104, 212, weak=True)
    evening.until(500)
    lower = evening.read(GestureSettings(min_peak=200))
    assert summarized(lower.changes) == [
        ("lost", "dry pull: the hit at +4.0 ms had peak 212, below threshold"),
        ("found", "the gun fired, hit +4.0 ms after the trigger"),
    ]


def test_a_higher_threshold_turns_a_shot_into_a_dry_pull_and_breaks_who_was_named(
    evening: Evening,
) -> None:
    evening.pull(100)
    evening.hit(104, 600)
    evening.until(500)
    target, shooter = evening.key("name.1"), evening.key("name.2")
    higher = evening.read(GestureSettings(min_peak=601))
    assert summarized(higher.changes) == [
        ("lost", "the gun fired, hit +4.0 ms after the trigger"),
        ("found", "dry pull: the hit at +4.0 ms had peak 600, below threshold 601"),
    ]
    assert set(higher.broken) == {target, shooter}
    assert higher.broken[target] == "PF-10: no shot needs a name; expected a shot first"


def test_a_longer_hold_time_turns_a_name_into_a_draw(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(104)
    evening.until(500)
    evening.press("zone-1", 600, 700)
    evening.until(2_000)
    assert evening.kinds == ["fire", "shot", "target"]
    longer = evening.read(GestureSettings(hold_us=900 * MS))
    assert summarized(longer.changes) == [("lost", "red was shot at"), ("found", "red draws")]
    evening.accept(GestureSettings(hold_us=900 * MS))
    assert evening.kinds == ["fire", "shot", "draw"]


def test_a_shorter_hold_time_finds_a_hold_before_what_was_done_while_it_lasted(
    evening: Evening,
) -> None:
    evening.pull(100)
    evening.hit(104)
    evening.until(500)
    evening.say(evening.board.press("zone-1", 600 * MS))
    evening.say(
        evening.board.press("zone-2", 950 * MS), evening.board.release("zone-2", 1_000 * MS)
    )
    evening.until(1_020)
    evening.say(evening.board.release("zone-1", 1_100 * MS))
    evening.until(2_000)
    assert evening.kinds == ["fire", "shot", "draw", "draw"]
    evening.accept(GestureSettings(hold_us=300 * MS))
    assert evening.kinds == ["fire", "shot", "target", "draw"]


def test_a_finger_that_is_down_and_a_window_that_is_open_are_left_to_the_table(
    evening: Evening,
) -> None:
    evening.pull(100)
    evening.until(131)
    evening.hit(140)
    evening.say(evening.board.press("zone-1", 145 * MS))
    evening.until(150)
    assert evening.kinds == ["fire", "dry_pull", "draw"]
    assert evening.read(GestureSettings(window_us=100 * MS, hold_us=200 * MS)).changes == ()
    evening.until(500)
    assert evening.kinds == ["fire", "dry_pull", "draw", "knock"]
    wider = evening.read(GestureSettings(window_us=100 * MS))
    # and the draw stays for now
    assert [change.sign for change in wider.changes] == ["lost", "found", "lost"]
    evening.say(evening.board.release("zone-1", 800 * MS))
    wider = evening.read(GestureSettings(window_us=100 * MS))
    assert summarized(wider.changes)[-2:] == [("lost", "red draws"), ("found", "red was shot at")]


def test_a_shot_that_people_took_back_stays_taken_back_when_it_is_found_again(
    evening: Evening,
) -> None:
    wide = GestureSettings(window_us=45 * MS)
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.accept(wide)
    entries = list(evening.journal.entries)
    shot = effective(entries)[-1]
    entries = with_drafts(entries, [void_draft(shot.n, "nobody fired")])
    entries = with_drafts(entries, read(entries, USUAL).drafts)
    assert [fact.kind for fact in effective(entries)] == ["fire", "dry_pull", "knock"]
    again = read(entries, wide)
    assert (
        "kept",
        "stays deleted: the gun fired, hit +40.0 ms after the trigger",
    ) in summarized(again.changes)
    assert [fact.kind for fact in effective(with_drafts(entries, again.drafts))] == ["fire"]


def test_what_people_brought_back_against_a_rereading_is_theirs(evening: Evening) -> None:
    wide = GestureSettings(window_us=45 * MS)
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.accept(wide)
    entries = list(evening.journal.entries)
    void = next(entry for entry in entries if entry.kind == Control.VOID)
    entries = with_drafts(entries, [void_draft(void.n, "I only pulled")])
    assert read(entries, wide).drafts == ()
    assert [fact.kind for fact in effective(entries)] == ["fire", "shot", "dry_pull"]


def test_evidence_of_an_amended_fact_is_read_as_nothing_else(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(104)
    evening.until(500)
    evening.press("zone-1", 600, 700)
    evening.until(2_000)
    target = effective(evening.journal.entries)[-1]
    evening.table.amend(target.n, {"seat": "blue"})
    longer = evening.read(GestureSettings(hold_us=900 * MS))
    assert (longer.drafts, longer.changes) == ((), ())


@pytest.mark.parametrize("level", ["manual", "proposed"])
def test_evidence_of_steps_done_by_hand_or_dropped_stays_uncounted(
    evening: Evening, level: str
) -> None:
    evening.table.set_level("shots", level)
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.table.do("table.dismiss")
    evening.table.do("table.dismiss")
    evening.table.set_level("shots", "automatic")
    assert evening.kinds == ["fire"]
    assert evening.read(GestureSettings(window_us=45 * MS)).changes == ()


def test_a_proposal_that_was_accepted_late_keeps_its_place(evening: Evening) -> None:
    evening.table.set_level("shots", "proposed")
    evening.pull(100)
    evening.hit(104)
    evening.until(500)
    evening.press("zone-1", 600, 700)
    evening.until(1_500)
    evening.table.do("table.accept")
    assert evening.kinds == ["fire", "draw", "shot"]
    assert evening.read().changes == ()


def test_the_evidence_of_a_boot_that_ended_is_read_again_on_its_own(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.say(evening.board.press("zone-1", 600 * MS))
    evening.table.board.on_identified(hello(), BOOT + 1)
    other = Board(BOOT + 1)
    evening.say(other.press("trigger", 100 * MS), other.hit(140 * MS))
    settle(evening.table, boot_id=BOOT + 1)
    assert evening.read().changes == ()
    wider = evening.read(GestureSettings(window_us=45 * MS))
    assert [change.sign for change in wider.changes].count("found") == 2
    evening.accept(GestureSettings(window_us=45 * MS))
    assert evening.kinds == ["fire", "shot", "shot"]


def test_the_drafts_are_one_step_that_undo_takes_back(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.accept(GestureSettings(window_us=45 * MS))
    evening.journal.append(*undo_drafts(evening.journal.entries))
    assert evening.kinds == ["fire", "dry_pull", "knock"]


def test_a_tap_that_now_waits_for_its_release_is_the_same_draw(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    evening.press("zone-2", 600, 100)
    evening.until(2_000)
    wider = evening.read(GestureSettings(window_us=45 * MS))
    assert len(wider.changes) == 3
    evening.accept(GestureSettings(window_us=45 * MS))
    assert evening.kinds == ["fire", "shot", "draw"]
    assert evening.read(GestureSettings(window_us=45 * MS)).changes == ()


def test_a_table_accepts_a_rereading_although_play_went_on(evening: Evening) -> None:
    evening.pull(100)
    evening.hit(140)
    evening.until(500)
    wider = evening.table.inspection.reread(GestureSettings(window_us=45 * MS))
    evening.pull(1_000)
    evening.hit(1_040)
    evening.until(2_000)
    evening.table.accept(wider, why="a slow sensor", who="blue")
    assert evening.kinds == ["fire", "shot", "shot"]
    evening.pull(3_000)
    evening.hit(3_040)
    evening.until(4_000)
    assert evening.kinds == ["fire", "shot", "shot", "shot"]
    assert evening.table.inspection.reread(GestureSettings(window_us=45 * MS)).changes == ()
