"""A game's prompts at every moment of random play: short, plain, and only with keys that work."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import pytest

from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.registry import OWN
from companion.rules.actions import (
    begins_with_keys,
    first_to_do,
    named,
    named_by_sentence,
    with_keys,
    without_keys,
)
from companion.rules.components import as_json, example
from companion.rules.facts import Refused, Setup
from companion.rules.game import Game
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.session.key_meanings import PAUSE
from tests.games.hints import hints_of
from tests.games.random_play import steps
from tests.thorough import examples

MOST_WORDS = 12
MOST_IN_ALL = 45
NAMES = tuple(f"{letter * 9} {letter * 10}" for letter in "ABCDEFGHIJ")
CODE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
OF_A_BOARD = re.compile(r"\b(zone's button|tap|hold|trigger|its button)\b")
KEY = "\N{BULLET}"
TYPED_LINE = re.compile(r"\b[a-z_]+(?: [A-Z]{3,})+|\btarget and its symbols")
END = re.compile(r"[.?](?= |$)")


def setups(game_id: str) -> Iterator[Setup]:
    """Yield every seat count, with each alternative of every house rule at least once."""
    game = open_game(game_id)
    counts, most = list(game.seat_counts), max(len(rule.alternatives) for rule in game.house_rules)
    box = as_json(example(game_id)) if hints_of(game_id).owns_a_box else {}
    for place in range(max(len(counts), most)):
        count = counts[place % len(counts)]
        options = {
            rule.name: rule.alternatives[place % len(rule.alternatives)]
            for rule in game.house_rules
        }
        yield Setup(game.id, game.rules_version, seats_from_names(NAMES[:count]), options, box)


def moments(game_id: str, most: int = 60) -> Iterator[tuple[Game[Any], Any]]:
    """Yield every moment of random play in each of the setups."""
    game = open_game(game_id).shuffled_by(lambda count: range(1, count + 1))
    for seed, setup in enumerate(setups(game_id)):
        for again in range(examples(1, 20)):
            yield game, game.start(setup)
            play = steps(game, setup, random.Random(1000 * seed + again))
            yield from ((game, after) for _, _, _, after in islice(play, most))


class AskedFor(dict[str, tuple[str, ...]]):
    """No keys, but a record of those asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []

    def get(self, action_id: str, _otherwise: object = None) -> None:  # type: ignore[override]
        self.ids.append(action_id)

    def __contains__(self, action_id: object) -> bool:
        self.ids.append(str(action_id))
        return False


def named_ids(text: str) -> list[str]:
    """Return the ids of all actions that a sentence names."""
    asked = AskedFor()
    with_keys(text, asked)
    return asked.ids


def words(text: str) -> int:
    """Return the number of words in a sentence; a name counts as one."""
    for name in NAMES:
        text = text.replace(name, "Name")
    return len(text.split())


def first_sentence(text: str) -> str:
    found = END.search(text)
    return text[: found.end()] if found else text


def works(game: Game[Any], state: Any, action_id: str) -> bool:
    """Return True if the action's key is not refused."""
    if action_id in {action.id for action in game_screen_of(game.id).actions()}:
        return True
    if not action_id.startswith(f"{game.id}."):
        return action_id in {action.id for action in OWN} | {PAUSE.id}
    try:
        meaning = game.pressed(state, action_id)
        if not hasattr(meaning, "entries"):
            game.apply(state, meaning, 99_999)
    except Refused:
        return False
    return True


class Marked(dict[str, tuple[str, ...]]):
    """Every action has the key `KEY`."""

    def __contains__(self, _action_id: object) -> bool:
        return True

    def __getitem__(self, _action_id: str) -> tuple[str, ...]:
        return (KEY,)


def request(said: str, *, typed: bool, board: bool) -> str:
    """Return the words up to the last key, without keys, typed lines and names: what the prompt asks for."""
    text = with_keys(said, Marked(), typed=typed, board=board)
    for name in NAMES:
        text = text.replace(f"{name}'s", "*").replace(name, "*")
    text = TYPED_LINE.sub(KEY, text)
    text = text[: text.rfind(KEY)] if KEY in text else first_sentence(text)
    return " ".join(word for word in text.split() if re.search(r"\w", word))


