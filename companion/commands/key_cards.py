"""`companion keycard`: a printable card with a game's keys or the board's buttons."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from companion.commands.usage import print_or_write
from companion.dashboard import keymap
from companion.dashboard.preferences import in_force
from companion.dashboard.registry import grouped
from companion.reports.key_card import CardGroup, CardRow, format_card
from companion.rules.actions import Action, KeyMap, key_name, without_keys
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized, either
from companion.rules.facts import Refused, Setup, called
from companion.rules.game import Game
from companion.rules.gestures import TRIGGER, Gesture, GestureKind
from companion.rules.registry import GAMES, info_of, open_game
from companion.rules.seats import seats_from_names, unnamed
from companion.session.opening import with_chance

BOARD = "board"
"""Argument that asks for the board's card instead of a game's."""
MOST_KEYS = 3
"""Keys shown of a row with a key for each player: the first few and the last."""
MOST_WORDS = 5
"""The same of a row with a key for each of several answers, which are listed."""
GESTURES = {
    (GestureKind.TAP, "zone-1"): "tap a zone button",
    (GestureKind.HOLD, "zone-1"): "hold a zone button",
    (GestureKind.SHOT, TRIGGER): "pull the trigger and hit",
    (GestureKind.DRY_PULL, TRIGGER): "pull the trigger, no hit",
    (GestureKind.TAP, TRIGGER): "tap the trigger",
    (GestureKind.HOLD, TRIGGER): "hold the trigger",
}
"""Gestures at a board, in words."""
MOVES = 400
"""Moves of a random game with a fixed seed, after which all meanings of its controls have come up."""


def keycard(args: argparse.Namespace) -> None:
    """`companion keycard`: print the card, or write it to a file."""
    if args.game == BOARD:
        groups = tuple(board_groups())
        page = format_card("The board", groups, FOOT_OF_BOARD, args.paper)
    else:
        keys = in_force(argparse.Namespace(), [args.game]).keys
        title = f"{open_game(args.game).title}: keys"
        page = format_card(title, key_groups(args.game, keys), FOOT_OF_KEYS, args.paper)
    print_or_write(page, args.out)


FOOT_OF_KEYS = "Keys of a row belong to the players in their order, clockwise. ^r is Ctrl+R. ? shows every key."
FOOT_OF_BOARD = (
    "Zone buttons belong to the players in their order, clockwise. Everything also has a key."
)


def key_groups(game_id: str, keys: KeyMap) -> tuple[CardGroup, ...]:
    """Return a game's keys by group, with the user's changes."""
    groups = []
    for title, actions in grouped(keymap.actions_of(game_id, keys)).items():
        rows = tuple(_rows([action for action in actions if action.keys]))
        groups.append(CardGroup(capitalized(title), rows))
    return tuple(groups)


def _rows(actions: list[Action]) -> Iterator[CardRow]:
    """Yield a row for each action; actions whose help is the same but for a word get a single row."""
    by_stem: dict[str, list[Action]] = {}
    for action in actions:
        by_stem.setdefault(action.id.rpartition(".")[0], []).append(action)
    for alike in by_stem.values():
        text, most = _help_of_players(alike), MOST_KEYS
        if not text:
            text, most = _help_of_all(alike), MOST_WORDS
        if text:
            yield CardRow(_shortened([key_name(action.keys[0]) for action in alike], most), text)
            continue
        for action in alike:
            yield CardRow([key_name(key) for key in action.keys], _help(action))


def _shortened(items: list[str], most: int) -> list[str]:
    """Return the first two and the last item if there are more than `most`."""
    return items if len(items) <= most else [*items[:2], "…", items[-1]]


def _help(action: Action) -> str:
    return without_clauses(without_keys(action.help)).rstrip(".")


def _help_of_players(alike: list[Action]) -> str:
    """Return the help of actions that each player has one of, without a name, or an empty string."""
    texts = set()
    for action in alike:
        number = action.id.rpartition(".")[2]
        if len(alike) < 2 or not number.isdigit() or not int(number):
            return ""
        text, name = _help(action), unnamed(int(number))[-1]
        without = capitalized(re.sub(rf"\b{name}\b", "a player", text, flags=re.IGNORECASE))
        if without == text:
            return ""
        texts.add(without)
    return texts.pop() if len(texts) == 1 else ""


def _help_of_all(alike: list[Action]) -> str:
    """Return the help of actions that differs in one word with all these words, or an empty string."""
    # words and what is between them
    sentences = [re.split(r"(\w+)", _help(action)) for action in alike]
    if len(alike) < 2 or len({len(sentence) for sentence in sentences}) > 1:
        return ""
    columns = list(zip(*sentences, strict=True))
    differing = [place for place, words in enumerate(columns) if len(set(words)) > 1]
    if len(differing) != 1:
        return ""
    words = [column[0] for column in columns]
    words[differing[0]] = either(_shortened(list(columns[differing[0]]), MOST_WORDS))
    return "".join(words)


def board_groups() -> Iterator[CardGroup]:
    """Yield the meanings of the board's controls in each game."""
    for game_id, info in GAMES.items():
        game_meanings = meanings(open_game(game_id))
        if game_meanings:
            rows = tuple(CardRow((words,), does) for words, does in game_meanings.items())
            yield CardGroup(info.title, rows)


def meanings(game: Game[Any]) -> dict[str, str]:
    """Return the meaning of each gesture in a game: the game is played, and its rules are asked in each state."""
    by_gesture: dict[str, dict[str, None]] = {}
    playing = with_chance(game, Random(1))
    for state in _states(playing):
        for (kind, channel), words in GESTURES.items():
            meaning = _meaning(playing, state, kind, channel)
            if meaning is not None:
                by_gesture.setdefault(words, {})[meaning] = None
    return {
        words: ", or ".join(by_gesture[words]) for words in GESTURES.values() if words in by_gesture
    }


def _states(game: Game[Any]) -> Iterator[Any]:
    """Yield the states of a random game that prefers kinds of facts that were rare so far."""
    chance = Random(7)
    seats = seats_from_names(unnamed(min(4, game.seat_counts[-1])))
    state = game.start(Setup(game.id, game.rules_version, seats, {}, info_of(game.id).carried))
    used: dict[str, int] = {}
    for entry in range(2, MOVES):
        yield state
        legal = game.legal(state)
        if game.over(state) or not legal:
            return
        least = min(used.get(fact.kind, 0) for fact in legal)
        rare = [candidate for candidate in legal if used.get(candidate.kind, 0) == least]
        fact = chance.choice(rare)
        used[fact.kind] = used.get(fact.kind, 0) + 1
        state = game.advance(state, fact, entry)


def _meaning(game: Game[Any], state: Any, kind: GestureKind, channel: str) -> str | None:
    """Return what a gesture would record now, or None if the rules refuse it."""
    settings = game.settings(game.common(state).setup)
    if channel == TRIGGER and settings.gun is (kind in (GestureKind.TAP, GestureKind.HOLD)):
        return None  # the trigger is a gun that is fired, or a button that is pressed
    if kind is GestureKind.HOLD and not game.hold_means(state, channel):
        return None
    gesture = Gesture(kind, channel, 1_000_000, "card", 0, (1,), lag_us=1_000, peak=900)
    try:
        fact = game.gestured(state, gesture).model_copy(update={"at": None})
        game.advance(state, fact, 1)
    except Refused:
        return None
    return called(fact.kind, type(fact))
