"""What pages of roles show and offer, over whole games played at random: in plain words, and nothing of a secret."""

from __future__ import annotations

import json
import random
import re
from contextlib import closing
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.rules.registry import GAMES, open_game
from companion.session import key_meanings
from companion.session.opening import begin
from companion.session.roles import Doing, Role
from companion.web.role_blocks import LAYOUTS, role_blocks
from companion.web.role_forms import fix_block
from companion.web.role_kinds import form_data, forms_of
from companion.web.role_offers import (
    MOST_RULINGS,
    Offers,
    RoleOffers,
    choices_of,
    rulings_of,
)
from tests.dashboard.test_plain_words import CLAUSE
from tests.games.hints import EVERY, may_hide
from tests.games.test_every_game import played, secret_pairs
from tests.web.game_pages import page_of, view_of

pytestmark = pytest.mark.usefixtures("sample_game", "looping_game", "own_games")

WISH = re.compile(r'data-wish="([^"]*)"')
CAN_DO = {
    "step": Doing.STEP,
    "fact": Doing.FACT,
    "numbers": Doing.NUMBER,
    "end_row": Doing.NUMBER,
    "undo": Doing.UNDO,
    "answer": Doing.CONSENT,
    "decide": Doing.PROPOSAL,
    "session": Doing.SESSION,
}


def record_of(game: Any, state: Any) -> Any:
    """What the offers read of a record."""
    return SimpleNamespace(
        game=game,
        still_game=game.shuffled_by(lambda size: tuple(range(1, size + 1))),
        state=state,
        common=game.common(state),
        number=lambda n: n,
    )


def actions_of(game: Any, state: Any) -> Any:
    return (*game.actions(game.common(state).setup), *key_meanings.OWN)


def offers_of(game: Any, state: Any) -> Offers:
    record = record_of(game, state)
    choices, told_as = choices_of(record, actions_of(game, state))
    forms = forms_of(game, record.common.setup)
    return Offers(
        choices,
        forms,
        told_as=told_as,
        awaiting=game.awaiting(state),
        form_data=form_data(record.common.setup, forms),
    )


def drawn(game: Any, state: Any, role: Role) -> dict[str, str]:
    """The parts of a role's page in that state."""
    view = view_of(game, state)
    record = record_of(game, state)
    works = key_meanings.working(
        record,
        actions_of(game, state),
        key_meanings.KeyContext(state, None, None, None),
        key_meanings.HungKeys(),
        lambda _: None,
    )
    object.__setattr__(view, "works", works)
    blocks = role_blocks(
        view, actions_of(game, state), role, page_of(game, state), offers_of(game, state)
    )
    return {name: str(block) for name, block in blocks.items()}


def wishes_in(page: str) -> list[dict[str, Any]]:
    return [json.loads(unescape(wish)) for wish in WISH.findall(page)]


@pytest.mark.parametrize("game_id", EVERY)
def test_a_page_asks_only_for_what_its_role_may_do(game_id: str) -> None:
    game = open_game(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=7, most=120)[::29]:
        for role in Role:
            page = drawn(game, state, role)
            assert set(page) == {*LAYOUTS[role].parts, "title"}
            for wish in wishes_in("".join(page.values())):
                doing = CAN_DO[wish["kind"]]
                if wish.get("action") == key_meanings.PAUSE.id:
                    doing = Doing.PAUSE
                if str(wish.get("do", "")).startswith("board"):
                    doing = Doing.BOARD
                assert doing in role.may


@pytest.mark.parametrize("game_id", EVERY)
def test_every_state_of_a_game_has_a_page_in_plain_words(game_id: str) -> None:
    game = open_game(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=5, most=200)[::31]:
        for role in (Role.TABLE, Role.REFEREE, Role.WALL):
            page = "".join(drawn(game, state, role).values())
            assert not re.search(r"<[^>]* style=|\bNone\b|[\x1d\x1e\x1f]", page)
            assert not re.search(r"\{[a-z_-]+\.[^}]*\|", page), "a key is named"
            assert not CLAUSE.search(
                re.sub(r'<script type="application/json".*?</script>', "", page)
            )


LABEL = re.compile(
    r"<button\b[^>]*>(.*?)</button>|<span>([^<]*)</span>|<legend>(.*?)</legend>"
    r'|aria-label="([^"]*)"',
    re.S,
)


@pytest.mark.parametrize("game_id", EVERY)
def test_every_button_and_choice_is_called_by_words_and_not_by_code(game_id: str) -> None:
    game = open_game(game_id)
    for count in {game.seat_counts[0], game.seat_counts[-1]}:
        for _, _, _, state in played(game_id, count, seed=2, most=150)[::7]:
            blocks = drawn(game, state, Role.TABLE)
            page = "".join(block for name, block in blocks.items() if name != "forms")
            for groups in LABEL.findall(page):
                label = unescape(re.sub("<[^>]*>", " ", "".join(groups)))
                assert not re.search(r"[][{}\"_@]|\b(?:True|False|null)\b", label), label


