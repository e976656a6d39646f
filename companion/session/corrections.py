"""Corrections of a record: undo, redo, take back, amend, insert, enter. Each returns what to append
as one step.

Nothing is ever deleted. Later entries stay; those that no longer make sense are marked by the fold.
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
from companion.rules.facts import TABLE, Fact, Moment, Refused, body_of
from companion.rules.game import Retraction
from companion.session.intake import fact_draft
from companion.session.log import TABLES_WORD
from companion.session.projection import SessionProjection
from companion.session.views import Level

if TYPE_CHECKING:
    from companion.session.rereading import Rereading


# The reasons of an undo or redo that waited for the table's answer while the game went on.
LATE_UNDO, LATE_REDO = "undone once the table had agreed", "brought back once the table had agreed"
STAYS = "Only rulings and corrections can be deleted. Choose one of them."
_DELETED = "it is deleted: restore it first, then change it ({})"
_AMENDED = "only a ruling can be changed: choose one"
_REPLACED_WITHIN_US = 5_000_000
"""Most microseconds between a slip and what replaces it: later, people enter something that happened later."""


class NotDone(Exception):
    """Something cannot be done, for the reason in the sentence."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The entries of one correction: `drafts` are the facts and voids of one step, `beside` further
    entries that belong to it.

    `done` is a sentence on what was done, empty if the screen shows it anyway. If the table is asked
    before, the question names the facts that the correction adds; if it adds none, the question uses
    `changes`, or `done` if that is empty. `why` and `who` are as entered; `begin` is called once, just before the
    drafts are appended.
    """

    drafts: tuple[Draft, ...]
    done: str = ""
    why: str = ""
    who: str = ""
    beside: tuple[Draft, ...] = ()
    changes: str = ""
    begin: Callable[[], object] = lambda: None

    def remarks(self, first_n: int) -> tuple[Draft, ...]:
        """Return the drafts that record why and by whom the facts were entered, if the first draft
        becomes entry `first_n`."""
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
"""Returns what to append to the record as it is at the call; raises `NotDone`, and `Refused` by the
rules."""


def step(record: SessionProjection, *, back: bool) -> Plan:
    """Return the plan that undoes the last step (`back`), or redoes the one undone last. Raise
    `NotDone`.

    The step is chosen now: if the table is asked first and the game goes on meanwhile, the plan
    still undoes the step that the question was about. If somebody has undone it by then, the plan
    raises `NotDone` (in `_strike`).
    """
    target, drafts = _next_step(record, back)
    if target is None:
        raise NotDone("there is nothing to undo" if back else "there is nothing to restore")

    def plan() -> Correction:
        target_now, drafts_now = _next_step(record, back)
        struck = drafts_now
        if target_now != target:
            # The game went on while the table was asked: still take back what it was asked about.
            targets = (draft.body["entry"] for draft in drafts)
            struck = _strike(record, targets, LATE_UNDO if back else LATE_REDO)
        done = "undone" if back else "restored"
        return Correction(struck, f"{done}: {record.label(target)}")

    return plan


def _next_step(record: SessionProjection, back: bool) -> tuple[int | None, tuple[Draft, ...]]:
    steps = record.timeline.steps
    if back:
        return steps.undo_target, steps.undo_drafts()
    return steps.redo_target, steps.redo_drafts()


def retract(record: SessionProjection, answer: Retraction) -> Correction:
    """Return the correction that takes back the entries a game wants to retract."""
    drafts = _strike(record, answer.entries, answer.reason)
    targets = "; ".join(record.text(draft.body["entry"]) for draft in drafts)
    return Correction(drafts, answer.reason, changes=f"deleted: {targets}")


def closings(record: SessionProjection, first: int, last: int) -> list[int]:
    """Return the entries from `first` to `last` about the contact that entry `first` is about."""
    contact = contact_of(record, first)
    return [n for n in range(first, last + 1) if contact_of(record, n) == contact]


def contact_of(record: SessionProjection, n: int) -> tuple[int, str]:
    """Return the boot and the channel of entry `n`."""
    body = record.entries[n - 1].body
    return body.get("boot", 0), body.get("channel", "")


def facts_of(record: SessionProjection, presses: Iterable[int]) -> list[int]:
    """Return the standing facts that are based on one of `presses`."""
    run = set(presses)
    return [
        n
        for n in record.timeline.order.facts
        if record.stands(n) and run & {*record.entries[n - 1].causes}
    ]


def undo_run(record: SessionProjection, presses: Iterable[int], channel: str) -> Correction:
    """Return the correction that takes back all facts based on one of `presses`, the closings of a
    flickering contact."""
    facts = facts_of(record, presses)
    drafts = _strike(record, facts, f"{channel} flickered") if facts else ()
    return Correction(drafts, f"undone: everything {channel} did in this run")


def take_back(record: SessionProjection, n: int, why: str, who: str) -> Correction:
    """Return the correction that takes back the fact or correction `n`, or brings it back; raise
    `NotDone`.

    A correction goes and comes with its whole step. A fact and its amended versions never count at
    the same time: if one is brought back, the version that counted until then is taken back.
    """
    entry = record.entry(n)
    if entry is None or not (entry.layer is Layer.FACT or is_control(entry, Control.VOID)):
        raise NotDone(STAYS)
    stood = record.stands(n)
    members: Sequence[Entry] = [entry]
    if not stood:
        members = _voids_to_lift(record, entry)
    elif is_control(entry, Control.VOID):
        members = _step_of(record, entry)
    targets = [member.n for member in members if record.stands(member.n)]
    targets += _standing_versions(record, targets)
    drafts = _strike(record, targets, why or TABLES_WORD, who)
    done = "deleted" if stood else "restored"
    return Correction(drafts, f"{done}: {record.text(n)}", why, who)


def _voids_to_lift(record: SessionProjection, entry: Entry) -> Sequence[Entry]:
    """Return what must be taken back for `entry` to count again.

    For a fact: its voids. For a correction: its voids, and those voids of the other members of its
    step that came from an undo, because an undo takes back a whole step, one void for each member. A
    member that somebody took back without an undo stays taken back.
    """
    if not is_control(entry, Control.VOID):
        return _voids_of(record, entry)
    members: list[Entry] = []
    for part in _step_of(record, entry):
        for void in _voids_of(record, part):
            if void.body["entry"] == entry.n or void.body["reason"] == UNDO:
                members += _step_of(record, void)
    return members


def _standing_versions(record: SessionProjection, targets: list[int]) -> list[int]:
    """Return the versions to take back together with `targets`.

    Taking back `targets` makes some facts count again (`rising`), and others count no longer
    (`falling`). If two versions of one fact would count then, the one that counts now is returned.
    """
    effect = record.timeline.order.effect_of(targets)
    versions = (
        version.n for n in effect.rising for version in _versions(record, record.entries[n - 1])
    )
    return [n for n in versions if record.stands(n) and n not in effect.falling]


def amend(
    record: SessionProjection, n: int, body: Mapping[str, Any], why: str, who: str
) -> Correction:
    """Return the correction that replaces the body of fact `n`, keeping its time; raise `NotDone`,
    or `Refused` if the rules do not allow it there."""
    entry = record.entry(n)
    if entry is None or entry.layer is not Layer.FACT:
        raise NotDone(_AMENDED)
    if not record.stands(n):
        raise NotDone(_DELETED.format(record.text(n)))
    changed = _successor(record, entry, body)
    fact = record.game.parse(
        entry.kind, type(changed).successor(body_of(changed), n), record.common.setup
    )
    state = record.timeline.state_before(n)
    # Two entries are appended: the void of the old version, then this fact.
    after = _advanced(record, state, fact, len(record.entries) + 2)
    if body_of(changed) == dict(entry.body):
        raise NotDone(f"nothing would change: {record.text(n)}")
    void, successor = amend_drafts(entry, body_of(fact), why or TABLES_WORD, who)
    drafts = (void, replace(successor, actor=KEYBOARD))
    return Correction(
        drafts, f"changed: {record.game.sentence(state, after, fact, TABLE)}", why, who
    )


def insert(
    record: SessionProjection, kind: str, body: Mapping[str, Any], after: int, why: str, who: str
) -> Correction:
    """Return the correction that inserts a missed fact directly after entry `after`, 0 for before
    all others; raise `NotDone`, or `Refused` if the rules do not allow it there."""
    if not 0 <= after <= len(record.entries):
        raise NotDone(
            f"there is no entry {after} to add it after; the last one is {len(record.entries)}"
        )
    fact = record.game.parse(kind, body, record.common.setup)
    anchor = _anchor(record, max(after, 1))  # entry 1 is the session itself
    state = record.timeline.state_after(anchor)
    fact = record.game.about(state, fact)
    state_then = _advanced(record, state, fact, len(record.entries) + 1)
    draft = fact_draft(fact, KEYBOARD, after=anchor)
    return Correction(
        (draft,), f"added: {record.game.sentence(state, state_then, fact, TABLE)}", why, who
    )


def _advanced(record: SessionProjection, state: Any, fact: Fact, n: int) -> Any:
    """Return the state after a fact that is put into the past; raise `Refused`, as said of a correction."""
    try:
        return record.game.advance(state, fact, n)
    except Refused as refusal:
        raise refusal.of_correction() from None


@dataclass(frozen=True, slots=True)
class Change:
    """One of several corrections made as one step: another `body` for the fact `entry`, or with a
    `kind` a missed fact after that entry."""

    entry: int
    body: Mapping[str, Any]
    kind: str = ""


def together(
    record: SessionProjection, changes: Sequence[Change], why: str, who: str
) -> Correction:
    """Return several corrections as one step; each alone might break later facts.

    Raise `NotDone`, or `Refused` if a standing fact would make no sense after all of them.
    """
    drafts: list[Draft] = []
    for change in changes:
        drafts += _changed(record, change, why, who)
    joined = one_step(*drafts)
    broken = record.broken_by(joined)
    if broken is not None:
        raise broken
    done = f"corrected: {plural(len(changes), 'number')}"
    return Correction(joined, done, why, who)


def _changed(record: SessionProjection, change: Change, why: str, who: str) -> Iterable[Draft]:
    """Return the drafts for one of several changes. Whether the rules allow it is checked only with
    all of them."""
    if change.kind:
        fact = record.game.parse(change.kind, change.body, record.common.setup)
        return (fact_draft(fact, KEYBOARD, after=_anchor(record, max(change.entry, 1))),)
    entry = record.entry(change.entry)
    if entry is None or entry.layer is not Layer.FACT:
        raise NotDone(_AMENDED)
    if not record.stands(change.entry):
        raise NotDone(_DELETED.format(record.text(change.entry)))
    changed = _successor(record, entry, change.body)
    body = type(changed).successor(body_of(changed), entry.n)
    void, successor = amend_drafts(entry, body, why or TABLES_WORD, who)
    return void, replace(successor, actor=KEYBOARD)


def _is_same(fact: Fact, undone: Entry) -> bool:
    """Return whether a fact differs from an undone one of its kind in its moment at most."""
    return body_of(fact) == {name: each for name, each in undone.body.items() if name != "at"}


def moment(record: SessionProjection, fact: Fact, now: Moment) -> tuple[Moment, str]:
    """Return the moment of a fact from the keyboard, and a sentence if that is the moment of an
    earlier fact.

    A fact with a moment of its own keeps it. In a running round an undo does not stop the clock: if
    the fact replaces the one that was undone last, it happened when that one did. The very same fact
    replaces nothing, since redo brings it back: the one undone was a slip, and this one happens now.
    So does what is entered long after the one undone, a fact that starts or stops a clock, and every
    fact of a lesson, which undoes tries by itself.
    """
    steps = record.timeline.steps
    redo = steps.redo_target if len(steps.redo_drafts()) == 1 else None
    undone = None if redo is None else record.entries[redo - 1]
    if fact.at is not None:
        return fact.at, ""
    if undone is None or undone.kind != fact.kind or "at" not in undone.body or fact.sets_clock:
        return now, ""
    if record.is_lesson or _is_same(fact, undone):
        return now, ""
    at = Moment.model_validate(undone.body["at"])
    if now.clock == at.clock and now.us - at.us > _REPLACED_WITHIN_US:
        return now, ""
    ago = f", as of {(now.us - at.us) / 1e6:.1f} s ago" if now.clock == at.clock else ""
    return at, f"entered: it counts in place of what was undone{ago}"


def reread(record: SessionProjection, rereading: Rereading, why: str, who: str) -> Correction:
    """Return the correction that makes another reading of the evidence count, also for new
    evidence; raise `NotDone`."""
    if rereading.read_to != len(record.entries):  # something was recorded since
        # Imported late: the first screen does not need it.
        from companion.session.rereading import reread as read_again

        rereading = read_again(record.game, record.setup, tuple(record.entries), rereading.settings)
    settings = rereading.settings
    if not rereading.drafts and settings == record.settings:
        raise NotDone("the sensors are read this way already: nothing would change")
    beside = Draft(Layer.CONTROL, Control.SETTINGS, {**settings.chosen, "why": why, "who": who})
    return Correction(rereading.drafts, "the sensors were re-read", why, who, (beside,))


def board_draft(record: SessionProjection, fields: Mapping[str, int], why: str, who: str) -> Draft:
    """Return the draft that sets the board's settings from now on; raise `NotDone` for settings
    that no board accepts."""
    try:
        config = config_of(fields)
    except ValueError as problem:
        raise NotDone(str(problem)) from problem
    if config == record.board:
        raise NotDone("these settings are chosen already")
    return Draft(Layer.CONTROL, Control.BOARD, {**fields_of(config), "why": why, "who": who})


def level_draft(record: SessionProjection, step: str, level: str) -> Draft:
    """Return the draft that sets the level of some facts (automatic, proposed, manual) from now on;
    raise `NotDone` for a name that is none of `Game.steps` (kinds of facts that have a level)."""
    if step not in record.levels or level not in set(Level):
        raise NotDone(f"there is no step {step!r} that could be {level!r}")
    return Draft(Layer.CONTROL, Control.LEVELS, {step: str(level)})


def _successor(record: SessionProjection, entry: Entry, body: Mapping[str, Any]) -> Fact:
    """Return the fact `entry` with another body, keeping its time and what no form asks for; raise `Refused`."""
    fact = record.game.facts.get(entry.kind, Fact)
    kept = ("at", *fact.unasked)
    changed = {name: value for name, value in body.items() if name not in kept}
    changed |= {name: entry.body[name] for name in kept if name in entry.body}
    return record.game.parse(entry.kind, changed, record.common.setup)


def _anchor(record: SessionProjection, n: int) -> int:
    """Return the entry after which to put a fact that belongs directly after `n`: for an amended
    fact, its standing version."""
    entry = record.entries[n - 1]
    if entry.layer is not Layer.FACT or record.stands(n):
        return n
    for version in _versions(record, entry):
        if record.stands(version.n):
            return version.n
    return n


def enter(
    record: SessionProjection, fact: Fact, why: str = "", who: str = "", done: str = ""
) -> Correction:
    """Return the correction that records a fact by hand now; raise `Refused`."""
    record.tried(fact)
    return Correction((fact_draft(fact, KEYBOARD),), done, why, who)


def _strike(
    record: SessionProjection, targets: Iterable[int], reason: str, who: str = ""
) -> tuple[Draft, ...]:
    """Return one step that takes back the standing ones of `targets`; raise `NotDone` if none
    stands."""
    # Several targets may be the same entry, which must get one void only.
    standing = [n for n in dict.fromkeys(targets) if record.stands(n)]
    if not standing:
        raise NotDone("this is done already: somebody was faster")
    return one_step(*(void_draft(n, reason, who) for n in standing))


def _voids_of(record: SessionProjection, entry: Entry) -> list[Entry]:
    return [void for void in record.voids_of(entry.n) if record.stands(void.n)]


def _step_of(record: SessionProjection, entry: Entry) -> Sequence[Entry]:
    """Return all entries of the step of `entry`, in the order of the record."""
    first = entry.n
    while record.entries[first - 1].joined:
        first -= 1
    last = entry.n
    while last < len(record.entries) and record.entries[last].joined:
        last += 1
    return [member for member in record.entries[first - 1 : last] if not is_lost(member)]


def _versions(record: SessionProjection, fact: Entry) -> list[Entry]:
    """Return the fact with all its earlier and later amended versions."""
    while True:
        before = _amended(record, fact)
        if before is None:
            break
        fact = before
    return [fact, *_later_versions(record, fact)]


def _amended(record: SessionProjection, fact: Entry) -> Entry | None:
    """Return the fact that `fact` replaced, or None."""
    if not fact.joined:
        return None
    # An amendment is two entries: the void of the earlier version, and the fact joined to it.
    void = record.entries[fact.n - 2]
    if _amended_by(record, void) != fact:
        return None
    return record.entries[int(void.body["entry"]) - 1]


def _later_versions(record: SessionProjection, fact: Entry) -> list[Entry]:
    versions: list[Entry] = []
    for void in record.voids_of(fact.n):
        successor = _amended_by(record, void)
        if successor is not None:
            versions += (successor, *_later_versions(record, successor))
    return versions


def _amended_by(record: SessionProjection, void: Entry) -> Entry | None:
    """Return the fact that replaces the one `void` takes back, or None.

    It is the entry right after the void. A fact with a key came from a board or a phone: it is the
    next entry only by chance.
    """
    successor = record.entry(void.n + 1)
    if successor is None or not is_control(void, Control.VOID):
        return None
    if not successor.joined or successor.key is not None:
        return None
    return successor if successor.after == void.body["entry"] else None
