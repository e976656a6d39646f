"""The stripboard: each contact with its four parts, the Pico on sockets; the cuts are computed from the netlist."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from firmware_protocol.board.pins import PinMap
from hardware_docs.bodies import Label, draw_part
from hardware_docs.circuit import (
    GROUND,
    PICO,
    SUPPLY,
    Circuit,
    Pin,
    circuit,
    contacts,
    number_of,
    pairs,
)
from hardware_docs.legend import legend
from hardware_docs.pico import AGND, SUPPLY_PIN, name_of, pin_of
from hardware_docs.svg import (
    COLORS,
    INK,
    QUIET,
    Point,
    box,
    color_of,
    dot,
    group,
    insulated,
    leg,
    page,
    text,
)

PITCH = 16.0
LEFT, TOP = 116.0, 112.0
ROWS, COLUMNS = 39, 62
WIDTH, HEIGHT = 1210, 824
SUPPLY_ROW, GROUND_ROW = 1, 39
# The Pico: pin 1 in this row, USB up, one header in each column.
PICO_ROW, LEFT_HEADER, RIGHT_HEADER = 8, 37, 44
# The columns of a contact's parts, from its terminal to the Pico. Two contacts share a ground strip, on which the lower
# one uses the next columns.
TERMINAL, TVS, SERIES, SHUNT, LINK, PULL_UP = 2, 5, (8, 13), 16, 20, (22, 27)
# First columns of the links that join the ground strips and the 3.3 V strips. Links alternate between two columns,
# because two of them meet on each strip.
GROUND_BUS, SUPPLY_BUS = 18, 28

Place = tuple[int, int]


@dataclass(slots=True)
class Layout:
    """The content of each hole: (row, column) -> net."""

    parts: Circuit
    legs: dict[str, dict[str, Place]] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    wires: list[tuple[str, list[tuple[float, float]]]] = field(default_factory=list)
    nets: dict[Place, str] = field(default_factory=dict)

    def put(self, name: str, label: Label, legs: dict[str, Place]) -> None:
        """Put a part's legs into holes."""
        self.legs[name] = legs
        self.labels[name] = label
        for pin, at in legs.items():
            # A pin without a net still needs a strip of its own.
            self._fill(at, self.parts.net_of.get(Pin(name, pin), f"{name}.{pin} open"))

    def link(
        self,
        net: str,
        start: Place,
        end: Place,
        bend: list[Place | tuple[float, float]] | None = None,
    ) -> None:
        """Lay an insulated wire from hole to hole, by way of places that may be between holes."""
        self.wires.append((net, [start, *(bend or []), end]))
        self._fill(start, net)
        self._fill(end, net)

    def _fill(self, at: Place, net: str) -> None:
        if at in self.nets:
            raise ValueError(
                f"two ends in the hole of row {at[0]}, column {at[1]}: {self.nets[at]} and {net}"
            )
        self.nets[at] = net

    def cuts(self) -> list[Place]:
        """Return where strips are cut: between neighbours on a strip that belong to different nets."""
        cuts: list[Place] = []
        for row in range(1, ROWS + 1):
            columns = sorted(column for used_row, column in self.nets if used_row == row)
            for left, right in itertools.pairwise(columns):
                if self.nets[row, left] != self.nets[row, right]:
                    if right - left < 2:
                        raise ValueError(
                            f"no room for a cut in row {row} between columns {left} and {right}"
                        )
                    cuts.append((row, self._free_between(row, left, right)))
        return cuts

    def _free_between(self, row: int, left: int, right: int) -> int:
        """Return the column of a cut: near the middle, where neither a part's body nor a wire hides it."""
        middle = (left + right) / 2
        choices = sorted(range(left + 1, right), key=lambda column: abs(column - middle))
        for column in choices:
            if not self._hidden(row, column):
                return column
        return choices[0]

    def _hidden(self, row: int, column: int) -> bool:
        for name, legs in self.legs.items():
            rows = [at[0] for at in legs.values()]
            columns = [at[1] for at in legs.values()]
            middle = (min(columns) + max(columns)) / 2
            if name != PICO and min(rows) <= row <= max(rows) and abs(column - middle) < 1.4:
                return True
        for _, path in self.wires:
            for start, end in itertools.pairwise(path):
                if _near(start, end, (row, column)):
                    return True
        return False


