"""The colors of both themes differ for all kinds of color vision.

Color blindness is simulated by the matrices of Machado, Oliveira and Fernandes (2009, "A
physiologically-based model for simulation of color vision deficiency", severity 1.0), on linear
light. Differences are those of CIE 1976 (L*a*b*). With CIEDE2000, which weighs strong colors less,
no nine colors legible on one background were found that keep 20; the differences that these do keep
by that measure are tested, too.
"""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from textual.color import Color
from textual.theme import Theme

from companion.dashboard.themes import THEMES
from tests.dashboard.test_colors import distance, seen

SIGHT = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
LEAST_1976 = 20.0
LEAST_2000 = 14.5
Lab = tuple[float, float, float]


def colors(theme: Theme) -> dict[str, str]:
    """Return every color with a meaning: the three states, and the seats."""
    seats = {name: value for name, value in theme.variables.items() if name.startswith("seat-")}
    return {
        "success": str(theme.success),
        "warning": str(theme.warning),
        "error": str(theme.error),
        **seats,
    }


@pytest.mark.parametrize("eyes", SIGHT)
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_states_and_seats_are_all_apart(theme: Theme, eyes: str) -> None:
    labs = {name: seen(Color.parse(value), SIGHT[eyes]) for name, value in colors(theme).items()}
    assert len(labs) == 9
    apart = {pair: distance(labs[pair[0]], labs[pair[1]]) for pair in combinations(labs, 2)}
    assert min(apart.values()) >= LEAST_1976, min(apart, key=lambda pair: apart[pair])
    strict = {pair: ciede2000(labs[pair[0]], labs[pair[1]]) for pair in combinations(labs, 2)}
    assert min(strict.values()) >= LEAST_2000, min(strict, key=lambda pair: strict[pair])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_ciede2000_gives_the_published_differences(
    first: Lab, second: Lab, expected: float
) -> None:
    """Four of the pairs of Sharma, Wu and Dalal (2005)."""
    assert ciede2000(first, second) == pytest.approx(expected, abs=1e-4)


def ciede2000(first: Lab, second: Lab) -> float:
    """Return the difference of two colors by CIEDE2000, as Sharma, Wu and Dalal (2005) write it."""
    mean_chroma = (math.hypot(*first[1:]) + math.hypot(*second[1:])) / 2
    grey = 1.5 - 0.5 * _weight(mean_chroma)
    c1, h1 = _polar(first[1] * grey, first[2])
    c2, h2 = _polar(second[1] * grey, second[2])
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dl, dc, dh = (
        second[0] - first[0],
        c2 - c1,
        2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)),
    )
    light, chroma = (first[0] + second[0]) / 2, (c1 + c2) / 2
    hue = h1 + h2 if c1 * c2 == 0 else h1 + turn / 2
    t = (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = (
        -2
        * _weight(chroma)
        * math.sin(math.radians(60 * math.exp(-(((hue % 360 - 275) / 25) ** 2))))
    )
    l, c, h = dl / sl, dc / sc, dh / sh  # noqa: E741  the letters of the formula
    return math.sqrt(l * l + c * c + h * h + rotation * c * h)


def _weight(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25.0**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
