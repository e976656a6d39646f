"""FS-T4: what the table puts right while an AI's move waits, and counts and pieces that the companion has wrong."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.games.fractured_sky.rules.ai import decide
from companion.games.fractured_sky.rules.board import CardKind, PlatformId
from companion.games.fractured_sky.rules.fold import FACTS
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.standing import table_of
from companion.rules.facts import Refused
from companion.session.opening import begin
from companion.session.table import Table
from tests.games.fractured_sky.playing import (
    BLACK,
    ORANGE,
    A,
    B,
    C,
    D,
    H,
    Record,
    a_map,
    begun,
    virtual,
)

SQUARE = {
    "Torrential Tropics": (1, 1),
    "Dreadful Desert": (3, 3),
    "X Land": (3, 1),
    "Y Land": (1, 3),
}
TT, DD, XX, YY = "torrential-tropics", "dreadful-desert", "x-land", "y-land"
PLATFORMS = {"p": (("Torrential Tropics", "X Land"), 2), "q": (("Dreadful Desert", "Y Land"), 2)}
WHY = {"reason": "recounted"}


def waiting(card: str, *stars: str, **options: str) -> Record:
    """A solo game in which black's move by that card waits, on a square of four regions and two platforms."""
    record = begun("ada", TT, a_map(SQUARE, PLATFORMS), **options)
    record.do("build", seat="ada", building="fortress", platform="p")
    record.ai_card(card, *(stars or ("NW",)), done=False)
    return record


# -- what a decision read, corrected while the move waits (FS-T4)

CORRECTIONS: Mapping[str, tuple[str, str, Mapping[str, Any]]] = {
    "Starfalls": (
        "airship",
        DD,
        {"kind": "adjust", "counter": "region", "of": DD, "value": 3, **WHY},
    ),
    "a bridge": (
        "fortress",
        "q",
        {"kind": "map_platform", "platform": "q", "regions": [DD, YY, TT]},
    ),
    "places": ("fortress", "q", {"kind": "map_platform", "platform": "p", "places": 1}),
}


@pytest.mark.parametrize("name", CORRECTIONS)
def test_a_waiting_move_is_decided_again_when_what_it_read_is_corrected(name: str) -> None:
    card, then, correction = CORRECTIONS[name]
    record = waiting(card)
    assert record.move.target != then
    body = dict(correction)
    sentence = record.do(body.pop("kind"), **body)
    assert record.move.target == then
    assert "; its move changes: AI black: " in sentence
    record.do("ai_done")


def test_a_piece_of_its_own_that_leaves_the_board_counts_no_more() -> None:
    record = begun("ada", TT, a_map(SQUARE, PLATFORMS))
    record.showing(torrential_tropics=1, dreadful_desert=1)
    record.do("build", seat="ada", building="fortress", platform="p")
    record.ai_card("fortress", "SW")
    assert record.state.buildings[-1].platform == "q"
    record.do("turn", player=BLACK, reason="for the test")
    record.ai_card("airship", "NW", done=False)
    assert (record.move.target, record.move.clause) == (DD, "FS-35")
    sentence = record.do("remove", player=BLACK, piece="fortress", place="q", **WHY)
    assert (record.move.target, record.move.clause) == (TT, "FS-36")
    assert "; its move changes: " in sentence


def test_what_the_decision_did_not_read_leaves_the_move_and_says_nothing() -> None:
    record = waiting("airship")
    before = record.now.pending
    sentence = record.do("adjust", counter="starfalls", of=BLACK, value=3, **WHY)
    assert record.now.pending is before
    assert "again" not in sentence


def test_a_move_that_comes_out_the_same_is_said_to_stay() -> None:
    record = waiting("airship")
    assert "; AI black's move stays the same" in record.do(
        "adjust", counter="region", of=TT, value=0, **WHY
    )


def test_what_cannot_be_done_any_more_goes_to_the_next_card() -> None:
    record = virtual(cards=[9, *range(1, 9), 10], skimmer_stack="one_per_region")
    record.do("skimmer", seat="ada", region=B)
    record.ai_card("skimmer", "N")
    record.do("move", player=BLACK, piece="skimmer", place=A, to=B, **WHY)
    record.do("turn", player=BLACK, reason="for the test")
    record.do("ai_turn", ai=BLACK)
    kinds = [record.move.card.kind]
    sentence = record.do("move", player=BLACK, piece="skimmer", place=B, to=A, **WHY)
    kinds.append(record.move.card.kind)
    assert kinds == ["skimmer", "airship"]
    assert "; AI black's skimmer is no longer possible; AI black: Airship to " in sentence


