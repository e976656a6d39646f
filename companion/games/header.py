"""The first entry of a session: the game, its rules' version, the seats, the house rules, the owner's box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from companion.games.base import Seat, Setup


def header(setup: Setup, name: str, rematch_of: str | None = None) -> dict[str, Any]:
    """Return the body of the first entry of a session called `name`; `rematch_of` is the digest of the first entry of
    the session it follows, in hexadecimal."""
    seats = [asdict(seat) for seat in setup.seats]
    options = dict(setup.options)
    body = {"name": name, "game": setup.game, "rules": setup.rules_version, "seats": seats, "options": options}
    box = {"components": dict(setup.components)} if setup.components else {}
    return {**body, **box, **({} if rematch_of is None else {"rematch_of": rematch_of})}


def setup_of(body: Mapping[str, Any]) -> Setup:
    """Read what `header` wrote; raise `KeyError`, `TypeError` or `ValueError` for anything else."""
    seats = tuple(Seat(**seat) for seat in body["seats"])
    texts = [body["game"], *(text for seat in seats for text in asdict(seat).values())]
    if not all(isinstance(text, str) and text for text in texts) or type(body["rules"]) is not int:
        raise TypeError("a seat, the game or its rules are not what they must be")
    return Setup(body["game"], body["rules"], seats, dict(body["options"]), dict(body.get("components", {})))
