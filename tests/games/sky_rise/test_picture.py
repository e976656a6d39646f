"""The tower's picture agrees with the state over whole games, and each renderer shows all of it."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from companion.display.cells import plain, widest
from companion.display.pictures import Tower
from companion.display.towers import (
    SCALES,
    Scale,
    TowerCursor,
    legend_lines,
    nearest,
    plan,
    plan_size,
    side,
    side_size,
    tower_lines,
    view_lines,
)
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.view import view
from companion.reports.tables import shown_html
from companion.rules.columns import width
from companion.rules.facts import TABLE
from tests.games.sky_rise.playing import QUIET, Record, played
from tests.games.sky_rise.test_ending import built
from tests.thorough import examples

SIZES = ("small", "medium", "large")


def picture(record: Record) -> Tower:
    return tower(view(record.state, TABLE))


def lines(record: Record, columns: int = 80) -> list[str]:
    return [*map(plain, tower_lines(picture(record), columns, sides=False))]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_over_a_whole_game_the_picture_agrees_with_the_state(seats: int) -> None:
    for state in played(seats, seed=seats)[:: examples(19, 7)]:
        shown = tower(view(state, TABLE))
        assert len(shown.floors) == len(state.levels)
        for floor, level in zip(shown.floors, state.levels, strict=True):
            assert [
                (one.at, SIZES[one.size - 1], one.letter) for one in sorted(floor.pyramids, key=_at)
            ] == [
                (
                    (("abcd".index(one.place[0])), int(one.place[1]) - 1),
                    one.size,
                    state.kit.letter(one.color),
                )
                for one in sorted(level.pyramids, key=lambda one: (one.place[0], one.place[1]))
            ]
            assert Counter(tile.sign for tile in floor.tiles) == Counter(
                state.kit.sign(card.suit) for card in level.cards
            )
        _all_is_drawn(shown)


def _at(one: object) -> tuple[int, int]:
    return one.at  # type: ignore[attr-defined, no-any-return]


def _all_is_drawn(shown: Tower) -> None:
    """Assert that each letter is in each drawing once, and that no drawing is wider than it says."""
    letters = Counter(one.letter for floor in shown.floors for one in floor.pyramids)
    for scale in SCALES[1:]:
        rows = side(shown, scale)
        assert (widest(rows), len(rows)) == side_size(shown, scale)
        body = "".join(line for line in map(plain, rows[1:-1]))
        body = re.sub(r"roof|antenn\w*|level \d|large|medium|small", "", body)
        assert Counter(re.findall("[A-Z#]", body)) == letters
    for floor in shown.floors:
        for scale in SCALES:
            rows = plan(floor, scale)
            assert (widest(rows), len(rows)) == plan_size(floor, scale)
            seen = {
                (one.letter, one.at) for one in floor.pyramids if one == floor.standing(one.at)[-1]
            }
            text = Counter(
                re.findall("[A-Z#]", re.sub("[LMS](?=[ ═─])", "", "".join(map(plain, rows[1:]))))
            )
            if floor.usual is not None and all(one.size == floor.usual for one in floor.pyramids):
                assert text == Counter(letter for letter, _ in seen)
    drawings = [*ElementTree.fromstring(shown_html(shown)).iter("svg")]
    from_above = [one for one in drawings if "floor" in (one.get("class") or "")]
    sides = [one for one in drawings if "side" in (one.get("class") or "")]
    for floor, drawing in zip(shown.floors, from_above, strict=True):
        topmost = {one.at: one.letter for one in floor.pyramids}
        assert _letters_in([drawing]) == Counter(topmost.values())
        about = drawing.get("aria-label") or ""
        assert all(tile.words in about for tile in floor.tiles)
        assert all(pyramid.words in about for pyramid in floor.pyramids)
    assert len(sides) == shown.floors[0].rows + 1
    assert _letters_in(sides) == letters


def _letters_in(drawings: list[ElementTree.Element]) -> Counter[str | None]:
    texts = [text for drawing in drawings for text in drawing.iter("text")]
    return Counter(text.text for text in texts if text.get("class") == "letter")


@pytest.mark.parametrize("scale", SCALES)
def test_a_cell_of_the_plan_leads_back_to_the_place_that_is_drawn_there(scale: Scale) -> None:
    record = Record(5)
    floor = picture(record).floors[0]
    for on_field in (True, False):
        for x in range(floor.columns + (not on_field)):
            for y in range(floor.rows + (not on_field)):
                cursor = TowerCursor((x, y), on_field=on_field)
                rows = [line + " " * 90 for line in map(plain, plan(floor, scale, cursor))]
                row = next(place for place, line in enumerate(rows) if "[" in line)
                spot = (rows[row].index("[") + 1, row)
                assert nearest(floor, scale, spot, field=on_field) == (x, y)


def test_from_above_and_from_the_side_a_pyramid_is_as_large_as_it_is() -> None:
    record = built(2, "RYGB GBRY #YGB", QUIET, QUIET)
    record.roof()
    record.do("pyramid", place="a1", color="red", size="large")
    roof = picture(record).floors[-1]
    assert [plain(line)[2:11].rstrip() for line in plan(roof, SCALES[1])[1:4]] == [
        r" \     /",
        "    R",
        " /     \\",
    ]
    above = [plain(line)[8:15].rstrip() for line in side(picture(record), SCALES[1])]
    assert above[1:5] == ["  ^", " / \\", "/ R \\", "───────"]


def test_the_tower_in_letters_stands_side_by_side_where_it_fits() -> None:
    record = built(2, QUIET, QUIET, QUIET)
    wide, narrow = lines(record), lines(record, 40)
    assert all(title in wide[0] for title in ("level 1 (large)", "roof (antennas)"))
    assert len(narrow) > len(wide)
    assert all(width(line) <= 80 for line in wide)
    assert all(width(line) <= 40 for line in narrow)


def test_in_letters_nothing_needs_a_color() -> None:
    record = Record(2)
    record.floor("hsd chs")
    record.pyramids("RR#. .... ....")
    assert lines(record) == [
        "level 1 (large)",
        "   a     b     c     d",
        "1  R ═══ R ═══ # ─── ·",
        "   │  ♥  │  ♠  │  ♦  │",
        "2  · ─── · ─── · ─── ·",
        "   │  ♣  │  ♥  │  ♠  │",
        "3  · ─── · ─── · ─── ·",
        "",
        "R red ♥, Y yellow ♠, G green ♦, B blue ♣, # opaque",
    ]


@pytest.mark.parametrize("columns", [60, 76, 150, 190])
def test_the_whole_tower_is_seen_by_levels_and_by_rows_within_the_width(columns: int) -> None:
    shown = picture(built(2, QUIET, QUIET, QUIET))
    lines_of_view = [*map(plain, view_lines(shown, columns))]
    assert all(width(line) <= columns for line in lines_of_view)
    text = "\n".join(lines_of_view)
    for seen in (*(floor.title for floor in shown.floors), "row 1", "row 2", "row 3"):
        assert text.count(seen) == 1
    letters = Counter(one.letter for floor in shown.floors for one in floor.pyramids)
    above_legend = "\n".join(lines_of_view[: -len([*legend_lines(shown, columns)])])
    assert Counter(re.findall("[RYGB]", above_legend)) == {
        mark: 2 * n for mark, n in letters.items()
    }


def test_each_card_and_each_pyramid_has_the_color_of_its_suit() -> None:
    record = Record(2)
    record.floor("hsd chs")
    record.pyramids("RR#. .... ....")
    shown = picture(record)
    inks = {color.sign: color.ink for color in view(record.state, TABLE).colors}
    (floor,) = shown.floors
    assert {tile.sign: tile.ink for tile in floor.tiles} == inks
    for scale in SCALES:
        runs = [run for line in plan(floor, scale) for run in line]
        for sign, ink in inks.items():
            grounds = {run.pen.ink for run in runs if sign in run.text and run.pen.filled}
            assert grounds == {ink}
    from_above = next(ElementTree.fromstring(shown_html(shown)).iter("svg"))
    cards = [card.get("fill") for card in from_above.iter("rect") if card.get("class") == "card"]
    assert Counter(cards) == Counter(tile.ink for tile in floor.tiles)
    assert len(shown.inks) == len(shown.legend)


def test_a_size_that_is_not_the_levels_is_told_by_its_letter() -> None:
    record = Record(2)
    record.floor()
    record.do("pyramid", place="a1", color="red", size="small", reason="mixed up")
    assert any("1  RS─── " in line for line in lines(record))
