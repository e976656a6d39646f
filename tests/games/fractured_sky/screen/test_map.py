"""The map on a screen: every part has room, says in words what lies there, and nothing stands over another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random
from xml.etree import ElementTree

import pytest

from companion.display.cells import plain
from companion.display.charts import chart_lines, drawn, plan, words_of
from companion.games.fractured_sky.rules.picture import chart
from companion.games.fractured_sky.rules.view import FracturedSkyView, view
from companion.reports.tables import shown_html
from companion.rules.facts import TABLE
from tests.display.test_charts import no_two_overlap
from tests.games.fractured_sky.playing import begun, virtual
from tests.games.random_play import steps
from tests.thorough import examples

STROKES = {*"─│"}
"""What bridges are drawn with, corners left out."""


def without_places(game: FracturedSkyView) -> FracturedSkyView:
    board = game.table.board
    regions = tuple(replace(region, point=None) for region in board.regions)
    platforms = tuple(replace(platform, point=None) for platform in board.platforms)
    return replace(
        game, table=replace(game.table, board=replace(board, regions=regions, platforms=platforms))
    )


@pytest.mark.parametrize(("width", "height"), [(49, 12), (119, 24), (159, 31)])
def test_an_unknown_map_is_a_tidy_grid_over_the_room_there_is(width: int, height: int) -> None:
    picture = chart(without_places(begun("ada bo").view()))
    layout = plan(picture, width, height)
    assert no_two_overlap(layout.spots, width, height)
    rows: dict[int, list[int]] = {}
    for spot in layout.spots.values():
        rows.setdefault(spot.y, []).append(spot.x)
    first, *others = rows.values()
    assert len(first) > 1
    assert all(columns == first[: len(columns)] for columns in others)
    assert min(spot.y for spot in layout.spots.values()) <= 1
    assert max(spot.y + spot.height for spot in layout.spots.values()) >= height - 2
    without_bridges = drawn(replace(picture, bridges=()), layout, width, height)
    assert drawn(picture, layout, width, height) == without_bridges


@pytest.mark.parametrize(("width", "height"), [(-3, 0), (0, 11), (1, 1), (9, 3), (30, 400)])
def test_no_room_brings_the_map_down(width: int, height: int) -> None:
    for game in (begun("ada bo").view(), without_places(begun("ada bo").view())):
        picture = chart(game)
        assert len(drawn(picture, plan(picture, width, height), width, height)) == max(0, height)


@pytest.mark.parametrize(("width", "height"), [(49, 12), (78, 18), (119, 24), (159, 31)])
@pytest.mark.parametrize("seats", ["ada", "ada bo cleo dan eve"])
def test_every_part_of_the_example_map_has_room(seats: str, width: int, height: int) -> None:
    game = begun(seats).view()
    picture = chart(game)
    layout = plan(picture, width, height)
    rows = drawn(picture, layout, width, height)
    assert len(rows) == height
    assert no_two_overlap(layout.spots, width, height)
    assert len(layout.spots) == len(game.table.board.regions) + len(game.table.board.platforms)
    assert all(len(plain(row)) <= width for row in rows)


@pytest.mark.parametrize("seats", ["ada", "ada bo cleo dan eve"])
def test_over_random_play_each_site_says_in_words_what_lies_there_and_none_is_cut(
    seats: str,
) -> None:
    record = begun(seats)
    for *_, state in islice(steps(record.game, record.setup, Random(3)), 0, 240, examples(119, 12)):
        game = view(state, TABLE)
        picture = chart(game)
        for width, height in ((119, 24), (159, 31)):
            layout = plan(picture, width, height)
            text = "\n".join(map(plain, drawn(picture, layout, width, height)))
            for site in picture.sites:
                for line in words_of(site, in_words=layout.in_words):
                    assert line in text
            assert layout.in_words or len(game.table.ships) > 6
        words_at = {site.id: " ".join(site.words) for site in picture.sites}
        for region in game.table.board.ids:
            ships = [ship for ship in game.table.ships if ship.region == region]
            assert ("Airship" in words_at[region]) == bool(ships)
            assert words_at[region].count("on the Explore slot") == sum(
                ship.explore for ship in ships
            )
            assert ("Starfall" in words_at[region]) == bool(game.table.starfalls.get(region))
        for platform in game.table.board.platforms:
            words = words_at[f"platform {platform.id}"]
            built = game.table.built_on(platform.id)
            assert sum(words.count(kind) for kind in ("Fortress", "Market")) == len(built)
        for svg in ElementTree.fromstring(shown_html(picture)).iter("svg"):
            if "chart" not in (svg.get("class") or ""):
                continue  # the legend
            text = "".join(svg.itertext())
            for site in picture.sites:
                assert f"{site.head}: {', '.join(site.words)}" in text
                assert site.pieces is not None
                assert all(piece.words in text for piece in site.pieces)
            lines = [line for line in svg.iter("path") if line.get("class") == "bridge"]
            assert len(lines) == len(picture.bridges)


def test_on_a_small_screen_each_place_has_its_name_and_the_page_of_statistics_has_the_words() -> (
    None
):
    picture = chart(virtual().view())
    small = "\n".join(map(plain, drawn(picture, plan(picture, 48, 11), 48, 11)))
    assert "[2] " in small
    assert "bridges to platforms 1, 2" in picture.sites[0].words
    page = "\n".join(map(plain, chart_lines(picture, 74)))
    assert "Market" not in page
    assert "platform 2" in page
    assert "bridges to 1, 3, 4" in picture.words


@pytest.mark.parametrize(("width", "height"), [(51, 11), (119, 24), (159, 31)])
@pytest.mark.parametrize("seats", ["ada", "ada bo cleo dan eve"])
def test_no_place_moves_from_the_first_round_to_the_last(
    seats: str, width: int, height: int
) -> None:
    record = begun(seats)
    first = plan(chart(record.view()), width, height)
    for *_, state in islice(steps(record.game, record.setup, Random(5)), 0, 240, examples(60, 9)):
        game = view(state, TABLE)
        for cursor in ("", game.table.board.ids[3]):
            assert plan(chart(game, cursor), width, height) == first


@pytest.mark.parametrize(("width", "height"), [(51, 11), (119, 24), (159, 31)])
def test_each_piece_has_its_owners_mark_in_the_owners_color_at_every_size(
    width: int, height: int
) -> None:
    record = begun("ada bo")
    for *_, state in islice(steps(record.game, record.setup, Random(3)), 0, 240, examples(119, 12)):
        game = view(state, TABLE)
        picture = chart(game)
        colors = {player.glyph: player.color for player in game.players}
        owners = [ship.player for ship in game.table.ships]
        owners += [flight.player for flight in game.table.flights]
        owners += [built.player for built in game.table.buildings]
        pieces = Counter(map(game.sign, owners))
        runs = [
            run
            for line in drawn(picture, plan(picture, width, height), width, height)
            for run in line
        ]
        marks: Counter[str] = Counter()
        for run in runs:
            for mark in colors.keys() & {*run.text}:
                assert run.pen.ink == colors[mark]
                marks[mark] += run.text.count(mark)
        assert marks == pieces


def test_platforms_bridged_to_the_region_under_the_cursor_are_marked_where_no_line_is() -> None:
    game = begun("ada bo").view()
    cursor = game.table.board.ids[2]
    picture = chart(game, cursor)
    text = "\n".join(map(plain, drawn(picture, plan(picture, 40, 11), 40, 11)))
    for platform in game.table.board.platforms:
        assert (f"[{platform.id}]=" in text) == (cursor in platform.regions)


def test_ten_regions_in_a_small_panel_have_whole_names_and_bridges() -> None:
    game = begun("ada bo cleo dmitri").view()
    picture = chart(game)
    layout = plan(picture, 66, 16)
    text = "\n".join(map(plain, drawn(picture, layout, 66, 16)))
    assert len(game.table.board.regions) == 10
    assert [site.head for site in picture.sites if site.head not in text] == []
    assert {*text} >= STROKES


def test_bridges_are_drawn_where_there_is_room_and_never_through_what_is_written() -> None:
    picture = chart(virtual().view())
    small = drawn(picture, plan(picture, 40, 12), 40, 12)
    layout = plan(picture, 119, 24)
    large = [f"{plain(row):<119}" for row in drawn(picture, layout, 119, 24)]
    assert not STROKES & {*"".join(map(plain, small))}
    assert {*"".join(large)} >= STROKES
    text = "\n".join(large)
    for site in picture.sites:
        for words in words_of(site, in_words=layout.in_words, brief=layout.brief):
            assert words in text
