"""A person can be told what the hub has of them, and be taken out of it; the event can be taken away as one file."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, update

from companion.hub import Declined
from companion.hub.accounts import Role
from companion.hub.database import Database
from companion.hub.pages import rounds_page
from companion.hub.persons import exported, forget, known_of, merge, spellings
from companion.hub.points import PointsRules
from companion.hub.results import doubt
from companion.hub.rounds import mend, names_in, newest, rounds_in, seat
from companion.hub.schema import ACCOUNTS, METADATA, NAMES, TABLES
from companion.hub.standings import standings_of
from tests.hub.parts import NOW, PASSWORD, running
from tests.hub.postgres import Server
from tests.hub.test_command import run
from tests.hub.test_results import Night

PLAYERS = ["Ann", "Bo", "Cy", "Di"]


@pytest.fixture
def night(on_sqlite: Database) -> Night:
    night = Night(on_sqlite)
    night.game(1, "Ann Bo", (5, 3))
    night.game(2, "Cy Di ann", (5, 3, 1))
    with on_sqlite.writing() as connection:
        seat(connection, PLAYERS, NOW, random.Random(1))
        doubt(connection, 1, 1, "Ann", "ann hit it", NOW)
    return night


def test_a_person_is_told_all_that_the_hub_has_of_them_and_nothing_of_others(night: Night) -> None:
    with night.database.reading() as connection:
        known = known_of(connection, "ANN")
        assert known_of(connection, "Eve") == {
            "name": "Eve",
            "played": [],
            "rounds": [],
            "named": [],
        }
    assert [(each["record"], each["seat"]) for each in known["played"]] == [(1, "s1"), (2, "s3")]
    assert known["played"][0]["events"][-1]["kind"] == "end"
    assert [each["doubts"] for each in known["played"]] == [["ann hit it"], []]
    assert known["rounds"] == [(1, 1)]
    assert not [name for name in ("Bo", "Cy", "Di") if f'"{name}"' in json.dumps(known)]


def test_whoever_is_seated_again_with_other_capitals_meets_the_same_people_again(
    night: Night,
) -> None:
    with night.database.writing() as connection:
        again = seat(connection, ["bo", "CY", "ann", "Eve"], NOW, random.Random(1))
        assert again == newest(connection)
        assert (
            again.repeats,
            again.sentences[0].startswith("Meeting again: CY and ann (once before)"),
        ) == (3, True)
        assert mend(connection, ["eve"], ["di"], NOW).repeats == 6


@pytest.mark.parametrize("between", [",", ";", "\n", "\t", "\r\n", " , "])
def test_pasted_names_of_a_round_are_told_apart_as_those_of_a_game_are(between: str) -> None:
    assert names_in(between.join(["Ann Lee", "Bo", "", "Cy"])) == ["Ann Lee", "Bo", "Cy"]


def test_a_new_name_of_a_round_has_no_sign_that_judges_write_between_two(
    on_sqlite: Database,
) -> None:
    with pytest.raises(Declined, match="leave it out"):
        names_in("Ann=Bo, Cy")
    with on_sqlite.writing() as connection:
        # an earlier version took it
        seat(connection, ["Ann=Bo", "Cy", "Di", "Ed"], NOW, random.Random(1))
        assert mend(connection, names_in("ann=bo", new=False), [], NOW).round.byes == ()


COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"


def lines(night: Night) -> list[str]:
    return sorted(line.name for line in standings_of(night.results(), PointsRules()).lines)


def test_a_name_that_comes_in_another_form_is_stored_as_the_hub_has_it(on_sqlite: Database) -> None:
    night = Night(on_sqlite)
    night.game(1, f"{COMPOSED} Bo", (5, 3))
    night.game(2, f"{DECOMPOSED} Cy", (5, 3))
    assert lines(night) == ["Bo", "Cy", COMPOSED]
    with on_sqlite.reading() as connection:
        assert [each["seat"] for each in known_of(connection, DECOMPOSED.upper())["played"]] == [
            "s1",
            "s1",
        ]


def as_before(night: Night, record: int, name: str) -> None:
    """Rename a record's first seat, as an earlier version stored it."""
    with night.database.writing() as connection:
        connection.execute(
            update(NAMES).where(NAMES.c.record == record, NAMES.c.seat == "s1").values(name=name)
        )


