"""The end of a round: Hidden cards, powers, Objective, resolution and clean-up (FS-19 to FS-30)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from companion.games.fractured_sky.rules import checks, facts as f
from companion.games.fractured_sky.rules.model import ROUNDS, Deck, Phase, Played, State
from companion.games.fractured_sky.rules.public import SHIPS, TOKENS, color_of, is_ai
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.standing import (
    early,
    next_order,
    on_card,
    phase,
    to_move,
    virtual,
)
from companion.games.fractured_sky.rules.turns import add_starfall, new_round
from companion.rules.actions import FIRST_PRESS, named
from companion.rules.columns import plural
from companion.rules.facts import Refused
from companion.rules.replacing import replace

_NEXT = named("fractured-sky.next", "n")


def reveal(state: State, fact: f.Reveal) -> State:
    """Turn a Hidden card face up: at the end of the round, or at once after the second resource (FS-20, FS-41)."""
    now = checks.require_phase(state, "early", "hidden")
    checks.require_card(now, fact.card)
    checks.require_region(state, fact.region)
    wanted = early(state)
    if wanted is not None and fact.card != wanted:
        do = f"Turn up card {wanted} first."
        raise Refused("FS-41", f"card {fact.card} stays face down", do=do)
    if now.hidden[fact.card - 1] is not None:
        raise Refused("FS-20", f"card {fact.card} is face up already", "a card that is face down")
    if fact.region in now.hidden:
        where = f"another Hidden card shows {state.board.name(fact.region)}"
        raise Refused("FS-3", where, do="Each region has only one Hidden card.")
    if on_card(now, fact.card) not in (None, fact.region):
        why = f"Hidden card {fact.card} does not show {state.board.name(fact.region)}"
        raise Refused("FS-T8", why, do=f"{FIRST_PRESS} {_NEXT} to turn it up.")
    hidden = (*now.hidden[: fact.card - 1], fact.region, *now.hidden[fact.card :])
    return replace(add_starfall(state, fact.region), current=replace(now, hidden=hidden))


def powers(state: State, fact: f.Powers) -> State:
    """Store the powers under a player's Airships; entering them again corrects them (FS-21)."""
    checks.require_player(state, fact.player)
    now = state.now
    if phase(state) not in ("powers", "objective", "resolve") or None in now.hidden:
        raise checks.not_now(state, "it is too early for the powers")
    ships = len(now.ships_of(fact.player))
    if len(fact.chips) != ships:
        named = plural(len(fact.chips), "power was", "powers were")
        problem = f"{state.name(fact.player)} has {plural(ships, 'Airship')}, and {named} named"
        raise Refused("FS-21", problem, do="Name one for each, in the order they were placed.")
    # an AI's powers are on tokens; a box that does not state the chips allows any
    if not is_ai(fact.player) and state.board.chips:
        missing = Counter(fact.chips) - Counter(state.board.chips)
        if missing:
            why = f"no player has these Power chips: {', '.join(map(str, missing))}"
            raise Refused("FS-2", why, do="Name chips of the box, each once.")
    return replace(state, current=replace(now, powers={**now.powers, fact.player: fact.chips}))


def ai_tokens(state: State, fact: f.AiTokens) -> State:
    """Store which tokens lie under an AI's Airships, with physical cards (FS-43)."""
    checks.require_ai(state, fact.ai, "only AIs have tokens")
    now = state.now
    if to_move(state) is not None or phase(state) in ("first", "public", "over"):
        raise checks.not_now(state, "the tokens are still face down", "FS-43")
    if len(fact.tokens) != len(now.ships_of(fact.ai)):
        why = "these are not the tokens of its Airships"
        raise Refused("FS-33", why, do="Name one token for each.")
    deck = now.decks[fact.ai]
    out, placed = _token_numbers(state, fact.ai, deck.sitting_out, fact.tokens)
    (lots,) = _token_numbers(state, fact.ai, fact.lots)
    # a deck's first three tokens sit out; those that nobody named make up the number
    others = [number for number in range(1, TOKENS + 1) if number not in (*out, *placed)]
    tokens = (*(*out, *others)[:SHIPS], *placed)
    return _with_deck(state, fact.ai, replace(deck, tokens=tokens, lots=lots))


