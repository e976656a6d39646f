"""A hole in a board's numbers that lasts."""

from __future__ import annotations

from companion.link.order import Inbox


class Hole:
    """Since when the next number has been missing, though later ones are here or announced; used by one connection."""

    def __init__(self) -> None:
        self._since: tuple[int, int] | None = None  # the number that is missing, and when that was seen first

    def look(self, inbox: Inbox, announced: int, now_ns: int) -> None:
        """Compare what came with what the board has sent: it has given away every number below `announced`.

        While something is not on the disk yet, the board may be out of credit, and is not asked for what it holds back.
        """
        behind = inbox.durable == inbox.delivered < announced - 1
        if not inbox.waiting and not behind:
            self._since = None
        elif self._since is None or self._since[0] != inbox.delivered + 1:
            self._since = inbox.delivered + 1, now_ns

    def age_ns(self, now_ns: int) -> int:
        """For how long the same number has been missing; 0 while none is."""
        return 0 if self._since is None else now_ns - self._since[1]

    @property
    def seq(self) -> int | None:
        """The number that is missing."""
        return None if self._since is None else self._since[0]
