"""Sentences of Sky Rise: for each fact, its consequences, what the game waits for, and the setup (SR-1 to SR-4)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.sky_rise.rules import facts as f, standings
from companion.games.sky_rise.rules.controls import (
    PIECES_ID,
    PIECES_KEY,
    key_of,
    keys_of,
    pyramid_keys,
    size_keys,
    suit_keys,
    turn_key,
)
from companion.games.sky_rise.rules.ending import goals_missing
from companion.games.sky_rise.rules.fold import is_ready
from companion.games.sky_rise.rules.model import (
    EACH,
    HAND,
    OPAQUE,
    OPAQUE_PYRAMIDS,
    State,
    TowerLevel,
)
from companion.games.sky_rise.rules.scoring import color_points, scoring_cards
from companion.games.sky_rise.rules.setting import given, in_turn, share, suit_name, suits_of
from companion.games.sky_rise.rules.turns import due, on_turn
from companion.rules.actions import FIRST_PRESS, PRESS, either, named, with_board
from companion.rules.clauses import spoken
from companion.rules.columns import plural
from companion.rules.common import COMMON_FACTS, describe_common
from companion.rules.facts import Fact, SeatId
from companion.rules.pauses import PAUSED, Span

FEW_COLORS = 3
"""Pyramids that a prompt names beside their keys; more would take another row."""
_SET_ASIDE = 3  # SR-2: of the royals, so that they are as many as the other suits


def describe(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    """Return the sentence of a fact as `viewer` may read it, and its consequences."""
    if isinstance(fact, COMMON_FACTS):
        return describe_common(before.common, fact)
    text = _sentence(before, after, fact, viewer)
    if reason := getattr(fact, "reason", ""):
        text += f", {reason}"
    return "; ".join([text, *_followed(before, after)])


def _sentence(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    is_roof = before.level.is_roof
    match fact:
        case f.StartToken(seat=seat):
            return f"{after.name(seat)} has the Start token (SR-4)"
        case f.Assign(suit=suit, color=color):
            verb = "belongs" if suit == "fifth" else "belong"
            return f"{suit_name(suit)} {verb} to {color} (SR-2)"
        case f.Opaque(seat=seat, large=large, medium=medium, small=small):
            return f"{after.name(seat)} has opaque pyramids: {large} large, {medium} medium, {small} small (SR-1)"
        case f.Card(place=place, suit=suit, rank=rank, seat=seat):
            card = f"the {rank} of {suit_name(suit)}" if rank else f"a card of {suit_name(suit)}"
            clause = "SR-13" if is_roof else "SR-5"
            return f"{after.name(seat or due(before))} lays {card} at {place} ({clause})"
        case f.Pyramid():
            return _pyramid(before, after)
        case f.Pass(seat=seat):
            clause = "SR-13" if is_roof else "SR-7"
            return f"{after.name(seat or due(before))} places no pyramid ({clause})"
        case f.TurnOver(seat=seat):
            piece = _piece(before)
            return f"{after.name(seat)} is done: the {piece} is not entered yet (SR-T6)"
        case f.Turn(seat=seat):
            return f"the table says it is {after.name(seat)}'s turn (SR-7)"
    return _ending(before, after, fact, viewer)


def _piece(state: State) -> str:
    if state.level.stage == "cards":
        return "card"
    return "antenna" if state.level.is_roof else "pyramid"


def _pyramid(before: State, after: State) -> str:
    """Return who placed what where, and its points for which cards."""
    # The pyramid may have completed its level, so it need not be on the newest one.
    level = after.levels[before.level.number - 1]
    placed = level.pyramids[-1]
    kind = "antenna" if level.is_roof else "pyramid"
    head = (
        f"{after.name(placed.seat)} places a {placed.size} {placed.color} {kind} at {placed.place}"
    )
    cards = scoring_cards(after.plan, level, placed.place, placed.color)
    if placed.color == OPAQUE:
        named, clause = ", ".join(f"{suit_name(card.suit)} {card.place}" for card in cards), "SR-9"
    else:
        suits = {color: suit for suit, color in after.plan.suits}
        suit, cells = suits.get(placed.color, ""), ", ".join(card.place for card in cards)
        named, clause = f"{suit_name(suit)} {cells}", "SR-8"
    points = f"{plural(len(cards), 'point')} for {named}" if cards else "no points"
    return f"{head}: {points} ({clause})"


def _ending(before: State, after: State, fact: Fact, viewer: SeatId) -> str:
    match fact:
        case f.GoalNoted(seat=seat, nest=nest, tree=tree):
            again = "other " if before.goals_of(seat) is not None else ""
            if viewer == seat:
                return f"{after.name(seat)} noted {again}goals: Nest {nest}, Tree {tree} (SR-3)"
            return f"{after.name(seat)} noted {again}goals (SR-3)"
        case f.GoalsDealt():
            return "everybody has a Nest and a Tree; yours are in your private notes (SR-T9)"
        case f.Reveal():
            goals_text = "; ".join(
                f"{after.name(goals.seat)} Nest {goals.nest}, Tree {goals.tree}"
                for goals in after.goals
                if goals.seat in after.playing
            )
            return f"the goals are turned up: {goals_text} (SR-14)"
        case f.Showdown():
            names = " against ".join(after.name(seat) for seat in standings.contenders(before))
            return f"the Tower Showdown starts: {names} (SR-17)"
        case f.ShowdownStop(seat=seat):
            span = standings.building_time(after, fact)
            time = "" if span is None else f" after {seconds(span)}"
            return f"{after.name(seat)} lays the seventh card{time} (SR-17)"
        case f.ShowdownRuling(seat=None):
            return f"{after.names(standings.winners(after))} share the victory (SR-17)"
        case f.ShowdownRuling(seat=str(seat)):
            return f"the table says {after.name(seat)} won the Tower Showdown (SR-17)"
    return fact.kind


def seconds(span: Span | None) -> str:
    """Return `41.2041 s ±50 µs`, or `?` if unknown; a photo finish needs the fourth digit."""
    return "?" if span is None else span.text(places=4)


def _followed(before: State, after: State) -> Iterator[str]:
    """Yield what followed automatically: passed turns, a complete floor or level, the result."""
    skipped = after.level.skipped
    if skipped and before.level.stage != "done":
        names = ", ".join(after.name(seat) for seat in skipped)
        verb = "has" if len(skipped) == 1 else "have"
        yield f"{names} {verb} nothing to place (SR-7)"
    now = after.levels[before.level.number - 1]
    if before.level.stage == "cards" and now.stage != "cards":
        yield f"{level_name(now)} is laid, {after.name(now.turn)} is first with a pyramid"
    if before.level.stage != "done" and now.stage == "done":
        yield _complete(after, now)
    yield from _decided(before, after)


def _decided(before: State, after: State) -> Iterator[str]:
    """Yield a photo finish, the result, or a tie that the fact brought about."""
    close = _close(after)
    if len(close) > 1 and close != _close(before):
        yield f"photo finish: {after.names(close)} are too close to tell, you decide who won"
    elif standings.over(after) and not standings.over(before) and after.showdown is None:
        yield result(after)
    elif standings.contenders(after) and not standings.contenders(before):
        yield f"{after.names(standings.contenders(after))} are tied (SR-17)"


def _close(state: State) -> tuple[SeatId, ...]:
    """Return the contenders of a photo finish without a ruling."""
    running = state.showdown
    if running is None or running.ruling is not None:
        return ()
    return standings.photo_finish(state)


def _complete(state: State, level: TowerLevel) -> str:
    if level.is_roof:
        return "the tower is built (SR-13)"
    scored = ", ".join(
        f"{color} {color_points(state, level, color)}" for color in state.plan.colors
    )
    return f"{level_name(level)} is complete: {scored} (SR-10)"


def level_name(level: TowerLevel) -> str:
    """Return `level 2`, or `the roof`."""
    return "the roof" if level.is_roof else f"level {level.number}"


def result(state: State) -> str:
    """Return who won with how many points, or how the tie was settled; empty while the game goes on."""
    first = standings.winners(state)
    if not first:
        return ""
    points = plural(standings.totals(state)[first[0]], "point")
    contenders = standings.contenders(state)
    if contenders and len(first) == 1:
        return f"{state.name(first[0])} wins the Tower Showdown (SR-17)"
    if len(first) == 1:
        return f"{state.name(first[0])} wins with {points} (SR-17)"
    why = ""
    if state.options["tie"] != "shared" and not contenders:
        # They did not choose to share: there are more of them than a Tower Showdown has pieces for.
        why = f", for a Tower Showdown serves {standings.most_contenders(state)} at most"
    return f"{state.names(first)} share the victory with {points}{why} (SR-17)"


_HELP = named("dashboard.help", "question_mark")
_PIECES = either(named(PIECES_ID, PIECES_KEY), "opaque SEAT LARGE MEDIUM SMALL")
_GOALS = either(
    f"Note goals with {named('dashboard.curtain', 'j')}", "Type goal_noted SEAT NEST TREE"
)


def awaiting(state: State) -> str:
    """Return what the game waits for, and the line, key or button that answers it."""
    if standings.over(state):
        return f"{spoken(result(state), named=True)} The game is over."
    if state.common.paused:
        return PAUSED
    if state.revealed:
        return _awaiting_showdown(state)
    if state.level.stage != "done":
        return _awaiting_turn(state)
    if missing := goals_missing(state):
        return f"{_GOALS}: {', '.join(map(state.name, missing))}."
    return f"{FIRST_PRESS} {key_of('reveal')} to turn up all goals together."


def _awaiting_turn(state: State) -> str:
    level = state.level
    if level.stage == "cards":
        keys = either(f": arrows, then its suit's key {suit_keys(state)}", ": card CELL SUIT")
        # Who starts, the goals and the opaque pyramids are settled before it, or never: the help page has their keys.
        others = _first_keys(state) if is_ready(state) else _other_keys(state)
        return f"{_asks(state, 'lay a', 'card')}{keys}{others}.{_waiting(state)}{_beginning(state)}"
    if level.is_roof:
        colors = " ".join(key for key, _ in pyramid_keys(state, due(state)))
        pick = f": arrows, then its color {colors} and size {size_keys()}"
        keys = either(pick, ": pyramid CORNER COLOR SIZE")
        request = f"{_asks(state, 'place an', 'antenna')}{keys}"
    else:
        pick = f": arrows, then {_named_pyramids(state)}"
        keys = either(pick, ": pyramid CORNER COLOR")
        request = f"{_asks(state, 'place a', f'{level.size} pyramid')}{keys}"
    fallen = "" if level.pyramids else " A piece that falls is put back."
    return f"{request}{_other_keys(state)}.{_waiting(state)}{fallen}"


def _named_pyramids(state: State) -> str:
    """Return the keys of the pyramids that can be placed now: a few with their colors, many alone."""
    keys = pyramid_keys(state, due(state))
    if len(keys) <= FEW_COLORS:
        return ", ".join(f"{key} {color}" for key, color in keys)
    return f"its color's key {' '.join(key for key, _ in keys)}"


def _beginning(state: State) -> str:
    """Return what to know before the first card of floors 2 and up; the checklist covers the first."""
    level = state.level
    if level.number == 1 or level.cards or level.closed:
        return ""
    return (
        f" The Start token went left, to {state.name(level.starter)}. Cards overlap a quarter inch."
    )


def _asks(state: State, does: str, piece: str) -> str:
    """Return the request to the current player, or to enter the piece of a turn that is over."""
    name = state.name(due(state))
    return f"Enter {name}'s {piece}" if state.level.closed else f"{name}, {does} {piece}"


def _other_keys(state: State) -> str:
    """Return, in brackets, the keys that pass a turn and end one that is entered later."""
    keys = []
    if state.level.is_roof and state.level.stage == "pyramids":
        keys.append(f"{key_of('pass')}: pass")
    turn = on_turn(state)
    if turn is not None:
        # Without the name: "2: Jonas enters it later" was read as a way to choose Jonas.
        does = f"{state.name(turn)}'s turn is over" if state.level.closed else "enter it later"
        keys.append(f"{with_board('button or ')}{turn_key(state, turn)}: {does}")
    return f" ({', '.join(keys)})" if keys else ""


def _first_keys(state: State) -> str:
    """Return, in brackets, where the keys before the first card are, and that of the opaque pyramids not entered yet.

    Play goes on without them; the screen shows `?` for each.
    """
    pieces = ""
    if any(share(state, seat) and given(state, seat) is None for seat in state.playing):
        pieces = f"; {_PIECES}: enter who has which opaque pyramids, if you like"
    return f" ({_HELP}: more{pieces})"


def _waiting(state: State) -> str:
    """Return how many turns that are over wait to be entered, if there are several."""
    waiting = len(state.level.closed)
    return f" {plural(waiting, _piece(state))} to enter." if waiting > 1 else ""


def _awaiting_showdown(state: State) -> str:
    tied, running, shared = standings.contenders(state), state.showdown, key_of("shared")
    if running is None:
        go = f"Tower Showdown: on three {with_board('hold a button or ')}{PRESS} {key_of('go')}"
        return f"{go} ({shared}: share it). {state.names(tied)} are tied: the first to lay the seventh card wins."
    close = standings.photo_finish(state)
    if len(close) > 1:
        keys = keys_of("name", state, close)
        order = standings.in_order([stop for stop in running.stops if stop.seat in close])
        names = state.names(tuple(stop.seat for stop in order))
        answer = f"{with_board('Hold a button or press', FIRST_PRESS)} {keys}"
        return f"Too close to tell: who won? {answer} ({shared}: shared). It was close between {names}."
    keys = keys_of("zone", state, tied)
    return f"Seventh card laid? {with_board('Tap your button or press', FIRST_PRESS)} {keys}."


def checklist(state: State) -> Iterator[str]:
    """Yield the steps of the setup, a plain line each."""
    colors = ", ".join(state.plan.colors)
    yield f"Pyramids: lay out {EACH} Trios (large, medium, small) each of {colors}."
    shares = ", ".join(f"{state.name(seat)} {share(state, seat)}" for seat in state.playing)
    starter = state.name(in_turn(state)[0])
    yield f"Share out the {OPAQUE_PYRAMIDS} opaque pyramids, if {starter} starts: {shares}."
    yield from _deck(state)
    aces = [f"{suit_name(suit)} {color}" for suit, color in state.plan.suits if suit != "royals"]
    yield f"Lay the aces beside the table to show each suit's color: {', '.join(aces)}."
    for suit, color in state.plan.suits:
        if suit == "royals":
            yield f"Lay the Joker beside them: it stands for the royals, {color}."
    pile = "" if state.pile is None else f" of {state.pile} cards"
    yield f"Shuffle, and deal {HAND} cards to each player; the rest is the draw pile{pile}."
    yield f"Take one Nest and one Tree card for each of {colors}; put the others back."
    yield "Deal each player one Nest and one Tree, secretly. What is left stays unseen."
    yield "The Start token goes to whoever was last at the top of a tall building. Nobody knows? Choose somebody."
    yield "Cards of a floor overlap a quarter inch (6 mm). A piece that falls is put back where it was."


def _deck(state: State) -> Iterator[str]:
    suits = [suit for suit, _ in state.plan.suits]
    cards = "" if state.plan.deck is None else f"; {state.plan.deck} cards stay"
    if state.options["deck"] != "ordinary":
        gone = ""
        for suit in suits_of(state.options, len(suits)):
            if suit not in suits:
                gone += " and the fifth suit" if suit == "fifth" else f" and all {suit}"
        yield f"Take the aces{gone} out of the five-suit deck{cards}."
    elif "royals" in suits:
        yield "Take the aces out of the deck. J, Q and K of all suits are a fifth suit, the royals."
        yield f"Set any {_SET_ASIDE} royals aside{cards}, {state.plan.cards_of_suit} of each suit."
    else:
        yield f"Take the aces out of the deck{cards}. J, Q and K belong to their suits."
