"""Forms for facts: likely mistakes, amend, insert, people who come and go, take back."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from companion.dashboard.item import Item
from companion.dashboard.screens.correcting.menu_form import MenuForm
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.source import TableLike
from companion.dashboard.widgets.form import (
    FLAG,
    WHO,
    WHY,
    Answer,
    Choice,
    FieldChanged,
    FieldRow,
    Form,
    Several,
    TextField,
)
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import Fact, Refused, Setup, by_kind, called
from companion.rules.form_fields import NOBODY, FormField, asked_for
from companion.rules.forms import fields_of
from companion.rules.game import Fix
from companion.rules.registry import open_game
from companion.rules.typed_facts import from_words, numbers_read
from companion.session.marshal_view import EvidenceLine, RulingLine

# With blanks, so that no field of a fact can have the same name.
KIND, PLACE, TIME = "what happened", "in the log", "by the clock"
NOW, FIRST, AFTER = "now", "first", "after"  # the values of PLACE
CHOOSE = "Choose one with the arrow keys or by its first letter."
WHICH = "which"
REASON = "reason"  # a fact with this field states why it was entered: the form does not ask again
# Of the kinds that all games have, those that the clock is stopped and started with have a key.
PEOPLE = tuple(by_kind(*(fact for fact in COMMON_FACTS if not fact.sets_clock)))
OF_PLAYERS = tuple(by_kind(*(fact for fact in COMMON_FACTS if fact.of_players)))


class FactForm(Form):
    """A form with the fields of a kind of fact."""

    def __init__(self, table: TableLike, entries: Sequence[RulingLine], title: str) -> None:
        super().__init__(table, title)
        self._game = open_game(self._view.setup.game)
        self._entries = [
            (str(line.n), without_clauses(line.text)) for line in entries if line.stands
        ]

    def fields(self, kind: str, body: Mapping[str, Any]) -> list[FieldRow]:
        """Return the fields that people fill in, with the values of `body`, then who and why."""
        asked = self.asked(kind)
        rows = self._rows([field for field in asked if not measured(field)], body)
        return [*rows, *self.who_and_why(why=REASON not in {field.name for field in asked})]

    def measures(self, kind: str, body: Mapping[str, Any]) -> list[FieldRow]:
        """Return the fields that a board would have filled in and that nobody needs to know."""
        return self._rows([field for field in self.asked(kind) if measured(field)], body)

    def asked(self, kind: str) -> tuple[FormField, ...]:
        """Return all fields of the kind."""
        return fields_of(self._game.facts[kind], self._view.setup)

    def _rows(self, asked: Iterable[FormField], body: Mapping[str, Any]) -> list[FieldRow]:
        return [self._row(field, self._answer(field, body)) for field in asked]

    def _row(self, field: FormField, answer: Answer) -> FieldRow:
        def reading() -> str:
            if not field.digits:
                return ""
            read = numbers_read(field, answer.word)
            return f"{field.label}: {read}" if read else ""

        return FieldRow(field.name, answer, asked_for(field), field.label, reading)

    def fact(self, kind: str) -> dict[str, Any]:
        """Return the body of the fact in the form; raise `Refused`."""
        asked = self.asked(kind)
        for row in self.query(FieldRow):
            if isinstance(row.answer, Choice) and not row.answer.chosen:
                row.answer.focus()
                labels = {field.name: field.label for field in asked}
                raise Refused("FORMAT", f"{labels[row.field]} is missing", do=CHOOSE)
        self._go_to_missing(asked)
        words = []
        for field in asked:
            word = self.word(field.name)
            if word or field.required:
                words.append(f"{field.name}={word}")
        return from_words(self._game, self._view.setup, shlex.join([kind, *words]))[1]

    def _go_to_missing(self, asked: Iterable[FormField]) -> None:
        """Focus the first field that has to be filled in and is empty; nothing if there is none."""
        required = {field.name for field in asked if field.required}
        for row in self.query(FieldRow):
            if row.field in required and not row.answer.word:
                row.answer.focus()
                return

    def _answer(self, field: FormField, body: Mapping[str, Any]) -> Answer:
        value = body.get(field.name, field.default)
        none = []
        if field.nullable:
            none = [(NOBODY, "-")]
        elif not field.required:
            none = [("", "-")]
        choices = [(str(value), label) for value, label in field.choices]
        match field.kind:
            case "flag":
                answers = FLAG if value is not None else [*none, *FLAG]
                return Choice(answers, as_word(value), asked=not none)
            case "seat" | "choice":
                return Choice([*none, *choices], as_word(value), asked=not none)
            case "entry" if self._entries:
                return Choice([*none, *self._entries], as_word(value) or self._entries[-1][0])
            case "seats" | "choices":
                return Several(choices, [str(item) for item in value or ()])
        # A list may get another item, and a reason another word.
        is_one = field.kind == "number" or (field.kind == "text" and field.required)
        return TextField(as_word(value), is_replaced=is_one, optional=not field.required)


class AmendForm(FactForm):
    """Replaces the body of a fact, keeping its time.

    For a `fix` it asks which of the `lines` to change, beginning with the first.
    """

    ASKS: ClassVar[str] = "Change what is wrong, then press Enter."

    def __init__(
        self,
        table: TableLike,
        lines: Sequence[RulingLine],
        entries: Sequence[RulingLine],
        fix: Fix | None = None,
    ) -> None:
        self._line = lines[0]
        self._lines: dict[str, RulingLine] = {}
        title = f"Change: {without_clauses(self._line.text)}"
        if fix is not None:
            self._lines = {str(line.n): line for line in lines}
            title = capitalized(fix.label)
        super().__init__(table, entries, title)

    def rows(self) -> Iterable[FieldRow]:
        if self._lines:
            lines = [(n, without_clauses(line.text)) for n, line in self._lines.items()]
            yield FieldRow(WHICH, Choice(lines), "the line to change; press right for earlier ones")
        yield from self._of_line()

    def _of_line(self) -> list[FieldRow]:
        kind, body = self._line.kind, self._line.body
        return [*self.fields(kind, body), *self.measures(kind, body)]

    def on_mount(self) -> None:
        """Focus what is most likely wrong: the first field of the newest line."""
        list(self.query(FieldRow))[1 if self._lines else 0].answer.focus()

    async def on_field_changed(self, event: FieldChanged) -> None:
        event.stop()
        line = self._lines.get(self.word(WHICH), self._line)
        if line.n != self._line.n:
            self._line = line
            await self.query_one("#rows").remove_children(
                [row for row in self.query(FieldRow) if row.field != WHICH]
            )
            await self.query_one("#rows").mount_all(self._of_line())

    def send(self) -> None:
        body = self.fact(self._line.kind)
        self._table.amend(self._line.n, body, why=self.word(WHY), who=self.word(WHO))


class EnterForm(FactForm):
    """Enters a fact of any of `kinds` now; changing the kind changes the fields.

    For kinds in `present`, only players who have not left can be chosen.
    """

    ASKS: ClassVar[str] = "Choose what happened, then press Enter."
    KIND_LABEL: ClassVar[str] = KIND

    def __init__(
        self,
        table: TableLike,
        kinds: Iterable[str],
        entries: Sequence[RulingLine] = (),
        title: str = "People and scores",
        present: Collection[str] = OF_PLAYERS,
    ) -> None:
        super().__init__(table, entries, title)
        setup, left = self._view.setup, self._view.left
        self._playing = replace(
            setup, seats=tuple(seat for seat in setup.seats if seat.id not in left)
        )
        self._present = present
        self._kinds: dict[str, str] = {}
        for kind in kinds:
            if kind in self._game.facts and (kind not in present or self._playing.seats):
                self._kinds[kind] = called(kind, self._game.facts[kind])
        self._kind = next(iter(self._kinds))

    def rows(self) -> Iterable[FieldRow]:
        if len(self._kinds) > 1:
            kinds = Choice(list(self._kinds.items()), self._kind)
            hint = "press left or right to choose, or a first letter"
            yield FieldRow(KIND, kinds, hint, label=self.KIND_LABEL)
        yield from self.fields(self._kind, {})
        yield from self.places()
        yield from self.measures(self._kind, {})

    def asked(self, kind: str) -> tuple[FormField, ...]:
        """Return all fields of the kind; some kinds are limited to players present."""
        if kind in self._present:
            return fields_of(self._game.facts[kind], self._playing)
        return super().asked(kind)

    def places(self) -> Iterable[FieldRow]:
        """Return the fields that say where the fact belongs."""
        return ()

    async def on_field_changed(self, event: FieldChanged) -> None:
        event.stop()
        kind = self.word(KIND)
        if kind and kind != self._kind:
            self._kind = kind
            fixed = {KIND, PLACE, TIME}
            rows = self.query_one("#rows")
            await rows.remove_children(
                [row for row in self.query(FieldRow) if row.field not in fixed]
            )
            await rows.mount_all(self.fields(kind, {}), after=0)
            await rows.mount_all(self.measures(kind, {}))

    def send(self) -> None:
        self.put(self._kind, self.fact(self._kind), self.word(WHY), self.word(WHO))

    def put(self, kind: str, body: dict[str, Any], why: str, who: str) -> None:
        self._table.enter(kind, body, why=why, who=who)


class InsertForm(EnterForm):
    """Enters a missed fact of any kind, or of those of a `fix`.

    It goes after the cursor's line, to the end, or before everything.
    """

    ASKS: ClassVar[str] = "Fill in what was missed, then press Enter."

    def __init__(
        self,
        table: TableLike,
        line: RulingLine | EvidenceLine | None,
        entries: Sequence[RulingLine],
        times: MomentWriter,
        fix: Fix | None,
    ) -> None:
        setup = table.view().setup
        facts = open_game(setup.game).facts
        title, offered, about = "Add a missed one", tuple(facts), list(entries)
        if fix is not None:
            title, offered = capitalized(fix.label), tuple(fix.kinds)
            if fix.about:
                about = [entry for entry in entries if entry.kind in fix.about]
        kinds = [kind for kind in offered if kind in facts and not facts[kind].secret]
        if fix is not None and fix.about and not about and len(kinds) > 1:
            # Without an entry to name, only kinds that name none can be entered.
            kinds = [kind for kind in kinds if not _names_entry(facts[kind], setup)]
        # Nobody is excluded: people who have left since may have played then.
        super().__init__(table, kinds, about, title, present=())
        self._line = line
        self._times = times

    def places(self) -> Iterable[FieldRow]:
        line = self._line
        after = [] if line is None else [(AFTER, f"after {without_clauses(line.text)}")]
        places = [*after, (NOW, "now, at the end"), (FIRST, "at the start")]
        yield FieldRow(PLACE, Choice(places), "where it belongs: press left or right")
        if line is not None and line.at is not None:
            shown = self._times.text(line.at)
            hint = f"seconds, if known; the line before it was at {shown}"
            yield FieldRow(TIME, TextField(), hint, label="time")

    def fact(self, kind: str) -> dict[str, Any]:
        word, line = self.word(TIME), self._line
        if not word or line is None or line.at is None:
            return super().fact(kind)
        try:
            at = self._times.moment(word, line.at)
        except ValueError as problem:
            raise Refused(
                "FORMAT", str(problem), f"seconds such as {self._times.text(line.at)}"
            ) from problem
        return super().fact(kind) | {"at": at.model_dump(mode="json")}

    def put(self, kind: str, body: dict[str, Any], why: str, who: str) -> None:
        place, line = self.word(PLACE), self._line
        if place == NOW:
            self._table.enter(kind, body, why=why, who=who)
        else:
            after = line.n if place == AFTER and line is not None else 0
            self._table.insert(kind, body, after=after, why=why, who=who)


class TakeBackForm(Form):
    """Takes a fact back or restores it; Enter at once needs no reason.

    `again` is for a shuffle of face-down cards, which nobody may see: another shuffle replaces it.
    """

    def __init__(self, table: TableLike, line: RulingLine, *, again: bool = False) -> None:
        if again:
            does, asks = "Shuffle again", "Press Enter to delete this shuffle and shuffle again."
        elif line.stands:
            does, asks = "Delete", "Press Enter to delete this line. You can restore it."
        else:
            does, asks = "Restore", "Press Enter to count this line again."
        super().__init__(table, f"{does}: {without_clauses(line.text)}", asks)
        self._n = line.n

    def rows(self) -> Iterable[FieldRow]:
        return self.who_and_why()

    def send(self) -> None:
        self._table.take_back(self._n, self.word(WHY), self.word(WHO))


def _names_entry(fact: type[Fact], setup: Setup) -> bool:
    return any(field.kind == "entry" for field in fields_of(fact, setup))


def measured(field: FormField) -> bool:
    """Return whether a field is a number that may stay unknown."""
    return field.kind == "number" and field.nullable


def as_word(value: Any) -> str:
    """Return a JSON value as it would be typed into a field."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ",".join(map(as_word, value))
        case str():
            return value
    return json.dumps(value, ensure_ascii=False)


MORE = "something else"


class FixMenu(MenuForm):
    """The game's likely mistakes, then everything else that can be entered."""

    TITLE: ClassVar[str] = "What was missed, or is wrong?"
    ASKS: ClassVar[str] = "Press its number."

    def __init__(
        self, table: TableLike, fixes: Sequence[Fix], chosen: Callable[[Fix | None], None]
    ) -> None:
        """`chosen` is called with the mistake, or with None for another one."""
        super().__init__(table)
        self._fixes = fixes
        self._chosen = chosen

    def items(self) -> list[Item]:
        items = []
        for fix in self._fixes:
            does = "change it" if fix.amends else "add it"
            items.append(Item(fix, capitalized(fix.label), does))
        return [*items, Item(None, capitalized(MORE), "choose from everything")]

    def choose(self, value: Fix | None) -> None:
        self.dismiss()
        self._chosen(value)
