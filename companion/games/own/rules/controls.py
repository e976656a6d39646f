"""The controls of a game of one's own: keys, buttons, the gun and the end of the time, and the facts they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from companion.games.own.rules import facts as f
from companion.games.own.rules.definition import DEEDS, Definition, Input
from companion.games.own.rules.model import State, own_rules
from companion.games.own.rules.sense import own_rows
from companion.rules.actions import Action
from companion.rules.columns import listed
from companion.rules.facts import Fact, Moment, Refused, SeatId, Setup, after_the_end
from companion.rules.game import Due
from companion.rules.gestures import Gesture, GestureKind

MOST_LETTERS: Final = 12
MOST_BUTTONS: Final = 10
"""Zone buttons of a board; players after the tenth have only keys."""
PREFIX: Final = "own."
TIME_UP: Final = f"{PREFIX}time-up"
SET_ACTION: Final = f"{PREFIX}set.number"
SET_KEY: Final = "equals_sign"
"""The key that opens the form for setting a counter (format 2). An input's id has a number after the dot."""
DEED: Final[dict[str, type[Fact]]] = dict(
    zip(DEEDS, (f.TurnEnds, f.Bust, f.RoundEnds, f.ClockStarts), strict=True)
)


def actions(setup: Setup) -> Iterator[Action]:
    """Yield the actions of the keyboard for these seats: a row of keys for each input of the
    players' own, else one key."""
    says = own_rules(setup).says
    rows = iter(own_rows(says))
    for name, control in says.inputs.items():
        if control.whose == "own":
            row = next(rows)
            for place, seat in enumerate(setup.by_column, start=1):
                text = f"{seat.name}: {control.title} (OG-2)."
                label = _label(says, control, f"{seat.initial} ")
                action_id, key = f"{action_of(name)}.{place}", row[place - 1]
                # the footer shows the first player's key for all
                yield Action(action_id, (key,), label, text, control.title, place == 1)
        elif control.key is not None:
            text = f"{control.title[0].upper()}{control.title[1:]} (OG-2)."
            label = _label(says, control)
            yield Action(action_of(name), (control.key,), label, text, "game", True)


def _label(says: Definition, control: Input, whose: str = "") -> str:
    """Return the label of an input for the footer: its label, title or deed, the first that fits,
    else its first words."""
    title = control.title
    texts = (control.label, title, title.removeprefix("the "), _deed_text(says, control))
    labels = [f"{whose}{text}" for text in texts if text]
    for label in labels:
        if len(label) <= MOST_LETTERS:
            return label
    label = labels[0]
    while len(label) > MOST_LETTERS and " " in label.removeprefix(whose):
        label = label.rpartition(" ")[0]
    return label[:MOST_LETTERS].removesuffix(" a").removesuffix(" the")


def _deed_text(says: Definition, control: Input) -> str:
    """Return what an input does in a few words: `points +5`, `full house 25`."""
    counter = says.counters.get(control.does)
    if counter is None:
        return control.does
    if control.sets is not None:
        return f"{counter.title} {control.sets}"
    if control.by == 1:
        return counter.title
    return f"{counter.title} {control.by:+d}"


def action_of(name: str) -> str:
    """Return the id of an input's action; if each player has one, a dot and the player's place follow."""
    return f"{PREFIX}{name.replace('_', '-')}"


def act(state: State, action_id: str) -> Fact:
    """Return the fact that a key or the end of the time stands for; raise `Refused` if it stands for none."""
    if action_id == TIME_UP:
        return f.TimeUp()
    word, _, number = action_id.removeprefix(PREFIX).partition(".")
    for name, control in state.says.inputs.items():
        if action_of(name) == f"{PREFIX}{word}":
            seat = state.setup.by_column[int(number) - 1].id if number else None
            return fact_of(state, control, seat)
    raise Refused("KEY", f"{word!r} is nothing that this game does", "one of its keys")


