"""Turn what everybody, or one seat, knows of a round's cards into a question about odds (SF-6, SF-T7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from companion.games.skyfire.rules.deck import Card, Deck, Face, Symbols, same_card
from companion.games.skyfire.rules.flow import answer
from companion.games.skyfire.rules.layouts import Kind, Parts, Pile, Places, Unseen
from companion.games.skyfire.rules.model import Group, Note, Round, Slot, State
from companion.games.skyfire.rules.notes import minus
from companion.games.skyfire.rules.odds import ContradictionError, chances
from companion.rules.facts import SeatId

NO_BACK = ""  # stands for every back where the component file does not know them all
NO_ZONE = 0
_LONG = 12
"""From this length of the fraction on, only the percentage is shown."""
TOO_MANY = "there are too many ways in which the cards can lie"


@dataclass(frozen=True, slots=True)
class Odds:
    """The exact probability that the zone satisfies the target, or None with a `reason`.

    Zone `NO_ZONE` is the probability that no zone does.
    """

    zone: int
    probability: Fraction | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OddsAsked:
    """The odds of the zones in order, then of `NO_ZONE`, before they are worked out.

    Counting can take longer than a screen may wait. If `unseen` is None there is nothing to count and `odds` are
    the answer; otherwise `odds` hold only remarks.
    """

    odds: tuple[Odds, ...]
    unseen: Unseen | None


_worked_out: dict[Unseen, tuple[Fraction | None, ...] | str] = {}
MOST_KEPT = 500
"""Answers kept before the cache is cleared."""


def answered(asked: OddsAsked) -> tuple[Odds, ...] | None:
    """Return the odds, or None if they are not worked out yet."""
    if asked.unseen is None:
        return asked.odds
    result = _worked_out.get(asked.unseen)
    if result is None:
        return None
    if isinstance(result, str):
        return tuple(Odds(remark.zone, None, result) for remark in asked.odds)
    odds = []
    for remark, probability in zip(asked.odds, result, strict=True):
        reason = TOO_MANY if probability is None else remark.reason
        odds.append(Odds(remark.zone, probability, reason))
    return tuple(odds)


def work_out(asked: OddsAsked) -> tuple[Odds, ...]:
    """Return the odds, counting them if they are not known; safe to call from any thread."""
    odds = answered(asked)
    while odds is None:
        assert asked.unseen is not None
        try:
            counted = chances(asked.unseen)
            result: tuple[Fraction | None, ...] | str = (*counted.zones, counted.none)
        # Kept like a number: asking again would count in vain.
        except ContradictionError as why:
            result = str(why)
        # All at once: an old question rarely comes back once a card has moved.
        if len(_worked_out) >= MOST_KEPT:
            _worked_out.clear()
        _worked_out[asked.unseen] = result
        odds = answered(asked)
    return odds


def chance(exact: Fraction) -> str:
    """Return a probability as a percentage and an exact fraction."""
    if exact in (0, 1):
        return f"{exact * 100} %"
    fraction = f"{exact.numerator}/{exact.denominator}"
    return f"{percent(exact)}  {fraction}" if len(fraction) <= _LONG else percent(exact)


def percent(exact: Fraction) -> str:
    """Return a percentage with one decimal; only 0 and 1 are shown as 0 % and 100 %."""
    if exact in (0, 1):
        return f"{exact * 100} %"
    tenths = min(999, max(1, round(exact * 1000)))
    return f"{tenths // 10}.{tenths % 10} %"


class _UnknownError(Exception):
    """There are no odds, for the reason in the message."""


def odds_asked(
    state: State, played: Round, seat: SeatId | None = None, note: Note | None = None
) -> OddsAsked:
    """Return the odds to work out, by what everybody can see, or by what `seat` knows too from its `note`."""
    try:
        groups: tuple[Group, ...] = ()
        if note is not None:
            groups = _groups(note, dict(played.shown).get(seat or ""))
        known = _Known(state, played, groups)
        return OddsAsked(known.odds(), known.unseen())
    except _UnknownError as why:
        zones = (*range(1, len(played.zones) + 1), NO_ZONE)
        return OddsAsked(tuple(_settled(state, played, zone, str(why)) for zone in zones), None)


def _settled(state: State, played: Round, zone: int, why: str) -> Odds:
    """Return the odds that need no deck: an empty zone is certain, and so is one whose every card has been seen."""
    satisfied = answer(played, zone or None, state.options)
    if satisfied is None:
        return Odds(zone, None, why)
    # The answer for all zones together is the opposite of what `NO_ZONE` asks.
    return Odds(zone, Fraction(not satisfied if zone == NO_ZONE else satisfied))


@dataclass(frozen=True, slots=True)
class _Part:
    """Part of a zone: the places from `first` up to `end`. `failed` marks the cards with which the zone failed."""

    zone: int
    first: int
    end: int
    failed: bool

    def holds(self, slot: Slot) -> bool:
        return slot[0] == self.zone and self.first <= slot[1] < self.end


class _Seen(NamedTuple):
    """A card that was seen or noted and can lie in one of `slots`; it certainly does if `there`."""

    face: Face
    slots: tuple[Slot, ...]
    there: bool


class _Known:
    """The cards as one viewer knows them: which lie where, and which can be anywhere."""

    def __init__(self, state: State, played: Round, groups: tuple[Group, ...]) -> None:
        self._state, self._played, self._deck = state, played, state.deck
        if played.target is None or played.target.symbols is None:
            raise _UnknownError("the symbols of the target are not entered (SF-8)")
        self._target: Symbols = played.target.symbols
        if not self._deck.complete:
            raise _UnknownError(
                "symbols unknown: the component file does not know every face in play (SF-6)"
            )
        # The order matters: each step reads what those before it found, and may raise `_UnknownError`.
        self._backs = dict(_slots(played, self._deck))
        self._known = {group.slots[0]: group.cards[0] for group in groups if _is_plain(group)}
        self._spread = [group for group in groups if not _is_plain(group)]
        _require_in_sight(self._known, self._spread, played)
        self._parts = tuple(
            part for number in range(1, len(played.zones) + 1) for part in _parts(played, number)
        )
        self._unnamed: list[Symbols] = []
        kinds = [kind for kind in map(self._identified, self._seen()) if kind is not None]
        self._pool = _minus(_kinds(self._deck), kinds)
        self._require_room()

    def odds(self) -> tuple[Odds, ...]:
        """Return the odds with their remarks, still without numbers."""
        zones = range(1, len(self._played.zones) + 1)
        return (
            *(Odds(zone, None, self._remark(zone)) for zone in zones),
            Odds(NO_ZONE, None, self._remark(NO_ZONE)),
        )

    def _remark(self, zone: int) -> str:
        if not any(zone in (slot[0], NO_ZONE) for group in self._spread for slot in group.slots):
            return ""
        unknown = "which of your cards lies here" if zone else "where each of your cards lies"
        return f"you have not noted {unknown}: each is taken to be equally likely"

    def unseen(self) -> Unseen:
        """Return what has to be counted."""
        played = self._played
        taken = {slot for group in self._spread for slot in group.slots} | set(self._known)
        open_slots = [
            slot for slot in self._backs if slot not in taken and not _in_sight(played, slot)
        ]
        left_over: list[str] = []
        if self._deck.backs:
            left_over = [back for back in played.left_over_backs if back is not None]
        piles = [self._pile(self._pool, open_slots, left_over, self._unnamed)]
        for group in self._spread:
            piles.append(self._pile(Counter(map(self._loose, group.cards)), group.slots))
        zones = []
        for number in range(1, len(played.zones) + 1):
            zones.append(self._numbered(part for part in self._parts if part.zone == number))
        return Unseen(
            self._target,
            self._state.options["satisfies"] == "set",
            tuple(map(self._faces, self._parts)),
            tuple(zones),
            tuple(piles),
            tuple(self._numbered([part]) for part in self._parts if part.failed),
        )

    def _numbered(self, parts: Iterable[_Part]) -> Parts:
        return tuple(self._parts.index(part) for part in parts)

    def _pile(
        self,
        cards: Mapping[Kind, int],
        slots: Iterable[Slot],
        beside: Iterable[str] = (),
        unnamed: Iterable[Symbols] = (),
    ) -> Pile:
        places = []
        for part in self._parts:
            backs = [self._backs[slot] for slot in slots if part.holds(slot)]
            places.append(Places(tuple(sorted(filter(None, backs))), backs.count(None)))
        return Pile(
            tuple(sorted(cards.items())),
            tuple(places),
            tuple(sorted(beside)),
            tuple(sorted(unnamed)),
        )

    def _faces(self, part: _Part) -> tuple[Symbols, ...]:
        """Return the symbols of each card in the part that the viewer knows. The visible faces belong to a zone's
        first part."""
        own = [face for slot, face in self._known.items() if part.holds(slot)]
        first = next(other for other in self._parts if other.zone == part.zone)
        in_sight = self._played.zone(part.zone).faces if part == first else ()
        return tuple(sorted(self._symbols(face) for face in (*in_sight, *own)))

    # -- which card a face is

    def _fitting(self, face: Face) -> set[Kind]:
        kinds = {_kind(card, self._deck) for card in self._deck.fireworks if same_card(face, card)}
        if not kinds:
            raise _UnknownError(f"{face} is no card in play by the component file")
        return kinds

    def _symbols(self, face: Face) -> Symbols:
        return next(iter(self._fitting(face)))[0]

    def _loose(self, face: Face) -> Kind:
        """Return the kind of a noted card whose place is unknown; with several candidate backs, no back."""
        kinds = self._fitting(face)
        return kinds.pop() if len(kinds) == 1 else (self._symbols(face), NO_BACK)

    def _identified(self, seen: _Seen) -> Kind | None:
        """Return the kind of a seen or noted card, or None if any card with these symbols fits; it then joins
        `_unnamed`."""
        kinds = self._fitting(seen.face)
        backs = {self._backs[slot] for slot in seen.slots} - {None}
        # Only a card that certainly lies there can be told by the back in that place.
        if len(kinds) > 1 and seen.there and backs:
            kinds = {kind for kind in kinds if kind[1] in backs}
            if not kinds:
                raise _UnknownError(f"{seen.face} has another back than the one entered")
        if len(kinds) == 1:
            return kinds.pop()
        if backs:
            raise _UnknownError(
                f"several cards show {seen.face}, with different backs: enter the card's name"
            )
        self._unnamed.append(self._symbols(seen.face))
        return None

    def _seen(self) -> Iterator[_Seen]:
        """Yield all cards whose place the viewer knows, and a seat's own cards."""
        for number, zone in enumerate(self._played.zones, start=1):
            places = tuple((number, place) for place in range(len(zone.faces)))
            for face in zone.faces:
                # Faces are entered in no order: only a single one is certain to lie in its place.
                yield _Seen(face, places, there=len(places) == 1)
        for _, faces in self._played.shown:
            for face in faces:
                yield _Seen(face, (), there=False)
        for slot, face in self._known.items():
            if not _in_sight(self._played, slot):
                yield _Seen(face, (slot,), there=True)
        for group in self._spread:
            for face in group.cards:
                yield _Seen(face, group.slots, there=False)

    def _require_room(self) -> None:
        """Raise unless the cards that can be anywhere are as many as the places for them."""
        played = self._played
        held = sum(map(played.hand, played.players)) - sum(len(faces) for _, faces in played.shown)
        own = sum(len(group.cards) for group in self._spread) + len(self._known)
        lying = sum(not _in_sight(played, slot) for slot in self._backs)
        own -= sum(_in_sight(played, slot) for slot in self._known)
        if self._pool.total() - len(self._unnamed) != held + played.left_over + lying - own:
            raise _UnknownError("the cards in play are not as many as the component file says")


