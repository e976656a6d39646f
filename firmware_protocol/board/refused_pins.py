"""Sentences on why a row of a `pins.json` is refused. Imported only if one is."""

import json

LAST_GPIO = 28
# GPIOs that a Pico itself uses, by its data sheet ("Pinout and design files"); none of them is on its edge.
TAKEN = {
    23: "the mode of its supply",
    24: "sensing USB power",
    25: "the LED on the board",
    29: "measuring VSYS",
}


def why_refused(name: str, row: object, keys: "tuple[str, ...]") -> str:
    """Return what is wrong with the row of `name`, which may have these `keys`."""
    if name == "chip":
        return f'pins.json: chip must be null or {{"mhz": 200}}, not {json.dumps(row)}'
    if not isinstance(row, dict):
        others = 'null, "always" or' if name == "hit" else "null or"
        return f'pins.json: {name} must be {others} an object such as {{"pin": 2}}, not {json.dumps(row)}'
    for key in row:
        if key not in keys:
            return f'pins.json: {name} has no "{key}"; it has {", ".join(keys)}'
    if "pin" in row and (why := _no_pin(name, row["pin"])):
        return why
    if not ("pin" in row or "adc" in row):
        return f'pins.json: {name} needs a "pin" from 0 to {LAST_GPIO}'
    if "active" in row and (type(row["active"]) is not int or row["active"] not in (0, 1)):
        return f'pins.json: "active" of {name} must be 0 or 1, not {json.dumps(row["active"])}'
    if "always" in row and "adc" not in row:
        return f'pins.json: "always" of {name} is about its analog input, and it has no "adc"'
    if "always" in row and (type(row["always"]) is not int or row["always"] not in (0, 1)):
        return f'pins.json: "always" of {name} must be 0 or 1, not {json.dumps(row["always"])}'
    found = json.dumps(row["adc"])
    return (
        f'pins.json: "adc" of {name} must be 26, 27 or 28, the pins that the ADC reads, not {found}'
    )


def _no_pin(name: str, value: object) -> str:
    if type(value) is not int:
        return (
            f'pins.json: "pin" of {name} must be a whole number such as 2, not {json.dumps(value)}'
        )
    if value in TAKEN:
        return f"pins.json: {name} cannot have GP{value}: a Pico uses it for {TAKEN[value]}"
    if not 0 <= value <= LAST_GPIO:
        return f"pins.json: {name} cannot have GP{value}: a Pico has GP0 to GP{LAST_GPIO}"
    return ""
