"""FS-47: what a seat can deduce, against examples worked by hand and against every layout there is."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from companion.display.tables import Cell
from companion.games.fractured_sky.panels import own
from companion.games.fractured_sky.rules.deduction import Deduction, count_ways
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.public import PublicTable
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.components import Box, as_json
from companion.rules.facts import TABLE
from tests.games.fractured_sky.playing import (
    BLACK,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    Record,
    a_map,
    all_placed,
    begun,
    placed,
    three,
)
from tests.games.random_play import steps
from tests.thorough import examples

# The example's resources: A, D, G have Gold and Wood; B, E, H Iron and Wood; C, F Gold and Iron.
GOLD, WOOD, IRON = (A, C, D, F, G), (A, B, D, E, G, H), (B, C, E, F, H)


def deduced(record: Record, seat: str = "ada") -> Deduction:
    deduction = record.view(seat).deduction
    assert deduction is not None
    return deduction


def chances(record: Record, seat: str = "ada") -> Mapping[str, Fraction]:
    return deduced(record, seat).hidden


def row_of(record: Record, region: str) -> list[Cell]:
    """Return ada's row of a region: the Starfalls now, and the chances of none, one and two this round."""
    rows = next(
        table.rows
        for table in own(record.view("ada"), "ada")
        if table.title.startswith("How likely")
    )
    return next(rest for name, *rest in rows if name == record.state.board.name(region))


def reasons(record: Record, seat: str = "ada") -> list[str]:
    return [f"{reason.text} ({reason.clause})" for reason in deduced(record, seat).reasons]


def in_round(number: int, record: Record, public: str = A) -> Record:
    """The record at the beginning of a later round of three seats."""
    while record.state.round < number:
        played = len(record.now.hidden)
        placed(
            record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, C)}, (H, G, F, E, D)[:played]
        )
        for seat in ("ada", "bo", "cleo"):
            record.do("powers", player=seat, chips=[0, 0, 1])
        record.do("objective")
        record.do("round_end")
        record.do("public", region=public)
    return record


# -- by hand


def test_fs47_with_nothing_seen_each_region_is_as_likely_as_another() -> None:
    record = three()
    assert chances(record) == dict.fromkeys((A, B, C, D, E, F, G, H), Fraction(1, 8))
    assert deduced(record).layouts == 8


def test_fs47_in_round_two_there_are_fifty_six_layouts_of_two_cards() -> None:
    record = in_round(2, three())
    assert deduced(record).layouts == 56
    assert set(chances(record).values()) == {Fraction(2, 8)}


def test_fs47_the_public_starfall_comes_on_top() -> None:
    record = three(public=A)
    assert row_of(record, A) == [1, "0%", "88%", "12%"]
    assert row_of(record, B) == [0, "88%", "12%", "0%"]


def test_fs47_what_is_left_over_shows_and_is_not_of_this_round() -> None:
    record = three(public=A)
    record.showing(brass_basin=2)
    assert row_of(record, B) == [2, "88%", "12%", "0%"]


def test_fs8_an_explore_draw_takes_its_region_out() -> None:
    record = three()
    record.do("airship", seat="ada", region=B)
    record.do("saw", seat="ada", where="explore", number=1, region=H)
    assert chances(record)[H] == 0
    assert chances(record)[A] == Fraction(1, 7)
    assert chances(record, "bo")[H] == Fraction(1, 8)
    assert (
        "ada drew Hollow Heath (Explore draw 1): no Hidden Starfall there this round (FS-8)"
        in reasons(record)
    )


def test_fs16_a_card_that_was_seen_is_certain() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    record.do("saw", seat="ada", where="hidden", number=1, region=H)
    assert chances(record) == {**dict.fromkeys((A, B, C, D, E, F, G), 0), H: 1}
    assert reasons(record) == [
        "ada saw Hidden card 1: Hollow Heath (FS-16)",
        "1 layout fits (FS-47)",
    ]


