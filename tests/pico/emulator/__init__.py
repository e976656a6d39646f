"""A Raspberry Pi Pico that is emulated: MicroPython's own image for the chip, in emulated time."""
