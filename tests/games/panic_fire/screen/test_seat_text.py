"""A seat's card: what is known of the seat, its keys, and what fits in narrow cards."""

from __future__ import annotations

from companion.dashboard.widgets.cards import PlayerText, card_rows
from companion.games.panic_fire.screen.seats import SeatText, card_text
from tests.games.panic_fire.screen.views import seat_view

KEYS = {"draw": "1", "name": "q", "Shield": "a"}


def text(last: str = "1.2 s", status: str = "in", draws: int = 12) -> PlayerText:
    seat = seat_view(
        1,
        draws=draws,
        draws_total=20,
        draws_per_min=17.0,
        kills=3,
        bullets=1,
        status=status,
        shield=True,
    )
    return card_text(SeatText(seat, last, True, KEYS, victims="Red 2, Green", shooters="Red"))


def card(width: int, rows: int = 20) -> str:
    shown = card_rows(text(), width, rows)
    return "\n".join(row.plain for row in (*shown.beside, *shown.below, *shown.keys))


def test_a_wide_card_says_who_eliminated_whom_and_the_draws_of_the_game() -> None:
    said = card(46).split("\n")
    assert {"eliminated: Red 2, Green", "eliminated by: Red"} <= set(said)
    assert {"12 draws this round", "20 draws in all", "17 draws a minute"} <= set(said)
    assert "Bullet card" in said, "the large 1 says what it counts"


def test_a_time_says_what_it_counts_from() -> None:
    assert "drew 1.2 s after fire!" in text().facts
    assert "last drew at an unknown time" in text("?").facts
    assert not any("drew" in fact for fact in text("-", draws=0).facts)


def test_the_keys_are_apart_from_what_is_known() -> None:
    rows = card_rows(text(), 46, 20)
    assert [row.plain for row in rows.keys] == ["keys 1 draw  q name  a Shield"]
    assert not any("q name" in fact or "1 draw" in fact for fact in text().facts)


def test_who_is_out_has_no_word_about_a_shield() -> None:
    assert any("Shield" in fact for fact in text().facts)
    assert not any("Shield" in fact for fact in text(status="out").facts)
    assert text(status="out").status == "OUT, deals"


def test_a_narrow_card_keeps_the_keys_and_cuts_no_name() -> None:
    for rows in (7, 20):
        said = card(15, rows)
        assert "1 draw" in said
        assert "q name" in said
        assert "a Shield" in said
        assert max(map(len, said.split("\n"))) <= 15


def test_a_card_with_too_few_rows_leaves_out_the_last_texts_first() -> None:
    assert "by: Red" in card(30)
    short = card_rows(text(), 30, 6)
    assert short.count <= 6
    said = " ".join(row.plain for row in (*short.beside, *short.below))
    assert "Shield in play" in said
    assert "drew 1.2 s after fire!" in said
    assert "by: Red" not in said
