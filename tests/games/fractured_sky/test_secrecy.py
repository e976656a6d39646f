"""FS-46 on rendered text: two tables that differ only in what one seat knows say the same to everybody else."""

from __future__ import annotations

import io
import itertools
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings, strategies as st

from companion.display.tables import plain_lines
from companion.games.fractured_sky.panels import PANELS
from companion.games.fractured_sky.rules import public
from companion.games.fractured_sky.rules.ai import decide, turn_tokens
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.standing import ai_to_move, table_of
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.journal.entries import Control, Draft, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.rules.components import as_json, example
from companion.rules.facts import Fact, Setup, body_of
from companion.rules.header import header
from companion.rules.seats import seats_from_names
from companion.session.plain import LinePrinter
from companion.session.table import Table
from companion.web.blocks import table_blocks
from tests.games.fractured_sky.playing import A, B, C, D, E, F, G, H, Record
from tests.games.test_every_game import secret_pairs
from tests.session.parts import WALL, MemoryJournal, journal_of
from tests.thorough import examples

NAMES = ("Ada", "Bo", "Cleo")
OWNER, OTHERS = "ada", ("bo", "cleo")


def setup_with(seats: int = 3, **options: str) -> Setup:
    game = GAME
    chosen = {"ai_cards": "physical", **options}
    return Setup(
        game.id,
        game.rules_version,
        seats_from_names(NAMES[:seats]),
        chosen,
        as_json(example(game.id)),
    )


class World:
    """A real table, without a disk."""

    def __init__(self, setup: Setup) -> None:
        first = seal(
            Draft(Layer.CONTROL, Control.SESSION, header(setup, "evening")),
            1,
            WALL,
            FIRST_DIGEST,
            bytes(16),
        )[0]
        ticks = itertools.count(step=1_000_000)
        # how far a disk is, is on the screen, and differs
        self.journal = journal_of([first], MemoryJournal)
        self.table = Table(GAME, self.journal, setup, host_us=lambda: next(ticks))
        self.game = self.table.game

    def enter(self, fact: Fact) -> None:
        self.table.enter(fact.kind, body_of(fact))

    @property
    def state(self) -> State:
        state: State = self.table._record.state
        return state

    def rendered(self, others: tuple[str, ...] = OTHERS) -> list[str]:
        """Return, as text, everything that anybody but the owner can look at."""
        view = self.table.view()
        texts = [
            repr(view),
            "\n".join(map(repr, view.log)),
            view.awaiting,
            str(view.undo),
            repr(view.notice),
        ]
        texts += [
            repr(self.table.inspection.marshal()),
            "\n".join(self.table.view().summary()),
            f"{self.game.title} {view.session}",
        ]
        texts += [repr(self.table.seat_view(seat)) for seat in others]
        texts += [
            "\n".join(outcome_lines(view.game)),
            *table_blocks(view, self.game.title, view.log, closed=False).values(),
        ]
        texts += ["\n".join(outcome_lines(self.table.seat_view(seat))) for seat in others]
        texts += [repr(self.game.report(self.state)), repr(self.game.standings(self.state))]
        return texts


def outcome_lines(game: FracturedSkyView) -> list[str]:
    """Return the lines of a view about the ends of rounds."""
    outcomes = PANELS.outcomes(game)
    return [
        line for outcome in outcomes for line in plain_lines((*outcome.tables, *outcome.then), 80)
    ]


@contextmanager
def two(setup: Setup) -> Iterator[tuple[World, World]]:
    with ExitStack() as stack:
        worlds = World(setup), World(setup)
        for world in worlds:
            stack.callback(world.journal.close)
        yield worlds


def alike(left: World, right: World) -> None:
    for left_text, right_text in zip(left.rendered(), right.rendered(), strict=True):
        assert left_text == right_text


# -- physical cards, and notes behind a curtain


