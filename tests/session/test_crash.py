"""A companion killed after any entry of its record gets the same facts as one that was never
killed.

A crash loses entries that were not on the disk yet. Lost evidence is sent again, because it was not
acknowledged; gestures are recognized again; a key press is gone, so the run to compare with is one
without that key press.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings, strategies as st

from companion.journal.entries import Control, Entry, Layer
from companion.journal.journal import Journal
from companion.link.evidence import Evidence
from companion.session.readings import PROPOSED
from companion.session.table import Table
from tests.session.parts import (
    BOOT,
    MS,
    RESUMED,
    Board,
    MemoryJournal,
    first_entry,
    hello,
    journal_of,
    table_on,
)
from tests.thorough import examples

KEYS = (
    "fire",
    "shot",
    "name.1",
    "name.2",
    "name.3",
    "draw.2",
    "illegal",
    "hand",
    "mend",
    "promote",
    "shield.1",
)
ACTIONS = (*(f"panic-fire.{key}" for key in KEYS), "table.undo", "table.redo")


@dataclass(frozen=True)
class Stored:
    """The link delivers evidence."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Settled:
    """The link delivers a watermark."""

    boot_id: int
    us: int


@dataclass(frozen=True)
class Key:
    """Somebody presses a key."""

    action: str


@dataclass(frozen=True)
class Booted:
    """The board sends HELLO, at the beginning and after a power loss."""

    boot_id: int


Step = Stored | Settled | Key | Booted


def take(table: Table, step: Step) -> None:
    match step:
        case Stored(evidence):
            table.board.store(list(evidence))
        case Settled(boot_id, us):
            table.board.on_watermark(boot_id, us)
        case Key(action):
            table.do(action)
        case Booted(boot_id):
            table.board.on_identified(hello(), boot_id)


@dataclass
class Run:
    """A script played to its end: the record, and which step made each entry."""

    entries: tuple[Entry, ...]
    made_by: list[int]
    """Entry `n` at index `n - 1`; -1 for the first one."""
    cuts: list[int]
    """How many entries a crash can leave."""
    offered: tuple[str, str]
    """What undo and redo would do."""


def play(
    steps: Sequence[Step],
    before: Sequence[Entry] = (),
    *,
    resumed: bool = False,
    answered: bool = False,
) -> Run:
    """Play a script. `answered`: drop proposals at the end, so that nothing is pending."""
    with journal_of(before or [first_entry()], MemoryJournal) as journal:
        made_by = [-1] * len(journal.entries)
        cuts = _watch(journal)
        if resumed:
            journal.append(RESUMED)
        table = table_on(journal)
        for index, step in enumerate(steps):
            take(table, step)
            made_by += [index] * (len(journal.entries) - len(made_by))
        while answered and table.view().proposal is not None:
            table.do("table.dismiss")
        view = table.view()
        offered = (_unnumbered(view.undo), _unnumbered(view.redo))
        return Run(tuple(journal.entries), made_by, sorted({1, *cuts}), offered)


def _unnumbered(sentence: str | None) -> str:
    return re.sub(r"entry [0-9]+", "an entry", sentence or "")


def _watch(journal: Journal) -> list[int]:
    cuts: list[int] = []
    append: Callable[..., object] = journal.append

    def watched(*drafts: object) -> object:
        answer = append(*drafts)
        cuts.append(len(journal.entries))
        return answer

    journal.append = watched  # type: ignore[method-assign, assignment]
    return cuts


def story(entries: Sequence[Entry]) -> tuple[list[object], dict[str, str]]:
    """Return the facts and voids in order, each with the evidence it is based on, and why other
    evidence was not counted; independent of entry numbers."""
    names: dict[int, object] = {}
    events: list[object] = []
    ignored: dict[str, str] = {}
    for entry in entries:
        if entry.layer is Layer.EVIDENCE:
            names[entry.n] = entry.key
        elif entry.layer is Layer.FACT or entry.kind == Control.VOID:
            names[entry.n] = f"event-{len(events)}"
            # The host's clock is another one in each run of the companion.
            body = {
                key: value
                for key, value in entry.body.items()
                if key != "at" or entry.actor == "board"
            }
            body |= {key: names[body[key]] for key in ("entry", "shot", "first") if key in body}
            events.append(
                (
                    entry.kind,
                    body,
                    entry.actor,
                    [names[cause] for cause in entry.causes],
                    entry.joined,
                )
            )
        elif entry.kind == Control.IGNORED:
            ignored.update((str(names[cause]), entry.body["reason"]) for cause in entry.causes)
    return events, ignored


