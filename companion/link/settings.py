"""The settings of a board by name, and as the CONFIG message."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_protocol.board.settings import RANGES, Settings
from firmware_protocol.messages import Config

FIELDS = tuple(name for name, _, _ in RANGES)


def config_of(fields: Mapping[str, int]) -> Config:
    """Return the settings with these values, and the board's own default for each that is missing.

    Raise `ValueError` with a sentence for a value that no board takes (PROTOCOL.md, Settings).
    """
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        raise ValueError(f"a board has no setting {', '.join(unknown)}; it has {', '.join(FIELDS)}")
    config = Config(**{**fields_of(DEFAULTS), **fields})
    Settings().apply(config)  # the firmware's own check of the ranges
    return config


def fields_of(config: Settings | Config) -> dict[str, int]:
    """Return the settings by name, in the order of the wire."""
    return {name: getattr(config, name) for name in FIELDS}


DEFAULTS = Config(**fields_of(Settings()))
"""The settings of a board after each boot, until it is sent others."""
