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
) -> dict[str, Any]:
    """Return the body of the first entry of a session called `name`, with all options in force.

    `rematch_of` is the digest, in hexadecimal, of the first entry of the session that it follows; `continues` that of
    the session whose game it continues because the file is lost. `without_board`: somebody chose to play without one.
    `place` is its place among the sessions of its folder.
    """
    seats = [asdict(seat) for seat in setup.seats]
    options = dict(with_all_options(open_game(setup.game), setup).options)
    body = {
        "name": name,
        "game": setup.game,
        "rules": setup.rules_version,
        "seats": seats,
        "options": options,
    }
    box = {"components": dict(setup.components)} if setup.components else {}
    before = {"rematch_of": rematch_of, _CONTINUES: continues}
    named = {name: digest for name, digest in before.items() if digest is not None}
    return {**body, **box, **named, **port_field(without_board), **place_fields(place)}


def continues_of(body: Mapping[str, Any]) -> str:
    """Return the digest, in hexadecimal, of the first entry of the session that this one continues; empty if there is
    none, or if it is malformed."""
    digest = body.get(_CONTINUES)
    return digest if isinstance(digest, str) and _DIGEST.fullmatch(digest) else ""


def port_field(without_board: bool) -> dict[str, str]:
    """Return the field of an entry that begins or resumes a session without a board; nothing if there is one."""
    return {_PORT: _NO_BOARD} if without_board else {}


def is_without_board(body: Mapping[str, Any]) -> bool:
    """Return whether an entry that begins or resumes a session says that it is played without a board."""
    return body.get(_PORT) == _NO_BOARD


def setup_of(body: Mapping[str, Any]) -> Setup:
    """Read what `header` wrote; raise `KeyError`, `TypeError` or `ValueError` for anything else."""
    seats = tuple(Seat(**seat) for seat in body["seats"])
    texts = [body["game"], *(text for seat in seats for text in asdict(seat).values())]
    if not all(isinstance(text, str) and text for text in texts) or type(body["rules"]) is not int:
        raise TypeError("a seat, the game or its rules are not what they must be")
    options, box = body["options"], body.get("components", {})
    tables = isinstance(options, dict) and isinstance(box, dict)
    if not tables or not all(isinstance(one, str) for one in options.values()):
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
        raise ValueError(
            f"its first entry names no game that can be read here ({problem})"
        ) from problem
    try:
        game = open_game(setup.game)
    except GameUnusable as problem:
        raise GameMissing(str(problem).removesuffix(".")) from problem
    except ValueError as problem:
        why = (
            f"its game {clean(setup.game)!r} is not installed here; install the package it came in"
        )
        raise GameMissing(why) from problem
    if setup.rules_version not in (*game.older_versions, game.rules_version):
        raise ValueError(
            f"it was played under version {setup.rules_version} of the rules of {game.title}, and this companion knows "
            f"version {game.rules_version}: open it with the companion it was made with"
        )
    try:
        game.start(setup)
        unsaid = with_all_options(game, setup).options.keys() - setup.options.keys()
    except (
        Refused,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ) as problem:  # a box may hold anything
        raise ValueError(
            f"its first entry names no game that can be read here ({problem})"
        ) from problem
    if unsaid:
        raise ValueError(
            f"it does not say by which {min(unsaid)} it was played, and a default of today may be another"
        )
    return game, setup


def non_default_options(setup: Setup) -> dict[str, str]:
    """Return the options that differ from the defaults of the game; all of them if the game is not installed."""
    game = open_game(setup.game) if setup.game in GAMES else None
    defaults = {} if game is None else in_force({}, game.house_rules, game.numbers)
    return {name: value for name, value in setup.options.items() if defaults.get(name) != value}
