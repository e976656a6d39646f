"""The start screens: what to play, asked in a few simple steps."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.dashboard.start.app import (
    NUMBER_TWICE,
    NUMBER_WAS_ENOUGH,
    TWICE_S,
)
from companion.dashboard.start.choices import (
    InBrowser,
    Learn,
    LookOn,
    NewGame,
    Past,
    Resume,
    Search,
    people_words,
    port_of,
)
from companion.dashboard.start.new_game import step_rows
from companion.dashboard.start.plan import (
    boxes_of,
    checklist_of,
    components_of,
    known_names,
    options_of,
    refused,
)
from companion.dashboard.textual.key_queue import ENTER_AFTER_NUMBER_S
from companion.dashboard.widgets.form import TextField
from companion.rules.registry import GAMES, open_game
from companion.teach.finding import lesson_names
from tests.commands.ran import Ran
from tests.dashboard.before_a_game import FRIDAY, SUNDAY
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.dashboard.starting import BOARD, chosen, press, search, start, type_names


@pytest.fixture
def searching() -> Iterator[Search]:
    made = search(None)
    yield made
    made.stop()


# -- the way through


def test_a_person_is_offered_once_whatever_the_capitals_as_the_name_was_written_last() -> None:
    past = [replace(FRIDAY, names=("ANNA", "Zoë")), replace(FRIDAY, names=("Anna", "zoë", "red"))]
    assert known_names(past, ["Ben"]) == ["Ben", "ANNA", "Zoë"]


def test_a_person_is_offered_once_in_whatever_form_of_unicode() -> None:
    past = [replace(FRIDAY, names=("Zo\u00eb", "Bo")), replace(FRIDAY, names=("Zoe\u0308", "Bo"))]
    assert known_names(past, []) == ["Zo\u00eb", "Bo"]


async def test_enter_all_the_way_begins_a_game() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter", "enter", "enter")
    assert chosen(app) == NewGame("panic-fire", ["red", "blue"], {}, "packaged", None)
    assert components_of(chosen(app)) == {}
    assert port_of(chosen(app).port, app.search.found) == "none"


async def test_where_there_is_room_panels_show_the_games_or_the_last_sessions() -> None:
    first, again = start(), start(FRIDAY, SUNDAY)
    async with first.run_test(size=(110, 32)) as pilot:
        await pilot.pause()
        text = screen_text(first)
        assert "─ Games ─" in text
        for card in GAMES.values():
            assert f"{card.title}  {card.player_count}" in text
    async with again.run_test(size=(110, 32)) as pilot:
        await pilot.pause()
        text = screen_text(again)
        assert "─ Last sessions ─" in text
        assert "Panic Fire  not finished" in text
        assert "SkyFire  finished" in text
        assert "Dora, Emil, Anna" in text
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        text = screen_text(again)
        assert "─" not in text
        assert "> 1 continue Panic Fire   Anna, Ben, Carl" in text


@pytest.mark.parametrize("size", [(110, 32), (160, 50)])
async def test_before_a_game_a_panel_says_what_to_put_on_the_table(size: tuple[int, int]) -> None:
    game = NewGame("fractured-sky", ["Anna", "Ben", "Carl"], box="packaged")
    app = start(game=game)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        text = screen_text(app)
        assert "─ Set up ─" in text
        assert "1 Lay out the side of the board with 8 regions" in text
        if "Whoever covers Gold on a slot takes it." not in text:
            assert "The rest: press 6." in text


@pytest.mark.parametrize("card", GAMES.values(), ids=lambda card: card.id)
async def test_every_step_of_every_game_fits_the_smallest_screen_without_color(
    card: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = start(FRIDAY, SUNDAY)
    place = str(list(GAMES).index(card.id) + 1)
    async with app.run_test(size=(80, 24)) as pilot:
        steps = ["4", "5"] if card.box else ["4"]
        for keys in (
            ("2",),
            (place,),
            ("enter",),
            ("3",),
            ("end",),
            *(("escape", step) for step in steps),
        ):
            await press(pilot, *keys)
            rows = screen_text(app).split("\n")
            assert len(rows) == 24
            assert rows[1].strip()
            assert "Esc back   Ctrl+Q quit" in "\n".join(rows[-4:])
            assert any(row.startswith("  > ") for row in rows)


async def test_the_keys_stay_in_sight_where_the_rest_has_no_room() -> None:
    app = start()
    async with app.run_test(size=(60, 18)) as pilot:
        await press(pilot, "enter", "1", *"red", "tab", *"Red", "enter")
        text = " ".join(screen_text(app).split())
        assert "! Two seats are called 'Red'. Give each player another name." in text
        assert text.endswith("Esc back Ctrl+Q quit")


async def test_escape_goes_a_step_back_and_keeps_what_was_chosen() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "2")
        await type_names(pilot, "Anna", "Ben", "Carl")
        await press(pilot, "enter", "3", "enter", "escape", "escape", "escape")
        assert "Which game?" in screen_text(app)
        await press(pilot, "enter")
        assert [line.value for line in app.screen.query(TextField)][:3] == ["Anna", "Ben", "Carl"]
        await press(pilot, "enter", "enter")
    assert (chosen(app).game, chosen(app).seats) == ("skyfire", ["Anna", "Ben", "Carl"])
    assert chosen(app).rules == {"removed_targets": "chosen_open"}


async def test_the_pages_in_the_browser_are_offered() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "in the browser" in screen_text(app)
        await press(pilot, "3")
    assert app.return_value == InBrowser()


@pytest.mark.parametrize("keys", [("escape",), ("ctrl+q",), ("enter", "enter", "ctrl+q"), ("4",)])
async def test_leaving_chooses_nothing(keys: tuple[str, ...]) -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *keys)
    assert app.return_value is None
    assert not app.return_code


async def test_a_key_pressed_twice_at_once_answers_one_question() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert len(app.screen_stack) <= 3
        assert len({type(screen) for screen in app.screen_stack}) == len(app.screen_stack)


@pytest.mark.parametrize(
    ("keys", "number", "opens"),
    [
        ((), "1", "Which game?"),
        (("1",), "2", "SkyFire: enter the players"),
        (("1", "1", "enter"), "2", "Panic Fire: enter the players"),
        (("1", "1", "enter"), "3", "House rules"),
        (("1", "1", "enter", "4"), "1", "Panic Fire: ready"),
        (("1", "1", "enter", "5"), "3", "Panic Fire: ready"),
    ],
)
async def test_an_enter_right_after_a_number_only_confirms_it(
    keys: tuple[str, ...], number: str, opens: str
) -> None:
    clock = ManualClock()
    app = start(clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        for key in keys:
            await press(pilot, key)
            clock.now += ENTER_AFTER_NUMBER_S
        await press(pilot, number)
        assert opens in screen_text(app), "the number alone opens it"
        clock.now += 0.9 * ENTER_AFTER_NUMBER_S
        before = app.screen
        await press(pilot, "enter")
        assert app.screen is before
        assert f"! {NUMBER_WAS_ENOUGH}" in screen_text(app)


async def test_enter_answers_a_screen_that_a_number_opened_once_it_was_looked_at() -> None:
    clock = ManualClock()
    app = start(clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1")
        clock.now += ENTER_AFTER_NUMBER_S
        await press(pilot, "enter")
        assert "Panic Fire: enter the players" in screen_text(app)


async def test_enter_answers_at_once_after_any_other_key() -> None:
    app = start(clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "down", "enter")
        assert "SkyFire: enter the players" in screen_text(app)
        await press(pilot, "enter")
        assert "SkyFire: ready" in screen_text(app)


async def test_an_enter_right_after_the_number_of_a_house_rule_does_not_turn_it_again() -> None:
    app = start(clock=ManualClock(), game=NewGame("panic-fire", ["Anna", "Ben"], box="packaged"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3", "1")
        turned = dict(app.game.rules)
        await press(pilot, "enter")
        assert turned
        assert app.game.rules == turned
        await press(pilot, "enter")
        assert app.game.rules != turned


async def test_a_number_that_no_line_has_is_said_to_be_none_until_another_is_chosen() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "9")
        assert "! No line has the number 9. Press one shown." in screen_text(app)
        await press(pilot, "1")
        assert "No line has" not in screen_text(app)


async def test_the_mouse_chooses_too() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("#menu", offset=(8, 0))
        await pilot.pause()
        assert "Which game?" in screen_text(app)
        await pilot.click("#menu", offset=(8, 2))
        await pilot.pause()
        assert "Sky Rise: enter the players" in screen_text(app)


async def test_a_game_is_told_in_a_line_with_its_credits() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "down")
        text = screen_text(app)
    assert "> 2 SkyFire         3 to 5 players" in text
    assert "Design: Michael Purcell, CC BY-SA 4.0." in text


# -- sessions


async def test_the_last_unfinished_session_comes_first() -> None:
    app = start(FRIDAY, SUNDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        text = screen_text(app)
        await press(pilot, "enter")
    assert "> 1 continue Panic Fire   Anna, Ben, Carl" in text
    assert "Begun 2025-01-31 20:15, 112 entries, saved as friday" in text
    assert "another session" not in text
    assert app.return_value == Resume(FRIDAY.path, "none")


async def test_a_session_in_which_nothing_was_played_is_not_the_offer_but_can_be_chosen() -> None:
    unplayed = replace(FRIDAY, played=False, entries=1)
    app = start(unplayed)
    async with app.run_test(size=(80, 24)) as pilot:
        text = screen_text(app)
        assert "continue" not in text
        assert "> 1 new game" in text
        assert "2 another session   1 is not finished" in text
        await press(pilot, "2")
        assert (
            "Nothing played yet; begun 2025-01-31 20:15, 1 entry, saved as friday"
            in screen_text(app)
        )
        await press(pilot, "enter")
    assert app.return_value == Resume(FRIDAY.path, "none")


async def test_a_game_that_begins_in_another_window_is_looked_on_at_before_anything_was_played() -> (
    None
):
    app = start(replace(FRIDAY, played=False, elsewhere=True))
    async with app.run_test(size=(80, 24)):
        assert "> 1 watch Panic Fire" in screen_text(app)


async def test_a_session_of_one_player_is_offered_as_one_played_alone() -> None:
    app = start(replace(FRIDAY, names=("Anna",)))
    async with app.run_test(size=(80, 24)):
        text = screen_text(app)
        assert "> 1 continue Panic Fire   Anna, alone" in text
        assert "112 entries, saved as friday" in text


async def test_another_session_can_be_chosen() -> None:
    older = Past(
        Path("older.sqlite"), "sky-rise", "Sky Rise", ("Emil", "Fay"), "2024-12-24 17:00", 1, False
    )
    app = start(FRIDAY, older, SUNDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "3 another session       1 more is not finished" in screen_text(app)
        await press(pilot, "3", "2")
    assert app.return_value == Resume(older.path, "none")


async def test_where_nobody_knows_which_session_was_played_last_all_that_may_be_it_are_offered() -> (
    None
):
    there = replace(FRIDAY, path=Path("there.sqlite"), names=("Gus", "Hal"), may_be_last=True)
    older = replace(
        FRIDAY, path=Path("older.sqlite"), names=("Emil", "Fay"), begun="begun on an unknown date"
    )
    app = start(replace(FRIDAY, may_be_last=True), older, there, unread="1 session cannot be read.")
    async with app.run_test(size=(80, 24)) as pilot:
        text = screen_text(app)
        assert "1 continue Panic Fire   Anna, Ben, Carl" in text
        assert "2 continue Panic Fire   Gus, Hal" in text
        assert "4 another session       1 more is not finished" in text
        assert "It is not certain which session was played last: one may be a copy, or" in text
        assert "1 session cannot be read." in text
        await press(pilot, "2")
    assert app.return_value == Resume(there.path, "none")


async def test_what_cannot_be_read_and_what_lacks_its_end_is_told() -> None:
    app = start(
        replace(FRIDAY, lacking=True),
        unread="2 sessions cannot be read: `companion sessions` says why.",
    )
    async with app.run_test(size=(80, 24)):
        assert "2 sessions cannot be read: `companion sessions` says why." in screen_text(app)
        assert "112 entries (more were saved once)" in screen_text(app)


async def test_a_session_that_is_open_elsewhere_is_looked_on_at() -> None:
    elsewhere = Past(
        FRIDAY.path,
        "panic-fire",
        "Panic Fire",
        ("Anna", "Ben"),
        "begun 2025-01-31 20:15",
        3,
        False,
        True,
    )
    app = start(elsewhere)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "watch Panic Fire" in screen_text(app)
        await press(pilot, "enter")
    assert app.return_value == LookOn(FRIDAY.path)


async def test_lessons_are_offered_to_who_has_no_session_and_stay_on_the_list() -> None:
    for past, hinted in (((), True), ((SUNDAY,), False)):
        app = start(*past)
        async with app.run_test(size=(80, 24)) as pilot:
            assert ("here for the first time?" in screen_text(app)) is hinted
            await press(pilot, "2")
            shown = screen_text(app)
            assert re.search(r"> 1 The program +3 minutes", shown)
            assert re.search(r"Panic Fire +6 minutes", shown)
            await press(pilot, "enter")
        assert app.return_value == Learn("program")


# -- the checklist


@pytest.mark.parametrize("game_id", ["panic-fire", "skyfire", "sky-rise", "fractured-sky"])
async def test_one_key_shows_what_to_lay_out_and_all_of_it_can_be_read(game_id: str) -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        place = str([*GAMES].index(game_id) + 1)
        await press(pilot, "enter", place, "enter")
        steps = checklist_of(app.game)
        assert f"set up        {len(steps)} steps" in screen_text(app)
        await press(pilot, "6")
        assert f"{GAMES[game_id].title}: set up for {len(app.game.seats)}" in screen_text(app)
        seen = screen_text(app)
        for _ in range(3):
            await press(pilot, "pagedown")
            seen += screen_text(app)
        words = set(seen.split())
        assert all(word in words for step in steps for word in step.split())
        await press(pilot, "escape", "escape", "escape", "escape", "escape")


@pytest.mark.usefixtures("sample_game")
async def test_a_game_without_a_checklist_offers_none() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", str([*GAMES].index("pebbles") + 1), "enter")
        assert "start" in screen_text(app)
        assert "set up" not in screen_text(app)
        await press(pilot, "ctrl+q")


# -- house rules, box, board


@pytest.mark.usefixtures("unknown_cards")
@pytest.mark.parametrize(
    ("game_id", "words"),
    [("sky-rise", "17 facts 1 is not published"), ("skyfire", "41 facts 32 are not published")],
)
async def test_the_box_says_how_many_facts_are_open_as_the_line_that_asks_for_them(
    game_id: str, words: str
) -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(
            pilot,
            *("enter", str([*GAMES].index(game_id) + 1)),
            *("A", "n", "n", "tab", "B", "o", "tab", "C", "y", "enter", "4"),
        )
        text = screen_text(app)
    assert words in text
    assert f"0 of {words.split()[2]} known" in text


async def test_a_house_rule_is_chosen_in_the_words_of_the_rules() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter", "3", "enter")
        text = screen_text(app)
        await press(pilot, "down", "space", "left", "escape")
        assert "house rules   1 changed: Cards of the next round" in screen_text(app)
        await press(pilot, "enter")
    assert "Cards of the next round               what is left  (changed)" in text
    assert "Enter or a number changes a rule   left, right   Esc back" in text
    assert "Usual: all shuffled again: every round starts from 106 cards." in text
    assert "Else: what is left: dealt from what is left" in text
    assert options_of(chosen(app)) == {"next_round_deck": "continue_piles"}


@pytest.mark.parametrize("game_id", GAMES)
def test_house_rules_and_their_choices_have_names_in_words(game_id: str) -> None:
    game = open_game(game_id)
    for rule in game.house_rules:
        assert rule.title or "_" not in rule.name
        named = [rule.worded(alternative) for alternative in rule.alternatives]
        assert len(set(named)) == len(rule.alternatives)
        if any("_" in alternative for alternative in rule.alternatives):
            assert rule.choices, f"{rule.name} has no words for its choices"
    assert all(number.title for number in game.numbers)


async def test_a_house_rule_that_is_a_number_is_typed() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter", "3", "end", "up", "enter")
        assert "Shields taken out of the pack before the game" in screen_text(app)
        await press(pilot, "9", "9", "9", "enter")
        assert "! 999 does not work. Type 0 to 106." in screen_text(app)
        await press(pilot, "backspace", "backspace", "backspace", "4", "enter")
        assert "Shields taken out                     4  (changed)" in screen_text(app)
        await press(pilot, "right", "escape")
        assert "house rules   1 changed: Shields taken out" in screen_text(app)
        await press(pilot, "3", "end", "up", "enter", "0", "enter", "escape")
        assert "house rules   as usual" in screen_text(app)
        await press(pilot, "enter")
    assert options_of(chosen(app)) == {}


async def test_which_drill_is_chosen_on_the_page_before_the_first_key_of_the_game() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", str([*GAMES].index("drills") + 1), "enter")
        assert "3 drill         reaction" in screen_text(app)
        await press(pilot, "3")
        assert "> 3 drill         par" in screen_text(app)
        assert "`" not in screen_text(app)
        assert "house rules   as usual" in screen_text(app)
        await press(pilot, "4")
        assert "reaction" not in screen_text(app)
        await press(pilot, "escape", "enter")
    assert options_of(chosen(app)) == {"drill": "par"}


async def test_house_rules_of_the_settings_are_in_force() -> None:
    app = start(house_rules={"panic-fire": {"hit_sensor": "no"}})
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter")
        assert "house rules   1 changed: Hit sensor on the gun" in screen_text(app)
        await press(pilot, "enter")
    assert options_of(chosen(app)) == {"hit_sensor": "no"}


async def test_what_the_rules_do_not_allow_together_is_said_before_anything_begins() -> None:
    app = start(house_rules={"sky-rise": {"colors": "5"}})
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "3", "enter", "enter")
        assert "do not go together. Choose 4 colors." in screen_text(app)
        assert app.return_value is None


async def test_an_example_is_chosen_where_there_is_one() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "4", "enter", "4")
        assert "an example: made-up" in screen_text(app)
        await press(pilot, "2", "enter")
    made = chosen(app)
    assert options_of(made) == {"map": "example"}
    assert refused(made) is None
    assert components_of(made) == {}


async def test_of_published_cards_every_fact_is_known_and_no_example_is_offered() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "2", "enter", "4")
        text = screen_text(app)
    assert "Every fact is known." in text
    assert "made-up" not in text


async def test_an_owners_file_that_differs_from_the_published_box_says_so_where_it_is_chosen(
    own_data_folder: Path,
) -> None:
    file = own_data_folder / "components" / "skyfire.toml"
    file.parent.mkdir(parents=True)
    row = 'called = "Comet"\nsymbols = ["red"]\nback = "red yellow"\nstatus = "confirmed"\nsource = "my copy"\n'
    file.write_text(f'[[fireworks]]\nname = "fireworks card 5"\n{row}')
    (own, _) = boxes_of("skyfire")
    assert (
        "differs from the published box in 1 fact: companion components compare skyfire"
        in own.about
    )


async def test_the_owners_file_is_offered_first(own_data_folder: Path) -> None:
    file = own_data_folder / "components" / "panic-fire.toml"
    file.parent.mkdir(parents=True)
    file.write_text(
        '[[match_number]]\nname = "The Cowboy"\nvalue = 3\nstatus = "confirmed"\nsource = "my copy"\n'
    )
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter")
        assert "box           your own file" in screen_text(app)
        await press(pilot, "enter")
    assert components_of(chosen(app)) is None


async def test_a_board_that_is_found_is_played_with() -> None:
    app = start(found=BOARD)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter")
        assert "board         at /dev/ttyACM0" in screen_text(app)
        await press(pilot, "enter")
    assert port_of(chosen(app).port, app.search.found) == "/dev/ttyACM0"


async def test_nobody_waits_for_the_search(searching: Search) -> None:
    app = start(found=searching)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter")
        assert "board         looking for one" in screen_text(app)
        await press(pilot, "enter")
    assert chosen(app).port is None
    assert searching.found is None
    assert port_of(None, searching.found) == "auto"


@pytest.mark.parametrize(("place", "port"), [("1", "auto"), ("2", "virtual"), ("3", "none")])
async def test_the_board_can_be_said(place: str, port: str) -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter", "5", place, "enter")
    assert chosen(app).port == port


async def test_a_port_of_the_settings_is_not_searched_for(searching: Search) -> None:
    app = start(found=searching, port="socket://localhost:1")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", "enter")
        assert "board         at socket://localhost:1" in screen_text(app)
        await press(pilot, "enter")
    assert chosen(app).port == "socket://localhost:1"
    assert "Looking" in searching.sentence


# -- when a game could not begin


async def test_a_game_that_could_not_begin_comes_back_with_its_reason() -> None:
    game = NewGame("skyfire", ["Anna", "Ben", "Carl"], {"tie": "extra_round"}, "example", "virtual")
    app = start(
        game=game, notice=("The virtual board cannot be started: another session plays with it.")
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "! The virtual board cannot be started" in screen_text(app)
        await press(pilot, "5", "3")
        assert "!" not in screen_text(app)
        await press(pilot, "enter")
    assert chosen(app) == NewGame(
        "skyfire", ["Anna", "Ben", "Carl"], {"tie": "extra_round"}, "example", "none"
    )


async def test_a_session_that_could_not_be_opened_is_said_on_the_first_screen() -> None:
    app = start(notice=("friday.sqlite is damaged."))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert "! friday.sqlite is damaged." in screen_text(app)


def test_the_first_screen_imports_no_game_no_table_and_no_link() -> None:
    heavy = (
        "pydantic",
        "serial",
        "companion.rules.game",
        "companion.session.table",
        "companion.link",
        "companion.session.opening",
    )
    first = "companion.commands.starting, companion.dashboard.start.app"
    code = f"import sys, {first}; print(set({heavy}) & set(sys.modules))"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert output.strip() == "set()"


def test_who_plays_alone_is_said_to() -> None:
    assert people_words(["Anna"]) == "Anna, alone"
    assert people_words(["Anna", "Ben"]) == "Anna, Ben"


def test_the_steps_of_a_setup_begin_below_each_other_also_from_the_tenth_on() -> None:
    rows = [row.plain for row in step_rows(NewGame("fractured-sky", ["Anna"]), 60)]
    numbered = [row for row in rows if row[:2].strip()]
    assert len(numbered) > 9
    assert numbered[0].startswith(" 1 ")
    assert numbered[9].startswith("10 ")
    assert max(map(len, rows)) <= 60


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_list_of_lessons_says_how_to_begin_one_again(size: tuple[int, int]) -> None:
    app = start()
    async with app.run_test(size=size) as pilot:
        await press(pilot, "down", "enter")
        text = screen_text(app)
    assert "You can stop and continue later." in text
    assert "From its first step again: companion teach program --anew" in text


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_list_of_lessons_says_where_one_was_left(size: tuple[int, int]) -> None:
    Ran("teach", "panic-fire", "--plain", "--port", "none", typed="0\na\n")
    app = start()
    async with app.run_test(size=size) as pilot:
        await press(pilot, "down", "enter")
        assert re.search(r"Panic Fire +step 3 of 15, continue", screen_text(app))
        place = lesson_names().index("panic-fire")
        await press(pilot, *["down"] * place)
        assert "It continues with that step." in screen_text(app)
        assert "From its first step again: companion teach panic-fire --anew" in screen_text(app)
        await press(pilot, "enter")
    assert app.return_value == Learn("panic-fire")


async def test_a_number_pressed_twice_opens_one_screen_and_not_the_next() -> None:
    clock = ManualClock()
    app = start(clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1")
        assert "Which game?" in screen_text(app)
        clock.now += 0.9 * TWICE_S
        await press(pilot, "1")
        assert "Which game?" in screen_text(app)
        assert f"! {NUMBER_TWICE}" in screen_text(app)
        await press(pilot, "1")
        assert "Panic Fire: enter the players" in screen_text(app)


async def test_two_different_numbers_may_be_typed_at_once() -> None:
    app = start(clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "2")
        assert "SkyFire: enter the players" in screen_text(app)


async def test_a_number_pressed_twice_turns_a_house_rule_twice() -> None:
    app = start(clock=ManualClock(), game=NewGame("panic-fire", ["Anna", "Ben"], box="packaged"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3", "1")
        turned = dict(app.game.rules)
        await press(pilot, "1")
        assert app.game.rules != turned
