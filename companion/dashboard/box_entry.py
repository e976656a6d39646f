"""The open facts of a box as tables to fill in: a part of the box at a time, a row for each card or
token, and a question about the field under the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from companion.box.entry import BoxEntry
from companion.config.schema import Preferences
from companion.dashboard.textual.key_queue import StandaloneApp
from companion.dashboard.widgets.cursor import window
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.static import GAP, Fitted, Static
from companion.rules.box_questions import UNDO, BoxQuestion, Draft, NoAnswer, RowId
from companion.rules.columns import capitalized, fit, plural, width
from companion.rules.component_rows import LONGEST_TEXT, ComponentTable, Field

LEAST = (40, 12)  # columns and rows below which a question would be cut
BESIDE = 110  # columns from which the parts are listed beside the table
MOVES = ("arrows move", "PgUp PgDn another part")
MARGIN = 2  # cells of padding
END = "Esc stop (answers are kept)"
UNKNOWN, LEFT_OUT = "?", "none"
PLAIN_WIDTH = 76
LEAST_CELLS = 8  # of a column, unless all of it is narrower


class BoxEntryApp(StandaloneApp[str]):
    """Asks for the facts of `entry`. Returns the side of the board whose map is to be drawn, or
    None."""

    CSS = """
    Screen { background: $background; color: $foreground; layout: vertical; padding: 0 1; }
    #title { height: 1; color: $quiet; }
    #part { height: 1; margin: 1 0 0 0; }
    #middle { height: 1fr; }
    #table { width: 1fr; height: 1fr; text-wrap: nowrap; }
    #parts { display: none; width: auto; height: 1fr; text-wrap: nowrap; }
    #question { height: auto; text-style: bold; margin: 1 0 0 0; }
    #choices { height: auto; }
    #typed { height: 1; background: $panel; }
    #unlocks { height: auto; color: $quiet; }
    #said { height: auto; }
    #keys { dock: bottom; height: auto; color: $quiet; padding: 0 1; }
    .-wide #part { display: none; }
    .-wide #middle { margin: 1 0 0 0; }
    .-asked #parts { display: block; width: 1fr; }
    .-asked #table, .-asked #part { display: none; }
    .-wide #parts { display: block; margin: 0 1 0 0; }
    .-wide #parts, .-wide #table {
        padding: 0 1; border: round $quiet;
        border-title-color: $foreground; border-title-style: bold;
    }
    .-wide #form { height: auto; padding: 0 1; border: round $quiet; }
    .-wide #question { margin: 0; }
    #form { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "leave"),
        ("up", "go(-1)"),
        ("down", "go(1)"),
        ("left", "choose(-1)"),
        ("right", "choose(1)"),
        ("pageup", "part(-1)"),
        ("pagedown", "part(1)"),
        Binding("tab", "skip", priority=True),
        ("ctrl+z", "undo"),
        ("ctrl+n", "add"),
        ("ctrl+d", "remove"),
        ("enter", "enter"),
        ("backspace", "rub_out"),
    ]

    def __init__(self, entry: BoxEntry, title: str, *, wanted: Preferences) -> None:
        super().__init__(wanted)
        self.entry = entry
        self._title = title
        self._typed = ""
        self._message = Content()
        self._naming = False  # the name of a row to add is typed

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield Static(id="part")
        with Horizontal(id="middle"):
            yield Fitted(self._draw_parts, id="parts")
            yield Fitted(self._draw_table, id="table")
        with Vertical(id="form"):
            for name in ("question", "choices", "typed", "unlocks", "said"):
                yield Static(id=name)
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#parts").border_title = "Parts"
        self._choose_known()
        self._draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    # -- showing

    def _draw(self) -> None:
        entry, question = self.entry, self.entry.question
        too_small = self.size.width < LEAST[0] or self.size.height < LEAST[1]
        self.screen.set_class(self._is_wide, "-wide")
        self.screen.set_class(entry.fact is None, "-asked")
        for name in ("choices", "unlocks", "part", "middle"):
            self.query_one(f"#{name}").styles.display = "none" if too_small else None
        self.query_one("#typed").display = question is not None and not too_small
        self.query_one("#middle").styles.max_height = self._rows_needed() if self._is_wide else None
        self._show("title", f"{self._title}: your box   {entry.known} of {len(entry.facts)} known")
        self._show("part", self._part())
        asked = self._asked(question)
        if too_small:
            asked = "Make the window larger to continue."
        self._show("question", asked)
        self._show("choices", self._choices(question))
        self._show(
            "typed",
            Content.assemble(("> ", "bold $accent"), self._read_back(question), ("_", "$accent")),
        )
        self._show("unlocks", "" if self._naming else entry.unlocks)
        self._show("said", self._message)
        self.query_one("#said").display = bool(self._message)
        now = self._keys(question)
        self._show("keys", packed(map(Content, now), self.size.width - MARGIN, GAP))
        self._draw_parts()
        self._draw_table()

    def _rows_needed(self) -> int:
        """Return the rows for the list of parts and for the longest table, with head and border."""
        groups = self.entry.groups()
        return max(len(groups), *(total + 1 for _, _, total in groups)) + 2

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= BESIDE

    def _keys(self, question: BoxQuestion | None) -> Iterator[str]:
        """Yield what the keys do now."""
        if self._naming:
            yield from ("Enter add", "Esc back")
            return
        yield from _answer_keys(question, undo=bool(self._typed) or self.entry.can_undo)
        if self.entry.adds:
            yield f"Ctrl+N add {self.entry.adds}"
        if self.entry.can_remove:
            yield "Ctrl+D remove"
        yield from (*MOVES, END)

    def _show(self, name: str, text: str | Content) -> None:
        self.query_one(f"#{name}", Static).update(Content(text) if isinstance(text, str) else text)

    def _read_back(self, question: BoxQuestion | None) -> str:
        """Return what was typed, in words if keys stand for them."""
        if question is None or self._naming or not question.by_key:
            return self._typed
        return "".join(f"{question.keys[key]} " for key in self._typed)

    def _asked(self, question: BoxQuestion | None) -> str:
        if self._naming:
            return f"You add {self.entry.adds}: what is it called?"
        if question is not None:
            return str(question)
        left = len(self.entry.facts) - self.entry.known
        if not left:
            return "Every fact is known. Press Esc to close."
        return f"{plural(left, 'fact is', 'facts are')} still missing. Press Enter for the first."

    def _choices(self, question: BoxQuestion | None) -> str:
        if self._naming:
            return "Its name, as on your copy."
        return "" if question is None else choices(question, self.entry.words)

    def _part(self) -> Content:
        """Return the name of the current part, its place among all parts, and how much is known."""
        groups = self.entry.groups()
        here = self._place_of_part(groups)
        if here is None:
            return Content("")
        table, known, total = groups[here]
        place = f"   part {here + 1} of {len(groups)}"
        heading = capitalized(_heading(table))
        return Content.assemble(
            (heading, "bold"), (f"   {_counted(known, total)}{place}", "$quiet")
        )

    def _place_of_part(self, groups: Sequence[tuple[ComponentTable, int, int]]) -> int | None:
        if self.entry.fact is None:
            return None
        return [table.name for table, _, _ in groups].index(self.entry.fact[0])

    def _draw_parts(self) -> None:
        """List the parts of the box with how much of each is known, scrolled to the current one."""
        parts, groups = self.query_one("#parts", Static), self.entry.groups()
        here = self._place_of_part(groups)
        height = parts.content_size.height
        if not groups:
            return
        top = window(len(groups) - 1 if here is None else here, len(groups), max(1, height), 0)
        cells = max(len(_heading(table)) for table, _, _ in groups)
        rows = []
        for place, (table, known, total) in enumerate(groups[top:], start=top):
            label = _heading(table).ljust(cells)
            head = Content(f"  {label}")
            if place == here:
                head = Content.assemble(("> ", "bold $accent"), (label, "bold"))
            count = _counted(known, total).ljust(len("10 of 10 known"))
            rows.append(Content.assemble(head, (f"  {count}", "$quiet")))
        parts.update(Content("\n").join(rows))

    def _draw_table(self) -> None:
        """Draw the rows of the current part, scrolled to the current one."""
        shown, entry = self.query_one("#table", Static), self.entry
        columns, rows_free = shown.content_size
        if entry.fact is None or entry.table is None or not rows_free:
            shown.update("")
            return
        shown.border_title = capitalized(_heading(entry.table))
        facts = [fact for fact in entry.facts if fact[0] == entry.fact[0]]
        fields = entry.columns()
        heads = _heads(fields)
        texts = [(fact[1], *self._cells(fact, fields)) for fact in facts]
        widths = _widths([*heads, *texts], columns - len("> "))
        here = facts.index(entry.fact)
        rows_free = max(1, rows_free - len(heads))
        top = window(here, len(facts), rows_free, 0)
        lines = [Content.styled(f"  {_row(head, widths)}", "$quiet") for head in heads]
        for place in range(top, min(len(facts), top + rows_free)):
            lines.append(self._table_row(texts[place], widths, is_current=place == here))
        shown.update(Content("\n").join(lines))

    def _cells(self, fact: RowId, fields: Sequence[Field]) -> Iterator[str]:
        """Yield the values of a row as text; what is typed now is in its place."""
        answers, question = self.entry.answers(fact), self.entry.question
        current = question.field.name if question is not None and fact == self.entry.fact else ""
        for field in fields:
            if field.name != current:
                yield _answer_text(answers, field)
                continue
            typed = "" if self._naming else self._read_back(question)
            if typed or field.name not in answers:
                yield f"{typed}_"
            else:
                yield _value(answers[field.name])

    def _table_row(
        self, texts: Sequence[str], widths: Sequence[int], *, is_current: bool
    ) -> Content:
        cells = [_tail(text, width) for text, width in zip(texts, widths, strict=True)]
        if not is_current:
            styles = ["$quiet" if text == UNKNOWN else "" for text in texts]
            parts = [Content.styled(cell, style) for cell, style in zip(cells, styles, strict=True)]
            return Content("  ") + Content("  ").join(parts)
        question = self.entry.question
        names = [field.name for field in self.entry.columns()]
        here = -1 if question is None else names.index(question.field.name) + 1
        parts = []
        for place, cell in enumerate(cells):
            style = "bold" if place == 0 else ""
            parts.append(Content.styled(cell, "reverse" if place == here else style))
        return Content.styled("> ", "bold $accent") + Content("  ").join(parts)

    # -- keys

    def on_key(self, event: events.Key) -> None:
        """Take what is typed; a key that is the whole answer is taken at once."""
        character, question = event.character, self.entry.question
        if self._naming:
            self._type_name(character)
            return
        if question is None and character == UNDO:
            self.action_undo()
        if character is None or not character.isprintable() or question is None:
            return
        event.stop()
        self._message = Content()
        is_text = not question.by_key and question.field.kind != "number"
        is_digit = not question.by_key and character.isdecimal()
        if not is_text and not is_digit and self._command(character, question):
            return
        if question.by_key and character not in question.keys:
            self._refuse(question.no_key(character))
            return
        if question.by_key and character in self._typed:
            self._typed = self._typed.replace(character, "")
        elif len(self._typed) < LONGEST_TEXT:
            self._typed += character
        if question.ends(self._typed) or (question.by_key and not question.several):
            self._answer()
        else:
            self._draw()

    def _type_name(self, character: str | None) -> None:
        if character is not None and character.isprintable() and len(self._typed) < LONGEST_TEXT:
            self._typed += character
            self._message = Content()
            self._draw()

    def _command(self, character: str, question: BoxQuestion) -> bool:
        """Do what a letter or sign means if it is no answer; return whether it did anything."""
        if character in question.keys:
            return False
        if character == UNDO:
            self.action_undo()
        elif character == "-":
            self.action_skip()
        elif character == "m" and question.table.map_side:
            self.exit(question.table.map_side)
        else:
            return False
        return True

    def _answer(self) -> None:
        try:
            unlocked = self.entry.answer(self._typed)
        except NoAnswer as refusal:
            question = self.entry.question
            if question is not None and question.by_key and not question.several:
                self._typed = ""  # one key was the whole answer: there is nothing to edit
            self._refuse(str(refusal))
            return
        self._report(unlocked)

    def _report(self, sentence: str) -> None:
        """Show what a step came to, and the place where it led."""
        self._moved()
        self._message = Content.styled(sentence, "bold $success")
        self._draw()

    def _refuse(self, sentence: str) -> None:
        self._message = Content.styled(f"! {sentence}", "bold $warning")
        self._draw()

    def _moved(self) -> None:
        self._typed, self._message, self._naming = "", Content(), False
        self._choose_known()
        self._draw()

    def _choose_known(self) -> None:
        """In a row that is known, ask for a single field: the others keep their values."""
        if self.entry.fact is not None and self.entry.is_known(self.entry.fact):
            self.entry.choose(0)

    def action_enter(self) -> None:
        """Take what was typed; after the last fact go to the first open one."""
        if self._naming:
            self._add_named()
        elif self.entry.question is None:
            self.entry.first_open()
            self._moved()
        else:
            self._answer()

    def _add_named(self) -> None:
        try:
            self.entry.add(self._typed)
        except NoAnswer as refusal:
            self._refuse(str(refusal))
            return
        self._moved()

    def action_add(self) -> None:
        """Ask for the name of a row to add, or say why there can be none."""
        self._moved()
        if not self.entry.adds:
            try:
                self.entry.add("")
            except NoAnswer as refusal:
                self._refuse(str(refusal))
            return
        self._naming = True
        self._draw()

    def action_remove(self) -> None:
        """Remove an added row, or make the current row unknown again."""
        self._moved()
        try:
            self._report(self.entry.remove())
        except NoAnswer as refusal:
            self._refuse(str(refusal))

    def action_leave(self) -> None:
        """Leave; while a name is typed, only discard that."""
        if self._naming:
            self._moved()
        else:
            self.exit(None)

    def action_choose(self, by: int) -> None:
        """Go to another field of the row."""
        if self._naming:
            return
        self._typed, self._message = "", Content()
        self.entry.choose(by)
        self._draw()

    def action_rub_out(self) -> None:
        self._typed = self._typed[:-1]
        self._draw()

    def action_undo(self) -> None:
        """Discard what is typed, else undo the last answer."""
        if self._typed:
            self._moved()
            return
        try:
            there_was_one = self.entry.undo()
        except NoAnswer as refusal:
            self._refuse(str(refusal))
            return
        self._moved()
        if not there_was_one:
            self._refuse("There is nothing to undo.")

    def action_skip(self) -> None:
        self.entry.skip()
        self._moved()

    def action_go(self, by: int) -> None:
        self.entry.go(by)
        self._moved()

    def action_part(self, by: int) -> None:
        self.entry.go_to_table(by)
        self._moved()


