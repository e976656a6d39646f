"""Files of one game: which are copies of one record, which went their own way, and which of these counts.

A synchronized folder makes a "conflicted copy" where two computers went on with one session. Each entry's digest stands
for all before it, so two files that agree at an entry are the same up to there, and two that differ at one are two ends
of one game. Which of them counts only the owner can say; the choice is kept beside the sessions, and no session file is
changed by it.
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

CHOICES = "ends"  # the folder of the choices, beside the session files: one file for each game with two ends
MOST_ENDS = 1_000  # that one choice sets aside

Known = Mapping[int, bytes]
"""Digests of a record by number: of all entries that can be read, and of the last of each gap."""


class Kinship(StrEnum):
    """How one record is related to another one."""

    OTHER = "other"  # another session
    SAME = "same"
    OLDER = "older"  # a beginning of the other one
    NEWER = "newer"
    APART = "apart"  # both have entries that the other one does not have
    UNKNOWN = "unknown"  # the entries that would tell are lost


class Comparison(NamedTuple):
    """How a record is related to another one; `shared` is the last entry that both are known to have."""

    kinship: Kinship
    shared: int


def compare(first: Known, second: Known) -> Comparison:
    """Return how record `one` is related to `two`."""
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
    """What is known of the record in a file: digests by number, and the last entry by which anything was played. Behind
    that it was only opened, or called otherwise."""

    known: Known
    played: int

    @property
    def end(self) -> int:
        """The last number that is known."""
        return max(self.known, default=0)


def line_of(path: Path) -> Line:
    """Return what can be read of a session file, whole or damaged, and what its mark says was saved behind that; an
    empty line where nothing can be read. It raises nothing."""
    from companion.journal.salvage import (  # what a folder without copies does not need
        find_saving,
        read_leading,
    )

    readable = read_leading(path)
    rows, idle = readable.rows, _idle_at_the_end(readable.entries)
    if readable.problem is not None and (saving := find_saving(path)) is not None:
        rows, idle = saving.rows, 0
    known = {row.n: row.digest for row in rows}
    mark = read_mark(path)
    if known and mark is not None and mark.n > max(known) and not is_of_another(path, known.get(1)):
        known[mark.n] = mark.digest
        idle = 0
    return Line(known, max(known, default=0) - idle)


def _idle_at_the_end(entries: Sequence[Entry]) -> int:
    """How many entries at the end say only that the session was opened, or is called otherwise."""
    count = 0
    for entry in reversed(entries):
        if not is_control(entry, Control.RESUMED, Control.RENAMED):
            break
        count += 1
    return count


class Standing(StrEnum):
    """Whether a session file counts where others of its game lie beside it."""

    COUNTS = "counts"
    COPY = "copy"  # another file has all that it has
    UNDECIDED = "undecided"  # one of two ends, and nobody said which counts
    ASIDE = "aside"  # the owner said that another end counts


@dataclass(frozen=True, slots=True)
class End:
    """What a session file is among the files of its game: `other` is the one that it is a copy of, or that went another
    way behind entry `shared`; None for one that was set aside in favor of a file that is gone. Behind that entry this
    file has `own` entries and the other one `others`. `sure`: the two are known to differ; otherwise the entries that
    would tell are lost."""

    path: Path
    standing: Standing
    other: Path | None = None
    shared: int = 0
    own: int = 0
    others: int = 0
    sure: bool = True


def ends_among(infos: Iterable[SessionInfo]) -> dict[Path, End]:
    """Return the files that have others of their game among `infos`, or that were set aside, by path."""
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
    """Return those of `infos` that somebody who names none may mean: no older copies, and none that was set aside."""
    ends = ends_among(infos)
    return tuple(
        info for info in infos if info.path not in ends or not _is_superseded(ends[info.path])
    )


def _is_superseded(end: End) -> bool:
    return end.standing is Standing.ASIDE or (end.standing is Standing.COPY and end.others > 0)


def known_first(path: Path) -> bytes:
    """Return the digest of the first entry of any session file; empty where that cannot be read."""
    from companion.journal.salvage import read_first  # what a folder without copies does not need

    return read_first(path) or line_of(path).known.get(1, b"")


def _ends(group: Sequence[SessionInfo], aside: Sequence[HighWater]) -> Iterator[End]:
    lines = {info.path: line_of(info.path) for info in group}
    set_aside = [info for info in group if _has_any(lines[info.path].known, aside)]
    rest = [info for info in group if info not in set_aside]
    ranked = sorted(rest, key=lambda info: (len(info.path.name), info.path.name))
    for place, info in enumerate(ranked):
        yield _end(info, ranked[:place], ranked[place + 1 :], lines)
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
    """What `info` is among the others; of files with the same play the first counts."""
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
    """Return how what was played in `one` is related to what was in `two`: two files of which one was only opened since
    they parted are no two ends of a game."""
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
    """Whether a file that has all that `info` has is read where that would be."""
    readable = other.problem is None and not other.lacking
    return readable and (other.path.parent.name != ARCHIVE or info.path.parent.name == ARCHIVE)


# -- the choice


def choice_path(first: bytes) -> Path:
    """Return where the choice for the session whose first entry has the digest `first` is kept; it need not exist."""
    return sessions_dir() / CHOICES / f"{first.hex()}.json"


def read_choice(first: bytes) -> tuple[HighWater, ...]:
    """Return the entries that only set-aside ends of a session have; none where nothing was chosen, and where what was
    cannot be read: then it is asked again."""
    try:
        places = read_json(choice_path(first))["aside"][:MOST_ENDS]
        aside = tuple(HighWater(int(n), bytes.fromhex(digest)) for n, digest in places)
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    return aside


def choose(path: Path, infos: Iterable[SessionInfo], wall: Callable[[], str]) -> tuple[Path, ...]:
    """Keep that the end in `path` counts; return the files of the other ends, none where there is none: then nothing is
    kept. Raise `NotWritten`."""
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
    """Forget which end of the game in `path` counts; return whether there was a choice. Raise `NotWritten`."""
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
