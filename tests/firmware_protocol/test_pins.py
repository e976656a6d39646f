"""The pin map: the default table and what a `pins.json` may say."""

from pathlib import Path

import pytest

from firmware_protocol.board.pins import default_pins, load_pins, parse_pins
from firmware_protocol.messages import PRESSED, ROLE_PLUG, Channel, Event
from tests.firmware_protocol.bench import Bench


def test_the_default_table_has_all_channels_with_their_numbers() -> None:
    pins = default_pins()
    assert [(channel.id, channel.name) for channel in pins.channels] == [
        (0, "trigger"),
        (1, "hit"),
        *[(zone + 1, f"zone-{zone}") for zone in range(1, 11)],
    ]
    assert pins.outputs == ("lamp", "buzzer")


def test_a_row_replaces_its_default_and_null_leaves_it_out() -> None:
    pins = parse_pins('{"trigger": {"pin": 20, "active": 1}, "zone-10": null, "buzzer": null, "hit": {"pin": 3}}')
    assert pins.pin("trigger") == 20
    assert pins.channels[0].active_level == 1
    assert "zone-10" not in pins
    assert pins.channels[-1].id == 10
    assert pins.outputs == ("lamp",)
    assert pins.adc("hit") is None


def test_the_guns_plug_is_a_contact_with_a_number_of_its_own_that_no_default_pin_has() -> None:
    pins = parse_pins('{"plug": {"pin": 22}}')
    assert pins.pin("plug") == 22
    assert pins.channels[-1] == Channel(12, ROLE_PLUG, 0, 0)
    bench = Bench(pins)
    bench.script([(1_000, "plug", 1), (60_000, "plug", 0)])
    bench.run_ms(100)
    edges = [message for _, message in bench.stored() if isinstance(message, Event)]
    assert [(edge.channel, edge.flags & PRESSED) for edge in edges] == [(12, PRESSED), (12, 0)]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[]", "must be an object"),
        ('{"nose": {"pin": 1}}', "names nose, which is no channel"),
        ('{"trigger": {"pin": 31}}', "trigger needs a"),
        ('{"trigger": 5}', "trigger needs a"),
        ('{"trigger": {"pin": 2, "active": 2}}', "must be 0 or 1"),
        ('{"hit": {"pin": 3, "adc": 5}}', "must be 26, 27 or 28"),
        ('{"trigger": {"pin": 20, "adc": 27}}', 'trigger has no "adc"; it has pin, active'),
        ('{"lamp": {"pin": 14, "active": 0}}', 'lamp has no "active"'),
        ('{"trigger": {"pin": 3}}', "GP3 is used by both hit and trigger"),
    ],
)
def test_a_bad_pin_map_is_refused_with_one_sentence(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_pins(text)


def test_a_missing_file_means_the_default_and_a_bad_one_says_so(tmp_path: Path) -> None:
    file = tmp_path / "pins.json"
    pins, note = load_pins(str(file))
    assert (pins.pin("trigger"), note) == (2, "")
    file.write_text('{"trigger": {"pin": 22}}')
    assert load_pins(str(file))[0].pin("trigger") == 22
    file.write_text("rubbish")
    pins, note = load_pins(str(file))
    assert pins.pin("trigger") == 2
    assert note.startswith("default pins in use: pins.json is not JSON")
