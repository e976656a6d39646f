"""What the host knows of a board's inputs is one table: a new kind is a row."""

from __future__ import annotations

import pytest

from companion.board.asking import AskingPace, calibration_steps, selftest_steps
from companion.link.evidence import Evidence
from companion.session.accessories import status_news
from firmware_protocol import channels
from firmware_protocol.board.pins import INPUTS, parse_pins
from firmware_protocol.channels import KINDS, OTHER, ChannelKind, called, kind_named, kind_of
from firmware_protocol.messages import PRESSED, ROLE_ZONE, Channel, Event, Hello


def test_every_input_of_a_board_has_a_row() -> None:
    pins = parse_pins('{"plug": {"pin": 1, "active": 0}}')
    assert [channel.name for channel in pins.channels] == list(INPUTS)
    assert all(kind_of(channel) in KINDS for channel in pins.channels)
    assert {kind_of(channel) for channel in pins.channels} == set(KINDS)


def test_a_row_is_found_by_the_name_that_the_record_has() -> None:
    for channel in parse_pins('{"plug": {"pin": 1, "active": 0}}').channels:
        assert kind_named(channel.name) is kind_of(channel)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("trigger", "the trigger"),
        ("hit", "the hit sensor"),
        ("zone-10", "zone 10"),
        ("plug", "the contact of the gun's plug"),
        ("channel-9", "channel 9"),
    ],
)
def test_people_call_an_input_by_its_words(name: str, words: str) -> None:
    assert called(name) == words


@pytest.mark.parametrize(
    "name", ["", "zone", "zone-", "zone-0", "zone-123", "zone-1x", "zone-٣", "trigger-1", "lamp"]
)
def test_what_no_board_calls_an_input_has_no_row(name: str) -> None:
    assert kind_named(name) is None


def test_an_input_of_a_newer_board_is_a_contact_that_people_press() -> None:
    assert kind_of(Channel(13, 77, 0, 0)) is OTHER


def test_a_new_kind_of_input_is_one_row_for_everything_that_the_host_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lid = ChannelKind(
        role=77,
        called="the lid",
        status=True,
        closed="The lid is closed.",
        open="The lid is open.",
    )
    monkeypatch.setitem(channels._BY_ROLE, 77, lid)
    monkeypatch.setitem(channels._BY_NAME, "channel", lid)
    inputs = (Channel(2, ROLE_ZONE, 1, 0), Channel(13, 77, 0, 0))
    hello = Hello(1, 0, 1, 0, 0, 0, 2, 1, 1, 100, channels=inputs)
    asked = [step.channel for step in selftest_steps(hello, AskingPace(), press=True)]
    asked += [step.channel for step in calibration_steps(hello, AskingPace())]
    assert inputs[0] in asked
    assert inputs[1] not in asked
    opened = Evidence(1, 1, 1, Event(13, 0, 1, 0, 0), 0)
    closed = Evidence(1, 1, 2, Event(13, PRESSED, 1, 0, 0), 0)
    assert kind_of(inputs[1]) is lid
    monkeypatch.setattr("companion.session.accessories.kind_named", {"lid": lid}.get)
    assert status_news(opened, {13: "lid"}) == ("The lid is open.", True)
    assert status_news(closed, {13: "lid"}) == ("The lid is closed.", False)
    assert status_news(closed, {13: "lid"}, muted={"lid"}) is None
