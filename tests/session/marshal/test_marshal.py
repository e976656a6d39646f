"""The view of the marshal screen: every piece of evidence with its effect, every ruling with its
person and reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

import pytest

from companion.journal.entries import Control, Draft, Layer
from companion.journal.fold import void_draft
from companion.journal.journal import Journal
from companion.link.evidence import Evidence
from companion.link.sync import SyncPoint
from companion.rules.gestures import GestureSettings
from companion.session.intake import clash_draft, evidence_draft, hello_draft
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine, marshal_view
from companion.session.projection import SessionProjection
from companion.session.rereading import reread
from companion.session.table import Table
from companion.session.views import Level
from firmware_protocol.messages import ARMED, LATE, PRESSED, Event, State
from tests.journal.folding import undo_drafts
from tests.session.parts import (
    BOOT,
    GAME,
    MS,
    UID,
    Board,
    first_entry,
    hello,
    journal_of,
    setup,
    table_on,
)

NAMES = {channel.id: channel.name for channel in hello().channels}


class Evening:
    """A table in play, and its record as the marshal sees it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.table: Table = table_on(journal)
        self.board = Board()

    def say(self, *evidence: Evidence) -> None:
        self.table.board.store(list(evidence))

    def settle(self, ms: float) -> None:
        self.table.board.on_watermark(BOOT, int(ms * MS))

    @property
    def view(self) -> MarshalView:
        record = SessionProjection(GAME, setup(), tuple(self.journal.entries))
        return marshal_view(record, Lock())

    def texts(self) -> list[str]:
        return [line.text for line in self.view.evidence]

    def ruling(self, kind: str) -> RulingLine:
        return [line for line in self.view.rulings if line.kind == kind][-1]

    def line(self, n: int) -> EvidenceLine:
        return next(line for line in self.view.evidence if line.n == n)


@pytest.fixture
def evening() -> Iterator[Evening]:
    with journal_of([first_entry()]) as journal:
        evening = Evening(journal)
        evening.table.board.on_identified(hello(), BOOT)
        evening.say(evening.board.armed())
        evening.table.do("panic-fire.fire")
        yield evening


def kinds(rulings: Sequence[RulingLine]) -> list[str]:
    return [line.kind for line in rulings]


def test_each_kind_of_edge_says_what_it_is(evening: Evening) -> None:
    board = evening.board
    bounced = Evidence(UID, BOOT, 2, Event(0, 0, 180 * MS, 3, 0), read_ns=0)
    late = Evidence(UID, BOOT, 3, Event(2, PRESSED | LATE, 190 * MS, 0, 0), read_ns=0)
    board.seq = 3
    evening.say(
        board.press("trigger", 100 * MS),
        bounced,
        late,
        board.release("zone-1", 190 * MS + 200, glitch=True),
    )
    wide = Evidence(UID, BOOT, 6, Event(1, PRESSED, 300 * MS, 840, 612), read_ns=0)
    board.seq = 6
    evening.say(
        wide,
        board.hit(310 * MS, 120, masked=True),
        board.hit(400 * MS, 90, weak=True),
        board.hit(500 * MS, 0),
    )
    assert evening.texts()[2:] == [
        "trigger pressed",
        "trigger released, 3 bounces",
        "zone-1 pressed, late",
        "zone-1 released, glitch",
        "hit, peak 612, 840 us wide",
        "hit, peak 120, echo of the hit before",
        "hit, peak 90, below threshold",
        "hit, no peak read",
    ]


def test_what_the_board_says_of_itself_is_on_the_time_line_too(evening: Evening) -> None:
    board = evening.board
    evening.say(Evidence(UID, BOOT, 2, State(ARMED, 0b10001, 50 * MS), read_ns=0))
    board.seq = 2
    evening.say(board.press("zone-1", 60 * MS), board.gap(7, 90 * MS))
    draft = evidence_draft(
        Evidence(UID, BOOT, 3, Event(3, PRESSED, 61 * MS, 0, 0), read_ns=0), NAMES
    )
    standing = next(entry for entry in evening.journal.entries if entry.key == draft.key)
    clash = clash_draft(draft, standing)
    assert clash is not None
    evening.journal.append(clash)
    evening.table.board.on_note("noise on the line")
    evening.table.board.on_sync(SyncPoint(BOOT, 1, 0, 95 * MS, 1_000_000, 2_500_000, 900))
    evening.table.board.on_identified(hello(), BOOT + 1)
    assert evening.texts() == [
        "bench (0b0a4d), firmware 1.0, started by power on",
        "armed, nothing pressed",
        "armed, pressed: trigger, zone-3",
        "zone-1 pressed",
        f"clash: contradicts entry {standing.n}, which counts: zone-2 pressed",
        "the board's memory was full: it could not keep 7 events",
        "noise on the line",
        "the clocks are matched, give or take 0.8 ms",
        "the board lost power or restarted: what happened until now is unknown",
        "bench (0b0a4d), firmware 1.0, started by power on",
    ]


def test_evidence_is_in_the_order_of_its_stamps_not_of_its_arrival(evening: Evening) -> None:
    board = evening.board
    evening.say(board.press("zone-1", 120 * MS), board.hit(115 * MS))
    assert evening.texts()[2:] == ["hit, peak 900", "zone-1 pressed"]


def test_a_moment_is_on_the_clock_of_its_boot_and_as_good_as_its_stamps(evening: Evening) -> None:
    evening.say(evening.board.press("zone-1", 120 * MS))
    at = evening.view.evidence[-1].at
    assert at is not None
    assert (at.us, at.pm, at.clock) == (120 * MS, 100, "board-0051")


