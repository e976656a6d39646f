"""The session's settings on its board: sent, kept through resets, and reported if the board has others."""

from __future__ import annotations

from binascii import crc32

import pytest

from companion.link.dispatcher import TapeEvent
from companion.link.events import Configured
from companion.link.requests import CONFIG_TRIES, BoardSettings
from companion.link.settings import DEFAULTS, FIELDS, config_of, fields_of
from firmware_protocol.messages import Config, encode
from tests.link.dialogue import CONFIG, identified, only, outgoing, outgoing_until
from tests.link.fake_board import FakeBoard
from tests.link.threaded.fake_port import Cable
from tests.link.threaded.linked import linked
from tests.link.threaded.listening import Notebook

OURS, BOARDS = crc32(CONFIG.body()), crc32(DEFAULTS.body())


def test_settings_are_the_boards_own_defaults_where_nothing_else_is_said() -> None:
    assert config_of({}) == DEFAULTS
    assert config_of({"hit_threshold": 700}) == Config(8000, 300, 700, 5000, 30000)
    assert fields_of(DEFAULTS) == dict(zip(FIELDS, (8000, 300, 300, 5000, 30000), strict=True))


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"lock_us": 10}, "lock_us must be 5000 to 50000, not 10"),
        ({"volume": 3}, "a board has no setting volume"),
    ],
)
def test_settings_that_no_board_takes_are_refused_with_their_range(
    fields: dict[str, int], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        config_of(fields)


def test_a_session_without_settings_leaves_the_board_alone() -> None:
    settings = BoardSettings(None)
    assert settings.receive_crc(7, BOARDS, 0) is None
    assert settings.in_force is None


def test_what_the_board_has_is_told_once_for_each_change() -> None:
    settings = BoardSettings(CONFIG)
    assert settings.receive_crc(7, BOARDS, 0) == Configured(
        7, BOARDS, DEFAULTS, of_session=False, told=False
    )
    assert settings.receive_crc(7, BOARDS, 1) is None
    assert (settings.in_force, settings.retry.due_ns) == (False, 0)
    assert settings.receive_crc(7, OURS, 2) == Configured(
        7, OURS, CONFIG, of_session=True, told=True
    )
    assert (settings.in_force, settings.retry.running) == (True, False)
    assert settings.receive_crc(7, 1, 3) == Configured(7, 1, None, of_session=False, told=False)


def test_settings_that_are_changed_go_out_at_once_and_again_until_the_board_has_them() -> None:
    board = FakeBoard()
    session = identified(board, config=CONFIG)
    board.config_crc = OURS
    session.receive(encode(board.hello(), board.boot_id), 1)
    session.settings.change(DEFAULTS, 2)
    assert session.settings.in_force is False
    assert DEFAULTS in outgoing(session, 2)
    board.config_crc = BOARDS
    events = session.receive(encode(board.hello(), board.boot_id), 3)
    assert only(Configured, events) == [Configured(7, BOARDS, DEFAULTS, of_session=True, told=True)]
    assert DEFAULTS not in outgoing_until(session, 5_000_000_000)


def test_settings_changed_before_the_board_spoke_wait_for_it() -> None:
    settings = BoardSettings(CONFIG)
    settings.change(DEFAULTS, 0)
    assert not settings.retry.running
    settings.receive_crc(7, OURS, 1)
    assert settings.retry.running


def test_a_board_that_never_took_its_settings_is_told_anew_after_its_next_boot() -> None:
    settings = BoardSettings(CONFIG)
    settings.receive_crc(7, BOARDS, 0)
    tries = sum(settings.retry.take(now_s * 10**9) for now_s in range(60) if not settings.give_up())
    assert tries == CONFIG_TRIES
    assert settings.receive_crc(7, BOARDS, 61 * 10**9) is None
    assert not settings.retry.running
    settings.forget()
    settings.receive_crc(9, BOARDS, 62 * 10**9)
    assert settings.retry.running


def test_a_reset_of_the_board_costs_no_setting() -> None:
    cable, notebook = Cable(), Notebook()
    with linked("/dev/board", notebook, cable.open, config=CONFIG):
        notebook.wait(lambda: cable.board.config_crc == OURS)
        cable.power_cycle(9)
        notebook.wait(lambda: cable.board.boot_id == 9 and cable.board.config_crc == OURS)
        notebook.wait(
            lambda: (
                [configured.of_session for configured in notebook.configured]
                == [False, True, False, True]
            )
        )
        notebook.wait(lambda: notebook.statuses[-1].settings_in_force is True)


def test_settings_changed_while_the_link_is_live_reach_the_board_and_the_tape() -> None:
    cable, notebook = Cable(), Notebook()
    tape: list[tuple[TapeEvent, bytes]] = []
    with linked(
        "/dev/board",
        notebook,
        cable.open,
        config=CONFIG,
        tape=lambda did, _, data: tape.append((did, data)),
    ) as link:
        notebook.wait(lambda: cable.board.config_crc == OURS)
        link.configure(DEFAULTS)
        notebook.wait(lambda: cable.board.config_crc == BOARDS)
    assert [data for did, data in tape if did is TapeEvent.CONFIGURED] == [
        b"8000 300 900 3000 30000",
        b"8000 300 300 5000 30000",
    ]
