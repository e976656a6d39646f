"""A piece that changes its place slides there, on every page with pictures, unless the browser asks for less motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules.facts import Fact
from companion.session.roles import Role
from companion.session.table import Table
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import LOST, opened, served, up_to_date

MOVED = "window.moved"
_NOTE = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  moved.push([this.getAttribute("class"), how[0][0].transform]);
  return animate.apply(this, how);
};
"""


@pytest.fixture
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def enter(table: Table, fact: Fact) -> None:
    table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))


@pytest.mark.parametrize("role", [Role.TABLE, Role.WALL])
def test_a_bar_and_its_sign_slide_to_where_a_draw_takes_them(
    role: Role, phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        table.do("panic-fire.fire")
        table.do("panic-fire.draw.1")
        opened(phone, pages, role)
        up_to_date(phone, table)
        phone.js(_NOTE)
        table.do("panic-fire.draw.2")
        up_to_date(phone, table)
        moved = phone.wait_for(MOVED)
        kinds = {kind for kind, _ in moved}
        assert any("badge" in kind for kind in kinds)
        assert any("stripe" in kind for kind in kinds)
        slid = [how for kind, how in moved if "badge" in kind and how.startswith("translate(")]
        assert slid
        assert phone.errors == []


def test_everybody_s_page_slides_them_too(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        table.do("panic-fire.fire")
        table.do("panic-fire.draw.1")
        phone.open(pages.address_of())
        phone.wait_for(f"{LOST}?.hidden && document.querySelector('svg.picture') !== null")
        phone.js(_NOTE)
        table.do("panic-fire.draw.2")
        assert phone.wait_for(MOVED)
        assert phone.errors == []


def test_nothing_moves_where_the_browser_asks_for_less_motion(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        table.do("panic-fire.fire")
        phone.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-reduced-motion", "value": "reduce"}],
        )
        opened(phone, pages)
        up_to_date(phone, table)
        phone.js(_NOTE)
        table.do("panic-fire.draw.2")
        up_to_date(phone, table)
        assert phone.js(MOVED) == []


def test_a_piece_of_a_map_slides_from_region_to_region(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path, "fractured-sky") as (table, pages):
        while "skimmer" not in {fact.kind for fact in table.legal()}:
            enter(table, table.legal()[0])
        skimmers = [fact for fact in table.legal() if fact.kind == "skimmer"]
        enter(table, skimmers[0])
        opened(phone, pages, wide=1280)
        up_to_date(phone, table)
        phone.js(_NOTE)
        ruling = next(
            line
            for line in table.inspection.marshal().rulings
            if line.kind == "skimmer" and line.stands
        )
        table.amend(ruling.n, skimmers[1].model_dump(mode="json", exclude={"kind", "at"}))
        up_to_date(phone, table)
        slid = [how for kind, how in phone.wait_for(MOVED) if "piece" in kind]
        assert any(how.startswith("translate(") for how in slid)
