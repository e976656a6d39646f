"""The page for correcting: evidence beside rulings, one cursor, and what belongs to its line."""

from __future__ import annotations

import re

import pytest
from textual.app import App
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.correcting.page import (
    GUARD_S,
    HEAD_ROWS,
    MarshalPage,
    about_ruling,
    time_column,
)
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.screens.record_pages import ruling_rows
from companion.games.panic_fire.rules.keys import actions
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized
from companion.rules.facts import Moment
from companion.rules.gestures import GestureSettings
from companion.session.marshal_view import MarshalView, RulingLine
from companion.session.status_views import NO_BOARD
from companion.session.views import LineKind, LogLine
from tests.dashboard.correcting import DRY, SENSELESS_WHY, marshal_table, record, troubled
from tests.dashboard.fakes import FakeTable, ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.panic_fire.screen.views import setup

SIZES = [(80, 24), (160, 50)]
SIGN = re.compile("(?:^|[> ])([·x!]) ")  # after the cursor and the time


def rows(app: App[None]) -> list[tuple[str, str]]:
    """Return both sides of the screen, row by row, stripped."""
    split = [row.partition("│") for row in screen_text(app).split("\n") if "│" in row]
    return [(left.strip(), right.strip()) for left, _, right in split[HEAD_ROWS:]]


def marked(app: App[None], mark: str) -> list[str]:
    """Return the texts after marks, evidence first, without the heads."""
    sides = list(zip(*rows(app), strict=True))
    return [
        text.removeprefix(mark).strip()
        for side in sides
        for text in side
        if text.startswith(f"{mark} ")
    ]


@pytest.mark.parametrize("size", SIZES)
async def test_evidence_stands_beside_the_rulings_with_its_time_and_its_peak(
    size: tuple[int, int],
) -> None:
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Red shot Blue")
        text = screen_text(app)
        signs = [SIGN.findall(right)[0] for _, right in rows(app) if right]
    for essential in (
        "+0.000 · zone-1 pressed",
        "+1.580   zone-2 released",
        "+30.012 · hit, peak 212",
        "fire! round 2 of 6 begins",
        "the table eliminates Red",
        "no longer possible",
        "F2 change",
        "F3 add missed",
        "F4 re-read sensors",
        "F5 automation",
        "F6 people",
        "x delete/restore",
        "At the table: Round 2 is open",
        "keyboard only   saved",
    ):
        assert essential in text
    assert signs == ["·", "·", "·", "·", "·", "x", "!"]
    assert max(map(len, text.split("\n"))) <= size[0]
    assert app.crash is None


@pytest.mark.parametrize("size", SIZES)
async def test_a_ruling_and_the_evidence_it_rests_on_are_marked_together(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Red shot Blue")
        await pilot.press("up", "up")
        await pilot.pause()
        assert len(marked(app, ">")) == 1
        assert DRY[:20] in marked(app, ">")[0]
        assert [text.split(" · ")[1][:15] for text in marked(app, "*")] == [
            "trigger pressed",
            "hit, peak 212, ",
        ]
        assert (
            f"{capitalized(without_clauses(DRY))}. 30.000 s ±50 µs after the start, at"
            in " ".join(screen_text(app).split())
        )
        assert "Based on: trigger pressed; hit, peak 212, below threshold." in " ".join(
            screen_text(app).split()
        )
        await pilot.press("tab")
        await pilot.pause()
        assert [text.split(" · ")[1] for text in marked(app, ">")] == ["trigger pressed"]
        assert len(marked(app, "*")) == 1
        assert "It led to: dry pull" in " ".join(screen_text(app).split())
        await pilot.press("home", "down", "right")
        await pilot.pause()
        assert "Blue draws, number 1" in marked(app, ">")[0]


async def test_the_ruling_of_old_evidence_comes_right_beside_it() -> None:
    app = Dashboard(marshal_table(record(60)), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "number 60")
        await pilot.press("tab", *["up"] * 61)
        await pilot.pause()
        beside = [(left, right) for left, right in rows(app) if left.startswith("> ")]
    assert len(beside) == 1
    assert beside[0][0].endswith("zone-2 pressed")
    assert beside[0][1].startswith("* · Blue draws, number 30")


async def test_why_and_who_are_told_of_what_was_taken_back_and_the_reason_of_what_makes_no_sense() -> (
    None
):
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Red shot Blue")
        assert f"no longer possible: {SENSELESS_WHY}." in " ".join(screen_text(app).split())
        await pilot.press("up")
        await pilot.pause()
        text = " ".join(screen_text(app).split())
    assert "It is deleted. Reason: she woke. Decided by Red. Time unknown. Entered by hand." in text


async def test_a_deleted_line_is_not_offered_for_a_change_that_would_be_refused() -> None:
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Red shot Blue")
        await pilot.press("up")
        await pilot.pause()
        await pilot.press("f2")
        text = await until(pilot, app, "That line is deleted: x restores it, then change it.")
    assert "Enter save" not in text


async def test_at_the_end_the_cursor_follows_and_elsewhere_it_stays_on_its_entry() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "number 3")
        await grow(table, pilot, app, 4)
        assert "number 4" in marked(app, ">")[0]
        await pilot.press("up", "up")
        await grow(table, pilot, app, 40)
        assert "number 2" in marked(app, ">")[0]
        await pilot.press("end")
        await grow(table, pilot, app, 60)
        assert "number 60" in marked(app, ">")[0]


