"""The league: each event's standings count once more, as one result of everybody who played in it."""

from __future__ import annotations

from sqlalchemy import Connection

from companion.hub.gatherings import Gathering
from companion.hub.points import PointsRules
from companion.hub.results import results_in
from companion.hub.standings import Placed, Result, Standings, standings_of


def league_of(connection: Connection, gatherings: tuple[Gathering, ...], rules: PointsRules) -> Standings:
    """Return the standings over those events, the one that is on as it stands now; disputes count, and show, here too.
    The order of the events makes no difference."""
    results = []
    for gathering in gatherings:
        lines = standings_of(results_in(connection, gathering.id), rules).lines
        players = tuple(Placed(line.name, line.rank, line.points) for line in lines)
        disputed = "a result of it" if any(line.doubtful for line in lines) else ""
        if players:
            results.append(Result(gathering.id, 0, gathering.title, "", players, disputed=disputed))
    return standings_of(results, rules.league)
