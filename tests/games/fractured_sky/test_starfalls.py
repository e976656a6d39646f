"""FS-T8: Starfall decks that the companion deals, who sees what of them, and what taking them back needs."""

from __future__ import annotations

import random

import pytest

from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.standing import phase, sights_of
from companion.rules.actions import with_keys
from companion.rules.components import as_json, example
from companion.rules.facts import TABLE, Fact, Refused, Setup
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.seats import seats_from_names
from tests.games.fractured_sky.playing import A, B, C, D, E, F, G, H, Record, begun, placed, three
from tests.games.gestures import meant
from tests.games.random_play import steps
from tests.thorough import examples

DEALT = [D, E, F, G, H, A, B, C]
VIEWERS = (TABLE, "ada", "bo", "cleo")


def dealt(seats: str = "ada bo cleo", cards: list[str] | None = None, **options: str) -> Record:
    record = Record(seats, None, starfalls="virtual", ai_cards="physical", **options)
    record.do("first", seat=record.setup.seats[0].id)
    record.do("deal", cards=cards or DEALT)
    record.do("public", region=A)
    return record


def ai_to_shuffle(seed: int, seats: str = "ada bo cleo") -> Record:
    record = Record(seats, starfalls="virtual")
    rng = random.Random(seed)
    record.game = GAME.shuffled_by(lambda size: rng.sample(range(1, size + 1), size))
    return record


def region_of(record: Record, seat: str) -> list[str]:
    return [sight.region for sight in record.view(seat).sights]


def test_fst8_the_key_shuffles_deals_and_turns_up_the_public_card() -> None:
    record = ai_to_shuffle(1)
    record.do("first", seat="ada")
    prompt = with_keys(record.game.awaiting(record.state))
    assert prompt.startswith("Press n to deal the Hidden card.")
    record.press("next")
    assert sorted(record.now.dealt) == sorted(record.state.board.ids)
    assert with_keys(record.game.awaiting(record.state)).endswith(
        "Press n to turn up the Public Starfall."
    )
    record.press("next")
    assert record.now.public in record.state.board.ids
    assert record.phase == "turn"


def test_fst8_the_trigger_does_as_the_key() -> None:
    record = ai_to_shuffle(1)
    record.do("first", seat="ada")
    deal = meant(
        record.game, record.state, Gesture(GestureKind.TAP, "trigger", 1, "board-1", 25, (1,))
    )
    assert isinstance(deal, Fact)
    assert deal.kind == "deal"


def test_fst8_what_was_shuffled_stands_in_the_fact_and_is_never_drawn_again() -> None:
    record = ai_to_shuffle(3)
    record.do("first", seat="ada")
    record.press("next", "next")
    again = Record("ada bo cleo", starfalls="virtual")
    for fact in record.facts:
        again.enter(fact)
    assert again.state == record.state


def test_fst8_each_round_is_shuffled_anew() -> None:
    record = dealt()
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, C)}, (D,))
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[0, 0, 1])
    record.do("objective")
    record.do("round_end")
    assert record.now.dealt == ()
    record.do("deal", cards=DEALT[::-1])
    record.do("public", region=B)
    assert record.now.dealt == tuple(DEALT[::-1])


def test_fs8_an_explore_draw_is_shown_to_who_drew_it_alone() -> None:
    """The one tray card is D; so the first of the pile is E, the second F."""
    record = dealt()
    record.do("airship", seat="ada", region=A)
    record.do("airship", seat="bo", region=B)
    assert region_of(record, "ada") == [E]
    assert region_of(record, "bo") == [F]
    assert region_of(record, "cleo") == region_of(record, TABLE) == []


def test_fs8_a_later_airship_of_the_region_draws_nothing() -> None:
    record = dealt()
    record.do("airship", seat="ada", region=A)
    record.do("airship", seat="bo", region=A)
    record.do("airship", seat="cleo", region=B)
    assert (region_of(record, "bo"), region_of(record, "cleo")) == ([], [F])


def test_fs16_a_scouted_card_is_shown_to_the_one_seat_that_paid() -> None:
    record = dealt()
    record.do("scout", seat="ada", card=1)
    assert region_of(record, "ada") == [D]
    for viewer in (TABLE, "bo", "cleo"):
        assert region_of(record, viewer) == []
    deduction = record.view("ada").deduction
    assert deduction is not None
    assert deduction.reasons[0].text == "ada saw Hidden card 1: Dusty Downs"


def test_fs18_what_was_looked_at_may_be_looked_at_again() -> None:
    record = dealt()
    record.do("scout", seat="ada", card=1)
    for seat in ("bo", "cleo"):
        record.do("skimmer", seat=seat, region=A)
    record.do("airship", seat="ada", region=A)
    assert region_of(record, "ada") == [D, E]


def test_fs16_who_has_looked_then_says_what_it_takes() -> None:
    record = dealt()
    record.do("scout", seat="ada", card=1)
    assert record.view().looking == ("ada", 1)
    assert (
        record.do("take", seat="ada", card=1, resource="gold")
        == "ada takes 1 Gold for Hidden card 1 (FS-16)"
    )
    (mark,) = record.now.marks
    assert (mark.taken, mark.resource) == (True, "gold")
    assert record.view().looking is None
    record.refuses("take", "FS-16", seat="ada", card=1, resource="wood")