def choices(question: BoxQuestion, words: tuple[str, ...]) -> str:
    """Return the possible answers to a question, in words."""
    if question.by_key:
        words_for = {True: "yes", False: "no"}
        answers = "   ".join(
            f"{key} {words_for.get(value, value)}" for key, value in question.keys.items()
        )
    elif words:
        answers = "   ".join(f"{number} {word}" for number, word in enumerate(words, start=1))
        answers = f"Used before: {answers}"
    else:
        answers = f"{capitalized(question.expected)}."
    if question.field.optional:
        answers += f"   Enter alone: {question.field.without or 'it is left out'}"
    return answers


def table_lines(entry: BoxEntry) -> Iterator[str]:
    """Yield the current part of the box as plain lines: its name, a head, and a line for each row."""
    if entry.fact is None or entry.table is None:
        return
    yield f"{capitalized(_heading(entry.table))}:"
    fields = entry.columns()
    texts = _heads(fields)
    for fact in entry.facts:
        if fact[0] == entry.fact[0]:
            answers = entry.answers(fact)
            texts.append((fact[1], *(_answer_text(answers, field) for field in fields)))
    widths = _widths(texts, PLAIN_WIDTH)
    for row in texts:
        yield f"  {_row(row, widths)}".rstrip()


def _heads(fields: Sequence[Field]) -> list[tuple[str, ...]]:
    """Return the head of a table as a list of one row; a table with one column needs none."""
    return [("", *(field.name for field in fields))] if len(fields) > 1 else []


