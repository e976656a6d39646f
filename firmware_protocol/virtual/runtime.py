"""The choice of the interpreter that runs the firmware of a virtual board."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

MICROPYTHON = "micropython"
CPYTHON = "cpython"
NAMES = ("auto", MICROPYTHON, CPYTHON)
# The directory with the package `firmware_protocol`, in a checkout as in an installation.
ROOT = Path(__file__).resolve().parents[2]
CHILD = ROOT / "firmware_protocol" / "virtual" / "child.py"


class VirtualBoardError(RuntimeError):
    """The virtual board cannot do something; the message is one sentence for people."""


@dataclass(frozen=True)
class Runtime:
    """An interpreter: its name for people, the command that starts it and whether its wire is stdin/stdout."""

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
    vm = None if name == CPYTHON else find_micropython()
    if vm is not None:
        return Runtime(MICROPYTHON, (vm,), wire_is_stdio=True)
    if name == MICROPYTHON:
        raise VirtualBoardError(
            "The MicroPython VM is not installed: no 'micropython' beside this Python or on PATH; "
            "install table-companion[virtual] or use the runtime 'cpython'."
        )
    return Runtime(CPYTHON, (sys.executable,), wire_is_stdio=False)
