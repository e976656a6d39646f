"""Puts a new game together: players, house rules, box, board and set-up, then a summary before it
begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input

from companion.dashboard.item import Item
from companion.dashboard.start.choices import AUTO, NONE, VIRTUAL, EnterBox, NewGame, people_words
from companion.dashboard.start.plan import (
    board_words,
    boxes_of,
    changed_words,
    checklist_of,
    facts_known,
    refused,
    rule_item,
    rules_of,
    strength_words,
    turn,
)
from companion.dashboard.start.step import StartStep
from companion.dashboard.textual.key_queue import has_room_for_panels
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.form import FieldRow, TextField
from companion.dashboard.widgets.page import MARGIN, Scroll
from companion.dashboard.widgets.static import Static
from companion.program import PROGRAM
from companion.rules.clauses import spoken
from companion.rules.columns import plural, wrap
from companion.rules.facts import Refused
from companion.rules.house_rules import HouseRule, Number
from companion.rules.names import split_names
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import PALETTE, require_distinct_people, seats_from_names

PANEL_CELLS = 4  # cells that a panel's border and padding take
MOST_WITH_ROOM = 8  # names for which a screen of 24 rows has empty lines between
NOTHING_YET = "Nothing is recorded before the first key."
BEGIN, PEOPLE, RULES, BOX, BOARD, SETUP = "begin", "people", "rules", "box", "board", "setup"
ENTER = "enter"
LOOK_S = 0.2  # seconds between checks of the search for a board


class NamesPasted(Message):
    """Several names were pasted into a line for one."""

    def __init__(self, line: TextField, names: list[str]) -> None:
        super().__init__()
        self.line = line
        self.names = names


class NameField(TextField):
    """A line for a name; a pasted list of names also fills the lines after it."""

    def on_paste(self, event: events.Paste) -> None:
        names = [name for name in split_names(event.text) if name]
        if len(names) > 1:
            event.prevent_default()
            event.stop()
            self.post_message(NamesPasted(self, names))


class SeatsStep(StartStep):
    """Asks who sits down."""

    KEYS: ClassVar[str] = (
        "Enter continue   Tab or arrows next name   right arrow takes a suggestion\n"
        "Ctrl+up, down: the order   Ctrl+D remove   Esc back   Ctrl+Q quit"
    )
    PANEL: ClassVar[str] = "Players, clockwise"
    ABOUT: ClassVar[str] = "Names"
    AUTO_FOCUS = "TextField"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,down", "app.focus_next", priority=True),
        Binding("shift+tab,up", "app.focus_previous", priority=True),
        Binding("ctrl+up,shift+up", "move(-1)", priority=True),
        Binding("ctrl+down,shift+down", "move(1)", priority=True),
        Binding("ctrl+d", "remove", priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._made_up: list[str] = []  # colors in place of names that nobody knows yet

    def title_text(self) -> str:
        card = GAMES[self.start.game.game]
        return f"{card.title}: enter the players, clockwise ({card.player_count})"

    def body(self) -> ComposeResult:
        names, most = self.start.game.seats, GAMES[self.start.game.game].seats[-1]
        self.set_class(most > MOST_WITH_ROOM, "-many")
        with VerticalScroll(id="names", can_focus=False):
            for place in range(most):
                # Typing replaces a suggested name.
                name = NameField(names[place] if place < len(names) else "", is_replaced=True)
                name.suggester = SuggestFromList(self.start.known, case_sensitive=False)
                yield FieldRow(str(place + 1), name)
        yield Static(id="seated")

    def fill(self) -> None:
        known = self.start.known
        if known:
            self.tell(f"They played before: {', '.join(known)}")
        else:
            self._made_up = [name for name in self.names if name in PALETTE]
            self.tell("Names are remembered from game to game.")
        self._show_seats()

    @property
    def names(self) -> list[str]:
        return [line.word for line in self.query(TextField) if line.word]

    def _show_seats(self) -> None:
        try:
            seats = seats_from_names(self.names)
        except Refused:
            seats = ()
        words = [
            Content.assemble((f"{seat.glyph} {seat.name}", f"bold {seat_style(seat.color)}"))
            for seat in seats
        ]
        self.query_one("#seated", Static).update(Content("   ").join(words))

    def on_field_changed(self) -> None:
        """Clear the refusal, which may no longer apply; and once somebody is named, the other players that the
        companion made up: nobody sits there."""
        self.refuse("")
        lines, made_up = list(self.query(TextField)), self._made_up
        values = [line.value for line in lines]
        if made_up and values[: len(made_up)] != made_up and not any(values[len(made_up) :]):
            self._made_up = []
            for line, name in zip(lines, made_up, strict=False):
                if not line.has_focus and line.value == name:
                    line.value = ""
        self._show_seats()

    def on_names_pasted(self, event: NamesPasted) -> None:
        """Put the names into this line and those after it, and clear the rest."""
        lines = list(self.query(TextField))
        after = lines[lines.index(event.line) :]
        if len(event.names) > len(after):
            self.refuse(
                f"{len(event.names)} names were pasted, and {plural(len(after), 'line is', 'lines are')} left."
            )
            return
        nobody = [""] * (len(after) - len(event.names))
        for line, name in zip(after, [*event.names, *nobody], strict=True):
            line.value = name
        after[len(event.names) - 1].focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self.is_current:  # the key was pressed twice
            return
        card = GAMES[self.start.game.game]
        try:
            require_distinct_people(self.names)
            seats_from_names(self.names)
        except Refused as refusal:
            self.refuse(refusal.spoken(self.names))
            return
        if len(self.names) < card.seats[0] and self._go_to_next(event.input):
            return
        if len(self.names) not in card.seats:
            self.refuse(f"This game needs {card.player_count}; you named {len(self.names)}.")
            return
        self.start.game.seats = self.names
        self.app.push_screen(ReadyStep())

    def _go_to_next(self, here: Input) -> bool:
        """Focus the next empty line, if this one has a name; return whether there was one to focus."""
        lines = list(self.query(TextField))
        place = next(place for place, line in enumerate(lines) if line is here)
        empty = [line for line in lines[place + 1 :] if not line.word]
        if not lines[place].word or not empty:
            return False
        empty[0].focus()
        return True

    # -- the order

    def action_move(self, by: int) -> None:
        """Move the name under the cursor by a place."""
        lines = list(self.query(TextField))
        focused = [place for place, line in enumerate(lines) if line.has_focus]
        place = focused[0] if focused else 0
        if 0 <= place + by < len(lines):
            here, there = lines[place], lines[place + by]
            here.value, there.value = there.value, here.value
            there.focus()

    def action_remove(self) -> None:
        """Remove the name under the cursor; those after it move up, and the cursor stays."""
        lines = list(self.query(TextField))
        focused = [place for place, line in enumerate(lines) if line.has_focus]
        if not focused:
            return
        after = lines[focused[0] :]
        names = [line.value for line in after[1:]]
        for line, name in zip(after, [*names, ""], strict=True):
            line.value = name


class NumberStep(StartStep):
    """Asks for a number of the house rules."""

    KEYS: ClassVar[str] = "Enter accept   Esc back   Ctrl+Q quit"
    AUTO_FOCUS = "Input"

    def __init__(self, number: Number) -> None:
        super().__init__()
        self._number = number

    def title_text(self) -> str:
        return spoken(self._number.means)

    def body(self) -> ComposeResult:
        now = self.start.game.rules.get(self._number.name, str(self._number.default))
        line = Input(now, type="integer", max_length=9, compact=True, select_on_focus=True)
        line.cursor_blink = False
        yield line

    def fill(self) -> None:
        self.tell(f"A whole number from 0 to {self._number.most}; usual: {self._number.default}.")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not self.is_current:  # the key was pressed twice
            return
        typed, number = event.value.strip(), self._number
        if not typed.isdecimal() or int(typed) > number.most:
            self.refuse(f"{typed or 'Nothing'} does not work. Type 0 to {number.most}.")
            return
        self.start.game.rules[number.name] = str(int(typed))
        if int(typed) == number.default:
            del self.start.game.rules[number.name]
        self.action_back()


class SetupStep(StartStep):
    """Shows what to put on the table."""

    KEYS: ClassVar[str] = "up and down scroll   Esc back   Ctrl+Q quit"
    PANEL: ClassVar[str] = "On the table"
    AUTO_FOCUS = "Scroll"

    def title_text(self) -> str:
        return f"{GAMES[self.start.game.game].title}: set up for {len(self.start.game.seats)}"

    def body(self) -> ComposeResult:
        with Scroll():
            yield Static(id="steps")

    def fill(self) -> None:
        columns = self.app.size.width - MARGIN
        if has_room_for_panels(self.app):
            columns -= PANEL_CELLS
        self.query_one("#steps", Static).update(
            Content("\n").join(step_rows(self.start.game, columns))
        )
        self.query_one("#beside").display = False
        self.query_one("#answers").add_class("-full")

    def on_resize(self) -> None:
        if self.is_mounted:
            self.fill()


def step_rows(game: NewGame, columns: int) -> list[Content]:
    """Return what to put on the table, numbered, in rows of at most `columns`."""
    steps = checklist_of(game)
    cells = len(f"{len(steps)} ")
    rows: list[Content] = []
    for number, step in enumerate(steps, start=1):
        for place, line in enumerate(wrap(step, max(columns - cells, cells))):
            head = "" if place else str(number)
            rows.append(Content(f"{head:>{cells - 1}} {line}"))
    return rows


class ReadyStep(StartStep):
    """The summary; Enter begins the game."""

    PANEL: ClassVar[str] = "Before the game"

    def title_text(self) -> str:
        return f"{GAMES[self.start.game.game].title}: ready"

    def on_mount(self) -> None:
        self.set_interval(LOOK_S, self.fill)

    def opening_refusal(self) -> str:
        return self.start.take_notice()

    def on_screen_resume(self) -> None:
        """Return to *begin* after any change, so that Enter begins."""
        if self.is_mounted:
            self.menu.take(self.items(), BEGIN)

    def items(self) -> list[Item]:
        game, steps = self.start.game, len(checklist_of(self.start.game))
        laid_out = "What to put on the table for these players and house rules."
        searched = "" if game.port is not None else self.start.search.sentence
        items = [
            Item(BEGIN, "start", about=f"{NOTHING_YET}\n{strength_words(game)}".strip()),
            Item(PEOPLE, "people", people_words(game.seats), "Names and their order."),
            *(rule_item(game.game, game.rules, rule) for rule in rules_of(game.game) if rule.first),
            Item(
                RULES,
                "house rules",
                changed_words(game.game, game.rules),
                "What the published rules leave open.",
            ),
        ]
        if GAMES[game.game].box:
            items.append(Item(BOX, "box", self._box().label, self._box().about))
        items.append(Item(BOARD, "board", board_words(self.start.port(game.port)), searched))
        if steps:
            items.append(Item(SETUP, "set up", plural(steps, "step"), laid_out))
        return items

    def more(self, columns: int, rows: int) -> tuple[str, Sequence[Content]]:
        """Return what to put on the table, as far as there is room."""
        steps = step_rows(self.start.game, columns)
        if len(steps) > rows:
            steps = [*steps[: rows - 1], Content.styled("The rest: press 6.", "$quiet")]
        return "Set up", steps

    def _box(self) -> Item:
        boxes = boxes_of(self.start.game.game)
        for box in boxes:
            if box.value == self.start.game.box:
                return box
        return boxes[0]

    def take(self, value: Any) -> None:
        steps: dict[str, type[StartStep]] = {
            RULES: RulesStep,
            BOX: BoxStep,
            BOARD: BoardStep,
            SETUP: SetupStep,
        }
        if value == PEOPLE:
            self.action_back()
        elif value in steps:
            self.refuse("")
            self.app.push_screen(steps[value]())
        elif isinstance(value, HouseRule):
            turn(self.start.game.rules, value)
            self.fill()
        else:
            refusal = refused(self.start.game)
            if refusal is None:
                self.start.exit(self.start.game)
            else:
                self.refuse(refusal)


class RulesStep(StartStep):
    """Asks for the house rules."""

    ASKS: ClassVar[str] = "House rules: what the published rules leave open"
    PANEL: ClassVar[str] = "House rules"
    KEYS: ClassVar[str] = "Enter or a number changes a rule   left, right   Esc back   Ctrl+Q quit"
    BINDINGS: ClassVar[list[BindingType]] = [("space,right", "turn(1)"), ("left", "turn(-1)")]

    def items(self) -> list[Item]:
        game = self.start.game
        rules = (
            rule_item(game.game, game.rules, rule) for rule in rules_of(game.game) if not rule.first
        )
        return [*rules, *map(self._number, open_game(game.game).numbers)]

    def _number(self, number: Number) -> Item:
        value = self.start.game.rules.get(number.name, str(number.default))
        usual = "" if value == str(number.default) else "  (changed)"
        about = f"{spoken(number.means)}\nUsual: {number.default}. Enter changes it."
        return Item(number, number.called, f"{value}{usual}", about)

    def take(self, value: Any) -> None:
        if isinstance(value, Number):
            self.app.push_screen(NumberStep(value))
        else:
            self.action_turn(1)

    def action_turn(self, by: int) -> None:
        if self.menu.item is not None and isinstance(self.menu.item.value, HouseRule):
            turn(self.start.game.rules, self.menu.item.value, by)
            self.fill()


class BoxStep(StartStep):
    """Asks which box to use."""

    ASKS: ClassVar[str] = "What is in the box?"
    PANEL: ClassVar[str] = "Box"

    def fill(self) -> None:
        self.menu.take(self.items(), self.start.game.box)

    def items(self) -> list[Item]:
        game = self.start.game.game
        items = [*boxes_of(game)]
        known, facts = facts_known(game)
        if known == facts:
            return items
        about = "One question at a time. Stop and continue whenever you like."
        return [
            *items,
            Item(ENTER, "enter missing facts from your copy", f"{known} of {facts} known", about),
        ]

    def take(self, value: Any) -> None:
        if value == ENTER:
            self.start.exit(EnterBox(self.start.game))
            return
        self.start.game.box = value
        self.action_back()


class BoardStep(StartStep):
    """Asks where the board is."""

    ASKS: ClassVar[str] = "Where is the board?"
    PANEL: ClassVar[str] = "Board"

    def on_mount(self) -> None:
        self.menu.take(self.items(), self.start.port(self.start.game.port))
        self.set_interval(LOOK_S, self.fill)

    def items(self) -> list[Item]:
        start = self.start
        wanted = start.wanted_port
        items = []
        if wanted not in (None, VIRTUAL, NONE):
            items.append(Item(wanted, f"at {wanted}", "as the settings say"))
        if start.search.found is not None:
            port = start.search.found.port
            if port not in (None, wanted):
                items.append(Item(port, f"at {port}", "found", start.search.sentence))
        look = "The search continues during the game."
        return [
            *items,
            Item(AUTO, "look for it", "plug it in when you like", f"{start.search.sentence}\n{look}"),
            Item(VIRTUAL, "the virtual board", "the same firmware without hardware",
                 f"Its buttons: {PROGRAM} hands, in another terminal."),
            Item(NONE, "none", "the keyboard does everything", f"To add one later: {PROGRAM} resume --port auto"),
        ]  # fmt: skip

    def take(self, value: Any) -> None:
        self.start.game.port = value
        self.action_back()
