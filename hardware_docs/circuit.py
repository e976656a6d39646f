"""The one netlist: every part with its pins, and which pins are joined. Each wiring drawing is compared with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from firmware_protocol.board.pins import DEFAULT_PINS, PinMap
from hardware_docs.pico import AGND, SUPPLY_PIN, pin_of

PICO = "U1"
PICO_GROUNDS = (3, 38)
# The sense line of the gun's cable has no default pin; this is gun.md's row for pins.json.
SENSE_LINE = {"plug": {"pin": 1, "active": 0}}

GROUND, SUPPLY, ANALOG_GROUND = "GND", "3V3", "AGND"


class Kind(StrEnum):
    """The kind of a part, which determines its symbol and its looks."""

    PICO = "pico"
    RESISTOR = "resistor"
    CAPACITOR = "capacitor"
    TVS = "tvs"
    DIODE = "diode"
    LED = "led"
    TRANSISTOR = "transistor"
    BUZZER = "buzzer"
    SWITCH = "switch"
    PIEZO = "piezo"
    COMPARATOR = "comparator"
    TERMINAL = "terminal"
    PLUG = "plug"
    SCREEN = "screen"


AT_THE_END_OF_A_LEAD = (Kind.SWITCH, Kind.PIEZO, Kind.LED)


class Use(StrEnum):
    """The builds that have a part."""

    ALWAYS = "always"
    # On the soldered board only. On the breadboard a shunt is left out and a series part is a wire.
    SHUNT = "protection to a rail"
    SERIES = "protection in series"
    # Only for times of hits within 2 us.
    TIMING = "comparator"
    # Between the board's terminals and the gun.
    CABLE = "cable"


class Pin(NamedTuple):
    """One pin of a part: a number, or a name such as A and K of a diode."""

    part: str
    name: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part; `value` is printed beside it."""

    name: str
    kind: Kind
    value: str
    pins: tuple[str, ...]
    use: Use = Use.ALWAYS


@dataclass(slots=True)
class Circuit:
    """Parts by name, and the net of every connected pin."""

    parts: dict[str, Part] = field(default_factory=dict)
    net_of: dict[Pin, str] = field(default_factory=dict)

    def add(
        self, name: str, kind: Kind, value: str, nets: dict[str, str], use: Use = Use.ALWAYS
    ) -> None:
        """Add a part with the net of each pin; an empty net leaves the pin open."""
        self.parts[name] = Part(name, kind, value, tuple(nets), use)
        for pin, net in nets.items():
            if net:
                self.net_of[Pin(name, pin)] = net

    def joined(self) -> set[frozenset[Pin]]:
        """Return the sets of joined pins: nets of two pins or more, whatever their names."""
        nets: dict[str, set[Pin]] = {}
        for pin, net in self.net_of.items():
            nets.setdefault(net, set()).add(pin)
        return {frozenset(pins) for pins in nets.values() if len(pins) > 1}

    def pin_of_pico(self, net: str) -> Pin:
        """Return the Pico's pin on a net; raise `ValueError` if there is none."""
        for pin, other in self.net_of.items():
            if pin.part == PICO and other == net:
                return pin
        raise ValueError(f"no pin of the Pico is on {net}")

    def only(self, *uses: Use) -> Circuit:
        """Return the circuit with the parts of these uses; the pins of others are left out, nothing else changes."""
        return self._with({name: part for name, part in self.parts.items() if part.use in uses})

    def _with(self, parts: dict[str, Part]) -> Circuit:
        return Circuit(parts, {pin: net for pin, net in self.net_of.items() if pin.part in parts})

    def soldered(self) -> Circuit:
        """Return the circuit of the soldered board: switches, piezo and LED are at the ends of its leads."""
        remaining = self.only(Use.ALWAYS, Use.SHUNT, Use.SERIES)
        parts = {}
        for name, part in remaining.parts.items():
            if part.kind not in AT_THE_END_OF_A_LEAD:
                parts[name] = part
        return remaining._with(parts)

    def bare(self) -> Circuit:
        """Return the circuit of the breadboard: shunts left out, a wire in place of each series part."""
        # outer net of a series part -> inner net: without the part they are one
        replaced: dict[str, str] = {}
        for part in self.parts.values():
            if part.use is Use.SERIES:
                inner, outer = (self.net_of[Pin(part.name, pin)] for pin in part.pins)
                replaced[outer] = inner
        remaining = self.only(Use.ALWAYS)
        return Circuit(
            remaining.parts, {pin: replaced.get(net, net) for pin, net in remaining.net_of.items()}
        )


