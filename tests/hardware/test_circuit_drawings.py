"""Each wiring drawing, read back from its geometry, is the netlist."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from hardware_docs.breadboard import breadboard
from hardware_docs.circuit import circuit, drawn_pins
from tests.hardware.connectivity import breadboard_joins


def test_the_breadboard_joins_what_the_netlist_joins() -> None:
    pins = drawn_pins()
    assert breadboard_joins(Xml.fromstring(breadboard(pins))) == circuit(pins).bare().joined()