def faults(text: str, board: bool) -> Iterator[str]:
    if words(text) > MOST_IN_ALL:
        yield "it is too long"
    if CODE.search(text):
        yield "it names a clause"
    if not board and OF_A_BOARD.search(text):
        yield "it speaks of a board that is not there"
    if text[0].islower() or text[-1] not in ".?" or ". ." in text or "  " in text or "\x1d" in text:
        yield "it is not written as sentences"


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_prompt_says_in_twelve_words_what_to_do_and_names_no_key_that_is_refused(
    game_id: str,
) -> None:
    wrong: dict[str, str] = {}
    for game, state in moments(game_id):
        said = game.awaiting(state)
        for board, typed in product((False, True), (False, True)):
            text = with_keys(said, typed=typed, board=board)
            for fault in faults(text, board):
                wrong.setdefault(fault, text)
        for action_id in named_ids(said):
            if not works(game, state, action_id):
                wrong.setdefault(f"{action_id} is refused", with_keys(said))
    assert not wrong, "\n".join(f"{what}: {text}" for what, text in wrong.items())


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_the_first_sentence_of_a_prompt_has_twelve_words_without_keys_and_names(
    game_id: str,
) -> None:
    too_long = set()
    for game, state in moments(game_id):
        for typed, board in product((False, True), (False, True)):
            text = with_keys(game.awaiting(state), Marked(), typed=typed, board=board)
            asked = request(first_sentence(text), typed=typed, board=board)
            if len(asked.split()) > MOST_WORDS:
                too_long.add(text)
    assert not too_long


@pytest.mark.parametrize("game_id", ["drills", "panic-fire", "sky-rise", "skyfire"])
def test_all_that_a_prompt_asks_for_is_twelve_words_without_keys_and_names(game_id: str) -> None:
    too_long = {
        request(game.awaiting(state), typed=typed, board=board)
        for game, state in moments(game_id)
        for typed, board in product((False, True), (False, True))
    }
    assert not [text for text in too_long if len(text.split()) > MOST_WORDS]


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_what_people_who_look_on_are_told_is_sentences_without_a_key(game_id: str) -> None:
    wrong: dict[str, str] = {}
    for game, state in moments(game_id):
        said = game.awaiting(state)
        text = without_keys(said)
        for fault in faults(text, board=False) if text else ():
            wrong.setdefault(fault, text)
        if re.search(r"\b([Pp]ress|[Tt]ype|[Kk]ey)\b|[{}\0]|, ?\.", text):
            wrong.setdefault("it speaks of keys", f"{text} <- {with_keys(said)}")
        if game.common(state).paused and "Paused" not in text:
            wrong.setdefault("it hides the pause", text)
    assert not wrong, "\n".join(f"{what}: {text}" for what, text in wrong.items())


def test_a_prompt_names_actions_sentence_by_sentence_but_not_what_it_adds_in_brackets() -> None:
    said = (
        f"To draw, press {named('a.draw', '1')}. For a shot, press {named('a.shot', 'space')}."
        f" Lay a card: arrows, then {named('a.suit', 's')} ({named('a.later', '2')}: enter it later)."
    )
    assert named_by_sentence(said) == (("a.draw",), ("a.shot",), ("a.suit",))
    assert begins_with_keys(said)
    assert not begins_with_keys(f"Who was hit? Press {named('a.name', 'q')}.")


@pytest.mark.parametrize(
    ("prompt", "first"),
    [
        ("Bo, place a card in a zone: {skyfire.place.1|1}. Then go on.", "Bo, place a card in a zone."),
        ("Does zone 1 meet the target? Press {skyfire.yes|s}. Bo launched it.",
         "Does zone 1 meet the target?"),
        ("To draw, press {panic.draw|1}.", ""),
    ],
)  # fmt: skip
def test_the_reminder_of_a_prompt_is_its_first_sentence_without_keys(
    prompt: str, first: str
) -> None:
    assert first_to_do(prompt) == first
