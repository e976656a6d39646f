"""Turn gestures of the zone buttons and the trigger, and keys, into facts."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.flow import open_round, seat_after, still_open
from companion.games.skyfire.rules.fold import apply
from companion.games.skyfire.rules.keys import CHANGE_TARGET, ENTER_TARGET, PREFIX
from companion.games.skyfire.rules.model import State
from companion.games.skyfire.rules.standings import open_targets, winners
from companion.rules.columns import a_number
from companion.rules.facts import Fact, Moment, Refused
from companion.rules.game import Retraction
from companion.rules.gestures import TRIGGER, Gesture, GestureKind


def hold_means(state: State, channel: str) -> bool:
    """Return True if holding this channel has a meaning now: a launch, a misfire, or the deal between rounds."""
    if state.common.paused:
        return False
    current = still_open(state)
    if current is None:
        return _zone_of(state, channel) is not None and not winners(state)
    if current.question is not None:
        return False
    return channel == TRIGGER or _zone_of(state, channel) is not None


def interpret(state: State, gesture: Gesture) -> Fact:
    """Return the fact that a gesture stands for; raise `Refused` if it stands for none."""
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    held = gesture.kind is GestureKind.HOLD
    if gesture.kind not in (GestureKind.TAP, GestureKind.HOLD):
        raise Refused("SF-12", "nobody shoots in SkyFire", do="Hold the trigger for a misfire.")
    if gesture.channel == TRIGGER:
        if held:
            return f.Misfire(at=at)
        if not hold_means(state, TRIGGER):
            # A hold without a meaning is reported as a tap. The rules then say why it is no misfire.
            apply(state, f.Misfire(at=at), entry=1)
        why = "the trigger was tapped; held, it declares a misfire"
        raise Refused("SF-12", why, do="Hold it for a misfire.")
    zone = _zone_of(state, gesture.channel)
    if zone is None:
        zones = len(_players(state)) - 1
        why = f"{gesture.channel} is no launch zone, there are {zones}"
        raise Refused("SF-5", why, a_number(1, zones, "zone"))
    if not held:
        return f.Place(at=at, zone=zone)
    return f.Deal(at=at) if still_open(state) is None else f.Launch(at=at, zone=zone)


def _players(state: State) -> tuple[str, ...]:
    current = still_open(state)
    return current.players if current is not None else state.playing


def _zone_of(state: State, channel: str) -> int | None:
    """Return the number of the launch zone on that channel, or None."""
    zones = [f"zone-{number}" for number in range(1, len(_players(state)))]
    return zones.index(channel) + 1 if channel in zones else None


def act(state: State, action_id: str) -> Fact | Retraction:
    """Return the fact that a key stands for; raise `Refused` if it stands for none."""
    word, _, number = action_id.removeprefix(PREFIX).partition(".")
    match word:
        case "place":
            return f.Place(zone=int(number))
        case "launch":
            return f.Launch(zone=int(number))
    return _plain(state, word)


_PLAIN: dict[str, Callable[[], Fact]] = {
    "deal": f.Deal,
    "misfire": f.Misfire,
    "satisfied": lambda: f.Satisfied(satisfied=True),
    "unsatisfied": lambda: f.Satisfied(satisfied=False),
    "nobody": f.RoundEnd,
}


def _plain(state: State, word: str) -> Fact:
    match word:
        case "first":
            current = open_round(state)
            after = current.players.index(current.first) + 1
            return f.First(seat=current.players[after % len(current.players)])
        case "direction":
            return f.Direction(clockwise=not state.clockwise)
        case "target":
            return f.Target(card=_next_target(state))
        case "turn":
            current = open_round(state)
            seat = seat_after(state, current, current.turn or current.first)
            return f.Turn(seat=seat or current.first)
    if word not in _PLAIN:
        raise Refused("KEY", f"{word!r} is no action of SkyFire", "one of its actions")
    return _PLAIN[word]()


def _next_target(state: State) -> str:
    """Return the name of the target after this round's, among those that may be on the stack."""
    current = open_round(state)
    names = [
        face.name
        for face in open_targets(state)
        if face.symbols is not None and face.name is not None
    ]
    if not names:
        raise Refused("SF-6", "no target is known by its symbols", do=ENTER_TARGET)
    if current.target is not None and current.moves:
        # One press too many would change what everybody plays for; the form changes it on purpose.
        why = f"this round is played for {current.target} already"
        raise Refused("SF-8", why, do=CHANGE_TARGET)
    named = current.target.name if current.target is not None else None
    if named not in names:
        return names[0]
    return names[(names.index(named) + 1) % len(names)]
