"""Who signs in at the hub, what they may do there, and who is kept out."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from companion.hub import people
from companion.hub.answers import TRIES, TRIES_S
from companion.hub.database import Database
from companion.hub.schema import ACCOUNTS, SIGNED_IN
from tests.hub.parts import PASSWORD, Browser, RunningHub, running


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite) as hub:
        yield hub


def test_the_first_organiser_begins_with_the_code_on_the_terminal(hub: RunningHub) -> None:
    browser = hub.browser()
    assert browser.get("/organiser").fields["location"] == "/sign-in"
    assert browser.get("/sign-in").fields["location"] == "/setup"
    assert browser.post("/setup", code="wrong", name="Eve", password=PASSWORD).status == 403
    assert (
        browser.post("/setup", code="AAAABBBB", name="Olga", password=PASSWORD).fields["location"]
        == "/organiser"
    )
    assert "Sign out Olga" in browser.get("/organiser").text


def test_the_code_makes_one_organiser_and_no_second(hub: RunningHub) -> None:
    hub.organiser()
    assert (
        hub.browser()
        .post("/setup", code="AAAABBBB", name="Eve", password=PASSWORD)
        .fields["location"]
        == "/sign-in"
    )
    with hub.database.reading() as connection:
        assert [row.name for row in connection.execute(select(ACCOUNTS))] == ["Olga"]


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_a_password_is_long_enough(hub: RunningHub, password: str) -> None:
    answered = hub.browser().post("/setup", code="AAAABBBB", name="Olga", password=password)
    assert answered.status == 403
    assert "A password has 10 to 200 characters" in answered.text
    assert 'value="AAAABBBB"' in answered.text  # neither it nor the name is to be typed again
    assert 'value="Olga"' in answered.text


def test_who_guesses_a_password_locks_out_themselves_and_many_addresses_only_lock_the_name(
    on_sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "TRIES_BY_NAME", TRIES + 2)
    with running(on_sqlite) as hub:
        hub.organiser()
        guesses = [
            Browser(hub.port, source=source).post("/sign-in", name="Olga", password="not it at all")
            for source in ["127.0.0.2"] * (TRIES + 1) + ["127.0.0.3"]
        ]
        assert [guess.status for guess in guesses] == [403] * TRIES + [429, 403]
        assert hub.browser().post("/sign-in", name="Olga", password=PASSWORD).status == 303
        assert (
            Browser(hub.port, source="127.0.0.4")
            .post("/sign-in", name="olga", password="nor this")
            .status
            == 403
        )
        locked = hub.browser().post("/sign-in", name="Olga", password=PASSWORD)
        assert (locked.status, "Too many tries" in locked.text) == (429, True)


def test_who_guesses_the_first_code_has_five_tries(hub: RunningHub) -> None:
    for _ in range(TRIES):
        hub.browser().post("/setup", code="guess", name="Eve", password=PASSWORD)
    assert (
        "Too many tries"
        in hub.browser().post("/setup", code="AAAABBBB", name="Eve", password=PASSWORD).text
    )
    hub.clock += TRIES_S + 1
    assert hub.organiser().get("/organiser").status == 200


def test_who_guesses_a_password_has_five_tries_and_then_waits(hub: RunningHub) -> None:
    hub.organiser()
    for _ in range(TRIES):
        answered = hub.browser().post("/sign-in", name="Olga", password="a guess of mine")
        assert (answered.status, "do not belong together" in answered.text) == (403, True)
    assert hub.browser().post("/sign-in", name="Olga", password=PASSWORD).status == 429
    hub.clock += TRIES_S + 1
    assert hub.browser().post("/sign-in", name="Olga", password=PASSWORD).status == 303


def test_a_name_that_nobody_has_is_answered_as_a_wrong_password_is(hub: RunningHub) -> None:
    hub.organiser()
    answers = [
        hub.browser().post("/sign-in", name=name, password="wrong password")
        for name in ("Olga", "Nobody")
    ]
    assert 'value="Olga"' in answers[0].text  # it need not be typed again
    assert answers[0].text == answers[1].text.replace('value="Nobody"', 'value="Olga"')


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:1"])
@pytest.mark.parametrize(
    "path", ["/organiser/code", "/organiser/revoke", "/organiser/judge", "/sign-out"]
)
def test_what_another_page_asks_for_in_the_organisers_name_is_not_done(
    hub: RunningHub, path: str, origin: str
) -> None:
    browser = hub.organiser()
    evil = Browser(hub.port, browser.cookie, origin)
    answered = evil.post(path, number="1", name="Eve", password=PASSWORD)
    assert (answered.status, "Another page asked for this" in answered.text) == (403, True)
    assert browser.get("/organiser").status == 200


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites_and_stands_in_no_database(
    hub: RunningHub,
) -> None:
    browser = hub.browser()
    fields = browser.post("/setup", code="AAAABBBB", name="Olga", password=PASSWORD).fields[
        "set-cookie"
    ]
    assert "HttpOnly" in fields
    assert "SameSite=strict" in fields
    with hub.database.reading() as connection:
        kept = repr(connection.execute(select(SIGNED_IN)).all()) + repr(
            connection.execute(select(ACCOUNTS)).all()
        )
    assert browser.cookie.partition("=")[2] not in kept
    assert PASSWORD not in kept


def test_a_wrong_password_is_refused_while_a_table_writes(hub: RunningHub) -> None:
    hub.organiser()
    # SQLite lets nobody else write meanwhile; who looked only waits for nobody
    with hub.database.writing():
        assert hub.browser().post("/sign-in", name="Olga", password="a guess of mine").status == 403


def test_who_signed_out_is_out_also_with_a_copy_of_the_cookie(hub: RunningHub) -> None:
    browser = hub.organiser()
    copy = Browser(hub.port, browser.cookie)
    assert browser.post("/sign-out").status == 303
    assert copy.get("/organiser").fields["location"] == "/sign-in"


def test_a_long_day_later_one_signs_in_again(hub: RunningHub) -> None:
    browser = hub.organiser()
    hub.clock += 13 * 3600
    assert browser.get("/organiser").fields["location"] == "/sign-in"


def test_a_judge_may_look_and_give_no_codes(hub: RunningHub) -> None:
    organiser = hub.organiser()
    assert (
        "Jo can sign in as judge now"
        in organiser.post("/organiser/judge", name="Jo", password=PASSWORD).text
    )
    assert (
        "There is a jo already"
        in organiser.post("/organiser/judge", name="jo", password=PASSWORD).text
    )
    judge = hub.browser()
    judge.post("/sign-in", name=" JO", password=PASSWORD)
    page = judge.get("/organiser").text
    assert "Sign out Jo" in page
    assert "Get a code" not in page
    for path in ("/organiser/code", "/organiser/revoke", "/organiser/judge"):
        answered = judge.post(path, number="1", name="Eve", password=PASSWORD)
        assert (answered.status, "Only an organiser" in answered.text) == (403, True)


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "10000", "9" * 5000, "٣"])
def test_a_table_has_a_number(hub: RunningHub, number: str) -> None:
    answered = hub.organiser().post("/organiser/code", number=number)
    assert (answered.status, "A table has a number from 1 to 9999." in answered.text) == (403, True)


def test_a_table_that_never_had_a_code_has_no_laptop_to_let_go_of(hub: RunningHub) -> None:
    answered = hub.organiser().post("/organiser/revoke", number="77")
    assert (answered.status, "No table 77 has a code" in answered.text) == (403, True)


def test_an_emoji_that_is_joined_of_several_is_written_as_any_other(hub: RunningHub) -> None:
    organiser = hub.organiser()
    shrug, astronaut = "\U0001f937\u200d\u2642\ufe0f", "Di \U0001f469\u200d\U0001f680"
    assert astronaut in organiser.post("/organiser/judge", name=astronaut, password=PASSWORD).text
    assert shrug in organiser.post("/organiser/event", title=f"Games {shrug}").text
    assert (
        "Round 1 is seated"
        in organiser.post("/organiser/rounds", players=f"Ann, Bo, {astronaut}").text
    )


def test_a_code_is_told_to_the_organiser_alone(hub: RunningHub) -> None:
    found = re.search(
        r"Table 7 joins with (\w{4} \w{4})",
        hub.organiser().post("/organiser/code", number="7").text,
    )
    assert found is not None
    for path in ("/", "/hall", "/metrics", "/healthz"):
        assert found[1] not in hub.browser().get(path).text


@pytest.mark.parametrize(
    ("path", "status"), [("/seatings", 404), ("/result/x", 404), ("/sign-out", 405)]
)
def test_an_address_that_is_none_is_answered_by_a_page_that_leads_back(
    hub: RunningHub, path: str, status: int
) -> None:
    answered = hub.browser().get(path)
    assert (answered.status, 'href="/"' in answered.text) == (status, True)


def test_a_form_too_long_is_refused(hub: RunningHub) -> None:
    assert (
        hub.organiser().post("/organiser/judge", name="x" * 200_000, password=PASSWORD).status
        == 413
    )


def test_a_round_is_seated_shown_to_everybody_and_put_right(hub: RunningHub) -> None:
    organiser = hub.organiser()
    page = hub.browser().get("/seating").text
    assert "No round is seated yet" in page
    assert '<a href="/">All tables</a>' in page
    names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal"]
    assert "Round 1 is seated" in organiser.post("/organiser/rounds", players="\n".join(names)).text
    page = hub.browser().get("/seating").text
    assert "Round 1. Find your name." in page
    assert all(f"<td>{name}</td>" in page for name in names)
    assert "Nobody meets anybody again this round." in page
    assert '<a href="/">All tables</a>' in page
    assert "Round 1 is seated" in organiser.post("/organiser/mend", gone="ann", late="Ida").text
    page = hub.browser().get("/seating").text
    assert "<td>Ann</td>" not in page
    assert "<td>Ida</td>" in page
    asked = re.search(r"<textarea[^>]*>([^<]*)<", organiser.get("/organiser/rounds").text)
    assert asked is not None
    # they need not be typed again
    assert sorted(asked[1].split(", ")) == sorted([*names[1:], "Ida"])
    assert "Round 2 is seated" in organiser.post("/organiser/rounds", players=", ".join(names)).text


@pytest.mark.parametrize(
    ("path", "fields", "words"),
    [
        ("/organiser/rounds", {"players": "Ann, Bo"}, "needs 3 players or more"),
        ("/organiser/rounds", {"players": "Ann, ann, Bo, Cy"}, "ann stands there twice"),
        (
            "/organiser/rounds",
            {"players": "A" * 101 + ", Bo, Cy"},
            "A name has at most 100 letters",
        ),
        ("/organiser/rounds", {"players": "Ann\u202e, Bo, Cy"}, "has signs that nobody can see"),
        (
            "/organiser/rounds",
            {"players": ",".join(f"p{n}" for n in range(1001))},
            "More than 1000 players",
        ),
        ("/organiser/rounds", {}, "Write who plays."),
        ("/organiser/mend", {"gone": "Ann"}, "No round is seated yet."),
    ],
)
def test_a_round_that_cannot_be_seated_is_refused_with_why(
    hub: RunningHub, path: str, fields: dict[str, str], words: str
) -> None:
    answered = hub.organiser().post(path, **fields)
    assert (answered.status, words in answered.text) == (403, True)


def test_a_form_that_is_sent_twice_or_from_an_older_page_seats_and_changes_nothing(
    hub: RunningHub,
) -> None:
    organiser, names = hub.organiser(), "Ann, Bo, Cy, Di"
    assert 'name="rounds" value="0"' in organiser.get("/organiser/rounds").text
    assert (
        "Round 1 is seated" in organiser.post("/organiser/rounds", players=names, rounds="0").text
    )
    again = organiser.post("/organiser/rounds", players=names, rounds="0")
    assert (again.status, "Nothing was changed" in again.text) == (403, True)
    assert (
        "Round 2 is seated" in organiser.post("/organiser/rounds", players=names, rounds="1").text
    )
    assert "Nothing was changed" in organiser.post("/organiser/mend", gone="Di", rounds="1").text
    assert "<td>Di</td>" in hub.browser().get("/seating").text


def test_who_sits_in_a_round_comes_to_it_no_second_time_however_they_are_written(
    hub: RunningHub,
) -> None:
    organiser = hub.organiser()
    organiser.post("/organiser/rounds", players="Ann, Bo, Cy, Di")
    assert "ann is in this round already." in organiser.post("/organiser/mend", late="ann").text
    assert "Round 1 is seated" in organiser.post("/organiser/mend", gone="Ann", late="ann").text


def test_names_that_were_refused_stand_in_the_form_to_be_put_right(hub: RunningHub) -> None:
    organiser = hub.organiser()
    assert 'value="Jo"' in organiser.post("/organiser/judge", name="Jo", password="short").text
    assert 'value="Jo"' not in organiser.post("/organiser/judge", name="Jo", password=PASSWORD).text
    assert (
        ">Ann, Bo, Cy, Ann</textarea>"
        in organiser.post("/organiser/rounds", players="Ann, Bo, Cy, Ann").text
    )
    organiser.post("/organiser/rounds", players="Ann, Bo, Cy")
    page = organiser.post("/organiser/mend", gone="Anne", late="Di & Ed").text
    assert 'value="Anne"' in page
    assert 'value="Di &amp; Ed"' in page


def test_a_judge_seats_no_round(hub: RunningHub) -> None:
    hub.organiser().post("/organiser/judge", name="Jo", password=PASSWORD)
    judge = hub.browser()
    judge.post("/sign-in", name="Jo", password=PASSWORD)
    assert judge.get("/organiser/rounds").fields["location"] == "/organiser"
    assert (
        "Only an organiser seats rounds"
        in judge.post("/organiser/rounds", players="Ann, Bo, Cy").text
    )


@pytest.mark.parametrize("form", ["code", "revoke", "judge", "event", "awards", "rounds", "mend"])
def test_what_a_form_answered_can_be_loaded_again_and_stays_up_to_date(
    hub: RunningHub, form: str
) -> None:
    loaded = hub.organiser().get(f"/organiser/{form}")
    assert (loaded.status, 'id="live"' in loaded.text or form in ("awards", "rounds", "mend")) == (
        200,
        True,
    )
    assert hub.browser().get(f"/organiser/{form}").status == 303
