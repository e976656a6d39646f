"""Points of an event and of a league, by the organiser's file: for a placing, a win or a score."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from companion.errors import CommandError, ErrorKind, reading
from companion.journal.disk import read_regular
from companion.rules.plain_toml import NotToml, read_toml

LARGEST_FILE: Final = 1 << 16  # bytes
Criterion = Literal["wins", "best placing", "score", "games"]


def _exactly(value: Any) -> Fraction:
    """Return a number exactly as written: rounding in floats could decide a rank."""
    # true is an int in Python, and a float has lost what was written
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise ValueError('points are whole numbers, or fractions in quotes like "1/2"')
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as problem:
        raise ValueError(f'{value!r} is no number: write 3, or "1/2"') from problem


Points = Annotated[Fraction, BeforeValidator(_exactly)]


class Worth(BaseModel):
    """The points for each thing. Without a file: 4, 3, 2, 1 for the places, ties share, all games count."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    placing: Annotated[tuple[Points, ...], Field(min_length=1, max_length=20)] = tuple(
        map(Fraction, (4, 3, 2, 1))
    )
    ties: Literal["share", "all"] = "share"
    """`share`: players in one place share the points of the places they take up; `all`: each gets the best of those."""
    win: Points = Fraction(0)
    taking_part: Points = Fraction(0)
    score: Points = Fraction(0)
    """Points for each point of the game's own score."""
    best: Annotated[int, Field(ge=0, le=1000)] = 0
    """Number of a player's best games that count; 0: all."""
    tie_breaks: tuple[Criterion, ...] = ("wins", "best placing")
    """Criteria between equal points, in order; players equal in all of them share the rank."""

    def for_placing(self, place: int, sharing: int) -> Fraction:
        """Return the points of each of `sharing` players in place `place`, counted from 1."""
        # places beyond the list are worth nothing
        worth = self.placing[place - 1 : place - 1 + sharing] or (Fraction(0),)
        if self.ties == "all":
            return worth[0]
        return sum(worth, Fraction(0)) / sharing


class LeagueRules(Worth):
    """The points of an event in the league, where ranks are places and points are scores. By default an event counts
    its points, and all events count."""

    placing: Annotated[tuple[Points, ...], Field(min_length=1, max_length=20)] = (Fraction(0),)
    score: Points = Fraction(1)


class PointsRules(Worth):
    """The points of a game in its event, and of the event in the league."""

    awards: tuple[Literal["best score", "most wins", "most games"], ...] = ()
    """Awards beside the ranks; shown once the organiser releases them."""
    league: LeagueRules = LeagueRules()


def read_points(path: Path | None) -> PointsRules:
    """Return the rules of a file, or the defaults without one; raise `CommandError`, which names the mistake."""
    if path is None:
        return PointsRules()
    with reading(path):
        text = read_regular(path, LARGEST_FILE).decode("utf-8-sig")
    try:
        return PointsRules(**read_toml(text))
    except NotToml as problem:
        raise CommandError(f"{path}: {problem}.", ErrorKind.DATA) from problem
    except ValidationError as problem:
        raise CommandError(f"{path}: {_first(problem.errors())}", ErrorKind.DATA) from problem


def _first(errors: Sequence[Any]) -> str:
    where = ".".join(map(str, errors[0]["loc"])) or "the file"
    rules = LeagueRules if where.startswith("league.") else PointsRules
    known = ", ".join(rules.model_fields)
    if errors[0]["type"] == "extra_forbidden":
        return f"{where} is nothing that points are made of. There is {known}."
    why = str(errors[0]["msg"]).removeprefix("Value error, ").replace("Input should", "it should")
    return f"{where}: {why}."
