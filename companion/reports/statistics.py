"""Statistics over many sessions: what each person did in each game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.exits import CommandError
from companion.journal.sessions import list_sessions
from companion.reports.bgstats import play_id
from companion.reports.games import Figures, report_of
from companion.reports.record import IncompleteError, Record, read_record
from companion.rules.columns import clean, row, width


@dataclass(frozen=True, slots=True)
class Person:
    """A person (a name, whatever its case) in a game: in how many sessions, and what in all of them."""

    name: str
    game: str
    sessions: int
    figures: Figures

    @property
    def draws_per_min(self) -> float | None:
        """Draws a minute in rounds whose length is known; None when there is none."""
        figures = self.figures
        return None if figures.timed_us <= 0 else figures.timed_draws * 60_000_000 / figures.timed_us


class ReadableSessions(NamedTuple):
    """Sessions that can be read, the oldest first, a sentence for each that cannot or that is an import of another, and
    whether one was left out because it lacks what was saved once."""

    records: list[Record]
    problems: list[str]
    incomplete: bool


def read_records(folder: Path, *, anyway: bool = False) -> ReadableSessions:
    """Return what there is in `folder`; `anyway`: see `read_record`."""
    incomplete = False
    records: dict[str, Record] = {}
    problems: list[str] = []
    for info in reversed(list_sessions(folder)):
        try:
            record = read_record(info.path, anyway=anyway)
        except CommandError as problem:
            incomplete = incomplete or isinstance(problem, IncompleteError)
            problems.append(f"Skipped: {problem}")
            continue
        if record.lacking:
            problems.append(f"Counted as far as it goes: {record.lacking}")
        same = records.setdefault(play_id(record), record)
        if same is not record:
            problems.append(f"Skipped: {info.path} and {same.name} are one session: the longer record counts.")
            records[play_id(record)] = max(same, record, key=lambda one: len(one.entries))
    return ReadableSessions(list(records.values()), problems, incomplete)


def people(records: Iterable[Record]) -> tuple[Person, ...]:
    """Return what each person did, by name and game; a person is called as in the last session."""
    found: dict[tuple[str, str], Person] = {}
    for record in records:
        figures = report_of(record).figures(record)
        for seat in record.setup.seats:
            key = (seat.name.casefold(), record.setup.game)
            before = found.get(key, Person(seat.name, record.setup.game, 0, Figures()))
            together = _together(before.figures, figures[seat.id])
            found[key] = replace(before, name=seat.name, sessions=before.sessions + 1, figures=together)
    return tuple(found[key] for key in sorted(found))


def _together(one: Figures, two: Figures) -> Figures:
    faster = min((one, two), key=lambda figures: (figures.fastest_us is None, figures.fastest_us))
    return Figures(
        rounds_won=one.rounds_won + two.rounds_won,
        games_won=one.games_won + two.games_won,
        eliminations=one.eliminations + two.eliminations,
        draws=one.draws + two.draws,
        timed_draws=one.timed_draws + two.timed_draws,
        timed_us=one.timed_us + two.timed_us,
        fastest_us=faster.fastest_us,
        fastest_pm=faster.fastest_pm,
        from_lamp=faster.from_lamp,
    )


_HEAD = ("name", "game", "sessions", "rounds", "games", "out", "fastest s", "draws/min")
_WIDTHS = (17, 12, 8, 6, 5, 4, 10, 9)


def table(persons: Sequence[Person], *, whole: bool = False) -> str:
    """Return the statistics as a plain table of at most 80 columns, wider where names are to stay `whole`."""
    if not persons:
        return "There is no session with anybody in it yet.\n"
    cells = [_HEAD, *(_cells(person) for person in persons)]
    name, game = (max(width(one[column]) for one in cells) if whole else _WIDTHS[column] for column in (0, 1))
    lines = [*(row(one, (name, game, *_WIDTHS[2:])) for one in cells), "", *_NOTES]
    return "\n".join(lines) + "\n"


_NOTES = (
    "rounds and games: won. out: seats put out. fastest: from fire! as recorded, or *",
    "from the board's lamp, to the own first shot; by a board's clock only.",
    "draws/min: in rounds of known length. ?: unknown.",
)


def _cells(person: Person) -> tuple[str, ...]:
    figures = person.figures
    lamp = "*" if figures.from_lamp else ""
    fastest = "?" if figures.fastest_us is None else f"{figures.fastest_us / 1_000_000:.4f}{lamp}"
    rate = "?" if person.draws_per_min is None else f"{person.draws_per_min:.1f}"
    won = (str(person.sessions), str(figures.rounds_won), str(figures.games_won), str(figures.eliminations))
    return (clean(person.name), clean(person.game), *won, fastest, rate)


def _zero(figures: Figures) -> str:
    return "lamp" if figures.from_lamp else "fire"


def as_json(persons: Sequence[Person]) -> list[dict[str, Any]]:
    """Return the statistics as plain JSON values; None where something is unknown, times in microseconds."""
    return [
        {
            "name": person.name,
            "game": person.game,
            "sessions": person.sessions,
            "rounds_won": person.figures.rounds_won,
            "games_won": person.figures.games_won,
            "eliminations": person.figures.eliminations,
            "draws": person.figures.draws,
            "draws_per_min": person.draws_per_min,
            "fastest_shot_us": person.figures.fastest_us,
            "fastest_shot_pm_us": None if person.figures.fastest_us is None else person.figures.fastest_pm,
            "fastest_shot_from": None if person.figures.fastest_us is None else _zero(person.figures),
        }
        for person in persons
    ]
