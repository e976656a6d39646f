"""The drawings of games' pictures as a browser lays them out, at the widths of phones and screens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.display.pictures import Chart
from companion.display.tables import Drawing
from companion.games.fractured_sky.rules.picture import chart
from companion.reports.pictures.any_picture import draw_picture
from companion.web import document
from companion.web.headers import POLICY
from tests.games.fractured_sky.playing import begun
from tests.games.random_play import steps
from tests.reports.pictures.samples import OWNERS, SHAPES, a_race, a_site, a_tower, some_stacks
from tests.web.browser import Browser, Chromium
from tests.web.game_pages import page_of

WIDTHS = (320, 390, 1280, 1920)
NAME = "Wolfeschlegelsteinhausenbergerdorff MWMWMW"
MEASURED = """
[...document.querySelectorAll('svg.picture')].filter((svg) => svg.getBoundingClientRect().width).map((svg) => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const sheet = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim()).map((text) => {
    const own = text.getBoundingClientRect(), box = text.parentNode.querySelector('.site, .back');
    const around = box && text.parentNode !== svg ? box.getBoundingClientRect() : sheet;
    return {
      words: text.textContent,
      high: parseFloat(getComputedStyle(text).fontSize) * scale,
      inside: own.left >= around.left - 1 && own.right <= around.right + 1
        && own.top >= around.top - 2 && own.bottom <= around.bottom + 2,
    };
  });
}).flat()
"""


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def opened(page: Browser, folder: Path, blocks: dict[str, Any]) -> None:
    """Open a page with these blocks under the policy that it is served with."""
    policy = document.headers()[POLICY].replace("; frame-ancestors 'none'", "")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    html = document.session_page("Pictures", blocks).replace("<head>", f"<head>{meta}", 1)
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    page.open(file.as_uri())
    page.wait_for("document.readyState === 'complete' && document.querySelector('svg') !== null")


def pictures() -> list[Drawing]:
    """Return pictures of each kind with long names, and a map of sites with text instead of pieces."""
    sites = [
        a_site(0, (0, 0), NAME, None), a_site(1, (5, 1), "Torrential Tropics", None),
        a_site(2, (2, 6), "MMMM WWWW iiii", []),
    ]  # fmt: skip
    people = tuple(f"{glyph} {NAME}" for glyph, _ in OWNERS)
    text_map = Chart("Map", tuple(sites), (), (), people, inks=OWNERS, shapes=SHAPES)
    return [a_tower(NAME), some_stacks(NAME), text_map, a_race(NAME)]


def a_map() -> Chart:
    """Return the example map of Fractured Sky late in a game of five."""
    record = begun("ada bo cleo dan eve")
    *_, last = islice(steps(record.game, record.setup, Random(5)), 0, 150)
    return chart(record.game.view(last[-1], "table"))


@pytest.mark.parametrize("wide", WIDTHS)
def test_each_text_fits_its_box_and_is_at_least_twelve_pixels_high(
    page: Browser, tmp_path: Path, wide: int
) -> None:
    page.size(wide, 900)
    drawn = "".join(map(draw_picture, [*pictures(), a_map()]))
    opened(page, tmp_path, {"game": drawn})
    texts = page.js(MEASURED)
    assert len(texts) > 100
    assert [text["words"] for text in texts if not text["inside"]] == []
    assert min(text["high"] for text in texts) >= 12
    assert page.js("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("wide", WIDTHS)
def test_one_map_of_the_two_is_shown_and_on_a_wide_page_whole(
    page: Browser, tmp_path: Path, wide: int
) -> None:
    page.size(wide, 900)
    opened(page, tmp_path, {"game": draw_picture(a_map())})
    shown = page.js(
        "[...document.querySelectorAll('svg.chart')].filter((svg) => svg.getBoundingClientRect().width)"
        ".map((svg) => svg.classList.contains('wide'))"
    )
    assert shown == [wide > 1000]
    scrolls = page.js(
        "document.querySelector('.scroll').scrollWidth > document.querySelector('.scroll').clientWidth"
    )
    assert scrolls == (wide < 1000)


def test_drawings_have_their_colors_under_the_pages_policy_by_day_and_by_night(
    page: Browser, tmp_path: Path
) -> None:
    page.leave()
    colors = []
    for light in (False, True):
        page.light(light)
        opened(page, tmp_path, {"game": draw_picture(a_race())})
        colors.append(page.js("getComputedStyle(document.querySelector('.stripe.tone-red')).fill"))
    assert colors == ["rgb(255, 127, 92)", "rgb(196, 22, 10)"]
    assert [error for error in page.errors if "Content Security Policy" in error] == []


def test_a_keyboard_reaches_the_box_that_scrolls(page: Browser, tmp_path: Path) -> None:
    page.size(390, 900)
    opened(page, tmp_path, page_of(*_late_in_fractured_sky()))
    box = "document.querySelector('.picture-box.map').parentNode"
    assert page.js(f"({box}.focus(), document.activeElement === {box})")

    def moved(left: float) -> bool:
        if not left:  # a busy browser may drop a key: press again
            for kind in ("keyDown", "keyUp"):
                page.call(
                    "Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight",
                    windowsVirtualKeyCode=39,
                )  # fmt: skip
        return left > 0

    page.wait_for(f"{box}.scrollLeft", moved)


def _late_in_fractured_sky() -> tuple[Any, Any]:
    record = begun("ada bo cleo")
    *_, last = islice(steps(record.game, record.setup, Random(5)), 0, 60)
    return record.game, last[-1]
