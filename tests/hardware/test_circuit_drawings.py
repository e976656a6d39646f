"""Each wiring drawing, read back from its geometry, joins exactly what the netlist joins; a wrong one does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import combinations, pairwise
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given, settings, strategies as st

from firmware_protocol.board.pins import DEFAULT_PINS, PinMap, default_pins
from hardware_docs.circuit import (
    AT_THE_END_OF_A_LEAD,
    GROUND,
    PICO,
    SENSE_LINE,
    SUPPLY,
    Circuit,
    Kind,
    Pin,
    Use,
    circuit,
    contacts,
    drawn_pins,
    lead_of,
)
from hardware_docs.drawings import FOLDER, all_drawings
from hardware_docs.pico import wires
from hardware_docs.stripboard import COLUMNS, LEFT, PITCH
from hardware_docs.svg import INK
from tests.hardware.connectivity import (
    SVG,
    Joined,
    Spot,
    WrongDrawingError,
    breadboard_joins,
    breadboard_spots,
    circles,
    legs,
    lines,
    sheet_joins,
    spot,
    stripboard_joins,
    stripboard_spots,
)
from tests.thorough import examples

Joins = set[frozenset[Pin]]
Box = tuple[float, float, float, float]
SHEETS = ("schematic-pico.svg", "schematic-contacts.svg", "schematic-hit-sensor.svg")
# The buzzer's pin is on the other side of the Pico with the second map.
MAPS = {
    "default": drawn_pins(),
    "buzzer GP15": drawn_pins(DEFAULT_PINS | {"buzzer": {"pin": 15}}),
    "buzzer GP16": drawn_pins(DEFAULT_PINS | {"buzzer": {"pin": 16}}),
}


def parsed(name: str, pins: PinMap | None = None) -> Xml.Element:
    return Xml.fromstring(all_drawings(pins)[name])


def whole_schematic(pins: PinMap | None = None) -> list[Xml.Element]:
    return [parsed(name, pins) for name in SHEETS]


def without_cable(pins: PinMap) -> Circuit:
    return circuit(pins).only(*(use for use in Use if use is not Use.CABLE))


def in_the_cable(drawing: Xml.Element, pins: PinMap) -> Joins:
    """Return what the netlist joins among the pins that the cable's drawing shows."""
    visible = legs(drawing).keys()
    return {frozenset(net & visible) for net in circuit(pins).joined() if len(net & visible) > 1}


@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_the_breadboard_joins_what_the_netlist_joins(pins: PinMap) -> None:
    drawing = parsed("breadboard.svg", pins)
    assert breadboard_joins(drawing) == circuit(pins).bare().joined()
    assert {pin.part for pin in legs(drawing)} == set(circuit(pins).bare().parts)


@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_the_stripboard_joins_what_the_netlist_joins(pins: PinMap) -> None:
    drawing = parsed("stripboard.svg", pins)
    assert stripboard_joins(drawing) == circuit(pins).soldered().joined()
    assert {pin.part for pin in legs(drawing)} == set(circuit(pins).soldered().parts)


@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_the_schematic_joins_what_the_netlist_joins(pins: PinMap) -> None:
    sheets = whole_schematic(pins)
    assert sheet_joins(sheets) == without_cable(pins).joined()
    assert {pin.part for sheet in sheets for pin in legs(sheet)} == set(without_cable(pins).parts)


LEFT_OUT = st.sets(st.sampled_from([*DEFAULT_PINS, *SENSE_LINE]), max_size=5)


@given(st.permutations(range(23)), st.sampled_from((26, 27, 28)), LEFT_OUT)
@settings(max_examples=examples(10, 200), deadline=None)
def test_any_wiring_is_drawn_as_its_netlist_joins_it(
    gpios: list[int], adc: int, left_out: set[str]
) -> None:
    table = {}
    for name, gpio in zip([*DEFAULT_PINS, *SENSE_LINE], gpios, strict=False):
        if name not in left_out:
            table[name] = {"pin": gpio}
    if "hit" in table:
        table["hit"]["adc"] = adc
    pins = PinMap(table)
    drawn, netlist = all_drawings(pins), circuit(pins)
    assert breadboard_joins(Xml.fromstring(drawn["breadboard.svg"])) == netlist.bare().joined()
    assert stripboard_joins(Xml.fromstring(drawn["stripboard.svg"])) == netlist.soldered().joined()
    assert (
        sheet_joins(Xml.fromstring(drawn[name]) for name in SHEETS) == without_cable(pins).joined()
    )


