"""What tables tell of their games comes to results; what is put right flows, and judges stand above it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from companion.hub import Declined
from companion.hub.database import Database
from companion.hub.ingest import read_batch, take
from companion.hub.persons import forget
from companion.hub.points import PointsRules
from companion.hub.results import RulingKind, results_in, rule
from companion.hub.rounds import gathering_on
from companion.hub.standings import TableResult, points_text, standings_of
from tests.hub.parts import NOW, PASSWORD, Browser, Chain, RunningHub, joined, running


class Night:
    """Tables that report the ends of games without playing them."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._tables: list[tuple[Chain, int]] = []

    def game(
        self,
        number: int,
        names: str,
        scores: Sequence[int | None],
        winners: str = "s1",
        **more: Any,
    ) -> int:
        """Report a finished game; return the hub's id of its record."""
        table, _ = joined(self.database, number)
        chain = Chain(random.Random(number), 3)
        self._tables.append((chain, table))
        seats = {f"s{at}": name for at, name in enumerate(names.split(), start=1)}
        opening = {"number": 16, "kind": "session", "title": "SkyFire", "text": "", "table": {}}
        self._send(chain, table, [opening, self.end(26, scores, winners, **more)], names=seats)
        return len(self._tables)

    def tell(self, record: int, *events: dict[str, Any], **more: Any) -> None:
        chain, table = self._tables[record - 1]
        chain.grow(1)
        self._send(chain, table, list(events), after=len(chain) - 1, **more)

    def correct(
        self,
        record: int,
        number: int,
        scores: Sequence[int | None],
        *corrects: int,
        ended: bool = True,
    ) -> None:
        table = self.table(scores, ended=ended)
        self.tell(
            record,
            {
                "number": number,
                "kind": "correction",
                "corrects": list(corrects),
                "text": "",
                "table": table,
            },
        )

    def end(
        self, number: int, scores: Sequence[int | None], winners: str, early: bool = False
    ) -> dict[str, Any]:
        told = {
            "number": number,
            "kind": "end",
            "wall": "2026-01-31T22:00:00+00:00",
            "early": early,
            "text": "",
        }
        return told | {"winners": winners.split(), "table": self.table(scores)}

    @staticmethod
    def table(scores: Sequence[int | None], *, ended: bool = True) -> dict[str, Any]:
        players = [{"id": f"s{at}", "score": score} for at, score in enumerate(scores, start=1)]
        return {"where": "", "players": players, "ended": ended}

    def _send(
        self, chain: Chain, table: int, events: list[dict[str, Any]], after: int = 0, **more: Any
    ) -> None:
        with self.database.writing() as connection:
            take(
                connection,
                chain.session,
                table,
                read_batch(chain.batch(after, 3, events=events, **more)),
                NOW,
            )

    def results(self) -> tuple[TableResult, ...]:
        with self.database.reading() as connection:
            return results_in(connection, gathering_on(connection).id)

    def points(self) -> dict[str, str]:
        return {
            line.name: points_text(line.points)
            for line in standings_of(self.results(), PointsRules()).lines
        }

    def rule(
        self, record: int, kind: RulingKind, order: str = "", why: str = "counted again"
    ) -> None:
        with self.database.writing() as connection:
            rule(connection, record, kind, order, why, "Jo", NOW)


@pytest.fixture
def night(database: Database) -> Night:
    return Night(database)


def places(result: TableResult) -> list[tuple[int, str, object]]:
    return [(player.place, player.name, player.score) for player in result.players]


def test_a_game_that_is_over_gives_a_result_and_points(night: Night) -> None:
    night.game(4, "Ann Bo Cy", (5, 7, 7), "s1")
    (result,) = night.results()
    assert (result.table, result.title, places(result)) == (
        4,
        "SkyFire",
        [(1, "Ann", 5), (2, "Bo", 7), (2, "Cy", 7)],
    )
    assert night.points() == {"Ann": "4", "Bo": "2 1/2", "Cy": "2 1/2"}


