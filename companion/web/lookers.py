"""Sources for the phone pages: another process's session file, or a table in play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.feed.feed import FeedReading
from companion.feed.held_record import HeldProjection, HeldRecord
from companion.journal.errors import JournalError
from companion.rules.game import Game
from companion.session.projection import SessionProjection
from companion.session.roles import Role
from companion.session.views import LinkView, Notice, SavedView, TableView
from companion.session.watching import WATCHING, made_of
from companion.web.blocks import Blocks
from companion.web.board_procedures import NO_PROCEDURE, Procedure
from companion.web.feed_tail import FeedTail
from companion.web.role_offers import RoleOffers, round_time
from companion.web.showing import (
    ForRoles,
    PageContents,
    PageSnapshot,
    Painter,
    Viewer,
    snapshot_of,
)

if TYPE_CHECKING:
    from companion.session.table import Table


WORK_S = 0.2
"""Seconds that pages wait for odds before they are shown without them."""
LINK_S = 1.0
"""Seconds between two looks at the timings of the link, which change without an event."""


class _Looker:
    """Makes the pages of a growing record, and the public part of them delayed if that is asked for. One thread at a
    time uses it."""

    def __init__(
        self,
        game: Game[Any],
        public: PublicView,
        snapshot: Callable[[SavedView], PageSnapshot],
        *,
        notes: bool,
        odds: bool,
    ) -> None:
        self._painter = Painter(game, notes=notes, odds=odds)
        self._worker: threading.Thread | None = None
        self._worked = threading.Event()
        self._snapshot = snapshot
        # Disk trouble is shown on the table's own screen, where somebody can act on it.
        self._saved = SavedView("", ok=True)
        self.tail, self._held = public
        """The public feed, and the delayed record for everybody's page, None without a delay."""
        self.showing: PageContents = self._complete({})

    @property
    def _due(self) -> bool:
        return self._held is not None and self._held.held.wait_s == 0

    def _repaint(self) -> bool:
        """Make the pages anew; return whether they changed."""
        before, self.showing = self.showing, self._complete(self.showing.blocks)
        return self.showing != before

    def _complete(self, before: Mapping[Viewer, Blocks]) -> PageContents:
        """Return the pages with the odds they wait for, if these take at most `WORK_S`; otherwise `news` reports them
        later."""
        self._worked.clear()
        showing = self._shown(before)
        if showing.work:
            self._work_out(showing.work)
            if self._worked.wait(WORK_S):
                self._worked.clear()
                showing = self._shown(before)
        return showing

    def _work_out(self, work: Sequence[Callable[[], None]]) -> None:
        """Compute in a thread, one at a time, what pages wait for."""
        if self._worker is not None and self._worker.is_alive():
            return

        def run() -> None:
            for compute in work:
                compute()
            self._worked.set()

        self._worker = threading.Thread(target=run, name="odds for pages", daemon=True)
        self._worker.start()

    def _shown(self, before: Mapping[Viewer, Blocks]) -> PageContents:
        delayed = None
        if self._held is not None:
            # old entries cannot be read now: the last public state stays
            with suppress(JournalError):
                self._held.look()
            delayed = snapshot_of(self._held.record, self._saved)
        return self._painter.showing(self._snapshot(self._saved), before, delayed)


class Onlooker(_Looker):
    """Reads a session that another process writes. It opens the file as a reader and cannot change it."""

    def __init__(
        self, path: Path, *, anyway: bool = False, delay_s: float = 0.0, odds: bool = True
    ) -> None:
        """Read the record, which everybody sees `delay_s` late, with `odds` or without; raise `CommandError` if it is
        no session that can be read here, see `made_of`."""
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
        """Whether a look may change the pages. It reads a few bytes, and starts no thread as `look` may."""
        return not self._saved.ok or self._due or self._worked.is_set() or self._follower.news

    def look(self) -> bool:
        """Read what was saved since the last look; return whether the pages changed."""
        try:
            self._record.extend(self._follower.poll())
            self._saved = SavedView("", ok=True)
        except JournalError as problem:
            self._saved = SavedView("", ok=False, problem=str(problem))
        return self._repaint()

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:  # noqa: ARG002  nobody tells
        """Do nothing, and return a function that does nothing: news of another process's file are polled."""
        return lambda: None


