"""The packaged input profiles, and the possible fields of a profile."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.board.inputs import inputs, lines
from companion.cli import main
from companion.config.reading import preferences
from companion.errors import CommandError
from companion.link.usb_ports import restarting
from firmware_protocol.virtual.physics import CONTACTS


def test_the_devices_of_boards_that_restart_are_four_hex_digits_or_twice_four() -> None:
    assert all(re.fullmatch("[0-9a-f]{4}(:[0-9a-f]{4})?", device) for device in restarting())


def test_the_inputs_are_keys_channels_or_none() -> None:
    known = inputs()
    assert set(known) == {"keyboard", "numeric-pad", "ten-buttons", "none"}
    assert set(known["ten-buttons"].zones) <= set(CONTACTS)
    assert all(len(key) == 1 for name in ("keyboard", "numeric-pad") for key in known[name].zones)
    for name, profile in known.items():
        assert profile.kind in ("keys", "channels", "none"), name
        assert len(set(profile.zones)) == len(profile.zones) <= 10, name
        assert bool(profile.zones) == (profile.kind != "none"), name


@pytest.mark.parametrize("name", ["keyboard", "numeric-pad", "ten-buttons", "none"])
def test_an_input_profile_gives_a_settings_file_that_every_game_takes(
    name: str, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text("\n".join(lines(name)), encoding="utf-8")
    assert main(["config", "validate", str(file)]) == 0
    keys = preferences(path=file).keys
    if name == "numeric-pad":
        assert [keys[f"panic-fire.draw.{number}"] for number in (1, 3)] == [("7",), ("9",)]
        assert [keys[f"{game}.1"] for game in ("sky-rise.zone", "skyfire.place")] == [("7",)] * 2
    else:
        assert keys == {}


def test_a_profile_that_is_not_there_is_said_with_those_that_are() -> None:
    with pytest.raises(CommandError, match="keyboard, numeric-pad, ten-buttons, none"):
        list(lines("mouse"))
    listed = list(lines(None))
    assert (len(listed), listed[-1]) == (4, "none         no zones, the keys of the game")
