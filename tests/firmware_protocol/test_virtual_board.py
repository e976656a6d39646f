"""The virtual board end to end: the real firmware in its own process, through a port, to a raw host."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from firmware_protocol.messages import PRESSED, RESET_POWER, Event, Maintenance
from firmware_protocol.virtual import __main__ as launching, physics
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.faults import FaultRates
from firmware_protocol.virtual.runtime import VirtualBoardError, choose_runtime, find_micropython
from tests.firmware_protocol.raw_host import RawHost

DEADLINE_S = 15.0
UID = 0x0123456789ABCDEF
vm = pytest.param(
    ("micropython", None),
    id="vm-pty",
    marks=[
        pytest.mark.vm,
        pytest.mark.skipif(
            find_micropython() is None, reason="no wheel of the MicroPython VM on this system"
        ),
    ],
)
cpython_pty = pytest.param(
    ("cpython", None),
    id="cpython-pty",
    marks=pytest.mark.skipif(os.name != "posix", reason="this system has no pty"),
)
cpython_socket = pytest.param(("cpython", "127.0.0.1:0"), id="cpython-socket")


@pytest.fixture(params=[vm, cpython_pty, cpython_socket])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VirtualBoard]:
    runtime, listen = request.param
    path = None if listen else tmp_path / "port"
    with VirtualBoard.spawn(runtime, seed=1, uid=UID, path=path, listen=listen) as started:
        yield started


@pytest.fixture
def host(board: VirtualBoard) -> Iterator[RawHost]:
    raw = RawHost(board.url)
    yield raw
    raw.close()


def script(presses: int, seed: int) -> tuple[list[physics.Edge], dict[str, list[int]]]:
    """Return bouncing presses on all contacts, two a contact never closer than 80 ms, and their true times."""
    random = Random(seed)
    edges: list[physics.Edge] = []
    truth: dict[str, list[int]] = {channel: [] for channel in physics.CONTACTS}
    for number in range(presses):
        channel = physics.CONTACTS[number % len(physics.CONTACTS)]
        at_us = 8000 * number + random.randint(0, 3000)
        edges += physics.delayed(
            physics.press(channel, random.randint(20_000, 50_000), random), at_us
        )
        truth[channel].append(at_us)
    return physics.merge(edges), truth


def played(host: RawHost, board: VirtualBoard, presses: int, seed: int) -> dict[str, list[int]]:
    """Play a script and return the device times of all its presses, by channel."""
    edges, truth = script(presses, seed)
    base_us = board.play(edges)
    return {channel: [base_us + dt_us for dt_us in times] for channel, times in truth.items()}


def count_presses(host: RawHost) -> int:
    return sum(isinstance(e, Event) and e.flags & PRESSED for e in host.numbered.values())


def assert_exactly_once(host: RawHost, truth: dict[str, list[int]]) -> None:
    hello = host.hello
    assert hello is not None
    for channel, times in truth.items():
        stamps = host.presses(channel)
        assert len(stamps) == len(times), channel
        for stamp_us, true_us in zip(stamps, times, strict=True):
            assert abs(stamp_us - true_us) <= hello.stamp_error_us
    assert host.clashes == 0


def test_the_board_says_who_it_is_when_asked(board: VirtualBoard, host: RawHost) -> None:
    hello = host.meet()
    assert hello.uid == UID == board.uid
    assert hello.reset_reason == RESET_POWER
    assert host.boot_id == board.status()["boot_id"]
    assert sorted(row.name for row in hello.channels) == sorted((*physics.CONTACTS, physics.HIT))
    assert board.runtime in hello.board


def test_every_scripted_press_appears_exactly_once_with_its_device_time(
    board: VirtualBoard, host: RawHost
) -> None:
    host.meet()
    host.arm()
    truth = played(host, board, 110, seed=5)
    host.until(lambda: count_presses(host) >= 110)
    assert_exactly_once(host, truth)


def test_a_bad_cable_loses_no_press_and_doubles_none(board: VirtualBoard, host: RawHost) -> None:
    bad = FaultRates(
        drop=0.1, corrupt=0.1, truncate=0.05, duplicate=0.1, delay=0.1, delay_ms=10, one_byte=True
    )
    host.meet()
    host.arm()
    board.faults(to_host=bad, to_board=bad, seed=11)
    truth = played(host, board, 44, seed=6)
    host.until(lambda: count_presses(host) >= 44)
    assert board.status()["damaged_frames"] > 0
    assert_exactly_once(host, truth)


def test_a_shot_carries_both_times_and_the_peak(board: VirtualBoard, host: RawHost) -> None:
    host.meet()
    host.arm()
    trigger_us, hit_us = board.shot(peak=2200, lag_ms=-4)
    host.until(lambda: bool(host.presses("trigger") and host.presses("hit")))
    assert hit_us == trigger_us - 4000
    assert host.presses("trigger") == [trigger_us]
    assert host.presses("hit")[0] == hit_us
    hit = next(e for e in host.numbered.values() if isinstance(e, Event) and e.t_us == hit_us)
    # A reading is only taken within the scan time; 0 says that the process was too late for any.
    assert hit.peak == 0 or 0.5 * 2200 <= hit.peak <= 2200


def test_unplugged_with_power_kept_nothing_is_lost(board: VirtualBoard, host: RawHost) -> None:
    hello = host.meet()
    host.arm()
    before = board.press("zone-1")
    host.until(lambda: bool(host.presses("zone-1")))
    boot_id = host.boot_id
    board.unplug()
    host.close()
    unseen = [board.press("zone-2", hold_ms=30), board.press("zone-3", hold_ms=30)]
    board.plug()
    again = RawHost(board.url)
    try:
        assert again.meet().uid == hello.uid
        assert again.boot_id == boot_id
        again.until(lambda: bool(again.presses("zone-2") and again.presses("zone-3")))
        assert again.presses("zone-2") + again.presses("zone-3") == unseen
        assert all(t_us > before for t_us in unseen)
    finally:
        again.close()


def test_after_maintenance_the_firmware_rests_until_the_power_is_cycled(
    board: VirtualBoard, host: RawHost
) -> None:
    host.meet()
    host.send(Maintenance())
    wait_until(lambda: not board.status()["powered"])
    with pytest.raises(VirtualBoardError, match="maintenance"):
        board.press("trigger")
    boot_id = board.power_on()
    host.until(lambda: host.boot_id == boot_id)


def test_a_power_cycle_shows_as_a_new_boot_id(board: VirtualBoard, host: RawHost) -> None:
    host.meet()
    old = host.boot_id
    new = board.power_cycle()
    host.until(lambda: host.boot_id == new)
    assert new != old
    assert host.hello is not None
    assert host.hello.reset_reason == RESET_POWER


def has_ended(pid: int) -> bool:
    if Path("/proc/self").exists():
        # A process that nobody reaps stays listed as a zombie.
        with contextlib.suppress(OSError):
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        return True
    try:
        os.kill(pid, 0)
    except OSError:
        return True
    return False


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < deadline, "the condition did not become true"


OWNER = """
import json, sys
from firmware_protocol.virtual.client import VirtualBoard
board = VirtualBoard.spawn("cpython", path=sys.argv[1], outlive=sys.argv[2] == "outlive")
print(json.dumps({**board.status(), "control": board.address}), flush=True)
sys.stdin.read()
"""
posix = pytest.mark.skipif(os.name != "posix", reason="needs a pty and SIGKILL")


def killed_owner(path: Path, fate: str) -> dict[str, object]:
    """Let a process start a board, kill it outright, and return what it knew of the board."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(path), fate],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as owner:
        assert owner.stdout is not None
        known: dict[str, object] = json.loads(owner.stdout.readline())
        owner.send_signal(signal.SIGKILL)
    return known


