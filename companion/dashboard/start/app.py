"""The app of the start screens: what to play, asked in a few steps, the first of them here. It opens nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, ClassVar

from textual.screen import Screen

from companion.config.schema import Preferences
from companion.dashboard.key_queue import StandaloneApp
from companion.dashboard.start.choices import (
    AUTO,
    Choice,
    LookOn,
    NewGame,
    Past,
    Resume,
    Search,
    Tour,
    port_of,
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
            Item(each.id, each.title, each.how_many, f"{each.does}\n{each.credits}")
            for each in GAMES.values()
        ]

    def take(self, value: Any) -> None:
        from companion.dashboard.start.new_game import (
            SeatsStep,  # the games' models, which the first screen need not
        )

        try:
            self.start.choose_game(value)
        except GameUnusable as problem:
            self.refuse(str(problem))
            return
        self.app.push_screen(SeatsStep())


class StartApp(StandaloneApp[Choice]):
    """Asks what to play. `past` are the sessions, the one played last first; `toured` says that the tour was taken just
    now; `game` is one that could not begin as it was chosen, so that the screens open where that can be mended, and
    `notice` says what went wrong the last time; `unread` says that there are sessions that cannot be read; `prepare`
    is called in a thread once the first screen stands."""

    CSS_PATH = "start.tcss"

    def __init__(
        self,
        past: Sequence[Past],
        wanted: Preferences,
        search: Search,
        *,
        toured: bool = False,
        game: NewGame | None = None,
        notice: str = "",
        unread: str = "",
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(wanted)
        self.past = tuple(past)
        self.toured = toured
        self.unread = unread
        self.search = search
        self.game = NewGame() if game is None else game
        self._wanted = wanted
        self._notice = notice
        self._prepare = prepare

    def get_default_screen(self) -> Screen[None]:
        return HomeStep()

    def on_mount(self) -> None:
        """Look for a board, unless one is named; go back to where a game could not begin."""
        if self.wanted_port is None:
            self.search.start()
        self.call_after_refresh(Thread(target=self._prepare, name="preparing").start)
        if self.game.game:
            from companion.dashboard.start.new_game import ReadyStep, SeatsStep

            for step in (GameStep(), SeatsStep(), ReadyStep()):
                self.push_screen(step)

    # -- what the steps ask

    @property
    def unfinished(self) -> tuple[Past, ...]:
        return tuple(past for past in self.past if not past.ended)

    @property
    def known(self) -> list[str]:
        from companion.dashboard.start.plan import known_names

        return known_names(self.past, self._wanted.seats)

    @property
    def wanted_port(self) -> str | None:
        """The port that the settings name; None where it is to be found."""
        return None if self._wanted.port == AUTO else self._wanted.port

    def port(self, chosen: str | None) -> str:
        return port_of(chosen, self.search.found)

    def go_on(self, chosen: Past | LookOn | Tour) -> None:
        self.exit(
            Resume(chosen.path, self.port(self.wanted_port)) if isinstance(chosen, Past) else chosen
        )

    def take_notice(self) -> str:
        """Return why the game could not begin the last time, once."""
        notice, self._notice = self._notice, ""
        return notice

    def choose_game(self, game_id: str) -> None:
        """Put a game together as it is usual; what was chosen for the same game stays."""
        if game_id == self.game.game:
            return
        from companion.dashboard.start.plan import boxes_of, usual_seats

        self.game = NewGame(
            game_id,
            usual_seats(game_id, self.past, self._wanted.seats),
            dict(self._wanted.house_rules.get(game_id, {})),
            boxes_of(game_id)[0].value,
            self.wanted_port,
        )
