"""`companion board install`, `update`, `uninstall` and `maintenance`, step by step, in words."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from companion.board import at_the_table, installing, virtual
from companion.board.boot_loader import BootLoader, port_to_install_at
from companion.board.calibrated import keep
from companion.board.firmware import FOLDER, for_board
from companion.board.install_session import InstallSession
from companion.board.ports import choose, usb_ports
from companion.errors import CommandError, ErrorKind
from companion.rules.registry import example_game
from companion.terminal import data_stream, shows_screens
from firmware_protocol.board import FIRMWARE


def run_install(bench: InstallSession, *, replace: bool = False, update: bool = False) -> None:
    """Put this companion's firmware on the board, or, to `update`, in the place of the one that is there; say HELLO."""
    before = bench.hello()
    remote, found = bench.look()
    installing.require_chip(found)
    if (
        update
        and before is None
        and not found.has_ours
        and not any(name.startswith(FOLDER) for name in found.root)
    ):
        raise CommandError(
            "There is no firmware of the table on this board: say `companion board install`."
        )
    bench.new = for_board(bench.new, found.mpy, bench.say)
    if not installing.install(remote, bench.new, found, bench.say, replace=replace):
        bench.say(f"Nothing to copy: the board has this firmware, {FIRMWARE}, whole.")
    elif update:
        bench.say(f"Firmware {before.firmware if before else 'unknown'} -> {FIRMWARE}.")
    hello = bench.restart(remote)
    names = ", ".join(channel.name for channel in hello.channels)
    bench.say(
        f"HELLO from {hello.uid:016x} at {bench.port}: firmware {hello.firmware}, {hello.board}; {names}."
    )


def run_uninstall(bench: InstallSession) -> None:
    """Take the firmware off the board."""
    bench.hello()
    remote, found = bench.look()
    installing.uninstall(remote, found, bench.say)
    remote.reset()
    bench.say("The board has MicroPython and its prompt, nothing of the table.")


def run_maintenance(bench: InstallSession) -> None:
    """End the firmware until the next reset."""
    if bench.hello() is None:
        bench.look()
        bench.say("No firmware was running; the prompt is there.")
    bench.say(f"The prompt is yours: mpremote connect {bench.port} resume")
    bench.say(f"The firmware starts again with: mpremote connect {bench.port} resume reset")


def at_prompt(args: argparse.Namespace) -> None:
    """`install`, `update`, `uninstall` and `maintenance`, as `args.word` says."""
    if args.word == "install":
        loader = BootLoader(partial(print, flush=True))
        run_install(
            InstallSession(port_to_install_at(args.port, args.uf2, loader), sys.stdout),
            replace=args.replace,
        )
        return
    bench = InstallSession(choose(args.port), sys.stdout)
    if args.word == "update":
        run_install(bench, update=True)
    elif args.word == "uninstall":
        run_uninstall(bench)
    else:
        run_maintenance(bench)


def look(args: argparse.Namespace) -> ErrorKind | None:
    """`monitor`, `selftest` and `calibrate`, on the screen or in lines."""
    if args.word == "selftest":
        _refuse_without_chip(args)
        if args.chip:
            return _chip(args)
    port = _virtual() if args.port == "virtual" else choose(args.port)
    if _on_screen(args):
        return _screen(args, port)

    as_json = args.word == "selftest" and args.json
    say = partial(print, file=data_stream() if as_json else sys.stdout, flush=True)
    asks = partial(print, file=sys.stderr, flush=True) if as_json else say
    with at_the_table.at(port, asks, discard=args.discard) as table:
        if args.word == "monitor":
            at_the_table.monitor(table, args.seconds)
            return None
        if args.word == "selftest":
            return at_the_table.selftest(
                table, say, press=args.press, wires=args.wire, as_json=args.json
            )
        table.draw = table.say_wave
        proposal = at_the_table.calibrate(table)
        at_the_table.tell(proposal, say)
        if args.store:
            at_the_table.store(table, proposal.config)
            say(at_the_table.STORED)
            say(keep(proposal.config))
        else:
            say(
                "Nothing was changed; --store sends them to the board and keeps them for your games."
            )
    return None


def _chip(args: argparse.Namespace) -> ErrorKind | None:
    """Let the chip try itself out, once its person has agreed."""
    from companion.board.chip_checks import whole
    from companion.board.chip_checks.with_firmware import FirmwareBench

    extras, files = whole.extras_of(args.extras), whole.report_files(args.report)
    if args.port == "virtual":
        raise CommandError(
            "The virtual board has no chip to try out: name a real board's port.", ErrorKind.USAGE
        )
    port = choose(args.port)
    out = sys.stderr if args.json else sys.stdout

    def say(sentence: str) -> None:
        print(whole.fitted(sentence), file=out, flush=True)

    for paragraph in whole.ASKS:
        say(paragraph)
    if not args.yes and not whole.agreed(say):
        say("Nothing was done.")
        return None
    hubs = next((one.hubs for one in usb_ports() if one.device == port), None)
    asked = FirmwareBench(port, say, hubs=hubs, discard=args.discard)
    trial = whole.ChipTrial(InstallSession(port, out), asked, extras=extras)
    if args.json:
        return whole.on_trial(trial, say, files, partial(print, file=data_stream(), flush=True))
    return whole.on_trial(trial, say, files)


def _refuse_without_chip(args: argparse.Namespace) -> None:
    """Raise `CommandError` for an option that goes with `--chip` alone, or never with it."""
    if not args.chip and (args.report or args.extras or args.yes):
        raise CommandError("--report, --with and --yes go with --chip: add it.", ErrorKind.USAGE)
    if args.chip and (args.press or args.wire):
        raise CommandError(
            "--chip tries out the chip, --press and --wire the wires: one after the other.",
            ErrorKind.USAGE,
        )


def _on_screen(args: argparse.Namespace) -> bool:
    """Whether a person at a terminal wants the screen: nothing was asked for that only lines can do."""
    lines_only = args.plain or (args.word == "selftest" and (args.json or args.wire))
    return shows_screens() and not lines_only and getattr(args, "seconds", None) is None


def _screen(args: argparse.Namespace, port: str) -> ErrorKind | None:
    """Show the screen until the person leaves; `UNAVAILABLE` when no board answered in the end."""
    from companion.board.desk import BoardDesk
    from companion.dashboard.board.app import BoardApp
    from companion.dashboard.board.view import BoardPage
    from companion.dashboard.preferences import in_force

    wanted = in_force(args)
    desk = BoardDesk(port, BoardPage(args.word), discard=args.discard)
    try:
        BoardApp(desk, wanted).run()
    finally:
        desk.end()
    if desk.failure is not None:
        raise desk.failure
    if desk.view().lost:
        print(desk.view().lost, file=sys.stderr)
        return ErrorKind.UNAVAILABLE
    return None


def _virtual() -> str:
    board = virtual.find()
    if board is None:
        raise CommandError(
            f"No virtual board is running: start one with `companion play {example_game()} --port virtual`, or name "
            "the port that `python -m firmware_protocol.virtual` prints.",
            ErrorKind.UNAVAILABLE,
        )
    with board:
        return board.url