def fact_of(state: State, control: Input, whose: SeatId | None, at: Moment | None = None) -> Fact:
    """Return the fact of an input done by a player; raise `Refused` if nobody has a turn."""
    if control.does in DEED:
        return DEED[control.does](at=at)
    seat = {"own": whose, "table": None, "turn": state.turn}[control.whose]
    if control.whose == "turn" and not seat:
        raise Refused("OG-4", "nobody has the turn", "a player in the game")
    if control.sets is not None:
        return f.Set(counter=control.does, value=control.sets, seat=seat, at=at)
    return f.Add(counter=control.does, by=control.by, seat=seat, at=at)


def _input_of(state: State, kind: GestureKind, channel: str) -> tuple[Input, SeatId | None] | None:
    """Return the input that a gesture on a channel means, and whose it is, or None."""
    seat = state.seat_at(channel)
    for control in state.says.inputs.values():
        if control.on.replace(" ", "-") != kind:
            continue
        if kind in (GestureKind.SHOT, GestureKind.DRY_PULL):
            return control, None  # there is one gun
        if control.whose == "own" and seat is not None:
            return control, seat
        if control.whose != "own" and channel == f"zone-{control.zone}":
            return control, None
    return None


def hold_means(state: State, channel: str) -> bool:
    """Return whether holding that channel has a meaning now."""
    return not state.over and _input_of(state, GestureKind.HOLD, channel) is not None


def interpret(state: State, gesture: Gesture) -> Fact:
    """Return the fact that a gesture stands for; raise `Refused` if it stands for none."""
    if state.over:
        raise after_the_end("OG-9")  # a hold is read as a tap then
    match = _input_of(state, gesture.kind, gesture.channel)
    if match is None:
        raise Refused("OG-2", "that means nothing in this game", do="Use a key of this game.")
    control, seat = match
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    return fact_of(state, control, seat, at)


def due(state: State) -> Due | None:
    """Return the end of the time, while the clock runs (OG-7)."""
    clock = state.says.clock
    if clock is None or not state.running or state.over:
        return None
    return Due(TIME_UP, clock.seconds * 1_000_000, state.since)


def checklist(state: State) -> tuple[str, ...]:
    """Return what each button and the gun mean, for labels on the table."""
    buttons: dict[int, list[str]] = {}
    gun, without_button = [], []
    players = state.setup.by_column
    for control in state.says.inputs.values():
        if control.on == "key":
            continue
        text = f"{control.on}: {control.title}"
        if control.on in ("shot", "dry pull"):
            gun.append(text)
        if control.whose == "own":
            without_button = [seat.name for seat in players[MOST_BUTTONS:]]
            for place, seat in enumerate(players[:MOST_BUTTONS], start=1):
                named = f"{control.on}: {seat.name} {control.title}"
                buttons.setdefault(place, []).append(named)
        elif control.zone is not None:
            buttons.setdefault(control.zone, []).append(text)
    lines = []
    for zone, words in sorted(buttons.items()):
        lines.append(f"With a board, label button {zone}: {'; '.join(words)}.")
    if without_button:
        lines.append(f"{listed(without_button)} have no button: press their keys.")
    if gun:
        lines.append(f"The gun: {'; '.join(gun)}.")
    return tuple(lines)


def candidates(state: State) -> Iterator[Fact]:
    """Yield what may be possible now: each input by everybody, and what no input counts, at its bounds."""
    for control in state.says.inputs.values():
        for seat in state.playing if control.whose == "own" else (None,):
            with suppress(Refused):
                yield fact_of(state, control, seat)
    for name in state.says.counters:
        yield from _entered(state, name)
    if state.running:
        yield f.TimeUp()


def _entered(state: State, name: str) -> Iterator[Fact]:
    """Yield what may be entered for a counter beside its inputs."""
    counter = state.says.counters[name]
    most = counter.start + 1 if counter.most is None else counter.most
    values = {counter.start, most}
    if counter.secret:
        for seat in state.playing:
            for value in values:
                yield f.SecretNote(seat=seat, counter=name, value=value)
        return
    owners = (None,) if counter.of == "table" else state.playing
    counted = any(control.does == name for control in state.says.inputs.values())
    if not counted:
        for owner in owners:
            yield f.Add(counter=name, seat=owner)
    if state.says.format > 1 and (counter.once or not counted):
        for owner in owners:
            for value in values:
                yield f.Set(counter=name, seat=owner, value=value)