def test_where_the_lowest_score_wins_the_others_are_placed_so_too(night: Night) -> None:
    record = night.game(1, "Ann Bo Cy", (90, 7, 40), "s2")
    assert places(night.results()[0]) == [(1, "Bo", 7), (2, "Ann", 90), (3, "Cy", 40)]
    night.tell(record, night.end(60, (90, 7, 40), "s2") | {"lowest_wins": True})
    assert places(night.results()[0]) == [(1, "Bo", 7), (2, "Cy", 40), (3, "Ann", 90)]
    assert night.results()[0].lowest_wins


def test_a_game_that_goes_on_or_was_ended_early_gives_none(night: Night) -> None:
    night.game(1, "Ann Bo", (5, 7), "", early=True)
    record = night.game(2, "Ann Bo", (5, 7))
    night.correct(record, 40, (5, 7), 26, ended=False)  # the end was taken back
    assert night.results() == ()


def test_scores_that_are_put_right_at_the_table_flow_and_show_what_was_before(night: Night) -> None:
    record = night.game(1, "Ann Bo Cy", (5, 3, 2), "s1")
    night.correct(record, 60, (5, 2, 3))
    (result,) = night.results()
    assert places(result) == [(1, "Ann", 5), (2, "Cy", 3), (3, "Bo", 2)]
    assert result.changed == "put right at the table; before: 1 Ann, 2 Bo, 3 Cy"
    night.correct(record, 80, (5, 3, 2))
    assert night.results()[0].changed == ""


def test_an_end_that_does_not_hold_any_more_as_it_was_told_says_nothing_of_who_won(
    night: Night,
) -> None:
    record = night.game(1, "Ann Bo", (5, 3), "s1")
    night.correct(record, 60, (5, 9), 26)
    assert places(night.results()[0]) == [(1, "Bo", 9), (2, "Ann", 5)]


def test_what_a_judge_sets_stands_above_what_the_table_tells_later_until_it_is_lifted(
    night: Night,
) -> None:
    record = night.game(1, "Ann Bo Cy", (5, 3, 2))
    night.rule(record, RulingKind.SET, "cy, Ann = bo", "the tower was bumped")
    assert places(night.results()[0]) == [(1, "Cy", 2), (2, "Ann", 5), (2, "Bo", 3)]
    night.correct(record, 60, (9, 3, 2))
    assert places(night.results()[0])[0] == (1, "Cy", 2)
    assert night.results()[0].ruled == "set by Jo: the tower was bumped"
    night.rule(record, RulingKind.LIFTED)
    assert places(night.results()[0]) == [(1, "Ann", 9), (2, "Bo", 3), (3, "Cy", 2)]
    assert night.results()[0].ruled == "what the table told holds, says Jo: counted again"


def test_a_judge_need_not_place_who_was_taken_out_of_the_hub_or_left_the_game(night: Night) -> None:
    record = night.game(1, "Ann Bo Cy Di", (5, 3, 2, 1))
    table = night.table((5, 3, 2, 1))
    table["players"][3]["left"] = True
    night.tell(record, night.end(60, (), "s1") | {"table": table})
    with night.database.writing() as connection:
        forget(connection, "Ann")
    night.rule(record, RulingKind.SET, "Cy, Bo")
    assert places(night.results()[0]) == [(1, "Cy", 2), (2, "Bo", 3), (3, "", 5)]


def test_a_disputed_result_counts_and_says_so_until_it_is_settled(night: Night) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    before = night.points()
    night.rule(record, RulingKind.DISPUTED, why="Bo says the last shot hit")
    assert night.results()[0].disputed == "Bo says the last shot hit"
    assert standings_of(night.results(), PointsRules()).lines[0].doubtful
    assert night.points() == before
    night.rule(record, RulingKind.SETTLED, why="they agree \U0001f937\u200d\u2642\ufe0f")
    assert night.results()[0].disputed == ""


