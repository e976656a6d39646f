"""A whole box entered by somebody at a terminal, as an example: the keys are counted, and the AIs' cards are dealt."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.owner_box import box_in_force, own_path, own_rows
from companion.games.fractured_sky.rules.board import board_of
from companion.rules.columns import capitalized
from companion.rules.components import Box, example, packaged
from tests.end_to_end.test_terminal import Terminal
from tests.games.fractured_sky.playing import BLACK, FORWARDS, TOKENS, Record

GAME = "fractured-sky"
ENTER = ["components", "enter", GAME, "--source", "an invented box"]
STARS = {"N": "w", "NE": "e", "E": "d", "SE": "c", "S": "x", "SW": "z", "W": "a", "NW": "q"}
KINDS = {"airship": "a", "fortress": "f", "market": "m", "skimmer": "s", "scout": "c"}
REGIONS = "gi gw iw gi gw iw gi gw"

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def open_screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for response in opened:
        response.close()


def terminal(opened: list[Terminal], folder: Path) -> Terminal:
    opened.append(Terminal(folder, 80, 24, *ENTER, COMPANION_DATA=os.environ["COMPANION_DATA"]))
    return opened[-1]


def number(value: int, most: int) -> list[str]:
    """Return the keys of a number, with Enter only if a longer number would be possible."""
    digits = list(str(value))
    return digits if value == 0 or value * 10 > most else [*digits, "Enter"]


def of_a_card(box: Box, table: str, name: str) -> list[str]:
    row = box.row(table, name)
    assert row is not None
    stars = [STARS[star] for star in row.fields["stars"]]
    return [KINDS[row.fields["kind"]], *stars, "Enter", *(["Enter"] if len(stars) > 1 else [])]


def keys(box: Box) -> dict[str, list[str]]:
    """Return the keys for every part of the box, in the order of the screen's questions."""
    answers_by_kind: dict[str, list[str]] = {
        "counts": [*"8", "Enter", *"7", "Enter", *"9", "Enter", *"9", "Enter"]
    }
    answers_by_kind["resources of the regions"] = list(REGIONS.replace(" ", ""))
    answers_by_kind["names of the regions"] = [*"Windy", "Enter"]
    for side, many in (("eight", 8), ("ten", 10)):
        places = [number(value, 999) for place in range(many) for value in (50 - place, 50 - place)]
        answers_by_kind[f"places, {side} regions"] = [key for place in places for key in place]
    answers_by_kind["turn slots, eight regions"] = [*"01"]
    answers_by_kind["turn slots, ten regions"] = [*"0012"]
    answers_by_kind["costs"] = [*"021102010"]
    for color in ("black", "orange"):
        cards = [of_a_card(box, f"card_{color}", str(place)) for place in range(1, 11)]
        answers_by_kind[f"{color} AI: cards"] = [key for card in cards for key in card]
    for color in ("black", "orange"):
        rows = box.table(f"token_{color}")
        values = [number(row.fields[name], 20) for row in rows for name in ("low", "high")]
        answers_by_kind[f"{color} AI: tokens"] = [key for value in values for key in value]
    answers_by_kind["AIs' Market cards"] = [*"43"]
    return answers_by_kind


def test_a_whole_box_is_entered_with_two_stops_and_the_ais_cards_are_dealt(
    open_screen: list[Terminal], tmp_path_factory: pytest.TempPathFactory
) -> None:
    example_box, known = example(GAME), 0
    parts = keys(example_box)
    at = terminal(open_screen, tmp_path_factory.mktemp("s"))
    at.wait_for("0 of 74 known", "Objective cards with 1 to 3 players: how many?")
    for place, (part, typed) in enumerate(parts.items()):
        at.wait_for(f"{capitalized(part)}   0 of ")
        at.type(*typed)
        known += FACTS[place]
        at.wait_for(f"{known} of 74 known")
        if place in (3, 8):  # stop, and go on another time
            at.type("Escape")
            assert at.exit_code() == 0
            at = terminal(open_screen, tmp_path_factory.mktemp("s"))
            at.wait_for(f"{known} of 74 known")
    at.wait_for("Every fact is known. Press Esc to close.")
    at.type("u")
    at.wait_for("73 of 74 known", "Market card, hard: how many resources for one Starfall?")
    at.type("3")
    at.wait_for("74 of 74 known")
    at.type("Escape")
    assert at.exit_code() == 0

    assert len(own_rows(box_in_force(GAME))) == len(packaged(GAME).open_rows) == 74
    cards = sum(len(typed) for part, typed in parts.items() if " AI: " in part)
    assert (cards, sum(map(len, parts.values()))) == (CARD_KEYS, ALL_KEYS)
    assert_dealt()


FACTS = (4, 8, 1, 8, 10, 2, 4, 3, 10, 10, 6, 6, 2)
CARD_KEYS, ALL_KEYS = 108, 263
"""What the two AI decks take with their tokens, and what the whole box takes."""


def assert_dealt() -> None:
    """Assert that a game with the box as it is now shuffles an AI's cards and tokens, and turns up the top card."""
    record = Record("ada", box=box_in_force(GAME))
    record.do("first", seat="ada")
    for color in ("black", "orange"):
        assert record.state.board.decks[color] == board_of(example(GAME), "eight").decks[color]
    assert record.phase == "public"
    record.do("public", region="creepy-cove")
    assert record.phase == "shuffle"
    assert "unused tokens: 0/4, 1/5, 1/6" in record.do(
        "shuffle", ai=BLACK, cards=FORWARDS, tokens=TOKENS
    )


SLOT = '[[slot_ten]]\nname = "1"\nvalue = {value}\nstatus = "confirmed"\nsource = "x"\n'


@pytest.mark.parametrize(("key", "value"), [("y", 3), ("", 2)])
def test_who_sits_at_a_terminal_is_asked_before_an_answer_of_theirs_is_replaced(
    open_screen: list[Terminal], tmp_path_factory: pytest.TempPathFactory, key: str, value: int
) -> None:
    own_path(GAME).parent.mkdir(parents=True)
    own_path(GAME).write_text(SLOT.format(value=2))
    folder = tmp_path_factory.mktemp("s")
    (folder / "bo.toml").write_text(SLOT.format(value=3))
    words = ["components", "import", GAME, str(folder / "bo.toml")]
    at = Terminal(folder, 80, 24, *words, COMPANION_DATA=os.environ["COMPANION_DATA"])
    open_screen.append(at)
    at.wait_for(
        "Turn slot 1 of 5: yours 2 | theirs 3", "Take theirs? y takes it, Enter keeps yours:"
    )
    at.type(*key, "Enter")
    assert at.exit_code() == 0
    assert box_in_force(GAME).value("slot_ten", "1") == value
