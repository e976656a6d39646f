"""The forms for corrections: typed text is text, refusals stay, and the game continues."""

from __future__ import annotations

import asyncio
import re
import shlex
from typing import Any

import pytest
from textual.app import App
from textual.events import Key
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.correcting.facts import PEOPLE, EnterForm, InsertForm
from companion.dashboard.screens.correcting.page import UNREAD
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.widgets.form import LABEL_CELLS, FieldRow, Several, TextField
from companion.rules.facts import Seat, Setup, called
from companion.rules.form_fields import asked_for, example
from companion.rules.forms import fields_of
from companion.rules.gestures import GestureSettings
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.rules.typed_facts import from_words
from companion.session.marshal_view import RulingLine
from companion.session.rereading import Change
from companion.session.views import Level
from tests.dashboard.correcting import marshal_table, moment, record, troubled
from tests.dashboard.fakes import ManualClock, line, rereading
from tests.dashboard.screen import form_text, screen_text, until
from tests.games.panic_fire.screen.views import LOG

SIZES = [(80, 24), (160, 50)]
LABEL_ROOM = 44  # letters of an answer beside its label and its number, in a form of 80 columns


async def form_of(
    pilot: Pilot[None], app: App[None], *keys: str, until_text: str = "Enter save"
) -> None:
    """Open *Fix mistakes*, press the keys, and wait for a form."""
    await pilot.press("c")
    await until(pilot, app, "Board reports")
    await pilot.press(*keys)
    await until(pilot, app, until_text)


def flat(app: App[None]) -> str:
    return " ".join(screen_text(app).replace("│", " ").split())


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
@pytest.mark.parametrize("keys", [("f5",), ("f6",), ("c", "f2"), ("c", "f3"), ("c", "x")])
async def test_a_form_covers_no_prompt_and_in_a_large_window_it_is_beside_the_page(
    size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    app = Dashboard(marshal_table(record(30)), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        await until(pilot, app, "Esc c")
        box, page = app.screen.query_one("#form").region, app.screen_stack[-2]
        assert not box.overlaps(page.query_one("#awaiting").region)
        assert app.size.region.contains_region(box)
        if size[0] >= 110:
            assert not box.overlaps(page.query("#below, #columns").first().region)
        assert "Enter save" in form_text(app) or "Enter choose" in form_text(app)


@pytest.mark.parametrize("size", SIZES)
async def test_an_amendment_begins_with_the_fact_as_it_stands(size: tuple[int, int]) -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await form_of(pilot, app, "f2")
        text = screen_text(app)
        for essential in (
            "Change: Blue draws, number 3",
            "> player",
            "< Blue >  2 of 5",
            "reason",
            "< the table >",
        ):
            assert essential in text
        await pilot.press("right", "tab", *"quick hands", "down", "g", "enter")
        await pilot.pause()
        assert "Amend" not in screen_text(app)
    assert table.put == [("amend", 11, {"seat": "green"}, "quick hands", "green")]
    assert table.done == []


async def test_a_number_that_is_typed_replaces_the_one_that_stands_in_the_field() -> None:
    body = {"seat": "red", "score": 3, "reason": "counted again"}
    table = marshal_table(
        record(3, RulingLine(12, "score_set", body, "Red's score is set", None, (), True))
    )
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f2")
        await pilot.press("tab", "5", "enter")
        await pilot.pause()
    assert table.put == [("amend", 12, {**body, "score": 5}, "", "")]


async def test_the_form_stays_where_it_is_while_new_rulings_come_in_behind_it() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f2", "tab")
        await pilot.press(*"why n")
        table.marshalled = record(5)
        table.publish(log=(*LOG, line(40, "Blue draws")))
        await until(pilot, app, "Blue draws, number 5")
        assert "Change: Blue draws, number 3" in screen_text(app)
        assert "why n" in screen_text(app)
        await pilot.press(*"ot", "enter")
    assert table.put == [("amend", 11, {"seat": "blue"}, "why not", "")]


async def test_letters_in_a_form_are_text_and_no_key_of_the_game() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "x")
        await pilot.press(*"1qux?zlc", "space", *"j")
        await pilot.pause()
        assert "1qux?zlc j" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "Delete" not in screen_text(app)
    assert table.done == []
    assert table.put == []


async def test_a_refusal_stays_in_the_form_without_its_clause() -> None:
    table = marshal_table(record(3), notice=None)
    table.refuses = "Green is out of this round. Name a player who is still in."
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f2", "right", "enter")
        await until(pilot, app, f"! {table.refuses}")
        await pilot.pause()
        assert screen_text(app).count("Green is out of this round") == 1, "not behind the form, too"
        assert "< Green >" in screen_text(app)
        table.refuses = ""
        await pilot.press("left", "enter")
        await pilot.pause()
        assert "Amend" not in screen_text(app)
    assert table.put == [("amend", 11, {"seat": "blue"}, "", "")]


async def test_what_was_refused_is_no_news_any_more_once_the_form_is_accepted() -> None:
    table = marshal_table(record(3), notice=None)
    table.refuses = "Red has left already. Choose somebody else."
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f6", "tab", "r", "enter")
        await until(pilot, app, "! Red has left already.")
        table.refuses = ""
        await pilot.press("enter")
        await pilot.pause()
        assert "People and scores" not in screen_text(app)
        assert "Red has left already" not in screen_text(app)


async def test_a_field_that_makes_no_sense_is_refused_before_the_table_hears_of_it() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f6")
        await pilot.press("left", "enter")
        await pilot.pause()
        assert (
            "! Player is missing. Choose one with the arrow keys or by its first letter."
            in flat(app)
        )
        await pilot.press("right", "enter")
        await pilot.pause()
        assert "! New score is missing. Enter it, for example 3." in flat(app)
        await pilot.press(*"many", "tab", *"lost a card", "enter")
        await pilot.pause()
        assert (
            "! New score: 'many' does not fit. It takes a whole number from -100000 to 100000."
            in flat(app)
        )
        await pilot.press("shift+tab", *["backspace"] * 4, *"-3", "enter")
    assert table.put == [
        ("enter", "score_set", {"seat": "red", "score": -3, "reason": "lost a card"}, "", "")
    ]


async def test_taking_back_needs_one_more_key_and_may_say_who_and_why() -> None:
    table = marshal_table(troubled())
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "x", until_text="Delete: Red shot Blue")
        await pilot.press(*"two at once", "tab", "right", "enter")
        await pilot.press("up", "x")
        await until(pilot, app, "Restore: the table eliminates Red")
        await pilot.press("enter")
    assert table.put == [("take_back", 24, "two at once", "red"), ("take_back", 23, "", "")]


