"""The doctor's checks of serial ports: the list, permissions, other programs, and the board that answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.board.ports import RASPBERRY_PI
from companion.board.virtual import InPlayError, how_to_end, left_behind, would_be_lost
from companion.doctor.checks import Finding, failure, ok, warning
from companion.doctor.surroundings import Surroundings
from companion.errors import CommandError
from companion.link.evidence import Evidence
from companion.link.port_errors import OpenFailed
from companion.link.usb_ports import UsbPort
from companion.link.words import AT_PROMPT, FIRMWARE_ENDED, PLUG_IN_AGAIN, PROMPT
from companion.program import PROGRAM
from companion.rules.columns import in_shell
from companion.session.muted import Muting, muting_in
from companion.system.devices import group_of
from companion.system.port_users import others_at
from firmware_protocol.board import FIRMWARE
from firmware_protocol.board.settings import Settings
from firmware_protocol.messages import (
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    RESET_EXCEPTION,
    RESET_WATCHDOG,
    Hello,
    Overrun,
)
from firmware_protocol.unsaved import unsaved_events
from firmware_protocol.virtual.runtime import VirtualBoardError

if TYPE_CHECKING:
    from companion.link.conversation import Conversation

# Bridge chips that brltty takes for braille displays: WCH CH340, Silicon Labs CP210x.
BRIDGES = {0x1A86, 0x10C4}
RULES_FILE = "/etc/udev/rules.d/60-table-companion.rules"
RESETS = {RESET_WATCHDOG: "the watchdog", RESET_EXCEPTION: "an exception in its firmware"}


REPLAY_S = 1.0  # a board sends all that it keeps well within this


@dataclass(frozen=True, slots=True)
class NoisyBoard:
    """A board, and the inputs that it has muted because they are noisy."""

    hello: Hello
    muted: tuple[Muting, ...]


Ask = Callable[[str], Hello | NoisyBoard | str]


def ask(port: str) -> Hello | NoisyBoard | str:
    """Ask who is there without taking events from the board; return the reason if nobody answers."""
    from companion.link.conversation import Conversation

    try:
        with closing(Conversation(port)) as conversation:
            hello = conversation.hello()
            if hello is None:
                return conversation.trouble
            muted = _muted_inputs(conversation, hello)
            if conversation.trouble:  # its firmware ended at the first REPLAY
                return conversation.trouble
            if muted:
                return NoisyBoard(hello, muted)
            return hello
    except OpenFailed as failed:
        return failed.sentence


def _muted_inputs(conversation: Conversation, hello: Hello) -> tuple[Muting, ...]:
    """Return the inputs that a board has muted, as far as it still keeps those messages for a host.

    Nothing is acknowledged, so the board keeps all of them.
    """
    names = {channel.id: channel.name for channel in hello.channels}
    last_seq, until_ns = hello.next_seq - 1, conversation.clock_ns() + round(REPLAY_S * 1e9)
    muted: dict[str, Muting] = {}
    seq = hello.oldest_seq - 1
    while seq < last_seq and conversation.clock_ns() < until_ns and not conversation.trouble:
        for event in conversation.turn():
            if not isinstance(event, Evidence):
                continue
            seq = event.seq
            if not isinstance(event.message, Overrun):
                continue
            muting = muting_in(event.message, names)
            if muting is None:
                continue
            if muting.begins:
                muted[muting.channel] = muting
            else:
                muted.pop(muting.channel, None)
    return tuple(muted.values())


def udev_rule(vid: int, group: str) -> str:
    """Return a command to paste, with a rule: the person at the computer may open the port, ModemManager may not."""
    rule = (
        f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vid:04x}", GROUP="{group}", TAG+="uaccess", '
        'ENV{ID_MM_DEVICE_IGNORE}="1"'
    )
    return f"echo '{rule}' | sudo tee {RULES_FILE}\nsudo udevadm control --reload && sudo udevadm trigger"


def ports(here: Surroundings, wanted: str | None, ask_board: Ask) -> Iterator[Finding]:
    """Check all USB ports, or only `wanted`, and the board at each."""
    try:
        listed = here.ports()
    except CommandError:
        yield failure(
            "ports",
            "The system does not list its serial ports.",
            "Unplug what hangs; name a port: --port.",
        )
        listed = []
    if wanted is not None:
        by_device = {port.device: port for port in listed}
        yield from _port_findings(here, wanted, by_device.get(wanted), ask_board)
        return
    if not listed:
        yield _no_port(here)
    for port in listed:
        yield from _port_findings(here, port.device, port, ask_board)


def _no_port(here: Surroundings) -> Finding:
    if here.boot_loader():
        sentence = "A Pico waits in its boot loader: it is the drive RPI-RP2 and no port."
        mend = "Copy MicroPython's .uf2 onto the drive (hardware_docs/install.md); or plug it in again without BOOTSEL."
        return failure("ports", sentence, mend)
    mend = "Plug the board in with a cable that carries data; without one the keyboard does everything."
    return warning("ports", "No USB serial port.", mend)


def _port_findings(
    here: Surroundings, device: str, port: UsbPort | None, ask_board: Ask
) -> Iterator[Finding]:
    name, vid = device, RASPBERRY_PI
    if port is not None:
        description = f"{port.id} {port.product}".rstrip()
        name, vid = f"{device} ({description})", port.vid
    if "://" not in device and not here.may_open(device):
        if port is None and not os.access(device, os.F_OK):
            yield failure(
                "ports", f"{device} does not exist.", "Plug the board in, or name another port."
            )
            return
        group = group_of(device)
        mend = f"sudo usermod -aG {group} $USER    # then log out and in. Or, for this device:\n{udev_rule(vid, group)}"
        yield failure("ports", f"{name}: you may not open it.", mend)
        return
    holders = others_at(device, here.root / "proc")
    if holders:
        yield warning(
            "ports",
            f"{name}: held by {', '.join(holders)}.",
            "End that program; one reader at a time.",
        )
        return
    yield ok("ports", f"{name}: free, and you may open it.")
    yield from _board_findings(device, vid, ask_board(device))


def _board_findings(device: str, vid: int, hello: Hello | NoisyBoard | str) -> Iterator[Finding]:
    if isinstance(hello, Hello):
        yield from _hello_findings(device, hello)
    elif hello in (AT_PROMPT, FIRMWARE_ENDED):
        mend = f"{PLUG_IN_AGAIN} If the prompt is still there: {PROGRAM} board install --port {in_shell(device)}"
        yield failure("board", f"{device}: {PROMPT}.", mend)
    elif isinstance(hello, NoisyBoard):
        yield from _hello_findings(device, hello.hello)
        for muting in hello.muted:
            sentence = f"{device}: {muting.name} is {muting.what}. Nothing is known of it until it is quiet."
            yield warning(
                "wire",
                sentence,
                f"Check its wire; {PROGRAM} board monitor shows when it is heard again.",
            )
    elif vid == RASPBERRY_PI:
        sentence = f"{device}: no table board answers. {hello}".rstrip()
        yield failure("board", sentence, f"{PROGRAM} board install --port {in_shell(device)}")
    else:
        yield ok("board", f"{device}: no table board answers; it is some other device.")


def _hello_findings(device: str, hello: Hello) -> Iterator[Finding]:
    yield ok(
        "board",
        f"{device}: board {hello.uid:016x}, firmware {hello.firmware} on {hello.board or 'an unnamed board'}, "
        f"{len(hello.channels)} channels, protocol {hello.major}.{hello.minor}.",
    )
    if (hello.major, hello.minor) != (PROTOCOL_MAJOR, PROTOCOL_MINOR) or hello.firmware != FIRMWARE:
        sentence = f"Its firmware is {hello.firmware}, this companion brings {FIRMWARE}."
        yield warning("board", sentence, f"{PROGRAM} board update --port {in_shell(device)}")
    if hello.reset_reason in RESETS:
        mend = (
            f"After `mpremote reset` or `{PROGRAM} board install` that is right; else keep the session and "
            "report it."
        )
        yield warning("board", f"Its last start came from {RESETS[hello.reset_reason]}.", mend)
    settings = f"set (CRC {hello.config_crc:08x})"
    if hello.config_crc == Settings().crc:
        settings = "the defaults"
    kept = unsaved_events(hello)
    yield ok(
        "board", f"Settings: {settings}. It keeps {kept} of {hello.ring_size} events for a host."
    )


def hogs(here: Surroundings) -> Iterator[Finding]:
    """Check for programs that are known to take ports."""
    running = here.programs()
    try:
        vendors = {port.vid for port in here.ports()}
    except CommandError:
        vendors = set()
    if "ModemManager" in running and not here.has_udev_rule(RASPBERRY_PI):
        sentence = "ModemManager asks each new port for some ten seconds whether it is a modem."
        yield warning("hogs", sentence, udev_rule(RASPBERRY_PI, "dialout"))
    elif "brltty" in running and vendors & BRIDGES:
        mend = "sudo systemctl mask brltty-udev.service    # unless somebody here reads braille"
        yield warning(
            "hogs", "brltty takes boards with CH340 or CP210x for braille displays.", mend
        )
    else:
        yield ok("hogs", "No program that is known to take ports is in the way.")


def virtual(look: Callable[[], int | None] = left_behind) -> Iterator[Finding]:
    """Check whether a virtual board was left behind with unsaved events."""
    try:
        events = look()
    except InPlayError:
        yield ok("virtual", "A session plays with the virtual board.")
    except VirtualBoardError as problem:
        yield warning("virtual", str(problem), f"{PROGRAM} virtual end")
    else:
        if events:
            yield warning("virtual", would_be_lost(events), how_to_end())
        elif events is not None:
            yield ok("virtual", would_be_lost(events))
