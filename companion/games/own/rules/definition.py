"""The data file of a game: its fields, and what each means."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

FORMATS: Final = (1, 2)
MOST_SEATS: Final = {1: 6, 2: 12}
"""The most players of each format."""
MOST_OF_A_KIND: Final = 40
"""The most counters, and as many inputs, checks and other tables of one kind."""
LARGEST: Final = 1_000_000
TURN_ENDS, BUST, ROUND_ENDS, CLOCK_STARTS = "turn ends", "bust", "round ends", "clock starts"
DEEDS: Final = (TURN_ENDS, BUST, ROUND_ENDS, CLOCK_STARTS)
"""What an input can do besides counting."""
ROUND, PLAYERS, TURNS, ADDS, SCORE = "round", "players", "turns", "adds", "score"
"""Names that expressions of every file may use: the number of the round, how many play, a player's turns in this
round, the additions of this turn, and the score."""
_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def _plain(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("characters that can be printed, and no space at an end")
    return text


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("small letters, digits, hyphens")
    return text


Words = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_plain)]
Sentence = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_plain)]
Formula = Annotated[str, Field(max_length=400)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,19}$")]
ClauseId = Annotated[str, Field(pattern=r"^[A-Z]{1,4}-[0-9]{1,3}$")]
Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]


class _Part(BaseModel):
    # a misspelt field is a fault, and "1" is no number
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class Counter(_Part):
    """A number for each player (`seat`) or one for the `table`, beginning at `start`, within `least` and `most`.

    It is reset with each turn or round, or lasts the game. A `secret` one is shown to its player alone
    until the round ends. One to be used `once` is counted or set once until it is reset (format 2).
    """

    title: Words
    of: Literal["seat", "table"] = "seat"
    start: Whole = 0
    least: Whole | None = None
    most: Whole | None = None
    lasts: Literal["turn", "round", "game"] = "game"
    secret: bool = False
    once: bool = False


class Input(_Part):
    """A button, key or shot and what it does: `does` names a counter, to which `by` is added, or one of `DEEDS`.

    With `sets` the counter is set to that number instead (format 2). `for` is `own` if each player
    has a button and a key, `turn` for the player whose turn it is, `table` for nobody. `on` is what
    the board reads besides the key: a `tap` or `hold` of a button, a `shot` or a `dry pull`; `zone`
    is the button of an input that is not each player's own. The footer shows `label` in at most
    twelve characters, else `title`, or what it does.
    """

    title: Words
    label: Words = ""
    does: str
    by: Whole = 1
    sets: Whole | None = None
    whose: Literal["own", "turn", "table"] = Field(default="own", alias="for")
    on: Literal["key", "tap", "hold", "shot", "dry pull"] = "key"
    zone: int | None = Field(default=None, ge=1, le=10)
    key: str | None = Field(default=None, pattern=r"^[a-z0-9]$|^space$|^enter$")


class RoundKind(_Part):
    """Rounds of one kind: so many `times`, or until the game is over if 0.

    They end by an input, when everybody has had a turn (`turns`), or `when` an expression holds
    (format 2).
    """

    title: Words
    times: int = Field(default=0, ge=0, le=1000)
    ends: Literal["input", "turns", "when"] = "input"
    when: Formula = ""


class Check(_Part):
    """A condition that has to hold when a round ends, or `always`, so that nothing is counted which breaks it.

    Its name is the clause; `says` is the sentence of the refusal.
    """

    says: Sentence
    when: Formula
    asked: Literal["round", "always"] = "round"


class Switch(_Part):
    """A house rule, yes or no; in an expression its name is 1 for yes."""

    title: Words
    default: Literal["no", "yes"] = "no"


class TurnRules(_Part):
    """Turns, clockwise around the table.

    A turn ends by itself when `ends` holds. When `bust` holds, everything counted in the turn is
    taken back, and it ends.
    """

    ends: Formula = ""
    bust: Formula = ""


class Elimination(_Part):
    """The players for whom `when` holds are out of the game: after anything counted (`always`), or
    at a round's end (format 2)."""

    when: Formula
    asked: Literal["round", "always"] = "always"


class Clock(_Part):
    """A time limit of `seconds` for a turn, a round or the game (`of`), and what ends `then`: the
    turn, the round or the game."""

    seconds: int = Field(ge=1, le=86_400)
    of: Literal["turn", "round", "game"] = "game"
    then: Literal["turn", "round", "game"] = "game"


class Example(_Part):
    """A game that was played: the players, a line for each step, and the result.

    `SEAT COUNTER NUMBER` adds, `SEAT COUNTER = NUMBER` sets (`table` for a counter of the table);
    the other lines are `turn ends`, `bust`, `round ends`, `clock starts` and `time is up`.
    """

    seats: tuple[Words, ...]
    options: dict[str, Literal["no", "yes"]] = Field(default_factory=dict)
    plays: tuple[Sentence, ...] = Field(max_length=500)
    scores: tuple[int, ...]
    winners: tuple[Words, ...] | None = None
    """None if the game is not over yet."""


class Definition(_Part):
    """A game.

    `seats` are the fewest and the most players. `score` is each player's score at any time; `over`
    ends the game, asked at the end of each round or `always`. `won` says whether players who win
    `together` did. `ties` are compared in turn where scores are equal; more is better. With `teams`
    so many teams play, sitting in turn around the table (format 2).
    """

    format: Literal[1, 2]
    id: Annotated[str, Field(min_length=2, max_length=20), AfterValidator(_id)]
    title: Words
    does: Sentence
    credits: Sentence = "Written in a file of its own."
    seats: tuple[int, int]
    teams: int | None = Field(default=None, ge=2, le=6)
    unit: Words = "points"
    wins: Literal["highest", "lowest", "together"] = "highest"
    score: Formula
    over: Formula = ""
    asked: Literal["round", "always"] = "round"
    won: Formula = ""
    ties: tuple[Formula, ...] = Field(default=(), max_length=4)
    counters: dict[Name, Counter] = Field(min_length=1, max_length=MOST_OF_A_KIND)
    values: dict[Name, Formula] = Field(default_factory=dict, max_length=MOST_OF_A_KIND)
    inputs: dict[Name, Input] = Field(default_factory=dict, max_length=MOST_OF_A_KIND)
    rounds: dict[Name, RoundKind] = Field(default_factory=dict, max_length=MOST_OF_A_KIND)
    checks: dict[ClauseId, Check] = Field(default_factory=dict, max_length=MOST_OF_A_KIND)
    options: dict[Name, Switch] = Field(default_factory=dict, max_length=8)
    turn: TurnRules | None = None
    out: Elimination | None = None
    clock: Clock | None = None
    examples: dict[Name, Example] = Field(min_length=1, max_length=MOST_OF_A_KIND)

    @property
    def counts(self) -> range:
        """The possible numbers of players."""
        return range(self.seats[0], self.seats[1] + 1)

    @property
    def secrets(self) -> dict[str, Counter]:
        """The counters that are shown to one player alone until a round ends."""
        return {name: counter for name, counter in self.counters.items() if counter.secret}
