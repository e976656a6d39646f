"""PF-R1 to PF-R8: every house rule both ways."""

from __future__ import annotations

import pytest

from tests.games.panic_fire.playing import GAME, Record, at, begun


def drawn_empty(**options: str) -> Record:
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
    record.do("reshuffle", cards=12)
    record.do("draw", seat="blue")
    assert record.cards == (11, 11)


def test_pf_r1_an_uncounted_reshuffle_is_unknown() -> None:
    record = begun()
    record.do("reshuffle")
    assert record.cards is None


def test_pf_r1_no_more_cards_than_the_deck_has() -> None:
    begun(removed_shields="10").refuses("reshuffle", "PF-R1", cards=97)


def test_pf_r1_play_on_refuses_draws_from_empty_piles() -> None:
    record = drawn_empty(pile_exhausted="play_on")
    record.refuses("draw", "PF-R1", seat="red")
    record.refuses("reshuffle", "PF-R1")


def tie(us: int, **options: str) -> Record:
    """Red shoots blue, and `us` later blue red."""
    record = begun("red blue green", **options)
    record.do("shot", when=at(1_000))
    record.do("shot", when=at(1_000 + us))
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    return record


def test_pf_r2_the_first_trigger_decides_and_the_later_shooter_was_out() -> None:
    tie(100).refuses("shooter", "PF-13", seat="blue")


def test_pf_r2_closer_than_the_stamp_error_is_a_tie_and_said_to_be() -> None:
    record = tie(99)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.view.last_shot is not None
    assert record.view.last_shot.tie
    assert "PF-R2" in record.view.awaiting
    assert record.alive == {"red", "green"}, "as stamped until the table decides"


@pytest.mark.parametrize(
    ("order", "alive"), [("swapped", {"blue", "green"}), ("both", {"green"}), ("as_stamped", {"red", "green"})]
)
def test_pf_r2_the_table_orders_a_tie(order: str, alive: set[str]) -> None:
    record = tie(50)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    if order == "as_stamped":
        record.do("tie_break", order="swapped")
    record.do("tie_break", order=order)
    assert record.alive == alive


def test_pf_r2_a_tie_that_would_end_the_round_waits_for_its_second_shot() -> None:
    record = begun("red blue")
    record.do("shot", when=at(1_000))
    record.do("shot", when=at(1_010))
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.outcome.winner is None
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.outcome.winner == "red"
    record.do("tie_break", order="both")
    assert record.outcome.status == "replay"


def test_pf_r2_the_stamp_error_is_an_option() -> None:
    tie(99, stamp_error_us="20").refuses("shooter", "PF-13", seat="blue")


def test_pf_r2_a_less_certain_stamp_widens_the_tie() -> None:
    record = begun()
    record.do("shot", when=at(1_000, pm=5_000))
    record.do("shot", when=at(4_000, pm=5_000))
    assert record.view.open_shots[1].tie


def test_pf_r2_stamps_of_different_clocks_are_no_tie() -> None:
    record = begun()
    record.do("shot", when=at(1_000))
    record.do("shot", when=at(1_000, clock="board-2"))
    assert not record.view.open_shots[1].tie


def test_pf_r2_without_a_tie_there_is_nothing_to_order() -> None:
    record = tie(5_000)
    record.refuses("tie_break", "PF-R2", order="swapped")


def test_pf_r2_where_the_table_decides_any_two_shots_are_ordered_by_it() -> None:
    record = tie(5_000, shot_disputes="table")
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    record.do("tie_break", order="swapped")
    assert record.alive == {"blue", "green"}


def test_pf_r2_three_tied_shots_may_each_be_put_before_the_one_before() -> None:
    record = begun("a b c d", shot_disputes="table")
    record.shoot("a", "b")
    record.shoot("b", "c")
    record.do("tie_break", order="swapped")
    assert record.alive == {"a", "d"}
    record.shoot("c", "a")
    record.do("tie_break", order="swapped")
    assert record.alive == {"b", "d"}, "c shot a first, then b shot c, and a's shot came too late"


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
    dealers = []
    for winner in ("green", "green", "green", "red"):
        record.win(winner)
        dealers.append(record.view.dealer)
    assert dealers == ["red", "blue", "green", "red"]


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
    assert (record.round.number, record.bullets) == (2, {"red": 0, "blue": 0})


