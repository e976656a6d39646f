"""Settings, cues, the keyboard, statistics and what the board cannot obey."""

from binascii import crc32

import pytest

from firmware_protocol.board import app
from firmware_protocol.board.app import MAX_NOTES, clip
from firmware_protocol.frames import encode_frame
from firmware_protocol.messages import (
    Arm,
    Config,
    Cue,
    CueDone,
    Hello,
    Log,
    Maintenance,
    Message,
    Ping,
    Stats,
    Who,
)
from tests.firmware_protocol.bench import BOOT, UID, Bench


def sent(bench: Bench, kind: type[Message]) -> list[Message]:
    return [message for message in bench.messages() if isinstance(message, kind)]


def hello_of(bench: Bench) -> Hello:
    hello = sent(bench, Hello)[-1]
    assert isinstance(hello, Hello)
    return hello


def test_hello_carries_the_chip_and_the_crc_of_the_default_settings() -> None:
    hello = hello_of(Bench())
    assert hello.uid == UID
    assert hello.config_crc == crc32(Config(8000, 300, 300, 5000, 30000).body())
    assert (hello.major, hello.stamp_error_us, hello.capabilities) == (1, 20, 63)
    assert [hello.error_us(channel.id) for channel in hello.channels] == [2, 20, *[2] * 10]


def test_config_is_applied_at_once_and_answered_by_hello_with_its_crc() -> None:
    bench = Bench()
    bench.frames()
    config = Config(20_000, 300, 300, 5000, 30000)
    bench.send(config)
    bench.run_ms(1)
    assert hello_of(bench).config_crc == crc32(config.body())
    bench.script([(0, "trigger", 1), (50_000, "trigger", 0)])
    bench.run_ms(65)
    assert len(bench.events()) == 1
    bench.run_ms(10)
    assert len(bench.events()) == 2


@pytest.mark.parametrize(
    "name", ["lock_us", "glitch_us", "hit_threshold", "hit_scan_us", "hit_mask_us"]
)
@pytest.mark.parametrize("value", [0, 0xFFFF])
def test_a_config_that_makes_no_sense_is_refused_as_a_whole_and_told(name: str, value: int) -> None:
    if value == 0 and name in ("glitch_us", "hit_threshold"):
        value = 5001
    bench = Bench()
    before = hello_of(bench).config_crc
    config = Config(20_000, 200, 500, 4000, 20_000)
    setattr(config, name, value)
    bench.send(config)
    bench.run_ms(1)
    hello, log = [message for message in bench.messages() if isinstance(message, (Hello, Log))]
    assert isinstance(hello, Hello)
    assert hello.config_crc == before
    assert isinstance(log, Log)
    assert log.data.decode().startswith(f"refused a CONFIG: {name} must be ")


def test_a_cue_switches_the_lamp_on_for_its_time_and_is_answered_with_its_stamp() -> None:
    bench = Bench()
    bench.send(Cue(9, 0, 200))
    bench.run_ms(2)
    (done,) = sent(bench, CueDone)
    assert isinstance(done, CueDone)
    assert done.id == 9
    assert 0 < done.t_us <= bench.world.now_us()
    assert bench.world.level("lamp") == 1
    bench.run_ms(210)
    assert bench.world.level("lamp") == 0


def test_a_lamp_does_not_stay_on_over_a_restart_or_the_end_of_the_firmware() -> None:
    bench = Bench()
    for leave in (bench.boot, bench.app.close):
        bench.send(Cue(9, 0, 60_000))
        bench.run_ms(2)
        assert bench.world.level("lamp") == 1
        leave()
        assert bench.world.level("lamp") == 0


def test_a_cue_for_an_output_that_is_not_there_is_told() -> None:
    bench = Bench()
    bench.send(Cue(9, 5, 200))
    bench.run_ms(2)
    assert sent(bench, Log) == [Log(b"CUE 9: there is no output 5")]


