"""What players propose to the table from their phones.

A phone has no clock that orders anything: what it sends is recorded as that it was sent, and changes no state. The fact
is made when the table accepts it, and stamped then, as one that is entered with a key.
"""

from __future__ import annotations

from companion.journal.entries import Control, Draft, Layer
from companion.rules.game import TABLE, Fact, Moment, Refused, SeatId
from companion.rules.panels import panels_of
from companion.session.corrections import KEYBOARD
from companion.session.intake import fact_draft
from companion.session.projection import SessionProjection
from companion.session.seat_notes import SeatNote

MOST_WAITING = 3
"""Proposals of one seat that wait for the table: cards are drawn faster than somebody looks up."""
SAID_ON_A_PHONE = "said on a phone"
"""Why a fact is there that was proposed so; who did stands beside it."""


def drafted(record: SessionProjection, seat: SeatId, note: SeatNote, now: Moment, waiting: int) -> tuple[Draft, Fact]:
    """Return what to append for what `seat` proposes, of whom the table is asked about `waiting` already, and the fact;
    raise `Refused`. Nothing that not everybody may know is looked at."""
    if not record.phones.wanted:
        why = "this table takes no proposals from phones now"
        raise Refused("PHONE", why, "the table's yes to them", "Say it aloud.")
    if waiting >= MOST_WAITING:
        raise Refused("PHONE", "the table has not answered yet", "its answer", "Wait for the answer.")
    proposals = panels_of(record.game.id).proposals
    offered = () if proposals is None else proposals(record.game.view(record.state, TABLE), seat)
    found = next((each for each in offered if each.id == note.propose), None)
    if found is None:
        raise Refused("PHONE", "this cannot be proposed now", "another proposal", "Look at the page again.")
    fact = record.game.parse(found.kind, found.body)
    record.tried(fact.model_copy(update={"at": now}))
    body = {"seat": seat, "line": found.id}
    return Draft(Layer.CONTROL, Control.PROPOSED, body, note.actor, key=note.key(seat)), fact


def accepted(fact: Fact, seat: SeatId, entry: int, now: Moment, n: int) -> tuple[Draft, ...]:
    """Return what to append as entries `n` and on when the table accepts what `entry` proposed."""
    remark = {"entries": [n], "why": SAID_ON_A_PHONE, "who": seat}
    stamped = fact.model_copy(update={"at": now})
    return fact_draft(stamped, KEYBOARD, (entry,)), Draft(Layer.CONTROL, Control.REMARK, remark)
