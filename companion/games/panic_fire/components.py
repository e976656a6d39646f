"""The component file: what the cards in the box say, each with a status and a source; and what its holes cost."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from companion.games.panic_fire.model import Reading, State

Status = Literal["confirmed", "inferred", "unknown"]


@dataclass(frozen=True, slots=True)
class Component:
    """A fact about the box; `value` is None exactly where the status is `unknown`."""

    name: str
    value: int | None
    status: Status
    source: str


@dataclass(frozen=True, slots=True)
class Box:
    """The counts of the deck, and the match number and the copies of each Character that is known by name."""

    counts: tuple[Component, ...]
    match_numbers: tuple[Component, ...]
    copies: tuple[Component, ...]


@cache
def box() -> Box:
    """Return the box as the component file gives it."""
    data = tomllib.loads(files(__package__).joinpath("components.toml").read_text(encoding="utf-8"))
    return Box(*(tuple(_component(row) for row in data[table]) for table in ("count", "match_number", "copies")))


def _component(row: dict[str, Any]) -> Component:
    return Component(row["name"], row.get("value"), row["status"], row["source"])


def notes(state: State) -> tuple[str, ...]:
    """Which facts of the box nobody has confirmed, and what each costs this table."""
    unknown = [one.name for one in box().match_numbers if one.status == "unknown"]
    said = []
    if unknown:
        others = f"{', '.join(unknown)}, any others"
        said.append(f"match numbers unknown: {others}; whether a shot was legal is the table's word (PF-4)")
    if any(one.name == "Shields" and one.value is None for one in box().counts):
        said.append("number of Shields unknown: how many were taken out is the table's word (PF-1)")
    reading = state.current.reading if state.current is not None else None
    if reading is not None and reading.laid[0] != reading.laid[1]:
        said.append("who held the match is not known for every shot: cards left is a range (PF-14); m answers")
    if reading is not None and _shot_ended(reading):
        said.append("no new set after the shot that ended the round (PF-14, inferred)")
    if reading is not None and reading.stalemate:
        said.append(_AFTER_STALEMATE[state.options["over_four_draw"]])
    return tuple(said)


def _shot_ended(reading: Reading) -> bool:
    shots = [verdict for _, verdict in reading.verdicts]
    return len(reading.alive) <= 1 and bool(shots) and shots[-1].result == "eliminated"


_AFTER_STALEMATE = {
    "still_draw": "hands may exceed four: each play still draws one (PF-R8)",
    "down_to_four_first": "hands may exceed four: play down to four before drawing again (PF-R8)",
}
