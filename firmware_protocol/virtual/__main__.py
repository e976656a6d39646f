"""`python -m firmware_protocol.virtual`: starts a virtual board and keeps it until it is ended."""

import argparse
import json
import secrets
import signal
import sys
from pathlib import Path

from firmware_protocol.board.pins import parse_pins
from firmware_protocol.virtual.launcher import Launcher, Options
from firmware_protocol.virtual.runtime import NAMES, VirtualBoardError, choose_runtime


def main(arguments: list[str] | None = None) -> int:
    """Run the launcher; return 0 after a clean end, 1 if the board cannot be started."""
    options = _parser().parse_args(arguments)
    try:
        launcher = Launcher(_options(options))
        launcher.start()
    except VirtualBoardError as error:
        if options.json:
            print(json.dumps({"error": str(error)}))
        else:
            print(error, file=sys.stderr)
        return 1
    status = {**launcher.status(), "control": launcher.control.address}
    announcement = json.dumps(status) if options.json else _sentence(status)
    print(announcement, flush=True)
    launcher.end_on_signals()
    if options.die_with_parent:
        launcher.end_with_stdin()
    launcher.run()
    signal.set_wakeup_fd(-1)  # the launcher's socket is closed now
    return 0


def _sentence(status: dict[str, object]) -> str:
    return (
        f"The virtual board {status['uid']:016x} runs its firmware under {status['runtime']}.\n"
        f"Port: {status['url']}\nControl: {status['control']}\nEnd it with Ctrl-C."
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m firmware_protocol.virtual", description=__doc__
    )
    parser.add_argument(
        "--runtime", choices=NAMES, default="auto", help="who runs the firmware (default: auto)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--path", type=Path, help="path of the port (default: one in the runtime folder, by uid)"
    )
    where.add_argument(
        "--listen", type=_address, metavar="HOST:PORT", help="TCP instead of a pty; port 0: any"
    )
    parser.add_argument(
        "--control", default="0", metavar="PATH_OR_PORT", help="where control listens"
    )
    parser.add_argument(
        "--uid", type=_hex, help="the board's identity, 16 hexadecimal digits (default: drawn)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the cable's faults")
    parser.add_argument(
        "--ring", type=_ring_size, metavar="N", help="frames the board's ring holds, 2 to 65535"
    )
    parser.add_argument(
        "--pins", type=_pins, metavar="FILE", help="a pins.json in place of the default pin map"
    )
    parser.add_argument(
        "--boot", type=_boot_id, metavar="N", help="first boot id, 1 to 65535 (default: drawn)"
    )
    parser.add_argument(
        "--leave-after",
        type=float,
        metavar="SECONDS",
        help="end when nobody was connected to control for so long and the ring keeps nothing",
    )
    parser.add_argument("--die-with-parent", action="store_true", help="end when stdin is closed")
    parser.add_argument(
        "--json", action="store_true", help="announce the board as one line of JSON"
    )
    return parser


def _options(arguments: argparse.Namespace) -> Options:
    return Options(
        runtime=choose_runtime(arguments.runtime),
        uid=secrets.randbits(64) if arguments.uid is None else arguments.uid,
        seed=arguments.seed,
        path=arguments.path,
        listen=arguments.listen,
        control=arguments.control,
        ring_size=arguments.ring,
        pins=arguments.pins,
        boot_id=arguments.boot,
        leave_after_s=arguments.leave_after,
    )


def _hex(text: str) -> int:
    return _number(text, 16, 0, (1 << 64) - 1, "up to 16 hexadecimal digits")


def _ring_size(text: str) -> int:
    # One place is kept free for a GAP, and HELLO carries the size in 16 bits.
    return _number(text, 10, 2, 0xFFFF, "a number from 2 to 65535")


def _boot_id(text: str) -> int:
    return _number(text, 10, 1, 0xFFFF, "a number from 1 to 65535")


def _pins(text: str) -> Path:
    path = Path(text).absolute()
    try:
        parse_pins(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise argparse.ArgumentTypeError(f"{path}: {problem}") from problem
    return path


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host or "127.0.0.1", _number(port, 10, 0, 0xFFFF, "HOST:PORT, such as 127.0.0.1:0")


def _number(text: str, base: int, low: int, high: int, wanted: str) -> int:
    try:
        number = int(text, base)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")
    return number


if __name__ == "__main__":
    sys.exit(main())
