"""FS-11 and FS-19 to FS-30: powers, ranks, rewards, Markets, ties, clean-up, winner."""

from __future__ import annotations

import re

import pytest

from tests.games.fractured_sky.playing import A, B, C, D, E, F, G, H, Record, begun, placed, three

PLACES = {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, D)}


def played(
    powers: dict[str, tuple[int, ...]], hidden: str = H, record: Record | None = None
) -> Record:
    """A first round, the Public Starfall in A, ready to resolve: slots ada 1, bo 2, cleo 3."""
    record = record or three()
    placed(record, PLACES, hidden=(hidden,))
    for seat, chips in powers.items():
        record.do("powers", player=seat, chips=list(chips))
    record.do("objective")
    return record


def tiers(record: Record, region: str) -> list[tuple[str, str]]:
    return [(share.player, share.tier) for share in record.region(region).standings]


def test_fs11_twelve_power_played_makes_each_chip_two_less() -> None:
    record = played({"ada": (5, 4, 3), "bo": (1, 2, 0), "cleo": (0, 0, 1)})
    assert [record.standing(region, "ada").power for region in (A, B, C)] == [3, 2, 1]
    assert [record.standing(region, "ada").penalty for region in (A, B, C)] == [2, 2, 2]
    assert record.resolution.steps[0].text == "ada played 12: each chip counts 2 less"


def test_fs11_ten_power_are_not_too_many() -> None:
    record = played({"ada": (5, 4, 1), "bo": (1, 2, 0), "cleo": (0, 0, 1)})
    assert record.standing(A, "ada").power == 5


def test_fs11_no_chip_goes_below_zero() -> None:
    record = played({"ada": (10, 4, 0), "bo": (1, 2, 0), "cleo": (0, 0, 1)})
    assert record.standing(C, "ada").power == 0
    assert record.standing(C, "ada").tier == "out"


def test_fs11_with_negative_chips_a_fortress_has_to_make_up_for_them() -> None:
    record = three(excess_floor="negative")
    record.do("build", seat="ada", building="fortress", platform="2")
    record = played({"ada": (10, 4, 0), "bo": (1, 2, 0), "cleo": (0, 0, 1)}, record=record)
    assert record.standing(C, "ada").power == 0  # 0 - 4 + 1
    assert record.standing(A, "ada").power == 7  # 10 - 4 + 1


def test_fs13_a_fortress_counts_in_every_bridged_region_with_an_airship_of_its_owner() -> None:
    record = three()
    record.do("build", seat="ada", building="fortress", platform="2")  # A, C, D
    record = played({"ada": (2, 3, 1), "bo": (1, 2, 0), "cleo": (0, 0, 1)}, record=record)
    assert [record.standing(region, "ada").power for region in (A, B, C)] == [3, 3, 2]
    assert all(share.player != "ada" for share in record.region(D).standings)


def test_fs13_fortresses_stack() -> None:
    record = three()
    for _ in range(2):
        record.do("turn", player="ada", reason="for the test")
        record.do("build", seat="ada", building="fortress", platform="2")
    record = played({"ada": (2, 3, 1), "bo": (1, 2, 0), "cleo": (0, 0, 1)}, record=record)
    assert record.standing(A, "ada").fortresses == 2


def test_fs15_a_skimmer_counts_with_an_airship_and_without() -> None:
    record = three()
    for region in (A, G):
        record.do("turn", player="ada", reason="for the test")
        record.do("skimmer", seat="ada", region=region)
    record = played({"ada": (2, 3, 1), "bo": (1, 2, 0), "cleo": (0, 0, 1)}, record=record)
    assert record.standing(A, "ada").power == 3
    assert (record.standing(G, "ada").power, record.standing(G, "ada").tier) == (1, "both")


def test_fs15_a_skimmer_wakes_no_fortress_and_no_market() -> None:
    record = three()
    for kind, body in (
        ("build", {"building": "fortress", "platform": "5"}),
        ("build", {"building": "market", "platform": "5"}),
        ("skimmer", {"region": G}),
    ):
        record.do("turn", player="ada", reason="for the test")
        record.do(kind, seat="ada", **body)
    record = played({"ada": (2, 3, 1), "bo": (1, 2, 0), "cleo": (0, 0, 1)}, record=record)
    standing = record.standing(G, "ada")
    assert (standing.power, standing.fortresses, standing.markets) == (1, 0, 0)


@pytest.mark.parametrize(("ruling", "power"), [("counts_1", 1), ("out", 0)])
def test_fs15_an_airship_of_zero_with_a_skimmer(ruling: str, power: int) -> None:
    record = three(zero_airship_plus_skimmer=ruling)
    record.do("skimmer", seat="ada", region=C)
    record = played({"ada": (2, 3, 0), "bo": (1, 2, 0), "cleo": (0, 0, 1)}, record=record)
    assert record.standing(C, "ada").power == power


