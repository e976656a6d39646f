"""An address shown in this computer's browser, by a process of its own: whatever the browser prints goes nowhere.

`python -m companion.system.browser ADDRESS` is that process; it exits with 1 if no browser can be found.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

from companion.system.children import environment_for_others
from firmware_protocol.virtual.children import module_command

OPENS_S = 5.0
"""Seconds after which a browser that has not returned is a running one."""


def in_browser(address: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Show an address in a browser window, and return whether that is possible: not over ssh, nor on Linux without a
    display. The browser gets no terminal, so that it writes nothing over the screen."""
    display = (
        sys.platform in ("win32", "darwin")
        or environment.get("DISPLAY")
        or environment.get("WAYLAND_DISPLAY")
    )
    if "SSH_CONNECTION" in environment or not display:
        return False
    quiet = subprocess.DEVNULL
    try:
        browser = subprocess.Popen(
            module_command(__name__, address),
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            start_new_session=True,
        )
        return browser.wait(OPENS_S) == 0
    except subprocess.TimeoutExpired:
        return True
    except OSError:
        return False


def main() -> int:
    """Open the address of the command line in a browser; return 0 if one was found."""
    import webbrowser  # which only this process needs

    environment = environment_for_others()
    os.environ.clear()
    os.environ.update(environment)
    return 0 if webbrowser.open(sys.argv[1]) else 1


if __name__ == "__main__":
    sys.exit(main())
