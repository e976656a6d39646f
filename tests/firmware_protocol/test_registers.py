"""The addresses of each chip, held against its data sheet."""

import ast
import sys
from pathlib import Path
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
# What only the checks of `selftest --chip` use. No RP2350 was there to try these on.
CHECKS = {
    "RP2040": {
        "pwm": 0x40050000,  # 4.5.3, CH0_CSR
        "gpio_in": 0xD0000000 + 0x04,  # 2.3.1.7, GPIO_IN
        "out_set": 0xD0000000 + 0x14,  # GPIO_OUT_SET
        "out_clr": 0xD0000000 + 0x18,  # GPIO_OUT_CLR
        "oe_set": 0xD0000000 + 0x24,  # GPIO_OE_SET
        "oe_clr": 0xD0000000 + 0x28,  # GPIO_OE_CLR
        "chip_id": 0x40000000,  # 2.20.2, CHIP_ID
    },
    "RP2350": {
        "pwm": 0x400A8000,  # 12.5, CH0_CSR
        "gpio_in": 0xD0000000 + 0x04,  # 3.1.11, GPIO_IN
        "out_set": 0xD0000000 + 0x18,  # GPIO_OUT_SET
        "out_clr": 0xD0000000 + 0x20,  # GPIO_OUT_CLR
        "oe_set": 0xD0000000 + 0x38,  # GPIO_OE_SET
        "oe_clr": 0xD0000000 + 0x40,  # GPIO_OE_CLR
        "chip_id": 0x40000000,  # 12.15.1, CHIP_ID
    },
}
ON_BOARD = Path(__file__).parents[2] / "companion" / "board" / "chip_checks" / "on_board.py"
BOARDS = {"Raspberry Pi Pico with RP2040": RP2040, "Raspberry Pi Pico2 with RP2350": RP2350}


@pytest.mark.parametrize("chip", SHEETS)
def test_every_address_is_the_one_of_the_chips_data_sheet(chip: str) -> None:
    ours, sheet = SHEETS[chip]
    assert vars(ours) == sheet


@pytest.mark.parametrize("chip", CHECKS)
def test_every_address_of_the_checks_is_the_one_of_the_chips_data_sheet(chip: str) -> None:
    tables = [
        node.value
        for node in ast.parse(ON_BOARD.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == chip
    ]
    assert [ast.literal_eval(table) for table in tables] == [CHECKS[chip]]


def test_the_checks_have_no_address_beside_those_of_their_tables() -> None:
    numbers = [
        node.value
        for node in ast.walk(ast.parse(ON_BOARD.read_text()))
        if isinstance(node, ast.Constant) and type(node.value) is int
    ]
    # Peripherals begin there on both chips; all bits of a word are a mask.
    addresses = {number for number in numbers if 0x40000000 <= number < 0xFFFFFFFF}
    assert addresses == {address for table in CHECKS.values() for address in table.values()}


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
