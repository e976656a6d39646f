"""Forms for facts: the likely mistakes, amend one, insert a missed one, people who come and go, and taking one back."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

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
from companion.dashboard.widgets.menu import Item
from companion.rules.columns import capitalized
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import Refused, by_kind, called
from companion.rules.form_fields import NOBODY, FormField, asked_for
from companion.rules.forms import fields_of
from companion.rules.game import Fix
from companion.rules.registry import open_game
from companion.rules.typed_facts import from_words, numbers_read
from companion.session.marshal_view import EvidenceLine, RulingLine

# with blanks, as no field of a fact is called
KIND, PLACE, TIME = "what happened", "in the log", "by the clock"
NOW, FIRST, BEHIND = "now", "first", "behind"
CHOOSE = "Choose one with the arrow keys or by its first letter."
WHICH = "which"
REASON = "reason"  # a fact that has a field of this name says itself why it was entered: the form does not ask again
# Of the kinds that all games have, those that the clock is stopped and started with have a key.
PEOPLE = tuple(by_kind(*(fact for fact in COMMON_FACTS if not fact.sets_clock)))
OF_PLAYERS = tuple(by_kind(*(fact for fact in COMMON_FACTS if fact.of_players)))


class FactForm(Form):
    """A form with the fields of a kind of fact."""

    def __init__(self, table: TableLike, entries: Sequence[RulingLine], title: str) -> None:
        super().__init__(table, title)
        self._game = open_game(self._view.setup.game)
        self._entries = [(str(line.n), f"{line.n} {line.text}") for line in entries if line.stands]

    def fields(self, kind: str, body: Mapping[str, Any]) -> list[FieldRow]:
        """Return what the kind asks of people, with the answers of `body`, and those that say who and why."""
        asked = self.asked(kind)
        rows = self._rows([one for one in asked if not measured(one)], body)
        return [*rows, *self.who_and_why(why=REASON not in {field.name for field in asked})]

    def measures(self, kind: str, body: Mapping[str, Any]) -> list[FieldRow]:
        """Return the fields that a board would have filled in: nobody at the table need know them."""
        return self._rows([one for one in self.asked(kind) if measured(one)], body)

    def asked(self, kind: str) -> tuple[FormField, ...]:
        """Return all that the kind asks."""
        return fields_of(self._game.facts[kind], self._view.setup)

    def _rows(self, asked: Iterable[FormField], body: Mapping[str, Any]) -> list[FieldRow]:
        return [self._row(one, self._answer(one, body)) for one in asked]

    def _row(self, field: FormField, answer: Answer) -> FieldRow:
        def reading() -> str:
            read = numbers_read(field, answer.word) if field.digits else ""
            return f"{field.label}: {read}" if read else ""

        return FieldRow(field.name, answer, asked_for(field), field.label, reading)

    def fact(self, kind: str) -> dict[str, Any]:
        """Return the body of the fact that the form says; raise `Refused`."""
        asked = self.asked(kind)
        for row in self.query(FieldRow):
            if isinstance(row.answer, Choice) and not row.answer.chosen:
                row.answer.focus()  # the keys that choose belong to it now
                field = next(each for each in asked if each.name == row.field)
                raise Refused("FORMAT", f"{field.label} is missing", do=CHOOSE)
        said = [(field, self.word(field.name)) for field in asked]
        words = [f"{field.name}={word}" for field, word in said if word or field.required]
        return from_words(self._game, self._view.setup, shlex.join([kind, *words]))[1]

    def _answer(self, field: FormField, body: Mapping[str, Any]) -> Answer:
        given = body.get(field.name, field.default)
        none = [(NOBODY, "-")] if field.nullable else [] if field.required else [("", "-")]
        choices = [(str(value), label) for value, label in field.choices]
        match field.kind:
            case "flag":
                return Choice(
                    [*none, *FLAG] if given is None else FLAG, as_word(given), asked=not none
                )
            case "seat" | "choice":
                return Choice([*none, *choices], as_word(given), asked=not none)
            case "entry" if self._entries:
                return Choice([*none, *self._entries], as_word(given) or self._entries[-1][0])
            case "seats" | "choices":
                return Several(choices, [str(each) for each in given or ()])
        return TextField(as_word(given), number=field.kind == "number")


class AmendForm(FactForm):
    """Another body for a fact, in its place; its time stays. For a `fix` it asks for which of the `lines`, the first of
    them first."""

    def __init__(
        self,
        table: TableLike,
        lines: Sequence[RulingLine],
        entries: Sequence[RulingLine],
        fix: Fix | None = None,
    ) -> None:
        self._line = lines[0]
        title = (
            f"Amend {self._line.n}: {self._line.text}" if fix is None else capitalized(fix.label)
        )
        super().__init__(table, entries, title)
        self._lines = {} if fix is None else {str(line.n): line for line in lines}

    def rows(self) -> Iterable[FieldRow]:
        if self._lines:
            lines = [(n, f"{n} {line.text}") for n, line in self._lines.items()]
            yield FieldRow(WHICH, Choice(lines), "which line of the log; right goes back in time")
        yield from self._of_line()

    def _of_line(self) -> list[FieldRow]:
        kind, body = self._line.kind, self._line.body
        return [*self.fields(kind, body), *self.measures(kind, body)]

    def on_mount(self) -> None:
        """Begin at what is most likely wrong: of several lines it is the newest, and its first field."""
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
    """A fact of any of `kinds`, now; changing the kind changes the fields. Those that are `present` are of nobody who
    has left."""

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
        offered = (
            kind
            for kind in kinds
            if kind in self._game.facts and (kind not in present or self._playing.seats)
        )
        self._kinds = {kind: called(kind, self._game.facts[kind]) for kind in offered}
        self._kind = next(iter(self._kinds))

    def rows(self) -> Iterable[FieldRow]:
        if len(self._kinds) > 1:
            kinds = Choice(list(self._kinds.items()), self._kind)
            yield FieldRow(KIND, kinds, "what happened: arrows, or a first letter", label="what")
        yield from self.fields(self._kind, {})
        yield from self.places()
        yield from self.measures(self._kind, {})

    def asked(self, kind: str) -> tuple[FormField, ...]:
        """Return all that the kind asks, of who plays now where nobody else can do it."""
        return (
            fields_of(self._game.facts[kind], self._playing)
            if kind in self._present
            else super().asked(kind)
        )

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
    """A missed fact of any kind, or of those of a `fix`: behind the cursor's line, now, or before everything."""

    def __init__(
        self,
        table: TableLike,
        behind: RulingLine | EvidenceLine | None,
        entries: Sequence[RulingLine],
        times: MomentWriter,
        fix: Fix | None,
    ) -> None:
        setup = table.view().setup
        facts = open_game(setup.game).facts
        about = [line for line in entries if fix is None or not fix.about or line.kind in fix.about]
        kinds = [
            kind
            for kind in (fix.kinds if fix else facts)
            if kind in facts and not facts[kind].secret
        ]
        if fix is not None and fix.about and not about and len(kinds) > 1:
            kinds = [
                kind
                for kind in kinds
                if all(one.kind != "entry" for one in fields_of(facts[kind], setup))
            ]
        title = capitalized(fix.label) if fix else "What was missed?"
        # who has left since may have played then
        super().__init__(table, kinds, about, title, present=())
        self._behind = behind
        self._times = times

    def places(self) -> Iterable[FieldRow]:
        line = self._behind
        behind = [] if line is None else [(BEHIND, f"behind {line.shown} {line.text}")]
        places = [*behind, (NOW, "now, at the end"), (FIRST, "before everything")]
        yield FieldRow(PLACE, Choice(places), "where it belongs")
        if line is not None and line.at is not None:
            shown = self._times.text(line.at)
            hint = f"when, in seconds as they stand there: {shown} is that of {line.shown}; empty: not known"
            yield FieldRow(TIME, TextField(), hint, label="time")

    def fact(self, kind: str) -> dict[str, Any]:
        word, line = self.word(TIME), self._behind
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
        place, line = self.word(PLACE), self._behind
        if place == NOW:
            self._table.enter(kind, body, why=why, who=who)
        else:
            after = line.n if place == BEHIND and line is not None else 0
            self._table.insert(kind, body, after=after, why=why, who=who)


