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
# Ids of actions begin with these as with a game's id; Windows has devices instead of files of those names.
_TAKEN: Final = frozenset({"table", "dashboard", "fault", "con", "prn", "aux", "nul"})
_TEXTS: Final = ("title", "does", "credits", "package", "rules")
_REINSTALL: Final = "Install it again (pip install -e . in a folder with its source)."


def find() -> tuple[list[GameInfo], list[GameProblem]]:
    """Return the usable games, each id once, and why the others cannot be used."""
    wrong: list[GameProblem] = []
    points = _entry_points(wrong)
    ours = [point for point in points if point.value.startswith(OURS)]
    others = [point for point in points if not point.value.startswith(OURS)]
    games: list[GameInfo] = []
    for point in ours:  # a file of one that is lost, or half an update, costs no other
        try:
            games.append(point.load())
        except Exception as error:
            why = f"importing {point.value} failed ({error_text(error)})"
            wrong.append(GameProblem(point.name, _package(point), clean(why), _REINSTALL))
    if not ours:
        wrong.append(
            GameProblem(
                "", "table-companion", "its installation names none of its games", _REINSTALL
            )
        )
    good = list(_with_an_id_of_their_own(others, {point.name for point in ours}, wrong))
    for point, (entry, failed) in zip(good, _imported(good), strict=True):
        if why := failed or _why_not(point.name, entry):
            wrong.append(_problem(point, why))
        else:
            games.append(entry)
    return games, wrong


def _entry_points(wrong: list[GameProblem]) -> list[EntryPoint]:
    """Return the entry points of the group, sorted, those of a package that is found twice only once."""
    found: dict[tuple[str, str, str], EntryPoint] = {}
    for package in distributions():
        if f"[{GROUP}]" not in (package.read_text("entry_points.txt") or ""):
            continue
        name = clean(package.metadata["Name"] or "?")
        try:
            points = package.entry_points.select(group=GROUP)
        except Exception:  # whatever a damaged file makes of its reader
            wrong.append(
                GameProblem("", name, "its entry_points.txt cannot be read", _update(name))
            )
            continue
        for point in points:
            found.setdefault((point.name, name, point.value), point)
    return sorted(found.values(), key=lambda point: (point.name, _package(point)))


def _package(point: EntryPoint) -> str:
    return clean(point.dist.name or "?") if point.dist is not None else "?"


def _update(package: str) -> str:
    return f"Update it, or remove it:  pip uninstall {package}"


def _problem(point: EntryPoint, why: str) -> GameProblem:
    package = _package(point)
    return GameProblem(clean(point.name), package, clean(why), _update(package))


def _with_an_id_of_their_own(
    points: Sequence[EntryPoint], taken: set[str], wrong: list[GameProblem]
) -> Iterator[EntryPoint]:
    """One of ours keeps its id; of several others none has it, so that what is played never depends on the order in
    which packages lie on the disk."""
    for point in points:
        rivals = [
            _package(each) for each in points if each.name == point.name and each is not point
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
    from concurrent.futures import Future, wait

    def load(point: EntryPoint, future: Future[tuple[Any, str]]) -> None:
        try:
            future.set_result((point.load(), ""))
        except BaseException as error:  # SystemExit too: it is a stranger's code
            future.set_result((None, f"importing {point.value} failed ({error_text(error)})"))

    futures: list[Future[tuple[Any, str]]] = [Future() for _ in points]
    for point, future in zip(points, futures, strict=True):
        threading.Thread(
            target=load, args=(point, future), name=f"game {point.name}", daemon=True
        ).start()
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
    texts = [getattr(info, field) for field in _TEXTS]
    if not all(isinstance(text, str) and text.strip() and text.isprintable() for text in texts):
        return f"each of {', '.join(_TEXTS)} has to be a line of text"
    if not all(isinstance(getattr(info, field), str | None) for field in OPTIONAL):
        return f"each of {', '.join(OPTIONAL)} has to be text, `module:name`, or be left out"
    if not (
        isinstance(info.seats, range)
        and len(info.seats)
        and info.seats.step == 1
        and info.seats[0] >= 1
    ):
        return "seats has to be a range of whole numbers from 1, for example range(2, 6)"
    return "" if type(info.place) is int else "place has to be a whole number"
