"""The result of a round, region by region, on every screen, page and line: cases worked out by hand."""

from __future__ import annotations

import io
import re

import pytest

from companion.display.panels import Outcome
from companion.display.tables import PanelTable, plain_lines, words
from companion.games.fractured_sky.panels import PANELS
from companion.games.fractured_sky.rules.game import GAME
from companion.rules.facts import TABLE
from companion.session.plain import LinePrinter
from tests.feed.feeding import feed_of
from tests.games.fractured_sky.playing import (
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    Record,
    all_placed,
    begun,
    placed,
    three,
)
from tests.games.fractured_sky.test_report import FIXTURES
from tests.games.fractured_sky.test_secrecy import World, setup_with
from tests.games.transcripts import folded, states_of
from tests.web.game_pages import page_of


def outcome(record: Record) -> Outcome:
    """The newest outcome of the table's view."""
    return PANELS.outcomes(record.view())[-1]


def rows(table: PanelTable) -> list[tuple[str, ...]]:
    return [tuple(words(cell) for cell in row) for row in table.rows]


def regions(record: Record) -> list[tuple[str, ...]]:
    return rows(outcome(record).tables[1])


def of_one(record: Record, region: str) -> list[tuple[str, ...]]:
    """The rows of one region, by the name of it."""
    wanted, named, rows_found = record.state.board.name(region), "", []
    for head, *row in regions(record):
        named = head.partition(":")[0] or named
        if named == wanted:
            rows_found.append(tuple(row))
    return rows_found


def hand_worked() -> Record:
    """Ada has a Market between Amber Atoll and Brass Basin, Bo a Skimmer in Brass Basin. Slots: Bo 1, Ada 2, Cleo 3."""
    record = three()
    for kind, body in (
        ("build", {"seat": "ada", "building": "market", "platform": "1"}),
        ("skimmer", {"seat": "bo", "region": B}),
    ):
        record.do("turn", player=body["seat"], reason="for the test")
        record.do(kind, **body)
    placed(record, {"bo": (A, B, D), "ada": (A, B, C), "cleo": (A, B, C)})
    for seat, chips in {"ada": (3, 4, 5), "bo": (10, 0, 4), "cleo": (3, 2, 5)}.items():
        record.do("powers", player=seat, chips=list(chips))
    record.do("objective", players=["bo"])
    return record


def test_a_round_is_told_region_by_region_with_powers_ranks_rewards_markets_and_ties() -> None:
    """Ada's twelve cost each chip 2, Bo's fourteen each chip 4. Brass Basin: Ada's 4 - 2 ties with Cleo's 2 and has the
    earlier slot; Bo's 0 falls no lower, and his Skimmer makes it 1."""
    record = hand_worked()
    assert of_one(record, A) == [
        ("1", "bo", "6 = chip 10 - 4", "1 Starfall"),
        ("2", "cleo", "3 = chip 3", "Gold + Wood"),
        ("3", "ada", "1 = chip 3 - 2", "Gold or Wood; Markets +1 (Gold or Wood)"),
    ]
    assert of_one(record, B) == [
        (
            "1",
            "ada",
            "2 = chip 4 - 2",
            "Iron + Wood; Markets +1 (Iron or Wood); tie by the turn slots just taken: ada 2, cleo 3",
        ),
        (
            "2",
            "cleo",
            "2 = chip 2",
            "Iron or Wood; tie by the turn slots just taken: ada 2, cleo 3",
        ),
        ("3", "bo", "1 = chip 0 + 1 Skimmer", "nothing is left"),
    ]
    assert of_one(record, C) == [
        ("1", "cleo", "5 = chip 5", "Gold + Iron"),
        ("2", "ada", "3 = chip 5 - 2", "Gold or Iron"),
    ]
    assert of_one(record, D) == [("-", "bo", "0 = chip 4 - 4", "no part with power 0")]
    assert of_one(record, H) == [("", "nobody", "", "its Starfall stays there")]
    named = [row[0] for row in regions(record) if row[0]]
    places = [record.state.board.name(region) for region in record.state.board.left_to_right]
    assert [name.partition(":")[0] for name in named] == [
        name for name in places if name in str(named)
    ]
    assert "Amber Atoll: 1" in named


def test_what_the_round_brings_is_told_before_the_regions() -> None:
    brings = outcome(hand_worked()).tables[0]
    assert brings.title == "Round 1 of 5, example map"
    assert rows(brings) == [
        ("Starfalls", "bo +2"),
        ("chips", "ada played 12: each chip counts 2 less"),
        ("chips", "bo played 14: each chip counts 4 less"),
        ("Objective", "bo takes a Starfall"),
    ]