def test_two_forms_that_the_hub_has_are_one_line_and_one_spelling_once_the_organiser_merges_them(
    database: Database,
) -> None:
    night = Night(database)
    night.game(1, f"{COMPOSED} Bo", (5, 3))
    night.game(2, "Di Cy", (5, 3))
    as_before(night, 2, DECOMPOSED)
    assert lines(night) == ["Bo", "Cy", COMPOSED]
    with database.writing() as connection:
        assert spellings(connection) == ((DECOMPOSED, COMPOSED),)
        seat(connection, [DECOMPOSED, "Bo", "Cy"], NOW, random.Random(1))
        assert merge(connection, COMPOSED) == 2
        assert merge(connection, COMPOSED) == 0
        assert DECOMPOSED not in str(rounds_in(connection))
        assert spellings(connection) == ()
    assert lines(night) == ["Bo", "Cy", COMPOSED]


def with_accounts(connection: Connection, *accounts: tuple[str, Role]) -> None:
    """Add accounts of these names, as an earlier version allowed."""
    for name, role in accounts:
        fields = {"name": name, "role": role.value, "salt": bytes(16), "password": bytes(32)}
        connection.execute(insert(ACCOUNTS).values(fields))


@pytest.mark.parametrize(
    ("accounts", "left"),
    [
        (((DECOMPOSED, Role.JUDGE), (COMPOSED, Role.JUDGE)), (2, Role.JUDGE)),
        (((DECOMPOSED, Role.ORGANISER), (COMPOSED, Role.JUDGE)), (1, Role.ORGANISER)),
        (((DECOMPOSED.upper(), Role.JUDGE), (DECOMPOSED, Role.JUDGE)), (1, Role.JUDGE)),
    ],
)
def test_two_accounts_of_one_person_become_one_when_the_organiser_merges_them(
    database: Database, accounts: tuple[tuple[str, Role], ...], left: tuple[int, Role]
) -> None:
    with database.writing() as connection:
        with_accounts(connection, *accounts)
        assert len(spellings(connection)[0]) == 2
        assert merge(connection, COMPOSED) > 0
        rows = connection.execute(select(ACCOUNTS.c.id, ACCOUNTS.c.name, ACCOUNTS.c.role)).all()
        assert [tuple(row) for row in rows] == [(left[0], COMPOSED, left[1].value)]


def test_the_merge_command_says_what_it_wrote_and_has_nothing_to_do_twice(
    tmp_path: Path, postgres: Server
) -> None:
    for url in (f"sqlite:///{tmp_path / 'hub.sqlite'}", postgres.empty("merging")):
        with closing(Database(url)) as database:
            night = Night(database)
            night.game(1, f"{COMPOSED} Bo", (5, 3))
            night.game(2, "Di Cy", (5, 3))
            as_before(night, 2, DECOMPOSED)
        words = ("hub", "merge", COMPOSED, "--database", url)
        assert run(tmp_path, *words).out == f"Now spelled {COMPOSED} in 1 more place.\n"
        assert run(tmp_path, *words).out == f"The hub has no other spelling of {COMPOSED}.\n"


def test_two_who_played_in_one_game_have_a_line_each_however_alike_their_names_are(
    on_sqlite: Database,
) -> None:
    night = Night(on_sqlite)
    night.game(1, f"Di {COMPOSED}", (5, 3))
    night.game(2, f"{COMPOSED} {DECOMPOSED} Bo", (5, 3, 1))
    as_before(night, 1, DECOMPOSED)
    with on_sqlite.writing() as connection:
        connection.execute(
            update(NAMES).where(NAMES.c.record == 2, NAMES.c.seat == "s2").values(name=DECOMPOSED)
        )
        connection.execute(
            update(NAMES).where(NAMES.c.record == 2, NAMES.c.seat == "s1").values(name=COMPOSED)
        )
    assert lines(night) == ["Bo", DECOMPOSED, COMPOSED]
    assert night.points() == {"Bo": "2", DECOMPOSED: "7", COMPOSED: "7"}


