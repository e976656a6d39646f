"""Why the newest lines of the log are as they are, as far as everybody may know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from companion.journal.entries import CLOCK, Control, Entry, Layer, is_control
from companion.journal.errors import JournalError
from companion.rules.clause_texts import cited, cited_by_kind
from companion.rules.facts import TABLE
from companion.session.log import UNSAID
from companion.session.marshal_view import evidence_texts
from companion.session.projection import SessionProjection
from companion.session.views import LineKind, LogLine

OF_THE_BOARD = "from what the board reported"
BY_ITSELF = "by the companion, as it was due"
BY_HAND = "by hand"
ON_A_PAGE = "by a tap on a page"
_STATES = {
    LineKind.VOIDED: "It was taken back and does not count.",
    LineKind.BROKEN: "It is no longer possible and does not count.",
    LineKind.IGNORED: "It was reported, but counts for nothing.",
}


@dataclass(frozen=True, slots=True)
class LineReason:
    """The reason of one line of the log.

    `state` says if the line does not count, `how` it was entered, `who` decided it and `why`, as far as that was
    recorded. `evidence` is what the board reported of it; `clauses` are the ids of those it rests on. Nothing here is
    for one seat alone.
    """

    line: LogLine
    state: str = ""
    how: str = ""
    who: str = ""
    why: str = ""
    evidence: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


def public_reasons(record: SessionProjection, lines: Iterable[LogLine]) -> dict[int, LineReason]:
    """Return the reasons of these public lines of a record, by the numbers shown for them."""
    return {line.number: _reason_of(record, line) for line in lines}


def _reason_of(record: SessionProjection, line: LogLine) -> LineReason:
    entry = record.entry(line.n)
    state = _STATES.get(line.kind, "")
    if entry is None:
        return LineReason(line, state, clauses=cited(line.text))
    clauses = cited(line.text) or _clauses_of_kind(record, entry)
    if _is_about_secrets(record, entry):
        return LineReason(line, state, clauses=clauses)
    who, why = _decided(record, entry)
    evidence = evidence_texts(_causes(record, entry))
    how = _how(record, entry, evidence) if entry.layer is Layer.FACT else ""
    return LineReason(line, state, how, who, why, evidence, clauses)


def _is_about_secrets(record: SessionProjection, entry: Entry) -> bool:
    """Return whether an entry is a secret fact, or a correction of one: what people typed about it may tell it."""
    while is_control(entry, Control.VOID):
        named = record.entry(entry.body["entry"])
        if named is None:
            return True
        entry = named
    return entry.n in record.secrets


def _clauses_of_kind(record: SessionProjection, entry: Entry) -> tuple[str, ...]:
    if entry.layer is not Layer.FACT:
        return ()
    return cited_by_kind(record.game.id, record.game.facts.get(entry.kind))


def _causes(record: SessionProjection, entry: Entry) -> Iterator[Entry]:
    for n in entry.causes:
        cause = None
        with suppress(JournalError):  # an old entry that cannot be read now
            cause = record.entry(n)
        if cause is not None:
            yield cause


def _decided(record: SessionProjection, entry: Entry) -> tuple[str, str]:
    """Return who entered or took back an entry, and why; empty if nobody said so."""
    body = entry.body if entry.layer is Layer.CONTROL else record.log.remark_of(entry.n)
    standing = [void for void in record.voids_of(entry.n) if record.stands(void.n)]
    if standing:
        body = {**standing[-1].body, **record.log.remark_of(standing[-1].n)}
    who, why = str(body.get("who", "")), str(body.get("why") or body.get("reason") or "")
    name = "" if who in ("", TABLE) else record.common.setup.name_of(who)
    return name, "" if why in UNSAID else why


def _how(record: SessionProjection, fact: Entry, evidence: tuple[str, ...]) -> str:
    for cause in _causes(record, fact):
        if is_control(cause, Control.ENTERED, Control.PROPOSED):
            name = record.common.setup.name_of(cause.body["seat"])
            verb = "proposed" if cause.kind == Control.PROPOSED else "entered"
            return f"{verb} by {name} on a phone"
    if evidence:
        return OF_THE_BOARD
    if fact.actor == CLOCK:
        return BY_ITSELF
    return ON_A_PAGE if record.log.is_tapped(fact.n) else BY_HAND
