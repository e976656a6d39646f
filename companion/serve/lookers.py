"""What says what the pages show: a look at the file that another process writes, or at a table in play."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.journal.errors import JournalError
from companion.rules.game import SeatId
from companion.serve.blocks import Blocks
from companion.serve.feed_tail import FeedTail
from companion.serve.showing import Painter, Showing, Still, still_of
from companion.session.held_record import HeldProjection, HeldRecord
from companion.session.views import LinkView, SavedView
from companion.session.watching import WATCHING, followed

if TYPE_CHECKING:
    from companion.session.projection import SessionProjection
    from companion.session.table import Table

# A disk in trouble is told on the table's own screen, where somebody can do something about it.
_SAVED = SavedView("", ok=True)


class Onlooker:
    """A look at a session that another process writes. It has the rights of a reader, and no method that changes
    anything.

    It is used by one thread at a time.
    """

    def __init__(self, path: Path, *, anyway: bool = False, delay_s: float = 0.0) -> None:
        """Read what stands, which everybody is shown `delay_s` later; raise
        `CommandError` when that is no session that can be read here, see `followed`."""
        self._follower, self._record = followed(path, anyway=anyway)
        self._painter = Painter(self._record.game, notes=False)
        self._trouble = ""
        self.tail, self._held = _told(self._record, lambda: len(self._record.entries), delay_s, lambda: WATCHING)
        """The public feed, and what everybody is shown where that is held back."""
        self.showing: Showing = self._shown({})

    @property
    def session(self) -> str:
        """The session's name."""
        return self._record.name

    @property
    def news(self) -> bool:
        """Whether a look may change the pages. It costs a few bytes read, and no thread of its own as `look` does."""
        return bool(self._trouble) or _is_due(self._held) or self._follower.news

    def look(self) -> bool:
        """Take in what was saved since the last look; return whether the pages changed."""
        try:
            entries, trouble = self._follower.poll(), ""
        except JournalError as problem:
            entries, trouble = (), str(problem)
        told = _took_in(self._held)
        if not (entries or told or trouble != self._trouble):
            return False
        self._trouble = trouble
        self._record.extend(entries)
        self.showing = self._shown(self.showing.blocks)
        return True

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:  # noqa: ARG002  nobody tells
        """Return what does nothing: another process writes the session, and its news are asked for."""
        return lambda: None

    def _shown(self, before: Mapping[SeatId, Blocks]) -> Showing:
        saved = SavedView("", not self._trouble, self._trouble)
        told = None if self._held is None else still_of(self._held.record, saved)
        return self._painter.showing(still_of(self._record, saved), before, told)


class TableLooker:
    """A look at a table in play, whose pages let each seat note on its own. Used by one thread at a time; the caller
    closes it."""

    def __init__(self, table: Table, delay_s: float = 0.0) -> None:
        """Everybody's page and the feed come `delay_s` later; the seats' own pages are for who sits at the table."""
        self._table = table
        self._painter = Painter(table.game, notes=True)
        self._fresh = threading.Event()
        self._unsubscribe = table.subscribe(self._fresh.set)
        told = partial(_told, saved=lambda: table.durable_n, delay_s=delay_s, link=lambda: table.board.view)
        self.tail, self._held = table.look(told)
        """The public feed, and what everybody is shown where that is held back."""
        self.showing: Showing = self._painter.showing(self._still(), {}, self._delayed())

    @property
    def news(self) -> bool:
        """Whether the table changed since the last look."""
        return self._fresh.is_set() or _is_due(self._held)

    def look(self) -> bool:
        """Take in the news; return whether the pages changed."""
        self._fresh.clear()
        before = self.showing
        self.showing = self._painter.showing(self._still(), before.blocks, self._delayed())
        return self.showing != before

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have `callback` called at each change of the table, from any thread; return what ends that."""
        return self._table.subscribe(callback)  # behind what makes it `news`

    def close(self) -> None:
        """Hear of the table no more."""
        self._unsubscribe()

    def _delayed(self) -> Still | None:
        if self._held is None:
            return None
        _took_in(self._held)
        return still_of(self._held.record, _SAVED)

    def _still(self) -> Still:
        return self._table.look(partial(still_of, saved=_SAVED))


def _told(
    record: SessionProjection, saved: Callable[[], int], delay_s: float, link: Callable[[], LinkView]
) -> tuple[FeedTail, HeldProjection | None]:
    """The public feed of a record, and what stood in it `delay_s` ago, None where nothing is held back."""
    game, setup, entries = record.game, record.setup, record.entries
    held = HeldProjection(game, setup, HeldRecord(entries, saved, delay_s)) if delay_s else None
    return FeedTail(game, setup, entries, saved, delay_s, link), held


def _is_due(held: HeldProjection | None) -> bool:
    return held is not None and held.wait_s == 0


def _took_in(held: HeldProjection | None) -> bool:
    """Take in what everybody may be shown by now; return whether that is anything."""
    with suppress(JournalError):  # old entries cannot be read just now: what was shown stays
        return held is not None and held.look()
    return False
