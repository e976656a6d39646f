"""How far a lesson has come, read from the entries of its session and from nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from companion.journal.entries import CLOCK, Control, Entry, Layer, is_control
from companion.teach.lesson import PAGE, REDO, UNDO
from companion.teach.script import Item


class Progress:
    """The items of a lesson that are done, from the entries read so far.

    An undone deed is to be done again, with everything after it. `silent` are the kinds of facts that the lesson does
    not look at: players' private notes.
    """

    def __init__(self, items: Sequence[Item], silent: Collection[str] = ()) -> None:
        self.items = items
        self.done: list[int] = []
        """The entry that did each item, in the order of the items."""
        self.unwanted: list[int] = []
        """Facts that count although no step wants them, oldest first."""
        self.outdated: list[int] = []
        """Facts of the lesson that count although a deed before them was undone, oldest first."""
        self.read_to = 0
        """The number of entries read."""
        self._silent = silent
        self._facts: dict[int, Entry] = {}
        self._targets: dict[int, int] = {}  # void -> the entry it names
        self._voids: dict[int, list[int]] = {}  # entry -> the voids that name it

    @property
    def next(self) -> Item | None:
        """What has to happen next; None at the end of the lesson."""
        return self.items[len(self.done)] if len(self.done) < len(self.items) else None

    @property
    def missing(self) -> list[int]:
        """Facts of the lesson that are taken back without being a step's undo, oldest first."""
        return [n for n in self._facts_done() if not self._counts(n)]

    @property
    def after_pages(self) -> Item | None:
        """What has to happen next apart from opening pages, which nobody needs to do to continue."""
        place = self._after_pages()
        return self.items[place] if place < len(self.items) else None

    def _after_pages(self) -> int:
        place = len(self.done)
        while place < len(self.items) and self.items[place].session == PAGE:
            place += 1
        return place

    def _do(self, n: int) -> None:
        """Note that entry `n` does the next item after the pages, which count as seen."""
        self.done += [n] * (self._after_pages() + 1 - len(self.done))

    def read(self, entries: Iterable[Entry]) -> None:
        """Read the next entries of the record."""
        for entry in entries:
            self.read_to = entry.n
            if entry.layer is Layer.FACT and entry.kind not in self._silent:
                self._fact(entry)
            elif is_control(entry, Control.VOID):
                self._void(entry)
            elif is_control(entry, Control.LESSON):
                self._page(entry)

    def _fact(self, fact: Entry) -> None:
        self._facts[fact.n] = fact
        if self.next is None:  # after the lesson everybody plays on as they like
            return
        if self._fits(fact) or self._repeats(fact):
            self._do(fact.n)
        elif fact.actor != CLOCK:  # what was due by itself would only come again
            self._unwanted(fact.n)

    def _unwanted(self, n: int) -> None:
        self.unwanted.append(n)
        if self._wants(REDO):
            # A new fact ends what can be brought back: undo and redo are both to be done again.
            self._back_to(self._last_undo())

    def _page(self, entry: Entry) -> None:
        if (
            self.next is not None
            and self.next.session == PAGE
            and self.next.page == entry.body.get("seen")
        ):
            self.done.append(entry.n)

    def _fits(self, fact: Entry) -> bool:
        item = self.after_pages
        return item is not None and _does(item, fact)

    def _repeats(self, fact: Entry) -> bool:
        """Return whether `fact` is what the last step undid, entered anew where it should be brought back."""
        if not self._wants(REDO):
            return False
        undone = self._fact_of(self.done[self._last_undo()])
        place = max(place for place, n in enumerate(self.done) if n == undone)  # after its pages
        return _does(self.items[place], fact)

    def _fact_of(self, n: int) -> int:
        """Return the fact that a void takes back or brings back, also by way of other voids; `n` if it is none."""
        while n in self._targets:
            n = self._targets[n]
        return n

    def _void(self, void: Entry) -> None:
        target = int(void.body["entry"])
        n = self._fact_of(target)
        if n not in self._facts:
            return
        counted = self._counts(n)
        self._targets[void.n] = target
        self._voids.setdefault(target, []).append(void.n)
        if counted and not self._counts(n):
            self._taken_back(n, void.n)
        elif not counted and self._counts(n):
            self._brought_back(n, void.n)

    def _counts(self, n: int) -> bool:
        return not any(self._counts(void) for void in self._voids.get(n, ()))

    def _taken_back(self, n: int, void: int) -> None:
        for extra in (self.unwanted, self.outdated):
            if n in extra:
                extra.remove(n)
                return
        if n not in self.done:
            return
        place = self.done.index(n)
        if self._wants(UNDO) and n == self._last_fact():
            self._do(void)
            return
        while place > 0 and not self.items[place].is_deed:
            place -= 1  # what the others did goes with the deed that they answered
        self._back_to(place)

    def _brought_back(self, n: int, void: int) -> None:
        if n in self.done:  # its undo was a step of the lesson
            if self._wants(REDO):
                self._do(void)
            else:
                self._back_to(self._place_of_undo(n))
        elif self._fits(self._facts[n]) or self._repeats(self._facts[n]):
            self._do(n)
        elif self.next is not None:
            self._unwanted(n)

    def _wants(self, session: str) -> bool:
        item = self.after_pages
        return item is not None and item.session == session

    def _last_fact(self) -> int:
        """Return the newest fact of the lesson that no step undid; 0 if there is none."""
        facts = self._facts_done()
        return facts[-1] if facts else 0

    def _facts_done(self) -> list[int]:
        """Return the facts that did items, in order, without those that a step undid."""
        undone = {self._fact_of(n) for n in self.done if n in self._targets}
        return [n for n in self.done if n in self._facts and n not in undone]

    def _last_undo(self) -> int:
        places = [place for place, n in enumerate(self.done) if n in self._targets]
        return places[-1] if places else len(self.done)

    def _place_of_undo(self, n: int) -> int:
        for place, entry in enumerate(self.done):
            if entry in self._targets and self._fact_of(entry) == n:
                return place
        return len(self.done)

    def _back_to(self, place: int) -> None:
        """Continue with the item at `place`; later facts that still count have to be taken back."""
        later = [n for n in self.done[place:] if n in self._facts and self._counts(n)]
        del self.done[place:]
        self.outdated = sorted({*self.outdated, *later})


def _does(item: Item, fact: Entry) -> bool:
    """Return whether a recorded fact does an item; a key does not do what only the board can."""
    return not (item.is_by_board and not fact.causes) and item.fits(fact.kind, fact.body)
