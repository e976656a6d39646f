"""A name that is taken out of the hub stands nowhere any more, and what no search can decide is shown first."""

from __future__ import annotations

import io
import json
import logging
import random
import re
import unicodedata
from collections.abc import Iterator
from contextlib import closing, redirect_stderr
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Boolean, Float, Integer, LargeBinary, Text, insert, select, update

from companion.hub.database import Database
from companion.hub.forks import End
from companion.hub.name_search import NameSearch
from companion.hub.overview import GONE
from companion.hub.persons import EDITED, exported, forget, found_of, known_of
from companion.hub.results import RulingKind, doubt, rule
from companion.hub.rounds import begin_gathering, seat
from companion.hub.run import log_to
from companion.hub.schema import (
    ACCOUNTS,
    EVENTS,
    FORKS,
    GATHERINGS,
    METADATA,
    NAMES,
    RECORDS,
    ROUNDS,
    RULINGS,
)
from companion.hub.typed_texts import COLUMNS, Holds
from companion.rules.names import person_key
from tests.hub.parts import NOW, PASSWORD, RunningHub, running
from tests.hub.test_command import run
from tests.hub.test_persons import everything
from tests.hub.test_results import Night

NAME = "Aurelia"


def spread(database: Database, name: str = NAME) -> Night:
    """Fill a hub with the name in every place that can have one."""
    night = Night(database)
    night.game(1, f"{name} Bo", (5, 3))
    fields = {
        "number": 40,
        "kind": "correction",
        "corrects": [],
        "text": f"taken back - {name.upper()} was late",
    }
    told = fields | {"later_field": {"reason": f"for {name}"}, "table": night.table((5, 3))}
    night.tell(1, told, names={})
    night.game(2, "Cy Di", (5, 3))
    with database.writing() as connection:
        begin_gathering(connection, f"{name}'s birthday", NOW)
        seat(connection, [name, "Bo", "Cy"], NOW, random.Random(1))
        rule(connection, 1, RulingKind.SETTLED, "", f"{name} hit it", name, NOW)
        rule(connection, 2, RulingKind.SETTLED, "", f"as {name.lower()} said", "Jo", NOW)
        connection.execute(
            update(RECORDS).where(RECORDS.c.id == 2).values(title=f"The game of {name}")
        )
        fork = {
            "record": 2,
            "n": 1,
            "theirs": bytes(32),
            "seen": NOW,
            "counts": End.HUB,
            "who": name,
        }
        connection.execute(insert(FORKS).values(**fork))
    return night


# -- every place


def test_each_column_of_the_hub_is_known_by_what_it_holds_of_a_name() -> None:
    """A new text column must be listed in `typed_texts.COLUMNS`, and be searched."""
    for table in METADATA.sorted_tables:
        texts = {column.name for column in table.columns if isinstance(column.type, Text)}
        assert texts == COLUMNS[table].keys(), table.name
        others = [column for column in table.columns if column.name not in texts]
        assert all(
            isinstance(other.type, Integer | Float | LargeBinary | Boolean) for other in others
        ), table.name
    assert COLUMNS.keys() == set(METADATA.sorted_tables)


def test_the_page_for_organisers_has_a_row_for_each_place_that_can_hold_a_name() -> None:
    page = Path("docs/organiser.md").read_text("utf-8")
    rows = set(re.findall(r"^\| `([a-z_.]+)` \|", page, re.MULTILINE))
    assert rows == {
        f"{table.name}.{column}"
        for table, columns in COLUMNS.items()
        for column, holds in columns.items()
        if holds is not Holds.NOTHING
    }


def test_the_example_has_the_name_in_each_of_these_columns(database: Database) -> None:
    """Without this, the next test would prove nothing about a new column."""
    spread(database)
    with running(database) as hub:
        hub.organiser().post("/organiser/judge", name=NAME, password=PASSWORD)
    with database.reading() as connection:
        for table, columns in COLUMNS.items():
            for name, holds in columns.items():
                found = (
                    NAME.casefold()
                    in repr(connection.execute(select(table.c[name])).all()).casefold()
                )
                assert found is (holds is not Holds.NOTHING), f"{table.name}.{name}"