def test_an_objective_that_nobody_meets_is_told() -> None:
    record = hand_worked()
    record.do("objective")
    assert ("Objective", "nobody meets it") in rows(outcome(record).tables[0])


def test_a_power_whose_parts_come_to_less_says_what_counts() -> None:
    record = three(excess_floor="negative")
    placed(record, {"ada": (A, B, C), "bo": (A, B, D), "cleo": (A, B, D)})
    for seat, chips in {"ada": (9, 3, 1), "bo": (1, 0, 0), "cleo": (1, 0, 0)}.items():
        record.do("powers", player=seat, chips=list(chips))
    record.do("objective")
    assert of_one(record, C) == [("-", "ada", "0: chip 1 - 3 = -2", "no part with power 0")]


@pytest.mark.parametrize(
    ("ruling", "takes"),
    [("stays", "its Starfall stays there"), ("discarded", "its Starfalls are discarded")],
)
def test_starfalls_that_nobody_takes_stay_or_are_discarded(ruling: str, takes: str) -> None:
    record = three(unawarded_with_zero_power=ruling)
    placed(record, {"ada": (A, B, C), "bo": (B, C, D), "cleo": (B, C, D)})
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[0, 0, 1])
    record.do("objective")
    assert of_one(record, A) == [
        ("-", "ada", "0 = chip 0", "no part with power 0"),
        ("", "nobody", "", takes),
    ]


def solo(difficulty: str, held: int = 0) -> Record:
    """AI black alone in Amber Atoll with a Starfall, behind Ada, with two Markets there; its card holds `held`."""
    record = begun("ada", difficulty=difficulty)
    if held:
        record.do("adjust", counter="market_card", of="@black", value=held, reason="for the test")
    for platform in ("1", "2"):
        record.do("turn", player="@black", reason="for the test")
        record.do("ai_turn", ai="@black", card="market")
        record.do("ai_choose", target=platform, reason="for the test")
        record.do("ai_done")
    for region in (A, B, C):
        record.do("turn", player="@black", reason="for the test")
        record.do("ai_turn", ai="@black", card="airship")
        record.do("ai_choose", target=region, reason="for the test")
        record.do("ai_done")
    all_placed("@orange", record)
    record.place("ada", A, B, C)
    record.do("slot", seat="ada", slot=2)
    while record.phase in ("early", "hidden"):
        record.do("reveal", card=1, region=H)
    for player, chips in {"ada": (5, 4, 1), "@black": (4, 0, 0), "@orange": (0, 0, 0)}.items():
        record.do("powers", player=player, chips=list(chips))
    return record


def test_an_ai_ranks_but_takes_nothing_and_its_markets_go_onto_its_card() -> None:
    number = Record("ada").state.board.market_numbers["medium"]
    (ada, black, *_) = of_one(solo("medium"), A)
    assert ada == ("1", "ada", "5 = chip 5", "1 Starfall")
    assert black == (
        "2",
        "AI black",
        "4 = token 4",
        "ranks but takes nothing; Market card +2, now 2",
    )
    (_, trading, *_) = of_one(solo("medium", number - 1), A)
    assert trading[3] == "ranks but takes nothing; Market card +2, now 0, trades for 1 Starfall"


def test_an_easy_ai_has_no_card_for_its_markets() -> None:
    (_, black, *_) = of_one(solo("easy"), A)
    assert black[3] == "ranks but takes nothing; Markets +2 lost: no Market card"


def test_the_starfalls_that_are_told_are_those_that_the_round_brings() -> None:
    record = hand_worked()
    starfalls = sum(
        int(match[1]) for row in regions(record) if (match := re.match(r"(\d+) Starfall", row[4]))
    )
    assert starfalls + 1 == sum(record.resolution.gains.values()), "one more for the Objective"


# -- how long it is on the table


def on_table(record: Record) -> bool:
    return PANELS.on_table(record.view()) is not None


def test_it_is_on_the_table_from_the_last_power_to_the_next_fact() -> None:
    record = hand_worked()
    assert on_table(record)
    before = outcome(record)
    record.do("round_end")
    after = outcome(record)
    assert on_table(record)
    assert after.tables == before.tables, "it says the same before and after the end"
    assert (before.entry, after.entry) == (None, len(record.facts) + 1)
    record.do("pause")
    assert not on_table(record)
    assert outcome(record).tables == before.tables, "it can be read again"


