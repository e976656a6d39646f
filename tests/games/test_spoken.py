"""A game's answers to random play and random wrong input: plain sentences without clauses."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from companion.rules.actions import with_keys
from companion.rules.clauses import without_clauses
from companion.rules.facts import Fact, Refused
from companion.rules.game import Game
from companion.rules.registry import GAMES
from companion.rules.typed_facts import from_words
from tests.games.test_prompts import CODE, END, NAMES, moments

MOST_WORDS = 30
NOT_SAID = re.compile(
    r"table's word|put out|\bentry\b|promote|facts open|stamp|\bcalm\b|taken back first|secret to you|none the worse"
    r"|expected|\bNone\b|\b[a-z]+_[a-z]+\b|\w=\w|<|\\x"
)
"""Words for developers, and words nobody would say."""
STIFF = re.compile(
    r"\b(\d+) to \1\b"  # a range of one
    r"|(?:Choose|It takes) (?:\d+(?: to |\.)|[^.,]* at most)"  # what nobody says of a number
    r"|zone-\d+ to|one of one|takes with"
)
JUNK = ("", "x", "-1", "99", "ada", "red", '"')


def refusals(
    game: Game[Any], state: Any, rng: random.Random, others: list[Fact]
) -> Iterator[Refused]:
    """Yield the answers to every key, to facts of other moments, and to lines of junk."""
    setup = game.common(state).setup
    attempts = [
        *(partial(press, game, state, action.id) for action in game.actions(setup)),
        *(
            partial(game.apply, state, fact, 99_999)
            for fact in rng.sample(others, min(6, len(others)))
        ),
        *(partial(junk, game, setup, state, line) for line in lines(game, rng)),
    ]
    for attempt in attempts:
        try:
            attempt()
        except Refused as refused:
            yield refused


def press(game: Game[Any], state: Any, action_id: str) -> None:
    meaning = game.pressed(state, action_id)
    if not hasattr(meaning, "entries"):
        game.apply(state, meaning, 99_999)


def junk(game: Game[Any], setup: Any, state: Any, line: str) -> None:
    kind, body = from_words(game, setup, line)
    game.apply(state, game.parse(kind, body, setup), 99_999)


def lines(game: Game[Any], rng: random.Random) -> Iterator[str]:
    for kind in rng.sample(sorted(game.facts), 3):
        yield " ".join((kind, *rng.choices(JUNK, k=rng.randrange(4))))


def ids(setup: Any) -> Iterator[str]:
    """Yield the record's ids of people, which nobody else uses."""
    yield from (seat.id for seat in setup.seats if seat.id != seat.name)
    yield from ("@black", "@orange")


def faults(text: str) -> Iterator[str]:
    if found := STIFF.search(text):
        yield f"nobody says {found[0]!r}"
    if CODE.search(text):
        yield "it names a clause"
    if len(END.findall(text)) > 2 or text[-1] not in ".?":
        yield "it is not one sentence or two"
    if len(text.split()) > MOST_WORDS:
        yield "it is too long"
    if text[0].islower() or ".." in text or ". ." in text:
        yield "it is not written as sentences"


WRONG: tuple[Any, ...] = ({}, [], 1.5, None, [{}])
EMPTY_LIST = re.compile(r": *(?:$|[.;,]| or none)|\b(?:of|or|Choose|takes) *[.;]")


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_no_refusal_of_a_value_of_the_wrong_form_has_an_empty_list(
    game_id: str, asked: bool
) -> None:
    game, state = next(iter(moments(game_id, most=1)))
    setup = game.common(state).setup
    named = 0
    for kind, fact in game.facts.items():
        for name in fact.model_fields.keys() - {"kind", "at"}:
            for value in WRONG:
                try:
                    game.parse(kind, {name: value}, setup if asked else None)
                except Refused as refused:
                    said = refused.spoken(NAMES)
                    assert not EMPTY_LIST.search(said), (kind, name, value, said)
                    named += setup.seats[0].name in said
    assert (named > 0) is asked


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_refusal_says_in_two_plain_sentences_what_is_true_and_what_to_do(game_id: str) -> None:
    wrong: dict[str, str] = {}
    seen: list[Fact] = []
    for place, (game, state) in enumerate(moments(game_id, most=40)):
        rng = random.Random(place)
        legal = game.legal(state)
        seen.extend(rng.sample(legal, min(2, len(legal))))
        for refused in refusals(game, state, rng, seen):
            said = with_keys(refused.spoken(NAMES))
            for fault in faults(said):
                wrong.setdefault(f"{fault} ({refused.reason})", said)
            for named in ids(game.common(state).setup):
                if named in said:
                    wrong.setdefault(f"it names {named} by the id ({refused.reason})", said)
            # that names what can be typed
            if refused.clause != "FORMAT" and (found := NOT_SAID.search(said)):
                wrong.setdefault(f"nobody says {found[0]!r} ({refused.reason})", said)
    assert not wrong, "\n".join(f"{what}: {text}" for what, text in sorted(wrong.items()))


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_what_was_done_is_told_without_clauses(game_id: str) -> None:
    for game, state in moments(game_id, most=25):
        for fact in game.legal(state)[:20]:
            text = without_clauses(game.describe(state, fact))
            assert not CODE.search(text), text


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_who_writes_a_record_is_told_of_no_key(game_id: str) -> None:
    stood, told = [*moments(game_id, most=15)], set()
    facts = [fact for game, state in stood for fact in game.legal(state)]
    rng = random.Random(15)
    for game, state in stood:
        for fact in rng.sample(facts, min(15, len(facts))):
            try:
                game.advance(state, fact, 99_999)
            except Refused as refused:
                told.add(str(refused))
    assert told
    assert not [text for text in told if with_keys(text) != text]