def crashed(steps: Sequence[Step], run: Run, durable: int, at: int, again: int) -> tuple[Run, Run]:
    """Return the run killed at step `at` with `durable` entries on the disk and resumed, and the
    one to compare it with. `again` pieces of evidence are sent twice although they are on the disk,
    because their ACK was lost."""
    prefix = run.entries[:durable]
    first_lost = run.made_by[durable] if durable < len(run.entries) else at
    on_disk = {entry.key for entry in prefix}
    boot_id = [step.boot_id for step in steps[: at + 1] if isinstance(step, Booted)][-1]
    sent = [item for step in steps[: at + 1] if isinstance(step, Stored) for item in step.evidence]
    sent = [item for item in sent if item.boot_id == boot_id]
    lost = [item for item in sent if f"{item.uid:x}/{item.boot_id:04x}/{item.seq}" not in on_disk]
    remaining = [item for item in sent if item not in lost]
    marks = [
        step for step in steps[: at + 1] if isinstance(step, Settled) and step.boot_id == boot_id
    ]
    back: list[Step] = [
        Booted(boot_id),
        Stored((*remaining[len(remaining) - again :], *lost)),
        *marks[-1:],
    ]
    killed = play([*back, *steps[at + 1 :]], prefix, resumed=True, answered=True)
    whole = [
        step
        for index, step in enumerate(steps)
        if not (isinstance(step, Key) and first_lost <= index <= at)
    ]
    return killed, play(whole, answered=True)


def crash_steps(steps: Sequence[Step], run: Run, durable: int) -> range:
    """Return the steps at which a crash can leave exactly that many entries: from the step whose
    entry was lost until the next one that waits for the disk."""
    if durable == len(run.entries):
        return range(len(steps) - 1, len(steps))
    first = run.made_by[durable]
    last = first
    while not isinstance(steps[last], Stored | Booted) and last + 1 < len(steps):
        if isinstance(steps[last + 1], Booted):
            break
        last += 1
    return range(first, last + 1)


# -- scripts


@dataclass(frozen=True)
class RawEdge:
    """An edge, and when the board reports it: a release once it is stable, a hit after its scan
    time."""

    report_us: int
    us: int
    say: Callable[[Board], Evidence]


def tap(channel: str, at: int, for_us: int, *, glitch: bool = False) -> list[RawEdge]:
    up = at + for_us
    return [
        RawEdge(at, at, lambda board: board.press(channel, at)),
        RawEdge(up + 8 * MS, up, lambda board: board.release(channel, up, glitch=glitch)),
    ]


def lost_release(channel: str, at: int) -> list[RawEdge]:
    return tap(channel, at, 1)[:1]


def hit(at: int, *, weak: bool = False, masked: bool = False) -> list[RawEdge]:
    return [RawEdge(at + 5 * MS, at, lambda board: board.hit(at, weak=weak, masked=masked))]


def pull(at: int) -> list[RawEdge]:
    return tap("trigger", at, 80 * MS)


@st.composite
def gestures(draw: st.DrawFn, start: int) -> list[RawEdge]:
    """Draw gestures from `start` on, overlapping each other."""
    edges: list[RawEdge] = []
    free = dict.fromkeys(("zone-1", "zone-2", "zone-3", "trigger"), start)
    now = start
    for _ in range(draw(st.integers(1, 9))):
        now += draw(st.sampled_from((0, 1, 20, 150, 400, 700))) * MS
        action = draw(
            st.sampled_from(
                ("tap", "hold", "hold", "shot", "shot", "dry", "knock", "spike", "lost release")
            )
        )
        channel = draw(st.sampled_from(("zone-1", "zone-2", "zone-3")))
        at = max(now, free["trigger" if action in ("shot", "dry") else channel])
        if action in ("shot", "dry"):
            free["trigger"] = at + 120 * MS
            lag = draw(st.sampled_from((-25, -4, 0, 6, 29))) * MS
            edges += pull(at)
            edges += (
                hit(at + lag, weak=action == "dry")
                if action == "shot" or draw(st.booleans())
                else []
            )
        elif action == "knock":
            edges += hit(at) + hit(at + 9 * MS, masked=True)
        else:
            down = {"tap": 120 * MS, "hold": 750 * MS, "spike": 200, "lost release": 100}[action]
            free[channel] = at + down + 20 * MS
            edges += (
                lost_release(channel, at)
                if action == "lost release"
                else tap(channel, at, down, glitch=action == "spike")
            )
    return edges


