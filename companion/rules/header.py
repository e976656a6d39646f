"""The header, the first entry of a session: game, version of the rules, seats, house rules, box."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from companion.rules.columns import clean
from companion.rules.facts import Refused, Seat, Setup
from companion.rules.game import Game
from companion.rules.game_info import GameUnusable
from companion.rules.house_rules import in_force
from companion.rules.lesson_field import LESSON
from companion.rules.order import NO_PLACE, Place, place_fields
from companion.rules.registry import GAMES, learn_of, open_game


class GameMissing(ValueError):
    """The game of a session is not installed, or cannot be used: the file can be kept, but not read."""


_PORT, _NO_BOARD = "port", "none"
_CONTINUES = "continues"
_DIGEST = re.compile("[0-9a-f]{64}")


def header(
    setup: Setup,
    name: str,
    rematch_of: str | None = None,
    *,
    continues: str | None = None,
    without_board: bool = False,
    place: Place = NO_PLACE,
    lesson: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the body of the first entry of a session called `name`, with all options in force.

    `rematch_of` is the digest, in hexadecimal, of the first entry of the session that it follows; `continues` that of
    the session whose game it continues because the file is lost. `without_board`: somebody chose to play without one.
    `place` is its place among the sessions of its folder. `lesson` says which lesson it is, if it is no game.
    """
    body: dict[str, Any] = {
        "name": name,
        "game": setup.game,
        "rules": setup.rules_version,
        "seats": [asdict(seat) for seat in setup.seats],
        "options": dict(with_all_options(open_game(setup.game), setup).options),
    }
    if setup.components:
        body["components"] = dict(setup.components)
    if rematch_of is not None:
        body["rematch_of"] = rematch_of
    if continues is not None:
        body[_CONTINUES] = continues
    if lesson is not None:
        body[LESSON] = dict(lesson)
    return {**body, **port_field(without_board), **place_fields(place)}


def continues_of(body: Mapping[str, Any]) -> str:
    """Return the digest, in hexadecimal, of the first entry of the session that this one continues; empty if there is
    none, or if it is malformed."""
    digest = body.get(_CONTINUES)
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        return ""
    return digest


def port_field(without_board: bool) -> dict[str, str]:
    """Return the field of an entry that begins or resumes a session without a board; nothing if there is one."""
    return {_PORT: _NO_BOARD} if without_board else {}


def is_without_board(body: Mapping[str, Any]) -> bool:
    """Return whether an entry that begins or resumes a session says that it is played without a board."""
    return body.get(_PORT) == _NO_BOARD


def setup_of(body: Mapping[str, Any]) -> Setup:
    """Read what `header` wrote; raise `KeyError`, `TypeError` or `ValueError` for anything else."""
    seats = tuple(Seat(**seat) for seat in body["seats"])
    texts = [body["game"]]
    for seat in seats:
        texts += asdict(seat).values()
    if not all(isinstance(text, str) and text for text in texts) or type(body["rules"]) is not int:
        raise TypeError("a seat, the game or its rules are not what they must be")
    options, box = body["options"], body.get("components", {})
    are_objects = isinstance(options, dict) and isinstance(box, dict)
    if not are_objects or not all(isinstance(value, str) for value in options.values()):
        raise TypeError("the house rules or the box are not what they must be")
    learn_of(box)
    return Setup(body["game"], body["rules"], seats, dict(options), dict(box))


def with_all_options(game: Game[Any], setup: Setup) -> Setup:
    """Return the setup with every option in force, as a session records it: a later default must not re-score it.

    Raise `Refused` for an option that the game does not have.
    """
    return replace(setup, options=in_force(setup.options, game.house_rules, game.numbers))


def game_of(body: Mapping[str, Any]) -> tuple[Game[Any], Setup]:
    """Return the game and the setup of a session, given its first entry.

    Raise `ValueError` with the reason if this companion cannot fold it as it was played; `GameMissing` if the reason is
    the game.
    """
    try:
        setup = setup_of(body)
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{_UNREADABLE} ({problem})") from problem
    try:
        game = open_game(setup.game)
    except GameUnusable as problem:
        raise GameMissing(str(problem).removesuffix(".")) from problem
    except ValueError as problem:
        game_id = clean(setup.game)
        why = f"its game {game_id!r} is not installed here; install the package it came in"
        raise GameMissing(why) from problem
    if setup.rules_version not in (*game.older_versions, game.rules_version):
        raise ValueError(
            f"it was played under version {setup.rules_version} of the rules of {game.title}, and this companion knows "
            f"version {game.rules_version}: open it with the companion it was made with"
        )
    try:
        game.start(setup)
        unrecorded = with_all_options(game, setup).options.keys() - setup.options.keys()
    except (Refused, ValueError, KeyError, TypeError, AttributeError) as problem:
        # The game may raise any of these: the box in an old or foreign file has not been checked.
        raise ValueError(f"{_UNREADABLE} ({problem})") from problem
    if unrecorded:
        raise ValueError(
            f"it does not say by which {min(unrecorded)} it was played, and a default of today may be another"
        )
    return game, setup


_UNREADABLE = "its first entry names no game that can be read here"


def non_default_options(setup: Setup) -> dict[str, str]:
    """Return the options that differ from the defaults of the game; all of them if the game is not installed."""
    defaults: dict[str, str] = {}
    if setup.game in GAMES:
        game = open_game(setup.game)
        defaults = in_force({}, game.house_rules, game.numbers)
    return {name: value for name, value in setup.options.items() if defaults.get(name) != value}
