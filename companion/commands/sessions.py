"""`companion sessions` and `companion journal`: list, rename, archive, delete, check and repair sessions.

Each command prints; for what it returns and raises see `usage.run_reporting_errors`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.commands.usage import answer
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from companion.journal import errors
from companion.journal.disk import make_private, take_place
from companion.journal.ends import End, Standing, ends_among
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.features import FolderUnfit
from companion.journal.folder import ARCHIVE, sessions_dir, typed_name
from companion.journal.journal import Journal
from companion.journal.mark import MarkFile, mark_path, refused_at
from companion.journal.sessions import SessionInfo, list_sessions
from companion.journal.store import check_header, open_store
from companion.journal.trouble import why
from companion.journal.wall_clock import begun_text, date_text, instant_of
from companion.program import PROGRAM
from companion.rules.columns import clean, fit, json_text, plural, width, wrap
from companion.rules.registry import GAMES
from companion.session.clocks import wall
from companion.session.finding import find, listed, telling_names
from companion.session.two_ends import explained
from companion.terminal import data_stream

if TYPE_CHECKING:
    from companion.journal.check import Reader

WIDTH = 80  # columns
LONGEST_GAME = 16  # columns
NO_ENDS: Mapping[Path, End] = MappingProxyType({})
_HEAD = ("name", "game", "begun", "entries", "state")


def is_written(path: Path) -> bool:
    """Return whether a companion is writing the session at `path`."""
    try:
        if mark_path(path).exists():
            MarkFile(path).abandon()
    except errors.SessionBusy:
        return True
    except (OSError, FolderUnfit):  # not this user's file, or a disk without locks: unknown
        pass
    return False


def state_of(info: SessionInfo) -> str:
    """Return the state of a listed session in a word or two, without opening it."""
    if info.problem is not None:
        return "unreadable"
    if is_written(info.path):
        return "open elsewhere"
    if info.lacking:
        return "incomplete"
    if info.path.parent.name == ARCHIVE:
        return "archived"
    return "ended" if info.ended else "unfinished"


def as_json_value(info: SessionInfo, end: End | None = None) -> dict[str, object]:
    """Return a session's line of the list as JSON values, with times in UTC as recorded. `end` is its standing among
    the files of its game."""
    return {
        "path": str(info.path),
        "name": info.name,
        "game": info.game,
        "order": info.last_place.number or None,
        "begun": info.started_wall,
        "last": info.last_wall,
        "entries": info.entries,
        "ended": info.ended,
        "state": state_of(info),
        "problem": info.problem,
        "lacking": info.lacking or None,
        "standing": str(Standing.COUNTS if end is None else end.standing),
        "same_game": None if end is None or end.other is None else str(end.other),
    }


def listed_lines(
    infos: tuple[SessionInfo, ...], *, wide: bool = False, ends: Mapping[Path, End] = NO_ENDS
) -> list[str]:
    """Return the list with its head, for a screen of `WIDTH` columns, or with `wide` as wide as its names. A name that
    does not fit gets a line of its own. Below an unreadable session is the reason; below one of several files of a game
    (`ends`), its standing. Sessions of the same name are told apart by their files' names, which can be typed for
    them."""
    rows = [_HEAD, *map(_cells, infos, telling_names(infos))]
    name, game, begun, entries, state = (
        max(map(width, column)) for column in zip(*rows, strict=True)
    )
    if not wide:
        game = min(game, LONGEST_GAME)
        name = min(name, WIDTH - game - begun - entries - state - len("  ") * 4)
    printed: list[str] = []
    for row, info in zip(rows, (None, *infos), strict=True):
        if width(row[0]) > name:
            printed.append(row[0])
            row = ("", *row[1:])
        cells = (
            fit(row[0], name),
            fit(row[1], game),
            fit(row[2], begun),
            row[3].rjust(entries),
            row[4],
        )
        printed.append("  ".join(cells).rstrip())
        if info is not None and info.problem is not None:
            printed += [f"    {line}" for line in wrap(info.problem, WIDTH - len("    "))]
        if info is not None and info.path in ends:
            printed += _end_lines(ends[info.path])
    return printed


def _end_lines(end: End) -> Iterator[str]:
    """Yield the lines of a file's standing among those of its game; the command stays on one line, to be pasted."""
    sentence, command = explained(end)
    for line in (*wrap(clean(sentence), WIDTH - len("    ")), clean(command)):
        if line:
            yield f"    {line}"


def _cells(info: SessionInfo, name: str) -> tuple[str, str, str, str, str]:
    entries = str(info.entries) if info.problem is None else ""
    return clean(name), clean(info.title or info.game), _begun(info), entries, state_of(info)


