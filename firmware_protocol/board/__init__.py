"""The board: its MicroPython firmware, for a Raspberry Pi Pico and for the virtual board.

The chip gets `firmware_protocol/__init__.py`, `frames.py`, `messages.py` and this folder under the same paths
(`hardware.py` and `primitives.py` can be left out: only type checkers read them), and a copy of `main.py` as
`/main.py`. A `/pins.json` overrides the pin map of `pins.py`.
"""

FIRMWARE = "0.2.3"
