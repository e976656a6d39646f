"""FS-T1 to FS-T6, FS-46: people who come and go, pauses, scores by hand, and what a seat alone may read."""

from __future__ import annotations

from companion.rules.facts import TABLE
from tests.games.fractured_sky.playing import A, B, C, D, H, begun, placed, three

SIGHTS = {"where": "hidden", "number": 1}


def test_fst1_who_leaves_takes_its_pieces_of_the_round_with_it() -> None:
    record = three()
    record.place("ada", A, B, C, slot=1)
    record.do("build", seat="bo", building="market", platform="1")
    record.do("skimmer", seat="cleo", region=D)
    record.do("seat_leaves", seat="ada")
    assert record.now.ships == ()
    assert record.now.slots == {}
    assert [player.left for player in record.view().players] == [True, False, False]
    record.do("seat_leaves", seat="bo")
    assert len(record.state.buildings) == 1
    assert record.mover == "cleo"


def test_fst1_the_round_ends_without_who_left() -> None:
    record = three()
    record.do("seat_leaves", seat="cleo")
    placed(record, {"ada": (A, B, C), "bo": (A, B, C)})
    for seat in ("ada", "bo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.do("objective")
    record.do("round_end")
    assert record.now.order == ("ada", "bo")


def test_fst1_the_last_seat_does_not_leave() -> None:
    record = begun("ada")
    record.refuses("seat_leaves", "FS-T1", seat="ada")


def test_fst1_who_left_takes_no_turn_and_is_not_named() -> None:
    record = three()
    record.do("seat_leaves", seat="cleo")
    record.refuses("airship", "FS-T1", seat="cleo", region=A)


def test_fst2_who_joins_plays_from_the_next_round_on() -> None:
    record = three()
    record.do("seat_joins", name="Dmitri")
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, C)})
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.do("objective")
    record.do("round_end")
    assert record.now.order == ("ada", "bo", "cleo", "dmitri")
    assert list(record.game.standings(record.state)) == ["ada", "bo", "cleo", "dmitri"]


def test_fst2_five_seats_at_most() -> None:
    record = begun("a b c d e")
    record.refuses("seat_joins", "FS-T2", name="Finn")


def test_fst2_who_comes_back_plays_on() -> None:
    record = three()
    record.do("seat_leaves", seat="bo")
    record.do("seat_joins", name="bo")
    record.do("airship", seat="ada", region=A)
    assert record.mover == "bo"


def test_fst5_a_score_set_by_hand_is_a_seats_starfalls() -> None:
    record = three()
    record.do("score_set", seat="ada", score=4, reason="a token fell down")
    assert record.game.standings(record.state) == {"ada": 4, "bo": 0, "cleo": 0}
    assert record.game.common(record.state).added("ada") == 4
    assert (
        record.refuses("score_set", "FS-T5", seat="ada", score=-1, reason="miscounted").expected
        == "0 or more"
    )


def test_fst6_during_a_pause_no_turn_is_taken() -> None:
    record = three()
    record.do("pause")
    record.refuses("airship", "PAUSE", seat="ada", region=A)
    record.do("adjust", counter="region", of=B, value=2, reason="corrected")
    record.do("unpause")
    record.do("airship", seat="ada", region=A)


def test_fs46_what_a_seat_saw_is_in_its_own_view_alone() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    before = {viewer: record.view(viewer) for viewer in (TABLE, "ada", "bo", "cleo")}
    assert (
        record.do("saw", seat="ada", region=H, **SIGHTS) == "ada noted a card it looked at (FS-18)"
    )
    for viewer in (TABLE, "bo", "cleo"):
        assert record.view(viewer) == before[viewer]
    assert [sight.region for sight in record.view("ada").sights] == [H]


def test_fs46_the_sentence_names_the_region_to_the_seat_itself() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    fact = record.game.parse("saw", {"seat": "ada", "region": H, **SIGHTS})
    assert "Hollow Heath" in record.game.describe(record.state, fact, "ada")
    for viewer in (TABLE, "bo"):
        assert "Hollow" not in record.game.describe(record.state, fact, viewer)


def test_fs46_not_even_a_refusal_says_what_a_seat_saw() -> None:
    record = three()
    fact = record.game.parse("saw", {"seat": "ada", "region": H, **SIGHTS})
    assert record.game.describe(record.state, fact, TABLE) == "saw: not possible (FS-16)"
    record.do("scout", seat="ada", card=1)
    assert "atlantis" not in str(
        record.refuses("saw", "FS-U8", seat="ada", region="atlantis", **SIGHTS)
    )


def test_fs46_no_result_holds_what_a_seat_saw() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    record.do("saw", seat="ada", region=H, **SIGHTS)
    text = str(record.game.report(record.state)) + " ".join(record.game.summary(record.state))
    assert H not in text
    assert "Hollow Heath" not in text


def test_fs18_a_seat_tells_only_of_cards_it_looked_at() -> None:
    record = three()
    record.refuses("saw", "FS-16", seat="ada", region=H, **SIGHTS)
    record.refuses("saw", "FS-8", seat="ada", region=H, where="explore", number=1)
    record.do("airship", seat="ada", region=A)
    record.do("saw", seat="ada", region=H, where="explore", number=1)
    record.do("saw", seat="ada", region=B, where="explore", number=1)
    assert [sight.region for sight in record.view("ada").sights] == [B]


def test_fs3_no_two_cards_that_a_seat_saw_show_one_region() -> None:
    record = three()
    record.do("scout", seat="ada", card=1)
    record.do("saw", seat="ada", region=H, **SIGHTS)
    record.do("turn", player="ada", reason="for the test")
    record.do("airship", seat="ada", region=A)
    record.refuses("saw", "FS-3", seat="ada", region=H, where="explore", number=1)


def test_what_was_shown_and_cannot_be_unseen_is_named() -> None:
    record = three()
    reveals = record.game.reveals
    parse = record.game.parse
    assert (
        reveals(record.state, parse("scout", {"seat": "ada", "card": 1})) == "Hidden card 1, to ada"
    )
    assert (
        reveals(record.state, parse("airship", {"seat": "ada", "region": A}))
        == "an Explore card, to ada"
    )
    assert (
        reveals(record.state, parse("peek", {"seat": "ada", "card": 2}))
        == "the Objective of round 2, to ada"
    )
    assert reveals(record.state, parse("skimmer", {"seat": "ada", "region": A})) is None
    record.do("airship", seat="ada", region=A)
    assert reveals(record.state, parse("airship", {"seat": "bo", "region": A})) is None
