"""The page of the board's link - state, counts, settings - and the form that sets them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.details import BoardForm
from companion.link.settings import DEFAULTS, fields_of
from companion.link.status import Counters, LinkState, LinkStatus, Minute
from companion.session.status_views import link_view
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import panic_fire_table

STATUS = LinkStatus(
    LinkState.LIVE, "Board 1 at /dev/x is live.", "/dev/x", board="Pico (1.0)", uid=1, boot_id=0x5F3A, armed=True,
    uncertainty_us=112, rtt_us=1_450, resends=5,
    counters=Counters(bad_frames=3, skipped_bytes=77, duplicates=2, gaps=1, gap_events=9, clashes=4, clock_faults=6),
    ring_high_water=40, ring_size=512, settings_in_force=True, last_minute=Minute(7, 4, 2, 2_450, 300, 11),
)  # fmt: skip
BOARD = fields_of(DEFAULTS)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_counts_of_the_link_are_rows_of_words_and_live(size: tuple[int, int]) -> None:
    table = panic_fire_table(link=link_view(STATUS), board=BOARD)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("b")
        await pilot.pause()
        await pilot.press("end")
        await pilot.pause()
        text = " ".join(screen_text(app).split())
        for row in (
            "boot 5f3a, armed",
            "the board's settings the session's",
            "bad frames 3, 77 bytes skipped",
            "sent again by the board 5, 2 repeated",
            "gaps 1, 9 events lost",
            "clashes, clock faults 4, 6",
            "the board's ring at most 40 of 512",
            "the last minute 7 bad, 4 repeated, 2 lost, away 11 s",
            "round trip 1.4 ms, at most 2.5 ms lately",
            "times accurate to +- 112 µs, at most 300 µs lately",
        ):
            assert row in text
        table.publish(
            link=link_view(
                replace(STATUS, counters=Counters(gaps=2, gap_events=30), settings_in_force=False)
            )
        )
        await pilot.pause()
        text = " ".join(screen_text(app).split())
        assert "gaps 2, 30 events lost" in text
        assert "NOT the session's" in text
        assert "live, other settings" in text


async def test_without_a_board_no_count_is_shown_but_what_would_be_set() -> None:
    app = Dashboard(panic_fire_table(board=BOARD), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await pilot.pause()
        text = " ".join(screen_text(app).split())
        assert "Link counters" not in text
        assert "threshold 300, scan 5 ms, mask 30 ms" in text


@pytest.mark.parametrize(
    ("state", "silent_s", "words"),
    [
        (LinkState.LOST, 0, "lost - retrying"),
        (LinkState.SILENT, 7, "silent 7 s"),
        (LinkState.NO_PERMISSION, 0, "no permission"),
        (LinkState.SEARCHING, 0, "searching"),
    ],
)
def test_states_are_words(state: LinkState, silent_s: int, words: str) -> None:
    assert link_view(replace(STATUS, state=state, silent_s=silent_s)).state == words


async def test_the_form_sets_the_board_and_says_what_no_board_takes() -> None:
    table = panic_fire_table(board=BOARD)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f7")
        await pilot.pause()
        assert isinstance(app.screen, BoardForm)
        await pilot.press("backspace", "backspace", "backspace", "x", "enter")
        assert "Hit threshold: a whole number is missing, not 'x'" in screen_text(app)
        await pilot.press("backspace", "7", "0", "0", "enter")
        await pilot.pause()
        assert table.put == [("board", {**BOARD, "hit_threshold": 700}, "", "")]
        assert not isinstance(app.screen, BoardForm)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_who_is_told_elsewhere_stands_there_with_how_that_goes(size: tuple[int, int]) -> None:
    readers = (
        ("lights (/home/me/lights)", "on; 3 delivered"),
        ("board (https://a.example)", "failing: it answered 500"),
        ("scoreboard (https://club.example)", "on; 7 delivered"),
    )
    table = panic_fire_table(readers=readers)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("b")
        await pilot.pause()
        await pilot.press("end")
        await pilot.pause()
        text = " ".join(screen_text(app).split())
        assert "Reported to" in text
        assert "lights (/home/me/lights) on; 3 delivered" in text
        assert "board (https://a.example) failing: it answered 500" in text
        assert "scoreboard (https://club.example) on; 7 delivered" in text
        table.publish(readers=readers[:1])
        await pilot.pause()
        assert "https://a.example" not in screen_text(app)
