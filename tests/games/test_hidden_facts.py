"""What is hidden is nowhere: for each kind of fact of each game, who may read it, and that nobody else does.

A kind that is new is in no table below and fails. For each kind that is hidden two sessions are played that differ in
it alone, and all that anybody but its owner can look at is compared to the letter: screens, forms, log, reasons,
titles, undo labels, notices, printed lines, exports, sheet, pages for phones, the public feed, a watching companion,
the report of a fault.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from companion.commands.bundle import write as write_report
from companion.dashboard.app import Dashboard
from companion.demo.capture import Capture, captured_table
from companion.feed.events import line_of
from companion.feed.feed import FeedReading
from companion.journal.journal import Journal
from companion.outbound.hub_batches import HubBatches
from companion.rules.components import as_json, example
from companion.rules.facts import TABLE, Refused, Setup
from companion.rules.header import header
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.session.plain import LinePrinter
from companion.session.table import Table
from companion.session.views import SavedView
from companion.session.watching import Watcher
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.feed.feeding import feed_of
from tests.games.fractured_sky.playing import A, B, C, D, E, F, G, H
from tests.games.skyfire.playing import example_deck
from tests.reports.support import run_export, run_sheet
from tests.web.client import opened
from tests.web.served import WALL, saved

PEOPLE = "seat_joins seat_leaves seat_changes seats_swap score_set pause unpause abandon "
EVERYBODY = {
    "drills": PEOPLE + "ready delay signal shot plate dry_pull stop",
    "fractured-sky": PEOPLE
    + "first public airship skimmer build scout take peek slot reveal powers objective round_end ai_turn ai_compass "
    + "ai_choose ai_done ai_cannot ai_sits_out ai_tokens turn adjust remove move map_region map_platform",
    "panic-fire": PEOPLE
    + "fire draw shot target shooter illegal legal match shield_hand shield_in_play dry_pull knock promote override "
    + "reshuffle round_end stalemate_draw tie_break",
    "sky-rise": PEOPLE
    + "start_token assign opaque card pyramid pass turn_over turn reveal showdown showdown_stop showdown_ruling",
    "skyfire": PEOPLE
    + "backs deal direction first hand_shown launch misfire override place removed revealed round_end satisfied target "
    + "turn",
}
"""Kinds of facts that are public."""
ITS_SEAT = {
    "drills": "",
    "fractured-sky": "saw",
    "panic-fire": "",
    "sky-rise": "goal_noted",
    "skyfire": "hand_noted place_noted",
}
NOBODY = {
    "drills": "",
    "fractured-sky": "deal shuffle",
    "panic-fire": "",
    "sky-rise": "goals_dealt",
    "skyfire": "",
}
"""Kinds of facts that are face down: only the companion knows them until a later fact reveals them."""

NAMES = ("Ada", "Bo", "Cleo", "Dan")
Said = tuple[str, dict[str, Any]]
COLORS = ("red", "yellow", "green", "blue")
TRAY = [A, B, C, D, E, F, G, H]
HANDS = (["Comet", "Wave", "Fern", "Pearl"], ["Ember", "Lagoon", "Willow", "Swan"])


@dataclass(frozen=True)
class Scene:
    """A session up to a hidden fact in two versions, `one` and `other`, and the public facts after it."""

    game: str
    before: Sequence[Said]
    one: dict[str, Any]
    other: dict[str, Any]
    behind: Sequence[Said] = ()
    seats: int = 3
    options: dict[str, str] = field(default_factory=dict)
    owner: str | None = None
    """The seat that sees the difference at once, if the fact names none."""

    @property
    def setup(self) -> Setup:
        game, names = open_game(self.game), seats_from_names(NAMES[: self.seats])
        box = example_deck() if self.game == "skyfire" else as_json(example(self.game))
        return Setup(game.id, game.rules_version, names, self.options, box)


SCENES = {
    ("fractured-sky", "saw"): Scene(
        "fractured-sky",
        [
            ("first", {"seat": "ada"}),
            ("public", {"region": A}),
            ("scout", {"seat": "ada", "card": 1}),
        ],
        {"seat": "ada", "where": "hidden", "number": 1, "region": G},
        {"seat": "ada", "where": "hidden", "number": 1, "region": H},
        [("airship", {"seat": "bo", "region": B})],
        options={"ai_cards": "physical"},
    ),
    ("fractured-sky", "deal"): Scene(
        "fractured-sky",
        [("first", {"seat": "ada"})],
        {"cards": TRAY},
        {"cards": [*TRAY[:6], H, G]},
        [("public", {"region": A}), ("airship", {"seat": "ada", "region": B})],
        options={"starfalls": "virtual"},
    ),
    ("fractured-sky", "shuffle"): Scene(
        "fractured-sky",
        [("first", {"seat": "ada"}), ("public", {"region": A})],
        {
            "ai": "@black",
            "cards": list(range(1, 11)),
            "tokens": [1, 2, 3, 4, 5, 6],
            "lots": [1, 2, 3, 4, 5, 6],
        },
        {
            "ai": "@black",
            "cards": [1, *range(10, 1, -1)],
            "tokens": [1, 2, 3, 6, 5, 4],
            "lots": [6, 5, 4, 3, 2, 1],
        },
        [
            ("airship", {"seat": "ada", "region": B}),
            ("airship", {"seat": "bo", "region": C}),
            ("ai_turn", {"ai": "@black"}),
        ],
        seats=2,
    ),
    ("sky-rise", "goal_noted"): Scene(
        "sky-rise",
        [],
        {"seat": "ada", "nest": "red", "tree": "blue"},
        {"seat": "ada", "nest": "blue", "tree": "red"},
        [("turn", {"seat": "bo", "reason": "said"})],
    ),
    ("sky-rise", "goals_dealt"): Scene(
        "sky-rise",
        [],
        {"nests": [*COLORS], "trees": [*COLORS]},
        {
            "nests": [COLORS[-1], *COLORS[1:-1], COLORS[0]],
            "trees": [COLORS[-1], *COLORS[1:-1], COLORS[0]],
        },
        [("turn", {"seat": "bo", "reason": "said"})],
        owner="ada",
    ),
    ("skyfire", "hand_noted"): Scene(
        "skyfire",
        [("deal", {}), ("target", {"card": "red"})],
        {"seat": "ada", "cards": HANDS[0]},
        {"seat": "ada", "cards": HANDS[1]},
        [("place", {"zone": 1})],
        seats=4,
    ),
    ("skyfire", "place_noted"): Scene(
        "skyfire",
        [("deal", {}), ("target", {"card": "red"}), ("place", {"zone": 2})],
        {"seat": "ada", "zone": 2, "card": "Comet"},
        {"seat": "ada", "zone": 2, "card": "Ember"},
        [("place", {"zone": 1})],
        seats=4,
    ),
}
"""A session for each hidden kind in which it occurs."""


def hidden(kinds: dict[str, str]) -> list[tuple[str, str]]:
    return [(game, kind) for game, listed in kinds.items() for kind in listed.split()]


# -- the table of kinds


@pytest.mark.parametrize("game_id", GAMES)
def test_each_kind_of_fact_is_for_everybody_its_seat_or_nobody(game_id: str) -> None:
    kinds = [kind for known in (EVERYBODY, ITS_SEAT, NOBODY) for kind in known[game_id].split()]
    assert sorted(kinds) == sorted(open_game(game_id).facts)


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_not_for_everybody_is_marked_a_secret_and_names_its_seat_if_it_has_one(
    game_id: str,
) -> None:
    facts = open_game(game_id).facts
    secret = {kind for kind, fact in facts.items() if fact.secret}
    assert secret == {*ITS_SEAT[game_id].split(), *NOBODY[game_id].split()}
    assert {kind for kind in secret if "seat" in facts[kind].model_fields} == set(
        ITS_SEAT[game_id].split()
    )


def test_each_hidden_kind_has_a_session_in_which_it_is_said() -> None:
    assert sorted(SCENES) == sorted([*hidden(ITS_SEAT), *hidden(NOBODY)])


# -- two sessions that differ in one hidden fact


def sent_to_hub(table: Table) -> list[dict[str, Any]]:
    """Return all batches of the record that a hub gets."""
    record = table._record
    entries = record.entries
    batches = HubBatches(
        entries, lambda: len(entries), FeedReading(record.game, record.setup, entries)
    )
    sent = []
    while (batch := batches.next()) is not None:
        sent.append(batch)
        batches.stored(batch, batches.after(batch))
    return sent


class Played:
    """A scene played at a captured table on the disk; `everything` is all that anybody but the owner can look at."""

    def __init__(self, folder: Path, scene: Scene, kind: str, body: dict[str, Any]) -> None:
        folder.mkdir()
        self.folder, self.scene, self.kind, self.body = folder, scene, kind, body
        setup = scene.setup
        self.path = folder / "evening.sqlite"
        journal = Journal.create(
            self.path, header(setup, "evening"), wall=lambda: WALL, salt=lambda: bytes(16)
        )
        game = open_game(scene.game)
        capture = Capture(folder / "evening.capture")
        self.table: Table = captured_table(capture, game, journal, setup, host_us=lambda: self.us)
        self.n, self.us = 0, 0

    def enter(self, kind: str, body: dict[str, Any]) -> None:
        before = self.table.view().notice
        self.table.enter(kind, body)
        notice = self.table.view().notice
        assert notice == before or notice is None or not notice.refused, (kind, body, notice)

    def say(self) -> None:
        for kind, body in self.scene.before:
            self.enter(kind, body)
        self.enter(self.kind, self.body)
        self.n = len(self.table._journal.entries)

    @property
    def owner(self) -> str | None:
        seat = self.body.get("seat", self.scene.owner)
        return seat if isinstance(seat, str) else None

    @property
    def others(self) -> list[str]:
        return [seat.id for seat in self.scene.setup.seats if seat.id != self.owner]

    async def everything(self, keys: Sequence[str]) -> dict[str, str]:
        saved(self.table)
        return {
            **dict(self._views()),
            **dict(self._files()),
            **{name: text async for name, text in self._screens(keys)},
            **{f"page of {viewer}": text async for viewer, text in self._pages()},
        }

    def _views(self) -> Iterator[tuple[str, str]]:
        table, game = self.table, self.table.game
        state, record = table._record.state, table._record
        yield "view", repr(replace(table.view(), saved=SavedView("saved", ok=True)))
        yield "glance", repr(None if game.glance is None else game.glance(state))
        yield (
            "keys that work",
            repr([each.id for each in table.actions if table.view().works(each.id)]),
        )
        yield "marshal", repr(table.inspection.marshal())
        yield "summary", "\n".join(table.view().summary())
        yield "report", json.dumps(game.report(state), default=repr)
        yield "standings", repr(game.standings(state))
        fact = game.parse(self.kind, self.body)
        for viewer in (TABLE, *self.others):
            if viewer != TABLE:
                yield f"view of {viewer}", repr(table.seat_view(viewer))
            yield (
                f"sentence for {viewer}",
                game.describe(record.timeline.state_before(self.n), fact, viewer),
            )
            yield f"refusal for {viewer}", game.describe(state, fact, viewer)
        yield "public feed", "\n".join(map(line_of, feed_of(table)))
        yield "hub", re.sub(r"[0-9a-f]{64}", "a digest", json.dumps(sent_to_hub(table)))
        watcher = Watcher(self.path)
        yield (
            "watching",
            repr(watcher.view())
            + "\n".join(watcher.view().summary())
            + repr(watcher.seat_view("ada")),
        )
        out = io.StringIO()
        with LinePrinter(table, out) as printer:
            printer.print_new()
        yield "printed", out.getvalue()

    def _files(self) -> Iterator[tuple[str, str]]:
        for wanted in ("jsonl", "json", "csv", "html", "bgstats"):
            out = io.StringIO()
            with redirect_stdout(out):
                run_export(str(self.path), wanted, None, "--evidence")
            yield wanted, out.getvalue()
        out = io.StringIO()
        with redirect_stdout(out):
            run_sheet(str(self.path))
        yield "sheet", out.getvalue()
        zipped = self.folder / "report.zip"
        zipped.unlink(missing_ok=True)
        write_report(self.path, zipped, self.folder / "evening.capture")
        with zipfile.ZipFile(zipped) as archive:
            for name in archive.namelist():
                text = archive.read(name).decode()
                # its header has the time of day
                yield name, text.partition("\n")[2] if name == "capture" else text

    async def _pages(self) -> AsyncIterator[tuple[str, str]]:
        _, _, client = opened(self.path)
        for number, viewer in enumerate((TABLE, *(seat.id for seat in self.scene.setup.seats))):
            if viewer != self.owner:
                yield viewer, (await client.ask(f"/code-{number}/")).text

    async def _screens(self, opened: Sequence[str]) -> AsyncIterator[tuple[str, str]]:
        """Every page of the dashboard, with the cursor on the line of the fact where a page has one; what two rows of
        keys begin with is looked at once."""
        app, seen = Dashboard(self.table, clock=ManualClock()), {""}
        async with app.run_test(size=(100, 30)) as pilot:
            for keys in opened:
                pressed = ""
                for key in keys.split():
                    # returns once nothing is left to do, workers included: see `settling`
                    await pilot.press(key)
                    pressed += f" {key}"
                    if key not in ("escape", "up") and pressed not in seen:
                        seen.add(pressed)
                        yield f"screen after{pressed}", screen_text(app)
            yield (
                "titles",
                repr((app.title, app.sub_title, [screen.title for screen in app.screen_stack])),
            )


KEYS = (
    "l up enter escape escape",  # the log, and why its line stands
    "ctrl+r end escape",
    "v escape",
    "b escape",
    "c f2 escape escape",  # amend
    "c f3 escape escape",  # insert behind it
    "c x escape escape",  # take it back
    "f6 escape",
    "f8 escape",
    "ctrl+p escape",
    "j 2 enter escape escape",  # another seat's curtain
)


BRIEFLY = ("l up up up enter escape escape", "ctrl+r escape", "c up up f2 escape escape")


@pytest.mark.parametrize(("game_id", "kind"), SCENES)
async def test_two_sessions_that_differ_in_one_hidden_fact_look_alike_to_everybody_else(
    game_id: str, kind: str, tmp_path: Path
) -> None:
    scene = SCENES[game_id, kind]
    both = [
        Played(tmp_path / name, scene, kind, body)
        for name, body in (("one", scene.one), ("other", scene.other))
    ]
    try:
        for played in both:
            played.say()
        await alike(both)
        for played in both:
            for behind, body in scene.behind:
                played.enter(behind, body)
        await alike(both, BRIEFLY[0])
        for played in both:
            played.table.take_back(played.n, "dealt again", "bo")
        await alike(both, *BRIEFLY)
    finally:
        for played in both:
            played.table.close()


async def alike(both: list[Played], *keys: str) -> None:
    one, other = [await played.everything(keys or KEYS) for played in both]
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.parametrize(("game_id", "kind"), hidden(ITS_SEAT))
def test_what_is_for_one_seat_is_what_that_seat_sees(
    game_id: str, kind: str, tmp_path: Path
) -> None:
    scene = SCENES[game_id, kind]
    both = [
        Played(tmp_path / name, scene, kind, body)
        for name, body in (("one", scene.one), ("other", scene.other))
    ]
    for played in both:
        played.say()
    one, other = [played.table.seat_view(played.owner or "") for played in both]
    for played in both:
        played.table.close()
    assert one != other


@pytest.mark.parametrize(("game_id", "kind"), SCENES)
def test_a_hidden_fact_that_is_refused_is_refused_without_a_word_of_it(
    game_id: str, kind: str
) -> None:
    """A card is missing, or it is of a seat that nobody has."""
    scene, game = SCENES[game_id, kind], open_game(game_id)
    state, text = game.start(scene.setup), []
    for body in (scene.one, scene.other):
        wrong = {
            name: value[:-1] if isinstance(value, list) else value for name, value in body.items()
        }
        fact = game.parse(kind, wrong | ({"seat": "nobody"} if "seat" in body else {}))
        with pytest.raises(Refused):
            game.apply(state, fact, 2)
        text.append([game.describe(state, fact, viewer) for viewer in (TABLE, "bo", "cleo")])
    assert text[0] == text[1]


@pytest.mark.parametrize(("game_id", "kind"), hidden(NOBODY))
async def test_who_wants_to_amend_what_nobody_may_see_is_offered_another_shuffle(
    game_id: str, kind: str, tmp_path: Path
) -> None:
    played = Played(tmp_path / "one", SCENES[game_id, kind], kind, SCENES[game_id, kind].one)
    played.say()
    app = Dashboard(played.table, clock=ManualClock())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("c", "f2")
        assert "Press Enter to delete this shuffle and shuffle again." in screen_text(app)
        await pilot.press("enter")
        # somebody may have looked at a card of that deal
        if played.table.view().question is not None:
            played.us += 1_000_000  # the question is read first
            await pilot.press("enter")
    assert not played.table._record.stands(played.n)
    assert not [
        key for key in ("cards", "tokens", "lots") if f"{key}=" in repr(played.table.view().log)
    ]
    played.table.close()
