"""The chip's wire, over pipes."""

import os
import select
from collections.abc import Iterator
from typing import BinaryIO

import pytest

from firmware_protocol.board.wire import StdioWire

LIMIT = 64
pytestmark = pytest.mark.skipif(
    not hasattr(select, "poll"), reason="this system has no select.poll; the chip has"
)


class Pipes:
    def __init__(self) -> None:
        board_in, host_out = os.pipe()
        host_in, board_out = os.pipe()
        self.host_out: BinaryIO = os.fdopen(host_out, "wb", 0)
        self.host_in: BinaryIO = os.fdopen(host_in, "rb", 0)
        self.board = (os.fdopen(board_in, "rb", 0), os.fdopen(board_out, "wb", 0))
        self.wire = StdioWire(*self.board)

    def read(self) -> bytes:
        data = bytearray(LIMIT)
        return bytes(data[: self.wire.read(data)])

    def close(self) -> None:
        for stream in (self.host_out, self.host_in, *self.board):
            stream.close()


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    pipes = Pipes()
    yield pipes
    pipes.close()


def test_reading_takes_what_is_there_and_never_waits(pipes: Pipes) -> None:
    assert pipes.read() == b""
    pipes.host_out.write(b"\0abc\0")
    assert pipes.read() == b"\0abc\0"
    assert pipes.read() == b""


def test_one_read_is_bounded_so_that_the_main_loop_comes_round(pipes: Pipes) -> None:
    pipes.host_out.write(b"x" * (LIMIT + 10))
    assert len(pipes.read()) == LIMIT
    assert len(pipes.read()) == 10


def test_a_pipe_at_its_end_reads_as_silence(pipes: Pipes) -> None:
    pipes.host_out.write(b"last")
    pipes.host_out.close()
    assert pipes.read() == b"last"
    assert pipes.read() == b""


def test_writing_reaches_the_host_and_waiting_returns(pipes: Pipes) -> None:
    pipes.wire.write(b"\0frame\0")
    pipes.wire.wait(1)
    assert os.read(pipes.host_in.fileno(), 100) == b"\0frame\0"
