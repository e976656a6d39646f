"""Component files: their form, two files as one box, the box in a session's header; and Panic Fire's box."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from companion.games.panic_fire.rules import box as panic_fire
from companion.reports.importing import TranscriptError, fold_transcript
from companion.rules.component_rows import STATUSES, ComponentTable, Field
from companion.rules.components import (
    EXAMPLE,
    PACKAGED,
    Box,
    BoxError,
    ComponentRow,
    Problem,
    as_json,
    box_of,
    check_box,
    check_json,
    doubts,
    example,
    from_json,
    overlay,
    packaged,
    read_box,
    rules_of,
)
from companion.rules.facts import Refused, Setup
from companion.rules.header import header, setup_of, with_all_options
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from tests.games.transcripts import format_transcript

CARD = ComponentTable(
    "card",
    "a card",
    (Field("symbols", "texts", choices=("star", "wheel")), Field("copies", "number", 1, 9)),
)
BACK = ComponentTable(
    "back", "a back", (Field("text", "text", optional=True), Field("dark", "flag", optional=True))
)
PLACE = ComponentTable(
    "place", "where it lies", (Field("value", "numbers", 0, 100),), names=("here", "there")
)
TABLES = (CARD, BACK, PLACE)

GOOD = """
[[card]]
name = "one"
symbols = ["star", "star"]
copies = 2
status = "confirmed"
source = "my copy"

[[back]]
name = "one"
dark = true
status = "provisional"
source = "my copy"

