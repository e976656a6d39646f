"""A form beside what it is about, and its fields, readable without color. The game continues in the
background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from companion.dashboard.source import TableLike, refused
from companion.dashboard.widgets.lesson import LessonLines
from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.page import is_roomy
from companion.dashboard.widgets.static import Static
from companion.rules.clauses import begins_with_one, spoken
from companion.rules.columns import width as cells_of
from companion.rules.facts import Refused
from companion.session.views import LessonView, TableView

LABEL_CELLS = 20  # the column in dashboard.tcss is one wider, for a gap
UNCHOSEN = -1
"""The place of a `Choice` before anything is chosen: just before the first answer."""


class FieldChanged(Message):
    """The answer of a field changed."""


class Choice(Static, can_focus=True, inherit_bindings=False):
    """One of several answers, changed with the arrow keys or by an answer's first letter.

    With `asked`, none of several is preselected, so that pressing Enter at once names nobody by
    accident.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("left", "turn(-1)"), ("right,space", "turn(1)")]
    place: reactive[int] = reactive(0)

    def __init__(
        self, answers: Sequence[tuple[str, str]], chosen: str = "", *, asked: bool = False
    ) -> None:
        super().__init__()
        self._answers = tuple(answers)
        values = [value for value, _ in self._answers]
        first = UNCHOSEN if asked and len(values) > 1 else 0
        self.set_reactive(Choice.place, values.index(chosen) if chosen in values else first)

    @property
    def word(self) -> str:
        """The value of the answer, "" if there is none or none is chosen yet."""
        if not self._answers or not self.chosen:
            return ""
        return self._answers[self.place][0]

    @property
    def chosen(self) -> bool:
        """Whether an answer is chosen; without `asked`, the first one is from the start."""
        return self.place != UNCHOSEN

    def render(self) -> Content:
        if not self._answers:
            return Content("there is nothing to choose from")
        several = len(self._answers)
        if self.chosen:
            label = self._answers[self.place][1]
            count = f"  {self.place + 1} of {several}"
        else:
            label, count = "choose", f"  one of {several}"
        if several == 1:
            return Content(label).truncate(max(4, self.content_size.width), ellipsis=True)
        if cells_of(label) + len("<  >") + len(count) > self.content_size.width:
            count = ""  # the answer itself is what has to be read
        room = max(4, self.content_size.width - len(count) - 4)
        answer = Content.assemble("< ", (label, "bold")).truncate(room + 2, ellipsis=True)
        return answer + Content.assemble(" >", (count, "$quiet"))

    def action_turn(self, by: int) -> None:
        if not self._answers:
            return
        # From UNCHOSEN (-1), a step forward is the first answer; a step back is to be the last.
        place = 0 if by < 0 and not self.chosen else self.place
        self._set((place + by) % len(self._answers))

    def on_key(self, event: events.Key) -> None:
        """Choose the next answer that begins with the letter, or the answer with that number."""
        begins, count = _places_of(event, self._answers), len(self._answers)
        typed = event.character or ""
        if begins:
            self._set(next((place for place in begins if place > self.place), begins[0]))
        elif typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= count:
            self._set(int(typed) - 1)
        else:
            return  # the form says that it does nothing
        event.stop()

    def _set(self, place: int) -> None:
        if place != self.place:
            self.place = place
            self.post_message(FieldChanged())


def _places_of(event: events.Key, answers: Sequence[tuple[str, str]]) -> list[int]:
    """Return the places of the answers that begin with the sign of a key."""
    typed = (event.character or "").casefold()
    if not (event.is_printable and typed.strip()):
        return []
    labels = [label.casefold().lstrip("●▲■◆★✚⬟▼◗✖ ") for _, label in answers]
    return [place for place, label in enumerate(labels) if label.startswith(typed)]


