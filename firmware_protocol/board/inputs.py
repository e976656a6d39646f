"""The board's inputs, built from the pin map and collected in one go."""

from firmware_protocol.board.clock import NO_TICKS, Clock
from firmware_protocol.board.contacts import Contact
from firmware_protocol.board.edges import Edges
from firmware_protocol.board.hit import HitSensor
from firmware_protocol.messages import ROLE_HIT, Channel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import Machine
    from firmware_protocol.board.pins import PinMap
    from firmware_protocol.board.settings import Settings


class Inputs:
    """All channels; `emit(channel, flags, t_us, bounces, peak)` takes what they report."""

    def __init__(
        self,
        machine: "Machine",
        pins: "PinMap",
        clock: Clock,
        settings: "Settings",
        emit: "Callable[[int, int, int, int, int], None]",
    ) -> None:
        self._clock = clock
        self.stamping = True
        self._turn = 0
        self._edges: list[Edges] = []
        self._inputs: list[Contact | HitSensor] = []
        for channel in pins.channels:
            edges = self._watch(machine, pins.pin(channel.name), channel)
            if channel.role == ROLE_HIT:
                adc = pins.adc(channel.name)
                analog = None if adc is None else machine.ADC(adc)
                self._inputs.append(HitSensor(channel.id, edges, analog, clock, settings, emit))
            else:
                self._inputs.append(Contact(channel.id, edges, clock, settings, emit))

    def collect(self) -> None:
        """Work off every edge that waits."""
        if not self.stamping or not self._inputs:
            return
        for one in self._inputs:
            one.step()
        # One a turn: reading every pin would double the turn's length.
        self._turn = (self._turn + 1) % len(self._inputs)
        self._inputs[self._turn].recheck()

    def settled_us(self) -> int:
        """Collect, and return the time up to which nothing is still to be reported."""
        # First the time, then the edges: what an interrupt stamps from here on is later, or in the same microsecond.
        settled = self._clock.now_us() - 1
        self.collect()
        for one in self._inputs:
            ticks = one.unsettled_ticks()
            if ticks != NO_TICKS:
                settled = min(settled, self._clock.extend(ticks) - 1)
        return settled

    def levels(self) -> int:
        """Return the channels that are pressed, as bits."""
        bits = 0
        for one in self._inputs:
            if one.pressed:
                bits |= 1 << one.channel
        return bits

    def is_pressed(self, channel: int) -> bool:
        """Whether a channel is pressed."""
        return bool(self.levels() & 1 << channel)

    def longest_turn_us(self) -> int:
        """Return the longest run of an interrupt handler so far."""
        return max([0] + [edges.longest_turn_us for edges in self._edges])

    def stop(self) -> None:
        """Stop stamping and forget what waits."""
        self._switch(False)

    def resume(self) -> None:
        """Stamp again, from the levels that are there."""
        if not self.stamping:
            self._switch(True)

    def _switch(self, stamping: bool) -> None:
        self.stamping = stamping
        for edges in self._edges:
            edges.stamping = stamping
        for one in self._inputs:
            one.restart()

    def _watch(self, machine: "Machine", gpio: int, channel: Channel) -> Edges:
        pull = machine.Pin.PULL_DOWN if channel.active_level else machine.Pin.PULL_UP
        pin = machine.Pin(gpio, machine.Pin.IN, pull)
        edges = Edges(pin, channel.active_level, self._clock.source)
        pin.irq(handler=edges.on_edge, trigger=machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING, hard=True)
        self._edges.append(edges)
        return edges
