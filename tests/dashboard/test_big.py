"""The big page, reasons, plots, sound and ASCII, as a person sees and hears them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from textual.content import Content

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.big import (
    SIZES as DOTS,
    big_rows,
    can_draw,
    drawn,
    width as letters_width,
)
from companion.dashboard.textual.filters import ascii_sign
from companion.dashboard.widgets.static import Static
from companion.display.panels import SeatLine
from companion.rules.clause_texts import cited, clauses
from companion.rules.seats import GLYPHS
from companion.session.accessories import LAMP
from companion.session.score_history import score_history_of
from companion.session.sound import BUZZER, Sound, SoundSignal
from tests.dashboard.fakes import ManualClock
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import screen_text
from tests.games.panic_fire.screen.views import panic_fire_table, playing

SIZES = ((80, 24), (120, 40), (160, 50))


# -- the big page


def test_a_digit_is_five_dots_high_in_any_size() -> None:
    assert drawn("1", 1, 1) == [" █ ", "██ ", " █ ", " █ ", "███"]
    large = drawn("10", 4, 2)
    assert len(large) == 10
    assert {len(row) for row in large} == {letters_width("10", 4)}


@pytest.mark.parametrize(("columns", "rows"), [(76, 18), (156, 44), (30, 12)])
@pytest.mark.parametrize("seats", [2, 5, 6, 7, 12])
def test_the_big_page_never_leaves_its_room(columns: int, rows: int, seats: int) -> None:
    score = SeatLine("m", "Maximiliane", "#D55E00", "●", "M", "-128", turn=True)
    big = big_rows((score,) * seats, "points", "1:02:41", columns, rows)
    if columns > 30:
        assert max(row.cell_length for row in big) <= columns
        assert len(big) <= rows


async def test_the_big_page_fits_into_what_a_line_below_it_leaves() -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f8")
        await pilot.pause()
        text = app.screen.query_one("#text", Static)
        room = text.content_size.height
        assert isinstance(text.content, Content)
        assert len(text.content.plain.split("\n")) == room
        app.screen.query_one("#close").styles.height = 3
        await pilot.pause()
        await pilot.pause()
        assert text.content_size.height == room - 2
        assert len(text.content.plain.split("\n")) <= room - 2


@pytest.mark.parametrize("size", SIZES)
async def test_scores_and_names_stand_on_the_big_page_and_its_key_closes_it(
    size: tuple[int, int],
) -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("f8")
        await pilot.pause()
        text = screen_text(app)
        for essential in ("round 2 of 6", "◆ Red", "Bullet cards", "██", "> Round 2 is open"):
            assert essential in text
        assert in_large_letters("OUT", text)
        assert "SHIELD" in text or in_large_letters("SHIELD", text)
        await pilot.press("f8")
        await pilot.pause()
        assert "big or small" not in screen_text(app)


def in_large_letters(words: str, text: str) -> bool:
    """Return whether the words are on the screen in large letters, by their first and last letters."""
    if not can_draw(words):
        return False
    letters = (drawn(words, *dot) for dot in DOTS)
    return any(rows[0].strip() in text and rows[-1].strip() in text for rows in letters)


@pytest.mark.parametrize(("columns", "rows"), [(76, 18), (156, 44), (196, 54)])
@pytest.mark.parametrize("name", ["Bo", "Maximiliane", "Emilia van der Laan", "Żółć"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_no_name_is_cut_and_who_is_out_is_so_in_large_letters(
    seats: int, name: str, columns: int, rows: int
) -> None:
    last = SeatLine("z", name, "#D55E00", "●", "Z", "3", idle=True, note="eliminated")
    first = SeatLine("a", name, "#D55E00", "▲", "A", "12", turn=True)
    text = "\n".join(
        row.plain
        for row in big_rows((*(first,) * (seats - 1), last), "points", "0:41", columns, rows)
    )
    assert len(text.split("\n")) <= rows
    assert all(word in text for word in name.split()) or in_large_letters(name.upper(), text)
    assert in_large_letters("OUT", text)
    assert "eliminated" in text or in_large_letters("ELIMINATED", text)
    assert "TURN" in text or in_large_letters("TURN", text)
    assert "points" in text


@pytest.mark.parametrize(("columns", "rows"), [(76, 18), (156, 44), (196, 54)])
@pytest.mark.parametrize("seats", [7, 11, 12])
def test_more_players_than_fit_beside_each_other_stand_in_two_lines(
    seats: int, columns: int, rows: int
) -> None:
    players = [
        SeatLine(f"s{n}", f"Name{n}", "#D55E00", glyph, str(n), "12", turn=n == 8)
        for n, glyph in enumerate(GLYPHS)
    ]
    lines = [row.plain for row in big_rows(players[:seats], "points", "", columns, rows)]
    assert len(lines) <= rows
    text = "\n".join(lines)
    for n in range(seats):
        assert f"Name{n} " in text.replace("\n", " ") or in_large_letters(f"NAME{n}", text)
    in_each = [sum(glyph in row for glyph in GLYPHS[:seats]) for row in lines]
    assert [count for count in in_each if count] == [(seats + 1) // 2, seats // 2]
    assert in_large_letters("12", text)


@pytest.mark.parametrize(("columns", "rows"), [(76, 20), (106, 26), (156, 44)])
def test_each_score_has_its_unit_and_each_counter_of_the_hand_is_in_large_letters(
    columns: int, rows: int
) -> None:
    players = [
        SeatLine(name, name, "#D55E00", glyph, name[0], "0", words=(f"points taken {taken}",))
        for name, glyph, taken in (("North", "●", 13), ("East", "▲", 1), ("South", "■", 27))
    ]
    text = "\n".join(
        row.plain for row in big_rows(players, "points", "", columns, rows, counters=True)
    )
    assert in_large_letters("13", text)
    assert in_large_letters("27", text)
    assert re.findall(r"points taken|points", text) == ["points"] * 3 + ["points taken"] * 3
    plain = "\n".join(row.plain for row in big_rows(players, "points", "", columns, rows))
    assert "points taken 13" not in text
    assert "points taken 13" in plain


@pytest.mark.parametrize("size", SIZES)
async def test_the_signal_of_a_drill_is_in_large_letters(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("drills", "plates-with-a-tie", 8, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.press("f8")
            await pilot.pause()
            assert in_large_letters("GO", screen_text(app))


async def test_an_audience_sees_the_big_page_at_once_and_goes_on_seeing_it(tmp_path: Path) -> None:
    with recorded("panic-fire", "sudden-death", 10_000, tmp_path) as table:
        assert table.view().ending is not None
        app = Dashboard(table, clock=ManualClock(), big=True)
        async with app.run_test(size=(160, 50)) as pilot:
            await pilot.pause()
            await pilot.pause()
            text = screen_text(app)
            assert "Esc back to the table" in text
            assert "Bullet cards" in text
            assert in_large_letters("WINNER", text)
            assert not in_large_letters("OUT", text), "of the last round, which is over"


# -- reasons


def test_a_clause_is_found_by_its_id_without_its_markup() -> None:
    assert cited("Blue shot Red: Red is out (PF-12), as before (PF-R2; PF-12)") == (
        "PF-12",
        "PF-R2",
    )
    clause = clauses("panic-fire").get("PF-12")
    assert clause is not None
    assert clause.startswith("A Shield in play is spent on the shot")
    assert "`" not in clause
    assert "PF-13" not in clause
    assert "PF-99" not in clauses("panic-fire")
    assert "PF-1" not in clauses("no-such-game")


async def test_enter_on_a_line_of_the_log_tells_why_it_stands(tmp_path: Path) -> None:
    with recorded("panic-fire", "six-rounds", 58, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("l", "up", "enter")
            await app.workers.wait_for_complete()
            await pilot.pause()
            text = screen_text(app)
            await pilot.press("escape")
            await pilot.pause()
            assert "arrow and page keys" in screen_text(app)
    assert "Green shot Red: Red is out (PF-12)" in text
    assert "on the board's clock" in text
    assert "PF-12       A Shield in play is spent on the shot" in text
    assert "Scores: Green 0 to 1" in text


async def test_a_refusal_is_opened_with_the_clause_that_refuses() -> None:
    table = panic_fire_table()
    table.refuse("Red is out; expected a seat that is in (PF-13)")
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+r")
        await app.workers.wait_for_complete()
        await pilot.pause()
        text = screen_text(app)
    assert "Refused     Red is out; expected a seat that is in (PF-13)" in text
    assert "PF-13       Who is out takes all cards off the table at once" in text


async def test_older_refusals_are_opened_too_with_what_stood_then() -> None:
    table = panic_fire_table()
    table.refuse("Red is out; expected a seat that is in (PF-13)")
    table.refuse("no shot waits for a name; expected a shot (PF-10)")
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(120, 50)) as pilot:
        await pilot.press("ctrl+r")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "1 earlier refusal below: End" in screen_text(app)
        await pilot.press("end")
        await pilot.pause()
        last, earlier = screen_text(app).split("Earlier refusals, the newest first")
    assert "Refused     no shot waits for a name" in last
    assert "Refused     Red is out; expected a seat that is in (PF-13)" in earlier
    assert "When        1.0 s ±0.1 s, by key" in earlier
    assert f"Awaited     {table.current.awaiting[:40]}" in earlier
    assert "PF-13       Who is out takes all cards off the table at once" in earlier


async def test_enter_on_the_log_explains_nothing_while_no_line_is_chosen() -> None:
    table = panic_fire_table()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "enter")
        await pilot.pause()
        assert "do nothing here: Esc goes back" in screen_text(app)
        assert len(app.screen_stack) == 2
    assert table.done == []


# -- the history of the scores


def test_the_course_names_the_rulings_behind_each_score(tmp_path: Path) -> None:
    with recorded("panic-fire", "six-rounds", 58, tmp_path) as table:
        history = table.inspection.score_history()
        setup = table.view().setup
        assert score_history_of(table.game, setup, ()) == ()
    assert [step.changed for step in history] == [(("red", 0, 1),), (("green", 0, 1),)]
    assert history[-1].scores == {"red": 1, "blue": 0, "green": 1}


# -- sound


def test_sound_is_off_until_somebody_turns_it_on() -> None:
    rung: list[str] = []
    sound = Sound(lambda: rung.append("bell"), lambda *_: False)
    sound.give(SoundSignal.ASKED)
    assert rung == []
    sound.on = True
    sound.give(SoundSignal.ASKED)
    assert rung == ["bell"]


async def test_fire_lights_the_lamp_and_sounds_the_buzzer_instead_of_the_bell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = panic_fire_table()
    begun = table.current.game
    table.current = playing(game=replace(begun, phase="ready", fire=None))
    table.buzzes = True
    rung: list[str] = []
    app = Dashboard(table, clock=ManualClock())
    monkeypatch.setattr(app.at_table.sound, "_bell", lambda: rung.append("bell"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f9")
        await pilot.pause()
        assert "Sound is on." in screen_text(app)
        table.publish(game=begun)
        await pilot.pause()
    assert [output for output, _ in table.cues] == [LAMP, BUZZER]
    assert rung == []


async def test_a_refusal_rings_the_bell_where_there_is_no_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, rung = panic_fire_table(), []
    app = Dashboard(table, clock=ManualClock(), sound=True)
    monkeypatch.setattr(app.at_table.sound, "_bell", lambda: rung.append("bell"))
    async with app.run_test(size=(80, 24)) as pilot:
        table.refuse("not now")
        await pilot.pause()
    assert rung == ["bell"]


# -- ASCII


def test_the_glyphs_of_seats_stay_apart_in_ascii() -> None:
    signs = [ascii_sign(glyph) for glyph in GLYPHS]
    assert len(set(signs)) == len(GLYPHS)
    assert all(sign.isascii() and len(sign) == 1 for sign in signs)
    assert ascii_sign("é") == "e"
    assert ascii_sign("名") == "??"


@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("panic-fire", "six-rounds"),
        ("skyfire", "misfires-by-hand"),
        ("sky-rise", "two-players"),
        ("fractured-sky", "two-seats-and-an-ai"),
    ],
)
async def test_in_ascii_no_screen_has_another_sign(game: str, name: str, tmp_path: Path) -> None:
    with recorded(game, name, 30, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), ascii=True)
        async with app.run_test(size=(120, 40)) as pilot:
            for keys in ((), ("v",), ("f8",), ("c",), ("ctrl+r",)):
                await pilot.press(*keys)
                await app.workers.wait_for_complete()
                await pilot.pause()
                assert screen_text(app).isascii()
                await pilot.press("escape")