def test_a_building_card_without_a_platform_left_is_skipped_and_said() -> None:
    record = waiting("fortress")
    record.do("map_platform", platform="q", places=1)
    record.do("ai_choose", target="q", reason="somebody built there")
    record.do("ai_done")
    record.do("turn", player=BLACK, reason="for the test")
    record.do("ai_turn", ai=BLACK, card="market", stars=["N"])
    assert record.move.target == "p"
    sentence = record.do("map_platform", platform="p", places=1)
    assert sentence.endswith(
        "; AI black's market is no longer possible; its next card follows (FS-34)"
    )
    assert (record.now.pending, record.mover) == (None, BLACK)


def test_a_move_that_the_table_overruled_stands() -> None:
    record = waiting("airship")
    record.do("ai_choose", target=YY, reason="it stands there")
    record.showing(dreadful_desert=3)
    assert record.move.target == YY


def test_the_tables_answer_to_a_tie_stands_while_it_is_still_one_of_those_asked_for() -> None:
    record = waiting("airship", compass_geometry="table")
    record.showing(dreadful_desert=1)
    assert record.move.ask == (TT, DD)
    record.do("ai_choose", target=DD)
    record.showing(x_land=1)
    assert record.move.target == DD
    record.showing(torrential_tropics=2)
    assert record.move.target == TT


ALLOWED_WHILE_A_MOVE_WAITS: Mapping[str, Mapping[str, Any]] = {
    "adjust": {"counter": "region", "of": DD, "value": 4, **WHY},
    "map_platform": {"platform": "q", "regions": [DD, YY, TT, XX], "places": 3},
    "map_region": {"region": DD, "x": 0, "y": 0},
    "move": {"player": BLACK, "piece": "fortress", "place": "p", "to": "q", **WHY},
    "remove": {"player": BLACK, "piece": "fortress", "place": "p", **WHY},
    "powers": {},
    "saw": {"seat": "ada", "where": "hidden", "number": 1, "region": DD},
    "pause": {},
    "unpause": {},
    "seat_changes": {"seat": "ada", "name": "Eve"},
    "seat_joins": {"name": "Eve"},
    "seat_leaves": {"seat": "ada"},
    "score_set": {"seat": "ada", "score": 3, **WHY},
}
"""Facts that a table can enter while a move is pending, by kind, chosen to change most of what decisions read."""
CARDS: tuple[CardKind, ...] = ("airship", "fortress", "market", "skimmer", "scout")
OF_THE_MOVE = {"ai_choose", "ai_cannot", "ai_done"}


@cache
def waits(card: CardKind) -> State:
    """A solo game in which black's second move, by that card, waits."""
    record = begun("ada", TT, a_map(SQUARE, PLATFORMS))
    record.do("scout", seat="ada", card=1)
    record.ai_card("fortress", "SW")
    record.do("turn", player=BLACK, reason="for the test")
    record.ai_card(card, "NW", done=False)
    return record.state


@pytest.mark.parametrize("kind", [kind for kind in FACTS if kind not in OF_THE_MOVE])
def test_no_fact_leaves_a_waiting_move_as_it_would_not_be_decided_now(kind: str) -> None:
    for card in CARDS:
        try:
            fact = GAME.parse(kind, ALLOWED_WHILE_A_MOVE_WAITS.get(kind, {}))
            after = GAME.apply(waits(card), fact, 99)
        except Refused:
            assert kind not in ALLOWED_WHILE_A_MOVE_WAITS or kind in {
                "powers",
                "unpause",
                "seat_leaves",
            }, card
            continue
        pending = after.now.pending
        assert pending is not None, card
        assert pending.ruled == decide(table_of(after), BLACK, pending.ruled.card, pending.excluded)
        assert pending.decision == pending.ruled, card


