"""The guided screen for the open facts of a box: a key for each field, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from companion.box.entry import BoxEntry
from companion.box.owner_box import box_in_force, own_path
from companion.commands.components import starting_text
from companion.config.schema import Preferences
from companion.dashboard.box_entry import BoxEntryApp
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import EnterBox, NewGame, Search
from companion.dashboard.widgets.static import Static
from companion.link.finder import BoardSearch
from companion.rules.registry import open_game
from tests.dashboard.screen import screen_text

SKY = "fractured-sky"


def screen(game_id: str = SKY, **settings: Any) -> BoxEntryApp:
    entry = BoxEntry(game_id, starting_text(game_id), "my copy")
    return BoxEntryApp(entry, open_game(game_id).title, wanted=Preferences(**settings))


async def press(pilot: Pilot[Any], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()
    await pilot.pause()


def words(app: BoxEntryApp) -> str:
    """Return the screen as one line."""
    return " ".join(screen_text(app).split())


TO_CARDS = ["pagedown"] * 8


@pytest.mark.parametrize("size", [(80, 24), (60, 15), (160, 50)])
async def test_the_question_its_keys_and_what_it_unlocks_are_on_every_screen(
    size: tuple[int, int],
) -> None:
    app = screen()
    async with app.run_test(size=size) as pilot:
        await press(pilot, *TO_CARDS)
        text = words(app)
    assert "Fractured Sky: your box 0 of 74 known" in text
    assert "Black AI, card 1 of 10: what does it place?" in text
    assert "a airship f fortress m market s skimmer c scout" in text
    assert "With 16 more facts the companion shuffles and turns up the black AI's cards." in text
    assert "lack AI: cards" in text
    assert "0 of 10 known" in text
    assert "- not known, next arrows move" in text
    assert "Esc stop (answers are kept)" in text


async def test_all_cards_of_a_deck_are_rows_of_one_table_with_a_column_for_each_question() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *TO_CARDS, "a", "q", "w", "enter", "enter", "f", "q")
        rows = [line.split() for line in screen_text(app).splitlines()]
        assert ["kind", "stars", "large"] in rows
        assert ["1", "airship", "NW", "N", "none"] in rows
        assert [">", "2", "fortress", "NW", "_", "?"] in rows, "what is typed now is in its place"
        for number in range(3, 11):
            assert [str(number), "?", "?", "?"] in rows


async def test_a_half_entered_row_is_kept_when_one_leaves() -> None:
    for keys, expected in (([*TO_CARDS, "a", "escape"], ""), ([], "1 airship _")):
        app = screen()
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, *keys)
            if expected:
                assert expected in words(app)


async def test_a_single_field_of_a_known_row_is_corrected_and_the_others_stay() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *["pagedown"] * 10, "0", "5", "up", "right", "6")
    row = box_in_force(SKY).row("token_black", "1")
    assert row is not None
    assert row.fields == {"low": 0, "high": 6}


async def test_a_character_of_an_expansion_is_added_to_the_table_and_removed_again() -> None:
    app = screen("panic-fire")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "pagedown")
        assert "Ctrl+N add a Character" in screen_text(app)
        await press(pilot, "ctrl+n", *"Example", "enter")
        assert "> Example" in screen_text(app)
        assert "0 of 13 known" in screen_text(app)
        await press(pilot, "3")
        assert box_in_force("panic-fire").value("match_number", "Example") == 3
        await press(pilot, "up", "ctrl+d")
        assert "Example was removed." in screen_text(app)
        assert "0 of 12 known" in screen_text(app)
        assert box_in_force("panic-fire").row("match_number", "Example") is None
        await press(pilot, "ctrl+z")
        assert box_in_force("panic-fire").value("match_number", "Example") == 3


async def test_where_the_rules_fix_the_number_of_cards_that_is_one_sentence() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *TO_CARDS)
        assert "Ctrl+N" not in screen_text(app)
        await press(pilot, "ctrl+n")
        assert "! The rules fix this part at 10 rows: none can be added." in screen_text(app)


async def test_an_answer_can_be_removed_so_that_the_row_is_unknown_again() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Ctrl+D" not in screen_text(app)
        await press(pilot, "3", "enter", "up")
        assert "Ctrl+D remove" in screen_text(app)
        await press(pilot, "ctrl+d")
        assert "This row is unknown again." in screen_text(app)
        assert "0 of 74 known" in screen_text(app)


async def test_the_part_at_hand_stays_in_sight_when_what_is_said_takes_its_room() -> None:
    app = screen()
    async with app.run_test(size=(110, 24)) as pilot:
        await press(pilot, *["pagedown"] * 12)
        assert "> AIs' Market cards" in screen_text(app)
        message = app.query_one("#said", Static)
        message.display = True
        message.update("\n".join(["a sentence"] * 4))
        await press(pilot)
        assert "> AIs' Market cards" in screen_text(app)


async def test_a_card_of_two_stars_takes_five_keys() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *TO_CARDS, "a", "q", "w")
        assert "> NW N _" in screen_text(app)
        assert "> 1   airship  NW N _" in screen_text(app)
        await press(pilot, "enter", "enter")
        assert "Black AI, card 2 of 10" in screen_text(app)
        assert "1 of 74 known" in screen_text(app)
    row = box_in_force(SKY).row("card_black", "1")
    assert row is not None
    assert row.fields == {"kind": "airship", "stars": ("NW", "N")}


async def test_a_token_takes_two_keys_and_a_region_two() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "pagedown", "g", "w")
        assert "Dreadful Desert: which two resources?" in screen_text(app)
        await press(pilot, *["pagedown"] * 9, "0", "5")
        assert "Black AI, token 2 of 6" in screen_text(app)
    assert box_in_force(SKY).value("region", "Creepy Cove") is None
    assert len([row for row in box_in_force(SKY).rows if row.own]) == 2


async def test_undo_takes_back_what_is_typed_first_and_then_the_last_answer() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *TO_CARDS, "a", "q")
        assert "u undo" in screen_text(app)
        await press(pilot, "u")
        assert "its stars" in screen_text(app)
        assert "NW _" not in screen_text(app)
        await press(pilot, "u")
        assert "card 1 of 10: what does it place?" in screen_text(app)
        assert "u undo" not in screen_text(app), "a key that would be refused is not named"
        await press(pilot, "u")
        assert "! There is nothing to undo." in screen_text(app)


async def test_a_key_that_answers_nothing_is_one_sentence() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *TO_CARDS, "y")
        assert "! y does nothing here. Type one of a, f, m, s, c." in screen_text(app)
        await press(pilot, "a", "enter")
        assert "! There is no answer yet. Type any of w, e, d, c, x, z, a, q." in screen_text(app)


async def test_what_does_not_fit_is_said_and_what_was_typed_stays() -> None:
    app = screen("sky-rise")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        assert "which one character looks like the sign on its cards?" in words(app)
        await press(pilot, *"ab", "enter")
        assert "! That does not work: Fifth suit: the sign is 'ab'. Type one character." in words(
            app
        )
        assert "> ab_" in screen_text(app)
        await press(pilot, "backspace", "enter")
        assert "Every fact is known. Press Esc to close." in screen_text(app)
        assert "The companion now shows the fifth suit by its own sign." in screen_text(app)


@pytest.mark.usefixtures("unknown_cards")
async def test_letters_that_are_commands_elsewhere_are_letters_where_words_are_typed() -> None:
    app = screen("skyfire")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "u", "minus", "m")
        assert "> u-m_" in screen_text(app)
        assert "Ctrl+Z undo" in screen_text(app)
        await press(pilot, "ctrl+z", "tab")
        assert "Fireworks card 2: what do you call it?" in screen_text(app)


@pytest.mark.usefixtures("unknown_cards")
async def test_words_of_other_cards_have_a_number() -> None:
    app = screen("skyfire")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", *"star, wheel", "enter", "enter", "enter")
        assert "Used before: 1 star   2 wheel" in screen_text(app)
        await press(pilot, "1", "comma", "1", "enter")
        assert "star star" in screen_text(app)


async def test_a_fact_that_is_known_says_so_when_one_goes_back_to_it() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3", "enter", "up")
        assert "> Objective cards with 1 to 3 players  3" in screen_text(app)


async def test_all_skipped_is_said_with_how_many_are_open() -> None:
    app = screen("panic-fire")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *["minus"] * 12)
        assert "12 facts are still missing. Press Enter for the first." in screen_text(app)
        await press(pilot, "enter")
        assert "Shields: how many are in the box?" in screen_text(app)
    assert not own_path("panic-fire").exists()


async def test_the_map_is_drawn_where_places_are_asked_for() -> None:
    app = screen()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *["pagedown"] * 4)
        assert "m draw the map" in screen_text(app)
        await press(pilot, "m")
    assert app.return_value == "ten"


async def test_a_window_too_small_asks_for_more_room() -> None:
    app = screen()
    async with app.run_test(size=(38, 9)) as pilot:
        await press(pilot)
        assert "Make the window larger to continue." in screen_text(app)


@pytest.mark.usefixtures("unknown_cards")
@pytest.mark.parametrize(
    ("game_id", "open_facts"), [(SKY, 74), ("panic-fire", 12), ("sky-rise", 1), ("skyfire", 32)]
)
async def test_the_start_screens_lead_to_it_from_each_game_that_has_open_facts(
    game_id: str, open_facts: int
) -> None:
    search = Search(lambda _: BoardSearch(None, "No board."))
    begun = NewGame(game_id, ["Anna", "Ben", "Carl"], box="packaged")
    app = StartApp((), Preferences(), search, game=begun)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "4")
        assert f"enter missing facts from your copy   0 of {open_facts} known" in screen_text(app)
        place = next(
            line for line in screen_text(app).splitlines() if "enter missing facts" in line
        ).split()
        await press(pilot, next(word for word in place if word.isdecimal()))
    assert app.return_value == EnterBox(NewGame(game_id, ["Anna", "Ben", "Carl"], box="packaged"))


@pytest.mark.usefixtures("sample_game")
async def test_a_game_of_another_package_is_asked_for_in_the_same_way() -> None:
    app = screen("pebbles")
    async with app.run_test(size=(80, 24)) as pilot:
        assert "The last pebble: what color is it?" in screen_text(app)
        assert "w white   g grey   b black" in screen_text(app)
        await press(pilot, "g", "y", "w", "y")
        assert (
            "! That does not work: The largest pebble: a white pebble has spots. Type none."
            in words(app)
        )
        await press(pilot, "n")
        assert "The companion now names the last pebble by its looks." in screen_text(app)
    row = box_in_force("pebbles").row("pebble", "last")
    assert row is not None
    assert row.fields == {"color": "grey", "spots": True}
