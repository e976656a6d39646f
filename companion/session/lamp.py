"""When the board's lamp was lit: the true zero of a reaction to *fire!*. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.journal.entries import Entry, Layer
from companion.rules.game import Moment
from companion.session.clocks import clock_name

CUE = "cue"
LAMP = 0  # an output of the board, by its number in CUE
LAMP_MS = 500
# The interpreter switches it and then reads the clock: some 40 us, and an interrupt may come between.
LAMP_ERROR_US = 100


class Lamp:
    """When the lamp was lit last, give or take `LAMP_ERROR_US` or what the board publishes; it reads a record."""

    def __init__(self) -> None:
        self.lit: Moment | None = None
        self.entry = 0
        """The entry that says so; 0 while none does."""
        self._errors_us: dict[int, int] = {}

    def read(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries of the record."""
        for _ in self.moments(entries):
            pass

    def moments(self, entries: Iterable[Entry]) -> Iterator[Moment]:
        """Take in the next entries of the record, and yield each moment at which the lamp was lit."""
        for entry in entries:
            if entry.layer is not Layer.EVIDENCE:
                continue
            if entry.kind == "hello":
                self._errors_us[entry.body["boot"]] = entry.body["stamp_error_us"]
            elif entry.kind == CUE and entry.body["output"] == LAMP and entry.t_us is not None:
                boot_id, self.entry = entry.body["boot"], entry.n
                self.lit = Moment(
                    us=entry.t_us, pm=max(self._errors_us.get(boot_id, 0), LAMP_ERROR_US), clock=clock_name(boot_id)
                )
                yield self.lit