@settings(max_examples=examples(1, 30))
@given(st.integers(0, 2**32))
def test_fs46_whatever_a_seat_notes_and_mends_everybody_else_reads_the_same(seed: int) -> None:
    rng = random.Random(seed)
    with two(setup_with()) as (left, right):
        for world in (left, right):
            prepared(world)
        noted = 0
        for turn in range(examples(15, 30)):
            notes = [pair for pair in secret_pairs(left.game, left.state) if pair[0] == OWNER]
            if notes and (not noted or rng.random() < 0.5):
                _, first, second = rng.choice(notes)
                left.enter(first)
                right.enter(second)
                noted += 1
                mend(rng, left, right, first, second)
            fact = rng.choice([fact for fact in left.game.legal(left.state) if fact.kind != "saw"])
            for world in (left, right):
                world.enter(fact)
            if turn % examples(3, 1) == 0:
                alike(left, right)
        assert noted


def mend(rng: random.Random, left: World, right: World, first: Fact, second: Fact) -> None:
    """The note is undone and redone, taken back, or said again the other way round."""
    n = len(left.journal.entries)
    word = rng.choice(["nothing", "undo", "take back", "amend", "wrong"])
    for world, swapped in ((left, second), (right, first)):
        if word == "undo":
            world.table.do("table.undo")
            world.table.do("table.redo")
        elif word == "take back":
            world.table.take_back(n, "misread", OWNER)
        elif word == "amend":
            world.table.amend(n, body_of(swapped), why="misread", who=OWNER)
        elif word == "wrong":
            world.table.enter("saw", {**body_of(swapped), "number": 9})
    alike(left, right)


@pytest.mark.parametrize("region", ["atlantis", "frosty-fjord", ""])
def test_fs46_a_note_of_no_region_is_refused_without_a_word_of_it(region: str) -> None:
    with two(setup_with()) as (left, _):
        prepared(left)
        left.table.enter("saw", {"seat": OWNER, "where": "hidden", "number": 1, "region": region})
        text = " ".join(left.rendered())
        assert "refused" in text or left.table.view().notice is not None
        assert not region or region not in text


def prepared(world: World) -> None:
    for kind, body in (
        ("first", {"seat": OWNER}),
        ("public", {"region": A}),
        ("scout", {"seat": OWNER, "card": 1}),
    ):
        world.table.enter(kind, body)


def test_fs46_a_note_reaches_the_view_of_its_seat_alone() -> None:
    with two(setup_with()) as (left, right):
        for world, region in ((left, G), (right, H)):
            prepared(world)
            world.table.enter(
                "saw", {"seat": OWNER, "where": "hidden", "number": 1, "region": region}
            )
        alike(left, right)
        assert left.table.seat_view(OWNER) != right.table.seat_view(OWNER)
        assert "Gusty Gorge" in repr(left.table.seat_view(OWNER).deduction)


def test_fs46_the_lines_that_are_printed_are_the_same() -> None:
    printed = []
    for region in (G, H):
        with two(setup_with()) as (left, _):
            out = io.StringIO()
            with LinePrinter(left.table, out) as printer:
                prepared(left)
                left.table.enter(
                    "saw", {"seat": OWNER, "where": "hidden", "number": 1, "region": region}
                )
                printer.print_new()
            printed.append(re.sub(r"\d\d:\d\d:\d\d", "", out.getvalue()))
    assert printed[0] == printed[1]
    assert "noted" not in printed[0]  # nor that a card was


# -- virtual decks


