"""The examples of games that files state, as the tests play them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from companion.games.own.rules.game import OwnInfo, info_of
from companion.games.own.rules.reading import rules_of
from companion.games.own.rules.source import FileFault
from companion.rules import registry

FOLDER = files("companion.games.own").joinpath("examples")
NAMES = ("beat-the-clock", "darts-501", "hearts", "partners", "wizard", "yahtzee")
SECRET = """
format = 1
id = "bidding"
title = "Bidding"
does = "Counts the tricks that everybody secretly bid."
seats = [2, 4]
score = "total(points)"

[counters.bid]
title = "tricks bid"
least = 0
most = 13
lasts = "round"
secret = true

[counters.taken]
title = "tricks taken"
least = 0
most = 13
lasts = "round"

[values]
points = "10 + bid if bid == taken else -1"

[rounds.hand]
title = "hand"
times = 2

[inputs.trick]
title = "takes a trick"
does = "taken"

[inputs.hand_over]
title = "the hand is over"
does = "round ends"
for = "table"
key = "space"

[examples.one_hand]
seats = ["Ann", "Ben"]
plays = ["Ann bid 3", "Ben bid 1", "Ann taken 3", "Ben taken 2", "round ends"]
scores = [13, -1]
"""
"""A game in which something is secret until the round ends."""
KNOCKOUT = """
format = 2
id = "knockout"
title = "Knockout"
does = "Counts lives, and points by rank, until one player is left."
seats = [2, 12]
score = "total(points)"
over = "players <= 1"
asked = "always"

[counters.lives]
title = "lives"
start = 2
least = 0

[counters.hits]
title = "hits"
lasts = "round"

[counters.joker]
title = "joker"
once = true
most = 3

[counters.pot]
title = "pot"
of = "table"
lasts = "round"

[values]
points = "3 if rank(hits) == 1 else 1 if rank(hits) == 2 else 0"

[turn]
ends = "adds == 2"
bust = "hits > 4"

[rounds.lap]
title = "lap"
times = 2
ends = "turns"

[rounds.last]
title = "last"
ends = "when"
when = "pot >= 3 or sum(hits) > 5"

[out]
when = "lives == 0"

[inputs.hit]
title = "hits"
does = "hits"
for = "turn"
on = "shot"
key = "space"

[inputs.loses]
title = "loses a life"
label = "life -1"
does = "lives"
by = -1
for = "turn"
key = "q"

[inputs.grows]
title = "the pot grows"
label = "pot"
does = "pot"
for = "table"
key = "e"

[examples.one]
seats = ["Ann", "Ben", "Cleo"]
plays = [
    "Ann hits 2", "Ann lives -1", "Ben hits 1", "Ben joker = 2", "Cleo lives -2",
    "Ann lives -1",
]
# Cleo and Ann are out, and Ben is left; the lap ended with Cleo's turn.
scores = [3, 1, 0]
winners = ["Ben"]
"""
"""A game with elimination, ranks, a box that is used once, and rounds of two kinds."""
TEXTS = {name: FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8") for name in NAMES} | {
    "bidding": SECRET,
    "knockout": KNOCKOUT,
}
IDS = tuple(info_of(text).id for text in TEXTS.values())


def own(name: str) -> OwnInfo:
    """Return one of the games."""
    return info_of(TEXTS[name])


@contextmanager
def learned() -> Iterator[None]:
    """Register these games until the block ends."""
    for text in TEXTS.values():
        registry.learn(text)
    try:
        yield
    finally:
        vars(registry.GAMES)["learned"].clear()


def said_of(text: str) -> str:
    """Return what is wrong with a text; empty where nothing is."""
    try:
        rules_of(text)
    except FileFault as fault:
        return str(fault)
    return ""


def heavy(checks: int) -> str:
    """Return a game that asks so many checks of every hit, each of 1,367 steps with four players."""
    sums = f"{'sum(' * 5}hits{')' * 5}"
    asked = "\n".join(
        f'[checks.HV-{n}]\nsays = "No sum is below 0."\nwhen = "{sums} >= 0"\nasked = "always"\n'
        for n in range(1, checks + 1)
    )
    return f"""\
format = 1
id = "heavy"
title = "Heavy"
does = "Counts hits, and asks much of every one."
seats = [2, 4]
score = "hits"
over = "max(hits) >= 5"
asked = "always"

[counters.hits]
title = "hits"

[inputs.hit]
title = "hits"
does = "hits"

{asked}
[examples.one]
seats = ["Ann", "Ben", "Cleo", "Dan"]
plays = ["Ann hits 1"]
scores = [1, 0, 0, 0]
"""