def test_two_of_one_name_in_one_game_are_not_merged(on_sqlite: Database) -> None:
    night = Night(on_sqlite)
    night.game(1, f"Di {COMPOSED}", (5, 3))
    as_before(night, 1, DECOMPOSED)
    with on_sqlite.writing() as connection, pytest.raises(Declined, match="not one person"):
        merge(connection, COMPOSED)
    assert lines(night) == [DECOMPOSED, COMPOSED]


def test_who_is_forgotten_is_gone_in_both_forms(on_sqlite: Database) -> None:
    night = Night(on_sqlite)
    night.game(1, f"{COMPOSED} Bo", (5, 3))
    night.game(2, "Di Cy", (5, 3))
    as_before(night, 2, DECOMPOSED)
    with on_sqlite.writing() as connection:
        assert forget(connection, COMPOSED) == 2
    assert lines(night) == ["Bo", "Cy"]


def everything(database: Database) -> str:
    with database.reading() as connection:
        return "".join(
            repr(connection.execute(select(table)).all()) for table in METADATA.sorted_tables
        )


def test_a_person_who_is_taken_out_stands_nowhere_any_more_and_all_else_is_as_it_was(
    night: Night,
) -> None:
    before = everything(night.database)
    with night.database.writing() as connection:
        assert forget(connection, "Ann") == 3
        assert forget(connection, "Ann") == 0
        assert forget(connection, "") == 0
        assert known_of(connection, "")["played"] == []
    after = everything(night.database)
    assert "ann" in before.casefold()
    assert "ann" not in after.casefold()
    with night.database.reading() as connection:
        assert sorted(rounds_in(connection)[0].pods[0]) == ["Bo", "Cy", "Di", "Somebody"]
    assert night.points() == {"Bo": "3", "Cy": "4", "Di": "3"}
    with night.database.writing() as connection:
        forget(connection, "Cy")
        again = rounds_page("", newest(connection), "", {})
    assert (">Bo, Di</textarea>" in again, again.count("Somebody")) == (True, 0)
    # two who are gone are no third person with the points of both
    assert night.points() == {"Bo": "3", "Di": "3"}


def test_the_event_is_one_file_of_rows_without_what_opens_a_door(
    on_sqlite: Database, night: Night
) -> None:
    with running(on_sqlite) as hub:
        hub.organiser()
    with on_sqlite.reading() as connection:
        rows = [json.loads(line) for line in exported(connection)]
        tables = connection.execute(select(TABLES)).all()
        accounts = connection.execute(select(ACCOUNTS)).all()
    kinds = [row["table"] for row in rows]
    assert (kinds.count("records"), kinds.count("rounds"), kinds.count("names")) == (2, 1, 5)
    text = json.dumps(rows)
    for secret in (
        *(row.token.hex() for row in tables),
        accounts[0].password.hex(),
        PASSWORD,
        "a laptop",
        "accounts",
    ):
        assert secret not in text


def test_the_commands_tell_take_out_and_export(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path / 'hub.sqlite'}")) as database:
        Night(database).game(1, "Ann Bo", (5, 3))
    told = run(tmp_path, "hub", "person", "ann")
    assert (told.code, json.loads(told.out)["played"][0]["seat"]) == (0, "s1")
    assert run(tmp_path, "hub", "export", "-o", "event.jsonl").out.startswith(
        "event.jsonl holds all events of this hub"
    )
    lines = (tmp_path / "event.jsonl").read_text("utf-8").splitlines()
    assert all(json.loads(line)["table"] for line in lines)
    assert (tmp_path / "event.jsonl").stat().st_mode & 0o077 == 0
    gone: Callable[[], str] = lambda: run(tmp_path, "hub", "forget", "ann").out  # noqa: E731
    assert gone().splitlines()[0] == "ann is taken out, in 1 place."
    assert gone() == "The hub knows nobody called ann.\n"
    assert run(tmp_path, "hub", "export", "-o", "event.jsonl").code == 73


def test_an_export_of_no_hub_leaves_no_file_that_stands_in_the_way_of_the_next(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes.txt").write_text("no database", encoding="utf-8")
    wrong = f"sqlite:///{tmp_path / 'notes.txt'}"
    assert run(tmp_path, "hub", "export", "-o", "event.jsonl", "--database", wrong).code == 69
    assert not (tmp_path / "event.jsonl").exists()
