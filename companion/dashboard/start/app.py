"""The app of the start screens, which asks in a few steps what to play. It opens nothing itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.content import Content
from textual.screen import Screen

from companion.dashboard.item import Item
from companion.dashboard.start.asking import AskingApp
from companion.dashboard.start.choices import (
    InBrowser,
    Learn,
    LookOn,
    Past,
    people_words,
)
from companion.dashboard.start.step import StartStep
from companion.dashboard.textual.key_queue import ENTER_AFTER_NUMBER_S
from companion.journal.order import UNCERTAIN
from companion.program import PROGRAM
from companion.rules.columns import capitalized, either, in_shell, plural
from companion.rules.game_info import GameProblem, GameUnusable
from companion.rules.registry import GAMES, problems

if TYPE_CHECKING:
    from companion.teach.finding import Taught

# The values of the first screen's items.
NEW, OTHERS, LESSON, LEAVE = "new", "others", "lesson", "leave"
MOST_LAST = 3
"""Sessions offered on the first screen if it is unknown which was played last; the list has the
rest."""
TWICE_S = 0.3
"""Seconds in which a number pressed twice is one press: a person's reaction time, in which nobody has read the screen
that the first press opened."""
NUMBER_TWICE = "The number was pressed twice. To answer this, press it again."
NUMBER_WAS_ENOUGH = "The number alone was enough, so Enter did nothing."
BROWSER = "The same choices and the table on a page of this computer's browser."
LESSONS = "A game, or the program, step by step while you play. Nothing counts."


def session_item(past: Past, verb: str) -> Item:
    """Return the line of a session."""
    names = people_words(past.names)
    entries = plural(past.entries, "entry", "entries")
    if past.lacking:
        entries += " (more were saved once)"
    about = f"{past.begun}, {entries}, saved as {past.path.stem}"
    if not past.played:
        about = f"nothing played yet; {about}"
    if past.elsewhere:
        return Item(
            LookOn(past.path),
            f"watch {past.title}",
            names,
            f"It is open in another window. {about}",
        )
    return Item(past, f"{verb}{past.title}", names, capitalized(about))


def game_rows(columns: int, rows: int) -> list[Content]:
    """Return each game with its number of players, and where it fits what the companion does."""
    blocks = []
    for game in GAMES.values():
        head = Content.assemble((game.title, "bold"), (f"  {game.player_count}", "$quiet"))
        blocks.append([head, *Content(game.does).wrap(columns)])
    if sum(map(len, blocks)) > rows:
        return [block[0] for block in blocks[:rows]]
    if sum(len(block) + 1 for block in blocks) - 1 > rows:
        return [row for block in blocks for row in block]
    return [row for block in blocks for row in (*block, Content(""))][:-1]


def unusable_games(faults: Sequence[GameProblem]) -> str:
    """Return a sentence on which games cannot be used, "" if there are none."""
    if not GAMES:
        return " ".join(map(str, faults))
    names = ", ".join(dict.fromkeys(fault.name or fault.package for fault in faults))
    return f"Not usable here: {names}. `{PROGRAM} doctor` says why." if faults else ""


class HomeStep(StartStep):
    """The first screen: continue, start a game, learn one."""

    ASKS: ClassVar[str] = "Table companion: keeps time and score beside your game"
    PANEL: ClassVar[str] = "What do you want to do?"
    KEYS: ClassVar[str] = "arrows and Enter, or just the number   Ctrl+T light or dark   Esc quit"

    def opening_refusal(self) -> str:
        """Return why a session could not be opened, or that some cannot be.

        Problems with a new game are shown by later steps.
        """
        if self.start.game.game:
            return ""
        notice = self.start.take_notice()
        if notice:
            return notice
        doubt = UNCERTAIN if any(past.may_be_last for past in self.start.unfinished) else ""
        return f"{doubt} {self.start.unread}".strip()

    def items(self) -> list[Item]:
        unfinished = self.start.unfinished
        last = [past for past in unfinished if past.may_be_last][:MOST_LAST]
        last = last or [past for past in unfinished[:1] if past.played or past.elsewhere]
        others = [past for past in unfinished if past not in last]
        items = [session_item(past, "continue ") for past in last]
        titles = [info.title for info in GAMES.values()] or ["no game"]
        items.append(Item(NEW, "new game", about=f"{either(titles)}."))
        if others:
            more = "more " if last else ""
            verb = "is" if len(others) == 1 else "are"
            count = f"{len(others)} {more}{verb} not finished"
            items.append(Item(OTHERS, "another session", count))
        first = not self.start.past and not self.start.learned
        hint = "here for the first time?" if first else ""
        items.append(Item(LESSON, "learn", hint, LESSONS))
        items.append(Item(InBrowser(), "in the browser", "this window is free then", BROWSER))
        return [*items, Item(LEAVE, "quit")]

    def more(self, columns: int, rows: int) -> tuple[str, Sequence[Content]]:
        """Return the sessions played last; before the first one, the games."""
        if not self.start.past:
            return "Games", game_rows(columns, rows)
        lines: list[Content] = []
        for session in self.start.past:
            state = "finished" if session.ended else "not finished"
            head = Content.assemble((session.title, "bold"), (f"  {state}", "$quiet"))
            names, begun = Content(", ".join(session.names)), Content(session.begun)
            block = [line.truncate(columns, ellipsis=True) for line in (head, names, begun)]
            if lines:
                block.insert(0, Content(""))
            if len(lines) + len(block) > rows:
                break
            lines += block
        return "Last sessions", lines

    def take(self, value: Any) -> None:
        if value == NEW:
            self.app.push_screen(GameStep())
        elif value == OTHERS:
            self.app.push_screen(SessionStep())
        elif value == LESSON:
            self.app.push_screen(LessonStep())
        elif value == LEAVE:
            self.start.action_leave()
        else:
            self.start.go_on(value)

    def action_back(self) -> None:
        self.start.action_leave()


class SessionStep(StartStep):
    """Asks which session to continue."""

    ASKS: ClassVar[str] = "Continue which session?"
    PANEL: ClassVar[str] = "Sessions not finished"

    def items(self) -> list[Item]:
        return [session_item(past, "") for past in self.start.unfinished]

    def take(self, value: Any) -> None:
        self.start.go_on(value)


def _lesson_item(taught: Taught) -> Item:
    lesson = taught.lesson
    beside = plural(lesson.minutes, "minute")
    about = f"{plural(len(lesson.steps) - 1, 'step')}. You can stop and continue later."
    if taught.left:
        beside = f"{taught.left}, continue"
        about = "You stopped there. It continues with that step."
    again = f"From its first step again: {PROGRAM} teach {in_shell(taught.name)} --anew"
    return Item(Learn(taught.name), lesson.title, beside, f"{about}\n{again}")


class LessonStep(StartStep):
    """Asks what to learn."""

    ASKS: ClassVar[str] = "Learn what?"
    PANEL: ClassVar[str] = "Lessons"

    def items(self) -> list[Item]:
        # Imported late: it loads what reads facts, which the first screen does without.
        from companion.teach.left import lessons_as_left

        return [_lesson_item(taught) for taught in lessons_as_left()]

    def take(self, value: Any) -> None:
        self.start.go_on(value)


class GameStep(StartStep):
    """Asks which game to play."""

    ASKS: ClassVar[str] = "Which game?"
    PANEL: ClassVar[str] = "Games"

    def fill(self) -> None:
        game = self.start.game.game
        if not game and self.start.past:
            game = self.start.past[0].game
        self.menu.take(self.items(), game or None)

    def opening_refusal(self) -> str:
        return unusable_games(problems())

    def items(self) -> list[Item]:
        return [
            Item(game.id, game.title, game.player_count, f"{game.does}\n{game.credits}")
            for game in GAMES.values()
        ]

    def take(self, value: Any) -> None:
        # Imported late: it loads the games' models, which the first screen does without.
        from companion.dashboard.start.new_game import SeatsStep

        try:
            self.start.choose_game(value)
        except GameUnusable as problem:
            self.refuse(str(problem))
            return
        self.app.push_screen(SeatsStep())


class StartApp(AskingApp):
    """The app of these steps; `prepare` is called in a thread once the first screen is shown."""

    CSS_PATH = "start.tcss"
    _last: tuple[str, object] = "", None  # the last key, and the screen that it was pressed on

    def get_default_screen(self) -> Screen[None]:
        return HomeStep()

    def takes(self, key: events.Key) -> bool:
        """Drop the Enter with which people confirm a number, and a number that is pressed twice, and tell them; neither
        must answer the next question."""
        since_s, self.number_s = self.clock() - self.number_s, -math.inf
        why_not = ""
        if key.key == "enter" and since_s < ENTER_AFTER_NUMBER_S:
            why_not = NUMBER_WAS_ENOUGH
        elif since_s < TWICE_S and key.key == self._last[0] and self.screen is not self._last[1]:
            why_not = NUMBER_TWICE
        self._last = key.key, self.screen
        if why_not and isinstance(self.screen, StartStep):
            self.screen.refuse(why_not)
        return not why_not

    def on_mount(self) -> None:
        """Search for a board, unless one is set; reopen the steps of a game that could not begin."""
        if self.wanted_port is None:
            self.search.start()
        self.call_after_refresh(Thread(target=self.prepare, name="preparing").start)
        if self.game.game:
            from companion.dashboard.start.new_game import ReadyStep, SeatsStep

            for step in (GameStep(), SeatsStep(), ReadyStep()):
                self.push_screen(step)
