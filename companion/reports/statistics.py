"""Statistics over many sessions: what each person did in each game, and which sessions were tests."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.display.panels import panels_of
from companion.errors import CommandError
from companion.journal.ends import End, Standing, ends_among
from companion.journal.sessions import SessionInfo, list_sessions
from companion.reports.bgstats import play_id
from companion.reports.games import FigureColumn, Figures, known_columns, report_of
from companion.reports.record import IncompleteError, Record, read_record
from companion.rules.columns import clean, row, width, wrap
from companion.rules.comparing import ENOUGH, Trend, trend
from companion.rules.components import box_of
from companion.rules.facts import Seat, SeatId
from companion.rules.lesson_field import lesson_in
from companion.rules.names import person_key
from companion.rules.pauses import Span
from companion.rules.registry import DEFINITION_KEY, GAMES, games_of_others
from companion.rules.seats import GLYPHS, PALETTE
from companion.rules.spans import RATE_FROM, error_us, per_minute, seconds
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.two_ends import in_words

_TEST_IN_NAME = re.compile(r"\btests?\b", re.IGNORECASE)  # as a whole word: a contest is no test
IMPORTED = "imported"  # the header field with the origin of an imported session
_EXAMPLE_OPTION = ("map", "example")  # a house rule that plays a made-up box
Times = Mapping[tuple[str, str], tuple[Span, ...]]
"""(name, what was timed) -> all times in order."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person's figures in one game, over all their sessions.

    People are matched by name, ignoring case; a game by its id, or for a game from a file by its
    title, whatever the rest of the file. `results` has, oldest first, whether each finished game
    was won. `columns` are the game's own ones of the table.
    """

    name: str
    game: str
    sessions: int
    figures: Figures
    results: tuple[bool, ...] = ()
    columns: tuple[FigureColumn, ...] = ()

    @property
    def win_rate(self) -> float | None:
        """The share of finished games that was won, 0 to 1; None for fewer than `RATE_FROM`."""
        if len(self.results) < RATE_FROM:
            return None
        return sum(self.results) / len(self.results)

    @property
    def streaks(self) -> tuple[int, int]:
        """The number of games won in a row: at present, and at most."""
        now = longest = 0
        for won in self.results:
            now = now + 1 if won else 0
            longest = max(longest, now)
        return now, longest

    @property
    def draws_per_min(self) -> float | None:
        """Draws a minute in rounds of known length; None for fewer than `RATE_FROM` draws."""
        figures = self.figures
        return per_minute(figures.timed_draws, figures.timed_us)


class ReadableSessions(NamedTuple):
    """The readable sessions, oldest first, with a sentence for each one not counted.

    `incomplete` is whether one was left out because saved entries are missing, or because its game
    hangs.
    """

    records: list[Record]
    problems: list[str]
    incomplete: bool


def why_trial(record: Record, virtual_uid: int | None) -> str:
    """Return why the session is a test and not a game to count, or "".

    It is one if its name has the word test, if it was played on the virtual board (with the number
    `virtual_uid`, None if this user has none), or with a made-up box.
    """
    if _TEST_IN_NAME.search(record.name):
        return "its name says test"
    if virtual_uid is not None:
        uid = f"{virtual_uid:016x}"
        hellos = (entry for entry in record.entries if entry.kind == "hello")
        if any(hello.body.get("uid") == uid for hello in hellos):
            return "it was played on the virtual board"
    option, example = _EXAMPLE_OPTION
    if record.begun.options.get(option) == example:
        return "its box is made up"
    if any(row.status == example for row in box_of(record.begun).rows):
        return "its box is made up"
    return ""


def read_records(
    folder: Path, *, anyway: bool = False, among: Sequence[SessionInfo] = ()
) -> ReadableSessions:
    """Read the sessions in `folder`; for `anyway` see `read_record`.

    Of two ends of one game neither counts until one was chosen; ends may also be `among` sessions
    elsewhere. Code of other people's games runs here already, so that one that hangs costs only its
    own sessions.
    """
    others = {info.id for info in games_of_others()}
    incomplete = False
    records: dict[str, Record] = {}
    problems: list[str] = []
    infos = list_sessions(folder)
    ends = ends_among((*infos, *among))
    undecided = _undecided_plays(infos, ends)
    for info in reversed(infos):
        end = ends.get(info.path)
        if end is not None and end.standing in (Standing.UNDECIDED, Standing.ASIDE):
            incomplete = incomplete or (end.standing is Standing.UNDECIDED and not anyway)
            problems.append(f"Not counted: {in_words(end)}")
            continue
        try:
            with aborted_as_stopped():
                record = read_record(info.path, anyway=anyway)
                report_of(record)  # fails here if the game's report cannot be imported
                if record.game.id in others:
                    _figures(record)
        except GameStopped as stopped:
            incomplete = True
            problems.append(f"Left out: {info.path.stem}. {stopped}")
            continue
        except CommandError as problem:
            incomplete = incomplete or isinstance(problem, IncompleteError)
            problems.append(f"Skipped: {problem}")
            continue
        why = _why_not_counted(record, undecided)
        if why:
            problems.append(f"Not counted: {info.path} is {why}.")
            continue
        if record.lacking:
            problems.append(f"Counted as far as it goes: {record.lacking}")
        play = play_id(record)
        same = records.setdefault(play, record)
        if same is not record:
            problems.append(
                f"Skipped: {info.path} and {same.name} are one session: the longer record counts."
            )
            if len(record.entries) > len(same.entries):
                records[play] = record
    return ReadableSessions(list(records.values()), problems, incomplete)


def _why_not_counted(record: Record, undecided: Collection[str]) -> str:
    """Return what a session is that counts for nobody, "" for a game."""
    header = record.entries[0].body
    if lesson_in(header):
        return "a lesson"
    if IMPORTED in header and play_id(record) in undecided:
        return "of the game that has two ends"
    return ""


def _undecided_plays(infos: Iterable[SessionInfo], ends: Mapping[Path, End]) -> frozenset[str]:
    """Return the ids of plays whose end was not chosen yet, to recognize imports of them."""
    plays = set[str]()
    for info in infos:
        end = ends.get(info.path)
        if end is not None and end.standing is Standing.UNDECIDED:
            # `read_records` reports why an end cannot be read.
            with suppress(CommandError, GameStopped), aborted_as_stopped():
                plays.add(play_id(read_record(info.path, anyway=True)))
    return frozenset(plays)


class _SessionFigures(NamedTuple):
    """What each seat did in a session, whether the game is over, and the game's own columns."""

    by_seat: Mapping[SeatId, Figures]
    over: bool
    columns: tuple[FigureColumn, ...]


