"""Whatever somebody writes into a field of a form of the hub, it answers in a sentence, on each database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.hub.answers import TRIES_S
from companion.hub.database import Database
from tests.hub.parts import FIRST_CODE, PASSWORD, RunningHub, running
from tests.hub.test_results import Night

ODD = ("a\0b", "\u202e\u2028", "-1", "1_0", "000009999999999", "9223372036854775808", "A, A", "x" * 5_000)
FORMS = {
    "/setup": {"code": FIRST_CODE, "name": "Olga", "password": PASSWORD},
    "/sign-in": {"name": "Olga", "password": PASSWORD},
    "/organiser/code": {"number": "1"},
    "/organiser/revoke": {"number": "1"},
    "/organiser/judge": {"name": "Jo", "password": PASSWORD},
    "/judge": {"kind": "set", "record": "1", "order": "Ann, Bo", "why": "seen"},
    "/result/1": {"name": "Ann", "why": "miscounted"},
    "/organiser/event": {"title": "Autumn"},
    "/organiser/rounds": {"players": "A\nB\nC\nD\nE\nF", "rounds": "0"},
    "/organiser/mend": {"gone": "A", "late": "G", "rounds": "1"},
}


@pytest.fixture
def hub(database: Database) -> Iterator[RunningHub]:
    with running(database) as started:
        yield started


def test_no_field_of_a_form_brings_the_hub_down(hub: RunningHub) -> None:
    Night(hub.database).game(1, "Ann Bo", (5, 3))
    olga, failed = hub.organiser(), []
    for path, fields in FORMS.items():
        for name in fields:
            for odd in ODD:
                hub.clock += TRIES_S / 4  # so that no limit of tries answers instead
                visitor = hub.browser() if path in ("/setup", "/sign-in") else olga
                answered = visitor.post(path, **{**fields, name: odd})
                if answered.status >= 500:
                    failed.append((path, name, odd))
                assert visitor is not olga or answered.fields.get("location") != "/sign-in"
    assert failed == []
    assert [olga.get(path).status for path in ("/", "/organiser", "/organiser/rounds", "/judge")] == [200] * 4
