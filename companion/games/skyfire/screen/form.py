"""Forms for visible cards (those turned up, the target, backs, hands laid open) and for placing a card with its
back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from companion.dashboard.source import TableLike, refused
from companion.dashboard.widgets.form import FieldChanged, FieldRow, Form, TextField, row_of
from companion.games.skyfire.rules.deck import Deck, clean, no_such_target
from companion.games.skyfire.rules.facts import LEFT_OVER
from companion.games.skyfire.rules.note_form import (
    Shorthand,
    backs_of,
    faces_of,
    how_typed,
    parts,
    shorthand,
)
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.games.skyfire.rules.seen import NOBODY_LOOKED, refuse_other_stack
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.words import EXAMPLE
from companion.rules.columns import plural
from companion.rules.facts import Refused, Setup
from companion.rules.house_rules import read_options

_VOUCHED = ("revealed", "hand_shown", "backs")
"""Kinds of facts that accept a reason and then contradict anything (SF-T5)."""
_RANKS = {"target": 0, "removed": 0, "backs": 1, "hand_shown": 2, "revealed": 3}
"""The order in which lines are entered: what may end the round comes last."""


@dataclass(frozen=True, slots=True)
class InSight:
    """A line of the form and the fact it makes.

    The fact has `kind`, the `fixed` part of its body, and the typed words under `name`. `now` are the words
    entered before; `takes` is the number of cards, None for any number. With a `deck`, only its targets can be meant.
    """

    id: str
    label: str
    kind: str
    name: str
    can_mean: Shorthand
    now: tuple[str, ...] = ()
    takes: int | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)
    how: str = "commas between"
    deck: Deck | None = None

    def read(self, typed: str) -> list[str]:
        """Return the words meant; raise `Refused` if that is ambiguous, or no target of this box."""
        if self.deck is not None and typed.strip():
            return [self._target(self.deck, typed)]
        if self.kind != "backs":
            return self.can_mean.words(typed)
        return [
            part if part == NOBODY_LOOKED else self.can_mean.word(part) for part in parts(typed)
        ]

    def _target(self, deck: Deck, typed: str) -> str:
        """Return the name of the target that is typed, or begun so that no other begins alike."""
        if (card := deck.read_target(typed)) is not None:
            refuse_other_stack(deck, card.name, final=False)
            return card.name
        if any(name.startswith(clean(typed)) for name in map(clean, self.can_mean.names)):
            return self.can_mean.word(typed)
        stack = [card for card in deck.targets if card.name in self.can_mean.names]
        raise no_such_target(typed, deck, stack)

    def body(self, words: Sequence[str], reason: str) -> dict[str, Any]:
        """Return the body of the fact, with the `reason` if its kind takes one; a target is one word, not a list."""
        body = dict(self.fixed)
        body[self.name] = ",".join(words) if self.kind == "target" else list(words)
        if reason and self.kind in _VOUCHED:
            body["reason"] = reason
        return body

    def hint(self) -> str:
        """Return what the line takes."""
        if self.kind == "target":
            if self.can_mean.letters:
                return "the letters of its colors, in any order"
            if self.can_mean.names:
                return f"one of {', '.join(self.can_mean.names)}, or its symbols"
            return "its symbols"
        if self.kind == "backs":
            held = plural(self.takes or 0, "card")
            return f"backs of {held}, the first placed first, {NOBODY_LOOKED} where nobody looked"
        if self.takes is None:
            return self.how
        return f"{plural(self.takes, 'card')}, {self.how}"

    def reading(self, typed: str) -> str:
        """Return the line as read so far: `2 of 3: Comet, red+blue`."""
        try:
            words = self.read(typed)
        except Refused as refusal:
            return refusal.spoken()
        if not words:
            return self.hint()
        count = f"{len(words)} of {self.takes}" if self.takes is not None else f"{len(words)}"
        return f"{count}: {', '.join(words)}"


def in_sight(game: SkyFireView, setup: Setup) -> tuple[InSight, ...]:
    """Return the lines that can be entered now, the one asked for first; none before the first deal."""
    if game.phase == "ready":
        return ()
    faces = faces_of(game)
    lines = [*_turned(game, faces)]
    if game.phase in ("open", "question"):
        lines += [*_targets(game, setup, faces), *_hands(game, setup, faces), *_backs(game)]
    return tuple(lines)


def _turned(game: SkyFireView, faces: Shorthand) -> Iterator[InSight]:
    turned = [zone for zone in game.zones if zone.turned]
    for zone in sorted(turned, key=lambda zone: not zone.asked):
        yield InSight(
            id=f"zone-{zone.number}",
            label=f"zone {zone.number}, {plural(zone.turned, 'card')}",
            kind="revealed",
            name="cards",
            can_mean=faces,
            now=tuple(face.word for face in zone.faces),
            takes=zone.turned,
            fixed={"zone": zone.number},
            how=how_typed(game.deck),
        )


def _targets(game: SkyFireView, setup: Setup, faces: Shorthand) -> Iterator[InSight]:
    deck, target = game.deck, game.target
    stack = (deck.finale,) if target.finale and deck.finale is not None else deck.targets
    of_stack = shorthand(stack, (), deck.out_targets)
    # A target may show a symbol of a fireworks card that no known target shows.
    symbols = replace(of_stack, symbols=tuple(sorted({*of_stack.symbols, *faces.symbols})))
    now: tuple[str, ...] = ()
    if target.text != "unknown":
        now = (target.name or "+".join(target.symbols or ()),)
    names = tuple(name for name in symbols.names if target.finale or name in target.stack)
    if deck.targets_known and not target.finale:
        only = replace(of_stack, names=names, symbols=())
        yield InSight("target", "target", "target", "card", only, now, 1, deck=deck)
    else:
        yield InSight("target", "target", "target", "card", replace(symbols, names=names), now, 1)
    if read_options(setup.options, HOUSE_RULES)["removed_targets"] == "chosen_open":
        yield InSight("removed", "targets taken out", "removed", "cards", symbols)


def _hands(game: SkyFireView, setup: Setup, faces: Shorthand) -> Iterator[InSight]:
    if read_options(setup.options, HOUSE_RULES)["eliminated_hand"] == "kept_hidden":
        return
    for seat in game.seats:
        if seat.status == "eliminated":
            yield InSight(
                id=f"hand-{seat.id}",
                label=f"hand of {seat.name}",
                kind="hand_shown",
                name="cards",
                can_mean=faces,
                takes=seat.hand,
                fixed={"seat": seat.id},
                how=how_typed(game.deck),
            )


def _backs(game: SkyFireView) -> Iterator[InSight]:
    can_mean = backs_of(game)
    for zone in game.zones:
        if zone.cards:
            yield _back_line(
                zone.number, f"backs of zone {zone.number}", [c.back for c in zone.cards], can_mean
            )
    if game.left_over:
        backs = game.left_over_backs or (None,) * game.left_over
        yield _back_line(LEFT_OVER, "backs left over", backs, can_mean)


def _back_line(zone: int, label: str, backs: Sequence[str | None], can_mean: Shorthand) -> InSight:
    now = tuple(back or NOBODY_LOOKED for back in backs) if any(backs) else ()
    return InSight(
        f"backs-{zone}", label, "backs", "backs", can_mean, now, len(backs), {"zone": zone}
    )


WORD = "word"


class CardsForm(Form):
    """One line for each thing that can be entered now. Only changed lines are sent."""

    TITLE: ClassVar[str] = "Enter cards"
    ASKS: ClassVar[str] = "Type cards with commas between. Short forms work."
    ASKS_TARGET: ClassVar[str] = "Type the colors of the target on top."
    KEYS: ClassVar[str] = "Enter save   Esc cancel   Tab next line"

    def __init__(self, table: TableLike) -> None:
        game, setup = table.view().game, table.view().setup
        self._lines = in_sight(game, setup)
        is_asked = bool(self._lines) and self._lines[0].kind == "target" and not self._lines[0].now
        super().__init__(
            table,
            f"{EXAMPLE}: {self.TITLE}" if game.example else self.TITLE,
            self.ASKS_TARGET if is_asked and game.deck.targets_known else None,
        )

    def rows(self) -> Iterable[FieldRow]:
        for line in self._lines:
            yield FieldRow(line.id, TextField(", ".join(line.now)), line.hint(), line.label)
        if self._lines:
            yield FieldRow(
                WORD,
                TextField(),
                "only for what cannot be and lies there all the same: why",
                "reason",
            )

    async def on_field_changed(self, event: FieldChanged) -> None:
        """Show the line as read so far."""
        event.stop()
        row = row_of(self.focused)
        if row is None:
            return
        for line in self._lines:
            if line.id == row.field:
                row.hint = line.reading(row.answer.word)
                self.tell(row.hint)

    def send(self) -> str | None:
        read = [(line, line.read(self.word(line.id))) for line in self._lines]
        why = self.word(WORD).strip()
        changed = [(line, words) for line, words in read if words != list(line.now)]
        for line, words in sorted(changed, key=lambda pair: _RANKS[pair[0].kind]):
            refusal = refused(
                self._table, partial(self._table.enter, line.kind, line.body(words, why))
            )
            if refusal is not None:
                return refusal
            entered = replace(line, now=tuple(words))
            # Lines sent before a refusal count as entered, so sending again does not repeat them.
            self._lines = tuple(entered if other is line else other for other in self._lines)
        return None

    def refuse(self, sentence: str) -> None:
        """Show the refusal once: while typing, the hint line already shows it."""
        self.tell("")
        super().refuse(sentence)


PLACED = "placed"


class PlaceForm(Form):
    """One line: the zone of a placed card, then its back; `2rb` is a red and blue back in zone 2."""

    TITLE: ClassVar[str] = "Place a card"
    ASKS: ClassVar[str] = "Type the zone, then the card's back."
    KEYS: ClassVar[str] = "Enter place   Esc cancel"

    def __init__(self, table: TableLike) -> None:
        super().__init__(table, self.TITLE)
        self._can_mean = backs_of(self._view.game)

    def rows(self) -> Iterable[FieldRow]:
        zones = len(self._view.game.zones)
        hint = f"a zone from 1 to {zones}, then the back"
        if self._can_mean.letters:
            letters, back = self._can_mean.letters[0]
            hint += f"; {zones}{letters} is the back {back} in zone {zones}"
        yield FieldRow(PLACED, TextField(), hint, "zone and back")

    def send(self) -> str | None:
        typed = self.word(PLACED).strip()
        zone, back = typed[:1], typed[1:].strip()
        if not (zone.isascii() and zone.isdecimal()):
            return "begin with the number of the zone"
        zones = len(self._view.game.zones)
        if not 1 <= int(zone) <= zones:
            return f"choose a zone from 1 to {zones}"
        body: dict[str, Any] = {"zone": int(zone)}
        if back:
            body["back"] = self._can_mean.word(back)
        return refused(self._table, partial(self._table.enter, "place", body))
