"""PF-R1 and PF-R3 to PF-R8: every house rule both ways."""

from __future__ import annotations

import pytest

from tests.games.panic_fire.playing import GAME, Record, at, begun


def drawn_empty(**options: str) -> Record:
    """A round whose piles are known to be empty: at least and at most 0 cards are left."""
    record = begun("red blue", removed_shields="88", **options)
    record.do("draw", seat="red")
    record.do("draw", seat="red")
    assert record.cards == (0, 0)
    return record


def test_pf_r1_a_draw_from_empty_piles_means_a_reshuffle_and_cards_left_is_unknown() -> None:
    record = drawn_empty()
    record.do("draw", seat="red")
    assert record.cards is None
    assert record.view.cards_text == "?"


def test_pf_r1_a_counted_reshuffle_is_known_again() -> None:
    record = drawn_empty()
    record.do("reshuffle", cards=2)
    record.do("draw", seat="blue")
    assert record.cards == (1, 1)


def test_pf_r1_an_uncounted_reshuffle_is_unknown() -> None:
    record = begun()
    record.do("reshuffle")
    assert record.cards is None


def test_pf_r3_a_dry_pull_is_void() -> None:
    record = begun()
    record.do("dry_pull", reason="no hit within 30 ms")
    assert record.view.phase == "open"


def test_pf_r3_a_dry_pull_may_count_as_an_illegal_shot_of_its_shooter_alone() -> None:
    record = begun(accidental_discharge="illegal")
    record.do("dry_pull")
    record.refuses("target", "PF-R3", seat="blue")
    record.do("shooter", seat="red")
    assert record.alive == {"blue", "green"}
    assert record.round.reading.verdicts[-1][1].clause == "PF-R3"


def test_pf_r3_such_a_dry_pull_can_still_be_promoted_to_a_shot() -> None:
    record = begun(accidental_discharge="illegal")
    entry = record.do("dry_pull")
    record.do("promote", entry=entry)
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.alive == {"red", "green"}


def test_pf_r4_each_round_starts_from_the_whole_deck() -> None:
    record = Record()
    record.win("red")
    record.do("fire")
    assert record.cards == (82, 82)


def test_pf_r4_the_piles_may_go_on() -> None:
    record = begun("red blue", next_round_deck="continue_piles")
    for _ in range(10):
        record.do("draw", seat="red")
    record.shoot("red", "blue")
    record.do("fire")
    assert record.cards == (64, 64)


def test_pf_r4_piles_too_small_to_deal_are_unknown() -> None:
    record = begun("red blue", next_round_deck="continue_piles", removed_shields="80")
    record.shoot("red", "blue")
    record.do("fire")
    assert record.cards is None


def test_pf_r4_the_deal_rotates_left() -> None:
    record = Record()
    dealers = [record.view.dealer]
    for winner in ("green", "green", "green", "red"):
        record.win(winner)
        dealers.append(record.view.dealer)
    assert dealers == ["red", "blue", "green", "red", "blue"]


def test_pf_r4_the_last_winner_may_deal() -> None:
    record = Record(dealer="last_winner")
    record.win("green")
    record.do("fire")
    assert record.view.dealer == "green"


def test_pf_r4_one_dealer_may_deal_always() -> None:
    record = Record(dealer="fixed")
    record.win("green")
    record.do("fire")
    assert record.view.dealer == "red"


def tied(**options: str) -> Record:
    record = Record(**options)
    for winner in ("red", "blue") * 3:
        record.win(winner)
    record.do("fire")
    return record


def test_pf_r5_sudden_death_is_for_the_tied_only() -> None:
    assert tied().round.players == ("red", "blue")


def test_pf_r5_sudden_death_may_be_for_all() -> None:
    assert tied(sudden_death_players="all").round.players == ("red", "blue", "green")


def nobody_left(**options: str) -> Record:
    record = begun("red blue", **options)
    record.shoot("red", "blue")
    record.do("override", seat="red", status="out")
    return record


def test_pf_r5_a_round_without_survivor_is_replayed() -> None:
    record = nobody_left()
    assert record.outcome.status == "replay"
    record.do("fire")
    assert (record.round.number, record.bullets) == (1, {"red": 0, "blue": 0})


def test_pf_r5_the_table_may_decide_who_takes_the_bullet() -> None:
    record = nobody_left(no_survivor="table")
    record.refuses("fire", "PF-R5")
    record.refuses("draw", "PF-R5", seat="red")
    record.do("round_end", seat="blue")
    assert record.bullets == {"red": 0, "blue": 1}


def test_pf_r5_the_table_may_decide_that_nobody_takes_it() -> None:
    record = nobody_left(no_survivor="table")
    record.do("round_end")
    record.do("fire")
    assert (record.round.number, record.bullets) == (1, {"red": 0, "blue": 0}), (
        "its Bullet card is still there"
    )


def spent_shield(**options: str) -> Record:
    record = begun(**options)
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    return record


def test_pf_r6_a_shield_from_hand_is_laid_in_play_where_none_is() -> None:
    record = spent_shield()
    record.do("shield_in_play", seat="blue")
    assert record.view.seats[1].shield
    record.refuses("shield_in_play", "PF-6", seat="blue")


def test_pf_r6_shields_in_hand_may_help_only_when_shot_so_each_set_brings_one_into_play() -> None:
    record = spent_shield(shield_from_hand="only_when_shot")
    record.refuses("shield_in_play", "PF-R6", seat="blue")
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert record.alive == {"red", "blue", "green"}


