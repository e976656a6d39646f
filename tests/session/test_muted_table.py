"""A table with a noisy wire: what is shown, what counts meanwhile, and what a later reading makes
of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.dashboard.screens.details import details_text
from companion.journal.entries import Control, Draft, Layer
from companion.journal.journal import Journal
from companion.link.status import NO_LINK, LinkState
from companion.rules.gestures import GestureSettings
from companion.session.table import Table
from companion.session.views import LinkView
from companion.session.watching import Watcher
from tests.session.parts import (
    BOOT,
    MS,
    Board,
    facts,
    fire,
    hello,
    of_kind,
    reasons,
    resumed,
    settle,
    tap,
    texts,
)

LIVE = replace(NO_LINK, state=LinkState.LIVE, sentence="Board b0a4d is live.")


@pytest.fixture
def table(table: Table) -> Table:
    """Return a table whose board is live and known by name."""
    table.board.on_identified(hello(), BOOT)
    table.board.on_status(LIVE)
    return table


def link(table: Table) -> LinkView:
    return table.view().link


def notice(table: Table) -> str:
    last = table.view().notice
    return "" if last is None else last.text


def test_the_table_says_which_wire_is_noisy_why_and_what_to_do_until_it_is_heard_again(
    table: Table, board: Board
) -> None:
    assert link(table).words == "live"
    table.board.store([board.muted("zone-3", 100 * MS, 150 * MS, 900)])
    assert link(table).words == "live, zone 3 muted"
    assert link(table).alarms == ("Zone 3 is muted: 900 edges in 50 ms. Check its wire.",)
    assert "Level unknown" in details_text(table.view(), 80).plain
    assert texts(table.view())[-1] == "zone 3 is muted: 900 edges in 50 ms. Check its wire"
    table.board.store(board.heard_again("zone-3", 150 * MS, 4_650 * MS))
    assert (link(table).words, link(table).alarms) == ("live", ())
    assert notice(table) == "Zone 3 is heard again."
    assert texts(table.view())[-1] == "zone 3 is heard again after 4.5 s"


def test_several_wires_are_counted_in_the_header_and_each_is_named_below(
    table: Table, board: Board
) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS), board.muted("hit", 10 * MS, 12 * MS)])
    assert link(table).words == "live, 2 wires muted"
    assert [sentence.partition(" is ")[0] for sentence in link(table).alarms] == [
        "Zone 3",
        "The hit sensor",
    ]


def test_while_the_link_is_lost_no_wire_is_spoken_of(table: Table, board: Board) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS)])
    table.board.on_status(replace(LIVE, state=LinkState.LOST, sentence="Nothing answers."))
    assert link(table).alarms == ("Nothing answers.",)
    table.board.on_status(LIVE)
    assert len(link(table).alarms) == 1


def test_a_board_that_starts_anew_has_muted_nothing(table: Table, board: Board) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS)])
    table.board.on_identified(hello(), BOOT + 1)
    assert link(table).alarms == ()


def test_a_resumed_table_still_knows_it(table: Table, board: Board, journal: Journal) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS)])
    again = resumed(journal)
    again.board.on_status(LIVE)
    assert again.view().link.words == "live, zone 3 muted"


def test_who_looks_on_sees_it_too(table: Table, board: Board, path: Path) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS)])
    watcher = Watcher(path)
    assert watcher.view().link.words == "watching, zone 3 muted"


def test_where_a_full_ring_refused_the_word_a_press_says_that_the_wire_is_heard(
    table: Table, board: Board
) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS), board.gap(2, 900 * MS)])
    table.board.store([board.press("zone-3", 1_000 * MS)])
    assert link(table).alarms == ()
    assert notice(table) == "Zone 3 is heard again."


def test_the_evidence_page_has_the_level_of_a_muted_wire_as_unknown(
    table: Table, board: Board
) -> None:
    table.board.store([board.muted("zone-3", 0, 5 * MS), board.armed(20 * MS)])
    table.board.store(board.heard_again("zone-3", 5 * MS, 1_500 * MS, levels=1 << 4))
    lines = [line.text for line in table.inspection.marshal().evidence]
    assert "armed, nothing pressed; unknown: zone-3" in lines
    assert lines[-2:] == ["zone 3 is heard again after 1.5 s", "the contacts, pressed: zone-3"]


def test_an_older_companion_recorded_its_number_and_people_read_its_name(
    table: Table, journal: Journal
) -> None:
    body = {"boot": BOOT, "seq": 90, "source": "source 36", "count": 900, "first_us": 0}
    table._append(
        Draft(Layer.EVIDENCE, "overrun", body, "board", t_us=50 * MS, key=f"b0a4d/{BOOT:04x}/90")
    )
    assert texts(table.view())[-1] == "zone 3 is muted: 900 edges in 50 ms. Check its wire"


# -- what counts


def test_a_noise_makes_no_draw_and_its_neighbor_draws(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.armed()])
    fire(table)
    table.board.store([board.press("zone-3", 5 * MS), board.muted("zone-3", 5 * MS, 9 * MS)])
    table.board.store(tap(board, "zone-2", 20 * MS))
    settle(table)
    assert [entry.body.get("seat") for entry in facts(journal)] == [None, "blue"]
    assert reasons(journal) == ["zone-3: its wire was noisy: check it"]


def test_a_held_button_that_is_muted_does_not_fire(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store(
        [board.armed(), board.press("zone-1", 5 * MS), board.muted("zone-1", 300 * MS, 320 * MS)]
    )
    settle(table)
    assert facts(journal) == []
    assert reasons(journal) == ["zone-1: it was muted before it was let go: check its wire"]


def test_a_pull_beside_a_muted_hit_sensor_is_asked_about_and_keeps_its_stamp(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.armed()])
    fire(table)
    table.board.store([board.muted("hit", 0, 5 * MS), board.press("trigger", 400 * MS)])
    settle(table)
    asked = table.view().proposal
    assert asked is not None
    assert asked.text == "the hit sensor is muted: the gun fired"
    table.do("table.accept")
    assert (facts(journal)[-1].kind, facts(journal)[-1].t_us) == ("shot", 400 * MS)


def test_a_pull_that_was_none_leaves_nothing_but_its_evidence(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.armed()])
    fire(table)
    table.board.store([board.muted("hit", 0, 5 * MS), board.press("trigger", 400 * MS)])
    settle(table)
    table.do("table.dismiss")
    assert [entry.kind for entry in facts(journal)] == ["fire"]
    assert "the hit sensor is muted" in reasons(journal)[-1]


def test_a_tap_that_counted_stays_although_the_board_looks_further_back(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.armed()])
    fire(table)
    table.board.store(tap(board, "zone-3", 50 * MS))
    settle(table, 151 * MS)
    table.board.store([board.muted("zone-3", 40 * MS, 160 * MS)])
    settle(table)
    assert [entry.kind for entry in facts(journal)] == ["fire", "draw"]
    assert table.inspection.reread(GestureSettings()).drafts == ()


def test_a_word_that_comes_twice_is_no_clash(table: Table, board: Board, journal: Journal) -> None:
    word = board.muted("zone-3", 40 * MS, 60 * MS)
    table.board.store([word])
    settle(table, 100 * MS)
    table.board.store([word])
    assert of_kind(journal, "clash") == []
    assert len(of_kind(journal, "overrun")) == 1


@pytest.mark.parametrize("answer", ["table.accept", "table.dismiss"])
def test_reading_it_all_again_changes_nothing(
    table: Table, board: Board, journal: Journal, answer: str
) -> None:
    table.board.store([board.armed()])
    fire(table)
    table.board.store([board.press("zone-3", 5 * MS), board.muted("zone-3", 5 * MS, 9 * MS)])
    table.board.store([board.muted("hit", 50 * MS, 55 * MS), *tap(board, "zone-2", 100 * MS)])
    settle(table, 300 * MS)
    table.board.store([board.press("trigger", 400 * MS), board.release("trigger", 500 * MS)])
    settle(table, 600 * MS)
    table.do(answer)
    table.board.store(
        [*board.heard_again("hit", 55 * MS, 1_500 * MS), *tap(board, "zone-1", 1_600 * MS)]
    )
    settle(table)
    rereading = table.inspection.reread(GestureSettings())
    assert rereading.drafts == ()
    assert rereading.before == rereading.after
    before = [(entry.kind, entry.causes) for entry in facts(journal)]
    again = resumed(journal)
    settle(again)
    assert [(entry.kind, entry.causes) for entry in facts(journal)] == before
    assert again.view().proposal is None


def test_a_pull_that_waits_for_its_answer_is_asked_again_by_the_next_run(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.armed()])
    fire(table)
    table.board.store([board.muted("hit", 0, 5 * MS), board.press("trigger", 400 * MS)])
    settle(table)
    again = resumed(journal)
    settle(again)
    asked = again.view().proposal
    assert asked is not None
    assert asked.text == "the hit sensor is muted: the gun fired"


def test_a_wire_that_was_muted_before_the_session_armed_the_board_is_muted_still(
    table: Table, board: Board, journal: Journal
) -> None:
    table.board.store([board.muted("hit", 0, 5 * MS), board.armed(100 * MS)])
    fire(table)
    table.board.store([board.press("trigger", 400 * MS)])
    settle(table)
    assert table.view().proposal is not None
    assert of_kind(journal, Control.IGNORED) == []
