"""SkyFire on the screen at each size, and the form for visible cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.games.skyfire.screen.game_screen import SkyFireScreen
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.screen import screen_rows, screen_text, until
from tests.games.skyfire.screen.parts import skyfire_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with skyfire_table(tmp_path / "evening.sqlite") as opened:
        yield opened


@pytest.fixture
def five(tmp_path: Path) -> Iterator[Table]:
    with skyfire_table(tmp_path / "five.sqlite", 5, made_up=False) as opened:
        yield opened


async def test_the_smallest_screen_shows_five_seats_four_zones_and_what_everything_scores(
    five: Table,
) -> None:
    app = Dashboard(five)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "1", "2", "1", "4", "3", "q")
        text = await until(pilot, app, "Does zone 1 meet the target? Press s for yes, n for no.")
        for said in (
            "round 1 of 5",
            "▲ Bo                            ON TURN     3 cards   0 points",
            "cards  placed by",
            "after deal  scores\n",
            "Zone 1   3      ●A ▲B ◆D  turned up",
            "  0 s         3\n",
            "Zone 4   1      ★E",
            "Misfire  nobody can declare one while a launch is judged\n",
            "a cards",
        ):
            assert said in text
        await pilot.press("n")
        text = await until(pilot, app, "Bo is eliminated")
        assert "▲ Bo                            eliminated" in text
        assert "failed ▲B" in text
        assert "after deal  scores  │ place  launch" in text, "now these keys work again"
        assert "│ 4      r\n" in text
        assert "Misfire  without cards: 3 for ■C if right, else 3 each ●A ◆D ★E\n" in text
    assert app.crash is None


async def test_on_a_small_screen_a_failed_launch_says_whose_it_was_and_all_its_faces(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(
            "enter", "g", *"11112q", "a", *"green,green+green,blue+green,green+blue", "enter"
        )
        text = await until(
            pilot,
            app,
            "zone 1 shows Fern (green), Willow (green+green), blue+green, blue+green",
            "Cleo is eliminated",
        )
        (zone,) = (line for line in text.split("\n") if line.startswith(" Zone 1"))
        assert zone.startswith(" Zone 1   4     ●A ▲B ■C ●A  failed ■C ")
        assert zone.split()[-8:] == ["0", "%", "0", "s", "4", "│", "1", "q"]


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
async def test_a_zone_that_is_judged_shows_every_card_what_is_not_entered_and_what_it_scores(
    table: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", "g", *"11q", "a", *"green,green+green", "enter", "1", "q")
        text = await until(pilot, app, "Does zone 1 meet the target?", "not")
    zone = " ".join(word for word in text.split() if word not in "│┃")
    shown = "Fern (green), Willow (green+green)"
    if size == (80, 24):  # names make way for what the zone scores
        shown = "green, green+green"
    assert f"shows {shown}, 1 card not entered" in zone
    assert "scores 3" in zone, "what the answer is worth stays in view"


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_who_has_no_cards_left_is_named_with_what_a_misfire_scores(
    table: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", *"121212121212")
        await until(pilot, app, "6 points for Ada", "else 3 each for Bo, Cleo")


@pytest.mark.parametrize("size", [(120, 40), (160, 50)])
async def test_a_roomy_screen_lists_every_card_with_who_and_when(
    five: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(five)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", *"1114223")
        text = await until(
            pilot,
            app,
            "Zone 1: 3 cards",
            "a right launch scores 3",
            "3 ■ Cleo",
            "0.0 s",
            "after the deal",
        )
        assert (
            "Misfire  only without cards: if no zone meets the target: 3 points for Cleo, " in text
        )
        assert "else 3 each for Ada, Bo, Dan, Eve\n" in text
        assert "keys 4 place  r launch" in text


async def test_a_panel_too_low_for_a_row_for_each_card_lists_them_newest_first(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(110, 32)) as pilot:
        table.do("skyfire.deal")
        for _ in range(6):
            table.do("skyfire.place.1")
        text = await until(pilot, app, "Zone 1: 6 cards", "after the deal")
    order = [
        text.index(f" {place} {who}")
        for place, who in zip("654321", ("■ Cleo", "▲ Bo", "● Ada") * 2, strict=True)
    ]
    assert order == sorted(order)


async def test_a_narrow_card_of_a_zone_says_what_it_scores(five: Table) -> None:
    app = Dashboard(five)
    async with app.run_test(size=(110, 32)) as pilot:
        five.do("skyfire.deal")
        for _ in range(12):
            five.do("skyfire.place.1")
        await until(pilot, app, "Zone 1: 12 cards", "scores 12")


async def test_more_cards_than_a_row_holds_leave_the_newest(five: Table) -> None:
    app = Dashboard(five)
    async with app.run_test(size=(80, 24)) as pilot:
        five.do("skyfire.deal")
        for _ in range(20):
            five.do("skyfire.place.1")
        text = await until(pilot, app, "Zone 1   20 ", "Ada, launch a zone: press q w e r.")
        row = next(row for row in text.splitlines() if "Zone 1" in row)
        assert "…" in row
        assert "◆D★E " in row
        assert row.split("│")[0].split()[-1] == "20", "what a right launch scores"


async def test_every_screen_with_the_example_deck_says_so(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, app, "SkyFire   before round 1 of 5   example deck")
        await pilot.press("enter", "a")
        await until(pilot, app, "example deck: Enter cards")
        await pilot.press("escape", "v")
        await until(pilot, app, "example deck: these cards are made up")
        await pilot.press("escape", "j", "1", "enter")
        await until(pilot, app, "only Ada looks", "example deck: these cards are made up")


async def test_without_color_seats_are_told_by_glyph_and_initial(
    five: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Dashboard(five)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "1")
        await until(pilot, app, "●A ▲B")
        colors = {
            each.style.color.triplet
            for row in screen_rows(app)
            for each in row
            if each.style and each.style.color
        }
    assert all(color is None or len(set(color)) == 1 for color in colors)


async def test_the_statistics_list_every_move_and_every_round(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("enter", "1", "2", "q", "s", "v")
        text = await until(pilot, app, "Statistics", "launches zone 1: 1 point for Cleo")
    assert re.search(r"1  0\.0 s +● Ada   places in zone 1", text)
    assert "round 1 of 5  unknown  zone 1 meets the target: 1 point for Cleo" in text
    assert "32 of 41 facts about the box are missing" in text


# -- the form for cards in sight


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Table]:
    with closing(
        begin("skyfire", ("Ada", "Bo", "Cleo", "Dan"), {}, tmp_path / "real.sqlite")
    ) as opened:
        yield opened


async def test_cards_targets_and_backs_are_typed_in_letters_without_commas(
    published: Table,
) -> None:
    app = Dashboard(published)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(
            "enter", "1", "1", "q", "a", *"br rb", "down", *"gyr", "down", *"rb br", "enter"
        )
        await until(pilot, app, "zone 1 shows blue of red-blue, red of red-blue")
        await until(pilot, app, "the target is red-yellow-green")
    assert app.crash is None


async def test_a_target_that_the_box_does_not_have_is_refused_in_the_form(published: Table) -> None:
    app = Dashboard(published)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "a")
        await until(pilot, app, "Type the colors of the target on top.")
        await pilot.press(*"rygbw", "enter")
        await until(pilot, app, "! That is the finale, the target of round 5.")
        await pilot.press("backspace", "backspace", "backspace", "backspace", "g", "enter")
        await until(pilot, app, "! No target has exactly the colors green and red.")
        await pilot.press("b", "enter")
        await until(pilot, app, "the target is red-green-blue")
    assert app.crash is None


async def test_a_target_typed_into_its_change_replaces_the_one_before(published: Table) -> None:
    app = Dashboard(published)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "g", "c", "f2")
        await until(pilot, app, "Change: the target is red-yellow-green")
        await pilot.press(*"ryb", "enter")
        await until(pilot, app, "The target is red-yellow-blue")
    assert published.view().game.target.name == "red-yellow-blue"


async def test_a_key_places_a_card_together_with_its_back(published: Table) -> None:
    app = Dashboard(published)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "k")
        await until(
            pilot, app, "Place a card", "Type the zone, then the card's back.", "a zone from 1 to 3"
        )
        await pilot.press(*"2br", "enter")
        await until(pilot, app, "Ada places a card in zone 2, now 1 card, back red blue")
        await pilot.press("k", *"rb", "enter")
        await until(pilot, app, "! Begin with the number of the zone")
        await pilot.press("escape", "3")
        await until(pilot, app, "Bo places a card in zone 3, now 1 card")
    assert published.view().game.backs_missing == 5


async def test_missing_backs_are_added_at_any_time(published: Table) -> None:
    app = Dashboard(published)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "2", "a", "down", *"rb", "enter")
        await until(pilot, app, "backs in zone 1: red blue")
    assert [zone.cards[0].back for zone in published.view().game.zones[:2]] == ["red blue", None]


async def test_cards_turned_up_are_entered_by_the_beginnings_of_their_names_and_answer_the_question(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "g", "1", "2", "1", "q", "a", *"com,po")
        await until(pilot, app, "zone 1, 2 cards", "2 of 2: Comet, Poppy")
        await pilot.press("enter")
        await until(pilot, app, "zone 1 shows Comet (red), Poppy (blue+red)", "2 points for Ada")
    assert table.view().game.phase == "over"


async def test_a_target_and_backs_are_entered_in_the_same_form(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "1", "a", *"gard", "tab", *"ro,?", "enter")
        await until(pilot, app, "Target   Garden (blue+green+red)")
    game = table.view().game
    assert [card.back for card in game.zones[0].cards] == ["rocket", None]


async def test_after_a_misfire_all_zones_are_entered_at_once(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        table.do("skyfire.deal")
        table.do("skyfire.target")
        for zone in "121212121211":
            table.do(f"skyfire.place.{zone}")
        await pilot.press("m", "a")
        await until(pilot, app, "zone 1, 7 cards", "zone 2, 5 cards")
        await pilot.press(*"com,em,rub,fe,wil,bee,po", "tab", *"wa,la,ki,ree,ir", "enter")
        await until(pilot, app, "a zone meets the target, Ada's misfire is wrong: 3 points each")
        assert [len(zone.faces) for zone in table.view().game.zones] == [7, 5]


async def test_cards_that_cannot_be_are_refused_in_the_form_until_the_table_says_why(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("enter", "1", "1", "q", "a", *"com,com", "enter")
        await until(
            pilot,
            app,
            "Comet (red) is on fewer cards than that. Name each card once, or give a reason.",
        )
        await pilot.press(*["tab"] * (len(app.screen.query("FieldRow")) - 1), *"misprint", "enter")
        await until(
            pilot,
            app,
            "by the table's word: misprint",
            "by the table's word Comet (red), Comet (red)",
        )
        assert table.view().game.zones[0].word == "misprint"


async def test_what_is_not_clear_is_refused_in_the_form_and_nothing_is_entered(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "q", "a", "r", "enter")
        await until(pilot, app, "! 'r' can mean Reed or Ruby or red. Type a letter more.")
        await pilot.press("escape")
        assert table.view().game.zones[0].faces == ()


async def test_a_mistyped_answer_is_mended_without_asking_anybody(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("enter", "1", "q", "s")
        await until(pilot, app, "1 point for Bo")
        await pilot.press("u", "n")
        await until(pilot, app, "Bo is eliminated from the round")
        assert table.view().question is None
        await pilot.press("u", "u")
        await until(pilot, app, "Does everybody agree to undo it?")


async def test_the_key_of_redo_names_the_keys_of_the_answer_to_a_yes_or_no_question(
    table: Table,
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "y")
        await until(pilot, app, "! There is nothing to restore.")
        assert "for yes" not in screen_text(app)
        await pilot.press("1", "q", "y")
        await until(pilot, app, "! There is nothing to restore. Press s for yes, n for no.")
        await pilot.press("s", "u", "u")
        await until(pilot, app, "Does everybody agree to undo it?")
        assert "redo:" not in screen_text(app)


async def test_somebody_who_joins_gets_a_row_a_zone_and_keys(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        table.enter("seat_joins", {"name": "Dan"})
        await until(pilot, app, "◆ Dan")
        await pilot.press("enter")
        await until(pilot, app, "Zone 3   0      empty", "│ 3      e")
    assert app.crash is None


def test_the_faces_own_key_is_shared_with_no_other(table: Table) -> None:
    every = own.registry((*table.actions, *SkyFireScreen().actions()))
    assert "skyfire-form.cards" in {action.id for action in every}


async def test_the_footer_has_only_keys_that_mean_something_now(five: Table) -> None:
    app = Dashboard(five)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Enter deal  c fix mistakes  ? help" in screen_text(app)
        await pilot.press("enter", "1")
        assert "\n a cards  k card's back  c fix mistakes  ? help" in await until(
            pilot, app, "places a card in zone 1"
        )
        await pilot.press("q")
        assert "\n s yes  n no  a cards  c fix mistakes  ? help" in await until(
            pilot, app, "Does zone 1 meet the target?"
        )
        await pilot.press("s")
        assert "\n Enter deal  a cards  c fix mistakes  ? help" in await until(
            pilot, app, "round 1 of 5 is over"
        )


async def test_a_zone_that_no_table_has_is_refused_with_the_zones_of_this_one(
    published: Table,
) -> None:
    app = Dashboard(published)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "k", *"9ry", "enter")
        assert "Choose a zone from 1 to 3." in await until(pilot, app, "! ")


@pytest.mark.parametrize("key", ["a", "k"])
async def test_a_form_with_nothing_to_enter_is_refused_with_what_to_do_first(
    table: Table, key: str
) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        text = await until(pilot, app, "Deal four cards to each player, then press Enter.")
        assert "! No round is open." in text
        assert "Esc cancel" not in text, "no form is open"


async def test_a_round_without_cards_turned_up_leaves_nothing_to_enter(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1", "N")
        text = await until(pilot, app, "ends the round")
        assert "a cards" not in text
        await pilot.press("a")
        assert "Esc cancel" not in await until(pilot, app, "! No round is open.")


async def test_a_card_that_there_is_not_is_refused_once(table: Table) -> None:
    app = Dashboard(table)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("enter", "g", "1", "2", "1", "q", "a", *"com,zzz")
        await until(pilot, app, "'zzz' is no card")
        await pilot.press("enter")
        text = await until(pilot, app, "! 'zzz' is no card")
        await pilot.press("y")
        later = await until(pilot, app, "'zzzy' is no card")
    assert text.count("'zzz' is no card") == 1
    assert "'zzz' is no card" not in later, "what is typed now may be right"
