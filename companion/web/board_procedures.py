"""The selftest and the calibration of the board on a page: what can be begun, what is asked now, and the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.board.runs import BoardRuns
from companion.reports.markup import Markup, cells, element, join, paragraph, text
from companion.rules.columns import capitalized, plural
from companion.session.board_pages import BoardOutcome, BoardPage, BoardView
from companion.session.board_settings import SETTINGS
from companion.session.corrections import NotDone

SELFTEST, CALIBRATE = "board.selftest", "board.calibrate"
STOP, STORE, CLOSE = "board.stop", "board.store", "board.close"
SKIP = "board.skip."
"""How the wish to skip a step begins. The step's number follows: a second tap skips no other step."""
PARTS = {SELFTEST: BoardPage.SELFTEST, CALIBRATE: BoardPage.CALIBRATE}
TITLES = {BoardPage.SELFTEST: "Self-test", BoardPage.CALIBRATE: "Calibration"}
BEGUN = "It begins. Do what this page asks."
SKIPPED = "Skipped."
STOPPED = "Stopped."
PUT_AWAY = "Done."
MOST_DIGITS = 3
"""Of a step's number."""
ASKING = "Asking the board."
MARKS = {"fault": "FAULT", "worn": "worn", "untried": "not tried", "good": "good"}
"""What people read for a grade, the worst first."""

Buttons = Callable[[str, str, bool], Markup]
"""Returns a button by its label and the wish that it sends; True: it is the main one."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """What a page shows of the board's procedures: `view` of the present or the last one, and whether it runs."""

    view: BoardView | None = None
    is_running: bool = False


NO_PROCEDURE = Procedure()


def procedure_of(runs: BoardRuns) -> Procedure:
    """Return what a page shows of a table's procedures now."""
    return Procedure(runs.view, runs.is_running)


def done(runs: BoardRuns, wish: str, who: str, is_wanted: Callable[[], bool]) -> str:
    """Do what a page asks for; return what it says then, or raise `NotDone`. `who` is the page's person; `is_wanted`
    returns whether that page is still open."""
    if wish in PARTS:
        runs.begin(PARTS[wish], who, is_wanted)
        return BEGUN
    if wish.startswith(SKIP):
        runs.skip(_step_in(wish))
        return SKIPPED
    if wish == STOP:
        runs.stop()
        return STOPPED
    if wish == STORE:
        return runs.store()
    if wish == CLOSE:
        runs.put_away()
        return PUT_AWAY
    raise NotDone("This page asks for something that the program does not know.")


def _step_in(wish: str) -> int:
    """Return the number of the step that a wish to skip names; 0 if it names none."""
    number = wish.removeprefix(SKIP)
    is_number = number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS
    return int(number) if is_number else 0


def procedure_block(procedure: Procedure, button: Buttons, about: str) -> Markup:
    """Return the part of a page; `about` says what happens meanwhile."""
    view = procedure.view
    if view is None:
        return _to_begin(button, about)
    if procedure.is_running:
        return _running(view, button)
    return _over(view, button, about)


def to_begin(button: Buttons) -> list[Markup]:
    """Return the buttons that begin a procedure."""
    return [
        button("Test the board", SELFTEST, False),
        button("Calibrate the board", CALIBRATE, False),
    ]


def _to_begin(button: Buttons, about: str) -> Markup:
    heading = element("h2", text("Test and calibrate"))
    buttons = element("div", *to_begin(button), class_="steps")
    return join((heading, buttons, paragraph(about, "soft")))


def _running(view: BoardView, button: Buttons) -> Markup:
    title = TITLES[view.part]
    if view.asked:
        title = f"{title}: step {len(view.came)} of {len(view.asked)}"
    now = view.now or ASKING
    parts = [
        element("h2", text(title)),
        element("p", text(now), class_="awaiting", role="status"),
    ]
    if view.asked:
        parts.append(paragraph(f"The board reported: {view.came[-1] or 'nothing yet'}."))
    if view.notice:
        parts.append(paragraph(view.notice, "alarm"))
    buttons = [button("Stop", STOP, False)]
    if view.asked:
        buttons.insert(0, button("Skip this step", f"{SKIP}{len(view.came)}", False))
    parts.append(element("div", *buttons, class_="steps"))
    answered = list(zip(view.asked, view.came[:-1], strict=False))
    rows = [cells((text(asked), text(came))) for asked, came in reversed(answered)]
    if rows:
        parts.append(element("table", *rows))
    return join(parts)


def _over(view: BoardView, button: Buttons, about: str) -> Markup:
    parts = [element("h2", text(f"{TITLES[view.part]}: result"))]
    buttons = []
    if view.lost:
        parts.append(element("p", text(view.lost), class_="alarm", role="status"))
    elif view.outcome is None:
        parts.append(element("p", text(view.notice), class_="awaiting", role="status"))
    else:
        parts += _outcome(view.outcome)
        parts.append(paragraph(view.notice))
        if view.outcome.can_store:
            buttons.append(button("Keep these settings", STORE, True))
    buttons.append(button("Close the result", CLOSE, False))
    parts.append(element("div", *buttons, class_="steps"))
    return join((*parts, _to_begin(button, about)))


def _outcome(outcome: BoardOutcome) -> list[Markup]:
    """Return the verdicts, the worst first, or the settings that are proposed."""
    if outcome.can_store:
        said = "Look at the settings, then keep them."
        rows = [
            _row(f"{setting_name(name)}: {value},", reason) for value, name, reason in outcome.rows
        ]
    else:
        said = _summary([mark for mark, _, _ in outcome.rows])
        worst_first = sorted(outcome.rows, key=lambda row: list(MARKS).index(row[0]))
        rows = [_row(f"{name} ({MARKS[mark]})", why) for mark, name, why in worst_first]
    parts = [
        element("p", text(said), class_="awaiting", role="status"),
        element("ul", *rows, class_="plain"),
    ]
    return [*parts, *(paragraph(sentence) for sentence in outcome.sentences)]


def _row(what: str, why: str) -> Markup:
    return element("li", element("b", text(what)), text(f" {why}"))


def setting_name(name: str) -> str:
    """Return the label of a setting of the board, by its name in `Config`."""
    label = SETTINGS[name][0] if name in SETTINGS else name.replace("_", " ")
    return capitalized(label)


def _summary(marks: list[str]) -> str:
    """Return in one sentence what the test found."""
    faults = marks.count("fault")
    if faults:
        return f"The board has {plural(faults, 'fault')}. Look below."
    counts = [f"{marks.count(mark)} {MARKS[mark]}" for mark in ("worn", "untried") if mark in marks]
    if counts:
        return f"No fault found; {', '.join(counts)}."
    return "The board is fine."
