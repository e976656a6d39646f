"""The app of the start screens: what to play, asked in a few steps. It opens nothing; who runs it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Thread

from textual.screen import Screen

from companion.config.schema import Preferences
from companion.dashboard.key_queue import StandaloneApp
from companion.dashboard.start.choices import AUTO, Choice, NewGame, Past, port_of
from companion.dashboard.start.home import GameStep, HomeStep
from companion.dashboard.start.search import Search


@dataclass(frozen=True, slots=True)
class Begun:
    """A game that could not begin as it was chosen, and why: the screens open where that can be mended."""

    game: NewGame | None
    notice: str


class StartApp(StandaloneApp[Choice]):
    """Asks what to play. `past` are the sessions, the one played last first; `toured` says that the tour was taken just
    now; `begun` is what went wrong the last time; `unread` says that there are sessions that cannot be read; `prepare`
    is called in a thread once the first screen stands."""

    CSS_PATH = "start.tcss"

    def __init__(
        self,
        past: Sequence[Past],
        wanted: Preferences,
        search: Search,
        *,
        toured: bool = False,
        begun: Begun | None = None,
        unread: str = "",
        prepare: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(theme=wanted.theme, ascii_only=wanted.ascii, animation=wanted.animation)
        self.past = tuple(past)
        self.toured = toured
        self.unread = unread
        self.search = search
        self.game = begun.game if begun is not None and begun.game is not None else NewGame()
        self._wanted = wanted
        self._begun = begun
        self._prepare = prepare

    def get_default_screen(self) -> Screen[None]:
        return HomeStep()

    def on_mount(self) -> None:
        """Look for a board, unless one is named; go back to where a game could not begin."""
        if self.wanted_port is None:
            self.search.start()
        self.call_after_refresh(Thread(target=self._prepare, name="preparing").start)
        if self.game.game:
            from companion.dashboard.start.people import SeatsStep
            from companion.dashboard.start.ready import ReadyStep

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
        """Return where the board will be looked for."""
        return port_of(chosen, self.search.found)

    def take_notice(self) -> str:
        """Return why the game could not begin the last time, once."""
        notice, self._begun = ("" if self._begun is None else self._begun.notice), None
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
            boxes_of(game_id)[0].word,
            self.wanted_port,
        )