def test_fs16_it_is_too_late_to_take_after_the_next_action() -> None:
    record = dealt()
    record.do("scout", seat="ada", card=1)
    record.do("skimmer", seat="bo", region=A)
    record.refuses("take", "FS-16", seat="ada", card=1, resource="gold")
    record.do("scout", seat="cleo", card=1)
    record.refuses("take", "FS-16", seat="ada", card=1, resource="gold")
    record.do("turn", player="cleo", reason="for the test")
    record.do("skimmer", seat="cleo", region=A)
    record.refuses("take", "FS-16", seat="cleo", card=1, resource="gold")


def test_fs16_a_resource_that_the_region_lacks_is_not_given_away_by_a_refusal() -> None:
    """Dusty Downs has Gold and Wood; an Iron from it is doubted once the card is face up."""
    record = dealt()
    record.do("scout", seat="ada", card=1)
    record.do("take", seat="ada", card=1, resource="iron")
    record.place("bo", A, B, C, slot=1)
    record.place("cleo", A, B, C, slot=2)
    record.place("ada", A, B, C, slot=3)
    record.press("next")
    assert "Iron was taken from it, which the region does not have (FS-20)" in record.sentences[-1]


def test_fs41_the_second_resource_turns_the_card_up() -> None:
    record = dealt("ada bo", cards=[G, *(region for region in DEALT if region != G)])
    record.do("scout", seat="ada", card=1, resource="gold")
    record.do("scout", seat="bo", card=1)
    assert record.phase == "turn"
    record.do("take", seat="bo", card=1, resource="wood")
    assert record.phase == "early"
    prompt = with_keys(record.game.awaiting(record.state))
    assert prompt.startswith("Press n to turn up Hidden card 1. Two resources were taken from it.")
    record.press("next")
    assert record.now.hidden == (G,)
    assert record.state.starfalls[G] == 1


def test_fs20_the_cards_turned_up_are_those_that_were_dealt() -> None:
    record = dealt()
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, C)}, ())
    assert record.phase == "hidden"
    refused = record.refuses("reveal", "FS-T8", card=1, region=H)
    name = record.state.board.name(H)
    assert with_keys(refused.spoken()) == (
        f"Hidden card 1 does not show {name}. Press n to turn it up."
    )
    record.press("next")
    assert record.now.hidden == (D,)


@pytest.mark.parametrize(
    "cards", [DEALT[1:], [*DEALT[1:], D, D], [*DEALT[1:], "icy-inlet"], ["atlantis"]]
)
def test_fs3_a_deal_has_each_region_once_and_its_refusal_names_none(cards: list[str]) -> None:
    record = Record("ada bo cleo", starfalls="virtual")
    record.do("first", seat="ada")
    refusal = record.refuses("deal", "FS-3", cards=cards)
    assert not [region for region in (*DEALT, "atlantis", "icy-inlet") if region in str(refusal)]
    sentence = record.game.describe(record.state, record.game.parse("deal", {"cards": cards}))
    assert not [region for region in (*DEALT, "atlantis", "icy-inlet") if region in sentence]


def test_fst8_a_round_is_dealt_once_and_before_its_public_card() -> None:
    record = Record("ada bo cleo", starfalls="virtual")
    record.do("first", seat="ada")
    record.do("deal", cards=DEALT)
    record.refuses("deal", "FS-T8", cards=DEALT[::-1])
    record.do("public", region=A)
    record.refuses("deal", "FS-7", cards=DEALT[::-1])


def test_fst8_physical_cards_are_not_dealt() -> None:
    record = Record("ada bo cleo")
    record.do("first", seat="ada")
    record.refuses("deal", "FS-T8", cards=DEALT)
    assert "named" not in record.game.awaiting(record.state)


def test_fst8_nobody_notes_what_the_companion_dealt() -> None:
    record = dealt()
    record.do("scout", seat="ada", card=1)
    record.refuses("saw", "FS-T8", seat="ada", where="hidden", number=1, region=D)


def test_fst8_without_a_shuffler_the_cards_are_entered() -> None:
    record = Record("ada bo cleo", starfalls="virtual")
    record.do("first", seat="ada")
    with pytest.raises(Refused, match="nobody shuffles"):
        record.press("next")


def test_fst8_a_round_whose_deal_is_missing_is_played_with_cards_on_the_table() -> None:
    record = Record("ada bo cleo", starfalls="virtual")
    record.do("first", seat="ada")
    record.do("public", region=A)
    record.do("scout", seat="ada", card=1)
    record.do("saw", seat="ada", where="hidden", number=1, region=H)
    placed(record, {"bo": (A, B, C), "cleo": (A, B, C), "ada": (A, B, C)}, (H,))
    assert record.now.hidden == (H,)


