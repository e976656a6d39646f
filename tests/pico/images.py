"""The lane of the chip over images of MicroPython: `python -m tests.pico.images IMAGE.uf2 ... [-- OPTIONS OF PYTEST]`.

A line for each image says whether the whole lane passed on it; what pytest says goes to the error stream.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from struct import unpack_from

from tests.pico.emulator.parts import IMAGE

TOP = Path(__file__).parents[2]
# https://github.com/microsoft/uf2: how a block begins, where its family is, and whose images the emulator runs.
BEGINS = 0x0A324655
FAMILY_AT = 28
FAMILIES = {
    0xE48BFF56: "RP2040",
    0xE48BFF57: "RP2350 (any)",
    0xE48BFF59: "RP2350",
    0xE48BFF5A: "RP2350 (RISC-V)",
}
RUNS = "RP2040"

Lane = Callable[[Mapping[str, str], Sequence[str]], tuple[int, str]]
"""Runs the tests with these variables and options; returns pytest's exit code and its last line."""


def refusal(image: Path) -> str:
    """Return why the emulator cannot run an image; "" where it can."""
    try:
        with image.open("rb") as file:
            block = file.read(FAMILY_AT + 4)
    except OSError as problem:
        return f"cannot be read ({problem.strerror})"
    if len(block) < FAMILY_AT + 4 or unpack_from("<I", block)[0] != BEGINS:
        return "is no UF2 file"
    family = unpack_from("<I", block, FAMILY_AT)[0]
    name = FAMILIES.get(family, f"family {family:08x}")
    return "" if name == RUNS else f"is for {name}, and the emulated chip is an {RUNS}"


def run_lane(variables: Mapping[str, str], options: Sequence[str]) -> tuple[int, str]:
    """Run `tests/pico` and pass on what it says."""
    command = [sys.executable, "-m", "pytest", "-q", "tests/pico", *options]
    process = subprocess.Popen(
        command, cwd=TOP, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
    )
    last = ""
    assert process.stdout is not None
    for line in process.stdout:
        sys.stderr.write(line)
        last = line.strip() or last
    return process.wait(), last


def lines(
    images: Sequence[Path], options: Sequence[str], lane: Lane = run_lane
) -> Iterator[tuple[bool, str]]:
    """Run the lane over each image, which takes half an hour; yield whether it passed, and the line about it."""
    for image in images:
        why = refusal(image)
        if why:
            yield False, f"not run  {image.name}: {why}"
            continue
        # A skipped lane has shown nothing.
        code, last = lane({IMAGE: str(image.resolve()), "COMPANION_SKIP_IS_FAILURE": "1"}, options)
        yield code == 0, f"{'passed' if code == 0 else 'FAILED':8} {image.name}: {last}"


def main(words: Sequence[str]) -> int:
    """Print a line for each image; 1 when any did not pass, 2 without one."""
    at = words.index("--") if "--" in words else len(words)
    images, options = [Path(word) for word in words[:at]], words[at + 1 :]
    if not images:
        print(__doc__, file=sys.stderr)
        return 2
    all_passed = True
    for passed, line in lines(images, options):
        print(line, flush=True)
        all_passed = all_passed and passed
    return 0 if all_passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