@posix
def test_the_board_dies_with_its_owner_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "port"
    known = killed_owner(path, "die")
    for pid in (known["board_pid"], known["pid"]):
        wait_until(partial(has_ended, int(str(pid))))
    assert not path.is_symlink()
    with pytest.raises(VirtualBoardError, match="No virtual board answers"):
        VirtualBoard.attach(str(known["control"]))


@posix
def test_the_board_outlives_its_owner_when_told_to(tmp_path: Path) -> None:
    path = tmp_path / "port"
    known = killed_owner(path, "outlive")
    attached = VirtualBoard.attach(str(known["control"]))
    host = RawHost(attached.url)
    try:
        host.meet()
        assert host.boot_id == known["boot_id"]
    finally:
        host.close()
        attached.end()
        attached.close()
    for pid in (known["board_pid"], known["pid"]):
        wait_until(partial(has_ended, int(str(pid))))


@posix
def test_started_by_hand_it_says_where_it_stands_and_cleans_up_on_a_signal(tmp_path: Path) -> None:
    path = tmp_path / "port"
    arguments = ["--runtime", "cpython", "--path", str(path), "--uid", "abc"]
    with subprocess.Popen(
        [sys.executable, "-m", "firmware_protocol.virtual", *arguments], stdout=subprocess.PIPE
    ) as by_hand:
        assert by_hand.stdout is not None
        lines = [by_hand.stdout.readline().decode().strip() for _ in range(3)]
        assert lines[0] == "The virtual board 0000000000000abc runs its firmware under cpython."
        assert lines[1] == f"Port: {path}"
        with VirtualBoard.attach(lines[2].removeprefix("Control: ")) as board:
            pid = board.status()["board_pid"]
        assert path.is_symlink()
        by_hand.send_signal(signal.SIGTERM)
    assert by_hand.returncode == 0
    assert not path.is_symlink()
    assert has_ended(pid)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor time from /proc")
def test_a_board_at_rest_leaves_the_processor_alone(board: VirtualBoard, host: RawHost) -> None:
    host.meet()
    status = board.status()
    pids = [status["board_pid"], status["pid"]]
    before = sum(cpu_seconds(pid) for pid in pids)
    # Half a second of a host that asks now and then: the port's own timeout is the only wait.
    begun = time.monotonic()
    host.until(lambda: time.monotonic() - begun > 0.5)
    share = (sum(cpu_seconds(pid) for pid in pids) - before) / (time.monotonic() - begun)
    assert share < 0.25


def test_auto_takes_the_vm_where_it_is_and_says_so() -> None:
    expected = "cpython" if find_micropython() is None else "micropython"
    assert choose_runtime("auto").name == expected
    assert choose_runtime("cpython").name == "cpython"
    with pytest.raises(VirtualBoardError, match="no runtime 'lua'"):
        choose_runtime("lua")


def test_a_board_that_cannot_start_says_why_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "port").write_text("")
    with pytest.raises(VirtualBoardError, match="is in use"):
        VirtualBoard.spawn("cpython", path=tmp_path / "port")


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("--ring", "1", "'1' is not a number from 2 to 65535"),
        ("--ring", "65536", "'65536' is not a number from 2 to 65535"),
        ("--boot", "0", "'0' is not a number from 1 to 65535"),
        ("--uid", "10000000000000000", "is not up to 16 hexadecimal digits"),
        ("--listen", "nowhere", "'nowhere' is not HOST:PORT"),
    ],
)
def test_an_option_no_board_can_run_with_is_refused(
    option: str, value: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        launching.main([option, value, "--json"])
    assert why in capsys.readouterr().err
