"""Writes `golden.json` from the message table: `python -m firmware_protocol.vectors.generate`.

A change in this file's output is a change of the wire. Runs under CPython and MicroPython.
"""

import json
from binascii import hexlify

from firmware_protocol import messages as m

GOLDEN = "golden.json"
BOOT = 0xBEEF
CHANNELS = (
    m.Channel(0, m.ROLE_TRIGGER, 0, 0),
    m.Channel(1, m.ROLE_HIT, 0, 1),
    m.Channel(2, m.ROLE_ZONE, 1, 0),
    m.Channel(11, m.ROLE_ZONE, 10, 0),
)

# (name, message, boot id, seq). Zero bytes, runs without one, wide numbers and empty bodies all occur.
CASES = (
    ("who before any hello", m.Who(4660), 0, 0),
    ("ping before any hello", m.Ping(1), 0, 0),
    ("ack of the first frame", m.Ack(1), BOOT, 0),
    ("ack of a wide number", m.Ack(0x01020304), BOOT, 0),
    ("replay from 17", m.Replay(17), BOOT, 0),
    ("ping with every bit", m.Ping(0xFFFF), BOOT, 0),
    ("the default settings", m.Config(8000, 300, 300, 5000, 30000), BOOT, 0),
    ("arm", m.Arm(), BOOT, 0),
    ("standby", m.Standby(), BOOT, 0),
    ("lamp for half a second", m.Cue(5, 0, 500), BOOT, 0),
    ("maintenance", m.Maintenance(), BOOT, 0),
    (
        "hello of a board after an exception",
        m.Hello(
            1,
            0,
            0xE660112233445566,
            2,
            7,
            0x89ABCDEF,
            512,
            3,
            9,
            100,
            "0.1.0",
            "Raspberry Pi Pico",
            CHANNELS,
        ),
        BOOT,
        0,
    ),
    (
        "hello with an error for each channel",
        m.Hello(
            1,
            1,
            1,
            0,
            0x1F,
            0,
            512,
            1,
            1,
            20,
            "0.2.0",
            "Raspberry Pi Pico",
            CHANNELS[:2],
            (2, 20),
            4660,
        ),
        BOOT,
        0,
    ),
    ("hello of a board without channels", m.Hello(1, 0, 1, 0, 0, 0, 2, 1, 1, 100), 1, 0),
    ("press of the trigger", m.Event(0, m.PRESSED, 1_234_567), BOOT, 2),
    ("release with bounces after the wrap", m.Event(0, 0, 0x4000_0000 + 5, 7), BOOT, 3),
    ("glitch on zone 10, seen late", m.Event(11, m.GLITCH | m.LATE, 99, 1), BOOT, 4),
    ("hit with peak", m.Event(1, m.PRESSED, 1_250_000, 640, 2047), BOOT, 5),
    (
        "hit below threshold in the mask time",
        m.Event(1, m.PRESSED | m.MASKED | m.BELOW_THRESHOLD, 7, 80, 12),
        BOOT,
        6,
    ),
    ("state after boot", m.State(0, 0, 4321), BOOT, 1),
    ("state armed with trigger and zone 1 held", m.State(m.ARMED, 0b101, 5_000_000), BOOT, 7),
    ("gap of 300", m.Gap(513, 300, 60_000_000, 75_000_000), BOOT, 813),
    ("hit whose samples were gone", m.Event(1, m.PRESSED | m.UNREAD, 1_260_000, 640), BOOT, 8),
    ("at least 90 records overwritten", m.Overrun(m.EDGES, 90, 61_000_000, 61_200_000), BOOT, 9),
    (
        "zone 3 muted for 448 edges in 2 ms",
        m.Overrun(m.MUTED + 4, 448, 62_000_000, 62_002_240),
        BOOT,
        10,
    ),
    ("zone 3 heard again", m.Overrun(m.UNMUTED + 4, 3, 62_002_240, 66_510_000), BOOT, 11),
    ("show the last hit", m.Show(), BOOT, 0),
    ("wave of a hit", m.Wave(1_250_000, 1_249_000, 40, bytes(range(100))), BOOT, 0),
    ("pong", m.Pong(1, 1000, 1100, 900, 8), BOOT, 0),
    ("overrun of a tested hit input", m.Overrun(m.TESTED, 1600, 5_000_000, 5_032_000), BOOT, 9),
    ("settled", m.Settled(2_000_000, 10), BOOT, 0),
    ("stats", m.Stats(1, 2, 30, 42, 86_400, 98_304), BOOT, 0),
    (
        "stats with nothing at the hit input",
        m.Stats(0, 0, 1, 5, 10, 98_304, m.HIT_OPEN, 4095, 3, 0),
        BOOT,
        0,
    ),
    (
        "stats with a piezo at the hit input",
        m.Stats(0, 0, 1, 5, 20, 98_304, m.HIT_PIEZO, 2530, 0, 820),
        BOOT,
        0,
    ),
    ("log in two scripts", m.Log("restarted: naïve ключ".encode()), BOOT, 0),
    ("cue done", m.CueDone(5, 2**40), BOOT, 0),
)
# Bytes that a reader must refuse, without losing the frame after them.
DAMAGED = (
    ("one bit of the ack's number flipped", "000402efbe0105010201010105bb2218cd00"),
    ("a code byte that points past the end", "00ff0203040500"),
    ("a whole COBS block that is too short for a frame", "000401020300"),
    ("an endless run", "00" + "41" * 400 + "00"),
)


def fields(message: m.Message) -> "dict[str, object]":
    """Return the message's fields for JSON."""
    if isinstance(message, m.Log):
        return {"text": message.data.decode()}
    values: dict[str, object] = {}
    for name in message.FIELDS:
        values[name] = getattr(message, name)
    if isinstance(message, m.Hello):
        values["firmware"] = message.firmware
        values["board"] = message.board
        values["channels"] = [list(channel.row()) for channel in message.channels]
        values["who_id"] = message.who_id
        values["errors"] = [message.error_us(channel.id) for channel in message.channels]
    if isinstance(message, m.Stats) and message.hit_found != m.HIT_UNTESTED:
        for name in ("hit_found", "hit_up", "hit_down", "hit_charge_us"):
            values[name] = getattr(message, name)
    if isinstance(message, m.Wave):
        values["points"] = hexlify(message.points).decode()
    return values


def golden() -> "dict[str, object]":
    """Return the content of `golden.json`."""
    frames = []
    for name, message, boot_id, seq in CASES:
        row: dict[str, object] = {"name": name, "message": message.NAME, "kind": message.KIND}
        row["boot_id"] = boot_id
        row["seq"] = seq
        row["fields"] = fields(message)
        row["hex"] = hexlify(m.encode(message, boot_id, seq)).decode()
        frames.append(row)
    return {"frames": frames, "damaged": [{"why": why, "hex": data} for why, data in DAMAGED]}


def main() -> None:
    """Write the file beside this one."""
    with open(__file__.replace("\\", "/").rpartition("/")[0] + "/" + GOLDEN, "w") as file:  # noqa: PTH123 - MicroPython
        json.dump(golden(), file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
