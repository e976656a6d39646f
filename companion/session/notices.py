"""The answers of a table to the people at it: the last one, and the refusals of this run, each with
what was awaited then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.journal.errors import JournalError
from companion.rules.actions import on_page
from companion.rules.clauses import begins_with_one, spoken
from companion.rules.facts import Moment, Refused
from companion.session.corrections import NotDone
from companion.session.views import Notice, Refusal

KEPT = 20
"""How many refusals can still be opened; they are not in the record."""


class Notices:
    """Numbered answers, each a whole sentence without clause ids. `sentence` inserts a person's
    keys into a text that names actions; `names` returns the names of the people."""

    def __init__(self, sentence: Callable[[str], str], names: Callable[[], Sequence[str]]) -> None:
        self._sentence = sentence
        self._names = names
        self.last: Notice | None = None
        """The answer to the last action."""
        self.on_page = ""
        """The same for somebody who taps on a page, which has no keys."""
        self._number = 0
        self.refusals: tuple[Refusal, ...] = ()
        """The refusals that can be opened, oldest first."""

    def say(
        self, text: str, *, refused: bool = False, secret: bool = False, logged: str = ""
    ) -> None:
        """Show `text` as a whole sentence; an empty text shows nothing. The log has its beginning `logged`, too."""
        if text:
            self._number += 1
            sentence = spoken(text, named=begins_with_one(self._names(), text))
            self.on_page = on_page(sentence)
            sentence = self._sentence(sentence)
            # only the first letter may have become a capital one
            begins = sentence[1:].startswith(logged[1:])
            self.last = Notice(
                self._number, sentence, refused, secret, len(logged) if begins else 0
            )

    def withdraw(self) -> None:
        """Show no answer any more."""
        self.last = None

    def refuse(
        self,
        why: NotDone | Refused | JournalError,
        at: Moment,
        after: int,
        awaiting: str,
        *,
        secret: bool,
    ) -> None:
        """Show why something is not done. `at` is the moment, `after` the last entry then,
        `awaiting` what was awaited. What the rules say about a `secret` of a seat is shown on no
        other screen."""
        sentence = why.spoken(self._names()) if isinstance(why, Refused) else str(why)
        self.say(sentence, refused=True, secret=secret and isinstance(why, Refused))
        if self.last is not None and not self.last.secret:
            clause = f" ({why.clause})" if isinstance(why, Refused) else ""
            refusal = Refusal(
                self.last.number, f"{self.last.text}{clause}", at, after, self._sentence(awaiting)
            )
            self.refusals = (*self.refusals, refusal)[-KEPT:]