class TakeBackForm(Form):
    """Take a fact back, or bring it back, saying why; Enter at once needs no reason. `again`: cards that lie face down,
    which nobody may look at, and another shuffle takes the place of this one."""

    def __init__(self, table: TableLike, line: RulingLine, *, again: bool = False) -> None:
        said = f"{'Take' if line.stands else 'Bring'} back {line.shown}: {line.text}"
        shuffle = (
            f"Shuffle again? Takes back {line.shown}: {line.text}. The next step shuffles anew."
        )
        super().__init__(table, shuffle if again else said)
        self._n = line.n

    def rows(self) -> Iterable[FieldRow]:
        return self.who_and_why()

    def send(self) -> None:
        self._table.take_back(self._n, self.word(WHY), self.word(WHO))


def measured(field: FormField) -> bool:
    """Whether a field takes a number that may stay unknown."""
    return field.kind == "number" and field.nullable


def as_word(value: Any) -> str:
    """Return a JSON value as one would type it into a field."""
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
    """The game's likely mistakes, and behind them everything that can be entered; a number chooses."""

    TITLE: ClassVar[str] = "What went wrong?"

    def __init__(
        self, table: TableLike, fixes: Sequence[Fix], chosen: Callable[[Fix | None], None]
    ) -> None:
        """Tell `chosen` which mistake it was; None: another one."""
        super().__init__(table)
        self._fixes = fixes
        self._chosen = chosen

    def items(self) -> list[Item]:
        does = {True: "change it in the log", False: "enter it"}
        items = [Item(fix, capitalized(fix.label), does[fix.amends]) for fix in self._fixes]
        return [*items, Item(None, capitalized(MORE), "all that can be entered")]

    def choose(self, value: Fix | None) -> None:
        self.dismiss()
        self._chosen(value)
