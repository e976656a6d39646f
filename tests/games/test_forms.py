"""Forms and typed lines: what each kind of fact asks for, and what a line of words means."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings, strategies as st
from pydantic import Field

from companion.games.panic_fire.rules import facts as f
from companion.rules.facts import Fact, Refused, SeatId, Setup, body_of
from companion.rules.form_fields import FormField, wanted
from companion.rules.forms import fields_of, usage
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.rules.typed_facts import from_words
from tests.games.words import to_words

GAME = open_game("panic-fire")
SETUP = Setup("panic-fire", 3, seats_from_names(["Ada", "Alan", "Bo Derek"]))
SEATS = (("ada", "Ada"), ("alan", "Alan"), ("bo-derek", "Bo Derek"))


def read(line: str) -> tuple[str, dict[str, Any]]:
    return from_words(GAME, SETUP, line)


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class Everything(Fact, kind="everything"):
    """A fact with a field of every shape."""

    seat: SeatId
    who: SeatId | None
    seats: tuple[SeatId, ...] = ()
    size: Literal[1, 2, 3]
    color: Color = Color.RED
    cells: tuple[Annotated[int, Field(ge=0, lt=12)], ...] = ()
    cards: tuple[str, ...] = ()
    open: bool = False
    more: Mapping[str, int] = {}


def test_a_form_asks_for_each_field_in_order_but_kind_and_time() -> None:
    assert fields_of(f.Fire, SETUP) == ()
    assert fields_of(f.Override, SETUP) == (
        FormField("seat", "seat", SEATS),
        FormField("status", "choice", (("in", "in"), ("out", "out")), title="in or out"),
        FormField("reason", "text", required=False, default=""),
    )
    assert fields_of(f.Promote, SETUP) == (FormField("entry", "entry", least=1, title="which one"),)
    cards, _ = fields_of(f.Reshuffle, SETUP)
    assert cards == FormField(
        "cards",
        "number",
        (),
        False,
        least=0,
        most=106,
        nullable=True,
        title="cards in it",
        example="40",
    )
    assert fields_of(f.StalemateDraw, SETUP) == (
        FormField("seats", "seats", SEATS, required=False, default=()),
    )


def test_every_shape_of_a_field_has_its_kind_its_choices_and_its_bounds() -> None:
    by_name = {field.name: field for field in fields_of(Everything, SETUP)}
    assert by_name["who"] == FormField("who", "seat", SEATS, nullable=True)
    assert by_name["size"] == FormField("size", "choice", ((1, "1"), (2, "2"), (3, "3")))
    assert by_name["color"] == FormField(
        "color", "choice", (("red", "red"), ("blue", "blue")), False, "red"
    )
    assert by_name["cells"] == FormField("cells", "numbers", (), False, (), least=0, most=11)
    assert by_name["cards"].kind == "texts"
    assert by_name["open"] == FormField(
        "open", "flag", ((True, "yes"), (False, "no")), False, False
    )
    assert by_name["more"].kind == "json"
    assert usage(f.Override, "override") == "override SEAT STATUS [REASON]"


@pytest.mark.parametrize(
    ("line", "kind", "body"),
    [
        ("fire", "fire", {}),
        ("draw ada", "draw", {"seat": "ada"}),
        ("draw ADA", "draw", {"seat": "ada"}),
        ('draw "bo derek"', "draw", {"seat": "bo-derek"}),
        ("draw b", "draw", {"seat": "bo-derek"}),
        ("dra al", "draw", {"seat": "alan"}),
        ("shield-in-play ada no", "shield_in_play", {"seat": "ada", "present": False}),
        (
            'score_set ada 5 "lost a card"',
            "score_set",
            {"seat": "ada", "score": 5, "reason": "lost a card"},
        ),
        (
            "score_set ada -5 lost a card",
            "score_set",
            {"seat": "ada", "score": -5, "reason": "lost a card"},
        ),
        (
            "override reason='a = b' ada out",
            "override",
            {"reason": "a = b", "seat": "ada", "status": "out"},
        ),
        ("override ada out a=b", "override", {"seat": "ada", "status": "out", "reason": "a=b"}),
        ("reshuffle - spilt", "reshuffle", {"reason": "spilt"}),
        ("reshuffle cards=none", "reshuffle", {"cards": None}),
        ("round_end none", "round_end", {"seat": None}),
        ("stalemate_draw ada,bo", "stalemate_draw", {"seats": ["ada", "bo-derek"]}),
        ("stalemate_draw '[\"ada\"]'", "stalemate_draw", {"seats": ["ada"]}),
        ("shot lag_us=-300", "shot", {"lag_us": -300}),
    ],
)
def test_a_typed_line_is_a_kind_and_a_body(line: str, kind: str, body: dict[str, Any]) -> None:
    assert read(line) == (kind, body)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "no fact is named; expected one of fire, draw"),
        ("dance", "fact: 'dance' does not fit; expected one of fire"),
        ("sho", "'sho' can mean more than one fact; expected shot or shooter"),
        ("draw", "player is missing. Enter it, for example Ada"),
        ("draw eve", "player: 'eve' does not fit; expected one of Ada, Alan, Bo Derek"),
        ("draw a", "'a' can mean more than one player; expected ada or alan"),
        ("draw ada bo", "'bo' is too much for draw; expected seat"),
        ("fire now", "'now' is too much for fire; expected nothing more"),
        ("draw ada seat=bo", "'ada' is too much for draw; expected seat"),
        ("draw seat=ada seat=bo", "for draw seat is given twice; expected each field once"),
        (
            "score_set ada much",
            "new score: 'much' does not fit; expected a whole number from -100000 to 100000",
        ),
        (
            "score_set ada 100001 x",
            "new score: '100001' does not fit; expected a whole number from",
        ),
        ("score_set ada -+5 x", "new score: '-+5' does not fit; expected a whole number from"),
        ("score_set ada 1 ' '", "reason is missing. Enter it, for example we looked again"),
        ("score_set ada 1", "reason is missing. Enter it, for example we looked again"),
        ("shield_in_play ada perhaps", "has a Shield: 'perhaps' does not fit; expected yes or no"),
        ("promote two", "which one: 'two' does not fit; expected the number of a line of the log"),
        (
            "match nobody",
            "who had a match: 'nobody' does not fit; expected one of shooter, target, both, unknown",
        ),
        ("override ada out don't", "a quotation mark has no partner"),
        (
            "stalemate_draw [ada]",
            "players: '[ada]' does not fit; expected players with commas between",
        ),
    ],
)
def test_a_line_that_does_not_fit_is_one_sentence_with_what_was_expected(
    line: str, sentence: str
) -> None:
    with pytest.raises(Refused) as caught:
        read(line)
    assert caught.value.clause == "FORMAT"
    assert sentence in str(caught.value)


def test_what_a_field_takes_is_said_in_words() -> None:
    assert {field.name: wanted(field) for field in fields_of(Everything, SETUP)} == {
        "seat": "a player: Ada, Alan, Bo Derek",
        "who": "a player: Ada, Alan, Bo Derek, or none",
        "seats": "players with commas between: Ada, Alan, Bo Derek",
        "size": "one of 1, 2, 3",
        "color": "one of red, blue",
        "cells": "whole numbers from 0 to 11, with commas between",
        "cards": "texts with commas between",
        "open": "yes or no",
        "more": "a value as JSON writes it",
    }


@settings(max_examples=100)
@given(st.text(max_size=30))
def test_any_line_is_refused_or_a_fact_of_the_game(line: str) -> None:
    for words in (line, f"override {line}", f"shot {line}"):
        try:
            kind, body = read(words)
        except Refused:
            continue
        GAME.parse(kind, body)


@settings(max_examples=40)
@given(st.sampled_from(["ada", "bo-derek"]), st.text(max_size=20), st.sampled_from(["in", "out"]))
def test_any_reason_survives_the_way_through_words(
    seat: str, reason: str, status: Literal["in", "out"]
) -> None:
    fact = f.Override(seat=seat, status=status, reason=reason)
    assert GAME.parse(*read(to_words(f.Override, fact.kind, body_of(fact)))) == fact