def _figures(record: Record) -> _SessionFigures:
    """Return the figures of a session; runs the game's code."""
    report, unit = report_of(record), panels_of(record.game.id).unit
    return _SessionFigures(
        report.figures(record), record.game.over(record.state), report.over_sessions(unit)
    )


def people(records: Iterable[Record]) -> tuple[Person, ...]:
    """Return what each person did in each game; the latest session decides how a name is spelled."""
    by_person: dict[tuple[str, str], Person] = {}
    for record in records:
        figures, over, columns = _figures(record)
        game = record.game.title if DEFINITION_KEY in record.setup.components else record.setup.game
        for seat in record.setup.seats:
            key = (person_key(seat.name), game)
            before = by_person.get(key, Person(seat.name, game, 0, Figures()))
            results = before.results
            if over:
                results = (*results, bool(figures[seat.id].games_won))
            by_person[key] = replace(
                before,
                name=seat.name,
                sessions=before.sessions + 1,
                figures=before.figures.with_later(figures[seat.id]),
                results=results,
                columns=columns,
            )
    return tuple(by_person[key] for key in sorted(by_person))


_WIDTH, _SHORTEST_NAME = 80, 8  # columns
NOBODY = "There is no session with anybody in it yet."


def table(persons: Sequence[Person], *, whole: bool = False) -> str:
    """Return a plain table for each game, of at most 80 columns; wider for long or `whole` names."""
    if not persons:
        return f"{NOBODY}\n"
    notes: dict[str, None] = dict.fromkeys(NOTES)
    lines: list[str] = []
    for game, players in by_game(persons).items():
        cells = cells_of_game(players, notes)
        lines += [title_of(game), *_table_of_game(cells, whole=whole), ""]
    for note in notes:
        lines += wrap(note, _WIDTH, "  ")
    return "\n".join(lines) + "\n" + times_table(times_of(persons))


