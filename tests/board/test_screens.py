"""The screens of a board, in three sizes and without colors, and what each key asks of the desk."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import pytest
from textual.pilot import Pilot

from companion.board.asking import AskingPace
from companion.board.desk import BoardDesk
from companion.board.monitor import wave_lines
from companion.config.schema import Preferences
from companion.dashboard.board.app import BoardApp
from companion.session.board_pages import BoardOutcome, BoardPage, BoardView, ChannelNow
from firmware_protocol.messages import Config, Wave
from firmware_protocol.virtual.client import VirtualBoard
from tests.dashboard import settling, styling
from tests.dashboard.screen import screen_rows, screen_text
from tests.dashboard.test_snapshots import SIZES, matches

settling.install()
styling.install()

WIRES = (
    ChannelNow("trigger", False, "closed", 3, 12, 18, 12_482_901),
    ChannelNow("hit", True, "open", 4, 2140, 2400, 12_488_003),
    *(ChannelNow(f"zone-{number}", False, "open") for number in range(1, 11)),
)
LINES = tuple(f"   {second}.482901  trigger   press" for second in range(10, 40))
WATCHING = BoardView(
    BoardPage.MONITOR, "Raspberry Pi Pico at /dev/ttyACM0", wires=WIRES, lines=LINES
)
ASKED = (
    "Hold the gun still for 5 s.",
    "Shot 1 of 3: fire as in play.",
    "Shot 2 of 3: fire as in play.",
    *(f"Press zone-{number} 5 times." for number in range(1, 25)),
)
ASKING = replace(
    WATCHING, part=BoardPage.CALIBRATE, asked=ASKED, came=("quiet", "peak 2140, 1 press", "")
)
SETTINGS = BoardOutcome(
    (
        ("8000", "lock_us", "the default; at most 18 bounces"),
        (
            "1415",
            "hit_threshold",
            "midway between the strongest knock (730) and the weakest shot (2100)",
        ),
    ),
    ("It would have counted 3 of 3 shots as one hit.",),
    can_store=True,
)
FOUND = replace(WATCHING, part=BoardPage.CALIBRATE, outcome=SETTINGS)
VERDICTS = BoardOutcome(
    (
        ("good", "trigger", "answers alone, and is quiet at rest."),
        ("worn", "zone-1", "bounces 45 times: it wears; watch it."),
        (
            "fault",
            "zone-2",
            "is closed while nobody touches it: a short, or the wrong level in pins.json.",
        ),
        ("untried", "zone-3", "is quiet at rest; it was skipped."),
    ),
    (),
)
TESTED = replace(WATCHING, part=BoardPage.SELFTEST, outcome=VERDICTS)
LOST = BoardView(
    BoardPage.MONITOR,
    lost="The board keeps 36 events that no session has saved: d throws them away.",
    keeps=True,
)
VIEWS = {"monitor": WATCHING, "asking": ASKING, "settings": FOUND, "verdicts": TESTED, "lost": LOST}


class FakeDesk:
    """Shows a given view, and notes what is asked of it."""

    def __init__(self, view: BoardView) -> None:
        self.board_view = view
        self.asked: list[str] = []

    def view(self) -> BoardView:
        return self.board_view

    def turn_to(self, part: BoardPage) -> None:
        self.asked.append(f"turn to {part}")

    def begin(self) -> None:
        self.asked.append("begin")

    def discard(self) -> None:
        self.asked.append("discard")

    def skip(self) -> None:
        self.asked.append("skip")

    def break_off(self) -> None:
        self.asked.append("break off")

    def store(self) -> None:
        self.asked.append("store")


async def settled_text(pilot: Pilot[None], app: BoardApp) -> str:
    await pilot.pause()
    assert app.failure is None
    return screen_text(app)


@pytest.mark.parametrize("name", VIEWS)
async def test_every_page_looks_as_it_did_in_both_themes(name: str) -> None:
    app = BoardApp(FakeDesk(VIEWS[name]), Preferences())
    async with app.run_test(size=SIZES[0]) as pilot:
        pages = []
        for columns, rows in SIZES:
            await pilot.resize_terminal(columns, rows)
            text = await settled_text(pilot, app)
            assert max(map(len, text.split("\n"))) <= columns
            pages.append(f"{name}, {columns} x {rows}\n{'-' * columns}\n{text}\n{'-' * columns}\n")
        await pilot.press("ctrl+t")
        assert await settled_text(pilot, app) == text, "the light theme says the same"
    assert matches(f"board-{name}.txt", "\n".join(pages)), (
        "when the difference is meant, run with SNAPSHOTS=write"
    )


@pytest.mark.parametrize("asking", [WATCHING, ASKING], ids=["monitor", "calibrate"])
@pytest.mark.parametrize("size", SIZES)
async def test_the_last_hit_is_drawn_in_every_size_and_what_is_asked_or_came_last_stays(
    asking: BoardView, size: tuple[int, int]
) -> None:
    points = bytes([0, 0, 0, 60, 120, 90, 60, 30, 0, 0])
    wave = Wave(t_us=1_000_060, first_us=1_000_000, step_us=20, points=points)
    app = BoardApp(
        FakeDesk(replace(asking, wave=wave_lines(wave), low_wave=wave_lines(wave, 1))),
        Preferences(),
    )
    async with app.run_test(size=size) as pilot:
        text = await settled_text(pilot, app)
    assert "█" in text
    assert ("> Shot 2 of 3" if asking is ASKING else LINES[-1].strip()) in text


async def test_a_key_asks_the_desk_and_a_letter_changes_nothing_in_the_middle_of_a_step() -> None:
    desk = FakeDesk(FOUND)
    async with BoardApp(desk, Preferences()).run_test(size=SIZES[0]) as pilot:
        await pilot.press("w", "m", "s", "enter", "d")
        desk.board_view = ASKING
        await pilot.press("m", "n", "escape")
    assert desk.asked == [
        "store",
        "turn to monitor",
        "turn to selftest",
        "begin",
        "discard",
        "skip",
        "break off",
    ]


@pytest.mark.parametrize("key", ["q", "escape", "ctrl+q", "ctrl+c"])
async def test_the_screen_is_left_by_each_of_its_keys(key: str) -> None:
    app = BoardApp(FakeDesk(WATCHING), Preferences())
    async with app.run_test(size=SIZES[0]) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert not app.is_running


async def test_the_help_names_every_key_and_news_is_painted_behind_it() -> None:
    desk = FakeDesk(WATCHING)
    app = BoardApp(desk, Preferences())
    async with app.run_test(size=SIZES[0]) as pilot:
        await pilot.press("question_mark")
        text = await settled_text(pilot, app)
        assert all(f"  {key} " in text for key in ("m", "c", "s", "Enter", "n", "d", "w", "Esc"))
        await pilot.press("escape")
        assert "Board: monitor" in await settled_text(pilot, app)


async def test_verdicts_that_do_not_fit_are_moved_by_the_arrow_and_page_keys() -> None:
    rows = tuple(
        ("good", f"zone-{number}", "answers alone, and is quiet at rest.")
        for number in range(1, 31)
    )
    desk = FakeDesk(WATCHING)
    app = BoardApp(desk, Preferences())
    async with app.run_test(size=SIZES[0]) as pilot:
        await settled_text(pilot, app)
        desk.board_view = replace(TESTED, outcome=BoardOutcome(rows, ()))
        app.screen.paint()  # type: ignore[attr-defined]
        assert "zone-30" not in await settled_text(pilot, app)
        await pilot.press("end")
        assert "zone-30" in await settled_text(pilot, app)


async def test_without_color_each_grade_is_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = BoardApp(FakeDesk(TESTED), Preferences(ascii=True))
    async with app.run_test(size=SIZES[0]) as pilot:
        text = await settled_text(pilot, app)
        styles = [segment.style for row in screen_rows(app) for segment in row]
        colors = {
            style.color.name for style in styles if style is not None and style.color is not None
        }
    assert text.isascii()
    assert [word for word in ("good", "worn", "fault", "untried") if word not in text] == []
    assert all(
        color[1:3] == color[3:5] == color[5:7] for color in colors if color.startswith("#")
    ), "grays only"


def wait_for(desk: BoardDesk, text: str) -> BoardView:
    """Return the first view that contains the text; fail after ten seconds with the last view."""
    end = monotonic() + 10
    while monotonic() < end:
        view = desk.view()
        if text == view.now or (text in repr(view) and text not in view.asked):
            return view
        desk.changed.wait(0.05)
        desk.changed.clear()
    raise AssertionError(desk.view())


def test_the_desk_calibrates_at_the_board_stores_and_tests_it() -> None:
    stored: list[Config] = []
    pace = AskingPace(quiet_s=0.1, answer_s=5.0, after_s=0.05, order_s=3.0)
    with VirtualBoard.spawn(runtime="cpython", seed=3) as board:

        def keep(config: Config) -> str:
            stored.append(config)
            return "Kept."

        desk = BoardDesk(board.url, BoardPage.CALIBRATE, pace=pace, keep=keep)
        try:
            wait_for(desk, "closed: nothing")
            desk.begin()
            for count in (1, 2, 3):
                wait_for(desk, f"Shot {count} of 3: fire as in play.")
                board.shot(peak=2400)
            for count in (1, 2, 3):
                wait_for(
                    desk, f"Knock {count} of 3: lay the gun down, or tap it, without the trigger."
                )
                board.knock(800)
            for number in range(1, 11):
                asking = wait_for(desk, f"Press zone-{number} 5 times.")
                desk.skip()
            assert len(asking.came) == 17
            view = wait_for(desk, "can_store=True")
            assert "It would have counted 3 of 3 shots as one hit." in view.outcome.sentences  # type: ignore[union-attr]
            desk.store()
            wait_for(desk, "Stored on the board, until its next boot. Kept.")
            assert 800 < stored[0].hit_threshold < 2400

            desk.turn_to(BoardPage.SELFTEST)
            wait_for(desk, "part=<BoardPage.SELFTEST")
            desk.begin()
            wait_for(desk, "Pull the trigger once and let go.")
            desk.break_off()
            assert "Stopped" in desk.view().notice
            board.unplug()
            assert wait_for(desk, "The board is lost").asked == ()
            board.plug()
            desk.begin()
            wait_for(desk, "lost=''")
        finally:
            desk.end()
    assert desk.failure is None
