"""A guided screen for the open facts of a box: one question at a time, answered by a key if
possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from companion.box.entry import BoxEntry
from companion.config.schema import Preferences
from companion.dashboard.textual.key_queue import StandaloneApp
from companion.dashboard.widgets.cursor import window
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.static import GAP, Fitted, Static
from companion.rules.box_questions import UNDO, BoxQuestion, NoAnswer
from companion.rules.columns import capitalized, plural
from companion.rules.component_rows import LONGEST_TEXT

LEAST = (40, 12)  # columns and rows below which a question would be cut
MOVES = ("up down other fact", "PgUp PgDn another part")
MARGIN = 2  # cells of padding
END = "Esc stop (answers are kept)"


class BoxEntryApp(StandaloneApp[str]):
    """Asks for the facts of `entry`. Returns the side of the board whose map is to be drawn, or
    None."""

    CSS = """
    Screen { background: $background; color: $foreground; layout: vertical; padding: 0 1; }
    #title { height: 1; color: $quiet; }
    #question { height: auto; text-style: bold; margin: 1 0 0 0; }
    #choices { height: auto; }
    #typed { height: 1; background: $panel; margin: 0 0 1 0; }
    #so-far { height: auto; color: $quiet; }
    #unlocks { height: auto; }
    #said { height: auto; }
    #parts { height: 1fr; margin: 1 0 0 0; text-wrap: nowrap; }
    #keys { height: auto; color: $quiet; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "leave"),
        ("up", "go(-1)"),
        ("down", "go(1)"),
        ("pageup", "part(-1)"),
        ("pagedown", "part(1)"),
        Binding("tab", "skip", priority=True),
        ("ctrl+z", "undo"),
        ("enter", "enter"),
        ("backspace", "rub_out"),
    ]

    def __init__(self, entry: BoxEntry, title: str, *, wanted: Preferences) -> None:
        super().__init__(wanted)
        self.entry = entry
        self._title = title
        self._typed = ""
        self._message = Content()

    def compose(self) -> ComposeResult:
        for name in ("title", "question", "choices", "typed", "so-far", "unlocks", "said"):
            yield Static(id=name)
        yield Fitted(self._draw_parts, id="parts")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    # -- showing

    def _draw(self) -> None:
        entry, question = self.entry, self.entry.question
        too_small = self.size.width < LEAST[0] or self.size.height < LEAST[1]
        for name in ("choices", "so-far", "unlocks", "parts"):
            self.query_one(f"#{name}").display = not too_small
        self.query_one("#typed").display = question is not None and not too_small
        self._show("title", f"{self._title}: your box   {entry.known} of {len(entry.facts)} known")
        self._show(
            "question",
            "Make the window larger to continue." if too_small else self._asked(question),
        )
        self._show("choices", "" if question is None else choices(question, entry.words))
        self._show(
            "typed",
            Content.assemble(("> ", "bold $accent"), self._read_back(question), ("_", "$accent")),
        )
        self._show("so-far", self._so_far(question))
        self._show("unlocks", entry.unlocks)
        self._show("said", self._message)
        self.query_one("#said").display = bool(self._message)
        now = keys(question, undo=bool(self._typed) or entry.can_undo)
        self._show("keys", packed(map(Content, now), self.size.width - MARGIN, GAP))
        self._draw_parts()

    def _show(self, name: str, text: str | Content) -> None:
        self.query_one(f"#{name}", Static).update(Content(text) if isinstance(text, str) else text)

    def _read_back(self, question: BoxQuestion | None) -> str:
        """Return what was typed, in words if keys stand for them."""
        if question is None or not question.by_key:
            return self._typed
        return "".join(f"{question.keys[key]} " for key in self._typed)

    def _asked(self, question: BoxQuestion | None) -> str:
        if question is not None:
            return str(question)
        left = len(self.entry.facts) - self.entry.known
        if not left:
            return "Every fact is known. Press Esc to close."
        return f"That was the last one. {plural(left, 'fact')} missing: press Enter."

    def _so_far(self, question: BoxQuestion | None) -> str:
        if question is None:
            return ""
        answered = [
            f"{name} {_in_words(value)}"
            for name, value in self.entry.draft.items()
            if value is not None
        ]
        if answered:
            return f"So far: {', '.join(answered)}."
        row, fact = self.entry.box.row(question.table.name, question.name), self.entry.fact
        if row is None or fact is None or not self.entry.is_known(fact):
            return ""
        stated = ", ".join(f"{name} {_in_words(value)}" for name, value in row.fields.items())
        return f"Known: {stated}. A new answer replaces it."

    def _draw_parts(self) -> None:
        """Draw the parts of the box with how much of each is known, scrolled to the present one."""
        parts, groups = self.query_one("#parts", Static), self.entry.groups()
        names = [table.name for table, _, _ in groups]
        here = names.index(self.entry.fact[0]) if self.entry.fact is not None else len(names) - 1
        width, height = parts.content_size
        if not height or not groups:
            return
        top = window(here, len(groups), height, 0)
        cells = max(len(table.heading or table.name) for table, _, _ in groups)
        rows = []
        for place, (table, known, total) in enumerate(groups[top : top + height], start=top):
            label = (table.heading or table.name).ljust(cells)
            head = Content(f"  {label}")
            if place == here and self.entry.fact is not None:
                head = Content.assemble(("> ", "bold $accent"), (label, "bold"))
            count = "all known" if known == total else f"{known} of {total}"
            row = Content.assemble(head, (f"   {count}", "$quiet"))
            rows.append(row.truncate(width, ellipsis=True))
        parts.update(Content("\n").join(rows))

    # -- keys

    def on_key(self, event: events.Key) -> None:
        """Take what is typed; a key that is the whole answer is taken at once."""
        character, question = event.character, self.entry.question
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
        self._typed = ""
        self._message = Content.styled(unlocked, "bold $success")
        self._draw()

    def _refuse(self, sentence: str) -> None:
        self._message = Content.styled(f"! {sentence}", "bold $warning")
        self._draw()

    def _moved(self) -> None:
        self._typed, self._message = "", Content()
        self._draw()

    def action_enter(self) -> None:
        """Take what was typed; after the last fact go to the first open one."""
        if self.entry.question is None:
            self.entry.first_open()
            self._moved()
        else:
            self._answer()

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


def keys(question: BoxQuestion | None, *, undo: bool) -> Iterator[str]:
    """Yield what the keys do now; `undo`: something can be undone."""
    if question is None:
        if undo:
            yield f"{UNDO} undo"
        yield from (*MOVES, END)
        return
    letters = question.by_key or question.field.kind == "number"
    if not question.by_key or question.several:
        yield "Enter accept"
    if question.table.map_side:
        yield "m draw the map"
    yield "- not known, next" if letters else "Tab not known, next"
    if undo:
        yield f"{UNDO} undo" if letters else "Ctrl+Z undo"
    yield from (*MOVES, END)


def _in_words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
