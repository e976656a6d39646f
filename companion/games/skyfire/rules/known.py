"""What a seat can work out: for each zone, how likely it is to satisfy the target (SF-6, SF-T7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from companion.games.skyfire.rules.deck import Card, Deck, Face, Symbols, same_card
from companion.games.skyfire.rules.flow import answer
from companion.games.skyfire.rules.model import Group, Note, Round, Slot, State
from companion.games.skyfire.rules.notes import minus
from companion.games.skyfire.rules.odds import ContradictionError, Kind, Pile, Places, none_satisfies, probability
from companion.rules.game import SeatId

NO_BACK = ""  # stands for every back where the component file does not know them all
NO_ZONE = 0
_LONG = 12
"""Digits of a fraction from which on it is shown as a percentage alone."""


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely the zone is to satisfy the target, as an exact fraction; None where nobody can know, for `reason`.
    `NO_ZONE` stands for that no zone satisfies it."""

    zone: int
    probability: Fraction | None
    reason: str = ""


def chance(exact: Fraction) -> str:
    """Return a probability as a percentage and the exact fraction."""
    if exact in (0, 1):
        return f"{exact * 100} %"
    fraction = f"{exact.numerator}/{exact.denominator}"
    return f"{_percent(exact)}  {fraction}" if len(fraction) <= _LONG else _percent(exact)


def _percent(exact: Fraction) -> str:
    """A percentage with one decimal; what is neither certain nor impossible never reads like it."""
    tenths = min(999, max(1, round(exact * 1000)))
    return f"{tenths // 10}.{tenths % 10} %"


class _UnknownError(Exception):
    """Why there are no odds."""


def odds_of(state: State, played: Round, seat: SeatId, note: Note, zones: Iterable[int]) -> tuple[Odds, ...]:
    """Return the odds of each of these zones for the seat that noted `note`; those of `NO_ZONE` are how likely a
    misfire that it declared now were to be right (SF-12)."""
    try:
        table = _Table(state, played, _groups(note, dict(played.shown).get(seat)))
    except _UnknownError as why:
        return tuple(_settled(state, played, zone, str(why)) for zone in zones)
    return tuple(table.odds(zone) for zone in zones)


def _settled(state: State, played: Round, zone: int, why: str) -> Odds:
    """What is plain without the deck: an empty zone, or one of which everybody has seen every card."""
    known = answer(played, zone or None, state.options)
    return Odds(zone, None, why) if known is None else Odds(zone, Fraction(known if zone else not known))


class _Table:
    """The cards as one seat knows them: which lie where, and which can still be anywhere."""

    def __init__(self, state: State, played: Round, groups: tuple[Group, ...]) -> None:
        self.state, self.played, self.deck, self.groups = state, played, state.deck, groups
        self.target = _target(played)
        _require_known(self.deck, played)
        self.known = {group.slots[0]: group.cards[0] for group in self.groups if _is_plain(group)}
        self.spread = [group for group in self.groups if not _is_plain(group)]
        _require_in_sight(self.known, self.spread, played)
        self.pool = _minus(_kinds(self.deck), map(self.kind, self._seen()))
        self._require_room()
        left_over = [back for back in played.left_over_backs if back is not None and self.deck.backs]
        backs = dict(_slots(played, self.deck))
        of_groups = (
            self._pile(Counter(map(self.kind, group.cards)), [(slot, backs[slot]) for slot in group.slots], [])
            for group in self.spread
        )
        self.piles = (self._pile(self.pool, self._open_slots(), left_over), *of_groups)
        self.faces = tuple(self._faces(number) for number in range(1, len(played.zones) + 1))

    def kind(self, face: Face) -> Kind:
        """Symbols and back of a card that was named."""
        found = {_kind(card, self.deck) for card in self.deck.fireworks if same_card(face, card)}
        if not found:
            raise _UnknownError(f"{face} is no card in play by the component file")
        if len(found) > 1:
            raise _UnknownError(f"several cards show {face}, with different backs: note the card's name")
        return found.pop()

    def _seen(self) -> Iterator[Face]:
        """All cards whose whereabouts the seat knows, or that it knows to be its own."""
        yield from self.played.in_sight
        yield from (face for slot, face in self.known.items() if not _in_sight(self.played, slot))
        yield from (face for group in self.spread for face in group.cards)

    def _require_room(self) -> None:
        """The cards that can be anywhere are as many as the places for them."""
        held = sum(map(self.played.hand, self.played.players)) - sum(len(faces) for _, faces in self.played.shown)
        own = sum(len(group.cards) - len(group.slots) for group in self.spread)
        places = held - own + self.played.left_over + len(self._open_slots())
        if self.pool.total() != places:
            raise _UnknownError("the cards in play are not as many as the component file says")

    def _open_slots(self) -> list[tuple[Slot, str | None]]:
        """The places of unseen cards in zones that are not the seat's own by its notes, with the back in sight."""
        taken = {slot for group in self.groups for slot in group.slots}
        every = _slots(self.played, self.deck)
        return [(slot, back) for slot, back in every if slot not in taken and not _in_sight(self.played, slot)]

    def _pile(self, cards: Mapping[Kind, int], slots: Sequence[tuple[Slot, str | None]], beside: Sequence[str]) -> Pile:
        lying = [[back for slot, back in slots if slot[0] == zone] for zone in range(1, len(self.played.zones) + 1)]
        places = (Places(tuple(sorted(filter(None, backs))), backs.count(None)) for backs in lying)
        return Pile(tuple(sorted(cards.items())), tuple(places), tuple(sorted(beside)))

    def _faces(self, number: int) -> tuple[Symbols, ...]:
        """The symbols of each card that the seat knows in the zone."""
        own = (face for slot, face in self.known.items() if slot[0] == number and not _in_sight(self.played, slot))
        return tuple(self.kind(face)[0] for face in (*self.played.zone(number).faces, *own))

    def odds(self, zone: int) -> Odds:
        """The odds of one zone, or that no zone satisfies the target."""
        loose = any(zone in (slot[0], NO_ZONE) for group in self.spread for slot in group.slots)
        what = "which of your cards lies here" if zone else "where each of your cards lies"
        once = self.state.options["satisfies"] == "set"
        try:
            if zone == NO_ZONE:
                found = none_satisfies(self.target, self.faces, self.piles, once=once)
            else:
                found = probability(self.target, self.faces[zone - 1], self.piles, zone - 1, once=once)
        except ContradictionError as why:
            return Odds(zone, None, f"the backs entered do not fit the cards: {why} (SF-6)")
        return Odds(zone, found, f"you have not noted {what}: each is taken to be equally likely" if loose else "")


