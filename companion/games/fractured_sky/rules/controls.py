"""The controls of Fractured Sky: keys, zone buttons and the trigger, and the facts they stand for.

Keys, zone buttons and the map share one numbering: regions in the order of the box, platforms by
their number on the map, Hidden cards by their place on the tray.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from companion.games.fractured_sky.rules import facts as f, standing
from companion.games.fractured_sky.rules.board import Board, CardKind, Direction, PlatformId
from companion.games.fractured_sky.rules.checks import not_now
from companion.games.fractured_sky.rules.fold import apply
from companion.games.fractured_sky.rules.model import ROUNDS, State
from companion.games.fractured_sky.rules.public import TOKENS, as_ai, color_of, is_ai
from companion.games.fractured_sky.rules.turns import may_take
from companion.rules.actions import FIRST_PRESS, Action, named, named_by, named_run
from companion.rules.facts import Fact, Moment, Refused, Setup
from companion.rules.game import Orders
from companion.rules.gestures import TRIGGER, Gesture, GestureKind
from companion.rules.pauses import GO_ON_FIRST

PREFIX = "fractured-sky."
ANSWERS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "0")
GAME = "game"
_HELP = (
    "Answer number {n}: a region, a turn slot, a player, or one of several places, as asked (FS-8)."
)

_STEPS = (
    Action(
        f"{PREFIX}next",
        ("n", "space"),
        "next",
        "An AI's next step: shuffle, card, move made (FS-34).",
        GAME,
        True,
    ),
    Action(
        f"{PREFIX}cannot",
        ("k",),
        "cannot",
        "An AI's move cannot be made: the next place (FS-34).",
        GAME,
        True,
    ),
    Action(
        f"{PREFIX}end",
        ("e",),
        "end round",
        "The regions resolve; the board is cleaned up (FS-29).",
        GAME,
        True,
    ),
)


key_of = named_by(PREFIX, _STEPS)
"""Names the key of one of `_STEPS` in a sentence."""

BY_HAND, OWN_BY_HAND = f"{PREFIX}by_hand", "o"
COMPASS, OWN_COMPASS = f"{PREFIX}compass", "d"
BY_HAND_KEY, COMPASS_KEY = named(BY_HAND, OWN_BY_HAND), named(COMPASS, OWN_COMPASS)
"""Name the keys of two forms in a sentence; only a screen has these keys."""
TURN_KEYS = {
    "airship": "a", "fortress": "f", "market": "m", "skimmer": "i", "scout": "s", "take": "g", "peek": "t",
    "powers": "p",
}  # fmt: skip
"""The keys of the other forms of a screen."""


def turn_key(word: str) -> str:
    """Return the name of the key of one of `TURN_KEYS`, for a sentence."""
    return named(f"{PREFIX}{word}", TURN_KEYS[word])


def answer_key(place: int) -> str:
    """Return the name of the key that answers number `place`, from 1, for a sentence."""
    return named(f"{PREFIX}answer.{place}", ANSWERS[place - 1])


def answer_keys(places: Sequence[int]) -> str:
    """Return the names of the keys for ascending answers up to 10, for a sentence: `2 to 8`, or `1-3, 5-8`."""
    own = {f"{PREFIX}answer.{place}": ANSWERS[place - 1] for place in places}
    if len(places) == 1:
        return answer_key(places[0])
    is_run = places[-1] - places[0] < len(places)
    if is_run and places[-1] < len(ANSWERS):
        return named_run(own, f"{places[0]} to {places[-1]}")
    if is_run and len(places) > 2:  # nobody counts up to the tenth key, 0
        return named_run(own, f"{places[0]} to {places[-2]}, {ANSWERS[-1]}")
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    parts = []
    for run in runs:
        ends = dict.fromkeys((ANSWERS[run[0] - 1], ANSWERS[run[-1] - 1]))
        parts.append("-".join(ends))
    return named_run(own, ", ".join(parts))


def actions(_setup: Setup) -> tuple[Action, ...]:
    """Return the keyboard's actions; builds, scouting and powers are entered in forms instead."""
    answers = []
    for place, key in enumerate(ANSWERS, start=1):
        action_id, text = f"{PREFIX}answer.{place}", _HELP.format(n=key)
        # the footer shows one of the ten for all
        answers.append(Action(action_id, (key,), f"answer {key}", text, "answers", place == 1))
    return (*answers, *_STEPS)


