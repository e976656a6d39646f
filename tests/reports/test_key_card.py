"""The cards to print: every key of a game, and what the board's buttons do, on one sheet."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

import pytest

from companion.commands.key_cards import MOST_KEYS, meanings
from companion.dashboard.keymap import actions_of
from companion.exits import Exit
from companion.rules.actions import Action, key_name
from companion.rules.registry import GAMES, open_game
from tests.commands.ran import Ran
from tests.web.browser import Chromium


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize(("paper", "size"), [("a4", "A4"), ("letter", "letter")])
def test_a_card_names_every_action_of_its_game(game_id: str, paper: str, size: str) -> None:
    ran = Ran("keycard", game_id, "--paper", paper)
    assert ran.code == 0
    page = html.unescape(ran.out)
    assert f"@page {{ size: {size};" in page
    assert "<script" not in page
    by_stem: dict[str, list[Action]] = {}
    for action in actions_of(game_id):
        if action.keys:
            by_stem.setdefault(action.id.rpartition(".")[0], []).append(action)
    for stem, alike in by_stem.items():
        shown = [f"<kbd>{key_name(action.keys[0])}</kbd>" in page for action in alike]
        if all(shown):
            continue
        # a key for each player or answer: the first two and the last are on the card
        assert stem != "dashboard"
        assert len(alike) > MOST_KEYS
        assert all((*shown[:2], shown[-1])), stem
        assert "</kbd> … <kbd>" in page


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("card", [*GAMES, "board"])
def test_a_card_prints_on_one_page(
    card: str, paper: str, tmp_path: Path, chromium: Chromium
) -> None:
    path = tmp_path / "card.html"
    assert Ran("keycard", card, "--paper", paper, "--out", str(path)).code == 0
    with chromium.page() as page:
        page.open(path.as_uri())
        page.wait_for("document.readyState === 'complete' && location.protocol === 'file:'")
        printed = page.call("Page.printToPDF", preferCSSPageSize=True)["data"]
        assert not page.errors
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", base64.b64decode(printed))
    assert len(pages) == 1


def test_actions_that_differ_in_a_word_are_one_row_that_lists_these_words() -> None:
    sky_rise, fractured_sky, skyfire = (
        html.unescape(Ran("keycard", game).out) for game in ("sky-rise", "fractured-sky", "skyfire")
    )
    assert "The antenna at the cursor is large, medium or small" in sky_rise
    assert "Move the cursor over the map: up, left, right or down" in fractured_sky
    assert "Answer number 1, 2, … or 0: a region" in fractured_sky
    assert "zone 1, 2, 3 or 4" in skyfire


def test_keys_that_a_person_gave_are_on_the_card(tmp_path: Path) -> None:
    from companion.config.reading import config_path

    config_path().parent.mkdir(parents=True, exist_ok=True)
    config_path().write_text('[keys]\n"dashboard.sound" = ["f12"]\n', encoding="utf-8")
    page = Ran("keycard", "panic-fire").out
    assert "<kbd>F12</kbd>" in page
    assert "<kbd>F9</kbd>" not in page


def test_the_boards_card_says_what_each_gesture_does_in_each_game() -> None:
    page = html.unescape(Ran("keycard", "board").out)
    for info in GAMES.values():
        assert info.title in page
    assert meanings(open_game("panic-fire")) == {
        "tap a zone button": "card was drawn",
        "hold a zone button": "fire! was called, or who was hit, or who shot",
        "pull the trigger and hit": "shot was fired",
        "pull the trigger, no hit": "pull that hit nothing",
    }
    assert meanings(open_game("skyfire"))["hold the trigger"] == "misfire was declared"


def test_a_word_that_is_no_game_is_refused_with_the_games_there_are() -> None:
    ran = Ran("keycard", "pannic-fire")
    assert ran.code == Exit.USAGE
    assert "panic-fire" in ran.err