async def test_a_line_that_has_just_come_under_the_cursor_is_not_acted_on() -> None:
    table, clock = marshal_table(record(3)), ManualClock()
    app = Dashboard(table, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "number 3")
        await grow(table, pilot, app, 4)
        for key in ("x", "f2", "f3"):
            await pilot.press(key)
            await until(pilot, app, "! The cursor has just moved to a new line")
        assert len(app.screen_stack) == 2
        clock.now += 2 * GUARD_S
        await pilot.press("x")
        await until(pilot, app, "Delete: Blue draws, number 4")


async def test_of_the_keys_of_the_table_only_undo_works_among_the_mistakes() -> None:
    table = marshal_table(troubled())
    app = Dashboard(table, clock=ManualClock())
    own_keys = {
        "up",
        "down",
        "pageup",
        "pagedown",
        "home",
        "end",
        "tab",
        "shift+tab",
        "left",
        "right",
    }
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "1", "space", "enter", "u")
        for action in actions(setup()):
            assert not own_keys & set(action.keys)
    assert table.done == ["table.undo"]


async def test_a_record_without_anything_is_shown_too() -> None:
    app = Dashboard(FakeTable(), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "up", "tab", "pageup", "end", "x", "f2")
        await until(pilot, app, "Nothing is recorded yet.")
    assert app.crash is None


WITHOUT_EVIDENCE = MarshalView((), record(2).rulings, GestureSettings(), {})


@pytest.mark.parametrize("size", [*SIZES, (110, 32)])
async def test_without_a_board_the_log_has_the_whole_width_and_no_key_of_a_sensor(
    size: tuple[int, int],
) -> None:
    table = marshal_table(WITHOUT_EVIDENCE, link=NO_BOARD)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("c")
        text = await until(pilot, app, "Blue draws, number 2")
    assert "│" not in text
    assert "F3 add missed" in text
    assert "Tab other side" not in text
    assert "F4" not in text
    assert "F5" not in text


async def test_no_clause_is_named_where_mistakes_are_fixed() -> None:
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Red shot Blue")
        for _ in range(len(troubled().rulings)):
            assert "PF-" not in screen_text(app)
            await pilot.press("up")
            await pilot.pause()


def test_a_column_of_times_says_since_when_they_count() -> None:
    view = record(1)
    fire, draw = view.rulings
    rounds = time_column(MomentWriter(view, ("fire",)), "since fire!", ())
    assert (rounds.head, rounds.text(fire), rounds.text(draw)) == (
        "since fire!",
        "+0.000",
        "+0.500",
    )
    log = (LogLine(draw.n, "20:15:07", LineKind.FACT, draw.text),)
    of_day = time_column(MomentWriter(view, ()), "since fire!", log)
    assert (of_day.head, of_day.text(fire), of_day.text(draw)) == ("time", "", "20:15:07")