def test_a_name_is_gone_from_every_place_and_all_else_is_as_it_was(database: Database) -> None:
    spread(database)
    with running(database) as hub:
        hub.organiser().post("/organiser/judge", name=NAME, password=PASSWORD)
    with database.writing() as connection:
        places = found_of(connection, NAME).places
        assert forget(connection, NAME) == places
        assert forget(connection, NAME) == 0
        assert not found_of(connection, NAME).is_there
    assert NAME.casefold() not in everything(database).casefold()
    with database.reading() as connection:
        assert [row.why for row in connection.execute(select(RULINGS).order_by(RULINGS.c.id))] == [
            f"{GONE} hit it",
            f"as {GONE} said",
        ]
        assert connection.execute(select(RULINGS.c.who).order_by(RULINGS.c.id)).scalars().all() == [
            GONE,
            "Jo",
        ]
        assert (
            connection.execute(select(GATHERINGS.c.title)).scalars().all()[-1]
            == f"{GONE}'s birthday"
        )
        body = connection.execute(select(EVENTS.c.body).where(EVENTS.c.number == 40)).scalar_one()
        assert json.loads(body)["text"] == f"taken back - {GONE} was late"
        assert json.loads(body)["later_field"] == {"reason": f"for {GONE}"}
        assert GONE in connection.execute(select(ROUNDS.c.body)).scalar_one()
        assert connection.execute(select(ACCOUNTS.c.name)).scalars().all() == ["Olga"]
        assert NAME not in "".join(exported(connection))
        assert sorted(filter(None, connection.execute(select(NAMES.c.name)).scalars())) == [
            "Bo",
            "Cy",
            "Di",
        ]


def test_a_name_is_gone_from_the_bytes_of_the_file_and_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "hub.sqlite"
    with closing(Database(f"sqlite:///{file}")) as database:
        spread(database)
        with database.writing() as connection:
            forget(connection, NAME)
        assert database.wipe()
        kept = b"".join(path.read_bytes() for path in tmp_path.glob("hub.sqlite*"))
    assert NAME.casefold().encode() not in kept.lower()


def test_while_somebody_reads_an_old_page_the_file_keeps_it_and_the_organiser_is_told(
    on_sqlite: Database,
) -> None:
    spread(on_sqlite)
    with on_sqlite.reading() as connection:
        connection.execute(select(NAMES)).all()
        with on_sqlite._engine.raw_connection() as quick:
            quick.execute("PRAGMA busy_timeout = 0")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("companion.hub.database.LOCKED_S", 0.0)
            assert on_sqlite.wipe() is False
    assert on_sqlite.wipe() is True


def test_no_page_has_a_name_that_was_taken_out_nor_what_a_program_asks_for(
    on_sqlite: Database,
) -> None:
    spread(on_sqlite)
    paths = (
        "/",
        "/hall",
        "/league",
        "/seating",
        "/metrics",
        "/healthz",
        "/result/1",
        "/judge",
        "/organiser",
    )
    with running(on_sqlite) as hub:
        olga = hub.organiser()
        before = "".join(olga.get(path).text for path in paths)
        mark = field(olga.post("/organiser/person", name=NAME).text, "mark")[0]
        done = olga.post("/organiser/forget", name=NAME, mark=mark)
        after = "".join(olga.get(path).text for path in paths)
    assert (done.status, NAME in before) == (200, True)
    assert NAME.casefold() not in after.casefold()


