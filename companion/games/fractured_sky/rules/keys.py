"""The keyboard of Fractured Sky as data: ten keys that answer what is asked, and one for each step of the table."""

from __future__ import annotations

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
