"""What a seat notes for itself: its hand, and what it put where.

No refusal here names a card, and nothing public depends on a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.deck import Face, read_faces
from companion.games.skyfire.rules.flow import open_round, require_player, zone_of
from companion.games.skyfire.rules.model import Group, Note, Round, Slot, State
from companion.rules.columns import plural
from companion.rules.game import Refused, SeatId
from companion.rules.replacing import replace


def placed(current: Round, seat: SeatId, slot: Slot) -> Round:
    """Return the round once a seat that noted its hand put one of these cards into `slot`."""
    note = current.note(seat)
    if note is None or note.hand is None:
        return current
    return _with_note(current, seat, replace(note, since=(*note.since, slot)))


def hand_noted(state: State, fact: f.HandNoted, _entry: int) -> State:
    """Return the state once a seat noted what it holds now; raise `Refused`. A card of the note before that is not in
    this one lies where the seat placed one since."""
    current = open_round(state)
    require_player(state, current, fact.seat)
    if len(fact.cards) != (held := current.hand(fact.seat)):
        reason = f"{state.name(fact.seat)} holds {held}, the note says {len(fact.cards)}"
        raise Refused("SF-7", reason, do=f"Note {plural(held, 'card')}.")
    hand = _read(state, fact.cards)
    before = current.note(fact.seat) or Note()
    gone = minus(before.hand or (), hand)
    groups = before.groups
    if before.since and gone is not None and len(gone) == len(before.since):
        groups = (*groups, Group(gone, before.since))
    return replace(state, current=_with_note(current, fact.seat, Note(hand, (), groups)))


def place_noted(state: State, fact: f.PlaceNoted, _entry: int) -> State:
    """Return the state once a seat noted which card it put into a zone; raise `Refused`."""
    current = open_round(state)
    require_player(state, current, fact.seat)
    cards = zone_of(current, fact.zone).cards
    note = current.note(fact.seat) or Note()
    own = [(fact.zone, place) for place, card in enumerate(cards) if card.seat == fact.seat]
    known = {group.slots[0] for group in note.groups if len(group.slots) == 1}
    free = [slot for slot in own if slot not in known]
    if not free:
        expected = "another zone"
        raise Refused("SF-10", f"no card of {state.name(fact.seat)} in zone {fact.zone} is left to note", expected)
    (face,) = _read(state, (fact.card,))
    return replace(state, current=_with_note(current, fact.seat, _put(note, face, free[0])))


def _put(note: Note, face: Face, slot: Slot) -> Note:
    known = Group((face,), (slot,))
    if slot in note.since and note.hand is not None:
        since = tuple(other for other in note.since if other != slot)
        return Note(_without(note.hand, face), since, (*note.groups, known))
    for group in note.groups:
        if slot in group.slots:
            others = tuple(other for other in note.groups if other != group)
            rest = Group(_without(group.cards, face), tuple(other for other in group.slots if other != slot))
            return replace(note, groups=(*others, rest, known))
    return replace(note, groups=(*note.groups, known))


def _without(cards: Sequence[Face], face: Face) -> tuple[Face, ...]:
    """The cards without the one that is meant, by its symbols where it was not named."""
    meant = next((card for card in cards if card == face or (face.name is None and card.symbols == face.symbols)), None)
    if meant is None:
        raise Refused("SF-10", "the seat noted no such card", "a card of the hand it noted")
    place = cards.index(meant)
    return (*cards[:place], *cards[place + 1 :])


def minus(cards: Sequence[Face], gone: Sequence[Face]) -> tuple[Face, ...] | None:
    """Return `cards` without those `gone`; None when one of these is not among them."""
    left, wanted = Counter(cards), Counter(gone)
    return tuple((left - wanted).elements()) if wanted <= left else None


def _read(state: State, cards: Sequence[str]) -> tuple[Face, ...]:
    return read_faces(cards, state.deck.fireworks, state.deck.out, secret=True)


def _with_note(current: Round, seat: SeatId, note: Note) -> Round:
    others = tuple(pair for pair in current.notes if pair[0] != seat)
    return replace(current, notes=tuple(sorted((*others, (seat, note)), key=lambda pair: pair[0])))
