"""The page of a finished game: it opens by itself, says who won and why, and offers only what
works."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.registry import AT_THE_END, BG_STATS, REMATCH, REPORT
from companion.dashboard.screens.game_over import (
    BUSY,
    HELD_S,
    JUST_OVER,
    GameOver,
    GameOverPage,
    game_over_rows,
    score_rows,
)
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.themes import LIGHT
from companion.dashboard.widgets.lines import NoticeLine
from companion.display.panels import SeatLine
from companion.games.drills.screen.ended import ended_rows
from companion.games.fractured_sky.simulation import moves, setup_for
from companion.journal.entries import Draft, Layer
from companion.journal.journal import Journal
from companion.reports.page import format_html
from companion.reports.record import read_record
from companion.rules.facts import Fact, Setup, body_of
from companion.rules.header import header
from companion.rules.outcome import Ending
from companion.rules.registry import open_game
from companion.session.opening import begin
from companion.session.score_history import ScoreStep
from companion.session.table import Table
from companion.session.views import TableView
from companion.web.blocks import table_blocks
from tests.dashboard.fakes import ManualClock
from tests.dashboard.recorded import WALL, recorded
from tests.dashboard.screen import screen_rows, screen_text, until

SIZES = ((60, 15), (80, 24), (160, 50))
WHOLE = {
    "panic-fire": "six-rounds",
    "skyfire": "misfires-by-hand",
    "sky-rise": "two-players",
    "fractured-sky": "four-seats",
}
SAID = {
    "panic-fire": (
        "Red wins with 3 Bullet cards",
        "Round 6 decided it: Red and Green were level before",
    ),
    "skyfire": ("Cleo wins with 10 points", "Round 5 decided it: Bo was in front before"),
    "sky-rise": ("Bo wins with 54 points", "The goals decided it: Ada was in front before"),
    "fractured-sky": (
        "Ada wins with 10 Starfalls",
        "The table set a score by hand, and that made the difference: Cleo was in front before",
    ),
}
each_game = pytest.mark.parametrize("game", WHOLE)


@contextmanager
def table_of(setup: Setup, facts: Sequence[Fact], folder: Path) -> Iterator[Table]:
    """Return a table at which these facts were entered."""
    journal = Journal.create(folder / "evening.sqlite", header(setup, "evening"), wall=lambda: WALL)
    journal.append(
        *(Draft(Layer.FACT, fact.kind, body_of(fact), actor="keyboard") for fact in facts)
    )
    table = Table(open_game(setup.game), journal, setup, host_us=lambda: 5_000_000)
    try:
        yield table
    finally:
        table.close()


@contextmanager
def whole(game: str, folder: Path) -> Iterator[Table]:
    """Return a table at the end of a recorded game."""
    with recorded(game, WHOLE[game], 1_000, folder) as table:
        yield table


class Offered:
    """What the program can do about the game, noted."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def offers(self) -> dict[str, Any]:
        return {each.id: lambda each=each: self._do(each.id) for each in AT_THE_END}

    def _do(self, action_id: str) -> str:
        self.done.append(action_id)
        return f"{action_id}: done\nand said"


async def ended(pilot: Pilot[Any], app: Dashboard) -> str:
    return await until(pilot, app, "Esc table", "quit")


@each_game
@pytest.mark.parametrize("size", SIZES)
async def test_a_game_that_is_over_opens_its_last_page(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with whole(game, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), offers=Offered().offers())
        async with app.run_test(size=size) as pilot:
            await ended(pilot, app)
            text = " ".join((await until(pilot, app, *SAID[game], "r rematch", "u undo")).split())
            assert "the game is over" in text
            assert "1. " in text
            for seat in table.view().setup.seats:
                assert f"{seat.glyph} {seat.name}" in text
            rows = screen_text(app).split("\n")
            assert all(len(row) <= size[0] for row in rows)
            assert ("██" in text) == (size != (60, 15))


