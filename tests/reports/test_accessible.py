"""Reports and key cards for people who cannot see them, see little, or have only a keyboard, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from companion.reports.key_card import CardGroup, CardRow, format_card
from companion.reports.page import format_html
from companion.reports.record import read_record
from tests.web.axe import findings
from tests.web.browser import Browser, Chromium
from tests.web.test_accessible import RECORDED, SESSIONS


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as opened:
        yield opened


def opened(page: Browser, html: str, folder: Path) -> None:
    file = folder / "page.html"
    file.write_text(html, "utf-8")
    page.size(390, 844)
    page.open(file.as_uri())
    page.wait_for(f"location.href === {file.as_uri()!r} && document.readyState === 'complete'")


@pytest.mark.parametrize("name", RECORDED)
def test_axe_finds_nothing_wrong_with_a_games_report_and_it_fits_with_large_text(
    page: Browser, tmp_path: Path, name: str
) -> None:
    opened(page, format_html(read_record(SESSIONS / f"{name}.sqlite"), UTC), tmp_path)
    assert findings(page) == []
    page.size(320, 844)
    page.js("document.documentElement.style.fontSize = '200%'")
    assert page.js("document.documentElement.scrollWidth") == 320


def test_axe_finds_nothing_wrong_with_a_key_card(page: Browser, tmp_path: Path) -> None:
    groups = [CardGroup("Game", (CardRow(("Enter", "…"), "starts the round"),))]
    opened(page, format_card("Keys", groups, "Printed today.", "a4"), tmp_path)
    assert findings(page) == []
