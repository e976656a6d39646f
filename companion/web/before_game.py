"""What the pages before a game can do, and the forms that people send from them, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from companion.board.runs import BoardRuns
from companion.box.entry import BoxEntry
from companion.dashboard.start.choices import AUTO, NONE, VIRTUAL, NewGame, Past
from companion.dashboard.start.plan import boxes_of, refused, rules_of
from companion.rules.actions import on_page
from companion.rules.facts import Refused
from companion.rules.names import split_names
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import require_distinct_people, seats_from_names
from companion.teach.finding import Taught

PORTS = (AUTO, VIRTUAL, NONE)
RULE, NUMBER, SEAT = "rule-", "number-", "seat-"
"""How the names of a form's fields begin, before the name of the house rule or number, or the place."""
MOST_DIGITS = 9
"""Of a number in a form; Python converts no text of more than 4,300 digits."""

Form = Mapping[str, str]


class BeforeGame(Protocol):
    """What can be done before a game. Any thread may call it; what takes long returns when it is done."""

    @property
    def can_quit(self) -> bool:
        """Whether a page may end the program."""

    @property
    def board(self) -> BoardRuns | None:
        """The selftest and the calibration of the board; None without one."""

    @property
    def is_over(self) -> bool:
        """Whether a game was chosen or the program ends, so that these pages end, too."""

    def past(self) -> Sequence[Past]:
        """Return the sessions, the one played last first."""

    def unread(self) -> str:
        """Return what went wrong, or a sentence about sessions that cannot be read; empty if there are none."""

    def first_choice(self, game_id: str) -> NewGame:
        """Return a game as it is usually played here; raise `GameUnusable`."""

    def known_names(self) -> Sequence[str]:
        """Return the names of everybody who played before."""

    def begin(self, game: NewGame) -> str:
        """Begin a game; return why that is impossible, or an empty string."""

    def resume(self, path: Path) -> str:
        """Continue a session; return why that is impossible, or an empty string."""

    def lessons(self) -> Sequence[Taught]:
        """Return what can be learned, with where a lesson was left."""

    def learn(self, name: str, *, anew: bool = False) -> str:
        """Begin a lesson, or continue it if it was left and is not to begin `anew`; return why that is impossible, or
        an empty string."""

    def box(self, game_id: str) -> BoxEntry:
        """Return the facts of a game's box that its owner is asked for; raise `CommandError`."""

    def report(self, path: Path) -> str:
        """Return the report of a session as a page; raise `CommandError`."""

    def statistics(self) -> str:
        """Return the statistics over all sessions as a page; raise `CommandError`."""

    def quit(self) -> None:
        """End the program."""


def game_of(usual: NewGame, form: Form) -> tuple[NewGame, str]:
    """Return the game that a form asks for, and why it cannot begin like this, or an empty string. `usual` is the one
    that its page offered: no form can name another port."""
    game_id = usual.game
    port = form.get("port", "")
    if port not in PORTS:
        port = usual.port or AUTO
    game = NewGame(game_id, _names_in(game_id, form), {}, form.get("box", ""), port)
    if game.box not in {box.value for box in boxes_of(game_id)}:
        game.box = str(boxes_of(game_id)[0].value)
    for rule in rules_of(game_id):
        choice = form.get(f"{RULE}{rule.name}", rule.default)
        if choice in rule.alternatives and choice != rule.default:
            game.rules[rule.name] = choice
    for number in open_game(game_id).numbers:
        typed = form.get(f"{NUMBER}{number.name}", "").strip() or str(number.default)
        value = _whole(typed)
        if value is None or value > number.most:
            return game, f"{number.called}: type a whole number from 0 to {number.most}."
        if value != number.default:
            game.rules[number.name] = str(value)
    return game, _why_not(game)


def _whole(typed: str) -> int | None:
    """Return a whole number, None if it is none, or longer than one that anybody would type."""
    if len(typed) > MOST_DIGITS or not (typed.isascii() and typed.isdecimal()):
        return None
    return int(typed)


def _names_in(game_id: str, form: Form) -> list[str]:
    """Return the names in the form; several in one field are several people."""
    names = []
    for place in range(GAMES[game_id].seats[-1]):
        names += [name for name in split_names(form.get(f"{SEAT}{place + 1}", "")) if name]
    return names


def _why_not(game: NewGame) -> str:
    info = GAMES[game.game]
    try:
        require_distinct_people(game.seats)
        seats_from_names(game.seats)
    except Refused as refusal:
        return on_page(refusal.spoken(game.seats))
    if len(game.seats) not in info.seats:
        return f"This game needs {info.player_count}; you named {len(game.seats)}."
    return refused(game) or ""
