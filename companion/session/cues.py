"""What the board answers to a cue, as evidence: when its lamp was lit. Pure."""

from __future__ import annotations

from companion.journal.entries import Draft, Layer
from companion.link.events import CueGiven
from companion.session.intake import BOARD
from companion.session.lamp import CUE, LAMP


def is_lamp(cue: CueGiven) -> bool:
    """Return whether it is the lamp that was lit: what is only heard measures nothing."""
    return cue.output == LAMP


def cue_draft(cue: CueGiven, boot_id: int) -> Draft:
    """When the board switched an output on, by its own clock; the same answer twice is one entry."""
    body = {"boot": boot_id, "id": cue.id, "output": cue.output}
    return Draft(Layer.EVIDENCE, CUE, body, BOARD, t_us=cue.t_us, key=f"cue/{boot_id:04x}/{cue.id}/{cue.t_us}")
