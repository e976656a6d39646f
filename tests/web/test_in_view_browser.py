"""What is to be tapped next is in view on a phone, wherever its page is scrolled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.table import Table
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import PROMPT, finger, labeled, opened, served, up_to_date
from tests.web.test_role_browser import settled

NAMES = ("Anna", "Bo", "Cleo", "Dmitri", "Eva")
# Whether the message lies over an answer that is in view.
COVERED = """(() => {
    const box = document.getElementById('said').getBoundingClientRect();
    return [...document.querySelectorAll('button.main')].some((one) => {
        const { top, bottom, left, right } = one.getBoundingClientRect();
        return top < box.bottom && bottom > box.top && left < box.right && right > box.left;
    });
})()"""
# Whether a finger in the middle of a button touches it.
TAPPED = """(() => {{
    const one = {}, box = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}})()"""


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def tap(phone: Browser, table: Table, button: str) -> None:
    """Tap where a button is on the screen, which moves for nobody."""
    phone.wait_for(f"({button}) != null")
    settled(phone)
    assert phone.js(TAPPED.format(button)), button
    before = table.view().newest
    finger(phone, button)
    phone.wait_for(f"Number(document.querySelector('[data-seen]').dataset.seen) > {before}")
    up_to_date(phone, table)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_a_step_of_nobody_stays_in_view_below_the_cards_of_the_players(
    phone: Browser, tmp_path: Path, count: int
) -> None:
    with served(tmp_path, names=NAMES[:count]) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        for scrolled in (0, 400, 9999):
            phone.js(f"scrollTo(0, {scrolled})")
            assert phone.js(TAPPED.format(labeled("Shot"))), scrolled
        tap(phone, table, labeled("Shot"))
        assert phone.js(PROMPT).startswith("Who was hit?")
        assert phone.js("document.querySelector('.awaiting').getBoundingClientRect().top") >= 0
        assert phone.js(TAPPED.format(labeled("Name Anna")))
        phone.wait_for("document.getElementById('said').className === 'done'")
        assert not phone.js(COVERED), "what is said lies beside the answers"


def test_a_change_by_somebody_else_does_not_move_the_page(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path, names=NAMES) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        phone.js("scrollTo(0, 500)")
        before = phone.js("scrollY")
        table.do("panic-fire.shot")
        up_to_date(phone, table)
        assert phone.js(PROMPT).startswith("Who was hit?")
        assert abs(phone.js("scrollY") - before) < 60


def test_a_proposal_is_asked_where_the_finger_is(phone: Browser, tmp_path: Path) -> None:
    from companion.session.seat_notes import SeatNote

    with served(tmp_path, names=NAMES) as (table, pages):
        opened(phone, pages)
        table.take_proposals(True)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        phone.js("scrollTo(0, 9999)")
        table.note("bo", SeatNote("proposal-000000000001", propose="draw"))
        phone.wait_for("document.querySelector('.question') !== null")
        tap(phone, table, labeled("Record"))
        assert table.view().log[-1].text.startswith("Bo draws")


def test_a_drawing_of_a_race_fits_a_phone_with_large_letters(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, names=NAMES[:3]) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        table.do("panic-fire.draw.1")
        up_to_date(phone, table)
        phone.js("document.getElementById('big').click()")
        drawing = "document.querySelector('svg.lanes').getBoundingClientRect()"
        width, right = phone.js(f"[{drawing}.width, {drawing}.right]")
        assert width > 300
        assert right <= 390
        phone.js("document.getElementById('big').click()")
