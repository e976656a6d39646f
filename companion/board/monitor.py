"""The board's events as lines: channel, level, stamp, bounces, peak; and a hit drawn with characters. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.board.asking import AskedStep, StepKind
from companion.link.evidence import Numbered
from companion.rules.columns import plural
from companion.session.board_pages import ChannelNow
from companion.session.muted import muting_in
from firmware_protocol import messages
from firmware_protocol.messages import Event, Gap, Hello, Overrun, State, Wave

COLUMNS = 72
ROWS = 4
EIGHTHS = " ▁▂▃▄▅▆▇█"
COUNTS = 16  # a point has 8 bits of a sample's 12
LOST = {
    messages.EDGES: ("change of level", "changes of level"),
    messages.SAMPLES: ("sample", "samples"),
}
FLAGS = (
    (messages.MASKED, "masked"),
    (messages.BELOW_THRESHOLD, "below threshold"),
    (messages.LATE, "late"),
    (messages.GLITCH, "glitch"),
)


class Monitor:
    """Formats numbered messages and keeps each channel's totals for a summary."""

    def __init__(self, hello: Hello) -> None:
        self._wires = {
            channel.id: ChannelNow(channel.name, channel.role == messages.ROLE_HIT, "open")
            for channel in hello.channels
        }
        self._muted: set[int] = set()

    def wires(self) -> tuple[ChannelNow, ...]:
        """Return every channel as it is now, in the board's order."""
        return tuple(self._wires.values())

    def line(self, message: Numbered) -> str:
        """Return a message as a line."""
        if isinstance(message, State):
            return self._levels(message)
        if isinstance(message, Event):
            return self._event(message)
        if isinstance(message, Gap):
            text = f"gap       {plural(message.count, 'event')} refused by a full ring"
        elif message.source in LOST:
            text = (
                f"overrun   at least {plural(message.count, *LOST[message.source])} read too late"
            )
        elif message.source == messages.TESTED:
            text = "test      what is at the hit sensor's pin; no hit was read"
        else:
            return self._overrun(message)
        first_s, last_s = message.first_us / 1e6, message.last_us / 1e6
        return f"{last_s:12.6f}  {text}, {first_s:.6f} to {last_s:.6f}"

    def _levels(self, state: State) -> str:
        closed: list[str] = []
        unknown: list[str] = []
        for number, wire in self._wires.items():
            is_closed = bool(state.levels >> number & 1)
            if is_closed:
                closed.append(wire.name)
            if number in self._muted:
                unknown.append(wire.name)
            else:
                self._wires[number] = replace(wire, level="closed" if is_closed else "open")
        line = f"{state.t_us / 1e6:12.6f}  levels    closed: {', '.join(closed) or 'nothing'}"
        if unknown:
            line += f"; unknown: {', '.join(unknown)}"
        return line

    def _overrun(self, overrun: Overrun) -> str:
        """Return the line on a channel that was muted, or unmuted."""
        muting = muting_in(overrun, {number: wire.name for number, wire in self._wires.items()})
        stamp = f"{overrun.last_us / 1e6:12.6f}"
        if muting is None:
            return f"{stamp}  overrun   of source {overrun.source}, which this companion does not know: update it"
        number = overrun.source % messages.MUTED
        if not muting.begins:
            self._muted.discard(number)
            return f"{stamp}  {muting.channel:9} {muting.what}"
        self._muted.add(number)
        if number in self._wires:
            self._wires[number] = replace(self._wires[number], level="unknown")
        return f"{stamp}  {muting.channel:9} {muting.what}, level unknown: check its wire"

    def _event(self, event: Event) -> str:
        wire = self._wires.get(event.channel)
        if wire is not None and wire.hit:
            peak = "peak unread" if event.flags & messages.UNREAD else f"peak {event.peak}"
            parts = [peak, f"{event.bounces} us wide"]
        elif event.flags & messages.PRESSED:
            parts = ["press"]
        else:
            parts = ["release", plural(event.bounces, "bounce")]
        parts += [word for flag, word in FLAGS if event.flags & flag]
        if wire is not None:
            self._update(wire, event)
        name = f"channel-{event.channel}"
        if wire is not None:
            name = wire.name
        return f"{event.t_us / 1e6:12.6f}  {name:9} {', '.join(parts)}"

    def _update(self, wire: ChannelNow, event: Event) -> None:
        down = bool(event.flags & messages.PRESSED)
        if (
            not wire.hit
        ):  # an edge proves that it is unmuted, even if a full ring refused the message saying so
            self._muted.discard(event.channel)
        level, last = "open", wire.last
        if wire.hit:
            last = event.peak
        elif down:
            level = "closed"
        else:
            last = event.bounces  # counted until the release
        self._wires[event.channel] = replace(
            wire,
            level=level,
            count=wire.count + down,
            last=last,
            most=max(wire.most, last),
            t_us=event.t_us,
        )

    def summary(self) -> Iterable[str]:
        """Yield a line per channel: level, number of presses, and the most bounces or the highest peak."""
        for wire in self._wires.values():
            most = f"peak up to {wire.most}" if wire.hit else f"bounces up to {wire.most}"
            yield f"{wire.name:9} {wire.level:7} {wire.count:4} times, {most}"


def step_summary(events: Sequence[Event], step: AskedStep) -> str:
    """Return a step's events so far in a few words."""
    channel = step.channel
    if step.kind is StepKind.PRESS and channel is not None and channel.role != messages.ROLE_HIT:
        return _press_summary([event for event in events if event.channel == channel.id])
    parts = []
    peaks = [event.peak for event in events if event.peak]
    if peaks:
        parts.append(f"peak {max(peaks)}")
    others = sum(bool(event.flags & messages.PRESSED) for event in events) - len(peaks)
    if others > 0:
        parts.append(plural(others, "press", "presses"))
    return ", ".join(parts)


def _press_summary(events: Sequence[Event]) -> str:
    presses, bounces = 0, 0
    for event in events:
        if event.flags & messages.PRESSED:
            presses += 1
        else:
            bounces = max(bounces, event.bounces)
    if not presses:
        return ""
    return f"{presses} pressed, at most {plural(bounces, 'bounce')}"


def noise_before(wave: Wave) -> int | None:
    """Return the highest sample before the hit, to the nearest `COUNTS`; None for a wave without points."""
    # Not the last point before the stamp: the hit may have begun within it.
    count = max(0, (wave.t_us - wave.first_us) // wave.step_us - 1)
    before = wave.points[:count]
    if not before:
        return None
    return max(before) * COUNTS


def wave_lines(wave: Wave, height: int = ROWS) -> tuple[str, ...]:
    """Return the wave drawn from the top down, and a line with the stamp's place, its time and the column's width.

    The highest column fills `height` rows. A wave without points has no lines.
    """
    if not wave.points:
        return ()
    points_a_column = -(-len(wave.points) // COLUMNS)
    columns = [
        max(wave.points[at : at + points_a_column])
        for at in range(0, len(wave.points), points_a_column)
    ]
    top = max(1, *columns)
    rows = []
    for row in range(height - 1, -1, -1):
        filled = [min(8, max(0, round(8 * height * level / top) - 8 * row)) for level in columns]
        rows.append("".join(EIGHTHS[eighths] for eighths in filled).rstrip())
    column_us = points_a_column * wave.step_us
    pointer = " " * ((wave.t_us - wave.first_us) // column_us) + "^"
    return (
        *rows,
        f"{pointer} {wave.t_us / 1e6:.6f}, a column is {column_us} us, the highest {top * COUNTS}",
    )
