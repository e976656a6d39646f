"""Seats from names: ids, colors, glyphs and initials that nobody shares."""

from __future__ import annotations

import unicodedata

import pytest

from companion.rules.facts import Refused, Setup
from companion.rules.names import person_key, split_names
from companion.rules.seats import (
    GLYPHS,
    MOST_OF_NAME,
    PALETTE,
    join,
    readable,
    rename,
    require_distinct_people,
    require_setup,
    seats_from_names,
    seats_with_looks,
    unnamed,
)


def ids(*names: str) -> list[str]:
    return [seat.id for seat in seats_from_names(names)]


def initials(*names: str) -> list[str]:
    return [seat.initial for seat in seats_from_names(names)]


def colors(*names: str) -> list[str]:
    known = {ink: word for word, ink in PALETTE.items()}
    return [known[seat.color] for seat in seats_from_names(names)]


def test_an_id_is_the_name_in_small_letters_with_hyphens() -> None:
    assert ids("Ada Lovelace", "  Bo_2 ", "Zoë!") == ["ada-lovelace", "bo-2", "zoë"]


def test_an_id_that_is_taken_says_nothing_or_is_that_of_the_table_gets_a_number() -> None:
    assert ids("A-b", "A b", "A_b") == ["a-b", "a-b-2", "a-b-3"]
    assert ids("!?", "Table", "Seat") == ["seat-1", "table-2", "seat-3"]
    assert ids("B!", "B-3", "B?") == ["b", "b-3", "b-4"]


def test_names_are_shown_without_blanks_around_them() -> None:
    assert [seat.name for seat in seats_from_names(["  Ada ", "Bo"])] == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "A seat has no name."),
        ("   ", "A seat has no name."),
        ("a\tb", "The name 'a b' has an invisible character."),
        ("a\x1bb", "The name 'a b' has an invisible character."),
        ("\ud800", "The name ' ' has an invisible character."),
    ],
)
def test_a_name_that_nobody_can_read_is_refused(name: str, why: str) -> None:
    with pytest.raises(Refused) as caught:
        readable(name)
    assert caught.value.clause == "SEATS"
    assert caught.value.spoken() == f"{why} Enter a name in letters."


@pytest.mark.parametrize("blank", "\u00a0\u202f\u2009\u3000")
def test_a_blank_of_another_keyboard_is_a_space_in_a_name(blank: str) -> None:
    assert [seat.name for seat in seats_from_names([f"Ann{blank}Lee{blank}"])] == ["Ann Lee"]


def test_a_name_that_fills_more_than_a_line_is_refused_and_not_repeated_in_full() -> None:
    assert seats_from_names(["a" * MOST_OF_NAME])
    with pytest.raises(Refused) as caught:
        seats_from_names(["a" * 9999])
    assert caught.value.spoken() == (
        "The name 'aaaaaaaaaaaa...' is too long. Use 40 characters at most."
    )


def test_an_old_record_with_a_long_name_can_still_be_folded() -> None:
    assert readable("a" * 9999)


def test_a_name_with_an_equals_sign_is_refused_for_who_sits_down_now() -> None:
    with pytest.raises(Refused) as caught:
        seats_from_names(["Ada", "x=1"])
    assert str(caught.value) == "SEATS: the name 'x=1' has = in it. Leave the = out."


COMPOSED, DECOMPOSED = "Zo\u00eb", "ZOE\u0308"


def test_two_forms_of_a_name_are_one_person() -> None:
    assert (
        person_key(COMPOSED)
        == person_key(DECOMPOSED)
        == person_key(f" {DECOMPOSED} ")
        != person_key("Zoe")
    )
    assert person_key("\u212bsa") == person_key("a\u030aSA")
    assert person_key("STRASSE") == person_key("stra\u00dfe")
    assert unicodedata.is_normalized("NFC", person_key(DECOMPOSED))


def test_two_who_sit_down_now_do_not_share_a_name_in_two_forms() -> None:
    with pytest.raises(Refused, match="two seats are called"):
        seats_from_names([COMPOSED, "Bo", DECOMPOSED])


def test_a_record_that_seats_both_forms_is_read_as_before() -> None:
    seats = seats_with_looks([("a", COMPOSED), ("b", DECOMPOSED)])
    require_setup(Setup("counting", 1, seats), "Counting", 1, range(2, 3), "T-1")
    assert [seat.name for seat in join(seats[:1], DECOMPOSED, None)] == [COMPOSED, DECOMPOSED]


def test_a_list_of_names_is_split_at_commas_semicolons_tabs_and_lines() -> None:
    assert split_names("Ada, Bo;Cleo\tDora\nEmil") == ["Ada", "Bo", "Cleo", "Dora", "Emil"]
    assert split_names("Ada Lovelace") == ["Ada Lovelace"]
    assert split_names("Ada,,Bo") == ["Ada", "", "Bo"]


def test_a_refusal_begins_with_a_capital_beside_a_player_without_a_name() -> None:
    with pytest.raises(Refused) as caught:
        seats_from_names(["Ada", ""])
    assert caught.value.spoken(["Ada", ""]).startswith("A seat has no name")


