"""A board that logs without end: its lines are kept up to a bound, and the others are counted."""

from __future__ import annotations

from companion.link.session import Session
from companion.link.status import Counters, LinkStatus
from companion.link.words import LAST_LINE, LINES_A_RUN, LINES_A_SECOND, printable
from companion.session.status_views import link_view
from firmware_protocol.messages import Log, encode
from tests.link.dialogue import identified, only
from tests.link.fake_board import UID
from tests.link.world import S

LOOP = "The board says: loop"


def kept_lines(session: Session, lines: int, at_ns: int) -> list[str]:
    return only(str, session.receive(encode(Log(b"loop"), 7) * lines, at_ns))


def test_a_second_has_so_many_lines_and_the_next_one_that_is_kept_counts_the_others() -> None:
    session = identified()
    assert kept_lines(session, LINES_A_SECOND + 30, S) == [LOOP] * LINES_A_SECOND
    assert kept_lines(session, 2, 2 * S) == [
        f"{LOOP} (30 lines before it were too many to keep)",
        LOOP,
    ]
    assert (session.counters.logs, session.counters.unkept_logs) == (LINES_A_SECOND + 2, 30)


def test_a_run_of_the_link_has_so_many_lines_over_all_its_connections() -> None:
    counters = Counters(logs=LINES_A_RUN - 1)
    session = identified(counters=counters)
    assert kept_lines(session, 3, S) == [LOOP, LAST_LINE]
    assert kept_lines(identified(counters=counters), 3, 2 * S) == []
    assert (counters.logs, counters.unkept_logs) == (LINES_A_RUN, 5)


def test_the_panel_says_how_many_lines_there_were() -> None:
    view = link_view(LinkStatus("live", "", uid=UID, counters=Counters(logs=57, unkept_logs=12)))  # type: ignore[arg-type]
    assert ("log lines", "57 kept, 12 too many") in view.details


def test_a_line_is_printable_whatever_the_board_says() -> None:
    assert printable(b"\x1b]0;title\x07ok\xff") == "?]0;title?ok\N{REPLACEMENT CHARACTER}"