@each_game
def test_phones_and_the_report_say_the_same_sentences(game: str, tmp_path: Path) -> None:
    with whole(game, tmp_path) as table:
        view = table.view()
        phones = table_blocks(view, "", (), closed=False)["state"]
    report = format_html(read_record(tmp_path / f"{WHOLE[game]}.sqlite"))
    for sentence in SAID[game]:
        assert sentence in unescape(phones)
        assert sentence in unescape(report)


async def test_the_last_shot_opens_the_page_undo_leaves_it_and_redo_comes_back(
    tmp_path: Path,
) -> None:
    with recorded("panic-fire", "six-rounds", 135, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "round 6")
            assert isinstance(app.screen, TableScreen)
            table.enter("shooter", {"seat": "red"})
            await until(pilot, app, "Red wins with 3 Bullet cards", "Esc table")
            await pilot.press("u")
            await until(
                pilot,
                app,
                "? Change the finished game? Undone: Red shot Blue",
                "Then the game continues.",
            )
            await pilot.press("enter")
            await until(pilot, app, "undo: Blue was shot at", "round 6")
            assert isinstance(app.screen, TableScreen)
            await pilot.press("y")
            await until(pilot, app, "Red wins with 3 Bullet cards", "Esc table")


async def test_escape_goes_to_the_table_and_back_to_the_result(tmp_path: Path) -> None:
    with whole("panic-fire", tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await ended(pilot, app)
            await pilot.press("escape")
            await until(pilot, app, "Esc shows the result, ^q quits")
            await pilot.press("f6")
            # and it does not end early any more
            await until(pilot, app, "< somebody leaves >  1 of 5")
            await pilot.press("escape", "escape")
            await ended(pilot, app)
            await pilot.press("l")
            await until(pilot, app, "Log", "Red takes a Bullet card and is champion", "Esc back")
            assert not isinstance(app.screen, GameOverPage)


async def test_a_page_that_is_read_is_not_torn_away_by_the_end(tmp_path: Path) -> None:
    with recorded("panic-fire", "six-rounds", 135, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "round 6")
            await pilot.press("question_mark")
            table.enter("shooter", {"seat": "red"})
            await until(pilot, app, "The game is over.", "ask about the rules")
            assert not isinstance(app.screen, GameOverPage)
            await pilot.press("escape")
            await ended(pilot, app)


async def test_a_game_ended_early_by_the_table_claims_no_winner_and_shows_no_secret(
    tmp_path: Path,
) -> None:
    with recorded("fractured-sky", "virtual-decks", 100, tmp_path) as table:
        before = table.view().game
        app = Dashboard(table, clock=ManualClock(), offers=Offered().offers())
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("f6")
            await until(pilot, app, "somebody leaves")
            await pilot.press("right", "right", "right", "right")
            await until(pilot, app, "game ends early, nobody wins")
            await pilot.press("tab", *"the bus", "enter")
            text = await until(
                pilot, app, "The game was ended early", "Nobody has won: the bus.", "Esc table"
            )
            assert "wins" not in text
            assert "winner" not in text
            assert "1. " not in text, "nobody is placed before another"
            assert "BG Stats" not in text, "there is no result to enter"
            assert "r rematch" in text
            assert table.view().game == before, "what only the end reveals stays hidden"
            await pilot.press("u")
            await until(pilot, app, "Then the game continues. - Enter yes")
            await pilot.press("enter")
            await until(pilot, app, "undo:")
            assert isinstance(app.screen, TableScreen)
            assert not table.view().ended


async def test_no_round_goes_on_in_a_game_that_was_ended_early(tmp_path: Path) -> None:
    with recorded("panic-fire", "six-rounds", 5, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "round 1 of 6", "since fire!")
            table.enter("abandon", {})
            await until(pilot, app, "The game was ended early")
            await pilot.press("escape")
            text = await until(
                pilot, app, "Panic Fire   ended early", "The table ended the game early."
            )
            assert "since fire!" not in text
            await pilot.press("f6")  # of people nothing can be entered, either
            await until(pilot, app, "! The table has ended the game early. Undo that to play on.")
            await pilot.press("f8")
            assert "round 1" not in await until(pilot, app, "Panic Fire   ended early", "██████")


async def test_a_lone_player_who_lost_to_an_ai_reads_to_whom(tmp_path: Path) -> None:
    setup = setup_for(("greedy",), {"difficulty": "hard"})
    for seed in range(30):
        facts = [move.fact for move in moves(setup, random.Random(seed))]
        with table_of(setup, facts, tmp_path) as table:
            ending = table.view().ending
            assert ending is not None
            if ending.winners == ("greedy",):
                (tmp_path / "evening.sqlite").unlink()
                continue
            app = Dashboard(table, clock=ManualClock())
            async with app.run_test(size=(160, 50)) as pilot:
                text = await until(pilot, app, "greedy lost to AI ", "1. ", "Esc table")
                winner = next(
                    player for player in table.view().game.players if player.id == ending.winners[0]
                )
                assert any(
                    f"1. {winner.glyph} {winner.name}" in row and "winner" in row
                    for row in text.split("\n")
                )
                assert "██" in text
            return
    pytest.fail("no such game among thirty")


def test_a_victory_that_is_shared_has_all_names_large_and_one_place() -> None:
    players = tuple(SeatLine(name.lower(), name, "#D55E00", "◆", name[0], score) for name, score in
                    (("Ann", "12"), ("Bo", "7"), ("Cy", "12")))  # fmt: skip
    after = (("1", {"ann": 5, "bo": 7, "cy": 6}), ("2", {"ann": 12, "bo": 7, "cy": 12}))
    ending = Ending(
        ("ann", "cy"),
        "Ann and Cy share the victory with 12 points",
        "They have the same score.",
        after,
    )
    rows = [
        row.plain.rstrip()
        for row in game_over_rows(GameOver(ending, players, "points"), "", 100, 30)
    ]
    assert rows[0].count("██") >= 4
    assert [row.split("  ")[0] for row in rows if "◆" in row][:3] == [
        " 1. ◆ Ann"[1:],
        "1. ◆ Cy",
        "3. ◆ Bo",
    ]
    assert any("+5  +7  winner" in row for row in rows)
    narrow = [row.plain for row in game_over_rows(GameOver(ending, players, "points"), "", 30, 10)]
    assert not any("██" in row for row in narrow)
    assert all(len(row) <= 30 for row in narrow)


def test_where_the_lowest_score_wins_the_others_are_placed_so_too() -> None:
    players = tuple(SeatLine(name.lower(), name, "#D55E00", "◆", name[0], score) for name, score in
                    (("Ann", "90"), ("Bo", "7"), ("Cy", "40")))  # fmt: skip
    ending = Ending(("bo",), "Bo wins with 7 points", "", lowest_wins=True)
    rows = [row.plain for row in game_over_rows(GameOver(ending, players, "points"), "", 100, 30)]
    assert [row.split()[2] for row in rows if "◆" in row][:3] == ["Bo", "Cy", "Ann"]


@pytest.mark.parametrize(
    ("winners", "places"), [((), ["◆ Ann", "◆ Bo"]), (("ann", "bo"), ["1. ◆ Ann", "1. ◆ Bo"])]
)
def test_nobody_is_placed_where_nobody_has_won_nor_behind_another_winner(
    winners: tuple[str, ...], places: list[str]
) -> None:
    players = tuple(SeatLine(name.lower(), name, "#D55E00", "◆", name[0], score) for name, score in
                    (("Ann", "3"), ("Bo", "7")))  # fmt: skip
    ending = Ending(winners, "The game is over", "All of you lost together.")
    rows = [
        row.plain.strip()
        for row in game_over_rows(GameOver(ending, players, "points"), "", 100, 30)
    ]
    assert [
        " ".join(row.split()[:-2] if winners else row.split()[:-1]) for row in rows if "◆" in row
    ] == places


@pytest.mark.usefixtures("sample_game")
async def test_a_game_that_brings_its_rules_alone_ends_as_well(tmp_path: Path) -> None:
    table, chance = (
        begin("pebbles", ("Anna", "Bo"), {}, tmp_path / "pebbles.sqlite"),
        random.Random(3),
    )
    try:
        while legal := [fact for fact in table.legal() if fact.kind == "take"]:
            fact = chance.choice(legal)
            table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            text = await until(pilot, app, "Esc table", "change 1 ")
            assert "wins with" in text or "share the victory" in text
            assert "r rematch" not in text, "nobody offers one here"
    finally:
        table.close()


async def test_each_key_of_the_page_does_what_it_says_and_shows_the_answer(tmp_path: Path) -> None:
    clock, offered = ManualClock(), Offered()
    with whole("skyfire", tmp_path) as table:
        app = Dashboard(table, clock=clock, offers=offered.offers())
        async with app.run_test(size=(80, 24)) as pilot:
            await ended(pilot, app)
            await pilot.press("h")
            await until(pilot, app, JUST_OVER)
            assert offered.done == [], "it was meant for the game"
            clock.now += HELD_S
            await pilot.press("h")
            await until(pilot, app, "ending.report: done", "and said", "Cleo wins with 10 points")
            await pilot.press("g")
            await until(pilot, app, "ending.bgstats: done")
            await pilot.press("r")
        assert offered.done == [REPORT.id, BG_STATS.id, REMATCH.id]
        assert app.return_code == 0


async def test_a_page_that_somebody_opened_takes_its_keys_at_once(tmp_path: Path) -> None:
    offered = Offered()
    with whole("skyfire", tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), offers=offered.offers())
        async with app.run_test(size=(80, 24)) as pilot:
            await ended(pilot, app)
            await pilot.press("escape")
            await until(pilot, app, "shows the result")
            await pilot.press("escape")
            await ended(pilot, app)
            await pilot.press("r")
        assert offered.done == [REMATCH.id]