def test_fs16_what_another_took_tells_of_the_card() -> None:
    """Five regions have Gold: the one card is one of these, each with a chance of a fifth."""
    record = three()
    record.do("airship", seat="ada", region=A)
    record.do("scout", seat="bo", card=1, resource="gold")
    assert chances(record) == {
        region: Fraction(region in GOLD, len(GOLD)) for region in (A, B, C, D, E, F, G, H)
    }
    names = "Amber Atoll, Copper Crag, Dusty Downs, Foggy Flats, Gusty Gorge"
    assert reasons(record)[0] == f"bo took Gold from card 1, so it is one of {names} (FS-16)"


def test_fs16_two_resources_of_one_card_leave_the_regions_that_have_both() -> None:
    record = three()
    record.do("airship", seat="ada", region=A)
    record.do("scout", seat="bo", card=1, resource="gold")
    record.do("scout", seat="cleo", card=1, resource="iron")
    assert {region for region, chance in chances(record).items() if chance} == {C, F}
    assert (
        "bo took Gold and cleo took Iron from card 1, so it is one of Copper Crag, Foggy Flats (FS-16)"
        in reasons(record)
    )


def test_fs47_two_marks_on_two_cards_by_hand() -> None:
    """Round 2. Card 1 has Gold (A C D F G), card 2 has Gold and Iron (C F). Layouts: card 2 is C or F, and then card 1
    one of the four other regions with Gold: 2 * 4 = 8. So C has a Hidden Starfall in 4 layouts as card 2 and in 1 as
    card 1: 5 of 8; A in two of 8."""
    record = in_round(2, three())
    record.do("scout", seat="ada", card=2)
    record.do("scout", seat="bo", card=1, resource="gold")
    record.do("scout", seat="cleo", card=2, resource="gold")
    record.do("airship", seat="ada", region=A)
    record.do("scout", seat="bo", card=2, resource="iron")
    chance_of = chances(record, "cleo")
    assert deduced(record, "cleo").layouts == 8
    assert chance_of == {
        **dict.fromkeys((B, E, H), Fraction(0)),
        **dict.fromkeys((C, F), Fraction(5, 8)),
        **dict.fromkeys((A, D, G), Fraction(1, 4)),
    }


def test_fs47_a_card_seen_takes_its_region_from_the_others() -> None:
    """Card 2 is C as cleo saw; so card 1, which has Gold and Iron, is F."""
    record = in_round(2, three())
    record.do("scout", seat="ada", card=1, resource="gold")
    record.do("scout", seat="bo", card=1, resource="iron")
    record.do("scout", seat="cleo", card=2)
    record.do("saw", seat="cleo", where="hidden", number=2, region=C)
    assert {region for region, chance in chances(record, "cleo").items() if chance} == {C, F}
    assert chances(record, "bo")[C] == Fraction(1, 2) + Fraction(1, 2) * Fraction(1, 7)
    assert "ada took Gold and bo took Iron from card 1, so it is Foggy Flats (FS-16)" in reasons(
        record, "cleo"
    )


def test_fs47_the_cards_say_what_each_may_be() -> None:
    record = in_round(2, three())
    record.do("scout", seat="ada", card=1, resource="gold")
    record.do("scout", seat="bo", card=1, resource="iron")
    first, second = deduced(record, "cleo").cards
    assert first == {C: Fraction(1, 2), F: Fraction(1, 2)}
    assert next(iter(second.items())) == (A, Fraction(1, 7))
    assert second[C] == Fraction(1, 14)


def test_fs41_a_card_revealed_early_is_certain_and_shows() -> None:
    record = begun("ada bo")
    record.do("scout", seat="ada", card=1, resource="gold")
    record.do("scout", seat="bo", card=1, resource="wood")
    record.do("reveal", card=1, region=G)
    assert chances(record)[G] == 1
    assert row_of(record, G)[0] == 1
    assert "Hidden card 1 lies face up: Gusty Gorge (FS-20)" in reasons(record)


def test_fs40_what_an_ai_takes_tells_nothing() -> None:
    record = begun("ada")
    record.ai_card("scout", "W")
    assert set(chances(record).values()) == {Fraction(1, 8)}
    assert reasons(record)[0].startswith(
        "nobody took anything that tells of card 1: it is one of Amber Atoll, "
    )
    assert reasons(record)[0].endswith("(FS-47)")