def sums(record: Record) -> list[tuple[int, int, str]]:
    """Return each power as its sentence shows it: the sum of its parts, the total after `=`, and what it counts."""
    steps = [
        step.text
        for region in record.resolution.regions
        for step in region.steps
        if step.clause == "FS-24"
    ]
    sums_found = []
    for text in steps:
        parts, total, _, counts = re.fullmatch(
            r".*?: (.*) = (-?\d+)(, which counts (\d+))?", text
        ).groups()  # type: ignore[union-attr]
        numbers = re.findall(r"[+-] \d+|\d+", parts)
        sums_found.append(
            (sum(int(number.replace(" ", "")) for number in numbers), int(total), counts or "")
        )
    return sums_found


@pytest.mark.parametrize("floor", ["zero", "negative"])
@pytest.mark.parametrize("skimmer", ["counts_1", "out"])
@pytest.mark.parametrize("chips", [(10, 3, 1), (1, 10, 4), (0, 9, 8), (0, 0, 1), (10, 9, 8)])
def test_fs24_the_parts_of_each_power_come_to_what_is_said(
    floor: str, skimmer: str, chips: tuple[int, ...]
) -> None:
    record = three(excess_floor=floor, zero_airship_plus_skimmer=skimmer)
    record.do("build", seat="ada", building="fortress", platform="1")
    for region in (C, G):
        record.do("turn", player="ada", reason="for the test")
        record.do("skimmer", seat="ada", region=region)
    record = played({"ada": chips, "bo": chips, "cleo": chips}, record=record)
    assert all(parts == total for parts, total, _ in sums(record))
    powers = [share.power for region in record.resolution.regions for share in region.standings]
    assert [int(counts) if counts else total for _, total, counts in sums(record)] == powers


def test_fs11_a_negative_chip_is_told_as_it_is() -> None:
    record = played(
        {"ada": (9, 3, 1), "bo": (1, 0, 0), "cleo": (1, 0, 0)},
        record=three(excess_floor="negative"),
    )
    assert "ada: chip 1 - 3 = -2, which counts 0" in [step.text for step in record.region(C).steps]


def test_fs25_the_strongest_takes_all_starfalls_then_both_then_one() -> None:
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 0), "cleo": (1, 0, 3)})
    assert tiers(record, A) == [("bo", "starfalls"), ("ada", "both"), ("cleo", "one")]
    assert record.resolution.gains == {"ada": 0, "bo": 1, "cleo": 0}


def test_fs25_without_a_starfall_the_strongest_takes_both_resources() -> None:
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 0), "cleo": (1, 0, 3)})
    assert tiers(record, B) == [("ada", "both"), ("bo", "one"), ("cleo", "out")]
    assert "ada takes Iron + Wood" in [step.text for step in record.region(B).steps]


def test_fs25_the_fourth_takes_nothing() -> None:
    record = begun("ada bo cleo dmi", public=A)
    placed(record, dict.fromkeys(("ada", "bo", "cleo", "dmi"), (A, B, C)))
    for seat, chips in {
        "ada": (1, 0, 0),
        "bo": (2, 0, 0),
        "cleo": (3, 0, 0),
        "dmi": (4, 0, 0),
    }.items():
        record.do("powers", player=seat, chips=list(chips))
    record.do("objective")
    assert tiers(record, A)[-1] == ("ada", "nothing")


def test_fs26_ties_go_to_the_earlier_slot_just_taken() -> None:
    record = three()
    record.place("ada", A, B, C, slot=3)
    record.place("bo", A, B, C, slot=1)
    record.place("cleo", A, B, D, slot=2)
    record.do("reveal", card=1, region=H)
    for seat in PLACES:
        record.do("powers", player=seat, chips=[4, 0, 1])
    record.do("objective")
    assert [share.player for share in record.region(A).standings] == ["bo", "cleo", "ada"]
    assert record.standing(A, "bo").tied
    assert "FS-26" in [step.clause for step in record.region(A).steps]


def test_fs20_several_starfalls_in_one_region_go_together() -> None:
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 0), "cleo": (1, 0, 3)}, hidden=A)
    assert record.region(A).starfalls == 2
    assert record.resolution.gains["bo"] == 2


def test_fs3_two_hidden_cards_never_show_one_region() -> None:
    record = second_round()
    placed(record, PLACES, hidden=())
    record.do("reveal", card=1, region=F)
    record.refuses("reveal", "FS-3", card=2, region=F)


def test_fs20_a_card_is_revealed_once() -> None:
    record = second_round()
    placed(record, PLACES, hidden=())
    record.do("reveal", card=1, region=F)
    record.refuses("reveal", "FS-20", card=1, region=G)