def platform_numbers(board: Board) -> dict[PlatformId, int]:
    """Return each platform's number: its id where that is a number with a key, else the next unused one."""
    with_key = [str(number) for number in range(1, len(ANSWERS) + 1)]
    own = {platform.id: int(platform.id) for platform in board.platforms if platform.id in with_key}
    unused = (number for number in count(1) if number not in own.values())
    numbers = {}
    for platform in board.platforms:
        numbers[platform.id] = own[platform.id] if platform.id in own else next(unused)
    return numbers


def number_of(board: Board, kind: CardKind, target: str) -> int:
    """Return the number of a place where an AI's card may go."""
    if kind in ("airship", "skimmer"):
        return board.ids.index(target) + 1
    if kind == "scout":
        return int(target)
    return platform_numbers(board)[target]


SLOTS = ANSWERS[:-1]  # `Slot` takes 1 to 9


def hold_means(state: State, channel: str) -> bool:
    """Return whether holding that channel has a meaning now: the trigger ends a resolved round."""
    return channel == TRIGGER and standing.phase(state) == "resolve"


def interpret(state: State, gesture: Gesture, orders: Orders | None) -> Fact:
    """Return the fact that a gesture stands for; raise `Refused` if it stands for none."""
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    fact = _fact_of(state, gesture, orders).model_copy(update={"at": at})
    if state.common.paused:
        raise Refused("PAUSE", "the clock stands still", do=GO_ON_FIRST)
    return fact


def _fact_of(state: State, gesture: Gesture, orders: Orders | None) -> Fact:
    if gesture.channel == TRIGGER:
        if gesture.kind is GestureKind.HOLD:
            return f.RoundEnd()
        return step(state, orders)
    kind, _, number = gesture.channel.partition("-")
    if kind != "zone" or not number.isdecimal() or gesture.kind is not GestureKind.TAP:
        why = f"{gesture.channel} means nothing here"
        raise Refused("FS-8", why, do="Use a zone button or the trigger.")
    return answer(state, int(number))


def act(state: State, action_id: str, orders: Orders | None) -> Fact:
    """Return the fact that a key stands for; raise `Refused` if it stands for none."""
    word, _, number = action_id.removeprefix(PREFIX).partition(".")
    match word:
        case "answer" if number:
            return answer(state, int(number))
        case "next":
            return step(state, orders)
        case "cannot":
            return f.AiCannot(reason="the table says so")
        case "end":
            return f.RoundEnd()
    raise Refused("KEY", f"{word!r} is no action of Fractured Sky", "one of its actions")


def step(state: State, orders: Orders | None) -> Fact:
    """Return the companion's own next step: Starfall cards (FS-T8), else an AI's shuffle, card or
    move (FS-33, FS-34)."""
    starfall = _starfall_step(state, orders)
    if starfall is not None:
        return starfall
    ai = standing.ai_to_shuffle(state)
    if ai is not None:
        return _shuffled(state, ai, orders)
    phase = standing.phase(state)
    if phase == "ai":
        return f.AiDone()
    mover = standing.ai_to_move(state) if phase == "turn" else None
    if mover is None:
        raise not_now(state, "no AI is to move")
    if not standing.virtual(state, mover):
        do = "Name the kind of card that was turned up."
        raise Refused("FS-34", "the table turns up this AI's cards", do=do)
    return f.AiTurn(ai=mover)


