"""A seat's card: who eliminated whom, and the game's draws if the card is wide enough."""

from __future__ import annotations

from companion.games.panic_fire.screen.seats import SeatText, card_rows
from tests.games.panic_fire.screen.views import seat_view

KEYS = {"draw": "1", "name": "q", "Shield": "a"}


def card(width: int) -> str:
    seat = seat_view(1, draws=12, draws_total=20, draws_per_min=17.0, kills=3)
    return card_rows(
        SeatText(seat, "+1.2", False, KEYS, victims="Red 2, Green", shooters="Red"), width
    ).plain


def test_a_wide_card_says_who_eliminated_whom_and_the_draws_of_the_game() -> None:
    text = card(46)
    assert "eliminated 3  Red 2, Green" in text
    assert "out by Red" in text
    assert "draws   12  17 a minute  20 in the game" in text


def test_a_narrow_card_keeps_the_numbers_and_cuts_no_name() -> None:
    text = card(16)
    assert "eliminated 3\n" in text
    assert "draws   12\n" in text
    assert "Green" not in text
    assert max(map(len, text.split("\n"))) <= 20


def test_a_card_is_as_high_in_every_width() -> None:
    assert {card(width).count("\n") for width in range(10, 80, 9)} == {8}
