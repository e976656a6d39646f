"""What holds for every game that is installed, and for the sample game, by random play.

A row in `hints.py` says more of a game than its rules do.
"""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.journal.entries import Draft, Entry, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.journal.timeline import Timeline
from companion.reports.importing import fold_transcript
from companion.rules.actions import by_key
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import TABLE, Fact, Refused, SeatId, body_of
from companion.rules.forms import fields_of
from companion.rules.game import Game, Retraction
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.registry import GAMES, open_game
from companion.rules.typed_facts import from_words
from tests.games.gestures import Ignored, meant
from tests.games.hints import EVERY, HINTS, hints_of, may_hide, setup_of
from tests.games.random_play import steps
from tests.games.transcripts import format_transcript
from tests.games.words import to_words
from tests.thorough import examples

WALL = "2026-01-31T20:00:00.000+00:00"
# What a line of a transcript or an export says of an entry beside the fields of its fact.
OF_THE_ENTRY = {
    "n",
    "after",
    "joined",
    "actor",
    "causes",
    "key",
    "t_us",
    "wall",
    "layer",
    "body",
    "kind",
    "who",
}
# Keys that the table and the dashboard have for themselves, whatever is played.
TAKEN = {
    "u", "y", "z", "question_mark", "l", "v", "b", "x", "c", "j", "ctrl+p", "ctrl+t", "escape", "ctrl+q", "ctrl+c",
    "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "tab", "shift+tab",
}  # fmt: skip

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
every_game = pytest.mark.parametrize("game_id", EVERY)
seeds = st.integers(0, 2**32)
counts = st.integers(1, 5)
some = settings(max_examples=examples(2, 30))


def played(
    game_id: str, count: int, seed: int, most: int = 200
) -> list[tuple[Any, Fact, int, Any]]:
    """Return random play: state before, fact, entry, state after.

    States never change, and each test begins with the same simplest game.
    """
    moves, more = _begun(game_id, count, seed)
    moves += islice(more, max(0, most - len(moves)))
    return moves[:most]


@lru_cache(64)
def _begun(game_id: str, count: int, seed: int) -> tuple[list[Any], Iterator[Any]]:
    return [], steps(open_game(game_id), setup_of(game_id, count), random.Random(seed))


def viewers(game: Game[Any], state: Any) -> list[SeatId]:
    return [TABLE, *(seat.id for seat in game.common(state).setup.seats)]


def test_every_game_of_ours_has_its_hints() -> None:
    assert set(HINTS) == {
        info.id
        for info in GAMES.values()
        if info.package.startswith("companion.games.") and not info.carried
    }


@every_game
@settings(max_examples=examples(2, 20))
@given(count=counts, seed=seeds)
def test_random_play_is_legal_says_what_it_does_keeps_its_bounds_and_ends(
    game_id: str, count: int, seed: int
) -> None:
    game, hints, setup = open_game(game_id), hints_of(game_id), setup_of(game_id, count)
    after = game.start(setup)
    for before, fact, _, after in steps(game, setup, random.Random(seed)):
        assert game.parse(fact.kind, json.loads(json.dumps(body_of(fact)))) == fact
        assert game.describe(before, fact)
        assert game.awaiting(after)
        scores = game.standings(after)
        assert list(scores) == [seat.id for seat in setup.seats]
        assert all(
            math.isfinite(score) and hints.least <= score <= hints.most for score in scores.values()
        )
    assert game.over(after)
    json.dumps(game.report(after))
    assert game.summary(after)


@every_game
@some
@given(count=counts, seed=seeds)
def test_apply_never_changes_the_state_it_was_given(game_id: str, count: int, seed: int) -> None:
    game = open_game(game_id)
    for before, fact, entry, _ in played(game_id, count, seed, 150)[::3]:
        copy = deepcopy(before)
        game.apply(before, fact, entry)
        for viewer in viewers(game, before):
            game.view(before, viewer)
        assert before == copy


def entry_of(n: int, fact: Fact) -> Entry:
    return seal(Draft(Layer.FACT, fact.kind, body_of(fact)), n, WALL, FIRST_DIGEST, bytes(16))[0]


@every_game
@some
@given(count=counts, seed=seeds)
def test_undo_goes_back_to_the_start_and_redo_to_the_end_by_way_of_each_state(
    game_id: str, count: int, seed: int
) -> None:
    game = open_game(game_id)
    start = game.start(setup_of(game_id, count))
    moves = played(game_id, count, seed, 120)
    timeline: Timeline[Any] = Timeline(
        start,
        lambda state, entry: game.apply(state, game.parse(entry.kind, entry.body), entry.n),
        Refused,
    )
    for _, fact, n, after in moves:
        timeline.add(entry_of(n, fact))
        assert timeline.state == after
    n = moves[-1][2]
    for back, expected in (
        (True, [before for before, _, _, _ in reversed(moves)]),
        (False, [m[3] for m in moves]),
    ):
        for state in expected:
            drafts = timeline.steps.undo_drafts() if back else timeline.steps.redo_drafts()
            timeline.extend(
                [
                    seal(draft, n + i, WALL, FIRST_DIGEST, bytes(16))[0]
                    for i, draft in enumerate(drafts, start=1)
                ]
            )
            n += len(drafts)
            assert timeline.state == state
    assert not timeline.problems


