"""A new game, put together: who sits down, house rules, box, board, set-up, and all at a glance before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input

from companion.dashboard.start.choices import AUTO, NONE, VIRTUAL, EnterBox
from companion.dashboard.start.plan import boxes_of, checklist_of, facts_known, refused, rules_of
from companion.dashboard.start.step import StartStep
from companion.dashboard.widgets.form import FieldRow, TextField
from companion.dashboard.widgets.menu import Item
from companion.dashboard.widgets.page import MARGIN, Scroll
from companion.dashboard.widgets.static import Static
from companion.rules.clauses import spoken
from companion.rules.columns import plural, wrap
from companion.rules.facts import Refused
from companion.rules.house_rules import HouseRule, Number
from companion.rules.names import split_names
from companion.rules.registry import GAMES, open_game
from companion.rules.rulings import rulings
from companion.rules.seats import require_distinct_people, seats_from_names

TICK = "[ ] "
MOST_WITH_ROOM = 8  # names around which a screen of 24 lines has empty ones
BEGIN, PEOPLE, RULES, BOX, BOARD, SETUP = "begin", "people", "rules", "box", "board", "setup"
ENTER = "enter"
LOOK_S = 0.2  # seconds between two looks at the search for a board


class NamesPasted(Message):
    """Several names were pasted into a line for one."""

    def __init__(self, line: TextField, names: list[str]) -> None:
        super().__init__()
        self.line = line
        self.names = names


class NameField(TextField):
    """A line for a name; a list of names that is pasted is for the lines after it, too."""

    def on_paste(self, event: events.Paste) -> None:
        names = [name for name in split_names(event.text) if name]
        if len(names) > 1:
            event.prevent_default()
            event.stop()
            self.post_message(NamesPasted(self, names))


class SeatsStep(StartStep):
    """Who sits down?"""

    KEYS: ClassVar[str] = (
        "Enter go on   Tab or arrows next name   right takes a suggestion\n"
        "Ctrl+up, down: the order   Ctrl+D nobody here   Esc back   Ctrl+Q leave"
    )
    AUTO_FOCUS = "TextField"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,down", "app.focus_next", priority=True),
        Binding("shift+tab,up", "app.focus_previous", priority=True),
        Binding("ctrl+up,shift+up", "move(-1)", priority=True),
        Binding("ctrl+down,shift+down", "move(1)", priority=True),
        Binding("ctrl+d", "empty", priority=True),
    ]

    def title_text(self) -> str:
        card = GAMES[self.start.game.game]
        return f"{card.title}: who sits down, clockwise? {card.player_count}"

    def body(self) -> ComposeResult:
        names, most = self.start.game.seats, GAMES[self.start.game.game].seats[-1]
        self.set_class(most > MOST_WITH_ROOM, "-many")
        with VerticalScroll(id="names", can_focus=False):
            for place in range(most):
                # typing takes its place
                name = NameField(names[place] if place < len(names) else "", number=True)
                name.suggester = SuggestFromList(self.start.known, case_sensitive=False)
                yield FieldRow(str(place + 1), name)
        yield Static(id="seated")

    def fill(self) -> None:
        known = self.start.known
        self.tell(
            f"They played before: {', '.join(known)}"
            if known
            else "Names are remembered from game to game."
        )
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
            Content.assemble((f"{seat.glyph} {seat.name} ({seat.initial})", "bold"))
            for seat in seats
        ]
        self.query_one("#seated", Static).update(Content("   ").join(words))

    def on_field_changed(self) -> None:
        """What was wrong may be right now."""
        self.refuse("")
        self._show_seats()

    def on_names_pasted(self, event: NamesPasted) -> None:
        """The names take this line and the ones after it; nobody else sits after them."""
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
        if len(self.names) not in card.seats:
            self.refuse(f"This game needs {card.player_count}; you named {len(self.names)}.")
            return
        self.start.game.seats = self.names
        self.app.push_screen(ReadyStep())

    # -- the order

    def action_move(self, by: int) -> None:
        """Let the name under the cursor sit one place further."""
        lines = list(self.query(TextField))
        place = next((place for place, line in enumerate(lines) if line.has_focus), 0)
        if 0 <= place + by < len(lines):
            here, there = lines[place], lines[place + by]
            here.value, there.value = there.value, here.value
            there.focus()

    def action_empty(self) -> None:
        for line in self.query(TextField):
            if line.has_focus:
                line.value = ""


class NumberStep(StartStep):
    """How many?"""

    KEYS: ClassVar[str] = "Enter accept   Esc back   Ctrl+Q leave"
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
            self.refuse(f"{typed or 'Nothing'} is no number here. Type 0 to {number.most}.")
            return
        self.start.game.rules[number.name] = str(int(typed))
        if int(typed) == number.default:
            del self.start.game.rules[number.name]
        self.action_back()


class SetupStep(StartStep):
    """What goes on the table?"""

    KEYS: ClassVar[str] = "up and down move the list   Esc back   Ctrl+Q leave"
    AUTO_FOCUS = "Scroll"

    def title_text(self) -> str:
        return f"{GAMES[self.start.game.game].title}: set up for {len(self.start.game.seats)}"

    def body(self) -> ComposeResult:
        with Scroll():
            yield Static(id="steps")

    def fill(self) -> None:
        columns = max(self.app.size.width - MARGIN, len(TICK) * 2)
        steps = (
            line
            for step in checklist_of(self.start.game)
            for line in wrap(TICK + step, columns, " " * len(TICK))
        )
        self.query_one("#steps", Static).update(Content("\n".join(steps)))
        self.query_one("#about", Static).display = False

    def on_resize(self) -> None:
        if self.is_mounted:
            self.fill()


class ReadyStep(StartStep):
    """Ready?"""

    def title_text(self) -> str:
        return f"{GAMES[self.start.game.game].title}: ready"

    def on_mount(self) -> None:
        self.set_interval(LOOK_S, self.fill)

    def opening_refusal(self) -> str:
        return self.start.take_notice()

    def on_screen_resume(self) -> None:
        """Whatever was changed, Enter begins."""
        if self.is_mounted:
            self.menu.take(self.items(), BEGIN)

    def items(self) -> list[Item]:
        game, steps = self.start.game, len(checklist_of(self.start.game))
        laid_out = "What goes on the table, for these people and house rules."
        searched = "" if game.port is not None else self.start.search.sentence
        items = [
            Item(BEGIN, "begin", about="The record begins with the first key."),
            Item(PEOPLE, "people", ", ".join(game.seats), "Names and their order."),
            *(rule_item(game.game, game.rules, rule) for rule in rules_of(game.game) if rule.first),
            Item(
                RULES,
                "house rules",
                changed(game.game, game.rules),
                "What the published rules leave open.",
            ),
            *(
                [Item(BOX, "box", self._box().label, self._box().about)]
                if GAMES[game.game].box
                else []
            ),
            Item(BOARD, "board", board_words(self.start.port(game.port)), searched),
        ]
        return [*items, Item(SETUP, "set up", plural(steps, "step"), laid_out)] if steps else items

    def _box(self) -> Item:
        boxes = boxes_of(self.start.game.game)
        return next((box for box in boxes if box.value == self.start.game.box), boxes[0])

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
        elif refusal := refused(self.start.game):
            self.refuse(refusal)
        else:
            self.start.exit(self.start.game)


def changed(game_id: str, chosen: dict[str, str]) -> str:
    """Return in words how far the house rules are other than by default."""
    rules = rules_of(game_id)
    other = [
        rule.name
        for rule in rules
        if not rule.first and chosen.get(rule.name, rule.default) != rule.default
    ]
    other += [name for name in chosen if name not in {rule.name for rule in rules}]
    return f"{len(other)} changed: {', '.join(map(in_words, other))}" if other else "as usual"


def in_words(name: str) -> str:
    """Return the name of a house rule, or of an alternative, as one reads it."""
    return name.replace("_", " ")


def rule_item(game_id: str, chosen: Mapping[str, str], rule: HouseRule) -> Item:
    """Return the line of a house rule: its name, what is chosen, and what that means in the words of the rules."""
    choice, words = chosen.get(rule.name, rule.default), rulings(game_id).get(rule.name)
    usual = "" if rule.first or choice == rule.default else "  (changed)"
    about = f"{spoken(rule.means)}\nUsual: {rule.default}." if rule.means else ""
    about = about if words is None else in_words(f"Usual: {words.default}.\nElse: {words.others}.")
    return Item(rule, in_words(rule.name), f"{in_words(choice)}{usual}", about)


def turn(chosen: dict[str, str], rule: HouseRule, by: int = 1) -> None:
    """Choose another alternative of the rule; what is usual is left out."""
    place = rule.alternatives.index(chosen.get(rule.name, rule.default))
    chosen[rule.name] = rule.alternatives[(place + by) % len(rule.alternatives)]
    if chosen[rule.name] == rule.default:
        del chosen[rule.name]


class RulesStep(StartStep):
    """Which house rules?"""

    ASKS: ClassVar[str] = "House rules: what the published rules leave open"
    KEYS: ClassVar[str] = "Enter the next, or a number   left and right   Esc back   Ctrl+Q leave"
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
        return Item(number, in_words(number.name), f"{value}{usual}", about)

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
    """Which box?"""

    ASKS: ClassVar[str] = "What is in the box?"

    def fill(self) -> None:
        self.menu.take(self.items(), self.start.game.box)

    def items(self) -> list[Item]:
        game = self.start.game.game
        items = [*boxes_of(game)]
        known, facts = facts_known(game)
        if known == facts:
            return items
        about = "One question at a time, a key each. Stop and go on whenever you like."
        return [
            *items,
            Item(ENTER, "enter the open facts from your copy", f"{known} of {facts} known", about),
        ]

    def take(self, value: Any) -> None:
        if value == ENTER:
            self.start.exit(EnterBox(self.start.game))
            return
        self.start.game.box = value
        self.action_back()


def board_words(port: str) -> str:
    """Return in words where the board is."""
    words = {
        AUTO: "looking for one",
        VIRTUAL: "the virtual board",
        NONE: "none: the keyboard does everything",
    }
    return words.get(port, f"at {port}")


class BoardStep(StartStep):
    """Which board?"""

    ASKS: ClassVar[str] = "Where is the board?"

    def on_mount(self) -> None:
        self.menu.take(self.items(), self.start.port(self.start.game.port))
        self.set_interval(LOOK_S, self.fill)

    def items(self) -> list[Item]:
        start = self.start
        found = start.search.found.port if start.search.found is not None else None
        wanted = start.wanted_port
        items = (
            []
            if wanted in (None, VIRTUAL, NONE)
            else [Item(wanted, f"at {wanted}", "as the settings say")]
        )
        items += (
            [Item(found, f"at {found}", "found", start.search.sentence)]
            if found not in (None, wanted)
            else []
        )
        look = "It is looked for all through the game, and the screen says so until it is there."
        return [
            *items,
            Item(AUTO, "look for it", "plug it in when you like", f"{start.search.sentence}\n{look}"),
            Item(VIRTUAL, "the virtual board", "the same firmware without hardware",
                 "Its buttons: companion hands, in another terminal."),
            Item(NONE, "none", "the keyboard does everything", "To add one later: companion resume --port auto"),
        ]  # fmt: skip

    def take(self, value: Any) -> None:
        self.start.game.port = value
        self.action_back()