def title_of(info: SessionInfo) -> str:
    """Return the title of a session's game; if the game is not installed, the session's title for it, or its id."""
    if info.game in GAMES:
        return GAMES[info.game].title
    return clean(info.title or info.game)


def _begun(info: SessionInfo) -> str:
    """Return when a session was begun, to the minute, in local time; empty if that cannot be read."""
    if not info.started_wall:
        return ""
    return date_text(instant_of(info.started_wall))


LONGEST_NAME = 60  # characters; a list has no room for more
EVIDENCE_KINDS = frozenset(
    {
        "hello",
        "boot",
        "event",
        "state",
        "gap",
        "overrun",
        "clash",
        "note",
        "sync",
        "config",
        "cue",
        "omitted",
    }
)
# Suffixes of files that belong to a session: SQLite's, the mark, the fold, phones' addresses, hooks' progress, copies,
# damaged files that were replaced, and logs that were kept.
_BELONGS = re.compile(
    r"(-wal|-shm|-journal|\.mark(-of)?|\.(fold|phones|hooks)(\.new)?|\.new(-journal)?|\.backup(-new|-older(-\d+)?)?|\.damaged(-\d+)?(-wal|\.mark)?|-wal\.damaged(-\d+)?)?"
)


def show(args: argparse.Namespace) -> Exit:
    """`companion sessions [--json] [--anyway]`: print all sessions, the last begun first, archived ones at the end.
    Exit with 65 if one lacks entries, unless `anyway` is given."""
    infos = listed()
    ends = ends_among(infos)
    lacking = [info.lacking for info in infos if info.lacking]
    for sentence in lacking:
        print(clean(sentence), file=sys.stderr)
    if args.json:
        print(
            json_text([as_json_value(info, ends.get(info.path)) for info in infos], indent=2),
            file=data_stream(),
        )
    elif infos:
        print("\n".join(listed_lines(infos, wide=not sys.stdout.isatty(), ends=ends)))
    else:
        print(f"There is no session in {sessions_dir()}: start one with `{PROGRAM} play`.")
    return Exit.DATA if lacking and not args.anyway else Exit.DONE


def rename(args: argparse.Namespace) -> None:
    """`companion sessions rename SESSION NAME`: the name becomes an entry of the record; the file keeps its own."""
    path, chosen = find(args.session), args.name.strip()
    if not chosen or not chosen.isprintable() or len(chosen) > LONGEST_NAME:
        raise CommandError(
            f"A name has 1 to {LONGEST_NAME} printable characters; choose another.", ErrorKind.USAGE
        )
    try:
        # Not for a doubtful session: another entry would move the mark, and the loss would go unnoticed.
        with Journal.open(path, wall=wall, doubtful=False) as journal:
            journal.append(Draft(Layer.CONTROL, Control.RENAMED, {"name": chosen}, "keyboard"))
    except errors.SessionDoubtfulError as doubt:
        raise CommandError(f"{doubt} It keeps its name until then.", ErrorKind.DATA) from doubt
    print(f"{path.name} is called {chosen} now.")


def archive(args: argparse.Namespace) -> None:
    """`companion sessions archive SESSION`: move it to a folder whose sessions are not offered."""
    path = find(args.session)
    if path.parent.name == ARCHIVE:
        raise CommandError(f"{path} is archived already.", ErrorKind.USAGE)
    print(f"Archived: {_move(path, path.parent / ARCHIVE)}")


def unarchive(args: argparse.Namespace) -> None:
    """`companion sessions unarchive SESSION`: move it back."""
    path = find(args.session)
    if path.parent.name != ARCHIVE:
        raise CommandError(f"{path} is not archived.", ErrorKind.USAGE)
    print(f"Back from the archive: {_move(path, path.parent.parent)}")


def delete(args: argparse.Namespace) -> None:
    """`companion sessions delete SESSION [--yes]`: delete the file and its side files, after a question."""
    path = find(args.session)
    _refuse_foreign(path)
    if not args.yes:
        question = f"Delete {_description(path)} for good, with its copies? [y/N] "
        if answer(question) != "y":
            print(f"{path.name} is kept.")
            return
    with _write_locked(path, "deleted"):
        files = [path, *_side_files(path)]
        for file in files:
            file.unlink(missing_ok=True)
    # after the block, because the lock is on the mark
    mark_path(path).unlink(missing_ok=True)
    names = ", ".join(file.name for file in (*files, mark_path(path)))
    print(f"Deleted: {names}")


def _description(path: Path) -> str:
    infos = list_sessions(path.parent)
    info, name = SessionInfo(path, path.stem), path.stem
    for listed_info, listed_name in zip(infos, telling_names(infos), strict=True):
        if listed_info.path == path:
            info, name = listed_info, listed_name
    if info.problem is not None or not info.entries:
        return path.name
    entries = plural(info.entries, "entry", "entries")
    lacking = "; more were saved once" if info.lacking else ""
    begun = begun_text(instant_of(info.started_wall))
    return f"{clean(name)} ({clean(info.title or info.game)}, {begun}, {entries}{lacking})"


