"""The players on the start screens: those of last time, names typed and pasted, their order."""

from __future__ import annotations

import pytest
from textual.events import Paste

from tests.dashboard.before_a_game import FRIDAY, SUNDAY
from tests.dashboard.screen import screen_text
from tests.dashboard.starting import chosen, press, start, type_names


async def test_the_people_of_the_last_time_sit_down_again() -> None:
    app = start(SUNDAY, FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1", "enter", "enter")
    assert chosen(app).seats == ["Anna", "Ben", "Carl"]


async def test_the_settings_say_who_sits_down_where_that_many_can_play() -> None:
    for game, seats in (("1", ["Anna", "Ben"]), ("2", ["red", "blue", "green"])):
        app = start(seats=("Anna", "Ben"))
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "1", game, "enter", "enter")
        assert chosen(app).seats == seats


async def test_names_of_earlier_sessions_are_suggested() -> None:
    app = start(SUNDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1", "1", "d", "o")
        assert "They played before: Dora, Emil, Anna" in screen_text(app)
        for _ in range(20):  # the suggestion comes from a worker
            await pilot.pause()
        await press(pilot, "right", "tab", *"Emil", "tab", "ctrl+d", "enter", "enter")
    assert chosen(app).seats == ["Dora", "Emil"]


@pytest.mark.parametrize(
    "text",
    [
        "Dora\nEmil\nFay",
        "Dora\r\nEmil\r\nFay\r\n",
        "Dora, Emil,Fay",
        "Dora;Emil; Fay",
        "Dora\tEmil\tFay",
        ",Dora\n\n Emil\n;Fay",
    ],
)
async def test_a_list_of_names_that_is_pasted_sits_down(text: str) -> None:
    app = start(FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1")
        app.post_message(Paste(text))
        await pilot.pause()
        assert "● Dora   ▲ Emil   ■ Fay" in screen_text(app)
        await press(pilot, "enter", "enter")
    assert chosen(app).seats == ["Dora", "Emil", "Fay"]


async def test_names_pasted_further_down_sit_from_there_on() -> None:
    app = start(FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1", "tab")
        app.post_message(Paste("Dora\nEmil"))
        await pilot.pause()
        await press(pilot, "enter", "enter")
    assert chosen(app).seats == ["Anna", "Dora", "Emil"]


async def test_more_pasted_names_than_lines_change_nothing_and_are_told() -> None:
    app = start(FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1")
        app.post_message(Paste("\n".join(f"P{place}" for place in range(40))))
        await pilot.pause()
        assert "! 40 names were pasted" in screen_text(app)
        await press(pilot, "enter", "enter")
    assert chosen(app).seats == ["Anna", "Ben", "Carl"]


async def test_one_pasted_name_takes_one_line() -> None:
    app = start(FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1")
        app.post_message(Paste("Dora \n"))
        await pilot.pause()
        await press(pilot, "enter", "enter")
    assert chosen(app).seats == ["Dora", "Ben", "Carl"]


async def test_a_name_with_an_equals_sign_is_refused() -> None:
    app = start(FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1", "A", "equals_sign", "B", "enter")
        assert "! The name 'A=B' has = in it. Leave the = out." in screen_text(app)


async def test_the_order_is_changed_by_keys() -> None:
    app = start(FRIDAY)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "2", "1", "ctrl+down", "ctrl+down", "enter", "enter")
    assert chosen(app).seats == ["Ben", "Carl", "Anna"]


async def test_the_first_name_typed_takes_the_place_of_all_made_up_players() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1")
        assert "blue" in screen_text(app)
        await press(pilot, *"Mia")
        assert "blue" not in screen_text(app)


async def test_enter_goes_to_the_next_name_while_too_few_are_named() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1", *"Mia", "enter")
        assert "! This game needs" not in screen_text(app)
        await press(pilot, "enter")
        assert "! This game needs 2 to 5 players; you named 1." in screen_text(app)
        await press(pilot, *"Tom", "enter", "enter")
    assert chosen(app).seats == ["Mia", "Tom"]


async def test_people_who_cannot_sit_so_are_refused_in_one_sentence() -> None:
    app = start()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "1")
        await type_names(pilot, "Anna", "anna")
        await press(pilot, "enter")
        assert "! Two seats are called 'anna'. Give each player another name." in screen_text(app)
        await press(pilot, "shift+tab", "ctrl+d")
        assert "!" not in screen_text(app)
        await press(pilot, "enter")
        assert "! This game needs 2 to 5 players; you named 1." in screen_text(app)
