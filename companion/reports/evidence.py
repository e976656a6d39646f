"""Counts of the board's evidence in a record, and the intervals it does not cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.journal.entries import Control, Entry, Layer, is_lost
from companion.reports.transcripts import OMITTED
from companion.rules.columns import plural
from companion.session.log import of_overrun
from companion.session.muted import MutedInputs, Muting, muting_of
from companion.session.spare_board import is_answer, took_over


@dataclass(frozen=True, slots=True)
class Unknown:
    """An interval about which nothing is known, by the host's time of day (ISO 8601, UTC)."""

    from_wall: str
    to_wall: str
    why: str


@dataclass(frozen=True, slots=True)
class EvidenceFigures:
    """Counts of the evidence in a record.

    `counts` are entries by kind; `refused` the events that the board's full ring refused; `ignored`
    how often evidence became no fact, by reason; `corrections` the voids that are neither undo nor
    redo; `omitted` the entries missing from an import; `consents` the table's answers to taking
    back what had revealed something, and to changing a finished game.
    """

    boards: tuple[str, ...]
    counts: Mapping[str, int]
    refused: int
    unknown: tuple[Unknown, ...]
    ignored: Mapping[str, int]
    undone: int
    corrections: int
    resumed: int
    doubts: tuple[str, ...]
    omitted: int
    imported: str
    consents: tuple[str, ...] = ()


def evidence_of(entries: Sequence[Entry]) -> EvidenceFigures:
    """Count the evidence of a record."""
    layers: dict[Layer, list[Entry]] = {layer: [] for layer in Layer}
    for entry in entries:
        layers[entry.layer].append(entry)
    counts = Counter(entry.kind for entry in layers[Layer.EVIDENCE])
    omitted = counts.pop(OMITTED, 0)
    boards: list[str] = []
    refused = 0
    for entry in layers[Layer.EVIDENCE]:
        if entry.kind == "hello":
            boards.append(_board(entry))
        elif entry.kind == "gap":
            refused += entry.body["count"]
    ignored = Counter[str]()
    doubts: list[str] = []
    undone = corrections = resumed = 0
    for entry in layers[Layer.CONTROL]:
        if entry.kind == Control.IGNORED:
            ignored[str(entry.body["reason"])] += 1
        elif entry.kind == Control.RESUMED:
            resumed += 1
            doubts += map(str, entry.body.get("doubts", ()))
        elif entry.kind == Control.VOID:
            if entry.body.get("reason") in ("undo", "redo"):
                undone += 1
            else:
                corrections += 1
    return EvidenceFigures(
        boards=tuple(dict.fromkeys(boards)),
        # Plain dicts: `asdict` makes another Counter of a Counter's items, with pairs as keys.
        counts=dict(counts),
        refused=refused,
        unknown=tuple(_unknown(entries)),
        ignored=dict(ignored),
        undone=undone,
        corrections=corrections,
        resumed=resumed,
        doubts=tuple(doubts),
        omitted=omitted,
        imported=str(entries[0].body.get("imported", "")),
        consents=tuple(_consent(entry) for entry in entries if _is_consent(entry)),
    )


def _is_consent(entry: Entry) -> bool:
    if entry.layer is Layer.EVIDENCE:
        return is_answer(entry.kind, entry.body)
    return entry.kind == Control.CONSENT


def _consent(entry: Entry) -> str:
    body = entry.body
    if entry.layer is Layer.EVIDENCE:
        return str(body["text"])
    agreed = "the table agreed to" if body["agreed"] else "the table did not agree to"
    if body.get("finished"):
        return f"{agreed} change the finished game: {body.get('text', '')}"
    return f"{agreed} take back entry {body['entry']}, which showed {body.get('text', '')}"


def _is_evidence(entry: Entry, kind: str) -> bool:
    return entry.layer is Layer.EVIDENCE and entry.kind == kind


def _board(entry: Entry) -> str:
    body = entry.body
    return f"{body['board']} ({body['uid'][-6:]}), firmware {body['firmware']}, stamp error {body['stamp_error_us']} us"


def _unknown(entries: Sequence[Entry]) -> Iterator[Unknown]:
    last = entries[0].wall
    muted = MutedInputs()
    since: dict[Muting, str] = {}
    for entry in entries:
        if entry.layer is Layer.FACT:
            continue
        yield from _ended_mutings(muted, since, entry)
        if _is_evidence(entry, "boot") and took_over(entry.body):
            yield Unknown(last, entry.wall, "another board took over")
        elif _is_evidence(entry, "boot"):
            yield Unknown(last, entry.wall, "the board lost power")
        elif _is_evidence(entry, "gap"):
            number = entry.body["count"]
            yield Unknown(
                last, entry.wall, f"the board's ring was full and refused {plural(number, 'event')}"
            )
        elif is_lost(entry) and entry.n == entry.body["to"]:  # once, at the last of a gap
            until = entries[entry.n].wall if entry.n < len(entries) else entry.wall
            yield Unknown(
                entry.wall,
                until,
                f"entries {entry.body['from']} to {entry.n} of the record are lost",
            )
        elif _is_evidence(entry, "overrun") and muting_of(entry, muted.channels) is None:
            yield Unknown(last, entry.wall, of_overrun(entry, muted.channels))
        # An answer is evidence, but the board did not say it.
        if entry.layer is Layer.EVIDENCE and not is_answer(entry.kind, entry.body):
            last = entry.wall
    for muting in muted.now:
        yield Unknown(since[muting], entries[-1].wall, muting.logged)


def _ended_mutings(muted: MutedInputs, since: dict[Muting, str], entry: Entry) -> Iterator[Unknown]:
    """Read the next entry and yield the inputs whose muting it ended.

    `since` holds when each muting began and is kept up to date.
    """
    before = muted.now
    muted.read((entry,))
    for muting in before:
        if muting not in muted.now:
            yield Unknown(since.pop(muting), entry.wall, muting.logged)
    for muting in muted.now:
        since.setdefault(muting, entry.wall)
