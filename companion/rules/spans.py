"""Times, intervals and errors as text."""

from __future__ import annotations

US_PER_S = 1_000_000
KEY_ERROR_US = 100_000
"""The error of a key press, roughly: a finger reacts to what the eyes saw. A press timed by the host's clock is
recorded with error 0; at a live board it is recorded with this plus the error of the matched clocks."""
NOT_MEASURED = "not measured"
"""The word for a time that rests on a tap on a page."""
RATE_FROM = 10
"""The fewest events that make a rate; with fewer it is mostly chance."""


def clock_time(seconds: float) -> str:
    """Return whole seconds as `m:ss`, or `h:mm:ss` from an hour on."""
    minutes, second = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes}:{second:02}"
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}"


def device_time(us: int) -> str:
    """Return device microseconds as seconds with six decimals, in groups of three: `12.482 901 s`."""
    second, fraction = divmod(us, US_PER_S)
    return f"{second}.{fraction // 1000:03} {fraction % 1000:03} s"


def span(us: int) -> str:
    """Return a short interval of device time: `820 µs`, `4.1 ms`, `2.31 s`."""
    if abs(us) < 1000:
        return f"{us} µs"
    if abs(us) < US_PER_S:
        return f"{us / 1000:.1f} ms"
    return f"{us / US_PER_S:.2f} s"


def error_us(pm: int) -> int:
    """Return the error in microseconds of a time recorded with `pm`: `KEY_ERROR_US` for 0, which means a key press."""
    return pm or KEY_ERROR_US


def is_coarse(pm: int) -> bool:
    """Return whether a time recorded with `pm` is no better than that of a key press."""
    return error_us(pm) >= KEY_ERROR_US


def plus_minus(us: int) -> str:
    """Return an error bound: `±25 µs`, `±1.2 ms`, or `±0.1 s` from the error of a key press on; 0 means that one."""
    if is_coarse(us):
        return f"±{error_us(us) / US_PER_S:.1f} s"
    if abs(us) < 1000:
        return f"±{us} µs"
    return f"±{us / 1000:.1f} ms"


def seconds(us: int, pm: int, places: int = 3) -> str:
    """Return a time with error `pm` in seconds: `3.491 s`, or `3.4 s` by key.

    It is cut, not rounded: rounding could show two times in the wrong order beside a time with other places.
    """
    decimals = 1 if is_coarse(pm) else places
    step_us = 10 ** (6 - decimals)
    sign = "-" if us < 0 else ""
    return f"{sign}{abs(us) // step_us * step_us / US_PER_S:.{decimals}f} s"


def since(us: int, pm: int) -> str:
    """Return a time since the start of a round for a column of seconds: `+3.491`, or `+3.4` by key."""
    return f"+{seconds(max(us, 0), pm).removesuffix(' s')}"


def measured(us: int, pm: int, places: int = 3) -> str:
    """Return a time with its error: `3.491 s ±4 µs`, or `3.4 s ±0.1 s` by key."""
    return f"{seconds(us, pm, places)} {plus_minus(pm)}"


def per_minute(number: int, us: int) -> float | None:
    """Return the rate per minute of `number` events in `us` microseconds; None for fewer than `RATE_FROM` events or if
    no time has passed."""
    if us <= 0 or number < RATE_FROM:
        return None
    return number * 60 * US_PER_S / us
