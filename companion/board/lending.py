"""Where a procedure of a page gets its board from: from the game in play, or from the port while no game is on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from companion.board.asking import AskingPace
from companion.board.calibrated import keep, keep_in_play
from companion.board.procedures import EventsKept, Say, SelftestBoard, open_board, store
from companion.board.runs import BoardRuns
from companion.board.touch import KEPT, FreePort
from companion.errors import CommandError, ErrorKind
from companion.session.board_pages import BoardPage
from firmware_protocol.messages import Config

if TYPE_CHECKING:
    from companion.session.table import Table

BOARD_GONE = "The board is gone. Plug it in, then try again."


@contextmanager
def board_in_play(
    table: Table, what: str, who: str, say: Say, pace: AskingPace | None = None
) -> Iterator[SelftestBoard]:
    """Yield the board of a game in play, whose presses count for nothing meanwhile; raise `NotDone` if it has none.

    The link keeps the port, and goes on storing what the board reports.
    """
    conversation = table.board.begin_test(what, who)
    try:
        hello = conversation.session.hello
        if hello is None:
            raise CommandError(BOARD_GONE, ErrorKind.UNAVAILABLE)
        ids = {channel.name: channel.id for channel in hello.channels}
        muted = {
            ids[muting.channel]: muting
            for muting in table.look(lambda record: record.muted.now)
            if muting.channel in ids
        }
        yield SelftestBoard(
            conversation, hello, say, pace or AskingPace(), muted=muted, ever_muted=dict(muted)
        )
    finally:
        conversation.close()
        table.board.end_test()


def runs_at_table(
    table: Table, news: Callable[[], object], pace: AskingPace | None = None
) -> BoardRuns:
    """Return the procedures of a game in play. Lamp and buzzer are left out: in a drill, the lamp is the signal."""

    def of_table(part: BoardPage, who: str, say: Say) -> AbstractContextManager[SelftestBoard]:
        return board_in_play(table, part.value, who, say, pace)

    return BoardRuns(of_table, lambda config: keep_in_play(table, config), news, outputs=False)


def runs_at_port(
    port: FreePort,
    keep: Callable[[Config], str] = keep,
    pace: AskingPace | None = None,
) -> BoardRuns:
    """Return the procedures while no game is on; each opens the port, and gives it back."""

    @contextmanager
    def opened(say: Say) -> Iterator[SelftestBoard]:
        try:
            with port.lent() as name, open_board(name, say, discard=False, pace=pace) as board:
                yield board
        except EventsKept as problem:
            raise CommandError(KEPT, ErrorKind.UNAVAILABLE) from problem

    def of_port(_part: BoardPage, _who: str, say: Say) -> AbstractContextManager[SelftestBoard]:
        return opened(say)

    def stored(config: Config) -> str:
        with opened(lambda _: None) as board:
            store(board, config)
        return keep(config)

    return BoardRuns(of_port, stored)
