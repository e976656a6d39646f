"""A lesson at an open table: it follows the record, plays the others' moves, and says what to do next."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from companion.rules.clauses import spoken, without_clauses
from companion.rules.facts import TABLE, Fact, Refused, body_of, private_kinds
from companion.session.key_meanings import (
    PAUSE as PAUSE_KEY,
    REDO as REDO_KEY,
    UNDO as UNDO_KEY,
)
from companion.session.projection import SessionProjection
from companion.session.table import Table
from companion.session.views import LessonView
from companion.teach.lesson import PAGE, REDO, UNDO, Lesson
from companion.teach.progress import Progress
from companion.teach.script import Item, Script

NOT_NOW: Final = "That was undone. Here the lesson wants:"
BY_BOARD: Final = "That is allowed, too. Here do it on the board:"
MOVED: Final = "The lesson has made the moves in between."
PAUSES: Final = ("pause", "unpause")
"""The kinds of facts that the key of the pause enters, whichever is possible."""
_WHY: Final = "the lesson"
"""The reason recorded when the lesson corrects the record."""


class Course:
    """Follows a table as long as it is open, in the threads that change it.

    What is done and what is next comes from the record alone; only the answer to the last try is kept here.
    """

    def __init__(
        self, lesson: Lesson, table: Table, *, together: bool = False, pages: bool = True
    ) -> None:
        """Without `pages`, those that the learner would have to open are left out. Raise `LessonFault` if the lesson
        does not fit the table."""
        self.lesson = lesson
        self._table, self._pages = table, pages
        setup = table.look(lambda record: record.setup)
        self.script = Script(lesson, table.game, setup, together=together)
        self._asked = lesson.asked(pages=pages)
        self._progress = Progress(self.script.items, private_kinds(table.game.facts))
        self._note = 0, ""  # the items done at the last try, and its answer
        self._keys: tuple[int, tuple[str, ...]] = (-1, ())
        self._changed = False
        self._following = threading.Lock()
        table.lesson = self.view
        table.subscribe(self.follow)
        self.follow()

    @property
    def next(self) -> Item | None:
        """What has to happen next; None at the end of the lesson."""
        return self._next_of(self._table.look(self._read))

    def _next_of(self, progress: Progress) -> Item | None:
        return progress.next if self._pages else progress.after_pages

    @property
    def done(self) -> Sequence[int]:
        """The entry that did each item of the script so far."""
        return self._table.look(self._read).done

    def follow(self) -> None:
        """Do the lesson's part, until it is the learner's turn."""
        self._changed = True
        # What the lesson does changes the table, too: this call ends at once then, and the first one looks again.
        while self._changed and self._following.acquire(blocking=False):
            try:
                self._changed = False
                while self._step():
                    pass
            finally:
                self._following.release()

    def wait(self) -> None:
        """Return once the lesson has done its part, which may be in another thread. The caller holds no lock of the
        table."""
        with self._following:
            while self._step():
                pass

    def _step(self) -> bool:
        """Do the next thing of the lesson's part; return whether it changed the record."""
        progress = self._table.look(self._read)
        read_before, item = progress.read_to, self._next_of(progress)
        self._answer(progress, item)
        extra = [*progress.outdated, *progress.unwanted]
        if extra:
            self._take_back(max(extra))
        elif progress.missing:
            self._table.take_back(progress.missing[0], _WHY)
        elif item is not None and not item.is_deed:
            self._table.enter(item.kind, item.body or {})
        # Nothing was recorded if the disk refuses it: the next change tries again.
        return self._table.look(self._read).read_to > read_before

    def _answer(self, progress: Progress, item: Item | None) -> None:
        """Keep the answer to the last try as long as its step is taught."""
        done = len(progress.done)
        if progress.unwanted:
            by_board = item is not None and item.is_by_board
            self._note = done, BY_BOARD if by_board else NOT_NOW
        elif done != self._note[0]:
            # An undo may lead back to the step of an old try: nobody asks for its answer any more.
            self._note = done, ""

    def _take_back(self, n: int) -> None:
        # An undo and no correction, if possible: else the learner's next undo would bring it back.
        if self._table.look(lambda record: record.timeline.steps.undo_target) == n:
            self._table.undo()
        else:
            self._table.take_back(n, _WHY)
        if self._table.view().question is not None:
            self._table.agree()
            self._table.withdraw_notice()

    def _read(self, record: SessionProjection) -> Progress:
        self._progress.read(record.entries[self._progress.read_to :])
        return self._progress

    # -- what screens show

    def view(self, record: SessionProjection) -> LessonView:
        """Return what a screen shows now."""
        progress, lesson, cast = self._read(record), self.lesson, self.script.cast
        item = self._next_of(progress)
        step = lesson.steps[-1] if item is None else item.step
        do, board = cast.words(step.do), cast.words(step.board)
        if item is not None and item.is_others and item.is_deed:
            do, board = self._words_of(item, record), ""
        tried, note = self._note
        say = [cast.words(text) for text in step.say]
        if item is not None and item.is_deed and self.script.moves_before(step):
            say.insert(0, cast.words(step.meanwhile) or MOVED)
        return LessonView(
            lesson.title,
            self._asked.index(step) + 1,
            len(self._asked),
            note if tried == len(progress.done) else "",
            tuple(say),
            do,
            board,
            self._keys_for(item, record),
            self._typed(item),
            item is None,
            item is not None and not item.is_deed,
            self._table.note_seen,
            "" if item is None else item.kind,
            {} if item is None or item.body is None else item.body,
        )

    def _typed(self, item: Item | None) -> str:
        """Return the line that enters what is next; "" if nothing typed can do it."""
        if item is None or item.is_by_board or item.is_others or item.step.wants is None:
            return ""
        return self.script.cast.line(item.step.wants.line)

    def _words_of(self, item: Item, record: SessionProjection) -> str:
        """Return what somebody else does next, as a request to the people at the table: `Ben draws a card.`"""
        fact = record.game.parse(item.kind, item.body or {})
        return spoken(without_clauses(record.game.describe(record.state, fact, TABLE)))

    def _keys_for(self, item: Item | None, record: SessionProjection) -> tuple[str, ...]:
        """Return the ids of the actions that do what is next, computed once for each entry."""
        n = len(record.entries)
        if self._keys[0] != n:
            self._keys = n, ()
            if item is not None and item.is_deed:
                self._keys = n, keys_for(item, record)
        return self._keys[1]


def keys_for(item: Item, record: SessionProjection) -> tuple[str, ...]:
    """Return the ids of the actions that do what an item wants; empty if none does it at once."""
    if item.is_by_board:
        return ()
    if item.step.keys and not item.is_others:
        return item.step.keys
    if item.session:
        return ({UNDO: UNDO_KEY.id, REDO: REDO_KEY.id, PAGE: item.page}[item.session],)
    game: Any = record.still_game
    if item.kind in PAUSES:
        return (PAUSE_KEY.id,)
    for action in game.actions(record.common.setup):
        try:
            meant = game.pressed(record.state, action.id)
        except Refused:
            continue
        if isinstance(meant, Fact) and item.fits(meant.kind, body_of(meant)):
            return (action.id,)
    return ()
