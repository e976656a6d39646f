"""What is wrong at a table is on the organiser's page, in a sentence of the hub's own."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import formatdate

import pytest

from companion.hub.database import Database
from companion.hub.table_troubles import STALE_S, TableTroubles
from companion.outbound import hub_client
from tests.hub.parts import NOW, RunningHub, running
from tests.hub.test_table_door import Speaker

pytestmark = pytest.mark.waits

BOARD = "Its board does not answer: the keyboard does everything."
DISK = "Its disk saves nothing: free some space there, or what is played next can be lost."


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite) as hub:
        yield hub


def test_what_a_table_says_of_itself_is_shown_until_it_is_well_again(hub: RunningHub) -> None:
    organiser, table, other = hub.organiser(), Speaker(hub), Speaker(hub, 2, seed=2)
    other.send(other.chain.batch(0, 5), date=formatdate(NOW + 100, usegmt=True))
    table.send(
        table.chain.batch(0, 5),
        x_trouble="board,disk",
        date=formatdate(NOW - 3 * 365.25 * 86400, usegmt=True),
    )
    page = organiser.get("/organiser").text
    for sentence in (BOARD, DISK, "Its clock is 3 years behind the hub&#x27;s: set the wrong one."):
        assert page.count(sentence) == 1
    assert "Its " not in hub.browser().get("/").text  # not everybody's business
    table.send(table.chain.batch(5, 5), date=formatdate(NOW, usegmt=True))
    assert "Its " not in organiser.get("/organiser").text


def test_a_muted_input_is_named(hub: RunningHub) -> None:
    organiser, table = hub.organiser(), Speaker(hub)
    table.send(table.chain.batch(0, 5), x_trouble="muted-zone-3,muted-trigger")
    page = organiser.get("/organiser").text
    for which in ("zone 3", "the trigger"):
        assert f"Muted there because it is noisy: {which}. Check its wire." in page


def test_a_table_that_says_no_more_has_its_silence_shown_instead(hub: RunningHub) -> None:
    organiser, table = hub.organiser(), Speaker(hub)
    table.send(table.chain.batch(0, 60), x_trouble="board")
    hub.clock += STALE_S + 1
    page = organiser.get("/organiser").text
    assert (BOARD in page, "not heard since" in page) == (False, True)


@pytest.mark.parametrize(
    "fields",
    [
        {"x-trouble": "<b>Ann</b>, nonsense"},
        {"x-trouble": "board" * 1000},
        {
            "x-trouble": "muted-, muted-<b>zone 3</b>, muted-zone-0, muted-zone-\u0663, muted-zone-333"
        },
        {"date": "yesterday"},
        {"date": "Mon, 99 Jan 99999 99:99:99 GMT"},
        {"date": "\u0665"},
        {},
    ],
)
def test_nothing_that_a_table_makes_up_is_shown(fields: dict[str, str]) -> None:
    troubles = TableTroubles()
    troubles.note(1, fields, NOW)
    assert troubles.at(NOW) == {}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"refused": "The hub saves nothing: the disk is full. Nothing was lost."}', None),
        (b'{"refused": ""}', "it answered 503"),
        (b'{"refused": 5}', "it answered 503"),
        (b"<html>", "it answered 503"),
        (b"[]", "it answered 503"),
    ],
)
def test_a_table_tells_in_the_hubs_words_why_it_takes_nothing(
    content: bytes, why: str | None
) -> None:
    expected = why or 'it says "The hub saves nothing: the disk is full"'
    assert hub_client._why_later(503, content) == expected