def _near(start: tuple[float, float], end: tuple[float, float], place: Place) -> bool:
    """Return whether a straight piece of wire passes over a hole."""
    low_row, high_row = sorted((start[0], end[0]))
    low_column, high_column = sorted((start[1], end[1]))
    return (
        low_row - 0.45 < place[0] < high_row + 0.45
        and low_column - 0.45 < place[1] < high_column + 0.45
    )


def spot(place: tuple[float, float]) -> Point:
    """Return the middle of a hole."""
    row, column = place
    return LEFT + (column - 1) * PITCH, TOP + (row - 1) * PITCH


def pico_place(pin: int) -> Place:
    """Return a pin's hole: 1 to 20 down the left header, 40 to 21 down the right one."""
    if pin <= 20:
        return PICO_ROW + pin - 1, LEFT_HEADER
    return PICO_ROW + 40 - pin, RIGHT_HEADER


def layout(pins: PinMap) -> Layout:
    """Return every part and link of the board, from which the cuts follow."""
    board = Layout(circuit(pins).soldered())
    board.put(PICO, Label(0, 0), {str(pin): pico_place(pin) for pin in range(1, 41)})
    _contacts(board, pins)
    _supplies(board, pins)
    if "R42" in board.parts.parts:
        _hit_sensor(board)
    if "R51" in board.parts.parts:
        _lamp(board, pins)
    if "BZ1" in board.parts.parts:
        _buzzer(board, pins)
    return board


def _contacts(board: Layout, pins: PinMap) -> None:
    for pair, names in enumerate(pairs(pins)):
        first = 3 + 6 * pair
        ground = first + 2
        poles = {"a": (first, TERMINAL), "gnd": (ground, TERMINAL)}
        if len(names) == 2:
            poles["b"] = (first + 4, TERMINAL)
        board.put(f"J{pair + 1}", Label(0, 0), poles)
        for row, name in zip((first, first + 4), names, strict=False):
            _contact(board, name, row, ground)
    down: list[tuple[int, Place, str]] = []
    up: list[tuple[int, Place, str]] = []
    for at, name in enumerate(contacts(pins)):
        row, place = _contact_row(at), pico_place(pin_of(pins.pin(name)))
        if place[0] > row:
            down.append((row, place, name))
        else:
            up.append((row, place, name))
    # The last link down gets the first lane, and so does the first link up: so they do not cross.
    for links in (down[::-1], up):
        for lane, (row, place, name) in enumerate(links):
            _contact_link(board, name, row, place, 30.5 + lane / 2)


