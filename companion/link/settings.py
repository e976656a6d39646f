"""The session's settings of its board: told until the board says that it has them, and after each boot again."""

from __future__ import annotations

from binascii import crc32
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.link.retry import Retry
from firmware_protocol.board.settings import RANGES, Settings
from firmware_protocol.messages import Config

if TYPE_CHECKING:
    from companion.link.events import Configured

_MS = 1_000_000
TRIES = 5
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


class BoardSettings:
    """What one connection does about `wanted`, the session's settings; None leaves the board alone. `in_force` is
    whether the board has them; None before it said."""

    def __init__(self, wanted: Config | None) -> None:
        self.wanted = wanted
        self.retry = Retry(500 * _MS, 2_000 * _MS)
        self.in_force: bool | None = None
        self._reported: tuple[int, int] | None = None

    def change(self, wanted: Config | None, now_ns: int) -> None:
        """Want others from now on."""
        self.wanted = wanted
        self.retry.stop()
        if wanted is not None and self._reported is not None and self._reported[1] != crc32(wanted.body()):
            self.in_force = False
            self.retry.start(now_ns)

    def forget(self) -> None:
        """The board started anew, or the connection did."""
        self.retry.stop()
        self.in_force = self._reported = None

    def heard(self, boot_id: int, config_crc: int, now_ns: int) -> Configured | None:
        """Take the CRC of a HELLO; return what is to be told of it, once for each change."""
        wanted = self.wanted
        if wanted is None:
            return None
        self.in_force = config_crc == crc32(wanted.body())
        if self.in_force:
            self.retry.stop()
        elif self._reported is None or self._reported[1] != config_crc:
            self.retry.ensure(now_ns)
        if self._reported == (boot_id, config_crc):
            return None
        set_by_us = self._reported is not None and self.in_force
        self._reported = (boot_id, config_crc)
        known = next((config for config in (wanted, DEFAULTS) if crc32(config.body()) == config_crc), None)
        from companion.link.events import Configured  # what a table without a board does without

        return Configured(boot_id, config_crc, known, self.in_force, set_by_us)

    def give_up(self) -> bool:
        """Stop telling a board that does not take them; True when that is now."""
        if not self.retry.running or self.retry.tries < TRIES:
            return False
        self.retry.stop()
        return True