def test_each_piece_of_evidence_names_what_rests_on_it(evening: Evening) -> None:
    board = evening.board
    evening.say(
        board.press("trigger", 100 * MS), board.hit(104 * MS), board.hit(110 * MS, masked=True)
    )
    evening.say(board.press("zone-3", 500 * MS))
    evening.settle(400)
    pull, hit, echo, press = evening.view.evidence[-4:]
    shot = evening.ruling("shot")
    assert pull.read_in == hit.read_in == (shot.n,)
    assert echo.read_in == press.read_in == ()
    assert shot.causes == (pull.n, hit.n)


def test_what_was_taken_back_without_a_reason_has_none(evening: Evening) -> None:
    evening.table.take_back(evening.ruling("fire").n)
    fire = evening.ruling("fire")
    assert (fire.stands, fire.why) == (False, "")


def test_what_was_not_counted_stands_where_it_was_said_with_its_reason(evening: Evening) -> None:
    board = evening.board
    evening.say(
        board.press("zone-2", 100 * MS), board.release("zone-2", 100 * MS + 200, glitch=True)
    )
    evening.settle(200)
    evening.say(board.press("zone-1", 300 * MS))
    evening.settle(400)
    rulings = evening.view.rulings
    assert kinds(rulings) == ["fire", "ignored", "draw"]
    assert "glitch" in rulings[1].text
    assert rulings[1].at is not None
    assert rulings[1].at.us == 100 * MS
    assert evening.line(rulings[1].causes[0]).read_in == (rulings[1].n,)


def test_a_fact_that_was_taken_back_says_who_did_it_and_why(evening: Evening) -> None:
    evening.table.do("panic-fire.draw.2")
    draw = evening.ruling("draw")
    assert (draw.stands, draw.who, draw.why) == (True, "", "")
    entry = evening.journal.entries[draw.n - 1]
    evening.journal.append(void_draft(entry.n, "she only pointed", "blue"))
    draw = evening.ruling("draw")
    assert (draw.stands, draw.who, draw.why) == (False, "blue", "she only pointed")


def test_a_fact_that_was_taken_back_without_a_reason_has_none(evening: Evening) -> None:
    evening.table.do("panic-fire.draw.2")
    evening.table.take_back(evening.ruling("draw").n)
    assert (evening.ruling("draw").stands, evening.ruling("draw").why) == (False, "")


def test_a_fact_that_was_undone_says_so_until_it_is_brought_back(evening: Evening) -> None:
    evening.table.do("panic-fire.draw.2")
    evening.table.do("table.undo")
    assert (evening.ruling("draw").stands, evening.ruling("draw").why) == (False, "undo")
    evening.table.do("table.redo")
    assert (evening.ruling("draw").stands, evening.ruling("draw").why) == (True, "")


def test_a_fact_put_in_by_hand_says_who_put_it_in_and_why(evening: Evening) -> None:
    added = evening.journal.append(
        Draft(Layer.FACT, "draw", {"seat": "red"}, "keyboard", after=2)
    ).entries[0]
    remark = {"entries": [added.n], "why": "nobody saw it", "who": "green"}
    evening.journal.append(Draft(Layer.CONTROL, Control.REMARK, remark))
    first, fire = evening.view.rulings
    assert (first.n, first.who, first.why, first.original) == (
        added.n,
        "green",
        "nobody saw it",
        None,
    )
    assert first.problem is not None
    assert first.problem.startswith("PF-5: ")
    assert fire.kind == "fire"
    assert fire.problem is None


def test_an_amended_fact_names_the_one_it_stands_in_for(evening: Evening) -> None:
    evening.table.do("panic-fire.draw.2")
    original = evening.ruling("draw")
    evening.table.amend(original.n, {"seat": "green"}, why="wrong hand", who="red")
    fallen, successor = evening.view.rulings[-2:]
    assert (fallen.n, fallen.stands, fallen.who, fallen.why) == (
        original.n,
        False,
        "red",
        "wrong hand",
    )
    assert (successor.original, successor.stands, successor.body["seat"]) == (
        original.n,
        True,
        "green",
    )
    assert (successor.who, successor.why, successor.at) == ("red", "wrong hand", original.at)


def test_a_fact_found_by_a_rereading_is_no_amendment(evening: Evening) -> None:
    evening.say(evening.board.press("trigger", 100 * MS), evening.board.hit(140 * MS))
    evening.settle(500)
    other = reread(GAME, setup(), evening.journal.entries, GestureSettings(window_us=45 * MS))
    evening.journal.append(*other.drafts)
    shot, dry = evening.ruling("shot"), evening.ruling("dry_pull")
    assert (shot.stands, shot.original) == (True, None)
    assert (dry.stands, dry.why) == (
        False,
        "re-read: hold 600 ms, window 45 ms, the board's threshold",
    )
    evening.journal.append(*undo_drafts(evening.journal.entries))
    assert (evening.ruling("shot").stands, evening.ruling("dry_pull").stands) == (False, True)


def test_the_settings_and_the_levels_are_those_in_force(evening: Evening) -> None:
    evening.table.set_level("draws", "manual")
    assert evening.view.levels["draws"] is Level.MANUAL
    assert evening.view.settings == GestureSettings()


def test_a_moment_that_makes_no_sense_is_no_moment() -> None:
    with journal_of([first_entry()]) as journal:
        journal.append(
            hello_draft(hello(), BOOT),
            Draft(Layer.FACT, "draw", {"seat": "red", "at": {"us": "soon"}}),
        )
        record = SessionProjection(GAME, setup(), tuple(journal.entries))
        (line,) = marshal_view(record, Lock()).rulings
        assert line.at is None
        assert line.problem is not None