def _refuse_foreign(path: Path) -> None:
    """Raise for a file of another program; a damaged session may be moved or deleted."""
    try:
        check_header(path)
    except errors.JournalError as problem:
        if isinstance(problem, errors.NotASessionError | errors.SessionMissingError):
            raise


@contextmanager
def _write_locked(path: Path, done: str) -> Iterator[None]:
    """Hold the right to write the session while it is `done`; raise `NotWritten` if that fails."""
    try:
        mark = MarkFile(path)
        try:
            yield
        finally:
            mark.abandon()
    except OSError as error:
        reason, where = why(error), refused_at(path, error)
        if where != path:
            reason = f"{where} cannot be opened ({reason})"
        raise errors.NotWritten(f"{path} cannot be {done}, because {reason}.") from error


def _side_files(path: Path) -> list[Path]:
    """Return all files that belong to `path`, without itself and its mark."""
    names = sorted(other for other in path.parent.iterdir() if other.name.startswith(path.name))
    others = [other for other in names if other not in (path, mark_path(path))]
    return [other for other in others if _BELONGS.fullmatch(other.name.removeprefix(path.name))]


def _move(path: Path, folder: Path) -> Path:
    _refuse_foreign(path)
    target = folder / path.name
    if target.exists():
        raise errors.SessionExistsError(f"{target} exists already: nothing was moved.")
    # what a crash left in the log belongs to the file, and must move with it
    if Path(f"{path}-wal").exists():
        _settle(path)
    with _write_locked(path, "moved"):
        make_private(folder)
        for name in (path, *_side_files(path)):
            # without the mark, which the lock holds until the block ends
            name.rename(folder / name.name)
    if mark_path(path).exists():
        take_place(mark_path(path), mark_path(target))
    return target


def _settle(path: Path) -> None:
    """Move what a crash left in the write-ahead log into the file, so that the two cannot be separated."""
    try:
        store, _, _ = open_store(path, doubtful=False)
    except errors.SessionBusy:
        raise
    except errors.JournalError:  # damaged: the log is moved with it as it is
        return
    store.close()


def check(args: argparse.Namespace) -> Exit:
    """`companion journal check SESSION`: print what is right and wrong; exit with 0 if nothing is wrong, else 65."""
    from companion.journal import check as checking

    path = find(args.session)
    findings = checking.check(path, _reader)
    print(path)
    for finding in findings:
        print(f"  {'right' if finding.right else 'WRONG'}  {clean(finding.sentence)}")
    if all(finding.right for finding in findings):
        return Exit.DONE
    if any(finding.mendable for finding in findings):
        print(f"Repair it: {PROGRAM} journal repair {typed_name(path)}")
    return Exit.DATA


def repair(args: argparse.Namespace) -> None:
    """`companion journal repair SESSION [--yes]`: write everything readable to a new file, and replace the damaged one
    after a question; the damaged file is kept."""
    from companion.journal import salvage as repairing
    from companion.journal.check import saved_words

    path = find(args.session)
    repaired = repairing.salvage(path, wall)
    if repaired is None:
        print(f"{path.name} holds all that can be read of it: there is nothing to repair.")
        return
    print(f"{path.name} is damaged: {clean(repaired.saving.problem)}.")
    print(f"{repaired.path.name} holds {saved_words(repaired.saving)}.")
    question = f"Replace {path.name}? The damaged file is kept. [y/N] "
    if args.yes or answer(question) == "y":
        damaged = repairing.replace(path, repaired)
        print(f"{path.name} is repaired; the damaged file is {damaged.name} now.")
    else:
        print(f"{path.name} is as it was; {repaired.path.name} is a session of its own.")


def _reader(header: Mapping[str, Any]) -> Reader:
    """Return a function that says why a fact or evidence of the session with this header cannot be read here."""
    from companion.rules.facts import Refused
    from companion.rules.game_info import GameUnusable
    from companion.rules.registry import learn_of, open_game

    game, missing = None, ""
    try:
        # a session has the definition of the user's own game in it
        learn_of(header.get("components"))
        game = open_game(str(header.get("game")))
    except (GameUnusable, ValueError) as error:
        missing = str(error)

    def read(entry: Entry) -> str | None:
        if entry.layer is Layer.EVIDENCE and entry.kind in EVIDENCE_KINDS:
            return None
        if entry.layer is Layer.EVIDENCE:
            return "no such kind"
        if game is None:
            return missing
        try:
            game.parse(entry.kind, entry.body)
        except (Refused, ValueError) as error:
            return str(error)
        return None

    return read