def test_a_fact_that_is_taken_back_decides_a_waiting_move_again(tmp_path: Path) -> None:
    options = {"map": "example", "ai_cards": "physical"}
    with closing(
        begin("fractured-sky", ["Ada"], options, tmp_path / "sky.sqlite", components={})
    ) as table:
        table.enter("first", {"seat": "ada"})
        table.enter("public", {"region": A})
        table.enter("adjust", {"counter": "region", "of": B, "value": 2, **WHY})
        adjusted = table.view().log[-1].n
        table.enter("airship", {"seat": "ada", "region": C})
        table.enter("ai_turn", {"ai": BLACK, "card": "airship"})
        assert "Airship to Brass Basin" in table.view().log[-1].text
        table.enter("adjust", {"counter": "region", "of": D, "value": 3, **WHY})
        assert table.view().game.move.decision.target == D
        table.do("table.undo")
        assert table.view().game.move.decision.target == B
        table.take_back(adjusted)
        assert table.view().game.move.decision.target == A
        turned = next(line.text for line in table.view().log if "black: Airship to" in line.text)
        assert "Airship to Amber Atoll" in turned


def test_a_correction_that_is_only_asked_about_leaves_every_sentence_as_it_was(
    tmp_path: Path,
) -> None:
    with closing(solo_with_a_waiting_airship(tmp_path)) as table:
        before = table.view()
        table.amend(before.log[2].n, {"region": B})
        after = table.view()
        assert after.question is not None
        assert (after.undo, after.log) == (before.undo, before.log)


def test_a_correction_of_the_past_says_that_a_waiting_move_was_decided_again(
    tmp_path: Path,
) -> None:
    with closing(solo_with_a_waiting_airship(tmp_path)) as table:
        table.enter("adjust", {"counter": "region", "of": D, "value": 3, **WHY})
        table.do("table.undo")
        notice = table.view().notice
        assert notice is not None
        again = (
            "; its move changes: AI black: Airship to Amber Atoll (it shows the most Starfalls)."
        )
        assert notice.text.endswith(again)
        table.do("table.undo")  # the AI's turn itself: it is asked about, and nothing waits then
        table.take_back(
            next(line.n for line in table.view().log if "places an Airship" in line.text)
        )
        assert "again" not in str(table.view().notice)


def solo_with_a_waiting_airship(folder: Path) -> Table:
    """Cards on the table; the Public Starfall is in Amber Atoll, and black's Airship is to go there."""
    table = begin(
        "fractured-sky",
        ["Ada"],
        {"map": "example", "ai_cards": "physical"},
        folder / "sky.sqlite",
        components={},
    )
    table.enter("first", {"seat": "ada"})
    table.enter("public", {"region": A})
    table.enter("airship", {"seat": "ada", "region": C})
    table.enter("ai_turn", {"ai": BLACK, "card": "airship"})
    return table


# -- the map (FS-U4)


def test_a_correction_of_a_platform_changes_what_it_names_alone() -> None:
    record = Record("ada")
    old = platform(record, "1")
    assert old.point is not None
    record.do("map_platform", platform="1", places=7)
    assert platform(record, "1") == type(old)(old.id, old.regions, 7, old.point)
    record.do("map_platform", platform="1", regions=[A, B])
    assert platform(record, "1") == type(old)(old.id, (A, B), 7, old.point)


def test_a_correction_of_a_region_changes_what_it_names_alone() -> None:
    record = Record("ada")
    old = record.state.board.by_id[A]
    record.do("map_region", region=A, name="Amber Reef")
    record.do("map_region", region=A, resources=["iron", "wood"])
    new = record.state.board.by_id[A]
    assert (new.name, new.resources, new.point) == ("Amber Reef", ("Iron", "Wood"), old.point)


def test_a_new_platform_needs_its_bridges() -> None:
    Record("ada").refuses("map_platform", "FS-U4", platform="new", places=2)


# -- counts and pieces (FS-T4)


def test_a_turn_slot_can_be_set_when_all_are_taken_and_who_stood_there_takes_the_other() -> None:
    record = all_done()
    sentence = record.do(
        "adjust", counter="slot", of="cleo", value=1, reason="the cubes were swapped"
    )
    assert record.now.slots == {1: "cleo", 2: "bo", 3: "ada"}
    assert (
        sentence == "turn slot (cleo) set to 1 by hand, ada takes 3: the cubes were swapped (FS-T4)"
    )
    record.do("adjust", counter="slot", of="cleo", value=1, reason="again")
    assert record.now.slots == {1: "cleo", 2: "bo", 3: "ada"}


