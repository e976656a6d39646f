"""`companion keycard`: a card to print, of the keys of a game or of the buttons of the board."""

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
from companion.rules.columns import capitalized
from companion.rules.facts import Refused, Setup, called
from companion.rules.game import Game
from companion.rules.gestures import TRIGGER, Gesture, GestureKind
from companion.rules.registry import GAMES, info_of, open_game
from companion.rules.seats import seats_from_names, unnamed
from companion.session.opening import with_chance

BOARD = "board"
"""Asks for the card of the board instead of a game's."""
MOST_KEYS = 3
"""Keys of a row that are shown: of a row of keys, one for each player, the first few say which row it is."""
GESTURES = {
    (GestureKind.TAP, "zone-1"): "tap a zone button",
    (GestureKind.HOLD, "zone-1"): "hold a zone button",
    (GestureKind.SHOT, TRIGGER): "pull the trigger and hit",
    (GestureKind.DRY_PULL, TRIGGER): "pull the trigger, no hit",
    (GestureKind.TAP, TRIGGER): "tap the trigger",
    (GestureKind.HOLD, TRIGGER): "hold the trigger",
}
"""What hands do at a board, in words."""
MOVES = 400
"""Moves after which a game has shown what its controls mean; played at random, from a fixed seed."""


def keycard(args: argparse.Namespace) -> None:
    """`companion keycard`: print it, or write it to a file."""
    if args.game == BOARD:
        groups = tuple(board_groups())
        page = format_card("The board", groups, FOOT_OF_BOARD, args.paper)
    else:
        keys = in_force(argparse.Namespace(), [args.game]).keys
        title = f"{open_game(args.game).title}: keys"
        page = format_card(title, key_groups(args.game, keys), FOOT_OF_KEYS, args.paper)
    print_or_write(page, args.out)


FOOT_OF_KEYS = "Keys of a row belong to the players in their order, clockwise. ? shows every key."
FOOT_OF_BOARD = (
    "Zone buttons belong to the players in their order, clockwise. Everything also has a key."
)


def key_groups(game_id: str, keys: KeyMap) -> tuple[CardGroup, ...]:
    """Return the keys of a game by group, those that a person gave it."""
    groups = []
    for title, actions in grouped(keymap.actions_of(game_id, keys)).items():
        rows = tuple(_rows([action for action in actions if action.keys]))
        groups.append(CardGroup(capitalized(title), rows))
    return tuple(groups)


def _rows(actions: list[Action]) -> Iterator[CardRow]:
    """Yield a row for each action; what each player has a key of their own for is a single row."""
    by_words: dict[tuple[str, str], list[Action]] = {}
    for action in actions:
        stem, _, number = action.id.rpartition(".")
        of_players = _help_of_players(action, number)
        if of_players:
            by_words.setdefault((stem, of_players), []).append(action)
        else:
            by_words[action.id, _help(action)] = [action]
    for (_, words), group in by_words.items():
        names = [key_name(action.keys[0]) for action in group]
        if len(group) == 1:
            names = [key_name(key) for key in group[0].keys]
        elif len(names) > MOST_KEYS:
            names = [*names[:2], "…", names[-1]]
        yield CardRow(names, words)


def _help(action: Action) -> str:
    return without_clauses(without_keys(action.help)).rstrip(".")


def _help_of_players(action: Action, number: str) -> str:
    """Return what an action does without the player's name, or nothing if it is no player's own."""
    words = _help(action)
    if not number.isdigit() or not int(number):
        return ""
    name = unnamed(int(number))[-1]
    without = capitalized(re.sub(rf"\b{name}\b", "a player", words, flags=re.IGNORECASE))
    return "" if without == words else without


def board_groups() -> Iterator[CardGroup]:
    """Yield what the controls of the board do in each game."""
    for game_id, info in GAMES.items():
        means = meanings(open_game(game_id))
        if means:
            rows = tuple(CardRow((words,), does) for words, does in means.items())
            yield CardGroup(info.title, rows)


def meanings(game: Game[Any]) -> dict[str, str]:
    """Return what each gesture does in a game, in words: found by playing it and asking its rules in each state."""
    found: dict[str, dict[str, None]] = {}
    playing = with_chance(game, Random(1))
    for state in _states(playing):
        for (kind, channel), words in GESTURES.items():
            meant = _meant(playing, state, kind, channel)
            if meant is not None:
                found.setdefault(words, {})[meant] = None
    return {words: ", or ".join(found[words]) for words in GESTURES.values() if words in found}


def _states(game: Game[Any]) -> Iterator[Any]:
    """Yield the states of a game that is played at random, the kinds that were rare so far first."""
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
        fact = chance.choice([one for one in legal if used.get(one.kind, 0) == least])
        used[fact.kind] = used.get(fact.kind, 0) + 1
        state = game.advance(state, fact, entry)


def _meant(game: Game[Any], state: Any, kind: GestureKind, channel: str) -> str | None:
    """Return what a gesture would enter now, or None if the rules take nothing."""
    settings = game.settings(game.common(state).setup)
    if channel == TRIGGER and settings.gun is (kind in (GestureKind.TAP, GestureKind.HOLD)):
        return None  # a gun is fired, a button is pressed
    if kind is GestureKind.HOLD and not game.hold_means(state, channel):
        return None
    gesture = Gesture(kind, channel, 1_000_000, "card", 0, (1,), lag_us=1_000, peak=900)
    try:
        fact = game.gestured(state, gesture).model_copy(update={"at": None})
        game.advance(state, fact, 1)
    except Refused:
        return None
    return called(fact.kind, type(fact))
