"""Checks that the board's own MicroPython runs at its prompt, sent as text: each returns numbers and judges nothing.

The rings, their PIO program and the registers are those of the firmware on the board. A pin is driven only if
`pins.json` leaves it free and it has followed both pulls; a contact only towards ground or 3.3 V, as its switch would,
for `CONTACT_US`.
"""
# mypy: ignore-errors

import gc
import os
import sys
import time

import machine
import micropython

# Never driven, whatever pins.json says: the hit sensor's pins, and those that a Pico or its MicroPython uses itself.
NEVER = (3, 26, 15, 23, 24, 25, 29)
PULL_US = 2000
CONTACT_US = 12
RISE_US = 400
SUPPLY_MODE = 23
TURN_STEP_US, TURN_STEPS = 250, 80
# Registers that the firmware does not use; in its own `registers` they would cost 0.8 ms of each start. CH0_CSR of PWM;
# of SIO, GPIO_IN and the registers that set and clear GPIO_OUT and GPIO_OE; CHIP_ID of SYSINFO.
RP2040 = {
    "pwm": 0x40050000,
    "gpio_in": 0xD0000004,
    "out_set": 0xD0000014,
    "out_clr": 0xD0000018,
    "oe_set": 0xD0000024,
    "oe_clr": 0xD0000028,
    "chip_id": 0x40000000,
}
RP2350 = {
    "pwm": 0x400A8000,
    "gpio_in": 0xD0000004,
    "out_set": 0xD0000018,
    "out_clr": 0xD0000020,
    "oe_set": 0xD0000038,
    "oe_clr": 0xD0000040,
    "chip_id": 0x40000000,
}
REGISTERS = RP2350 if "RP2350" in sys.implementation._machine else RP2040
# Offsets in PWM, the same on both chips: from one slice to the next, and within a slice DIV, CC and TOP.
PWM_SLICE, PWM_DIV, PWM_CC, PWM_TOP = 0x14, 0x04, 0x0C, 0x10
# In the ROM of both chips, after the magic number's first three bytes.
ROM_VERSION = 0x13


def use(folder):
    """Add the folder of the firmware to the import path."""
    if folder and folder not in sys.path:
        sys.path.insert(0, folder)


def pins_in_use():
    """Return the firmware's pin map.

    Raise `ValueError` if `pins.json` cannot be read: the wiring is unknown then, and no pin may be driven.
    """
    from firmware_protocol.board.pins import load_pins

    pins, wrong = load_pins("/pins.json")
    if wrong:
        raise ValueError(wrong)
    return pins


def wired(pins):
    """Return the GPIOs that `pins.json` and the default map use."""
    names = [channel.name for channel in pins.channels if pins.has_pin(channel.name)]
    names += pins.outputs
    used = {pins.pin(name) for name in names}
    if "hit" in pins and pins.adc("hit") is not None:
        used.add(pins.adc("hit"))
    return used


def follows(gpio):
    """Return whether a pin follows the chip's own weak pulls, up, down and up: nothing else holds it."""
    seen = []
    for pull in (machine.Pin.PULL_UP, machine.Pin.PULL_DOWN, machine.Pin.PULL_UP):
        pin = machine.Pin(gpio, machine.Pin.IN, pull)
        time.sleep_us(PULL_US)
        seen.append(pin.value())
    machine.Pin(gpio, machine.Pin.IN, None)
    return seen == [1, 0, 1]


def free_pins(pins):
    """Return the GPIOs that may be driven."""
    from firmware_protocol.board.pins import GPIOS

    used = wired(pins)
    return [gpio for gpio in GPIOS if gpio not in NEVER and gpio not in used and follows(gpio)]


def times_of(ring, first, last):
    """Return the (levels, time) of the ring's records from `first` up to `last`."""
    from firmware_protocol.board.words import RECORD_MASK

    records = []
    while first != last:
        records.append(
            (ring.levels[first], ring.times[2 * first] | ring.times[2 * first + 1] << 16)
        )
        first = (first + 1) & RECORD_MASK
    return records


def chatter(ms):
    """Keep USB busy for `ms` with meaningless lines."""
    begun = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begun) < ms:
        sys.stdout.write("." * 63 + "\n")


def collect(ms):
    """Create and collect garbage for `ms`."""
    begun = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begun) < ms:
        for _ in range(20):
            bytearray(64)
        gc.collect()


MEANWHILE = {"idle": time.sleep_ms, "usb": chatter, "collection": collect}


