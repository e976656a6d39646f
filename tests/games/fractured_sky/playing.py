"""A record of Fractured Sky for tests: facts are entered one by one, on the example map or on one made by a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.fractured_sky.rules.ai import Decision
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import (
    RegionResult,
    RegionShare,
    Resolution,
    Round,
    State,
)
from companion.games.fractured_sky.rules.public import PublicTable
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.standing import phase, starfalls_of, table_of, to_move
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.components import Box, ComponentRow, as_json, example, overlay
from companion.rules.facts import Fact, Setup
from companion.rules.seats import seats_from_names
from tests.games.record import GameRecord

BLACK, ORANGE = "@black", "@orange"
EXAMPLE = as_json(example("fractured-sky"))
FORWARDS, TOKENS = list(range(1, 11)), [1, 2, 3, 4, 5, 6]
Platforms = Mapping[str, tuple[Sequence[str], int]]
A, B, C, D, E, F, G, H = (
    "amber-atoll",
    "brass-basin",
    "copper-crag",
    "dusty-downs",
    "ember-estuary",
    "foggy-flats",
    "gusty-gorge",
    "hollow-heath",
)


def row(table: str, name: str, **fields: Any) -> ComponentRow:
    return ComponentRow(table, name, fields, "example", "made up for a test")


def a_map(regions: Mapping[str, tuple[int, int] | None], platforms: Platforms | None = None) -> Box:
    """The example with another map on both sides: regions at places, platforms with bridges and capacity."""
    rows = []
    for side in ("eight", "ten"):
        rows.append(row("side", side, regions=tuple(regions)))
        rows += [
            row(f"place_{side}", name, x=at[0], y=at[1])
            for name, at in regions.items()
            if at is not None
        ]
        rows += [
            row(f"platform_{side}", name, regions=tuple(bridged), places=places)
            for name, (bridged, places) in (platforms or {}).items()
        ]
    rows += [row("region", name, resources=("Gold", "Wood")) for name in regions]
    base = example("fractured-sky")
    others = Box(tuple(row for row in base.rows if not row.table.startswith("platform_")))
    return overlay(others, Box(tuple(rows)))


class Record(GameRecord[State]):
    """Rounds of Fractured Sky, with the sentence of each fact."""

    game = GAME

    def __init__(self, seats: str = "ada", box: Box | None = None, **options: str) -> None:
        components = EXAMPLE if box is None else as_json(box)
        names = seats_from_names(seats.split())
        super().__init__(Setup("fractured-sky", 2, names, options, components))
        self.sentences: list[str] = []

    def do(self, kind: str, **body: Any) -> str:
        """Enter a fact; return its sentence."""
        self.enter(self.fact(kind, **body))
        return self.sentences[-1]

    def enter(self, fact: Fact) -> int:
        before = self.state
        entry = super().enter(fact)
        self.sentences.append(self.game.describe(before, fact))
        return entry

    # -- in one go

    def place(self, seat: str, *regions: str, slot: int | None = None) -> None:
        """A seat's Airships, its turn being called each time; with the third a slot."""
        for region in regions:
            if to_move(self.state) != seat:
                self.do("turn", player=seat, reason="for the test")
            self.do("airship", seat=seat, region=region)
        if slot is not None:
            self.do("slot", seat=seat, slot=slot)

    def ai_card(self, card: str, *stars: str, ai: str = "@black", done: bool = True) -> Decision:
        """An AI's turn with a card the table names; return the move."""
        if to_move(self.state) != ai:
            self.do("turn", player=ai, reason="for the test")
        self.do("ai_turn", ai=ai, card=card, stars=list(stars))
        move = self.move
        if done:
            self.do("ai_done")
        return move

    def showing(self, **starfalls: int) -> None:
        for region, count in starfalls.items():
            self.do(
                "adjust",
                counter="region",
                of=region.replace("_", "-"),
                value=count,
                reason="for the test",
            )

    # -- what came of it

    @property
    def now(self) -> Round:
        assert self.state.current is not None
        return self.state.current

    @property
    def phase(self) -> str:
        return phase(self.state)

    @property
    def mover(self) -> str | None:
        return to_move(self.state)

    @property
    def table(self) -> PublicTable:
        return table_of(self.state)

    @property
    def move(self) -> Decision:
        assert self.now.pending is not None
        return self.now.pending.decision

    @property
    def resolution(self) -> Resolution:
        return resolve(self.state)

    def region(self, region: str) -> RegionResult:
        return next(result for result in self.resolution.regions if result.region == region)

    def standing(self, region: str, player: str) -> RegionShare:
        return next(share for share in self.region(region).standings if share.player == player)

    def view(self, viewer: str = "table") -> FracturedSkyView:
        view: FracturedSkyView = self.game.view(self.state, viewer)
        return view

    def held(self, player: str) -> int:
        return starfalls_of(self.state, player)


def begun(seats: str = "ada", public: str = A, box: Box | None = None, **options: str) -> Record:
    """A game in its first round, the cards of any AI named by the table."""
    record = Record(seats, box, **{"ai_cards": "physical", **options})
    record.do("first", seat=record.setup.seats[0].id)
    record.do("public", region=public)
    return record


def three(public: str = A, box: Box | None = None, **options: str) -> Record:
    """Three seats and no AI."""
    return begun("ada bo cleo", public, box, **options)


def placed(
    record: Record, ships: Mapping[str, Sequence[str]], hidden: Sequence[str] = (H,)
) -> None:
    """Each seat's Airships, slots in the order named, and the Hidden cards revealed."""
    for slot, (seat, regions) in enumerate(ships.items(), start=1):
        record.place(seat, *regions, slot=slot)
    for card, region in enumerate(hidden, start=1):
        if record.now.hidden[card - 1] is None:
            record.do("reveal", card=card, region=region)


def all_placed(ai: str, record: Record) -> None:
    for _ in range(3):
        record.ai_card("airship", "E", "S", ai=ai)


def virtual(
    cards: list[int] | None = None, tokens: list[int] | None = None, **options: str
) -> Record:
    """A solo game whose cards the companion turns up: the example's, in the order given."""
    record = begun("ada", A, None, ai_cards="virtual", **options)
    for ai in (BLACK, ORANGE):
        record.do("shuffle", ai=ai, cards=cards or FORWARDS, tokens=tokens or TOKENS, lots=TOKENS)
    return record
