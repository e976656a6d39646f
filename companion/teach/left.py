"""Where lessons were left, read from their files; no table is opened for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.journal.errors import JournalError
from companion.journal.folder import lessons_dir
from companion.journal.sessions import head_of, list_sessions
from companion.journal.store import read_entries
from companion.rules.facts import private_kinds
from companion.rules.header import game_of
from companion.rules.lesson_field import lesson_in
from companion.teach.finding import Taught, lessons
from companion.teach.progress import Progress
from companion.teach.script import Script, seeded


def last_lesson(name: str, *, together: bool = False) -> Path | None:
    """Return the file of the last lesson with this name; None if there is none, or if it was begun alone and is now
    wanted `together`."""
    path, said = _last_lessons().get(name, (None, {}))
    return path if said.get("together") or not together else None


def lessons_as_left(*, pages: bool = True) -> Sequence[Taught]:
    """Return all lessons that can be used, those half done with where they continue; `pages`: see `Course`."""
    last: Mapping[str, tuple[Path, Mapping[str, Any]]] = {}
    with suppress(JournalError):  # whoever begins one is told why
        last = _last_lessons()
    return [
        replace(taught, left=_step_left(taught, last[taught.name][0], pages=pages))
        if taught.name in last
        else taught
        for taught in lessons()
    ]


def _last_lessons() -> dict[str, tuple[Path, Mapping[str, Any]]]:
    """Return the newest file of each lesson by its name, with what its first entry says of it."""
    last: dict[str, tuple[Path, Mapping[str, Any]]] = {}
    for info in list_sessions(lessons_dir()):
        with suppress(JournalError):
            said = lesson_in(head_of(info.path).first.body)
            last.setdefault(str(said.get("name")), (info.path, said))
    return last


def _step_left(taught: Taught, path: Path, *, pages: bool) -> str:
    """Return the step with which the lesson at `path` continues, `step 4 of 11`; "" if that is the first one, if the
    lesson is done, and if it cannot be read."""
    try:
        entries = read_entries(path)
        game, setup = game_of(entries[0].body)
        together = lesson_in(entries[0].body).get("together") is True
        game = game.shuffled_by(seeded(taught.lesson.seed))
        script = Script(taught.lesson, game, setup, together=together)
    except (JournalError, ValueError):
        return ""
    progress = Progress(script.items, private_kinds(game.facts))
    progress.read(entries)
    item = progress.next if pages else progress.after_pages
    if item is None:
        return ""
    asked = taught.lesson.asked(pages=pages)
    place = asked.index(item.step)
    return f"step {place + 1} of {len(asked) - 1}" if place else ""
