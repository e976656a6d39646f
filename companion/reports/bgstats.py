"""A play for the app BG Stats: its JSON, the link that opens the app with it, and the link's QR
code.

The format is the one that BG Stats documents for pushing plays from other apps or websites
(https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/). That page
could not be read when this was written. The fields used here are those on which published programs
that cite it agree: `sourceName`, `sourcePlayId`, `playDate` (UTC, the end of the play, `yyyy-MM-dd
HH:mm:ss`), `durationMin`, `game` (`name`, `sourceGameId`, `highestWins`, `noPoints`), `players`
(`name`, `sourcePlayerId`, `score`, `winner`). BG Stats recognizes games and people by `sourceName`,
`sourceGameId` and `sourcePlayerId`, so these must never change. Not yet tried with the app.
"""

from __future__ import annotations

import hashlib
from datetime import UTC
from typing import Any
from urllib.parse import quote

from companion.errors import CommandError
from companion.journal.wall_clock import instant_of, is_set
from companion.reports.games import winners_of
from companion.reports.record import Record
from companion.rules.columns import json_text
from companion.rules.names import person_key
from companion.rules.outcome import result_of
from companion.rules.registry import info_of

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "table-companion"


def play(record: Record) -> dict[str, Any]:
    """Return the play; raise `CommandError` while the game has no result."""
    winners = winners_of(record)
    if not winners and not record.game.over(record.state):
        why = "has no result yet, so there is no play for BG Stats: play it to its end first."
        if record.game.ended(record.state):
            why = "was ended early: nobody has won, and there is no play for BG Stats."
        raise CommandError(f"{record.name} {why}")
    standings = record.game.standings(record.state)
    begun, ended = map(instant_of, record.played_wall)
    highest = not result_of(record.game, record.state).lowest_wins
    minutes = round((ended - begun).total_seconds() / 60)
    times: dict[str, Any] = {}
    if is_set(ended):
        times["playDate"] = ended.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    if minutes:
        times["durationMin"] = minutes
    return {
        "sourceName": SOURCE,
        "sourcePlayId": play_id(record),
        **times,
        "game": {
            "name": record.game.title,
            "sourceGameId": info_of(record.setup.game).short_name,
            "highestWins": highest,
            "noPoints": False,
        },
        "players": [
            {
                "name": seat.name,
                "sourcePlayerId": person_key(seat.name),
                "score": standings[seat.id],
                "winner": seat.id in winners,
            }
            for seat in record.setup.seats
        ],
    }


def link(record: Record) -> str:
    """Return the link that opens BG Stats with the play; raise `CommandError` while there is no
    result."""
    return LINK + quote(json_text(play(record)).encode(), safe="")


def play_id(record: Record) -> str:
    """Return an id shared by a session and its imports: a hash of game, start time and names.

    A transcript without times of day has only that of its import, so its facts are hashed instead.
    """
    names = [seat.name for seat in record.begun.seats]
    when: Any = record.begun_wall
    # Imported from a transcript without times, every entry has the time of the import.
    if len(record.entries) > 1 and all(entry.wall == when for entry in record.entries):
        when = [[line.entry.kind, line.entry.body, line.void is not None] for line in record.facts]
    text = json_text([record.begun.game, when, names])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