def test_the_cable_joins_what_the_netlist_joins_and_the_screen_at_one_end_only() -> None:
    drawing, pins = parsed("gun-cable.svg"), drawn_pins()
    joins = sheet_joins([drawing])
    assert joins == in_the_cable(drawing, pins)
    assert {pin.part for pin in legs(drawing)} >= {"X1", "SCR", "S11", "S12", "PZ1", "J7"}
    assert all(Pin("SCR", "gun") not in net for net in joins)
    assert any({Pin("SCR", "plug"), Pin("J7", "agnd")} <= net for net in joins)


def test_the_netlist_wires_each_row_of_the_firmwares_pin_table_to_its_pin() -> None:
    pins = default_pins()
    netlist = circuit(drawn_pins())
    nets = {wire.pin: "hit-adc" if wire.role == "adc" else wire.channel for wire in wires(pins)}
    sense = {
        pin: net for pin, net in netlist.net_of.items() if net in SENSE_LINE and pin.part == PICO
    }
    used = {
        int(pin.name): net
        for pin, net in netlist.net_of.items()
        if pin.part == PICO and pin not in sense
    }
    assert {pin: net for pin, net in used.items() if net not in (GROUND, SUPPLY, "AGND")} == nets
    assert list(sense) == [Pin(PICO, "2")]


def test_a_contact_pulls_its_pin_up_and_closes_it_to_ground_with_nothing_but_100_ohm_between() -> (
    None
):
    netlist = circuit(drawn_pins())
    nets = {
        frozenset((netlist.net_of[one], netlist.net_of[second])): netlist.parts[one.part]
        for one, second in two_legged(netlist)
    }
    for name in contacts(drawn_pins()):
        lead = lead_of(name)
        assert nets[frozenset((name, SUPPLY))].value == "4k7"
        assert nets[frozenset((name, GROUND))].kind is Kind.CAPACITOR
        assert nets[frozenset((name, lead))].value == "100"
        ends = [
            (one, {netlist.net_of[one], netlist.net_of[second]})
            for one, second in two_legged(netlist)
        ]
        across = {
            netlist.parts[one.part].kind for one, nets_of_it in ends if nets_of_it == {lead, GROUND}
        }
        assert across == {Kind.TVS, Kind.SWITCH}


def two_legged(netlist: Circuit) -> Iterator[tuple[Pin, Pin]]:
    for part in netlist.parts.values():
        if len(part.pins) == 2 and all(Pin(part.name, pin) in netlist.net_of for pin in part.pins):
            yield Pin(part.name, part.pins[0]), Pin(part.name, part.pins[1])


def test_the_sense_line_is_where_the_page_of_the_gun_puts_it() -> None:
    page = (FOLDER.parent / "gun.md").read_text(encoding="utf-8")
    assert '{"plug": {"pin": 1, "active": 0}}' in page
    assert SENSE_LINE == {"plug": {"pin": 1, "active": 0}}


def test_the_copper_side_shows_the_cuts_of_the_parts_side_turned_over() -> None:
    width = 2 * LEFT + (COLUMNS - 1) * PITCH
    turned = {spot(width - x, y) for x, y in circles(parsed("stripboard-cuts.svg"), "cut")}
    assert turned == set(circles(parsed("stripboard.svg"), "cut"))


# Mutants: each is a mistake that somebody could draw; the comparison has to notice every one.


def is_the_netlist(
    reads: Callable[[Xml.Element], Joins], drawing: Xml.Element, wanted: Joins
) -> bool:
    try:
        return reads(drawing) == wanted
    except WrongDrawingError:
        return False


