"""Two tables that differ in what one seat noted: all other pages are the same to the byte."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from companion.games.sky_rise.rules.game import GAME as SKY_RISE
from companion.games.skyfire.rules.game import GAME as SKYFIRE
from companion.rules.facts import Setup
from companion.rules.seats import seats_from_names
from companion.session.table import Table
from tests.games.skyfire.playing import FOUR, example_deck, setup
from tests.web.client import news, opened
from tests.web.served import played, saved

SEATS = ("ada", "bo", "cleo", "dan")
HANDS = (("Comet", "Wave", "Fern", "Pearl"), ("Ember", "Lagoon", "Willow", "Swan"))


def enter(table: Table, kind: str, **body: Any) -> None:
    table.enter(kind, body)
    notice = table.view().notice
    assert notice is None or not notice.refused, notice


async def pages_of(folder: Path, hand: tuple[str, ...]) -> dict[str, str]:
    """Return the pages of all viewers, and their updates, when ada noted a hand and a card and undid the hand."""
    folder.mkdir()
    found = {}
    with played(folder, setup(FOUR, example_deck()), SKYFIRE) as table:
        onlooker, pages, client = opened(table.path)
        enter(table, "deal")
        enter(table, "target", card="red")
        enter(table, "hand_noted", seat="ada", cards=hand)
        enter(table, "place", zone=2)
        enter(table, "place_noted", seat="ada", zone=2, card=hand[0])
        for _ in range(3):
            enter(table, "place", zone=1)
        noted = next(entry.n for entry in table._journal.entries if entry.kind == "hand_noted")
        table.take_back(noted)
        saved(table)
        news(onlooker, pages)
        for number, viewer in enumerate(("table", *SEATS)):
            async with client.stream(f"/code-{number}/events") as stream:
                await stream.until(1)
            told = (await client.ask(f"/code-{number}/")).text + stream.text
            # what tells two sessions apart, not two hands
            found[viewer] = re.sub('(data-place="|event: place\ndata: )[0-9a-f]{16}', "", told)
    return found


async def test_a_seats_notes_are_on_its_own_page_alone(tmp_path: Path) -> None:
    one, other = [await pages_of(tmp_path / str(place), hand) for place, hand in enumerate(HANDS)]
    for viewer in ("table", "bo", "cleo", "dan"):
        assert one[viewer] == other[viewer], viewer
        assert not any(card in one[viewer] for card in (*HANDS[0], *HANDS[1])), viewer
    assert one["ada"] != other["ada"]
    assert "Comet" in one["ada"]


async def test_a_seats_page_shows_its_hand_and_its_odds_and_changes_with_them(
    tmp_path: Path,
) -> None:
    with played(tmp_path, setup(FOUR, example_deck()), SKYFIRE) as table:
        onlooker, pages, client = opened(table.path)
        async with (
            client.stream("/code-1/events") as mine,
            client.stream("/code-0/events") as everybodys,
        ):
            await mine.until(1)
            enter(table, "deal")
            enter(table, "target", card="red")
            enter(table, "hand_noted", seat="ada", cards=HANDS[0])
            saved(table)
            news(onlooker, pages)
            await mine.until(2)
            await everybodys.until(2)
    own = mine.events[1][1]["own"]
    assert "not noted yet" in mine.events[0][1]["own"]
    for words in ("Comet (red)", "Pearl (white)", ">Zone 1<"):
        assert words in own, words
    assert "own" not in everybodys.events[1][1]
    assert "Comet" not in everybodys.text


async def test_a_private_note_that_makes_no_sense_any_more_is_on_no_page(tmp_path: Path) -> None:
    with played(tmp_path, setup(FOUR, example_deck()), SKYFIRE) as table:
        onlooker, pages, client = opened(table.path)
        enter(table, "deal")
        deal = len(table._journal.entries)
        enter(table, "hand_noted", seat="ada", cards=HANDS[0])
        table.take_back(deal)
        saved(table)
        news(onlooker, pages)
        page = (await client.ask("/code-0/")).text
    assert "it does not fit any more" not in page
    assert "noted" not in page


async def test_whoever_is_called_table_keeps_its_secrets(tmp_path: Path) -> None:
    seats = seats_from_names(["Table", "Bo"])
    with played(tmp_path, Setup("sky-rise", 3, seats), SKY_RISE) as table:
        onlooker, pages, client = opened(table.path)
        enter(table, "goal_noted", seat=seats[0].id, nest="red", tree="blue")
        saved(table)
        news(onlooker, pages)
        everybodys, own = [(await client.ask(f"/code-{number}/")).text for number in (0, 1)]
    assert "your Nest" in own
    assert "your Nest" not in everybodys
