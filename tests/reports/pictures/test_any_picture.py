"""The drawings of declared pictures: nothing overlaps, each piece has its owner's sign and color."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given

from companion.display.pictures import Chart, MapPiece, Race, Stacks, Tower
from companion.reports.pictures.any_picture import draw_picture, picture_style
from companion.reports.pictures.lettering import SIZE, SMALL, cut, text_width, wrapped
from companion.reports.pictures.routes import Box, way_between
from companion.reports.tones import tone
from tests.reports.pictures.samples import (
    ODD,
    OWNERS,
    a_race,
    a_site,
    a_tower,
    charts,
    classes_of,
    of_class,
    parts_of,
    some_stacks,
)

BOLD = frozenset({"strong", "owner", "letter", "suit", "sign"})
SMALLER = frozenset({"small", "letter", "suit", "sign"})
A_CHART = Chart("Map", (a_site(0, (0, 0), ODD, None),), (), (), (f"● {ODD}",), inks=OWNERS)
EACH = [a_tower(), some_stacks(), A_CHART, a_race()]


def box_of(rect: ElementTree.Element) -> Box:
    return Box(*(float(rect.get(name) or 0) for name in ("x", "y", "width", "height")))


def overlap(first: Box, second: Box) -> bool:
    across = first.x < second.x + second.width and second.x < first.x + first.width
    return across and first.y < second.y + second.height and second.y < first.y + first.height


def size_of(drawing: ElementTree.Element) -> tuple[float, float]:
    _, _, width, height = map(float, (drawing.get("viewBox") or "").split())
    return width, height


def texts_in(drawing: ElementTree.Element) -> Iterable[tuple[ElementTree.Element, float]]:
    """Yield each line of text with its estimated width."""
    for text in drawing.iter("text"):
        kinds = {*classes_of(text)}
        size = SMALL if kinds & SMALLER else SIZE
        wide = text_width(text.text or "", size, bold=bool(kinds & BOLD))
        for span in text.iter("tspan"):
            wide += text_width(span.text or "", size, bold=True) + text_width(span.tail or "", size)
        yield text, wide


def ends_of(text: ElementTree.Element, wide: float) -> tuple[float, float]:
    x = float(text.get("x") or 0)
    left = {"middle": x - wide / 2, "end": x - wide}.get(text.get("text-anchor") or "", x)
    return left, left + wide


@given(charts())
def test_no_two_sites_of_a_map_overlap_and_all_are_on_it(chart: Chart) -> None:
    drawings = [*parts_of(draw_picture(chart), "chart")]
    assert len(drawings) == 2
    for drawing in drawings:
        boxes = [*map(box_of, of_class(drawing, "site"))]
        assert len(boxes) == len(chart.sites)
        assert not any(overlap(*pair) for pair in combinations(boxes, 2))
        width, height = size_of(drawing)
        for box in boxes:
            assert 0 <= box.x <= box.x + box.width <= width
            assert 0 <= box.y <= box.y + box.height <= height


@given(charts())
def test_what_is_in_a_site_fits_its_box(chart: Chart) -> None:
    for drawing in parts_of(draw_picture(chart), "chart"):
        for group in drawing.findall("g"):
            box = box_of(of_class(group, "site")[0])
            for text, wide in texts_in(group):
                left, right = ends_of(text, wide)
                assert box.x <= left
                assert right <= box.x + box.width
                assert box.y < float(text.get("y") or 0) < box.y + box.height


@given(charts(known=True))
def test_of_two_sites_of_a_row_the_western_is_drawn_to_the_left(chart: Chart) -> None:
    for drawing in parts_of(draw_picture(chart), "chart"):
        boxes = [*map(box_of, of_class(drawing, "site"))]
        placed = [*zip(chart.sites, boxes, strict=True)]
        for (one, first), (other, second) in combinations(placed, 2):
            assert one.at is not None
            assert other.at is not None
            if first.y == second.y and one.at[0] != other.at[0]:
                assert (first.x < second.x) == (one.at[0] < other.at[0])


@given(charts())
def test_each_piece_on_a_map_has_its_owners_sign_and_color(chart: Chart) -> None:
    pieces = [piece for site in chart.sites for piece in site.pieces or ()]
    for drawing in parts_of(draw_picture(chart), "chart"):
        groups = of_class(drawing, "piece")
        assert [
            ("".join(text.itertext()), next(iter(group.iter("title"))).text)
            for group in groups
            for text in group.iter("text")
        ] == [(piece.sign, piece.words) for piece in pieces]
        for group, piece in zip(groups, pieces, strict=True):
            assert tone(piece.ink) in classes_of(group)


def test_a_place_does_not_move_while_its_pieces_have_room() -> None:
    def boxes(count: int) -> list[Box]:
        pieces = [MapPiece("ship", "●", "#D55E00", "a ship")] * count
        sites = tuple(a_site(number, (number, number % 3), "Atoll", pieces) for number in range(6))
        markup = draw_picture(Chart("Map", sites, (), ()))
        return [
            box_of(rect) for part in parts_of(markup, "wide") for rect in of_class(part, "site")
        ]

    assert boxes(0) == boxes(3)


def test_a_bridge_goes_around_what_lies_between_its_ends() -> None:
    first, between, second = Box(0, 200, 50, 40), Box(150, 190, 50, 60), Box(300, 200, 50, 40)
    way = way_between(first, second, [between], Box(0, 0, 350, 400))
    assert not any(between.has(point) for point in way.points())
    straight = way_between(first, second, [], Box(0, 0, 350, 400))
    assert all(y == pytest.approx(220) for _, y in straight.points())


def test_each_pyramid_has_its_owners_sign_and_color_from_above_and_from_the_side() -> None:
    tower = a_tower()
    drawings = [*parts_of(draw_picture(tower))]
    sides = [drawing for drawing in drawings if "side" in classes_of(drawing)]
    for floor, drawing in zip(tower.floors, drawings, strict=False):
        topmost = {pyramid.at: pyramid for pyramid in floor.pyramids}.values()
        assert sorted(_signs(drawing)) == sorted(
            (pyramid.owner, tone(pyramid.owner_ink)) for pyramid in topmost if pyramid.owner
        )
    owned = [one for floor in tower.floors for one in floor.pyramids if one.owner]
    assert sorted(sign for drawing in sides for sign in _signs(drawing)) == sorted(
        (pyramid.owner, tone(pyramid.owner_ink)) for pyramid in owned
    )


def _signs(drawing: ElementTree.Element) -> list[tuple[str, str]]:
    signs = [text for text in of_class(drawing, "owner") if text.tag == "text"]
    return [(text.text or "", classes_of(text)[-1]) for text in signs]


def test_each_crossing_of_a_wide_tower_has_its_letter_from_above_and_from_the_side() -> None:
    wide = replace(a_tower().floors[0], columns=9)
    for drawing in parts_of(draw_picture(Tower("Tower", (wide,), ()))):
        small = [text.text or "" for text in of_class(drawing, "small")]
        letters = "".join(filter(str.isalpha, small))
        assert letters == "abcdefghij"


def test_cards_and_pyramids_from_above_do_not_overlap() -> None:
    for drawing in parts_of(draw_picture(a_tower()), "floor"):
        cards = [*map(box_of, of_class(drawing, "card"))]
        bases = [
            box_of(rect) for group in of_class(drawing, "pyramid") for rect in group.iter("rect")
        ]
        signs = [_around(disc) for disc in of_class(drawing, "badge")]
        for card in cards:
            assert not any(overlap(card, other) for other in (*bases, *signs))


def _around(disc: ElementTree.Element) -> Box:
    x, y, radius = (float(disc.get(name) or 0) for name in ("cx", "cy", "r"))
    return Box(x - radius, y - radius, 2 * radius, 2 * radius)


def test_each_card_of_a_stack_has_its_owners_sign_and_color() -> None:
    stacks = some_stacks("Ada")
    for stack, drawing in zip(stacks.stacks, parts_of(draw_picture(stacks)), strict=True):
        assert len(of_class(drawing, "back")) == len(stack.cards)
        owners = [(span.text, classes_of(span)[-1]) for span in of_class(drawing, "owner")]
        assert owners == [(card.who, tone(card.ink)) for card in stack.cards]
        assert (drawing.get("aria-label") or "").startswith(f"{stack.title}, {stack.note}: ")


def test_each_lane_of_a_race_has_its_players_sign_and_color_where_its_bar_ends() -> None:
    race = a_race("Ada")
    (drawing,) = parts_of(draw_picture(race))
    bars, discs = of_class(drawing, "stripe"), of_class(drawing, "badge")
    assert [(text.text, classes_of(text)[-1]) for text in of_class(drawing, "small")] == [
        (lane.player.glyph, tone(lane.player.color)) for lane in race.lanes
    ]
    ends = []
    for lane, rect, disc in zip(race.lanes, bars, discs, strict=True):
        bar = box_of(rect)
        assert tone(lane.player.color) in classes_of(rect)
        assert bar.x + bar.width == pytest.approx(float(disc.get("cx") or 0), abs=0.01)
        ends.append(bar.width)
    track = box_of(of_class(drawing, "track")[0])
    assert ends == pytest.approx([0, track.width / 2, track.width], abs=0.01)
    names = [text.text for text in of_class(drawing, "owner") if "small" not in classes_of(text)]
    assert names == ["● Ada", "▲ Bo"]


@pytest.mark.parametrize("picture", EACH, ids=lambda picture: type(picture).__name__)
def test_text_stays_inside_its_drawing_however_long_a_name_is(
    picture: Tower | Stacks | Chart | Race,
) -> None:
    for drawing in parts_of(draw_picture(picture)):
        width, height = size_of(drawing)
        for text, wide in texts_in(drawing):
            left, right = ends_of(text, wide)
            assert left >= 0
            assert right <= width, text.text
            assert 0 < float(text.get("y") or 0) < height


@pytest.mark.parametrize("picture", EACH, ids=lambda picture: type(picture).__name__)
def test_a_name_is_text_and_a_drawing_has_neither_style_nor_script(
    picture: Tower | Stacks | Chart | Race,
) -> None:
    markup = draw_picture(picture)
    assert ODD not in markup
    assert "&lt;script&gt;" in markup
    assert not re.search(r"<script| style=|<[^>]* on\w+=|href=", markup)


@pytest.mark.parametrize("picture", EACH, ids=lambda picture: type(picture).__name__)
def test_a_screen_reader_gets_a_name_for_each_drawing_and_for_the_box_that_scrolls(
    picture: Tower | Stacks | Chart | Race,
) -> None:
    box = ElementTree.fromstring(draw_picture(picture))
    assert (box.get("role"), box.get("tabindex")) == ("region", "0")
    assert box.get("aria-label") == picture.title
    for drawing in box.iter("svg"):
        assert drawing.get("role") == "img"
        assert drawing.get("aria-label")


def test_no_text_of_a_drawing_is_smaller_than_twelve_units() -> None:
    sizes = re.findall(r"font-size: (\d+)px", picture_style())
    assert sizes
    assert min(map(int, sizes)) >= SMALL == 12


def test_text_is_cut_and_wrapped_by_its_width() -> None:
    assert text_width("ii") < text_width("MM")
    assert cut("Wolfeschlegelsteinhausen", 80).endswith("…")
    assert text_width(cut("Wolfeschlegelsteinhausen", 80)) <= 80
    lines = wrapped("one two three Wolfeschlegelsteinhausenbergerdorff", 60)
    assert all(text_width(line) <= 60 for line in lines)
    assert lines[0] == "one two"