@pytest.mark.parametrize("rule", ["into_play_if_none", "only_when_shot"])
def test_pf12_a_shield_from_hand_saves_who_is_shot_whatever_may_be_laid_in_play(rule: str) -> None:
    record = begun(shield_from_hand=rule)
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert "blue" in record.alive


@pytest.mark.parametrize(("option", "cards"), [("no", (82, 82)), ("yes", (81, 81))])
def test_pf_r6_a_shield_spent_from_the_hand_is_replaced_or_not(
    option: str, cards: tuple[int, int]
) -> None:
    record = begun(shield_discard_draws=option)
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert record.cards == cards


def new_set_after_a_spent_shield(**options: str) -> Record:
    record = spent_shield(**options)
    record.shoot("blue", "green")
    record.do("match", basis="shooter")
    return record


def test_pf_r6_the_new_set_may_bring_a_shield_like_an_opening() -> None:
    record = new_set_after_a_spent_shield(shield_from_hand="only_when_shot")
    record.do("shield_in_play", seat="blue")
    assert record.view.seats[1].shield


def test_pf_r6_shields_in_the_new_set_may_all_be_covered() -> None:
    record = new_set_after_a_spent_shield(
        new_set_shields="cover_all", shield_from_hand="only_when_shot"
    )
    record.refuses("shield_in_play", "PF-R6", seat="blue")


def test_pf_r7_a_shield_does_not_help_an_illegal_shooter() -> None:
    record = begun()
    record.do("shield_in_play", seat="red")
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.alive == {"blue", "green"}
    record.refuses("shield_hand", "PF-R7")


def test_pf_r7_a_shield_in_play_may_save_an_illegal_shooter() -> None:
    record = begun(illegal_shot_shield="saves")
    record.do("shield_in_play", seat="red")
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.alive == {"red", "blue", "green"}
    assert not record.view.seats[0].shield


def test_pf_r7_a_shield_from_hand_may_save_an_illegal_shooter() -> None:
    record = begun(illegal_shot_shield="saves")
    record.shoot("red", "blue")
    record.do("illegal")
    record.do("shield_hand")
    assert record.alive == {"red", "blue", "green"}


@pytest.mark.parametrize(("option", "cards"), [("stays", (82, 82)), ("cleared", (78, 78))])
def test_pf_r7_a_match_saved_by_a_shield_stays_or_is_cleared(
    option: str, cards: tuple[int, int]
) -> None:
    record = spent_shield(blocked_match=option)
    record.do("match", basis="target")
    assert record.cards == cards


def test_pf_r8_in_a_stalemate_all_still_in_draw() -> None:
    begun().refuses("stalemate_draw", "PF-R8", seats=["red"])


def test_pf_r8_the_table_may_agree_who_draws() -> None:
    record = begun(stalemate_who="agreed")
    record.do("stalemate_draw", seats=["red", "green"])
    assert [seat.draws for seat in record.view.seats] == [1, 0, 1]
    record.refuses("stalemate_draw", "PF-16", seats=["red", "red"])


@pytest.mark.parametrize(
    ("option", "words"),
    [("still_draw", "each play still draws one"), ("down_to_four_first", "play down to four")],
)
def test_pf_r8_after_a_stalemate_the_screen_says_how_hands_shrink(option: str, words: str) -> None:
    record = begun(over_four_draw=option)
    assert not any("PF-R8" in note for note in record.view.notes)
    record.do("stalemate_draw")
    assert any(words in note for note in record.view.notes)


def test_pf_r1_cards_left_is_unknown_where_the_piles_may_have_run_out() -> None:
    record = begun("red blue green", removed_shields="80")
    record.shoot("red", "blue")
    assert record.cards is None, "2 cards, and nobody said whether four were laid"
    record.do("match", basis="target")
    assert record.cards == (2, 2)


def test_pf_r1_the_tables_word_makes_a_new_pile_where_none_is_expected() -> None:
    record = drawn_empty(pile_exhausted="play_on")
    record.press("reshuffle")
    record.do("draw", seat="red")
    assert record.cards is None


def test_pf_r3_a_dry_pull_that_counts_as_illegal_takes_no_other_flag() -> None:
    record = begun(accidental_discharge="illegal")
    record.do("dry_pull", when=at(5_000))
    record.refuses("illegal", "PF-R3")
    record.refuses("match", "PF-R3", basis="shooter")
    assert record.view.first_shot is None, "a dry pull is no first shot"


def test_pf_r5_where_nobody_survived_a_hold_gives_the_bullet() -> None:
    record = nobody_left(no_survivor="table")
    assert GAME.hold_means(record.state, "zone-2")


def test_pf_r5_a_round_the_table_ends_is_not_said_to_have_no_survivor() -> None:
    record = begun()
    record.do("round_end")
    assert "Nobody takes the Bullet card, the round is played again." in record.awaiting


def test_pf_r6_a_covered_shield_of_the_new_set_does_not_come_into_play() -> None:
    record = begun(new_set_shields="cover_all", shield_from_hand="only_when_shot")
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    record.refuses("shield_in_play", "PF-R6", seat="red")


def test_pf_r6_the_tables_word_puts_a_shield_in_play_all_the_same() -> None:
    record = spent_shield(shield_from_hand="only_when_shot")
    record.press("table-shield.2")
    assert record.view.seats[1].shield


def test_pf_r6_the_card_that_replaces_a_shield_is_said_to_need_no_tap() -> None:
    record = begun(shield_discard_draws="yes")
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert record.view.last_shot is not None
    assert "drawing one card without a tap" in record.view.last_shot.verdict
