"""The place of a new session: in the folder of all sessions, unless its disk lacks something. In that case the user
is asked before any screen is shown."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from companion import terminal
from companion.commands.play_options import PlayOptions
from companion.commands.usage import answer
from companion.errors import CommandError, ErrorKind, writing
from companion.journal.features import (
    Feature,
    accept,
    is_accepted,
    lacks_sentence,
    missing_in,
    there_is,
)
from companion.journal.folder import DATA_VARIABLE, home_sessions_dir, sessions_dir
from companion.rules.columns import in_shell, wrap
from companion.system import shell


def with_place(play_options: PlayOptions) -> PlayOptions:
    """Return the options with a folder in which a session can be created; raise as `place_for_new` does."""
    usual = sessions_dir() if play_options.folder is None else play_options.folder
    folder = place_for_new(usual)
    if folder == usual:
        return play_options
    return replace(play_options, folder=folder)


def place_for_new(folder: Path | None = None) -> Path:
    """Return the folder for a new session: `folder` (None: that of all sessions), after somebody agreed if everybody
    can read it, or the one at home if no session can be written to it. Raise `CommandError` if nobody agrees or can be
    asked."""
    folder = sessions_dir() if folder is None else folder
    missing = _missing_in(folder)
    needed = [feature for feature in missing if feature is not Feature.PERMISSIONS]
    # a disk without locks is refused; one without permissions only needs consent
    if needed:
        return _elsewhere(folder, needed[0])
    if missing and not is_accepted(folder):
        _ask_to_be_readable(folder)
    return folder


def _missing_in(folder: Path) -> tuple[Feature, ...]:
    try:
        return missing_in(there_is(folder))
    except OSError:  # creating the session reports the reason
        return ()


def _ask_to_be_readable(folder: Path) -> None:
    why = f"{lacks_sentence(folder, Feature.PERMISSIONS)}."
    another = f"{DATA_VARIABLE} names another data folder."
    if not terminal.can_ask():
        raise CommandError(
            f"{why} Play once in a terminal to agree. {another}", ErrorKind.CANNOT_CREATE
        )
    _print_wrapped(why)
    if answer("Play here anyway? You are asked once. [y/N] ") != "y":
        raise CommandError(f"No session was started. {another}", ErrorKind.CANNOT_CREATE)
    with writing(folder):
        accept(folder)


def _elsewhere(folder: Path, feature: Feature) -> Path:
    """Ask whether to create the session at home instead; return its folder."""
    why, home = f"{lacks_sentence(folder, feature)}.", home_sessions_dir()
    if any(lacking is not Feature.PERMISSIONS for lacking in _missing_in(home)):
        raise CommandError(
            f"{why} {DATA_VARIABLE} names a data folder on another disk.", ErrorKind.CANNOT_CREATE
        )
    if not terminal.can_ask():
        there = shell.with_variable(DATA_VARIABLE, in_shell(str(home.parent)))
        raise CommandError(
            f"{why} Start it on a disk of this computer: {there}", ErrorKind.CANNOT_CREATE
        )
    _print_wrapped(f"Start the session in {home} instead?")
    _print_wrapped(f"{why} When you quit the game, you are told how to bring the session back.")
    if answer("Enter: start it there. n: do not start. ") == "n":
        raise CommandError(
            f"No session was started. {DATA_VARIABLE} names another data folder.",
            ErrorKind.CANNOT_CREATE,
        )
    # the home disk may need consent too
    return place_for_new(home)


def _print_wrapped(sentence: str) -> None:
    print("\n".join(wrap(sentence, shutil.get_terminal_size().columns - 1)))


def is_elsewhere(session: Path) -> bool:
    """Return whether a session was created at home because the folder of all sessions could not be used."""
    return session.parent == home_sessions_dir() != sessions_dir()


def how_to_bring_back(session: Path) -> str:
    """Return how to move a session that was created elsewhere into the folder of all sessions."""
    folder = in_shell(str(sessions_dir()))
    to_make = not sessions_dir().exists()
    command = shell.moving(in_shell(str(session)), folder, to_make=to_make)
    return f"When it is over, bring it back:  {command}"