@every_game
@some
@given(count=counts, seed=seeds)
def test_a_transcript_of_random_play_reads_back_and_folds_with_its_voids(
    game_id: str, count: int, seed: int
) -> None:
    setup, moves = setup_of(game_id, count), played(game_id, count, seed)
    facts, cut = [fact for _, fact, _, _ in moves], random.Random(seed).randrange(len(moves))
    again = fold_transcript(format_transcript(setup, facts), "game")
    assert [line.fact for line in again.facts] == facts
    assert without_options(again.state) == moves[-1][3]
    voids = [entry for _, _, entry, _ in reversed(moves[cut:])]
    taken_back = fold_transcript(format_transcript(setup, facts, voids), "game")
    assert without_options(taken_back.state) == moves[cut][0]


def without_options(state: Any) -> Any:
    """A record states all of them, random play none."""
    return replace(state, common=replace(state.common, setup=replace(state.setup, options={})))


@every_game
def test_no_field_of_a_fact_is_called_like_what_a_line_says_of_its_entry(game_id: str) -> None:
    for kind, fact in open_game(game_id).facts.items():
        assert not OF_THE_ENTRY & {name for name in fact.model_fields if name != "kind"}, kind


@every_game
@settings(max_examples=examples(3, 30))
@given(seed=seeds)
def test_words_made_of_any_legal_fact_are_read_as_that_fact(game_id: str, seed: int) -> None:
    game = open_game(game_id)
    for before, _, _, _ in played(game_id, 3, seed)[::10]:
        setup = game.common(before).setup
        for fact in game.legal(before):
            assert (
                game.parse(*from_words(game, setup, to_words(type(fact), fact.kind, body_of(fact))))
                == fact
            )
            assert [field.kind for field in fields_of(type(fact), setup)].count("json") == 0, (
                fact.kind
            )


# -- secrets


def secret_pairs(game: Game[Any], state: Any) -> Iterator[tuple[SeatId, Fact, Fact]]:
    """Yield two allowed facts that differ only in what one seat alone may know."""
    hints, groups = hints_of(game.id), dict[str, list[Fact]]()
    for fact in (*game.legal(state), *hints.noted(state)):
        if fact.kind in hints.secret and allowed(game, state, fact):
            rest = fact.model_dump(mode="json", exclude=set(hints.secret[fact.kind]))
            groups.setdefault(json.dumps(rest), []).append(fact)
    for facts in groups.values():
        if facts[0] != facts[-1]:
            yield facts[0].model_dump()["seat"], facts[0], facts[-1]


def allowed(game: Game[Any], state: Any, fact: Fact) -> bool:
    try:
        game.apply(state, fact, 1)
    except Refused:
        return False
    return True


def assert_blind(game: Game[Any], one: Any, two: Any, owner: SeatId) -> None:
    """Assert that nobody but the owner can tell the two states apart."""
    for viewer in viewers(game, one):
        if viewer != owner:
            assert game.view(one, viewer) == game.view(two, viewer)
    for public in (game.awaiting, game.summary, game.report, game.standings, game.over):
        assert public(one) == public(two)


@pytest.mark.parametrize("game_id", [game for game in EVERY if may_hide(game)])
@settings(max_examples=examples(3, 30))
@given(count=counts, seed=seeds)
def test_nobody_sees_the_secrets_of_another_seat(game_id: str, count: int, seed: int) -> None:
    game, rng = open_game(game_id), random.Random(seed)
    tried = 0
    for before, _, entry, _ in played(game_id, count, seed, 60)[::3]:
        pairs = list(secret_pairs(game, before))
        for owner, fact, other in rng.sample(pairs, min(3, len(pairs))):
            for viewer in viewers(game, before):
                text, also = (game.describe(before, one, viewer) for one in (fact, other))
                assert (text == also) == (viewer != owner)
            one, two = game.apply(before, fact, entry), game.apply(before, other, entry)
            assert game.view(one, owner) != game.view(two, owner)
            assert_blind(game, one, two, owner)
            go_on_alike(game, one, two, owner, entry, rng)
            tried += 1
    assert tried


def go_on_alike(
    game: Game[Any], one: Any, two: Any, owner: SeatId, entry: int, rng: random.Random
) -> None:
    """Continue for a while with facts that reveal nothing: secrets stay secret."""
    for n in range(entry + 1, entry + 6):
        both = [
            fact
            for fact in game.legal(one)
            if fact.kind not in hints_of(game.id).secret and allowed(game, two, fact)
        ]
        if not both:
            return
        fact = rng.choice(both)
        if game.reveals(one, fact) is not None:
            return
        assert game.describe(one, fact) == game.describe(two, fact)
        one, two = game.apply(one, fact, n), game.apply(two, fact, n)
        assert_blind(game, one, two, owner)