def test_a_refusal_begins_with_a_capital_beside_a_player_of_one_small_letter() -> None:
    with pytest.raises(Refused) as caught:
        seats_from_names(["t", "t"])
    assert caught.value.spoken(["t", "t"]).startswith("Two seats are called 't'")
    assert Refused("SEATS", "t's name is long", "a short one").spoken(["t"]).startswith("t's name")


def test_two_seats_with_one_name_are_refused_however_it_is_written() -> None:
    require_distinct_people(["Ada", "Bo", "Cleo"])
    with pytest.raises(Refused) as caught:
        require_distinct_people(["Ada", "Bo", "ADA"])
    assert str(caught.value) == "SEATS: two seats are called 'ADA'. Give each player another name."
    with pytest.raises(Refused):
        seats_from_names(["Ada", " ada "])


def test_who_is_called_like_a_color_has_it_and_the_others_have_the_rest_in_order() -> None:
    assert colors("Ada", "Red", "Bo") == ["blue", "red", "green"]
    assert colors("YELLOW", "Ada", "Bo", "Cleo", "Dan") == [
        "yellow",
        "red",
        "blue",
        "green",
        "purple",
    ]


def test_with_more_seats_than_colors_they_begin_again() -> None:
    assert colors(*"abcdefgh") == [
        "red",
        "blue",
        "green",
        "yellow",
        "purple",
        "orange",
        "red",
        "blue",
    ]
    assert colors("Red", *"bcdefgh") == [
        "red",
        "blue",
        "green",
        "yellow",
        "purple",
        "orange",
        "red",
        "blue",
    ]


def test_glyphs_go_round() -> None:
    pairs = [(f"s{n}", f"s{n}") for n in range(len(GLYPHS) + 1)]
    assert [seat.glyph for seat in seats_with_looks(pairs)] == [*GLYPHS, GLYPHS[0]]


@pytest.mark.parametrize(
    ("names", "marks"),
    [
        (["Ada", "Bo", "Cleo"], ["A", "B", "C"]),
        (["Ben", "Bo", "Clementine"], ["Be", "Bo", "C"]),
        (["Ada", "Alma", "Al", "La"], ["Ad", "Al", "Aa", "L"]),
        (["B", "Bo"], ["B", "Bo"]),
        (["1st", "1 2", "straße", "ß"], ["St", "A", "Sr", "ß"]),
        (["Юрий", "Яна", "Юля"], ["Юр", "Я", "Юл"]),
        (["山田", "山本", "李"], ["山田", "山本", "李"]),
        (["🎲", "Ada", "🎯"], ["B", "A", "C"]),
    ],
)
def test_a_mark_is_the_first_letter_or_two_letters_where_names_begin_alike(
    names: list[str], marks: list[str]
) -> None:
    assert initials(*names) == marks


@pytest.mark.parametrize("names", [unnamed(30), [f"Anna {n}" for n in range(6)], ["A", "a b"]])
def test_a_mark_is_nobody_elses_and_never_has_a_digit_which_would_look_like_a_key(
    names: list[str],
) -> None:
    marks = initials(*names)
    assert len({mark.casefold() for mark in marks}) == len(names)
    assert not any(character.isdigit() for mark in marks for character in mark)
    assert max(map(len, marks)) <= 2


def test_who_joins_sits_to_the_left_of_the_seat_that_is_named_or_last() -> None:
    seats = seats_from_names(["Ada", "Bo"])
    assert [seat.name for seat in join(seats, " Cleo ", None)] == ["Ada", "Bo", "Cleo"]
    assert [seat.name for seat in join(seats, "Cleo", "ada")] == ["Ada", "Cleo", "Bo"]
    assert join(seats, "Cleo", "ada")[::2] == seats


def test_who_joins_has_looks_that_are_free() -> None:
    seats = seats_from_names(["Ada", "Bo"])
    newcomer = join(seats, "Albo", None)[-1]
    assert (newcomer.id, newcomer.color, newcomer.glyph, newcomer.initial) == (
        "albo",
        PALETTE["green"],
        GLYPHS[2],
        "Al",
    )
    assert join(seats, "Orange", None)[-1].color == PALETTE["orange"]
    assert join(seats, "Red", None)[-1].color == PALETTE["green"]  # red is Ada's
    assert join(seats_from_names([*"abcdef"]), "Zoe", None)[-1].color == PALETTE["red"]
    with pytest.raises(Refused):
        join(seats, "BO", None)


def test_another_name_keeps_id_glyph_and_color_unless_it_is_that_of_a_free_color() -> None:
    seats = seats_from_names(["Ada", "Bo", "Cleo"])
    ada, bo, cleo = rename(seats, "bo", " Abel ")
    assert (ada, cleo) == (seats[0], seats[2])
    assert (bo.id, bo.name, bo.color, bo.glyph, bo.initial) == (
        "bo",
        "Abel",
        seats[1].color,
        seats[1].glyph,
        "Ab",
    )
    assert rename(seats, "bo", "Yellow")[1].color == PALETTE["yellow"]
    assert rename(seats, "bo", "Red")[1].color == seats[1].color  # red is Ada's
    assert rename(seats, "bo", "BO")[1].name == "BO"
    with pytest.raises(Refused):
        rename(seats, "bo", "ada")