def drawn_pins(table: dict[str, dict[str, int]] | None = None) -> PinMap:
    """Return the pin map of the drawings: the firmware's default, and the sense line at gun.md's pin."""
    wired = DEFAULT_PINS if table is None else table
    return PinMap({**wired, **SENSE_LINE})


def contacts(pins: PinMap) -> list[str]:
    """Return the channels that are contacts to ground, in the order of their pins on the Pico."""
    names = [channel.name for channel in pins.channels if channel.name != "hit"]
    return sorted(names, key=lambda name: pin_of(pins.pin(name)))


def pairs(pins: PinMap) -> list[list[str]]:
    """Return the contacts in pairs: a terminal of three poles serves two of them."""
    names = contacts(pins)
    return [names[at : at + 2] for at in range(0, len(names), 2)]


def number_of(channel: str) -> int:
    """Return the number in the names of a contact's parts: the zone's, 11 for the trigger, 12 for the sense line."""
    if channel == "trigger":
        return 11
    if channel == "plug":
        return 12
    return int(channel.removeprefix("zone-"))


def circuit(pins: PinMap) -> Circuit:
    """Return the whole netlist of the soldered board, its leads, the gun and the comparator."""
    netlist = Circuit()
    netlist.add(
        PICO,
        Kind.PICO,
        "Raspberry Pi Pico",
        {str(pin): net for pin, net in _pico_nets(pins).items()},
    )
    for channel in contacts(pins):
        _add_contact(netlist, channel)
    for number, pair in enumerate(pairs(pins), start=1):
        poles = {"a": lead_of(pair[0]), "gnd": GROUND}
        if len(pair) == 2:
            poles["b"] = lead_of(pair[1])
        netlist.add(f"J{number}", Kind.TERMINAL, ", ".join(pair), poles, Use.SHUNT)
    if "hit" in pins and pins.adc("hit") is not None:
        _add_piezo(netlist)
        if pins.has_pin("hit"):
            _add_comparator(netlist)
    if "lamp" in pins:
        netlist.add("R51", Kind.RESISTOR, "330", {"1": "lamp", "2": "lamp-led"})
        netlist.add("LED1", Kind.LED, "LED", {"A": "lamp-led", "K": GROUND})
        netlist.add("J8", Kind.TERMINAL, "lamp", {"a": "lamp-led", "gnd": GROUND}, Use.SHUNT)
    if "buzzer" in pins:
        netlist.add("R52", Kind.RESISTOR, "1k", {"1": "buzzer", "2": "buzzer-base"})
        netlist.add(
            "Q1", Kind.TRANSISTOR, "NPN", {"E": GROUND, "B": "buzzer-base", "C": "buzzer-low"}
        )
        netlist.add("D51", Kind.DIODE, "1N4148", {"A": "buzzer-low", "K": SUPPLY})
        netlist.add("BZ1", Kind.BUZZER, "buzzer", {"plus": SUPPLY, "minus": "buzzer-low"})
    if "trigger" in pins and "plug" in pins and "PZ1" in netlist.parts:
        _add_cable(netlist)
    return netlist


def lead_of(channel: str) -> str:
    """Return the net of a contact's lead, beyond its 100 ohm."""
    return f"{channel} lead"


def _pico_nets(pins: PinMap) -> dict[int, str]:
    nets = dict.fromkeys(range(1, 41), "")
    nets |= dict.fromkeys(PICO_GROUNDS, GROUND)
    nets |= {SUPPLY_PIN: SUPPLY, AGND: ANALOG_GROUND}
    for name in [channel.name for channel in pins.channels] + list(pins.outputs):
        if pins.has_pin(name):
            nets[pin_of(pins.pin(name))] = name
        adc = pins.adc(name)
        if adc is not None:
            nets[pin_of(adc)] = "hit-adc"
    return nets


