"""What follows from the number of players (SR-1 to SR-5): colors, suits, deck, grid, hands, shares of opaque
pyramids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.sky_rise.rules.box import Kit
from companion.games.sky_rise.rules.facts import FEW, Color, Piece, Size, Suit
from companion.games.sky_rise.rules.model import (
    EACH,
    HAND,
    OPAQUE,
    OPAQUE_PYRAMIDS,
    SIZES,
    Grid,
    Plan,
    State,
)
from companion.rules.asked import ANSWER_FIRST
from companion.rules.facts import Refused, SeatId
from companion.rules.house_rules import Options
from companion.rules.once import once

_PLAIN_SUITS: tuple[Suit, ...] = ("hearts", "spades", "diamonds", "clubs")
_ORDINARY_CARDS = 12  # SR-2: thirteen ranks without the ace
# SR-2: 2 to 10; J, Q and K are the royals, twelve less the three set aside
_ORDINARY_CARDS_OF_FIVE = 9


def color_count(players: int) -> int:
    """Return the number of translucent colors in play (SR-1)."""
    return 4 if players <= FEW else 5


def plan_of(
    players: int, options: Options, kit: Kit, assigned: Sequence[tuple[Suit, Color]]
) -> Plan:
    """Return the plan; raise `Refused` if the options or the box do not fit the number of players."""
    count = color_count(players)
    if options["colors"] not in ("by_seats", str(count)):
        why = f"{players} players and {options['colors']} colors do not go together"
        raise Refused("SR-1", why, f"{count} colors")
    known = [color for color, _, _ in kit.colors]
    if len(known) < count:
        raise Refused(
            "SR-1", f"the component file has {len(known)} colors", f"{count} for {players} players"
        )
    suits = suits_of(options, count)
    pairs = tuple(zip(suits[:count], known, strict=False))
    for suit, color in assigned:
        # An assignment made for another number of players may name what is out of play now.
        exists = suit in suits and color in known
        if exists and (suit in dict(pairs) or color in dict(pairs).values()):
            pairs = reassign(pairs, suit, color)
    grid = Grid(3, 2) if players <= FEW else Grid(3, 3)
    if options["deck"] == "five_suit":
        cards_of_suit = kit.five_suit_cards
    elif count == len(_PLAIN_SUITS):
        cards_of_suit = _ORDINARY_CARDS
    else:
        cards_of_suit = _ORDINARY_CARDS_OF_FIVE
    return Plan(players, grid, pairs, cards_of_suit)


def suits_of(options: Options, colors: int) -> tuple[Suit, ...]:
    """Return the suits of the deck. With four colors a five-suit deck has one suit too many, which is taken out
    (SR-2)."""
    if options["deck"] == "five_suit":
        return (*_PLAIN_SUITS, "fifth")
    return (*_PLAIN_SUITS, "royals") if colors == len(_PLAIN_SUITS) + 1 else _PLAIN_SUITS


def reassign(
    pairs: tuple[tuple[Suit, Color], ...], suit: Suit, color: Color
) -> tuple[tuple[Suit, Color], ...]:
    """Return the pairs with that suit and that color together; raise `Refused` if neither is in play.

    Their former partners are paired with each other, or leave play.
    """
    old_color = dict(pairs).get(suit)
    old_suit = {paired: other for other, paired in pairs}.get(color)
    if old_color is None and old_suit is None:
        raise Refused("SR-2", f"neither {suit} nor {color} is in play", "a suit or a color that is")
    if old_color is None:
        return tuple(
            (suit, color) if paired == color else (other, paired) for other, paired in pairs
        )
    colors = dict(pairs)
    if old_suit is not None:
        colors[old_suit] = old_color
    colors[suit] = color  # last: suit and color may have been partners already
    return tuple(colors.items())


def suit_name(suit: str) -> str:
    """Return a suit's name in a sentence: `hearts`, `the fifth suit`."""
    return "the fifth suit" if suit == "fifth" else suit


def suit_missing(state: State, suit: Suit) -> str:
    """Return why no card of that suit can be laid: not in the deck, or out of play with so many players (SR-2)."""
    players = f"with {state.plan.players} players"
    if suit in suits_of(state.options, len(state.plan.suits)):
        verb = "is" if suit == "fifth" else "are"
        return f"{suit_name(suit)} {verb} out of play {players}"
    ordinary = state.options["deck"] == "ordinary"
    if suit == "royals" and ordinary:
        return f"{players} J, Q and K belong to their suits, and royals are out of play"
    name = "fifth suit" if suit == "fifth" else suit
    deck = "an ordinary" if ordinary else "a five-suit"
    return f"{deck} deck has no {name}"


def color_missing(state: State, color: Color) -> str:
    """Return why no pyramid of that color can be placed: it is not in the box, or out of play with so many
    players (SR-1)."""
    if color not in [known for known, _, _ in state.kit.colors]:
        return f"the component file has no {color} pyramids"
    return f"{color} is out of play with {state.plan.players} players"


