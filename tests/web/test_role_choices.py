"""What the answers to choose from are called on pages of roles, over whole games played at random."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion.rules.form_fields import FormField
from companion.rules.registry import open_game
from companion.session.opening import begin
from companion.web import role_buttons
from companion.web.role_buttons import chooser
from companion.web.role_choices import Choice, names_of, value_label, without_examples
from companion.web.role_kinds import KindForm, forms_of
from companion.web.role_offers import RoleOffers, choices_of
from tests.games.hints import EVERY
from tests.games.test_every_game import played
from tests.web.test_role_blocks import actions_of, record_of

pytestmark = pytest.mark.usefixtures("sample_game", "looping_game", "own_games")

CHIP = re.compile(r'<input[^>]* name="([^"]*)" value="([^"]*)"[^>]*><span>(.*?)</span>')


def chips_in(page: str) -> list[tuple[str, str, str]]:
    """Field, value and text of each chip."""
    return [(name, unescape(value), unescape(shown)) for name, value, shown in CHIP.findall(page)]


def offered(game: Any) -> Iterator[tuple[KindForm, str]]:
    """The kinds with several fields that vary, over a game: the form, and how its facts are shown with the names
    that the game has told so far."""
    names: dict[tuple[str, str], str] = {}
    for _, _, _, state in played(game.id, game.seat_counts[-1], seed=5, most=200)[::9]:
        record = record_of(game, state)
        choices, _ = choices_of(record, actions_of(game, state))
        listed = [
            (form, choices[form.kind])
            for form in forms_of(game, record.common.setup)
            if form.kind in choices
        ]
        names |= names_of(listed)
        for form, facts in listed:
            yield form, chooser(form, facts, names, main=False)


def expected(asked: FormField, value: str) -> str:
    """The name of a value that has one of its own."""
    named = {str(choice): label for choice, label in asked.choices}
    return named.get(value, value)


@pytest.mark.parametrize("game_id", EVERY)
def test_a_chip_is_named_by_its_own_value_and_never_by_a_sentence(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(role_buttons, "MOST_BUTTONS", 1)  # field by field
    for form, page in offered(open_game(game_id)):
        asked = {field.name: field for field in form.fields}
        buttons = {unescape(each) for each in re.findall(r"<button[^>]*><b>(.*?)</b>", page)}
        for name, value, shown in chips_in(page):
            field = asked[name]
            if field.kind != "text":
                assert shown == (expected(field, value) or "-"), (form.kind, name)
                assert shown not in buttons
            else:
                assert len(shown.split()) == len(re.split("[-_ ]", value)), (form.kind, shown)


@pytest.mark.parametrize(
    ("game_id", "kind", "name", "labels"),
    [
        ("sky-rise", "opaque", "seat", {"Anna", "Bo", "Cleo", "Dmitri", "Eve"}),
        ("sky-rise", "card", "suit", {"hearts", "spades", "diamonds", "clubs", "royals"}),
        (
            "sky-rise",
            "pyramid",
            "color",
            {"red", "yellow", "green", "blue", "purple", "opaque"},
        ),
        ("panic-fire", "override", "seat", {"Anna", "Bo", "Cleo", "Dmitri", "Eve"}),
    ],
)
def test_players_suits_and_colors_are_called_by_their_names(
    game_id: str, kind: str, name: str, labels: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(role_buttons, "MOST_BUTTONS", 1)
    found = set()
    for form, page in offered(open_game(game_id)):
        if form.kind == kind:
            found |= {shown for field, _, shown in chips_in(page) if field == name}
    assert found == labels


def test_the_values_of_a_text_are_called_as_the_sentences_about_them_do() -> None:
    form = KindForm("move", "move", (FormField("region", "text"),))
    facts = [
        Choice("move", {"region": "wayward-wood"}, "Anna goes to Wayward Wood"),
        Choice("move", {"region": "creepy-cove"}, "Anna goes to Creepy Cove"),
        Choice("move", {"region": "tenth-region"}, "Anna goes to unnamed region"),
    ]
    assert names_of([(form, facts)]) == {
        ("region", "wayward-wood"): "Wayward Wood",
        ("region", "creepy-cove"): "Creepy Cove",
        ("region", "tenth-region"): "Unnamed region",
    }


def test_a_line_of_the_log_to_choose_is_called_by_what_it_says(tmp_path: Path) -> None:
    with closing(begin("panic-fire", ("Anna", "Bo"), {}, tmp_path / "s.sqlite")) as table:
        table.do("panic-fire.fire")
        table.enter("dry_pull", {})
        number = str(table.view().newest)
        offers = RoleOffers().of(table.look(lambda record: record), table.actions)
        assert offers.names["entry", number] == "dry pull"


@pytest.mark.parametrize(
    ("kind", "value", "label"),
    [
        ("choices", '["SE", "W"]', "SE, W"),
        ("choices", "[]", "none"),
        ("json", '{"cards": 3, "whole": true, "of": [null]}', "cards 3, whole yes, of none"),
        ("texts", '["a-b", "c"]', "A B, c"),
    ],
)
def test_several_values_are_called_by_words(kind: Any, value: str, label: str) -> None:
    assert value_label(FormField("stars", kind), value, {}) == label


def test_what_only_adds_an_example_of_an_optional_list_is_no_choice_of_its_own() -> None:
    form = KindForm(
        "turn", "turn", (FormField("card", "choice"), FormField("stars", "choices", required=False))
    )
    plain, example = {"card": "scout"}, {"card": "scout", "stars": '["SE"]'}
    alone = {"card": "market", "stars": '["W"]'}
    facts = [Choice("turn", words, "") for words in (example, plain, alone)]
    assert [choice.words for choice in without_examples(form, facts)] == [plain, alone]
