"""The state that the start screens share: what they know, and what is chosen so far."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

from companion.config.schema import Preferences
from companion.dashboard.start.choices import (
    AUTO,
    Choice,
    InBrowser,
    Learn,
    LookOn,
    NewGame,
    Past,
    Resume,
    Search,
    port_of,
)
from companion.dashboard.textual.key_queue import StandaloneApp


class AskingApp(StandaloneApp[Choice]):
    """Asks what to play.

    `past` are the sessions, the one played last first. `learned`: a lesson was just taken. `game` is
    one that could not begin as chosen: the screens open where that can be changed. `notice` says
    what went wrong last time, `unread` that some sessions cannot be read. `prepare` is called in a
    thread once the first screen is shown. `clock` is monotonic, in seconds.
    """

    def __init__(
        self,
        past: Sequence[Past],
        wanted: Preferences,
        search: Search,
        *,
        learned: bool = False,
        game: NewGame | None = None,
        notice: str = "",
        unread: str = "",
        prepare: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(wanted)
        self.past = tuple(past)
        self.learned = learned
        self.unread = unread
        self.search = search
        self.game = NewGame() if game is None else game
        self._wanted = wanted
        self._notice = notice
        self.prepare = prepare
        self.clock = clock
        self.number_s = -math.inf  # when the last key, a number, chose a line

    def chosen_by_number(self) -> None:
        """Note that the key being handled, a number, has chosen a line."""
        self.number_s = self.clock()

    @property
    def unfinished(self) -> tuple[Past, ...]:
        return tuple(past for past in self.past if not past.ended)

    @property
    def known(self) -> list[str]:
        from companion.dashboard.start.plan import known_names

        return known_names(self.past, self._wanted.seats)

    @property
    def wanted_port(self) -> str | None:
        """The port in the settings; None if it is to be found."""
        return None if self._wanted.port == AUTO else self._wanted.port

    def port(self, chosen: str | None) -> str:
        return port_of(chosen, self.search.found)

    def go_on(self, chosen: Past | LookOn | Learn | InBrowser) -> None:
        if isinstance(chosen, Past):
            self.exit(Resume(chosen.path, self.port(self.wanted_port)))
        else:
            self.exit(chosen)

    def take_notice(self) -> str:
        """Return why the game could not begin last time, once."""
        notice, self._notice = self._notice, ""
        return notice

    def choose_game(self, game_id: str) -> None:
        """Prepare a game with its defaults; keep what was already chosen for the same game."""
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
