"""The settings of CONFIG: the times of contacts and hit sensor."""

from binascii import crc32

from firmware_protocol.messages import Config

# The ranges of CONFIG, both ends included. Lock: from the shortest that covers ordinary switches to the longest that a
# fast second press survives. Scan and mask: as drum triggers use them; a scan always ends within its mask time.
RANGES = (
    ("lock_us", 5000, 50_000),
    ("glitch_us", 0, 5000),
    ("hit_threshold", 0, 4095),
    ("hit_scan_us", 1000, 10_000),
    ("hit_mask_us", 10_000, 50_000),
)


class Settings:
    """The settings in force; times in us, the threshold on the 12-bit ADC scale.

    Defaults: lock 8 ms covers the 6.2 ms that Ganssle measured as the longest bounce of ordinary switches; scan 5 ms
    and mask 30 ms lie within what drum triggers use (scan under 10 ms, mask 10-50 ms); threshold 300 of 4095 is a guess
    to calibrate from.
    """

    def __init__(self) -> None:
        self.apply(
            Config(
                lock_us=8000, glitch_us=300, hit_threshold=300, hit_scan_us=5000, hit_mask_us=30000
            )
        )

    def apply(self, config: Config) -> None:
        """Apply every value at once; if one is out of its range, raise `ValueError` and change nothing."""
        for name, low, high in RANGES:
            value = getattr(config, name)
            if not low <= value <= high:
                raise ValueError(f"{name} must be {low} to {high}, not {value}")
        self.lock_us = config.lock_us
        self.glitch_us = config.glitch_us
        self.hit_threshold = config.hit_threshold
        self.hit_scan_us = config.hit_scan_us
        self.hit_mask_us = config.hit_mask_us
        self.crc = crc32(config.body()) & 0xFFFFFFFF
