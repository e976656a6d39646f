"""Print who a board is and what is pressed: `python board_client.py PORT`.

The board forgets what is acknowledged, so use one that no session plays with.
"""

import sys

import serial

from firmware_protocol.frames import FrameDecoder
from firmware_protocol.messages import Ack, Arm, Event, Gap, Hello, Ping, Who, decode, encode


def main(port_name: str) -> None:
    """Talk to the board until somebody presses Ctrl-C."""
    decoder, boot_id, last_seq = FrameDecoder(), 0, 0
    channels: dict[int, str] = {}
    with serial.serial_for_url(port_name, timeout=0.5) as port:
        while True:
            data = port.read(port.in_waiting or 1)
            if not data:  # say something at least every second; before a HELLO only WHO
                port.write(encode(Ping(0), boot_id) if boot_id else encode(Who(), 0))
            for frame in decoder.feed(data):
                message = decode(frame)
                if isinstance(message, Hello) and frame.boot_id != boot_id:
                    boot_id, last_seq = frame.boot_id, message.oldest_seq - 1
                    channels = {channel.id: channel.name for channel in message.channels}
                    print(f"{message.board}, firmware {message.firmware}", flush=True)
                    port.write(encode(Arm(), boot_id))
                first_seq = message.first_seq if isinstance(message, Gap) else frame.seq
                if frame.boot_id != boot_id or first_seq != last_seq + 1:
                    continue  # not numbered, or sent again
                if isinstance(message, Event):
                    edge = "down" if message.flags & 1 else "up"
                    print(channels[message.channel], edge, f"{message.t_us} us", flush=True)
                last_seq = frame.seq  # a real host acknowledges after its disk has the event
                port.write(encode(Ack(last_seq), boot_id))


if __name__ == "__main__":
    main(sys.argv[1])
