"""Cards typed short are read as the component file and the table call them (SF-6)."""

from __future__ import annotations

import pytest

from companion.games.skyfire.rules.deck import deck_for
from companion.games.skyfire.rules.note_form import shorthand
from companion.rules.components import packaged
from companion.rules.game import Refused
from tests.games.skyfire.playing import example_box

EXAMPLE = shorthand(deck_for(example_box(), 4).fireworks)
UNKNOWN = shorthand(deck_for(packaged("skyfire", 2), 4).fireworks, ["red+blue", "gold"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("com", "Comet"),
        ("COMET", "Comet"),
        ("red", "red"),
        ("rrb", "red+red+blue"),
        ("r+red+b", "red+red+blue"),
        ("ree", "Reed"),
        ("bb", "blue+blue"),
    ],
)
def test_sf6_the_beginning_of_a_name_or_the_first_letters_of_symbols_are_enough(typed: str, meant: str) -> None:
    assert EXAMPLE.word(typed) == meant


@pytest.mark.parametrize(
    ("typed", "reason"), [("r", "can mean Reed or Ruby or red"), ("xyz", "is no card"), ("", "nothing between")]
)
def test_sf6_what_is_not_clear_is_asked_about(typed: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        EXAMPLE.word(typed)


def test_sf6_where_nobody_knows_the_cards_words_stay_as_they_are_and_symbols_seen_before_are_enough_begun() -> None:
    assert UNKNOWN.word("Comet") == "comet"
    assert UNKNOWN.word("g") == "gold"
    assert UNKNOWN.word("rbg") == "red+blue+gold"
    assert UNKNOWN.word("red+silver") == "red+silver"


def test_sf6_several_cards_stand_with_commas_between() -> None:
    assert EXAMPLE.words("com, rrb ,wav,") == ["Comet", "red+red+blue", "Wave"]
    assert EXAMPLE.words("  ") == []
    with pytest.raises(Refused, match="nothing between two commas"):
        EXAMPLE.words("com,,wav")