@pytest.mark.parametrize(
    ("order", "why", "words"),
    [
        ("Ann, Eve", "x", "'Eve' did not play there: Ann, Bo did."),
        ("Ann, Ann", "x", "Somebody stands there twice."),
        ("Bo", "x", "No place is written for Ann: everybody who played needs one."),
        ("", "x", "Write the places"),
        ("Ann, Bo", " ", "Say why"),
        ("Ann, Bo", "x" * 201, "Say why"),
    ],
)
def test_a_ruling_that_makes_no_sense_is_refused(
    night: Night, order: str, why: str, words: str
) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    with pytest.raises(Declined, match=words):
        night.rule(record, RulingKind.SET, order, why)
    with pytest.raises(Declined, match="no such game"):
        night.rule(99, RulingKind.DISPUTED)


def test_one_person_at_two_tables_has_one_line(night: Night) -> None:
    night.game(1, "Ann Bo", (5, 3), "s1")
    night.game(2, "Bo ann Cy", (5, 3, 1), "s1")  # somebody typed it otherwise there
    assert night.points() == {"Ann": "7", "Bo": "7", "Cy": "2"}


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite, points=PointsRules(awards=("best score",))) as hub:
        yield hub


def judge_of(hub: RunningHub, organiser: Browser) -> Browser:
    organiser.post("/organiser/judge", name="Jo", password=PASSWORD)
    judge = hub.browser()
    judge.post("/sign-in", name="Jo", password=PASSWORD)
    return judge


def test_everybody_sees_the_standings_and_why_and_the_awards_when_they_are_released(
    hub: RunningHub,
) -> None:
    night = Night(hub.database)
    night.game(4, "Ann Bo", (5, 8), "s1")
    page = hub.browser().get("/").text
    for words in ("Standings", "4 at table 4, SkyFire: 4 for place 1"):
        assert words in page
    organiser = hub.organiser()
    for browser in (organiser, judge_of(hub, organiser)):
        assert "best score: Bo (8 points)" in browser.get("/judge").text
    assert "best score" not in hub.browser().get("/").text
    assert judge_of(hub, organiser).post("/organiser/awards").status == 403
    assert "best score" not in hub.browser().get("/").text
    assert organiser.post("/organiser/awards").status == 200
    assert "best score: Bo (8 points)" in hub.browser().get("/").text


def test_a_judge_rules_on_the_page_and_everybody_reads_the_reason(hub: RunningHub) -> None:
    record = Night(hub.database).game(4, "Ann Bo", (5, 8), "s1")
    judge = judge_of(hub, hub.organiser())
    assert 'value="Ann, Bo"' in judge.get("/judge").text  # to be put in another order
    refused = judge.post("/judge", record=str(record), kind="set", order="Bo", why="seen").text
    assert 'value="Bo"' in refused
    assert 'value="seen"' in refused
    ruled = judge.post(
        "/judge", record=str(record), kind="set", order="Bo, Ann", why="counted again"
    )
    assert (ruled.status, "Ruled. Everybody sees it now." in ruled.text) == (200, True)
    page = hub.browser().get("/").text
    assert "4 at table 4, SkyFire: 4 for place 1; set by Jo: counted again" in page
    assert page.index("<td>Bo</td>") < page.index("<td>Ann</td>")
    for wrong in (
        {"record": "x"},
        {"kind": "burned"},
        {"why": ""},
        {"why": "a\0"},
        {"record": "9" * 99},
        {"order": "Eve"},
    ):
        fields = {"record": str(record), "kind": "set", "order": "Bo, Ann", "why": "y"} | wrong
        assert judge.post("/judge", **fields).status == 403
    assert (
        hub.browser()
        .post("/judge", record=str(record), kind="lifted", order="", why="x")
        .fields["location"]
        == "/sign-in"
    )
