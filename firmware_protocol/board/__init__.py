"""The board: its MicroPython firmware, for a Raspberry Pi Pico and for the virtual board."""
