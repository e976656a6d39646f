"""The pages of hardware_docs agree with the firmware and with themselves."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_protocol.board.pins import DEFAULT_PINS, OUTPUTS, PinMap, parse_pins
from firmware_protocol.board.settings import Settings
from firmware_protocol.virtual.runtime import find_micropython

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "hardware_docs"
# The header of the Raspberry Pi Pico, from its data sheet: pin on the board by GPIO.
PICO_HEADER = {
    **dict(zip(range(6), (1, 2, 4, 5, 6, 7), strict=True)),
    **dict(zip(range(6, 10), (9, 10, 11, 12), strict=True)),
    **dict(zip(range(10, 14), (14, 15, 16, 17), strict=True)),
    **dict(zip(range(14, 18), (19, 20, 21, 22), strict=True)),
    **{26: 31, 27: 32, 28: 34},
}
NOT_ON_THE_BOARD = {"hardware.py", "primitives.py", "main.py"}


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def table_rows() -> dict[tuple[str, bool], tuple[int, int, str]]:
    """Return GPIO, board pin and active level by (channel, analog) from the pin table."""
    rows = re.findall(
        r"^\| `([a-z0-9-]+)`( \(analog\))? \| GP(\d+) \| (\d+) \| (\S) \|",
        page("pins.md"),
        re.MULTILINE,
    )
    return {
        (name, bool(analog)): (int(gpio), int(pin), level)
        for name, analog, gpio, pin, level in rows
    }


def test_the_pin_table_is_the_firmwares_default() -> None:
    expected: dict[tuple[str, bool], tuple[int, int, str]] = {}
    for name, row in DEFAULT_PINS.items():
        level = 1 if name in OUTPUTS else row["active"]
        expected[name, False] = (row["pin"], PICO_HEADER[row["pin"]], str(level))
        if "adc" in row:
            expected[name, True] = (row["adc"], PICO_HEADER[row["adc"]], "-")
    assert table_rows() == expected


def test_every_pin_map_shown_is_one_the_firmware_takes() -> None:
    examples = blocks(page("pins.md"), "json") + [
        f"{{{row}}}" for row in re.findall(r'`("hit": .*?})`', page("pins.md"))
    ]
    assert len(examples) == 3
    for text in examples:
        assert isinstance(parse_pins(text), PinMap)
        assert json.loads(text)


def test_the_hit_sensors_numbers_are_the_firmwares_defaults() -> None:
    settings = Settings()
    text = page("pins.md")
    assert f"| threshold | {settings.hit_threshold} of 4095 " in text
    assert f"| scan time | {settings.hit_scan_us // 1000} ms |" in text
    assert f"| mask time | {settings.hit_mask_us // 1000} ms |" in text
    assert f"ignored for {settings.lock_us // 1000} ms" in text


def test_the_installation_copies_every_file_of_the_firmware() -> None:
    commands = "\n".join(blocks(page("install.md"), "sh"))
    copied = set(re.findall(r"\b(\w+\.py)\b(?= .*:firmware_protocol/board/)", commands))
    present = {path.name for path in (ROOT / "firmware_protocol" / "board").glob("*.py")}
    assert copied == present - NOT_ON_THE_BOARD
    assert "cp firmware_protocol/board/main.py :main.py" in commands
    present = {path.name for path in (ROOT / "firmware_protocol").glob("*.py")}
    copied = set(re.findall(r"firmware_protocol/(\w+\.py)", commands))
    assert copied == present - {"channels.py", "unsaved.py"}, "these are for the host alone"


@pytest.mark.vm
@pytest.mark.skipif(
    find_micropython() is None, reason="no wheel of the MicroPython VM on this system"
)
def test_the_files_copied_are_all_the_firmware_needs(tmp_path: Path) -> None:
    for command in re.findall(r"fs cp (.*) :(\S*)", "\n".join(blocks(page("install.md"), "sh"))):
        copy(command[0].split(), tmp_path / command[1])
    started = subprocess.run(
        [str(find_micropython()), "-c", "import main; print(main.start)"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert b"<function start" in started.stdout


def copy(names: list[str], to: Path) -> None:
    folder = to.parent if to.suffix else to
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        source = next(
            (at / name for at in (ROOT, ROOT / "firmware_protocol/board") if (at / name).is_file()),
            None,
        )
        if source is not None:
            shutil.copy(source, to if to.suffix else folder / source.name)


def test_every_mpremote_command_on_an_installed_board_keeps_the_interpreter() -> None:
    for name in ("install.md", "troubleshooting.md"):
        for command in re.findall(r"mpremote connect PORT (\S+)", page(name)):
            assert command.startswith("resume"), name


def test_links_between_the_pages_lead_somewhere() -> None:
    for path in DOCS.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (DOCS / target).exists(), f"{path.name}: {target}"
