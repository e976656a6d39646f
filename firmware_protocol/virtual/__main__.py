"""`python -m firmware_protocol.virtual`: start a virtual board and keep it until it is told to end."""

import argparse
import json
import secrets
import signal
import sys
from pathlib import Path

from firmware_protocol.virtual.launcher import Launcher, Options
from firmware_protocol.virtual.runtime import NAMES, VirtualBoardError, choose_runtime


def main(arguments: list[str] | None = None) -> int:
    """Run the launcher; return 0 after a clean end, 1 when the board cannot be started."""
    given = _parser().parse_args(arguments)
    try:
        launcher = Launcher(_options(given))
        launcher.start()
    except VirtualBoardError as error:
        if given.json:
            print(json.dumps({"error": str(error)}))
        else:
            print(error, file=sys.stderr)
        return 1
    status = {**launcher.status(), "control": launcher.control.address}
    print(json.dumps(status) if given.json else _sentence(status), flush=True)
    launcher.end_on_signals()
    if given.die_with_parent:
        launcher.end_with_stdin()
    launcher.run()
    signal.set_wakeup_fd(-1)
    return 0


def _sentence(status: dict[str, object]) -> str:
    return (
        f"The virtual board {status['uid']:016x} runs its firmware under {status['runtime']}.\n"
        f"Port: {status['url']}\nControl: {status['control']}\nEnd it with Ctrl-C."
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m firmware_protocol.virtual", description=__doc__)
    parser.add_argument("--runtime", choices=NAMES, default="auto", help="who runs the firmware (default: auto)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--path", type=Path, help="path of the port (default: one in the runtime folder, by uid)")
    where.add_argument("--listen", type=_address, metavar="HOST:PORT", help="TCP instead of a pty; port 0: any")
    parser.add_argument("--control", default="0", metavar="PATH_OR_PORT", help="where control listens")
    parser.add_argument("--uid", type=_hex, help="the board's identity, 16 hexadecimal digits (default: drawn)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the cable's faults")
    parser.add_argument("--ring", type=int, metavar="N", help="events the board's ring holds")
    parser.add_argument("--boot", type=int, metavar="N", help="first boot id, 1 to 65535 (default: drawn)")
    parser.add_argument("--die-with-parent", action="store_true", help="end when stdin is closed")
    parser.add_argument("--json", action="store_true", help="announce the board as one line of JSON")
    return parser


def _options(given: argparse.Namespace) -> Options:
    return Options(
        runtime=choose_runtime(given.runtime),
        uid=secrets.randbits(64) if given.uid is None else given.uid,
        seed=given.seed,
        path=given.path,
        listen=given.listen,
        control=given.control,
        ring_size=given.ring,
        boot_id=given.boot,
    )


def _hex(text: str) -> int:
    number = int(text, 16)
    if not 0 <= number < 1 << 64:
        raise ValueError("not 64 bits")
    return number


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host or "127.0.0.1", int(port)


if __name__ == "__main__":
    sys.exit(main())
