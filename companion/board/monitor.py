"""Each event of the board as one line: channel, level, stamp, bounces, peak. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_protocol.messages import (
    BELOW_THRESHOLD,
    GLITCH,
    LATE,
    MASKED,
    PRESSED,
    ROLE_HIT,
    Channel,
    Event,
    Gap,
    Hello,
    State,
)

FLAGS = ((MASKED, "masked"), (BELOW_THRESHOLD, "below threshold"), (LATE, "late"), (GLITCH, "glitch"))


class Monitor:
    """Turns numbered messages into lines, and keeps per channel what a summary tells."""

    def __init__(self, hello: Hello) -> None:
        self._channels = {channel.id: channel for channel in hello.channels}
        self._pressed: set[int] = set()
        self._count: dict[int, int] = dict.fromkeys(self._channels, 0)
        self._bounces: dict[int, int] = dict.fromkeys(self._channels, 0)
        self._peak: dict[int, int] = dict.fromkeys(self._channels, 0)

    def line(self, message: Event | State | Gap) -> str:
        """Return what a message says."""
        if isinstance(message, State):
            self._pressed = {number for number in self._channels if message.levels >> number & 1}
            closed = ", ".join(self._name(number) for number in sorted(self._pressed)) or "nothing"
            return f"{message.t_us / 1e6:12.6f}  levels    closed: {closed}"
        if isinstance(message, Gap):
            span = f"{message.first_us / 1e6:.6f} to {message.last_us / 1e6:.6f}"
            return f"{message.last_us / 1e6:12.6f}  gap       {message.count} events refused by a full ring, {span}"
        return self._event(message)

    def _event(self, event: Event) -> str:
        number = event.channel
        channel = self._channels.get(number)
        flags = [word for flag, word in FLAGS if event.flags & flag]
        if channel is not None and channel.role == ROLE_HIT:
            said = [f"peak {event.peak}", f"{event.bounces} us wide", *flags]
        else:
            said = ["press", *flags] if event.flags & PRESSED else ["release", f"{event.bounces} bounces", *flags]
        self._note(event, channel)
        return f"{event.t_us / 1e6:12.6f}  {self._name(number):9} {', '.join(said)}"

    def _note(self, event: Event, channel: Channel | None) -> None:
        number = event.channel
        if channel is None:
            return
        if event.flags & PRESSED:
            self._count[number] += 1
            self._pressed.add(number)
        else:
            self._pressed.discard(number)
            self._bounces[number] = max(self._bounces[number], event.bounces)
        if channel.role == ROLE_HIT:
            self._pressed.discard(number)
            self._peak[number] = max(self._peak[number], event.peak)

    def summary(self) -> Iterable[str]:
        """A line per channel: its level now, how often it was worked, the most bounces or the highest peak."""
        for number, channel in self._channels.items():
            level = "closed" if number in self._pressed else "open"
            most = (
                f"peak up to {self._peak[number]}"
                if channel.role == ROLE_HIT
                else f"bounces up to {self._bounces[number]}"
            )
            yield f"{channel.name:9} {level:6}  {self._count[number]:4} times, {most}"

    def _name(self, number: int) -> str:
        channel = self._channels.get(number)
        return channel.name if channel is not None else f"channel-{number}"