@settings(max_examples=examples(3, 30))
@given(st.integers(0, 2**32))
def test_fst8_what_a_seat_was_dealt_is_in_nobody_elses_texts(seed: int) -> None:
    """Two deals with the same tray; of the pile, what the owner draws changes its place with a card nobody draws."""
    rng = random.Random(seed)
    regions = [A, B, C, D, E, F, G, H]
    rng.shuffle(regions)
    with two(setup_with(starfalls="virtual")) as (left, right):
        for world in (left, right):
            world.table.enter("first", {"seat": OWNER})
        swapped = [*regions[:1], regions[7], *regions[2:7], regions[1]]
        left.table.enter("deal", {"cards": regions})
        right.table.enter("deal", {"cards": swapped})
        alike(left, right)
        for world in (left, right):
            world.table.enter("public", {"region": A})
            world.table.enter("airship", {"seat": OWNER, "region": B})
        assert left.table.seat_view(OWNER).sights != right.table.seat_view(OWNER).sights
        while (
            left.state.round == 1
            and len(left.state.current.draws if left.state.current else ()) < 5
        ):
            options = [
                fact
                for fact in left.game.legal(left.state)
                if fact.kind not in ("peek", "seat_leaves")
            ]
            fact = rng.choice(
                [fact for fact in options if fact.kind in ("airship", "slot", "reveal")] or options
            )
            for world in (left, right):
                world.enter(fact)
            alike(left, right)


def test_fst8_before_it_is_looked_at_no_text_tells_one_deal_from_another() -> None:
    with two(setup_with(starfalls="virtual")) as (left, right):
        regions = [A, B, C, D, E, F, G, H]
        for world, cards in ((left, regions), (right, regions[::-1])):
            world.table.enter("first", {"seat": OWNER})
            world.table.enter("deal", {"cards": cards})
            world.table.enter("public", {"region": A})
        for left_text, right_text in zip(
            left.rendered((OWNER, *OTHERS)), right.rendered((OWNER, *OTHERS)), strict=True
        ):
            assert left_text == right_text


def test_fst8_undoing_a_look_asks_everybody_and_says_what_was_shown_to_whom() -> None:
    with two(setup_with(starfalls="virtual")) as (left, _):
        regions = [A, B, C, D, E, F, G, H]
        left.table.enter("first", {"seat": OWNER})
        left.table.enter("deal", {"cards": regions})
        left.table.enter("public", {"region": A})
        left.table.enter("scout", {"seat": OWNER, "card": 1})
        left.table.do("table.undo")
        question = left.table.view().question
        assert question is not None
        assert "Hidden card 1, to Ada" in question
        assert left.table.seat_view(OWNER).sights


# -- the end of a round


REGIONS = [A, B, C, D, E, F, G, H]


def to_the_end(world: World, *, tray: str) -> None:
    """A round of virtual decks up to its resolution: Ada scouts the card on the tray and draws two of the pile."""
    for seat, regions in {"ada": (B, C, D), "bo": (B, C, D), "cleo": (B, C, E)}.items():
        for region in regions:
            world.table.enter("turn", {"player": seat, "reason": "for the test"})
            world.table.enter("airship", {"seat": seat, "region": region})
        world.table.enter(
            "slot", {"seat": seat, "slot": OTHERS.index(seat) + 2 if seat in OTHERS else 1}
        )
    world.table.enter("reveal", {"card": 1, "region": tray})
    for seat, chips in {"ada": (5, 1, 0), "bo": (4, 0, 0), "cleo": (3, 2, 0)}.items():
        world.table.enter("powers", {"player": seat, "chips": chips})
    world.table.enter("objective", {"players": ["ada"]})
    assert world.table.view().game.phase == "resolve"


def dealt(world: World, cards: list[str]) -> None:
    for kind, body in (
        ("first", {"seat": OWNER}),
        ("deal", {"cards": cards}),
        ("public", {"region": A}),
    ):
        world.table.enter(kind, body)


def test_fs46_a_resolution_tells_nothing_of_cards_that_only_their_seats_saw_or_nobody() -> None:
    """What the seats draw, and what stays in the pile, are other cards; what is turned up is the same."""
    with two(setup_with(starfalls="virtual")) as (left, right):
        dealt(left, REGIONS)
        dealt(right, [A, H, G, F, E, D, C, B])
        for world in (left, right):
            to_the_end(world, tray=A)
        assert left.table.seat_view(OWNER).sights != right.table.seat_view(OWNER).sights
        for _ in ("resolved", "ended"):
            for left_text, right_text in zip(left.rendered(()), right.rendered(()), strict=True):
                assert left_text == right_text
            owners = [outcome_lines(world.table.seat_view(OWNER)) for world in (left, right)]
            assert owners[0] == owners[1] == outcome_lines(left.table.view().game), (
                "a seat's own view tells the end as all do"
            )
            for world in (left, right):
                world.table.enter("round_end", {})
        assert "region by region" in "\n".join(outcome_lines(left.table.view().game))


