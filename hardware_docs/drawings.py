"""The wiring drawings, made from the firmware's own pin map: `python -m hardware_docs.drawings` writes them anew."""

from __future__ import annotations

from pathlib import Path

from firmware_protocol.board.pins import PinMap, default_pins
from hardware_docs import labels
from hardware_docs.pico import AGND, GROUNDS, SUPPLY_PIN, Wire, name_of, wires
from hardware_docs.schematic import hit_sensor
from hardware_docs.svg import COLORS, GROUND, SUPPLY, box, dot, group, labelled, line, page, text

FOLDER = Path(__file__).parent / "drawings"
LEFT, RIGHT, TOP, PITCH = 640, 780, 110, 38
GROUND_X = 60
WIDTH, HEIGHT = 1180, 960


def place(pin: int) -> tuple[float, float]:
    """Where a pin is on the drawing: 1 to 20 down the left edge, 40 to 21 down the right one."""
    return (LEFT, TOP + (pin - 1) * PITCH) if pin <= 20 else (RIGHT, TOP + (40 - pin) * PITCH)


def board_drawing(pins: PinMap, *, soldered: bool) -> str:
    """The Pico with every wire of the map: bare parts on a breadboard, or terminals with their protection."""
    which = "soldered, for leads of up to 5 m" if soldered else "on a breadboard, leads below half a metre"
    content = [
        text(WIDTH / 2, 40, f"Table board, {which}", size=20, anchor="middle"),
        text(
            WIDTH / 2,
            62,
            "Made from the firmware's pin map. Not yet built by anybody: see confirmed.md",
            anchor="middle",
        ),
        *_pico(wires(pins)),
        *_ground_rail(),
    ]
    for wire in wires(pins):
        draw = _analog if wire.role == "adc" else _soldered if soldered else _breadboard
        x, y = place(wire.pin)
        label = text(
            x - 8 if x == LEFT else x + 8, y - 5, wire.channel, size=11, anchor="end" if x == LEFT else "start"
        )
        content.append(group(draw(wire) + label, channel=wire.channel, role=wire.role, gpio=wire.gpio, pin=wire.pin))
    content += _supply()
    return page(WIDTH, HEIGHT, f"Wiring of the table board, {which}", content)


def _pico(used: list[Wire]) -> list[str]:
    high = 19 * PITCH + 50
    shapes = [
        box(LEFT, TOP - 25, RIGHT - LEFT, high, fill="#e6f2e6"),
        labelled(LEFT + 45, TOP - 25, 50, "USB"),
        text((LEFT + RIGHT) / 2, TOP + high - 8, "Raspberry Pi Pico", size=13, anchor="middle"),
    ]
    taken = {wire.pin for wire in used} | {SUPPLY_PIN, AGND, *GROUNDS}
    for pin in range(1, 41):
        x, y = place(pin)
        inward = 1 if x == LEFT else -1
        shapes.append(dot(x, y, "#1a1a1a" if pin in taken else "#b0b0b0"))
        anchor = "start" if inward == 1 else "end"
        shapes.append(text(x + 8 * inward, y + 4, f"{pin}  {name_of(pin)}", size=11, anchor=anchor))
    return shapes


def _ground_rail() -> list[str]:
    bottom = TOP + 19 * PITCH
    rail = line(GROUND_X, TOP + 2 * PITCH - PITCH, GROUND_X, bottom, GROUND, 4)
    x, y = place(3)
    return [group(rail + line(GROUND_X, y, x, y, GROUND), rail="gnd", pin=3), text(20, TOP + PITCH - 8, "GND rail")]


def _color(channel: str) -> str:
    return COLORS[channel.split("-", maxsplit=1)[0]]


def _breadboard(wire: Wire) -> str:
    x, y = place(wire.pin)
    color = _color(wire.channel)
    if wire.channel == "hit":
        return line(x, y, 470, y, color) + labelled(290, y, 180, "comparator, if there is one", color=color)
    if wire.channel == "lamp":
        parts = labelled(400, y, 70, "330 ohm") + labelled(290, y, 70, "LED")
        return parts + line(x, y, 470, y, color) + line(400, y, 360, y, color) + line(290, y, GROUND_X, y, GROUND)
    if wire.channel == "buzzer":
        return _buzzer(x, y, color)
    return (
        line(x, y, 470, y, color)
        + labelled(290, y, 180, _contact(wire), color=color)
        + line(290, y, GROUND_X, y, GROUND)
    )


def _buzzer(x: float, y: float, color: str) -> str:
    wires_ = line(x, y, 590, y, color) + line(520, y, 480, y, color) + line(400, y, 360, y, color)
    parts = (
        labelled(520, y, 70, "1 kohm")
        + labelled(400, y, 80, "NPN base")
        + labelled(200, y, 160, "buzzer: 3V3 - collector")
    )
    return wires_ + parts + text(200, y + 28, "emitter to GND; 1N4148 across the buzzer, ring to 3V3", size=11)


def _contact(wire: Wire) -> str:
    own = {"trigger": "micro-switch, C and NO", "plug": "bridge in the gun's plug"}
    return own.get(wire.channel, f"button of {wire.channel}")


def _soldered(wire: Wire) -> str:
    x, y = place(wire.pin)
    color = _color(wire.channel)
    if wire.channel in ("hit", "lamp", "buzzer"):
        return _breadboard(wire)
    shapes = line(x, y, 560, y, color) + labelled(500, y, 60, "4k7 up") + line(500, y, 490, y, color)
    shapes += labelled(430, y, 60, "1 nF dn") + line(430, y, 420, y, color) + labelled(350, y, 70, "100 ohm")
    shapes += line(350, y, 340, y, color) + labelled(280, y, 60, "TVS dn") + line(280, y, 260, y, color)
    shapes += labelled(150, y, 110, terminal(wire.channel), color=color) + line(150, y, GROUND_X, y, GROUND)
    return shapes


def terminal(channel: str) -> str:
    """The soldered board's terminal of a contact: the gun has its own plug, five zones share one."""
    if channel in ("trigger", "plug"):
        return f"J1 gun: {channel}"
    number = int(channel.removeprefix("zone-"))
    return f"J{2 + (number - 1) // 5}.{(number - 1) % 5 + 1} {channel}"


def _analog(wire: Wire) -> str:
    x, y = place(wire.pin)
    color = _color(wire.channel)
    return line(x, y, 920, y, color) + labelled(920, y, 200, "piezo, clamped (hit-sensor.svg)", color=color)


def _supply() -> list[str]:
    x, y = place(SUPPLY_PIN)
    shapes = line(x, y, 920, y, SUPPLY) + labelled(920, y, 200, "3V3: clamp, pull-ups, buzzer", color=SUPPLY)
    x2, y2 = place(AGND)
    ground = line(x2, y2, 920, y2, GROUND) + labelled(920, y2, 200, "AGND: piezo", color=GROUND)
    return [group(shapes, rail="3v3", pin=SUPPLY_PIN), group(ground, rail="agnd", pin=AGND)]


def all_drawings(pins: PinMap | None = None) -> dict[str, str]:
    """Every drawing by its file name."""
    pins = default_pins() if pins is None else pins
    return {
        "breadboard.svg": board_drawing(pins, soldered=False),
        "soldered.svg": board_drawing(pins, soldered=True),
        "hit-sensor.svg": hit_sensor(pins),
        "gun-cable.svg": labels.gun_cable(),
        "zone-labels.svg": labels.zone_labels(pins),
        "seat-cards.svg": labels.seat_cards(pins),
    }


def main() -> None:
    """Write them."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in all_drawings().items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
