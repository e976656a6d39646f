"""`companion board install`, `update`, `uninstall` and `maintenance`; and `monitor`, `selftest` and `calibrate`."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from companion.board import installing, procedures, virtual
from companion.board.boot_loader import BootLoader, port_to_install_at
from companion.board.calibrated import keep
from companion.board.firmware import FOLDER, compiled_for
from companion.board.install_session import InstallSession
from companion.board.ports import choose, usb_ports
from companion.errors import CommandError, ErrorKind
from companion.program import PROGRAM
from companion.rules.registry import example_game
from companion.terminal import data_stream, shows_screens
from firmware_protocol.board import FIRMWARE


def run_install(board: InstallSession, *, replace: bool = False, update: bool = False) -> None:
    """Put this companion's firmware on the board and wait for its HELLO.

    `update` requires that the board has a firmware of the table already.
    """
    before = board.hello()  # first: it also ends a running firmware, and `look` needs the prompt
    remote, survey = board.look()
    installing.require_chip(survey)
    has_folder = any(name.startswith(FOLDER) for name in survey.root)
    has_firmware = before is not None or survey.has_ours or has_folder
    if update and not has_firmware:
        raise CommandError(
            f"There is no firmware of the table on this board: say `{PROGRAM} board install`."
        )
    board.new = compiled_for(board.new, survey.mpy, board.say)
    if not installing.install(remote, board.new, survey, board.say, replace=replace):
        board.say(f"Nothing to copy: the board has this firmware, {FIRMWARE}, whole.")
    elif update:
        version = "unknown" if before is None else before.firmware
        board.say(f"Firmware {version} -> {FIRMWARE}.")
    hello = board.restart(remote)
    names = ", ".join(channel.name for channel in hello.channels)
    board.say(
        f"HELLO from {hello.uid:016x} at {board.port}: firmware {hello.firmware}, {hello.board}; {names}."
    )


def run_uninstall(board: InstallSession) -> None:
    """Remove the firmware from the board."""
    board.hello()
    remote, survey = board.look()
    installing.uninstall(remote, survey, board.say)
    remote.reset()
    board.say("The board has MicroPython and its prompt, nothing of the table.")


def run_maintenance(board: InstallSession) -> None:
    """End the firmware until the next reset."""
    if board.hello() is None:
        board.look()
        board.say("No firmware was running; the prompt is there.")
    board.say(f"The prompt is yours: mpremote connect {board.port} resume")
    board.say(f"The firmware starts again with: mpremote connect {board.port} resume reset")


def run_at_prompt(args: argparse.Namespace) -> None:
    """Run `install`, `update`, `uninstall` or `maintenance`, as named by `args.word`."""
    if args.word == "install":
        loader = BootLoader(partial(print, flush=True))
        run_install(
            InstallSession(port_to_install_at(args.port, args.uf2, loader), sys.stdout),
            replace=args.replace,
        )
        return
    board = InstallSession(choose(args.port), sys.stdout)
    if args.word == "update":
        run_install(board, update=True)
    elif args.word == "uninstall":
        run_uninstall(board)
    else:
        run_maintenance(board)


def look(args: argparse.Namespace) -> ErrorKind | None:
    """Run `monitor`, `selftest` or `calibrate`, on the screen or in plain lines."""
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
    with procedures.open_board(port, asks, discard=args.discard) as board:
        if args.word == "monitor":
            procedures.monitor(board, args.seconds)
            return None
        if args.word == "selftest":
            return procedures.selftest(
                board, say, press=args.press, wires=args.wire, as_json=args.json
            )
        board.draw = board.say_wave
        proposal = procedures.calibrate(board)
        procedures.tell(proposal, say)
        if args.store:
            procedures.store(board, proposal.config)
            say(procedures.STORED)
            say(keep(proposal.config))
        else:
            say(
                "Nothing was changed; --store sends them to the board and keeps them for your games."
            )
    return None


def _chip(args: argparse.Namespace) -> ErrorKind | None:
    """Run the chip's own checks, once the person has agreed."""
    from companion.board.chip_checks import trial
    from companion.board.chip_checks.firmware_checks import FirmwareBench

    extras, files = trial.extras_of(args.extras), trial.report_files(args.report)
    if args.port == "virtual":
        raise CommandError(
            "The virtual board has no chip to try out: name a real board's port.", ErrorKind.USAGE
        )
    port = choose(args.port)
    out = sys.stderr if args.json else sys.stdout

    def say(sentence: str) -> None:
        print(trial.wrapped(sentence), file=out, flush=True)

    for paragraph in trial.WARNINGS:
        say(paragraph)
    if not args.yes and not trial.confirmed(say):
        say("Nothing was done.")
        return None
    hubs: int | None = None
    for usb_port in usb_ports():
        if usb_port.device == port:
            hubs = usb_port.hubs
    firmware = FirmwareBench(port, say, hubs=hubs, discard=args.discard)
    chip = trial.ChipTrial(InstallSession(port, out), firmware, extras=extras)
    if args.json:
        return trial.run_trial(chip, say, files, partial(print, file=data_stream(), flush=True))
    return trial.run_trial(chip, say, files)


def _refuse_without_chip(args: argparse.Namespace) -> None:
    """Raise `CommandError` for an option that needs `--chip`, or excludes it."""
    if not args.chip and (args.report or args.extras or args.yes):
        raise CommandError("--report, --with and --yes go with --chip: add it.", ErrorKind.USAGE)
    if args.chip and (args.press or args.wire):
        raise CommandError(
            "--chip tries out the chip, --press and --wire the wires: one after the other.",
            ErrorKind.USAGE,
        )


def _on_screen(args: argparse.Namespace) -> bool:
    """Return whether to use the screen: output is a terminal, and no option needs plain lines."""
    lines_only = args.plain or (args.word == "selftest" and (args.json or args.wire))
    return shows_screens() and not lines_only and getattr(args, "seconds", None) is None


def _screen(args: argparse.Namespace, port: str) -> ErrorKind | None:
    """Show the screen until the person leaves; return `UNAVAILABLE` if no board answered in the end."""
    from companion.board.desk import BoardDesk
    from companion.dashboard.board.app import BoardApp
    from companion.dashboard.preferences import in_force
    from companion.session.board_pages import BoardPage

    preferences = in_force(args)
    desk = BoardDesk(port, BoardPage(args.word), discard=args.discard)
    try:
        BoardApp(desk, preferences).run()
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
            f"No virtual board is running: start one with `{PROGRAM} play {example_game()} --port virtual`, or name "
            "the port that `python -m firmware_protocol.virtual` prints.",
            ErrorKind.UNAVAILABLE,
        )
    with board:
        return board.url
