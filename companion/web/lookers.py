"""What says what the pages show: a look at the file that another process writes, or at a table in play."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.feed.feed import FeedReading
from companion.feed.held_record import HeldProjection, HeldRecord
from companion.journal.errors import JournalError
from companion.rules.facts import SeatId
from companion.rules.game import Game
from companion.session.projection import SessionProjection
from companion.session.views import LinkView, SavedView
from companion.session.watching import WATCHING, made_of
from companion.web.blocks import Blocks
from companion.web.feed_tail import FeedTail
from companion.web.showing import PageContents, PageSnapshot, Painter, snapshot_of

if TYPE_CHECKING:
    from companion.session.table import Table


WORK_S = 0.2
"""Seconds that pages wait for odds before they are shown without."""


class _Looker:
    """What the pages show of a record that grows; what `delayed` holds back is shown to everybody later. It is used by one
    thread at a time."""

    def __init__(
        self,
        game: Game[Any],
        delayedic: PublicView,
        snapshot: Callable[[SavedView], PageSnapshot],
        *,
        notes: bool,
        odds: bool,
    ) -> None:
        self._painter = Painter(game, notes=notes, odds=odds)
        self._worker: threading.Thread | None = None
        self._worked = threading.Event()
        self._snapshot = snapshot
        # A disk in trouble is told on the table's own screen, where somebody can do something about it.
        self._saved = SavedView("", ok=True)
        self.tail, self._held = delayedic
        """The public feed, and what everybody is shown where that is held back."""
        self.showing: PageContents = self._complete({})

    @property
    def _due(self) -> bool:
        return self._held is not None and self._held.held.wait_s == 0

    def _repaint(self) -> bool:
        """Show what stands and what everybody may be shown by now; return whether the pages changed."""
        before, self.showing = self.showing, self._complete(self.showing.blocks)
        return self.showing != before

    def _complete(self, before: Mapping[SeatId, Blocks]) -> PageContents:
        """The pages with what they wait for, where that takes no longer than `WORK_S`; else there is news later."""
        self._worked.clear()
        showing = self._shown(before)
        if showing.work:
            self._work_out(showing.work)
            if self._worked.wait(WORK_S):
                self._worked.clear()
                showing = self._shown(before)
        return showing

    def _work_out(self, work: Sequence[Callable[[], None]]) -> None:
        """Work out what pages wait for in a thread of its own, one at a time."""
        if self._worker is not None and self._worker.is_alive():
            return

        def run() -> None:
            for compute in work:
                compute()
            self._worked.set()

        self._worker = threading.Thread(target=run, name="odds for pages", daemon=True)
        self._worker.start()

    def _shown(self, before: Mapping[SeatId, Blocks]) -> PageContents:
        delayed = None
        if self._held is not None:
            # old entries cannot be read just now: what was shown stays
            with suppress(JournalError):
                self._held.look()
            delayed = snapshot_of(self._held.record, self._saved)
        return self._painter.showing(self._snapshot(self._saved), before, delayed)


class Onlooker(_Looker):
    """A look at a session that another process writes. It has the rights of a reader, and no method that changes
    anything."""

    def __init__(
        self, path: Path, *, anyway: bool = False, delay_s: float = 0.0, odds: bool = True
    ) -> None:
        """Read what stands, which everybody is shown `delay_s` later, with `odds` or without; raise
        `CommandError` when that is no session that can be read here, see `made_of`."""
        self._follower, self._record = made_of(path, SessionProjection, anyway=anyway)
        self.session = self._record.name
        public = _public_view(
            self._record, lambda: len(self._record.entries), delay_s, lambda: WATCHING
        )
        super().__init__(
            self._record.game, public, partial(snapshot_of, self._record), notes=False, odds=odds
        )

    @property
    def news(self) -> bool:
        """Whether a look may change the pages. It costs a few bytes read, and no thread of its own as `look` does."""
        return not self._saved.ok or self._due or self._worked.is_set() or self._follower.news

    def look(self) -> bool:
        """Take in what was saved since the last look; return whether the pages changed."""
        try:
            self._record.extend(self._follower.poll())
            self._saved = SavedView("", ok=True)
        except JournalError as problem:
            self._saved = SavedView("", ok=False, problem=str(problem))
        return self._repaint()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:  # noqa: ARG002  nobody tells
        """Return what does nothing: another process writes the session, and its news are asked for."""
        return lambda: None


class TableLooker(_Looker):
    """A look at a table in play, whose pages let each seat note on its own. The caller closes it."""

    def __init__(self, table: Table, delay_s: float = 0.0, *, odds: bool = True) -> None:
        """Everybody's page and the feed come `delay_s` later; the seats' own pages are for who sits at the table. With
        `odds`, pages have those by what everybody can see."""
        self._fresh = threading.Event()
        self.listen = table.subscribe
        """Has a callback called at each change of the table, from any thread; returns what ends that."""
        self.close = table.subscribe(self._fresh.set)
        """Hears of the table no more."""
        public = partial(
            _public_view,
            saved=lambda: table.durable_n,
            delay_s=delay_s,
            link=lambda: table.board.view,
        )
        super().__init__(
            table.game, table.look(public), lambda saved: table.look(partial(snapshot_of, saved=saved)),
            notes=True, odds=odds,
        )  # fmt: skip

    @property
    def news(self) -> bool:
        """Whether the table changed since the last look."""
        return self._fresh.is_set() or self._due or self._worked.is_set()

    def look(self) -> bool:
        """Take in the news; return whether the pages changed."""
        self._fresh.clear()
        return self._repaint()


PublicView = tuple[FeedTail, HeldProjection | None]


def _public_view(
    record: SessionProjection,
    saved: Callable[[], int],
    delay_s: float,
    link: Callable[[], LinkView],
) -> PublicView:
    """The public feed of a record, and what stood in it `delay_s` ago, None where nothing is held back."""
    game, setup, entries = record.game, record.setup, record.entries
    held = HeldProjection(game, setup, HeldRecord(entries, saved, delay_s)) if delay_s else None
    return FeedTail(FeedReading(game, setup, entries, saved, delay_s), delay_s, link), held