[[place]]
name = "here"
status = "unknown"
source = "nobody said"
"""

games = pytest.mark.parametrize("game_id", sorted(game for game, info in GAMES.items() if info.box))


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(BoxError) as caught:
        read_box(text, "mine.toml", TABLES)
    return caught.value.problems


def wrong(old: str, new: str) -> str:
    """Return the one sentence about `GOOD` with `old` replaced."""
    assert old in GOOD
    (only,) = problems(GOOD.replace(old, new, 1))
    return str(only)


# -- the packaged files of all games


@games
def test_a_packaged_file_holds_what_is_confirmed_or_inferred_and_rows_that_state_nothing(
    game_id: str,
) -> None:
    for row in packaged(game_id).rows:
        assert row.status in ("confirmed", "inferred", "unknown"), row
        assert bool(row.fields) == (row.status != "unknown"), row
        assert row.source


@games
def test_a_packaged_file_is_right_and_says_what_its_holes_cost(game_id: str) -> None:
    box = packaged(game_id)
    assert check_box(game_id, box) == ()
    assert bool(rules_of(game_id).costs(box)) == bool(box.open_rows)


@games
def test_a_packaged_file_is_commented(game_id: str) -> None:
    assert GAMES[game_id].text(PACKAGED).startswith("#")


@games
def test_an_example_file_is_right_and_all_of_it_is_said_to_be_an_example(game_id: str) -> None:
    text = GAMES[game_id].text(EXAMPLE)
    if not text:
        assert example(game_id) == packaged(game_id)
        return
    made_up = read_box(text, EXAMPLE, rules_of(game_id).TABLES)
    assert {row.status for row in made_up.rows} == {"example"}
    assert check_box(game_id, example(game_id)) == ()


@games
def test_the_table_names_of_a_box_are_each_there_once(game_id: str) -> None:
    names = [table.name for table in rules_of(game_id).TABLES]
    assert len(set(names)) == len(names) > 0


def test_a_game_nobody_registered_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(ValueError, match=r"no game 'chess'; the games are: .*panic-fire"):
        packaged("chess")


# -- the form of rows


def test_a_good_file_is_read_row_by_row() -> None:
    box = read_box(GOOD, "mine.toml", TABLES)
    assert box.row("card", "one") == ComponentRow(
        "card", "one", {"symbols": ("star", "star"), "copies": 2}, "confirmed", "my copy"
    )
    assert box.table("place") == (ComponentRow("place", "here", {}, "unknown", "nobody said"),)
    assert [row.line for row in box.rows] == [2, 9, 15]
    assert box.row("card", "two") is None
    assert [row.table for row in box.open_rows] == ["back", "place"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "copies = 2",
            'copies = "2"',
            "line 2: [[card]] one: copies is '2'; expected a whole number from 1 to 9",
        ),
        ("copies = 2", "copies = 10", "copies is 10; expected a whole number from 1 to 9"),
        ("copies = 2", "copies = true", "copies is True; expected a whole number"),
        (
            "copies = 2",
            "",
            'copies is missing; expected a whole number from 1 to 9, or status = "unknown"',
        ),
        ('"star", "star"', '"star", "moon"', 'expected a list out of "star", "wheel"'),
        ('["star", "star"]', '"star"', "symbols is 'star'; expected a list"),
        ("dark = true", "dark = 1", "line 9: [[back]] one: dark is 1; expected true or false"),
        ("dark = true", "", "the row states nothing; expected text or dark, or status"),
        (
            "dark = true",
            'light = true\ntext = "x"',
            "unknown field 'light'; expected name, status, source, text, dark",
        ),
        (
            'status = "confirmed"',
            "",
            "the status is missing; expected confirmed, inferred, provisional, unknown or",
        ),
        ('status = "confirmed"', 'status = "sure"', "the status is 'sure'; expected confirmed"),
        (
            'source = "my copy"',
            "",
            'the source is missing; expected where you know it from, for example "my copy, 2026"',
        ),
        ('source = "my copy"', 'source = " "', "the source is ' '; expected where"),
        ('name = "one"', "", "line 2: [[card]]: the name is missing; expected a text"),
        (
            'name = "here"',
            'name = "nowhere"',
            "[[place]] nowhere: there is no row of that name; expected here or there",
        ),
        (
            'name = "here"',
            'name = "here"\nvalue = [1]',
            "the status is unknown, and yet value is [1]; expected another",
        ),
        (
            "[[place]]",
            "[[places]]",
            "line 15: [[places]]: there is no such table; expected [[card]] or [[back]] or",
        ),
    ],
)
def test_a_wrong_row_is_named_with_its_line_why_and_what_was_expected(
    old: str, new: str, said: str
) -> None:
    assert said in wrong(old, new)


def test_every_wrong_row_is_named_in_the_order_of_the_file() -> None:
    wrong_rows = problems(
        GOOD.replace("copies = 2", "copies = 0").replace("dark = true", "dark = 0")
    )
    assert [row.line for row in wrong_rows] == [2, 9]


def test_a_row_that_stands_twice_is_named_with_the_line_of_the_first() -> None:
    twice = GOOD + GOOD[GOOD.index("[[place]]") :]
    (only,) = problems(twice)
    assert (
        str(only)
        == "line 19: [[place]] here: there is such a row already (line 15); expected each row once"
    )


def test_what_is_no_toml_is_said_with_its_line() -> None:
    with pytest.raises(
        BoxError, match=r"mine.toml: this is no TOML: .*line 2.*; expected a component file"
    ):
        read_box("\n[[card]\n", "mine.toml", TABLES)


def test_a_single_table_where_rows_belong_is_explained() -> None:
    (only,) = problems('[card]\nname = "one"\n')
    assert str(only) == "[[card]]: this is no table of rows; expected [[card]] above each row"


def test_a_text_that_looks_like_a_head_takes_only_the_line_numbers_away() -> None:
    text = GOOD.replace('source = "my copy"', 'source = """\n[[card]]\n"""', 1)
    (only,) = problems(text)
    assert only.line == 0
    assert "the source is" in str(only)


def test_rows_written_inline_are_read_without_lines() -> None:
    text = 'place = [{name = "here", value = [1, 2], status = "confirmed", source = "x"}]'
    (row,) = read_box(text, "mine.toml", TABLES).rows
    assert (row.value, row.line) == ((1, 2), 0)


# -- two files, one box, and the header of a session

rows = st.builds(
    ComponentRow,
    st.sampled_from(["card", "back"]),
    st.sampled_from(["one", "two", "three"]),
    st.dictionaries(
        st.sampled_from(["a", "b"]), st.integers() | st.booleans() | st.text() | st.just(("x", "y"))
    ),
    st.sampled_from(STATUSES),
    st.text(min_size=1),
)
boxes = st.lists(rows, unique_by=lambda row: (row.table, row.name)).map(
    lambda found: Box(tuple(sorted(found, key=lambda row: row.table)))
)


@given(boxes, boxes)
def test_the_owners_rows_take_the_place_of_the_packaged_ones_and_new_ones_come_last(
    base: Box, own: Box
) -> None:
    both = overlay(base, own)
    mine = {(row.table, row.name): row for row in own.rows}
    assert list(both.rows[: len(base.rows)]) == [
        mine.get((row.table, row.name), row) for row in base.rows
    ]
    assert {(row.table, row.name) for row in both.rows if row.own} == mine.keys()
    assert len(both.rows) == len({(row.table, row.name) for row in both.rows})


@given(boxes)
def test_a_box_survives_json(box: Box) -> None:
    assert from_json(json.loads(json.dumps(as_json(box)))) == box


def owned(game_id: str = "panic-fire") -> Setup:
    """Return a session whose players own a copy with 20 Shields."""
    game = open_game(game_id)
    box = overlay(
        packaged(game_id),
        Box((ComponentRow("count", "Shields", {"value": 20}, "confirmed", "made up for a test"),)),
    )
    return Setup(
        game_id, game.rules_version, seats_from_names(["Anna", "Bo"]), components=as_json(box)
    )


def test_a_session_has_the_box_it_was_begun_with() -> None:
    shields = box_of(owned()).row("count", "Shields")
    assert shields is not None
    assert shields.value == 20
    assert box_of(replace(owned(), components={})) == packaged("panic-fire")


def test_a_header_keeps_the_box_and_one_without_it_still_opens() -> None:
    body = json.loads(json.dumps(header(owned(), "friday")))
    assert setup_of(body) == with_all_options(open_game("panic-fire"), owned())
    del body["components"]
    assert setup_of(body).components == {}
    assert "components" not in header(replace(owned(), components={}), "friday")


def test_a_transcript_keeps_the_box() -> None:
    assert fold_transcript(format_transcript(owned()), "t").begun == with_all_options(
        open_game("panic-fire"), owned()
    )


@pytest.mark.parametrize(
    ("components", "said"),
    [
        ([], "FORMAT: components: this is no object"),
        (
            {"count": 3},
            r"FORMAT: components: \[\[count\]\] : this is no table of rows|this is no table of rows",
        ),
        (
            {"count": [{"name": "Shields", "value": "x", "status": "confirmed", "source": "y"}]},
            "value is 'x'",
        ),
        (
            {"count": [{"name": "cards", "value": 99, "status": "confirmed", "source": "y"}]},
            "PF-1: components:.*99",
        ),
    ],
)
def test_a_transcript_with_a_wrong_box_is_refused(components: object, said: str) -> None:
    row = json.loads(format_transcript(replace(owned(), components={})))
    with pytest.raises(TranscriptError, match=said):
        fold_transcript(json.dumps({**row, "components": components}) + "\n", "t")


def test_an_empty_box_in_a_transcript_is_the_packaged_one() -> None:
    row = json.loads(format_transcript(replace(owned(), components={})))
    assert fold_transcript(json.dumps({**row, "components": {}}) + "\n", "t").begun.components == {}
    assert check_json("panic-fire", {}) == ()


# -- Panic Fire


def stated(*own: tuple[str, str, int | None]) -> Box:
    """Return the packaged box of Panic Fire with these owner's rows over it."""
    rows = [
        ComponentRow(
            table,
            name,
            {} if value is None else {"value": value},
            "unknown" if value is None else "confirmed",
            "test",
        )
        for table, name, value in own
    ]
    return overlay(packaged("panic-fire"), Box(tuple(rows)))


