"""Turn gestures of the gun and the zone buttons, keys, and timers that run out into facts."""

from __future__ import annotations

from companion.games.drills.rules import facts as f
from companion.games.drills.rules.fold import refuse_when_over
from companion.games.drills.rules.keys import BEGIN, DRAW, LAMP, PREFIX, SCREEN
from companion.games.drills.rules.model import State
from companion.rules.facts import Fact, Moment, Refused
from companion.rules.game import Due, Orders
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.pauses import between

TWICE_US = 2_000_000
"""The longest time between two dry pulls that together begin a string (DR-2), in microseconds."""
DRAWS = 20
"""Two draws of 1 to 20 give one of 400 delays: fine enough for most waits, and short to write down."""


def hold_means(state: State, channel: str) -> bool:
    """Return True if holding this channel has a meaning now: a zone button while no string is under way (DR-2)."""
    return state.current is None and not state.over and state.seat_at(channel) is not None


def interpret(state: State, gesture: Gesture) -> Fact:
    """Return the fact that a gesture stands for; raise `Refused` if it stands for none."""
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    match gesture.kind:
        case GestureKind.SHOT:
            return f.Shot(at=at, lag_us=gesture.lag_us, peak=gesture.peak)
        case GestureKind.DRY_PULL if state.options["hit_sensor"] == "no":
            return f.Shot(at=at)
        case GestureKind.DRY_PULL:
            return _dry(state, at, gesture.reason)
        case GestureKind.KNOCK:
            raise Refused(
                "DR-5", f"a knock is no shot: {gesture.reason}", "a pull and a hit together"
            )
    seat = state.seat_at(gesture.channel)
    if seat is None:
        raise Refused("DR-2", f"nobody stands at {gesture.channel}", do="Use your own zone.")
    if gesture.kind is GestureKind.HOLD:
        return f.Ready(at=at, seat=seat)
    if state.current is None:
        refuse_when_over(state)  # a hold is read as a tap then
        raise Refused("DR-2", "a short press begins nothing", do=BEGIN)
    return f.Plate(at=at, seat=seat)


def _dry(state: State, at: Moment, reason: str) -> Fact:
    apart = between(state.dry, at)
    # Two dry pulls in a row are a sign at the gun, without anybody at a button.
    is_twice = apart is not None and not apart.tapped and apart.us <= TWICE_US
    if state.current is None and is_twice and state.still_to_come:
        return f.Ready(at=at, seat=state.still_to_come[0])
    return f.DryPull(at=at, reason=reason)


def due(state: State) -> Due | None:
    """Return what happens automatically next: the delay is drawn at once, and the signal is given after it
    (DR-3)."""
    string = state.current
    if string is None or string.by:
        return None
    if string.delay_ms is None:
        return Due(DRAW, 0, string.ready, of=string.entry)
    return Due(LAMP, string.delay_ms * 1000, string.delay, lamp=True, unlit=SCREEN, of=string.entry)


def act(state: State, action_id: str, orders: Orders | None = None) -> Fact:
    """Return the fact that a key or a due action stands for; raise `Refused` if it stands for none."""
    word, _, number = action_id.removeprefix(PREFIX).partition(".")
    if number:
        seat = state.setup.by_column[int(number) - 1].id
        return f.Ready(seat=seat) if state.current is None else f.Plate(seat=seat)
    match word:
        case "draw":
            return f.Delay(ms=_drawn(state, orders))
        case "lamp" | "screen":
            return f.Signal(by=word)
        case "begin":
            refuse_when_over(state)
            return f.Ready(seat=state.still_to_come[0])
        case "shot":
            return f.Shot()
        case "stop":
            return f.Stop()
    raise Refused("KEY", f"{word!r} is no action of the drills", "one of its actions")


def _drawn(state: State, orders: Orders | None) -> int:
    """Return a delay between the least and the most in milliseconds, all equally likely."""
    if orders is None:
        raise Refused("DR-3", "nobody draws the delay here", do="Enter the delay.")
    least, most = (state.options.numbers[name] for name in ("least_delay_ms", "most_delay_ms"))
    # The first number of a shuffled 1 to 20 is a fair draw.
    place = (orders(DRAWS)[0] - 1) * DRAWS + orders(DRAWS)[0] - 1
    return least + (most - least) * place // (DRAWS * DRAWS - 1)