def test_fs14_a_market_pays_where_its_owner_has_power_whatever_the_rank() -> None:
    record = three()
    record.do("build", seat="ada", building="market", platform="1")  # A, B
    record = played({"ada": (1, 0, 2), "bo": (5, 1, 0), "cleo": (2, 4, 3)}, record=record)
    assert record.standing(A, "ada").tier == "one"
    assert record.standing(A, "ada").markets == 1
    assert record.standing(B, "ada").markets == 0  # power 0 there
    assert "ada's Markets give 1 more (Gold or Wood)" in [
        step.text for step in record.region(A).steps
    ]


def test_fs14_a_fortress_wakes_the_market_of_a_zero_chip() -> None:
    record = three()
    for building in ("market", "fortress"):
        record.do("turn", player="ada", reason="for the test")
        record.do("build", seat="ada", building=building, platform="1")
    record = played({"ada": (1, 0, 2), "bo": (5, 1, 0), "cleo": (2, 4, 3)}, record=record)
    assert record.standing(B, "ada").markets == 1


def test_fs14_a_skimmer_wakes_no_market_of_a_zero_chip() -> None:
    """By hand: Ada's chip in Brass Basin is 0 and her Skimmer makes it 1, so she ranks behind Cleo's 4 and takes one
    resource. Her Market there looks at the Airship and its Fortresses alone, 0: it pays nothing."""
    record = three()
    for kind, body in (
        ("build", {"building": "market", "platform": "1"}),
        ("skimmer", {"region": B}),
    ):
        record.do("turn", player="ada", reason="for the test")
        record.do(kind, seat="ada", **body)
    record = played({"ada": (1, 0, 2), "bo": (5, 0, 3), "cleo": (2, 4, 3)}, record=record)
    ada = record.standing(B, "ada")
    assert (ada.chip, ada.skimmers, ada.power, ada.tier) == (0, 1, 1, "one")
    assert ada.markets == 0
    assert record.standing(A, "ada").markets == 1, "on a chip of 1 the same Market pays"
    assert not [step for step in record.region(B).steps if "Market" in step.text]


def test_fs28_starfalls_nobody_took_stay_on_the_board() -> None:
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 0), "cleo": (1, 0, 3)}, hidden=H)
    assert record.region(H).left == 1
    record.do("round_end")
    assert record.state.starfalls == {H: 1}


@pytest.mark.parametrize(("ruling", "left"), [("stays", {A: 1, H: 1}), ("discarded", {H: 1})])
def test_fs28_where_only_airships_of_power_zero_stand(ruling: str, left: dict[str, int]) -> None:
    record = three(unawarded_with_zero_power=ruling)
    record = played(dict.fromkeys(PLACES, (0, 0, 1)), record=record)
    assert record.resolution.left == left


def test_fs23_regions_resolve_from_left_to_right() -> None:
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 0), "cleo": (1, 0, 3)})
    points = [record.state.board.by_id[result.region].point for result in record.resolution.regions]
    assert [point[0] for point in points if point] == sorted(point[0] for point in points if point)


def test_fs22_a_tied_objective_goes_to_the_earlier_slot() -> None:
    record = three()
    placed(record, PLACES)
    for seat in PLACES:
        record.do("powers", player=seat, chips=[1, 0, 0])
    assert "bo meets the Objective: tied, the earlier turn slot" in record.do(
        "objective", players=["cleo", "bo"]
    )
    assert record.resolution.gains["bo"] == 1


def test_fs22_a_table_may_have_to_say_why_nobody_scores() -> None:
    record = three(objective_nobody="table")
    placed(record, PLACES)
    for seat in PLACES:
        record.do("powers", player=seat, chips=[1, 0, 0])
    expected = "FS-22: nobody was named. Name a player, or give a reason."
    assert str(record.refuses("objective", "FS-22")) == expected
    record.do("objective", reason="nobody met it")
    assert record.phase == "resolve"


def test_fs22_the_objective_may_be_scored_when_it_is_flipped() -> None:
    record = three(objective_scored="at_flip")
    placed(record, PLACES, hidden=())
    assert record.phase == "objective"
    record.do("objective", players=["ada"])
    assert record.phase == "hidden"


def test_fs22_with_an_ai_it_is_flipped_after_the_powers() -> None:
    record = begun("ada bo", objective_scored="at_flip")
    record.place("ada", A, B, C, slot=1)
    record.place("bo", A, B, C, slot=2)
    for _ in range(3):
        record.ai_card("airship", "E")
    assert record.phase == "hidden"


def test_fs22_an_ai_can_meet_an_objective() -> None:
    record = begun("ada bo")
    record.place("ada", A, B, C, slot=1)
    record.place("bo", A, B, C, slot=2)
    for _ in range(3):
        record.ai_card("airship", "E")
    record.do("reveal", card=1, region=H)
    for player in ("ada", "bo", "@black"):
        record.do("powers", player=player, chips=[0, 0, 1])
    assert "AI black meets the Objective" in record.do("objective", players=["@black"])