def as_link_steps(board: Board, edges: list[RawEdge], draw: st.DrawFn) -> list[Step]:
    """Draw the link's steps for these edges: batches, watermarks that promise no more than is
    known, and keys at any time."""
    steps: list[Step] = []
    waiting = sorted(edges, key=lambda item: item.report_us)
    while waiting:
        size = draw(st.integers(1, 4))
        batch, waiting = waiting[:size], waiting[size:]
        steps.append(Stored(tuple(item.say(board) for item in batch)))
        if draw(st.booleans()):
            until = (
                min([waiting[0].report_us, *(item.us - 1 for item in waiting)])
                if waiting
                else batch[-1].report_us
            )
            steps.append(Settled(board.boot_id, max(until, 0)))
        steps += [Key(action) for action in draw(st.lists(st.sampled_from(ACTIONS), max_size=2))]
    return steps


@st.composite
def scripts(draw: st.DrawFn) -> list[Step]:
    board = Board()
    early = as_link_steps(board, draw(gestures(0)), draw) if draw(st.booleans()) else []
    early = [step for step in early if isinstance(step, Stored)]
    armed = board.armed(10_000 * MS)
    fire: list[Step] = [Key("panic-fire.fire")] if draw(st.booleans()) else []
    steps: list[Step] = [Booted(BOOT), *early, Stored((armed,)), *fire]
    steps += as_link_steps(board, draw(gestures(10_000 * MS)), draw)
    if draw(st.booleans()):
        other = Board(BOOT + 1)
        steps += [Booted(other.boot_id), *as_link_steps(other, draw(gestures(5 * MS)), draw)]
        board = other
    return [*steps, Settled(board.boot_id, 100_000 * MS)]


@settings(
    max_examples=examples(5, 100),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(scripts(), st.integers(0, 3))
def test_a_crash_after_any_entry_changes_no_fact_that_comes_from_the_board(
    steps: list[Step], again: int
) -> None:
    run = play(steps)
    for durable in run.cuts:
        if durable < 2:
            continue
        times = crash_steps(steps, run, durable)
        for at in {times[0], times[-1]}:
            killed, whole = crashed(steps, run, durable, at, again)
            (facts, unread), (facts_of_whole, unread_of_whole) = (
                story(killed.entries),
                story(whole.entries),
            )
            assert facts == facts_of_whole, f"{durable} entries on the disk, killed at {at}"
            # What waits for a yes is nowhere in the record: read again, it may be refused before anybody is asked, and
            # then the presses alone say why, not their releases.
            waited = {
                cause for cause, reason in unread_of_whole.items() if reason.startswith(PROPOSED)
            }
            assert unread.keys() - waited == unread_of_whole.keys() - waited, (
                f"{durable} entries on the disk, killed at {at}"
            )
            assert waited & _presses(whole.entries) <= unread.keys()
            assert all(unread[cause] == unread_of_whole[cause] for cause in unread.keys() - waited)
            assert killed.offered == whole.offered


@settings(max_examples=examples(40, 300))
@given(scripts())
def test_every_press_after_the_arming_is_in_one_fact_or_in_one_reason_why_not(
    steps: list[Step],
) -> None:
    run = play(steps, answered=True)
    causes = [
        cause
        for entry in run.entries
        if entry.layer is not Layer.EVIDENCE
        for cause in _evidence_of(entry, run)
    ]
    assert len(causes) == len(set(causes))
    for entry in run.entries:
        if _is_press(entry):
            assert entry.n in causes, entry


def _is_press(entry: Entry) -> bool:
    return entry.kind == "event" and entry.body["flags"] & 3 == 1


def _presses(entries: Sequence[Entry]) -> set[str]:
    return {str(entry.key) for entry in entries if _is_press(entry)}


def _evidence_of(entry: Entry, run: Run) -> list[int]:
    return [cause for cause in entry.causes if run.entries[cause - 1].layer is Layer.EVIDENCE]
