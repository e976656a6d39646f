"""The first line: which game, how far, how long; the board's link and the record on the right."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.dashboard.elapsed import Elapsed, Seconds
from companion.dashboard.widgets.static import Static
from companion.rules.spans import clock_time
from companion.session.views import TableView

GAP = "   "
PAUSED = "PAUSED"


class HeaderLine(Horizontal):
    """The header line. Its clock is the only thing on the screen that moves by itself."""

    def __init__(self, elapsed: Elapsed) -> None:
        super().__init__(id="header")
        self._elapsed = elapsed
        self._seconds = Seconds(self, elapsed, self.tick)
        self._title = ""
        self._where = ""
        self._since = ""
        self._state = Content()
        self._shown = ""

    def compose(self) -> ComposeResult:
        yield Static(id="where")
        yield Static(id="state")

    def on_resize(self) -> None:
        self.tick()

    def show(self, view: TableView, title: str, where: str, since: str) -> None:
        """Show the game and where it stands, what its clock counts from, the link and the record."""
        self._title, self._where, self._since, self._state = title, where, since, state_words(view)
        self.query_one("#state", Static).update(self._state)
        self.tick()
        self._seconds.wind()

    def tick(self) -> None:
        """Bring the clock up to date; paints only when what it says has changed."""
        text = self._words()
        if text != self._shown:
            self._shown = text
            self.query_one("#where", Static).update(Content(text))

    def _words(self) -> str:
        """Game, place and clock; the game's name goes first where an alarm needs the room."""
        words = [word for word in (self._title, self._where, clock_words(self._elapsed, self._since)) if word]
        room = self.content_size.width - self._state.cell_length - len(GAP)
        return GAP.join(words if len(GAP.join(words)) <= room else words[1:] or words)


def clock_words(elapsed: Elapsed, since: str) -> str:
    """Return the clock in words: `0:41 since fire!`, `0:41+` when the start was not seen; empty while none runs."""
    seconds = elapsed.seconds()
    if seconds is None:
        return ""
    return f"{clock_time(seconds)}{'+' if elapsed.at_least else ''} {since}"


def state_words(view: TableView) -> Content:
    """Return the pause, the hub where it lacks something, the link and the record in words; what is unwell stands
    out."""
    paused = ((PAUSED, "bold $accent"), GAP) if view.paused else ()
    link = (view.link.state, "$quiet" if view.link.healthy else "bold $warning")
    saved = (view.saved.text, "$quiet" if view.saved.ok else "bold $error")
    behind = ((view.behind, "bold $warning"), GAP) if view.behind else ()
    return Content.assemble(*paused, *behind, link, GAP, saved)
