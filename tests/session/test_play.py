"""Keys at a table, its view, and what happens if the disk or the session is gone."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.panic_fire.rules.facts import Draw
from companion.journal.entries import Control, Draft, Layer
from companion.journal.errors import NotSaved
from companion.journal.fold import void_draft
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.link.evidence import NotDurable
from companion.link.status import Counters, LinkState, LinkStatus, Minute
from companion.rules.header import header
from companion.session.notices import KEPT
from companion.session.table import Table
from companion.session.views import LineKind
from tests.session.parts import (
    BOOT,
    DEADLINE_S,
    MS,
    WALL,
    Board,
    facts,
    fire,
    hello,
    of_kind,
    resumed,
    settle,
    setup,
    table_on,
    tap,
    texts,
)

# -- the keyboard


def test_a_refusal_can_be_opened_later_with_its_moment_and_what_was_awaited(table: Table) -> None:
    awaited = table.view().awaiting
    table.do("panic-fire.draw.1")
    table.do("panic-fire.fire")
    table.do("panic-fire.mend")
    first, second = table.view().refusals
    assert (first.text, first.awaiting) == (
        'No round has begun. On "fire!" press Enter. (PF-5)',
        awaited,
    )
    assert (first.at.us, first.at.clock) == (1_000_000, "host-1")
    assert first.after < second.after == table.view().log[-1].n


def test_only_the_last_refusals_are_kept(table: Table) -> None:
    for _ in range(KEPT + 5):
        table.do("panic-fire.draw.1")
    assert [refusal.number for refusal in table.view().refusals] == list(range(6, KEPT + 6))


def test_a_refusal_is_a_notice_of_what_is_true_and_what_to_do(
    table: Table, journal: Journal
) -> None:
    table.do("panic-fire.draw.1")
    notice = table.view().notice
    assert notice is not None
    assert notice.refused
    assert notice.text == 'No round has begun. On "fire!" press Enter.'
    assert facts(journal) == []


def test_notices_are_numbered_so_that_the_same_one_again_is_seen_to_be_new(table: Table) -> None:
    table.do("table.undo")
    first = table.view().notice
    table.do("table.undo")
    second = table.view().notice
    assert first is not None
    assert second is not None
    assert first.text == second.text == "There is nothing to undo."
    assert second.number == first.number + 1
    table.do("table.redo")
    last = table.view().notice
    assert last is not None
    assert last.text == "There is nothing to restore."


def test_undo_and_redo_say_what_they_would_do_and_what_they_did(table: Table) -> None:
    fire(table)
    table.do("panic-fire.draw.1")
    assert (table.view().undo, table.view().redo) == ("red draws", None)
    table.do("table.undo")
    view = table.view()
    assert view.redo == "red draws"
    assert view.notice is not None
    assert view.notice.text == "Undone: red draws."
    table.do("table.redo")
    view = table.view()
    assert (view.undo, view.redo) == ("red draws", None)
    assert view.notice is not None
    assert view.notice.text == "Restored: red draws."
    assert texts(view)[-2:] == ["the undo of: red draws", "restored: red draws"]


def test_a_mend_is_one_step_and_its_undo_is_named_by_what_it_did(
    table: Table, journal: Journal
) -> None:
    fire(table)
    for key in ("shot", "name.1", "name.2"):
        table.do(f"panic-fire.{key}")
    before = table.view().game
    table.do("panic-fire.mend")
    view = table.view()
    assert len(of_kind(journal, Control.VOID)) == 2
    assert view.game.open_shots
    assert view.undo == "names cleared"
    table.do("table.undo")
    assert table.view().game == before


def test_the_undo_of_a_shot_that_hit_nobody_and_of_a_change_names_what_was_done(
    table: Table, journal: Journal
) -> None:
    fire(table)
    table.do("panic-fire.shot")
    table.do("panic-fire.miss")
    assert table.view().undo == "nobody was hit"
    table.do("table.undo")
    assert notice_text(table) == "Undone: nobody was hit."
    table.do("panic-fire.draw.1")
    table.amend(facts(journal)[-1].n, {"seat": "blue"})
    assert table.view().undo == "the change of: blue draws"
    table.do("table.undo")
    assert notice_text(table) == "Undone: the change of: blue draws."
    assert table.view().redo == "the change of: blue draws"
    table.insert("draw", {"seat": "red"}, after=facts(journal)[0].n)
    assert table.view().undo == "the addition of: red draws"


def notice_text(table: Table) -> str:
    notice = table.view().notice
    assert notice is not None
    return notice.text


def test_a_resumed_session_names_what_was_undone_before_it(table: Table, journal: Journal) -> None:
    fire(table)
    table.do("panic-fire.draw.1")
    table.do("table.undo")
    table.do("panic-fire.draw.2")
    table.do("table.undo")
    view = resumed(journal).view()
    assert view.redo == "blue draws"
    voided = [line.text for line in view.log if line.kind is LineKind.VOIDED]
    assert voided == ["red draws", "blue draws"]


def test_a_fact_that_makes_no_sense_any_more_is_shown_with_the_clause_it_breaks(
    table: Table, journal: Journal
) -> None:
    fire(table)
    table.do("panic-fire.draw.1")
    journal.append(void_draft(facts(journal)[0].n, "no round"))
    broken = [line for line in resumed(journal).view().log if line.kind is LineKind.BROKEN]
    assert len(broken) == 1
    assert "PF-5" in broken[0].text


def test_a_key_is_stamped_by_the_host_while_there_is_no_board(
    table: Table, journal: Journal
) -> None:
    fire(table)
    assert facts(journal)[0].body["at"]["clock"].startswith("host-")
    fresh = resumed(journal)
    fresh.do("panic-fire.draw.1")
    assert facts(journal)[1].body["at"]["clock"] != facts(journal)[0].body["at"]["clock"]


# -- what a screen asks for


def test_what_the_program_tells_is_a_notice_and_no_part_of_the_record(table: Table) -> None:
    before = table.view()
    table.tell("nothing here is kept")
    notice = table.view().notice
    assert notice is not None
    assert (notice.text, notice.refused) == ("Nothing here is kept.", False)
    assert table.view().log == before.log


def test_the_log_has_the_rulings_and_is_the_same_tuple_while_nothing_happens(table: Table) -> None:
    fire(table)
    table.do("panic-fire.draw.1")
    assert [line.text for line in table.view().log if line.n > 2] == ["red draws"]
    assert table.view().log is table.view().log


def test_notes_of_the_link_are_kept_and_shown(table: Table, journal: Journal) -> None:
    table.board.on_note("The board says: hello")
    table.do("table.undo")
    assert "The board says: hello" in texts(table.view())
    (note,) = of_kind(journal, "note")
    assert note.layer is Layer.EVIDENCE


def test_a_gap_says_how_much_is_lost(table: Table, board: Board) -> None:
    table.board.store([board.gap(7, 50 * MS)])
    assert "could not keep 7 events" in texts(table.view())[-1]


def test_the_first_arming_says_what_counts_and_a_later_one_does_not_say_it_again(
    table: Table, board: Board
) -> None:
    table.board.store([board.armed(500 * MS)])
    assert texts(table.view())[-2:] == [
        "the board is armed: what is pressed from now on counts",
        "the board is armed: what is pressed from now on counts",
    ]


def test_the_links_state_is_shown_in_its_words(table: Table) -> None:
    assert table.view().link.state == "no board"
    table.board.on_status(LinkStatus(LinkState.LOST, "It is lost.", "/dev/x"))
    link = table.view().link
    assert (link.state, link.sentence, link.healthy) == ("lost - retrying", "It is lost.", False)


def test_a_search_for_a_board_that_nobody_has_shown_is_no_trouble_and_no_zone_is_named(
    table: Table,
) -> None:
    searching = LinkStatus(LinkState.SEARCHING, "No USB serial port found.", "auto")
    table.board.on_status(searching)
    view = table.view()
    assert (view.link.state, view.link.alarms) == ("searching", ())
    assert view.awaiting == 'On "fire!" press Enter. Round 1 of 6.'
    table.board.on_status(replace(searching, uid=1))  # the session's own board is away
    view = table.view()
    assert view.link.alarms == ("No USB serial port found.",)
    assert view.awaiting.startswith('On "fire!" hold a zone or press Enter.')


def test_the_timings_of_the_link_are_shown_but_no_news_and_its_counts_are(table: Table) -> None:
    live = LinkStatus(
        LinkState.LIVE, "It is live.", "/dev/x", uid=1, rtt_us=900, uncertainty_us=400
    )
    table.board.on_status(live)
    calls: list[int] = []
    table.subscribe(lambda: calls.append(1))
    table.board.on_status(
        replace(live, rtt_us=700, uncertainty_us=300, last_minute=Minute(0, 0, 0, 900, 400, 0))
    )
    rows = dict(table.view().link.details)
    assert (rows["round trip"][:6], rows["times accurate to"][:9]) == ("700 µs", "+- 300 µs")
    assert calls == []
    table.board.on_status(replace(live, counters=Counters(bad_frames=1)))
    assert len(calls) == 1


def test_a_subscriber_hears_of_changes_until_it_leaves(table: Table) -> None:
    calls: list[int] = []
    leave = table.subscribe(lambda: calls.append(1))
    table.do("table.undo")
    assert calls
    count = len(calls)
    leave()
    leave()
    table.do("table.undo")
    assert len(calls) == count


def test_a_finished_game_ends_the_session_at_its_close_and_only_once(
    table: Table, journal: Journal
) -> None:
    for _ in range(6):
        for key in ("fire", "shot", "name.1", "name.2", "shot", "name.2", "name.3"):
            table.do(f"panic-fire.{key}")
    assert table.view().ended, table.view().summary()
    table.close()
    table.close()
    assert len(of_kind(journal, Control.ENDED)) == 1


# -- the disk


def test_a_disk_that_refuses_is_shown_nothing_is_acknowledged_and_later_all_is_saved(
    table: Table, board: Board, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    fire(table)
    journal.wait(len(journal.entries), DEADLINE_S)
    evidence = tap(board, "zone-1", 5 * MS)
    saved = threading.Event()
    table.subscribe(lambda: saved.set() if table.view().saved.ok else saved.clear())
    with monkeypatch.context() as patch:
        patch.setattr("companion.session.board_side.STORE_TIMEOUT_S", 0.2)
        patch.setattr("companion.journal.mark.MarkFile.write", _refuse)
        for _ in range(2):
            with pytest.raises(NotDurable, match="the disk is full"):
                table.board.store(evidence)
        view = table.view().saved
        assert (view.ok, view.text) == (False, "NOT SAVED, 2 waiting")
        assert "disk is full" in view.problem
        table.do("panic-fire.draw.2")
    table.board.store(evidence)
    settle(table)
    assert saved.wait(DEADLINE_S)
    journal.wait(len(journal.entries), DEADLINE_S)
    view = table.view().saved
    assert (view.ok, view.text, view.entries) == (True, "saved", len(journal.entries))
    assert len(of_kind(journal, "event")) == 2
    assert sorted(entry.body["seat"] for entry in of_kind(journal, "draw")) == ["blue", "red"]


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_clash_is_on_the_disk_before_its_number_is_acknowledged(
    table: Table, board: Board, journal: Journal
) -> None:
    first = board.press("zone-1", 5 * MS)
    board.seq -= 1
    table.board.store([first])
    table.board.store([board.press("zone-2", 6 * MS)])
    assert journal.saved.durable_n >= of_kind(journal, "clash")[0].n


def test_after_the_close_keys_are_refused_and_evidence_is_not_acknowledged(
    table: Table, board: Board, journal: Journal
) -> None:
    table.close()
    before = len(journal.entries)
    fire(table)
    notice = table.view().notice
    assert notice is not None
    assert "closed" in notice.text
    with pytest.raises(NotDurable, match="closed"):
        table.board.store(tap(board, "zone-1", 5 * MS))
    settle(table)
    table.board.on_note("late")
    table.board.on_identified(hello(), BOOT + 1)
    assert len(journal.entries) == before


def test_a_log_that_is_removed_during_play_is_told_and_costs_nothing(tmp_path: Path) -> None:
    path, board = tmp_path / "other.sqlite", Board()
    journal = Journal.create(path, header(setup(), "evening"), wall=lambda: WALL)
    table = table_on(journal)
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed()])
    Path(f"{path}-wal").unlink()
    table.board.store(tap(board, "zone-1", 5 * MS))
    journal.close()  # the writer's thread has told all then
    notice = table.view().notice
    assert notice is not None
    assert "was removed while it was written: all 3 entries are in a new file" in notice.text
    assert table.view().saved.ok
    assert read_entries(path) == list(journal.entries)
    table.close()


def test_a_close_that_could_not_save_everything_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal.create(path, header(setup(), "evening"), wall=lambda: WALL, retry_s=0.001)
    table = table_on(journal)
    with monkeypatch.context() as patch:
        patch.setattr("companion.journal.mark.MarkFile.write", _refuse)
        fire(table)
        with pytest.raises(NotSaved, match="disk is full"):
            table.close()


# -- threads


@pytest.mark.parametrize("refuses", [False, True], ids=["all is saved", "the disk refuses"])
def test_a_board_is_left_armed_where_the_record_lacks_something_that_its_ring_has(
    path: Path, monkeypatch: pytest.MonkeyPatch, refuses: bool
) -> None:
    table = table_on(
        Journal.create(path, header(setup(), "evening"), wall=lambda: WALL, retry_s=0.001)
    )
    closed: list[bool] = []
    monkeypatch.setattr(table.board, "close", closed.append)
    with monkeypatch.context() as patch, suppress(NotSaved):
        if refuses:
            patch.setattr("companion.journal.mark.MarkFile.write", _refuse)
        fire(table)
        assert bool(table.unsaved(0.2).count) is refuses
        table.close()
    assert closed == [not refuses]


def test_the_screen_the_link_and_the_disk_at_once_never_stand_in_each_others_way(
    table: Table, board: Board, journal: Journal
) -> None:
    """Every subscriber reads the view at once, even in the thread that writes the journal."""
    seen: list[bool] = []
    table.subscribe(lambda: seen.append(table.view().ended))
    fire(table)

    def link() -> None:
        for number in range(60):
            table.board.store(tap(board, f"zone-{number % 3 + 1}", number * 200 * MS))
            settle(table, number * 200 * MS)

    def keys() -> None:
        for number in range(60):
            table.do("table.undo" if number % 3 else "panic-fire.draw.1")

    def screen() -> None:
        for _ in range(60):
            table.view().summary()

    threads = [threading.Thread(target=work, daemon=True) for work in (link, keys, screen)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
        assert not thread.is_alive()
    assert len(of_kind(journal, "event")) == 120


def test_a_fact_of_another_version_is_broken_not_fatal(table: Table, journal: Journal) -> None:
    journal.append(
        Draft(Layer.FACT, "teleport", {"seat": "red"}), Draft(Layer.FACT, Draw(seat="red").kind, {})
    )
    again = resumed(journal)
    kinds = [line.kind for line in again.view().log]
    assert kinds.count(LineKind.BROKEN) == 2