async def test_the_keys_of_the_page_are_those_a_person_gave_them(tmp_path: Path) -> None:
    clock, offered = ManualClock(), Offered()
    with whole("skyfire", tmp_path) as table:
        app = Dashboard(table, clock=clock, keys={REPORT.id: ("w",)}, offers=offered.offers())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "w report", "Esc table")
            clock.now += HELD_S
            await pilot.press("h", "w")
            await until(pilot, app, "ending.report: done")
    assert offered.done == [REPORT.id]


async def test_a_rematch_is_not_offered_to_fewer_than_can_play(tmp_path: Path) -> None:
    with recorded("panic-fire", "six-rounds", 30, tmp_path) as table:
        for seat in ("blue", "green"):
            table.enter("seat_leaves", {"seat": seat})
        table.enter("abandon", {})
        app = Dashboard(table, clock=ManualClock(), offers=Offered().offers())
        async with app.run_test(size=(80, 24)) as pilot:
            text = await until(pilot, app, "Nobody has won.", "Esc table")
            assert "rematch" not in text


@pytest.mark.parametrize("look", [{"theme": LIGHT}, {"ascii": True}], ids=["light", "ascii"])
async def test_the_page_says_the_same_in_light_and_in_ascii(
    look: dict[str, Any], tmp_path: Path
) -> None:
    with whole("sky-rise", tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), **look)
        async with app.run_test(size=(80, 24)) as pilot:
            text = await until(
                pilot, app, *SAID["sky-rise"], "Nest ", "Tree ", "winner", "Esc table"
            )
    assert text.isascii() == ("ascii" in look)