class TableLooker(_Looker):
    """Reads a table in play; its pages let each seat send private notes, and those of roles act for the table. The
    caller closes it."""

    def __init__(
        self,
        table: Table,
        delay_s: float = 0.0,
        *,
        odds: bool = True,
        roles: Callable[[], frozenset[Role]] = frozenset,
        procedure: Callable[[], Procedure] = lambda: NO_PROCEDURE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Everybody's page and the feed come `delay_s` late; seats' own pages and those of roles do not, as their
        readers sit at the table. With `odds`, pages show those that follow from what everybody can see. `roles` returns
        the roles that were given out, `procedure` what the board is asked for now."""
        self._table = table
        self._roles, self._procedure = roles, procedure
        self._offers = RoleOffers()
        self._clock = clock
        self._link, self._link_s = table.board.view, clock()
        self._notice: Notice | None = None
        self._fresh = threading.Event()
        self.listen = table.subscribe
        """Calls a callback at each change of the table, from any thread; returns a function that ends that."""
        self.close = table.subscribe(self._fresh.set)
        """Ends the subscription to the table."""
        public = partial(
            _public_view,
            saved=lambda: table.durable_n,
            delay_s=delay_s,
            link=lambda: table.board.view,
        )
        super().__init__(
            game=table.game, public=table.look(public), snapshot=self._taken, notes=True, odds=odds
        )

    @property
    def news(self) -> bool:
        """Whether a look may change the pages."""
        return self._fresh.is_set() or self._due or self._worked.is_set() or self._link_due

    def look(self) -> bool:
        """Make the pages anew; return whether they changed."""
        # before reading: a change meanwhile is then not missed
        self._fresh.clear()
        return self._repaint()

    def look_again(self) -> None:
        """Have the pages made anew soon: other roles are given out, or the board's procedure went on."""
        self._fresh.set()

    @property
    def _link_due(self) -> bool:
        return Role.BOARD in self._roles() and self._clock() - self._link_s >= LINK_S

    def _taken(self, saved: SavedView) -> PageSnapshot:
        """Return a snapshot of the table, with what roles need if any was given out."""
        roles = self._roles()

        def taken(record: SessionProjection) -> PageSnapshot:
            snapshot = snapshot_of(record, saved)
            if not roles:
                return snapshot
            view = self._for_roles(self._table.view())
            actions = self._table.actions
            offers = self._offers.of(record, actions)
            offers = replace(
                offers,
                time=round_time(view, self._table),
                procedure=self._procedure(),
                has_laptop=self._table.has_laptop,
            )
            return replace(snapshot, for_roles=ForRoles(roles, view, actions, offers))

        return self._table.look(taken)  # nothing changes meanwhile

    def _for_roles(self, view: TableView) -> TableView:
        """Return the view with the last notice that is for everybody, and with timings of the link that are renewed at
        their own pace: how often a page changes must not tell that a seat noted something."""
        notice = view.notice
        if notice is not None and not (notice.refused or notice.secret):
            self._notice = notice
        now_s = self._clock()
        is_other = replace(view.link, details=()) != replace(self._link, details=())
        if is_other or now_s - self._link_s >= LINK_S:
            self._link, self._link_s = view.link, now_s
        return replace(view, notice=self._notice, link=self._link)


PublicView = tuple[FeedTail, HeldProjection | None]


def _public_view(
    record: SessionProjection,
    saved: Callable[[], int],
    delay_s: float,
    link: Callable[[], LinkView],
) -> PublicView:
    """Return the public feed of a record, and its state `delay_s` ago, or None without a delay."""
    game, setup, entries = record.game, record.setup, record.entries
    held = None
    if delay_s:
        held = HeldProjection(game, setup, HeldRecord(entries, saved, delay_s))
    return FeedTail(FeedReading(game, setup, entries, saved, delay_s), delay_s, link), held
