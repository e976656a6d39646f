"""Numbers as words: times, spans and errors in the form a table reads them."""

from __future__ import annotations

US_PER_S = 1_000_000


def clock_time(seconds: float) -> str:
    """Return whole seconds as `m:ss`, or `h:mm:ss` from an hour on."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minutes}:{second:02}"


def device_time(us: int) -> str:
    """Return device microseconds as seconds with six decimals, in groups of three: `12.482 901 s`."""
    second, fraction = divmod(us, US_PER_S)
    return f"{second}.{fraction // 1000:03} {fraction % 1000:03} s"


def plus_minus(us: int) -> str:
    """Return an error bound: `±25 µs`, or `±1.2 ms` from a millisecond on."""
    return f"±{us} µs" if abs(us) < 1000 else f"±{us / 1000:.1f} ms"


def span(us: int) -> str:
    """Return a short span of device time: `820 µs`, `4.1 ms`, `2.31 s`."""
    if abs(us) < 1000:
        return f"{us} µs"
    if abs(us) < US_PER_S:
        return f"{us / 1000:.1f} ms"
    return f"{us / US_PER_S:.2f} s"


def since(us: int) -> str:
    """Return a span from *fire!* as `+0:02.31`."""
    minutes, rest = divmod(max(us, 0), 60 * US_PER_S)
    return f"+{minutes}:{rest // US_PER_S:02}.{rest % US_PER_S // 10_000:02}"
