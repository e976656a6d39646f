"""A laptop breaks, and no copy of its session is left: the game goes on from what the hub showed, and counts once."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.commands.continuing import _planned, _setup_from
from companion.commands.play_options import PlayOptions
from companion.config.schema import Preferences
from companion.display.panels import panels_of
from companion.hub import demo
from companion.hub.database import Database
from companion.hub.demo import SimulatedTable
from companion.hub.kept_events import KeptEvent
from companion.hub.last_shown import rounds_of
from companion.hub.points import PointsRules
from companion.hub.results import results_in
from companion.hub.standings import standings_of
from companion.journal.store import read_entries
from companion.outbound import hub_client
from companion.outbound.hub_batches import HubRefused
from companion.outbound.hub_client import last_shown
from companion.outbound.hub_ticket import Ticket
from companion.outbound.shown_game import ShownGame
from companion.rules.continuation_plan import Plan, continuation_of
from companion.rules.header import continues_of, game_of
from companion.rules.registry import GAMES, open_game
from companion.session.opening import begin
from companion.session.table import Table
from tests.games.own.files import IDS, TEXTS, learned
from tests.hub.parts import RunningHub, joined, running, until
from tests.hub.test_line import has_all, sending_to_hub, ticket_of
from tests.hub.test_results import Night

OPTIONS = PlayOptions("none", plain=True, wanted=Preferences(), port_said=True)


@pytest.fixture
def hub(database: Database) -> Iterator[RunningHub]:
    with running(database) as made:
        yield made


def simulated(
    ticket: Ticket, game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> SimulatedTable:
    """Return a table of that game whose players make random moves."""
    monkeypatch.setattr(demo, "GAMES", {game: GAMES[game]})
    return SimulatedTable(
        ticket,
        ("Ann", "Bo", "Cy", "Di")[: open_game(game).seat_counts.stop - 1],
        random.Random(seed),
    )


def play_on(hub: RunningHub, table: SimulatedTable, moves: int = 1) -> None:
    hub.clock += 1.0  # a hub takes so many batches of a table in a second
    for _ in range(moves - 1):
        next(table._moves, None)
    table.move()


def state_of(table: SimulatedTable, game: str) -> Any:
    rules = open_game(game)
    _, setup = game_of(table._entries[0].body)
    state = rules.start(setup)
    for entry in table._entries[1:]:
        state = rules.apply(state, rules.parse(entry.kind, entry.body), entry.n)
    return state


def plan_at(ticket: Ticket) -> tuple[Plan, ShownGame]:
    """Return what a new laptop would confirm, and what the hub shows."""
    (shown, *_) = last_shown(ticket)
    return _planned(_setup_from(shown, OPTIONS, None, {}), shown, None), shown


OWN = dict(zip(IDS, TEXTS, strict=True))  # what the file of each game of one's own is called


@pytest.fixture(autouse=True)
def games_of_ones_own() -> Iterator[None]:
    with learned():
        yield


@pytest.mark.parametrize(
    "game", [*sorted(GAMES.keys() - OWN.keys()), *OWN], ids=lambda game: OWN.get(game, game)
)
@pytest.mark.parametrize("seed", range(4))
def test_the_scores_the_round_and_the_turn_go_on_wherever_a_game_stopped(
    on_sqlite: Database, monkeypatch: pytest.MonkeyPatch, game: str, seed: int
) -> None:
    with running(on_sqlite) as hub:
        ticket = ticket_of(hub)
        table = simulated(ticket, game, seed, monkeypatch)
        play_on(hub, table, 10 + 17 * seed)
        rules, state = open_game(game), state_of(table, game)
        if not rules.ended(state):
            plan, shown = plan_at(ticket)
            known = dict(rules.standings(state))
            assert dict(rules.standings(plan.state)) == known
            if not continuation_of(rules).whole:
                return
            assert plan.refused == ()
            panels = panels_of(game)
            before, after = (rules.view(each, "table") for each in (state, plan.state))
            lines = [panels.lines(v, rules.common(s).setup, known, frozenset(), ended=False)
                     for v, s in ((before, state), (after, plan.state))]  # fmt: skip
            assert [line.turn for line in lines[0]] == [line.turn for line in lines[1]]
            if shown.playing:  # between two rounds, who was out of the last one is out of nothing
                assert [line.out for line in lines[0]] == [line.out for line in lines[1]]


def test_the_hub_shows_only_this_tables_games_and_only_to_its_laptop(hub: RunningHub) -> None:
    night = Night(hub.database)
    night.game(1, "Ann Bo", (4, 2))
    night.game(2, "Cy Di", (1, 0))
    _, token = joined(hub.database, 1)
    asked = hub.browser()
    reply = asked.ask("/table/sessions", authorization=f"Bearer {token}", x_laptop="a laptop")
    assert [session["names"] for session in reply.json["sessions"]] == [{"s1": "Ann", "s2": "Bo"}]
    for token_said, laptop in (("", "a laptop"), (token, "another")):
        refused = asked.ask(
            "/table/sessions", authorization=f"Bearer {token_said}", x_laptop=laptop
        )
        assert (refused.status, refused.json["refused"].endswith(".")) == (401, True)


def test_a_hub_of_an_earlier_version_is_named_as_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub_client, "exchange", lambda *_args, **_more: (404, b"<html>"))
    with pytest.raises(HubRefused) as refused:
        last_shown(Ticket("http://there", "Club night", 1, "x"))
    assert str(refused.value) == hub_client.TOO_OLD


def second_part(folder: Path, ticket: Ticket) -> Table:
    """Return the table of a new laptop that confirmed what its hub showed."""
    (shown, *_) = last_shown(ticket)
    setup = _setup_from(shown, OPTIONS, None, {})
    plan = _planned(setup, shown, None)
    folder.mkdir(exist_ok=True)
    return begin(
        setup.game, [seat.name for seat in setup.seats], setup.options, folder / "part2.sqlite",
        continues=shown.session, facts=[fact.fact for fact in plan.facts], components=setup.components,
    )  # fmt: skip


def test_the_second_part_begins_with_confirmed_facts_and_its_header_names_the_first(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = simulated(ticket_of(hub), "skyfire", 3, monkeypatch)
    play_on(hub, first, 30)
    ticket = ticket_of(hub)
    with closing(second_part(tmp_path / "new", ticket)) as table:
        entries = list(table._journal.entries)
        assert continues_of(entries[0].body) == first._entries[0].digest.hex()
        why = next(entry.body["why"] for entry in entries if entry.kind == "remark")
        assert why == "confirmed by the table"
        names = dict(table.view().standings)
        assert names == dict(open_game("skyfire").standings(state_of(first, "skyfire")))


def test_the_hub_shows_one_game_in_two_parts_counts_it_once_and_says_what_was_lost(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = simulated(ticket_of(hub), "panic-fire", 5, monkeypatch)
    play_on(hub, first, 25)
    ticket = ticket_of(hub)
    with closing(second_part(tmp_path / "new", ticket)) as table, sending_to_hub(table, ticket):
        until(lambda: has_all(hub.database, table))
        page = hub.browser().get("/").text
        assert page.count("<h2>Table 1") == 1
        assert "Part 1 ended with entry 26" in page
        assert "part 2 goes on from there. Lost: " in page
        table.enter("abandon", {"reason": "late"})
        until(lambda: has_all(hub.database, table))
    with hub.database.reading() as connection:
        assert results_in(connection, 1) == ()
    # A judge may let it count all the same.
    organiser = hub.organiser()
    shown = organiser.get("/judge").text
    assert "Part 1 ended with entry 26" in shown
    record = shown.partition('name="record" value="')[2].partition('"')[0]
    organiser.post(
        "/judge", record=record, kind="set", order="Ann, Bo, Cy, Di", why="played by hand"
    )
    with hub.database.reading() as connection:
        (result,) = results_in(connection, 1)
        lines = standings_of(results_in(connection, 1), PointsRules()).lines
    assert [player.name for player in result.players] == ["Ann", "Bo", "Cy", "Di"]
    assert [len(line.games) for line in lines] == [1, 1, 1, 1]


def test_the_second_part_counts_in_the_event_in_which_the_game_began(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = simulated(ticket_of(hub), "panic-fire", 5, monkeypatch)
    play_on(hub, first, 5)
    organiser = hub.organiser()
    organiser.post("/organiser/event", title="February")
    ticket = ticket_of(hub)
    with closing(second_part(tmp_path / "new", ticket)) as table, sending_to_hub(table, ticket):
        until(lambda: has_all(hub.database, table))
        assert "No game of this event has begun yet" in hub.browser().get("/").text


def test_a_third_part_goes_on_from_the_second_and_the_game_is_still_one(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = simulated(ticket_of(hub), "panic-fire", 5, monkeypatch)
    play_on(hub, first, 9)
    for part in ("two", "three"):
        ticket = ticket_of(hub)
        with closing(second_part(tmp_path / part, ticket)) as table, sending_to_hub(table, ticket):
            until(lambda: has_all(hub.database, table))
    page = hub.browser().get("/").text
    assert "Part 1 ended" in page
    assert "Part 2 ended" in page
    assert page.count("<h2>Table 1") == 1


def test_a_game_of_another_table_cannot_be_gone_on_with(
    hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = simulated(ticket_of(hub), "panic-fire", 5, monkeypatch)
    first.move()
    other = ticket_of(hub, 2)
    with (
        closing(second_part(tmp_path / "new", ticket_of(hub))) as table,
        sending_to_hub(table, other) as line,
    ):
        until(lambda: "is table 1's: join as table 1." in line.row[1])


def test_the_last_version_reads_a_second_part_as_a_session_of_its_own(tmp_path: Path) -> None:
    """It ignores unknown fields of a header; the rest are facts and a remark, as it writes them itself."""
    known = {"name", "game", "rules", "seats", "options", "components", "port"}
    digest = "ab" * 32
    with closing(begin("panic-fire", ["Ann", "Bo"], {}, tmp_path / "new.sqlite", continues=digest)):
        pass
    (header, *_) = read_entries(tmp_path / "new.sqlite")
    assert header.body.keys() - known == {"continues", "order", "order_in"}


def event(number: int, what: str, kind: str = "round", **more: Any) -> KeptEvent:
    fields = {"kind": kind, "number": number, "table": {}, "what": what, **more}
    return KeptEvent.model_validate_json(json.dumps(fields))


def test_rounds_that_were_taken_back_are_not_over_and_those_brought_back_are() -> None:
    over: dict[str, Any] = {"rounds": [{"name": "1"}]}
    told = [event(1, "begins"), event(20, "over", **over), event(30, "begins")]
    assert rounds_of(told) == (1, True)
    assert rounds_of([*told, event(40, "taken back", "correction", corrects=[30])]) == (1, False)
    gone = [*told, event(40, "taken back", "correction", corrects=[20, 30])]
    assert rounds_of(gone) == (0, True)
    assert rounds_of([*gone, event(50, "brought back", "correction", corrects=[20, 30])]) == (
        1,
        True,
    )
    assert rounds_of([]) == (0, False)
