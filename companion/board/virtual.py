"""This user's virtual board: started by `play --port virtual`, worked by `companion hands`, and reported or ended by
`companion virtual` if it was left behind."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from companion.errors import CommandError, ErrorKind
from companion.journal.errors import JournalError, SessionBusy
from companion.journal.features import FolderUnfit, lacks_sentence
from companion.journal.folder import sessions_dir, typed_name
from companion.journal.mark import MarkFile
from companion.journal.sessions import last_of_kind, list_sessions
from companion.program import PROGRAM
from companion.rules.columns import plural
from companion.system.devices import has_ptys
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError


def find() -> VirtualBoard | None:
    """Return a connection to the running board; None if none runs."""
    try:
        return VirtualBoard.attach(_address_file().read_text().strip())
    except (OSError, VirtualBoardError):
        return None


class InPlayError(VirtualBoardError):
    """A session plays with the board."""


def left_behind() -> int | None:
    """Return how many unsaved events a board has that no session plays with; None if there is no such board.

    Raise `InPlayError`, or `VirtualBoardError` if the board does not answer.
    """
    board = find()
    if board is None:
        return None
    with contextlib.closing(board), contextlib.closing(_lock()):
        return board.unsaved() if board.status()["powered"] else 0


def would_be_lost(events: int) -> str:
    """Return the sentence on the events of a board that was left behind."""
    if not events:
        return "A virtual board was left behind. Nothing is lost with it: it ends by itself within a minute."
    return (
        f"A virtual board was left behind; it keeps {plural(events, 'event')} that no session has."
    )


def how_to_end() -> str:
    """Return the two ways to end such a board: continue its session, or lose the events.

    The board's session is named, because it need not be the last one.
    """
    session = _last_session()
    command = f"{PROGRAM} resume"
    if session is not None:
        command += f" {typed_name(session)}"
    return f"Go on with its session: {command}\nEnd it and lose them:    {PROGRAM} virtual end"


def _last_session() -> Path | None:
    """Return the last session that was played with this user's virtual board; None if none can be read."""
    uid = f"{identity() or 0:016x}"
    with contextlib.suppress(JournalError):
        infos = sorted(list_sessions(sessions_dir()), key=lambda info: info.when_played)
        for info in reversed(infos):
            with contextlib.suppress(JournalError):
                hello = last_of_kind(info.path, "hello")
                if hello is not None and hello.body["uid"] == uid:
                    return info.path
    return None


def run(args: argparse.Namespace) -> None:
    """Report a board that was left behind, or end it; raise `CommandError`."""
    end = args.what == "end"
    try:
        events = left_behind()
    except InPlayError as problem:
        if end:
            raise CommandError(
                f"The virtual board goes on: {problem}", ErrorKind.UNAVAILABLE
            ) from problem
        print("A session plays with the virtual board.")
        return
    except VirtualBoardError as problem:
        if not end:
            raise CommandError(
                f"{problem} End it: {PROGRAM} virtual end", ErrorKind.UNAVAILABLE
            ) from problem
        _end()
        print(
            "The virtual board has ended. What it kept is not known: its firmware did not answer."
        )
        return
    if events is None:
        print("No virtual board is running.")
    elif not end:
        print(would_be_lost(events))
        if events:
            print(how_to_end())
    else:
        _end()
        events_lost = plural(events, "event was", "events were") if events else "no events were"
        print(f"The virtual board has ended; {events_lost} lost.")


def _end() -> None:
    with running():
        pass


@contextlib.contextmanager
def running() -> Iterator[VirtualBoard]:
    """Yield the running board, or a new one, for one session at a time; end it afterwards.

    It is a process of its own: if the companion is killed, the board keeps running and keeps what its buttons do. Raise
    `VirtualBoardError` if none can be started or another session plays with it.
    """
    with contextlib.closing(_lock()):
        try:
            board = find() or _start()
        except OSError as problem:
            raise _no_room(problem) from problem
        try:
            yield board
        finally:
            with contextlib.suppress(VirtualBoardError):
                board.end()
            board.close()
            _address_file().unlink(missing_ok=True)


def _lock() -> MarkFile:
    """Take the lock on the board, which the system releases if this process dies."""
    folder = _address_file().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return MarkFile(_address_file())
    except SessionBusy as busy:
        why = "another session plays with it: end that one first, or name another data folder with COMPANION_DATA."
        raise InPlayError(why) from busy
    except FolderUnfit as problem:
        why = f"{lacks_sentence(problem.folder, problem.feature)}. COMPANION_DATA names another data folder."
        raise VirtualBoardError(why) from problem
    except OSError as problem:
        raise _no_room(problem) from problem


def _no_room(problem: OSError) -> VirtualBoardError:
    folder = _address_file().parent
    return VirtualBoardError(
        f"its folder {folder} cannot be written ({problem.strerror}): name another data folder with COMPANION_DATA."
    )


def _start() -> VirtualBoard:
    address_file = _address_file()
    port = address_file.with_name("port")
    path = port if _can_be_linked(port) else None
    uid = identity()
    if uid is None:
        uid = secrets.randbits(64)
        _identity_file().write_text(f"{uid:016x}\n")
    board = VirtualBoard.spawn(path=path, uid=uid, outlive=True)
    address_file.write_text(board.address)
    return board


def _can_be_linked(port: Path) -> bool:
    """Return whether a link to the port can be made there: not on Windows, nor on exFAT. Otherwise the board
    chooses."""
    if not has_ptys():
        return False
    if port.is_symlink():
        return True
    try:
        port.symlink_to(os.devnull)
        port.unlink()
    except OSError:
        return False
    return True


def identity() -> int | None:
    """Return the number of this user's virtual board; None if there never was one.

    It stays the same, so that a session can be continued with it.
    """
    try:
        return int(_identity_file().read_text(), 16)
    except (OSError, ValueError):
        return None


def _identity_file() -> Path:
    return _address_file().with_name("uid")


def _address_file() -> Path:
    return sessions_dir().parent / "virtual" / "control"
