"""What the board answers to a cue: when its lamp was lit, so that a reaction to *fire!* has a true zero. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.base import Moment
from companion.intake import BOARD, clock_name
from companion.journal.entries import Draft, Entry, Layer
from companion.link.events import CueGiven
from companion.sound import LAMP

CUE = "cue"


def is_lamp(cue: CueGiven) -> bool:
    """Return whether it is the lamp that was lit: what is only heard measures nothing."""
    return cue.output == LAMP


def cue_draft(cue: CueGiven, boot_id: int) -> Draft:
    """When the board switched an output on, by its own clock; the same answer twice is one entry."""
    body = {"boot": boot_id, "id": cue.id, "output": cue.output}
    return Draft(Layer.EVIDENCE, CUE, body, BOARD, t_us=cue.t_us, key=f"cue/{boot_id:04x}/{cue.id}/{cue.t_us}")


class Lamp:
    """When the lamp was lit last, give or take the stamp error that the board publishes; it reads a record."""

    def __init__(self) -> None:
        self.lit: Moment | None = None
        self._errors_us: dict[int, int] = {}

    def read(self, entries: Iterable[Entry]) -> None:
        """Take in the next entries of the record."""
        for entry in entries:
            if entry.layer is not Layer.EVIDENCE:
                continue
            if entry.kind == "hello":
                self._errors_us[entry.body["boot"]] = entry.body["stamp_error_us"]
            elif entry.kind == CUE and entry.body["output"] == LAMP and entry.t_us is not None:
                boot_id = entry.body["boot"]
                self.lit = Moment(us=entry.t_us, pm=self._errors_us.get(boot_id, 0), clock=clock_name(boot_id))
