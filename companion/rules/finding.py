"""Discovery of games: the entry points of all packages, read so that none can harm the others.

An entry is one import of plain data. Our own are imported directly. Those of other people are imported all at once,
each in a thread of its own, which may raise anything and is abandoned after `IMPORT_TIMEOUT_S`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, distributions
from typing import Any, Final

from companion.rules.columns import clean
from companion.rules.game_info import API, GROUP, OPTIONAL, OURS, GameInfo, GameProblem, error_text

IMPORT_TIMEOUT_S: Final = 2.0
"""How long the entries of other people's games may take to import, all together; one of plain data takes 1 ms."""
LONGEST_ID: Final = 32
_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# The ids of the companion's own actions begin with the first three; the others are devices on Windows, not file names.
_TAKEN: Final = frozenset({"table", "dashboard", "fault", "con", "prn", "aux", "nul"})
_TEXTS: Final = ("title", "does", "credits", "package", "rules")
_REINSTALL: Final = "Install it again (pip install -e . in a folder with its source)."


def find() -> tuple[list[GameInfo], list[GameProblem]]:
    """Return the usable games, each id once, and why the others cannot be used."""
    wrong: list[GameProblem] = []
    points = _entry_points(wrong)
    ours: list[EntryPoint] = []
    others: list[EntryPoint] = []
    for point in points:
        if point.value.startswith(OURS):
            ours.append(point)
        else:
            others.append(point)
    games: list[GameInfo] = []
    for point in ours:
        try:
            games.append(point.load())
        except Exception as error:  # a lost file, or half an update: the other games still work
            why = f"importing {point.value} failed ({error_text(error)})"
            wrong.append(GameProblem(point.name, _package(point), clean(why), _REINSTALL))
    if not ours:
        why = "its installation names none of its games"
        wrong.append(GameProblem("", "table-companion", why, _REINSTALL))
    usable = list(_with_free_ids(others, {point.name for point in ours}, wrong))
    for point, (entry, failure) in zip(usable, _imported(usable), strict=True):
        why = failure or _why_not(point.name, entry)
        if why:
            wrong.append(_problem(point, why))
        else:
            games.append(entry)
    return games, wrong


def _entry_points(wrong: list[GameProblem]) -> list[EntryPoint]:
    """Return the entry points of the group, sorted, those of a package that is found twice only once."""
    points: dict[tuple[str, str, str], EntryPoint] = {}
    # Not importlib.metadata.entry_points(): one package with a damaged file would make it fail for all.
    for package in distributions():
        if f"[{GROUP}]" not in (package.read_text("entry_points.txt") or ""):
            continue
        name = clean(package.metadata["Name"] or "?")
        try:
            in_group = package.entry_points.select(group=GROUP)
        except Exception:  # a damaged file can raise anything in its parser
            why = "its entry_points.txt cannot be read"
            wrong.append(GameProblem("", name, why, _update(name)))
            continue
        for point in in_group:
            points.setdefault((point.name, name, point.value), point)
    return sorted(points.values(), key=lambda point: (point.name, _package(point)))


def _package(point: EntryPoint) -> str:
    return clean(point.dist.name or "?") if point.dist is not None else "?"


def _update(package: str) -> str:
    return f"Update it, or remove it:  pip uninstall {package}"


def _problem(point: EntryPoint, why: str) -> GameProblem:
    package = _package(point)
    return GameProblem(clean(point.name), package, clean(why), _update(package))


def _with_free_ids(
    points: Sequence[EntryPoint], taken: set[str], wrong: list[GameProblem]
) -> Iterator[EntryPoint]:
    """Yield the entry points whose id is valid and their own, and add the others to `wrong`.

    If several packages have the same id, none of them gets it: which game is played must not depend on the order of
    packages on the disk.
    """
    for point in points:
        rivals = [
            _package(other) for other in points if other.name == point.name and other is not point
        ]
        if point.name in taken:
            wrong.append(_problem(point, "the companion itself has a game of this id"))
        elif rivals:
            wrong.append(_problem(point, f"{', '.join(sorted(rivals))} has a game of the same id"))
        elif not _ID.fullmatch(point.name) or len(point.name) > LONGEST_ID or point.name in _TAKEN:
            form = f"small letters, digits and single hyphens, {LONGEST_ID} at most"
            wrong.append(_problem(point, f"this cannot be the id of a game, which has {form}"))
        else:
            yield point


def _imported(points: Sequence[EntryPoint]) -> list[tuple[Any, str]]:
    """Return the object of each entry point with an empty text, or None with why it cannot be imported."""
    if not points:
        return []
    from concurrent.futures import Future, wait  # imported late: most computers have only our games

    def load(point: EntryPoint, future: Future[tuple[Any, str]]) -> None:
        try:
            future.set_result((point.load(), ""))
        except BaseException as error:  # also SystemExit: it is a stranger's code
            future.set_result((None, f"importing {point.value} failed ({error_text(error)})"))

    futures: list[Future[tuple[Any, str]]] = []
    for point in points:
        future = Future[tuple[Any, str]]()
        futures.append(future)
        # Not an executor: its threads are joined at exit, so an import that never ends would keep the program alive.
        name = f"game {point.name}"
        threading.Thread(target=load, args=(point, future), name=name, daemon=True).start()
    done = wait(futures, timeout=IMPORT_TIMEOUT_S).done
    late = f"importing its entry takes longer than {IMPORT_TIMEOUT_S:.0f} s"
    return [future.result() if future in done else (None, late) for future in futures]


def _why_not(name: str, info: Any) -> str:
    """Return why this is not a usable game, or an empty text."""
    if not isinstance(info, GameInfo):
        return f"its entry is of type {type(info).__name__}, and should be a GameInfo"
    if info.api != API:
        return f"it was made for version {info.api} of what games and the companion expect of each other; this is {API}"
    if info.id != name:
        return (
            f"its entry says that its id is {info.id!r}; the entry point has to have the same name"
        )
    # The annotations of a dataclass are not checked when it is made, so a stranger's GameInfo may hold anything.
    texts = [getattr(info, field) for field in _TEXTS]
    if not all(isinstance(text, str) and text.strip() and text.isprintable() for text in texts):
        return f"each of {', '.join(_TEXTS)} has to be a line of text"
    if not all(isinstance(getattr(info, field), str | None) for field in OPTIONAL):
        return f"each of {', '.join(OPTIONAL)} has to be text, `module:name`, or be left out"
    seats = info.seats
    if not isinstance(seats, range) or not seats or seats.step != 1 or seats[0] < 1:
        return "seats has to be a range of whole numbers from 1, for example range(2, 6)"
    if type(info.place) is not int:
        return "place has to be a whole number"
    return ""
