"""The companion's prompts: what to lay out before the first round, then what it waits for and which key answers."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.fractured_sky.rules import controls, standing
from companion.games.fractured_sky.rules.ai import Decision, found_by_table, turning_instructions
from companion.games.fractured_sky.rules.box import KINDS, box_for, regions_on
from companion.games.fractured_sky.rules.model import PIECES, ROUNDS, State
from companion.games.fractured_sky.rules.options import (
    buildings_of_each,
    colors_at_the_sides,
    has_market_card,
)
from companion.games.fractured_sky.rules.public import CHIPS, SHIPS, TOKENS, PlayerId, is_ai
from companion.games.fractured_sky.rules.turns import may_take
from companion.rules.actions import FIRST_PRESS, PRESS, either, with_board
from companion.rules.clauses import spoken
from companion.rules.columns import either as alternatives, plural
from companion.rules.pauses import PAUSED

_RESOURCES = 4  # FS-1


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, one line each (FS-1 to FS-6, FS-31 to FS-33, FS-U8)."""
    return (*_board(state), *_trays(state), *_opponents(state))


def _board(state: State) -> Iterator[str]:
    regions, slots = len(state.board.regions), len(state.board.gold)
    yield f"Lay out the side of the board with {regions} regions and {slots} turn slots."
    if state.options["starfalls"] == "virtual":
        yield "Both Starfall decks stay in the box: the companion shuffles and deals them."
    else:
        box = box_for(state.setup)
        here = regions_on(box, state.board.side)
        gone = [name for name in regions_on(box, "ten") if name not in here]
        if gone:
            yield f"Take {' and '.join(gone)} out of both Starfall decks."
        yield f"Shuffle the Public deck and the Hidden deck, each by itself: {regions} cards each."
    yield f"Put the {state.board.starfall_tokens} Starfall tokens, Gold, Iron and Wood in reach."
    yield f"Each player takes {SHIPS} Airships, {len(CHIPS)} Power chips and any {_RESOURCES} resources."
    yield f"Each player takes {PIECES} Fortresses, {PIECES} Markets and {PIECES} Skimmers."
    easy = ", and play against easy AIs" if state.ais else ""
    yield f"Your first game? Take 2 Gold and 2 Wood as the {_RESOURCES} resources{easy}."
    yield "The companion does not count your resources: pay and take them on the table."


def _trays(state: State) -> Iterator[str]:
    if not state.has_objectives:
        yield "Leave the Objectives in the box: a game alone has none."
        return
    if state.board.side == "eight":
        yield "With up to three players some Objectives leave the game; which ones is not known here."
    yield f"Shuffle the Objectives and lay {ROUNDS} face down in a row on the tray, one a round."


def _opponents(state: State) -> Iterator[str]:
    if len(state.ais) > 1:
        left, right = colors_at_the_sides(state.options)
        yield f"AI {left} sits to your left, AI {right} to your right."
    market = "its Market card" if has_market_card(state.options) else "no Market card"
    of_each = buildings_of_each(state.options)
    skimmers = plural(state.board.ai_skimmers, "Skimmer")
    for ai in state.ais:
        pieces = f"{of_each} Fortresses, {of_each} Markets, {skimmers}"
        yield f"{state.name(ai)} gets {pieces} and {market}."
    if state.ais and all(standing.virtual(state, ai) for ai in state.ais):
        yield "The companion turns up the AIs' action cards and airship tokens."
    elif state.ais:
        yield f"Shuffle each AI's action cards, and its {TOKENS} airship tokens; turn 3 up: these sit out a round."
    yield "Turn slot 1: who saw a shooting star last; in a second game, who sits left of the winner."
    last = ", then the AIs" if state.ais else ""
    yield f"The others follow clockwise{last}. Whoever covers Gold on a slot takes it."


_PRESS_NEXT = f"{FIRST_PRESS} {controls.key_of('next')}{with_board(' or pull the trigger')}"


