"""Every refusal of the rules, as people read it: facts of every kind, right and wrong, tried in games of every size.

After a change that is meant, write the page anew and read its difference:

    SNAPSHOTS=write python -m pytest tests/games/fractured_sky/test_refusals.py
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from typing import Any

from companion.games.fractured_sky.rules.fold import FACTS
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import State
from companion.rules.actions import with_keys
from companion.rules.common import COMMON_FACTS
from companion.rules.components import Box, as_json, example
from companion.rules.facts import Fact, Refused, Setup
from companion.rules.game import Game
from companion.rules.seats import seats_from_names
from tests.games.fractured_sky.playthrough import FOLDER
from tests.games.random_play import steps

WRITE = os.environ.get("SNAPSHOTS") == "write"
PAGE = FOLDER / "refusals.txt"
KINDS = tuple(kind for kind, fact in FACTS.items() if fact not in COMMON_FACTS)
EACH = 6  # facts tried in each state that is looked at
GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("Ada", {"map": "example"}),
    ("Ada", {"map": "example", "ai_cards": "physical", "difficulty": "hard"}),
    ("Ada", {"ai_cards": "physical"}),
    ("Ada Bo", {"map": "example", "starfalls": "virtual", "skimmer_stack": "one_per_region"}),
    ("Ada Bo Cleo", {"map": "example", "objective_nobody": "table"}),
)
DIRECTION_NAMES = {
    "piece": ("airship", "fortress", "market", "skimmer", "marker"),
    "counter": ("starfalls", "market_card", "region", "unused", "slot"),
    "building": ("fortress", "market"),
    "resource": ("gold", "iron", "wood"),
    "where": ("explore", "hidden"),
    "reason": ("because", ""),
    "name": ("", "Eve", "Bo"),
    "card": (1, 2, 5, "airship", "market", "scout"),
    "slot": (1, 2, 3, 9),
    "value": (0, 1, 3, 50),
    "number": (1, 2, 5),
    "places": (1, 3),
    "x": (0, 5),
    "y": (0, 5),
    "whole": (True, False),
}
LISTS = {
    "resources": ("gold", "gold", "iron", "wood"),
    "stars": ("N", "SE", "W"),
    "chips": (0, 1, 5, 10, 11),
    "lots": ("2/6", "1/5"),
    "regions": (),
    "players": (),
}


def tried(game: Game[State], state: State, rng: random.Random) -> Iterator[Fact]:
    """Facts of all kinds with fields drawn from what there is, and from what there is not."""
    regions = (*state.board.ids, "atlantis")
    places = (*regions, *(platform.id for platform in state.board.platforms), "1", "3", "nowhere")
    people = (*(seat.id for seat in state.common.setup.seats), "@black", "@orange", "zed")
    for _ in range(EACH):
        kind = rng.choice(KINDS)
        body = {
            name: _value(name, kind, regions, places, people, rng)
            for name, info in FACTS[kind].model_fields.items()
            if name not in ("kind", "at") and (info.is_required() or rng.random() < 0.6)
        }
        try:
            yield game.parse(kind, body)
        except Refused:
            continue


def _value(
    name: str,
    kind: str,
    regions: tuple[str, ...],
    places: tuple[str, ...],
    people: tuple[str, ...],
    rng: random.Random,
) -> Any:
    match name:
        case "seat" | "player":
            return rng.choice(people)
        case "ai":
            return rng.choice(("@black", "@orange"))
        case "region":
            return rng.choice(regions)
        case "place" | "to" | "target" | "platform":
            return rng.choice(places)
        case "of":
            return rng.choice((*people, *regions, ""))
        case "cards":
            numbers, dealt = ([1, 2], [*range(1, 11)]), ([*regions[:-1]], [*regions[:3]])
            return rng.choice(dealt) if kind == "deal" else rng.choice(numbers)
        case "tokens" if kind == "shuffle":
            return rng.choice(([], [1, 2], [1, 2, 3, 4, 5, 6]))
        case "tokens":
            return rng.choices(("0/4", "1/5", "2/6", "9/9"), k=rng.choice((2, 3)))
        case _ if name in LISTS:
            pool = {"regions": regions, "players": people}.get(name, LISTS[name])
            return rng.choices(pool, k=rng.choice((1, 2, 3)))
    return rng.choice(DIRECTION_NAMES[name])


def refusals() -> set[str]:
    """Return every refusal and what it expects instead, once for all that differ only in names and numbers."""
    messages: set[str] = set()
    seen: set[str] = set()
    for seed, (names, options) in enumerate(GAMES):
        game, rng = GAME, random.Random(seed)
        without = Box(
            tuple(
                row
                for row in example(game.id).rows
                if not row.table.startswith(("platform_", "token_"))
            )
        )
        box = as_json(without) if "map" not in options else {}
        setup = Setup(game.id, game.rules_version, seats_from_names(names.split()), options, box)
        named = re.compile(
            "|".join([*names.split(), "AI black", "AI orange", *_words(game, setup)]), re.IGNORECASE
        )
        seen_texts: set[str] = {""}
        for state in _states(game, setup, rng):
            for fact in tried(game, state, rng):
                refusal = _refused(game, state, fact)
                if refusal in seen_texts:
                    continue
                seen_texts.add(refusal)
                alike = {
                    re.sub(r"[@'\d, ]+|#( or #)+", "#", named.sub("#", part))
                    for part in refusal.split("; ")
                }
                if not alike <= seen:
                    seen |= alike
                    messages.add(f"{fact.kind}: {refusal}")
    return messages


def _states(game: Game[State], setup: Setup, rng: random.Random) -> Iterator[State]:
    """Every state of a game, the last one included."""
    yield game.start(setup)
    for _, _, _, after in steps(game, setup, rng):
        yield after


def _refused(game: Game[State], state: State, fact: Fact) -> str:
    try:
        game.apply(state, fact, 2)
    except Refused as refusal:
        return with_keys(str(refusal))
    return ""


def _words(game: Game[State], setup: Setup) -> list[str]:
    board = game.start(setup).board
    return [word for region in board.regions for word in (region.id, region.name)] + [
        "atlantis",
        "nowhere",
        "zed",
    ]


def test_every_refusal_reads_as_it_is_written_down() -> None:
    page = "".join(f"{refusal}\n" for refusal in sorted(refusals()))
    if WRITE:
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")
