"""Messages from a seat's own phone: a private note, the removal of one, a proposal to the table, or
an entry of its own (`seat_entries`). Each has an id of its own, under which it is recorded once, no
matter how often it is sent.

A note is not a step of the table: the table's undo skips it, and the seat has its own. A proposal
has no effect until the table accepts it; then it is a step like any other. A phone has no clock to
order events by, so the fact is stamped when it is accepted, like one entered with a key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.display.panels import is_note_of, line_of, panels_of
from companion.journal.entries import KEYBOARD, PHONE, Control, Draft, Entry, Layer
from companion.journal.fold import void_draft
from companion.rules.facts import TABLE, Fact, Moment, Refused, SeatId, secret_kinds
from companion.session.intake import fact_draft
from companion.session.projection import SessionProjection

TAKEN_BACK = "taken back by its own player"


@dataclass(frozen=True, slots=True)
class SeatNote:
    """The answers to a line of the game's form; or with `back`, the entry to take back; or with
    `propose`, the id of the proposal; or with `enter`, that of an `OwnEntry`. `id` is the phone's
    own, unique within the seat; `waited_ms` is how long the message waited on the phone
    before it was sent."""

    id: str
    line: str = ""
    answers: Mapping[str, str] = field(default_factory=dict)
    back: int | None = None
    propose: str = ""
    enter: str = ""
    waited_ms: int = 0

    def key(self, seat: SeatId) -> str:
        """Return the key of its entry."""
        return f"{PHONE}:{seat}:{self.id}"

    @property
    def actor(self) -> str:
        """The actor of its entry. It contains a digest, so that the same note sent again can be
        told from another note with the same id."""
        parts: list[object] = [self.line, dict(self.answers), self.back]
        if self.propose:  # left out otherwise: notes of older versions had no such fields
            parts.append(self.propose)
        elif self.enter:
            parts += ["", self.enter]
        content = json.dumps(parts, sort_keys=True)
        return f"{PHONE} {hashlib.sha256(content.encode()).hexdigest()[:32]}"


@dataclass(frozen=True, slots=True)
class Noted:
    """A standing note of a seat that can be taken back: its entry, and its sentence as the seat may
    read it."""

    entry: int
    text: str


def last_notes(record: SessionProjection) -> dict[SeatId, Noted]:
    """Return the last standing note of each seat."""
    notes: dict[SeatId, Noted] = {}
    for n in sorted(record.secrets, reverse=True):
        seat = str(record.entries[n - 1].body.get("seat"))
        if seat not in notes and record.stands(n):
            notes[seat] = Noted(n, record.text(n))
    return notes


def checked_number(entry: Entry, note: SeatNote) -> int:
    """Return the number of `entry`, which has the note's id; raise `Refused` if it is another note."""
    if entry.actor != note.actor:
        raise Refused("NOTE", "this was sent before as another note", do="Note it again.")
    return entry.n


def note_draft(record: SessionProjection, seat: SeatId, note: SeatNote, now: Moment) -> Draft:
    """Return the draft for a note that `seat` sends; raise `Refused`.

    Whether a note is refused must not tell anything about other seats' secrets. The form is made
    from the seat's own view. The rules know all secrets; each game makes sure that its refusal of a
    note depends on nothing that this seat does not know, and a test changes the other secrets to see
    that (`tests/games/test_hidden_facts.py`).
    """
    if note.back is not None:
        return _back(record, seat, note, note.back)
    if record.game.ended(record.state):
        raise Refused(
            "NOTE",
            "the game is over: notes are closed",
            do="To note something, undo at the table.",
        )
    if seat in record.common.left:
        raise Refused(
            "NOTE",
            "who has left the game can note nothing",
            do="To come back, join again at the table.",
        )
    # A game declares the forms for notes among its panels, by the seat's own view.
    offered = panels_of(record.game.id).notes(record.game.view(record.state, seat), seat)
    # `line_of` raises `Refused` for a line that the form does not offer now, and `parse` for answers that do not fit.
    # With the setup, the refusal uses the names of the fields on the form.
    form_line = line_of(offered, note.line)
    fact = record.game.parse(form_line.kind, form_line.body(note.answers), record.common.setup)
    if not is_note_of(fact, seat):
        # A fault of the game's form, not of the person who filled it in.
        raise TypeError(
            f"the line {form_line.id} of {record.game.id} makes a {fact.kind}, which is no note of {seat}"
        )
    stamped = fact.model_copy(update={"at": now})
    record.tried(stamped)  # raises `Refused` if the rules do not allow it
    return fact_draft(stamped, note.actor, key=note.key(seat))


def _back(record: SessionProjection, seat: SeatId, note: SeatNote, n: int) -> Draft:
    if not _is_note(record, n, seat) or not record.stands(n):
        raise Refused("NOTE", "this is not one of your notes", do="Reload the page.")
    draft = replace(void_draft(n, TAKEN_BACK), actor=note.actor, key=note.key(seat))
    # The end of a game shows all notes to everybody, and a round's end those of the round (`shown_by`).
    if record.game.ended(record.state) or record.shown_by((draft,)):
        raise Refused("NOTE", "the table has seen this note", do="Ask the table to undo that.")
    return draft


def _is_note(record: SessionProjection, n: int, seat: SeatId) -> bool:
    entry = record.entry(n)
    if entry is None or entry.layer is not Layer.FACT:
        return False
    return entry.kind in secret_kinds(record.game.facts) and entry.body.get("seat") == seat


MOST_WAITING = 3
"""Pending proposals allowed for one seat. A player may draw three cards before anybody at the table
looks at the screen to answer; more would be somebody playing with the button."""
SAID_ON_A_PHONE = "said on a phone"
"""The reason recorded for a proposed fact, beside the seat."""


def proposal_draft(
    record: SessionProjection, seat: SeatId, note: SeatNote, now: Moment, waiting: int
) -> tuple[Draft, Fact]:
    """Return the draft for the proposal of `seat`, which has `waiting` others pending, and the
    fact; raise `Refused`. Uses nothing that only one seat may know."""
    if not record.phones.wanted:
        raise Refused("PHONE", "this table takes no proposals from phones", do="Say it aloud.")
    if waiting >= MOST_WAITING:
        raise Refused("PHONE", "the table has not answered yet", do="Wait for the answer.")
    proposals = panels_of(record.game.id).proposals
    proposal = None
    if proposals is not None:
        for offered in proposals(record.game.view(record.state, TABLE), seat):
            if offered.id == note.propose:
                proposal = offered
                break
    if proposal is None:
        raise Refused("PHONE", "this cannot be proposed now", do="Reload the page.")
    fact = record.game.about(record.state, record.game.parse(proposal.kind, proposal.body))
    record.tried(fact.model_copy(update={"at": now}))
    body = {"seat": seat, "line": proposal.id}
    return Draft(Layer.CONTROL, Control.PROPOSED, body, note.actor, key=note.key(seat)), fact


def accepted(fact: Fact, seat: SeatId, entry: int, now: Moment, n: int) -> tuple[Draft, ...]:
    """Return what to append when the table accepts the proposal recorded as `entry`. The first draft becomes entry `n`,
    to which the remark refers."""
    remark = {"entries": [n], "why": SAID_ON_A_PHONE, "who": seat}
    stamped = fact.model_copy(update={"at": now})
    return fact_draft(stamped, KEYBOARD, (entry,)), Draft(Layer.CONTROL, Control.REMARK, remark)
