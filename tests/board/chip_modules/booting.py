"""What MicroPython does on a chip before its prompt: run `main.py`."""

import sys

# Before `main.py` takes the interpreter's own of that name, which is a computer's.
import machine  # noqa: F401
import micropython  # type: ignore[import-not-found]


class OnAChip:
    """`micropython` with what only the ports for chips have."""

    kbd_intr = micropython.kbd_intr

    @staticmethod
    def alloc_emergency_exception_buf(size: int) -> None:  # noqa: ARG004
        return None


sys.modules["micropython"] = OnAChip  # type: ignore[assignment]
sys.path.insert(0, "")

with open("main.py") as file:  # noqa: PTH123  there is no pathlib here
    main = file.read()
exec(main, {"__name__": "__main__"})