async def test_the_page_needs_no_color(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with whole("sky-rise", tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, *SAID["sky-rise"], "winner", "Esc table")
            styles = [
                segment.style
                for row in screen_rows(app)
                for segment in row
                if segment.style is not None
            ]
    colors = {
        style.color.triplet
        for style in styles
        if style.color is not None and style.color.triplet is not None
    }
    assert all(len(set(color)) == 1 for color in colors), "shades of gray"


async def test_a_key_that_is_pressed_while_another_is_answered_is_not_done_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, answered = ManualClock(), threading.Event()
    done: list[str] = []

    def write() -> str:
        assert answered.wait(20)
        done.append("report")
        return f"written {len(done)}"

    def say(line: NoticeLine, text: str, view: TableView, *, refused: bool = False) -> None:
        original_say(line, text, view, refused=refused)
        if text == BUSY:
            answered.set()

    original_say = NoticeLine.say
    monkeypatch.setattr(NoticeLine, "say", say)
    with whole("skyfire", tmp_path) as table:
        app = Dashboard(table, clock=clock, offers={REPORT.id: write})
        async with app.run_test(size=(80, 24)) as pilot:
            await ended(pilot, app)
            clock.now += HELD_S
            app.simulate_key("h")
            app.simulate_key("h")
            await until(pilot, app, "written 1", BUSY)
            await pilot.press("h")
            await until(pilot, app, "written 2")
    assert done == ["report"] * 2


async def test_what_comes_for_the_last_page_after_the_end_of_the_app_is_no_fault(
    tmp_path: Path,
) -> None:
    with recorded("fractured-sky", "four-seats", None, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(160, 50)) as pilot:
            await pilot.pause()
            await app.workers.wait_for_complete()
            page = app.screen
            assert isinstance(page, GameOverPage)
        page._take_history(table.inspection.score_history())
        page._take_answer("")
        page.on_resize()
    assert app.crash is None


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_last_page_names_the_key_of_the_tower_that_was_built(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with whole("sky-rise", tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), offers=Offered().offers())
        async with app.run_test(size=size) as pilot:
            await ended(pilot, app)
            await until(pilot, app, "t tower")
            await pilot.press("t")
            await until(pilot, app, "The tower", "level 1 (large)")


BUILT = {
    "panic-fire": (
        "Shots",
        "From fire! to the first shot",
        "● Red    ▲ Blue 3 times, ■ Green 3 times",
    ),
    "skyfire": ("Rounds played", "target", "round 2 of 5"),
}


@pytest.mark.parametrize("size", [(110, 32), (160, 50)])
@pytest.mark.parametrize("game", BUILT)
async def test_where_there_is_room_the_last_page_has_panels_one_of_them_of_the_game(
    game: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with whole(game, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), offers=Offered().offers())
        async with app.run_test(size=size) as pilot:
            await ended(pilot, app)
            text = await until(pilot, app, "Scores, and what each round added", "? keys")
            assert "Scores after each round" in text
            if BUILT[game][0] not in text:  # below the chart
                assert "arrow and page keys scroll" in text
                await pilot.press("end")
            await until(pilot, app, *BUILT[game])


@pytest.mark.parametrize("size", [(110, 32), (160, 50)])
async def test_a_drill_ends_with_a_bar_for_each_time(size: tuple[int, int], tmp_path: Path) -> None:
    with recorded("drills", "plates-with-a-tie", None, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await ended(pilot, app)
            text = await until(pilot, app, "Times of each string, seconds", "Bo wins")
            assert len(re.findall(r"(● Ada|▲ Bo ) █+\S? 0\.\d{3}", text)) == 6
            assert len(re.findall(r"\d  a tie: Ada and Bo, 3 µs apart", text)) == 1
            assert len(re.findall(r"\d  Bo was first", text)) == 2
            assert "2  Bo was first by 9 µs" in text, "both times are shown as 0.250"
            longest = max(re.findall(r"█+(?=\S? 0\.\d{3})", text), key=len)
            assert f"{longest} 0.310" in text


@pytest.mark.parametrize("width", [40, 120])
def test_a_drill_for_one_at_a_time_has_the_bars_of_each_player_together(
    width: int, tmp_path: Path
) -> None:
    with recorded("drills", "reaction-with-a-false-start", None, tmp_path) as table:
        view = table.view()
    rows = [row.plain for row in ended_rows(view.game, width)]
    assert all(len(row) <= width for row in rows)
    text = "\n".join(rows)
    for player in view.players:
        assert f"{player.glyph} {player.name}" in text
    assert "false start" in text
    assert re.search(r" 1 █+\S? 0\.231", text)


@pytest.mark.parametrize("size", SIZES)
async def test_a_game_ended_early_shows_nothing_that_only_the_end_reveals(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("sky-rise", "two-players", 60, tmp_path) as table:
        table.enter("abandon", {})
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            text = await until(pilot, app, "The game was ended early", "Esc table")
            assert "Nest" not in text
            assert "Tree" not in text


@pytest.mark.parametrize(("columns", "merged"), [(76, "4 to 17"), (140, "")])
def test_rounds_in_the_middle_become_one_column_where_they_do_not_fit(
    columns: int, merged: str
) -> None:
    players = tuple(
        SeatLine(name.lower(), name, "#D55E00", "◆", name[0], score)
        for name, score in (("Maximiliane", "20"), ("Bo", "40"))
    )
    after = tuple((str(n), {"maximiliane": n, "bo": 2 * n}) for n in range(1, 21))
    over = GameOver(Ending(("bo",), "Bo wins with 40 points", "", after), players, "points")
    table = [row.plain for row in score_rows(over, columns)]
    assert all(len(row) <= columns for row in table)
    heads = table[0].split()
    assert heads[:4] == ["points", "1", "2", "3"]
    assert heads[-1] == "20"
    gains = [int(gain) for gain in re.findall(r"\+\d+", table[1])]
    assert sum(gains) == 40, "nothing of what Bo scored is missing"
    assert (" to " in table[0]) == bool(merged)


def test_a_game_without_rounds_has_its_changes_in_the_chart_and_no_gains_in_the_table() -> None:
    players = tuple(
        SeatLine(name.lower(), name, "#D55E00", "◆", name[0], score)
        for name, score in (("Ann", "0"), ("Ben", "81"))
    )
    scores = ((501, 501), (0, 501), (0, 81))
    history = tuple(
        ScoreStep(7 * place, "", (), {"ann": ann, "ben": ben}, 7 * place)
        for place, (ann, ben) in enumerate(scores, start=1)
    )
    ending = Ending(("ann",), "Ann wins", "", (("game", {"ann": 0, "ben": 81}),))
    over = GameOver(ending, players, "points left", history=history)
    table = [row.plain for row in score_rows(over, 100)]
    assert [row.split() for row in table] == [
        ["points", "left"],
        ["1.", "◆", "Ann", "0", "winner"],
        ["2.", "◆", "Ben", "81"],
    ]
    text = "\n".join(row.plain for row in game_over_rows(over, "", 74, 40))
    assert re.search(r"change 1 +2 +3", text)
    assert "501" in text


def test_a_narrow_page_has_no_chart_without_room_and_loses_nothing_else() -> None:
    players = tuple(
        SeatLine(name.lower(), name, "#D55E00", "◆", name[0], "9") for name in ("Ann", "Bo", "Cy")
    )
    after = tuple((str(n), {"ann": n, "bo": n, "cy": n}) for n in range(1, 10))
    ending = Ending(("ann",), "Ann wins with 9 points", "A card decided it.", after)
    over = GameOver(ending, players, "points")
    small = "\n".join(row.plain for row in game_over_rows(over, "", 74, 20))
    large = "\n".join(row.plain for row in game_over_rows(over, "", 74, 40))
    for text in (small, large):
        assert "Ann wins with 9 points\nA card decided it." in text
        assert text.count("◆ ") >= 3
    assert "9|" not in small
    assert "9|" in large
