"""Sentences of SkyFire: for each fact, its consequences, and what the game waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.box import COUNTS
from companion.games.skyfire.rules.deck import DEALT, NO_WHITE, Deck, shows_white
from companion.games.skyfire.rules.flow import closed, still_open
from companion.games.skyfire.rules.keys import ASK_TARGET, YES_OR_NO, key_of, keys_of
from companion.games.skyfire.rules.model import ROUNDS, SEAT_COUNTS, Move, Result, Round, State
from companion.games.skyfire.rules.standings import ended, is_final, next_first, scores, winners
from companion.rules.actions import FIRST_PRESS, PRESS, with_board
from companion.rules.clauses import spoken
from companion.rules.columns import plural
from companion.rules.common import COMMON_FACTS, describe_common
from companion.rules.facts import TABLE, Fact, SeatId
from companion.rules.pauses import PAUSED
from companion.rules.seats import HAS_TO_JOIN


def round_name(number: int) -> str:
    """Return `round 2 of 5`, `round 5 of 5, the finale`, or `extra round 6, for the finale`."""
    if number > ROUNDS:
        return f"extra round {number}, for the finale"
    name = f"round {number} of {ROUNDS}"
    return f"{name}, the finale" if is_final(number) else name


def result_sentence(state: State, result: Result) -> str:
    """Return how a round ended, with its clause."""
    return f"{_result(state, result)} ({result.clause})"


def _result(state: State, result: Result) -> str:
    each = " each" if len(result.winners) > 1 else ""
    scored = f"{plural(result.points, 'point')}{each} for {state.names(result.winners)}"
    seat = state.name(result.seat) if result.seat is not None else ""
    match result.how:
        case "launch":
            return f"zone {result.zone} meets the target: {scored}"
        case "misfire":
            return f"no zone meets the target, {seat}'s misfire is right: {scored}"
        case "wrong_misfire":
            others = scored if result.winners else "nobody else is left to score"
            return f"a zone meets the target, {seat}'s misfire is wrong: {others}"
        case "table":
            points = scored if result.winners else "no points"
            return f"the table ends the round{_because(result.reason)}: {points}"
    return "the round ends without points"


# -- facts


def describe(before: State, after: State, fact: Fact, viewer: SeatId = TABLE) -> str:
    """Return the sentence of a fact as `viewer` may read it, and its consequences."""
    if isinstance(fact, COMMON_FACTS):
        text = describe_common(before.common, fact)
    else:
        # Each of these knows some kinds of facts, and returns an empty text for the others.
        text = (
            _round_fact(before, after, fact)
            or _seen(after, fact)
            or _noted(after, fact, viewer)
            or _word(after, fact)
        )
    return "; ".join(filter(None, (text, *_consequences(before, after, fact))))


def _round_fact(before: State, after: State, fact: Fact) -> str:
    player = ""
    if before.current is not None and before.current.turn:
        player = before.name(before.current.turn)
    match fact:
        case f.Deal() if after.current is not None:
            first = after.name(after.current.first)
            return f"{round_name(after.current.number)}: {plural(DEALT, 'card')} each dealt, {first} starts (SF-7)"
        case f.First(seat=seat):
            return f"{after.name(seat)} starts the round (SF-R3)"
        case f.Direction(clockwise=clockwise):
            direction = "clockwise" if clockwise else "counter-clockwise"
            return f"turns go {direction} (SF-R8)"
        case f.Place(zone=zone) if after.current is not None:
            cards = after.current.zone(zone).cards
            back = f", back {cards[-1].back}" if fact.back and cards[-1].back else ""
            return f"{player} places a card in zone {zone}, now {plural(len(cards), 'card')}{back}"
        case f.Launch(zone=zone) if after.current is not None:
            count = len(after.current.zone(zone).cards)
            turned = f"its {plural(count, 'card')} turned up" if count else "there is no card in it"
            return f"{player} launches zone {zone}, {turned} (SF-11)"
        case f.Misfire():
            return f"{player} declares a misfire: all zones are turned up (SF-12)"
        case f.Satisfied(satisfied=satisfied):
            return _answer(before, after, satisfied)
    return ""


def _answer(before: State, after: State, satisfied: bool) -> str:
    """Return the answer to the open question; empty if the end of the round says it."""
    if after.current is not None and after.current.result is not None:
        return ""
    question = before.current.question if before.current is not None else None
    if question is None or question.zone is None:
        return f"{'a' if satisfied else 'no'} zone meets the target (SF-14)"
    verb = "meets" if satisfied else "does not meet"
    return f"zone {question.zone} {verb} the target (SF-14)"


def _consequences(before: State, after: State, fact: Fact) -> list[str]:
    """Return eliminations that the fact does not state itself, and how the round and the game ended."""
    old, new = before.current, after.current
    if old is None or new is None or len(before.past) != len(after.past):
        return []
    by_word = fact.seat if isinstance(fact, f.Override) else None
    gone = [seat for seat in new.out if seat not in old.out and seat != by_word]
    sentences = [f"{after.name(seat)} is eliminated from the round" for seat in gone]
    if new.result is not None and old.result is None:
        sentences.append(result_sentence(after, new.result))
    if winners(after) and not winners(before):
        sentences.append(_victory(after))
    return sentences


def _victory(state: State) -> str:
    first = winners(state)
    share = "wins" if len(first) == 1 else "share the victory"
    return f"{state.names(first)} {share} with {plural(scores(state)[first[0]], 'point')} (SF-18)"


def _seen(after: State, fact: Fact) -> str:
    match fact:
        case f.Target() if after.current is not None:
            return f"the target is {after.current.target} (SF-8)"
        case f.Removed():
            return f"taken out: {_listed(map(str, after.removed))} (SF-5)"
        case f.Revealed(zone=zone) if after.current is not None:
            shows = _listed(map(str, after.current.zone(zone).faces))
            return f"zone {zone} shows {shows}{_by_word(fact.reason)} (SF-11)"
        case f.Backs(zone=zone, backs=backs):
            where = "left over" if zone == f.LEFT_OVER else f"in zone {zone}"
            return f"backs {where}: {_listed(backs)}{_by_word(fact.reason)} (SF-6)"
        case f.HandShown(seat=seat) if after.current is not None:
            shown = dict(after.current.shown).get(seat, ())
            return f"{after.name(seat)} lays the hand open: {_listed(map(str, shown))}{_by_word(fact.reason)} (SF-R4)"
    return ""


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items) or "nothing"


def _noted(after: State, fact: Fact, viewer: SeatId) -> str:
    """Return the sentence of a private note; only its own seat reads the cards."""
    match fact:
        case f.HandNoted(seat=seat, cards=hand):
            own = f": {_listed(hand)}" if viewer == seat else ""
            return f"{after.name(seat)} noted a hand, for {after.name(seat)}'s eyes only{own}"
        case f.PlaceNoted(seat=seat, card=card):
            own = f": {card} in zone {fact.zone}" if viewer == seat else ""
            return (
                f"{after.name(seat)} noted a placed card, for {after.name(seat)}'s eyes only{own}"
            )
    return ""


def _word(after: State, fact: Fact) -> str:
    match fact:
        case f.Turn(seat=seat, reason=reason):
            return f"the table says that it is {after.name(seat)}'s turn{_because(reason)} (SF-T5)"
        case f.Override(seat=seat, status="out", reason=reason):
            return f"the table eliminates {after.name(seat)}{_because(reason)} (SF-T5)"
        case f.Override(seat=seat, reason=reason):
            return f"the table takes {after.name(seat)} back in{_because(reason)} (SF-T5)"
        case f.RoundEnd() | f.Satisfied():
            return ""  # the consequence says it all
    return fact.kind


def _by_word(reason: str) -> str:
    """Return the reason for which contradicting cards were entered (SF-T5), as a clause to append."""
    return f", by the table's word: {reason.strip()}" if reason.strip() else ""


def _because(reason: str) -> str:
    return f", {reason}" if reason else ""


# -- what is awaited


def awaiting(state: State) -> str:
    """Return what the game waits for, and the key or tap that answers it."""
    current = still_open(state)
    question = current.question if current is not None else None
    if state.common.paused:
        # Cards that lie open can be judged during a pause.
        return f"Paused. {_question(state, question)}" if question is not None else PAUSED
    if question is not None:
        return _question(state, question)
    if current is not None:
        return _turn(state, current)
    if winners(state):
        return f"{spoken(_victory(state), named=True)} The game is over."
    playing = len(state.common.playing)
    if playing not in SEAT_COUNTS:
        verb = "is" if playing == 1 else "are"
        return f"{HAS_TO_JOIN} {plural(playing, 'player')} {verb} too few."
    return _deal(state)


def _deal(state: State) -> str:
    """Return the steps between rounds: the used target leaves the stack (SF-5), then cards are dealt."""
    coming = len(ended(state)) + 1
    shuffle = "Remove the used target, shuffle" if 1 < coming <= ROUNDS else "Shuffle"
    tied = "You are tied. " if coming > ROUNDS else ""
    deal = key_of("deal")
    press = with_board(f"Hold a zone ({deal}).", f"{FIRST_PRESS} {deal}.")
    request = f"{shuffle}, deal {DEALT} each. {press}"
    return f"{request} {tied}{spoken(round_name(coming))} {state.name(next_first(state))} starts."


def _question(state: State, question: Move) -> str:
    name = state.name(question.seat)
    if question.zone is None:
        return f"Does any zone meet the target? {YES_OR_NO} {name} declared a misfire."
    return f"Does zone {question.zone} meet the target? {YES_OR_NO} {name} launched it."


def _turn(state: State, current: Round) -> str:
    if current.moves:
        return _move(state, current)
    # Before the first move the target comes first: nobody can play without knowing it.
    if current.target is None:
        return ASK_TARGET
    return f"{_move(state, current)} {key_of('first')}: someone else starts."


def _move(state: State, current: Round) -> str:
    """Return what the current player can do: place a card, launch a zone, declare a misfire."""
    seat = current.turn or current.first
    name, misfire = state.name(seat), key_of("misfire")
    able = [place for place, zone in enumerate(current.zones) if not closed(zone, state.options)]
    may_be_empty = state.options["empty_launch"] == "allowed"
    launchable = [place for place in able if current.zones[place].cards or may_be_empty]
    place, launch = keys_of("place", able), keys_of("launch", launchable)
    if current.hand(seat) and launchable:
        by_hand = f"{name}, tap a zone to place, hold it to launch. Keys: {place}, {launch}."
        by_key = f"{name}, place a card in a zone: {place}. To launch a zone, {PRESS} {launch}."
    elif current.hand(seat):
        by_hand = f"{name}, place a card: tap a zone ({place})."
        by_key = f"{name}, place a card in a zone: {place}."
    elif launchable:
        keys = f"Keys: {launch}, {misfire}."
        by_hand = f"{name}, hold a zone to launch, the trigger for a misfire. {keys}"
        by_key = f"{name}, launch a zone: {PRESS} {launch}. For a misfire, {PRESS} {misfire}."
    else:
        by_hand = f"{name}, declare a misfire: hold the trigger ({misfire})."
        by_key = f"{name}, declare a misfire: {PRESS} {misfire}."
    return with_board(by_hand, by_key)


_TARGETS = COUNTS["target cards in the stack"][0]
_GO_BACK = COUNTS["target cards removed with four or five players"][0]


def checklist(state: State) -> Iterator[str]:
    """Yield the steps of the setup, a plain line each."""
    players, cards, finale = len(state.common.playing), state.deck.cards, state.deck.finale
    zones, left = players - 1, cards - DEALT * players
    if players == NO_WHITE:
        yield from _white_cards(state.deck)
        yield "Take out the finale for four or five players."
        yield f"Lay {zones} of the targets you took out face down, well apart: they mark the launch zones."
    else:
        unseen = state.options["removed_targets"] == "random_unseen"
        manner = "without looking" if unseen else "openly"
        yield f"Take out {_GO_BACK} of the targets, {manner}, and the finale for three players."
        yield f"Lay {zones} of these {_GO_BACK} targets face down, well apart: they mark the launch zones."
    yield "Put what else you took out back into the box."
    named = "finale"
    if finale is not None and finale.symbols is not None:
        # A name such as "finale 3" already says what the card is.
        named = finale.name if finale.name.startswith("finale") else f"finale, {finale.name},"
    yield f"Lay the {named} face up in the middle: everybody knows the target of round 5."
    yield f"Shuffle the {_TARGETS} targets and lay them on the finale, face up as one stack."
    yield f"Shuffle the {cards} fireworks and deal {DEALT} face down to each player."
    if left > 0:
        yield f"Lay the {plural(left, 'card')} left over beside the play area, backs up."
    yield "After each round, take the target that was played for off the stack."


def _white_cards(deck: Deck) -> Iterator[str]:
    """Yield what to take out with three players (SF-2), by name; fireworks by their backs if these tell it."""
    if not deck.complete:
        yield "Take out every fireworks card and every target that shows white, also on its back."
        yield f"By our count {deck.cards} fireworks and {_TARGETS} targets stay in play."
        return
    backs = Counter(card.back for card in deck.out_fireworks for _ in range(card.copies))
    fireworks = plural(backs.total(), "fireworks card")
    if backs and all(shows_white(back) for back in backs) and len(set(backs.values())) == 1:
        copies = next(iter(backs.values()))
        named = ", ".join(str(back).replace(" ", "-") for back in backs)
        yield f"Take out the {fireworks} with white on the back: {named}, {copies} of each."
    elif backs:
        yield f"Take out the {fireworks} that show white: {_listed(card.name for card in deck.out_fireworks)}."
    if deck.out_targets:
        targets = plural(sum(card.copies for card in deck.out_targets), "target")
        yield f"Take out the {targets} that show white: {_listed(card.name for card in deck.out_targets)}."
