"""The board's app: monitor, calibrate and selftest as pages of one screen.

It does not talk with the board; its desk does.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from companion.config.schema import Preferences
from companion.dashboard.textual.key_queue import StandaloneApp
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.widgets.page import Scroll
from companion.dashboard.widgets.static import Static
from companion.rules.spans import device_time
from companion.session.board_pages import BoardOutcome, BoardPage, BoardView, ChannelNow, Desk

NAME_CELLS = 10  # cells of a channel's name
MIN_EVENT_ROWS = 2  # rows of events kept below a wave
MIN_STEP_ROWS = 6  # rows of steps kept above a wave
STYLES = {"good": "$success", "worn": "$warning", "fault": "bold $error", "untried": "$quiet"}
ABOUT = {
    BoardPage.MONITOR: "Work any switch, knock on the gun: each edge shows at once.",
    BoardPage.CALIBRATE: (
        "Press Enter, then: hold the gun still, three shots, three knocks, each button five times. You get five "
        "settings, each with its reason, and what they would have made of your shots. Nothing changes before you "
        "store it (w)."
    ),
    BoardPage.SELFTEST: "Press Enter, then: hands off first, each wire once. You get a verdict for each wire.",
}
WIRES_HEAD = f"{'':{NAME_CELLS}}{'level':8}{'times':>6}  {'bounces or peak':17}{'stamp':>17}"


def wires_text(view: BoardView) -> Content:
    """Return a line for each channel: level, count, bounces or peak with the maximum, last stamp."""
    if not view.wires:
        return Content("")
    return Content("\n").join([Content.styled(WIRES_HEAD, "$quiet"), *map(_wire, view.wires)])


def _wire(wire: ChannelNow) -> Content:
    stamp = "-" if wire.t_us is None else device_time(wire.t_us)
    kind = "peak" if wire.hit else "bounces"
    strength = "-" if wire.t_us is None else f"{kind} {wire.last}, max {wire.most}"
    level = (wire.level, "bold $accent" if wire.level != "open" else "")
    rest = f"{'':{max(1, 8 - len(wire.level))}}{wire.count:>6}  {strength:20}{stamp:>14}"
    return Content.assemble((f"{wire.name:{NAME_CELLS}}", "bold"), level, rest)


def events_text(view: BoardView, rows: int) -> Content:
    """Return the last hit's wave and the latest events that fit, newest first so that it is never
    cut."""
    wave = _wave(view, rows - MIN_EVENT_ROWS) or view.low_wave[: rows - 1]
    rows -= len(wave)
    lines = view.lines[-rows:] if rows > 0 else ()  # [-0:] would be all of them
    return Content("\n".join((*wave, *reversed(lines))))


def _wave(view: BoardView, rows: int) -> tuple[str, ...]:
    """Return the last hit's wave in at most `rows` rows."""
    for wave in (view.wave, view.low_wave):
        if len(wave) <= rows:
            return wave
    return ()


def prompt_text(view: BoardView) -> Content:
    """Return what to do now."""
    if view.lost:
        return Content.assemble((f"! {view.lost}", "bold $error"))
    if not view.wires:
        return Content("Asking the board who it is ...")
    if view.asked:
        return Content.assemble(
            (f"{len(view.came)} of {len(view.asked)}  ", "$quiet"), (view.now, "bold")
        )
    if view.outcome is not None:
        return Content("Done. Enter starts again.")
    return Content(ABOUT[view.part])


