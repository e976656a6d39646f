"""Panels and tables of the drills."""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.panels import Panels, SeatLine
from companion.display.pictures import Lane, Race
from companion.display.tables import Cell, PanelTable
from companion.games.drills.rules.text import TIE, UNDER_WAY, in_seconds
from companion.games.drills.rules.view import ALL, DrillsView, Glance, PlayerView, StringView
from companion.rules.columns import plural
from companion.rules.comparing import ENOUGH, Trend
from companion.rules.facts import Moment
from companion.rules.pauses import Pauses, Span
from companion.rules.spans import is_coarse, seconds, span as interval

_TIMES = 5
"""Newest times of each player that a page shows as bars."""


def where(game: Glance) -> str:
    """Return the drill and the string: `Reaction, string 3`."""
    if game.phase == "over":
        return f"{game.title}, over"
    return f"{game.title}, string {max(1, game.number)}"


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield a line for each player with the score and the times."""
    wanted = game.wanted if isinstance(game, DrillsView) else 0
    for player in game.players:
        words = _words(player, wanted) if isinstance(player, PlayerView) else ()
        yield SeatLine.of(player, player.score, words, turn=player.up, left=player.left)


def _words(player: PlayerView, wanted: int) -> Iterator[str]:
    if wanted:
        yield f"{player.strings} of {plural(wanted, 'string')}"
    else:
        yield plural(player.strings, "string")
    if (trend := player.trend) is not None:
        yield f"best {in_seconds(trend.best)} s"
        if len(player.times) > 1:  # of a single time all three are the same
            yield f"last {in_seconds(trend.last)} s"
            yield f"median {in_seconds(trend.median)} s"
    if player.false_starts:
        yield plural(player.false_starts, "false start")


def tables(game: DrillsView) -> tuple[PanelTable, ...]:
    """Return the players' times, the last string, and all strings."""
    head = ("", "clean", "best s", "last s", "median s", "spread s", "false starts", "trend")
    return (
        PanelTable("Times from the signal", head, tuple(map(_figures, game.players))),
        PanelTable("The last string", (), tuple(_last(game))),
        all_strings(game),
    )


def all_strings(game: DrillsView) -> PanelTable:
    """Return a row for each string, with what it came to, or why it does not count."""
    rows = tuple(map(_row, game.strings))
    return PanelTable("All strings", ("", "who", "result", ""), rows, long=True)


def _figures(player: PlayerView) -> tuple[Cell, ...]:
    trend = player.trend
    if trend is None:
        return (player, 0, "-", "-", "-", "-", player.false_starts, "")
    times = (
        in_seconds(trend.best),
        in_seconds(trend.last),
        in_seconds(trend.median),
        in_seconds(Span(trend.spread_us, trend.best.pm)),
    )
    return (
        player,
        len(player.times),
        *times,
        player.false_starts,
        _trend(trend, len(player.times)),
    )


def _trend(trend: Trend, times: int) -> str:
    if times < ENOUGH:
        return ""
    if trend.better_us is None:
        return "about as before"
    direction = "faster" if trend.better_us > 0 else "slower"
    return f"{seconds(abs(trend.better_us), trend.best.pm)} {direction} than at first"


def _last(game: DrillsView) -> Iterator[tuple[Cell, ...]]:
    string = game.last
    if string is None:
        return
    yield ("who", string.name)
    yield ("counted from", zero(string))
    for label, span in string.times:
        yield (label, _time(span))
    for place, split in enumerate(string.splits, start=2):
        yield (f"time to shot {place}", _time(split))
    yield ("result", ", ".join(filter(None, (string.ended, string.praise))))


def _time(span: Span | None) -> str:
    return "unknown" if span is None else span.text()


def zero(string: StringView) -> str:
    """Return what a string's times count from, and what that leaves out."""
    if not string.by:
        return "no signal yet" if string.ended == UNDER_WAY else "no signal was given"
    if string.by == "lamp":
        return "the lamp; delays of lamp and sensor are not included"
    return "the screen signal, accurate to about 0.1 s"


def margin(string: StringView) -> str:
    """Return by how much the first was first where the times read alike: ` by 9 µs`; ", 3 µs apart" in a tie.

    All times of a string at the plates are from one signal, so its error is not in their difference.
    """
    known = sorted((time for _, time in string.times if time is not None), key=lambda time: time.us)
    if string.name != ALL or string.result is None or len(known) < 2:
        return ""
    first, second = known[:2]
    by_key = any(is_coarse(time.pm) for time in (first, second))
    if by_key or in_seconds(first) != in_seconds(second):
        return ""
    apart = interval(second.us - first.us)
    return f", {apart} apart" if string.ended.startswith(TIE) else f" by {apart}"


def _row(string: StringView) -> tuple[Cell, ...]:
    came_to, ended = "-", string.ended + margin(string)
    if string.result is not None:
        came_to = string.result.text()
        # The column before has the time already.
        if ended.endswith(came_to):
            ended = ""
    return (string.number, string.name, came_to, ", ".join(filter(None, (ended, string.praise))))


def clock(game: Glance) -> tuple[Moment, Pauses] | None:
    """Return the moment of the signal and the pauses while a string is under way, or None."""
    return None if game.signal is None else (game.signal, game.pauses)


def races(game: DrillsView) -> tuple[Race, ...]:
    """Return the newest times as bars of one scale, in a game with any."""
    race = newest_times(game, _TIMES)
    return () if race is None else (race,)


def newest_times(game: DrillsView, each: int) -> Race | None:
    """Return the last `each` times of each player, None before the second: one bar compares with nothing."""
    timed = [player for player in game.players if player.times]
    if sum(len(player.times) for player in timed) < 2:
        return None
    longest = max(span.us for player in timed for span in player.times[-each:])
    lanes = [
        Lane(player, span.us / longest, f"{in_seconds(span)} s")
        for player in timed
        for span in player.times[-each:]
    ]
    return Race("Times, the newest last", tuple(lanes))


NO_TIME = "- - -"


def shown(game: DrillsView) -> str:
    """Return `WAIT`, `GO`, the last time or `NO_TIME`, for large letters."""
    if game.phase == "wait":
        return "WAIT"
    last = game.last
    if last is None:
        return NO_TIME
    if game.phase == "fire" and not last.times:
        return "GO"
    if last.result is not None:
        return in_seconds(last.result)
    # A string that is under way, or does not count, has no result: its newest time stands for it.
    newest = last.times[-1][1] if last.times else None
    if newest is None or newest.tapped:
        return NO_TIME
    return in_seconds(newest)


def signal(game: DrillsView) -> str:
    """Return `WAIT`, `GO` or the last time; empty before the first."""
    now = shown(game)
    return "" if now == NO_TIME else now


PANELS = Panels("points", where, seats, tables, clock=clock, races=races, signal=signal, forms=())