def test_nothing_that_a_hub_logs_has_a_name(on_sqlite: Database) -> None:
    log = io.StringIO()
    loggers = [
        logging.getLogger(name) for name in ("companion.hub", "uvicorn", "sqlalchemy", "alembic")
    ]
    before = [(logger, logger.handlers, logger.level, logger.propagate) for logger in loggers]
    try:
        with redirect_stderr(log):
            log_to(log)
            spread(on_sqlite)
            with on_sqlite.writing() as connection:
                connection.execute(
                    update(EVENTS)
                    .where(EVENTS.c.number == 40)
                    .values(body=json.dumps({"text": NAME}))
                )
            with running(on_sqlite) as hub:
                olga = hub.organiser()
                for path in ("/", "/league", "/judge", "/organiser"):
                    assert olga.get(path).status == 200
                olga.post("/organiser/person", name=NAME)
                hub.browser().post("/sign-in", name=NAME, password="not the password")
    finally:
        for each, handlers, level, propagate in before:
            each.handlers, each.propagate = handlers, propagate
            each.setLevel(level)
    assert "is skipped" in log.getvalue()  # something was logged
    assert NAME.casefold() not in log.getvalue().casefold()


# -- what is the name, and what may be meant for it

KNOWN = ("Ann", "Ann Lee", "Anna", "Bo")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("ann hit it", "Somebody hit it"),
        ("ANN's shot, Ann. (Ann)", "Somebody's shot, Somebody. (Somebody)"),
        ("Ann Lee and Anna hit it", "Ann Lee and Anna hit it"),
        ("annual planning", "annual planning"),
        ("Ann-Marie", "Somebody-Marie"),
        ("\N{LEFT WHITE SQUARE BRACKET}s1\N{RIGHT WHITE SQUARE BRACKET} hit Ann", None),
    ],
)
def test_whole_words_are_the_name_and_longer_names_are_their_own(
    text: str, after: str | None
) -> None:
    search = NameSearch("Ann", KNOWN)
    assert search.replaced(text, GONE) == (text.replace("Ann", GONE) if after is None else after)


@pytest.mark.parametrize(
    ("name", "text", "like"),
    [
        ("Ann", "A. was late, and Anns gun any", ("A", "Anns")),
        ("Ann", "Anna and Annie", ("Annie",)),  # Anna is another one that the hub knows
        ("Ann", "A shot", ()),
        ("Ann", "the card A won", ("A",)),
        ("Ida", "I saw it", ()),
        ("Ann Lee", "Lee hit, AL and annlee said", ("Lee", "AL", "annlee")),
        ("Alexander", "Alex, Alexnader, Aleksander and Olga", ("Alex", "Alexnader", "Aleksander")),
        ("Zoë Müller", "Zoe, Mueller, Muller, Mülelr", ("Zoe", "Mueller", "Muller", "Mülelr")),
        ("安娜", "安娜打中了", ("安娜打中了",)),
        ("s1", "\N{LEFT WHITE SQUARE BRACKET}s1\N{RIGHT WHITE SQUARE BRACKET} hit", ()),
    ],
)
def test_what_may_be_meant_for_a_name_is_shown(name: str, text: str, like: tuple[str, ...]) -> None:
    search = NameSearch(name, KNOWN)
    assert search.replaced(text, GONE) == text
    assert search.similar_words(text) == like


NAMES_OF_PEOPLE = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8
)


@given(
    NAMES_OF_PEOPLE,
    st.sampled_from([str, str.upper, str.casefold, str.title]),
    st.sampled_from(["", "'s", ".", "!"]),
)
def test_a_name_between_blanks_is_found_in_any_capitals_and_form(
    name: str, spelled: object, end: str
) -> None:
    assert callable(spelled)
    written = spelled(name)
    if person_key(written) != person_key(name):
        return  # to Unicode that is another name
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, f"so {written} {end}") if end else f"so {written}"
        search = NameSearch(name)
        assert search.contains(text)
        assert not search.contains(search.replaced(text, "\N{BULLET}"))