def awaiting(state: State) -> str:
    """Return what the companion waits for, and which key or tap answers it."""
    if state.common.paused:
        return PAUSED
    return _prompt(state)


def _prompt(state: State) -> str:
    match standing.phase(state):
        case "first":
            return f"Who takes turn slot 1? {FIRST_PRESS} {_player_keys(state, state.playing)}."
        case "public" if standing.needs_deal(state):
            return f"{_PRESS_NEXT} to deal the Hidden card{'s' if state.now.number > 1 else ''}."
        case "public" if standing.deals(state):
            return f"{_PRESS_NEXT} to turn up the Public Starfall."
        case "public":
            return f"Which region has the Public Starfall? {_press_region(state)}"
        case "shuffle":
            return f"{_PRESS_NEXT} to shuffle the AIs' cards."
        case "early":
            return f"{_reveal_prompt(state)} Two resources were taken from it."
        case "slot":
            free = " ".join(map(controls.answer_key, standing.free_slots(state)))
            name = state.name(standing.owing_slot(state) or "")
            return f"{name}, take a turn slot. {FIRST_PRESS} {free}."
        case "ai":
            return _ai_prompt(state)
        case "turn":
            return _turn_prompt(state)
    return _round_end_prompt(state)


def _press_region(state: State) -> str:
    return f"{FIRST_PRESS} {_answer_keys(state)}{with_board(' or its button')}."


def _player_keys(state: State, players: tuple[PlayerId, ...]) -> str:
    """Return the players, each after the key that answers with it.

    The numbers beside the players on the screen are turn slots, so these keys have to be named.
    """
    keys = []
    for number, player in enumerate(players, start=1):
        keys.append(f"{controls.answer_key(number)} {state.name(player)}")
    return ", ".join(keys)


def _ai_prompt(state: State) -> str:
    assert state.now.pending is not None
    decision, cannot = state.now.pending.decision, controls.key_of("cannot")
    name, kind = state.name(decision.ai), decision.card.kind
    if decision.target is not None:
        place = state.board.place(kind, decision.target)
        by_board = with_board(" or pull the trigger")
        done = f"Then {PRESS} {controls.key_of('next')}{by_board} ({cannot}: impossible)."
        return f"{_BY_HAND[kind].format(name, place)}. {done}"
    keys = _choice_keys(state, decision)
    if not found_by_table(state.board, kind):
        compass = ""
        if decision.compass is not None:
            to_compass = f", or {controls.COMPASS_KEY} to name the compass"
            compass = either(to_compass, ", or name the compass")
        return f"Where does {name}'s {kind.capitalize()} go? {FIRST_PRESS} {keys}{compass}."
    if keys:
        another = either(f", or {controls.BY_HAND_KEY} to enter another", ", or enter another")
        known = f"{FIRST_PRESS} {keys}{another}"
    else:
        known = either(f"Press {controls.BY_HAND_KEY} to enter it", "Enter it first")
    question = f"On which platform does {name} build its {kind.capitalize()}?"
    return f"{question} {known} ({cannot}: none is free)."


_BY_HAND = {
    "airship": "Place {}'s Airship in {}",
    "fortress": "Build {}'s Fortress on {}",
    "market": "Build {}'s Market on {}",
    "skimmer": "Build {}'s Skimmer in {}",
    "scout": "Put {}'s marker on {}",
}
"""What the table does for an AI, with its name and the place."""


def _choice_keys(state: State, decision: Decision) -> str:
    """Return the keys of the places that the table chooses from; a number above ten has no key."""
    keys = []
    for place in decision.ask:
        number = controls.number_of(state.board, decision.card.kind, place)
        if number <= len(controls.ANSWERS):
            keys.append(controls.answer_key(number))
    return " ".join(keys)


