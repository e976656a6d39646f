"""The hub's pages for people who cannot see them, see little, or have only a keyboard, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.hub.database import Database
from companion.hub.points import PointsRules
from companion.web.addresses import LOCALHOST
from tests.hub.parts import RunningHub, running
from tests.hub.test_results import Night
from tests.web.axe import findings
from tests.web.browser import Browser, Chromium

FOR_EVERYBODY = ("/", "/hall", "/seating", "/league", "/result/1", "/nothing-here")
FOR_THE_ORGANISER = ("/organiser", "/organiser/rounds", "/organiser/person", "/judge")
LONG = "Donaudampfschifffahrtsgesellschaftskapitänin"


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as opened:
        opened.size(390, 844)
        yield opened


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite, points=PointsRules(awards=("best score",))) as hub:
        yield hub


def entered(page: Browser, hub: RunningHub) -> None:
    """Play two games, seat a round, dispute a result, and let the page be the organiser's."""
    organiser, night = hub.organiser(), Night(hub.database)
    night.game(1, f"Ann {LONG} Cy", (5, 8, 3), "s1")
    night.game(2, "Di Ed", (1, 0), "", early=True)
    night.game(3, "ANN Flo", (2, 3), "s2")
    organiser.post("/organiser/code", number="4")
    seated = organiser.post(
        "/organiser/rounds", players=f"Ann, {LONG}, Cy, Di, Ed, Flo", rounds="0"
    )
    assert "Put round 1 right" in seated.text
    organiser.post("/organiser/awards")
    hub.browser().post("/result/1", name="Cy", why="miscounted")
    name, _, value = organiser.cookie.partition("=")
    page.call("Network.setCookie", name=name, value=value, domain=LOCALHOST, path="/")


def opened(page: Browser, hub: RunningHub, path: str) -> None:
    page.open(hub.address + path)
    page.wait_for(f"location.href === {hub.address + path!r} && document.readyState === 'complete'")


@pytest.mark.parametrize("path", [*FOR_EVERYBODY, *FOR_THE_ORGANISER])
def test_axe_finds_nothing_wrong_with_the_page_in_light_or_dark(
    page: Browser, hub: RunningHub, path: str
) -> None:
    entered(page, hub)
    opened(page, hub, path)
    page.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert findings(page) == []


def test_axe_finds_nothing_wrong_with_an_empty_hub(page: Browser, hub: RunningHub) -> None:
    for path in ("/", "/hall", "/seating", "/league", "/setup"):
        opened(page, hub, path)
        assert findings(page) == [], path
    hub.organiser()
    opened(page, hub, "/sign-in")
    assert findings(page) == []


@pytest.mark.parametrize("path", [*FOR_EVERYBODY, *FOR_THE_ORGANISER])
@pytest.mark.parametrize(
    ("wide", "text"), [(320, "100%"), (320, "200%"), (390, "100%"), (390, "200%"), (1280, "200%")]
)
def test_no_page_scrolls_sideways_on_a_small_screen_or_with_large_text(
    page: Browser, hub: RunningHub, path: str, wide: int, text: str
) -> None:
    entered(page, hub)
    page.size(wide, 844)
    opened(page, hub, path)
    page.js(f"document.documentElement.style.fontSize = {text!r}")
    page.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.js("document.documentElement.scrollWidth") == wide
    page.size(390, 844)