class Several(Static, can_focus=True, inherit_bindings=False):
    """Any number of answers: arrow keys move, the space bar toggles one, and so does what only one begins with."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("left", "turn(-1)"),
        ("right", "turn(1)"),
        ("space", "take"),
    ]

    def __init__(self, answers: Sequence[tuple[str, str]], chosen: Sequence[str] = ()) -> None:
        super().__init__()
        self._answers = tuple(answers)
        self._taken = {value for value, _ in answers if value in chosen}
        self._place = 0

    @property
    def word(self) -> str:
        """The chosen values, separated by commas."""
        return ",".join(value for value, _ in self._answers if value in self._taken)

    def render(self) -> Content:
        parts = []
        for place, (value, label) in enumerate(self._answers):
            mark = "x" if value in self._taken else " "
            text = f"[{mark}] {label}"
            if self.has_focus and place == self._place:
                parts.append(Content.styled(f">{text}<", "bold"))
            else:
                parts.append(Content(f" {text} "))
        return Content("").join(parts)

    def action_turn(self, by: int) -> None:
        self._place = (self._place + by) % max(1, len(self._answers))
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """Toggle the one answer that begins with the sign, such as its number."""
        begins = _places_of(event, self._answers)
        if len(begins) == 1:
            event.stop()
            self._place = begins[0]
            self.action_take()

    def action_take(self) -> None:
        if self._answers:
            self._taken ^= {self._answers[self._place][0]}
            self.refresh()
            self.post_message(FieldChanged())


class TextField(Input):
    """A line of text with editing keys only. The first character typed replaces it if it `is_replaced`."""

    def __init__(
        self, text: str = "", *, is_replaced: bool = False, optional: bool = False
    ) -> None:
        empty = "optional" if optional else ""
        super().__init__(text, placeholder=empty, compact=True, select_on_focus=is_replaced)
        self.cursor_blink = False

    @property
    def word(self) -> str:
        return self.value.strip()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(FieldChanged())


Answer = Choice | Several | TextField
MARKS = "left and right move, the space bar marks; so does a number or letter"
FLAG = (("yes", "[x] yes"), ("no", "[ ] no"))


class FieldRow(Horizontal):
    """A field with its label, which is marked while the field has the focus.

    `reading` returns how the answer so far is understood, shown in place of the hint; "" if it is
    not understood.
    """

    def __init__(
        self,
        name: str,
        answer: Answer,
        hint: str = "",
        label: str = "",
        reading: Callable[[], str] = str,
    ) -> None:
        super().__init__(classes="row")
        self.field = name
        self.answer = answer
        self.hint = MARKS if isinstance(answer, Several) else hint
        self.reading = reading
        self._label = label or name.replace("_", " ")

    def compose(self) -> ComposeResult:
        yield Static(self._words(here=False), classes="label")
        yield self.answer

    def on_descendant_focus(self) -> None:
        self.query_one(".label", Static).update(self._words(here=True))

    def on_descendant_blur(self) -> None:
        self.query_one(".label", Static).update(self._words(here=False))

    def _words(self, *, here: bool) -> Content:
        mark, style = ("> ", "bold $accent") if here else ("  ", "$quiet")
        return Content.assemble((f"{mark}{self._label}", style)).truncate(
            LABEL_CELLS, ellipsis=True
        )


def row_of(widget: Widget | None) -> FieldRow | None:
    """Return the row that contains a widget, or None."""
    if widget is not None:
        for node in widget.ancestors_with_self:
            if isinstance(node, FieldRow):
                return node
    return None


WHO, WHY = "who", "why"  # the fields that every correction has
THE_TABLE = ""
LEAST_FORM = 8
"""Rows that a form needs: its border, what to do, three fields with their hint, and the keys."""
CRAMPED = 12
"""Rows beside the prompt below which a form takes the whole of a small window."""
ROOMY_FORM = 14
"""Rows from which a form has free lines between its parts."""
RIGHT_MARGIN = 2
LEAST_FIELDS = 2
BESIDE = "-beside-form"
"""The class of a page while a form is beside it, so that it makes room."""


class Fields(VerticalScroll, inherit_bindings=False):
    """The fields of a form. They scroll to the one with the focus, and leave arrow keys to move it."""


class Form(ModalScreen[None], inherit_bindings=False):
    """Fields, the reason why the answer was refused, and the keys. Enter accepts, Esc leaves.

    A `title` replaces the form's own, and `asks` what it says first: what to do.
    """

    ASKS: ClassVar[str] = "Fill in the fields, then press Enter."
    KEYS: ClassVar[str] = "Enter save   Esc cancel   Tab next field   arrows choose"
    NARROWS_PAGE: ClassVar[bool] = True
    """Whether the page below leaves the form its cells, where there is room beside each other."""
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "leave"),
        ("enter", "accept"),
        ("tab,down", "app.focus_next"),
        ("shift+tab,up", "app.focus_previous"),
        ("ctrl+q", "app.perform('dashboard.quit')"),
    ]

    def __init__(self, table: TableLike, title: str | None = None, asks: str | None = None) -> None:
        super().__init__()
        self.title = title or self.TITLE
        self._to_do = self.ASKS if asks is None else asks
        self._table = table
        self._view = table.view()

    def compose(self) -> ComposeResult:
        with Vertical(id="form") as box:
            box.border_title = Content(self.title or "")
            yield Static(Content(self._to_do), id="form-asks")
            yield from self.body()
            yield Static(id="refusal")
            yield Static(self.KEYS, id="form-keys")

    def body(self) -> ComposeResult:
        """Lay out everything between the title and the refusal."""
        with Fields(id="rows", can_focus=False):
            yield from self.rows()
        yield from self.below()
        yield Static(id="hint")

    def rows(self) -> Iterable[FieldRow]:
        """Return the fields; a form with another body has none."""
        return ()

    def below(self) -> ComposeResult:
        """Lay out what follows the fields."""
        yield from ()

    def send(self) -> str | None:
        """Submit the form; return a sentence or raise `Refused` if it cannot be.

        What the table refuses need not be reported: its notice is.
        """
        raise NotImplementedError

    def on_mount(self) -> None:
        self.query_one("#refusal").display = False
        for page in self._pages:
            page.set_class(self.NARROWS_PAGE, BESIDE)
        # The prompt below may get another line, and the hint of a field, too.
        for screen in (self, *self._pages[-1:]):
            screen.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def on_unmount(self) -> None:
        """Give the pages their room back, unless the next form is open already."""
        if len(self._pages) == len(self.app.screen_stack):
            for page in self._pages:
                page.remove_class(BESIDE)

    def show(self, view: TableView) -> None:
        """Note the present state; the form itself does not change while it is filled in."""
        self._view = view

    def lesson_keys(self, _lesson: LessonView) -> Sequence[str] | None:
        """Return the names of the keys that do what a lesson asks for, None if this form cannot; see
        `lesson.AnswersLesson`. A form with fields says itself what to type."""
        return ()

    def point_out(self) -> None:
        """Name the keys of this form in the step of a lesson on the pages below."""
        for page in self._pages:
            for lines in page.query(LessonLines):
                lines.again()

    # -- its place

    @property
    def _pages(self) -> list[Screen[Any]]:
        """The pages below the form, the one that it is about last."""
        return [screen for screen in self.app.screen_stack if not isinstance(screen, Form)]

    def _laid_out(self, _screen: Screen[Any]) -> None:
        self.place()

    def place(self) -> None:
        """Put the form where it hides least of the page below, and never its prompt.

        It goes below the prompt where there are rows enough, else above it.
        """
        boxes = self.query("#form")
        if not boxes or not self._pages:  # it is closing
            return
        box = boxes.first()
        top, bottom = self.free_rows()
        self.set_class(bottom - top < ROOMY_FORM, "-tight")
        self.set_class(bottom - top <= LEAST_FORM, "-least")
        box.styles.margin = (top, RIGHT_MARGIN if is_roomy(self) else 0, 0, 0)
        box.styles.max_height = bottom - top
        self.fit(bottom - top)

    def free_rows(self) -> tuple[int, int]:
        """Return the first row of the form and the one after its last; in a small window, all rows."""
        height = self.size.height
        prompts = self._pages[-1].query("#awaiting")
        if not prompts or not prompts.first().region:
            return 0, height
        margin = 1 if is_roomy(self) else 0
        prompt = prompts.first().region
        below, above = height - prompt.bottom - margin, prompt.y - margin
        if max(below, above) < CRAMPED:
            return 0, height
        if below >= min(LEAST_FORM, above):
            return prompt.bottom + margin, height
        return 2 * margin, above

    def fit(self, rows: int) -> None:
        """Limit the fields so that the whole form takes at most `rows` rows; the fields scroll."""
        box = self.query_one("#form")
        for fields in box.query("#rows"):
            others = [child for child in box.children if child is not fields and child.display]
            taken = sum(child.outer_size.height for child in others) + box.gutter.height
            fields.styles.max_height = max(LEAST_FIELDS, rows - taken)

    # -- its answers

    def word(self, field: str) -> str:
        """Return the answer of a field as it would be typed, "" if the form has no such field."""
        for row in self.query(FieldRow):
            if row.field == field:
                return row.answer.word
        return ""

    def who_and_why(self, *, why: bool = True) -> list[FieldRow]:
        seats = [(seat.id, f"{seat.glyph} {seat.name}") for seat in self._view.setup.seats]
        speaker = FieldRow(
            WHO, Choice([(THE_TABLE, "the table"), *seats]), "who decided this", label="decided by"
        )
        answer = TextField(optional=True)
        reason = FieldRow(WHY, answer, "for example: we looked again", label="reason")
        return [reason, speaker] if why else [speaker]

    # -- its keys

    def action_accept(self) -> None:
        """Send the form; a refusal stays in it as one sentence."""
        self._suppress()
        try:
            refusal = refused(self._table, self.send)
        except Refused as why:
            refusal = why.spoken()
        if refusal is None:
            self.dismiss()
        else:
            self._suppress()
            self.refuse(refusal)

    def action_leave(self) -> None:
        self._suppress()
        self.dismiss()

    def _suppress(self) -> None:
        """Hide refusals on the pages below: they are shown in the form, and outdated once it is
        corrected."""
        view = self._table.view()
        for screen in self.app.screen_stack:
            for line in screen.query(NoticeLine):
                line.suppress(view)

    def refuse(self, sentence: str) -> None:
        """Show why the answer is refused, as a whole sentence."""
        line = self.query_one("#refusal", Static)
        names = tuple(seat.name for seat in self._view.setup.seats)
        shown = spoken(sentence, named=begins_with_one(names, sentence))
        line.update(Content.assemble((f"! {shown}", "bold $warning")))
        line.display = True

    def tell(self, hint: str) -> None:
        self.query_one("#hint", Static).update(Content(hint))

    def on_key(self, event: events.Key) -> None:
        """Report a sign that no answer of the field begins with."""
        if isinstance(self.focused, Choice | Several) and (event.character or "").strip():
            self.refuse(f"No answer here begins with {event.character}. Press left or right.")

    async def on_field_changed(self, event: FieldChanged) -> None:
        """Clear the refusal, which may no longer apply.

        Textual calls this after the handler of a form that has its own.
        """
        event.stop()
        self.query_one("#refusal").display = False
        self._tell_of(row_of(self.focused))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the form on Enter in a text field, as anywhere else in it."""
        event.stop()
        self.action_accept()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._tell_of(row_of(event.widget))

    def _tell_of(self, row: FieldRow | None) -> None:
        """Show how the answer of a row is understood, or its hint."""
        self.tell("" if row is None else row.reading() or row.hint)
