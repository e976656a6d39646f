"""The pages of a board as text; pure."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from companion.dashboard.board.view import At, BoardPage, BoardView, ChannelNow, GuidedStep
from companion.dashboard.widgets.labels import labelled
from companion.rules.spans import device_time

NAME_CELLS = 10
LEAST_LINES = 2
LEAST_STEPS = 6
MARKS = {At.DONE: "+", At.NOW: ">", At.NEXT: " "}
STYLES = {"good": "$success", "worn": "$warning", "fault": "bold $error", "untried": "$quiet"}
ABOUT = {
    BoardPage.MONITOR: "Work any switch, knock on the gun: each edge shows at once.",
    BoardPage.CALIBRATE: (
        "Enter begins: hold the gun still, three shots, three knocks, then each button five times. You get five "
        "settings, each with its reason, and what they would have made of your shots. Nothing changes before you "
        "store it (w)."
    ),
    BoardPage.SELFTEST: "Enter begins: hands off first, then each wire once. You get a verdict for each wire.",
}
HEAD = f"{'':{NAME_CELLS}}{'level':8}{'times':>6}  {'bounces or peak':17}{'stamp':>17}"


def wires_text(view: BoardView) -> Content:
    """Each channel on a line: its level, how often it was worked, bounces or peak with the most, the last stamp."""
    if not view.wires:
        return Content("")
    return Content("\n").join([Content.styled(HEAD, "$quiet"), *map(_wire, view.wires)])


def _wire(wire: ChannelNow) -> Content:
    stamp = "-" if wire.t_us is None else device_time(wire.t_us)
    kind = "peak" if wire.hit else "bounces"
    strength = "-" if wire.t_us is None else f"{kind} {wire.last}, max {wire.most}"
    level = (wire.level, "bold $accent" if wire.level != "open" else "")
    rest = f"{'':{max(1, 8 - len(wire.level))}}{wire.count:>6}  {strength:20}{stamp:>14}"
    return Content.assemble((f"{wire.name:{NAME_CELLS}}", "bold"), level, rest)


def lines_text(view: BoardView, rows: int) -> Content:
    """The last hit's wave, and the latest events, as many as there are rows; the newest stands first, where it is never
    cut off."""
    wave = _wave(view, rows - LEAST_LINES) or view.low_wave[: rows - 1]
    rows -= len(wave)
    shown = view.lines[-rows:] if rows > 0 else ()
    return Content("\n".join((*wave, *reversed(shown))))


def _wave(view: BoardView, rows: int) -> tuple[str, ...]:
    """The last hit's wave as it fits into so many rows."""
    return next((wave for wave in (view.wave, view.low_wave) if len(wave) <= rows), ())


def asked_text(view: BoardView) -> Content:
    """What is to be done now."""
    if view.lost:
        return Content.assemble((f"! {view.lost}", "bold $error"))
    if not view.wires:
        return Content("The board is being asked who it is ...")
    for number, step in enumerate(view.steps, 1):
        if step.at is At.NOW:
            return Content.assemble((f"{number} of {len(view.steps)}  ", "$quiet"), (step.sentence, "bold"))
    return Content("Done. Enter begins again." if view.outcome is not None else ABOUT[view.part])


def steps_text(view: BoardView, width: int, rows: int, *, with_wave: bool) -> Content:
    """The steps, the one that is asked for among those that fit; below them the last hit's wave, if it is wanted."""
    wave = _wave(view, rows - LEAST_STEPS) if with_wave else ()
    rows -= len(wave)
    now = next((place for place, step in enumerate(view.steps) if step.at is At.NOW), len(view.steps))
    top = max(0, min(now - rows // 2, len(view.steps) - rows))
    shown = view.steps[top : top + max(1, rows)]
    return Content("\n").join([*(_step(step, width) for step in shown), *map(Content, wave)])


def _step(step: GuidedStep, width: int) -> Content:
    style = {At.DONE: "$quiet", At.NOW: "bold", At.NEXT: "$quiet"}[step.at]
    came = f"  {step.came}" if step.came else ""
    line = f"{MARKS[step.at]} {step.sentence}{came}"
    return Content.styled(line if len(line) <= width else line[: width - 1] + "…", style)


def outcome_text(view: BoardView, width: int) -> Content:
    """What came of it: a row for each setting or wire, then what is to be said of the whole."""
    if view.outcome is None:
        return Content("")
    return Content("\n").join(list(_outcome(view, width)))


def _outcome(view: BoardView, width: int) -> Iterable[Content]:
    assert view.outcome is not None
    rows = view.outcome.rows
    marks = max((len(mark) for mark, _, _ in rows), default=0) + 2
    names = max((len(name) for _, name, _ in rows), default=0) + 2
    for mark, name, sentence in rows:
        label = f"{mark:{marks}}{name}"
        yield from labelled(label, [sentence], marks + names, width, style=STYLES.get(mark, "bold"))
    if rows and view.outcome.sentences:
        yield Content("")
    for sentence in view.outcome.sentences:
        yield from labelled("", [sentence], 0, width)


def keys_text(view: BoardView) -> str:
    """The keys that do something now."""
    if view.running:
        return "n not there, go on   Esc break off   ? help   ^q leave"
    pages = "   ".join(f"{part[0]} {part}" for part in BoardPage if part is not view.part)
    begin = "Enter look again   " if view.lost else "" if view.part is BoardPage.MONITOR else "Enter begin   "
    discard = "d throw them away   " if view.keeps else ""
    store = "w store   " if view.outcome is not None and view.outcome.can_store else ""
    return f"{begin}{discard}{store}{pages}   ^t light or dark   ? help   q leave"


HELP = (
    ("m", "the monitor: every channel live"),
    ("c", "calibrate: threshold, mask and lock time from your shots, knocks and presses"),
    ("s", "selftest: a verdict for each wire, for the clock and for the link"),
    ("Enter", "begin what the page is for; look again for a board that is lost"),
    ("n", "this button or sensor is not there: go on without it"),
    ("d", "throw away what the board keeps for a session, where that stands in the way"),
    ("w", "store the new settings: on the board, in the last unfinished session, and for new ones"),
    ("arrows", "move a text that is longer than the screen; page keys, too"),
    ("^t", "light or dark"),
    ("Esc", "break off what is being asked; otherwise leave"),
    ("q, ^q", "leave"),
)


def help_text(width: int) -> Content:
    """What each key does, then what the words of the table mean."""
    lines = [line for key, text in HELP for line in labelled(f"  {key}", [text], 11, width, style="bold $primary")]
    words = (
        ("level", "open or closed; the hit sensor is closed while its comparator says so at the beginning"),
        ("times", "how often it was pressed, or how many candidates came"),
        ("bounces", "edges that the lock time swallowed in the last press, and the most in any; a new switch has few"),
        ("peak", "the strongest reading of the last candidate, of 4095, and the most in any"),
        ("stamp", "seconds since the board's boot, taken in its interrupt"),
    )
    about = [line for key, text in words for line in labelled(f"  {key}", [text], 11, width, style="bold")]
    return Content("\n").join([*lines, Content(""), *about])
