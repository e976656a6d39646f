"""The lessons on this computer, by the names that people type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.config.own_games import games_dir, kept_games
from companion.errors import CommandError, ErrorKind, reading
from companion.journal.disk import read_regular
from companion.rules.registry import GAMES, info_of
from companion.teach.lesson import (
    BOARD,
    OF_GAME,
    OF_PROGRAM,
    Lesson,
    LessonFault,
    lesson_of,
    read_lesson,
)

MOST_BYTES = 100_000
"""Size of the largest file that is read: somebody else may have made it."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A lesson by the `name` that is typed for it, the id of the game whose rules it uses, and what it says."""

    name: str
    game: str
    lesson: Lesson
    left: str = ""
    """The step with which it continues, if it is half done and whoever asked for it looked: `step 4 of 11`."""

    @property
    def called(self) -> str:
        """What a sentence calls it: a game by its title, but "the program" and "your board"."""
        title = self.lesson.title
        return title[:1].lower() + title[1:] if self.name in (OF_PROGRAM, BOARD) else title

    @property
    def typed_game(self) -> str:
        """What a person types to play the game."""
        return self.game if self.name in (OF_PROGRAM, BOARD) else self.name


def lesson_named(name: str) -> Taught:
    """Return the lesson with this name, or of the game with this id; raise `CommandError`."""
    try:
        found = _found(name)
    except LessonFault as fault:
        raise CommandError(f"This lesson cannot be used. {fault}.", ErrorKind.DATA) from fault
    if found is None:
        title = GAMES[name].title if name in GAMES else name
        sentence = f"There is no lesson for {title}. Lessons: {', '.join(lesson_names())}."
        raise CommandError(sentence, ErrorKind.USAGE)
    return found


def _found(name: str) -> Taught | None:
    if name in (OF_PROGRAM, BOARD):
        return _packaged(name, _game_with(name), name)
    for own in _own_lessons():
        if name in (own.name, own.game):
            with reading(own.path):
                text = read_regular(own.path, MOST_BYTES).decode("utf-8-sig")
            return Taught(own.name, own.game, read_lesson(text, str(own.path)))
    return _packaged(name, name, OF_GAME)


def _packaged(name: str, game: str, file: str) -> Taught | None:
    """Return the lesson in the file called `file` of a game, None if there is no such game or lesson."""
    lesson = lesson_of(info_of(game), file) if game else None
    return None if lesson is None else Taught(name, game, lesson)


@dataclass(frozen=True, slots=True)
class _OwnLesson:
    """The lesson of a game that this user defined in a file: what is typed for it, and the id of the game."""

    path: Path
    name: str
    game: str


def _own_lessons() -> Iterator[_OwnLesson]:
    """Yield the lessons of the user's own games: files of the same name in the folder `lessons` beside them."""
    folder = games_dir() / "lessons"
    if not folder.is_dir():
        return
    for own in kept_games():
        path = folder / own.path.name
        if own.info is not None and path.is_file():
            is_taken = own.path.stem in (OF_PROGRAM, BOARD)
            name = own.info.id if is_taken else own.path.stem
            yield _OwnLesson(path, name, own.info.id)


def _game_with(file: str) -> str:
    """Return the first game that has a lesson called `file`, "" if there is none."""
    for game_id, info in GAMES.items():
        if info.text(f"{file}.toml"):
            return game_id
    return ""


def lesson_names() -> Sequence[str]:
    """Return the names of all lessons, the one about the program first."""
    own = [name for name in (OF_PROGRAM, BOARD) if _game_with(name)]
    games = [game_id for game_id, info in GAMES.items() if info.text(f"{OF_GAME}.toml")]
    return [*own, *games, *(lesson.name for lesson in _own_lessons())]


def lessons() -> Sequence[Taught]:
    """Return all lessons that can be used, in the same order."""
    found = []
    for name in lesson_names():
        try:
            found.append(lesson_named(name))
        except CommandError:
            continue  # whoever wants it is told why
    return found
