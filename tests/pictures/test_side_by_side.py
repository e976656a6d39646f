"""Pages beside the screen: which bands of a page are drawn, and how long each is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from tests.pictures.side_by_side import BAND, Band, Place, bands, beside, look, spans
from tests.web.browser import Browser, Chromium

SCREEN = '<svg viewBox="0 0 100 50" xmlns="http://www.w3.org/2000/svg"></svg>'


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as opened:
        metrics = {"width": 200, "height": 3 * BAND, "deviceScaleFactor": 1, "mobile": False}
        opened.call("Emulation.setDeviceMetricsOverride", **metrics)
        yield opened


@pytest.fixture
def cutter(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as opened:
        yield opened


def painted(page: Browser, *colors: str) -> str:
    """Return a picture of a page whose bands have these colors."""
    parts = "".join(f'<div style="height:{BAND}px;background:{color}"></div>' for color in colors)
    page.js(f"document.body.style.margin = 0; document.body.innerHTML = {parts!r}")
    return look(page)


def test_a_band_is_drawn_again_only_where_the_page_changed(page: Browser, cutter: Browser) -> None:
    pictures = [
        painted(page, "red", "lime", "blue"),
        painted(page, "red", "lime", "blue"),
        painted(page, "red", "lime", "black"),
    ]
    found = [(band.place, band.first) for band in bands(cutter, pictures)]
    # the band above has the first line of the one that changed
    assert found == [(0, 0), (1, 0), (2, 0), (1, 2), (2, 2)]


def test_another_page_begins_with_all_its_bands(page: Browser, cutter: Browser) -> None:
    picture = painted(page, "red", "lime", "blue")
    assert len(list(bands(cutter, [picture]))) == 3
    assert len(list(bands(cutter, [picture]))) == 3


def test_a_band_is_shown_until_another_one_takes_its_place() -> None:
    found = [band(0, 0), band(1, 0), band(1, 2)]
    ends = {(each.place, each.first): end for each, end in spans(found, 5)}
    assert ends == {(0, 0): 5, (1, 0): 2, (1, 2): 5}


def test_the_pages_keep_the_time_of_the_screen() -> None:
    place = Place("a phone", (200, 2 * BAND), (110, 28))
    picture = beside(SCREEN, "the laptop", [1.0, 2.0, 1.0], {place: [band(0, 0), band(0, 1)]})
    assert "25.00%, 100% { visibility: hidden; }" in picture
    assert "25.00% { visibility: visible; }" in picture
    assert set(re.findall(r"([\d.]+)s step-end", picture)) == {"4.0"}
    assert ElementTree.fromstring(picture).get("viewBox") == f"0 0 311 {28 + 2 * BAND + 1}"


def band(place: int, first: int) -> Band:
    return Band(place, BAND, "data:image/webp;base64,", first)