# -- shown first


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    night = Night(on_sqlite)
    night.game(1, "Ann Bo", (5, 3))
    night.game(2, "Cy Di", (5, 3))
    with on_sqlite.writing() as connection:
        doubt(connection, 1, 1, "Bo", "Anns gun fired twice, says ann", NOW)
        doubt(connection, 1, 1, "Ann", "it was mine", NOW)
        rule(connection, 1, RulingKind.SETTLED, "", "the one in red was late", "Jo", NOW)
        rule(connection, 2, RulingKind.SETTLED, "", "nobody saw it", "Jo", NOW)
    with running(on_sqlite) as started:
        yield started


def reasons(database: Database) -> list[str]:
    with database.reading() as connection:
        return list(connection.execute(select(RULINGS.c.why).order_by(RULINGS.c.id)).scalars())


def field(page: str, name: str) -> list[str]:
    return re.findall(rf'name="{name}" value="([^"]*)"', page)


def test_the_organiser_sees_what_no_search_decides_changes_it_and_goes_on(hub: RunningHub) -> None:
    olga = hub.organiser()
    before = reasons(hub.database)
    page = olga.post("/organiser/person", name="ANN").text
    assert reasons(hub.database) == before
    assert "Anns gun fired twice, says Somebody" in page
    assert "the one in red was late" in page  # about a game that Ann played
    assert "nobody saw it" not in page
    assert "it was mine" not in page  # Ann's own words go
    first, second = field(page, "key")
    changed = olga.post("/organiser/text", name="ANN", key=first, text="The gun fired twice").text
    assert "Changed." in changed
    assert field(changed, "key") == [first, second]
    mark = field(changed, "mark")[0]
    done = olga.post("/organiser/forget", name="ANN", mark=mark)
    assert (done.status, "ANN is taken out, in 1 place." in done.text) == (200, True)
    assert reasons(hub.database) == [
        f"The gun fired twice{EDITED}",
        "",
        "the one in red was late",
        "nobody saw it",
    ]


def test_what_somebody_types_meanwhile_is_shown_before_the_name_goes(hub: RunningHub) -> None:
    olga = hub.organiser()
    mark = field(olga.post("/organiser/person", name="Ann").text, "mark")[0]
    with hub.database.writing() as connection:
        rule(connection, 2, RulingKind.SETTLED, "", "Annie saw it", "Jo", NOW)
    refused = olga.post("/organiser/forget", name="Ann", mark=mark)
    assert (
        refused.status,
        "somebody typed more meanwhile" in refused.text,
        "Annie saw it" in refused.text,
    ) == (
        403,
        True,
        True,
    )
    with hub.database.reading() as connection:
        assert found_of(connection, "Ann").names == 1


def test_a_judge_neither_sees_nor_takes_out_names(hub: RunningHub) -> None:
    hub.organiser().post("/organiser/judge", name="Jo", password=PASSWORD)
    judge = hub.browser()
    judge.post("/sign-in", name="Jo", password=PASSWORD)
    assert judge.get("/organiser/person").fields["location"] == "/organiser"
    for path in ("/organiser/person", "/organiser/text", "/organiser/forget", "/organiser/merge"):
        assert judge.post(path, name="Ann", key="ruling 1", text="x").status == 403
    assert "Take out" not in judge.get("/organiser").text


def test_only_a_text_that_is_listed_can_be_changed(hub: RunningHub) -> None:
    olga = hub.organiser()
    for key in ("ruling 4", "ruling 99", "told 1 16 0", "nonsense", "ruling x", ""):
        assert olga.post("/organiser/text", name="Ann", key=key, text="x").status == 403
    for text in ("", " ", "x" * 201, "\u202e"):
        assert olga.post("/organiser/text", name="Ann", key="ruling 1", text=text).status == 403
    assert reasons(hub.database)[3] == "nobody saw it"