def about(ms: int, pm_ms: int) -> dict[str, Any]:
    """Return a moment as exact as a typed one."""
    return moment(ms).model_copy(update={"pm": pm_ms * 1000}).model_dump()


async def test_a_time_that_is_none_is_refused_in_the_form() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "up", "f3", "1", until_text="after Blue draws, number 2")
        await pilot.press(*["tab"] * 4)
        for word in ("soon", "+1.2.3", "1e3", "-4", "+0.1234567"):
            await pilot.press(*word, "enter")
            await pilot.pause()
            assert f"! '{word}' is not a time here. It takes seconds such as +1.000." in flat(app)
            await pilot.press("ctrl+u")
    assert table.put == []


@pytest.mark.parametrize(
    ("keys", "put"),
    [
        ((), ("insert", "draw", {"seat": "red"}, 8, "", "")),
        (
            (*["tab"] * 4, *"+1.000"),
            ("insert", "draw", {"seat": "red", "at": moment(1000).model_dump()}, 8, "", ""),
        ),
        (
            (*["tab"] * 4, *"+1.2"),
            ("insert", "draw", {"seat": "red", "at": about(1200, 50)}, 8, "", ""),
        ),
        (
            (*["tab"] * 3, "right", "tab", *"+2"),
            ("enter", "draw", {"seat": "red", "at": about(2000, 500)}, "", ""),
        ),
        ((*["tab"] * 3, "right"), ("enter", "draw", {"seat": "red"}, "", "")),
        ((*["tab"] * 3, "left"), ("insert", "draw", {"seat": "red"}, 0, "", "")),
    ],
    ids=[
        "behind",
        "at the same time",
        "at a time of its own",
        "now, of a time before",
        "now",
        "first",
    ],
)
async def test_a_missed_ruling_goes_behind_the_cursor_now_or_first(
    keys: tuple[str, ...], put: tuple[Any, ...]
) -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "up", "f3", "1", until_text="after Blue draws, number 2")
        await until(pilot, app, "> player             < choose >")
        await pilot.press("r", *keys, "enter")
    assert table.put == [put]


