"""The session as the pages show it: read from the file that another process writes, never written here."""

from __future__ import annotations

from pathlib import Path

from companion.journal.errors import JournalError
from companion.serve.feed_tail import FeedTail
from companion.serve.showing import Painter, Showing, still_of
from companion.session.views import SavedView
from companion.session.watching import followed


class Onlooker:
    """A look at a session. It has the rights of a reader, and no method that changes anything.

    It is used by one thread at a time.
    """

    def __init__(self, path: Path, *, anyway: bool = False) -> None:
        """Read what stands; raise `CommandError` when that is no session that can be read here, see `followed`."""
        self._follower, self._record = followed(path, anyway=anyway)
        self._painter = Painter(self._record.game, notes=False)
        self._trouble = ""
        self.tail = FeedTail(self._record.game, self._record.setup, self._follower.entries)
        """The public feed."""
        self.showing: Showing = self._painter.showing(still_of(self._record, SavedView("", ok=True)), {})

    @property
    def session(self) -> str:
        """The session's name."""
        return self._record.name

    @property
    def news(self) -> bool:
        """Whether a look may change the pages. It costs a few bytes read, and no thread of its own as `look` does."""
        return bool(self._trouble) or self._follower.news

    def look(self) -> bool:
        """Take in what was saved since the last look; return whether the pages changed."""
        try:
            entries, trouble = self._follower.poll(), ""
        except JournalError as problem:
            entries, trouble = (), str(problem)
        if not entries and trouble == self._trouble:
            return False
        self._trouble = trouble
        self._record.extend(entries)
        still = still_of(self._record, SavedView("", not trouble, trouble))
        self.showing = self._painter.showing(still, self.showing.blocks)
        return True
