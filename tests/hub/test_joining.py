"""A table joins by a code that is typed once, and stays joined by a token that only its laptop has."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from companion.hub import Declined
from companion.hub.database import Database
from companion.hub.joining import CODE_LETTERS, CODE_S, join, new_code, revoke, table_of
from companion.hub.schema import TABLES
from tests.hub.parts import NOW


def coded(database: Database, number: int = 14, now: float = NOW) -> str:
    with database.writing() as connection:
        return new_code(connection, number, now)[0]


def joins(database: Database, code: str, laptop: str = "one", now: float = NOW) -> tuple[int, str]:
    with database.writing() as connection:
        return join(connection, code, laptop, now)


def number_of(database: Database, token: str, laptop: str = "one") -> int:
    with database.reading() as connection:
        return int(table_of(connection, token, laptop).number)


@pytest.mark.parametrize("typed", ["{}", " {} ", "{0:.4} {0:.8}", "lower"])
def test_a_code_joins_however_it_is_typed(database: Database, typed: str) -> None:
    code = coded(database)
    told = (
        code.lower()
        if typed == "lower"
        else f" {code[:4]} {code[4:]} "
        if "." in typed
        else typed.format(code)
    )
    number, token = joins(database, told)
    assert (number, number_of(database, token)) == (14, 14)


def test_a_code_has_no_letter_that_looks_like_another(database: Database) -> None:
    assert set(coded(database)) <= set(CODE_LETTERS)
    assert not set(CODE_LETTERS) & set("O0I1")


def test_a_code_is_good_once(database: Database) -> None:
    code = coded(database)
    joins(database, code)
    with pytest.raises(Declined, match="Get another"):
        joins(database, code, "two")


def test_a_code_is_good_for_ten_minutes(database: Database) -> None:
    code = coded(database)
    with pytest.raises(Declined, match="older than ten minutes"):
        joins(database, code, now=NOW + CODE_S)
    assert joins(database, code, now=NOW + CODE_S - 1)[0] == 14


def test_a_new_code_puts_the_one_before_out_of_use(database: Database) -> None:
    before = coded(database)
    coded(database)
    with pytest.raises(Declined):
        joins(database, before)


def test_a_second_laptop_with_the_token_is_refused_with_what_to_do(database: Database) -> None:
    _, token = joins(database, coded(database))
    with pytest.raises(
        Declined, match="Table 14 is joined by another laptop: ask the organiser for a new code"
    ):
        number_of(database, token, "a copy")
    assert number_of(database, token) == 14


def test_a_laptop_that_is_replaced_is_out_and_the_new_one_has_the_tables_place(
    database: Database,
) -> None:
    _, old = joins(database, coded(database))
    _, new = joins(database, coded(database), "two")
    assert number_of(database, new, "two") == 14
    with pytest.raises(Declined, match="not joined any more"):
        number_of(database, old)


def test_a_token_that_was_revoked_opens_nothing(database: Database) -> None:
    _, token = joins(database, coded(database))
    with database.writing() as connection:
        assert revoke(connection, 14)
        assert not revoke(connection, 15)
    with pytest.raises(Declined, match="ask the organiser for a new code"):
        number_of(database, token)


@pytest.mark.parametrize("token", ["", "x", "None", "0" * 32])
def test_what_is_no_token_opens_nothing(database: Database, token: str) -> None:
    coded(database)
    with pytest.raises(Declined):
        number_of(database, token, "")


def test_neither_code_nor_token_stands_in_the_database(database: Database) -> None:
    code = coded(database)
    with database.reading() as connection:
        before = repr(connection.execute(select(TABLES)).all())
    _, token = joins(database, code)
    with database.reading() as connection:
        after = repr(connection.execute(select(TABLES)).all())
    for secret in (code, token, bytes.fromhex(token).decode("latin-1")):
        assert secret not in before + after