def by_game(persons: Sequence[Person]) -> Mapping[str, Sequence[Person]]:
    """Return who played each game, the games by their titles."""
    players: dict[str, list[Person]] = {}
    for person in sorted(persons, key=lambda person: title_of(person.game).casefold()):
        players.setdefault(person.game, []).append(person)
    return players


def title_of(game: str) -> str:
    """Return the name of a game for people."""
    return clean(GAMES[game].title if game in GAMES else game)


def cells_of_game(players: Sequence[Person], notes: dict[str, None]) -> Sequence[Sequence[str]]:
    """Return the cells of a game's table, its head first, and add what explains its columns to the `notes`."""
    columns = [("name", [clean(player.name) for player in players])]
    won = [f"{sum(player.results)} of {len(player.results)}" for player in players]
    columns.append(("won", won))
    rates = ["" if player.win_rate is None else f"{player.win_rate:.0%}" for player in players]
    if any(rates):
        columns.append(("rate", [rate or f"needs {RATE_FROM}" for rate in rates]))
    columns.append(("streak", ["{}/{}".format(*player.streaks) for player in players]))
    own = known_columns(players[-1].columns, [player.figures for player in players])
    for column, cells in own:
        columns.append((column.head, cells))
        if column.note:
            notes[column.note] = None
    return list(zip(*([head, *cells] for head, cells in columns), strict=True))


def _table_of_game(lines: Sequence[Sequence[str]], *, whole: bool) -> Iterator[str]:
    """Yield the lines of a game's table."""
    name, *others = (cells + 1 for cells in _column_widths(lines))  # two spaces apart
    if not whole:
        name = min(name, max(_WIDTH - sum(others) - len(others), _SHORTEST_NAME))
    for line in lines:
        yield row(line, (name, *others))


def _column_widths(cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width, column)) for column in zip(*cells, strict=True)]


def times_of(persons: Sequence[Person]) -> Times:
    """Return all times of these people."""
    times: dict[tuple[str, str], tuple[Span, ...]] = {}
    for person in persons:
        for timed, spans in person.figures.times.items():
            times[person.name, timed] = spans
    return times


NOTES = (
    f"won: of the games that came to their end; a rate needs {RATE_FROM} of them.",
    "streak: games won in a row, now/at most.",
)


def plots(persons: Sequence[Person]) -> str:
    """Return the wins and the times as plots in characters."""
    return wins_plots(persons) + times_plots(times_of(persons))


def wins_plots(persons: Sequence[Person]) -> str:
    """Return a plot of wins over games for each game that was ever finished.

    It shows the people with the most wins, one per seat color.
    """
    # Imported late: it loads the terminal library.
    from companion.dashboard.widgets.plots import score_plot

    lines: list[str] = []
    for game in dict.fromkeys(person.game for person in persons if person.results):
        players = [person for person in persons if person.game == game]
        players.sort(key=lambda person: sum(person.results), reverse=True)
        # Places are the ids: names may look alike, since no table refused that.
        winners = {str(place): person for place, person in enumerate(players[: len(PALETTE)])}
        seats = [
            Seat(place, clean(person.name), color, glyph, "")
            for (place, person), color, glyph in zip(
                winners.items(), PALETTE.values(), GLYPHS, strict=False
            )
        ]
        wins = []
        for played in range(1, max(len(person.results) for person in winners.values()) + 1):
            after = {place: sum(person.results[:played]) for place, person in winners.items()}
            wins.append((str(played), after))
        plot = score_plot(tuple(wins), seats, _WIDTH, "game", unit="wins")
        lines += ["", f"{title_of(game)}: games won", *(line.plain.rstrip() for line in plot)]
    return "\n".join((*lines, "")) if lines else ""


_TIMES_HEAD = ("name", "timed", "times", "best s", "last s", "median s", "spread s", "trend s")
TIMES_NOTES = (
    "times: from the board's lamp to what was timed, by the board's clock; the delays of",
    "lamp and sensor are not in them. spread: best to slowest. trend: by how much the later",
    "half is faster (-) or slower (+); =: too close to tell; from 6 times on.",
)
HEIGHT = 8
"""Rows of a plot."""