async def test_times_by_key_count_from_the_first_of_them() -> None:
    by_key = tuple(
        RulingLine(
            n,
            "draw",
            {"seat": "red"},
            f"Red draws {n}",
            Moment(us=9_000_000 + n * 250_000, clock="host-2"),
            (),
            True,
        )
        for n in (4, 5)
    )
    app = Dashboard(marshal_table(record(0, *by_key)), clock=ManualClock())
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Red draws 5")
        assert "Red draws 5. 0.2 s ±0.1 s, by key" in screen_text(app)


@pytest.mark.parametrize(
    ("clock", "by_itself", "told"),
    [
        ("host-2", False, "0.0 s ±0.1 s, by key."),
        ("host-2", True, "0.0 s ±0.1 s. Automatic."),
        ("board-1", False, "At 1.000 s on the board's clock. Entered by hand."),
        ("board-1", True, "At 1.000 s on the board's clock. Automatic."),
    ],
)
def test_what_came_by_itself_was_no_key_and_no_hand(clock: str, by_itself: bool, told: str) -> None:
    at = Moment(us=1_000_000, pm=0 if clock == "host-2" else 25, clock=clock)
    line = RulingLine(4, "signal", {}, "the lamp is lit", at, (), True, by_itself=by_itself)
    view = record(0, line)
    times = MomentWriter(view, ())
    assert about_ruling(line, view, times, {}).plain == f"The lamp is lit. {told}"
    evidence = [
        row.plain
        for row in ruling_rows(line, view, times, "drills", {}, 80)
        if "Evidence" in row.plain
    ]
    came = "automatic" if by_itself else "entered by hand"
    assert evidence == [f"Evidence    none: {came}"]


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        ("host-2", "0.5 s ±0.4 s after the start, not measured, by tap"),
        ("board-1", "0.5 s ±0.4 s after the start, not measured, at 1.5 s ±0.4 s on the board's clock, by tap"),
    ],
)  # fmt: skip
def test_what_was_tapped_is_neither_by_key_nor_measured(clock: str, told: str) -> None:
    begun = Moment(us=1_000_000, pm=25, clock=clock)
    at = Moment(us=1_500_000, pm=400_000, clock=clock, tapped=True)
    lines = (
        RulingLine(3, "fire", {}, "fire!", begun, (), True),
        RulingLine(4, "draw", {"seat": "red"}, "Red draws", at, (), True),
    )
    assert MomentWriter(record(0, *lines), ("fire",)).when(at) == told


@pytest.mark.parametrize("size", [(20, 5), (60, 15), (250, 80)])
async def test_no_size_of_a_terminal_brings_the_marshal_screen_down(size: tuple[int, int]) -> None:
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        for key in (
            "c",
            "up",
            "tab",
            "pageup",
            "f2",
            "escape",
            "f3",
            "escape",
            "f4",
            "escape",
            "f5",
            "escape",
            "f6",
        ):
            await pilot.press(key)
            await pilot.pause()
            assert len(screen_text(app).split("\n")) == size[1]
    assert app.crash is None


async def grow(table: FakeTable, pilot: Pilot[None], app: App[None], draws: int) -> None:
    """Extend the record to `draws` draws, and show it."""
    table.marshalled = record(draws)
    table.publish(log=(*table.current.log, *table.current.log[:1]))
    await until(pilot, app, f"of {len(table.marshalled.rulings)}" if draws else "")


async def test_among_the_mistakes_the_page_of_keys_begins_with_theirs_and_goes_back_to_them() -> (
    None
):
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        await pilot.press("question_mark")
        await pilot.pause()
        now, _, _later = screen_text(app).partition("Works now")[2].partition(", not now")
        for key in ("x", "F2", "F3", "F4", "F5", "F6"):
            assert re.search(rf"^ +{key} ", now, re.MULTILINE), key
        assert "draws a card" not in now
        await pilot.press("escape")
        assert isinstance(app.screen, MarshalPage)
        await pilot.press("question_mark", "question_mark")
        assert isinstance(app.screen, MarshalPage)
        await pilot.press("question_mark", "c")
        assert isinstance(app.screen, MarshalPage)
        await pilot.press("escape")
        assert len(app.screen_stack) == 1
