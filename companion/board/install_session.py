"""A board to install on: its firmware ended, its prompt surveyed, and its return awaited after a restart."""

from __future__ import annotations

import shutil
import textwrap
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import TextIO

from companion.board import installing
from companion.board.firmware import Firmware, firmware
from companion.board.installing import Remote, Survey, survey
from companion.board.ports import Lister, port_after_restart, serial_of, usb_ports
from companion.errors import CommandError, ErrorKind
from companion.link.conversation import Conversation
from companion.link.port_errors import OpenFailed
from companion.link.status import LinkState
from firmware_protocol.messages import Hello

# A Pico is back on USB within two seconds; a slow computer can take several more to show it.
BACK_S = 20.0
RETRY_S = 0.25
# Only boards with native USB are installed this way; they do not restart when opened and answer within milliseconds.
HELLO_S = 1.5
VIRTUAL = "virtual board"  # the prefix of its board name in HELLO


@dataclass(slots=True)
class InstallSession:
    """A board at a port and the output for its person; tests replace its ports."""

    port: str
    out: TextIO
    lister: Lister = usb_ports
    new: Firmware = field(default_factory=firmware)
    hello_s: float = HELLO_S

    def say(self, sentence: str) -> None:
        """Print a sentence; on a terminal, wrapped to its width."""
        if self.out.isatty():
            sentence = textwrap.fill(sentence, shutil.get_terminal_size().columns - 1)
        print(sentence, file=self.out, flush=True)

    def hello(self) -> Hello | None:
        """Return the HELLO of a running firmware and end it, so that the prompt answers; None without a firmware."""
        with closing(Conversation(self.port)) as conversation:
            hello = conversation.hello(self.hello_s)
            if hello is None:
                return None
            if hello.board.startswith(VIRTUAL):
                raise CommandError(
                    "That is the virtual board: it has its firmware, and no prompt to install from."
                )
            conversation.end_firmware()
        self.say(
            f"Firmware {hello.firmware} answers at {self.port} ({hello.board}); it gave its prompt back."
        )
        return hello

    def look(self) -> tuple[Remote, Survey]:
        """Return the board's prompt and a survey of the board."""
        remote = Remote(self.port)
        board = survey(remote)
        number = ".".join(map(str, board.micropython))
        self.say(
            f"MicroPython {number} at {self.port}: {board.machine}, {board.free // 1024} kB free."
        )
        if board.platform != "rp2" and board.platform not in installing.OTHER_CHIPS:
            self.say(
                f"It is a {board.platform}, no RP2040: the pins of pins.json are for a Raspberry Pi Pico."
            )
        return remote, board

    def restart(self, remote: Remote) -> Hello:
        """Restart the board and wait for its firmware's HELLO."""
        serial = serial_of(self.port, self.lister)
        remote.reset()
        return self.wait_for_hello(serial)

    def wait_for_hello(self, serial: str) -> Hello:
        """Wait until the board with this USB serial number is back and its firmware sends HELLO."""
        until = time.monotonic() + BACK_S
        while time.monotonic() < until:
            self.port = port_after_restart(self.port, serial, self.lister)
            try:
                with closing(Conversation(self.port)) as conversation:
                    hello = conversation.hello(self.hello_s)
                    if hello is not None:
                        return hello
            except OpenFailed as failed:
                if failed.state is LinkState.NO_PERMISSION:
                    raise
                time.sleep(RETRY_S)
        raise CommandError(
            f"The board did not say HELLO within {BACK_S:.0f} s: unplug it and plug it in; if it stays silent, "
            f"`mpremote connect {self.port} resume` and Ctrl-C show what its firmware failed with.",
            ErrorKind.UNAVAILABLE,
        )
