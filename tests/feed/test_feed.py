"""The public feed: numbers that the record alone decides, what a correction names, and what is never told."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.feed.events import (
    EVENT,
    PLACES,
    CorrectionEvent,
    EndEvent,
    Event,
    RoundEvent,
    RulingEvent,
    ShotEvent,
    line_of,
    number_of,
    schema,
)
from companion.feed.feed import Feed
from companion.games.panic_fire.rules.game import GAME as PANIC_FIRE
from companion.games.skyfire.rules.game import GAME as SKYFIRE
from companion.journal.entries import Draft, Entry, Layer
from companion.journal.fold import void_draft
from companion.journal.record import seal
from companion.reports.importing import parse_export
from companion.rules.facts import TABLE, Setup
from companion.rules.feed_kinds import KINDS
from companion.rules.game import Game
from companion.rules.header import game_of
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.rules.spans import KEY_ERROR_US
from companion.session.key_meanings import REDO, UNDO
from companion.session.projection import SessionProjection
from companion.session.table import Table
from tests.feed.feeding import feed_of, told
from tests.games.own import files
from tests.games.panic_fire.playing import setup
from tests.games.skyfire.playing import FOUR, example_deck, setup as skyfire_setup
from tests.web.served import played

FIXTURES = Path(__file__).parent.parent / "fixtures"
RECORDED = sorted(path for game in GAMES for path in (FIXTURES / game).glob("*.jsonl"))
WALL = "2026-03-01T20:00:00+00:00"
recorded = pytest.mark.parametrize(
    "path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


def entries_of(path: Path) -> list[Entry]:
    return list(parse_export(path.read_text(encoding="utf-8"), path.name, WALL))


def appended(entries: list[Entry], *drafts: Draft) -> None:
    for draft in drafts:
        entries.append(seal(draft, len(entries) + 1, WALL, entries[-1].digest, bytes(16))[0])


def entered(table: Table, kind: str, **body: Any) -> None:
    table.enter(kind, body)
    notice = table.view().notice
    assert notice is None or not notice.refused, notice


def new_since(table: Table, before: Sequence[Event]) -> list[Event]:
    now = feed_of(table)
    assert now[: len(before)] == list(before), "what was told stays as it was"
    return now[len(before) :]


@recorded
def test_numbers_rise_and_each_event_reads_back_by_its_schema(path: Path) -> None:
    events = told(entries_of(path))
    numbers = [event.number for event in events]
    assert numbers == sorted(set(numbers))
    assert [EVENT.validate_json(line_of(event)) for event in events] == events
    assert all(line_of(event).isascii() and "\n" not in line_of(event) for event in events)


@recorded
def test_what_comes_later_changes_nothing_that_was_told(path: Path) -> None:
    entries = entries_of(path)
    game, setup = game_of(entries[0].body)
    whole, growing = told(entries), Feed(game, setup, entries)
    piecewise = [
        event
        for n in range(1, len(entries) + 1)
        if not _goes_on(entries, n)
        for event in growing.take(n)
    ]
    assert piecewise == whole
    for n in range(1, len(entries), 50):
        if not _goes_on(entries, n):
            beginning = told(entries[:n])
            assert beginning == whole[: len(beginning)]


def _goes_on(entries: Sequence[Entry], n: int) -> bool:
    return n < len(entries) and entries[n].joined


@recorded
def test_the_last_event_says_how_the_table_stands(path: Path) -> None:
    entries = entries_of(path)
    record = SessionProjection(*game_of(entries[0].body), entries)
    table = told(entries)[-1].table
    scores = {player.id: player.score for player in table.players}
    standings = record.game.standings(record.state)
    assert {seat: scores[seat] for seat in standings} == dict(standings)
    assert table.ended == record.game.ended(record.state)
    assert {player.id for player in table.players if player.left} == record.common.left


@pytest.mark.parametrize(
    "path", [FIXTURES / "panic-fire/six-rounds.jsonl", FIXTURES / "skyfire/a-tie-broken.jsonl"]
)
def test_facts_taken_back_and_brought_back_at_random_leave_the_table_as_a_fresh_fold_has_it(
    path: Path,
) -> None:
    entries, rng = entries_of(path), random.Random(7)
    for _ in range(40):
        target = rng.choice(
            [entry for entry in entries if entry.layer is Layer.FACT or entry.kind == "void"]
        )
        appended(entries, void_draft(target.n, "miscounted"))
    events = told(entries)
    record = SessionProjection(*game_of(entries[0].body), entries)
    standings = record.game.standings(record.state)
    assert {
        player.id: player.score for player in events[-1].table.players if player.id in standings
    } == dict(standings)
    numbers = {event.number for event in events}
    for event in events:
        if isinstance(event, CorrectionEvent):
            assert set(event.corrects) <= {number for number in numbers if number < event.number}


def scored(table: Table) -> list[Event]:
    """Let Red eliminate Blue and win the round; return all events."""
    entered(table, "fire")
    entered(table, "shot")
    entered(table, "target", seat="blue")
    entered(table, "shooter", seat="red")
    return feed_of(table)


def test_a_ruling_is_followed_by_what_came_of_it(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        events = scored(table)
    assert [event.kind for event in events] == [
        *("session", "round", "shot", "ruling"),
        *("ruling", "elimination", "score", "round"),
    ]
    _, elimination, score, round_over = (event.model_dump() for event in events[-4:])
    assert elimination["players"] == ("blue",)
    units = score["table"]["unit"], score["table"]["unit_of_one"]
    assert units == ("Bullet cards", "Bullet card")
    assert score["changed"] == ({"player": "red", "before": 0, "after": 1},)
    assert round_over["what"] == "over"
    assert round_over["rounds"][0]["scores"] == {"red": 1, "blue": 0}
    assert round_over["text"] == "round 1 is over"


def test_an_undo_names_the_events_that_it_takes_back_and_says_the_difference(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        before = scored(table)
        table.do(UNDO.id)
        (undo,) = new_since(table, before)
        table.do(REDO.id)
        (redo,) = new_since(table, [*before, undo])
    assert isinstance(undo, CorrectionEvent)
    assert isinstance(redo, CorrectionEvent)
    assert (undo.what, redo.what) == ("taken back", "brought back")
    assert undo.corrects == redo.corrects == tuple(event.number for event in before[-4:])
    assert [(each.player, each.before, each.after) for each in undo.changed] == [("red", 1, 0)]
    assert [(each.player, each.before, each.after) for each in redo.changed] == [("red", 0, 1)]
    assert undo.table == before[-5].table
    assert redo.table == before[-1].table


def test_a_fact_that_is_amended_is_one_correction_with_the_reason(tmp_path: Path) -> None:
    with played(tmp_path, setup("red blue green")) as table:
        before = scored(table)
        shooter = before[-1].entry
        table.amend(shooter, {"seat": "green"}, why="it was Green")
        (event,) = new_since(table, before)
    assert isinstance(event, CorrectionEvent)
    assert event.what == "put right"
    assert event.text.endswith(" - it was Green")
    assert set(event.corrects) == {earlier.number for earlier in before if earlier.entry == shooter}


def test_a_ruling_that_changes_what_was_told_names_it(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        before = scored(table)
        entered(table, "shield_hand")
        correction, ruling = new_since(table, before)
    assert isinstance(correction, CorrectionEvent)
    assert correction.what == "overruled"
    told_before = {event.number: event.kind for event in before}
    assert [told_before[number] for number in correction.corrects] == ["elimination", "round"]
    assert [(each.player, each.before, each.after) for each in correction.changed] == [
        ("red", 1, 0)
    ]
    assert ruling.kind == "ruling"


def test_a_missed_fact_that_is_put_in_names_what_it_overrules(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        before = scored(table)
        table.insert("shield_hand", {}, after=before[-1].entry, why="it lay under the table")
        (event,) = new_since(table, before)
    assert isinstance(event, CorrectionEvent)
    assert event.what == "put in"
    told_before = {earlier.number: earlier.kind for earlier in before}
    assert [told_before[number] for number in event.corrects] == ["elimination", "round"]
    assert [(each.player, each.before, each.after) for each in event.changed] == [("red", 1, 0)]


def test_a_new_round_that_is_taken_back_and_brought_back_names_itself_alone(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        before = scored(table)
        entered(table, "fire")
        (begins,) = new_since(table, before)
        table.do(UNDO.id)
        table.do(REDO.id)
        corrections = new_since(table, [*before, begins])
    assert [event.corrects for event in corrections if isinstance(event, CorrectionEvent)] == [
        (begins.number,)
    ] * 2


def test_a_new_round_brings_the_players_back_without_a_correction(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        before = scored(table)
        entered(table, "fire")
        (begins,) = new_since(table, before)
    assert isinstance(begins, RoundEvent)
    assert begins.what == "begins"
    assert not any(player.out for player in begins.table.players)


def test_a_key_press_has_the_error_that_the_screen_gives_it(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        events = scored(table)
        recorded_as = {
            entry.n: entry.body["at"].get("pm", 0)
            for entry in table._journal.entries
            if "at" in entry.body
        }
    told_as = {
        event.entry: event.at.pm
        for event in events
        if isinstance(event, RulingEvent | ShotEvent) and event.at
    }
    assert told_as
    assert {recorded_as[entry] for entry in told_as} == {0}
    assert set(told_as.values()) == {KEY_ERROR_US}


def test_a_pause_and_the_end_are_told(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        entered(table, "pause")
        entered(table, "unpause")
        entered(table, "abandon", reason="the last train")
        events = feed_of(table)
    assert [event.kind for event in events] == ["session", "pause", "pause", "ruling", "end"]
    assert [event.table.paused for event in events[1:3]] == [True, False]
    end = events[-1]
    assert isinstance(end, EndEvent)
    assert (end.early, end.winners) == (True, ())
    assert end.table.where == "ended early", "it stands in no round any more"


def test_a_game_that_is_ended_early_in_a_pause_is_not_paused_and_is_nobodys_turn(
    tmp_path: Path,
) -> None:
    with played(tmp_path, skyfire_setup(FOUR), SKYFIRE) as table:
        table.do("skyfire.deal")
        entered(table, "pause")
        assert (feed_of(table)[-1].table.paused, len(feed_of(table)[-1].table.turn)) == (True, 1)
        entered(table, "abandon", reason="the last train")
        now = feed_of(table)[-1].table
        assert (now.paused, now.turn, now.where) == (False, (), "ended early")


def test_a_proposal_is_told_once_it_is_accepted(tmp_path: Path) -> None:
    """The feed has only what is in the record; a level is not public."""
    with played(tmp_path) as table:
        before = feed_of(table)
        table.set_level("draws", "proposed")
        assert new_since(table, before) == []


def test_numbers_stay_what_they_are_for_readers_that_kept_them() -> None:
    """A kind may be added after these; a moved one would renumber earlier events."""
    known = (
        "session",
        "correction",
        "ruling",
        "draw",
        "shot",
        "pause",
        "elimination",
        "score",
        "round",
        "turn",
        "end",
    )
    assert KINDS[: len(known)] == known
    assert len(KINDS) <= PLACES == 16
    assert number_of(7, "draw") == 7 * 16 + 3


def test_the_schema_has_every_kind_and_says_what_each_is() -> None:
    found = schema()
    assert set(found["discriminator"]["mapping"]) == set(KINDS)
    for kind, place in found["discriminator"]["mapping"].items():
        definition = found["$defs"][place.rsplit("/", 1)[-1]]
        assert definition["description"], kind
        assert definition["additionalProperties"] is False, kind
    json.dumps(found)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_each_secret_fact_is_passed_over_and_has_no_name_in_the_feed(game_id: str) -> None:
    game: Game[Any] = open_game(game_id)
    kinds = {kind for kind, fact in game.facts.items() if fact.secret}
    for path in (path for path in RECORDED if path.parent.name == game_id):
        for event in told(entries_of(path)):
            assert getattr(event, "fact", "") not in kinds


def test_the_feed_asks_for_the_view_of_the_table_alone(tmp_path: Path) -> None:
    asked: list[str] = []

    def view(state: Any, viewer: str) -> Any:
        asked.append(viewer)
        return PANIC_FIRE.view(state, viewer)

    def sentence(before: Any, after: Any, fact: Any, viewer: str) -> str:
        asked.append(viewer)
        return PANIC_FIRE.sentence(before, after, fact, viewer)

    with played(tmp_path) as table:
        scored(table)
        entries = list(table._journal.entries)
    watched = replace(PANIC_FIRE, view=view, sentence=sentence)
    assert list(Feed(watched, game_of(entries[0].body)[1], entries).take(len(entries)))
    assert set(asked) == {TABLE}


def test_what_is_said_of_a_hidden_fact_is_passed_over_too(tmp_path: Path) -> None:
    """A hidden fact that is noted, amended, undone and restored: to the public nothing happened."""
    with played(tmp_path, skyfire_setup(FOUR, example_deck()), SKYFIRE) as table:
        entered(table, "deal")
        entered(table, "target", card="red")
        before = feed_of(table)
        entered(table, "hand_noted", seat="ada", cards=["Comet", "Wave", "Fern", "Pearl"])
        noted = len(table._journal.entries)
        table.amend(
            noted,
            {"seat": "ada", "cards": ["Ember", "Lagoon", "Willow", "Swan"]},
            why="Ada holds Ember",
        )
        table.take_back(noted, "Ada holds Comet", "bo")
        table.take_back(noted)
        assert len(table._journal.entries) > noted + 3
        assert new_since(table, before) == []


def test_a_secret_number_of_a_game_of_ones_own_is_told_with_its_round_and_not_before(
    tmp_path: Path,
) -> None:
    found = []
    with files.learned():
        game = files.own("bidding").game()
        setting = Setup(game.id, game.rules_version, seats_from_names(["Ann", "Ben"]))
        for bid in (3, 5):
            (tmp_path / str(bid)).mkdir()
            with played(tmp_path / str(bid), setting, game) as table:
                entered(table, "note", seat="ann", counter="bid", value=bid)
                entered(table, "note", seat="ben", counter="bid", value=1)
                entered(table, "add", seat="ann", counter="taken", by=3)
                hidden = feed_of(table)
                entered(table, "round_ends")
                found.append((hidden, new_since(table, hidden)))
    (one, one_after), (other, other_after) = found
    assert [event.text for event in one] == [event.text for event in other]
    assert [event.table for event in one] == [event.table for event in other]
    assert [event.table for event in one_after] != [event.table for event in other_after]