def spent_shield(**options: str) -> Record:
    record = begun(**options)
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    return record


def test_pf_r6_a_shield_in_hand_helps_only_when_shot() -> None:
    spent_shield().refuses("shield_in_play", "PF-R6", seat="blue")


def test_pf_r6_a_shield_from_hand_may_be_laid_in_play_where_none_is() -> None:
    record = spent_shield(shield_from_hand="into_play_if_none")
    record.do("shield_in_play", seat="blue")
    assert record.view.seats[1].shield


@pytest.mark.parametrize(("option", "cards"), [("no", (82, 82)), ("yes", (81, 81))])
def test_pf_r6_a_shield_spent_from_the_hand_is_replaced_or_not(option: str, cards: tuple[int, int]) -> None:
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
    record = new_set_after_a_spent_shield()
    record.do("shield_in_play", seat="blue")
    assert record.view.seats[1].shield


def test_pf_r6_shields_in_the_new_set_may_all_be_covered() -> None:
    new_set_after_a_spent_shield(new_set_shields="cover_all").refuses("shield_in_play", "PF-R6", seat="blue")


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
def test_pf_r7_a_match_saved_by_a_shield_stays_or_is_cleared(option: str, cards: tuple[int, int]) -> None:
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
    ("option", "words"), [("still_draw", "each play still draws one"), ("down_to_four_first", "play down to four")]
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


def test_pf_r2_a_pull_that_is_told_late_stands_where_its_stamp_puts_it() -> None:
    record = begun()
    record.do("shot", when=at(20_000))
    pull = record.do("dry_pull", when=at(5_000))
    record.do("promote", entry=pull)
    assert [shot.at for shot in record.view.open_shots] == [at(5_000), at(20_000)]


def test_pf_r2_a_tie_can_be_ordered_after_a_third_shot_too() -> None:
    record = begun("a b c d")
    for us in (1_000, 1_050, 900_000):
        record.do("shot", when=at(us))
    for target, shooter in (("b", "a"), ("a", "b"), ("c", "d")):
        record.do("target", seat=target)
        record.do("shooter", seat=shooter)
    assert "press o" in record.view.awaiting
    record.press("order")
    assert record.alive == {"b", "d"}


def test_pf_r2_the_table_may_say_that_the_stamps_are_right_and_is_asked_no_more() -> None:
    record = tie(50)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    record.do("tie_break", order="as_stamped")
    assert "PF-R2" not in record.view.awaiting
    assert record.view.last_shot is not None
    assert not record.view.last_shot.tie
    record.refuses("tie_break", "PF-R2", order="as_stamped")


def test_pf_r2_fire_is_refused_while_a_tied_shot_waits() -> None:
    record = begun("red blue")
    record.do("shot", when=at(1_000))
    record.do("shot", when=at(1_010))
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.refuses("fire", "PF-R2").reason == "a tied shot still waits to be named"


def test_pf_r2_who_is_out_at_the_same_instant_lays_no_new_set() -> None:
    record = tie(50)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    record.do("tie_break", order="both")
    assert record.cards == (82, 82)


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
    assert record.view.awaiting.startswith("nobody takes the Bullet card, the round is played again (PF-R5)")


def test_pf_r6_a_covered_shield_of_the_new_set_does_not_come_into_play() -> None:
    record = begun(new_set_shields="cover_all")
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    record.refuses("shield_in_play", "PF-R6", seat="red")


def test_pf_r6_the_tables_word_puts_a_shield_in_play_all_the_same() -> None:
    record = spent_shield()
    record.press("table-shield.2")
    assert record.view.seats[1].shield


def test_pf_r6_the_card_that_replaces_a_shield_is_said_to_need_no_tap() -> None:
    record = begun(shield_discard_draws="yes")
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert record.view.last_shot is not None
    assert "drawing one card without a tap" in record.view.last_shot.verdict
