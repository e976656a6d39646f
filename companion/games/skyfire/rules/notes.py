"""Private notes of a seat: its hand, and the cards it placed.

No refusal here names a card, and nothing public depends on a note. A note is about hidden cards: once a card is
turned up and entered it no longer counts. In version 2 of the rules it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.deck import Face, read_faces
from companion.games.skyfire.rules.flow import open_round, require_player, zone_of
from companion.games.skyfire.rules.model import Group, Note, Round, Slot, State
from companion.rules.columns import plural
from companion.rules.facts import Refused, SeatId
from companion.rules.replacing import replace

COUNTS_ALL = 2
"""Up to this version of the rules, a note also counts cards that lie face up."""


def placed(current: Round, seat: SeatId, slot: Slot) -> Round:
    """Return the round after a seat with a noted hand put one of its cards into `slot`."""
    note = current.note(seat)
    if note is None or note.hand is None:
        return current
    return _with_note(current, seat, replace(note, since=(*note.since, slot)))


def hand_noted(state: State, fact: f.HandNoted, _entry: int) -> State:
    """Return the state after a seat noted its hand; raise `Refused`.

    Cards of the earlier note that are not in this one lie where the seat placed cards since.
    """
    current = open_round(state)
    require_player(state, current, fact.seat)
    if len(fact.cards) != (held := current.hand(fact.seat)):
        reason = f"{state.name(fact.seat)} holds {held}, the note says {len(fact.cards)}"
        raise Refused("SF-7", reason, do=f"Note {plural(held, 'card')}.")
    hand = _read(state, fact.cards)
    before = note_of(state, current, fact.seat) or Note()
    gone = minus(before.hand or (), hand)
    groups = before.groups
    # Only if the numbers agree: otherwise one of the two notes is wrong, and nothing follows.
    if before.since and gone is not None and len(gone) == len(before.since):
        groups = (*groups, Group(gone, before.since))
    return replace(state, current=_with_note(current, fact.seat, Note(hand, (), groups)))


def place_noted(state: State, fact: f.PlaceNoted, _entry: int) -> State:
    """Return the state after a seat noted which card it put into a zone; raise `Refused`."""
    current = open_round(state)
    require_player(state, current, fact.seat)
    zone = zone_of(current, fact.zone)
    note = note_of(state, current, fact.seat) or Note()
    own = [(fact.zone, place) for place, card in enumerate(zone.cards) if card.seat == fact.seat]
    known = {group.slots[0] for group in note.groups if len(group.slots) == 1}
    free = [slot for slot in own if slot not in known]
    if state.setup.rules_version > COUNTS_ALL:
        unentered = [slot for slot in free if slot[1] >= len(zone.faces)]
        # Cards never turned up come first: notes are mostly about these.
        free = sorted(unentered, key=lambda slot: (slot[1] < zone.turned, slot))
    if not free:
        expected = "another zone"
        raise Refused(
            "SF-10",
            f"no card of {state.name(fact.seat)} in zone {fact.zone} is left to note",
            expected,
        )
    (face,) = _read(state, (fact.card,))
    return replace(state, current=_with_note(current, fact.seat, _put(note, face, free[0])))


def note_of(state: State, played: Round, seat: SeatId) -> Note | None:
    """Return the seat's note about hidden cards, or None.

    Cards that were turned up and entered since are left out, as far as it follows which of the seat's cards they
    are.
    """
    note = played.note(seat)
    if note is None or state.setup.rules_version <= COUNTS_ALL:
        return note
    seen = {number: Counter(zone.faces) for number, zone in enumerate(played.zones, start=1)}
    # A group of one card leaves no choice; what it takes from the faces seen narrows down the larger ones.
    smallest_first = sorted(note.groups, key=lambda group: len(group.slots))
    hidden = {group: _still_hidden(group, played, seen) for group in smallest_first}
    groups = tuple(hidden[group] for group in note.groups if hidden[group].slots)
    if note.hand is None:
        return Note(None, (), groups)
    hand = _still_hidden(Group(note.hand, note.since), played, seen)
    return Note(hand.cards, hand.slots, groups)


def _still_hidden(group: Group, played: Round, seen: dict[int, Counter[Face]]) -> Group:
    """Return the group without the cards that are visible by now.

    A zone's visible faces tell which, and are taken from `seen`; if they could be several cards of the group, it
    is unchanged.
    """
    cards, slots = list(group.cards), group.slots
    for number in sorted({zone for zone, _ in slots}):
        entered = len(played.zone(number).faces)
        in_sight = [slot for slot in slots if slot[0] == number and slot[1] < entered]
        fitting = [
            (card, face)
            for card in dict.fromkeys(cards)
            if (face := _seen_as(card, seen[number])) is not None
        ]
        if in_sight and len(fitting) == len(in_sight):
            for card, face in fitting:
                cards.remove(card)
                seen[number][face] -= 1
            slots = tuple(slot for slot in slots if slot not in in_sight)
    return Group(tuple(cards), slots)


def _seen_as(card: Face, seen: Counter[Face]) -> Face | None:
    """Return the visible face that the card can be, or None."""
    if seen[card] > 0:
        return card
    # Somebody may have entered the name and noted the symbols, or the other way round.
    for face in seen:
        unnamed = face.name is None or card.name is None
        if seen[face] > 0 and unnamed and face.symbols == card.symbols:
            return face
    return None


def _put(note: Note, face: Face, slot: Slot) -> Note:
    known = Group((face,), (slot,))
    if slot in note.since and note.hand is not None:
        since = tuple(other for other in note.since if other != slot)
        return Note(_without(note.hand, face), since, (*note.groups, known))
    for group in note.groups:
        if slot in group.slots:
            others = tuple(other for other in note.groups if other != group)
            rest = Group(
                _without(group.cards, face), tuple(other for other in group.slots if other != slot)
            )
            return replace(note, groups=(*others, rest, known))
    return replace(note, groups=(*note.groups, known))


def _without(cards: Sequence[Face], face: Face) -> tuple[Face, ...]:
    """Return the cards without the one meant, found by its symbols if it was not named."""
    for place, card in enumerate(cards):
        if card == face or (face.name is None and card.symbols == face.symbols):
            return (*cards[:place], *cards[place + 1 :])
    raise Refused("SF-10", "the seat noted no such card", "a card of the hand it noted")


def minus(cards: Sequence[Face], gone: Sequence[Face]) -> tuple[Face, ...] | None:
    """Return `cards` without those `gone`, or None if one of these is not among them."""
    left, wanted = Counter(cards), Counter(gone)
    return tuple((left - wanted).elements()) if wanted <= left else None


def _read(state: State, cards: Sequence[str]) -> tuple[Face, ...]:
    return read_faces(cards, state.deck.fireworks, state.deck.out, secret=True)


def _with_note(current: Round, seat: SeatId, note: Note) -> Round:
    others = tuple(pair for pair in current.notes if pair[0] != seat)
    return replace(current, notes=tuple(sorted((*others, (seat, note)), key=lambda pair: pair[0])))
