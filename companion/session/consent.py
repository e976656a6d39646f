"""Changes that only the people at the table can allow: taking back what showed somebody something,
and changing a finished game. Each is asked for in a sentence that says what it changes, and the
answer is recorded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from companion.journal.entries import Control, Draft, Layer
from companion.rules.clauses import begins_with_one, spoken, without_clauses
from companion.rules.columns import plural
from companion.rules.facts import TABLE
from companion.rules.outcome import Ending
from companion.session.corrections import Correction, NotDone, Plan
from companion.session.log import KEPT
from companion.session.projection import SessionProjection


@dataclass(frozen=True, slots=True)
class Asked:
    """An unanswered question, and the plan to commit after a yes.

    `shown` are the entries that would be taken back although they showed something: entry -> what.
    `finished` is what would change in a finished game, as text, or None if that is not asked.
    `may_change_end`: see `Consent.commit`. `id` tells the question from all others of this run; `by`
    is the device on which it was started.
    """

    text: str
    plan: Plan
    shown: Mapping[int, str]
    finished: str | None
    may_change_end: bool
    id: str = ""
    by: str = ""


class Consent:
    """Commits people's changes to the record, after a yes if one is needed. `append` records drafts
    in order, all or none, and adds them to the projection."""

    def __init__(self, record: SessionProjection, append: Callable[..., object]) -> None:
        self._record = record
        self._append = append
        self.asked: Asked | None = None
        """The unanswered question."""
        self.device = ""
        """The device that acts now; empty for the laptop."""
        self.done = ""
        """What was done last: the beginning of the sentence on it, which the log has, too."""
        self._count = 0

    def agree(self) -> str:
        """Commit what was asked about, with the answer; raise `NotDone` if nothing is asked."""
        asked = self._answered()
        return self.commit(asked.plan, asked, may_change_end=asked.may_change_end)

    def accept(self, plan: Plan) -> str:
        """Commit an accepted proposal.

        In a finished game, `proposal_text` has asked whether to change it, so that is answered with
        the same yes. Whether to take back what somebody has seen is still asked.
        """
        if self._record.ending is None:
            return self.commit(plan)
        finished = what_changes(self._record, plan())
        return self.commit(plan, Asked("", plan, {}, finished, may_change_end=False))

    def proposal_text(self, text: str, draft: Draft) -> str:
        """Return the text of a proposal whose fact would be recorded as `draft`; once the game is
        over, with what it changes."""
        if self._record.ending is None:
            return text
        return f"{text}; the game is over, then {outcome(self._record.ending, self._record.ending_with((draft,)))}"

    def disagree(self) -> str:
        """Record that not everybody agreed; raise `NotDone` if nothing is asked."""
        asked = self._answered()
        if asked.finished is not None:
            # Entry 1, the beginning of the session, if there is nothing to undo.
            last_n = self._record.timeline.steps.undo_target or 1
            self._append(
                *_answers(asked, agreed=False), _finished_answer(asked, last_n, agreed=False)
            )
            return "nothing was changed: the result stays"
        self._append(*_answers(asked, agreed=False))
        return "nothing was undone" if self._alone else "not everybody agreed: nothing was undone"

    @property
    def _alone(self) -> bool:
        """Whether one person plays; then nobody else has to agree."""
        return len(self._record.common.playing) == 1

    def _answered(self) -> Asked:
        asked, self.asked = self.asked, None
        if asked is None:
            raise NotDone("nothing is asked any more")
        return asked

    def commit(
        self, plan: Plan, agreed: Asked | None = None, *, may_change_end: bool = False
    ) -> str:
        """Append the drafts of `plan`, or ask first, unless the table `agreed`.

        Return a sentence on what was done, empty for nothing to say. Raise what `plan` raises. With
        `may_change_end`, a finished game is changed without a question, and the sentence says how
        its result changed.
        """
        correction = plan()
        shown = self._record.shown_by(correction.drafts)
        ended = self._record.ending
        asks_end = ended is not None and not may_change_end
        agreed_end = agreed is not None and agreed.finished is not None
        agreed_shown = agreed.shown.keys() if agreed else frozenset()
        if shown.keys() - agreed_shown or (asks_end and not agreed_end):
            finished = what_changes(self._record, correction) if asks_end else None
            text = self._question(correction, shown, finished)
            # Keep the plan, not its drafts: the game goes on meanwhile, and the plan fits whatever
            # the record is after the answer.
            self._ask(Asked(text, plan, shown, finished, may_change_end))
            return ""
        done = self._record_all(correction, agreed)
        if may_change_end and ended is not None and self._record.ending != ended:
            return f"{done}; after the end, {outcome(ended, self._record.ending)}"
        return done

    def _record_all(self, correction: Correction, agreed: Asked | None) -> str:
        answers = _answers(agreed, agreed=True) if agreed else ()
        first_n = len(self._record.entries) + len(answers) + 1
        after = [*correction.beside, *correction.remarks(first_n)]
        if agreed is not None and agreed.finished is not None:
            after.append(_finished_answer(agreed, first_n, agreed=True))
        # Only a change of the past can have consequences that the fact's own sentence does not tell.
        changes_past = any(
            draft.kind == Control.VOID or draft.after is not None for draft in correction.drafts
        )
        before, state = set(self._record.problems), self._record.state
        later = self._record.counting_after(correction.drafts, KEPT) if changes_past else ()
        texts = {n: self._record.text(n) for n in later}
        names = self._names()
        correction.begin()
        self._append(*answers, *correction.drafts, *after)
        broken = len(set(self._record.problems) - before)
        text = self.done = correction.done
        if broken:
            make = plural(broken, "later entry makes", "later entries make")
            text += f"; {make} no sense now: see the log"
        if not changes_past:
            return text
        passed_on = self._passed_on(texts, names | self._names())
        if passed_on:
            belong = plural(passed_on, "later entry now belongs", "later entries now belong")
            text += f"; {belong} to another player: see the log"
        follows = self._record.game.follows(state, self._record.state)
        return f"{text}; {follows}" if follows else text

    def _names(self) -> frozenset[str]:
        return frozenset(seat.name for seat in self._record.common.setup.seats)

    def _passed_on(self, before: Mapping[int, str], names: Collection[str]) -> int:
        """Return how many facts that had the sentences `before` are now about another of the players `names`.

        A fact that names no player belongs to the one whose turn it is, which a correction can change. The sentence
        then begins with another name.
        """
        record, count = self._record, 0
        for n, text in before.items():
            if not record.counts(n) or record.text(n) == text:
                continue
            then, now = _first_name(text, names), _first_name(record.text(n), names)
            if then and now and then != now:
                count += 1
        return count

    def _ask(self, question: Asked) -> None:
        if self.asked is not None:
            raise NotDone("answer this first")
        self._count += 1
        self.asked = replace(question, id=f"change-{self._count}", by=self.device)

    def _question(
        self, correction: Correction, shown: Mapping[int, str], finished: str | None
    ) -> str:
        sentences: list[str] = []
        if finished is not None:
            then = outcome(self._record.ending, self._record.ending_with(correction.drafts))
            sentences.append(f"Change the finished game? {spoken(finished)} Then {then}.")
        if shown:
            items = "; ".join(
                f"{without_clauses(self._record.text(n))} ({effect})" for n, effect in shown.items()
            )
            sentences.append(f"Players have seen this already: {items}.")
        if finished is None:
            sentences.append(
                "Undo it anyway?" if self._alone else "Does everybody agree to undo it?"
            )
        return " ".join(sentences)


def _first_name(sentence: str, names: Collection[str]) -> str:
    """Return the longest of `names` that the sentence begins with, "" for none."""
    found = (name for name in names if begins_with_one((name,), sentence))
    return max(found, key=len, default="")


def what_changes(record: SessionProjection, correction: Correction) -> str:
    """Return what a correction does, as part of a question: the public sentences of the facts it
    adds at the end, or its own summary."""
    entered = [
        draft for draft in correction.drafts if draft.layer is Layer.FACT and draft.after is None
    ]
    if not entered:
        return without_clauses(correction.changes or correction.done)
    facts = (record.game.parse(draft.kind, draft.body) for draft in entered)
    return f"new: {'; '.join(without_clauses(record.game.describe(record.state, fact, TABLE)) for fact in facts)}"


def outcome(ended: Ending | None, new: Ending | None) -> str:
    """Return how the result of a game changes that `ended` one way and now ends like `new`."""
    if new is None:
        return "the game continues"
    if new == ended:
        return "the result stays the same"
    if ended is not None and new.headline == ended.headline:
        return f"the scores change: {new.headline}"
    return f"the result changes: {new.headline}"


def _answers(asked: Asked, *, agreed: bool) -> tuple[Draft, ...]:
    """Return the drafts that record the answer: one for each fact that showed something."""
    return tuple(
        Draft(
            Layer.CONTROL,
            Control.CONSENT,
            {"entry": n, "agreed": agreed, "text": text},
            causes=(n,),
        )
        for n, text in asked.shown.items()
    )


def _finished_answer(asked: Asked, n: int, *, agreed: bool) -> Draft:
    """Return the draft that records the answer about a finished game; `n` is the first entry of the
    change, or after a no the last entry that counts."""
    body = {"entry": n, "agreed": agreed, "text": asked.finished, "finished": True}
    return Draft(Layer.CONTROL, Control.CONSENT, body, causes=(n,))