def stamps(mode, ms, hz=997):
    """Return the ring's times of a PWM's edges at a free pin, from the first one, and the PWM's registers."""
    from firmware_protocol.board.chip import Chip

    free = free_pins(pins_in_use())
    if not free:
        return {"free": []}
    gpio = free[0]
    chip = Chip()
    ring = chip.edges(1 << gpio)
    pwm = machine.PWM(machine.Pin(gpio))
    pwm.freq(hz)
    pwm.duty_u16(32768)
    time.sleep_ms(3)
    first = ring.written()
    MEANWHILE[mode](ms)
    records = times_of(ring, first, ring.written())
    at = REGISTERS["pwm"] + PWM_SLICE * (gpio >> 1 & 7)
    registers = [
        machine.mem32[at + PWM_DIV],
        machine.mem32[at + PWM_CC] >> 16 * (gpio & 1) & 0xFFFF,
        machine.mem32[at + PWM_TOP],
    ]
    pwm.deinit()
    chip.stop()
    machine.Pin(gpio, machine.Pin.IN, None)
    begun = records[0][1] if records else 0
    return {
        "free": free,
        "gpio": gpio,
        "hz": machine.freq(),
        "pwm": registers,
        "rises": records[0][0] >> gpio & 1 if records else 0,
        "times": [(record[1] - begun) & 0xFFFFFFFF for record in records],
        "fault": chip.fault,
    }


@micropython.viper
def together(register: ptr32, timer: ptr32, mask: int, before: ptr32):
    """Write to a register, and keep the timer's value from before and after."""
    before[0] = timer[0]
    register[0] = mask
    before[1] = timer[0]


def four(count):
    """Return the records of `count` writes to four pins at once, and the times around each write."""
    from array import array

    from firmware_protocol.board.chip import AT, Chip

    free = free_pins(pins_in_use())[:4]
    if len(free) < 4:
        return {"free": free}
    mask = sum(1 << gpio for gpio in free)
    chip = Chip()
    ring = chip.edges(mask)
    for gpio in free:
        machine.Pin(gpio, machine.Pin.OUT, value=0)
    time.sleep_ms(2)
    first = ring.written()
    around = array("I", (0, 0))
    writes = []
    registers = (REGISTERS["out_set"], REGISTERS["out_clr"])
    for turn in range(count):
        together(registers[turn & 1], AT.timer, mask, around)
        writes.append((around[0], around[1]))
        time.sleep_us(200)
    records = times_of(ring, first, ring.written())
    chip.stop()
    for gpio in free:
        machine.Pin(gpio, machine.Pin.IN, None)
    return {
        "free": free,
        "mask": mask,
        "writes": writes,
        "records": [(levels & mask, at) for levels, at in records],
    }


def override(count):
    """Return the records of a pin that toggles while its input is overridden, its pad and latch meanwhile, and the
    records once it is unmuted."""
    from firmware_protocol.board.chip import Chip

    free = free_pins(pins_in_use())
    if not free:
        return {"free": []}
    gpio = free[0]
    chip = Chip()
    ring = chip.edges(1 << gpio)
    pin = machine.Pin(gpio, machine.Pin.OUT, value=0)
    # Again, after the pin's mode, which resets the override; the firmware also sets the mode first.
    chip.edges(1 << gpio)
    time.sleep_ms(2)
    first = ring.written()
    chip.mute(gpio)
    time.sleep_ms(1)
    stirred_at_rest = chip.stirred(gpio)
    for turn in range(count):
        pin.value(1 - turn % 2)
        time.sleep_us(200)
    stirred = chip.stirred(gpio)
    pin.value(1)
    time.sleep_us(200)
    pad = chip._pad(gpio)
    muted = len(times_of(ring, first, ring.written()))
    first = ring.written()
    chip.unmute(gpio)
    time.sleep_ms(1)
    heard = [levels >> gpio & 1 for levels, _ in times_of(ring, first, ring.written())]
    pin.value(0)
    chip.stop()
    machine.Pin(gpio, machine.Pin.IN, None)
    return {
        "free": free,
        "still": stirred_at_rest,
        "muted": muted,
        "stirred": stirred,
        "pad": bool(pad),
        "heard": heard,
    }


def adc_pin(pins):
    """Return the hit sensor's ADC pin, or GP26 if it has none. It is read, never driven."""
    adc = pins.adc("hit") if "hit" in pins else None
    return 26 if adc is None else adc


