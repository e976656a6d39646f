"""The chip's hardware: PIO and DMA write the raw words without the processor. Loaded on an RP2040 or RP2350 only.

A PIO state machine compares all GPIOs four million times a second (eight million instructions, two a loop). A change
goes by DMA into the ring of levels, and a second DMA channel, started by the first, puts the timer's word beside it.
The ADC runs freely into a ring of samples, and after each block the timer's word is stored in the same way. Each
channel starts the other, so no transfer count ever runs out.
"""

from array import array

import machine  # type: ignore[import-not-found]
import rp2  # type: ignore[import-not-found]
from uctypes import addressof  # type: ignore[import-not-found]

from firmware_protocol.board.registers import registers
from firmware_protocol.board.words import (
    BLOCK,
    BLOCKS,
    RECORDS,
    SAMPLE_US,
    SAMPLES,
    EdgeRing,
    SampleRing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware_protocol.board.hardware import (
        block,
        isr,
        jmp,
        label,
        mov,
        pins,
        push,
        wrap,
        wrap_target,
        x,
        x_not_y,
        y,
    )
    from firmware_protocol.board.primitives import Words

AT = registers()
CS, FCS, FIFO, DIV = 0x00, 0x08, 0x0C, 0x10
ADC_CLOCK_MHZ = 48
PIO_HZ = 8_000_000
PIO0_RX0_REQUEST = 4
GPIOS = 30
# PADS_BANK0, by GPIO: pull-up enable and pull-down enable. They work with the digital input off, as the ADC has it.
PULLS = (0, 1 << 3, 1 << 2)
BOTH_PULLS = 3 << 2
# IO_BANK0, GPIOn_CTRL, INOVER: 2 drives the peripherals' input low.
INPUT_OVERRIDE, FORCED_LOW = 3 << 16, 2 << 16
# IO_BANK0, GPIOn_STATUS: the level at the pad, before that override. INTR has four bits for each GPIO; the upper two
# latch that the pad fell or rose, until a 1 is written to them.
LEVEL_AT_PAD = 1 << 17
FELL_OR_ROSE = 0xC


@rp2.asm_pio(fifo_join=rp2.PIO.JOIN_RX)  # type: ignore[untyped-decorator]
def changes() -> None:
    """Push all levels whenever they differ from the last ones pushed."""
    label("changed")
    mov(y, x)
    mov(isr, x)
    push(block)
    wrap_target()
    mov(x, pins)
    jmp(x_not_y, "changed")
    wrap()


def aligned(code: str, count: int, size: int) -> "Words":
    """Return `count` words of `size` bytes, aligned to their total length as a DMA ring must be."""
    whole = array(code, bytes(2 * count * size))
    skipped = -addressof(whole) % (count * size) // size
    return memoryview(whole)[skipped : skipped + count]


class Chip:
    """`machine` with the two rings; `fault` says in words why a ring stays empty.

    Samples can be read 10 ms after they begin; with `adc`, those of that pin begin at once.
    """

    Pin = machine.Pin
    WDT = machine.WDT
    WDT_RESET = machine.WDT_RESET
    mem32 = machine.mem32
    unique_id = staticmethod(machine.unique_id)
    reset_cause = staticmethod(machine.reset_cause)

    def __init__(self, adc: "int | None" = None) -> None:
        self.fault = ""
        self._edges: EdgeRing | None = None
        self._samples: SampleRing | None = None
        self._machine: Any = None
        self._channels: list[Any] = []
        # GPIO -> the level at the pad when it was last checked, of muted GPIOs.
        self._pads: dict[int, int] = {}
        if adc is not None:
            self._begin(adc)

    def edges(self, mask: int) -> EdgeRing:
        """Return the ring of levels of the GPIOs in `mask`; all others read 0."""
        if self._edges is None:
            levels, times = aligned("I", RECORDS, 4), aligned("H", 2 * RECORDS, 2)
            self._edges = EdgeRing(levels, times, lambda: 0)
            try:
                self._edges.written = self._watch(levels, times)
            except (AttributeError, OSError, ValueError) as error:
                self.fault = unavailable(error)
        if not self.fault:
            # At each call: setting a pin's mode resets its override, so a pin that is no input would be heard again.
            for gpio in range(GPIOS):
                if not mask >> gpio & 1:
                    force_low(gpio)
        return self._edges

    def samples(self, gpio: int) -> SampleRing:
        """Return the ring of samples of an ADC pin."""
        ring = self._samples or self._begin(gpio)
        # The reader uses the time of the block before the last: two must be complete.
        while not self.fault and ring.written() <= 2 * BLOCK:
            pass
        return ring

    def _begin(self, gpio: int) -> SampleRing:
        values, times = aligned("H", SAMPLES, 2), aligned("H", 2 * BLOCKS, 2)
        self._samples = SampleRing(values, times, lambda: 0)
        try:
            self._samples.written = self._sample(gpio, values, times)
        except (AttributeError, OSError, ValueError) as error:
            self.fault = unavailable(error)
        return self._samples

    def mute(self, gpio: int) -> None:
        """Make the state machine read 0 at a GPIO, whatever its level."""
        force_low(gpio)
        self._pads[gpio] = self._pad(gpio)
        self.stirred(gpio)

    def unmute(self, gpio: int) -> None:
        """Make the state machine read a GPIO's level again."""
        control = AT.io_bank + 8 * gpio + 4
        machine.mem32[control] = machine.mem32[control] & ~INPUT_OVERRIDE
        self._pads.pop(gpio, None)

    def stirred(self, gpio: int) -> bool:
        """Return whether a muted GPIO had an edge since it was muted or last checked."""
        register, shift = AT.edges + 4 * (gpio >> 3), 4 * (gpio & 7)
        latched = machine.mem32[register] >> shift & FELL_OR_ROSE
        machine.mem32[register] = latched << shift
        # The pad's level as well as the latch: a chip may have the latch after the override.
        before, self._pads[gpio] = self._pads[gpio], self._pad(gpio)
        return bool(latched) or before != self._pads[gpio]

    def pull(self, gpio: int, pull: int) -> None:
        """Switch a GPIO's resistor: 0 neither, 1 to 3.3 V, 2 to ground."""
        pad = AT.pads + 4 * gpio
        machine.mem32[pad] = machine.mem32[pad] & ~BOTH_PULLS | PULLS[pull]

    def _pad(self, gpio: int) -> int:
        level: int = machine.mem32[AT.io_bank + 8 * gpio] & LEVEL_AT_PAD
        return level

    def stop(self) -> None:
        """Stop the writers: the rings' memory can then be reused."""
        if self._machine is not None:
            self._machine.active(0)
            rp2.PIO(0).remove_program(changes)
        if self._samples is not None:
            machine.mem32[AT.adc + CS] = 0
        for channel in self._channels:
            # Unchained first, so that neither channel starts the other again.
            channel.config(ctrl=channel.pack_ctrl(enable=False), trigger=False)
        for channel in self._channels:
            # A transfer count left over would be that of the channel's next user.
            machine.mem32[AT.dma_abort] = 1 << channel.channel
            channel.close()
        self._channels = []
        self._machine = self._edges = self._samples = None

    def _watch(self, levels: "Words", times: "Words") -> "Callable[[], int]":
        self._machine = rp2.StateMachine(0, changes, freq=PIO_HZ, in_base=machine.Pin(0))
        self._machine.exec("set(x, 0)")
        self._machine.exec("set(y, 0)")
        stamps = self._chain(
            self._machine, levels, 2, 1, PIO0_RX0_REQUEST, RECORDS * 4, times, RECORDS * 4
        )
        self._machine.active(1)
        base = addressof(times)
        return lambda: (stamps.write - base) >> 2

    def _sample(self, gpio: int, values: "Words", times: "Words") -> "Callable[[], int]":
        self._chain(AT.adc + FIFO, values, 1, BLOCK, AT.adc_request, SAMPLES * 2, times, BLOCKS * 4)
        samples = self._channels[-2]
        machine.ADC(gpio)
        # FIFO on, a request for each sample, old overflow flags cleared.
        machine.mem32[AT.adc + FCS] = 1 << 24 | 3 << 10 | 1 << 3 | 1
        machine.mem32[AT.adc + DIV] = (SAMPLE_US * ADC_CLOCK_MHZ - 1) << 8
        machine.mem32[AT.adc + CS] = (gpio - 26) << 12 | 1 << 3 | 1
        base = addressof(values)
        return lambda: (samples.write - base) >> 1

    def _chain(
        self,
        source: "Any",
        ring: "Words",
        size: int,
        count: int,
        request: int,
        length: int,
        times: "Words",
        times_length: int,
    ) -> "Any":
        """Transfer words from `source` into `ring`, and the timer's word into `times` after each `count` of them."""
        words: Any = rp2.DMA()
        stamps: Any = rp2.DMA()
        self._channels += [words, stamps]
        stamps.config(
            read=AT.timer,
            write=times,
            count=1,
            ctrl=stamps.pack_ctrl(
                size=2,
                inc_read=False,
                ring_sel=True,
                ring_size=log2(times_length),
                high_pri=True,
                chain_to=words.channel,
            ),
        )
        words.config(
            read=source,
            write=ring,
            count=count,
            ctrl=words.pack_ctrl(
                size=size,
                inc_read=False,
                ring_sel=True,
                ring_size=log2(length),
                high_pri=True,
                treq_sel=request,
                chain_to=stamps.channel,
            ),
            trigger=True,
        )
        return stamps


def force_low(gpio: int) -> None:
    """Make the state machine read 0 at a GPIO."""
    control = AT.io_bank + 8 * gpio + 4
    machine.mem32[control] = machine.mem32[control] & ~INPUT_OVERRIDE | FORCED_LOW


def log2(length: int) -> int:
    """Return the exponent of a power of two."""
    exponent = 0
    while 1 << exponent < length:
        exponent += 1
    return exponent


def unavailable(error: Exception) -> str:
    """Return the reason in words why the inputs do not work."""
    if isinstance(error, AttributeError):
        return f"no input works: this MicroPython has no rp2.DMA ({error}); put version 1.23 or newer on the board"
    if "freq" in str(error):
        mhz = machine.freq() // 1_000_000
        return f"no input works: {mhz} MHz is too slow for them ({error}); take machine.freq out of /boot.py"
    return f"no input works: PIO 0 or two DMA channels are taken ({error}); remove /boot.py or what else uses them"