def test_a_frame_the_board_cannot_read_or_does_not_know_is_told() -> None:
    bench = Bench()
    bench.wire.inbox += encode_frame(Cue.KIND, BOOT, 0, b"x") + encode_frame(0x55, BOOT, 0, b"")
    bench.run_ms(2)
    texts = [message.data.decode() for message in sent(bench, Log) if isinstance(message, Log)]
    assert texts[0].startswith("ignored a frame: CUE: 1 bytes")
    assert "kind 0x55" in texts[1]


def test_an_echo_of_the_boards_own_frames_is_no_host() -> None:
    bench = Bench()
    bench.wire.inbox += bytes(bench.wire.written)
    bench.frames()
    bench.run_ms(10)
    assert bench.frames() == []


def test_lines_that_are_too_many_are_counted() -> None:
    bench = Bench()
    for number in range(MAX_NOTES + 3):
        bench.app.note(f"line {number}")
    bench.send(Who(), 0)
    bench.app.step()
    assert sent(bench, Log) == [Log(b"line 0")]
    bench.run_ms(20)
    texts = sent(bench, Log)
    assert len(texts) == MAX_NOTES
    assert texts[-1] == Log(b"3 more lines were lost")


def test_a_long_line_is_cut_between_two_characters() -> None:
    assert clip("x" * 239 + "é") == b"x" * 239
    assert clip("short") == b"short"


def test_statistics_come_every_ten_seconds_while_a_host_listens() -> None:
    bench = Bench()
    for _ in range(25):
        bench.send(Ping(1))
        bench.wire.inbox += b"noise\0"
        bench.run_ms(1000)
    stats = [message for message in sent(bench, Stats) if isinstance(message, Stats)]
    assert len(stats) == 3
    assert stats[-1].bad_frames == 20
    assert stats[-1].uptime_s == 20


def test_statistics_come_soon_after_arm_so_that_a_short_selftest_has_them() -> None:
    bench = Bench()
    bench.send(Who(), 0)
    bench.run_ms(1000)
    assert len(sent(bench, Stats)) == 1
    bench.send(Arm())
    bench.run_ms(100)
    assert len(sent(bench, Stats)) == 1


def test_the_longest_turn_is_one_of_the_game_and_not_the_start_or_the_collection_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    bench.world.advance(40_000)
    monkeypatch.setattr(app, "collect", lambda: bench.world.advance(11_000))
    bench.send(Who(), 0)
    bench.run_ms(20)
    bench.send(Arm())
    bench.run_ms(100)
    first = [message for message in sent(bench, Stats) if isinstance(message, Stats)][-1]
    assert first.longest_turn_us < 3_000
    bench.wire.stride_us = 7_000
    bench.run_ms(100)
    bench.wire.stride_us = 1_000
    bench.send(Ping(1))
    bench.run_ms(10_000)
    bench.send(Ping(2))
    bench.run_ms(100)
    later = [message for message in sent(bench, Stats) if isinstance(message, Stats)][-1]
    assert 7_000 <= later.longest_turn_us < 9_000


def test_free_memory_is_counted_after_a_collection_in_a_turn_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[tuple[str, int]] = []
    bench = Bench()

    def note(action: str, free: int) -> int:
        done.append((action, bench.world.now_us()))
        return free

    monkeypatch.setattr(app, "collect", lambda: note("collects", 0))
    monkeypatch.setattr(app, "mem_free", lambda: note("counts", 115_000))
    bench.send(Who(), 0)
    bench.run_ms(20)
    bench.send(Arm())
    bench.run_ms(100)
    stats = [message for message in sent(bench, Stats) if isinstance(message, Stats)][-1]
    assert [action for action, _ in done] == ["collects", "counts"]
    (_, collected_us), (_, counted_us) = done
    assert counted_us > collected_us
    assert stats.free_bytes == 115_000


def test_maintenance_ends_the_run() -> None:
    bench = Bench()
    bench.send(Maintenance())
    bench.run_ms(1)
    assert bench.app.maintenance
    bench.app.close()
    bench.script([(0, "trigger", 1)])
    bench.run_ms(20)
    assert bench.events() == []


def test_maintenance_for_another_boot_is_ignored() -> None:
    bench = Bench()
    bench.send(Maintenance(), BOOT + 1)
    bench.run_ms(1)
    assert not bench.app.maintenance
