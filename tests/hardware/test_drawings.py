"""Drawings, labels and pages against the firmware's own pin map."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from firmware_protocol.board.pins import DEFAULT_PINS, default_pins, parse_pins
from firmware_protocol.board.settings import RANGES
from hardware_docs import drawings
from hardware_docs.circuit import Kind, circuit, drawn_pins
from hardware_docs.drawings import FOLDER, all_drawings
from hardware_docs.pico import AGND, GROUNDS, OTHERS, name_of, pin_of, wires
from tests.hardware.connectivity import breadboard_joins, stripboard_joins

SVG = "{http://www.w3.org/2000/svg}"
DOCS = FOLDER.parent


def groups(drawing: str, attribute: str) -> list[Xml.Element]:
    return [
        element
        for element in Xml.fromstring(drawing).iter(f"{SVG}g")
        if f"data-{attribute}" in element.attrib
    ]


def test_the_pinout_gives_every_edge_place_one_name() -> None:
    names = [name_of(pin) for pin in range(1, 41)]
    assert len([name for name in names if name.startswith("GP")]) == 26
    assert sorted(GROUNDS) == [pin for pin in range(1, 41) if name_of(pin) == "GND"]
    assert set(OTHERS) == {
        pin for pin in range(1, 41) if not name_of(pin).startswith(("GP", "GND"))
    }
    assert (pin_of(2), pin_of(22), pin_of(26), AGND) == (4, 29, 31, 33)
    with pytest.raises(ValueError, match="GP25 is on no pin"):
        pin_of(25)


@pytest.mark.parametrize("name", sorted(all_drawings()))
def test_what_lies_in_the_folder_is_what_the_script_makes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == all_drawings()[name], (
        "run python -m hardware_docs.drawings"
    )


def test_no_drawing_lies_in_the_folder_that_the_script_does_not_make() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(all_drawings())


def test_the_command_writes_missing_drawings_and_removes_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old.svg").write_text("", encoding="utf-8")
    monkeypatch.setattr(drawings, "FOLDER", tmp_path)
    drawings.main([])
    assert {
        path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()
    } == all_drawings()


def test_the_command_draws_the_wiring_of_a_pins_json_into_a_new_folder(tmp_path: Path) -> None:
    table = tmp_path / "pins.json"
    table.write_text('{"buzzer": null, "zone-1": {"pin": 22, "active": 0}}', encoding="utf-8")
    drawings.main([str(table), str(tmp_path / "mine")])
    drawing = (tmp_path / "mine" / "stripboard.svg").read_text(encoding="utf-8")
    assert (
        stripboard_joins(Xml.fromstring(drawing))
        == circuit(parse_pins(table.read_text())).soldered().joined()
    )
    with pytest.raises(SystemExit, match="a folder that does not exist yet"):
        drawings.main([str(table), str(tmp_path / "mine")])


def test_another_wiring_is_drawn_as_it_is() -> None:
    pins = parse_pins(
        '{"trigger": {"pin": 22}, "zone-10": null, "hit": {"pin": 21, "active": 1, "adc": 27}}'
    )
    drawing = Xml.fromstring(all_drawings(pins)["breadboard.svg"])
    assert breadboard_joins(drawing) == circuit(pins).bare().joined()
    parts = {
        element.attrib["data-part"]
        for element in groups(all_drawings(pins)["breadboard.svg"], "part")
    }
    assert "S11" in parts
    assert "S10" not in parts
    assert len(groups(all_drawings(pins)["seat-cards.svg"], "zone")) == 9


def test_no_words_of_a_card_run_over_its_edge() -> None:
    for name in ("zone-labels.svg", "seat-cards.svg"):
        for element in groups(all_drawings()[name], "zone"):
            edge = max(
                float(rect.attrib["x"]) + float(rect.attrib["width"])
                for rect in element.iter(f"{SVG}rect")
            )
            for words in element.iter(f"{SVG}text"):
                wide = len(words.text or "") * float(words.attrib["font-size"]) * 0.55
                start = float(words.attrib["x"]) - (
                    wide / 2 if words.attrib["text-anchor"] == "middle" else 0
                )
                assert start + wide <= edge, words.text


def test_the_pin_table_of_the_page_is_the_map() -> None:
    page = (DOCS / "pins.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `([a-z0-9-]+)`( \(analog\))? \| GP(\d+) \| (\d+) \| ([01-])", page, re.MULTILINE
    )
    expected = [
        (wire.channel, wire.role == "adc", wire.gpio, wire.pin)
        for wire in sorted(wires(default_pins()), key=str)
    ]
    wires_in_page = [
        (name, bool(analog), int(gpio), int(pin)) for name, analog, gpio, pin, _ in rows
    ]
    assert sorted(wires_in_page, key=str) == sorted(expected, key=str)
    active = {name: level for name, analog, _, _, level in rows if not analog}
    assert all(active[name] == str(row.get("active", 1)) for name, row in DEFAULT_PINS.items())


def test_every_link_of_the_pages_leads_somewhere() -> None:
    for page in sorted(DOCS.glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_pages_are_all_listed() -> None:
    listed = (DOCS / "README.md").read_text(encoding="utf-8")
    assert [
        page.name
        for page in DOCS.glob("*.md")
        if page.name != "README.md" and f"({page.name})" not in listed
    ] == []


def test_the_ranges_in_the_pages_are_the_firmwares() -> None:
    page = (Path(DOCS) / "calibrate.md").read_text(encoding="utf-8")
    for name, low, high in RANGES:
        assert f"| `{name}` | {low} to {high} |" in page


def test_the_small_parts_of_the_page_are_those_of_the_netlist() -> None:
    page = (DOCS / "parts.md").read_text(encoding="utf-8").split("counted from the drawings")[1]
    listed = {
        name: (int(bare), int(soldered))
        for name, bare, soldered in re.findall(
            r"^\| ([^|]+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE
        )
    }
    words = {
        "100": "100 ohm",
        "330": "330 ohm",
        "1k": "1 kohm",
        "4k7": "4.7 kohm",
        "100k": "100 kohm",
        "1n": "1 nF",
    }
    small = (Kind.RESISTOR, Kind.CAPACITOR, Kind.TVS, Kind.DIODE)
    netlist = circuit(drawn_pins())
    counts: list[Counter[str]] = []
    for build in (netlist.bare(), netlist.soldered()):
        values = [part.value for part in build.parts.values() if part.kind in small]
        counts.append(Counter(words.get(value, value) for value in values))
    assert listed == {name: (counts[0][name], counts[1][name]) for name in counts[0] | counts[1]}


def test_parts_that_need_no_hole_are_never_the_typical_choice() -> None:
    page = (DOCS / "parts.md").read_text(encoding="utf-8")
    for name in ("BAT54S", "PESD5V0S1BA", "SP0503"):
        shopping = page.split("## What the diodes do")[0].splitlines()
        for line in shopping:
            assert name not in line or "n an adapter board: " in line.split(name)[0], line


def test_what_another_board_lacks_of_the_default_map_follows_from_its_gpios() -> None:
    page = (DOCS / "boards.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([\d, -]+) \| ([^|]+) \|", page, re.MULTILINE)
    assert len(rows) >= 8
    for board, gpios, missing in rows:
        free: set[int] = set()
        for span in gpios.split(", "):
            first, _, last = span.partition("-")
            free |= set(range(int(first), int(last or first) + 1))
        # The page leaves the buzzer to the table of pins.
        lacking = {
            name
            for name, row in DEFAULT_PINS.items()
            if row["pin"] not in free and name != "buzzer"
        }
        named = set() if missing == "nothing" else set(missing.split(", "))
        assert named == lacking, board
        assert DEFAULT_PINS["hit"]["adc"] in free, board
