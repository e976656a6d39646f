"""The board: its MicroPython firmware, for a Raspberry Pi Pico and for the virtual board.

Onto the chip go `firmware_protocol/__init__.py`, `frames.py`, `messages.py` and this folder under the same paths
(`hardware.py` and `primitives.py` may stay away: only type checkers read them), and a copy of `main.py` as
`/main.py`. A `/pins.json` overrides the pin map of `pins.py`.
"""

FIRMWARE = "0.2.3"