def test_who_asks_for_their_data_gets_what_others_typed_of_them_without_the_others(
    hub: RunningHub,
) -> None:
    with hub.database.writing() as connection:
        rule(connection, 2, RulingKind.SETTLED, "", "Ann and Cy agreed", "Jo", NOW)
        named = known_of(connection, "ann")["named"]
    assert [each["text"] for each in named] == [
        "Anns gun fired twice, says ann",
        "Ann and Somebody agreed",
    ]


def test_two_spellings_are_merged_on_the_page_with_a_button_for_each_that_looks_different(
    on_sqlite: Database,
) -> None:
    composed, decomposed = "Zo\u00eb", "Zoe\u0308"
    night = Night(on_sqlite)
    for number, name in enumerate(("Ed", "Ed", "Ann", "ann"), start=1):
        night.game(number, f"{name} Bo{number}", (5, 3))
    with on_sqlite.writing() as connection:
        for record, name in ((1, composed), (2, decomposed)):
            here = (NAMES.c.record == record) & (NAMES.c.seat == "s1")
            connection.execute(update(NAMES).where(here).values(name=name))
    with running(on_sqlite) as hub:
        olga = hub.organiser()
        page = olga.get("/organiser/person").text
        assert re.findall(r">Write ([^<]*)</button", page) == ["Ann", "ann", composed]
        assert "where it was not: 1 place." in olga.post("/organiser/merge", name=composed).text
        assert re.findall(r">Write ([^<]*)</button", olga.get("/organiser/person").text) == [
            "Ann",
            "ann",
        ]


def asked(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path / 'hub.sqlite'}")) as database:
        night = Night(database)
        night.game(1, "Ann Bo", (5, 3))
        with database.writing() as connection:
            rule(connection, 1, RulingKind.SETTLED, "", "Anns gun fired, says ann", "Jo", NOW)


def kept(tmp_path: Path) -> list[str]:
    with closing(Database(f"sqlite:///{tmp_path / 'hub.sqlite'}")) as database:
        return reasons(database)


def test_the_command_asks_for_each_text_and_changes_nothing_without_an_answer(
    tmp_path: Path,
) -> None:
    asked(tmp_path)
    unanswered = run(tmp_path, "hub", "forget", "ann")
    assert (unanswered.code, "Answer for each text" in unanswered.err) == (2, True)
    assert "1. a judge's reason, table 1, game 1: Anns gun fired, says Somebody" in unanswered.out
    assert kept(tmp_path) == ["Anns gun fired, says ann"]
    done = run(tmp_path, "hub", "forget", "ann", typed="A gun fired\n")
    assert (done.code, "ann is taken out, in 2 places." in done.out) == (0, True)
    assert kept(tmp_path) == [f"A gun fired{EDITED}"]
    assert run(tmp_path, "hub", "forget", "ann").out == "The hub knows nobody called ann.\n"


@pytest.mark.parametrize("words", [("--keep",), ()])
def test_the_command_leaves_a_text_that_the_organiser_leaves(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    asked(tmp_path)
    assert run(tmp_path, "hub", "forget", "ann", *words, typed="\n").code == 0
    assert kept(tmp_path) == ["Anns gun fired, says Somebody"]


@pytest.mark.parametrize(
    ("name", "other", "like"),
    [
        ("Ann Lee", "Ann", True),
        ("Ann Lee", "A. Lee", True),
        ("Ann Lee", "Lee", True),
        ("Ann Lee", "Bob Lee", False),
        ("Ann", "Anna", True),
        ("Ann", "Bo", False),
        ("Alexander", "Alexnader", True),
        ("Zo\u00eb", "Zoe", True),
        ("\U0001f98a", "Ann", False),
    ],
)
def test_another_name_that_may_be_the_same_persons_is_asked_about(
    name: str, other: str, like: bool, on_sqlite: Database
) -> None:
    night = Night(on_sqlite)
    with on_sqlite.writing() as connection:
        seat(connection, [name, other, "Quentin"], NOW, random.Random(1))
    assert night.results() == ()
    with on_sqlite.reading() as connection:
        assert found_of(connection, name).like == ((other,) if like else ())
