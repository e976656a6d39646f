"""Keys of Sky Rise, and turning buttons and keys into facts.

Cards and pyramids need a place and are entered as facts; lower-case letters stay free for that.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.sky_rise.rules import facts as f
from companion.games.sky_rise.rules.ending import require_hidden_goals
from companion.games.sky_rise.rules.fold import is_ready
from companion.games.sky_rise.rules.model import OPAQUE, SIZES, State
from companion.games.sky_rise.rules.setting import given, opaque_left_of, share, stock
from companion.games.sky_rise.rules.standings import contenders, may_share, over, photo_finish
from companion.rules.actions import Action, keys_with_names, named, named_by
from companion.rules.facts import Fact, Moment, Refused, SeatId, Setup
from companion.rules.game import Orders, Retraction
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.replacing import replace

PREFIX = "sky-rise."
_ROWS = {"zone": "12345", "name": "QWERT"}

GRID = f"{PREFIX}grid."
KIND_KEYS = ("a", "s", "d", "f", "g")
"""The key of each color and its suit, in game order; only a screen has these keys and the next two."""
KIND_IDS = tuple(f"{GRID}kind.{place}" for place in range(len(KIND_KEYS)))
OPAQUE_ID, OPAQUE_KEY = f"{GRID}opaque", "o"
SIZE_IDS: dict[f.Size, str] = {size: f"{GRID}size.{size}" for size in SIZES}
SIZE_KEYS = ("q", "w", "e")
"""The key of each of `SIZES`."""
PIECES_ID, PIECES_KEY = f"{PREFIX}pieces", "p"
"""The form for opaque pyramids, suits, and whose turn it is; only a screen has its key."""

_DEALS = "Without the cards: deal everybody a secret Nest and Tree"
_RESTARTS = "The tower fell: undo all cards and pyramids"
_COMMON = (
    Action(
        "pass",
        ("space",),
        "pass",
        "Place no pyramid this turn (SR-7, SR-13).",
        "game",
        True,
    ),
    Action(
        "reveal",
        ("G",),
        "goals up",
        "All Nest and Tree cards are turned up together (SR-14).",
        "game",
        True,
    ),
    Action(
        "go",
        ("enter",),
        "on three!",
        "Start the clock of the Tower Showdown (SR-17).",
        "game",
        True,
    ),
    Action(
        "shared", ("S",), "share it", "The tied players share the victory (SR-17).", "game", True
    ),
    Action("deal", ("D",), "deal goals", f"{_DEALS}, shown in private notes (SR-T9).", "game"),
    Action("restart", ("B",), "round again", f"{_RESTARTS} of this round at once (SR-T8).", "game"),
)


def actions(setup: Setup) -> tuple[Action, ...]:
    """Return the keyboard actions for these seats, those that joined included."""
    columns = [
        _column(place, seat.name, seat.initial) for place, seat in enumerate(setup.by_column)
    ]
    rows = [action for row in zip(*columns, strict=True) for action in row]
    return tuple(replace(action, id=PREFIX + action.id) for action in (*rows, *_COMMON))


def _column(place: int, name: str, initial: str) -> tuple[Action, ...]:
    n = place + 1
    zone = f"{name} is done with this turn (SR-T6), or with the Tower Showdown (SR-17)."
    naming = f"{name} has the Start token (SR-4), or won the photo finish (SR-17)."
    return (
        Action(f"zone.{n}", (_ROWS["zone"][place],), f"{initial} is done", zone, "turns"),
        Action(f"name.{n}", (_ROWS["name"][place],), f"name {initial}", naming, "names"),
    )


key_of = named_by(PREFIX, _COMMON)
"""Returns the key of an action, for use in a sentence."""


def turn_key(state: State, seat: SeatId) -> str:
    """Return the key with which a player ends a turn."""
    place = 1 + [other.id for other in state.setup.by_column].index(seat)
    return named(f"{PREFIX}zone.{place}", _ROWS["zone"][place - 1])


def keys_of(row: str, state: State, seats: tuple[SeatId, ...]) -> str:
    """Return the `zone` or `name` keys of these seats, in column order: `1 Ann, 3 Cara`."""
    pairs = []
    for at, seat in enumerate(state.setup.by_column):
        if seat.id in seats:
            pairs.append((named(f"{PREFIX}{row}.{at + 1}", _ROWS[row][at]), seat.name))
    return keys_with_names(pairs)


def suit_keys(state: State) -> str:
    """Return the keys of the suits in play: `a s d f`."""
    in_play = len(state.plan.colors)
    return " ".join(map(named, KIND_IDS[:in_play], KIND_KEYS))


def pyramid_keys(state: State, seat: SeatId) -> list[tuple[str, str]]:
    """Return the key and the color of the pyramids that a seat can place now: those of the stock, then opaque ones.

    On the roof, where any size may be placed, a color counts while one of any size is left.
    """
    sizes = SIZES if state.level.size is None else (state.level.size,)
    keys: list[tuple[str, str]] = []
    for color, action_id, key in zip(state.plan.colors, KIND_IDS, KIND_KEYS, strict=False):
        if any(stock(state, color, size) > 0 for size in sizes):
            keys.append((named(action_id, key), color))
    if any(opaque_left_of(state, seat, size) != 0 for size in sizes):
        keys.append((named(OPAQUE_ID, OPAQUE_KEY), OPAQUE))
    return keys


def size_keys() -> str:
    """Return the keys of an antenna's sizes: `q w e`."""
    return " ".join(map(named, SIZE_IDS.values(), SIZE_KEYS))