@pytest.mark.parametrize(
    ("clause", "bound", "body"),
    [
        ("FS-6", "a number from 0 to 7", {"counter": "unused", "value": 50}),
        ("FS-6", "a number from 0 to 7", {"counter": "unused", "value": 8}),
        ("FS-10", "a number from 1 to 3", {"counter": "slot", "of": "ada", "value": 4}),
        ("FS-10", "a number from 1 to 3", {"counter": "slot", "of": "ada", "value": 0}),
        ("FS-10", "a player who is done", {"counter": "slot", "of": ORANGE, "value": 1}),
        ("FS-45", "a number from 0 to 3", {"counter": "market_card", "of": BLACK, "value": 4}),
    ],
)
def test_an_impossible_count_is_refused_with_its_bound(
    clause: str, bound: str, body: Mapping[str, Any]
) -> None:
    record = begun("ada", difficulty="medium")
    record.place("ada", A, B, C, slot=1)
    assert record.refuses("adjust", clause, **body, **WHY).expected == bound


def test_the_highest_possible_counts_are_taken() -> None:
    record = begun("ada", difficulty="medium")
    record.do("adjust", counter="unused", value=7, **WHY)
    record.do("adjust", counter="market_card", of=BLACK, value=3, **WHY)
    assert (record.now.unused, record.state.market_cards[BLACK]) == (7, 3)


def test_an_ai_without_a_market_card_has_no_count_on_it() -> None:
    begun("ada").refuses("adjust", "FS-32", counter="market_card", of=BLACK, value=1, **WHY)


def test_an_airship_that_is_taken_off_is_placed_again() -> None:
    record = all_done()
    sentence = record.do("remove", player="ada", piece="airship", place=B, **WHY)
    assert sentence == "ada's Airship leaves Brass Basin: recounted (FS-T4)"
    assert [ship.region for ship in record.now.ships_of("ada")] == [A, C]
    assert (record.mover, record.now.slots) == ("ada", {2: "bo", 3: "cleo"})
    record.place("ada", D, slot=1)
    assert record.now.slots == {1: "ada", 2: "bo", 3: "cleo"}


def test_an_airship_that_is_taken_off_takes_its_power_with_it() -> None:
    record = all_done()
    record.do("reveal", card=1, region=H)
    record.do("powers", player="ada", chips=[1, 2, 3])
    record.do("remove", player="ada", piece="airship", place=B, **WHY)
    assert "ada" not in record.now.powers


def test_the_airship_of_an_ai_gives_its_token_back_and_the_others_keep_theirs() -> None:
    record = virtual(tokens=[1, 2, 3, 4, 5, 6])
    record.do("skimmer", seat="ada", region=A)
    for region in (A, B):
        record.ai_card("airship", "E", done=False)
        record.do("ai_choose", target=region, reason="for the test")
        record.do("ai_done")
    record.do("remove", player=BLACK, piece="airship", place=A, **WHY)
    assert record.now.decks[BLACK].tokens == (1, 2, 3, 5, 4, 6)


@pytest.mark.parametrize(("card", "rest"), [(0, "lost"), (1, "lost"), (2, "lost"), (2, "kept")])
def test_the_gold_of_its_slot_goes_back_with_an_airship_of_an_ai_and_counts_once(
    card: int, rest: str
) -> None:
    record = begun("ada bo", difficulty="hard", ai_cards="physical", market_trade_rest=rest)
    record.place("ada", A, B, C, slot=1)
    record.place("bo", A, B, D, slot=2)
    for star in ("N", "E"):
        record.ai_card("airship", star, ai=BLACK)
    record.do("adjust", counter="market_card", of=BLACK, value=card, reason="for the test")
    record.ai_card("airship", "S", ai=BLACK)
    counted = (record.state.market_cards[BLACK], record.state.held.get(BLACK, 0))
    assert counted == (
        (card + 1) % 3,
        (card + 1) // 3,
    )  # slot 3 has 1 Gold, and the card trades at 3
    record.do("remove", player=BLACK, piece="airship", place=record.now.ships[-1].region, **WHY)
    assert (record.state.market_cards[BLACK], record.state.held.get(BLACK, 0)) == (card, 0)
    record.ai_card("airship", "S", ai=BLACK)
    assert (record.state.market_cards[BLACK], record.state.held.get(BLACK, 0)) == counted


