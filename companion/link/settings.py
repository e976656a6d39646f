"""The settings of a board, by their names and as it is told them."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_protocol.board.settings import RANGES, Settings
from firmware_protocol.messages import Config

FIELDS = tuple(name for name, _, _ in RANGES)


def config_of(fields: Mapping[str, int]) -> Config:
    """Return the settings with these values, the board's own default for each that is missing; raise `ValueError` with
    a sentence for one that no board takes (PROTOCOL.md, Settings)."""
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        raise ValueError(f"a board has no setting {', '.join(unknown)}; it has {', '.join(FIELDS)}")
    config = Config(**{**fields_of(DEFAULTS), **fields})
    Settings().apply(config)
    return config


def fields_of(config: Settings | Config) -> dict[str, int]:
    """Return the settings by name, in the order of the wire."""
    return {name: getattr(config, name) for name in FIELDS}


DEFAULTS = Config(**fields_of(Settings()))
"""What a board has at each of its boots until it is told otherwise."""
