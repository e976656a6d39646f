"""The samples around a hit as a drawing of characters. Pure."""

from __future__ import annotations

from firmware_protocol.messages import Wave

COLUMNS = 72
ROWS = 4
EIGHTHS = " ▁▂▃▄▅▆▇█"
COUNTS = 16  # a point has 8 bits of a sample's 12


def at_rest(wave: Wave) -> int | None:
    """The highest sample before the hit, to `COUNTS`; None for a wave without points."""
    before = wave.points[: max(0, (wave.t_us - wave.first_us) // wave.step_us - 1)]
    return max(before) * COUNTS if before else None


def drawing(wave: Wave, height: int = ROWS) -> tuple[str, ...]:
    """Return the wave from the top down, and a line that says where the stamp is and how wide a column; nothing for a
    wave without points. The highest column fills the `height`, in rows."""
    if not wave.points:
        return ()
    wide = -(-len(wave.points) // COLUMNS)
    columns = [max(wave.points[at : at + wide]) for at in range(0, len(wave.points), wide)]
    top = max(1, *columns)
    rows = []
    for row in range(height - 1, -1, -1):
        filled = [min(8, max(0, round(8 * height * level / top) - 8 * row)) for level in columns]
        rows.append("".join(EIGHTHS[eighths] for eighths in filled).rstrip())
    column_us = wide * wave.step_us
    mark = " " * ((wave.t_us - wave.first_us) // column_us) + "^"
    return (*rows, f"{mark} {wave.t_us / 1e6:.6f}, a column is {column_us} us, the highest {top * COUNTS}")