@pytest.mark.parametrize("game_id", [each for each in EVERY if each in GAMES])
def test_what_a_page_asks_to_be_entered_is_not_told_as_done(game_id: str) -> None:
    game = open_game(game_id)
    forms = forms_of(game, game.common(played(game_id, game.seat_counts[0], seed=2)[0][0]).setup)
    done = {form.wanted for form in forms if re.search(r"\b(was|were|took|began)\b", form.wanted)}
    assert done <= {"pull or hit that was a shot after all", "who was hit"}
    for _, _, _, state in played(game_id, game.seat_counts[0], seed=2, most=150)[::15]:
        blocks = drawn(game, state, Role.TABLE)
        page = "".join(block for name, block in blocks.items() if name != "forms")
        for form in forms:
            if form.wanted != form.title:
                told = form.title[:1].upper() + form.title[1:]
                assert f">{told}<" not in page, "a heading or a button tells it as done"


@pytest.mark.parametrize("count", [1, 2])
def test_numbers_of_a_player_are_typed_by_their_names_and_in_no_form_without(count: int) -> None:
    game = open_game("fractured-sky")
    typed = set()
    for _, _, _, state in played("fractured-sky", count, seed=1, most=150):
        page = "".join(drawn(game, state, Role.TABLE).values())
        if 'data-records="powers"' in page:
            assert 'data-open="kind" data-kind="powers"' not in page
            typed |= set(re.findall(r"> ([^<>]*): enter powers<", page))
    assert len(typed) >= max(count, 2), "people and the players that the game moves itself"


@pytest.mark.parametrize("game_id", EVERY)
def test_what_can_be_done_is_a_button_and_what_cannot_is_none(game_id: str) -> None:
    game = open_game(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=9, most=120)[::23]:
        record = record_of(game, state)
        offered = {
            wish["action"]
            for wish in wishes_in("".join(drawn(game, state, Role.TABLE).values()))
            if wish["kind"] == "step"
        }
        works = key_meanings.working(
            record,
            actions_of(game, state),
            key_meanings.KeyContext(state, None, None, None),
            key_meanings.HungKeys(),
            lambda _: None,
        )
        of_game = {action.id for action in game.actions(record.common.setup) if works(action.id)}
        assert of_game <= offered
        assert offered <= of_game | {key_meanings.PAUSE.id}


@pytest.mark.parametrize("game_id", [game for game in EVERY if may_hide(game)])
def test_a_secret_changes_no_page_of_a_role(game_id: str) -> None:
    game, rng, tried = open_game(game_id), random.Random(3), 0
    for before, _, entry, _ in played(game_id, 3 if 3 in game.seat_counts else 2, seed=11, most=80)[
        ::5
    ]:
        pairs = list(secret_pairs(game, before))
        for _, fact, other in rng.sample(pairs, min(2, len(pairs))):
            one, two = game.apply(before, fact, entry), game.apply(before, other, entry)
            for role in Role:
                assert drawn(game, one, role) == drawn(game, two, role)
            tried += 1
    assert tried


def test_what_a_seat_noted_in_secret_is_no_ruling_to_open(tmp_path: Path) -> None:
    with closing(begin("sky-rise", ("Anna", "Bo"), {}, tmp_path / "s.sqlite")) as table:
        before = table.look(rulings_of)
        table.enter("goal_noted", {"seat": "anna", "nest": "red", "tree": "blue"})
        noted = [line for line in table.look(rulings_of) if line not in before]
        assert all(line.words is None for line in noted)
        block = fix_block(RoleOffers().of(table.look(lambda record: record), table.actions))
        assert not re.search("red|blue", block)


def test_an_old_ruling_that_a_fact_may_name_can_still_be_chosen(tmp_path: Path) -> None:
    with closing(begin("panic-fire", ("Anna", "Bo"), {}, tmp_path / "s.sqlite")) as table:
        table.do("panic-fire.fire")
        table.enter("dry_pull", {})
        number = table.view().newest
        for _ in range(MOST_RULINGS + 10):
            table.do("panic-fire.draw.1")
        offers = RoleOffers().of(table.look(lambda record: record), table.actions)
        assert len(offers.rulings) == MOST_RULINGS + 1
        assert offers.rulings[-1].number == number


def test_the_wall_has_nothing_to_press() -> None:
    game = open_game("panic-fire")
    state = played("panic-fire", 3, seed=1, most=30)[-1][3]
    assert "<button" not in "".join(drawn(game, state, Role.WALL).values())


@pytest.mark.parametrize("game_id", EVERY)
def test_the_first_thing_on_a_page_is_what_to_do_in_twelve_words(game_id: str) -> None:
    game = open_game(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=13, most=200)[::23]:
        (prompt,) = re.findall(
            r'<p class="awaiting"[^>]*>(.*?)</p>', drawn(game, state, Role.TABLE)["head"]
        )
        words = unescape(prompt).split()
        sentences = re.split(r"(?<=[.?!]) ", unescape(prompt))
        assert words
        # A single sentence of a game is shown whole.
        assert len(words) <= 12 or len(sentences) == 1, prompt
