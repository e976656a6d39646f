"""Boards that serve a session in turn, at random: the events of each are taken once, in epochs that never mix."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings, strategies as st

from companion.link.evidence import Evidence, LastEvidence
from companion.link.order import BOOT_MASK, FrameOrder, Inbox
from firmware_protocol.messages import PRESSED, Event
from tests.thorough import examples


@dataclass
class Board:
    """A board's identity and the events it holds."""

    uid: int
    life: int = 0
    next_seq: int = 1
    ring: dict[int, Event] = field(default_factory=dict)

    @property
    def boot_id(self) -> int:
        """Its boot id: all boards draw the same ones."""
        return 7 + self.life

    @property
    def oldest(self) -> int:
        return min(self.ring, default=self.next_seq)

    def press(self, times: int) -> None:
        for _ in range(times):
            # The stamp tells whose frame it is: no two are equal.
            self.ring[self.next_seq] = Event(
                0, PRESSED, self.uid * 1_000_000 + self.life * 1_000 + self.next_seq
            )
            self.next_seq += 1

    def power_cycle(self) -> None:
        self.life, self.next_seq, self.ring = self.life + 1, 1, {}


@dataclass(frozen=True)
class Step:
    """A board is plugged in.

    It was `off` before or not, and then had `unheard` presses; `stored` of the frames it sends become durable, and it
    gets an ACK for `acknowledged` of these. `again`: the companion was restarted before.
    """

    uid: int
    off: bool
    unheard: int
    stored: int
    acknowledged: int
    again: bool


steps = st.builds(
    Step,
    st.integers(1, 3),
    st.booleans(),
    st.integers(0, 4),
    st.integers(0, 9),
    st.integers(0, 9),
    st.booleans(),
)


def connected(inbox: Inbox | None, board: Board) -> Inbox:
    """Return the inbox of a connection to a board, as a session makes it from a HELLO."""
    if inbox is None:
        return Inbox(board.uid, board.boot_id, board.oldest)
    if board.uid != inbox.uid:
        inbox = inbox.replaced_by(board.uid, board.boot_id, board.oldest, board.next_seq)
    elif not inbox.continued_by(board.uid, board.boot_id, board.next_seq):
        return inbox.followed_by(board.boot_id, board.oldest)
    inbox.floor(board.oldest, board.next_seq)
    return inbox


def resumed(inbox: Inbox) -> Inbox:
    """Return the inbox with which the companion's next run begins, from the record alone."""
    last = LastEvidence(inbox.uid, inbox.boot_id, inbox.durable, tuple(inbox.earlier), inbox.left)
    return Inbox.resumed(last)


@settings(max_examples=examples(200, 3_000))
@given(st.lists(steps, max_size=12))
def test_each_press_is_taken_in_once_and_each_epoch_is_of_one_board_and_one_life(
    evening: list[Step],
) -> None:
    boards = {uid: Board(uid) for uid in (1, 2, 3)}
    inbox: Inbox | None = None
    durable: list[Evidence] = []
    for step in evening:
        board = boards[step.uid]
        if step.off:
            board.power_cycle()
        board.press(step.unheard)
        if inbox is not None and step.again:
            inbox = resumed(inbox)
        inbox = connected(inbox, board)
        assert inbox.boot_id & BOOT_MASK == board.boot_id
        for seq, message in board.ring.items():
            verdict = inbox.take(Evidence(board.uid, inbox.boot_id, seq, message, 0))
            assert verdict in (FrameOrder.NEW, FrameOrder.DUPLICATE)
        fresh = inbox.ready()[: step.stored]
        for evidence in fresh:
            durable.append(evidence)
            inbox.acknowledge(evidence.seq)
        acknowledged = min(inbox.durable, board.oldest - 1 + step.acknowledged)
        stored = {evidence.message for evidence in durable}
        assert all(
            message in stored for seq, message in board.ring.items() if seq <= acknowledged
        ), "forgotten and not durable"
        board.ring = {seq: message for seq, message in board.ring.items() if seq > acknowledged}
        inbox.delivered = inbox.highest = inbox.durable  # the connection ends: the rest comes again
    taken = [evidence.message for evidence in durable]
    assert len(taken) == len({message.t_us for message in taken if isinstance(message, Event)})
    lives: dict[int, tuple[int, int]] = {}
    for evidence in durable:
        assert isinstance(evidence.message, Event)
        life = evidence.uid, evidence.message.t_us // 1_000
        assert lives.setdefault(evidence.boot_id, life) == life