async def test_every_kind_of_fact_can_be_asked_for_on_a_small_screen() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f3", "8")
        for _ in open_game("panic-fire").facts:
            await pilot.press("right")
            await pilot.pause()
            rows = [row for row in screen_text(app).split("\n") if row.strip()]
            assert any("Enter save" in row for row in rows)
            assert any("decided by " in row for row in rows)
    assert app.crash is None


async def test_nobody_leaves_before_somebody_was_chosen() -> None:
    table = marshal_table(record(3), notice=None)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f6", "enter")
        await until(
            pilot,
            app,
            "player             < choose >  one of 5",
            "! Player is missing. Choose one with the arrow keys or by its first letter.",
        )
        assert table.put == []
        await pilot.press("left", "enter")
        await pilot.pause()
    assert table.put == [("enter", "seat_leaves", {"seat": "purple"}, "", "")], (
        "left of the first is the last"
    )


async def test_a_sign_that_only_looks_like_a_number_chooses_nobody() -> None:
    table = marshal_table(record(3), notice=None)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f6", "tab")
        app.post_message(Key("superscript_two", "²"))  # a key of its own on a French keyboard
        await pilot.press("enter")
        await until(pilot, app, "! Player is missing.")
    assert app.crash is None


def test_only_who_is_there_is_offered_to_leave_and_anybody_for_a_score_or_in_the_past() -> None:
    table = marshal_table(record(3), left=frozenset({"red", "blue"}))
    everybody = ["red", "blue", "green", "yellow", "purple"]
    now, before = (
        EnterForm(table, PEOPLE),
        InsertForm(table, None, (), MomentWriter(UNREAD, ()), None),
    )
    offered = {
        form: [seat for seat, _ in form.asked("seat_leaves")[0].choices] for form in (now, before)
    }
    assert offered == {now: ["green", "yellow", "purple"], before: everybody}
    for kind in ("score_set", "seat_changes"):
        assert [seat for seat, _ in now.asked(kind)[0].choices] == everybody


async def test_nobody_is_asked_to_leave_where_nobody_is_left() -> None:
    table = marshal_table(record(3), left=frozenset({"red", "blue", "green", "yellow", "purple"}))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f6")
        await until(pilot, app, "< somebody joins, or comes back >  1 of 4")


async def test_people_come_and_go() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f6")
        await until(pilot, app, "< somebody leaves >")
        await pilot.press("tab", "y", "enter")
        await pilot.press("f6", "enter", "shift+tab", "right")
        await until(pilot, app, "> what happened      < somebody joins")
        assert "is missing" not in screen_text(app)
        await until(pilot, app, "name")
        await pilot.press("tab", *"Zoe", "enter")
        await pilot.pause()
    assert [(method, kind) for method, kind, *_ in table.put] == [
        ("enter", "seat_leaves"),
        ("enter", "seat_joins"),
    ]
    assert table.put[0][2] == {"seat": "yellow"}
    assert table.put[1][2]["name"] == "Zoe"


@pytest.mark.parametrize("size", SIZES)
async def test_reading_again_shows_the_difference_and_appends_it_only_when_accepted(
    size: tuple[int, int],
) -> None:
    table = marshal_table(troubled())
    table.readings = differences
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await form_of(pilot, app, "f4")
        await until(pilot, app, "These settings are in use")
        await pilot.press("tab", *"200")
        await until(pilot, app, "found the gun fired, hit +12.0 ms")
        text = flat(app)
        assert "lost dry pull" in text
        assert "Scores: Red 1 -> 0, Blue 0 -> 1" in text
        assert "! Blue draws, number 1: no longer possible, Blue is out" in text
        await pilot.press("tab", "tab", "tab", *"weak piezo", "enter")
        await pilot.pause()
        assert "Read the evidence" not in screen_text(app)
    assert table.put == [("accept", GestureSettings(min_peak=200), "weak piezo", "")]


@pytest.mark.parametrize("size", SIZES)
async def test_a_long_difference_is_moved_with_the_page_keys_and_leaves_the_keys_in_sight(
    size: tuple[int, int],
) -> None:
    table = marshal_table(troubled())
    changes = tuple(Change("found", f"shot number {n}", ()) for n in range(1, 61))
    table.readings = lambda settings: rereading(settings, changes=changes)
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await form_of(pilot, app, "f4", until_text="shot number 1")
        assert "Enter save   Esc cancel" in screen_text(app)
        await pilot.press(*["pagedown"] * 12)
        await until(pilot, app, "found shot number 60")