def _turn_prompt(state: State) -> str:
    mark = may_take(state)
    if mark is None or not standing.deals(state):
        return _mover_prompt(state)
    # the card was dealt face down: its scout sees it only now, and then chooses the resource
    card = f"Hidden card {mark.card}{_screen_keys('take')}"
    return f"{state.name(mark.player)} may take a resource for {card}. {_mover_prompt(state)}"


def _mover_prompt(state: State) -> str:
    mover = standing.to_move(state) or ""
    name = state.name(mover)
    if not is_ai(mover):
        others = [f"build{_screen_keys('fortress', 'market', 'skimmer')}"]
        others.append(f"scout{_screen_keys('scout')}")
        if state.has_objectives:
            others.append(f"peek{_screen_keys('peek')}")
        keys = _answer_keys(state)
        if not keys:
            return f"{name}, {alternatives(others)}."
        airship = f"{name}, place an Airship in a region: {keys}{with_board(' or its button')}."
        return f"{airship} Or {alternatives(others)}."
    if standing.virtual(state, mover):
        return f"{_PRESS_NEXT} to turn up {name}'s card."
    question = f"Which card does {name} turn up?"
    skipped = _skipped_card(state, mover)
    if skipped:
        question = f"{skipped} is not possible: turn up {name}'s next card."
    kinds = " ".join(map(controls.turn_key, KINDS))
    return f"{question} {either(f'Press {kinds}', 'Type its kind')}."


def _skipped_card(state: State, ai: PlayerId) -> str:
    """Return the kind of the card that the AI has just turned up and cannot carry out; empty without one (FS-34)."""
    own = [turn for turn in state.now.turned if turn.ai == ai]
    if not own or own[-1].carried_out:
        return ""
    return own[-1].card.kind.capitalize()


def _screen_keys(*words: str) -> str:
    """Return the keys of a turn, in brackets behind what they do; typed lines have none."""
    return either(f" ({' '.join(map(controls.turn_key, words))})", "")


def _answer_keys(state: State) -> str:
    """Return the answer keys that are accepted now: `1 to 8`, or `2, 5`; empty if none is."""
    regions = len(state.board.regions)
    count = min(regions, len(controls.ANSWERS))
    able = [number for number in range(1, count + 1) if controls.works(state, number)]
    return controls.answer_keys(able) if able else ""


def _reveal_prompt(state: State) -> str:
    """Return who turns up the next Hidden card: the companion if it dealt the card, else the table,
    which names its region."""
    card = standing.next_hidden_card(state)
    if standing.on_card(state.now, card) is not None:
        return f"{_PRESS_NEXT} to turn up Hidden card {card}."
    return f"Turn up Hidden card {card}: which region? {_press_region(state)}"


def _round_end_prompt(state: State) -> str:
    match standing.phase(state):
        case "hidden":
            return _reveal_prompt(state)
        case "powers":
            player = standing.unpowered(state)[0]
            key = either(f" ({controls.turn_key('powers')})", "")
            prompt = f"Enter the powers under {state.name(player)}'s Airships{key}."
            if is_ai(player):
                turning = turning_instructions(standing.table_of(state), player)
                prompt += f" {spoken(turning)}"
            return prompt
        case "objective":
            keys = _player_keys(state, state.players)
            tenth = len(controls.ANSWERS)
            if controls.works(state, tenth):
                keys += f", or {controls.answer_key(tenth)} nobody"
            question = "Who meets the Objective?"
            if standing.flips_objective(state):
                question = "Flip the leftmost Objective: who meets it?"
            return f"{question} {FIRST_PRESS} {keys}."
        case "resolve":
            end = f"{PRESS} {controls.key_of('end')}{with_board(' or hold the trigger')}"
            return f"Take what you won, then {end}."
    first = standing.winner(state)
    held = 0 if first is None else standing.starfalls_of(state, first)
    return f"{state.name(first or '')} wins with {plural(held, 'Starfall')}. The game is over."
