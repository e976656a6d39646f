"""Addresses of registers that MicroPython has no name for, by chip.

RP2040 and RP2350 data sheets: each chapter's "List of Registers", added to the base in "Address Map"; the number of the
ADC's request is from "DREQ Table".
"""

import sys


class Registers:
    """One chip's addresses.

    `timer` is TIMERAWL, `io_bank` the first GPIO's status, `edges` INTR0 of IO_BANK0, `pads` GPIO0 of PADS_BANK0,
    `dma_abort` CHAN_ABORT, `watchdog_reason` REASON; `adc` is the base of the ADC's registers, `adc_request` the number
    of its DMA request.
    """

    def __init__(
        self,
        timer: int,
        adc: int,
        adc_request: int,
        io_bank: int,
        edges: int,
        pads: int,
        dma_abort: int,
        watchdog_reason: int,
    ) -> None:
        self.timer = timer
        self.adc = adc
        self.adc_request = adc_request
        self.io_bank = io_bank
        self.edges = edges
        self.pads = pads
        self.dma_abort = dma_abort
        self.watchdog_reason = watchdog_reason


RP2040 = Registers(
    timer=0x40054028,
    adc=0x4004C000,
    adc_request=36,
    io_bank=0x40014000,
    edges=0x400140F0,
    pads=0x4001C004,
    dma_abort=0x50000444,
    watchdog_reason=0x40058008,
)
# Its timer is TIMER0.
RP2350 = Registers(
    timer=0x400B0028,
    adc=0x400A0000,
    adc_request=48,
    io_bank=0x40028000,
    edges=0x40028230,
    pads=0x40038004,
    dma_abort=0x50000464,
    watchdog_reason=0x400D8008,
)


def registers() -> Registers:
    """Return the addresses of the chip that this runs on."""
    return RP2350 if "RP2350" in getattr(sys.implementation, "_machine", "") else RP2040
