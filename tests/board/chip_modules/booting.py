"""MicroPython's start on a chip, before its prompt: it runs `main.py`."""

import os
import sys

# A chip has these built in, wherever it looks for modules.
import machine  # type: ignore[import-not-found]  # noqa: F401
import micropython  # type: ignore[import-not-found]
import rp2  # type: ignore[import-not-found]  # noqa: F401


class OnAChip:
    """`micropython` with the functions that only ports to chips have."""

    @staticmethod
    def kbd_intr(char: int) -> None:
        micropython.kbd_intr(char)
        with open(os.getenv("KEYBOARD", "keyboard"), "w") as file:  # noqa: PTH123  there is no pathlib here
            file.write(str(char))

    @staticmethod
    def alloc_emergency_exception_buf(size: int) -> None:  # noqa: ARG004
        return None


sys.modules["micropython"] = OnAChip  # type: ignore[assignment]
sys.path.insert(0, "")

with open("main.py") as file:  # noqa: PTH123  there is no pathlib here
    main = file.read()
exec(main, {"__name__": "__main__"})