def deal(plan: Plan, seats: Sequence[SeatId]) -> tuple[tuple[tuple[SeatId, int], ...], int | None]:
    """Return the hands and the size of the pile, None if unknown (SR-3)."""
    pile = None if plan.deck is None else plan.deck - HAND * len(seats)
    return tuple((seat, HAND) for seat in seats), pile


def ruling_only(clause: str, why: str, instead: str, do: str = "Choose") -> Refused:
    """Return the refusal of what only a ruling allows; `do` and `instead` say what can be done instead."""
    return Refused(clause, why, do=f"{do} {instead}, or give a reason.")


def not_now(state: State, clause: str, why: str = "the tower is built") -> Refused:
    """Return the refusal of a piece that is not due, or no longer."""
    after_the_tower = "the tie to be settled" if state.revealed else "the goals to be turned up"
    expected = after_the_tower if state.level.stage == "done" else "pyramids"
    return Refused(clause, why, expected, ANSWER_FIRST)


# -- opaque pyramids


def in_turn(state: State) -> tuple[SeatId, ...]:
    """Return the seats that began the game, in the order of their first turns."""
    seats = state.seated or state.playing
    first = state.levels[0].starter
    place = seats.index(first) if first in seats else 0
    return (*seats[place:], *seats[:place])


def share(state: State, seat: SeatId) -> int:
    """Return how many of the nine opaque pyramids a seat is given (SR-1); none if it joined later.

    They are shared evenly; the remainder goes one each to the last players.
    """
    order = in_turn(state)
    if seat not in order:
        return 0
    even, rest = divmod(OPAQUE_PYRAMIDS, len(order))
    return even + (order.index(seat) >= len(order) - rest)


def given(state: State, seat: SeatId) -> tuple[int, int, int] | None:
    """Return the large, medium and small opaque pyramids a seat was given, or None if not entered."""
    entered = dict(state.given).get(seat)
    if entered is not None:
        return entered
    order = in_turn(state)
    if seat not in order or share(state, seat) == 0:
        return (0, 0, 0)
    if state.options["opaque_sizes"] == "entered_by_table":
        return None
    row = [place % len(SIZES) for place in range(OPAQUE_PYRAMIDS)]  # whole Trios side by side
    before = sum(share(state, other) for other in order[: order.index(seat)])
    own = row[before : before + share(state, seat)]
    return (own.count(0), own.count(1), own.count(2))


def used_opaque(state: State, seat: SeatId) -> tuple[int, int, int]:
    """Return the large, medium and small opaque pyramids a seat placed."""
    placed = _opaque_placed(state)
    return (placed[seat, "large"], placed[seat, "medium"], placed[seat, "small"])


@once
def _opaque_placed(state: State) -> Counter[tuple[SeatId, Size]]:
    return Counter(
        (placed.seat, placed.size)
        for level in state.levels
        for placed in level.pyramids
        if placed.color == OPAQUE
    )


def opaque_left(state: State, seat: SeatId) -> int:
    """Return the number of opaque pyramids a seat has left (SR-16)."""
    entered = given(state, seat)
    had = share(state, seat) if entered is None else sum(entered)
    return max(0, had - sum(used_opaque(state, seat)))


def opaque_left_of(state: State, seat: SeatId, size: Size) -> int | None:
    """Return the number of opaque pyramids of that size a seat has left, or None if unknown."""
    place, entered = SIZES.index(size), given(state, seat)
    if entered is not None:
        return max(0, entered[place] - used_opaque(state, seat)[place])
    if opaque_left(state, seat) == 0:
        return 0
    # If the known pyramids of all seats are all there are of this size, this seat can have no other.
    known = 0
    for other in state.setup.seats:
        known += (given(state, other.id) or used_opaque(state, other.id))[place]
    return 0 if known >= EACH else None


# -- the common stock


def stock(state: State, color: Piece, size: Size) -> int:
    """Return the number of unplaced pyramids of a color and size; translucent ones are the common stock (SR-1)."""
    return EACH - _placed(state)[color, size]


@once
def _placed(state: State) -> Counter[tuple[Piece, Size]]:
    return Counter(
        (placed.color, placed.size) for level in state.levels for placed in level.pyramids
    )


def stock_of(state: State, size: Size) -> int:
    """Return the number of translucent pyramids of a size in the common stock."""
    return sum(stock(state, color, size) for color in state.plan.colors)


def may_place(state: State, seat: SeatId) -> bool:
    """Return True if a seat has, or may have, something to place on the level being built (SR-7, SR-13)."""
    sizes = SIZES if state.level.size is None else (state.level.size,)
    return any(
        stock_of(state, size) > 0 or opaque_left_of(state, seat, size) != 0 for size in sizes
    )


def must_place(state: State, seat: SeatId) -> bool:
    """Return True if a seat certainly has something to place on the level being built (SR-7)."""
    size = state.level.size
    return size is not None and (
        stock_of(state, size) > 0 or bool(opaque_left_of(state, seat, size))
    )