def _starfall_step(state: State, orders: Orders | None) -> Fact | None:
    """Return the Starfall card that the companion deals or turns up now, or None if it has none to handle."""
    if not standing.deals(state):
        return None
    phase = standing.phase(state)
    if phase == "public":
        if orders is None:
            do = "Enter the Public Starfall card."
            raise Refused("FS-T8", "nobody shuffles for this table", do=do)
        regions = state.board.ids
        shuffled = tuple(regions[number - 1] for number in orders(len(regions)))
        if standing.needs_deal(state):
            return f.Deal(cards=shuffled)
        return f.Public(region=shuffled[0])
    if phase not in ("early", "hidden"):
        return None
    card = standing.next_hidden_card(state)
    region = standing.on_card(state.now, card)
    # without a deal in the record the table names the card
    return None if region is None else f.Reveal(card=card, region=region)


def _shuffled(state: State, ai: f.Ai, orders: Orders | None) -> Fact:
    if orders is None:
        raise Refused("FS-33", "nobody shuffles for this table", do="Enter the shuffled cards.")
    cards = tuple(orders(len(state.board.decks[color_of(ai)])))
    if state.now.decks[ai].shuffled:
        return f.Shuffle(ai=ai, cards=cards)
    return f.Shuffle(ai=ai, cards=cards, tokens=tuple(orders(TOKENS)), lots=tuple(orders(TOKENS)))


def answer(state: State, number: int) -> Fact:
    """Return the fact for answer `number`: a region unless something else is asked; the tenth key is 0."""
    match standing.phase(state):
        case "first":
            return f.First(seat=_nth_choice(state.playing, number, "FS-4"))
        case "slot":
            slot = int(_nth_choice(SLOTS, number, "FS-10"))
            return f.Slot(seat=standing.owing_slot(state) or "", slot=slot)
        case "objective" if number == len(ANSWERS):
            return f.Objective()
        case "objective":
            return f.Objective(players=(_nth_choice(state.players, number, "FS-22"),))
        case "ai":
            return f.AiChoose(target=_asked_place(state, number))
    return _region(state, _nth_choice(state.board.ids, number, "FS-U8"))


def works(state: State, number: int) -> bool:
    """Return whether answer `number` is accepted now."""
    try:
        apply(state, answer(state, number))
    except Refused:
        return False
    return True


def _asked_place(state: State, number: int) -> str:
    """Return the place with that number among those the table chooses from (FS-36)."""
    assert state.now.pending is not None
    decision = state.now.pending.decision
    places = {number_of(state.board, decision.card.kind, place): place for place in decision.ask}
    if number in places:
        return places[number]
    wanted = " or ".join(answer_key(known) for known in places if known <= len(ANSWERS))
    if not wanted:
        raise not_now(state, "no number is asked for", "FS-36")
    why = f"number {number} is not one of those to choose from"
    raise Refused("FS-36", why, do=f"{FIRST_PRESS} {wanted}.")


def _region(state: State, region: str) -> Fact:
    match standing.phase(state):
        case "public":
            return f.Public(region=region)
        case "turn":
            mover = standing.to_move(state) or ""
            if is_ai(mover):
                raise not_now(state, f"it is {state.name(mover)}'s turn")
            return f.Airship(seat=mover, region=region)
        case "early" | "hidden":
            return f.Reveal(card=standing.next_hidden_card(state), region=region)
    raise not_now(state, "no region is asked for")


def _nth_choice(things: Sequence[str], number: int, clause: str) -> str:
    if 1 <= number <= len(things):
        return things[number - 1]
    wanted = answer_keys(range(1, min(len(things), len(ANSWERS)) + 1)) if things else "another key"
    why = f"there is no number {number} to choose"
    raise Refused(clause, why, do=f"{FIRST_PRESS} {wanted}.")