def _parts(played: Round, number: int) -> tuple[_Part, ...]:
    """Return the parts of a zone. Cards with which it failed, and that nobody entered, are a part of their own."""
    zone = played.zone(number)
    seen, failed, lying = len(zone.faces), zone.failed_with, len(zone.cards)
    if failed <= seen:
        return (_Part(number, seen, lying, failed=False),)
    return _Part(number, seen, failed, failed=True), _Part(number, failed, lying, failed=False)


def _groups(note: Note, shown: tuple[Face, ...] | None) -> tuple[Group, ...]:
    """Return the seat's notes, its hand included; of a hand that now lies open, only what it placed since."""
    if note.hand is None:
        return note.groups
    if shown is None:
        return (*note.groups, Group(note.hand, note.since))
    placed = minus(note.hand, shown)
    if placed is None:
        raise _UnknownError("the hand you noted is not the one that lies open")
    return (*note.groups, Group(placed, note.since))


def _is_plain(group: Group) -> bool:
    """Return True if the group is one card in one place."""
    return len(group.cards) == len(group.slots) == 1


def _in_sight(played: Round, slot: Slot) -> bool:
    """Return True if the card there has been seen by everybody and entered."""
    return slot[1] < len(played.zone(slot[0]).faces)


def _require_in_sight(known: Mapping[Slot, Face], spread: Iterable[Group], played: Round) -> None:
    for group in spread:
        for slot in group.slots:
            if _in_sight(played, slot):
                raise _UnknownError(f"note which of your cards you placed in zone {slot[0]}")
    for number, zone in enumerate(played.zones, start=1):
        own = Counter(
            face.symbols
            for slot, face in known.items()
            if slot[0] == number and _in_sight(played, slot)
        )
        if not own <= Counter(face.symbols for face in zone.faces):
            raise _UnknownError(
                f"the cards of zone {number} as entered are not those you noted there"
            )


def _slots(played: Round, deck: Deck) -> Iterator[tuple[Slot, str | None]]:
    """Yield every card in a zone with its back, None if backs do not count."""
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
            raise _UnknownError(
                "a card was noted or seen more often than the component file says there are"
            )
        left[kind] -= 1
    return +left