async def test_leaving_the_reading_leaves_all_as_it_is() -> None:
    table = marshal_table(troubled())
    table.readings = differences
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f4", "tab", "2")
        await until(pilot, app, "found the gun fired")
        await pilot.press("escape")
        await pilot.pause()
        assert "Read the evidence" not in screen_text(app)
    assert table.put == []


async def test_a_record_that_grows_is_read_again_before_anything_is_accepted() -> None:
    table = marshal_table(troubled())
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f4", until_text="These settings are in use")
        table.readings = differences_of("found", "Green draws")
        table.publish(log=(*LOG, line(40, "Green draws")))
        app.screen.catch_up()  # type: ignore[attr-defined]
        await until(pilot, app, "found Green draws")
    assert table.put == []


async def test_settings_without_sense_are_not_read_with() -> None:
    table = marshal_table(troubled())
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "f4", until_text="These settings are in use")
        await pilot.press(*"00", "enter")
        await until(pilot, app, "! Pull to hit, ms: a whole number up to 1000, not '3000'")
        await pilot.press(*["backspace"] * 4)
        await until(pilot, app, "! pull to hit, ms: a whole number is missing")
    assert table.put == []


async def test_each_kind_of_step_is_automatic_proposed_or_manual() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f5")
        await until(pilot, app, "target and shooter < counted at once >")
        assert "draws              < you are asked first >" in screen_text(app)
        await pilot.press("down", "e", "down", "y", "enter")
        await pilot.pause()
        assert "How each kind" not in screen_text(app)
    assert table.put == [("level", "draws", Level.MANUAL), ("level", "shots", Level.PROPOSED)]


@pytest.mark.parametrize("keys", [("f2",), ("l", "f2"), ("v", "f2")])
async def test_where_there_is_nothing_to_amend_the_key_says_where_it_works(
    keys: tuple[str, ...],
) -> None:
    app = Dashboard(marshal_table(record(3)), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*keys)
        await until(pilot, app, "! Choose the line to change first: c, then the arrow keys")


async def test_evidence_is_not_amended() -> None:
    app = Dashboard(marshal_table(troubled()), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await form_of(pilot, app, "tab", "f2", until_text="! Only lines of the log can be changed")
        assert len(app.screen_stack) == 2


async def test_the_verbs_are_in_the_palette_for_terminals_without_function_keys() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c", "ctrl+p")
        await pilot.pause()
        await pilot.press(*"automation:")
        await until(pilot, app, "automation: Choose what happens")
        async with asyncio.timeout(10):
            while "fire!: " in screen_text(app):
                await pilot.pause()
        await pilot.press("enter")
        await until(pilot, app, "What happens automatically?")


async def test_the_next_form_offers_who_joined_meanwhile() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        setup = table.current.setup
        zoe = Seat("zoe", "Zoe", "#E69F00", "✚", "Z")
        table.publish(setup=type(setup)(setup.game, 1, (*setup.seats[:4], zoe)))
        await pilot.press("f6", "tab", "z", "enter")
    assert table.put == [("enter", "seat_leaves", {"seat": "zoe"}, "", "")]


def differences(settings: GestureSettings) -> Any:
    """Return no difference for the settings in force; for others the dry pull becomes a shot."""
    if settings == GestureSettings():
        return rereading(settings, before={"red": 1, "blue": 0}, after={"red": 1, "blue": 0})
    changes = (
        Change("found", "the gun fired, hit +12.0 ms", (20, 21)),
        Change("lost", "dry pull", (20, 21)),
    )
    broken = {5: "PF-9: Blue is out"}
    return rereading(
        settings,
        changes=changes,
        before={"red": 1, "blue": 0},
        after={"red": 0, "blue": 1},
        broken=broken,
    )


def differences_of(sign: str, text: str) -> Any:
    return lambda settings: rereading(settings, changes=(Change(sign, text, ()),))


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (160, 50)])
async def test_the_mistakes_made_most_often_come_first_and_all_else_behind_them(
    size: tuple[int, int],
) -> None:
    app = Dashboard(marshal_table(record(3)), clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        await pilot.press("f3", "9")
        await until(pilot, app, "! 9 is not an answer here. Press a key shown.")
        for place, fix in enumerate(open_game("panic-fire").fixes, start=1):
            assert f"{place} {fix.label[:1].upper()}{fix.label[1:]}" in screen_text(app)
        assert "8 Something else" in screen_text(app)
        assert "Esc close" in screen_text(app)


async def test_a_missed_draw_takes_the_menu_its_number_the_player_and_enter() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "1", "g", "enter")
        await pilot.pause()
    assert table.put == [("enter", "draw", {"seat": "green"}, "", "")]