def adc_rate(ms):
    """Return how many samples the ADC took between the ends of two blocks, and the time between them in us."""
    from firmware_protocol.board.chip import Chip
    from firmware_protocol.board.words import BLOCK, BLOCK_MASK, SAMPLE_MASK

    chip = Chip()
    ring = chip.samples(adc_pin(pins_in_use()))

    def last_block(total, written):
        # Not the block that ended last: its time may not be written yet.
        block = (written // BLOCK - 2) & BLOCK_MASK
        since = (written - (block + 1) * BLOCK) & SAMPLE_MASK
        return total - since, ring.times[2 * block] | ring.times[2 * block + 1] << 16

    time.sleep_ms(50)
    written = ring.written()
    total = 0
    begun = last_block(total, written)
    start = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), start) < ms:
        time.sleep_ms(20)
        now = ring.written()
        total += (now - written) & SAMPLE_MASK
        written = now
    ended = last_block(total, written)
    chip.stop()
    return {
        "samples": ended[0] - begun[0],
        "us": (ended[1] - begun[1]) & 0xFFFFFFFF,
        "fault": chip.fault,
    }


def noise(supply, busy):
    """Return the number, least, greatest, mean and sum of squared deviations of a ring of samples.

    `supply` is GP23's level, None to leave it alone.
    """
    from firmware_protocol.board.chip import Chip

    gpio = adc_pin(pins_in_use())
    if supply is not None:
        machine.Pin(SUPPLY_MODE, machine.Pin.OUT, value=supply)
    chip = Chip()
    ring = chip.samples(gpio)
    if busy:
        chatter(100)
    else:
        time.sleep_ms(100)
    values = bytes(ring.values)
    chip.stop()
    if supply is not None:
        machine.Pin(SUPPLY_MODE, machine.Pin.OUT, value=0)
    read = [values[at] | values[at + 1] << 8 for at in range(0, len(values), 2)]
    mean = sum(read) // len(read)
    squares = sum((sample - mean) * (sample - mean) for sample in read)
    return {
        "count": len(read),
        "least": min(read),
        "most": max(read),
        "mean": mean,
        "squares": squares,
    }


@micropython.viper
def pulse(levels: ptr32, timer: ptr32, mask: int, wanted: int, times: ptr32) -> int:
    """Drive a pin for `times[0]` us, then return the us until it reaches the level `wanted`; -1 after `times[1]`.

    `times[2]` and `times[3]` are the offsets in words from `levels`, GPIO_IN, to the registers that enable and disable
    the output: viper cannot use a module's constants.
    """
    drive_us = times[0]
    limit_us = times[1]
    enable = times[2]
    disable = times[3]
    begun = timer[0]
    levels[enable] = mask
    while timer[0] - begun < drive_us:
        pass
    levels[disable] = mask
    begun = timer[0]
    passed = 0
    while passed < limit_us:
        passed = timer[0] - begun
        if (levels[0] & mask) == wanted:
            return passed
    return -1


def rise_of(gpio, active, pull):
    """Return the us that a contact takes back to rest after a short pulse."""
    machine.Pin(gpio, machine.Pin.IN, pull)
    time.sleep_us(PULL_US)
    from array import array

    from firmware_protocol.board.chip import AT

    mask = 1 << gpio
    levels = REGISTERS["gpio_in"]
    enable, disable = (REGISTERS[name] - levels >> 2 for name in ("oe_set", "oe_clr"))
    times = array("I", (CONTACT_US, RISE_US, enable, disable))
    level, at_rest = "out_clr", mask
    if active:
        level, at_rest = "out_set", 0
    machine.mem32[REGISTERS[level]] = mask
    interrupts = machine.disable_irq()
    took = pulse(levels, AT.timer, mask, at_rest, times)
    machine.enable_irq(interrupts)
    return took


def contacts():
    """Return for each contact the us back to rest with the chip's pull and without it; None if it is not at rest."""
    pins = pins_in_use()
    times = {}
    for channel in pins.channels:
        name = channel.name
        if name in ("hit", "plug"):
            continue
        gpio, active = pins.pin(name), pins.active_level(name)
        pull = machine.Pin.PULL_DOWN if active else machine.Pin.PULL_UP
        pin = machine.Pin(gpio, machine.Pin.IN, pull)
        time.sleep_us(PULL_US)
        if pin.value() == active:
            times[name] = None
            continue
        times[name] = [
            min(rise_of(gpio, active, pull) for _ in range(3)),
            rise_of(gpio, active, None),
        ]
        machine.Pin(gpio, machine.Pin.IN, pull)
    return times


def chip_itself():
    """Return the chip's and its MicroPython's identity and figures."""
    from firmware_protocol.board import FIRMWARE
    from firmware_protocol.board.chip import AT

    gc.collect()
    warm = machine.ADC(4)
    total = sum(warm.read_u16() for _ in range(16)) // 16
    fields = {
        "uid": "".join("%02x" % byte for byte in machine.unique_id()),
        "chip_id": "%08x" % (machine.mem32[REGISTERS["chip_id"]] & 0xFFFFFFFF),
        "rom": machine.mem8[ROM_VERSION],
        "machine": sys.implementation._machine,
        "micropython": ".".join(str(byte) for byte in sys.implementation[1][:3]),
        "build": sys.version,
        "firmware": FIRMWARE,
        "hz": machine.freq(),
        "free_bytes": gc.mem_free(),
        "adc4": total,
        "reset_cause": machine.reset_cause(),
        "reason": machine.mem32[AT.watchdog_reason] & 3,
    }
    fs = os.statvfs("/")
    fields["disk_bytes"] = fs[0] * fs[2]
    return fields