def moved_ends(
    drawing: Xml.Element, spots: Joined, step: Spot
) -> Iterator[tuple[str, Xml.Element]]:
    """Yield the drawing with one end of one wire moved, for each end of each wire, unless the net stays the same."""
    for at, wire in enumerate(lines(drawing, "wire")):
        for end in (0, -1):
            corners = list(wire)
            corners[end] = spot(wire[end][0] + step[0], wire[end][1] + step[1])
            if spots.root(corners[end]) == spots.root(wire[end]):
                continue
            mutant = deepcopy(drawing)
            path = [one for one in mutant.iter(f"{SVG}path") if one.attrib.get("class") == "wire"][
                at
            ]
            path.attrib["d"] = "M" + " L".join(f"{x:g} {y:g}" for x, y in corners)
            yield f"wire {wire[0]} to {wire[-1]}", mutant


def moved_legs(
    drawing: Xml.Element, spots: Joined, step: Spot, netlist: Circuit
) -> Iterator[tuple[str, Xml.Element]]:
    """Yield the drawing with one leg of one part moved, unless the leg is open or the net stays the same."""
    for pin, old in legs(drawing).items():
        new = spot(old[0] + step[0], old[1] + step[1])
        if pin not in netlist.net_of or spots.root(new) == spots.root(old):
            continue
        mutant = deepcopy(drawing)
        owners = [one for one in mutant.iter(f"{SVG}g") if one.attrib.get("data-part") == pin.part]
        for part in owners:
            for one in part.iter(f"{SVG}circle"):
                if one.attrib.get("data-pin") == pin.name:
                    one.attrib |= {"cx": str(new[0]), "cy": str(new[1])}
        yield f"{pin}", mutant


def without_one(drawing: Xml.Element, kind: str) -> Iterator[tuple[str, Xml.Element]]:
    count = sum(1 for element in drawing.iter() if element.attrib.get("class") == kind)
    for at in range(count):
        mutant = deepcopy(drawing)
        candidates = [
            (parent, element)
            for parent in mutant.iter()
            for element in parent
            if element.attrib.get("class") == kind
        ]
        parent, removed = candidates[at]
        parent.remove(removed)
        yield f"{kind} {removed.attrib}", mutant


def unnoticed(
    mutants: Iterable[tuple[str, Xml.Element]], reads: Callable[[Xml.Element], Joins], wanted: Joins
) -> list[str]:
    return [name for name, mutant in mutants if is_the_netlist(reads, mutant, wanted)]


@pytest.mark.parametrize("step", [(PITCH, 0.0), (-PITCH, 0.0)], ids=["right", "left"])
def test_a_wire_or_leg_of_the_breadboard_moved_by_one_hole_is_noticed(step: Spot) -> None:
    drawing, netlist = parsed("breadboard.svg"), circuit(drawn_pins()).bare()
    spots = breadboard_spots(drawing)
    mutants = [*moved_ends(drawing, spots, step), *moved_legs(drawing, spots, step, netlist)]
    assert len(mutants) > 100
    assert unnoticed(mutants, breadboard_joins, netlist.joined()) == []


@pytest.mark.parametrize("step", [(0.0, PITCH), (0.0, -PITCH)], ids=["down", "up"])
def test_a_wire_or_leg_of_the_stripboard_moved_by_one_hole_is_noticed(step: Spot) -> None:
    drawing, netlist = parsed("stripboard.svg"), circuit(drawn_pins()).soldered()
    spots = stripboard_spots(drawing)
    mutants = [*moved_ends(drawing, spots, step), *moved_legs(drawing, spots, step, netlist)]
    assert len(mutants) > 200
    assert unnoticed(mutants, stripboard_joins, netlist.joined()) == []


def test_a_missing_cut_or_link_of_the_stripboard_is_noticed() -> None:
    drawing, wanted = parsed("stripboard.svg"), circuit(drawn_pins()).soldered().joined()
    assert len(circles(drawing, "cut")) > 50
    assert unnoticed(without_one(drawing, "cut"), stripboard_joins, wanted) == []
    # Ground has two ways to the Pico, by its pins 3 and 38 in one strip: one link of them may be missing.
    survivors = unnoticed(without_one(drawing, "wire"), stripboard_joins, wanted)
    assert len(survivors) == 2
    assert all(INK in name for name in survivors)


