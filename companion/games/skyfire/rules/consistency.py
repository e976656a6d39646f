"""Refuse visible cards that cannot all be true: too many of a card, faces against an answer, impossible backs.

The players can enter them all the same, with a reason (SF-T5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.games.skyfire.rules.deck import NO_WHITE, Card, Deck, Face, face_of
from companion.games.skyfire.rules.flow import closed, satisfies, zone_satisfies
from companion.games.skyfire.rules.model import Round, State, Zone
from companion.rules.columns import listed, plural
from companion.rules.facts import Refused

PLACE_WITHOUT = "Place it without its back, then enter the backs."
PLACE_WITHOUT_ANY = "Or place the card without a back."
OR_A_REASON = "Name the backs of these cards, or give a reason."


def refuse_unknown_symbols(state: State, faces: Iterable[Face]) -> None:
    """Raise `Refused` for a symbol that neither the component file, the target nor an entered card shows.

    A mistyped word would otherwise decide a launch.
    """
    deck = state.deck
    shown: list[Card | Face | None] = [*deck.fireworks, *deck.targets, *deck.out, deck.finale]
    for played in state.rounds:
        shown += [*played.in_sight, played.target]
    known = {symbol for card in shown if card is not None for symbol in card.symbols or ()}
    for face in faces:
        strange = [symbol for symbol in face.symbols or () if symbol not in known]
        if face.name is None and strange:
            do = "Name a symbol of the target or of your box, or give a reason."
            raise Refused("SF-6", f"nobody has heard of the symbol {strange[0]!r}", do=do)


def more_than_there_are(faces: Iterable[Face], cards: Sequence[Card]) -> Face | None:
    """Return a face of which there are more than cards that can show it, or None; a card with an unknown face can show
    any."""
    counts = Counter(faces)
    named = Counter({face.name: count for face, count in counts.items() if face.name is not None})
    left = {card.name: card.copies - named[card.name] for card in cards}
    for card in cards:
        if left[card.name] < 0:
            return face_of(card)
    # Faces without a name take what is left of the cards with their symbols, then the cards nobody knows.
    blank = sum(left[card.name] for card in cards if card.symbols is None)
    for face, count in counts.items():
        if face.name is not None:
            continue
        alike = sum(left[card.name] for card in cards if card.symbols == face.symbols)
        blank -= max(0, count - alike)
        if blank < 0:
            return face
    return None


def refuse_too_many(state: State, others: Round, faces: Sequence[Face]) -> None:
    """Raise `Refused` if `faces`, with all others seen in the round, need more cards of a kind than there are.

    If the others alone are too many, by an earlier ruling, they are left out.
    """
    cards, seen = state.deck.fireworks, others.in_sight
    if more_than_there_are(seen, cards) is not None:
        seen = ()
    often = more_than_there_are([*faces, *seen], cards)
    if often is not None:
        why = f"{often} is on fewer cards than that"
        raise Refused("SF-1", why, do="Name each card once, or give a reason.")


def refuse_other_cards(before: Zone, faces: Sequence[Face]) -> None:
    """Raise `Refused` if a zone that grew no longer shows the cards it showed before."""
    if len(before.faces) == len(faces):
        return
    gone = Counter(face.symbols for face in before.faces) - Counter(face.symbols for face in faces)
    if gone and None not in gone:
        face = next(face for face in before.faces if face.symbols in gone)
        do = "Name the cards it showed and those since, or give a reason."
        raise Refused("SF-R1", f"the zone has shown {face} before", do=do)


def refuse_the_opposite(state: State, entered: Round, number: int) -> None:
    """Raise `Refused` if the zone's faces contradict how a launch or a misfire ended."""
    reason = _opposite(state, entered, number)
    if reason:
        raise Refused("SF-14", reason, do="Take that answer back first, or give a reason.")


def _opposite(state: State, entered: Round, number: int) -> str:
    """Return the answer that the zone's faces contradict, in words; empty if there is none."""
    zone = entered.zone(number)
    target = entered.target.symbols if entered.target is not None else None
    if target is None or any(face.symbols is None for face in zone.faces):
        return ""
    satisfied = satisfies(target, zone.faces, state.options)
    if satisfied and zone.failed_with == zone.turned:
        return f"zone {number} failed, and these cards meet the target"
    result = entered.result
    if result is None:
        return ""
    # A closed zone does not count in a misfire (SF-R7).
    if satisfied and result.how == "misfire" and not closed(zone, state.options):
        return f"the misfire was right, and these cards of zone {number} meet the target"
    if not satisfied and result.how == "launch" and result.zone == number:
        return f"zone {number} was launched rightly, and these cards do not meet the target"
    if result.how == "wrong_misfire" and _none(state, entered):
        return "the misfire was wrong, and no zone meets the target with these cards"
    return ""


def _none(state: State, played: Round) -> bool:
    open_zones = [zone for zone in played.zones if not closed(zone, state.options)]
    return all(zone_satisfies(played, zone, state.options) is False for zone in open_zones)


def refuse_backs(state: State, before: Round, entered: Round, do: str = OR_A_REASON) -> None:
    """Raise `Refused` if there are more visible backs of a kind than cards, or others than a zone's faces have.

    Only as far as the component file knows the backs, and not if that was so before, by an earlier ruling.
    """
    if not state.deck.backs:
        return
    reason = _wrong_backs(state.deck, entered)
    if not reason or _wrong_backs(state.deck, before):
        return
    colors = _colors_of_backs(state.deck)
    if do == PLACE_WITHOUT and colors and _strange_backs(state.deck, entered):
        do = f"A back has two of {listed(colors)}. {PLACE_WITHOUT_ANY}"
    raise Refused("SF-6", reason, do=do)


def _colors_of_backs(deck: Deck) -> tuple[str, ...]:
    """Return the colors on the backs, if each shows two; else none."""
    pairs = [(card.back or "").split() for card in deck.fireworks]
    if any(len(set(pair)) != 2 for pair in pairs):
        return ()
    return tuple(dict.fromkeys(color for pair in pairs for color in pair))


def _strange_backs(deck: Deck, played: Round) -> list[str]:
    """Return the entered backs that no card in play has."""
    there = {card.back for card in deck.fireworks}
    return [back for back in _entered_backs(played) if back not in there]


def _entered_backs(played: Round) -> list[str]:
    lying = [placed.back for zone in played.zones for placed in zone.cards]
    return [back for back in (*lying, *played.left_over_backs) if back is not None]


def _wrong_backs(deck: Deck, played: Round) -> str:
    there: Counter[str | None] = Counter()
    for card in deck.fireworks:
        there[card.back] += card.copies
    for back, count in Counter(_entered_backs(played)).items():
        if count > there[back]:
            if not there[back] and any(back == card.back for card in deck.out):
                return f"cards with the back {back!r} are out of play with {NO_WHITE} players"
            if not there[back]:
                return f"no card has the back {back!r}"
            have = plural(there[back], "card has", "cards have")
            return f"only {have} the back {back!r}, and more are in sight"
    # those out may lie there (SF-T5)
    by_name = {card.name: card.back for card in (*deck.fireworks, *deck.out)}
    for number, zone in enumerate(played.zones, start=1):
        if any(face.name is None for face in zone.faces):
            continue  # a face without a name has no certain back
        turned = zone.cards[: len(zone.faces)]
        seen: Counter[str | None] = Counter(
            placed.back for placed in turned if placed.back is not None
        )
        of_faces = Counter(by_name[face.name] for face in zone.faces if face.name is not None)
        if seen - of_faces:
            return f"the backs and the faces entered for zone {number} are not of the same cards"
    return ""