def test_fs21_there_is_a_power_for_each_airship() -> None:
    record = three()
    placed(record, PLACES)
    record.refuses("powers", "FS-21", player="ada", chips=[1, 2])
    refused = record.refuses("powers", "FS-21", player="ada", chips=[1])
    assert refused.reason == "ada has 3 Airships, and 1 power was named"


def test_fs2_a_player_has_each_chip_once_and_two_zeros() -> None:
    record = three()
    placed(record, PLACES)
    record.refuses("powers", "FS-2", player="ada", chips=[4, 4, 1])
    record.do("powers", player="ada", chips=[0, 0, 1])


def test_fs21_powers_can_be_put_right_until_the_round_ends() -> None:
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 2), "cleo": (1, 0, 3)})
    record.do("powers", player="ada", chips=[9, 0, 0])
    assert record.region(A).standings[0].player == "ada"


def test_fs21_it_is_too_early_for_powers_before_all_cards_are_up() -> None:
    record = three()
    placed(record, PLACES, hidden=())
    record.refuses("powers", "FS-20", player="ada", chips=[1, 2, 3])


def second_round(hidden_count: str = "coming_round") -> Record:
    record = three(hidden_count=hidden_count)
    record.do("build", seat="ada", building="market", platform="1")
    record = played({"ada": (2, 3, 1), "bo": (5, 1, 2), "cleo": (1, 0, 3)}, record=record)
    record.do("round_end")
    record.do("public", region=B)
    return record


def test_fs29_airships_go_back_buildings_and_unclaimed_starfalls_stay() -> None:
    record = second_round()
    assert (record.now.ships, record.now.flights, record.now.marks) == ((), (), ())
    assert len(record.state.buildings) == 1
    assert record.state.starfalls == {H: 1, B: 1}


@pytest.mark.parametrize(("ruling", "cards"), [("coming_round", 2), ("finished_round", 1)])
def test_fs29_how_many_hidden_cards_lie_in_the_next_round(ruling: str, cards: int) -> None:
    record = second_round(hidden_count=ruling)
    assert len(record.now.hidden) == cards
    assert record.now.unused == 8 - cards


def test_fs10_the_slots_taken_are_the_next_rows_order() -> None:
    record = three()
    record.place("ada", A, B, C, slot=3)
    record.place("bo", A, B, C, slot=2)
    record.place("cleo", A, B, C, slot=1)
    record.do("reveal", card=1, region=H)
    for seat in PLACES:
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.press("answer.10", "end")
    assert record.now.order == ("cleo", "bo", "ada")


def whole_game(powers: dict[str, tuple[int, ...]]) -> Record:
    record = three()
    for number in range(1, 6):
        if number > 1:
            record.do("public", region=A)
        placed(record, PLACES, hidden=(H, G, F, E, D)[:number])
        for seat, chips in powers.items():
            record.do("powers", player=seat, chips=list(chips))
        record.do("objective")
        record.do("round_end")
    return record


def test_fs30_after_five_rounds_most_starfalls_win() -> None:
    record = whole_game({"ada": (1, 0, 0), "bo": (5, 0, 0), "cleo": (3, 0, 0)})
    assert record.phase == "over"
    assert record.held("bo") == 5
    assert record.game.report(record.state)["winner"] == "bo"
    assert "bo wins with" in record.sentences[-1]
    refused = record.refuses("powers", "FS-30", player="ada", chips=[1, 2, 3])
    assert refused.spoken() == "The game is over. Start a new game, or undo to play on."


def test_fs30_a_tie_goes_to_the_earlier_slot_just_taken() -> None:
    record = whole_game({seat: (0, 0, 0) if seat == "none" else (0, 0, 1) for seat in PLACES})
    held = {seat: record.held(seat) for seat in PLACES}
    record.do("score_set", seat="cleo", score=30, reason="recounted")
    record.do("score_set", seat="bo", score=30, reason="recounted")
    assert held["ada"] == 0
    assert record.view().winner == "bo"


def test_fs30_nothing_is_played_after_the_last_round() -> None:
    record = whole_game({"ada": (1, 0, 0), "bo": (5, 0, 0), "cleo": (3, 0, 0)})
    record.refuses("airship", "FS-30", seat="ada", region=A)


def test_each_step_of_a_resolution_has_its_clause() -> None:
    record = played({"ada": (5, 4, 3), "bo": (1, 2, 0), "cleo": (0, 0, 1)})
    steps = [step for region in record.resolution.regions for step in region.steps]
    assert all(step.clause.startswith("FS-") for step in steps)
    assert "ada: chip 5 - 2 = 3" in [step.text for step in steps]
    assert any("ada: chip 5 - 2 = 3 (FS-24)" in line for line in record.game.summary(record.state))