def test_fs18_what_was_looked_at_and_not_noted_is_said() -> None:
    record = three()
    record.do("airship", seat="ada", region=A)
    record.do("scout", seat="bo", card=1, resource="iron")
    assert "ada has not said what Explore draw 1 shows (FS-18)" in reasons(record)
    assert "bo has not said what Hidden card 1 shows (FS-18)" in reasons(record, "bo")


def test_fs47_what_contradicts_itself_leaves_no_layout_and_says_so() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    record.do("saw", seat="ada", where="hidden", number=1, region=H)
    record.do("scout", seat="bo", card=1, resource="gold")
    deduction = deduced(record)
    assert (deduction.layouts, deduction.hidden, deduction.cards) == (0, {}, ())
    assert reasons(record)[-1] == "no layout fits all of that: a note or a marker is wrong (FS-47)"
    assert "bo took Gold from card 1, which fits no region any more (FS-16)" in reasons(record)
    assert deduced(record, "cleo").layouts == len(GOLD)


def test_fs47_a_draw_that_lies_face_up_too_contradicts_itself_and_says_so() -> None:
    record = three()
    record.do("airship", seat="ada", region=B)
    record.do("saw", seat="ada", where="explore", number=1, region=H)
    placed(record, {"ada": (C, D), "bo": (A, B, C), "cleo": (A, B, C)}, hidden=(H,))
    deduction = deduced(record)
    assert (deduction.layouts, deduction.hidden, deduction.cards) == (0, {}, ())
    assert deduction.reasons[-1].text == "no layout fits all of that: a note or a marker is wrong"
    assert deduced(record, "bo").layouts == 1


def test_fsu2_a_region_of_unknown_resources_may_give_any() -> None:
    box = a_map({"Amber Atoll": (1, 1), "Kelp Key": (2, 2), "Lava Lake": (3, 3)})
    without_kelp_key = Box(
        tuple(row for row in box.rows if (row.table, row.name) != ("region", "Kelp Key"))
    )
    record = three(public=A, box=without_kelp_key)
    record.do("scout", seat="ada", card=1)
    # nothing was taken that could tell
    assert not any("FS-U2" in sentence for sentence in reasons(record, "cleo"))
    record.do("scout", seat="bo", card=1, resource="iron")
    assert chances(record, "cleo") == {A: 0, "kelp-key": 1, "lava-lake": 0}
    assert (
        "resources that nobody entered are taken as possible: Kelp Key may have any (FS-U2)"
        in reasons(record, "cleo")
    )


def test_fs29_what_was_seen_in_a_round_tells_nothing_of_the_next() -> None:
    record = three()
    record.do("airship", seat="ada", region=D)
    record.do("saw", seat="ada", where="explore", number=1, region=E)
    record.do("turn", player="ada", reason="for the test")
    record.place("ada", A, B, slot=1)
    record.place("bo", A, B, C, slot=2)
    record.place("cleo", A, B, C, slot=3)
    record.do("reveal", card=1, region=H)
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[0, 0, 1])
    record.do("objective")
    record.do("round_end")
    record.do("public", region=B)
    assert set(chances(record).values()) == {Fraction(2, 8)}


def test_fs46_the_table_deduces_nothing() -> None:
    record = three()
    assert record.view(TABLE).deduction is None
    assert record.view("nobody").deduction is None


def test_fs47_there_is_nothing_to_deduce_before_the_public_card() -> None:
    record = Record("ada bo cleo")
    assert record.view("ada").deduction is None
    record.do("first", seat="ada")
    assert record.view("ada").deduction is None


def test_fs20_once_all_are_face_up_nothing_is_open() -> None:
    record = begun("ada")
    record.place("ada", A, B, C, slot=2)
    for ai in (BLACK, "@orange"):
        all_placed(ai, record)
    record.do("reveal", card=1, region=H)
    assert set(chances(record).values()) == {0, 1}
    assert deduced(record).layouts == 1


# -- against all layouts


