"""The pin map: the default table and what a `pins.json` may say."""

import json
import re
from pathlib import Path

import pytest

from firmware_protocol.board.pins import INPUTS, OUTPUTS, default_pins, load_pins, parse_pins
from firmware_protocol.frames import MAX_BODY
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
    pins = parse_pins(
        '{"trigger": {"pin": 20, "active": 1}, "zone-10": null, "buzzer": null, "hit": {"pin": 3}}'
    )
    assert pins.pin("trigger") == 20
    assert pins.channels[0].active_level == 1
    assert "zone-10" not in pins
    assert pins.channels[-1].id == 10
    assert pins.outputs == ("lamp",)
    assert pins.adc("hit") is None


def test_a_hit_sensor_may_be_sampled_whatever_holds_its_pin() -> None:
    assert not default_pins().always_samples
    plain, named = parse_pins('{"hit": "always"}'), parse_pins('{"hit": {"adc": 27, "always": 1}}')
    assert (plain.pin("hit"), plain.adc("hit"), plain.channels) == (3, 26, default_pins().channels)
    assert plain.always_samples
    assert (named.adc("hit"), named.always_samples) == (27, True)
    assert not parse_pins('{"hit": {"adc": 27, "always": 0}}').always_samples
    assert not parse_pins('{"hit": null}').always_samples


def test_an_input_whose_pull_is_off_stays_pressed_when_it_is_let_go_of() -> None:
    bench = Bench(parse_pins('{"zone-1": {"pin": 4, "active": 1}}'))
    bench.machine.Pin.rests -= {2, 4}
    names = ("trigger", "zone-1", "zone-2")
    bench.script([(1_000 + at, name, 1 if at == 0 else 0) for name in names for at in (0, 60_000)])
    bench.run_ms(200)
    assert sorted((event.channel, event.flags & PRESSED) for event in bench.events()) == [
        (0, 1),
        (2, 1),
        (3, 0),
        (3, 1),
    ]


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
        (
            '{"hit": "sometimes"}',
            'hit must be null, "always" or an object such as {"pin": 2}, not "sometimes"',
        ),
        (
            '{"trigger": "always"}',
            'trigger must be null or an object such as {"pin": 2}, not "always"',
        ),
        ('{"trigger": {"pin": 2, "always": 1}}', 'trigger has no "always"'),
        ('{"hit": {"pin": 3, "always": 1}}', 'it has no "adc"'),
        ('{"hit": {"adc": 26, "always": true}}', '"always" of hit must be 0 or 1, not true'),
        ('{"nose": {"pin": 1}}', "names nose, which is no channel"),
        ('{"chip": {"mhz": 1000}}', 'chip must be null or {"mhz": 200}'),
        ('{"chip": {"mhz": true}}', 'chip must be null or {"mhz": 200}'),
        ('{"chip": {"pin": 2}}', 'chip must be null or {"mhz": 200}'),
        ('{"chip": 200}', 'chip must be null or {"mhz": 200}'),
        ('{"trigger": 5}', "trigger must be null or an object"),
        ('{"trigger": true}', "trigger must be null or an object"),
        ('{"trigger": {}}', 'trigger needs a "pin" from 0 to 28'),
        ('{"trigger": {"active": 0}}', 'trigger needs a "pin" from 0 to 28'),
        ('{"hit": {"active": 0}}', 'hit needs a "pin" from 0 to 28'),
        ('{"lamp": {"adc": 26}}', 'lamp has no "adc"'),
        ('{"trigger": {"pin": 2, "active": 2}}', "must be 0 or 1, not 2"),
        ('{"trigger": {"pin": 2, "active": true}}', "must be 0 or 1, not true"),
        ('{"trigger": {"pin": 2, "active": 0.0}}', "must be 0 or 1, not 0.0"),
        ('{"trigger": {"pin": 2, "active": null}}', "must be 0 or 1, not null"),
        (
            '{"hit": {"pin": 3, "adc": 5}}',
            "must be 26, 27 or 28, the pins that the ADC reads, not 5",
        ),
        (
            '{"hit": {"pin": 3, "adc": 29}}',
            "must be 26, 27 or 28, the pins that the ADC reads, not 29",
        ),
        ('{"hit": {"pin": 3, "adc": 26.0}}', "not 26.0"),
        ('{"hit": {"pin": 3, "adc": true}}', "not true"),
        ('{"hit": {"pin": 3, "adc": null}}', "not null"),
        ('{"trigger": {"pin": 20, "adc": 27}}', 'trigger has no "adc"; it has pin, active'),
        ('{"lamp": {"pin": 14, "active": 0}}', 'lamp has no "active"'),
        ('{"trigger": {"pin": 3}}', "GP3 is used by both hit and trigger"),
        ('{"lamp": {"pin": 26}}', "GP26 is used by both hit and lamp"),
        ('{"hit": {"pin": 26, "adc": 26}}', "GP26 is used by both hit and hit"),
    ],
)
def test_a_bad_pin_map_is_refused_with_one_sentence(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        parse_pins(text)


NO_PIN = [
    ("true", "must be a whole number such as 2, not true"),
    ("false", "must be a whole number such as 2, not false"),
    ("1.0", "must be a whole number such as 2, not 1.0"),
    ('"3"', 'must be a whole number such as 2, not "3"'),
    ('"GP3"', 'must be a whole number such as 2, not "GP3"'),
    ("null", "must be a whole number such as 2, not null"),
    ("[3]", "must be a whole number such as 2, not [3]"),
    ("{}", "must be a whole number such as 2, not {}"),
    ("-1", "cannot have GP-1: a Pico has GP0 to GP28"),
    ("30", "cannot have GP30: a Pico has GP0 to GP28"),
    ("47", "cannot have GP47: a Pico has GP0 to GP28"),
    ("1000000000000", "cannot have GP1000000000000: a Pico has GP0 to GP28"),
    ("23", "cannot have GP23: a Pico uses it for the mode of its supply"),
    ("24", "cannot have GP24: a Pico uses it for sensing USB power"),
    ("25", "cannot have GP25: a Pico uses it for the LED on the board"),
    ("29", "cannot have GP29: a Pico uses it for measuring VSYS"),
]


@pytest.mark.parametrize("name", ["trigger", "hit", "zone-10", "plug", "lamp", "buzzer"])
@pytest.mark.parametrize(("value", "why"), NO_PIN)
def test_what_is_no_pin_is_refused_for_each_name_with_the_reason(
    name: str, value: str, why: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(why)) as refused:
        parse_pins(f'{{"{name}": {{"pin": {value}}}}}')
    sentence = str(refused.value)
    assert name in sentence
    assert len(f"default pins in use: {sentence}") <= MAX_BODY, "it goes into one LOG"


def test_the_clock_is_a_row_that_takes_no_pin() -> None:
    fast = parse_pins('{"chip": {"mhz": 200}}')
    assert (fast.mhz, parse_pins('{"chip": null}').mhz, default_pins().mhz) == (200, 0, 0)
    assert fast.channels == default_pins().channels


def test_every_pin_on_the_edge_of_a_pico_may_be_used() -> None:
    on_the_edge = [*range(23), 26, 27, 28]
    others = dict.fromkeys((*INPUTS, *OUTPUTS))
    for gpio in on_the_edge:
        assert parse_pins(json.dumps({**others, "lamp": {"pin": gpio}})).pin("lamp") == gpio


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