def test_after_the_last_round_nothing_is_cleared_and_the_games_end_is_shown_instead() -> None:
    record = three()
    for number in range(1, 6):
        if number > 1:
            record.do("public", region=A)
        ships = {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, D)}
        placed(record, ships, hidden=(H, G, F, E, D)[:number])
        for seat, chips in {"ada": (1, 0, 0), "bo": (5, 0, 0), "cleo": (3, 0, 0)}.items():
            record.do("powers", player=seat, chips=list(chips))
        record.do("objective")
        assert on_table(record)
        record.do("round_end")
        assert on_table(record) is (number < 5)
        assert bool(outcome(record).then) is (number < 5)
    assert [outcome.title for outcome in PANELS.outcomes(record.view())] == [
        f"End of round {n}" for n in range(1, 6)
    ]


def test_every_round_of_a_recorded_game_has_its_outcome() -> None:
    states = states_of(folded(FIXTURES / "four-seats.jsonl"))
    counts = [len(PANELS.outcomes(GAME.view(state, TABLE))) for state in states]
    assert counts[-1] == 5
    assert sorted(counts) == counts


# -- plain lines, phones, the feed


def printed(out: io.StringIO) -> list[str]:
    return [re.sub(r"^\d\d:\d\d:\d\d ", "", line) for line in out.getvalue().splitlines()]


def world_of(record: Record) -> World:
    world = World(setup_with(3, **dict(record.setup.options)))
    for fact in record.facts:
        world.enter(fact)
    return world


def test_plain_lines_print_each_outcome_once_behind_the_line_that_ended_the_round() -> None:
    record = hand_worked()
    resolved = [line for table in outcome(record).tables for line in plain_lines((table,), 80)]
    record.do("round_end")
    record.do("public", region=B)
    world, out = world_of(record), io.StringIO()
    with LinePrinter(world.table, out) as printer:
        printer.print_new()
        printer.print_new()
        lines = printed(out)
        wanted = [
            re.sub(r"\b(ada|bo|cleo)\b", lambda name: name[0].capitalize(), line)
            for line in resolved
        ]
        end = next(at for at, line in enumerate(lines) if "round 1 is over" in line)
        assert "".join(lines).count("Round 1, region by region") == 1
        assert [" ".join(line.split()) for line in lines[end + 1 : end + 1 + len(wanted)]] == [
            " ".join(line.split()) for line in wanted
        ]
        assert lines[-1] == "· round 2: the Public Starfall falls on Brass Basin"


def test_plain_lines_print_it_before_the_round_is_ended_and_then_only_what_to_clear() -> None:
    record = hand_worked()
    world, out = world_of(record), io.StringIO()
    with LinePrinter(world.table, out) as printer:
        printer.print_new()
        assert "Round 1, region by region" in out.getvalue()
        assert "clear the table" not in out.getvalue()
        before = len(out.getvalue())
        world.table.enter("round_end", {})
        printer.print_new()
        since = out.getvalue()[before:]
        assert "After round 1: clear the table" in since
        assert "region by region" not in since
        before = len(out.getvalue())
        world.table.do("table.undo")
        world.table.do("table.redo")
        printer.print_new()
        assert "region by region" not in out.getvalue()[before:], (
            "an undo of the end prints nothing again"
        )
        world.table.do("table.undo")
        world.table.enter("powers", {"player": "bo", "chips": [0, 10, 0]})
        printer.print_new()
        assert "11 = chip 10 + 1" in out.getvalue()[before:], "another power is news"


def test_a_phone_shows_it_unfolded_and_once_until_the_next_fact() -> None:
    record = hand_worked()
    page = page_of(GAME, record.state)["game"]
    assert page.count(">Round 1, region by region<") == 1
    assert page.index("Round 1, region by region") < page.index("This round")
    assert "<summary>Round 1, region by region</summary>" not in page
    assert "6 = chip 10 - 4" in page
    record.do("round_end")
    page = page_of(GAME, record.state)["game"]
    assert page.count(">Round 1, region by region<") == 1
    assert page.index("After round 1: clear the table") < page.index("Round 1 of 5")
    assert "Do this now" not in page, "what to do is said once"
    record.do("public", region=B)
    page = page_of(GAME, record.state)["game"]
    assert "region by region" not in page
    assert "clear the table" not in page


def test_the_public_feed_is_told_the_end_of_a_round_as_before_and_no_table_of_it() -> None:
    record = hand_worked()
    record.do("round_end")
    world = world_of(record)
    events = feed_of(world.table)
    text = "\n".join(map(repr, events))
    assert [event.kind for event in events][-3:] == ["ruling", "score", "round"]
    assert "round 1 is over: Bo +2" in text
    for of_the_outcome in ("region by region", "Gold + Wood", "clear the table", "chip 10"):
        assert of_the_outcome not in text
