"""What puts a record right: undo, redo, take back, amend, insert, enter, each as what to append in one step.

Nothing is ever deleted. What comes later stays; what makes no sense any more is marked by the fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.journal.entries import (
    KEYBOARD,
    UNDO,
    Control,
    Draft,
    Entry,
    Layer,
    is_control,
    is_lost,
)
from companion.journal.fold import amend_drafts, one_step, void_draft
from companion.link.settings import config_of, fields_of
from companion.rules.columns import plural
from companion.rules.facts import TABLE, Fact, Moment, body_of
from companion.rules.game import Retraction
from companion.session.intake import fact_draft
from companion.session.log import TABLES_WORD
from companion.session.projection import SessionProjection
from companion.session.views import Level

if TYPE_CHECKING:
    from companion.session.rereading import Rereading


# Why something was taken back when its undo or redo had to wait for the table's answer, and the game went on meanwhile.
LATE_UNDO, LATE_REDO = "undone once the table had agreed", "brought back once the table had agreed"
STAYS = "Only rulings and corrections are taken back; what the board said and what else was done to the record stays."
_AMENDED = "only a ruling can be amended; what the board said and what was done to the record stays"


class NotDone(Exception):
    """What somebody wants cannot be, for the reason in the sentence."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What to append: the facts and voids of one step, and what else belongs to it; `done` is the sentence that says
    what was done, empty where the screen shows it anyway. `changes` says it to who is asked first, where neither that
    nor the facts say it. `why` and `who` are as given; `begin` is called once, just before it is appended."""

    drafts: tuple[Draft, ...]
    done: str = ""
    why: str = ""
    who: str = ""
    beside: tuple[Draft, ...] = ()
    changes: str = ""
    begin: Callable[[], object] = lambda: None

    def remarks(self, first_n: int) -> tuple[Draft, ...]:
        """Return what tells of the facts in it why and by whom they were put in, when its first entry is `first_n`."""
        facts = [
            n for n, draft in enumerate(self.drafts, start=first_n) if draft.layer is Layer.FACT
        ]
        if not facts or not (self.why or self.who):
            return ()
        return (
            Draft(
                Layer.CONTROL, Control.REMARK, {"entries": facts, "why": self.why, "who": self.who}
            ),
        )


Plan = Callable[[], Correction]
"""Finds what to append in the record as it is when it is called; raises `NotDone`, and `Refused` by the rules."""


def step(record: SessionProjection, *, back: bool) -> Plan:
    """Return what takes the last step `back`, or brings the last undone one back: that step only, whatever came
    meanwhile; raise `NotDone`."""
    target, drafts = _next_step(record, back)
    if target is None:
        raise NotDone(f"there is nothing to {'undo' if back else 'bring back'}")

    def plan() -> Correction:
        now, fresh = _next_step(record, back)
        targets = (draft.body["entry"] for draft in drafts)
        struck = (
            fresh if now == target else _strike(record, targets, LATE_UNDO if back else LATE_REDO)
        )
        return Correction(struck, f"{'undone' if back else 'brought back'}: {record.text(target)}")

    return plan


def _next_step(record: SessionProjection, back: bool) -> tuple[int | None, tuple[Draft, ...]]:
    steps = record.timeline.steps
    return (
        (steps.undo_target, steps.undo_drafts())
        if back
        else (steps.redo_target, steps.redo_drafts())
    )


def retract(record: SessionProjection, answer: Retraction) -> Correction:
    """Return what takes back the entries that a game wants back."""
    drafts = _strike(record, answer.entries, answer.reason)
    targets = "; ".join(record.text(draft.body["entry"]) for draft in drafts)
    return Correction(drafts, answer.reason, changes=f"taken back: {targets}")


def closings(record: SessionProjection, first: int, last: int) -> list[int]:
    """Return the entries from `first` to `last` that are of the same contact as `first`."""
    contact = contact_of(record, first)
    return [n for n in range(first, last + 1) if contact_of(record, n) == contact]


def contact_of(record: SessionProjection, n: int) -> tuple[int, str]:
    """Return the boot and the channel of entry `n`."""
    body = record.entries[n - 1].body
    return body.get("boot", 0), body.get("channel", "")


def facts_of(record: SessionProjection, presses: Iterable[int]) -> list[int]:
    """Return the facts that stand and rest on one of `presses`."""
    run = set(presses)
    return [
        n
        for n in record.timeline.order.facts
        if record.stands(n) and run & {*record.entries[n - 1].causes}
    ]


def undo_run(record: SessionProjection, presses: Iterable[int], channel: str) -> Correction:
    """Return what takes back all facts that rest on one of `presses`, the closings of a contact that flickers."""
    facts = facts_of(record, presses)
    drafts = _strike(record, facts, f"{channel} flickered") if facts else ()
    return Correction(drafts, f"undone: all that {channel} did in this run")


def take_back(record: SessionProjection, n: int, why: str, who: str) -> Correction:
    """Return what takes the fact or the correction `n` back, or brings it back; raise `NotDone`.

    A correction goes and comes with all that was one step with it. Of a fact and what amended it one stands at a time:
    the one that is brought back.
    """
    entry = record.entry(n)
    if entry is None or not (entry.layer is Layer.FACT or is_control(entry, Control.VOID)):
        raise NotDone(STAYS)
    stood = record.stands(n)
    if not stood:
        step = _against(record, entry)
    else:
        step = _step_of(record, entry) if is_control(entry, Control.VOID) else [entry]
    targets = [each.n for each in step if record.stands(each.n)]
    targets += _rivals(record, targets)
    drafts = _strike(record, targets, why or TABLES_WORD, who)
    return Correction(drafts, f"{'taken' if stood else 'brought'} back: {record.text(n)}", why, who)


def _against(record: SessionProjection, entry: Entry) -> Sequence[Entry]:
    """What has to go for `entry` to count again: its voids; for a correction, the steps that took it back. An undo is
    a void for each member of the step; whatever else took one member back stays."""
    if not is_control(entry, Control.VOID):
        return _voids_of(record, entry)
    voids = (void for member in _step_of(record, entry) for void in _voids_of(record, member))
    back = [void for void in voids if void.body["entry"] == entry.n or void.body["reason"] == UNDO]
    return [each for void in back for each in _step_of(record, void)]


def _rivals(record: SessionProjection, targets: list[int]) -> list[int]:
    """Other versions of the facts that would count again, and would count beside them."""
    effect = record.timeline.order.effect_of(targets)
    versions = (each.n for n in effect.rising for each in _versions(record, record.entries[n - 1]))
    return [n for n in versions if record.stands(n) and n not in effect.falling]


def amend(
    record: SessionProjection, n: int, body: Mapping[str, Any], why: str, who: str
) -> Correction:
    """Return what puts `body` in the place of that of fact `n`, its time kept; raise `NotDone`, or `Refused` where the
    rules do not allow it there."""
    entry = record.entry(n)
    if entry is None or entry.layer is not Layer.FACT:
        raise NotDone(_AMENDED)
    if not record.stands(n):
        raise NotDone(f"it was taken back: bring it back first, then amend it ({record.text(n)})")
    kept = {"at": entry.body["at"]} if "at" in entry.body else {}
    fact = record.game.parse(
        entry.kind, {name: value for name, value in body.items() if name != "at"} | kept
    )
    state = record.timeline.state_before(n)
    # its void is entered before it
    after = record.game.advance(state, fact, len(record.entries) + 2)
    if body_of(fact) == dict(entry.body):
        raise NotDone(f"this is what stands there already: {record.text(n)}")
    void, successor = amend_drafts(entry, body_of(fact), why or TABLES_WORD, who)
    drafts = (void, replace(successor, actor=KEYBOARD))
    return Correction(
        drafts, f"amended: {record.game.sentence(state, after, fact, TABLE)}", why, who
    )


def insert(
    record: SessionProjection, kind: str, body: Mapping[str, Any], after: int, why: str, who: str
) -> Correction:
    """Return what puts a missed fact right behind entry `after`, 0 for before all others; raise `NotDone`, or `Refused`
    where the rules do not allow it there."""
    if not 0 <= after <= len(record.entries):
        raise NotDone(
            f"there is no entry {after} to put it behind; the last one is {len(record.entries)}"
        )
    fact = record.game.parse(kind, body)
    anchor = _anchor(record, max(after, 1))  # entry 1 is the session itself
    state = record.timeline.state_behind(anchor)
    then = record.game.advance(state, fact, len(record.entries) + 1)
    draft = fact_draft(fact, KEYBOARD, after=anchor)
    return Correction(
        (draft,), f"put in: {record.game.sentence(state, then, fact, TABLE)}", why, who
    )


@dataclass(frozen=True, slots=True)
class Change:
    """One of several corrections made at once: another `body` for the fact `entry`, or with a `kind` a missed fact
    after that entry."""

    entry: int
    body: Mapping[str, Any]
    kind: str = ""


def together(
    record: SessionProjection, changes: Sequence[Change], why: str, who: str
) -> Correction:
    """Return what makes several corrections one step, of which each alone might break what comes later.

    Raise `NotDone`, or `Refused` if a fact that stands would make no sense after all of them.
    """
    drafts: list[Draft] = []
    for change in changes:
        drafts += _changed(record, change, why, who)
    step = one_step(*drafts)
    broken = record.broken_by(step)
    if broken is not None:
        raise broken
    done = f"corrected: {plural(len(changes), 'number')}"
    return Correction(step, done, why, who)


def _changed(record: SessionProjection, change: Change, why: str, who: str) -> Iterable[Draft]:
    """Return what one of several changes appends; whether the rules allow it shows only with all of them."""
    if change.kind:
        fact = record.game.parse(change.kind, change.body)
        return (fact_draft(fact, KEYBOARD, after=_anchor(record, max(change.entry, 1))),)
    entry = record.entry(change.entry)
    if entry is None or entry.layer is not Layer.FACT or not record.stands(change.entry):
        raise NotDone(_AMENDED)
    at = {"at": entry.body["at"]} if "at" in entry.body else {}
    body = body_of(record.game.parse(entry.kind, {**change.body, **at}))
    void, successor = amend_drafts(entry, body, why or TABLES_WORD, who)
    return void, replace(successor, actor=KEYBOARD)


def moment(record: SessionProjection, fact: Fact, now: Moment) -> tuple[Moment, str]:
    """Return when a fact from the keyboard was, and a sentence where that is not `now`.

    In a running round an undo stops nothing: what replaces the fact that was undone last takes its time. What starts
    or stops a clock is of now, and what the clock had gone on with by itself was stopped by the undo, and begins anew.
    """
    steps = record.timeline.steps
    redo = steps.redo_target if len(steps.redo_drafts()) == 1 else None
    undone = None if redo is None else record.entries[redo - 1]
    if fact.at is not None:
        return fact.at, ""
    if undone is None or undone.kind != fact.kind or "at" not in undone.body or fact.sets_clock:
        return now, ""
    at = Moment.model_validate(undone.body["at"])
    ago = f": {(now.us - at.us) / 1e6:.1f} s ago" if now.clock == at.clock else ""
    return at, f"entered at the time of the one undone{ago}"


def reread(record: SessionProjection, rereading: Rereading, why: str, who: str) -> Correction:
    """Return what makes another reading of the evidence the one that counts, from now on too; raise `NotDone`."""
    if rereading.read_to != len(record.entries):  # the board has spoken since
        from companion.session.rereading import reread as read_again  # what no first paint needs

        rereading = read_again(record.game, record.setup, tuple(record.entries), rereading.settings)
    settings = rereading.settings
    if not rereading.drafts and settings == record.settings:
        raise NotDone("the evidence is read so already: nothing would change")
    beside = Draft(Layer.CONTROL, Control.SETTINGS, {**settings.chosen, "why": why, "who": who})
    return Correction(rereading.drafts, "the evidence was read again", why, who, (beside,))


def board_draft(record: SessionProjection, fields: Mapping[str, int], why: str, who: str) -> Draft:
    """Return what sets the board's settings from now on; raise `NotDone` for those that no board takes."""
    try:
        config = config_of(fields)
    except ValueError as problem:
        raise NotDone(str(problem)) from problem
    if config == record.board:
        raise NotDone("the board is to have these settings already")
    return Draft(Layer.CONTROL, Control.BOARD, {**fields_of(config), "why": why, "who": who})


