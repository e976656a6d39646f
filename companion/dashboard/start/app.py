"""The app of the start screens: what to play, asked in a few steps, the first of them here. It opens nothing."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread
from typing import Any, ClassVar

from textual.screen import Screen

from companion.dashboard.start.asking import AskingApp
from companion.dashboard.start.choices import (
    LookOn,
    Past,
    Tour,
)
from companion.dashboard.start.step import StartStep
from companion.dashboard.widgets.menu import Item
from companion.journal.order import UNCERTAIN
from companion.rules.columns import capitalized, either, plural
from companion.rules.game_info import GameProblem, GameUnusable
from companion.rules.registry import GAMES, problems

NEW, OTHERS, LEAVE = "new", "others", "leave"
MOST_LAST = 3
"""Sessions that the first screen offers where nobody knows which was played last; the list has the rest."""
TOUR = "Six steps, two minutes, on a virtual board: draw, shoot, name, undo, correct. Nothing of it is kept."


def entry(past: Past, verb: str) -> Item:
    """Return the line of a session."""
    names = ", ".join(past.names)
    unplayed = "" if past.played else "nothing was played yet; "
    lacking = " (more were saved once)" if past.lacking else ""
    about = f"{unplayed}{past.begun}, {plural(past.entries, 'entry', 'entries')}{lacking}, {past.path.stem}"
    if past.elsewhere:
        return Item(
            LookOn(past.path),
            f"look on at {past.title}",
            names,
            f"It is open in another window; {about}",
        )
    return Item(past, f"{verb}{past.title}", names, capitalized(about))


def unusable(found: Sequence[GameProblem]) -> str:
    """Return in one sentence which games cannot be used; empty for none."""
    if not GAMES:
        return " ".join(map(str, found))
    names = ", ".join(dict.fromkeys(one.name or one.package for one in found))
    return f"Not usable here: {names}. `companion doctor` says why." if found else ""


class HomeStep(StartStep):
    """What now?"""

    ASKS: ClassVar[str] = "Table companion: keeps time and score beside your game"
    KEYS: ClassVar[str] = "Enter choose   arrows or a number   Ctrl+T light or dark   Esc leave"

    def opening_refusal(self) -> str:
        """Return why a session could not be opened, or that some cannot; what is wrong with a new game is said further
        on."""
        if self.start.game.game:
            return ""
        notice = self.start.take_notice()
        if notice:
            return notice
        doubt = UNCERTAIN if any(past.may_be_last for past in self.start.unfinished) else ""
        return " ".join(filter(None, (doubt, self.start.unread)))

    def items(self) -> list[Item]:
        unfinished = self.start.unfinished
        last = [past for past in unfinished if past.may_be_last][:MOST_LAST]
        last = last or [past for past in unfinished[:1] if past.played or past.elsewhere]
        others = [past for past in unfinished if past not in last]
        found = [entry(past, "go on with ") for past in last]
        titles = [info.title for info in GAMES.values()] or ["no game"]
        found.append(Item(NEW, "new game", about=f"{either(titles)}."))
        if others:
            count = f"{len(others)} {'more ' if last else ''}{'is' if len(others) == 1 else 'are'} not finished"
            found.append(Item(OTHERS, "another session", count))
        first = not self.start.past and not self.start.toured
        found.append(Item(Tour(), "take a tour", "here for the first time?" if first else "", TOUR))
        return [*found, Item(LEAVE, "leave")]

    def take(self, value: Any) -> None:
        if value == NEW:
            self.app.push_screen(GameStep())
        elif value == OTHERS:
            self.app.push_screen(SessionStep())
        elif value == LEAVE:
            self.start.action_leave()
        else:
            self.start.go_on(value)

    def action_back(self) -> None:
        self.start.action_leave()


class SessionStep(StartStep):
    """Which session?"""

    ASKS: ClassVar[str] = "Go on with which session?"

    def items(self) -> list[Item]:
        return [entry(past, "") for past in self.start.unfinished]

    def take(self, value: Any) -> None:
        self.start.go_on(value)


class GameStep(StartStep):
    """Which game?"""

    ASKS: ClassVar[str] = "Which game?"

    def fill(self) -> None:
        played = [past.game for past in self.start.past]
        self.menu.take(self.items(), self.start.game.game or next(iter(played), None))

    def opening_refusal(self) -> str:
        return unusable(problems())

    def items(self) -> list[Item]:
        return [
            Item(each.id, each.title, each.player_count, f"{each.does}\n{each.credits}")
            for each in GAMES.values()
        ]

    def take(self, value: Any) -> None:
        # the games' models, which the first screen need not
        from companion.dashboard.start.new_game import SeatsStep

        try:
            self.start.choose_game(value)
        except GameUnusable as problem:
            self.refuse(str(problem))
            return
        self.app.push_screen(SeatsStep())


class StartApp(AskingApp):
    """The app of these steps; `prepare` is called in a thread once the first screen stands."""

    CSS_PATH = "start.tcss"

    def get_default_screen(self) -> Screen[None]:
        return HomeStep()

    def on_mount(self) -> None:
        """Look for a board, unless one is named; go back to where a game could not begin."""
        if self.wanted_port is None:
            self.search.start()
        self.call_after_refresh(Thread(target=self.prepare, name="preparing").start)
        if self.game.game:
            from companion.dashboard.start.new_game import ReadyStep, SeatsStep

            for step in (GameStep(), SeatsStep(), ReadyStep()):
                self.push_screen(step)