def test_fs46_a_resolution_tells_of_a_card_that_was_turned_up() -> None:
    """Otherwise the test above would prove nothing."""
    with two(setup_with(starfalls="virtual")) as (left, right):
        dealt(left, REGIONS)
        dealt(right, [B, A, *REGIONS[2:]])
        to_the_end(left, tray=A)
        to_the_end(right, tray=B)
        assert outcome_lines(left.table.view().game) != outcome_lines(right.table.view().game)


def test_fs46_a_resolution_is_the_same_whatever_a_seat_noted() -> None:
    with two(setup_with()) as (left, right):
        for world, region in ((left, G), (right, H)):
            prepared(world)
            world.table.enter(
                "saw", {"seat": OWNER, "where": "hidden", "number": 1, "region": region}
            )
            to_the_end(world, tray=F)
        for _ in ("resolved", "ended"):
            alike(left, right)
            for world in (left, right):
                world.table.enter("round_end", {})


# -- AIs read what lies open


def test_fs46_an_ai_is_told_nothing_but_the_open_table() -> None:
    assert get_type_hints(decide)["table"] is public.PublicTable
    assert get_type_hints(turn_tokens)["table"] is public.PublicTable
    hidden = {"sights", "dealt", "powers", "chips", "deck", "decks", "tokens", "lots", "sight"}
    assert not hidden & set(get_type_hints(public.PublicTable))


@settings(max_examples=examples(1, 40))
@given(st.integers(0, 2**32))
def test_fs46_an_ai_moves_alike_whatever_the_people_know(seed: int) -> None:
    """Two solo games that differ in what the player noted: every decision is the same, to the last reason."""
    rng = random.Random(seed)
    worlds = [Record("ada", difficulty="hard"), Record("ada", difficulty="hard")]
    decided = 0
    for _ in range(examples(60, 120)):
        state = worlds[0].state
        notes = list(secret_pairs(worlds[0].game, state))
        if notes and rng.random() < 0.5:
            _, first, second = rng.choice(notes)
            worlds[0].enter(first)
            worlds[1].enter(second)
        if worlds[0].game.over(worlds[0].state):
            break
        fact = rng.choice(
            [fact for fact in worlds[0].game.legal(worlds[0].state) if fact.kind != "saw"]
        )
        moving = ai_to_move(worlds[0].state) is not None
        for world in worlds:
            world.enter(fact)
        assert table_of(worlds[0].state) == table_of(worlds[1].state)
        assert worlds[0].sentences[-1] == worlds[1].sentences[-1]
        if moving and worlds[0].phase == "ai":
            assert worlds[0].move == worlds[1].move
            decided += 1
    assert decided


def test_fst8_an_ai_moves_alike_whatever_was_dealt() -> None:
    """The same tray, another pile; and another tray, as long as it is face down."""
    moves: list[list[Any]] = []
    for cards in ([A, B, C, D, E, F, G, H], [H, G, F, E, D, C, B, A]):
        record = Record("ada", starfalls="virtual", difficulty="hard", ai_cards="physical")
        record.do("first", seat="ada")
        record.do("deal", cards=cards)
        record.do("public", region=C)
        record.do("scout", seat="ada", card=1)
        placed: list[Any] = []
        for card in ("airship", "fortress", "market", "skimmer"):
            placed += [record.ai_card(card, "SE", "W", ai=ai) for ai in ("@black", "@orange")]
        moves.append(placed)
    assert moves[0] == moves[1]
