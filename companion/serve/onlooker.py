"""The session as the pages show it: read from the file that another process writes, never written here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from companion.journal.errors import JournalError
from companion.rules.game import SeatId
from companion.serve.blocks import Blocks
from companion.serve.feed_tail import FeedTail
from companion.serve.showing import Painter, Showing, still_of
from companion.session.held_record import HeldProjection
from companion.session.views import SavedView
from companion.session.watching import followed


class Onlooker:
    """A look at a session. It has the rights of a reader, and no method that changes anything.

    It is used by one thread at a time.
    """

    def __init__(self, path: Path, *, anyway: bool = False, delay_s: float = 0.0) -> None:
        """Read what stands, which everybody is shown `delay_s` later; raise
        `CommandError` when that is no session that can be read here, see `followed`."""
        self._follower, self._record = followed(path, anyway=anyway)
        self._painter = Painter(self._record.game, notes=False)
        self._trouble = ""
        game, setup, entries = self._record.game, self._record.setup, self._follower.entries
        self._held = None if not delay_s else HeldProjection(game, setup, entries, lambda: len(entries), delay_s)
        self.tail = FeedTail(game, setup, entries, delay_s=delay_s)
        """The public feed."""
        self.showing: Showing = self._shown({})

    @property
    def session(self) -> str:
        """The session's name."""
        return self._record.name

    @property
    def news(self) -> bool:
        """Whether a look may change the pages. It costs a few bytes read, and no thread of its own as `look` does."""
        held = self._held is not None and self._held.wait_s == 0
        return bool(self._trouble) or held or self._follower.news

    def look(self) -> bool:
        """Take in what was saved since the last look; return whether the pages changed."""
        try:
            entries, trouble = self._follower.poll(), ""
        except JournalError as problem:
            entries, trouble = (), str(problem)
        told = self._told()
        if not (entries or told or trouble != self._trouble):
            return False
        self._trouble = trouble
        self._record.extend(entries)
        self.showing = self._shown(self.showing.blocks)
        return True

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:  # noqa: ARG002  nobody tells
        """Return what does nothing: another process writes the session, and its news are asked for."""
        return lambda: None

    def _told(self) -> bool:
        """Take in what everybody may be shown by now; return whether that is anything."""
        with suppress(JournalError):  # old entries cannot be read just now: what was shown stays
            return self._held is not None and self._held.look()
        return False

    def _shown(self, before: Mapping[SeatId, Blocks]) -> Showing:
        saved = SavedView("", not self._trouble, self._trouble)
        told = None if self._held is None else still_of(self._held.record, saved)
        return self._painter.showing(still_of(self._record, saved), before, told)
