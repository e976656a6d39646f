"""Corrections on their way into the record, and what only the whole table can allow: taking back what showed somebody
something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.journal.entries import Control, Draft, Layer
from companion.session.corrections import NotDone, Plan
from companion.session.projection import SessionProjection


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that waits: what would be taken back although it showed something (entry -> what), and the plan to go
    on with once everybody agreed; no two share a number."""

    number: int
    text: str
    plan: Plan
    shown: Mapping[int, str]


class Consent:
    """Lets corrections through to the record, one that takes back a revelation only after the table agreed. `append`
    records drafts in their order, all or none, and takes them into the projection."""

    def __init__(self, record: SessionProjection, append: Callable[..., object]) -> None:
        self._record = record
        self._append = append
        self._count = 0
        self.asked: Asked | None = None
        """The question that waits for its answer."""

    def commit(self, plan: Plan) -> str:
        """Append what `plan` comes to, or ask first; return what was done in a sentence, empty for nothing to say.
        Raise what `plan` raises."""
        return self._commit(plan, None)

    def agree(self) -> str:
        """Go on with what was asked about, the answer beside it; raise `NotDone` when nothing is asked."""
        asked = self._answered()
        return self._commit(asked.plan, asked)

    def disagree(self) -> str:
        """Record that not everybody agreed; raise `NotDone` when nothing is asked."""
        self._append(*_answers(self._answered(), agreed=False))
        return "nothing was taken back" if self._alone else "not everybody agreed: nothing was taken back"

    @property
    def _alone(self) -> bool:
        """Whether one person plays, who is asked as such."""
        return len(self._record.common.playing) == 1

    def _answered(self) -> Asked:
        asked, self.asked = self.asked, None
        if asked is None:
            raise NotDone("nothing is asked any more")
        return asked

    def _commit(self, plan: Plan, agreed: Asked | None) -> str:
        correction = plan()
        shown = self._record.shown_by(correction.drafts)
        if shown.keys() - (agreed.shown.keys() if agreed else ()):
            self._ask(plan, shown)
            return ""
        said = _answers(agreed, agreed=True) if agreed else ()
        remarks = correction.remarks(len(self._record.entries) + len(said) + 1)
        before, state = set(self._record.problems), self._record.state
        self._append(*said, *correction.drafts, *correction.beside, *remarks)
        broken = len(set(self._record.problems) - before)
        senseless = f"; entries that make no sense now, each marked with its clause: {broken}" if broken else ""
        past = any(draft.kind == Control.VOID or draft.after is not None for draft in correction.drafts)
        follows = self._record.game.follows(state, self._record.state) if past else ""
        return f"{correction.done}{senseless}{'; ' if follows else ''}{follows}"

    def _ask(self, plan: Plan, shown: Mapping[int, str]) -> None:
        if self.asked is not None:
            raise NotDone(f"one thing at a time: first answer what is asked ({self.asked.text})")
        self._count += 1
        told = "; ".join(f"{self._record.text(n)} ({what})" for n, what in shown.items())
        question = "Take it back all the same?" if self._alone else "Does everybody agree to take it back?"
        text = f"This was shown and cannot be unseen: {told}. {question}"
        self.asked = Asked(self._count, text, plan, shown)


def _answers(asked: Asked, *, agreed: bool) -> tuple[Draft, ...]:
    """What to record of the answer: one entry for each fact that was asked about."""
    return tuple(
        Draft(Layer.CONTROL, Control.CONSENT, {"entry": n, "agreed": agreed, "text": what}, causes=(n,))
        for n, what in asked.shown.items()
    )