# samples for `candidates`: enough to reach every branch, few enough to play at random
_KINDS: tuple[CardKind, ...] = ("airship", "fortress", "market", "skimmer", "scout")
_STARS: tuple[Direction, ...] = ("N", "SE", "W")
_POWERS = ((5, 4, 3), (0, 0, 1), (10, 0, 0), (2, 3, 5), (6, 1, 8))


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now, for random play and for checks; corrections by the
    table are not among them."""
    match standing.phase(state):
        case "first":
            for seat in state.playing:
                yield f.First(seat=seat)
        case "public":
            yield from _public(state)
        case "shuffle":
            yield from _shuffles(state)
        case "slot":
            seat = standing.owing_slot(state) or ""
            for slot in standing.free_slots(state):
                yield f.Slot(seat=seat, slot=slot)
        case "turn":
            yield from _takes(state)
            yield from _moves(state)
        case "ai":
            yield from _ai(state)
        case _:
            yield from _end(state)


def _public(state: State) -> Iterator[Fact]:
    if standing.needs_deal(state):
        yield f.Deal(cards=state.board.ids)
        yield f.Deal(cards=state.board.ids[::-1])
        return
    for region in state.board.ids:
        yield f.Public(region=region)


def _shuffles(state: State) -> Iterator[Fact]:
    ai = standing.ai_to_shuffle(state)
    if ai is None:
        return
    numbers = tuple(range(1, len(state.board.decks[color_of(ai)]) + 1))
    for cards, tokens in ((numbers, (1, 2, 3, 4, 5, 6)), (numbers[::-1], (4, 2, 6, 1, 5, 3))):
        if state.now.decks[ai].shuffled:
            yield f.Shuffle(ai=ai, cards=cards)
        else:
            yield f.Shuffle(ai=ai, cards=cards, tokens=tokens, lots=tokens)


def _takes(state: State) -> Iterator[Fact]:
    """Yield what may be taken after a look at a dealt Hidden card."""
    mark = may_take(state)
    if mark is not None and state.now.dealt:
        yield f.Take(seat=mark.player, card=mark.card, resource="gold")
        yield f.Take(seat=mark.player, card=mark.card, resource="wood")


def _moves(state: State) -> Iterator[Fact]:
    ai = standing.ai_to_move(state)
    if ai is None:
        yield from _turn(state, standing.to_move(state) or "")
    elif standing.virtual(state, ai):
        yield f.AiTurn(ai=ai)
    else:
        for kind in _KINDS:
            yield f.AiTurn(ai=ai, card=kind, stars=("SE", "W"))
            yield f.AiTurn(ai=ai, card=kind)


def _turn(state: State, player: str) -> Iterator[Fact]:
    for region in state.board.ids:
        yield f.Airship(seat=player, region=region)
        yield f.Skimmer(seat=player, region=region)
    for platform in state.board.platforms:
        yield f.Build(seat=player, building="fortress", platform=platform.id)
        yield f.Build(seat=player, building="market", platform=platform.id)
    for card in range(1, len(state.now.hidden) + 1):
        yield f.Scout(seat=player, card=card)
        yield f.Scout(seat=player, card=card, resource="gold")
    for card in range(1, ROUNDS + 1):
        yield f.Peek(seat=player, card=card)


def _ai(state: State) -> Iterator[Fact]:
    assert state.now.pending is not None
    decision = state.now.pending.decision
    yield f.AiDone()
    for target in decision.ask:
        yield f.AiChoose(target=target)
    ai = as_ai(decision.ai)
    if ai is not None and decision.compass is not None:
        for star in _STARS:
            yield f.AiCompass(ai=ai, stars=(star,))
        yield f.AiCompass(ai=ai, whole=True)
    if decision.target is None:
        yield f.AiCannot(reason="no such platform is known")


def _end(state: State) -> Iterator[Fact]:
    match standing.phase(state):
        case "early" | "hidden":
            card = standing.next_hidden_card(state)
            for region in state.board.ids:
                yield f.Reveal(card=card, region=region)
        case "powers":
            player = standing.unpowered(state)[0]
            ships = len(state.now.ships_of(player))
            for chips in _POWERS:
                yield f.Powers(player=player, chips=chips[:ships])
        case "objective":
            for player in state.players:
                yield f.Objective(players=(player,))
            yield f.Objective()
            yield f.Objective(players=state.players)
        case "resolve":
            yield f.RoundEnd()
