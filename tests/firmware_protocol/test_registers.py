"""The addresses of each chip, held against its data sheet."""

import sys
from types import SimpleNamespace

import pytest

from firmware_protocol.board import main
from firmware_protocol.board.registers import RP2040, RP2350, Registers, registers
from firmware_protocol.messages import RESET_POWER, RESET_REQUEST, RESET_WATCHDOG

# Bases from "Address Map" (RP2040 data sheet 2.2, RP2350 data sheet 2.2), offsets from each chapter's "List of
# Registers", as the register headers of the Pico SDK 2.2.0 have them, too.
SHEETS = {
    "RP2040": (
        RP2040,
        {
            "timer": 0x40054000 + 0x28,  # 4.6, TIMERAWL
            "adc": 0x4004C000,  # 4.9
            "adc_request": 36,  # 2.5.3.1, DREQ_ADC
            "io_bank": 0x40014000,  # 2.19.6.1, GPIO0_STATUS
            "edges": 0x40014000 + 0xF0,  # 2.19.6.1, INTR0
            "pads": 0x4001C000 + 0x04,  # 2.19.6.3, GPIO0
            "dma_abort": 0x50000000 + 0x444,  # 2.5.7, CHAN_ABORT
            "watchdog_reason": 0x40058000 + 0x08,  # 4.7.6, REASON
        },
    ),
    "RP2350": (
        RP2350,
        {
            "timer": 0x400B0000 + 0x28,  # 12.8, TIMER0: TIMERAWL
            "adc": 0x400A0000,  # 12.4
            "adc_request": 48,  # 12.6.4.1, DREQ_ADC
            "io_bank": 0x40028000,  # 9.11.1, GPIO0_STATUS
            "edges": 0x40028000 + 0x230,  # 9.11.1, INTR0
            "pads": 0x40038000 + 0x04,  # 9.11.3, GPIO0
            "dma_abort": 0x50000000 + 0x464,  # 12.6.10, CHAN_ABORT
            "watchdog_reason": 0x400D8000 + 0x08,  # 12.9, REASON
        },
    ),
}
BOARDS = {"Raspberry Pi Pico with RP2040": RP2040, "Raspberry Pi Pico2 with RP2350": RP2350}


@pytest.mark.parametrize("chip", SHEETS)
def test_every_address_is_the_one_of_the_chips_data_sheet(chip: str) -> None:
    ours, sheet = SHEETS[chip]
    assert vars(ours) == sheet


def on(monkeypatch: pytest.MonkeyPatch, board: str) -> None:
    monkeypatch.setattr(
        sys,
        "implementation",
        SimpleNamespace(_machine=board, cache_tag=sys.implementation.cache_tag),
    )


@pytest.mark.parametrize("board", BOARDS)
def test_each_board_gets_the_addresses_of_its_chip(
    monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    with monkeypatch.context() as patch:
        on(patch, board)
        found = registers()
    assert found is BOARDS[board]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("reason", "wanted"), [(1, RESET_WATCHDOG), (2, RESET_REQUEST)])
def test_each_chip_tells_a_hang_from_a_reset_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, board: str, reason: int, wanted: int
) -> None:
    # No other address answers: on the RP2350 that of the RP2040 is the USB clock's.
    chip: Registers = BOARDS[board]
    machine = SimpleNamespace(
        WDT_RESET=3, reset_cause=lambda: 3, mem32={chip.watchdog_reason: reason}
    )
    with monkeypatch.context() as patch:
        on(patch, board)
        found = main.why_started(machine)
    assert found == wanted


def test_after_power_no_register_is_read() -> None:
    machine = SimpleNamespace(WDT_RESET=3, reset_cause=lambda: 1, mem32={})
    assert main.why_started(machine) == RESET_POWER
