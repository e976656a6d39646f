"""What is chosen in a form of a page: it is gone once it is recorded, and stays as long as it is not sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.rules import registry
from companion.session.roles import Role
from companion.session.table import Table
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import grids, values
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import SAID, opened, served, submit, up_to_date
from tests.web.test_role_browser import settled

FORM = "document.getElementById('choose-card')"
CHOSEN = f"[...{FORM}.querySelectorAll(':checked')].map((one) => [one.name, one.value])"
DIMMED = f"{FORM}.querySelectorAll('.unfit').length"
# The table's answer to a tap waits until the test lets it come.
HOLD = """
window.answered = 0;
const real = window.fetch;
window.fetch = async (...asked) => {
  const answer = await real(...asked);
  answered += 1;
  await new Promise((go) => { window.release = go; });
  window.fetch = real;
  return answer;
};
"""


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


@contextmanager
def cards(phone: Browser, folder: Path) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """Yield a game with a page that has a form for a card, and the cards that are possible."""
    with served(folder, "sky-rise", ("Anna", "Bo")) as (table, pages):
        for kind in ("start_token", "assign"):
            enter(table, next(each for each in table.legal() if each.kind == kind))
        opened(phone, pages)
        up_to_date(phone, table)
        phone.wait_for(f"{FORM} !== null")
        settled(phone)
        yield table, possible(table)


def possible(table: Table) -> list[dict[str, Any]]:
    """The cards that can be placed now."""
    return [
        each.model_dump(mode="json", exclude={"kind", "at"})
        for each in table.legal()
        if each.kind == "card"
    ]


def enter(table: Table, fact: Any) -> None:
    """Enter a fact from elsewhere."""
    table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))


def choose(phone: Browser, name: str, value: str) -> None:
    """Choose a value in the form."""
    phone.js(f"""{FORM}.querySelector('[name="{name}"][value="{value}"]').click()""")


def chosen(phone: Browser) -> dict[str, str]:
    """What is chosen in the form."""
    return dict(phone.js(CHOSEN))


def cards_in(table: Table) -> int:
    """How many cards were placed."""
    return sum(entry.kind == "card" for entry in table._journal.entries)


@pytest.mark.parametrize("is_late", [False, True], ids=["answer first", "page first"])
def test_a_form_is_empty_once_what_it_said_is_recorded(
    phone: Browser, tmp_path: Path, is_late: bool
) -> None:
    with cards(phone, tmp_path) as (table, (first, *_)):
        for name in ("suit", "place"):
            choose(phone, name, str(first[name]))
        if is_late:
            phone.js(HOLD)
        submit(phone, FORM)
        if is_late:
            phone.wait_for("answered === 1")
            up_to_date(phone, table)
            phone.js("release()")
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        up_to_date(phone, table)
        assert cards_in(table) == 1
        enter(table, next(each for each in table.legal() if each.kind == "turn_over"))
        up_to_date(phone, table)
        phone.wait_for(f"{FORM} !== null")
        assert chosen(phone) == {}
        assert phone.js(DIMMED) == 0


def test_a_choice_that_was_not_sent_survives_what_comes_from_elsewhere(
    phone: Browser, tmp_path: Path
) -> None:
    with cards(phone, tmp_path) as (table, (first, *others)):
        other = next(each for each in others if each["suit"] != first["suit"])
        choose(phone, "suit", other["suit"])
        dimmed = phone.js(DIMMED)
        table.enter("score_set", {"seat": "bo", "score": 3, "reason": "a test"})
        up_to_date(phone, table)
        assert chosen(phone) == {"suit": other["suit"]}
        assert phone.js(DIMMED) == dimmed
        # where this card lies, none can be placed any more: the other places move up on the page
        place = next(each["place"] for each in others if each["place"] != first["place"])
        choose(phone, "place", place)
        table.enter("card", first)
        up_to_date(phone, table)
        assert chosen(phone) == {"suit": other["suit"], "place": place}


def test_a_choice_that_is_offered_no_more_chooses_nothing_else(
    phone: Browser, tmp_path: Path
) -> None:
    with cards(phone, tmp_path) as (table, (first, *_)):
        choose(phone, "place", first["place"])
        table.enter("card", first)
        up_to_date(phone, table)
        assert chosen(phone) == {}


def test_what_is_chosen_while_the_answer_is_awaited_stays(phone: Browser, tmp_path: Path) -> None:
    with cards(phone, tmp_path) as (table, (first, *_)):
        for name in ("suit", "place"):
            choose(phone, name, str(first[name]))
        phone.js(HOLD)
        submit(phone, FORM)
        phone.wait_for("answered === 1")
        up_to_date(phone, table)
        enter(table, next(each for each in table.legal() if each.kind == "turn_over"))
        up_to_date(phone, table)
        place = next(
            str(each["place"]) for each in possible(table) if each["place"] != first["place"]
        )
        choose(phone, "place", place)
        phone.js("release()")
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        assert chosen(phone) == {"place": place}


def test_a_number_is_gone_from_its_field_once_it_is_recorded(
    phone: Browser, tmp_path: Path
) -> None:
    game = registry.learn(TEXTS["hearts"]).id
    with served(tmp_path, game, ("Anna", "Bo", "Cleo", "Dmitri")) as (table, pages):
        opened(phone, pages, Role.SCORES)
        up_to_date(phone, table)
        settled(phone)
        field = "document.querySelectorAll('.own-number input')"
        phone.js(f"{field}[1].value = '7'")
        phone.js(f"{field}[0].value = '5'")
        phone.js(HOLD)
        submit(phone, f"{field}[0].form")
        phone.wait_for("answered === 1")
        up_to_date(phone, table)
        phone.js("release()")
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        assert values(grids(table)[0])[0][0] == 5
        assert phone.js(f"[...{field}].map((each) => each.value)") == ["", "7", "", ""]
