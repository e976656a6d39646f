"""A lesson as its author wrote it: a file of TOML beside the game, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.program import PROGRAM
from companion.rules.facts import Refused, Seat
from companion.rules.game_info import GameInfo
from companion.rules.plain_toml import NotToml, read_toml
from companion.rules.seats import seats_from_names

OF_GAME: Final = "lesson"
"""The name of a game's own lesson, without `.toml`, in the folder of the game."""
OF_PROGRAM: Final = "program"
BOARD: Final = "board"
"""Lessons about the companion itself and about a board, to which one game lends its rules."""
MOST_WORDS: Final = 20
"""Words of a sentence that a learner still reads to its end."""
MOST_WORDS_TO_DO: Final = 12
"""Words of a request, as on every screen."""
MOST_SENTENCES: Final = 2
UNDO, REDO, PAGE = "undo", "redo", "page"
"""What a step can want of the session instead of a fact."""
NAME_OF_PROGRAM: Final = "companion"
"""In braces, the name under which the program was started, for a command that a sentence gives."""
_SESSION_STEPS: Final = (UNDO, REDO)
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.?!]) +")
_NAME: Final = re.compile(r"{([^{}]*)}")
_LESSON_FIELDS: Final = ("title", "minutes", "seats", "seed", "options", "later", "step")
_STEP_FIELDS: Final = (
    "happens",
    "meanwhile",
    "say",
    "do",
    "board",
    "keys",
    "wants",
    "free",
    "by",
    "teaches",
)


class LessonFault(ValueError):
    """A lesson cannot be used; `str()` is one sentence with the file and the step."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a step waits for: the typed line of a fact, or a step of the session (`UNDO`, `REDO`, or `PAGE` with the id
    of the action that opens the page)."""

    line: str = ""
    session: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One rule of a lesson.

    `happens` are the typed lines of what the others do before it, and `meanwhile` says that in a sentence. `say`
    explains, `do` asks, and `board` adds what to do where a board is connected. `wants` is what ends the step; of
    the fields of that fact, those in `free` may have any value. `keys` are the ids of the actions to name, in
    order, if the companion does not find them. `by_board`: only what the board reports ends the step. `teaches` are
    clauses.
    """

    number: int
    happens: tuple[str, ...] = ()
    meanwhile: str = ""
    say: tuple[str, ...] = ()
    do: str = ""
    board: str = ""
    keys: tuple[str, ...] = ()
    wants: Wanted | None = None
    free: tuple[str, ...] = ()
    by_board: bool = False
    teaches: tuple[str, ...] = ()

    @property
    def opens_page(self) -> bool:
        """Whether it waits for a page of the dashboard."""
        return self.wants is not None and self.wants.session == PAGE


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson as its file says it.

    `seats` are example names, `options` the house rules. The last step asks for nothing. `later` are the clauses that
    are not needed at first; `where` names the file in messages.
    """

    where: str
    title: str
    minutes: int
    seats: tuple[str, ...]
    seed: int
    options: Mapping[str, str]
    later: tuple[str, ...]
    steps: tuple[LessonStep, ...]

    @property
    def taught(self) -> tuple[str, ...]:
        """The clauses that its steps teach, in order."""
        return tuple(clause for step in self.steps for clause in step.teaches)

    def asked(self, *, pages: bool) -> Sequence[LessonStep]:
        """Return its steps; without `pages`, those that open a page are left out, so that no number is missing."""
        return [step for step in self.steps if pages or not step.opens_page]


def lesson_of(info: GameInfo, name: str = OF_GAME) -> Lesson | None:
    """Return the lesson in the file called `name` of a game, None if it has none; raise `LessonFault`."""
    file = f"{name}.toml"
    text = info.text(file)
    return read_lesson(text, f"{file} of {info.title}") if text else None


def read_lesson(text: str, where: str) -> Lesson:
    """Return the lesson in the text of a file that messages call `where`; raise `LessonFault`.

    Whether the rules of the game allow its steps is checked by `companion.teach.script`.
    """
    try:
        data = read_toml(text)
    except NotToml as problem:
        raise LessonFault(f"{where}: {problem}") from None
    fields = _Fields(data, where, _LESSON_FIELDS)
    steps = [
        _step(number, table, where) for number, table in enumerate(fields.tables("step"), start=1)
    ]
    lesson = Lesson(
        where=where,
        title=fields.text("title", needed=True),
        minutes=fields.number("minutes"),
        seats=fields.texts("seats", needed=True),
        seed=fields.number("seed"),
        options=fields.options("options"),
        later=fields.texts("later"),
        steps=tuple(steps),
    )
    _check(lesson)
    return lesson


def _step(number: int, table: Mapping[str, Any], where: str) -> LessonStep:
    fields = _Fields(table, f"{where}, step {number}", _STEP_FIELDS)
    return LessonStep(
        number=number,
        happens=fields.texts("happens"),
        meanwhile=fields.text("meanwhile"),
        say=fields.texts("say"),
        do=fields.text("do"),
        board=fields.text("board"),
        keys=fields.texts("keys"),
        wants=_wanted(fields),
        free=fields.texts("free"),
        by_board=_is_by_board(fields),
        teaches=fields.texts("teaches"),
    )


def _is_by_board(fields: _Fields) -> bool:
    device = fields.text("by")
    if device not in ("", BOARD):
        raise fields.fault("by can only be 'board'")
    return device == BOARD


