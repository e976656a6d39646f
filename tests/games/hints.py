"""What the tests of every game cannot derive: a row for each of our games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.components import as_json, example
from companion.rules.facts import Fact, Setup
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from tests.games.own.files import IDS

NAMES = ("Anna", "Bo", "Cleo", "Dmitri", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jun")


def _nothing(_state: Any) -> Iterator[Fact]:
    yield from ()


@dataclass(frozen=True)
class Hints:
    """`least` and `most` bound a seat's score in random play. `secret` maps kinds of facts to the fields that
    only one seat may know."""

    least: int
    most: int
    secret: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    noted: Callable[[Any], Iterator[Fact]] = _nothing
    owns_a_box: bool = False


def _skyfire_notes(state: Any) -> Iterator[Fact]:
    parse = open_game("skyfire").parse
    if state.current is None:
        return
    names = [card.name for card in state.deck.fireworks]
    for seat in state.current.players:
        held = state.current.hand(seat)
        for shift in (0, 1):
            yield parse("hand_noted", {"seat": seat, "cards": list(names[shift : shift + held])})
            for zone in range(1, len(state.current.zones) + 1):
                yield parse("place_noted", {"seat": seat, "zone": zone, "card": names[shift]})


def _fractured_sky_notes(state: Any) -> Iterator[Fact]:
    parse = open_game("fractured-sky").parse
    for seat in state.common.playing:
        for where in ("explore", "hidden"):
            for number in (1, 2):
                for region in state.board.ids[:2]:
                    yield parse(
                        "saw", {"seat": seat.id, "where": where, "number": number, "region": region}
                    )


HINTS = {
    "drills": Hints(least=0, most=5),  # DR-2: five strings each
    "panic-fire": Hints(least=0, most=6),  # PF-17: six rounds, one Bullet card each
    "skyfire": Hints(  # SF-15, SF-16: five rounds, at most all twenty cards dealt in each
        least=0,
        most=100,
        secret={"hand_noted": ("cards",), "place_noted": ("card",)},
        noted=_skyfire_notes,
        owns_a_box=True,
    ),
    "sky-rise": Hints(least=-20, most=400, secret={"goal_noted": ("nest", "tree")}),
    "fractured-sky": Hints(
        least=0, most=100, secret={"saw": ("region",)}, noted=_fractured_sky_notes
    ),
}
EVERY = sorted({*GAMES, "pebbles", *IDS})
"""Games to test: the installed ones, the sample game, and example games defined by files."""


def hints_of(game_id: str) -> Hints:
    """Return the row of a game. Without one, any score is possible and a secret fact hides all fields but its
    seat."""
    if game_id in HINTS:
        return HINTS[game_id]
    secret = {kind: fact for kind, fact in open_game(game_id).facts.items() if fact.secret}
    hidden = {
        kind: tuple(fact.model_fields.keys() - {"kind", "at", "seat"})
        for kind, fact in secret.items()
    }
    return Hints(least=-100_000, most=100_000, secret=hidden)


def may_hide(game_id: str) -> bool:
    """Return True if something in a game is known to one seat alone."""
    return (
        "bidding" in game_id
        or game_id == "pebbles"
        or (game_id in HINTS and bool(HINTS[game_id].secret))
    )


def setup_of(game_id: str, count: int) -> Setup:
    """Return a setup of that game with that many seats, or as many as it allows."""
    game = open_game(game_id)
    seats = seats_from_names(
        NAMES[: max(game.seat_counts.start, min(game.seat_counts.stop - 1, count))]
    )
    components = (
        as_json(example(game_id)) if hints_of(game_id).owns_a_box else dict(GAMES[game_id].carried)
    )
    return Setup(game.id, game.rules_version, seats, {}, components)
