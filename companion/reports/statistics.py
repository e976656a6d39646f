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
from companion.reports.times import Times, times_plots, times_table
from companion.rules.columns import clean, row, width
from companion.rules.game import Seat
from companion.rules.seats import GLYPHS, PALETTE
from companion.rules.spans import RATE_FROM, per_minute, seconds
from companion.session.score_history import Course, ScoreStep


@dataclass(frozen=True, slots=True)
class Person:
    """A person (a name, whatever its case) in a game: in how many sessions, what in all of them, and for each game that
    came to its end, the oldest first, whether it was won."""

    name: str
    game: str
    sessions: int
    figures: Figures
    results: tuple[bool, ...] = ()

    @property
    def win_rate(self) -> float | None:
        """The share of the finished games that was won, from 0 to 1; None for fewer than `RATE_FROM`."""
        return None if len(self.results) < RATE_FROM else sum(self.results) / len(self.results)

    @property
    def streaks(self) -> tuple[int, int]:
        """How many games were won one after the other: up to the last one, and at most."""
        runs = [0]
        for won in self.results:
            runs.append(runs[-1] + 1 if won else 0)
        return runs[-1], max(runs)

    @property
    def draws_per_min(self) -> float | None:
        """Draws a minute in rounds whose length is known; None for fewer than `RATE_FROM` draws."""
        figures = self.figures
        return per_minute(figures.timed_draws, figures.timed_us)


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
            report_of(record)  # a game whose report cannot be imported costs the others nothing
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
        figures, over = report_of(record).figures(record), record.game.over(record.state)
        for seat in record.setup.seats:
            key = (seat.name.casefold(), record.setup.game)
            before = found.get(key, Person(seat.name, record.setup.game, 0, Figures()))
            together = _together(before.figures, figures[seat.id])
            results = (*before.results, bool(figures[seat.id].games_won)) if over else before.results
            found[key] = replace(
                before, name=seat.name, sessions=before.sessions + 1, figures=together, results=results
            )
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
        times={what: one.times.get(what, ()) + two.times.get(what, ()) for what in (*one.times, *two.times)},
    )


_HEAD = ("name", "game", "won", "rate", "streak", "rounds", "elim.", "fastest s", "draws/min")
_WIDTH = 80  # columns


def table(persons: Sequence[Person], *, whole: bool = False) -> str:
    """Return the statistics as a plain table of at most 80 columns, wider where names are to stay `whole`."""
    if not persons:
        return "There is no session with anybody in it yet.\n"
    cells = [_HEAD, *(_cells(person) for person in persons)]
    name, *others = (max(width(one[column]) for one in cells) for column in range(len(_HEAD)))
    if not whole:
        name = min(name, _WIDTH - sum(others) - len(others))
    lines = [*(row(one, (name, *others)) for one in cells), "", *_NOTES]
    return "\n".join(lines) + "\n" + times_table(_times(persons))


def _times(persons: Sequence[Person]) -> Times:
    return {(person.name, what): spans for person in persons for what, spans in person.figures.times.items()}


_NOTES = (
    f"won: of the games that came to their end; rate: from {RATE_FROM} of them on.",
    "streak: games won in a row, now/at most. rounds: won. elim.: eliminated others.",
    "fastest: from fire! as recorded, or * from the board's lamp, to the own first",
    f"shot; by a board's clock only. draws/min: from {RATE_FROM} draws on, in rounds of known",
    "length. ?: unknown.",
)


def _cells(person: Person) -> tuple[str, ...]:
    figures = person.figures
    lamp = "*" if figures.from_lamp else ""
    fastest = "?" if figures.fastest_us is None else seconds(figures.fastest_us, figures.fastest_pm).replace(" s", lamp)
    pace = "?" if person.draws_per_min is None else f"{person.draws_per_min:.1f}"
    rate = "?" if person.win_rate is None else f"{person.win_rate:.0%}"
    won = (f"{sum(person.results)} of {len(person.results)}", rate, "{}/{}".format(*person.streaks))
    rest = (str(figures.rounds_won), str(figures.eliminations), fastest, pace)
    return (clean(person.name), clean(person.game), *won, *rest)


def plots(persons: Sequence[Person]) -> str:
    """Return the wins and the times as plots in characters."""
    return wins_plots(persons) + times_plots(_times(persons), _WIDTH)


def wins_plots(persons: Sequence[Person]) -> str:
    """Return for each game in which games came to their end how often each person had won after each of the own ones,
    as a plot in characters: the people who won most often, as many as there are colors."""
    from companion.dashboard.plots.scores import score_plot  # the terminal library

    lines: list[str] = []
    for game in dict.fromkeys(person.game for person in persons if person.results):
        those = sorted((one for one in persons if one.game == game), key=lambda one: -sum(one.results))[: len(PALETTE)]
        signs = enumerate(
            zip(those, PALETTE.values(), GLYPHS, strict=False)
        )  # names may look alike: no seats refuse them
        seats = [Seat(str(place), clean(person.name), color, glyph, "") for place, (person, color, glyph) in signs]
        games = range(1, max(len(person.results) for person in those) + 1)
        wins = [tuple(sum(person.results[:played]) for person in those) for played in games]
        steps = tuple(ScoreStep(played, "", (), after) for played, after in zip(games, wins, strict=True))
        plot = score_plot(Course(tuple(seat.id for seat in seats), steps), seats, _WIDTH, unit="game")
        lines += ["", f"{clean(game)}: games won", *(line.plain.rstrip() for line in plot)]
    return "\n".join((*lines, "")) if lines else ""


def _zero(figures: Figures) -> str:
    return "lamp" if figures.from_lamp else "fire"


def as_json(persons: Sequence[Person]) -> list[dict[str, Any]]:
    """Return the statistics as plain JSON values; None where something is unknown, times in microseconds."""
    return [
        {
            "name": person.name,
            "game": person.game,
            "sessions": person.sessions,
            "games_finished": len(person.results),
            "win_rate": person.win_rate,
            "streak_now": person.streaks[0],
            "streak_longest": person.streaks[1],
            "rounds_won": person.figures.rounds_won,
            "games_won": person.figures.games_won,
            "eliminations": person.figures.eliminations,
            "draws": person.figures.draws,
            "draws_per_min": person.draws_per_min,
            "fastest_shot_us": person.figures.fastest_us,
            "fastest_shot_pm_us": None if person.figures.fastest_us is None else person.figures.fastest_pm,
            "fastest_shot_from": None if person.figures.fastest_us is None else _zero(person.figures),
            "times": {
                what: [{"us": span.us, "pm_us": span.pm} for span in spans]
                for what, spans in person.figures.times.items()
            },
        }
        for person in persons
    ]