@every_game
@some
@given(count=counts, seed=seeds)
def test_a_fact_that_is_told_to_one_seat_alone_is_named_among_the_secrets(
    game_id: str, count: int, seed: int
) -> None:
    game = open_game(game_id)
    for before, fact, _, _ in played(game_id, count, seed, 100):
        if fact.kind not in hints_of(game_id).secret:
            assert (
                len({game.describe(before, fact, viewer) for viewer in viewers(game, before)}) == 1
            )


@pytest.mark.parametrize("game_id", [game for game in EVERY if not may_hide(game)])
@some
@given(count=counts, seed=seeds)
def test_games_without_secrets_show_everybody_the_same(game_id: str, count: int, seed: int) -> None:
    game = open_game(game_id)
    for _, _, _, after in played(game_id, count, seed)[::20]:
        views = [game.view(after, viewer) for viewer in viewers(game, after)]
        assert all(view == views[0] for view in views)


# -- people, scores by hand, pauses


@every_game
def test_every_game_knows_the_facts_that_all_games_share(game_id: str) -> None:
    game = open_game(game_id)
    assert set(COMMON_FACTS) <= set(game.facts.values())
    assert game.common(game.start(setup_of(game_id, 3))).setup == setup_of(game_id, 3)


@every_game
@some
@given(count=counts, seed=seeds)
def test_whatever_is_done_to_the_people_and_scores_the_game_goes_on_or_says_why_not(
    game_id: str, count: int, seed: int
) -> None:
    game, rng, hints = open_game(game_id), random.Random(seed), hints_of(game_id)
    for _, _, entry, state in played(game_id, count, seed)[::20]:
        seat = rng.choice(game.common(state).setup.seats).id
        for kind, body in (
            ("seat_joins", {"name": "Zoe", "left_of": seat}),
            ("seat_changes", {"seat": seat, "name": "Yves"}),
            (
                "score_set",
                {
                    "seat": seat,
                    "score": rng.randint(max(0, hints.least), hints.most),
                    "reason": "agreed",
                },
            ),
            ("seat_leaves", {"seat": seat, "reason": "the last train"}),
            ("pause", {}),
            ("unpause", {}),
        ):
            fact = game.parse(kind, body)
            if allowed(game, state, fact):
                assert game.describe(state, fact)
                state = game.apply(state, fact, entry)
                assert_presentable(game, state)
                if kind == "score_set":
                    assert game.standings(state)[seat] == fact.model_dump()["score"]


@every_game
@some
@given(count=counts, seed=seeds)
def test_though_everybody_leaves_the_game_can_be_shown(game_id: str, count: int, seed: int) -> None:
    game, rng = open_game(game_id), random.Random(seed)
    begun = game.start(setup_of(game_id, count))
    for state in (
        begun,
        *(after for _, _, _, after in played(game_id, count, seed)[rng.randint(0, 99) :: 100]),
    ):
        seats = [seat.id for seat in game.common(state).setup.seats]
        for seat in rng.sample(seats, len(seats)):
            fact = game.parse("seat_leaves", {"seat": seat, "reason": ""})
            if allowed(game, state, fact):
                state = game.apply(state, fact, 9_999)
                assert_presentable(game, state)


def assert_presentable(game: Game[Any], state: Any) -> None:
    setup = game.common(state).setup
    for viewer in viewers(game, state):
        game.view(state, viewer)
    assert game.awaiting(state)
    assert game.summary(state)
    json.dumps(game.report(state))
    assert list(game.standings(state)) == [seat.id for seat in setup.seats]
    assert not set(by_key(game.actions(setup))) & TAKEN
    for action in game.actions(setup):
        act(game, state, action.id)
    game.legal(state)


# -- hands


def act(game: Game[Any], state: Any, action_id: str) -> None:
    """Perform an action; it is refused, or the rules allow it."""
    try:
        answer = game.pressed(state, action_id)
    except Refused:
        return
    if isinstance(answer, Retraction):
        assert answer.entries
    else:
        game.apply(state, answer, 1)


CHANNELS = ("trigger", "hit", *(f"zone-{place}" for place in range(1, 8)), "elsewhere")


@every_game
@some
@given(count=counts, seed=seeds)
def test_every_gesture_and_every_key_is_a_fact_or_says_why_not_in_any_state(
    game_id: str, count: int, seed: int
) -> None:
    game, rng = open_game(game_id), random.Random(seed)
    for _, _, entry, state in played(game_id, count, seed)[::10]:
        assert_presentable(game, state)
        for kind in GestureKind:
            channel = rng.choice(CHANNELS)
            game.hold_means(state, channel)
            answer = meant(
                game, state, Gesture(kind, channel, entry * 1_000_000, "board-1", 25, (entry,))
            )
            if isinstance(answer, Ignored):
                assert answer.reason
            else:
                game.apply(state, answer, entry)


# -- the registry


def test_an_unknown_game_is_named_in_one_sentence() -> None:
    with pytest.raises(
        ValueError, match=f"no game 'chess'; the games are: {', '.join(sorted(GAMES))}"
    ):
        open_game("chess")


def test_the_registry_loads_no_models() -> None:
    code = (
        "import sys, companion.games, companion.commands.score; "
        "print([m for m in ('pydantic', 'textual') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