def _target(played: Round) -> Symbols:
    if played.target is None or played.target.symbols is None:
        raise _UnknownError("the symbols of the target are not entered (SF-8)")
    return played.target.symbols


def _require_known(deck: Deck, played: Round) -> None:
    if not deck.complete:
        raise _UnknownError("symbols unknown: the component file does not know every face in play (SF-6)")
    for number, zone in enumerate(played.zones, start=1):
        if len(zone.faces) < zone.turned:
            raise _UnknownError(f"the cards of zone {number} were turned up and are not entered (SF-R1)")


def _groups(note: Note, shown: tuple[Face, ...] | None) -> tuple[Group, ...]:
    """What the seat noted, its hand among it; of a hand that lies open by now, only what it placed since."""
    if note.hand is None:
        return note.groups
    if shown is None:
        return (*note.groups, Group(note.hand, note.since))
    placed = minus(note.hand, shown)
    if placed is None:
        raise _UnknownError("the hand you noted is not the one that lies open")
    return (*note.groups, Group(placed, note.since))


def _is_plain(group: Group) -> bool:
    """Whether it is one card in one place."""
    return len(group.cards) == len(group.slots) == 1


def _in_sight(played: Round, slot: Slot) -> bool:
    """Whether the card there is one of those that everybody has seen and somebody entered."""
    return slot[1] < len(played.zone(slot[0]).faces)


def _require_in_sight(known: Mapping[Slot, Face], spread: Sequence[Group], played: Round) -> None:
    for group in spread:
        for slot in group.slots:
            if _in_sight(played, slot):
                raise _UnknownError(f"note which of your cards you placed in zone {slot[0]}")
    for number, zone in enumerate(played.zones, start=1):
        own = Counter(face.symbols for slot, face in known.items() if slot[0] == number and _in_sight(played, slot))
        if not own <= Counter(face.symbols for face in zone.faces):
            raise _UnknownError(f"the cards of zone {number} as entered are not those you noted there")


def _slots(played: Round, deck: Deck) -> Iterator[tuple[Slot, str | None]]:
    """Every card in a zone, with its back where it counts."""
    for number, zone in enumerate(played.zones, start=1):
        for place, card in enumerate(zone.cards):
            yield (number, place), card.back if deck.backs else None


def _kind(card: Card, deck: Deck) -> Kind:
    return card.symbols or (), (card.back or NO_BACK) if deck.backs else NO_BACK


def _kinds(deck: Deck) -> Counter[Kind]:
    kinds: Counter[Kind] = Counter()
    for card in deck.fireworks:
        kinds[_kind(card, deck)] += card.copies
    return kinds


def _minus(kinds: Counter[Kind], gone: Iterable[Kind]) -> Counter[Kind]:
    left = kinds.copy()
    for kind in gone:
        if not left[kind]:
            raise _UnknownError("a card was noted or seen more often than the component file says there are")
        left[kind] -= 1
    return +left