def test_a_missing_wire_of_the_breadboard_is_noticed() -> None:
    drawing, wanted = parsed("breadboard.svg"), circuit(drawn_pins()).bare().joined()
    assert unnoticed(without_one(drawing, "wire"), breadboard_joins, wanted) == []


@pytest.mark.parametrize("name", ["breadboard.svg", "stripboard.svg"])
def test_the_picos_pins_are_a_header_of_twice_twenty_in_the_order_of_its_data_sheet(
    name: str,
) -> None:
    """Seen from above with the USB plug at the top, 1 to 20 go down on the left and 21 to 40 up on the right."""
    at = {int(pin.name): place for pin, place in legs(parsed(name)).items() if pin.part == PICO}
    (x1, y1), (x20, y20), (x40, y40) = at[1], at[20], at[40]
    down = ((x20 - x1) / 19, (y20 - y1) / 19)
    across = ((x40 - x1) / 7, (y40 - y1) / 7)
    # A quarter turn to the left leads from "down the left side" to "across to the right side".
    assert sorted(map(abs, down)) == [0.0, PITCH]
    assert across == (down[1], -down[0])
    for pin in range(1, 21):
        left = spot(x1 + (pin - 1) * down[0], y1 + (pin - 1) * down[1])
        assert at[pin] == left
        assert at[41 - pin] == spot(left[0] + 7 * across[0], left[1] + 7 * across[1])


def test_a_missing_line_or_dot_or_name_of_the_schematic_is_noticed() -> None:
    sheets, wanted = whole_schematic(), without_cable(drawn_pins()).joined()
    for place, sheet in enumerate(sheets):

        def reads(mutant: Xml.Element, place: int = place) -> Joins:
            return sheet_joins([*sheets[:place], mutant, *sheets[place + 1 :]])

        for kind in ("net", "joint", "tag"):
            assert unnoticed(without_one(sheet, kind), reads, wanted) == []


def test_parts_drawn_in_series_instead_of_to_their_rails_are_noticed() -> None:
    """Pull-up, capacitor, resistor and TVS one after the other to the terminal: no contact works."""
    pins = drawn_pins()
    wrong, right = circuit(pins), without_cable(pins).joined()
    chain = ["zone-1", "after R1", "after C1", "after R21", lead_of("zone-1")]
    for part, one, second in zip(("R1", "C1", "R21", "D1"), chain, chain[1:], strict=False):
        wrong.net_of[Pin(part, "1")], wrong.net_of[Pin(part, "2")] = one, second
    assert wrong.only(*(use for use in Use if use is not Use.CABLE)).joined() != right


def test_a_screen_joined_at_both_ends_is_noticed() -> None:
    drawing, pins = parsed("gun-cable.svg"), drawn_pins()
    at = legs(drawing)
    x, y = at[Pin("SCR", "gun")]
    rim = at[Pin("PZ1", "rim")]
    Xml.SubElement(
        drawing, f"{SVG}path", {"class": "net", "d": f"M{x} {y} L{rim[0]} {y} L{rim[0]} {rim[1]}"}
    )
    Xml.SubElement(
        drawing, f"{SVG}circle", {"class": "joint", "cx": str(rim[0]), "cy": str(rim[1])}
    )
    assert not is_the_netlist(lambda one: sheet_joins([one]), drawing, in_the_cable(drawing, pins))


# How they look.


def words_of(drawing: Xml.Element) -> Iterator[tuple[str, Box]]:
    """Yield each upright text with the box it fills, by the widths of a common sans-serif."""
    turns = [one for one in drawing.iter(f"{SVG}g") if "rotate" in one.attrib.get("transform", "")]
    turned = {words for one in turns for words in one.iter(f"{SVG}text")}
    for one in drawing.iter(f"{SVG}text"):
        if one in turned or not one.text:
            continue
        size = float(one.attrib["font-size"])
        narrow = sum(letter in "iljtf.,:;|'()[] I" for letter in one.text)
        wide = (0.29 * narrow + 0.57 * (len(one.text) - narrow)) * size
        if "font-weight" in one.attrib:
            wide *= 1.06
        x, y = float(one.attrib["x"]), float(one.attrib["y"])
        x -= {"start": 0.0, "middle": wide / 2, "end": wide}[one.attrib["text-anchor"]]
        yield one.text, (x, y - 0.75 * size, x + wide, y + 0.1 * size)