CHARACTERS = tuple(row.name for row in packaged("panic-fire").table("copies"))


def whole(shields: int, each: int) -> Box:
    return stated(("count", "Shields", shields), *(("copies", name, each) for name in CHARACTERS))


def test_pf1_six_bullets_the_shields_and_all_copies_are_the_112_cards() -> None:
    assert check_box("panic-fire", whole(shields=36, each=10)) == ()
    assert check_box("panic-fire", whole(shields=30, each=10)) == (), (
        "a box may have a Character more"
    )
    (problem,) = doubts("panic-fire", whole(shields=30, each=10))
    assert str(problem) == (
        "[[count]] Shields: PF-1: 6 Bullet cards, 30 Shields and 70 copies are 106 cards; is a Character missing?; "
        "expected 112 in all"
    )


def test_pf1_while_something_is_open_the_cards_are_no_more_than_112() -> None:
    assert doubts("panic-fire", stated(("count", "Shields", 100), ("copies", "The Nun", 6))) == ()
    (problem,) = doubts("panic-fire", stated(("count", "Shields", 100), ("copies", "The Nun", 7)))
    assert (problem.clause, problem.expected) == ("PF-1", "at most 112")


def test_pf1_a_character_with_a_match_number_and_no_copies_leaves_the_sum_open() -> None:
    box = overlay(
        whole(shields=30, each=10),
        Box((ComponentRow("match_number", "Another", {"value": 2}, "confirmed", "test"),)),
    )
    assert doubts("panic-fire", box) == ()


