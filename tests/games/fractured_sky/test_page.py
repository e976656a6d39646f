"""The page for phones: the regions."""

from __future__ import annotations

import re

from companion.rules.registry import open_game
from tests.games.fractured_sky.playing import Record
from tests.web.game_pages import page_of


def test_regions_name_what_stands_in_them() -> None:
    record = Record("ada bo")
    record.do("first", seat="ada")
    region = record.state.board.ids[0]
    record.do("public", region=region)
    page = page_of(open_game("fractured-sky"), record.state)["game"]
    name = record.state.board.name(region)
    assert re.search(rf">{name}</td><td[^>]*>[^<]*</td><td[^>]*>1, one Public</td>", page)
    assert "regions, platforms and decks are invented" in page