def test_fs6_unused_cards_set_by_hand_show_nobody_a_card_that_is_not_there() -> None:
    record = dealt()
    for place, region in enumerate((A, B, C, D, E, F, G, H)):
        record.do("adjust", counter="unused", value=3, reason="for the test")
        seat = ("ada", "bo", "cleo")[place % 3]
        if to_place(record, seat):
            record.do("airship", seat=seat, region=region)
        if record.phase == "slot":
            record.do("slot", seat=seat, slot=place % 3 + 1)
    drawn = [region for seat in ("ada", "bo", "cleo") for region in region_of(record, seat)]
    assert sorted(drawn) == sorted(set(drawn))
    assert D not in drawn


def to_place(record: Record, seat: str) -> bool:
    return record.phase == "turn" and record.mover == seat


# -- what it showed, and to whom


def test_fst8_taking_back_what_was_shown_needs_consent() -> None:
    record = dealt()
    parse, reveals = record.game.parse, record.game.reveals
    assert (
        reveals(record.state, parse("scout", {"seat": "ada", "card": 1})) == "Hidden card 1, to ada"
    )
    assert (
        reveals(record.state, parse("airship", {"seat": "ada", "region": A}))
        == "an Explore card, to ada"
    )
    assert (
        reveals(record.state, parse("take", {"seat": "ada", "card": 1, "resource": "gold"})) is None
    )
    revealed = reveals(record.state, parse("deal", {"cards": DEALT}))
    assert revealed == "the Hidden Starfall cards of the round, to whoever looked at one"


def test_fst8_a_deal_reads_the_same_to_everybody_whatever_was_dealt() -> None:
    record = Record("ada bo cleo", starfalls="virtual")
    record.do("first", seat="ada")
    facts = [record.game.parse("deal", {"cards": cards}) for cards in (DEALT, DEALT[::-1])]
    sentences = {
        record.game.describe(record.state, fact, viewer) for fact in facts for viewer in VIEWERS
    }
    assert sentences == {
        "round 1: the companion shuffles and deals the Hidden Starfall cards (FS-T8)"
    }


def test_fst8_before_anybody_looked_two_deals_look_the_same_to_everybody() -> None:
    first, second = dealt(), dealt(cards=DEALT[::-1])
    for viewer in VIEWERS:
        assert first.view(viewer) == second.view(viewer)
    assert first.view().dealt


def test_fst8_a_look_changes_the_view_of_who_looked_alone() -> None:
    first, second = dealt(), dealt(cards=DEALT[::-1])
    for record in (first, second):
        record.do("scout", seat="ada", card=1)
    assert first.view("ada") != second.view("ada")
    for viewer in (TABLE, "bo", "cleo"):
        assert first.view(viewer) == second.view(viewer)


# -- every card accounted for


@pytest.mark.parametrize("seats", [1, 5])
@pytest.mark.parametrize("seed", range(examples(1, 10)))
def test_every_starfall_card_is_accounted_for_in_games_of_virtual_decks(
    seats: int, seed: int
) -> None:
    rng = random.Random(seed)
    game = GAME.shuffled_by(lambda size: rng.sample(range(1, size + 1), size))
    names = seats_from_names(("Ada", "Bo", "Cleo", "Dan", "Eve")[:seats])
    setup = Setup(
        game.id, game.rules_version, names, {"starfalls": "virtual"}, as_json(example(game.id))
    )
    rounds: set[int] = set()
    for before, fact, _, after in steps(game, setup, rng):
        account(before, after, fact)
        rounds.add(after.round)
    assert rounds == {1, 2, 3, 4, 5}


def account(before: State, after: State, fact: Fact) -> None:
    now = after.current
    if now is None or not now.dealt:
        return
    tray, pile = now.dealt[: len(now.hidden)], now.dealt[len(now.hidden) :]
    assert sorted((*tray, *pile)) == sorted(after.board.ids)
    assert all(face in (None, card) for face, card in zip(now.hidden, tray, strict=True))
    assert len(now.draws) + now.unused == len(pile)
    drawn = [
        sight.region
        for seat in after.playing
        for sight in sights_of(after, seat)
        if sight.where == "explore"
    ]
    assert sorted(drawn) == sorted(pile[: len(now.draws)])
    if fact.kind == "round_end" and phase(after) != "over":
        assert before.now.hidden == before.now.dealt[: len(before.now.hidden)]


def test_fs41_an_ai_that_scouts_sees_nothing_of_the_deal() -> None:
    worlds = []
    for cards in (DEALT, DEALT[::-1]):
        record = dealt("ada", cards=cards)
        record.do("turn", player="@black", reason="for the test")
        worlds.append(
            (record.ai_card("scout", "E"), record.ai_card("airship", "E", "S", ai="@orange"))
        )
    assert worlds[0] == worlds[1]


def test_fs16_a_note_of_physical_cards_may_come_after_a_look_too() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    record.do("take", seat="ada", card=1, resource="wood")
    assert record.now.marks[0].resource == "wood"
    solo = begun("ada")
    solo.refuses("take", "FS-16", seat="ada", card=1, resource="wood")