async def test_a_wrong_shooter_is_changed_without_looking_for_the_line() -> None:
    named = [
        RulingLine(n, "shooter", {"seat": seat}, f"{seat} shot", moment(2000 + n), (), True)
        for n, seat in ((30, "red"), (31, "blue"))
    ]
    table = marshal_table(record(3, *named))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "4")
        await until(pilot, app, "< blue shot >  1 of 2")
        assert "> shooter            < Blue >" in screen_text(app)
        await pilot.press("g", "enter")
        await pilot.press("f3", "4")
        await until(pilot, app, "< blue shot >  1 of 2")
        await pilot.press("shift+tab", "right")
        await until(pilot, app, "shooter            < Red >")
        await pilot.press("tab", "y", "enter")
        await pilot.pause()
    assert table.put == [
        ("amend", 31, {"seat": "green"}, "", ""),
        ("amend", 30, {"seat": "yellow"}, "", ""),
    ]


async def test_a_missed_shot_offers_the_pulls_that_did_not_count() -> None:
    table = marshal_table(troubled())
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "2")
        await until(pilot, app, "dry pull")
        await pilot.press("enter")
        await pilot.pause()
    assert table.put == [("enter", "promote", {"entry": 22}, "", "")]


async def test_where_no_pull_was_discounted_a_missed_shot_is_a_new_one() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "2")
        await until(pilot, app, "hit after pull")
        await pilot.press("r", "tab", "b", "enter")
        await pilot.pause()
    assert table.put == [("enter", "shot", {"target": "red", "shooter": "blue"}, "", "")]


async def test_what_only_a_board_measures_is_asked_last() -> None:
    app = Dashboard(marshal_table(record(3)), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "2")
        await until(pilot, app, "hit after pull")
        asked = [row.field for row in app.screen.query(FieldRow)]
    assert asked == ["target", "shooter", "why", "who", "in the log", "lag_us", "peak"], (
        "what one at the table knows comes first"
    )


async def test_a_mistake_of_which_the_log_has_nothing_yet_is_said() -> None:
    app = Dashboard(marshal_table(record(3)), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3", "4")
        await until(pilot, app, "! Wrong shooter: nothing of the kind is in the log yet")


def test_a_row_of_boxes_says_how_they_are_marked_and_not_how_their_names_are_typed() -> None:
    typed = "players with commas between: Ada, Bo; for example Ada,Bo"
    boxes = Several([("ada", "Ada"), ("bo", "Bo")])
    assert (
        FieldRow("players", boxes, typed).hint
        == "left and right move, the space bar marks; so does a number or letter"
    )
    assert FieldRow("players", TextField(), typed).hint == typed


@pytest.mark.parametrize("game_id", GAMES)
def test_every_form_of_every_game_speaks_the_players_words(game_id: str) -> None:
    game = open_game(game_id)
    setup = Setup(game_id, game.rules_version, seats_from_names(["Ada", "Bo"]))
    assert 3 <= len(game.fixes) <= 8
    assert all(
        kind in game.facts and not game.facts[kind].secret
        for fix in game.fixes
        for kind in fix.kinds
    )
    for kind, fact in game.facts.items():
        assert "_" not in called(kind, fact)
        assert len(called(kind, fact)) <= LABEL_ROOM, kind
        for field in fields_of(fact, setup):
            assert len(field.label) <= LABEL_CELLS - 2, (kind, field.label)
            assert not {"_", "promote", "entry", "pm", "us"} & set(
                re.findall(r"[a-z]+|_", field.label)
            ), field
            assert field.label not in ("by", "of", "basis", "seat")
            hint = asked_for(field)
            assert ": " in hint or "one of" in hint or "example" in hint or hint == "yes or no", (
                kind,
                hint,
            )
        examples = [f"{field.name}={example(field)}" for field in fields_of(fact, setup)]
        from_words(game, setup, shlex.join([kind, *examples]))
