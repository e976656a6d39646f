"""The map from channels to pins: a default for the Raspberry Pi Pico, overridden by a `pins.json` on the board."""

from firmware_protocol.board.words import EDGE_ERROR_US, SAMPLE_US
from firmware_protocol.messages import ROLE_HIT, ROLE_PLUG, ROLE_TRIGGER, ROLE_ZONE, Channel

ZONES = 10
# GP numbers; `active` is the level while pressed. Contacts close to ground against the chip's pull-up; the hit sensor's
# comparator or module drives its pin high. GP26 is ADC0. GP15 stays free: MicroPython uses it for a moment whenever the
# computer resets the bus (erratum RP2040-E5), and a buzzer there would click.
DEFAULT_PINS: "dict[str, dict[str, int]]" = {
    "trigger": {"pin": 2, "active": 0},
    "hit": {"pin": 3, "active": 1, "adc": 26},
    "lamp": {"pin": 14},
    "buzzer": {"pin": 16},
}
for zone in range(1, ZONES + 1):
    DEFAULT_PINS[f"zone-{zone}"] = {"pin": 3 + zone, "active": 0}

# As the row of `hit`: the default row, and its analog input is always sampled, without the test of its pin.
ALWAYS = "always"
OUTPUTS = ("lamp", "buzzer")
# The row for the chip's clock in MHz, which is no pin. Without it the chip runs at MicroPython's default.
CHIP = "chip"
FAST_MHZ = 200
# `plug`, closed while the gun's cable is plugged in, has no default pin: few guns have that wire.
INPUTS = tuple(["trigger", "hit"] + [f"zone-{zone}" for zone in range(1, ZONES + 1)] + ["plug"])
# The pins on the edge of a Pico; the ADC reads three of them.
GPIOS = tuple([gpio for gpio in range(29) if gpio not in (23, 24, 25)])
ALLOWED = {"pin": GPIOS, "adc": (26, 27, 28), "active": (0, 1), ALWAYS: (0, 1)}


class PinMap:
    """The wiring in use: `channels` for HELLO, `outputs` by name, `pin(name)` for the GPIO.

    `mhz` is the requested clock, 0 for the default. With `always_samples` the hit sensor's analog input is sampled
    without a test of its pin. Channel numbers are fixed by name (trigger 0, hit 1, zone-n n + 1, plug 12), whatever is
    left out.
    """

    def __init__(self, table: "dict[str, dict[str, int]]") -> None:
        self._table = table
        self.always_samples = "hit" in table and bool(table["hit"].get(ALWAYS, 0))
        self.mhz = table[CHIP]["mhz"] if CHIP in table else 0
        self.outputs = tuple([name for name in OUTPUTS if name in table])
        self.channels = tuple(
            [_channel(name, table[name].get("active", 0)) for name in INPUTS if name in table]
        )

    @property
    def stamp_errors_us(self) -> "tuple[int, ...]":
        """The largest error of a stamp for each of `channels`: an edge's, or a sample's for a sampled hit."""
        return tuple(
            [EDGE_ERROR_US if self.adc(one.name) is None else SAMPLE_US for one in self.channels]
        )

    def __contains__(self, name: str) -> bool:
        return name in self._table

    def has_pin(self, name: str) -> bool:
        """Return whether a channel has a digital input; a hit sensor may have only its analog one."""
        return "pin" in self._table[name]

    def pin(self, name: str) -> int:
        """Return the GPIO of a channel or output."""
        return self._table[name]["pin"]

    def active_level(self, name: str) -> int:
        """Return the level of a channel while it is pressed."""
        return self._table[name].get("active", 0)

    def adc(self, name: str) -> "int | None":
        """Return the GPIO of the channel's analog input; None if it has none."""
        return self._table[name].get("adc")


def default_pins() -> PinMap:
    """Return the default map."""
    return PinMap(DEFAULT_PINS)


def parse_pins(text: str) -> PinMap:
    """Read a `pins.json`: each name replaces its default row, null leaves it out; raise `ValueError` with a
    sentence."""
    # Imported here: most boards have no such file, and each import costs 3 ms of the start.
    import json

    try:
        rows = json.loads(text)
    except ValueError as error:
        raise ValueError(f"pins.json is not JSON ({error}); mend it or remove it") from error
    if not isinstance(rows, dict):
        raise ValueError('pins.json must be an object such as {"trigger": {"pin": 2, "active": 0}}')
    table = dict(DEFAULT_PINS)
    for name, given in rows.items():
        row = given
        if name == "hit" and given == ALWAYS:
            row = dict(DEFAULT_PINS["hit"])
            row[ALWAYS] = 1
        _check_row(name, row)
        table.pop(name, None)
        if row is not None:
            table[name] = row
    _check_unique(table)
    return PinMap(table)


def load_pins(path: str) -> "tuple[PinMap, str]":
    """Return the pin map, and a sentence if the file is unusable and the default is used instead."""
    try:
        with open(path) as file:
            return parse_pins(file.read()), ""
    except OSError:
        return default_pins(), ""
    except ValueError as error:
        return default_pins(), f"default pins in use: {error}"


def _channel(name: str, active: int) -> Channel:
    number = INPUTS.index(name)
    if number < 2:
        return Channel(number, ROLE_TRIGGER if number == 0 else ROLE_HIT, 0, active)
    if name == "plug":
        return Channel(number, ROLE_PLUG, 0, active)
    return Channel(number, ROLE_ZONE, number - 1, active)


def _check_row(name: str, row: object) -> None:
    if name not in INPUTS + OUTPUTS + (CHIP,):
        raise ValueError(
            f"pins.json names {name}, which is no channel; known are {', '.join(INPUTS + OUTPUTS)}"
        )
    if row is not None and not _is_right(name, row):
        # Imported here: few boards have such a file, and fewer a wrong one.
        from firmware_protocol.board.refused_pins import why_refused

        raise ValueError(why_refused(name, row, _keys(name)))


def _is_right(name: str, row: object) -> bool:
    if name == CHIP:
        return (
            isinstance(row, dict) and list(row) == ["mhz"] and _is_one_of((FAST_MHZ,), row["mhz"])
        )
    if (
        not isinstance(row, dict)
        or not ("pin" in row or "adc" in row)
        or (ALWAYS in row and "adc" not in row)
    ):
        return False
    return not [
        key for key in row if key not in _keys(name) or not _is_one_of(ALLOWED[key], row[key])
    ]


def _is_one_of(allowed: "tuple[int, ...]", value: object) -> bool:
    # Not `in` alone: True and 1.0 equal 1, but are no numbers of a pin or level.
    return type(value) is int and value in allowed


def _keys(name: str) -> "tuple[str, ...]":
    if name in OUTPUTS:
        return ("pin",)
    return ("pin", "active", "adc", ALWAYS) if name == "hit" else ("pin", "active")


def _check_unique(table: "dict[str, dict[str, int]]") -> None:
    users: dict[int, str] = {}
    for name in sorted(table):
        for key in ("pin", "adc"):
            gpio = table[name].get(key)
            if gpio in users:
                raise ValueError(f"pins.json: GP{gpio} is used by both {users[gpio]} and {name}")
            if gpio is not None:
                users[gpio] = name