def hold_means(state: State, channel: str) -> bool:
    """Return True if holding this channel has a meaning now: taking the Start token before the first card, starting a
    Tower Showdown, or winning a photo finish."""
    if state.seat_at(channel) is None or over(state):
        return False
    if is_ready(state):
        return True
    return bool(contenders(state)) and not _runs(state)


def act(state: State, action_id: str, orders: Orders | None = None) -> Fact | Retraction:
    """Return the fact that a key stands for; raise `Refused` if it stands for none."""
    word, _, number = action_id.removeprefix(PREFIX).partition(".")
    seat = state.setup.by_column[int(number) - 1].id if number else ""
    match word:
        case "zone" if seat:
            return _tapped(state, seat, None)
        case "name" if seat:
            return f.ShowdownRuling(seat=seat) if state.revealed else f.StartToken(seat=seat)
        case "pass":
            return f.Pass()
        case "reveal":
            return f.Reveal()
        case "go":
            return f.Showdown()
        case "shared":
            return f.ShowdownRuling(reason="" if may_share(state) else "said at the table")
        case "deal":
            return _dealt(state, orders)
        case "restart":
            return _restart(state)
    raise Refused("KEY", f"{word!r} is no action of Sky Rise", "one of its actions")


def interpret(state: State, gesture: Gesture) -> Fact:
    """Return the fact that a gesture stands for; raise `Refused` if it stands for none."""
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    seat = state.seat_at(gesture.channel)
    if seat is None:
        raise Refused("SR-T6", f"nobody's button is {gesture.channel}", do="Use your own button.")
    return _held(state, seat, at) if gesture.kind is GestureKind.HOLD else _tapped(state, seat, at)


def _tapped(state: State, seat: SeatId, at: Moment | None) -> Fact:
    """Return the fact of a tap: the turn is over; once the goals are revealed, the seventh card lies."""
    return f.ShowdownStop(at=at, seat=seat) if state.revealed else f.TurnOver(at=at, seat=seat)


def _held(state: State, seat: SeatId, at: Moment | None) -> Fact:
    if not state.revealed:
        return f.StartToken(at=at, seat=seat)
    return f.Showdown(at=at) if state.showdown is None else f.ShowdownRuling(at=at, seat=seat)


def _runs(state: State) -> bool:
    """Return True if contenders are building: the clock runs, and no photo finish waits for a ruling."""
    return state.showdown is not None and len(photo_finish(state)) < 2


def _dealt(state: State, orders: Orders | None) -> Fact:
    """Return the Nest and Tree cards shuffled."""
    if orders is None:
        raise Refused("SR-T9", "nobody shuffles here", do="Note each player's goals.")
    colors = state.plan.colors
    nests, trees = (tuple(colors[number - 1] for number in orders(len(colors))) for _ in range(2))
    return f.GoalsDealt(nests=nests, trees=trees)


def _restart(state: State) -> Retraction:
    """Return the retraction that begins the round again, its floor included (SR-T8)."""
    level = state.level
    name = "the final round" if level.is_roof else f"round {level.number}"
    require_hidden_goals(state)
    if not level.entries:
        before = ", or take the last pyramid back" if level.number > 1 else ""
        raise Refused("SR-T8", f"nothing lies in {name} yet", do=f"Lay its first card{before}.")
    below = (
        f"; level {level.number - 1} stands as the picture of it shows" if level.number > 1 else ""
    )
    return Retraction(level.entries, f"{name} begins again with an empty floor{below} (SR-T8)")


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now, for random play and checks; all secrets are known here.

    Left out is what is always possible: rulings (`turn`, anything with a reason), people and scores; also the rank of a
    card. Goals are yielded while a seat has none, and only those nobody else has (SR-3).
    """
    yield from _goals(state)
    yield from (f.Pass(), f.Reveal(), f.Showdown(), f.ShowdownRuling())
    for seat in state.playing:
        yield from (f.TurnOver(seat=seat), f.ShowdownStop(seat=seat), f.ShowdownRuling(seat=seat))
        if is_ready(state):
            yield f.StartToken(seat=seat)
        yield from _shares(state, seat)
    if is_ready(state):
        for suit, _ in state.plan.suits:
            for color in state.plan.colors:
                yield f.Assign(suit=suit, color=color)
    yield from _building(state)


def _building(state: State) -> Iterator[Fact]:
    plan = state.plan
    if state.level.stage == "cards":
        for cell in plan.grid.cells:
            for suit, _ in plan.suits:
                yield f.Card(place=cell, suit=suit)
    if state.level.stage == "pyramids":
        sizes = SIZES if state.level.is_roof else (None,)
        for place in plan.grid.places:
            for piece in (*plan.colors, OPAQUE):
                for size in sizes:
                    yield f.Pyramid(place=place, color=piece, size=size)


def _shares(state: State, seat: SeatId) -> Iterator[Fact]:
    """Yield the opaque pyramids a seat may have been given, unless they are entered."""
    total = share(state, seat)
    if given(state, seat) is None and total:
        for large in range(4):
            for medium in range(4):
                if 0 <= total - large - medium <= 3:
                    yield f.Opaque(
                        seat=seat, large=large, medium=medium, small=total - large - medium
                    )


def _goals(state: State) -> Iterator[Fact]:
    if state.revealed or state.common.paused:
        return
    taken_nests = {goals.nest for goals in state.goals}
    taken_trees = {goals.tree for goals in state.goals}
    nests = [color for color in state.plan.colors if color not in taken_nests]
    trees = [color for color in state.plan.colors if color not in taken_trees]
    for seat in state.playing:
        if state.goals_of(seat) is not None:
            continue
        for nest in nests:
            for tree in trees:
                yield f.GoalNoted(seat=seat, nest=nest, tree=tree)
