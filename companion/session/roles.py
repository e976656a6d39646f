"""The roles of browser pages that act for the table, and what each may do.

A role decides what its page may *do*. What it may *see* is the same for all: the game's view for the
whole table.
"""

from __future__ import annotations

from enum import Enum, StrEnum


class Doing(StrEnum):
    """The kinds of things that a page can ask the table to do."""

    STEP = "step"
    """An action of the game, such as a hit or a card."""
    FACT = "fact"
    """A fact from a form, recorded as happening now."""
    NUMBER = "number"
    """A number in the grid of scores."""
    UNDO = "undo"
    """Undo, or redo."""
    CORRECTION = "correction"
    """Delete, restore, change or insert something earlier."""
    PAUSE = "pause"
    """Stop the game's clock, or start it again."""
    CONSENT = "consent"
    """Answer a question that only the people at the table can answer."""
    PROPOSAL = "proposal"
    """Record or drop what the companion proposes."""
    BOARD = "board"
    """Try the board's lamp and buzzer, test it, and calibrate it."""
    SESSION = "session"
    """The next game, the end of this one, and the checklist."""


class Role(Enum):
    """What a page is for. `title` names it, `job` says in one sentence what its person does, and `may`
    is what it can do."""

    TABLE = (
        "table",
        "Runs the game: everything but the program's own settings.",
        frozenset(Doing),
    )
    REFEREE = (
        "referee",
        "Enters rulings, and answers questions.",
        frozenset({Doing.STEP, Doing.PAUSE, Doing.CONSENT, Doing.PROPOSAL}),
    )
    SCORES = ("scores", "Types the numbers of all players.", frozenset({Doing.NUMBER}))
    BOARD = ("board", "Watches, tests and calibrates the board.", frozenset({Doing.BOARD}))
    WALL = ("wall", "Shows the game to everybody in the room.", frozenset[Doing]())

    title: str
    job: str
    may: frozenset[Doing]

    def __init__(self, title: str, job: str, may: frozenset[Doing]) -> None:
        self.title, self.job, self.may = title, job, may


def role_named(title: str) -> Role | None:
    """Return the role with this title, or None."""
    for role in Role:
        if role.title == title:
            return role
    return None