def ai_sits_out(state: State, fact: f.AiSitsOut) -> State:
    """Store an AI's tokens that lie face up, with physical cards; entering them again corrects them (FS-33)."""
    checks.require_ai(state, fact.ai, "only AIs have tokens")
    if virtual(state, fact.ai) or phase(state) in ("first", "public", "over"):
        raise checks.not_now(state, "no token of the table's lies face up", "FS-33")
    if state.board.tokens.get(color_of(fact.ai)):
        _token_numbers(state, fact.ai, fact.tokens)  # refuses tokens that the AI does not have
    # tokens named under the Airships before may be among these
    deck = replace(state.now.decks[fact.ai], sitting_out=fact.tokens, tokens=())
    return _with_deck(state, fact.ai, deck)


def _with_deck(state: State, ai: f.Ai, deck: Deck) -> State:
    return replace(state, current=replace(state.now, decks={**state.now.decks, ai: deck}))


def _token_numbers(state: State, ai: f.Ai, *groups: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Return tokens given by value as numbers of the box's list, each token used once over all groups."""
    values = [str(token) for token in state.board.tokens.get(color_of(ai), ())]
    if not values:
        do = "Enter the powers that they show."
        raise Refused("FS-U7", "the values of its tokens are unknown", do=do)
    if over := Counter(chain(*groups)) - Counter(values):
        do = f"Choose one of {', '.join(values)}."
        raise Refused("FS-33", f"{state.name(ai)} has no token {next(iter(over))} left", do=do)
    # two tokens may have the same values, so each value has a list of numbers
    left: dict[str, list[int]] = {value: [] for value in values}
    for number, value in enumerate(values, start=1):
        left[value].append(number)
    return [tuple(left[value].pop(0) for value in group) for group in groups]


def objective(state: State, fact: f.Objective) -> State:
    """Store who meets the Objective best, of tied players the earlier turn slot; entering it again
    corrects it (FS-22)."""
    if not state.has_objectives:
        raise checks.not_now(state, "the solo game has no Objectives", "FS-5")
    allowed: list[Phase] = ["objective"]
    if state.now.objective is not None:
        allowed += ["hidden", "powers", "resolve"]  # entered already, and corrected now
    now = checks.require_phase(state, *allowed)
    for player in fact.players:
        checks.require_player(state, player)
    if not fact.players and state.options["objective_nobody"] == "table" and not fact.reason:
        raise Refused("FS-22", "nobody was named", do="Name a player, or give a reason.")
    order = next_order(state)
    # a seat that joined during the round has no slot, and comes after those that have
    last = len(order)
    slots = {player: place for place, player in enumerate(order)}
    winners = sorted(set(fact.players), key=lambda player: slots.get(player, last))
    return replace(state, current=replace(now, objective=tuple(winners[:1])))


def round_end(state: State, _fact: f.RoundEnd) -> State:
    """Apply the resolution and clean up; after the last round the game is over (FS-29, FS-30)."""
    now = checks.require_phase(state, "resolve")
    result = resolve(state)
    order = [player for player in next_order(state) if player in state.players]
    newcomers = [player for player in state.players if player not in order]
    next_row = (*order, *newcomers)  # FS-T2: newcomers come last
    held = dict(state.held)
    for player, gain in result.gains.items():
        held[player] = held.get(player, 0) + gain
    gains = {player: gain for player, gain in result.gains.items() if gain}
    played = Played(now.number, now.public, gains, next_row, result, held)
    after = replace(
        state,
        held=held,
        starfalls=dict(result.left),
        market_cards={ai: result.market_cards.get(ai, 0) for ai in state.ais},
        past=(*state.past, played),
    )
    if now.number == ROUNDS:
        return replace(after, finished=True)
    return replace(after, current=new_round(after, now.number + 1, next_row))


def as_entry(state: State, entry: int) -> State:
    """Store the number of the entry that ended the last round, and mark its pieces as still on the board."""
    *before, last = state.past
    return replace(state, past=(*before, replace(last, entry=entry)), clearing=True)
