"""Pictures with odd names, and what a drawing of them has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from xml.etree import ElementTree

from hypothesis import strategies as st

from companion.display.pictures import (
    Chart,
    DrawnPyramid,
    Floor,
    Lane,
    Lying,
    MapPiece,
    Race,
    Shape,
    Site,
    Stack,
    Stacks,
    Tile,
    Tower,
)
from companion.rules.facts import Seat

ODD = '<script>alert("&")</script>'
"""A name that would be markup if it were not escaped."""
OWNERS = (("●", "#D55E00"), ("▲", "#56B4E9"), ("■", "#009E73"))
SHAPES: tuple[tuple[Shape, str], ...] = (
    ("ship", "Ship"),
    ("tower", "Tower"),
    ("house", "House"),
    ("dart", "Dart"),
    ("star", "Star"),
    ("full star", "Full star"),
)


def a_tower(owner: str = ODD) -> Tower:
    """Return a tower of two floors; a corner of the upper one has two pyramids."""
    (red, red_ink), (blue, blue_ink), _ = OWNERS
    below = Floor(
        "level 1 (large)", 3, 2, 3,
        (Tile((0, 0), "♥", "a1 hearts", "#D55E00"), Tile((1, 1), "?", "b2 unknown")),
        (
            DrawnPyramid((0, 0), 3, "R", "#D55E00", f"red of {owner}", red, red_ink),
            DrawnPyramid((1, 0), 3, "#", "", f"opaque of {owner}", blue, blue_ink),
            DrawnPyramid((3, 2), 3, "Y", "#F0E442", "yellow of nobody"),
        ),
        frozenset({((0, 0), (1, 0))}),
    )  # fmt: skip
    above = Floor(
        "roof", 3, 2, None, (),
        (
            DrawnPyramid((2, 1), 2, "G", "#009E73", "green below", red, red_ink),
            DrawnPyramid((2, 1), 1, "B", "#0072B2", "blue on it", blue, blue_ink),
        ),
    )  # fmt: skip
    people = ((f"{red} {owner}", red_ink), (f"{blue} Bo", blue_ink))
    return Tower("The tower", (below, above), ("R red", "# opaque"), False, ("#D55E00", ""), people)


def some_stacks(owner: str = ODD) -> Stacks:
    """Return an empty stack and one of three cards."""
    cards = [
        Lying(f"{glyph} {owner}", ink, f"+{place}.5")
        for place, (glyph, ink) in enumerate(OWNERS, start=1)
    ]
    return Stacks("Zones", (Stack("Zone 1", "no card", ()), Stack("Zone 2", owner, tuple(cards))))


def a_race(owner: str = ODD) -> Race:
    """Return a race to a goal: two lanes of one player, one of another who has passed the end."""
    (red, red_ink), (blue, blue_ink), _ = OWNERS
    ada, bo = Seat("ada", owner, red_ink, red, "A"), Seat("bo", "Bo", blue_ink, blue, "B")
    lanes = (Lane(ada, 0.0, "0 of 9"), Lane(ada, 0.5, "5 of 9"), Lane(bo, 1.25, "11 of 9"))
    return Race("To 9", lanes, goal=True)


def a_site(
    number: int, at: tuple[int, int] | None, name: str, pieces: Sequence[MapPiece] | None
) -> Site:
    """Return a site with three pieces' room, or with lines if it has no `pieces`."""
    point = None if at is None else (Fraction(at[0]), Fraction(at[1]))
    lines = (f"{name}, with ●▲",)
    return Site(
        f"site {number}", f"{number} {name}", lines, ("", ""), point, major=number % 2 == 0,
        lines=lines, pieces=None if pieces is None else tuple(pieces), about=("Gold",), piece_room=3,
    )  # fmt: skip


PLACE = st.tuples(st.integers(0, 12), st.integers(0, 9))
NAMES = st.one_of(
    st.sampled_from((ODD, "Torrential Tropics", "WWWWWWWWWWWWWWWWWWWWWWWW", "Ærø", "日本の山")),
    st.text(min_size=1, max_size=24),
)
PIECES = st.builds(
    lambda shape, owner, number: MapPiece(
        shape, f"{owner[0]}{number or ''}", owner[1], f"{shape} of {owner[0]}"
    ),
    st.sampled_from([shape for shape, _ in SHAPES]),
    st.sampled_from(OWNERS),
    st.integers(0, 99),
)


@st.composite
def charts(draw: st.DrawFn, *, known: bool | None = None) -> Chart:
    """Draw a map of up to fourteen sites, with places or without, with pieces or lines."""
    has_places = draw(st.booleans()) if known is None else known
    places = draw(st.lists(PLACE, min_size=1, max_size=14, unique=True))
    sites = []
    for number, at in enumerate(places):
        pieces = draw(st.one_of(st.none(), st.lists(PIECES, max_size=7)))
        sites.append(a_site(number, at if has_places else None, draw(NAMES), pieces))
    ids = [site.id for site in sites]
    bridges = draw(
        st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(_differ), max_size=12)
    )
    people = tuple(f"{glyph} Ada" for glyph, _ in OWNERS)
    return Chart("Map", tuple(sites), tuple(bridges), (), people, inks=OWNERS, shapes=SHAPES)


def _differ(ends: tuple[str, str]) -> bool:
    return ends[0] != ends[1]


def parts_of(markup: str, kind: str = "") -> Iterator[ElementTree.Element]:
    """Yield the drawings of a picture that have the CSS class."""
    for drawing in ElementTree.fromstring(markup).iter("svg"):
        if kind in classes_of(drawing) or not kind:
            yield drawing


def of_class(drawing: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """Return the parts of a drawing that have the CSS class."""
    return [part for part in drawing.iter() if kind in classes_of(part)]


def classes_of(part: ElementTree.Element) -> list[str]:
    """Return the CSS classes of an element."""
    return (part.get("class") or "").split()
