"""`companion board install`, `update`, `uninstall` and `maintenance`, with mpremote copying to a MicroPython VM's
prompt."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.board.commands import run_install, run_maintenance, run_uninstall
from companion.board.firmware import Firmware, firmware
from companion.board.install_session import InstallSession
from companion.board.installing import Remote
from companion.errors import CommandError
from firmware_protocol.board import FIRMWARE
from firmware_protocol.virtual.runtime import find_micropython
from tests.thorough import examples

pytestmark = [
    pytest.mark.vm,
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals exist on Unix only"),
    pytest.mark.skipif(find_micropython() is None, reason="there is no MicroPython VM"),
]
TOP = Path(__file__).parents[2]


OLD = replace(
    firmware(), files=firmware().files | {"firmware_protocol/old.py": b"# the version before\n"}
)

if sys.platform != "win32":
    import pty

    from tests.board.chip import Chip, put


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    folder = tmp_path / "flash"
    folder.mkdir()
    return folder


@pytest.fixture
def chip(flash: Path) -> Iterator[Chip]:
    with Chip(flash) as chip:
        yield chip


@pytest.fixture
def old_chip(flash: Path) -> Iterator[Chip]:
    """A board that runs another firmware of the table."""
    put(OLD, flash)
    with Chip(flash) as chip:
        yield chip


BOOTS_S = 10.0  # the longest that the firmware takes until it says HELLO


def bench_of(chip: Chip) -> InstallSession:
    """Return an install session at the chip's port.

    It waits for firmware, which boots slowly on a busy machine, but not for a bare prompt.
    """
    hello_s = BOOTS_S if (chip.flash / "main.py").exists() else 0.5
    return InstallSession(chip.port, io.StringIO(), lister=lambda: [], hello_s=hello_s)


def words(bench: InstallSession) -> str:
    assert isinstance(bench.out, io.StringIO)
    return bench.out.getvalue()


def by_hand(chip: Chip, *arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", chip.port, "resume", *arguments],
        cwd=TOP,
        check=True,
        capture_output=True,
        timeout=60,
    )


def test_install_puts_the_firmware_on_the_board_and_it_says_hello(chip: Chip) -> None:
    bench = bench_of(chip)
    run_install(bench)
    assert f"Verified: {len(bench.new.files)} files have the right SHA-256" in words(bench)
    assert f"HELLO from {int.from_bytes(b'ON A PTY', 'big'):016x}" in words(bench)
    assert chip.boots == 2

    again = bench_of(chip)
    run_install(again)
    assert "gave its prompt back" in words(again)
    assert "Nothing to copy" in words(again)


def test_update_runs_another_firmware_and_removes_the_one_before(old_chip: Chip) -> None:
    bench = bench_of(old_chip)
    run_install(bench, update=True)
    assert f"Firmware {FIRMWARE} -> {FIRMWARE}." in words(bench)
    assert f"Removed what was there before: {OLD.folder}." in words(bench)
    assert {Path(path).parts[0] for path in old_chip.files()} == {"main.py", bench.new.folder}


def test_update_leaves_the_owners_wiring_where_the_default_pins_were_others(flash: Path) -> None:
    pins = "firmware_protocol/board/pins.py"
    moved = re.sub(rb'"buzzer": {"pin": \d+}', b'"buzzer": {"pin": 22}', OLD.files[pins])
    older = Firmware({**OLD.files, pins: moved})
    assert older.folder != OLD.folder
    put(older, flash)
    with Chip(flash) as chip:
        bench = bench_of(chip)
        run_install(bench, update=True)
    assert json.loads((flash / "pins.json").read_text()) == {"buzzer": {"pin": 22}}
    assert "now keeps the wiring of the firmware before: buzzer on GP22" in words(bench)


def test_update_of_a_board_without_the_firmware_says_install(chip: Chip) -> None:
    with pytest.raises(CommandError, match="companion board install"):
        run_install(bench_of(chip), update=True)


@pytest.mark.parametrize("cut_after", [20_000, 2_000][: examples(1, 2)])
def test_a_board_that_lost_its_power_in_the_middle_boots_the_old_firmware_and_takes_the_new(
    old_chip: Chip, cut_after: int
) -> None:
    bench = bench_of(old_chip)
    assert bench.hello() is not None
    old_chip.cut_power_after(cut_after)
    with pytest.raises(CommandError) as ended:
        run_install(bench)
    assert not old_chip.has_power, f"{ended.value}\n{words(bench)}"
    old_chip.give_power()
    assert (old_chip.flash / "main.py").read_bytes() == OLD.main

    again = bench_of(old_chip)
    run_install(again, update=True)
    assert f"Firmware {FIRMWARE} answers" in words(again)
    assert (old_chip.flash / "main.py").read_bytes() == again.new.main


def test_a_port_that_never_answers_is_given_up_in_one_sentence() -> None:
    host, board = pty.openpty()
    try:
        with pytest.raises(
            CommandError, match="stopped answering: unplug it, plug it in and run the command again"
        ):
            Remote(os.ttyname(board), call_s=0.2).reset()
    finally:
        os.close(host)
        os.close(board)


def test_maintenance_ends_the_firmware_and_mpremote_gets_in(old_chip: Chip) -> None:
    bench = bench_of(old_chip)
    run_maintenance(bench)
    assert f"mpremote connect {old_chip.port} resume" in words(bench)
    assert Remote(old_chip.port).ask("print(6 * 7)") == 42


def test_uninstall_leaves_micropython_and_nothing_of_the_table(old_chip: Chip) -> None:
    (old_chip.flash / "pins.json").write_text('{"buzzer": null}')
    run_uninstall(bench_of(old_chip))
    assert old_chip.files() == ["pins.json"]


def test_mip_installs_the_same_firmware(chip: Chip) -> None:
    by_hand(chip, "mip", "install", "--no-mpy", "--target=.", "./package.json")
    there = {path: (chip.flash / path).read_bytes() for path in chip.files()}
    main = there.pop("main.py")
    assert there == firmware().files
    assert main == firmware().files["firmware_protocol/board/main.py"]

    bench = bench_of(chip)
    hello = bench.restart(Remote(chip.port))
    assert hello.firmware == FIRMWARE
