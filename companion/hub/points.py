"""The points of an event and of a league: what a placing, a win or a score is worth, as the organiser's file says."""

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
    """A number as it was written: floats would rank people by what a computer cannot write down."""
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise ValueError('points are whole numbers, or fractions in quotes like "1/2"')
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError) as problem:
        raise ValueError(f'{value!r} is no number: write 3, or "1/2"') from problem


Points = Annotated[Fraction, BeforeValidator(_exactly)]


class Worth(BaseModel):
    """What is worth how much. Without a file: 4, 3, 2, 1 for the places, ties share, all games count."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    placing: Annotated[tuple[Points, ...], Field(min_length=1, max_length=20)] = tuple(
        map(Fraction, (4, 3, 2, 1))
    )
    ties: Literal["share", "all"] = "share"
    """Those who share a place share the points of the places they take up, or each get those of the best."""
    win: Points = Fraction(0)
    taking_part: Points = Fraction(0)
    score: Points = Fraction(0)
    """Points for each point of the game's own score."""
    best: Annotated[int, Field(ge=0, le=1000)] = 0
    """How many of a player's games count, the best ones; 0: all."""
    tie_breaks: tuple[Criterion, ...] = ("wins", "best placing")
    """What decides between equal points, in this order; who is equal in all of them shares the rank."""

    def for_placing(self, place: int, sharing: int) -> Fraction:
        """Return what each of `sharing` players at place `place` gets for it; places count from 1."""
        worth = self.placing[place - 1 : place - 1 + sharing] or (Fraction(0),)
        return worth[0] if self.ties == "all" else sum(worth, Fraction(0)) / sharing


class LeagueRules(Worth):
    """What an event is worth in the league: ranks are its places, points its scores. Where the file says nothing: just
    the points, all events count."""

    placing: Annotated[tuple[Points, ...], Field(min_length=1, max_length=20)] = (Fraction(0),)
    score: Points = Fraction(1)


class PointsRules(Worth):
    """What a game is worth in its event, and what the event is worth in the league."""

    awards: tuple[Literal["best score", "most wins", "most games"], ...] = ()
    """What is awarded beside the ranks; shown when the organiser releases it."""
    league: LeagueRules = LeagueRules()


def read_points(path: Path | None) -> PointsRules:
    """Return the rules in that file, or those without one; raise `CommandError` that names what is wrong."""
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
    known = ", ".join((LeagueRules if where.startswith("league.") else PointsRules).model_fields)
    if errors[0]["type"] == "extra_forbidden":
        return f"{where} is nothing that points are made of. There is {known}."
    why = str(errors[0]["msg"]).removeprefix("Value error, ").replace("Input should", "it should")
    return f"{where}: {why}."