def _answer_text(answers: Draft, field: Field) -> str:
    return _value(answers[field.name]) if field.name in answers else UNKNOWN


def _answer_keys(question: BoxQuestion | None, *, undo: bool) -> Iterator[str]:
    """Yield what the keys of a question do; `undo`: something can be undone."""
    letters = question is None or question.by_key or question.field.kind == "number"
    if question is not None:
        if not question.by_key or question.several:
            yield "Enter accept"
        if question.table.map_side:
            yield "m draw the map"
        yield "- not known, next" if letters else "Tab not known, next"
    if undo:
        yield f"{UNDO} undo" if letters else "Ctrl+Z undo"


def _heading(table: ComponentTable) -> str:
    return table.heading or table.name


def _counted(known: int, total: int) -> str:
    return "all known" if known == total else f"{known} of {total} known"


def _value(value: Any) -> str:
    """Return the value of a field as a cell."""
    if value is None or value == ():
        return LEFT_OUT
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the widths of the columns; where not all fits, the widest give way."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > LEAST_CELLS:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        _tail(cell, cells_free) for cell, cells_free in zip(cells, widths, strict=True)
    )


def _tail(text: str, cells: int) -> str:
    """Return the text in so many cells; while a long one is typed, its end, where the cursor is."""
    while text.endswith("_") and width(text) > cells:
        text = text[1:]
    return fit(text, cells)
