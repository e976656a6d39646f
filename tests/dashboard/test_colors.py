"""Both themes are legible for everybody, and nothing is lost without color."""

from __future__ import annotations

from itertools import combinations

import pytest
from textual.color import Color

from companion.dashboard.app import Dashboard
from companion.dashboard.themes import DARK, LIGHT, THEMES, seat_style
from companion.rules.seats import PALETTE
from companion.session.views import LineKind
from tests.dashboard.fakes import ManualClock, line
from tests.dashboard.screen import screen_rows, screen_text
from tests.games.panic_fire.screen.views import panic_fire_table

# Linear-light matrices of Viénot, Brettel and Mollon (1999) for eyes without the long and without the medium cones.
NO_LONG = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
NO_MEDIUM = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_seat_colors_are_readable_on_their_backgrounds(theme: object) -> None:
    variables, grounds = theme.variables, (theme.background, theme.surface)  # type: ignore[attr-defined]
    for name, color in variables.items():
        for ground in grounds:
            assert contrast(Color.parse(color), Color.parse(ground)) >= 4.5, name


@pytest.mark.parametrize("eyes", [NO_LONG, NO_MEDIUM], ids=["protan", "deutan"])
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_seat_colors_stay_apart_for_color_blind_eyes(
    theme: object, eyes: tuple[tuple[float, ...], ...]
) -> None:
    colors = {name: value for name, value in theme.variables.items() if name.startswith("seat-")}  # type: ignore[attr-defined]
    for first, second in combinations(colors, 2):
        apart = distance(
            seen(Color.parse(colors[first]), eyes), seen(Color.parse(colors[second]), eyes)
        )
        assert apart > 6, (first, second)


def test_every_color_a_seat_can_have_has_a_shade_in_both_themes() -> None:
    for name, color in PALETTE.items():
        assert seat_style(color) == f"$seat-{name}"
        assert all(f"seat-{name}" in theme.variables for theme in THEMES)
    assert seat_style("#123456") == "#123456"


def test_each_kind_of_line_has_a_sign_of_its_own() -> None:
    assert len({kind.mark for kind in LineKind}) == len(LineKind)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("theme", [DARK, LIGHT])
async def test_without_color_everything_is_there_and_readable(
    theme: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    log = tuple(line(n, f"a {kind}", kind) for n, kind in enumerate(LineKind))
    table = panic_fire_table(log=log)
    table.refuse("not now")
    app = Dashboard(table, clock=ManualClock(), theme=theme)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        text = screen_text(app)
        for kind in LineKind:
            assert f"{kind.mark} a {kind}" in text
        for essential in ("◆", "Red", "OUT", "! not now", "> Round 2 is open", "? help"):
            assert essential in text
        for row in screen_rows(app):
            for segment in row:
                style = segment.style
                if (
                    segment.text.strip(" █▌▐")
                    and style is not None
                    and style.color
                    and style.bgcolor
                ):
                    front, back = (
                        Color.from_rich_color(color) for color in (style.color, style.bgcolor)
                    )
                    assert front.r == front.g == front.b
                    assert contrast(front, back) >= 3, segment.text


async def test_the_theme_changes_with_a_key_and_the_text_stays() -> None:
    app = Dashboard(panic_fire_table(), clock=ManualClock())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        before = screen_text(app)
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert app.theme == LIGHT
        assert screen_text(app) == before
        await pilot.press("ctrl+t")
        assert app.theme == DARK


def contrast(front: Color, back: Color) -> float:
    """Return the contrast ratio of WCAG 2, section 1.4.3."""
    light, dark = sorted((luminance(front), luminance(back)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: Color) -> float:
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(color: Color) -> tuple[float, float, float]:
    red, green, blue = (part / 255 for part in (color.r, color.g, color.b))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def seen(color: Color, eyes: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """Return the color as those eyes see it, in CIE L*a*b*."""
    parts = linear(color)
    r, g, b = (
        min(1.0, max(0.0, sum(f * p for f, p in zip(row, parts, strict=True)))) for row in eyes
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    fx, fy, fz = (_lab(ratio) for ratio in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _lab(part: float) -> float:
    return float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116


def distance(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    """Return the difference of two L*a*b* colors (CIE 1976); about 2.3 is just noticeable."""
    return float(sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5)