def _wanted(fields: _Fields) -> Wanted | None:
    value = fields.data.get("wants")
    match value:
        case None:
            return None
        case str() if value.strip():
            return Wanted(line=value)
        case {"session": str(word), **rest} if not rest and word in _SESSION_STEPS:
            return Wanted(session=word)
        case {"page": str(page), **rest} if not rest:
            return Wanted(session=PAGE, page=page)
    raise fields.fault(
        "wants is a typed line such as 'draw ada', { session = 'undo' or 'redo' } or { page = 'ID' }"
    )


def _check(lesson: Lesson) -> None:
    """Raise `LessonFault` for a step that says too much or asks for nothing, or for seats that nobody can take."""
    if not lesson.steps:
        raise LessonFault(f"{lesson.where}: it has no [[step]]")
    seats = example_seats(lesson)
    for step in lesson.steps:
        where = f"{lesson.where}, step {step.number}"
        is_last = step is lesson.steps[-1]
        if is_last and step.wants is not None:
            raise LessonFault(
                f"{where}: the last step only says how to continue, so it has no wants"
            )
        if not is_last and (step.wants is None or not step.do):
            raise LessonFault(f"{where}: every step but the last needs do and wants")
        _check_sentences(step, seats, where)


def _check_sentences(step: LessonStep, seats: Sequence[Seat], where: str) -> None:
    said = [sentence for text in step.say for sentence in sentences(text)]
    if len(said) > MOST_SENTENCES:
        raise LessonFault(f"{where}: it says {len(said)} sentences; {MOST_SENTENCES} are the most")
    if step.meanwhile and (not step.happens or len(sentences(step.meanwhile)) > 1):
        raise LessonFault(f"{where}: meanwhile is one sentence on what happens before the step")
    if len(sentences(step.do)) > 1:
        raise LessonFault(f"{where}: do is one sentence: {step.do!r}")
    limits = [
        (sentence, MOST_WORDS) for sentence in (step.meanwhile, *said, *sentences(step.board))
    ]
    limits.append((step.do, MOST_WORDS_TO_DO))
    ids = [seat.id for seat in seats]
    for sentence, most in limits:
        words = len(sentence.split())
        if words > most:
            raise LessonFault(
                f"{where}: {words} words are too many, {most} are the most: {sentence!r}"
            )
        for name in _NAME.findall(sentence):
            if name not in (NAME_OF_PROGRAM, *ids):
                raise LessonFault(f"{where}: {{{name}}} is none of the seats {', '.join(ids)}")
        for seat in seats:
            if re.search(rf"\b{re.escape(seat.name)}\b", sentence):
                raise LessonFault(f"{where}: write {{{seat.id}}} for {seat.name}: {sentence!r}")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [part for part in _SENTENCE_ENDS.split(text.strip()) if part]


def example_seats(lesson: Lesson) -> tuple[Seat, ...]:
    """Return the seats as the lesson names them; raise `LessonFault`."""
    try:
        return seats_from_names(lesson.seats)
    except Refused as refusal:
        raise LessonFault(f"{lesson.where}: {refusal.spoken(lesson.seats)}") from refusal


class Cast:
    """Who plays the parts of a lesson: its examples' ids and names, replaced by those of the people at the table."""

    def __init__(self, lesson: Lesson, seats: Sequence[Seat]) -> None:
        """Raise `LessonFault` if there are not as many people as parts."""
        parts = example_seats(lesson)
        if len(seats) != len(parts):
            raise LessonFault(
                f"{lesson.where}: it is for {len(parts)} players, and {len(seats)} are at the table"
            )
        self._seats = {part.id: seat for part, seat in zip(parts, seats, strict=True)}
        names = {part: seat.name for part, seat in self._seats.items()}
        self._names = {NAME_OF_PROGRAM: PROGRAM, **names}
        ids = sorted(self._seats, key=len, reverse=True)
        self._id = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, ids))})(?![\w-])")

    def line(self, text: str) -> str:
        """Return a typed line with the ids of the people at the table."""
        return self._id.sub(lambda match: self._seats[match[1]].id, text)

    def words(self, text: str) -> str:
        """Return a sentence with their names, and that of the program."""
        return _NAME.sub(lambda match: self._names[match[1]], text)


class _Fields:
    """The values of a table of TOML, by name."""

    def __init__(self, data: Mapping[str, Any], where: str, known: Iterable[str]) -> None:
        """Raise `LessonFault` if a name is not among the `known` ones."""
        self.data, self._where = data, where
        for name in data:
            if name not in known:
                raise self.fault(
                    f"there is nothing called {name!r}; possible are {', '.join(known)}"
                )

    def fault(self, why: str) -> LessonFault:
        """Return the error that says `why`, with the place."""
        return LessonFault(f"{self._where}: {why}")

    def text(self, name: str, *, needed: bool = False) -> str:
        """Return a text, "" if it is missing and not `needed`."""
        value = self.data.get(name, "")
        if not isinstance(value, str) or (needed and not value.strip()):
            raise self.fault(f"{name} is a text in quotes")
        return value

    def texts(self, name: str, *, needed: bool = False) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.data.get(name, [])
        is_list = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not is_list or (needed and not value):
            raise self.fault(f"{name} is a list of texts in quotes")
        return tuple(value)

    def number(self, name: str) -> int:
        """Return a whole number from 1 on."""
        value = self.data.get(name, 1)
        if type(value) is not int or value < 1:
            raise self.fault(f"{name} is a whole number from 1 on")
        return value

    def options(self, name: str) -> Mapping[str, str]:
        """Return a table of texts."""
        value = self.data.get(name, {})
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self.fault(f"{name} is a table of house rules, each with a text in quotes")
        return dict(value)

    def tables(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Return a list of tables."""
        value = self.data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(f"each {name} begins with [[{name}]]")
        return value
