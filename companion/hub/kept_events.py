"""Public events as the hub reads them: checked when a table sends them, and again when a page is made, because an
earlier version of the hub may have stored what no page can show."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Row

LARGEST_NUMBER: Final = 1 << 30
# a million times what any table reaches; sums of larger ones could not be stored
_LARGEST_SCORE: Final = 10**15
_LOG: Final = logging.getLogger("companion.hub")


class _Part(BaseModel):
    """Fields that a later version of the feed adds are ignored here, and stored with the rest."""

    model_config = ConfigDict(strict=True, frozen=True)


class KeptPlayer(_Part):
    """A player as sent by the table, by place."""

    id: str
    score: int | None = Field(default=None, ge=-_LARGEST_SCORE, le=_LARGEST_SCORE)
    left: bool = False
    out: bool = False


class KeptTable(_Part):
    """The table after an event."""

    where: str = ""
    players: tuple[KeptPlayer, ...] = ()
    turn: tuple[str, ...] = ()
    ended: bool = False
    unit: str = ""

    @property
    def scores(self) -> dict[str, int | None]:
        """Scores of the players who have not left."""
        return {player.id: player.score for player in self.players if not player.left}


class KeptRound(_Part):
    """A round that is over."""

    name: str = ""


class KeptEvent(_Part):
    """An event of any kind; fields that its kind does not have are empty."""

    kind: str = Field(pattern=r"^[a-z]{1,20}$")
    number: int = Field(ge=0, le=LARGEST_NUMBER)
    text: str = ""
    wall: str = ""
    title: str = ""
    game: str = ""
    what: str = ""
    rounds: tuple[KeptRound, ...] = ()
    table: KeptTable
    winners: tuple[str, ...] = ()
    corrects: tuple[int, ...] = ()
    early: bool = False
    lowest_wins: bool = False


def readable(rows: Iterable[Row[Any]]) -> Iterator[tuple[int, KeptEvent]]:
    """Yield the record and the event of each row with `record`, `number` and `body`. A body that cannot be read is
    skipped, and logged once."""
    for row in rows:
        try:
            yield row.record, KeptEvent.model_validate_json(row.body)
        except ValidationError:
            _log_once(row.record, row.number)


@lru_cache(maxsize=1000)
def _log_once(record: int, number: int) -> None:
    why = "an earlier version of the hub stored what its pages cannot show"
    _LOG.warning(f"Event {number} of game {record} is skipped: {why}. Nothing was deleted.")
