"""The choice of the interpreter that runs the firmware of a virtual board."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from firmware_protocol.virtual.children import is_frozen, module_command
from firmware_protocol.virtual.errors import VirtualBoardError as VirtualBoardError
from firmware_protocol.virtual.system import NO_PIPES, has_ptys

MICROPYTHON = "micropython"
CPYTHON = "cpython"
NAMES = ("auto", MICROPYTHON, CPYTHON)
# The directory with the package `firmware_protocol`, in a checkout as in an installation.
ROOT = Path(__file__).resolve().parents[2]
CHILD = ROOT / "firmware_protocol" / "virtual" / "child.py"


@dataclass(frozen=True)
class Runtime:
    """What runs the firmware: its name for people, the command that starts `child.py`, and whether its wire is
    stdin/stdout."""

    name: str
    command: tuple[str, ...]
    wire_is_stdio: bool


def find_micropython() -> str | None:
    """Return the path of the `micropython` script beside this interpreter, else on PATH; None without one."""
    beside = Path(sys.executable).parent / "micropython"
    if beside.is_file():
        return str(beside)
    return shutil.which("micropython")


def choose_runtime(name: str = "auto") -> Runtime:
    """Return the runtime called `name`; raise `VirtualBoardError` if it is missing.

    `auto` prefers the MicroPython VM.
    """
    if name not in NAMES:
        raise VirtualBoardError(f"There is no runtime {name!r}; choose one of {', '.join(NAMES)}.")
    if name == MICROPYTHON and not has_ptys():
        raise VirtualBoardError(NO_PIPES)
    vm = None if name == CPYTHON or not has_ptys() else find_micropython()
    if vm is not None:
        return Runtime(MICROPYTHON, (vm, str(CHILD)), wire_is_stdio=True)
    if name == MICROPYTHON:
        raise VirtualBoardError(
            "The MicroPython VM is not installed: no 'micropython' beside this Python or on PATH; "
            "install table-companion[virtual] or use the runtime 'cpython'."
        )
    if is_frozen():
        command = module_command("firmware_protocol.virtual.child")
        return Runtime(CPYTHON, tuple(command), wire_is_stdio=False)
    # By file name: the firmware must find the package without an installation, and is then the same for both.
    return Runtime(CPYTHON, (sys.executable, str(CHILD)), wire_is_stdio=False)