def by_enumeration(
    regions: Sequence[str], cards: Sequence[frozenset[str]]
) -> tuple[int, list[Counter[str]]]:
    """Each layout laid out."""
    total, counts = 0, [Counter[str]() for _ in cards]
    for layout in itertools.permutations(regions, len(cards)):
        if all(region in card for region, card in zip(layout, cards, strict=True)):
            total += 1
            for count, region in zip(counts, layout, strict=True):
                count[region] += 1
    return total, counts


@settings(max_examples=examples(40, 500))
@given(st.data())
def test_fs47_the_ways_are_those_of_all_layouts(data: st.DataObject) -> None:
    regions = [f"r{number}" for number in range(data.draw(st.integers(1, 7)))]
    subsets = st.frozensets(st.sampled_from(regions))
    cards = data.draw(st.lists(subsets, min_size=1, max_size=min(5, len(regions))))
    total, counts = by_enumeration(regions, cards)
    ways = count_ways(regions, cards)
    assert {sum(card.values()) for card in ways} == {total}
    assert ways == counts


def fits(
    layout: Sequence[str],
    table: PublicTable,
    view: FracturedSkyView,
    resources: Mapping[str, set[str]],
) -> bool:
    """Whether a layout of the tray agrees with what a seat sees; told once more, in plain words."""
    for card, region in enumerate(layout, start=1):
        face = table.hidden[card - 1]
        if face is not None:
            if region != face:
                return False
            continue
        for mark in table.marks:
            if (
                mark.card == card
                and mark.resource is not None
                and mark.resource.capitalize() not in resources[region]
            ):
                return False
    return all(
        layout[sight.number - 1] == sight.region
        if sight.where == "hidden"
        else sight.region not in layout
        for sight in view.sights
        if sight.where == "explore" or table.hidden[sight.number - 1] is None
    )


@pytest.mark.parametrize("regions", [5, 6][-examples(1, 2) :])
@settings(max_examples=examples(1, 30))
@given(seed=st.integers(0, 2**32))
def test_fs47_chances_are_those_of_all_layouts_in_games_of_virtual_cards(
    regions: int, seed: int
) -> None:
    rng = random.Random(seed)
    names = {f"Isle {number}": (number, number % 3) for number in range(regions)}
    base = a_map(names)
    kinds = [("Gold", "Wood"), ("Iron", "Wood"), ("Gold", "Iron")]
    rows = [
        type(row)(row.table, row.name, {"resources": rng.choice(kinds)}, row.status, row.source)
        if row.table == "region" and row.name in names
        else row
        for row in base.rows
    ]
    record = Record("ada bo cleo", Box(tuple(rows)), starfalls="virtual")
    assert as_json(Box(tuple(rows)))
    resources = {region.id: set(region.resources) for region in record.state.board.regions}
    for number, (_, _, _, after) in enumerate(steps(GAME, record.setup, rng)):
        if number % 9 or record.game.over(after):
            continue
        for seat in ("ada", "bo"):
            compare(record.game.view(after, seat), resources)


def compare(view: FracturedSkyView, resources: Mapping[str, set[str]]) -> None:
    deduction, table = view.deduction, view.table
    if deduction is None:
        return
    layouts = [
        layout
        for layout in itertools.permutations(table.board.ids, len(table.hidden))
        if fits(layout, table, view, resources)
    ]
    assert deduction.layouts == len(layouts)
    for region, chance in deduction.hidden.items():
        with_it = sum(region in layout for layout in layouts)
        assert chance == Fraction(with_it, len(layouts))
    assert sum(deduction.hidden.values()) == (len(table.hidden) if layouts else 0)
    for card in deduction.cards:
        assert sum(card.values()) == 1


def test_fs47_ten_regions_and_five_cards_have_30240_layouts() -> None:
    regions = [f"r{number}" for number in range(10)]
    ways = count_ways(regions, [frozenset(regions)] * 5)
    assert sum(ways[0].values()) == 30240
    assert {count for card in ways for count in card.values()} == {3024}


def test_fs47_the_deduction_of_a_seat_holds_nothing_of_anothers_notes() -> None:
    worlds = []
    for region in (G, H):
        record = three()
        record.do("scout", seat="ada", card=1)
        record.do("saw", seat="ada", where="hidden", number=1, region=region)
        worlds.append(repr(deduced(record, "bo")))
    assert worlds[0] == worlds[1]
