"""Files of one game: copies of one record, records that diverged, and which of these count.

A synchronized folder makes a "conflicted copy" if two computers continue one session. Each digest
covers all entries before it: two files with the same digest at a number are identical up to it, and
two with different ones are two ends of one game. Only the owner can say which end counts; the
choice is kept beside the sessions, and no session file is changed by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from companion.journal.disk import make_private, read_json, write_private
from companion.journal.entries import Control, Entry, is_control
from companion.journal.errors import NotWritten
from companion.journal.folder import ARCHIVE, sessions_dir
from companion.journal.mark import HighWater, read_mark
from companion.journal.mark_owner import is_of_another
from companion.journal.sessions import SessionInfo
from companion.journal.trouble import why

CHOICES = "ends"  # the folder of the choices, beside the session files; one file per game
MOST_ENDS = 1_000  # ends that one choice can set aside

Known = Mapping[int, bytes]
"""The known digests of a record by number: of each readable entry, and of the last entry of each
gap."""


class Kinship(StrEnum):
    """The relation of one record to another."""

    OTHER = "other"  # another session
    SAME = "same"
    OLDER = "older"  # a beginning of the other one
    NEWER = "newer"
    APART = "apart"  # both have entries that the other one does not have
    UNKNOWN = "unknown"  # the entries that would tell are lost


class Comparison(NamedTuple):
    """The relation of one record to another; `shared` is the last entry that both are known to
    have."""

    kinship: Kinship
    shared: int


def compare(first: Known, second: Known) -> Comparison:
    """Return how the record `first` is related to `second`."""
    both = sorted(first.keys() & second.keys())
    if not both or both[0] != 1 or first[1] != second[1]:
        return Comparison(Kinship.OTHER, 0)
    shared = max(n for n in both if first[n] == second[n])
    if shared != both[-1]:
        return Comparison(Kinship.APART, shared)
    end, other_end = max(first), max(second)
    if shared == end == other_end:
        return Comparison(Kinship.SAME, shared)
    if shared == end:
        return Comparison(Kinship.OLDER, shared)
    if shared == other_end:
        return Comparison(Kinship.NEWER, shared)
    return Comparison(Kinship.UNKNOWN, shared)


class Line(NamedTuple):
    """The known digests of the record in a file, and `played`, the last entry by which anything was
    played. Entries after that only opened the session or renamed it."""

    known: Known
    played: int

    @property
    def end(self) -> int:
        """The highest known number."""
        return max(self.known, default=0)


def line_of(path: Path) -> Line:
    """Return what can be read of a session file, whole or damaged, and what its mark says was saved
    after that; empty if nothing can be read. Raises nothing."""
    from companion.journal.salvage import (  # not needed in a folder without copies
        find_saving,
        read_leading,
    )

    readable = read_leading(path)
    rows, idle = readable.rows, _idle_at_the_end(readable.entries)
    saving = None if readable.problem is None else find_saving(path)
    if saving is not None:
        rows, idle = saving.rows, 0
    known = {row.n: row.digest for row in rows}
    mark = read_mark(path)
    if known and mark is not None and mark.n > max(known) and not is_of_another(path, known.get(1)):
        known[mark.n] = mark.digest
        idle = 0
    return Line(known, max(known, default=0) - idle)


def _idle_at_the_end(entries: Sequence[Entry]) -> int:
    """Return how many entries at the end only open the session or rename it."""
    count = 0
    for entry in reversed(entries):
        if not is_control(entry, Control.RESUMED, Control.RENAMED):
            break
        count += 1
    return count


class Standing(StrEnum):
    """Whether a session file counts among the files of its game."""

    COUNTS = "counts"
    COPY = "copy"  # another file has all that it has
    UNDECIDED = "undecided"  # one of two ends, and nobody said which counts
    ASIDE = "aside"  # the owner said that another end counts


@dataclass(frozen=True, slots=True)
class End:
    """The role of a session file among the files of its game.

    `other` is the file it is a copy of, or diverged from after entry `shared`; None for one that
    was set aside in favor of a file that no longer exists. After that entry this file has `own`
    entries and the other one `others`. If not `sure`, the entries that would show a difference are
    lost.
    """

    path: Path
    standing: Standing
    other: Path | None = None
    shared: int = 0
    own: int = 0
    others: int = 0
    sure: bool = True


def ends_among(infos: Iterable[SessionInfo]) -> dict[Path, End]:
    """Return by path the files that were set aside or have others of their game among `infos`."""
    groups: dict[bytes, list[SessionInfo]] = {}
    for info in infos:
        first = info.first or known_first(info.path)
        if first:
            groups.setdefault(first, []).append(info)
    ends: dict[Path, End] = {}
    for first, group in groups.items():
        aside = read_choice(first)
        if len(group) > 1 or aside:
            ends.update((end.path, end) for end in _ends(group, aside))
    return ends


def without_superseded(infos: Sequence[SessionInfo]) -> tuple[SessionInfo, ...]:
    """Return those of `infos` that can be meant if no session is named: no older copies, and none
    that was set aside."""
    ends = ends_among(infos)
    return tuple(
        info for info in infos if info.path not in ends or not _is_superseded(ends[info.path])
    )


def _is_superseded(end: End) -> bool:
    return end.standing is Standing.ASIDE or (end.standing is Standing.COPY and end.others > 0)


def known_first(path: Path) -> bytes:
    """Return the digest of the first entry of any session file, empty if it cannot be read."""
    from companion.journal.salvage import read_first  # not needed in a folder without copies

    return read_first(path) or line_of(path).known.get(1, b"")


def _ends(group: Sequence[SessionInfo], aside: Sequence[HighWater]) -> Iterator[End]:
    lines = {info.path: line_of(info.path) for info in group}
    set_aside = [info for info in group if _has_any(lines[info.path].known, aside)]
    rest = [info for info in group if info not in set_aside]
    # The shorter name first: a synchronized folder appends to the name of a conflicted copy.
    ranked = sorted(rest, key=lambda info: (len(info.path.name), info.path.name))
    for place, info in enumerate(ranked):
        yield _end(info, ranked[:place], ranked[place + 1 :], lines)
    # Whatever was set aside is compared with the longest end that is left.
    counting = max(rest, key=lambda info: lines[info.path].end, default=None)
    for info in set_aside:
        if counting is None:
            yield End(info.path, Standing.ASIDE)
        else:
            yield _beside(info, counting, lines, Standing.ASIDE)


def _has_any(known: Known, places: Iterable[HighWater]) -> bool:
    return any(known.get(place.n) == place.digest for place in places)


def _end(
    info: SessionInfo,
    earlier: Sequence[SessionInfo],
    later: Sequence[SessionInfo],
    lines: Mapping[Path, Line],
) -> End:
    """Return the role of `info`; among files with the same play, the first one counts."""
    parted = list[End]()
    for other in (*earlier, *later):
        kinship = as_played(lines[info.path], lines[other.path])
        covers = kinship is Kinship.OLDER or (kinship is Kinship.SAME and other in earlier)
        if covers and _can_stand_for(other, info):
            return _beside(info, other, lines, Standing.COPY)
        if kinship in (Kinship.APART, Kinship.UNKNOWN):
            parted.append(_beside(info, other, lines, Standing.UNDECIDED))
    return max(
        parted, key=lambda end: (end.sure, end.shared), default=End(info.path, Standing.COUNTS)
    )


def as_played(first: Line, second: Line) -> Kinship:
    """Return how the play in `first` is related to that in `second`: if one was only opened since
    they diverged, they are not two ends of a game."""
    kinship, shared = compare(first.known, second.known)
    if kinship is not Kinship.APART or (first.played > shared and second.played > shared):
        return kinship
    if first.played <= shared and second.played <= shared:
        return Kinship.SAME
    return Kinship.OLDER if first.played <= shared else Kinship.NEWER


def _beside(
    info: SessionInfo, other: SessionInfo, lines: Mapping[Path, Line], standing: Standing
) -> End:
    own_line, other_line = lines[info.path], lines[other.path]
    kinship, shared = compare(own_line.known, other_line.known)
    own, others = own_line.end - shared, other_line.end - shared
    return End(info.path, standing, other.path, shared, own, others, kinship is not Kinship.UNKNOWN)


def _can_stand_for(other: SessionInfo, info: SessionInfo) -> bool:
    """Return whether `other`, which contains all of `info`, can be read and is listed wherever
    `info` is."""
    readable = other.problem is None and not other.lacking
    return readable and (other.path.parent.name != ARCHIVE or info.path.parent.name == ARCHIVE)


# -- the choice


def choice_path(first: bytes) -> Path:
    """Return the path of the choice for the session whose first entry has the digest `first`; it
    need not exist."""
    return sessions_dir() / CHOICES / f"{first.hex()}.json"


def read_choice(first: bytes) -> tuple[HighWater, ...]:
    """Return the entries that only set-aside ends of a session have; none if nothing was chosen or
    the choice cannot be read, so that it is asked for again."""
    try:
        places = read_json(choice_path(first))["aside"][:MOST_ENDS]
        aside = tuple(HighWater(int(n), bytes.fromhex(digest)) for n, digest in places)
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    return aside


def choose(path: Path, infos: Iterable[SessionInfo], wall: Callable[[], str]) -> tuple[Path, ...]:
    """Record that the end in `path` counts; return the files of the other ends. If there are none,
    nothing is recorded. Raise `NotWritten`."""
    chosen = line_of(path).known
    aside: dict[Path, HighWater] = {}
    for info in infos:
        known = line_of(info.path).known if info.path != path else {}
        kinship = compare(chosen, known).kinship
        if kinship is Kinship.APART:
            n = min(n for n in chosen.keys() & known.keys() if chosen[n] != known[n])
            aside[info.path] = HighWater(n, known[n])
        elif kinship is Kinship.UNKNOWN:
            aside[info.path] = HighWater(max(known), known[max(known)])
    if aside:
        _keep(path, chosen, aside.values(), wall())
    return tuple(aside)


def _keep(path: Path, chosen: Known, aside: Iterable[HighWater], wall: str) -> None:
    last, places = max(chosen), sorted({(place.n, place.digest.hex()) for place in aside})
    choice = {
        "file": path.name,
        "counts": [last, chosen[last].hex()],
        "aside": places,
        "wall": wall,
    }
    place = choice_path(chosen[1])
    try:
        make_private(place.parent)
        write_private(place, json.dumps(choice, indent=1).encode())
    except OSError as error:
        raise NotWritten(f"The choice cannot be kept in {place}, because {why(error)}.") from error


def take_choice_back(path: Path) -> bool:
    """Delete the choice for the game in `path`; return whether there was one. Raise `NotWritten`."""
    place = choice_path(known_first(path))
    try:
        with suppress(FileNotFoundError):
            place.unlink()
            return True
    except OSError as error:
        raise NotWritten(
            f"The choice in {place} cannot be taken back, because {why(error)}."
        ) from error
    return False