def _contact_row(at: int) -> int:
    return 3 + 6 * (at // 2) + 4 * (at % 2)


def _contact(board: Layout, name: str, row: int, ground: int) -> None:
    number = number_of(name)
    aside = int(row > ground)
    board.put(
        f"D{number}", Label(-9, 4, "end"), {"1": (row, TVS + aside), "2": (ground, TVS + aside)}
    )
    board.put(f"R{20 + number}", Label(0, -8), {"1": (row, SERIES[1]), "2": (row, SERIES[0])})
    board.put(
        f"C{number}",
        Label(-10, 4, "end"),
        {"1": (row, SHUNT + aside), "2": (ground, SHUNT + aside)},
    )
    board.put(f"R{number}", Label(0, -8), {"1": (row, PULL_UP[1]), "2": (row, PULL_UP[0])})


def _contact_link(board: Layout, name: str, row: int, pin: Place, lane: float) -> None:
    """Link the contact's strip to its pin: below the pull-up, along a lane; to the right header round the Pico's
    foot."""
    start = [(row + 0.55, LINK + 0.6), (row + 0.55, lane)]
    if pin[1] == LEFT_HEADER:
        board.link(name, (row, LINK), (pin[0], LEFT_HEADER - 2), [*start, (pin[0], lane)])
        return
    below = PICO_ROW + 20 + (lane - 30) / 2
    aside = RIGHT_HEADER + 2 + (lane - 30) / 2
    bend = [*start, (below, lane), (below, aside), (pin[0], aside)]
    board.link(name, (row, LINK), (pin[0], RIGHT_HEADER + 1), bend)


def _supplies(board: Layout, pins: PinMap) -> None:
    rows = [_contact_row(at) for at in range(len(contacts(pins)))]
    chain = [SUPPLY_ROW, *rows]
    for at, (upper, lower) in enumerate(itertools.pairwise(chain)):
        board.link(SUPPLY, (upper, SUPPLY_BUS + at % 2), (lower, SUPPLY_BUS + at % 2))
    chain = [*(5 + 6 * pair for pair in range(len(pairs(pins)))), GROUND_ROW]
    for at, (upper, lower) in enumerate(itertools.pairwise(chain)):
        board.link(GROUND, (upper, GROUND_BUS + at % 2), (lower, GROUND_BUS + at % 2))
    (low, _), (height, _), (supply, _) = pico_place(3), pico_place(38), pico_place(SUPPLY_PIN)
    board.link(GROUND, (low, LEFT_HEADER - 1), (GROUND_ROW, LEFT_HEADER - 1))
    board.link(GROUND, (height, RIGHT_HEADER + 1), (GROUND_ROW, RIGHT_HEADER + 1))
    board.link(SUPPLY, (SUPPLY_ROW, RIGHT_HEADER + 3), (supply, RIGHT_HEADER + 3))


def _hit_sensor(board: Layout) -> None:
    adc = board.parts.pin_of_pico("hit-adc")
    row, (ground, _), (supply, _) = (
        pico_place(int(adc.name))[0],
        pico_place(AGND),
        pico_place(SUPPLY_PIN),
    )
    board.put("C41", Label(2, -25), {"1": (row, 47), "2": (ground, 47)})
    board.put("R43", Label(0, 18), {"1": (row, 52), "2": (row, 48)})
    board.put("D42", Label(-9, 4, "end"), {"A": (ground, 53), "K": (row, 53)})
    board.put("D41", Label(9, -20, "start"), {"A": (row, 54), "K": (supply, 54)})
    board.put("R42", Label(0, 18), {"1": (row, 59), "2": (row, 55)})
    board.put("R41", Label(-9, 4, "end"), {"1": (row, 60), "2": (ground, 60)})
    board.put("J7", Label(0, 0), {"a": (row, 62), "agnd": (ground, 62)})


def _from_pico(board: Layout, net: str, pin: int, end: Place, lane: float) -> None:
    """Link a pin of either header to a strip below the Pico; the lane is how far below."""
    row, header = pico_place(pin)
    if header == LEFT_HEADER:
        start = header - 1 - round(lane)
        board.link(
            net, (row, start), end, [(PICO_ROW + 20 + lane, start), (PICO_ROW + 20 + lane, end[1])]
        )
        return
    board.link(
        net, (row, header + 4), end, [(row + 1 + lane, header + 4), (row + 1 + lane, end[1])]
    )


def _lamp(board: Layout, pins: PinMap) -> None:
    _from_pico(board, "lamp", pin_of(pins.pin("lamp")), (31, 49), 1.6)
    board.put("R51", Label(0, -8), {"1": (31, 51), "2": (31, 56)})
    board.put("J8", Label(0, 0), {"a": (31, 62), "gnd": (33, 62)})
    # With a buzzer the nearer ground is its emitter's strip, which is linked to the lowest one.
    ground = 36 if "Q1" in board.parts.parts else GROUND_ROW
    board.link(GROUND, (33, 54), (ground, 54))


def _buzzer(board: Layout, pins: PinMap) -> None:
    _from_pico(board, "buzzer", pin_of(pins.pin("buzzer")), (37, 47), 0.8)
    board.put("R52", Label(0, -8), {"1": (37, 48), "2": (37, 52)})
    # The flat side is to the left; looking at it, E is on the left, as on a plastic 2N2222.
    board.put("Q1", Label(-24, -21, "end"), {"E": (36, 53), "B": (37, 53), "C": (38, 53)})
    board.link(GROUND, (36, 55), (GROUND_ROW, 55))
    board.put("D51", Label(-20, -37, "start"), {"A": (38, 56), "K": (35, 56)})
    board.put("BZ1", Label(0, -35), {"plus": (35, 60), "minus": (38, 60)})
    board.link(SUPPLY, (pico_place(SUPPLY_PIN)[0], RIGHT_HEADER + 2), (35, RIGHT_HEADER + 2))


def stripboard(pins: PinMap) -> str:
    """Return the drawing, seen from the parts' side."""
    board = layout(pins)
    cuts = board.cuts()
    content = [
        text(LEFT - 90, 36, "Table board on stripboard, from the parts' side", size=22, bold=True),
        text(
            LEFT - 90,
            58,
            f"For leads of up to 5 m. {ROWS} strips of {COLUMNS} holes (100 x 160 mm), {len(cuts)} cuts, "
            f"{len(board.wires)} links. Not yet built by anybody: confirmed.md",
        ),
        *_strips(),
        _pico(),
        *(cut_mark(spot(place)) for place in cuts),
        *(insulated([spot(at) for at in path], color_of(net)) for net, path in board.wires),
    ]
    for name, legs in board.legs.items():
        if name != PICO:
            spots = {pin: spot(at) for pin, at in legs.items()}
            content.append(draw_part(board.parts.parts[name], spots, board.labels[name]))
    content += _poles(board, pins)
    # The hit sensor's nets have strips and parts here, but no wire whose color the legend could explain.
    content += legend(
        LEFT - 90, HEIGHT - 20, [name for name in COLORS if name not in ("AGND", "piezo")]
    )
    content += [
        cut_mark((WIDTH - 240, HEIGHT - 20), "sample"),
        text(WIDTH - 228, HEIGHT - 16, "cut in the copper below", size=11.5),
    ]
    return page(WIDTH, HEIGHT, "The table board on stripboard", content)


def _strips() -> list[str]:
    width, height = (COLUMNS - 1) * PITCH, (ROWS - 1) * PITCH
    shapes = [box(LEFT - 26, TOP - 16, width + 42, height + 32, fill="#f3ead9", color="#a1916f")]
    for row in range(1, ROWS + 1):
        x, y = spot((row, 1))
        shapes.append(strip(y, "#ecd0a6"))
        for column in range(1, COLUMNS + 1):
            at = spot((row, column))
            shapes.append(
                f'<circle class="hole" cx="{at[0]:g}" cy="{at[1]:g}" r="1.9" fill="#a98f63"/>'
            )
        if row == 1 or row % 5 == 0:
            shapes.append(text(x - 10, y + 3.5, str(row), size=9.5, anchor="end", color=QUIET))
    for column in (1, *range(5, COLUMNS + 1, 5)):
        x, y = spot((1, column))
        shapes.append(text(x, y - 20, str(column), size=9.5, anchor="middle", color=QUIET))
    return shapes


def cut_mark(at: Point, kind: str = "cut") -> str:
    """Return a cut: the copper drilled away at a hole.

    The legend's sample has another class, so that tests do not count it.
    """
    x, y = at
    return (
        f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="6.5" fill="white" stroke="#c62828" stroke-width="1.6"/>'
        f'<path d="M{x - 3:g} {y - 3:g} l6 6 m0 -6 l-6 6" stroke="#c62828" stroke-width="1.4"/>'
    )


def _pico() -> str:
    x1, y1 = spot(pico_place(1))
    x2, y2 = spot(pico_place(21))
    shapes = f'<rect x="{x1 - 12:g}" y="{y1 - 16:g}" width="{x2 - x1 + 24:g}" height="{y2 - y1 + 32:g}" rx="4" '
    shapes += f'fill="#2e7d4f" fill-opacity="0.9" stroke="{INK}"/>'
    shapes += box((x1 + x2) / 2 - 18, y1 - 30, 36, 22, fill="#cfd3d7")
    shapes += text((x1 + x2) / 2, y1 - 15, "USB", size=10, anchor="middle")
    for pin in range(1, 41):
        at = spot(pico_place(pin))
        name = name_of(pin).removesuffix("(OUT)").replace("ADC_VREF", "VREF")
        anchor, away = ("start", 9) if pin <= 20 else ("end", -9)
        shapes += dot(*at, "#e0c068", 4.2)
        shapes += text(
            at[0] + away, at[1] + 3.5, name, size=9.5, anchor=anchor, color="white"
        ) + leg(at, str(pin))
    return group(shapes, part=PICO)


def _poles(board: Layout, pins: PinMap) -> list[str]:
    """Return the labels beside the terminals' poles."""
    labels: list[str] = []
    for number, names in enumerate(pairs(pins), start=1):
        for pole, at in board.legs[f"J{number}"].items():
            channel = {"a": names[0], "b": names[-1], "gnd": "GND"}[pole]
            x, y = spot(at)
            labels.append(
                text(x - 46, y + 4, channel, size=11, anchor="end", bold=pole != "gnd", color=INK)
            )
    for name, pole_labels in (
        ("J7", {"a": "piezo", "agnd": "AGND"}),
        ("J8", {"a": "lamp +", "gnd": "lamp -"}),
    ):
        for pole, at in board.legs.get(name, {}).items():
            x, y = spot(at)
            labels.append(text(x + 24, y + 4, pole_labels[pole], size=11, bold=True))
    return labels


def copper_side(pins: PinMap) -> str:
    """Return the cuts as seen while cutting: the board turned over, so column 1 is to the right."""
    cuts = layout(pins).cuts()
    remark = (
        f"{len(cuts)} cuts. Turned over left to right: column 1 is to the right. "
        "At the end of each row: its columns."
    )
    width, height = (COLUMNS - 1) * PITCH, (ROWS - 1) * PITCH
    content = [
        text(
            LEFT - 90, 36, "Where to cut: the stripboard from its copper side", size=22, bold=True
        ),
        text(LEFT - 90, 58, remark),
        box(LEFT - 16, TOP - 16, width + 32, height + 32, fill="#efe6d3", color="#a1916f"),
    ]
    for row in range(1, ROWS + 1):
        y = spot((row, 1))[1]
        content.append(strip(y, "#d9a066"))
        content += [dot(*turned((row, column)), "#8a6231", 1.9) for column in range(1, COLUMNS + 1)]
        columns = sorted((column for cut_row, column in cuts if cut_row == row), reverse=True)
        if columns:
            content.append(
                text(LEFT - 24, y + 4, f"row {row}", size=10.5, anchor="end", color=QUIET)
            )
            content.append(text(LEFT + width + 22, y + 4, ", ".join(map(str, columns)), size=10.5))
    for column in (1, *range(5, COLUMNS + 1, 5)):
        x, y = turned((1, column))
        content.append(text(x, y - 20, str(column), size=9.5, anchor="middle", color=QUIET))
    content += [cut_mark(turned(place)) for place in cuts]
    return page(WIDTH, HEIGHT - 60, "Where to cut the stripboard", content)


def turned(place: Place) -> Point:
    """Return a hole's place with the board turned over."""
    return spot((place[0], COLUMNS + 1 - place[1]))


def strip(y: float, color: str) -> str:
    """Return a strip of copper, as long as the board."""
    width = (COLUMNS - 1) * PITCH + 14
    return f'<rect x="{LEFT - 7:g}" y="{y - 5:g}" width="{width:g}" height="10" rx="3" fill="{color}"/>'
