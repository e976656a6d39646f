"""Replacing the session's board with another one: the table is asked once, and its answer is
recorded.

A session has one board at a time. Each board that takes over begins an epoch with a boot id, and so
a clock, that no other board of the record has, whatever boot id the board itself chose.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.journal.entries import Draft, Layer
from companion.rules.spans import measured

if TYPE_CHECKING:
    from companion.link.events import Replaced
    from companion.link.status import OtherBoard
    from firmware_protocol.messages import Hello

IN_PLACE_OF = "in_place_of"
"""The uid of the previous board, in the body of a `boot` with which another board takes over; only
such a body has it."""


@dataclass(frozen=True, slots=True)
class BoardAsked:
    """The question whether play continues with another board."""

    text: str
    board: OtherBoard

    @property
    def id(self) -> str:
        """What tells the question from all others."""
        return f"board-{short(self.board.uid)}"


class SpareBoard:
    """Asks about each board that could take over, once for each time it is plugged in."""

    def __init__(self) -> None:
        self.asked: BoardAsked | None = None
        """The unanswered question."""
        self._declined: set[int] = set()
        self._agreed: int | None = None

    def look(self, others: Sequence[OtherBoard], known: Collection[int]) -> None:
        """Ask about one of the boards connected now, or withdraw the question; `known` are the
        boards that the session has had."""
        there = {other.uid for other in others}
        self._declined &= there
        if self._agreed not in there:
            self._agreed = None
        if self.asked is not None and self.asked.board.uid not in there:
            self.asked = None
        not_declined = [other for other in others if other.uid not in self._declined]
        if not_declined and self.asked is None and self._agreed is None:
            board = not_declined[0]
            self.asked = BoardAsked(_question(board, again=board.uid in known), board)

    def answer(self, *, agreed: bool) -> OtherBoard | None:
        """Remove the question and return the board it is about, or None if nothing is asked."""
        if self.asked is None:
            return None
        board, self.asked = self.asked.board, None
        if agreed:
            self._agreed = board.uid
        else:
            self._declined.add(board.uid)
        return board


def short(uid: int) -> str:
    """Return a board's name for people: the end of its uid."""
    return f"{uid:016x}"[-6:]


def _question(board: OtherBoard, *, again: bool) -> str:
    which = f"It is board {short(board.uid)} at {board.port}, not board {short(board.own)}."
    if again:
        return f"Continue with this board again? Its presses meanwhile are recorded, not counted. {which}"
    return f"Continue with this board? Presses still on the old one are lost. {which}"


def answer_draft(board: OtherBoard, *, agreed: bool) -> Draft:
    """Return the draft that records the table's answer; a note, because every version of the
    companion shows notes as they are."""
    new, old = short(board.uid), short(board.own)
    text = f"the table did not continue with board {new}: it waits for board {old}"
    if agreed:
        text = (
            f"the table agreed to continue with board {new}: presses still on board {old} are lost"
        )
    uids = {"uid": f"{board.uid:016x}", IN_PLACE_OF: f"{board.own:016x}"}
    return Draft(Layer.EVIDENCE, "note", {"text": text, "agreed": agreed, **uids})


def is_answer(kind: str, body: Mapping[str, Any]) -> bool:
    """Return whether a piece of evidence is the table's answer about another board."""
    return kind == "note" and IN_PLACE_OF in body


def answered(board: OtherBoard, *, agreed: bool) -> str:
    """Return what follows from the table's answer, for the people."""
    if agreed:
        return f"board {short(board.uid)} takes over: presses count again once it is live"
    return f"the session waits for board {short(board.own)}; plug in the other one again to be asked again"


def take_over_draft(hello: Hello, boot_id: int, replaced: Replaced) -> Draft:
    """Return the draft that begins the epoch of another board: which one it replaces, and how long
    neither was connected, by the host's clock, if known."""
    body: dict[str, Any] = {
        "previous": replaced.boot_id,
        "boot": boot_id,
        "uid": f"{hello.uid:016x}",
        IN_PLACE_OF: f"{replaced.uid:016x}",
        "first_seq": replaced.first_seq,
    }
    if replaced.away_us is not None:
        body |= {"away_us": replaced.away_us, "away_pm_us": replaced.away_pm_us}
    return Draft(
        Layer.EVIDENCE, "boot", body, "board", key=f"boot/{replaced.boot_id:04x}/{boot_id:04x}"
    )


def took_over(body: Mapping[str, Any]) -> bool:
    """Return whether the body of a `boot` is that of another board that took over."""
    return IN_PLACE_OF in body


def boot_sentence(body: Mapping[str, Any]) -> str:
    """Return a sentence: the board restarted, or another one took over, and how long none was
    connected."""
    if not took_over(body):
        return "the board lost power or restarted: what happened until now is unknown"
    boards = f"board {str(body.get('uid', ''))[-6:]} takes the place of board {str(body[IN_PLACE_OF])[-6:]}"
    away_us, pm_us = body.get("away_us"), body.get("away_pm_us")
    if not isinstance(away_us, int) or not isinstance(pm_us, int):
        return f"{boards}: what happened until now is unknown, and so is for how long"
    return f"{boards}: what happened in the {measured(away_us, pm_us)} between them is unknown"
