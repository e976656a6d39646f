"""The session as the pages show it: read from the file that another process writes, never written here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.journal.errors import JournalError
from companion.rules.game import TABLE, Seat, SeatId, secret_kinds
from companion.serve.blocks import Blocks, own_block, table_blocks
from companion.serve.game_page import GamePage, game_page_of
from companion.session.views import LineKind, LogLine, SavedView
from companion.session.watching import WATCHING, followed


@dataclass(frozen=True, slots=True)
class Showing:
    """What stands at one moment: the blocks for everybody, and those of each seat with its own secrets."""

    title: str
    seats: tuple[Seat, ...]
    blocks: Mapping[SeatId, Blocks]
    """`TABLE` and each seat -> its page, block by block; blocks that say the same are the same object."""


class Onlooker:
    """A look at a session. It has the rights of a reader, and no method that changes anything.

    It is used by one thread at a time.
    """

    def __init__(self, path: Path, *, anyway: bool = False) -> None:
        """Read what stands; raise `CommandError` when that is no session that can be read here, see `followed`."""
        self._follower, self._record = followed(path, anyway=anyway)
        self._face: GamePage = game_page_of(self._record.setup.game)
        self._secret = secret_kinds(self._record.game.facts)
        self._trouble = ""
        self.showing = self._shown({})

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
        self.showing = self._shown(self.showing.blocks)
        return True

    def _shown(self, before: Mapping[SeatId, Blocks]) -> Showing:
        record = self._record
        saved = SavedView("", not self._trouble, self._trouble)
        view = record.view(WATCHING, saved)
        lines = tuple(map(self._public, view.log))
        standings = record.game.standings(record.state)
        public = table_blocks(view, self._face, record.game.title, standings, lines, closed=record.closed)
        blocks: dict[SeatId, Blocks] = {TABLE: _kept(public, before.get(TABLE, {}))}
        # A record made elsewhere may call a seat what the whole table is called: it has no page of its own.
        seats = tuple(seat for seat in view.setup.seats if seat.id != TABLE)
        for seat in seats:
            own = own_block(self._face, seat, record.game.view(record.state, seat.id))
            blocks[seat.id] = _kept(blocks[TABLE] | own, before.get(seat.id, {}))
        return Showing(record.game.title, seats, blocks)

    def _public(self, line: LogLine) -> LogLine:
        """The line without why a secret fact makes no sense any more: that may name what only its seat knows."""
        entry = self._record.entry(line.n)
        if line.kind is not LineKind.BROKEN or entry is None or entry.kind not in self._secret:
            return line
        return LogLine(line.n, line.time, line.kind, f"{self._record.text(line.n)} - it does not fit any more")


def _kept(blocks: Blocks, before: Blocks) -> Blocks:
    """The blocks, each of them the old object where it says the same."""
    return {name: before[name] if before.get(name) == block else block for name, block in blocks.items()}
