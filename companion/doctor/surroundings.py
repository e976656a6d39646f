"""The system as the doctor sees it: environment, processes, rules, disk.

Everything here only reads, except for one file that tries the disk and is removed afterwards.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from companion.board.ports import usb_ports
from companion.journal.features import Feature, missing_in
from companion.link.usb_ports import UsbPort
from companion.system import NAME
from companion.system.devices import may_open
from companion.system.port_users import program_name

DISTRIBUTION = "table-companion"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The system; tests put their own in its place. `root` is the folder with /proc, /etc and /sys."""

    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    size: Callable[[], tuple[int, int]] = shutil.get_terminal_size
    streams: Callable[[], tuple[bool, str]] = lambda: (
        sys.stdin.isatty() and sys.stdout.isatty(),
        sys.stdout.encoding or "",
    )
    python: tuple[int, int, int] = sys.version_info[:3]
    platform: str = NAME
    root: Path = Path("/")
    ports: Callable[[], list[UsbPort]] = usb_ports
    may_open: Callable[[str], bool] = may_open
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    missing: Callable[[Path], tuple[Feature, ...]] = missing_in
    wall: Callable[[], datetime] = lambda: datetime.now(UTC)
    monotonic_resolution_s: float = time.get_clock_info("monotonic").resolution

    def programs(self) -> set[str]:
        """Return the short names of the running programs, if the system has a /proc."""
        return {program_name(process) for process in self.root.glob("proc/[0-9]*")}

    def has_udev_rule(self, vid: int) -> bool:
        """Return whether a rule tells ModemManager to leave this vendor's devices alone."""
        for place in ("etc", "run", "usr/local/lib", "usr/lib", "lib"):  # udev(7)
            for file in (self.root / place / "udev/rules.d").glob("*.rules"):
                for line in _text(file).splitlines():
                    is_comment = line.startswith("#")
                    if not is_comment and "ID_MM_" in line and f"{vid:04x}" in line:
                        return True
        return False

    def boot_loader(self) -> bool:
        """Return whether a Pico shows its boot loader, a drive instead of a port."""
        for vendor in self.root.glob("sys/bus/usb/devices/*/idVendor"):
            product = vendor.with_name("idProduct")
            if (_text(vendor), _text(product)) == ("2e8a", "0003"):
                return True
        return False


def _text(path: Path) -> str:
    """Return the text of a system file; "" if it cannot be read."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def versions() -> dict[str, str | None]:
    """Return the version of each package that this program needs; None for a missing one."""
    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return {DISTRIBUTION: None}
    names = [re.split(r"[<>=!~ ;[]", line)[0] for line in required if "extra ==" not in line]
    return {name: version_of(name) for name in (DISTRIBUTION, *names)}


def version_of(name: str) -> str | None:
    """Return the installed version of a package; None if it is missing."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