def _add_contact(netlist: Circuit, channel: str) -> None:
    number, lead = number_of(channel), lead_of(channel)
    netlist.add(f"R{number}", Kind.RESISTOR, "4k7", {"1": SUPPLY, "2": channel}, Use.SHUNT)
    netlist.add(f"C{number}", Kind.CAPACITOR, "1n", {"1": channel, "2": GROUND}, Use.SHUNT)
    netlist.add(f"R{20 + number}", Kind.RESISTOR, "100", {"1": channel, "2": lead}, Use.SERIES)
    netlist.add(f"D{number}", Kind.TVS, "TVS", {"1": lead, "2": GROUND}, Use.SHUNT)
    netlist.add(f"S{number}", Kind.SWITCH, channel, {"1": lead, "2": GROUND})


def _add_piezo(netlist: Circuit) -> None:
    netlist.add("PZ1", Kind.PIEZO, "piezo disc", {"middle": "piezo", "rim": ANALOG_GROUND})
    netlist.add("R41", Kind.RESISTOR, "100k", {"1": "piezo", "2": ANALOG_GROUND})
    netlist.add("R42", Kind.RESISTOR, "4k7", {"1": "piezo", "2": "P"})
    netlist.add("D41", Kind.DIODE, "BAT85", {"A": "P", "K": SUPPLY})
    netlist.add("D42", Kind.DIODE, "BAT85", {"A": ANALOG_GROUND, "K": "P"})
    netlist.add("R43", Kind.RESISTOR, "1k", {"1": "P", "2": "hit-adc"})
    netlist.add("C41", Kind.CAPACITOR, "1n", {"1": "hit-adc", "2": ANALOG_GROUND})
    netlist.add("J7", Kind.TERMINAL, "piezo", {"a": "piezo", "agnd": ANALOG_GROUND}, Use.SHUNT)


def _add_comparator(netlist: Circuit) -> None:
    # The pins of an LM393 in its package of eight; the unused half has its inputs at ground.
    nets = {"1": "hit", "2": "threshold", "3": "hit-plus", "4": ANALOG_GROUND, "5": ANALOG_GROUND}
    nets |= {"6": ANALOG_GROUND, "7": "", "8": SUPPLY}
    netlist.add("U2", Kind.COMPARATOR, "LM393", nets, Use.TIMING)
    netlist.add("R61", Kind.RESISTOR, "22k", {"1": "P", "2": "hit-plus"}, Use.TIMING)
    netlist.add("R62", Kind.RESISTOR, "10M", {"1": "hit-plus", "2": "hit"}, Use.TIMING)
    netlist.add("R63", Kind.RESISTOR, "33k", {"1": SUPPLY, "2": "threshold"}, Use.TIMING)
    netlist.add("R64", Kind.RESISTOR, "1k5", {"1": "threshold", "2": ANALOG_GROUND}, Use.TIMING)
    netlist.add("R65", Kind.RESISTOR, "10k", {"1": SUPPLY, "2": "hit"}, Use.TIMING)
    netlist.add("C61", Kind.CAPACITOR, "100n", {"1": SUPPLY, "2": ANALOG_GROUND}, Use.TIMING)


def _add_cable(netlist: Circuit) -> None:
    """Add the break-away plug's six poles.

    The screen goes through the sixth and ends in the gun, open.
    """
    nets = {"1": lead_of("trigger"), "2": GROUND, "3": lead_of("plug")}
    nets |= {"4": "piezo", "5": ANALOG_GROUND, "6": ANALOG_GROUND}
    netlist.add("X1", Kind.PLUG, "break-away plug", nets, Use.CABLE)
    netlist.add(
        "SCR", Kind.SCREEN, "screen of the pair", {"plug": ANALOG_GROUND, "gun": ""}, Use.CABLE
    )