def test_pf1_the_counts_of_the_published_rules_cannot_be_changed() -> None:
    (problem,) = check_box("panic-fire", stated(("count", "Bullet cards", 7)))
    assert "PF-1: the value is 7; expected 6" in str(problem)


def test_pf4_a_character_with_copies_has_a_row_for_its_match_number() -> None:
    (problem,) = check_box("panic-fire", stated(("copies", "The Nunn", 7)))
    assert (
        "[[copies]] The Nunn: PF-4: this Character has no match number; expected [[match_number]] The Nunn"
        in str(problem)
    )
    assert (
        check_box("panic-fire", stated(("copies", "Another", 7), ("match_number", "Another", None)))
        == ()
    )


@pytest.mark.parametrize("number", [0, 5])
def test_pf4_a_match_takes_one_to_four_copies_for_a_set_has_four_places(number: int) -> None:
    text = f'[[match_number]]\nname = "The Nun"\nvalue = {number}\nstatus = "confirmed"\nsource = "test"\n'
    with pytest.raises(BoxError, match="expected a whole number from 1 to 4"):
        read_box(text, "mine.toml", panic_fire.TABLES)


def test_pf1_no_more_shields_are_removed_than_the_box_of_the_session_has() -> None:
    game = open_game("panic-fire")
    assert game.start(replace(owned(), options={"removed_shields": "20"}))
    with pytest.raises(Refused, match="PF-1: 21 Shields cannot be removed: the box has 20"):
        game.start(replace(owned(), options={"removed_shields": "21"}))


def test_what_is_known_costs_nothing_any_more() -> None:
    numbers = [
        ("match_number", name, 2)
        for name in ("The Cowboy", "The Viking", "The Zombie", "The Gangster")
    ]
    assert panic_fire.costs(stated(("count", "Shields", 20), *numbers)) == ()


def test_the_screen_says_what_is_open_by_the_box_of_the_session() -> None:
    game = open_game("panic-fire")
    packaged_notes = game.view(game.start(replace(owned(), components={})), "table").notes
    notes = game.view(game.start(owned()), "table").notes
    assert (
        packaged_notes[0]
        == "12 of 18 facts about the box are missing; to enter them: companion components enter panic-fire"
    )
    assert notes[0].startswith("11 of 18 facts")
    assert any("number of Shields" in note for note in packaged_notes)
    assert not any("number of Shields" in note for note in notes)


def test_a_refusal_of_a_wrong_box_cites_the_clause() -> None:
    text = format_transcript(
        replace(owned(), components=as_json(stated(("count", "Bullet cards", 7))))
    )
    with pytest.raises(TranscriptError) as caught:
        fold_transcript(text, "t")
    assert str(caught.value).startswith("t, line 1: PF-1: ")
    assert isinstance(caught.value.__cause__, Refused)
