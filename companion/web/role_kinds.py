"""The kinds of facts that people enter by a form, for the script that asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.reports.tones import tone
from companion.rules.columns import capitalized, json_text
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import Setup, asked_as, by_kind, called
from companion.rules.form_fields import NOBODY, FormField, asked_for
from companion.rules.forms import fields_of
from companion.rules.game import Game

OF_EVERY_GAME = frozenset(by_kind(*COMMON_FACTS))
"""The kinds that all games have: people who come and go, scores set by hand, pauses."""


@dataclass(frozen=True, slots=True)
class KindForm:
    """A kind of fact that people can enter: what it is called, what its form asks, and what a button calls that."""

    kind: str
    title: str
    fields: tuple[FormField, ...]
    of_every_game: bool = False
    asks: str = ""

    @property
    def wanted(self) -> str:
        """What somebody does who enters it, for a button and a heading."""
        return self.asks or self.title


def forms_of(game: Game[Any], setup: Setup) -> tuple[KindForm, ...]:
    """Return the kinds that people can enter: the game's own first, without what only one seat may know."""
    forms = []
    for kind, fact in game.facts.items():
        if fact.secret or kind in ("pause", "unpause"):
            continue
        is_common = kind in OF_EVERY_GAME
        fields, asks = fields_of(fact, setup), asked_as(kind, fact)
        form = KindForm(kind, called(kind, fact), fields, is_common, asks)
        forms.append(form)
    return tuple(sorted(forms, key=lambda form: form.of_every_game))


def form_data(setup: Setup, forms: Sequence[KindForm]) -> str:
    """Return the seats and the fields of all kinds as JSON: as elements they would be most of a page."""
    seats = [[seat.id, seat.name, seat.glyph, tone(seat.color)] for seat in setup.seats]
    return json_text({"seats": seats, "forms": {form.kind: _form(form) for form in forms}})


def _form(form: KindForm) -> dict[str, object]:
    fields = [_field(field) for field in form.fields]
    return {
        "title": capitalized(form.title),
        "people": form.of_every_game,
        "fields": fields,
    }


def _field(field: FormField) -> dict[str, object]:
    """Return a field as the script takes it; what is missing there is empty."""
    described: dict[str, object] = {
        "name": field.name,
        "label": capitalized(field.label),
        "kind": field.kind,
    }
    if field.kind in ("choice", "choices"):
        described["choices"] = [[str(value), label] for value, label in field.choices]
    if field.required:
        described["required"] = True
    if field.nullable:
        described["none"] = NOBODY
    if field.least is not None and abs(field.least) < 2**31:
        described["least"] = field.least
    if field.most is not None and abs(field.most) < 2**31:
        described["most"] = field.most
    if field.kind in ("numbers", "texts", "json"):
        described["takes"] = capitalized(asked_for(field))
    return described