def linearity(steps, source=27, target=28):
    """Return the duty of a PWM at `source` and the ADC's reading of it at `target`, of 65535 each.

    Between them are 10 kohm, and 100 nF from `target` to AGND. None if one of the two is not a free pin.
    """
    used = wired(pins_in_use())
    if source in used or target in used:
        return None
    adc = machine.ADC(target)
    pwm = machine.PWM(machine.Pin(source))
    pwm.freq(20_000)
    readings = []
    for step in range(1, steps):
        duty = 65535 * step // steps
        pwm.duty_u16(duty)
        time.sleep_ms(12)
        readings.append((duty, sum(adc.read_u16() for _ in range(64)) // 64))
    pwm.deinit()
    machine.Pin(source, machine.Pin.IN, None)
    return readings


class PressedPins:
    """`machine.Pin`, except that a pin the firmware configures as an input is still driven by its PWM."""

    IN, OUT = machine.Pin.IN, machine.Pin.OUT
    PULL_UP, PULL_DOWN = machine.Pin.PULL_UP, machine.Pin.PULL_DOWN

    def __init__(self, io_bank):
        self._io_bank = io_bank

    def __call__(self, gpio, mode, pull=None):
        pin = machine.Pin(gpio, mode, pull)
        machine.mem32[self._io_bank + 8 * gpio + 4] = 4
        return pin


class CountedTurns:
    """`machine` with a watchdog that measures the firmware's turns, in each of which it is fed once.

    `counts` is a histogram in steps of `TURN_STEP_US`, its last step open-ended. Turns with a garbage collection are
    separate: `collections` is their number and the longest of them.
    """

    def __init__(self):
        self.counts = [0] * TURN_STEPS
        self.longest = 0
        self.collections = [0, 0]
        self._collected = False
        self._fed = None

    def WDT(self, timeout):  # noqa: N802 - the name that `machine` has
        self._watchdog = machine.WDT(timeout=timeout)
        return self

    def collect(self):
        self._collected = True
        gc.collect()

    def feed(self):
        now = time.ticks_us()
        if self._fed is not None:
            self._count(time.ticks_diff(now, self._fed))
        self._fed = now
        self._watchdog.feed()

    def _count(self, us):
        if self._collected:
            self._collected = False
            self.collections[0] += 1
            self.collections[1] = max(us, self.collections[1])
            return
        step = min(us // TURN_STEP_US, TURN_STEPS - 1)
        self.counts[step] += 1
        self.longest = max(us, self.longest)

    def counted(self):
        return {
            "step_us": TURN_STEP_US,
            "counts": self.counts,
            "longest": self.longest,
            "collections": self.collections,
        }


# The turns of the last `press_alone`; still at the prompt when that has ended.
TURNS = CountedTurns()


def press_alone(hz):
    """Run the firmware with a single contact, a free pin that a PWM presses `hz` times a second, until it is ended."""
    from firmware_protocol.board import app, main
    from firmware_protocol.board.chip import AT, Chip
    from firmware_protocol.board.pins import PinMap
    from firmware_protocol.board.wire import StdioWire

    gpio = free_pins(pins_in_use())[0]
    pwm = machine.PWM(machine.Pin(gpio))
    pwm.freq(hz)
    pwm.duty_u16(32768)

    def chip(adc):
        chip = Chip(adc)
        chip.Pin = PressedPins(AT.io_bank)
        return chip

    wire = StdioWire(sys.stdin.buffer, sys.stdout.buffer)
    pins = PinMap({"zone-1": {"pin": gpio, "active": 0}})
    app.collect = TURNS.collect
    try:
        main.run(
            TURNS,
            time.ticks_us,
            wire,
            pins,
            micropython.kbd_intr,
            board="presses itself",
            chip=chip,
        )
    finally:
        pwm.deinit()
        machine.Pin(gpio, machine.Pin.IN, None)


def starve():
    """Stop feeding the watchdog, so that it resets the chip within its five seconds."""
    from firmware_protocol.board import main

    # A main.py that was copied by hand keeps its timer among the globals of this prompt.
    for timer in main.KEPT + globals().get("KEPT", []):
        timer.deinit()
    machine.WDT(timeout=main.WATCHDOG_MS)