def steps_text(view: BoardView, width: int, rows: int, *, with_wave: bool) -> Content:
    """Return the steps around the current one that fit, then the last hit's wave if wanted."""
    wave = _wave(view, rows - MIN_STEP_ROWS) if with_wave else ()
    rows -= len(wave)
    now, steps = len(view.came) - 1, len(view.asked)
    top = max(0, min(now - rows // 2, steps - rows))
    places = range(top, min(top + max(1, rows), steps))
    return Content("\n").join(
        [*(_step(view, place, width) for place in places), *map(Content, wave)]
    )


def _step(view: BoardView, place: int, width: int) -> Content:
    current = len(view.came) - 1
    mark, style = " ", "$quiet"
    if place < current:
        mark = "+"
    elif place == current:
        mark, style = ">", "bold"
    line = f"{mark} {view.asked[place]}"
    if place <= current and view.came[place]:
        line += f"  {view.came[place]}"
    if len(line) > width:
        line = line[: width - 1] + "…"
    return Content.styled(line, style)


def outcome_text(outcome: BoardOutcome, width: int) -> Content:
    """Return the result: a row for each setting or wire, then sentences about the whole."""
    marks = max((len(mark) for mark, _, _ in outcome.rows), default=0) + 2
    names = max((len(name) for _, name, _ in outcome.rows), default=0) + 2
    lines: list[Content] = []
    for mark, name, sentence in outcome.rows:
        label = f"{mark:{marks}}{name}"
        lines += labelled(label, [sentence], marks + names, width, style=STYLES.get(mark, "bold"))
    if lines and outcome.sentences:
        lines.append(Content(""))
    for sentence in outcome.sentences:
        lines += labelled("", [sentence], 0, width)
    return Content("\n").join(lines)


def keys_text(view: BoardView) -> str:
    """Return the keys that do something now."""
    if view.asked:
        return "n not there, continue   Esc stop   ? help   ^q quit"
    pages = "   ".join(f"{part[0]} {part}" for part in BoardPage if part is not view.part)
    keys = []
    if view.lost:
        keys.append("Enter look again")
    elif view.part is not BoardPage.MONITOR:
        keys.append("Enter begin")
    if view.keeps:
        keys.append("d throw them away")
    if view.outcome is not None and view.outcome.can_store:
        keys.append("w store")
    return "   ".join((*keys, pages, "^t light or dark", "? help", "q leave"))


KEYS = (  # the binding, its action, the key as shown, and its help
    ("m", "turn('monitor')", "m", "the monitor: every channel live"),
    (
        "c",
        "turn('calibrate')",
        "c",
        "calibrate: threshold, mask and lock time from your shots, knocks and presses",
    ),
    (
        "s",
        "turn('selftest')",
        "s",
        "selftest: a verdict for each wire, for the clock and for the link",
    ),
    ("enter", "begin", "Enter", "start this page's task; look again for a lost board"),
    ("n", "skip", "n", "this button or sensor is not there: continue without it"),
    (
        "d",
        "discard",
        "d",
        "delete what the board keeps for a session",
    ),
    (
        "w",
        "store",
        "w",
        "store the new settings: on the board, in the last unfinished session, and for new ones",
    ),
    ("", "", "arrows", "scroll; page keys too"),
    ("", "", "^t", "light or dark"),
    ("escape", "back", "Esc", "stop the question; otherwise quit"),
    ("q", "app.leave", "q, ^q", "leave"),
)


def help_text(width: int) -> Content:
    """Return what each key does, then what the words of the table mean."""
    lines: list[Content] = []
    for _, _, key, text in KEYS:
        lines += labelled(f"  {key}", [text], 11, width, style="bold $primary")
    lines.append(Content(""))
    words = (
        ("level", "open or closed; unknown while the board has muted the wire because it is noisy"),
        ("", "the hit sensor is closed while its comparator says so at the beginning"),
        ("times", "how often it was pressed, or how many candidates came"),
        (
            "bounces",
            "edges that the lock time swallowed in the last press, and the most in any; a new switch has few",
        ),
        ("peak", "the strongest reading of the last candidate, of 4095, and the most in any"),
        ("stamp", "seconds since the board's boot, taken in its interrupt"),
    )
    for word, text in words:
        lines += labelled(f"  {word}", [text], 11, width, style="bold")
    return Content("\n").join(lines)


PAINT_S = 0.05  # seconds between paints
WIDE = 120  # width from which the channels are beside the page's own part
WIRES_CELLS = 64  # cells of the channels' column
MARGIN = 5  # cells of the margins and the scroll bar


class BoardApp(StandaloneApp[None]):
    """Shows the views of `desk` and passes the person's wishes to it."""

    CSS_PATH = "board.tcss"

    def __init__(self, desk: Desk, wanted: Preferences) -> None:
        super().__init__(wanted)
        self.desk = desk

    def get_default_screen(self) -> Screen[None]:
        return BoardScreen(self.desk)


class BoardScreen(Screen[None], inherit_bindings=False):
    """Title, prompt, the page's own part beside or above the channels, keys."""

    AUTO_FOCUS = "Scroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        *((keys, action) for keys, action, _, _ in KEYS if keys),
        ("question_mark,f1", "help"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.action_begin, self.action_discard = desk.begin, desk.discard
        self.action_skip, self.action_store = desk.skip, desk.store
        self._painted: BoardView | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="title"):
            yield Static(id="where")
            yield Static(id="board")
        yield Static(id="asked")
        with Horizontal(id="body"):
            with Scroll(id="guide"):
                yield Static(id="text")
            with Scroll(id="live", can_focus=False):
                yield Static(id="wires")
                yield Static(id="lines")
        yield Static(id="notice")
        yield Static(id="close")

    def on_mount(self) -> None:
        self.set_interval(PAINT_S, self.paint)
        self.paint()

    def paint(self) -> None:
        """Show the present view, unless it is shown already."""
        view = self._desk.view()
        if view is not self._painted:
            self._painted = view
            self.show(view)

    def on_resize(self) -> None:
        self.show(self._desk.view())

    def show(self, view: BoardView) -> None:
        width, height = self.app.size
        wide = width >= WIDE
        guided = view.part is not BoardPage.MONITOR and bool(view.asked or view.outcome)
        self._put("where", Content(f"Board: {view.part}"))
        self._put("board", Content(view.board))
        self._put("asked", prompt_text(view))
        guide = self.query_one("#guide")
        guide.display = guided
        if guided and self.focused is None:
            self.set_focus(guide, scroll_visible=False)
        self.query_one("#live").display = wide or not guided
        self.query_one("#live").set_class(guided, "-beside")
        room = max(3, height - 8)
        cells = width - MARGIN
        if wide:
            cells -= WIRES_CELLS + 3
        if view.outcome is not None:
            self._put("text", outcome_text(view.outcome, cells))
        else:  # on a wide screen the wave is below the channels
            self._put("text", steps_text(view, cells, room, with_wave=not wide))
        self._put("wires", wires_text(view))
        self._put("lines", events_text(view, room - len(view.wires) - 2))
        self._put("notice", Content(view.notice))
        self.query_one("#notice").display = bool(view.notice)
        self._put("close", Content(keys_text(view)))

    def _put(self, name: str, content: Content) -> None:
        self.query_one(f"#{name}", Static).update(content)

    # -- what the person wants

    def action_turn(self, part: str) -> None:
        """Show another page; while something is asked for, letters do nothing."""
        if not self._desk.view().asked:
            self._desk.turn_to(BoardPage(part))
            self.paint()

    def action_back(self) -> None:
        if self._desk.view().asked:
            self._desk.break_off()
        else:
            self.app.exit(None)

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen())


class HelpScreen(Screen[None], inherit_bindings=False):
    """Every key, and the words of the table."""

    AUTO_FOCUS = "Scroll"
    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,f1,enter,q", "app.pop_screen")]

    def compose(self) -> ComposeResult:
        yield Static("Keys", id="where")
        with Scroll():
            yield Static(id="text")
        yield Static("Esc back   arrow and page keys scroll", id="close")

    def on_resize(self) -> None:
        self.query_one("#text", Static).update(help_text(max(20, self.app.size.width - MARGIN)))