def level_draft(record: SessionProjection, step: str, level: str) -> Draft:
    """Return what has a kind of step done another way from now on; raise `NotDone` for one that the game has not."""
    if step not in record.levels or level not in set(Level):
        raise NotDone(f"there is no step {step!r} that could be {level!r}")
    return Draft(Layer.CONTROL, Control.LEVELS, {step: str(level)})


def _anchor(record: SessionProjection, n: int) -> int:
    """The entry behind which a fact stands right behind `n`: of a fact that was amended, the version that counts."""
    entry = record.entries[n - 1]
    if entry.layer is not Layer.FACT or record.stands(n):
        return n
    return next((version.n for version in _versions(record, entry) if record.stands(version.n)), n)


def enter(
    record: SessionProjection, fact: Fact, why: str = "", who: str = "", done: str = ""
) -> Correction:
    """Return what records a fact by hand now; raise `Refused`."""
    record.tried(fact)
    return Correction((fact_draft(fact, KEYBOARD),), done, why, who)


def _strike(
    record: SessionProjection, targets: Iterable[int], reason: str, who: str = ""
) -> tuple[Draft, ...]:
    """One step that takes back those of `targets` that stand; raise `NotDone` when none does."""
    standing = [n for n in dict.fromkeys(targets) if record.stands(n)]
    if not standing:
        raise NotDone("it is so already: somebody was faster")
    return one_step(*(void_draft(n, reason, who) for n in standing))