def times_table(times: Times) -> str:
    """Return the times as a plain table, empty if nothing was timed."""
    cells = cells_of_times(times)
    if not cells:
        return ""
    widths = _column_widths(cells)
    return "\n".join(("", *(row(line, widths) for line in cells), "", *TIMES_NOTES, ""))


def cells_of_times(times: Times) -> Sequence[Sequence[str]]:
    """Return the cells of the table of times, its head first; none if nothing was timed."""
    cells: list[tuple[str, ...]] = [_TIMES_HEAD]
    for (name, timed), spans in times.items():
        summary = trend(spans)
        if summary:
            cells.append(_times_cells(name, timed, len(spans), summary))
    return cells if len(cells) > 1 else ()


def _times_cells(name: str, timed: str, count: int, summary: Trend) -> tuple[str, ...]:
    spread = Span(summary.spread_us, summary.best.pm)
    figures = map(_seconds, (summary.best, summary.last, summary.median, spread))
    if count < ENOUGH:
        better = "?"
    elif summary.better_us is None:
        better = "="
    else:
        better = f"{-summary.better_us / 1e6:+.3f}"
    return (clean(name), clean(timed), str(count), *figures, better)


def times_plots(times: Times) -> str:
    """Return a plot for each thing timed: a column for each time, the newest last."""
    lines: list[str] = []
    by_timed: dict[str, dict[str, tuple[Span, ...]]] = {}
    for (name, timed), spans in times.items():
        by_person = by_timed.setdefault(timed, {})
        if spans:
            by_person[name] = spans
    for timed, by_person in by_timed.items():
        lines += _times_plot(timed, by_person)
    return "\n".join((*lines, "")) if lines else ""


def _times_plot(timed: str, by_person: Mapping[str, Sequence[Span]]) -> Iterator[str]:
    signs = dict(zip(by_person, GLYPHS, strict=False))  # as many people as there are signs
    margin = 8
    recent = {name: by_person[name][-(_WIDTH - margin) :] for name in signs}
    every = [span.us for spans in recent.values() for span in spans]
    least, most = min(every), max(every)
    span_us = max(1, most - least)
    columns = max(map(len, recent.values()))
    rows = [[" "] * columns for _ in range(HEIGHT)]
    for name, spans in recent.items():
        for column, span in enumerate(spans):
            row = rows[round((span.us - least) / span_us * (HEIGHT - 1))]
            row[column] = signs[name] if row[column] == " " else "&"
    labels = {HEIGHT - 1: f"{most / 1e6:.3f}", 0: f"{least / 1e6:.3f}"}
    yield from ("", f"{clean(timed)}: seconds, string by string")
    for level in reversed(range(HEIGHT)):
        label = labels.get(level, "")
        yield f"{label:>{margin - 2}} {''.join(rows[level])}".rstrip()
    yield " " * (margin - 1) + "  ".join(f"{sign} {clean(name)}" for name, sign in signs.items())
    if len(signs) < len(by_person):
        yield f"{' ' * (margin - 1)}and {len(by_person) - len(signs)} more, for whom there is no sign left"


def _seconds(span: Span) -> str:
    return seconds(span.us, span.pm).removesuffix(" s")


def as_json(persons: Sequence[Person]) -> list[dict[str, Any]]:
    """Return the statistics as plain JSON values; None for unknown ones, times in microseconds."""
    return [_as_json(person) for person in persons]


def _as_json(person: Person) -> dict[str, Any]:
    figures, (now, longest) = person.figures, person.streaks
    shot = figures.fastest
    return {
        "name": person.name,
        "game": person.game,
        "sessions": person.sessions,
        "games_finished": len(person.results),
        "win_rate": person.win_rate,
        "streak_now": now,
        "streak_longest": longest,
        "rounds_won": figures.rounds_won,
        "games_won": figures.games_won,
        "eliminations": figures.eliminations,
        "draws": figures.draws,
        "draws_per_min": person.draws_per_min,
        "fastest_shot_us": shot.us if shot else None,
        "fastest_shot_pm_us": shot.pm if shot else None,
        "fastest_shot_from": ("lamp" if figures.from_lamp else "fire") if shot else None,
        "times": {timed: _spans_as_json(spans) for timed, spans in figures.times.items()},
    }


def _spans_as_json(spans: Iterable[Span]) -> list[dict[str, Any]]:
    return [{"us": span.us, "pm_us": error_us(span.pm)} for span in spans]