def test_a_moved_airship_keeps_its_place_in_the_order_and_with_it_its_power() -> None:
    record = all_done()
    sentence = record.do("move", player="ada", piece="airship", place=B, to=D, **WHY)
    assert sentence == "ada's Airship moves from Brass Basin to Dusty Downs: recounted (FS-T4)"
    assert [(ship.region, ship.explore) for ship in record.now.ships_of("ada")] == [
        (A, True),
        (D, True),
        (C, True),
    ]
    record.do("move", player="bo", piece="airship", place=B, to=D, **WHY)
    assert not record.now.ships_of("bo")[1].explore


def test_a_scouting_marker_moves_or_leaves_with_what_its_seat_noted() -> None:
    record = begun("ada bo cleo", hidden_count="finished_round")
    record.do("scout", seat="ada", card=1, resource="gold")
    record.do("saw", seat="ada", where="hidden", number=1, region=B)
    record.refuses("move", "FS-6", player="ada", piece="marker", place="1", to="2", **WHY)
    record.refuses("move", "FS-16", player="ada", piece="marker", place="1", to="two", **WHY)
    sentence = record.do("remove", player="ada", piece="marker", place="1", **WHY)
    assert sentence == "ada's scouting marker leaves Hidden card 1: recounted (FS-T4)"
    assert (record.now.marks, record.now.sights) == ((), ())
    record.refuses("remove", "FS-12", player="ada", piece="marker", place="1", **WHY)


def test_a_marker_that_was_moved_may_be_scouted_again() -> None:
    record = begun("ada bo cleo")
    record.state = replace(record.state, current=replace(record.now, hidden=(None, None)))
    record.do("scout", seat="ada", card=1, resource="gold")
    record.do("move", player="ada", piece="marker", place="1", to="2", **WHY)
    assert [(mark.card, mark.resource) for mark in record.now.marks] == [(2, "gold")]


def test_a_building_of_an_ai_that_stands_wrong_is_moved() -> None:
    record = begun("ada")
    record.do("skimmer", seat="ada", region=A)
    record.ai_card("fortress", "N")
    stood = record.state.buildings[0].platform
    other = next(platform.id for platform in record.state.board.platforms if platform.id != stood)
    sentence = record.do("move", player=BLACK, piece="fortress", place=stood, to=other, **WHY)
    assert (
        sentence
        == f"AI black's Fortress moves from platform {stood} to platform {other}: recounted (FS-T4)"
    )
    assert [piece.platform for piece in record.state.buildings] == [other]
    record.refuses(
        "move", "FS-U4", player=BLACK, piece="fortress", place=other, to="nowhere", **WHY
    )
    record.refuses("move", "FS-12", player=BLACK, piece="market", place=other, to=stood, **WHY)


def test_a_skimmer_that_is_taken_off_leaves_the_others() -> None:
    record = begun("ada")
    for _ in range(2):
        record.do("turn", player="ada", reason="for the test")
        record.do("skimmer", seat="ada", region=A)
    record.do("remove", player="ada", piece="skimmer", place=A, **WHY)
    assert [flight.region for flight in record.now.flights] == [A]


def test_a_skimmer_is_moved() -> None:
    record = begun("ada")
    record.do("skimmer", seat="ada", region=A)
    record.do("move", player="ada", piece="skimmer", place=A, to=B, **WHY)
    assert [flight.region for flight in record.now.flights] == [B]
    record.refuses("move", "FS-U8", player="ada", piece="skimmer", place=B, to="atlantis", **WHY)


def test_fs22_the_objective_is_entered_again() -> None:
    record = all_done()
    record.refuses("objective", "FS-20", players=["ada"])
    record.do("reveal", card=1, region=H)
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.do("objective", players=["ada"])
    record.do("objective", players=["bo"])
    assert record.now.objective == ("bo",)
    record.do("objective")
    assert not record.now.objective
    record.do("round_end")
    record.refuses("objective", "FS-6", players=["bo"])


def test_fs5_nobody_meets_an_objective_alone() -> None:
    assert "no Objectives" in str(begun("ada").refuses("objective", "FS-5", players=["ada"]))


def all_done() -> Record:
    """Three seats whose Airships stand in three regions, the slots in their order."""
    record = begun("ada bo cleo")
    for slot, seat in enumerate(("ada", "bo", "cleo"), start=1):
        record.place(seat, A, B, C, slot=slot)
    return record


def platform(record: Record, name: PlatformId) -> Any:
    return record.state.board.platform(name)