def _voids_of(record: SessionProjection, entry: Entry) -> list[Entry]:
    return [void for void in record.voids_of(entry.n) if record.stands(void.n)]


def _step_of(record: SessionProjection, entry: Entry) -> Sequence[Entry]:
    """All entries that are one step with `entry`, in the order of the record."""
    first = entry.n
    while record.entries[first - 1].joined:
        first -= 1
    last = entry.n
    while last < len(record.entries) and record.entries[last].joined:
        last += 1
    return [each for each in record.entries[first - 1 : last] if not is_lost(each)]


def _versions(record: SessionProjection, fact: Entry) -> list[Entry]:
    """The fact, what it amended, and what amended it, however often."""
    while fact.joined and _amended_by(record, record.entries[fact.n - 2]) == fact:
        fact = record.entries[record.entries[fact.n - 2].body["entry"] - 1]
    return [fact, *_later_versions(record, fact)]


def _later_versions(record: SessionProjection, fact: Entry) -> list[Entry]:
    successors = [_amended_by(record, void) for void in record.voids_of(fact.n)]
    return [
        each
        for found in successors
        if found is not None
        for each in (found, *_later_versions(record, found))
    ]


def _amended_by(record: SessionProjection, void: Entry) -> Entry | None:
    """The fact that a void was made for, to stand in the place of the one it takes back; one with a key was read from
    evidence, and only happens to be put there."""
    successor = record.entry(void.n + 1)
    if (
        not is_control(void, Control.VOID)
        or successor is None
        or not successor.joined
        or successor.key is not None
    ):
        return None
    return successor if successor.after == void.body["entry"] else None
