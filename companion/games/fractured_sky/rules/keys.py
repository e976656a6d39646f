"""The keyboard of Fractured Sky as data: ten keys that answer what is asked, one for each step of the table; and one
numbering for keys, zone buttons and the map: regions in the order of the box, a platform by the number on the map, a
Hidden card by its place on the tray."""

from __future__ import annotations

from companion.games.fractured_sky.rules.board import Board, CardKind, PlatformId
from companion.rules.actions import Action, named, named_by, named_run
from companion.rules.game import Setup

PREFIX = "fractured-sky."
ANSWERS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0")
GAME = "game"
_HELP = "Answer number {n}: a region, a turn slot, a player, or one of several places, as asked (FS-8)."

_STEPS = (
    Action(f"{PREFIX}next", ("n", "space"), "next", "An AI's next step: shuffle, card, move made (FS-34).", GAME, True),
    Action(f"{PREFIX}cannot", ("k",), "cannot", "An AI's move cannot be made: the next place (FS-34).", GAME, True),
    Action(f"{PREFIX}end", ("e",), "end round", "The regions resolve; the board is cleaned up (FS-29).", GAME, True),
)


key_of = named_by(PREFIX, _STEPS)
"""The key that does one of these, for a sentence."""


def answer_key(place: int) -> str:
    """The key that answers number `place`, from 1, for a sentence."""
    return named(f"{PREFIX}answer.{place}", ANSWERS[place - 1])


def answer_keys(count: int) -> str:
    """The keys that answer the numbers from 1 to `count`, ten at most, for a sentence: `1 to 8`."""
    own = {f"{PREFIX}answer.{place}": key for place, key in enumerate(ANSWERS[:count], start=1)}
    words = "1" if count == 1 else f"1 to {count}" if count < len(ANSWERS) else "1 to 9, 0"
    return named_run(own, words)


def actions(_setup: Setup) -> tuple[Action, ...]:
    """Return what the keyboard can do; builds, scouting and powers are entered as facts."""
    answers = tuple(
        Action(f"{PREFIX}answer.{place}", (key,), f"answer {key}", _HELP.format(n=key), "answers", place == 1)
        for place, key in enumerate(ANSWERS, start=1)
    )
    return (
        *answers,
        *_STEPS,
    )


def platform_numbers(board: Board) -> dict[PlatformId, int]:
    """Return each platform's number: its own name where that is a number with a key, else the first one left over."""
    own = {each.id: int(each.id) for each in board.platforms if each.id in ANSWERS[:-1] or each.id == str(len(ANSWERS))}
    left = iter(number for number in range(1, len(board.platforms) + len(ANSWERS) + 1) if number not in own.values())
    return {each.id: own[each.id] if each.id in own else next(left) for each in board.platforms}


def number_of(board: Board, kind: CardKind, target: str) -> int:
    """Return the number of a place that an AI's card may go to."""
    if kind in ("airship", "skimmer"):
        return board.ids.index(target) + 1
    return int(target) if kind == "scout" else platform_numbers(board)[target]