def overlap(first: Box, second: Box) -> bool:
    return (
        first[0] < second[2]
        and second[0] < first[2]
        and first[1] < second[3]
        and second[1] < first[3]
    )


@pytest.mark.parametrize(
    "name", sorted(set(all_drawings()) - {"zone-labels.svg", "seat-cards.svg"})
)
@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_no_words_overlap_or_leave_the_page(name: str, pins: PinMap) -> None:
    drawing = parsed(name, pins)
    placed = list(words_of(drawing))
    wide, high = (float(drawing.attrib[key]) for key in ("width", "height"))
    assert [
        label for label, (x1, y1, x2, y2) in placed if x1 < 0 or y1 < 0 or x2 > wide or y2 > high
    ] == []
    assert [
        (one, second) for (one, a), (second, b) in combinations(placed, 2) if overlap(a, b)
    ] == []


def overlapping(first: list[Spot], second: list[Spot]) -> bool:
    """Return true if two wires run along each other: straight pieces on one line, for more than a hole's width."""
    for (x1, y1), (x2, y2) in pairwise(first):
        for (x3, y3), (x4, y4) in pairwise(second):
            if (
                x1 == x2 == x3 == x4
                and min(max(y1, y2), max(y3, y4)) - max(min(y1, y2), min(y3, y4)) > 4
            ):
                return True
            if (
                y1 == y2 == y3 == y4
                and min(max(x1, x2), max(x3, x4)) - max(min(x1, x2), min(x3, x4)) > 4
            ):
                return True
    return False


@pytest.mark.parametrize(
    "name", sorted(set(all_drawings()) - {"zone-labels.svg", "seat-cards.svg"})
)
@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_no_wire_runs_along_another(name: str, pins: PinMap) -> None:
    drawing = parsed(name, pins)
    wires = [*lines(drawing, "wire"), *lines(drawing, "net")]
    assert [
        (one[0], second[0]) for one, second in combinations(wires, 2) if overlapping(one, second)
    ] == []


@pytest.mark.parametrize("pins", MAPS.values(), ids=MAPS)
def test_no_cut_of_the_stripboard_is_hidden_by_a_link(pins: PinMap) -> None:
    drawing = parsed("stripboard.svg", pins)
    for x, y in circles(drawing, "cut"):
        for wire in lines(drawing, "wire"):
            for (x1, y1), (x2, y2) in pairwise(wire):
                beside = (
                    x < min(x1, x2) - 5
                    or x > max(x1, x2) + 5
                    or y < min(y1, y2) - 5
                    or y > max(y1, y2) + 5
                )
                assert beside or (x1 != x2 and y1 != y2), (x, y, wire)


def test_words_are_large_enough_to_be_read_at_the_width_of_a_page() -> None:
    for name, drawing in all_drawings().items():
        if name not in ("zone-labels.svg", "seat-cards.svg"):
            sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', drawing)]
            assert min(sizes) >= 9.5, name


def test_every_color_of_a_wire_is_in_the_legend() -> None:
    for name in ("breadboard.svg", "stripboard.svg"):
        drawing = parsed(name)
        used = {
            one.attrib["stroke"]
            for one in drawing.iter(f"{SVG}path")
            if one.attrib.get("class") == "wire"
        }
        samples = {
            one.attrib["stroke"]
            for one in drawing.iter(f"{SVG}path")
            if one.attrib.get("stroke-width") == "4"
        }
        assert used <= samples, name


def test_what_is_at_the_end_of_a_lead_is_not_on_the_soldered_board() -> None:
    assert {part.kind for part in circuit(drawn_pins()).soldered().parts.values()} & set(
        AT_THE_END_OF_A_LEAD
    ) == set()
